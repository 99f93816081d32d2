import { describe, expect, test } from 'vitest';
import type { PairDefaults, PairOptions } from '../model/contacts.js';
import { alumina, glass, type Material, steel } from '../model/materials.js';
import { reducedModulus, reducedShearModulus } from './combination.js';
import { type NormalMeasures, noNormalForce } from './normal/normal-law.js';
import { damperRatio, dampingFactor } from './normal/restitution.js';
import { type PairFacts, type PairLaw, pairLaw } from './pair-law.js';

const R = 0.02;
const m = 0.3;
const g = 9.81;
const L = 0.05;
const elastic = ({ youngsModulus, poissonRatio }: Material) => ({
  youngsModulus: youngsModulus!,
  poissonRatio: poissonRatio!,
});
const E = reducedModulus(elastic(steel), elastic(glass));
const G = reducedShearModulus(elastic(steel), elastic(glass));
const facts = (more: Partial<PairFacts> = {}): PairFacts => ({
  materialA: steel,
  materialB: glass,
  curvature: 0,
  patches: true,
  effectiveMass: m,
  size: 0.08,
  length: L,
  rollingRadius: 0.04,
  gravity: g,
  name: 'a–b',
  ...more,
});
const round = (more: Partial<PairFacts> = {}): PairFacts => facts({ curvature: 1 / R, ...more });
const force = ({ normal }: PairLaw, at: Partial<NormalMeasures>): number => {
  const out = noNormalForce();
  normal.evaluate({ depth: 0, approachSpeed: 0, volume: 0, area: 0, ...at }, out);
  return out.force;
};
/** Rounding of a few operations; powers by our own pow are within 2 ulp. */
const expectClose = (value: number, wanted: number, relative = 1e-13): void =>
  expect(Math.abs(value / wanted - 1)).toBeLessThan(relative);

