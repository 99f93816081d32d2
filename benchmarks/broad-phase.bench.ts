// Candidate pairs of grains, about four pairs a grain: what one update costs while grains tremble within their skins (search
// kept), while one in fifty moves on (partly searched again), and after all have moved (searched from scratch).
import { BroadPhase, type BroadPhaseMethod } from '../src/broad-phase/broad-phase.js';
import type { CandidatePairs } from '../src/broad-phase/candidate-pairs.js';
import { random } from '../src/math/random.js';
import { benchmark, rival } from './harness.js';

/** Boxes for updates in turn. */
type Motion = readonly Float64Array[];

const MOTIONS = ['trembling', 'few move', 'all moved'] as const;

interface Scene {
  readonly count: number;
  readonly motions: Readonly<Record<(typeof MOTIONS)[number], Motion>>;
  /** By variant, since each keeps what it found last. */
  readonly phases: Map<string, BroadPhase>;
}

interface Update {
  readonly pairs: CandidatePairs;
  readonly boxes: Float64Array;
}

const FRAMES = 4;
const runs: Record<string, (scene: Scene) => Update> = {};
for (const method of ['tree', 'morton'] as const)
  for (const motion of MOTIONS) {
    const variant = `${method}, ${motion}`;
    let turn = 0;
    runs[variant] = ({ count, motions, phases }) => {
      let phase = phases.get(variant);
      if (!phase) phases.set(variant, (phase = phaseOf(method, count)));
      const boxes = motions[motion][turn++ % FRAMES];
      return { pairs: phase.update(boxes), boxes };
    };
  }
const source = 'the scene of Elmqvist et al. (2015), §5.2, in three dimensions; brute force is their §5.1';

benchmark('broad-phase', {
  source,
  unit: 'shape',
  sizes: [100, 1000, 10_000],
  prepare: grains,
  run: runs,
  work: (_, { count }) => count,
  error: missed,
  ratios: {
    'brute force': rival<Scene, { phase: BroadPhase; boxes: Float64Array }>({
      prepare: ({ count, motions }) => ({ phase: phaseOf('brute-force', count), boxes: motions.trembling[0] }),
      run: ({ phase, boxes }) => phase.update(boxes),
    }),
  },
});

benchmark('broad-phase-large', {
  source: `${source}, which would take half a minute a run here`,
  unit: 'shape',
  sizes: [100_000],
  prepare: grains,
  run: runs,
  work: (_, { count }) => count,
  error: missed,
});

function phaseOf(method: BroadPhaseMethod, count: number): BroadPhase {
  return new BroadPhase({ rules: { body: Int32Array.from({ length: count }, (_, i) => i) }, method });
}

/** Grains of diameter 1 m, one in a cubic metre. */
function grains(count: number): Scene {
  const draw = random(count);
  const side = Math.cbrt(count);
  const at = Float64Array.from({ length: 3 * count }, () => side * draw.uniform());
  const moved = (by: (grain: number, frame: number) => number): Motion =>
    Array.from({ length: FRAMES }, (_, frame) => {
      const boxes = new Float64Array(6 * count);
      for (let i = 0; i < count; i++)
        for (let k = 0; k < 3; k++) {
          const x = at[3 * i + k] + by(i, frame);
          boxes[6 * i + k] = x - 0.5;
          boxes[6 * i + 3 + k] = x + 0.5;
        }
      return boxes;
    });
  return {
    count,
    motions: {
      trembling: moved((i, frame) => 0.02 * Math.sin(i + frame)),
      'few move': moved((i, frame) => (i % (25 * FRAMES) === frame ? 0.3 : 0)), // one in 100 goes, another comes back
      'all moved': moved((_, frame) => frame),
    },
    phases: new Map(),
  };
}

/** Pairs missed or too many, of up to 1000 shapes against all, as a part of those there are. */
function missed({ pairs: { count, a, b }, boxes }: Update, scene: Scene): number {
  const stride = Math.ceil(scene.count / 1000);
  const found = new Set<number>();
  for (let i = 0; i < count; i++) if (a[i] % stride === 0) found.add(a[i] * scene.count + b[i]);
  let wrong = 0;
  let there = 0;
  for (let i = 0; i < scene.count; i += stride)
    for (let j = i + 1; j < scene.count; j++) {
      let apart = false;
      for (let k = 0; k < 3; k++)
        if (boxes[6 * i + k] > boxes[6 * j + 3 + k] || boxes[6 * j + k] > boxes[6 * i + 3 + k]) apart = true;
      if (apart) continue;
      there++;
      if (!found.delete(i * scene.count + j)) wrong++;
    }
  return (wrong + found.size) / there;
}
