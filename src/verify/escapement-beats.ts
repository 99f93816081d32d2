/**
 * What a timing machine and a microscope see of a running escapement: beats, counted while a simulation goes on. A beat lasts from one turning
 * point of the balance to the next; in between it passes the middle.
 */
import type { Model } from '../model/model.js';
import { Simulation, type SimulationOptions } from '../simulation/simulation.js';

export interface Beat {
  /** When the balance turned at the end of the beat, and when it passed the middle before, s */
  readonly time: number;
  readonly passage: number;
  /** |ϑ| there, rad */
  readonly amplitude: number;
  /** Angle of the escape wheel there, rad */
  readonly wheel: number;
}

/** Angle and speed of a joint in the state */
function coordinateOf({ system }: Simulation, name: string): readonly [angle: number, speed: number] {
  const node = system.joints.find((joint) => joint.name === name)!.nodes[0];
  return [system.tree.q[node], system.nq + system.tree.v[node]];
}

/** Cubic through angles and speeds at both ends of a step h, at a part x of it */
function cubic(a: number, va: number, b: number, vb: number, h: number, x: number): number {
  const y = 1 - x;
  return y * y * (1 + 2 * x) * a + x * x * (1 + 2 * y) * b + h * x * y * (y * va - x * vb);
}

/** Its root between two ends of opposite sign, as a part of the step */
function root(a: number, va: number, b: number, vb: number, h: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (cubic(a, va, b, vb, h, middle) < 0 === a < 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

export interface Watched {
  readonly simulation: Simulation;
  readonly beats: readonly Beat[];
}

/**
 * Runs an escapement and notes its beats.
 *
 * @param model    of examples/lever-escapement, or one with the same joints
 * @param observe   asked after every step, for what else is to be seen
 */
export function watchBeats(
  model: Model,
  options: SimulationOptions & { readonly stopTime: number },
  observe?: (simulation: Simulation, t: number) => void,
): Watched {
  const simulation = new Simulation(
    { ...model, contacts: model.contacts === false ? false : { ...model.contacts, records: false } },
    { interval: options.stopTime, ...options },
  );
  const [balance, balanceSpeed] = coordinateOf(simulation, 'balanceStaff');
  const [wheel] = coordinateOf(simulation, 'wheelArbor');
  const beats: Beat[] = [];
  let t = simulation.time;
  let angle = simulation.state[balance];
  let speed = simulation.state[balanceSpeed];
  let passage = Number.NaN;
  simulation.advance(undefined, () => {
    const { time, state } = simulation;
    const h = time - t;
    const [nextAngle, nextSpeed] = [state[balance], state[balanceSpeed]];
    if (angle < 0 !== nextAngle < 0) passage = t + h * root(angle, speed, nextAngle, nextSpeed, h);
    if (speed !== 0 && nextSpeed !== 0 && speed < 0 !== nextSpeed < 0) {
      const x = speed / (speed - nextSpeed);
      const amplitude = Math.abs(cubic(angle, speed, nextAngle, nextSpeed, h, x));
      beats.push({ time: t + h * x, passage, amplitude, wheel: state[wheel] });
    }
    t = time;
    angle = nextAngle;
    speed = nextSpeed;
    observe?.(simulation, time);
    return false;
  });
  return { simulation, beats };
}

/**
 * Gain of an escapement against a free balance, in s a day: from the times at which the balance passes the middle the same way, over whole
 * oscillations; `period` of the free, undamped balance in s.
 */
export function dailyRate(beats: readonly Beat[], period: number): number {
  const count = 2 * Math.floor((beats.length - 1) / 2);
  const first = beats[beats.length - 1 - count].passage;
  const last = beats[beats.length - 1].passage;
  return 86400 * ((0.5 * count * period) / (last - first) - 1);
}

/**
 * Share of the wheel's energy that reaches the balance: what its damper c took, π/2 c ω A² a beat, and what it gained, ½ k ΔA², over τ Δψ.
 *
 * @param inertia kg m², quality Q, omega rad/s of the balance; torque N m on the wheel
 */
export function efficiency(
  beats: readonly Beat[],
  { inertia, quality, omega, torque }: { inertia: number; quality: number; omega: number; torque: number },
): number {
  const first = beats[0];
  const last = beats[beats.length - 1];
  let lost = 0;
  for (let i = 1; i < beats.length; i++) {
    const square = 0.5 * (beats[i].amplitude ** 2 + beats[i - 1].amplitude ** 2);
    lost += (0.5 * Math.PI * inertia * omega * omega * square) / quality;
  }
  const gained = 0.5 * inertia * omega * omega * (last.amplitude ** 2 - first.amplitude ** 2);
  return (lost + gained) / (torque * Math.abs(last.wheel - first.wheel));
}

/** Balance and drive of an escapement, SI units */
export interface Drive {
  readonly inertia: number;
  readonly quality: number;
  readonly omega: number;
  readonly torque: number;
}

export interface Steady {
  /** Mean of both sides, rad */
  readonly amplitude: number;
  /** s a day against the free balance */
  readonly rate: number;
  readonly efficiency: number;
  /** Share by which the amplitude would still change: 0 when settled */
  readonly residual: number;
}

/**
 * The steady state, without waiting for it: a balance of quality Q takes Q/π oscillations to settle. Where the wheel gives η τ Δψ a beat and the
 * damper takes π/2 c ω A², the amplitude is √(2 Q η τ Δψ/(π I ω²)); each run starts with what the one before says.
 */
export async function steadyState(
  build: (amplitude: number) => Model | Promise<Model>,
  drive: Drive,
  { runs = 3, oscillations = 3, rtol = 1e-4 }: { runs?: number; oscillations?: number; rtol?: number } = {},
): Promise<Steady> {
  const { inertia, quality, omega, torque } = drive;
  const perBeat = (12 * Math.PI) / 180;
  const settled = (share: number): number =>
    Math.sqrt((2 * quality * share * torque * perBeat) / (Math.PI * inertia * omega * omega));
  const period = (2 * Math.PI) / omega;
  let start = settled(0.52);
  let found: Steady = { amplitude: start, rate: Number.NaN, efficiency: Number.NaN, residual: 1 };
  for (let i = 0; i < runs; i++) {
    const model = await build((start * 180) / Math.PI);
    const { beats } = watchBeats(model, { stopTime: (oscillations + 0.05) * period, rtol });
    // the first beat begins with all at rest
    const later = beats.slice(1);
    const share = efficiency(later, drive);
    const [last, before] = [later[later.length - 1].amplitude, later[later.length - 2].amplitude];
    const amplitude = 0.5 * (last + before);
    found = { amplitude, rate: dailyRate(later, period), efficiency: share, residual: settled(share) / amplitude - 1 };
    start = settled(share);
  }
  return found;
}
