// Contact in the plane, whatever the mesh: it begins where the surfaces touch, and its forces are the derivatives of its energy, those of loads that walk along a side included.
import { describe, expect, test } from 'vitest';
import { circle } from '../../geometry/circle-outline.js';
import { PlanePart } from '../fem/plane-part.js';
import { meshProfile } from '../mesh/mesh-profile.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { stripMesh } from '../mesh/strip.js';
import { reduceFreePart } from '../reduction.js';
import { ContactSurface } from './contact-surface.js';
import { PlaneContact } from './plane-contact.js';
import { ResidualCompliance } from './residual-compliance.js';
import { RigidOutline, type RigidShape } from './rigid-outline.js';
import type { SoftSide } from './soft-side.js';

const r = 0.01;
const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, thickness: 0.01 };
function soft(mesh: PlaneMesh, modes: number): SoftSide {
  const reduced = reduceFreePart(new PlanePart(mesh, rubber), modes);
  const surface = new ContactSurface(mesh, rubber.thickness, () => true);
  const compliance = new ResidualCompliance(surface, 2 * mesh.nodeCount, 2, reduced.residual);
  return { surface, compliance, shapes: reduced.shapes, modulus: rubber.youngsModulus };
}
/** 60 × 20 mm below y = 0 */
const block = (columns: number, modes = 0): SoftSide =>
  soft(stripMesh([-0.03, -0.02], [0.03, 0], columns, columns > 3 ? columns / 3 : 1), modes);
const wheel = (chords: number, modes = 0): SoftSide =>
  soft(meshProfile({ outer: circle(r, [0, 0]), holes: [] }, { size: 5e-3, chords }), modes);
const outline = (outer: [number, number, number?][]): RigidOutline =>
  new RigidOutline({ kind: 'outline', profile: { outer, holes: [] } } as RigidShape);
const disc = outline([
  [r, 0, 1],
  [-r, 0, 1],
]);
const polygon = (n: number) =>
  outline(
    Array.from({ length: n }, (_, i) => [r * Math.cos((2 * Math.PI * i) / n), r * Math.sin((2 * Math.PI * i) / n)]),
  );
const stadium = outline([
  [-0.006, -0.004],
  [0.006, -0.004, 1],
  [0.006, 0.004],
  [-0.006, 0.004, 1],
]);
const floor = new RigidOutline({ kind: 'halfPlane', normal: [0, 1], offset: 0 });
const put = (contact: PlaneContact, x: number, y: number, angle = 0): boolean => {
  contact.px = x;
  contact.py = y;
  contact.c = Math.cos(angle);
  contact.s = Math.sin(angle);
  contact.evaluate();
  return contact.count > 0;
};
/** Where contact begins as `at` goes from outside in, m */
function onset(
  contact: PlaneContact,
  place: (d: number) => [number, number, number?],
  outside: number,
  inside: number,
) {
  let [low, high] = [inside, outside];
  for (let k = 0; k < 40; k++) {
    const middle = (low + high) / 2;
    if (put(contact, ...place(middle))) low = middle;
    else high = middle;
  }
  return low;
}

