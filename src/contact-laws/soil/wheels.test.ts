import { describe, expect, test } from 'vitest';
import { soil, soilInGravity } from '../../model/soil.js';
import { SOILS, type SoilName } from '../../model/soil-library.js';
import { bekkerForces, bekkerSinkage } from './bekker-wheel.js';
import { bekkerWheel, wongReeceWheel } from './closed-form-wheels.js';
import { platePressure, plateSinkage, sinkageModulus } from './pressure-sinkage.js';
import { GAUSS_POINTS, GAUSS_WEIGHTS } from './quadrature.js';
import { rheologicalWheel } from './rheological.js';
import { motionOfSlip, wongReeceForces, wongReeceSinkage } from './wong-reece.js';

const within = (value: number, reference: number, part: number): void =>
  expect(Math.abs(value / reference - 1), `${value} against ${reference}`).toBeLessThan(part);

describe('plate', () => {
  // z = [p/(kc/b + kphi)]^(1/n); mm, for 0.2 × 0.1 m at 200 and 1000 N, 0.3 × 0.3 m at 2000 N, a disc of radius 5 cm at 100 N
  test.each<[SoilName, number, number, number, number]>([
    ['lete-sand', 0.2938, 2.2363, 0.9284, 0.33],
    ['dry-sand-lll', 10.2748, 44.3813, 21.3173, 12.7237],
    ['moon-nominal', 11.9904, 59.952, 26.9469, 15.0146],
    ['clayey-38', 0.1473, 3.6816, 0.9113, 0.1774],
  ])('%s', (name, ...expected) => {
    const s = SOILS[name];
    const computed = [
      plateSinkage(s, 0.1, 200 / 0.02),
      plateSinkage(s, 0.1, 1000 / 0.02),
      plateSinkage(s, 0.3, 2000 / 0.09),
      plateSinkage(s, 0.05, 100 / (Math.PI * 0.05 ** 2)),
    ];
    expected.forEach((z, i) => {
      within(1e3 * computed[i], z, 3e-4); // four digits were printed
    });
  });
  // p = k zⁿ, and a plate's own weight falls with g: z ~ (g/g^a)^(1/n), here with n = 1
  test('the same plate sinks less on the Moon, by √(g/9.81) if moduli follow gravity by half', () => {
    const s = SOILS['sand-azimi'];
    const lunar = soilInGravity({ ...s, n: 1 }, 1.62);
    const [here, there] = [plateSinkage({ ...s, n: 1 }, 0.1, 1e4), plateSinkage(lunar, 0.1, (1e4 * 1.62) / 9.81)];
    within(there / here, Math.sqrt(1.62 / 9.81), 1e-12);
    expect(soilInGravity(s, 1.62, 0).kphi).toBe(s.kphi);
    expect(() => soilInGravity(s, 0)).toThrow('expected more than 0 m/s²');
  });
  test('pressure and sinkage are each other’s inverse', () => {
    for (const s of Object.values(SOILS)) within(platePressure(s, 0.15, plateSinkage(s, 0.15, 5000)), 5000, 1e-12);
  });
  test('a modulus that is not positive is named', () => {
    expect(() => sinkageModulus(SOILS.grc1, 0.05)).toThrow(/kc\/b \+ kphi = -202000\/0.05 \+ 2990000 = -1050000/);
  });
  test('a soil without cohesion is told the unit', () => {
    expect(() =>
      soil({ kc: 0, kphi: 1e6, n: 1, frictionAngle: 0.5, shearLength: 0.01, density: 1500 } as never),
    ).toThrow('soil.cohesion: expected a cohesion in Pa, got nothing');
  });
});

test('Gauss points integrate x²³', () => {
  expect(GAUSS_POINTS.reduce((sum, x, i) => sum + GAUSS_WEIGHTS[i] * x ** 23, 0)).toBeCloseTo(1 / 24, 15);
});

describe('Bekker wheel', () => {
  test('the load at the sinkage of a load is that load', () => {
    const size = { radius: 0.25, width: 0.2 };
    for (const s of Object.values(SOILS).filter(({ n }) => n < 2)) {
      const z = bekkerSinkage(s, size, 100);
      within(bekkerForces(s, size, z, 0.2, 9.81).load, 100, 1e-12);
    }
  });
  test('shallow wheels carry what the integral without shear carries, n = 1: exact parabola', () => {
    const size = { radius: 0.5, width: 0.2 };
    const frictionless = { ...SOILS['moon-nominal'], cohesion: 0, frictionAngle: 0 };
    within(
      bekkerForces(frictionless, size, 1e-4, 0, 9.81).load,
      wongReeceForces(frictionless, size, 1e-4, motionOfSlip(0.2)).load,
      1e-3,
    );
  });
});

