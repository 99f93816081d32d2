/**
 * A contact element that anyone can write: a force between two bodies with states and a history of its own, held beside the contacts
 * that the shapes of bodies make. Soil under a wheel, a visco-elastic pad, a weld that tears are such elements.
 *
 * An element sees its bodies through `Carrier`: where a point of it is, how fast, and a place to put forces. Nothing of it says that a
 * body is rigid: points are material points, told by where they are in the undeformed body, so that one that bends can carry elements, too.
 *
 * What lasts is either a state or history. States are in y with the motion: integrators advance them by the rates that `evaluate` gives,
 * with error control. History belongs to the element: `accept` commits it, after accepted steps only. `evaluate` is called for trial states
 * that may never come true, forwards and backwards in time, and must write nothing that lasts.
 */

import { nameOf, positive, real, userFunction } from './schema.js';
import * as z from './schema-kinds.js';

/** 3 numbers */
export type Triple = ArrayLike<number>;

/** A body as an element sees it. Points in the body's own frame, m, where they are while it is undeformed; all else in world axes. */
export interface Carrier {
  /** Of the body; `ground` for what does not move */
  readonly name: string;
  /** m: greatest distance of a point of the body from its origin; 0 where nobody knows */
  readonly size: number;
  /** Where a point is, m */
  place(point: Triple, out: Float64Array): void;
  /** Which point is at a place, m */
  pointAt(place: Triple, out: Float64Array): void;
  /** m/s */
  velocity(point: Triple, out: Float64Array): void;
  /** A direction of the body's own frame at a point, world axes */
  direction(point: Triple, direction: Triple, out: Float64Array): void;
  /** Of the material at a point, rad/s */
  angularVelocity(point: Triple, out: Float64Array): void;
  /** Adds a force on the body, N, at a point. In `evaluate` only. */
  addForce(point: Triple, force: Triple): void;
  /** Adds a torque on the body, N m, at a point. In `evaluate` only. */
  addTorque(point: Triple, torque: Triple): void;
  /** Change of a point's velocity along a unit vector per impulse along it, 1/kg: 1/(effective mass). 0 for the ground. Between steps only. */
  mobility(point: Triple, direction: Triple): number;
}

/** Which of the two bodies: 0 is the first of `between`, A; 1 the second, B. */
export type Side = 0 | 1;

/**
 * Where exact derivatives go. Forces F at points P of the bodies depend on the places x and velocities v of points Q and on states s:
 *
 *   dF = (∂F/∂x) dx + (∂F/∂v) dv + (∂F/∂s) ds          ds' = (∂s'/∂x) dx + (∂s'/∂v) dv + (∂s'/∂s) ds
 *
 * What follows for the bodies from that (levers that turn, velocities of points of a turning body) is not the element's business. All calls add
 * up. Matrices are 3 × 3, row by row.
 */
export interface ElementDerivatives {
  /** The force on a point as it is now, N. To be told for each force that `evaluate` adds: its lever turns with the body. */
  force(side: Side, point: Triple, force: Triple): void;
  /**
   * The same for a force whose place goes with a point of the other body, as of something that slides on A where a corner of B is; `point` is the one
   * of this side that is there now.
   */
  slidingForce(side: Side, point: Triple, force: Triple, withPoint: Triple): void;
  /** How the force on `point` of a side changes with the place, N/m, and the velocity, N s/m, of another point of either side */
  byMotion(side: Side, point: Triple, ofSide: Side, ofPoint: Triple, byPlace: Triple, byVelocity: Triple): void;
  /** How it changes with a turn, N/rad, and the angular velocity, N s/rad, of either side; one that turns with its body has byAngle θ = θ × F. */
  byTurn(side: Side, point: Triple, ofSide: Side, byAngle: Triple, bySpin: Triple): void;
  /** N per unit of state k */
  byState(side: Side, point: Triple, k: number, change: Triple): void;
  /** The same of torques on a side, which need not be told themselves: N m per m, m/s, rad, rad/s, unit of state k */
  torqueByMotion(side: Side, ofSide: Side, ofPoint: Triple, byPlace: Triple, byVelocity: Triple): void;
  torqueByTurn(side: Side, ofSide: Side, byAngle: Triple, bySpin: Triple): void;
  torqueByState(side: Side, k: number, change: Triple): void;
  /** N/s beyond the motion, of elements that depend on time */
  byTime(side: Side, point: Triple, change: Triple): void;
  /** How the rate of state k changes with the place and velocity of a point: 3 numbers each */
  rateByMotion(k: number, side: Side, point: Triple, byPlace: Triple, byVelocity: Triple): void;
  rateByTurn(k: number, side: Side, byAngle: Triple, bySpin: Triple): void;
  /** ∂s'ₖ/∂sₗ, 1/s times the units */
  rateByState(k: number, l: number, value: number): void;
  /** ∂s'ₖ/∂t */
  rateByTime(k: number, value: number): void;
}

/** W, of one element; it adds to them. */
export interface ElementPowers {
  /** Turned into heat */
  dissipated: number;
  /** Put in from outside */
  supplied: number;
  /** Of what is dissipated: by dry friction */
  friction: number;
}

