/** Claims about coil springs made of rigid segments: rate, natural frequencies, convergence with the number of segments. */
import { type LowMode, lowestModes } from '../dynamics/lowest-modes.js';
import type { BodyOptions } from '../model/body.js';
import { type CoilSpring, type CoilSpringOptions, coilSpring } from '../model/coil-spring.js';
import { applied } from '../model/forces.js';
import { prismatic } from '../model/joints.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import { type Check, once, relative } from './check.js';

/** d 2, D 20 mm, 6 active coils, 50 mm long, G 81.5 GPa */
const SPRING: CoilSpringOptions = {
  wireDiameter: 2e-3,
  meanDiameter: 20e-3,
  activeCoils: 6,
  freeLength: 50e-3,
  material: { density: 7850, youngsModulus: 2.6 * 81.5e9, poissonRatio: 0.3 },
};

/** Mottershead's (1980): d 1, D 10 mm, 7.6 coils, pitch angle 8.5744° */
const MOTTERSHEAD: CoilSpringOptions = {
  wireDiameter: 1e-3,
  meanDiameter: 10e-3,
  activeCoils: 7.6,
  freeLength: 2e-3 + 7.6 * Math.PI * 10e-3 * 0.1507777,
  material: { density: 7900, youngsModulus: 2.06e11, poissonRatio: 0.3 },
};

const FRAME = 'a frame of 96 and 192 straight Timoshenko beams a coil by another program, extrapolated';

/** Force per way for a small force on the top, which can only slide, N/m: one solution with the step matrix of a long step */
export function tangentRate(spring: CoilSpring): number {
  const { mechanics, state } = new Simulation(
    model({
      gravity: 'none',
      contacts: false,
      bodies: { ...spring.bodies, springBase: { ...(spring.bodies.springBase as BodyOptions), fixed: true } },
      joints: { slide: prismatic({ body: 'springTop', axis: [0, 0, 1] }) },
      forces: { ...spring.forces, push: applied({ on: 'springTop', force: [0, 0, 1] }) },
    }),
  );
  const f = new Float64Array(mechanics.size);
  mechanics.prepare(0, state);
  mechanics.rates(0, state, f);
  mechanics.linear.linearise(0, state, f, new Float64Array(mechanics.size));
  const long = 100; // s
  mechanics.linear.factorise(long);
  for (let i = 0; i < f.length; i++) f[i] *= long;
  mechanics.linear.solve(f);
  return 1 / f[0];
}

/** Modes between fixed ends, and how much of each there is in a first surge wave, sin(π s) along the wire; all of them add up to 1 */
export function surgeModes(spring: CoilSpring, count: number): { modes: LowMode[]; shares: number[] } {
  const fixed = (name: string): BodyOptions => ({ ...(spring.bodies[name] as BodyOptions), fixed: true });
  const { mechanics, state } = new Simulation(
    model({
      gravity: 'none',
      contacts: false,
      bodies: { ...spring.bodies, springBase: fixed('springBase'), springTop: fixed('springTop') },
      forces: spring.forces,
    }),
  );
  const wire = spring.bodies.spring as readonly BodyOptions[];
  const sine = wire.map((_, i) => Math.sin((Math.PI * (i + 0.5)) / wire.length));
  const size = wire.reduce((sum, { mass = 0 }, i) => sum + mass * sine[i] ** 2, 0);
  const modes = lowestModes(mechanics, 0, Float64Array.from(state), count);
  const shares = modes.map(({ shape }) => {
    const along = wire.reduce((sum, { mass = 0 }, i) => sum + mass * sine[i] * shape[6 * i + 2], 0);
    return along ** 2 / size;
  });
  return { modes, shares };
}

const springOf = (segmentsPerCoil: number, other: Partial<CoilSpringOptions> = {}): CoilSpring =>
  coilSpring({ ...SPRING, segmentsPerCoil, ...other });

const own = once(() => surgeModes(springOf(24), 5).modes);
const published = once(() => surgeModes(coilSpring({ ...MOTTERSHEAD, segmentsPerCoil: 20 }), 8).modes);

export const coilSpringChecks: readonly Check[] = [
  {
    id: 'SPRING-rate',
    title: 'rate of 6 coils of 16 segments',
    source: 'G d⁴/(8 D³ n) = 3395.83 N/m, to which pitch, shear and guided ends add −0.10 %',
    limit: 0.01,
    measure: () => relative(tangentRate(springOf(16)), 3395.8333333),
  },
  ...[12, 16, 24].map(
    (segments): Check => ({
      id: `SPRING-rod-${segments}`,
      title: `rate of 6 coils of ${segments} segments against a helical rod between guided ends`,
      source: 'compliance of the rod integrated along the helix; a chain is off by 0.052/segments²',
      limit: 0.06 / segments ** 2,
      measure: () => {
        const spring = springOf(segments);
        return relative(tangentRate(spring), spring.figures.rateGuided);
      },
    }),
  ),
  ...[290.231, 329.063, 336.57, 340.405, 571.289].map(
    (reference, i): Check => ({
      id: `SPRING-mode-${i + 1}`,
      title: `natural frequency ${i + 1} of 6 coils of 24 segments between fixed ends, Hz`,
      source: FRAME,
      limit: 5e-4,
      measure: () => relative(own()[i].frequency, reference),
    }),
  ),
  ...[393.399, 395.979, 462.718, 525.567, 863.566, 876.741, 913.474, 1037.244].map(
    (reference, i): Check => ({
      id: `SPRING-mottershead-${i + 1}`,
      title: `natural frequency ${i + 1} of Mottershead's spring of 7.6 coils of 20 segments, Hz`,
      source: `${FRAME}; the spring of Mottershead (1980) and Pearson (1982)`,
      limit: 5e-4,
      measure: () => relative(published()[i].frequency, reference),
    }),
  ),
  {
    id: 'SPRING-surge',
    title: 'surge frequency of 6 coils: root mean square of the modes that make up a first surge wave, Hz',
    source:
      '½ √(R/m) = 302.18 Hz; with 50 mm between the ends surge and swaying are near each other and share it: 290.3 and 340.2 Hz',
    limit: 0.03,
    measure: () => {
      const { modes, shares } = surgeModes(springOf(16), 8);
      const sum = shares.reduce((total, share) => total + share, 0);
      return relative(
        Math.sqrt(modes.reduce((square, { frequency }, i) => square + (shares[i] / sum) * frequency ** 2, 0)),
        302.1814938,
      );
    },
  },
  {
    id: 'SPRING-surge-12',
    title: 'surge frequency of 12 such coils, Hz',
    source:
      '½ √(R/m) = 151.09 Hz, pitch and shear make it 0.6 % less; swaying is slower, and 97 % of the surge wave is one mode',
    limit: 0.01,
    measure: () => {
      const { modes, shares } = surgeModes(springOf(12, { activeCoils: 12, freeLength: 96e-3 }), 6);
      return relative(modes[shares.indexOf(Math.max(...shares))].frequency, 151.0907469);
    },
  },
];
