/** Claims about the laws of balls in beds: impacts at 40 steps, a lattice under strain, a slope that a ball just does not roll down, momentum of many. */
import type { NewGrain } from '../grains/bed.js';
import { GrainBed } from '../grains/grain-bed.js';
import { CompensatedSum } from '../math/compensated-sum.js';
import { random } from '../math/random.js';
import { type Check, once, relative } from './check.js';
import { bedOf, GLASS, headOn } from './grains.js';

const SOFT = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };

/** Speeds of a ball 0.5 and 1 s after it was laid on a slope, m/s. Stiff: it lies 5e-5 of its radius deep, by which the lever of its weight is shorter and the slope it holds on steeper */
function speedsOnSlope(degrees: number): readonly [number, number] {
  const angle = (degrees * Math.PI) / 180;
  const law = { restitution: 0.5, friction: 0.8, rollingFriction: Math.tan((10 * Math.PI) / 180) };
  const ball: NewGrain = { position: [0, 0, 0.005], radius: 0.005, kind: 0, density: 2500 };
  const stiff = { ...SOFT, youngsModulus: 1e9 };
  const bed = bedOf(stiff, law, [ball], 'rigid', [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)]);
  const later = (): number => {
    for (let k = 0; k < 125_000; k++) bed.step(4e-6);
    return Math.abs(bed.arrays.floats('motion')[0]);
  };
  return [later(), later()];
}

/** Change of linear and angular momentum of 2 000 balls that collide with friction, rolling and twisting in 1 000 steps, by what is thrown about */
const momentumLost = once(() => {
  const draw = random(9);
  const grains: NewGrain[] = Array.from({ length: 2000 }, (_, k) => ({
    position: [0.011 * (k % 13), 0.011 * (Math.floor(k / 13) % 13), 0.011 * Math.floor(k / 169)],
    radius: 0.0045 + 1e-3 * draw.uniform(),
    velocity: draw.inSphere(),
    spin: [50 * draw.normal(), 50 * draw.normal(), 50 * draw.normal()],
    kind: 0,
    density: 2500,
  }));
  const bed = bedOf(SOFT, { restitution: 0.6, friction: 0.4, rollingFriction: 0.2 }, grains, 'none');
  let [speeds, levers] = [0, 0];
  const sums = (): number[] => {
    const [x, v] = [bed.arrays.floats('grains'), bed.arrays.floats('motion')];
    // Compensated: the rounding of this reckoning is not that of the bed
    const out = Array.from({ length: 6 }, () => new CompensatedSum());
    [speeds, levers] = [0, 0];
    for (let i = 0; i < bed.count; i++) {
      const m = 1 / v[8 * i + 3];
      const own = [0, 1, 2].map((k) => m * v[8 * i + k]);
      const turn = [0, 1, 2].map((k) => {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        return m * (x[4 * i + a] * v[8 * i + b] - x[4 * i + b] * v[8 * i + a]) + v[8 * i + 4 + k] / v[8 * i + 7];
      });
      for (let k = 0; k < 3; k++) {
        out[k].add(own[k]);
        out[3 + k].add(turn[k]);
      }
      speeds += Math.hypot(...own);
      levers += Math.hypot(...turn);
    }
    return out.map((sum) => sum.value);
  };
  const before = sums();
  for (let k = 0; k < 1000; k++) bed.step(2e-5);
  const change = sums().map((sum, k) => Math.abs(sum - before[k]));
  return { linear: Math.max(...change.slice(0, 3)) / speeds, angular: Math.max(...change.slice(3)) / levers };
});

/** Stress of a simple cubic lattice of balls under uniaxial strain, Pa: a column of four, periodic along it */
function latticeStress(strain: number): number {
  const r = 0.005;
  const bed = new GrainBed({
    kinds: [{ name: 'ball', ...SOFT }],
    lawOf: () => ({ restitution: 1, friction: 0 }),
    walls: [],
    gravity: [0, 0, 0],
    period: { low: [-0.5, -0.5, 0], length: [0, 0, 8 * r * (1 - strain)] },
  });
  bed.add(
    [0, 1, 2, 3].map((k) => ({ position: [0, 0, (r + 2 * r * k) * (1 - strain)], radius: r, kind: 0, density: 2500 })),
  );
  bed.start();
  return bed.facts.strongest / (2 * r) ** 2;
}

export const grainLawChecks: readonly Check[] = [
  {
    id: 'A1',
    title:
      'two grains of glass, 0.01, 1 and 100 m/s, restitution 0.2 … 0.98, 40 steps a contact: largest difference from what was asked',
    source: 'the restitution that was asked for',
    limit: 1e-3,
    measure: () => ({
      value: Math.max(
        ...[0.01, 1, 100].flatMap((speed) =>
          [0.98, 0.9, 0.7, 0.5, 0.2].map((e) => Math.abs(-headOn(0.01, GLASS, speed, e, 40).velocity[0] / speed - e)),
        ),
      ),
      reference: 0,
    }),
  },
  {
    id: 'A8',
    title: 'lattice of balls under strains of 0.5, 1 and 2 %: stress, largest relative difference',
    source: '⅔ E* ε^1.5: 1295.07, 3663.00, 10360.5 Pa',
    limit: 1e-5,
    measure: () => ({
      value: Math.max(
        ...(
          [
            [0.005, 1295.07],
            [0.01, 3663.0],
            [0.02, 10360.5],
          ] as const
        ).map(([strain, stress]) => Math.abs(latticeStress(strain) / stress - 1)),
      ),
      reference: 0,
    }),
  },
  {
    id: 'A12',
    title: 'ball with rolling friction tan 10° on a slope of 9.9°: speed after 1 s, m/s',
    source: 'it rests',
    limit: 1e-12,
    measure: () => ({ value: speedsOnSlope(9.9)[1], reference: 0 }),
  },
  {
    id: 'A12-rolls',
    title: 'the same on a slope of 10.1°: speed gained from 0.5 to 1 s, m/s, relative',
    source: '(5/7) g (sin 10.1° − tan 10° cos 10.1°) t; its depth takes 0.5 % off the difference of the two',
    limit: 0.01,
    measure: () => {
      const slope = (10.1 * Math.PI) / 180;
      const excess = Math.sin(slope) - Math.tan(Math.PI / 18) * Math.cos(slope);
      const [half, end] = speedsOnSlope(10.1);
      return relative(end - half, 0.5 * (5 / 7) * 9.81 * excess);
    },
  },
  {
    id: 'A14-momentum',
    title: '2 000 balls that collide with friction, rolling and twisting, 1 000 steps: momentum lost, by that of all',
    source: 'conserved',
    limit: 1e-14,
    measure: () => ({ value: momentumLost().linear, reference: 0 }),
  },
  {
    id: 'A14-angular',
    title: 'the same: angular momentum lost',
    source: 'conserved',
    limit: 1e-13,
    measure: () => ({ value: momentumLost().angular, reference: 0 }),
  },
];
