// A flat part that turns in its plane alone: the short form against the one of any motion, on the same part and at the same random states.
import { expect, test } from 'vitest';
import { assemble } from '../../assembly/assemble.js';
import { extrude } from '../../geometry/extrude.js';
import { random } from '../../math/random.js';
import { body } from '../../model/body.js';
import { revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { FlexibleInertia } from './flexible-inertia.js';

const outline = [
  [0, -0.02],
  [0.5, -0.03],
  [0.4, 0.03],
  [0, 0.02],
] as const;
const link = (x: number, flexible: boolean) =>
  body({
    shape: extrude(outline, 0.01),
    material: { density: 2700, youngsModulus: 1e9, poissonRatio: 0.3 },
    position: [x, 0, 0],
    ...(flexible && { flexible: { modes: 4, membrane: false } }),
  });
const linked = (axis: readonly [number, number, number]) =>
  assemble(
    model({
      contacts: false,
      bodies: { upper: link(0, true), lower: link(0.45, false) },
      joints: {
        shoulder: revolute({ body: 'upper', axis }),
        elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 0, 1], at: [0.45, 0, 0] }),
      },
    }),
  );

/** Largest difference of two arrays, of the largest number in the second */
function apart(a: Float64Array, b: Float64Array): number {
  expect(a.length).toBe(b.length);
  const size = b.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-300);
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0) / size;
}
/** m z of a 3 × 3 matrix by rows */
const times = (m: Float64Array, z: readonly number[]) =>
  Float64Array.from([0, 1, 2], (i) => m[3 * i] * z[0] + m[3 * i + 1] * z[1] + m[3 * i + 2] * z[2]);
const symmetric = ([xx, yy, zz, xy, xz, yz]: Float64Array) => Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);

test.each(['tilted in the world', 'upright'])('forces, inertia and derivatives are those of any motion, %s', (how) => {
  const upright = how === 'upright';
  const system = linked([0, 0, 1]);
  const plan = system.flexible![0];
  const n = plan.nodes.length;
  const stream = random(7);
  const number = () => stream.uniformBetween(-1, 1);
  for (let round = 0; round < 5; round++) {
    const short = new FlexibleInertia(plan, system.tree);
    const long = new FlexibleInertia(plan, system.tree);
    short.inPlane!.upright = upright;
    (long as { inPlane: unknown }).inPlane = undefined;
    const y = Float64Array.from({ length: system.nq + system.nv }, (_, k) => (k < system.nq ? 0.03 : 3) * number());
    // turned about z, and the whole plane tilted in the world
    const [a, b] = [3 * number(), upright ? 0 : 3 * number()];
    const [c, s, d, e] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    const rotation = Float64Array.of(c, -s, 0, d * s, d * c, -e, e * s, e * c, d);
    const z = [rotation[2], rotation[5], rotation[8]];
    const [w, alpha] = [5 * number(), 9 * number()];
    const twist = Float64Array.of(w * z[0], w * z[1], w * z[2], number(), number(), number());
    const acceleration = Float64Array.of(alpha * z[0], alpha * z[1], alpha * z[2], number(), number(), number());
    const rates = Float64Array.from({ length: system.nv }, () => 50 * number());
    const found = [short, long].map((flexible) => {
      const centre = new Float64Array(3 * system.tree.count);
      const inertia = new Float64Array(6 * system.tree.count);
      flexible.gravity.set([1, -9, 2]);
      flexible.update(y, system.nq, rotation, twist, centre, inertia);
      flexible.differentiate(rotation, twist, acceleration, rates, 0);
      return { centre: centre.slice(0, 3), spin: times(symmetric(inertia.slice(0, 6)), z) };
    });
    // rounding of some hundred products
    const all = 1e-12;
    expect(plan.node).toBe(0);
    expect(apart(found[0].centre, found[1].centre)).toBeLessThan(all);
    expect(apart(found[0].spin, found[1].spin)).toBeLessThan(all);
    for (const key of ['byRate', 'bias', 'own', 'momentum', 'rowsByEta', 'rowsByQ', 'byAcceleration'] as const)
      expect(apart(short[key], long[key]), key).toBeLessThan(all);
    expect(apart(times(short.gyroscopic, z), times(long.gyroscopic, z))).toBeLessThan(all);
    // of derivatives what lies in the plane: force in it, torque about its normal
    const inPlane = (wrench: Float64Array) =>
      Float64Array.from({ length: 4 * n }, (_, at) => {
        const [k, j] = [6 * (at >> 2), at % 4];
        const along = (i: number) => wrench[k + i] * z[0] + wrench[k + i + 1] * z[1] + wrench[k + i + 2] * z[2];
        return j === 3 ? along(0) : wrench[k + 3 + j] - along(3) * z[j];
      });
    expect(apart(inPlane(short.byEta), inPlane(long.byEta))).toBeLessThan(all);
    expect(apart(inPlane(short.byQ), inPlane(long.byQ))).toBeLessThan(all);
    const turning = (beta: Float64Array) =>
      Float64Array.from({ length: n }, (_, k) => beta[3 * k] * z[0] + beta[3 * k + 1] * z[1] + beta[3 * k + 2] * z[2]);
    expect(apart(turning(short.beta), turning(long.beta))).toBeLessThan(all);
  }
});

test('a part that may leave its plane takes the long way', () => {
  const system = linked([1e-4, 0, 1]);
  expect(new FlexibleInertia(system.flexible![0], system.tree).inPlane).toBeUndefined();
});
