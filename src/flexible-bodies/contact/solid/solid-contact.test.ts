// Contact of flexible solids: forces are the derivatives of the energy, those of loads that walk over faces and off their ends included, and `move` is the derivative of the forces.
import { describe, expect, test } from 'vitest';
import { boundaryFaces, type SolidMesh } from '../../../geometry/solid-mesh.js';
import { SolidPart } from '../../fem/solid-part.js';
import { extrudeMesh } from '../../mesh/extruded-mesh.js';
import { stripMesh } from '../../mesh/strip.js';
import { reduceFreePart } from '../../reduction.js';
import { ResidualCompliance } from '../residual-compliance.js';
import type { RigidForm } from './rigid-solid.js';
import { SolidContact } from './solid-contact.js';
import { SolidFriction } from './solid-friction.js';
import type { SolidSide } from './solid-side.js';
import { SolidSurface } from './solid-surface.js';
import { SolidTouch } from './solid-touch.js';

const r = 0.01;
const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45 };
/** Centred, top at z = 0 */
function block(size: [number, number, number], [nx, ny, nz]: [number, number, number], modes: number): SolidSide {
  const [x, y, z] = size;
  const solid: SolidMesh = extrudeMesh(stripMesh([-x / 2, -y / 2], [x / 2, y / 2], nx, ny), z, nz);
  for (let i = 2; i < solid.points.length; i += 3) solid.points[i] -= z;
  const reduced = reduceFreePart(new SolidPart(solid, rubber), modes);
  const faces = boundaryFaces(solid);
  const open = new Uint8Array(faces.length / 6).fill(1);
  const surface = new SolidSurface({ mesh: solid, faces, open, shapes: reduced.shapes });
  return {
    surface,
    compliance: new ResidualCompliance(surface, 3 * solid.nodeCount, 3, reduced.residual),
    shapes: reduced.shapes,
    modulus: rubber.youngsModulus,
    poissonRatio: rubber.poissonRatio,
  };
}
const slab = block([0.06, 0.04, 0.02], [5, 3, 2], 2);
const pad = block([0.03, 0.02, 0.01], [4, 3, 1], 2);
const ball: RigidForm = { kind: 'ball', radius: r, stiffness: (4 / 3) * (5e6 / (1 - 0.45 ** 2)) * Math.sqrt(r) };
const roller: RigidForm = { kind: 'rod', radius: r, height: 0.03, roundEnds: false };
const capsule: RigidForm = { kind: 'rod', radius: r, height: 0.02, roundEnds: true };
/** 12 × 12 × 10 mm, centred */
const brick: RigidForm = {
  kind: 'mesh',
  vertices: Float64Array.from(
    { length: 24 },
    (_, i) => ((i / 3) & (1 << (i % 3)) ? 1 : -1) * [6e-3, 6e-3, 5e-3][i % 3],
  ),
  triangles: Uint32Array.of(
    ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
  ),
};

type Turn = readonly number[];
const product = (a: Turn, b: Turn): Turn =>
  a.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + a[i - (i % 3) + k] * b[3 * k + (i % 3)], 0));
const about = ([x, y, z]: readonly number[]): Turn => {
  const angle = Math.hypot(x, y, z);
  if (angle === 0) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [u, v, w] = [x / angle, y / angle, z / angle];
  const d = 1 - c;
  return [
    c + u * u * d,
    u * v * d - w * s,
    u * w * d + v * s,
    v * u * d + w * s,
    c + v * v * d,
    v * w * d - u * s,
    w * u * d - v * s,
    w * v * d + u * s,
    c + w * w * d,
  ];
};
/** B's z along A's y */
const alongY: Turn = [1, 0, 0, 0, 0, 1, 0, -1, 0];
const upsideDown: Turn = [1, 0, 0, 0, -1, 0, 0, 0, -1];
const put = (contact: SolidContact, place: readonly number[], turn: Turn): SolidContact => {
  contact.place.set(place);
  contact.turn.set(turn);
  expect(contact.evaluate()).toBe(true);
  return contact;
};