// Independent quadrature to 1e-10 (scipy) of the same equations, exit at 0, shear of a wheel point: θ₁ deg, z mm, H, R, DP N, T N m
describe('closed-form wheels in motion', () => {
  // However a wheel turns and moves, the soil takes work from it: F v − T ω ≤ 0. A wheel that turned back as it was pushed on once found thrust ahead, and one left standing spun up to 51 rad/s
  test.each([
    ['wong-reece, points of the wheel', wongReeceWheel(SOILS['moon-nominal'], { radius: 0.12, width: 0.1 }, 9.81)],
    [
      'wong-reece, points of the soil',
      wongReeceWheel(SOILS['moon-nominal'], { radius: 0.12, width: 0.1, shear: 'soil' }, 9.81),
    ],
    ['bekker', bekkerWheel(SOILS['moon-nominal'], { radius: 0.12, width: 0.1 }, 9.81)],
  ])('%s: soil gives no work', (_name, law) => {
    const loads = { load: 0, along: 0, across: 0, drive: 0, roll: 0 };
    for (const forward of [-0.5, -0.01, -1e-4, 0, 1e-4, 0.01, 0.5])
      for (const rim of [-0.5, -0.011, -1e-4, 0, 1e-4, 0.011, 0.5]) {
        const motion = { sinkage: 0.02, sinking: 0, forward, sideways: 0, rim, uphill: 0 };
        law.evaluate(motion, new Float64Array(0), new Float64Array(0), loads);
        expect(loads.along * forward - (loads.drive * rim) / 0.12, `${forward}, ${rim} m/s`).toBeLessThanOrEqual(1e-12);
        if (forward * rim < 0) expect(Math.sign(loads.drive)).toBe(Math.sign(rim - forward));
      }
  });

  // Forces are those of some 100 N that come in over 1 mm/s, 1e-4 N for 1e-9 m/s; where a wheel begins to be braked the zone of new shear grows like a root of the slip, 0.03 N. Nothing jumps. Side pressure, the arc ahead or behind and the load of shear jumped by up to 40 N,
  // points of the quadrature at which a braked wheel's shear starts anew by 1 N, and error control took 100 000 steps for a wheel that comes to rest.
  const size = { radius: 0.12, width: 0.1, shear: 'soil' } as const;
  test.each([
    ['wong-reece', wongReeceWheel(SOILS['moon-nominal'], size, 9.81)],
    ['bekker', bekkerWheel(SOILS['moon-nominal'], size, 9.81)],
    ['rheological', rheologicalWheel(SOILS['moon-nominal'], size, 9.81)],
  ])('%s: nothing jumps where a speed passes 0, or another', (_name, law) => {
    const of = (forward: number, rim: number, sideways: number): number[] => {
      const loads = { load: 0, along: 0, across: 0, drive: 0, roll: 0 };
      const motion = { sinkage: 0.02, sinking: 0, forward, sideways, rim, uphill: 0 };
      law.evaluate(motion, new Float64Array(4), new Float64Array(4), loads);
      return Object.values(loads);
    };
    let worst = 0;
    const [speeds, h] = [[-0.3, -0.05, -1e-3, 0, 1e-3, 0.05, 0.3], 1e-9];
    const look = (before: number[], after: number[]): void =>
      before.forEach((force, k) => {
        worst = Math.max(worst, Math.abs(after[k] - force));
      });
    for (const a of speeds)
      for (const b of speeds)
        for (const at of [0, a, -a, b, -b, ...speeds]) {
          look(of(at - h / 2, a, b), of(at + h / 2, a, b));
          look(of(a, at - h / 2, b), of(a, at + h / 2, b));
          look(of(a, b, at - h / 2), of(a, b, at + h / 2));
        }
    // Slip where shear starts anew: over all the arc
    for (let rim = 0.2; rim < 0.32; rim += 1e-3) look(of(0.3, rim, 0), of(0.3, rim + h, 0));
    expect(worst).toBeLessThan(0.05);
  });
});

