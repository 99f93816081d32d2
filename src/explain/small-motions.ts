/** Natural frequencies and damping about the start, and about a position of rest if one is near. */
import { NODE } from '../assembly/system.js';
import { constraintDrift, degreesOfFreedom, kineticByBody } from '../dynamics/analysis.js';
import { goesWithin, staticEquilibrium } from '../dynamics/equilibrium.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { eigenmodes, type Mode } from '../dynamics/modes.js';
import { velocityNames } from '../dynamics/velocity-names.js';
import { ModelError } from '../errors.js';

/** Beyond this many velocities a dense eigenproblem takes longer than a user waits. */
const MOST_VELOCITIES = 100;

export interface ModeFacts {
  /** swings: with a frequency, growing or not; decays, grows: without */
  readonly kind: 'swings' | 'decays' | 'grows';
  /** Hz, of the damped motion; 0 where it does not swing */
  readonly frequency: number;
  /** −Re λ/|λ|: 0 undamped, 1 no longer swings, negative unstable */
  readonly damping: number;
  /** 1/s: λ itself */
  readonly real: number;
  readonly imaginary: number;
  /** s: 1/|Re λ|, in which the motion shrinks or grows to 1/e or e; null where it keeps its size */
  readonly timeConstant: number | null;
  /** Bodies that move most, by their share of the kinetic energy */
  readonly moves: readonly { readonly name: string; readonly share: number }[];
}

export interface SmallMotions {
  readonly modes: readonly ModeFacts[];
  /** Directions in which nothing pulls back */
  readonly drifting: number;
  readonly stable: boolean;
}

/** |λ| below this counts as zero: nothing of it shows in the run, or it is rounding of the fastest mode. */
const DRIFT_IN_RUN = 1e-3;
const DRIFT_BY_ROUNDING = 1e-6;
/** Real parts below this share of |λ| are rounding: differences of order 4 give λ² to about 1e-11. */
const UNDAMPED = 1e-8;

/** Undefined where the system is too large. */
export function smallMotions(
  mechanics: MechanicalSystem,
  t: number,
  y: Float64Array,
  stopTime: number,
): SmallMotions | undefined {
  const { nv, system } = mechanics;
  if (nv > MOST_VELOCITIES) return undefined;
  const all = eigenmodes(mechanics, t, y);
  const sizeOf = ({ real, imaginary }: Mode): number => Math.hypot(real, imaginary);
  const fastest = Math.max(0, ...all.map(sizeOf));
  const still = Math.max(DRIFT_IN_RUN / stopTime, DRIFT_BY_ROUNDING * fastest);
  const modes = all
    .filter((mode) => sizeOf(mode) > still)
    .map((mode): ModeFacts => {
      const size = sizeOf(mode);
      const real = Math.abs(mode.real) < UNDAMPED * size ? 0 : mode.real;
      return {
        kind: mode.imaginary > UNDAMPED * size ? 'swings' : real < 0 ? 'decays' : 'grows',
        frequency: mode.frequency,
        damping: real === 0 ? 0 : mode.damping,
        real,
        imaginary: mode.imaginary,
        timeConstant: real === 0 ? null : 1 / Math.abs(real),
        moves: sharesOf(mode, mechanics, t, y),
      };
    });
  const known = modes.reduce((sum, { kind }) => sum + (kind === 'swings' ? 2 : 1), 0);
  const drifting = Math.max(0, Math.ceil((2 * degreesOfFreedom(mechanics) + system.ns - known) / 2));
  return {
    modes: modes.filter(({ moves }) => moves.length > 0),
    drifting,
    stable: modes.every(({ real }) => real <= 0),
  };
}

/**
 * Share of each body in the kinetic energy of the mode; the largest three. With velocities x of the mode beside what is prescribed it is
 * T(x) = ½ xᵀ M x + b·x + T(0), of which the first term is half of T(x) + T(−x) − 2 T(0).
 */