describe('contact begins where the surfaces touch', () => {
  // between the points of a side it began (0.19 h)²/(2 r) late: 0.73 mm on 20 mm
  test.each([3, 6, 12])('a disc on a block with %i sides along it, and past its end', (columns) => {
    const contact = new PlaneContact(block(columns), disc, undefined);
    for (let x = 0; x < 0.0395; x += 0.00217) {
      const past = Math.max(0, x - 0.03);
      expect(Math.abs(onset(contact, (y) => [x, y], 0.011, 0) - Math.sqrt(r * r - past * past))).toBeLessThan(1e-9);
    }
  });
  // of facets of 0.5° all count as corners: 1e-5 of the radius
  test.each([72, 720])('a polygon with %i corners on a side of 20 mm', (n) => {
    const contact = new PlaneContact(block(3), polygon(n), undefined);
    for (let x = -0.019; x < 0.02; x += 0.0047)
      expect(Math.abs(onset(contact, (y) => [x, y, 0.3 + x], 0.011, 0) - r)).toBeLessThan(
        r * (1 - Math.cos(Math.PI / n)) + 1e-9,
      );
  });
  test('a round end between straight sides', () => {
    const contact = new PlaneContact(block(3), stadium, undefined);
    for (let angle = -1.5; angle < 1.6; angle += 0.23)
      expect(
        Math.abs(onset(contact, (y) => [0.0047, y, angle], 0.012, 0) - (0.004 + 0.006 * Math.abs(Math.sin(angle)))),
      ).toBeLessThan(1e-9);
  });
  test('a flexible wheel of twelve chords on a floor: at the lowest place of its parabolas', () => {
    const side = wheel(12);
    const contact = new PlaneContact(side, floor, undefined);
    const { points } = side.surface.mesh;
    for (let angle = 0; angle < 1; angle += 0.077) {
      const found = onset(contact, (y) => [-Math.sin(angle) * y, Math.cos(angle) * y, angle], -0.011, -0.008);
      let lowest = 0;
      for (let s = 0; s < side.surface.sideCount; s++)
        for (let xi = -1; xi <= 1; xi += 0.01) {
          const n = [(xi * (xi - 1)) / 2, (xi * (xi + 1)) / 2, 1 - xi * xi];
          const sum = (d: number): number =>
            n.reduce((of, weight, j) => of + weight * points[2 * side.surface.sides[3 * s + j] + d], 0);
          lowest = Math.min(lowest, -Math.sin(angle) * sum(0) + Math.cos(angle) * sum(1));
        }
      // places a hundredth of a side apart: 1e-4/8 of its arrow
      expect(Math.abs(found - lowest)).toBeLessThan(1e-8);
    }
  });
});

// Steps of 1e-8 m leave some 1e-8 of the force where no place begins to press in between.
describe('forces are the derivatives of the energy', () => {
  const scenes: [string, () => PlaneContact, (s: number) => [number, number, number]][] = [
    ['a roller on a block', () => new PlaneContact(block(6, 2), disc, undefined), (s) => [0.028 * s, r - 2e-4, s]],
    [
      'a stadium on a block',
      () => new PlaneContact(block(6, 2), stadium, undefined),
      (s) => [0.01 * s, 0.0039 + 0.006 * Math.abs(Math.sin(s - 0.4)), s - 0.4],
    ],
    [
      'a polygon on a block',
      () => new PlaneContact(block(3, 2), polygon(24), undefined),
      (s) => [0.02 * s, r - 3e-4, -2 * s],
    ],
    [
      'a wheel on a floor',
      () => new PlaneContact(wheel(12, 2), floor, undefined),
      (s) => [Math.sin(s) * (r - 2e-4), -Math.cos(s) * (r - 2e-4), s],
    ],
    [
      'a wheel on a block',
      () => new PlaneContact(wheel(24, 2), block(6, 2), undefined),
      (s) => [0.01 * s, -r + 3e-4, 0.02 * s],
    ],
  ];
  test.each(scenes)('%s', (_, make, place) => {
    const contact = make();
    const energy = (x: number, y: number, angle: number): number => {
      put(contact, x, y, angle);
      return contact.energy;
    };
    for (const s of [0.071, 0.33, 0.517, 0.873]) {
      const [x, y, angle] = place(s);
      put(contact, x, y, angle);
      const { out, nA, nB } = contact;
      const [fx, fy, turn] = [-out[0], -out[1], out[3]];
      const modal = out.slice(4, 4 + nA + nB);
      const size = Math.hypot(fx, fy);
      expect(size).toBeGreaterThan(0.1);
      const h = 1e-8;
      expect(Math.abs((energy(x - h, y, angle) - energy(x + h, y, angle)) / (2 * h) - fx)).toBeLessThan(1e-6 * size);
      expect(Math.abs((energy(x, y - h, angle) - energy(x, y + h, angle)) / (2 * h) - fy)).toBeLessThan(1e-6 * size);
      expect(Math.abs((energy(x, y, angle - 1e-6) - energy(x, y, angle + 1e-6)) / 2e-6 - turn)).toBeLessThan(
        1e-6 * size * r,
      );
      for (let k = 0; k < nA + nB; k++) {
        const [q, i] = k < nA ? [contact.qA, k] : [contact.qB, k - nA];
        q[i] = h;
        const above = energy(x, y, angle);
        q[i] = -h;
        const below = energy(x, y, angle);
        q[i] = 0;
        expect(Math.abs((below - above) / (2 * h) - modal[k])).toBeLessThan(1e-5 * size);
      }
    }
  });
  // kinks of the force where points come in leave the trapezoidal rule 1e-9
  test('a wheel is moved over a block: the work is the change of its energy; 16 % of it were missing', () => {
    const contact = new PlaneContact(wheel(24), block(6), undefined);
    let [work, most, first, last] = [0, 0, 0, 0];
    const steps = 3000;
    for (let k = 0; k <= steps; k++) {
      put(contact, (0.01 * k) / steps, -r + 3e-4);
      const force = -contact.out[0];
      if (k === 0) first = contact.energy;
      else work += (0.5 * (force + last) * 0.01) / steps;
      last = force;
      most = Math.max(most, contact.energy);
    }
    expect(Math.abs(contact.energy - first)).toBeGreaterThan(1e-3 * most);
    expect(Math.abs(contact.energy - first + work) / most).toBeLessThan(1e-8);
  });
});

