/**
 * External Geneva mechanism: all lengths and angles that follow from a few, and the rules they must obey.
 *
 * A drive with one pin turns steadily; each turn the pin enters a slot of the wheel and moves it on by 2π/n. In between
 * a disc on the drive lies in an arc of the wheel and locks it. Plan view, wheel axis at O = (0, 0), drive axis at
 * Q = (C, 0). The pin enters a slot along it, so that there is no shock: the triangle of O, Q and the pin has a right
 * angle at the pin then, hence
 *
 *   C = r / cos(π/n),   a = r tan(π/n)
 *
 * Elmqvist et al. (2015), §8.2, after Gottland (2012) and Bickford (1972). Two things differ from them:
 * the relief of the disc, which lets the wheel's tips pass, is centred k C z/a from the drive axis, on the pin's side
 * (k = 1: the triangle of pin entry shrunk by z/a), and its edges are drawn back by an angle ε so that the disc holds
 * the wheel until the pin does; and the pin is at most a/4 thick, as for n ≥ 11 the tips would collide with the disc.
 */
import { ModelError } from '../../errors.js';
import { requireCount, requireLength, requireLengthOrZero } from '../../geometry/require.js';
import { acos, asin, cbrt, cos, sin, tan } from '../../math/elementary.js';

/** Everything has a default that follows from slots and radius. Lengths in m, angles in rad. */
export interface GenevaOptions {
  /** n, 3 to 12; default 6 */
  readonly slots?: number;
  /** r of the wheel; default 20 mm */
  readonly radius?: number;
  /** p; default min(r/10, a/4) */
  readonly pinDiameter?: number;
  /** c, slot width minus pin diameter; default r/100 */
  readonly clearance?: number;
  /** radius of the wheel's locking arc minus radius of the disc in it; default as `clearance` */
  readonly lockClearance?: number;
  /** h of the wheel; default r/5 */
  readonly height?: number;
  /** ε, how far the edges of the relief are drawn back; default min(5, 13 − n)°, less with a very small lockClearance; 0 as in the paper */
  readonly reliefSetback?: number;
  /** k, distance of the relief's centre from the drive axis over C z/a; default 0.75, 1 as in the paper */
  readonly reliefCentre?: number;
  /** hole in the middle of the wheel; default 0, no hole */
  readonly boreRadius?: number;
  /** between wheel and drive plate, and by how much pin and disc stand out above the wheel; default h/10 */
  readonly axialGap?: number;
  /** thickness of the plate that carries disc and pin; default h/2; with 0 there is none, and disc and pin are two parts */
  readonly plateThickness?: number;
  /** shaft below the drive's plate; default 0, no shaft */
  readonly shaftRadius?: number;
  /** default 5 h */
  readonly shaftLength?: number;
  /** corners of a full circle; rounded up to a whole number per half sector on the wheel's rim; default 128 */
  readonly segments?: number;
  /** corners of the pin and of a slot's end as a full circle; default 3/8 of `segments`, at least 16; a multiple of 4 */
  readonly pinSegments?: number;
}

/** All options with their values, and what follows from them. Lengths in m, angles in rad. */
export interface GenevaDimensions extends Required<GenevaOptions> {
  /** C, between the axes: r / cos(π/n) */
  readonly centreDistance: number;
  /** a, of the pin: r tan(π/n) */
  readonly crankRadius: number;
  /** r + a − C; the round end of a slot is centred C − a from the wheel axis */
  readonly slotLength: number;
  /** w = p + c */
  readonly slotWidth: number;
  /** R = a − 1.5 p, centred at C on each arc line */
  readonly lockArcRadius: number;
  /** z = R − lockClearance */
  readonly discRadius: number;
  /** π/2 − π/n: angle of the pin from the centre line when it enters and leaves */
  readonly entryAngle: number;
  /** δ = π/2 − π/n − ε: half angle of the relief seen from the drive axis */
  readonly reliefHalfAngle: number;
  /** H = k C z/a, from the drive axis */
  readonly reliefDistance: number;
  /** ρ = √(H² + z² − 2 H z cos δ) */
  readonly reliefRadius: number;
  /** τ: polar angle of a corner of the locking arc from the arc's line, seen from the wheel axis */
  readonly arcCornerAngle: number;
  /** γ: half angle of the locking arc, seen from the drive axis */
  readonly arcHalfAngle: number;
  /** σ = asin(w / 2r): half angle of a slot's mouth */
  readonly mouthHalfAngle: number;
  /** how far the locked wheel can turn either way, both corners of the arc on the disc */
  readonly lockPlay: number;
  /** how far the wheel can lag or lead the pin in mid index, where it is most: asin(c / 2(C − a)) */
  readonly slotPlay: number;
  /** |φ| of the drive, 0 in mid dwell, up to which both corners of the locking arc are on the disc: π − δ − γ */
  readonly lockedUpTo: number;
}

const DEGREE = Math.PI / 180;

/**
 * All dimensions of a Geneva mechanism, from those given and the defaults for the others.
 *
 * @throws ModelError if the parts would not fit, saying which rule is broken and by which number
 * @example const { centreDistance, crankRadius } = genevaDimensions({ slots: 4, radius: 0.03 });
 */
