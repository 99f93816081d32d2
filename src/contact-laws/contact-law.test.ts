import { describe, expect, test } from 'vitest';
import { random } from '../math/random.js';
import { BY, ContactForces, type ContactLaw, type ContactMeasures } from './contact-law.js';
import { OPEN, SLIP, STICK } from './friction/bristle.js';
import { stribeckCurve } from './friction/stribeck.js';
import { tanhCurve } from './friction/tanh-curve.js';
import { powerLaw } from './normal/normal-law.js';
import { PatchContour } from './torsion/patch-contour.js';

const normal = powerLaw({ stiffness: 1e6, exponent: 1, effectiveMass: 1, dampingFactor: 0.5, floorSpeed: 0.01 });
const bristle = { kind: 'bristle', stiffness: 8e5, damping: 900 } as const;
const curve = stribeckCurve({ staticFriction: 0.6, kineticFriction: 0.4, stribeckSpeed: 0.05, viscous: 0.2 });
const laws: readonly (readonly [string, ContactLaw])[] = [
  ['bristle, constant µ', { normal, friction: { ...bristle, coefficient: 0.5 } }],
  ['bristle, Stribeck', { normal, friction: { ...bristle, coefficient: curve } }],
  ['curve', { normal, friction: { kind: 'curve', curve: tanhCurve(0.5, 0.02) } }],
  ['curve with a cap', { normal, friction: { kind: 'curve', curve: tanhCurve(0.5, 0.02), cap: 20 } }],
  ['none', { normal, friction: { kind: 'none' } }],
];
const patches = [0, 1, 2].map((kind) => {
  const patch = new PatchContour();
  if (kind === 1) patch.setDisc(0.02);
  if (kind === 2) patch.setEllipse(4e-4, 1e-4, 2e-4);
  return patch;
});

describe.each(laws)('%s', (name, law) => {
  test('derivatives of wrench and rates by differences, for points and patches', () => {
    const draw = random(`contact law ${name}`);
    const forces = new ContactForces();
    const other = new ContactForces();
    const errors: number[] = [];
    for (let n = 0; n < 150; n++) {
      const patch = patches[n % 3];
      const at: ContactMeasures = {
        depth: draw.uniformBetween(1e-5, 1e-4),
        approachSpeed: 0.01 * draw.normal(),
        volume: 0,
        area: 0,
        slip1: 0.03 * draw.normal(),
        slip2: 0.03 * draw.normal(),
        spin: draw.normal(),
      };
      const z = Float64Array.from([0, 0, 0, 0], () => 2e-5 * draw.normal());
      forces.evaluate(law, patch, at, z, 1);
      expect(forces.frictionLoss).toBeGreaterThanOrEqual(-1e-12);
      const columns: readonly (readonly [keyof typeof BY, number, number])[] = [
        ['slip1', 1e-8, 1e3],
        ['slip2', 1e-8, 1e3],
        ['spin', 1e-7, 20],
        ['z1', 1e-11, 1e6],
        ['z2', 1e-11, 1e6],
        ['psi', 1e-11, 1e6],
      ];
      for (const [key, h, size] of columns) {
        const values: number[][] = [];
        const regimes: number[] = [];
        for (const sign of [1, -1]) {
          const moved = { ...at };
          const state = Float64Array.from(z);
          if (key === 'slip1' || key === 'slip2' || key === 'spin') moved[key] += sign * h;
          else state[key === 'z1' ? 1 : key === 'z2' ? 2 : 3] += sign * h;
          other.evaluate(law, patch, moved, state, 1);
          values.push([...other.friction, ...other.rates]);
          regimes.push(other.regime);
        }
        if (regimes[0] !== regimes[1]) continue;
        for (let i = 0; i < 6; i++) {
          const scale = (i < 3 ? 1 : 1 / 900) * size * (i === 2 ? 0.02 : 1);
          const difference = (values[0][i] - values[1][i]) / (2 * h);
          errors.push(Math.abs(difference - forces.derivatives[7 * i + BY[key]]) / scale);
        }
      }
      // by the normal force, through the depth
      const h = 1e-10;
      const pair = [h, -h].map((step) => {
        other.evaluate(law, patch, { ...at, depth: at.depth + step }, z, 1);
        return [other.normal.force, ...other.friction, ...other.rates];
      });
      const byNormal = (i: number) => (pair[0][i] - pair[1][i]) / (pair[0][0] - pair[1][0]);
      for (let i = 0; i < 6; i++)
        errors.push(Math.abs(byNormal(i + 1) - forces.derivatives[7 * i + BY.normalForce]) * (i < 3 ? 1 : 900));
    }
    errors.sort((a, b) => a - b);
    // all but kinks: stick to slip, and contour nodes at the pole
    expect(errors[Math.floor(0.98 * errors.length)]).toBeLessThan(2e-5);
  });

  test('nothing without contact', () => {
    const forces = new ContactForces();
    const apart: ContactMeasures = { depth: -1e-3, approachSpeed: 1, volume: 0, area: 0, slip1: 1, slip2: 0, spin: 3 };
    forces.evaluate(law, patches[1], apart, new Float64Array(3), 0);
    expect(forces.normal.force).toBe(0);
    expect([...forces.friction].map(Math.abs)).toEqual([0, 0, 0]);
    expect(forces.regime).toBe(OPEN);
  });
});

describe('bristle in contact', () => {
  const [, law] = laws[0];
  const resting: ContactMeasures = { depth: 1e-5, approachSpeed: 0, volume: 0, area: 0, slip1: 0, slip2: 0, spin: 0 };
  test('holds a load below the limit, gives the limit above', () => {
    const forces = new ContactForces();
    forces.evaluate(law, patches[0], resting, Float64Array.of(4e-6, 0, 0), 0); // 3.2 N of 5 N
    expect(forces.regime).toBe(STICK);
    expect(forces.friction[0]).toBeCloseTo(-3.2, 12);
    expect([...forces.rates]).toEqual([0, 0, expect.closeTo(0)]);
    expect(forces.bristleEnergy).toBeCloseTo(0.5 * 8e5 * 16e-12, 18);
    forces.evaluate(law, patches[0], { ...resting, slip1: 0.1 }, Float64Array.of(5e-6, 0, 0), 0);
    expect(forces.regime).toBe(SLIP);
    expect(forces.friction[0]).toBeCloseTo(-5, 12);
  });
  test('swapping the bodies turns the wrench round, to the bit', () => {
    const draw = random('swap');
    const a = new ContactForces();
    const b = new ContactForces();
    for (let n = 0; n < 100; n++) {
      const at = { ...resting, slip1: 0.02 * draw.normal(), slip2: 0.02 * draw.normal(), spin: draw.normal() };
      const z = Float64Array.from([0, 0, 0], () => 5e-6 * draw.normal());
      a.evaluate(law, patches[2], at, z, 0);
      b.evaluate(
        law,
        patches[2],
        { ...at, slip1: -at.slip1, slip2: -at.slip2, spin: -at.spin },
        z.map((x) => -x),
        0,
      );
      for (let i = 0; i < 3; i++) expect(b.friction[i]).toBe(-a.friction[i]);
    }
  });
});