describe('where nothing is written', () => {
  test('round shapes: Hertz, 4/3 E* √R d^1.5, with its depth under the weight and its contact time', () => {
    const law = pairLaw({}, round());
    const k = (4 / 3) * E * Math.sqrt(R);
    for (const depth of [1e-9, 1e-6, 1e-3]) expectClose(force(law, { depth }), k * depth ** 1.5);
    expectClose(law.reducedModulus, E);
    expectClose(law.effectiveRadius, R);
    expect(law.exponent).toBe(1.5);
    expectClose(law.referenceDepth, ((m * g) / k) ** (2 / 3));
    expectClose(law.stiffness, 1.5 * k * Math.sqrt(law.referenceDepth));
    expectClose(force(law, { depth: law.referenceDepth }), m * g);
    // Johnson (1985), §11.4, for 1 m/s: d* = (15 m/(16 E* √R))^(2/5), T = 2.9433 d*
    expectClose(law.contactTime, 2.9433 * ((15 * m) / (16 * E * Math.sqrt(R))) ** 0.4);
    expect(law.assumed).toEqual([]);
    expect(law.pressure).toBe('hertz');
  });
  test('patches: a bed of springs, 1.064 E*/L', () => {
    const law = pairLaw({}, facts());
    const K = ((4 * Math.SQRT2) / (3 * Math.sqrt(Math.PI))) * (E / L);
    expect(K / (E / L)).toBeCloseTo(1.064, 3);
    // a face of L² pressed in by δ: V = L² δ, N = K V; d = 2 V/A = 2 δ
    const delta = 1e-6;
    expectClose(force(law, { volume: L * L * delta, area: L * L, depth: 2 * delta }), K * L * L * delta);
    expectClose(law.referenceDepth, (2 * m * g) / (K * L * L));
    expectClose(law.stiffness, 0.5 * K * L * L);
    expectClose(law.contactTime, Math.PI * Math.sqrt(m / law.stiffness));
    expect(law.effectiveRadius).toBe(Number.POSITIVE_INFINITY);
    expect(law.depthMeasure).toBe('volume');
  });
  test('points: four of them carry what a face would', () => {
    const face = pairLaw({}, facts());
    const corner = pairLaw({}, facts({ patches: false }));
    const delta = 1e-6;
    expectClose(
      4 * force(corner, { depth: delta }),
      force(face, { volume: L * L * delta, area: L * L, depth: 2 * delta }),
    );
  });
  test('friction of the pair by a bristle with Mindlin’s stiffness: 8 G* √(R d); 4 G*/E* K A on a bed', () => {
    const { friction, tangential, torsion, properties } = pairLaw({}, round({ materialB: alumina, materialA: glass }));
    expect(properties).toMatchObject({ staticFriction: 0.092, kineticFriction: 0.092, restitution: 0.98, guessed: [] });
    expect(friction).toMatchObject({ kind: 'bristle', coefficient: 0.092 });
    expect(torsion).toBe('patch');
    expect(tangential).toMatchObject({ depthPower: 0.5, areaPower: 0 });
    const law = pairLaw({}, round());
    expectClose(law.tangential.coefficient, 8 * G * Math.sqrt(R));
    const bed = pairLaw({}, facts());
    const K = ((4 * Math.SQRT2) / (3 * Math.sqrt(Math.PI))) * (E / L);
    expectClose(bed.tangential.coefficient, ((4 * G) / E) * K);
    expect(bed.tangential).toMatchObject({ depthPower: 0, areaPower: 1 });
  });
  test('static above kinetic friction is a Stribeck curve', () => {
    const { friction } = pairLaw({ staticFriction: 0.6, kineticFriction: 0.4 }, round());
    const { coefficient } = friction as { coefficient: { name: string } };
    expect(typeof coefficient).toBe('object');
  });
  test('bouncing ends at the floor speed x √(g d/n); the bristle is damped as a blow is', () => {
    for (const [given, n] of [
      [round(), 1.5],
      [facts(), 1],
    ] as const) {
      const law = pairLaw({ restitution: 0.6 }, given);
      expectClose(law.floorSpeed, dampingFactor(0.6) * Math.sqrt((g * law.referenceDepth) / n));
      expectClose(law.dampingRatio, Math.sqrt(35 / 12) * damperRatio(0.6, 1));
    }
    expect(pairLaw({ restitution: 1 }, round()).dampingRatio).toBe(0.01);
    expect(pairLaw({ restitution: 1 }, round()).floorSpeed).toBe(0);
  });
  test('without gravity the reference is an impact of 1 m/s: ½ m v² = k d^(n+1)/(n+1)', () => {
    const law = pairLaw({}, round({ gravity: 0 }));
    const k = (4 / 3) * E * Math.sqrt(R);
    expectClose((k * law.referenceDepth ** 2.5) / 2.5, 0.5 * m);
    expect(law.floorSpeed).toBe(1e-6);
  });
  test('materials that say nothing of their stiffness are a hard polymer, and are named', () => {
    const wax = { name: 'wax', density: 900 };
    const law = pairLaw({}, round({ materialA: wax, materialB: undefined }));
    expect(law.assumed).toEqual(['wax', 'second']);
    expectClose(law.reducedModulus, 2e9 / (2 * (1 - 0.35 ** 2)));
    expect(law.properties.guessed).toEqual(['friction', 'restitution']);
    expect(pairLaw({}, round({ materialA: { density: 900 } })).assumed).toEqual(['first']);
    // E without ν is taken with ν = 0.3
    const half = pairLaw({}, round({ materialA: { density: 1, youngsModulus: 1e6 } }));
    expect(half.assumed).toEqual([]);
    expectClose(half.reducedModulus, 1 / ((1 - 0.09) / 1e6 + (1 - glass.poissonRatio! ** 2) / glass.youngsModulus!));
  });
});