export function genevaDimensions(options: GenevaOptions = {}): GenevaDimensions {
  const { slots: n = 6, radius: r = 0.02 } = options;
  requireCount('geneva.slots', n, 3, 12);
  requireLength('geneva.radius', r);
  const C = r / cos(Math.PI / n);
  const a = r * tan(Math.PI / n);

  const p = requireLength('geneva.pinDiameter', options.pinDiameter ?? Math.min(r / 10, a / 4));
  const c = requireLength('geneva.clearance', options.clearance ?? r / 100);
  const lockClearance = requireLength('geneva.lockClearance', options.lockClearance ?? c);
  const height = requireLength('geneva.height', options.height ?? r / 5);
  // The edge of the disc leaves the arc before the pin holds the wheel: C tan(π/n)/2 · 4 ε³/27 < lockClearance. And the
  // tips of the wheel pass the relief with half the clearance to spare up to min(5, 13 − n)°, found by sweeping.
  const entrySetback = cbrt((13.5 * lockClearance) / (C * tan(Math.PI / n)));
  const largestSetback = Math.min(Math.min(5, 13 - n) * DEGREE, 0.9 * entrySetback);
  const reliefSetback = options.reliefSetback ?? largestSetback;
  const reliefCentre = options.reliefCentre ?? 0.75;
  const boreRadius = requireLengthOrZero('geneva.boreRadius', options.boreRadius ?? 0);
  const axialGap = requireLength('geneva.axialGap', options.axialGap ?? height / 10);
  const plateThickness = requireLengthOrZero('geneva.plateThickness', options.plateThickness ?? height / 2);
  const shaftRadius = requireLengthOrZero('geneva.shaftRadius', options.shaftRadius ?? 0);
  const shaftLength = requireLength('geneva.shaftLength', options.shaftLength ?? 5 * height);
  const segments = requireCount('geneva.segments', options.segments ?? 128, 16, 65536);
  const pinSegments = requireCount(
    'geneva.pinSegments',
    options.pinSegments ?? Math.max(16, 4 * Math.ceil((3 * segments) / 32)),
    8,
    65536,
  );
  if (pinSegments % 4 !== 0)
    throw new ModelError(
      'geneva.pinSegments',
      `expected a multiple of 4, got ${pinSegments}; a slot's end is half of it`,
    );

  // Rules, in the order in which one dimension builds on another
  const slotLength = r + a - C;
  const w = p + c;
  rule(p > 2 * c, 'pinDiameter', `> 2 clearance = ${2 * c} m, as the wall between slot and locking arc is p − c/2`, p);
  rule(
    p <= (a / 4) * (1 + 1e-12),
    'pinDiameter',
    `≤ a quarter of the crank radius = ${a / 4} m, or the tips of the wheel collide with the disc`,
    p,
  );
  rule(
    1.5 * p < slotLength,
    'pinDiameter',
    `< slotLength / 1.5 = ${slotLength / 1.5} m, or there is no locking arc`,
    p,
  );
  rule(
    w < 2 * (C - a) * sin(Math.PI / n),
    'clearance',
    `< ${2 * (C - a) * sin(Math.PI / n) - p} m, or neighbouring slots meet`,
    c,
  );
  const R = a - 1.5 * p;
  const arcHalfAngle = acos((C * C + R * R - r * r) / (2 * C * R));
  const least = (0.5 * c * C * sin(arcHalfAngle)) / r;
  rule(
    lockClearance > least,
    'lockClearance',
    `> ${least} m (half the clearance, nearly), or the returning disc meets a wheel that still leads by the play of the slot`,
    lockClearance,
  );
  rule(lockClearance < R / 2, 'lockClearance', `< half the radius of the locking arc = ${R / 2} m`, lockClearance);
  if (!(reliefSetback >= 0 && reliefSetback <= largestSetback * (1 + 1e-12)))
    throw new ModelError(
      'geneva.reliefSetback',
      `expected an angle from 0 to ${largestSetback} rad, got ${reliefSetback}; beyond it the disc is in the way of the tips of the wheel`,
    );
  if (!(reliefCentre >= 0.75 && reliefCentre <= 1))
    throw new ModelError('geneva.reliefCentre', `expected a ratio from 0.75 to 1, got ${reliefCentre}`);
  rule(boreRadius < C - a - w / 2, 'boreRadius', `< ${C - a - w / 2} m, where the slots end`, boreRadius);
  rule(shaftRadius === 0 || plateThickness > 0, 'plateThickness', '> 0 m to carry the shaft', plateThickness);

  const z = R - lockClearance;
  const entryAngle = Math.PI / 2 - Math.PI / n;
  const delta = entryAngle - reliefSetback;
  const H = (reliefCentre * C * z) / a;
  const arcCornerAngle = acos((C * C + r * r - R * R) / (2 * C * r));
  return {
    slots: n,
    radius: r,
    pinDiameter: p,
    clearance: c,
    lockClearance,
    height,
    reliefSetback,
    reliefCentre,
    boreRadius,
    axialGap,
    plateThickness,
    shaftRadius,
    shaftLength,
    segments,
    pinSegments,
    centreDistance: C,
    crankRadius: a,
    slotLength,
    slotWidth: w,
    lockArcRadius: R,
    discRadius: z,
    entryAngle,
    reliefHalfAngle: delta,
    reliefDistance: H,
    reliefRadius: Math.sqrt(H * H + z * z - 2 * H * z * cos(delta)),
    arcCornerAngle,
    arcHalfAngle,
    mouthHalfAngle: asin(w / (2 * r)),
    lockPlay: arcCornerAngle - acos((C * C + r * r - z * z) / (2 * C * r)),
    slotPlay: asin(c / (2 * (C - a))),
    lockedUpTo: Math.PI - delta - arcHalfAngle,
  };
}

function rule(holds: boolean, name: string, expected: string, got: number): void {
  if (!holds) throw new ModelError(`geneva.${name}`, `expected ${expected}; got ${got} m`);
}
