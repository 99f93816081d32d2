// Outlines of straight edges take the same steps in the same order as before there were arcs: every number of every row to the last bit.
// The hashes were taken from the kernel that knew polygons only, over the same poses.
import { expect, test } from 'vitest';
import { cos, sin } from '../../math/elementary.js';
import { Hash } from '../../math/hash.js';
import { random } from '../../math/random.js';
import { ContactPatches } from '../contact-patches.js';
import { ExtrusionOverlap } from './extrusion-overlap.js';
import { LoopBody, prepareLoops } from './loop-body.js';

type Loop = (readonly [number, number])[];
const star = (corners: number, inner: number, outer: number, turn: number): Loop =>
  Array.from({ length: corners }, (_, k) => {
    const r = k % 2 === 0 ? outer : inner;
    const angle = turn + (6.283185307179586 * k) / corners;
    return [r * cos(angle), r * sin(angle)] as const;
  });
const square = (half: number): Loop => [
  [-half, -half],
  [half, -half],
  [half, half],
  [-half, half],
];
const figures: { outer: Loop; holes: Loop[] }[] = [
  {
    outer: [
      [0, 0],
      [1, 0],
      [1, 0.4],
      [0.35, 0.4],
      [0.35, 1],
      [0, 1],
    ],
    holes: [],
  },
  { outer: star(60, 0.7, 0.85, 0.1), holes: [star(24, 0.3, 0.3, 0).reverse()] },
  { outer: square(0.5), holes: [square(0.3).reverse()] },
  { outer: star(24, 0.35, 1, 0.2), holes: [] },
];

test.each([
  ['volume', 640, '0396dfcac181af83'],
  ['extent', 640, '21fd3dc1c65a8474'],
] as const)('depth by %s', (depth, poses, frozen) => {
  const draw = random('bits');
  const hash = new Hash();
  const rotation = new Float64Array(18);
  const position = new Float64Array(6);
  const patches = new ContactPatches(1);
  let rows = 0;
  const bodies = () => figures.map((figure, i) => new LoopBody(prepareLoops(figure, 0, 0.5 + 0.25 * i)));
  const [first, second] = [bodies(), bodies()];
  for (let k = 0; k < poses; k++) {
    const overlap = new ExtrusionOverlap(first[draw.integer(4)], second[draw.integer(4)], { depth });
    // every fourth pose on a grid, where corners and edges coincide
    const grid = k % 4 === 3;
    for (let i = 0; i < 2; i++) {
      const angle = grid ? 0 : draw.uniformBetween(0, 6.28);
      const over = draw.integer(2) === 1 ? -1 : 1;
      const c = grid ? 1 : cos(angle);
      const s = grid ? 0 : sin(angle);
      rotation.set([c, -over * s, 0, s, over * c, 0, 0, 0, over], 9 * i);
      const at = () => (grid ? 0.1 * (draw.integer(13) - 6) : draw.uniformBetween(-0.6, 0.6));
      position.set([at(), at(), (over === 1 ? 0 : 1) + 0.1 * draw.uniform()], 3 * i);
    }
    overlap.evaluate(rotation, position, 0, 1);
    patches.clear();
    if (overlap.count > 0) overlap.append(patches, 0, true);
    hash.number(overlap.count);
    for (const [name, per] of ROWS) for (let n = 0; n < per * patches.count; n++) hash.number(patches[name][n]);
    rows += patches.count;
  }
  expect(rows).toBeGreaterThan(500);
  expect(hash.hex()).toBe(frozen);
});

const ROWS = [
  ['feature', 2],
  ['flags', 1],
  ['volume', 1],
  ['depth', 1],
  ['extent', 1],
  ['area', 1],
  ['centroid', 3],
  ['normal', 3],
  ['vectorArea', 3],
  ['moment', 3],
  ['patchCentroid', 3],
  ['secondMoments', 6],
  ['gradient', 54],
] as const;
