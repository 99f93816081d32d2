import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import { type ConstraintRow, NODE, type System } from '../../assembly/system.js';
import { random } from '../../math/random.js';
import { ScaledLu } from '../../math/scaled-lu.js';
import { add, cross, normalize } from '../../math/vec3.js';
import { massMatrix } from '../analysis.js';
import { MechanicalSystem } from '../mechanical-system.js';

/** Velocity of a world point of a carrier along d, per velocity: by setting one velocity after the other */
function jacobian(
  mechanics: MechanicalSystem,
  y: Float64Array,
  carrier: number,
  point: readonly number[],
  d: readonly number[],
) {
  const { nq, nv, carriers } = mechanics;
  const along = (z: Float64Array): number => {
    mechanics.update(0.2, z);
    const p = carriers.position.subarray(3 * carrier);
    const [wx, wy, wz, vx, vy, vz] = carriers.twist.subarray(6 * carrier, 6 * carrier + 6);
    const [x, yy, z2] = point.map((value, j) => value - p[j]);
    return d[0] * (vx + wy * z2 - wz * yy) + d[1] * (vy + wz * x - wx * z2) + d[2] * (vz + wx * yy - wy * x);
  };
  const still = y.slice().fill(0, nq, nq + nv);
  const base = along(still); // of prescribed motions
  return Float64Array.from({ length: nv }, (_, k) => {
    const z = still.slice();
    z[nq + k] = 1;
    return along(z) - base;
  });
}

/** jᵀ (M⁻¹ with the kept rows holding) j, from the matrix [M Gᵀ; G 0] */
function byMatrix(mechanics: MechanicalSystem, y: Float64Array, j: Float64Array): number {
  const { nv, loops } = mechanics;
  const m = massMatrix(mechanics, 0.2, y);
  const rows = loops.kept;
  const lu = new ScaledLu(nv + rows.length);
  loops.place();
  for (let a = 0; a < nv; a++) for (let b = 0; b < nv; b++) lu.matrix[a * lu.size + b] = m[a * nv + b];
  rows.forEach((row, r) => {
    loops.evaluateRow(row);
    loops.jacobianRow(row);
    for (let k = 0; k < nv; k++)
      lu.matrix[(nv + r) * lu.size + k] = lu.matrix[k * lu.size + nv + r] = loops.jacobian[row * nv + k];
  });
  const x = new Float64Array(lu.size);
  x.set(j);
  expect(lu.factorise()).toBe(true);
  lu.solve(x);
  return j.reduce((sum, value, k) => sum + value * x[k], 0);
}

function check(system: System): void {
  const mechanics = new MechanicalSystem(system);
  const y = system.initial.slice();
  mechanics.prepare(0.2, y);
  checkPose(mechanics, y);
  // Elsewhere, with the rows that were chosen before
  mechanics.displace(y, y, mechanics.nq, 0.1);
  checkPose(mechanics, y);
  expect(mechanics.contactMobility(mechanics.carriers.ground, [1, 2, 3], [0, 0, 1])).toBe(0);
}

function checkPose(mechanics: MechanicalSystem, y: Float64Array): void {
  const draw = random('points');
  const points = Array.from({ length: mechanics.carriers.ground }, () => [draw.inSphere(), draw.unitVector()] as const);
  const expected = points.map(([point, direction], carrier) =>
    byMatrix(mechanics, y, jacobian(mechanics, y, carrier, point, direction)),
  );
  // A couple: ∓ e₂ at two points e₁ apart is a torque about e₁ × e₂
  const frames = points.map(([point, direction]) => {
    const across = normalize(cross(direction, [0.3, -0.5, 0.7]));
    return { point, axis: direction, first: across, second: cross(direction, across) };
  });
  const couples = frames.map(({ point, first, second }, carrier) => {
    const beyond = jacobian(mechanics, y, carrier, add(point, first), second);
    const here = jacobian(mechanics, y, carrier, point, second);
    return byMatrix(
      mechanics,
      y,
      beyond.map((value, k) => value - here[k]),
    );
  });
  mechanics.update(0.2, y);
  frames.forEach(({ axis }, carrier) => {
    expect(Math.abs(mechanics.turningMobility(carrier, axis) - couples[carrier])).toBeLessThan(
      1e-9 * (1 + couples[carrier]),
    );
  });
  points.forEach(([point, direction], carrier) => {
    const mobility = mechanics.contactMobility(carrier, point, direction);
    // Condition of the random mass matrices: 1e3
    expect(Math.abs(mobility - expected[carrier])).toBeLessThan(1e-10 * (1 + expected[carrier]));
    // Asked again, nothing has changed
    expect(mechanics.contactMobility(carrier, point, direction)).toBe(mobility);
  });
}

describe('velocity of a point per impulse', () => {
  test.each([0, 1, 2, 3, 4])('trees and free bodies, seed %i', (seed) =>
    check(randomSystem({ seed, nodes: 7, special: true, freeBodies: 2 })),
  );
  test.each([0, 1, 2])('with loops, seed %i', (seed) => {
    const plain = randomSystem({
      seed,
      nodes: 8,
      kinds: [NODE.revolute, NODE.spherical, NODE.prismatic, NODE.screw],
      freeBodies: 1,
    });
    const draw = random(`rows ${seed}`);
    const anchor = (node: number) => ({ node, position: draw.inSphere(), orientation: [1, 0, 0, 0] as const });
    const rows: ConstraintRow[] = [
      { kind: 'point', a: anchor(2), b: anchor(7), direction: draw.unitVector(), offset: 0 },
      { kind: 'point', a: anchor(-1), b: anchor(5), direction: draw.unitVector(), offset: 0 },
    ];
    check({ ...plain, constraints: [{ name: 'constraints.loop', rows, activeAtStart: true }] });
  });
  test('a uniform rod struck at its end: 4/m', () => {
    const plain = randomSystem({ seed: 1, nodes: 0, freeBodies: 1 });
    plain.free.mass[0] = 2;
    plain.free.inertia.set([0, 2 / 12, 2 / 12]);
    const mechanics = new MechanicalSystem(plain);
    mechanics.update(0, plain.initial);
    const { position: p, rotation: r } = mechanics.carriers;
    const end = [0, 1, 2].map((j) => p[j] + 0.5 * r[3 * j]);
    expect(mechanics.contactMobility(0, end, [r[1], r[4], r[7]])).toBeCloseTo(4 / 2, 12);
  });
});