const scenes: [string, () => SolidContact, Turn, (s: number) => readonly number[]][] = [
  ['a ball', () => new SolidContact(slab, ball, undefined), about([0, 0, 0]), (s) => [0.028 * s, 0.0013, r - 3e-4]],
  [
    'a ball that leaves a corner',
    () => new SolidContact(slab, ball, undefined),
    about([0, 0, 0]),
    (s) => [0.029 + 0.003 * s, 0.0193, r - 3e-4],
  ],
  [
    'a roller on end',
    () => new SolidContact(slab, roller, undefined),
    about([0.01, 0, 0]),
    (s) => [0.02 * s, 0.002, 0.0147],
  ],
  [
    'a capsule',
    () => new SolidContact(slab, capsule, undefined),
    product(about([0, 0, 0.1]), alongY),
    (s) => [0.027 * s, 0.0013, r - 3e-4],
  ],
  [
    'a box',
    () => new SolidContact(slab, brick, undefined),
    about([0.012, 0, 0.016]),
    (s) => [0.03 * s, 0.0013, 0.0047],
  ],
  [
    'a flexible solid',
    () => new SolidContact(slab, pad, undefined),
    product(about([0.012, 0, 0.016]), upsideDown),
    (s) => [0.03 * s, 0.0013, -3e-4],
  ],
];

// central differences over 1e-8 m and 1e-6 rad: their rounding is 1e-8 of forces, which are 1e-8 of the rates
describe('forces are the derivatives of the energy, and their rates those of the forces', () => {
  test.each(scenes)('%s', (_, make, turn, at) => {
    const contact = make();
    const { nA, nB, qA, qB } = contact;
    const modes = nA + nB;
    const coordinate = (k: number, value: number): void => {
      if (k < nA) qA[k] = value;
      else qB[k - nA] = value;
    };
    for (let k = 0; k < modes; k++) coordinate(k, 1e-4 * Math.sin(k + 1));
    for (const s of [0.071, 0.53, 0.917]) {
      const place = at(s);
      const out = put(contact, place, turn).out.slice();
      const size = Math.hypot(out[0], out[1], out[2]);
      expect(size).toBeGreaterThan(1);
      for (let i = 0; i < 6 + modes; i++) {
        const h = i >= 3 && i < 6 ? 1e-6 : 1e-8;
        const moved = (by: number): { energy: number; out: Float64Array } => {
          if (i >= 6) coordinate(i - 6, 1e-4 * Math.sin(i - 5) + by);
          put(
            contact,
            place.map((x, d) => (d === i ? x + by : x)),
            i >= 3 && i < 6 ? product(about([3, 4, 5].map((k) => (k === i ? by : 0))), turn) : turn,
          );
          if (i >= 6) coordinate(i - 6, 1e-4 * Math.sin(i - 5));
          return { energy: contact.energy, out: contact.out.slice() };
        };
        const [before, after] = [moved(-h), moved(h)];
        // on B −force on A, its own moment; on the coordinates
        const force = i < 3 ? -out[i] : out[3 + i];
        expect(Math.abs((before.energy - after.energy) / (2 * h) - force)).toBeLessThan(
          1e-7 * size * (i >= 3 && i < 6 ? r : 1),
        );
        put(contact, place, turn);
        const d = new Float64Array(contact.inputs);
        const result = new Float64Array(contact.outputs);
        d[i] = 1;
        contact.move(d, result);
        const most = result.reduce((sum, x) => Math.max(sum, Math.abs(x)), 0);
        for (let k = 0; k < 9 + modes; k++)
          expect(Math.abs((after.out[k] - before.out[k]) / (2 * h) - result[k])).toBeLessThan(2e-7 * most + 1e-9);
      }
    }
  });
});

