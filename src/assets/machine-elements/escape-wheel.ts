/**
 * The escape wheel of a Swiss lever watch: club teeth that lean forward, a rim and spokes.
 *
 * The wheel turns clockwise; the toe T of a tooth rests on the pallet stone, the plane T–H from toe to heel gives part
 * of the impulse. All in the wheel's frame, toe of tooth 0 on +x, angles counter-clockwise:
 *
 *   front face  F(ρ) = (R − s cos u, s sin u),  s = R cos u − √(ρ² − R² sin² u)    leans by u behind the radius
 *   heel        H at radius R_h and angle w;  back K₁, K₂, K₃ at 0.92, 0.80, 0.74 R and w + 1.5°, 5.5°, 9.5°
 *   root        two corners between K₃ and F(0.74 R) of the next tooth
 *
 * The angles of the back are for 15 teeth; other numbers scale them by 15 / teeth so that the gaps keep their shape.
 */
import { ModelError } from '../../errors.js';
import { circlePoint } from '../../geometry/circle.js';
import { checkedProfile } from '../../geometry/polygon-nesting.js';
import { circleOutline } from '../../geometry/primitives.js';
import type { Polygon, PolygonProfile } from '../../geometry/profile.js';
import { replicate } from '../../geometry/replicate.js';
import { requireCount, requireLength, requireLengthOrZero } from '../../geometry/require.js';
import { asin, atan2, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';

const DEGREE = Math.PI / 180;

export interface EscapeWheelSize {
  /** default 15 */
  readonly teeth?: number;
  /** of the circle through the toes (locking circle), m; default 2.25 mm */
  readonly radius?: number;
  /** of the circle through the heels, m; default 1.028 radius */
  readonly heelRadius?: number;
  /** angle from toe to heel, rad; default 4° for 15 teeth */
  readonly impulseAngle?: number;
  /** lean of the front face behind the radius, rad; default 24° */
  readonly undercut?: number;
  /** of the circle between the teeth, m; default 0.74 radius */
  readonly rootRadius?: number;
  /** inside of the rim, m; default 0.62 radius; 0 leaves the wheel a full disc */
  readonly rimInnerRadius?: number;
  /** m; default 0.22 radius */
  readonly hubRadius?: number;
  /** default 4 */
  readonly spokes?: number;
  /** m; default 0.10 radius */
  readonly spokeWidth?: number;
  /** of the hole for the arbor, m; default 0, none */
  readonly bore?: number;
}

/**
 * Outline of the wheel with the windows between its spokes, and the bore, as holes.
 *
 * @throws ModelError if sizes do not fit each other
 * @example extrude(escapeWheel({ teeth: 15, radius: 2.25e-3 }), 0.13e-3)
 */
export function escapeWheel(size: EscapeWheelSize = {}): PolygonProfile {
  const teeth = requireCount('escapeWheel.teeth', size.teeth ?? 15, 6, 60);
  const radius = requireLength('escapeWheel.radius', size.radius ?? 2.25e-3);
  const rootRadius = requireLength('escapeWheel.rootRadius', size.rootRadius ?? 0.74 * radius);
  const rimInnerRadius = requireLengthOrZero('escapeWheel.rimInnerRadius', size.rimInnerRadius ?? 0.62 * radius);
  const hubRadius = requireLength('escapeWheel.hubRadius', size.hubRadius ?? 0.22 * radius);
  const bore = requireLengthOrZero('escapeWheel.bore', size.bore ?? 0);
  if (!(rootRadius < 0.8 * radius))
    throw new ModelError(
      'escapeWheel.rootRadius',
      `expected less than 0.8 radius = ${0.8 * radius} m, got ${rootRadius}`,
    );
  if (!(rimInnerRadius < rootRadius))
    throw new ModelError(
      'escapeWheel.rimInnerRadius',
      `expected less than rootRadius = ${rootRadius} m, got ${rimInnerRadius}; the rim needs a width`,
    );
  if (!(bore < (rimInnerRadius > 0 ? hubRadius : rootRadius)))
    throw new ModelError('escapeWheel.bore', `expected less than hubRadius = ${hubRadius} m, got ${bore}`);

  const holes: Polygon[] = rimInnerRadius > 0 ? spokeWindows(size, radius, rimInnerRadius, hubRadius) : [];
  if (bore > 0) holes.push(circleOutline(64, bore).toReversed());
  const outer = replicate(teeth, escapeTooth({ ...size, teeth, radius, rootRadius }));
  return checkedProfile({ outer, holes }, 'escapeWheel');
}

/** Ten corners of tooth 0, counter-clockwise: F₃, F₂, F₁, toe, heel, K₁, K₂, K₃ and two on the root circle. */
export function escapeTooth(size: EscapeWheelSize & { teeth: number; radius: number; rootRadius: number }): Polygon {
  const { teeth, radius: R, rootRadius } = size;
  const crowding = 15 / teeth;
  const heelRadius = requireLength('escapeWheel.heelRadius', size.heelRadius ?? 1.028 * R);
  const impulse = size.impulseAngle ?? 4 * DEGREE * crowding;
  const u = size.undercut ?? 24 * DEGREE;
  if (!(impulse > 0 && impulse < 0.4 * ((2 * Math.PI) / teeth)))
    throw new ModelError(
      'escapeWheel.impulseAngle',
      `expected > 0 and < 0.4 of the pitch, ${(0.8 * Math.PI) / teeth} rad, got ${impulse}`,
    );
  if (!(u >= 0 && u <= 40 * DEGREE))
    throw new ModelError('escapeWheel.undercut', `expected 0 to 40°, that is 0 to 0.698 rad, got ${u}`);
  if (!(heelRadius > 0.92 * R))
    throw new ModelError('escapeWheel.heelRadius', `expected more than 0.92 radius = ${0.92 * R} m, got ${heelRadius}`);
  const front = (rho: number): Vec2 => {
    const s = R * cos(u) - Math.sqrt(rho * rho - R * R * sin(u) * sin(u));
    return [R - s * cos(u), s * sin(u)];
  };
  const polar = (rho: number, angle: number): Vec2 => [rho * cos(angle), rho * sin(angle)];
  const back = (rho: number, degrees: number) => polar(rho, impulse + degrees * DEGREE * crowding);
  const k3 = impulse + 9.5 * DEGREE * crowding;
  const s3 = front(rootRadius);
  // The root runs from K₃ to F₃ of the next tooth, one pitch further
  const f3 = (2 * Math.PI) / teeth + atan2(s3[1], s3[0]);
  if (!(f3 > k3))
    throw new ModelError(
      'escapeWheel.impulseAngle',
      `teeth leave no gap between them; use a smaller angle than ${impulse} rad`,
    );
  for (const [rho, degrees] of [
    [0.92 * R, 1.5],
    [0.8 * R, 5.5],
    [rootRadius, 9.5],
  ]) {
    const face = front(rho);
    if (!(atan2(face[1], face[0]) < impulse + degrees * DEGREE * crowding))
      throw new ModelError(
        'escapeWheel.undercut',
        `front and back of a tooth meet at radius ${rho} m with ${teeth} teeth; use fewer teeth or less undercut than ${u} rad`,
      );
  }
  return [
    s3,
    front(0.8 * R),
    front(0.92 * R),
    [R, 0],
    polar(heelRadius, impulse),
    back(0.92 * R, 1.5),
    back(0.8 * R, 5.5),
    back(rootRadius, 9.5),
    polar(rootRadius, k3 + (f3 - k3) / 3),
    polar(rootRadius, k3 + (2 * (f3 - k3)) / 3),
  ];
}

/** Openings between rim and hub, bounded by two arcs and the straight, parallel sides of two spokes; clockwise. */
function spokeWindows(size: EscapeWheelSize, radius: number, outside: number, inside: number): Polygon[] {
  const spokes = requireCount('escapeWheel.spokes', size.spokes ?? 4, 2, 24);
  const width = requireLength('escapeWheel.spokeWidth', size.spokeWidth ?? 0.1 * radius);
  const pitch = (2 * Math.PI) / spokes;
  if (!(inside < outside))
    throw new ModelError('escapeWheel.hubRadius', `expected less than rimInnerRadius = ${outside} m, got ${inside}`);
  if (!(width / 2 < inside && 2 * asin(width / (2 * inside)) < 0.95 * pitch))
    throw new ModelError(
      'escapeWheel.spokeWidth',
      `${spokes} spokes of ${width} m leave no window at the hub of radius ${inside} m; use fewer or thinner ones`,
    );
  // Spoke k lies along k/spokes of a turn; half its width takes the angle asin(width / 2ρ) at radius ρ
  const window: Vec2[] = [];
  const arc = (rho: number, corners: number, backwards: boolean) => {
    const from = asin(width / (2 * rho));
    const to = pitch - from;
    for (let i = 0; i <= corners; i++) {
      const t = backwards ? corners - i : i;
      const angle = from + ((to - from) * t) / corners;
      window.push([rho * cos(angle), rho * sin(angle)]);
    }
  };
  arc(inside, Math.max(2, Math.ceil(32 / spokes)), false);
  arc(outside, Math.max(2, Math.ceil(64 / spokes)), true);
  return Array.from({ length: spokes }, (_, k) => {
    const [c, s] = circlePoint(k, spokes);
    return window.map(([x, y]): Vec2 => [c * x - s * y, s * x + c * y]);
  });
}
