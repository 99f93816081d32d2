/**
 * A run in one word: *trusted*, *doubtful*, *not to be trusted*, with its reasons and what to do about each.
 *
 *   ledger     energy that came from nowhere, against the largest that moved: doubtful above 1e-3, not to be trusted above 1e-2. It is no
 *              measure of every error, but a motion that is wrong by a part in a hundred seldom keeps its books to a part in a thousand
 *              With grains: doubtful above 1e-2, not to be trusted above 5e-2. Forty steps an impact meet its restitution to 1e-3 and book its heat to a part in a
 *              hundred; the rest goes with the step
 *   step       energy that the length of the steps of a time-stepping run made or lost, doubtful above 1e-3, not to be trusted above 5e-2; above that at a time before the end, and undone since, doubtful.
 *              What rigid impacts take is physical and not in it
 *   modes      energy that fast modes of flexible bodies took in such a run, which do not give it back: doubtful above 5e-2
 *   made       energy that an element gave beyond what it took and stored: doubtful above 1e-2, not to be trusted above 1e-1. Soil tells it, of nodes that a body comes over from the side
 *              (contact/soil/soil-grid.ts); forces of a grid are good to some percent
 *   depth      deeper than the law of the pair describes (contact-laws/depth-limits.ts)
 *   start      bodies drawn into each other so deep that what pushes them apart is a part of the energy that moved
 *   strain     of flexible bodies beyond what small strain tells (strain-range.ts)
 *   events     an event whose condition is met, and which has not happened
 *   attitude   of bodies whose momentum is restored: their ledger is closed by construction and tells nothing
 *   guesses    friction and restitution that nobody gave, where they decided something: friction that was in play, a bounce
 *
 * A run that was stopped, by its user or by a limit, is as good as far as it went; one that failed is doubtful near its end.
 */

import { quantity } from '../math/quantity.js';
import type { DeepestContact, EnergyLedger, Verdict } from '../results/trust-report.js';
import type { DrawnOverlap } from './deepest-contact.js';

/** Parts of the energy that moved */
export const DOUBTFUL_LEDGER = 1e-3;
export const WRONG_LEDGER = 1e-2;
export const DOUBTFUL_GRAINS = 1e-2;
export const WRONG_GRAINS = 5e-2;
/** What steps lose comes off in impacts, whose restitution is seldom known to a tenth: e = 0.5 ± 0.05 is 1 − e² = 0.75 ± 0.05. */
export const WRONG_STEPS = 5e-2;
/** Energy of grids from nowhere */
export const DOUBTFUL_MADE = 1e-2;
export const WRONG_MADE = 0.1;
/** rad; what a needle on a dial shows */
export const DOUBTFUL_ATTITUDE = 1e-3;
export const WRONG_ATTITUDE = 1e-2;

/** Of the energy that moved: what overlaps of the drawing may bring in */
const DRAWN_ENERGY = 1e-2;

export interface Evidence {
  readonly energy: EnergyLedger;
  readonly deepest?: DeepestContact | undefined;
  /** It is softer than its materials, by the user's depth at rest. */
  readonly softened?: boolean;
  /** Overlap of the drawing, and its part of the energy that moved */
  readonly drawn?: (DrawnOverlap & { readonly share: number }) | undefined;
  /** Events that should have happened: the condition is met, and was not at the start; and those that were met from the start */
  readonly heldBack: readonly string[];
  readonly metAtStart: readonly string[];
  /** Flexible bodies that left the range of small strain, and others that came past the plane of planar ones */
  readonly strained?: readonly Guess[];
  /** Guesses that decided something */
  readonly guesses: readonly Guess[];
  /** Largest error of the attitude of bodies whose momentum is restored, rad; undefined where there are none */
  readonly attitude?: { readonly error: number; readonly body: string } | undefined;
  /** Greatest overlaps of grains, by radius; undefined where there are none */
  readonly grains?:
    | {
        readonly pair: number;
        readonly wall: number;
        readonly grain: number;
        readonly time: number;
        /** What overlaps are told by */
        readonly of: 'radius' | 'width';
        /** Their energy is in the ledger; that of adhesive contacts, which snap, is not */
        readonly booked: boolean;
      }
    | undefined;
  /** Of a time-stepping run: energy that its steps made or lost, against the energy that moved, and which of the two; solutions that were not found, of all */
  readonly steps?:
    | {
        readonly share: number;
        readonly loses: boolean;
        /** The same at the time when it was most */
        readonly most: number;
        readonly unsolved: number;
        /** What modes lost that are too fast for the steps, of the energy that moved */
        readonly modes?: number;
      }
    | undefined;
  /** The element that gave most from nothing, as a part of the energy that moved */
  readonly made?: { readonly element: string; readonly share: number } | undefined;
  readonly failed: boolean;
}

