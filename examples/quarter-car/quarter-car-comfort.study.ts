// Spring and damper of a quarter car for comfort (small accelerations of the body) against road holding (a tyre force that hardly changes).
// npx tippetop study run quarter-car-comfort
import { study } from 'tippetop';

export default study({
  title: 'Quarter car: comfort against road holding',
  model: 'quarter-car.model.ts',
  parameters: {
    stiffness: { from: 8e3, to: 60e3, scale: 'log' },
    damping: { from: 300, to: 6e3, scale: 'log' },
    bodyMass: 300,
    bumpHeight: 0.02,
    bumpLength: 1.2,
    speed: 10,
  },
  search: { kind: 'nsga-ii', population: 24, generations: 10 },
  outputs: {
    // what the suspension carries, less the weight, over the mass
    acceleration: { value: "deviation('suspension.drive') / bodyMass", unit: 'm/s²' },
    tyre: { value: "deviation('tyre.force')", unit: 'N' },
    travel: "span('suspension.position')",
  },
  objective: [{ minimise: 'acceleration' }, { minimise: 'tyre' }],
  constraints: { travel: { atMost: 0.08 } },
  simulation: { stop: 2, interval: 0.002, rtol: 1e-6 },
  keep: { best: 2 },
});
