/**
 * The two pallet stones: where their corners must be so that lock, draw, lift and drop are what was asked for.
 *
 * Drawings by tangents leave a little less lock than they say, for the locking circle bends away from its tangent. Here corners lie on
 * the circles of toe and heel, so that the angles are exact. In the lever's frame, s = +1 and T₀ = 90° + σ for entry, −1 and 90° − σ for
 * exit, T(r, a) the point of radius r at the polar angle a about the wheel, Rot(a) a turn:
 *
 *   A  locking corner     Rot(−s φ_u)(T(R, T₀) − O_p)
 *   e  locking face       at the angle T₀ − δ − s φ_b from A outward: inclined by the draw δ to the wheel's radius with the lever banked
 *   B  let-off corner     Rot(−s (φ_u − l₁))(T(R, T₀ − w) − O_p)
 *
 * The wheel turns by w while the toe is on the stone, and the heel leaves B at β_H = 90° + s asin(ρ sin γ(R_h)/R_h), with
 * ρ² = R² + C² − 2 R C cos(T₀ − w − 90°) the distance of B from O_p and γ(r) = acos((C² + ρ² − r²)/(2 C ρ)). The drop is right if
 *
 *   β_H = T₀ − pitch/2 + w_t − ε_L(other stone) + drop
 *
 * which is solved for w. Of the lift, l₂ = γ(R_h) − γ(R) is on the tooth and l₁ = l − l₂ on the stone. ε is how far a locked toe has
 * come beyond T₀: ε_L when it drops, ε_T at rest on the banking; the wheel recoils by ε_T at unlocking.
 */
import { ModelError } from '../../errors.js';
import type { Polygon } from '../../geometry/profile.js';
import { acos, asin, atan2, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import type { LeverDimensions } from './lever-escapement-dimensions.js';

export interface PalletStone {
  /** A, B, B′, A′ counter-clockwise in the lever's frame, m: A–A′ locks, A–B takes the impulse */
  readonly outline: Polygon;
  /** e, unit vector along the locking face, from A outward */
  readonly along: Vec2;
  /** w, wheel angle over which the toe pushes, rad */
  readonly toeAngle: number;
  /** l₁ and l₂: lift on the stone and on the tooth, rad */
  readonly stoneLift: number;
  readonly toothLift: number;
  /** ε_L and ε_T: advance of the toe beyond T₀ when it drops and at rest, rad */
  readonly dropAdvance: number;
  readonly restAdvance: number;
  /** Polar angle T₀ of the locking corner about the wheel, rad */
  readonly lockAngle: number;
}

export function palletStones(of: LeverDimensions): { readonly entry: PalletStone; readonly exit: PalletStone } {
  const entry = lockingFace(of, 1);
  const exit = lockingFace(of, -1);
  return {
    entry: stone(of, 1, entry, exit.dropAdvance, of.drop),
    exit: stone(of, -1, exit, entry.dropAdvance, of.exitDrop),
  };
}

const turned = ([x, y]: Vec2, angle: number): Vec2 => {
  const c = cos(angle);
  const s = sin(angle);
  return [c * x - s * y, s * x + c * y];
};

/** A point about the wheel, seen from the lever's pivot */
const fromPivot = (of: LeverDimensions, radius: number, angle: number): Vec2 => [
  radius * cos(angle),
  radius * sin(angle) - of.centreDistance,
];

interface LockingFace {
  readonly lockAngle: number;
  readonly corner: Vec2;
  readonly along: Vec2;
  readonly dropAdvance: number;
  readonly restAdvance: number;
}

function lockingFace(of: LeverDimensions, s: 1 | -1): LockingFace {
  const { radius: R, draw, banking, unlocked, run, halfSpan } = of;
  const lockAngle = 0.5 * Math.PI + s * halfSpan;
  const corner = turned(fromPivot(of, R, lockAngle), -s * unlocked);
  const direction = lockAngle - draw - s * banking;
  const along: Vec2 = [cos(direction), sin(direction)];
  const advance = (phi: number): number => lockAngle - toeOnFace(of, corner, along, phi);
  return { lockAngle, corner, along, dropAdvance: advance(s * (banking - run)), restAdvance: advance(s * banking) };
}

/** Polar angle of a toe that lies on the locking face of a stone, the lever at φ: on the circle R and on the line from A along e */
function toeOnFace({ radius: R, centreDistance: C }: LeverDimensions, corner: Vec2, along: Vec2, phi: number): number {
  const a = turned(corner, phi);
  const x = a[0];
  const y = a[1] + C;
  const g = turned(along, phi);
  const b = x * g[0] + y * g[1];
  const k = Math.sqrt(b * b - x * x - y * y + R * R) - b;
  return atan2(y + k * g[1], x + k * g[0]);
}

/** Wheel angle with a tooth locked on a stone and the lever at the angle φ, rad */
export const lockedWheelAngle = (of: LeverDimensions, { outline, along }: PalletStone, phi: number): number =>
  toeOnFace(of, outline[0], along, phi);

function stone(of: LeverDimensions, s: 1 | -1, face: LockingFace, otherAdvance: number, drop: number): PalletStone {
  const { radius: R, heelRadius, centreDistance: C, pitch, toothAngle, lift, unlocked, stoneLength } = of;
  const { lockAngle, corner, along } = face;
  const wanted = lockAngle - 0.5 * pitch + toothAngle - otherAdvance + drop;
  let w = 0.25 * pitch;
  let rho = 0;
  const seen = (radius: number): number => acos((C * C + rho * rho - radius * radius) / (2 * C * rho));
  for (let i = 0; i < 60; i++) {
    rho = Math.sqrt(R * R + C * C - 2 * R * C * cos(lockAngle - w - 0.5 * Math.PI));
    const heel = 0.5 * Math.PI + s * asin((rho * sin(seen(heelRadius))) / heelRadius);
    const change = heel - wanted;
    w += change;
    if (Math.abs(change) < 1e-15) break;
  }
  const toothLift = seen(heelRadius) - seen(R);
  const stoneLift = lift - toothLift;
  if (!(w > 0 && toothLift > 0 && stoneLift > 0))
    throw new ModelError(
      'leverEscapement.lift',
      `the teeth's heels alone lift the lever by ${toothLift} rad and the stones would have to be ${w} rad wide; expected a lift that leaves something to the stones: use a smaller heelRadius, drop or toothAngle, or more lift than ${lift} rad`,
    );
  const letOff = turned(fromPivot(of, R, lockAngle - w), -s * (unlocked - stoneLift));
  const behind = ([x, y]: Vec2): Vec2 => [x + stoneLength * along[0], y + stoneLength * along[1]];
  return {
    outline: [corner, letOff, behind(letOff), behind(corner)],
    along,
    toeAngle: w,
    stoneLift,
    toothLift,
    dropAdvance: face.dropAdvance,
    restAdvance: face.restAdvance,
    lockAngle,
  };
}