/** A place where an element touches, for the records of contacts; world axes. */
export interface ElementTouch {
  /** m */
  readonly point: Triple;
  /** Unit vector from A to B */
  readonly normal: Triple;
  /** N, on B */
  readonly force: Triple;
  /** m, m², m³ */
  readonly depth?: number;
  readonly area?: number;
  readonly volume?: number;
  /** m/s, velocity of B against A along the surface */
  readonly slip?: Triple;
  /** It is known whether it sticks or slips. */
  readonly sticks?: boolean;
}

/** What `create` gives. `states` are the element's own, in the order in which the model names them. */
export interface ContactElement {
  /** Adds forces to the carriers and writes the rates of all states, for a state that may be a trial: nothing that lasts is written. */
  evaluate(t: number, states: Float64Array, rates: Float64Array): void;
  /**
   * Exact derivatives of what `evaluate` does; at a kink those of the side that the motion goes to. Without it they are differences over the motion of
   * both bodies and the states (27 calls of `evaluate` where one body and one state can change), good to some 1e-8; see
   * dynamics/elements/element-differences.ts.
   */
  differentiate?(t: number, states: Float64Array, out: ElementDerivatives): void;
  /**
   * Stored energy, J. Without `power` the ledger books the work that the bodies lose, less what is stored, as heat: it then closes whatever the
   * element does. With `power` it is held against what the element says.
   */
  energy?(t: number, states: Float64Array): number;
  /** J that it gave beyond what it took and stored, from the start until the last `accept`: from nothing. The verdict of a run holds it against the energy that moved. */
  made?(): number;
  /** Adds W; dissipated + ∂energy/∂t − supplied must be the power that the element takes from the bodies. */
  power?(t: number, states: Float64Array, powers: ElementPowers): void;
  /**
   * An accepted step ends here: commits history. It may write `states`. True if forces or rates at this state are others from here on, as
   * after something has torn. The stored energy should not jump where `power` is given.
   */
  accept?(t: number, states: Float64Array): unknown;
  /** A copy of what `accept` committed, and back to one. Islands, restarts and checkpoints need them wherever there is an `accept`. */
  snapshot?(): unknown;
  restore?(snapshot: unknown): void;
  /** Longest next step, s, as until a touch that error control would not see; ∞ for any. The carriers are at the start of it. */
  stepLimit?(t: number, states: Float64Array, rates: Float64Array): number;
  /** The step that ends here missed something and is to be taken back and made shorter. Not asked for steps of one length. */
  steppedOver?(t: number, states: Float64Array): boolean;
  /** Writes the signals that the model names, in their order. */
  signals?(t: number, states: Float64Array, out: Float64Array): void;
  /** Tells where it touches, for the records. */
  touches?(t: number, states: Float64Array, add: (touch: ElementTouch) => void): void;
}

const stateSchema = z
  .strictObject({
    unit: z.string().optional(),
    /** At the start; 0 unless said */
    initial: real('a number', '').optional(),
    /** What counts as one for errors, of the state's unit: an error of rtol times this, or times the state where that is more, is accepted */
    scale: positive('a size that errors of the state are compared with', ''),
  })
  .readonly();

const signalSchema = z.union([
  z.string(),
  z.strictObject({ unit: z.string().optional(), description: z.string().optional() }).readonly(),
]);

export const contactElementSchema = z
  .strictObject({
    kind: z.literal('contactElement'),
    /** Names of two bodies, A and B; `ground` is legal */
    between: z.tuple([nameOf('a body, or "ground"'), nameOf('a body, or "ground"')]).readonly(),
    states: z.record(z.string(), stateSchema).optional(),
    /** Beyond its force, torque and states: names with their units */
    signals: z.record(z.string(), signalSchema).optional(),
    /** Forces or rates depend on time beyond the motion; not unless said. */
    dependsOnTime: z.boolean().optional(),
    /** A name of history that several elements have in common, as of one soil under four wheels: they make their steps together. */
    shares: z.string().optional(),
    /** Called once per run, and again where bodies get or lose steps of their own; history is then carried over by `snapshot` and `restore`. */
    create: userFunction<(carriers: { readonly a: Carrier; readonly b: Carrier }) => ContactElement>(
      'a function ({ a, b }) that gives an element { evaluate, … }',
    ),
  })
  .readonly();
export type ContactElementPlan = z.output<typeof contactElementSchema>;
export type ContactElementOptions = Omit<z.input<typeof contactElementSchema>, 'kind'>;

/**
 * An element of the user's own between two bodies.
 *
 * @example
 * // a linear spring between the origins of two bodies
 * contactElement({
 *   between: ['ground', 'bob'],
 *   create: ({ a, b }) => {
 *     const [x, y, origin, force] = [new Float64Array(3), new Float64Array(3), [0, 0, 0], new Float64Array(3)];
 *     return {
 *       evaluate() {
 *         a.place(origin, x);
 *         b.place(origin, y);
 *         for (let i = 0; i < 3; i++) force[i] = 100 * (y[i] - x[i]);
 *         a.addForce(origin, force);
 *         for (let i = 0; i < 3; i++) force[i] *= -1;
 *         b.addForce(origin, force);
 *       },
 *     };
 *   },
 * })
 */
export const contactElement = (options: ContactElementOptions): z.input<typeof contactElementSchema> => ({
  kind: 'contactElement',
  ...options,
});
