/**
 * Swiss lever escapement: sizes, angles and centres that follow from what a watchmaker chooses.
 *
 * Plan view, angles counter-clockwise. The escape wheel turns clockwise about O_w = (0, 0); the lever about O_p = (0, C), its fork towards
 * the balance, +y; the balance about O_b = (0, C + L_b). The lever's angle φ is 0 on the line of centres and > 0 with the fork to the
 * left, the entry stone (left, on the wheel's polar angle 120°) then deep in the wheel. Balance angle ϑ > 0 moves the pin to the right.
 *
 *   C   = R / cos σ                       σ = 30° for 15 teeth: the tangents to the locking circle at both stones meet in O_p
 *   φ_b = r + (L + l)/2                   lever on its banking; locks end at φ_u = φ_b − r − L, let-off is at −(φ_b − r)
 *   L_f = r_p sin ϑ_b / sin φ_b,   L_b = L_f cos φ_b + r_p cos ϑ_b       the pin meets the notch at ϑ_b with the lever banked
 *
 *   R lock radius of the wheel, L lock, l lift, r run to the banking, r_p radius of the impulse pin's circle, ϑ_b half angle of engagement
 *
 * Proportions are those of textbook drawings: 15 club teeth, pallets over 2½ of them, tangents at 30°, lever 10° = lock 1.5° + lift 8.5°,
 * undercut 24°; M. Headrick, Clock and Watch Escapement Mechanics; British Horological Institute, Drawing Clock and Watch Escapements (2011).
 */
import { ModelError } from '../../errors.js';
import { requireCount, requireLength } from '../../geometry/require.js';
import { asin, cos, sin, tan } from '../../math/elementary.js';

const DEGREE = Math.PI / 180;

/** Everything has a default. Lengths in m, angles in rad. */
export interface LeverEscapementOptions {
  /** N; default 15 */
  readonly teeth?: number;
  /** R of the circle through the toes; default 2.25 mm. All other lengths follow it unless they are given. */
  readonly radius?: number;
  /** w_t from toe to heel; default 4° */
  readonly toothAngle?: number;
  /** R_h of the circle through the heels; default 1.028 R */
  readonly heelRadius?: number;
  /** u, lean of the teeth's front faces; default 24° */
  readonly undercut?: number;
  /** L, lever angle that a tooth rests behind the locking corner when it has dropped; default 1.5° */
  readonly lock?: number;
  /** l, lever angle over which teeth push the stones; default 8.5° */
  readonly lift?: number;
  /** r, lever angle from drop to the banking; default 0.5° */
  readonly run?: number;
  /** δ, between locking face and wheel radius with the lever banked; default 13° */
  readonly draw?: number;
  /** Wheel angle of free fall when the entry stone lets go, and the exit stone; default 1.5° both */
  readonly drop?: number;
  readonly exitDrop?: number;
  /** L_s of the stones; default 0.4 R */
  readonly stoneLength?: number;
  /** r_p; default 0.3111 R */
  readonly pinCircle?: number;
  /** ϑ_b; default 26° */
  readonly engagement?: number;
  /** r_i of the impulse pin; default 0.0711 R */
  readonly pinRadius?: number;
  /** f_i, distance of the pin's outer flat from its centre; default 0.0222 R */
  readonly pinFlat?: number;
  /** c_n on each side of the pin in the notch; default 0.00444 R */
  readonly notchClearance?: number;
  /** c_h between the horns and the way of the pin; default 0.00889 R */
  readonly hornClearance?: number;
  /** ϑ_h, balance angle at which the horns end; default 58° */
  readonly hornEnd?: number;
  /** a, half the width of the arm; default 0.04 R */
  readonly armHalfWidth?: number;
  /** D_k of the banking pins from O_p, along the arm; default 0.7111 R */
  readonly bankingDistance?: number;
  /** r_k; default 0.0533 R */
  readonly bankingRadius?: number;
  /** r_s of the safety roller; default 0.2 R */
  readonly safetyRadius?: number;
  /** Of the guard pin to the roller with the lever banked; default 0.00889 R */
  readonly guardClearance?: number;
  /** Radius of the crescent through which the guard passes; default 0.0889 R */
  readonly crescentRadius?: number;
  /** Pieces of a horn; default 12 */
  readonly hornSegments?: number;
  /** Pieces of the pin's arc, even; default 24 */
  readonly pinSegments?: number;
  /** Corners of the banking pins and the roller as full circles; default 96 */
  readonly segments?: number;
}

/** All options with their values, and what follows from them. Lengths in m, angles in rad. */
export interface LeverDimensions extends Required<LeverEscapementOptions> {
  /** 2π/N */
  readonly pitch: number;
  /** σ, half of what the pallets embrace: 1.25 pitches */
  readonly halfSpan: number;
  /** C from wheel to lever */
  readonly centreDistance: number;
  /** From lever to locking corner as drawn by tangents: R tan σ */
  readonly palletRadius: number;
  /** φ_b: the lever on its banking */
  readonly banking: number;
  /** φ_u: the tooth is at the locking corner */
  readonly unlocked: number;
  /** L_f from lever to pin at the end of engagement */
  readonly forkLength: number;
  /** L_b from lever to balance */
  readonly balanceDistance: number;
  /** h, half the width of the notch */
  readonly notchHalfWidth: number;
  /** y of the notch's bottom in the lever's frame */
  readonly notchBottom: number;
}

