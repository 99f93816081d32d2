import { describe, expect, test } from 'vitest';
import { multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, distance, type Vec3 } from '../math/vec3.js';
import type { BodyOptions } from './body.js';
import { type CoilSpringOptions, coilSpring } from './coil-spring.js';
import { model } from './model.js';

const material = { density: 7850, youngsModulus: 2.6 * 81.5e9, poissonRatio: 0.3 };
const plain: CoilSpringOptions = {
  wireDiameter: 2e-3,
  meanDiameter: 20e-3,
  activeCoils: 6,
  freeLength: 50e-3,
  material,
  segmentsPerCoil: 12,
};

/** Where a frame of a body is drawn */
function placeOf(one: BodyOptions, frame: string): { position: Vec3; orientation: Quaternion } {
  const own = one.frames![frame] as { position: Vec3; orientation: Quaternion };
  const orientation = (one.orientation ?? [1, 0, 0, 0]) as Quaternion;
  return {
    position: add(one.position!, rotate(orientation, own.position)),
    orientation: multiply(orientation, own.orientation),
  };
}

describe('figures of springs', () => {
  // d, D in mm, n → rate in N/m, active mass in g, f₁ in Hz: G d⁴/(8 D³ n), ρ π² d² D n/4, d/(2π n D²) √(G/2ρ); 7 digits of another program
  test.each([
    [2, 20, 6, 3395.8333, 9.2972, 302.1815],
    [2.5, 20, 6, 8290.6087, 14.5268, 377.7269],
    [3, 25, 5.5, 9602.1818, 23.9693, 316.4664],
  ])('d = %f, D = %f, n = %f', (d, D, n, rate, grams, hertz) => {
    const { figures } = coilSpring({
      ...plain,
      wireDiameter: d * 1e-3,
      meanDiameter: D * 1e-3,
      activeCoils: n,
      freeLength: 0.08,
    });
    expect(figures.rate).toBeCloseTo(rate, 3);
    expect(1e3 * figures.activeMass).toBeCloseTo(grams, 3);
    expect(figures.surgeFrequency).toBeCloseTo(hertz, 3);
    expect(figures.blockLength).toBeCloseTo((n + 2) * d * 1e-3, 12);
  });

  test('the helical rod: pitch and shear as Castigliano has them', () => {
    const { figures } = coilSpring(plain);
    // c_FF = L (R² cos²α/GJ + R² sin²α/EI + cos²α/κGA + sin²α/EA) against 64 R³ n/(G d⁴), E = 2.6 G, J = 2I:
    // 1/cos α (cos²α + sin²α/1.3 + (d/D)²/2 (cos²α/κ + sin²α/2.6))
    const tan = 46e-3 / 6 / (Math.PI * 20e-3);
    const cos2 = 1 / (1 + tan ** 2);
    const kappa = 7.8 / 8.8;
    const softer = (cos2 + (1 - cos2) / 1.3 + 0.5 * 0.01 * (cos2 / kappa + (1 - cos2) / 2.6)) / Math.sqrt(cos2);
    expect(figures.rate / figures.rateFree).toBeCloseTo(softer, 10);
    // Guided ends make it stiffer, the less the more coils there are
    const guiding = (n: number) => {
      const { rateGuided, rateFree } = coilSpring({
        ...plain,
        activeCoils: n,
        freeLength: 4e-3 + (n * 46e-3) / 6,
      }).figures;
      return rateGuided / rateFree - 1;
    };
    expect(guiding(6)).toBeGreaterThan(0);
    expect(guiding(12)).toBeLessThan(guiding(6));
  });
});