/** Energy that fast modes took: more decides how a body rebounds */
const DOUBTFUL_MODES = 5e-2;
/** Of the solutions of a time-stepping run: more of them without an end are no accident */
const DOUBTFUL_UNSOLVED = 1e-3;

/** Overlaps of grains by their radius: above the first Hertz's law is no longer good, above the second grains begin to pass through */
const DOUBTFUL_OVERLAP = 0.1;
const WRONG_OVERLAP = 0.25;

export interface Guess {
  readonly reason: string;
  readonly remedy: string;
}

type Reason = Verdict['reasons'][number];

export function verdictOf(evidence: Evidence): Verdict {
  const { energy, deepest, softened, drawn, heldBack, metAtStart, guesses, attitude, failed } = evidence;
  const wrong: Reason[] = [];
  const doubtful: Reason[] = [];

  // Energy. Conditions are written so that NaN is wrong.
  const ledger: Reason = {
    reason: `the energy ledger is open by ${short(energy.relativeError)} of the energy that moved`,
    remedy: evidence.grains
      ? evidence.steps
        ? 'try half the step of the machine (--step), then half that of the grains (grains.step); does the result change?'
        : 'try half the step of the grains (grains.step, or --step); does the result change?'
      : 'try a ten times smaller rtol, or a longestStep where a force of your own jumps or is short; does the result change?',
  };
  const [doubtfulLedger, wrongLedger] = evidence.grains?.booked
    ? [DOUBTFUL_GRAINS, WRONG_GRAINS]
    : [DOUBTFUL_LEDGER, WRONG_LEDGER];
  if (!(energy.relativeError <= wrongLedger)) wrong.push(ledger);
  else if (energy.relativeError > doubtfulLedger) doubtful.push(ledger);

  const { steps } = evidence;
  if (steps && !(steps.share <= DOUBTFUL_LEDGER))
    (steps.share <= WRONG_STEPS ? doubtful : wrong).push({
      reason: `the length of the steps ${steps.loses ? 'lost' : 'made'} ${short(steps.share)} of the energy that moved`,
      remedy:
        'half the step leaves half of it, a quarter where nothing strikes; does the result change? Error control (another integrator) has no such share',
    });
  else if (steps && !(steps.most <= WRONG_STEPS))
    doubtful.push({
      reason: `the length of the steps had made or lost ${short(steps.most)} of the energy that moved, which later steps undid`,
      remedy: 'a shorter step; does the result change?',
    });
  if (steps && !((steps.modes ?? 0) <= DOUBTFUL_MODES))
    doubtful.push({
      reason: `modes of flexible bodies that are too fast for the steps took ${short(steps.modes!)} of the energy that moved, as if they were damped`,
      remedy:
        'blows last about as long as the steps, which neither follow them nor pass over them: error control (another integrator) follows them; so do steps of a hundredth of what a blow lasts',
    });
  if (steps && steps.unsolved > DOUBTFUL_UNSOLVED)
    doubtful.push({
      reason: `${short(steps.unsolved)} of the solutions of steps ended at the limit of iterations`,
      remedy: 'a shorter step, or a smaller rigidity',
    });

  const { made } = evidence;
  if (made && !(made.share <= DOUBTFUL_MADE))
    (made.share <= WRONG_MADE ? doubtful : wrong).push({
      reason: `${made.element} gave ${short(made.share)} of the energy that moved from nothing`,
      remedy: 'on soil: start the body on the ground, not in it; a finer spacing; shorter steps',
    });

  // Depth
  if (deepest && deepest.depth > deepest.doubtful) {
    const tooDeep = deepest.depth > deepest.most;
    (tooDeep ? wrong : doubtful).push({
      reason:
        `${deepest.pair} was ${quantity(deepest.depth, 'm', 2)} deep at t = ${short(deepest.time)} s, and its law ` +
        `${tooDeep ? `ends at ${quantity(deepest.most, 'm', 2)}` : `is good to ${quantity(deepest.doubtful, 'm', 2)}`}`,
      remedy: softened
        ? 'a smaller contacts.depth, or none: the real materials are stiffer'
        : 'a stiffer material or law, thicker parts, or slower bodies',
    });
  }

  const { grains } = evidence;
  const overlap = grains ? Math.max(grains.pair, grains.wall) : 0;
  if (grains && overlap > DOUBTFUL_OVERLAP)
    (overlap > WRONG_OVERLAP ? wrong : doubtful).push({
      reason:
        grains.wall >= grains.pair
          ? `grain ${grains.grain} was ${short(grains.wall)} of its ${grains.of} deep in a body at t = ${short(grains.time)} s`
          : `grains overlapped by ${short(grains.pair)} of the smaller ${grains.of}`,
      remedy: `a stiffer material of the grains (a greater youngsModulus${grains.of === 'width' ? ' or foundation' : ''}), or slower ones`,
    });

  if (drawn && drawn.share > DRAWN_ENERGY)
    doubtful.push({
      reason: `${drawn.pair} overlaps by ${quantity(drawn.depth, 'm', 2)} as drawn, and is pushed apart with ${quantity(drawn.energy, 'J', 2)}, at ${quantity(drawn.speed, 'm/s', 2)}`,
      remedy:
        'move them apart until they just touch, or have them moved: contacts: { resolve: true }; a mesh of a round hole is narrower than the circle: give it more segments',
    });

  doubtful.push(...(evidence.strained ?? []));

  // Events
  for (const name of heldBack)
    wrong.push({
      reason: `the event "${name}" has not happened although its condition is met`,
      remedy: 'a longestStep shorter than the time between its rise and fall, or a condition that stays above zero',
    });
  for (const name of metAtStart)
    doubtful.push({
      reason: `the condition of the event "${name}" was met from the start, so it never came to happen`,
      remedy: 'an event happens where its condition rises through zero: begin below it, or leave the event out',
    });

  // Attitude
  if (attitude && !(attitude.error <= DOUBTFUL_ATTITUDE))
    (attitude.error <= WRONG_ATTITUDE ? doubtful : wrong).push({
      reason: `the attitude of ${attitude.body} may be wrong by ${short(attitude.error)} rad`,
      remedy: 'a smaller rtol',
    });

  doubtful.push(...guesses);
  if (failed)
    doubtful.push({
      reason: 'the run failed before its end',
      remedy:
        'what lies well before the failure stands on the figures above; the message of the failure says what to do',
    });

  if (wrong.length > 0) return { word: 'not to be trusted', reasons: [...wrong, ...doubtful] };
  if (doubtful.length > 0) return { word: 'doubtful', reasons: doubtful };
  return { word: 'trusted', reasons: [{ reason: grounds(evidence) }] };
}

/** What a run that is trusted stands on. */
function grounds({ energy, deepest, attitude, grains, steps }: Evidence): string {
  const parts = [`the energy ledger closes to ${short(energy.relativeError)}`];
  if (steps) parts.push(`the length of the steps made or lost ${short(steps.share)} of the energy that moved`);
  if (grains) {
    if (!grains.booked) parts[0] += ' for the bodies and leaves out the grains, whose contacts stick';
    parts.push(
      `grains overlapped by at most ${short(Math.max(grains.pair, grains.wall))} of a ${grains.of}, at a step that is stable`,
    );
  }
  if (attitude)
    parts.push(`attitudes are good to ${attitude.error < 1e-15 ? 'rounding' : `${short(attitude.error)} rad`}`);
  if (deepest && deepest.doubtful < Number.POSITIVE_INFINITY)
    parts.push(`no contact was deeper than ${short(deepest.depth / deepest.doubtful)} of what its law describes`);
  return parts.join(', ');
}

const short = (value: number): string =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(2)));