/** Energy that is missing at the end over the largest, by the trapezoidal rule; and the largest force */
function moved(
  contact: SolidContact,
  turn: Turn,
  from: readonly number[],
  to: readonly number[],
  steps: number,
): { missing: number; change: number; force: number } {
  let [work, first, most, force] = [0, 0, 0, 0];
  let last = [0, 0, 0];
  for (let k = 0; k <= steps; k++) {
    put(
      contact,
      from.map((x, d) => x + ((to[d] - x) * k) / steps),
      turn,
    );
    const own = Array.from(contact.out.subarray(0, 3));
    if (k === 0) first = contact.energy;
    else for (let d = 0; d < 3; d++) work += (0.5 * (own[d] + last[d]) * (to[d] - from[d])) / steps;
    last = own;
    most = Math.max(most, contact.energy);
    force = Math.max(force, Math.hypot(own[0], own[1], own[2]));
  }
  return { missing: (contact.energy - first - work) / most, change: (contact.energy - first) / most, force };
}

// 2000 steps of 10 µm: kinks where points come in and where the axis of a ball passes from triangle to triangle leave the rule 2e-4
describe('the work of moving a body over a slab is the change of its energy', () => {
  test.each<[string, () => SolidContact, Turn, readonly number[], readonly number[]]>([
    // 27 % were missing
    ['a roller', () => new SolidContact(slab, roller, undefined), alongY, [0, 0, 0.0097], [0.02, 0, 0.0097]],
    // its circles were pushed out of the end face, by 10 mm: 763 N in place of 60
    [
      'a roller that runs off the end',
      () => new SolidContact(slab, roller, undefined),
      alongY,
      [0.02, 0, 0.0097],
      [0.04, 0, 0.0097],
    ],
    // 210 N at once
    [
      'a roller whose end is moved over the side',
      () => new SolidContact(slab, roller, undefined),
      alongY,
      [0.0011, 0, 0.0097],
      [0.0011, 0.03, 0.0097],
    ],
    // 5.4 % at once
    [
      'a box',
      () => new SolidContact(slab, brick, undefined),
      about([0, 0, 0]),
      [0, 0.0013, 0.0047],
      [0.0201, 0.0013, 0.0047],
    ],
    // 11 % were missing
    [
      'a ball that runs off the end',
      () => new SolidContact(slab, ball, undefined),
      about([0, 0, 0]),
      [0.02, 0.0013, 0.0097],
      [0.04, 0.0013, 0.0097],
    ],
    // 83 %
    [
      'a flexible solid that is moved off the end',
      () => new SolidContact(slab, pad, undefined),
      upsideDown,
      [0.01, 0, -3e-4],
      [0.03, 0, -3e-4],
    ],
  ])('%s', (_, make, turn, from, to) => {
    const { missing, change, force } = moved(make(), turn, from, to, 2000);
    expect(Math.abs(change)).toBeGreaterThan(0.03);
    expect(Math.abs(missing)).toBeLessThan(5e-4);
    expect(force).toBeLessThan(100);
  });
});

