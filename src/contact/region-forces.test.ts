import { describe, expect, test } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { extrapolated, InventedRegion } from '../../tests/fixtures/invented-region.js';
import { SLIP, STICK } from '../contact-laws/friction/bristle.js';
import { type PairFacts, type PairLaw, pairLaw } from '../contact-laws/pair-law.js';
import { halfSpace } from '../geometry/half-space.js';
import { sphere } from '../geometry/primitives.js';
import { fromRotationVector, multiply } from '../math/quaternion.js';
import { random } from '../math/random.js';
import { add, scale, type Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import type { PairDefaults } from '../model/contacts.js';
import { model } from '../model/model.js';

const rubber = { name: 'rubber', density: 1000, youngsModulus: 1e7, poissonRatio: 0.4 };
const facts: PairFacts = {
  materialA: rubber,
  materialB: rubber,
  curvature: 0,
  patches: true,
  effectiveMass: 0.8,
  size: 0.2,
  length: 0.1,
  rollingRadius: 0.1,
  gravity: 9.81,
  name: 'a–b',
};

const round = { curvature: 20 };
const points = { patches: false };
const NORMAL: Readonly<Record<string, readonly [PairDefaults['normalLaw'], Partial<PairFacts>]>> = {
  hertz: ['hertz', round],
  'overlap-volume': ['overlap-volume', {}],
  foundation: [{ kind: 'foundation', modulus: 2e8 }, {}],
  power: [{ kind: 'power', stiffness: 1e5, exponent: 1 }, points],
  elmqvist: [{ kind: 'elmqvist', damping: 2, depth: 'volume' }, {}],
  buse: [{ kind: 'buse', impactSpeed: 1 }, round],
  oestersoetebier: [
    { kind: 'oestersoetebier', stiffness: 1e6, exponent: 1.2, damping: 1e4, dampingExponent: 1.1 },
    points,
  ],
  hofmann: [{ kind: 'hofmann', stiffness: 1e7, exponent: 1.5, damping: 50 }, round],
  own: [({ depth, approachSpeed, volume, area }) => 1e5 * depth + 30 * approachSpeed + 1e7 * volume + 1e3 * area, {}],
};
const FRICTION: Readonly<Record<string, PairDefaults>> = {
  bristle: { friction: 0.4 },
  'bristle of given stiffness': {
    friction: 0.4,
    frictionLaw: { kind: 'bristle', stiffness: 1e5, stribeckSpeed: 1e-3, viscous: 0 },
  },
  stribeck: {
    staticFriction: 0.5,
    kineticFriction: 0.3,
    frictionLaw: { kind: 'bristle', stribeckSpeed: 0.3, viscous: 0.05 },
  },
  none: { friction: 0.4, frictionLaw: 'none' },
  elmqvist: { staticFriction: 0.5, kineticFriction: 0.3, frictionLaw: { kind: 'elmqvist', speed: 0.1 } },
  tanh: { friction: 0.4, frictionLaw: { kind: 'tanh', deadBand: 0.1 } },
  'bengisu-akay': {
    staticFriction: 0.5,
    kineticFriction: 0.3,
    frictionLaw: { kind: 'bengisu-akay', peakSpeed: 0.1, decay: 5 },
  },
  makkar: {
    staticFriction: 0.5,
    kineticFriction: 0.3,
    frictionLaw: { kind: 'makkar', staticSpeed: 0.05, viscousSpeed: 0.2, viscous: 0.1 },
  },
  'two-level': { staticFriction: 0.5, kineticFriction: 0.3, frictionLaw: { kind: 'two-level', limitSpeed: 0.3 } },
  'two-level with cap': {
    staticFriction: 0.5,
    kineticFriction: 0.3,
    frictionLaw: { kind: 'two-level', limitSpeed: 0.3, cap: 5 },
  },
};
const TORSION: Readonly<Record<string, PairDefaults>> = {
  patch: { torsion: 'patch', pressure: 'uniform' },
  'patch of given radius': { torsion: 'patch', pressure: 'uniform', torsionRadius: 0.02 },
  ellipsoid: { torsion: 'ellipsoid' },
  'ellipsoid of given radius': { torsion: 'ellipsoid', pressure: 'hertz', torsionRadius: 0.02 },
  none: { torsion: 'none' },
  elmqvist: { torsion: { kind: 'elmqvist', constant: 3 } },
  buse: { torsion: { kind: 'buse', deadBand: 0.5 } },
};
const MOTION = {
  stick: { closing: 0.01, slip: 1e-3, spin: 0.02, tumble: 0.05 },
  slip: { closing: 0.1, slip: 2, spin: 8, tumble: 2 },
  open: { closing: -20, slip: 0.5, spin: 3, tumble: 2 },
} as const;

const lawOf = (normal: string, friction: string, torsion: string, rolls: boolean): PairLaw => {
  const [normalLaw, shapes] = NORMAL[normal];
  return pairLaw(
    { normalLaw, restitution: 0.3, rollingFriction: rolls ? 0.02 : 0, ...FRICTION[friction], ...TORSION[torsion] },
    { ...facts, ...shapes },
  );
};

const region = (law: PairLaw, seed: string, motion: keyof typeof MOTION, atStart: boolean, point: boolean) => {
  const made = new InventedRegion(law, seed, { depth: 1e-3, area: 4e-3, atStart, point });
  made.move(MOTION[motion]);
  return made;
};

/** Largest difference of two derivatives, blocks of three rows and columns measured by their own size */
function difference(told: readonly number[][], found: readonly number[][]): { worst: number; where: string } {
  let worst = 0;
  let where = '';
  const rows = told.length;
  const columns = told[0].length;
  const group = (i: number, end: number): number[] => Array.from({ length: Math.min(3, end - i) }, (_, k) => i + k);
  for (let r = 0; r < rows; r += 3)
    for (let c = 0; c < columns; c += 3) {
      const cells = group(r, rows).flatMap((i) => group(c, columns).map((j) => [i, j] as const));
      const size = Math.max(
        ...cells.map(([i, j]) => Math.abs(found[i][j])),
        FLOOR * Math.max(...group(r, rows).flatMap((i) => found[i].map(Math.abs))),
      );
      for (const [i, j] of cells) {
        const error = size > 0 ? Math.abs(told[i][j] - found[i][j]) / size : Math.abs(told[i][j]);
        if (!(error <= worst)) {
          worst = error;
          where = `row ${i}, column ${j}: ${told[i][j]} for ${found[i][j]}`;
        }
      }
    }
  return { worst, where };
}
/** Blocks so much smaller than others of their rows are rounding errors. */
const FLOOR = 1e-6;

/** Which of the rarer options go with a pair of laws: all in turn; every one with the default friction */
const turn = <T>(list: readonly T[], i: number): T => list[i % list.length];

describe('derivatives of wrench and rates', () => {
  const normals = Object.keys(NORMAL);
  const frictions = Object.keys(FRICTION);
  const torsions = Object.keys(TORSION);
  const cases = normals.flatMap((normal, i) => frictions.map((friction, j) => [normal, friction, i + j] as const));
  test.each(cases)('%s, %s', (normal, friction, i) => {
    const chosen =
      friction === 'bristle'
        ? torsions.flatMap((torsion) => [[torsion, false] as const, [torsion, true] as const])
        : [[turn(torsions, i), i % 8 < 4] as const, [turn(torsions, i + 1), i % 8 >= 4] as const];
    for (const [torsion, rolls] of chosen)
      for (const motion of ['stick', 'slip', 'open'] as const) {
        const law = lawOf(normal, friction, torsion, rolls);
        const point = NORMAL[normal][1] === points;
        const made = region(law, `${torsion} ${rolls}`, motion, rolls, point);
        const regime = made.forces.forces.regime;
        if (law.friction.kind === 'bristle' && motion !== 'open')
          expect(regime).toBe(motion === 'stick' ? STICK : SLIP);
        const told = made.told();
        const found = made.differences({ pose: 4e-6, twist: 1e-5, state: 1e-8 });
        const { worst, where } = difference(told, found);
        // differences of the user's function within differences: 1e-7
        expect(worst, `${torsion}, ${rolls ? 'rolling' : ''}, ${motion}: ${where}`).toBeLessThan(1e-6);
        const values = made.values();
        expect(made.wrench).toEqual(values.slice(0, 12).map((value) => value + 0)); // no −0
      }
  });
});

// What the bodies lose, W = −F·u − M·ω, is stored, (dE/dt), or heat. Depth laws have a potential, and the depth of a ball on a floor grows by
// the approach speed: the books close at every instant. E by differences along the motion.
describe('power of a ball on a floor', () => {
  const laws: Readonly<Record<string, PairDefaults>> = {
    hertz: {},
    power: { normalLaw: { kind: 'power', stiffness: 1e5, exponent: 1 } },
    buse: { normalLaw: { kind: 'buse', impactSpeed: 1 } },
    oestersoetebier: {
      normalLaw: { kind: 'oestersoetebier', stiffness: 1e6, exponent: 1.2, damping: 1e4, dampingExponent: 1.1 },
    },
    hofmann: { normalLaw: { kind: 'hofmann', stiffness: 1e7, exponent: 1.5, damping: 50 } },
    'hertz, torsion of buse': { torsion: { kind: 'buse', deadBand: 0.5 } },
    'hertz, tanh': { frictionLaw: { kind: 'tanh', deadBand: 0.1 } },
    'hertz, no friction': { frictionLaw: 'none' },
  };
  test.each(Object.keys(laws))('%s: absorbed = stored + lost, and heat is not negative', (name) => {
    const R = 0.05;
    const scene = new ContactScene(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), fixed: true, material: rubber }),
          ball: body({ shape: sphere(R), material: rubber, position: [0, 0, R] }),
        },
        contacts: { defaults: { friction: 0.4, restitution: 0.4, rollingFriction: 0.02, ...laws[name] } },
      }),
    ).start();
    const draw = random(name);
    for (let k = 0; k < 40; k++) {
      const depth = 1e-3 * draw.uniformBetween(0.2, 1);
      const speed = k % 2 ? 1 : 1e-2;
      const position: Vec3 = [0, 0, R - depth];
      const turned = draw.rotation();
      const velocity = scale(speed, draw.unitVector());
      const spin = scale(speed / R, draw.unitVector());
      scene.place('ball', position, turned);
      scene.move('ball', velocity, spin);
      scene.accept();
      const pair = scene.pair('floor', 'ball');
      const at = pair.stateAt;
      const states = Float64Array.from({ length: pair.perRegion }, () => 0.2 * depth * draw.normal());
      scene.y.set(states, at);
      const { rates } = scene.loads(pair);
      pair.findRegions(scene.time);
      pair.evaluateRegion(0, scene.y);
      const { absorbed, loss, measures } = pair.forces;
      const square = pair.law.states.bristle < 0 ? 0 : states[0] ** 2 + states[1] ** 2 + states[2] ** 2;
      const stored = extrapolated(
        (h) => {
          scene.place('ball', add(position, scale(h, velocity)), multiply(fromRotationVector(scale(h, spin)), turned));
          for (let i = 0; i < states.length; i++) scene.y[at + i] = states[i] + h * rates[at + i];
          scene.mechanics.update(scene.time, scene.y);
          return [pair.energy(scene.time, scene.y)];
        },
        (1e-3 * depth) / speed,
      )[0];
      scene.y.set(states, at);
      const size = Math.max(Math.abs(absorbed), Math.abs(loss), Math.abs(stored));
      expect(Math.abs(absorbed - stored - loss) / size).toBeLessThan(1e-6);
      // A bristle that stiffens while it is stretched stores more than was put in: ½ k' v |z|², where the stiffness goes with √depth
      const stiffens = pair.law.tangential.depthPower > 0 && measures.depth > pair.law.tangential.depthFloor;
      const gift = stiffens ? ((0.25 * measures.stiffness) / measures.depth) * measures.approachSpeed * square : 0;
      expect(loss + gift).toBeGreaterThan(-1e-9 * size);
    }
  });
});