function sharesOf({ shape }: Mode, mechanics: MechanicalSystem, t: number, y: Float64Array): ModeFacts['moves'] {
  const energyOf = (sign: number): ReadonlyMap<string, number> => {
    const moving = Float64Array.from(y);
    shape.forEach((x, k) => {
      moving[mechanics.nq + k] = sign * x;
    });
    return kineticByBody(mechanics, t, moving);
  };
  const [there, back, still] = [energyOf(1), energyOf(-1), energyOf(0)];
  const energies = [...there].map(([name, energy]): [string, number] => [
    name,
    (energy + back.get(name)!) / 2 - still.get(name)!,
  ]);
  const sum = energies.reduce((all, [, energy]) => all + energy, 0);
  return energies
    .map(([name, energy]) => ({ name, share: sum > 0 ? energy / sum : 0 }))
    .filter(({ share }) => share > 0.05)
    .sort((a, b) => Math.round(100 * b.share) - Math.round(100 * a.share))
    .slice(0, 3);
}

/** How far a state is from rest. */
export interface StartFacts {
  readonly equilibrium: boolean;
  readonly moving: boolean;
  /** The largest acceleration, its unit, and whose it is */
  readonly acceleration: number;
  readonly accelerationUnit: 'm/s²' | 'rad/s²';
  readonly accelerates: string | null;
}

/** Accelerations below this, m/s² or rad/s², are rounding of forces that balance. */
const AT_REST = 1e-6;
/** s: so are larger ones of stiff springs and modes, if they move nothing as far in this time as that acceleration would what is free */
const INSTANT = 0.03;

export function startFacts(mechanics: MechanicalSystem, t: number, y: Float64Array): StartFacts {
  const { nq, nv, size } = mechanics;
  const rates = new Float64Array(size);
  mechanics.rates(t, y, rates);
  let most = 0;
  let moving = false;
  for (let k = 0; k < nv; k++) {
    if (Math.abs(rates[nq + k]) > Math.abs(rates[nq + most])) most = k;
    if (Math.abs(y[nq + k]) > AT_REST) moving = true;
  }
  const acceleration = nv > 0 ? rates[nq + most] : 0;
  const accelerating =
    Math.abs(acceleration) > AT_REST &&
    (moving || !(goesWithin(mechanics, t, y, INSTANT) < AT_REST * INSTANT * INSTANT));
  const driven = drives(mechanics, t);
  return {
    equilibrium: !moving && !accelerating && !driven,
    moving: moving || driven,
    acceleration,
    accelerationUnit: isSlide(mechanics, most) ? 'm/s²' : 'rad/s²',
    accelerates: accelerating ? velocityNames(mechanics)[most] : null,
  };
}

const isSlide = ({ system, derivatives }: MechanicalSystem, velocity: number): boolean =>
  velocity < derivatives.size
    ? system.tree.kind[derivatives.nodeOf[velocity]] === NODE.prismatic
    : (velocity - derivatives.size) % 6 < 3;

/** True if a prescribed motion moves at t. */
export function drives({ system }: MechanicalSystem, t: number): boolean {
  const sample = new Float64Array(3);
  return system.motions.some((motion) => {
    motion(t, sample);
    return sample[1] !== 0 || sample[2] !== 0;
  });
}

/** A position of rest found from y, or why there is none. y is not changed. */
export function restNear(
  { system, nq, nv }: MechanicalSystem,
  t: number,
  y: Float64Array,
): { readonly y: Float64Array } | { readonly reason: string } {
  if (nv > MOST_VELOCITIES) return { reason: 'not looked for in a system of this size' };
  // The search may close loops by as much as it moves: that is no error here
  const mechanics = new MechanicalSystem(system, { tolerance: { relative: 1 } });
  if (drives(mechanics, t)) return { reason: 'a prescribed motion keeps it going' };
  const rest = Float64Array.from(y);
  rest.fill(0, nq, nq + nv);
  mechanics.prepare(t, rest);
  try {
    if (!startFacts(mechanics, t, rest).equilibrium) staticEquilibrium(mechanics, t, rest);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
  // Whatever the search says of itself: nothing accelerates there, and the loops are closed
  mechanics.prepare(t, rest);
  const closed = constraintDrift(mechanics, t, rest).every(({ position }) => position < 1e-9);
  const found = rest.every(Number.isFinite) && isNear(rest, y) && closed && startFacts(mechanics, t, rest).equilibrium;
  return found ? { y: rest } : { reason: 'none was found near the start' };
}

/** A search that ran away is not near: so far off a body that falls moves by less than rounding, as if it rested. */
function isNear(rest: Float64Array, y: Float64Array): boolean {
  const size = y.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  return rest.every((value, k) => Math.abs(value - y[k]) < FAR * size);
}
const FAR = 1e5;