// Bristles of 1e4 N/m and 10 N s/m, µ = 0.4: dragged by 1 mm/s they stick, by 1 m/s they slide; a slot without a load springs back
describe('friction', () => {
  const friction = {
    coefficient: 0.4,
    stiffness: Float64Array.of(1e4, 2e4, 3e4),
    damping: Float64Array.of(10, 20, 30),
  };
  const [x0, y0, angle] = [0.0071, r - 2e-4, 0.3];
  const scene = (make: () => SoftSide | RigidOutline, speed: number): PlaneContact => {
    const contact = new PlaneContact(block(6, 2), make(), friction);
    contact.velocity.set([speed, 2e-3, 0.03, 0, 0, -0.02]);
    contact.etaA.set([1e-3, -2e-3]);
    contact.bristle.set([2e-6, 1e-6, -3e-6]);
    put(contact, x0, y0, angle);
    return contact;
  };
  const others: [string, () => SoftSide | RigidOutline][] = [
    ['a disc', () => disc],
    ['a wheel', () => wheel(24, 2)],
  ];
  describe.each(others)('of %s', (_, make) => {
    test.each([
      [1e-3, false],
      [1, true],
    ])('at %d m/s: what it takes is stored or heat', (speed, slides) => {
      const contact = scene(make, speed);
      const { out, bristle, outputs } = contact;
      let [stored, tangential] = [0, 0];
      for (let k = 0; k < 3; k++) stored += friction.stiffness[k] * bristle[k] * out[outputs - 3 + k];
      // exact but for rounding
      expect(Math.abs(contact.rubbed - stored - contact.dissipated)).toBeLessThan(1e-12 * contact.dissipated);
      for (let i = 0; i < contact.count; i++) {
        const { nx, ny, fx, fy, force } = contact.touches[i];
        tangential = Math.max(tangential, Math.abs(nx * fy - ny * fx) / force);
      }
      expect(Math.abs(tangential / 0.4 - 1) < 1e-9).toBe(slides);
    });
    // central differences over 1e-8: rounding 1e-8 of the forces, kinks where places come in are not near
    test.each([1e-3, 1])('at %d m/s: rates of the forces', (speed) => {
      const contact = scene(make, speed);
      const { inputs, outputs, velocity, etaA, etaB, qA, qB, bristle } = contact;
      const pose = Float64Array.of(x0, y0, angle);
      const places = [pose, qA, qB, velocity, etaA, etaB, bristle].flatMap((values) =>
        Array.from(values, (_, k) => ({ values, k })),
      );
      expect(places.length).toBe(inputs);
      for (let i = 0; i < inputs; i++) {
        const h = 1e-8;
        const { values, k: own } = places[i];
        const now = values[own];
        const at = (by: number): Float64Array => {
          values[own] = now + by;
          put(contact, pose[0], pose[1], pose[2]);
          return contact.out.slice();
        };
        const [above, below] = [at(h), at(-h)];
        at(0);
        const d = new Float64Array(inputs);
        const result = new Float64Array(outputs);
        d[i] = 1;
        contact.move(d, result);
        const most = result.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
        const size = Math.hypot(contact.out[0], contact.out[1]);
        for (let k = 0; k < outputs; k++)
          expect(Math.abs((above[k] - below[k]) / (2 * h) - result[k])).toBeLessThan(2e-6 * most + 1e-7 * size);
      }
    });
  });
});
