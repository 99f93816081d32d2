/**
 * A run with its derivatives by parameters: RODAS4P and its tangent (rosenbrock-tangent.ts) on the model, the models at p ± δ beside it. What comes out are two recordings for each
 * parameter, of y ± δ S with the signals of the model at p ± δ; a central difference of any output over them is its derivative, and no noise of step control is in it.
 *
 * Only for what is smooth: no contact, no events, no stops or dry friction in joints, no grains. Loops are closed after each step in all of the models, S with them.
 */
import type { MechanicalSystem } from '../../dynamics/mechanical-system.js';
import { ModelError } from '../../errors.js';
import { RosenbrockTangent, type TangentProblem } from '../../integration/rosenbrock-tangent.js';
import type { Model } from '../../model/model.js';
import { Recording } from '../../results/recording.js';
import { SignalSampler } from '../../simulation/signals.js';
import { Simulation } from '../../simulation/simulation.js';
import type { SimulationOptions } from '../../simulation/simulation-options.js';

export interface TangentOptions {
  /** The model where parameter k is moved by `side` of its step */
  readonly modelAt: (k: number, side: -1 | 0 | 1) => Model;
  readonly steps: readonly number[];
  readonly simulation: SimulationOptions;
}

export interface TangentRecordings {
  readonly base: Recording;
  /** By parameter: at p − δ and p + δ */
  readonly sides: readonly (readonly [below: Recording, above: Recording])[];
  readonly accepted: number;
}

/** Why tangents are not for this model, in words; undefined where they are */
export function roughness(model: Model, { mechanics, contacts, grains }: Simulation): string | undefined {
  if (grains) return 'it holds grains';
  if (contacts) return 'bodies of it may touch, and a touch is only once differentiable';
  if (model.events.size > 0) return 'it has events';
  for (const { plan, name } of mechanics.jointForces)
    if (plan.stops || plan.friction) return `${name} has ${plan.stops ? 'stops' : 'friction'}`;
  if (mechanics.pairs.length > 0 && mechanics.system.ns > 0) return 'elements of it have states of their own';
  return undefined;
}

class Side {
  readonly simulation: Simulation;
  readonly mechanics: MechanicalSystem;
  readonly sampler: SignalSampler;
  readonly recording: Recording;
  private readonly row: Float64Array;

  constructor(model: Model, options: SimulationOptions) {
    this.simulation = new Simulation(model, options);
    this.mechanics = this.simulation.mechanics;
    this.sampler = new SignalSampler(model, this.mechanics, {
      dissipated: 0,
      supplied: 0,
      heldAtStart: 0,
      heats: new Float64Array(0),
    });
    this.recording = new Recording(this.sampler.descriptions, { title: model.title });
    this.row = new Float64Array(this.sampler.descriptions.length);
  }

  record(t: number, y: Float64Array): void {
    this.sampler.sample(t, y, this.row);
    this.recording.append(t, this.row);
  }
}

const MOST_STEPS = 1e6;

/** @throws ModelError where the model is not smooth, or models at p ± δ are of another kind */
export function tangentRun({ modelAt, steps, simulation: options }: TangentOptions): TangentRecordings {
  const model = modelAt(0, 0);
  const base = new Side(model, options);
  const why = roughness(model, base.simulation);
  if (why) throw new ModelError('method', `tangents need a smooth model: ${why}; 'difference' takes whole runs`);
  const sides = steps.map((_, k) => {
    const pair = [-1, 1].map((side) => new Side(modelAt(k, side as -1 | 1), options)) as [Side, Side];
    for (const side of pair)
      if (side.mechanics.size !== base.mechanics.size)
        throw new ModelError('parameters', 'a small change of one changes how many states the model has');
    return pair;
  });
  const { mechanics } = base;
  const { size } = mechanics;
  const problem: TangentProblem = {
    size,
    parameters: steps.length,
    steps,
    linear: mechanics.linear,
    rates: (k, side, t, y, out) => (side === 0 ? mechanics : sides[k][side < 0 ? 0 : 1].mechanics).rates(t, y, out),
  };
  const method = new RosenbrockTangent(problem);
  let y: Float64Array = Float64Array.from(base.simulation.state);
  sides.forEach(([below, above], k) => {
    for (let i = 0; i < size; i++)
      method.s[k][i] = (above.simulation.state[i] - below.simulation.state[i]) / (2 * steps[k]);
  });
  const moved = new Float64Array(size);
  const put = (k: number, side: 0 | 1): Float64Array => {
    const d = (side === 0 ? -1 : 1) * steps[k];
    for (let i = 0; i < size; i++) moved[i] = y[i] + d * method.s[k][i];
    return moved;
  };
  const record = (t: number): void => {
    base.record(t, y);
    sides.forEach((pair, k) => {
      pair[0].record(t, put(k, 0));
      pair[1].record(t, put(k, 1));
    });
  };
  /** S of what projection makes of y: the models at p ± δ close their own loops */
  const projectTangents = (t: number): void => {
    sides.forEach((pair, k) => {
      const ends = pair.map((side, i) => {
        const state = Float64Array.from(put(k, i as 0 | 1));
        side.mechanics.project(t, state);
        return state;
      });
      for (let i = 0; i < size; i++) method.s[k][i] = (ends[1][i] - ends[0][i]) / (2 * steps[k]);
    });
  };

  const { stopTime } = base.simulation;
  const rows = Math.max(1, Math.round(stopTime / (options.interval ?? model.simulation.interval ?? stopTime / 500)));
  mechanics.prepare(0, y);
  for (const side of sides.flat()) side.mechanics.prepare(0, side.simulation.state);
  record(0);
  let [t, h, accepted] = [0, stopTime / rows / 10, 0];
  const y1 = new Float64Array(size);
  for (let row = 1; row <= rows; row++) {
    const end = (row * stopTime) / rows;
    for (let tries = 0; t < end; tries++) {
      if (tries > MOST_STEPS || !(h > 1e-15 * stopTime))
        throw new ModelError('method', `t = ${t} s: the step of the tangent run fell below ${h} s`);
      const last = t + 1.0000001 * h >= end;
      const step = last ? end - t : h;
      const before = y;
      if (!method.attempt(t, y, step, y1)) {
        h = 0.2 * step;
        continue;
      }
      const error = mechanics.errorNorm(method.error, y, y1);
      const next = Float64Array.from(y1);
      const there = last ? end : t + step;
      if (!(error <= 1)) {
        h = step * Math.max(0.1, Number.isFinite(error) ? 0.9 / Math.sqrt(Math.sqrt(error)) : 0.1);
        continue;
      }
      // the tangent needs the factors of this step: before anything is prepared for the next
      const tangents = method.s.map((s) => Float64Array.from(s));
      method.accept(t, before, step);
      if (!mechanics.project(there, next)) {
        for (const [k, s] of tangents.entries()) method.s[k].set(s);
        h = 0.5 * step;
        continue;
      }
      [y, t] = [next, there];
      projectTangents(t);
      accepted++;
      const grown = step * Math.min(5, 0.9 / Math.sqrt(Math.sqrt(Math.max(error, 1e-6))));
      h = last ? Math.max(h, grown) : grown;
    }
    record(t);
  }
  return {
    base: base.recording,
    sides: sides.map(([below, above]) => [below.recording, above.recording]),
    accepted,
  };
}