describe('what the user writes', () => {
  test('one friction is both; one of the two coefficients stands for both', () => {
    const of = (options: PairDefaults) => {
      const { staticFriction, kineticFriction } = pairLaw(options, round()).properties;
      return [staticFriction, kineticFriction];
    };
    expect(of({ friction: 0.2 })).toEqual([0.2, 0.2]);
    expect(of({ friction: 0.2, staticFriction: 0.5 })).toEqual([0.5, 0.2]);
    expect(of({ kineticFriction: 0.3 })).toEqual([0.3, 0.3]);
    expect(pairLaw({ friction: 0.2, restitution: 0.5 }, round()).properties.guessed).toEqual([]);
  });
  test('static below kinetic friction is refused by the name of the pair', () => {
    expect(() => pairLaw({ staticFriction: 0.1, kineticFriction: 0.2 }, round())).toThrow(
      'contacts.pairs (a–b).kineticFriction: expected at most the static friction 0.1, got 0.2',
    );
  });
  test('no friction, by law or by coefficient', () => {
    expect(pairLaw({ frictionLaw: 'none', friction: 0.5 }, round()).friction).toEqual({ kind: 'none' });
    expect(pairLaw({ friction: 0 }, round()).friction).toEqual({ kind: 'none' });
  });
  test('a reduced modulus in place of the materials’', () => {
    const law = pairLaw({ reducedModulus: 1e7 }, round());
    expectClose(force(law, { depth: 1e-3 }), (4 / 3) * 1e7 * Math.sqrt(R) * 1e-3 ** 1.5);
  });
  // k dⁿ and its likes without speed
  test.each<[string, NonNullable<PairDefaults['normalLaw']>, (d: number, V: number) => number, Partial<PairFacts>]>([
    ['power', { kind: 'power', stiffness: 3e5, exponent: 1.2 }, (d) => 3e5 * d ** 1.2, {}],
    ['foundation', { kind: 'foundation', modulus: 1e9 }, (_, V) => 1e9 * V, {}],
    ['overlap volume', 'overlap-volume', (d, V) => ((4 * E) / (3 * Math.sqrt(Math.PI))) * Math.sqrt(V * d), {}],
    [
      'Elmqvist',
      { kind: 'elmqvist', damping: 2, depth: 'extent' },
      (d, V) => ((4 * E) / (3 * Math.sqrt(Math.PI))) * Math.sqrt(V * d),
      {},
    ],
    ['Buse', { kind: 'buse', stiffness: 4e6, impactSpeed: 1 }, (d) => 4e6 * d ** 1.5, {}],
    [
      'Oestersötebier',
      { kind: 'oestersoetebier', stiffness: 5e5, exponent: 1.5, damping: 0, dampingExponent: 1 },
      (d) => 5e5 * d ** 1.5,
      {},
    ],
    ['Hofmann', { kind: 'hofmann', stiffness: 6e5, exponent: 1.5, damping: 10 }, (d) => 6e5 * d ** 1.5, {}],
    ['Hertz', 'hertz', (d) => (4 / 3) * E * Math.sqrt(R) * d ** 1.5, { curvature: 1 / R }],
    ['own', ({ depth, volume }) => 1e4 * depth + 1e9 * volume, (d, V) => 1e4 * d + 1e9 * V, {}],
  ])('normal law %s', (_, normalLaw, wanted, more) => {
    const law = pairLaw({ normalLaw }, facts(more));
    for (const [depth, volume] of [
      [1e-4, 2e-8],
      [3e-3, 5e-6],
    ])
      expectClose(force(law, { depth, volume, area: 1e-4 }), wanted(depth, volume), 1e-12);
  });
  test('Elmqvist’s law pushes harder while the bodies close in, by 1 + c v, and takes the extent as depth', () => {
    const law = pairLaw({ normalLaw: { kind: 'elmqvist', damping: 2, depth: 'extent' } }, facts());
    const at = { depth: 1e-4, volume: 1e-8, area: 1e-4 };
    expectClose(force(law, { ...at, approachSpeed: 0.25 }) / force(law, at), 1.5);
    expect(law.depthMeasure).toBe('extent');
  });
  test.each<[NonNullable<PairDefaults['frictionLaw']>, string]>([
    [{ kind: 'elmqvist', speed: 1e-3 }, 'curve'],
    [{ kind: 'tanh', deadBand: 1e-3 }, 'curve'],
    [{ kind: 'bengisu-akay', peakSpeed: 1e-3, decay: 1e3 }, 'curve'],
    [{ kind: 'makkar', staticSpeed: 2e-3, viscousSpeed: 1e-2, viscous: 0 }, 'curve'],
    [{ kind: 'two-level', limitSpeed: 1e-2, cap: 5 }, 'curve'],
    [{ kind: 'bristle', stribeckSpeed: 1e-3, viscous: 0.1 }, 'bristle'],
  ])('friction law %j', (frictionLaw, kind) => {
    expect(pairLaw({ frictionLaw, friction: 0.3 }, round()).friction.kind).toBe(kind);
  });
  test('stiffness and damping of the bristle', () => {
    const frictionLaw = { kind: 'bristle', stiffness: 1e5, dampingRatio: 0.9, stribeckSpeed: 1, viscous: 0 } as const;
    const law = pairLaw({ frictionLaw }, round());
    expect(law.tangential).toMatchObject({ coefficient: 1e5, areaPower: 0, depthPower: 0 });
    expect(law.dampingRatio).toBe(0.9);
  });
  test('rolling friction acts on the effective radius, on that of what rolls where there is none', () => {
    expect(pairLaw({}, round()).rolling).toBeUndefined();
    expect(pairLaw({ rollingFriction: 0.1 }, round()).rolling).toMatchObject({ coefficient: 0.1, radius: R });
    expect(pairLaw({ rollingFriction: 0.1 }, facts()).rolling).toMatchObject({ radius: 0.04 });
  });
});