// As in the plane: bristles of 1e4 N/m and 10 N s/m, µ = 0.4, dragged and spun slowly or fast
describe('friction', () => {
  const law = { coefficient: 0.4, stiffness: new Float64Array(4).fill(1e4), damping: new Float64Array(4).fill(10) };
  test.each([
    [0.01, false],
    [5, true],
  ])('of a box at %d m/s', (speed, slides) => {
    const contact = new SolidContact(slab, brick, law);
    const { nA, inputs, outputs, velocity, bristle } = contact;
    velocity.set([speed, 0.3 * speed, 0.02, 0.1, 0.2, 0, 0, 0, 0, 0, 0, -50 * speed]);
    bristle.set([2e-5, -1e-5, 1e-6, 3e-5]);
    contact.etaA.set([0.01, -0.02]);
    const [turn, place] = [about([0.012, 0, 0.016]), Float64Array.of(0.0071, 0.0013, 0.0047)];
    put(contact, [...place], turn);
    // what it takes is stored or heat; (F, M) is within µ N
    let stored = 0;
    for (let k = 0; k < 4; k++) stored += 1e4 * bristle[k] * contact.out[outputs - 4 + k];
    expect(Math.abs(contact.rubbed - stored - contact.dissipated)).toBeLessThan(1e-12 * contact.dissipated);
    expect(contact.dissipated).toBeGreaterThan(0);
    // 1e4 z + 10 z' is what it bears
    let square = 0;
    for (let k = 0; k < 4; k++) square += (1e4 * bristle[k] + 10 * contact.out[outputs - 4 + k]) ** 2;
    let load = 0;
    for (let i = 0; i < contact.count; i++) load += contact.touches[i].force;
    expect(Math.abs(Math.sqrt(square) / (0.4 * load) - 1) < 1e-9).toBe(slides);
    const places = [
      ...Array.from({ length: 3 }, (_, k) => ({ values: place, k, i: k })),
      ...Array.from({ length: 12 }, (_, k) => ({ values: velocity, k, i: 6 + nA + k })),
      ...Array.from({ length: nA }, (_, k) => ({ values: contact.etaA, k, i: 18 + nA + k })),
      ...Array.from({ length: 4 }, (_, k) => ({ values: bristle, k, i: 18 + 2 * nA + k })),
    ];
    expect(places.at(-1)!.i).toBe(inputs - 1);
    for (const { values, k, i } of places) {
      const [now, h] = [values[k], 1e-8];
      const at = (by: number): Float64Array => {
        values[k] = now + by;
        return put(contact, [...place], turn).out.slice();
      };
      const [above, below] = [at(h), at(-h)];
      at(0);
      const d = new Float64Array(inputs);
      const result = new Float64Array(outputs);
      d[i] = 1;
      contact.move(d, result);
      const most = result.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
      // rounding of 1e-8 of the forces
      for (let o = 0; o < outputs; o++)
        expect(Math.abs((above[o] - below[o]) / (2 * h) - result[o])).toBeLessThan(2e-6 * most + 1e-6);
    }
  });
  // Spun about their middle all places slide at right angles to their arms: the torque is µ Σ f r
  test('the largest torque about the normal is that of every place sliding', () => {
    const touches = [2, 1, 4, 3, 2, 5].map((force, k) => {
      const touch = new SolidTouch(0, 0);
      const [angle, radius] = [k, k % 2 === 0 ? 0.02 : 0.01];
      touch.force = force;
      touch.n.set([0, 0, 1]);
      touch.x.set([radius * Math.cos(angle), radius * Math.sin(angle), 0]);
      return touch;
    });
    const load = touches.reduce((sum, { force }) => sum + force, 0);
    const middle = [0, 1].map((d) => touches.reduce((sum, { force, x }) => sum + (force * x[d]) / load, 0));
    const rubbing = new SolidFriction(law, 0.02);
    rubbing.evaluate(touches, touches.length, Float64Array.of(0, 0, 0, 1), new Float64Array(4), 0);
    const at = new Float64Array(3);
    let [torque, most] = [0, 0];
    for (const touch of touches) {
      rubbing.forceAt(touch, at);
      const [x, y] = [touch.x[0] - middle[0], touch.x[1] - middle[1]];
      torque += x * at[1] - y * at[0];
      most += 0.4 * touch.force * Math.hypot(x, y);
    }
    expect(Math.abs(torque / most + 1)).toBeLessThan(1e-14);
  });
});

// Their distance of nothing has no direction, and they passed for bodies that do not come nearer: a step of time stepping let them fall into each other.
test('solids that just touch come nearer as fast as they move', () => {
  const bodies: readonly [string, SolidSide | RigidForm, number][] = [
    ['a rigid one', brick, 5e-3],
    ['a flexible one', pad, 0.01],
    ['a half space', { kind: 'halfSpace' }, 0],
  ];
  for (const [name, other, height] of bodies) {
    const contact = new SolidContact(slab, other, undefined);
    const below = name === 'a half space';
    contact.place.set([0, 0, below ? -0.02 : height]);
    contact.turn.set(below ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : about([0, 0, 0]));
    // B's origin
    contact.velocity[8] = below ? 0.3 : -0.3;
    let closing = 0;
    let gap = Number.POSITIVE_INFINITY;
    contact.approach((away, speed) => {
      gap = Math.min(gap, away);
      if (away === 0) closing = Math.max(closing, speed);
      return Number.POSITIVE_INFINITY;
    });
    expect(gap, name).toBe(0);
    // rounding
    expect(closing, name).toBeCloseTo(0.3, 14);
  }
});