/** @throws ModelError where the choice makes no escapement: it says which rule is broken */
export function leverDimensions(options: LeverEscapementOptions = {}): LeverDimensions {
  const path = (name: string): string => `leverEscapement.${name}`;
  const teeth = requireCount(path('teeth'), options.teeth ?? 15, 12, 24);
  const R = requireLength(path('radius'), options.radius ?? 2.25e-3);
  const length = (name: keyof LeverEscapementOptions, part: number): number =>
    requireLength(path(name), options[name] ?? part * R);
  const angle = (name: keyof LeverEscapementOptions, degrees: number, most: number): number => {
    const value = options[name] ?? degrees * DEGREE;
    if (!(value > 0 && value <= most * DEGREE))
      throw new ModelError(path(name), `expected > 0 and ≤ ${most}°, ${most * DEGREE} rad, got ${value}`);
    return value;
  };
  const pitch = (2 * Math.PI) / teeth;
  const halfSpan = 1.25 * pitch;
  const lock = angle('lock', 1.5, 6);
  const lift = angle('lift', 8.5, 16);
  const run = angle('run', 0.5, 3);
  const draw = angle('draw', 13, 30);
  const undercut = angle('undercut', 24, 40);
  const banking = run + 0.5 * (lock + lift);
  const engagement = angle('engagement', 26, 45);
  // the front face of the tooth, not its toe, would lie on the stone
  if (!(undercut > draw + lock + run))
    throw new ModelError(
      path('undercut'),
      `expected more than draw + lock + run = ${(draw + lock + run) / DEGREE}°, got ${undercut / DEGREE}°: the toes would not touch the stones, but the teeth's front faces; use less draw`,
    );
  const pinCircle = length('pinCircle', 14 / 45);
  const pinRadius = length('pinRadius', 16 / 225);
  const pinFlat = length('pinFlat', 1 / 45);
  if (!(pinFlat < pinRadius))
    throw new ModelError(path('pinFlat'), `expected less than pinRadius = ${pinRadius} m, got ${pinFlat}`);
  const forkLength = (pinCircle * sin(engagement)) / sin(banking);
  const balanceDistance = forkLength * cos(banking) + pinCircle * cos(engagement);
  const notchClearance = length('notchClearance', 1 / 225);
  const pinSegments = requireCount(path('pinSegments'), options.pinSegments ?? 24, 8, 512);
  if (pinSegments % 2 !== 0) throw new ModelError(path('pinSegments'), `expected an even number, got ${pinSegments}`);
  const hornClearance = length('hornClearance', 2 / 225);
  const hornEnd = angle('hornEnd', 58, 80);
  const notchHalfWidth = pinRadius + notchClearance;
  const hornRadius = outerReach(pinCircle, pinRadius, pinFlat) + hornClearance;
  const start = asin((notchHalfWidth + balanceDistance * sin(banking)) / hornRadius) - banking;
  if (!(hornEnd > start))
    throw new ModelError(path('hornEnd'), `expected more than ${start} rad, where the notch begins, got ${hornEnd}`);
  return {
    teeth,
    radius: R,
    toothAngle: angle('toothAngle', 60 / teeth, 144 / teeth),
    heelRadius: length('heelRadius', 1.028),
    undercut,
    lock,
    lift,
    run,
    draw,
    drop: angle('drop', 22.5 / teeth, 75 / teeth),
    exitDrop: angle('exitDrop', (options.drop ?? (22.5 / teeth) * DEGREE) / DEGREE, 75 / teeth),
    stoneLength: length('stoneLength', 0.4),
    pinCircle,
    engagement,
    pinRadius,
    pinFlat,
    notchClearance,
    hornClearance,
    hornEnd,
    armHalfWidth: length('armHalfWidth', 0.04),
    bankingDistance: length('bankingDistance', 32 / 45),
    bankingRadius: length('bankingRadius', 4 / 75),
    safetyRadius: length('safetyRadius', 0.2),
    guardClearance: length('guardClearance', 2 / 225),
    crescentRadius: length('crescentRadius', 4 / 45),
    hornSegments: requireCount(path('hornSegments'), options.hornSegments ?? 12, 1, 256),
    pinSegments,
    segments: requireCount(path('segments'), options.segments ?? 96, 8, 4096),
    pitch,
    halfSpan,
    centreDistance: R / cos(halfSpan),
    palletRadius: R * tan(halfSpan),
    banking,
    unlocked: banking - run - lock,
    forkLength,
    balanceDistance,
    notchHalfWidth,
    notchBottom: balanceDistance - pinCircle - pinFlat - R / 45,
  };
}

/** Farthest point of the pin from the balance's axis: a corner of its flat, m */
export const outerReach = (pinCircle: number, pinRadius: number, pinFlat: number): number => {
  const y = pinCircle + pinFlat;
  return Math.sqrt(y * y + pinRadius * pinRadius - pinFlat * pinFlat);
};
