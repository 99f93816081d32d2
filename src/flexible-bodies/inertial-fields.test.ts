// Fields of inertia against −M A of one acceleration by cross products: A = a + α × X + ω × (ω × X) + Σ (φ η' + 2 ω × φ η). Without a residual to solve
// each field is −M of its own part, so that their sum with the amounts in the documented order is that of the whole.
import { expect, test } from 'vitest';
import { random } from '../math/random.js';
import { add, cross, scale, type Vec3 } from '../math/vec3.js';
import type { ElasticPart } from './fem/elastic-part.js';
import { PlanePart } from './fem/plane-part.js';
import { SolidPart } from './fem/solid-part.js';
import { inertialFields } from './inertial-fields.js';
import { extrudeMesh } from './mesh/extruded-mesh.js';
import { stripMesh } from './mesh/strip.js';

const material = { youngsModulus: 1e9, poissonRatio: 0.3, density: 1200 };
const strip = stripMesh([-0.1, -0.03], [0.3, 0.05], 4, 2);

test.each<[string, ElasticPart]>([
  ['in the plane', new PlanePart(strip, { ...material, thickness: 0.02 })],
  ['in space', new SolidPart(extrudeMesh(strip, 0.04, 1), material)],
])('%s', (_, part) => {
  const { dimension: d, size, mesh } = part;
  const draw = random(3);
  const any = (): number => draw.uniformBetween(-1, 1);
  const shapes = [0, 1].map(() => Float64Array.from({ length: size }, any));
  const origin: Vec3 = [0.02, -0.01, d === 3 ? 0.005 : 0];
  const space = (of: () => number): Vec3 => (d === 3 ? [of(), of(), of()] : [0, 0, of()]);
  const a: Vec3 = [any(), any(), d === 3 ? any() : 0];
  const [alpha, omega] = [space(any), space(any)];
  const [rates, speeds] = [
    [any(), any()],
    [any(), any()],
  ]; // η', η
  const [x, y, z] = omega;
  const amounts =
    d === 2
      ? [a[0], a[1], alpha[2], z * z, ...rates, ...speeds.map((eta) => 2 * z * eta)]
      : [
          ...a,
          ...alpha,
          ...[x * x, y * y, z * z, x * y, y * z, z * x],
          ...rates,
          ...speeds.flatMap((eta) => omega.map((w) => 2 * w * eta)),
        ];
  const { shapes: fields, count } = inertialFields(part, shapes, () => {}, origin);
  expect(count).toBe(amounts.length);
  const sum = new Float64Array(size);
  fields.forEach((field, k) => {
    for (let i = 0; i < size; i++) sum[i] += amounts[k] * field[i];
  });

  const at = (values: ArrayLike<number>, i: number): Vec3 => [
    values[d * i],
    values[d * i + 1],
    d === 3 ? values[3 * i + 2] : 0,
  ];
  const whole = new Float64Array(size);
  for (let i = 0; i < mesh.nodeCount; i++) {
    const place = add(at(mesh.points, i), scale(-1, origin));
    let own = add(a, add(cross(alpha, place), cross(omega, cross(omega, place))));
    shapes.forEach((shape, k) => {
      own = add(own, add(scale(rates[k], at(shape, i)), cross(omega, scale(2 * speeds[k], at(shape, i)))));
    });
    for (let k = 0; k < d; k++) whole[d * i + k] = -own[k];
  }
  const force = new Float64Array(size);
  part.applyMass(whole, force);
  const most = force.reduce((largest, f) => Math.max(largest, Math.abs(f)), 0);
  // rounding
  for (let i = 0; i < size; i++) expect(Math.abs(sum[i] - force[i])).toBeLessThan(1e-13 * most);
});