describe('bodies and forces', () => {
  const spring = coilSpring(plain);
  const wire = spring.bodies.spring as readonly BodyOptions[];
  const base = spring.bodies.springBase as BodyOptions;
  const top = spring.bodies.springTop as BodyOptions;

  test('frames meet at every joint, on the helix', () => {
    expect(wire.length).toBe(72);
    expect(spring.forces.springWire.length).toBe(73);
    const meets = (a: ReturnType<typeof placeOf>, b: ReturnType<typeof placeOf>) => {
      expect(distance(a.position, b.position)).toBeLessThan(1e-16);
      const dot = a.orientation.reduce((sum, x, i) => sum + x * b.orientation[i], 0);
      expect(Math.abs(dot)).toBeCloseTo(1, 12);
      expect(Math.sqrt(a.position[0] ** 2 + a.position[1] ** 2)).toBeCloseTo(10e-3, 14);
    };
    meets(placeOf(base, 'wire'), placeOf(wire[0], 'start'));
    for (let i = 0; i + 1 < wire.length; i++) meets(placeOf(wire[i], 'end'), placeOf(wire[i + 1], 'start'));
    meets(placeOf(wire[71], 'end'), placeOf(top, 'wire'));
    expect(placeOf(wire[0], 'start').position[2]).toBeCloseTo(2e-3, 15);
    expect(placeOf(top, 'wire').position[2]).toBeCloseTo(48e-3, 15);
    // x of the joint's axes is the tangent
    const { position, orientation } = placeOf(wire[5], 'end');
    const along = rotate(orientation, [1, 0, 0]);
    const { pitchAngle } = spring.figures;
    expect(along[2]).toBeCloseTo(Math.sin(pitchAngle), 12);
    expect(along[0] * position[0] + along[1] * position[1]).toBeCloseTo(0, 15);
  });

  test('wire has the stiffness of a beam as long as a segment, half as long at the ends', () => {
    const l = (Math.PI * 20e-3) / 12 / Math.cos(spring.figures.pitchAngle);
    const G = 81.5e9;
    const [I, A, kappa] = [(Math.PI * 16e-12) / 64, Math.PI * 1e-6, 7.8 / 8.8];
    const { stiffness, damping } = spring.forces.springWire[7];
    [
      (2.6 * G * A) / l,
      (kappa * G * A) / l,
      (kappa * G * A) / l,
      (2 * G * I) / l,
      (2.6 * G * I) / l,
      (2.6 * G * I) / l,
    ].forEach((k, i) => {
      expect(stiffness[i] / k).toBeCloseTo(1, 12);
      // ζ = 1 % at f₁
      expect(damping![i] / k).toBeCloseTo(0.02 / (2 * Math.PI * spring.figures.surgeFrequency), 15);
      expect(spring.forces.springWire[0].stiffness[i] / k).toBeCloseTo(2, 12);
    });
  });

  test('masses are those of the wire', () => {
    const active = wire.reduce((sum, { mass }) => sum + mass!, 0);
    expect(active).toBeCloseTo(spring.figures.activeMass / Math.cos(spring.figures.pitchAngle), 12);
    // a dead coil less what is ground away: more than half of a whole one, less than all of it
    const whole = spring.figures.activeMass / 6;
    expect(base.mass!).toBeGreaterThan(0.5 * whole);
    expect(base.mass!).toBeLessThan(whole);
    expect(spring.figures.mass).toBeCloseTo(active + 2 * base.mass!, 12);
  });

  test('the ends lie flat on planes at 0 and at the free length', () => {
    for (const [one, at, up] of [
      [base, 0, 1],
      [top, 50e-3, -1],
    ] as const) {
      const orientation = (one.orientation ?? [1, 0, 0, 0]) as Quaternion;
      let lowest = Number.POSITIVE_INFINITY;
      for (const { mesh } of one.shape as readonly { mesh: { vertices: Float64Array } }[])
        for (let k = 0; k < mesh.vertices.length; k += 3) {
          const [x, y, z] = [mesh.vertices[k], mesh.vertices[k + 1], mesh.vertices[k + 2]];
          lowest = Math.min(lowest, up * (add(one.position!, rotate(orientation, [x, y, z]))[2] - at));
        }
      expect(lowest).toBeCloseTo(0, 12);
    }
  });

  test('neighbours are kept apart, coils are not', () => {
    const pairs = new Set(spring.exclude.map((pair) => pair.join(' ')));
    expect(pairs.has('springBase spring[0]')).toBe(true);
    expect(pairs.has('spring[4] spring[5]')).toBe(true);
    expect(pairs.has('spring[71] springTop')).toBe(true);
    expect(pairs.has('spring[4] spring[17]')).toBe(true);
    expect(pairs.has('spring[4] spring[16]')).toBe(false);
    expect(pairs.has('springBase spring[5]')).toBe(false);
  });

  test('a left-handed spring is the mirror image, elsewhere and by another name', () => {
    const left = coilSpring({ ...plain, hand: 'left', name: 'valve', position: [1, 0, 0] });
    const segments = left.bodies.valve as readonly BodyOptions[];
    segments.forEach(({ position }, i) => {
      expect(position![0] - 1).toBeCloseTo(wire[i].position![0], 14);
      expect(position![1]).toBeCloseTo(-wire[i].position![1], 14);
      expect(position![2]).toBeCloseTo(wire[i].position![2], 14);
    });
    const checked = model({ bodies: left.bodies, forces: left.forces, contacts: { exclude: left.exclude } });
    expect(checked.bodies.has('valveTop')).toBe(true);
    expect(checked.forces.has('valveWire[72]')).toBe(true);
  });
});

test.each([
  [{ wireDiameter: Number.NaN }, /coilSpring\.wireDiameter: expected a length > 0 m/],
  [
    { meanDiameter: 3e-3 },
    /coilSpring\.meanDiameter: expected more than twice the wire's diameter, 0\.004 m, got 0\.003/,
  ],
  [
    { freeLength: 16e-3 },
    /coilSpring\.freeLength: expected more than the block length \(n \+ 2\) d = 0\.016 m, got 0\.016/,
  ],
  [{ activeCoils: 6.3 }, /coilSpring\.activeCoils: expected a whole number of segments, a multiple of 1\/12, got 6\.3/],
  [{ segmentsPerCoil: 4 }, /coilSpring\.segmentsPerCoil: expected a whole number from 8 on, got 4/],
  [{ material: { density: 7850 } }, /coilSpring\.material\.youngsModulus: expected Young's modulus in Pa/],
  [{ dampingRatio: -1 }, /coilSpring\.dampingRatio/],
])('refuses %o', (wrong, message) => {
  expect(() => coilSpring({ ...plain, ...wrong })).toThrow(message);
});
