// The spring of Hofmann et al. (2014), §4.3, 0.1 s: 200 N for 10 ms, block, rebound, lift-off. The error is that of the energy ledger,
// relative to what is put in.
import { simulate } from 'tippetop';
import coilSpring from '../examples/coil-spring/coil-spring.model.js';
import { benchmark } from './harness.js';

benchmark('coil-spring', {
  source: 'dynamically loaded coil spring, 0.1 s with block; Hofmann et al. (2014), §4.3. Size: segments a coil',
  unit: 'run',
  sizes: [12, 16, 24],
  rounds: 1,
  prepare: (segmentsPerCoil) => coilSpring({ segmentsPerCoil }),
  run: (model) => simulate(model),
  work: () => 1,
  error: ({ trust }) => trust.energy?.relativeError ?? Number.NaN,
  note: ({ trust }) => `${trust.steps?.accepted ?? 0} steps; the paper: 7 h`,
});
