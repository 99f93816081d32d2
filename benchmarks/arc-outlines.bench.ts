// Outlines with arcs in the plane: pairs of a machine in poses in which they touch, with and without gradients; beside them the same pairs with
// 128 and 512 corners for a full circle. The error is that of the overlap's volume against the arcs.
import { flattened } from '../src/geometry/outline.js';
import type { Profile } from '../src/geometry/profile.js';
import { ContactPatches } from '../src/narrow-phase/contact-patches.js';
import { ExtrusionOverlap, LoopBody, prepareLoops } from '../src/narrow-phase/extrusion-overlap/index.js';
import { bar, circle, genevaArcs, genevaLock, rectangle, slottedPlate } from '../tests/fixtures/arc-outlines.js';
import { benchmark } from './harness.js';

const POSES = 64;

/** Shapes and where B is, the pose being k of POSES */
interface Pair {
  readonly name: string;
  readonly a: Profile;
  readonly b: Profile;
  readonly at: (share: number) => readonly [x: number, y: number, angle: number];
}
const PAIRS: readonly Pair[] = [
  { name: 'pin in slot', a: slottedPlate(), b: circle(0.199), at: (k) => [0.6 * k - 0.3, 2e-3, 6 * k] },
  { name: 'pin in the end of a slot', a: slottedPlate(), b: circle(0.19994), at: (k) => [0.4 + 1e-4, 2e-5 * k, 6 * k] },
  { name: 'eccentric on a flat', a: rectangle(4, 1), b: circle(0.5, 6), at: (k) => [k, 1 - 1e-4 * (1 + k), 6 * k] },
  {
    name: 'Geneva wheel and lock',
    a: genevaArcs({ radius: 1 }),
    b: genevaLock({ radius: 1 }),
    at: (k) => [1.1547 - 0.012, 0, 0.4 * k - 0.2],
  },
  { name: 'bar in slot', a: slottedPlate(), b: bar(0.3, 0.1999), at: (k) => [0.5 * k - 0.25, 2e-4, 0] },
];

class Scene {
  readonly patches = new ContactPatches(4 * POSES);
  private readonly rotation = new Float64Array(18);
  private readonly position = new Float64Array(6);
  constructor(
    readonly pair: Pair,
    readonly arcs: ExtrusionOverlap,
    readonly corners: readonly ExtrusionOverlap[],
  ) {
    this.rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  }
  run(overlap: ExtrusionOverlap, gradients: boolean): number {
    const { pair, patches, rotation, position } = this;
    patches.clear();
    for (let k = 0; k < POSES; k++) {
      const [x, y, angle] = pair.at(k / POSES);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      rotation.set([c, -s, 0, s, c, 0, 0, 0, 1], 9);
      position.set([x, y, 0], 3);
      if (overlap.evaluate(rotation, position, 0, 1) > 0) overlap.append(patches, k, gradients);
    }
    let volume = 0;
    for (let i = 0; i < patches.count; i++) volume += patches.volume[i];
    return volume;
  }
}

benchmark('arc-outlines', {
  source: 'budgets with gradients: pin–slot 6 µs, cam 6 µs, Geneva pair 8 µs',
  unit: 'evaluation',
  sizes: PAIRS.map((_, i) => i), // which pair
  prepare(size): Scene {
    const pair = PAIRS[size];
    const overlap = (a: Profile, b: Profile) =>
      new ExtrusionOverlap(new LoopBody(prepareLoops(a, 0, 1)), new LoopBody(prepareLoops(b, 0, 1)));
    return new Scene(
      pair,
      overlap(pair.a, pair.b),
      [128, 512].map((segments) => overlap(flattened(pair.a, segments), flattened(pair.b, segments))),
    );
  },
  run: {
    'arcs, gradients': (scene: Scene) => scene.run(scene.arcs, true),
    arcs: (scene: Scene) => scene.run(scene.arcs, false),
    '128 corners, gradients': (scene: Scene) => scene.run(scene.corners[0], true),
    '512 corners, gradients': (scene: Scene) => scene.run(scene.corners[1], true),
  },
  work: () => POSES,
  error: (volume, scene) => Math.abs(volume / scene.run(scene.arcs, false) - 1),
  note: (_, scene) => scene.pair.name,
});
