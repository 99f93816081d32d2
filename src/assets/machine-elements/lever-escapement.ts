/**
 * Swiss lever escapement: outlines of all parts, centres and states to start from. Sizes are in lever-escapement-dimensions.ts, the stones in
 * lever-escapement-stones.ts. Each outline is in the frame of the body it belongs to, angle 0:
 *
 *   wheel      toe of tooth 0 on +x
 *   lever      pivot at the origin, fork towards +y: frame with the notch between two horns, two holders for the stones
 *   balance    staff at the origin, impulse pin below it
 *
 * The pin is a D: a full round one would meet the near corner of the notch before it reaches the far wall. A horn is an arc about the
 * balance as seen with the lever banked, so that a lever shaken off its banking finds the pin before it unlocks.
 */
import { ModelError } from '../../errors.js';
import { bulgeOfSweep } from '../../geometry/arc.js';
import { circle } from '../../geometry/circle-outline.js';
import { checkedProfile } from '../../geometry/polygon-nesting.js';
import type { Corner, Outline, Polygon, Profile } from '../../geometry/profile.js';
import { asin, atan2, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { escapeWheel } from './escape-wheel.js';
import {
  type LeverDimensions,
  type LeverEscapementOptions,
  leverDimensions,
  outerReach,
} from './lever-escapement-dimensions.js';
import { type PalletStone, palletStones } from './lever-escapement-stones.js';

export interface LeverEscapement {
  readonly dimensions: LeverDimensions;
  /** Pivots of lever and balance, m; the wheel's is the origin */
  readonly leverPivot: Vec2;
  readonly balancePivot: Vec2;
  readonly wheel: Profile;
  readonly entry: PalletStone;
  readonly exit: PalletStone;
  /** Outline of the lever without its stones, and the same cut where the stones sit: the lever, and the outer wall of each slot */
  readonly frame: Polygon;
  readonly framePieces: readonly Polygon[];
  /** Frame and stones as one piece */
  readonly pallet: Polygon;
  /** Dart below the fork, in the lever's frame */
  readonly guard: Polygon;
  readonly impulsePin: Polygon;
  /** With its crescent, in the balance's frame */
  readonly safetyRoller: Polygon;
  /** Left and right, in the world */
  readonly bankings: readonly [Polygon, Polygon];
  readonly bankingCentres: readonly [Vec2, Vec2];
  /** Pin, roller and bankings with arcs in place of chords, for contact in the plane */
  readonly round: {
    readonly impulsePin: Outline;
    readonly safetyRoller: Outline;
    readonly bankings: readonly [Outline, Outline];
  };
  /** Angles to start from, rad: stopped in beat, a tooth on the entry stone's impulse face; locked on either stone, the lever banked */
  readonly stopped: { readonly wheel: number; readonly lever: number };
  readonly lockedOnEntry: { readonly wheel: number; readonly lever: number };
  readonly lockedOnExit: { readonly wheel: number; readonly lever: number };
}

/**
 * @throws ModelError if sizes do not fit each other
 * @example const { wheel, entry, frame } = leverEscapement({ lock: 1.5 * Math.PI / 180 });
 */
export function leverEscapement(options: LeverEscapementOptions = {}): LeverEscapement {
  const of = leverDimensions(options);
  const { radius: R, centreDistance: C, banking } = of;
  const { entry, exit } = palletStones(of);
  const { frame, framePieces, pallet } = leverOutlines(of, entry, exit);
  const centres = [bankingCentre(of, -1), bankingCentre(of, 1)] as const;
  return {
    dimensions: of,
    leverPivot: [0, C],
    balancePivot: [0, C + of.balanceDistance],
    wheel: escapeWheel({
      teeth: of.teeth,
      radius: R,
      heelRadius: of.heelRadius,
      impulseAngle: of.toothAngle,
      undercut: of.undercut,
    }),
    entry,
    exit,
    frame: checked(frame, 'frame'),
    framePieces: framePieces.map((piece) => checked(piece, 'frame')),
    pallet: checked(pallet, 'pallet'),
    guard: guardDart(of),
    impulsePin: pinOutline(of),
    safetyRoller: checked(rollerOutline(of), 'safetyRoller'),
    bankings: [bankingOutline(of, -1, centres[0]), bankingOutline(of, 1, centres[1])],
    bankingCentres: centres,
    round: {
      impulsePin: roundPin(of),
      safetyRoller: roundRoller(of),
      bankings: [circle(of.bankingRadius, centres[0]), circle(of.bankingRadius, centres[1])],
    },
    stopped: { wheel: toeOnImpulseFace(of, entry), lever: 0 },
    lockedOnEntry: { wheel: entry.lockAngle - entry.restAdvance, lever: banking },
    lockedOnExit: { wheel: exit.lockAngle - exit.restAdvance, lever: -banking },
  };
}

const checked = (outer: Polygon, part: string): Polygon =>
  checkedProfile({ outer, holes: [] }, `leverEscapement.${part}`).outer;

// ---- lever --------------------------------------------------------------------------------------------------------------------

/** Holders begin and end at these parts of a stone's length; they are as wide as this part of R on each side of it. */
const HOLDER = { from: 0.42, to: 0.97, wall: 2 / 45 };

const mirrored = ([x, y]: Vec2): Vec2 => [0 - x, y];

/** Left horn from the notch outward, lever's frame: an arc about the balance with the lever banked */
function leftHorn(of: LeverDimensions): Vec2[] {
  const { banking, balanceDistance: L, notchHalfWidth, hornEnd, hornSegments } = of;
  const rho = outerReach(of.pinCircle, of.pinRadius, of.pinFlat) + of.hornClearance;
  const start = asin((notchHalfWidth + L * sin(banking)) / rho) - banking;
  const c = cos(banking);
  const s = sin(banking);
  return Array.from({ length: hornSegments + 1 }, (_, i): Vec2 => {
    const t = start + ((hornEnd - start) * i) / hornSegments;
    const x = 0 - rho * sin(t);
    const y = L - rho * cos(t);
    return i === 0 ? [-notchHalfWidth, c * y - s * x] : [c * x + s * y, c * y - s * x];
  });
}

function leverOutlines(
  of: LeverDimensions,
  entry: PalletStone,
  exit: PalletStone,
): { frame: Vec2[]; framePieces: Vec2[][]; pallet: Vec2[] } {
  const { radius: R, armHalfWidth: a, notchHalfWidth: h, notchBottom } = of;
  const left = leftHorn(of);
  const tip = left[left.length - 1];
  // Right half of the fork from the arm up, its mirror image down
  const side: Vec2[] = [
    [a, (14 / 75) * R],
    [a, notchBottom - (11 / 45) * R],
    [h + (16 / 225) * R, notchBottom - R / 45],
    [0.04 * R - tip[0], tip[1] - R / 225],
  ];
  const fork: Vec2[] = [
    ...side,
    ...left.toReversed().map(mirrored),
    [h, notchBottom],
    [-h, notchBottom],
    ...left,
    ...side.toReversed().map(mirrored),
  ];
  const entryHolder = holder(of, entry, 1);
  const exitHolder = holder(of, exit, -1);
  const hub: Vec2[] = [
    [-R / 9, (-8 / 75) * R],
    [R / 9, (-8 / 75) * R],
  ];
  const [innerTop, middle, outerTop, outerFoot, innerFoot] = entryHolder.corners;
  const [near, foot, top, back] = exitHolder.corners;
  const [A, B, Bend, Aend] = entry.outline;
  const [P, Q, Qend, Pend] = exit.outline;
  return {
    frame: [...fork, ...entryHolder.corners, ...hub, ...exitHolder.corners],
    framePieces: [
      [
        ...fork,
        innerTop,
        middle,
        entryHolder.freeFoot,
        innerFoot,
        ...hub,
        near,
        exitHolder.lockFoot,
        exitHolder.lockTop,
        back,
      ],
      [entryHolder.lockTop, outerTop, outerFoot, entryHolder.lockFoot],
      [exitHolder.freeFoot, foot, top, exitHolder.freeTop],
    ],
    pallet: [
      ...fork,
      innerTop,
      middle,
      Bend,
      Aend,
      entryHolder.lockTop,
      outerTop,
      outerFoot,
      entryHolder.lockFoot,
      A,
      B,
      entryHolder.freeFoot,
      innerFoot,
      ...hub,
      near,
      exitHolder.lockFoot,
      P,
      Q,
      exitHolder.freeFoot,
      foot,
      top,
      exitHolder.freeTop,
      Qend,
      Pend,
      exitHolder.lockTop,
      back,
    ],
  };
}

/** Corners of a holder in the frame's order, and where its lower and upper ends cross the two faces of the stone */
function holder(of: LeverDimensions, { outline, along: e }: PalletStone, s: 1 | -1) {
  const [A, B] = outline;
  const wall = HOLDER.wall * of.radius;
  // across the stone, from B's side to A's
  const p: Vec2 = [0 - e[1], e[0]];
  const at = (corner: Vec2, part: number, aside: number): Vec2 => [
    corner[0] + part * of.stoneLength * e[0] + aside * p[0],
    corner[1] + part * of.stoneLength * e[1] + aside * p[1],
  ];
  const outerFoot = at(A, HOLDER.from, wall);
  const outerTop = at(A, HOLDER.to, wall);
  const innerFoot = at(B, HOLDER.from, -wall);
  const innerTop = at(B, HOLDER.to, -wall);
  const middle = at(B, HOLDER.to, 0);
  const corners: Vec2[] =
    s > 0 ? [innerTop, middle, outerTop, outerFoot, innerFoot] : [outerFoot, innerFoot, innerTop, outerTop];
  return {
    corners,
    lockFoot: crossing(A, e, outerFoot, innerFoot),
    freeFoot: crossing(B, e, outerFoot, innerFoot),
    lockTop: s > 0 ? crossing(A, e, outerTop, middle) : crossing(A, e, outerTop, innerTop),
    freeTop: s > 0 ? middle : crossing(B, e, outerTop, innerTop),
  };
}

/** Where the line through `point` along e crosses the segment from q to r */
function crossing(point: Vec2, e: Vec2, q: Vec2, r: Vec2): Vec2 {
  const side = (corner: Vec2): number => e[0] * (corner[1] - point[1]) - e[1] * (corner[0] - point[0]);
  const t = side(q) / (side(q) - side(r));
  return [q[0] + t * (r[0] - q[0]), q[1] + t * (r[1] - q[1])];
}

/** Tip on the lever's axis: `guardClearance` from the roller with the lever banked */
function guardDart(of: LeverDimensions): Polygon {
  const { radius: R, banking, balanceDistance: L, safetyRadius, guardClearance } = of;
  const across = L * sin(banking);
  const reach = safetyRadius + guardClearance;
  if (!(reach > across))
    throw new ModelError(
      'leverEscapement.safetyRadius',
      `expected more than ${across - guardClearance} m, or the guard passes beside the roller, got ${safetyRadius}`,
    );
  const tip = L * cos(banking) - Math.sqrt(reach * reach - across * across);
  const half = R / 45;
  return [
    [-half, 1.2 * R],
    [half, 1.2 * R],
    [half, tip - half],
    [0, tip],
    [-half, tip - half],
  ];
}

// ---- balance ------------------------------------------------------------------------------------------------------------------

/** Arc over the side of the staff, from corner to corner of the outer flat */
function pinOutline(of: LeverDimensions): Polygon {
  const { pinCircle, pinRadius, pinFlat, pinSegments: n } = of;
  const below = asin(pinFlat / pinRadius);
  return Array.from({ length: n + 1 }, (_, i): Vec2 => {
    const angle = -below + ((Math.PI + 2 * below) * i) / n;
    if (2 * i === n) return [0, pinRadius - pinCircle];
    return [pinRadius * cos(angle), pinRadius * sin(angle) - pinCircle];
  });
}

/** The same as two arcs that meet on the side of the staff */
function roundPin({ pinCircle, pinRadius, pinFlat }: LeverDimensions): Outline {
  const below = asin(pinFlat / pinRadius);
  return arcCorners(pinRadius, -pinCircle, -below, Math.PI + below, 2);
}

/** Corners of an arc about (0, y) in equal pieces, the last without a bulge. @param from, to rad */
function arcCorners(radius: number, y: number, from: number, to: number, pieces: number): Corner[] {
  const bulge = bulgeOfSweep((to - from) / pieces);
  return Array.from({ length: pieces + 1 }, (_, i): Corner => {
    const angle = from + ((to - from) * i) / pieces;
    const corner: Vec2 = [radius * cos(angle), y + radius * sin(angle)];
    return i < pieces ? [...corner, bulge] : corner;
  });
}

/** Circle with a crescent centred on its rim below the pin */
function rollerOutline(of: LeverDimensions): Polygon {
  const { safetyRadius: r, crescentRadius: c, segments } = of;
  if (!(c < r))
    throw new ModelError('leverEscapement.crescentRadius', `expected less than safetyRadius = ${r} m, got ${c}`);
  const half = 2 * asin(c / (2 * r)); // of the crescent, seen from the staff
  const outline: Vec2[] = [];
  const n = Math.ceil((segments * (Math.PI - half)) / Math.PI);
  for (let i = 0; i <= n; i++) {
    const angle = half - 0.5 * Math.PI + (2 * (Math.PI - half) * i) / n;
    outline.push([r * cos(angle), r * sin(angle)]);
  }
  const m = Math.max(8, Math.ceil(segments / 4));
  for (let i = 1; i < m; i++) {
    const angle = Math.PI - 0.5 * half - ((Math.PI - half) * i) / m;
    outline.push([c * cos(angle), c * sin(angle) - r]);
  }
  return outline;
}

/** The same as arcs: the rim, and the crescent back */
function roundRoller({ safetyRadius: r, crescentRadius: c }: LeverDimensions): Outline {
  const half = 2 * asin(c / (2 * r));
  const rim = arcCorners(r, 0, half - 0.5 * Math.PI, 1.5 * Math.PI - half, 4);
  const crescent = arcCorners(c, -r, Math.PI - 0.5 * half, 0.5 * half, 2);
  return [...rim.slice(0, -1), ...crescent.slice(0, -1)];
}

// ---- plate --------------------------------------------------------------------------------------------------------------------

/** @param side −1 left, 1 right */
function bankingCentre(of: LeverDimensions, side: 1 | -1): Vec2 {
  const { banking, bankingDistance: D, armHalfWidth, bankingRadius, centreDistance } = of;
  const aside = armHalfWidth + bankingRadius;
  const s = sin(banking);
  const c = cos(banking);
  return [side * (D * s + aside * c), centreDistance + D * c - aside * s];
}

/** A corner lies where the arm touches, so that the facets take nothing from the lever's angle. */
function bankingOutline(of: LeverDimensions, side: 1 | -1, [x, y]: Vec2): Polygon {
  const { banking, bankingRadius: r, segments: n } = of;
  const first = side < 0 ? banking : Math.PI - banking;
  return Array.from({ length: n }, (_, i): Vec2 => {
    const angle = first + (2 * Math.PI * i) / n;
    return [x + r * cos(angle), y + r * sin(angle)];
  });
}

// ---- where to start -----------------------------------------------------------------------------------------------------------

/** Wheel angle at which a toe lies on a stone's impulse face with the lever on the line of centres */
function toeOnImpulseFace({ radius: R, centreDistance: C }: LeverDimensions, { outline }: PalletStone): number {
  const [A, B] = outline;
  const dx = B[0] - A[0];
  const dy = B[1] - A[1];
  const x = A[0];
  const y = A[1] + C;
  const square = dx * dx + dy * dy;
  const b = (x * dx + y * dy) / square;
  const root = Math.sqrt(b * b - (x * x + y * y - R * R) / square);
  const inside = [-b - root, -b + root].filter((k) => k >= 0 && k <= 1);
  if (inside.length === 0)
    throw new ModelError(
      'leverEscapement.lift',
      'no tooth lies on the entry stone with the lever on the line of centres: it could not start by itself; use more lift or less lock',
    );
  const k = inside[0];
  return atan2(y + k * dy, x + k * dx);
}