describe('softer by a wanted depth at rest', () => {
  const depth = 1e-4;
  const { size } = facts();
  test.each<[string, PairOptions, PairFacts]>([
    ['Hertz', {}, round()],
    ['a bed', {}, facts()],
    ['points', {}, facts({ patches: false })],
    ['overlap volume of round shapes', { normalLaw: 'overlap-volume' }, round()],
    ['overlap volume of flat shapes', { normalLaw: 'overlap-volume' }, facts()],
  ])('%s rests depth × size deep; all stiffnesses are in the ratio of E*', (_, options, of) => {
    const real = pairLaw(options, of);
    const soft = pairLaw({ ...options, depth }, of);
    expect(real.real).toBeUndefined();
    expectClose(soft.referenceDepth, depth * size);
    // F = k dⁿ carries the same weight: k goes with d⁻ⁿ
    const times = (soft.referenceDepth / real.referenceDepth) ** real.exponent;
    expectClose(real.reducedModulus / soft.reducedModulus, times);
    const one = { depth: 1e-5, volume: 1e-10, area: 1e-5 };
    expectClose(force(real, one) / force(soft, one), times);
    const { coefficient, areaPower, depthPower } = soft.tangential;
    expectClose(real.tangential.coefficient / coefficient, times);
    expect([areaPower, depthPower]).toEqual([real.tangential.areaPower, real.tangential.depthPower]);
    expect(soft.properties).toEqual(real.properties);
    expectClose(soft.real!.reducedModulus, real.reducedModulus);
    expectClose(soft.real!.depth, real.referenceDepth);
    expectClose(soft.real!.stiffness, real.stiffness);
    expectClose(soft.real!.contactTime, real.contactTime);
  });
  test('never harder', () => {
    const jelly: Material = { name: 'jelly', density: 1000, youngsModulus: 1e4, poissonRatio: 0.45 };
    const of = facts({ materialA: jelly });
    const { real, reducedModulus: modulus } = pairLaw({ depth }, of);
    expect(real).toBeUndefined();
    expect(modulus).toBe(pairLaw({}, of).reducedModulus);
  });
  test('not beyond a tenth of the depth at which the law is doubtful', () => {
    expectClose(pairLaw({ depth: 0.01 }, round()).referenceDepth, 0.01 * R);
    // a plate: how thin it is, not how large
    expectClose(pairLaw({ depth }, facts({ tellableDepth: 2.5e-5 })).referenceDepth, 2.5e-6);
  });
  test.each<[string, PairOptions]>([
    ['E*', { reducedModulus: 1e9 }],
    ['a stiffness', { normalLaw: { kind: 'power', stiffness: 1e6, exponent: 1 } }],
    ['a bed', { normalLaw: { kind: 'foundation', modulus: 1e12 } }],
    ['a law of the papers', { normalLaw: { kind: 'buse', impactSpeed: 1 } }],
  ])('%s that is given stays', (_, options) => {
    const { normal: _a, friction: _b, ...given } = pairLaw(options, round());
    const { normal: _c, friction: _d, ...same } = pairLaw({ ...options, depth }, round());
    expect(same).toEqual(given);
  });
});