describe('Wong & Reece', () => {
  const wide = { radius: 0.62738, width: 0.1524, a0: 0.43, a1: 0.32 };
  const cases: [string, SoilName, Parameters<typeof wongReeceForces>[1], number, number, number[]][] = [
    ['compact', 'wr67-compact', wide, 8923.13, 0, [123.869, 2316.88, 2665.72, -348.84, 1526.47]],
    ['compact', 'wr67-compact', wide, 8923.13, 0.1, [122.707, 3273.29, 2599.53, 673.76, 2154.16]],
    ['compact', 'wr67-compact', wide, 8923.13, 0.221, [123.318, 3869.49, 2576.98, 1292.51, 2553.46]],
    ['compact', 'wr67-compact', wide, 8923.13, 0.4, [126.727, 4264.32, 2604.85, 1659.46, 2831.05]],
    ['compact', 'wr67-compact', wide, 8923.13, 0.8, [142.809, 4480.9, 2809.26, 1671.64, 3029.43]],
    [
      'loose, 12 in',
      'wr67-loose',
      { radius: 0.62738, width: 0.3048, a0: 0.18, a1: 0.32 },
      9274.54,
      0.221,
      [201.687, 4365.16, 2823.54, 1541.62, 2937.06],
    ],
    [
      'loose, 12 in',
      'wr67-loose',
      { radius: 0.62738, width: 0.3048, a0: 0.18, a1: 0.32 },
      9274.54,
      0.6,
      [217.166, 4488.39, 3095.72, 1392.67, 3083.53],
    ],
    [
      'Juno',
      'sand-azimi',
      { radius: 0.15, width: 0.1, a0: 0.18, a1: 0.32 },
      165,
      0.1,
      [31.593, 50.333, 44.588, 5.745, 7.8675],
    ],
    [
      'Juno',
      'sand-azimi',
      { radius: 0.15, width: 0.1, a0: 0.18, a1: 0.32 },
      165,
      0.2,
      [31.703, 60.187, 44.564, 15.623, 9.4228],
    ],
    [
      'Juno',
      'sand-azimi',
      { radius: 0.15, width: 0.1, a0: 0.18, a1: 0.32 },
      165,
      0.6,
      [33.424, 74.459, 46.91, 27.549, 11.7966],
    ],
    [
      'FJS-1',
      'moon-ishigami',
      { radius: 0.09, width: 0.11, a0: 0.4, a1: 0.15 },
      64.68,
      0.2,
      [23.734, 13.374, 22.487, -9.113, 1.2758],
    ],
    [
      'FJS-1',
      'moon-ishigami',
      { radius: 0.09, width: 0.11, a0: 0.4, a1: 0.15 },
      64.68,
      0.8,
      [24.928, 25.273, 22.749, 2.525, 2.4345],
    ],
    [
      'LETE',
      'lete-sand',
      { radius: 0.25, width: 0.2, a0: 0.18, a1: 0.32 },
      1000,
      0.05,
      [7.839, 106.444, 107.197, -0.753, 26.748],
    ],
    [
      'LETE',
      'lete-sand',
      { radius: 0.25, width: 0.2, a0: 0.18, a1: 0.32 },
      1000,
      0.2,
      [7.942, 270.781, 108.723, 162.058, 68.074],
    ],
    [
      'LETE',
      'lete-sand',
      { radius: 0.25, width: 0.2, a0: 0.18, a1: 0.32 },
      1000,
      0.6,
      [8.452, 454.63, 116.64, 337.991, 114.507],
    ],
  ];
  test.each(cases)('%s %s %j, %f N at slip %f', (_, name, wheel, load, slip, [z, thrust, resistance, pull, torque]) => {
    const motion = motionOfSlip(slip);
    const sinkage = wongReeceSinkage(SOILS[name], wheel, load, motion);
    const forces = wongReeceForces(SOILS[name], wheel, sinkage, motion);
    within(1e3 * sinkage, z, 1e-3);
    within(forces.thrust, thrust, 1e-3);
    within(forces.resistance, resistance, 1e-3);
    within(forces.torque, torque, 1e-3);
    // A difference of two forces known to 0.1 % each
    expect(Math.abs(forces.drawbarPull - pull)).toBeLessThan(1e-3 * Math.max(thrust, Math.abs(pull)));
  });

  // A grid of soil sees the displacement of soil points; sand-azimi, r 0.15, b 0.1, z 20 mm: load, drawbar pull, torque
  test.each([
    [0.05, 99.251, -1.547, 2.8156],
    [0.2, 102.311, 16.028, 5.5098],
    [0.6, 106.985, 34.908, 8.4514],
    [0.8, 107.807, 36.808, 8.7627],
  ])('shear of soil points at slip %f', (slip, load, pull, torque) => {
    const forces = wongReeceForces(
      SOILS['sand-azimi'],
      { radius: 0.15, width: 0.1, shear: 'soil' },
      0.02,
      motionOfSlip(slip),
    );
    within(forces.load, load, 1e-3);
    expect(Math.abs(forces.drawbarPull - pull)).toBeLessThan(0.02);
    within(forces.torque, torque, 1e-3);
  });

  test('a braked wheel is held back, the more the less it turns; a locked one drags', () => {
    const wheel = { radius: 0.15, width: 0.1, shear: 'soil' } as const;
    const pulls = [0, -0.2, -0.5, -1].map(
      (slip) => wongReeceForces(SOILS['sand-azimi'], wheel, 0.02, motionOfSlip(slip)).drawbarPull,
    );
    for (let i = 1; i < 4; i++) expect(pulls[i]).toBeLessThan(pulls[i - 1]);
    expect(wongReeceForces(SOILS['sand-azimi'], wheel, 0.02, motionOfSlip(-1)).torque).toBeLessThan(0);
  });

  // An independent sum over 200 000 strips; at slip −0.03 shear starts anew at 14° of 30
  test.each(['wheel', 'soil'] as const)('zones of shear under a braked wheel, of points of the %s', (shear) => {
    const { kphi = 0, n, cohesion, frictionAngle, shearLength: K } = SOILS['sand-azimi'];
    const [r, b, kappa, z] = [0.15, 0.1, 1 / 0.97, 0.02];
    const [entry, turn] = [Math.acos(1 - z / r), Math.acos(1 / kappa)];
    const j = (t: number): number =>
      shear === 'wheel'
        ? r * (entry - t - kappa * (Math.sin(entry) - Math.sin(t)))
        : r * ((Math.sin(entry) - Math.sin(t)) / kappa - (entry - t) / 2 - (Math.sin(2 * entry) - Math.sin(2 * t)) / 4);
    let [load, pull, torque] = [0, 0, 0];
    const [strips, d] = [2e5, entry / 2e5];
    for (let k = 0; k < strips; k++) {
      const t = (k + 0.5) * d;
      const sigma = kphi * (r * (Math.cos(t) - Math.cos(entry))) ** n;
      const x = j(t) - (t < turn ? j(turn) : 0);
      const tau = Math.sign(x) * (cohesion + sigma * Math.tan(frictionAngle)) * (1 - Math.exp(-Math.abs(x) / K));
      load += b * r * d * (sigma * Math.cos(t) + tau * Math.sin(t));
      pull += b * r * d * (tau * Math.cos(t) - sigma * Math.sin(t));
      torque += b * r * r * d * tau;
    }
    const forces = wongReeceForces(SOILS['sand-azimi'], { radius: r, width: b, shear }, z, motionOfSlip(-0.03));
    within(forces.load, load, 1e-5);
    within(forces.drawbarPull, pull, 1e-4);
    expect(Math.abs(forces.torque - torque)).toBeLessThan(1e-4 * r * load);
  });

  test('sliding sideways is resisted, and takes from the thrust: one limit for both', () => {
    const wheel = { radius: 0.15, width: 0.1 };
    const straight = wongReeceForces(SOILS['sand-azimi'], wheel, 0.02, motionOfSlip(0.3));
    const askew = wongReeceForces(SOILS['sand-azimi'], wheel, 0.02, motionOfSlip(0.3, 1, 0.5));
    expect(askew.side).toBeLessThan(0);
    expect(askew.thrust).toBeLessThan(straight.thrust);
    const other = wongReeceForces(SOILS['sand-azimi'], wheel, 0.02, motionOfSlip(0.3, 1, -0.5));
    expect(other.side).toBeCloseTo(-askew.side, 10);
  });
});
