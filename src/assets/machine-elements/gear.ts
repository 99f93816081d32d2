/**
 * Involute spur gears, as a rack cutter would leave them.
 *
 * The flank is the involute of the base circle; the root is the curve that the rounded tip of the rack sweeps while the
 * gear rolls along it. Few teeth without profile shift come out undercut, as in the workshop.
 *
 *   m    module, pitch = π m                                    m
 *   z    teeth;  α pressure angle;  x profile shift, in modules
 *   r    = m z / 2  pitch radius;   r_b = r cos α  base radius
 *   r_a  = r + m (h_a + x)  tip;    r_f = r − m (h_f − x)  root
 *   s    = π m / 2 + 2 x m tan α − backlash  tooth thickness on the pitch circle
 *
 * Half the angle a tooth takes at radius ρ: ψ(ρ) = s / 2r + inv α − inv α_ρ with cos α_ρ = r_b / ρ, inv α = tan α − α.
 *
 * ISO 53:1998, rack profile A (h_a 1, h_f 1.25, tip radius 0.38 modules); Litvin & Fuentes, Gear Geometry (2004), ch. 10–11.
 */
import { ModelError } from '../../errors.js';
import { circle } from '../../geometry/circle-outline.js';
import { reversed } from '../../geometry/outline.js';
import { circleOutline } from '../../geometry/primitives.js';
import type { PolygonProfile, Profile } from '../../geometry/profile.js';
import { replicate } from '../../geometry/replicate.js';
import { requireCount, requireFinite, requireLength, requireLengthOrZero } from '../../geometry/require.js';
import { acos, atan2, cos, sin, tan } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { toothOfArcs } from './gear-arcs.js';

export interface GearSize {
  readonly teeth: number;
  /** pitch diameter / teeth, m */
  readonly module: number;
  /** rad, default 20° */
  readonly pressureAngle?: number;
  /** in modules, default 0; positive moves the rack outwards and avoids undercut */
  readonly profileShift?: number;
  /** what the tooth is thinner than half the pitch on the pitch circle, m; default 0 */
  readonly backlash?: number;
  /** height of the tooth above the pitch circle, in modules, default 1 */
  readonly addendum?: number;
  /** depth of the gap below the pitch circle, in modules, default 1.25 */
  readonly dedendum?: number;
  /** radius of the rack's tip, in modules, default 0.38; made smaller where it does not fit */
  readonly filletRadius?: number;
  /** corners on each flank, default 12; the fillet gets two thirds as many */
  readonly points?: number;
  /** radius of a round hole in the middle, m; default 0, none */
  readonly bore?: number;
  /** greatest distance of arcs from flanks and fillets, m; then all edges are arcs, in place of chords through `points` */
  readonly tolerance?: number;
}

/** The circles and thickness of a gear that mates and tests are computed from, m and rad. */
export interface GearCircles {
  readonly pitchRadius: number;
  readonly baseRadius: number;
  readonly tipRadius: number;
  readonly rootRadius: number;
  /** tooth thickness along the pitch circle, m */
  readonly thickness: number;
  /** where the involute begins, m */
  readonly involuteFrom: number;
  /** whether the root cuts into the involute */
  readonly undercut: boolean;
}

const DEGREE = Math.PI / 180;

/** Half the angle of a tooth's involute at radius ρ ≥ r_b. */
type HalfAngle = (radius: number) => number;

interface Construction extends GearCircles {
  readonly halfAngle: HalfAngle;
  /** half angle where the involute leaves the base circle */
  readonly atBase: number;
  /** the fillet from the root up to the involute, as radius and half angle of the tooth, and its normal; X from 0 to `filletEnd` */
  readonly swept: (X: number) => Vec2;
  readonly sweptNormal: (X: number) => number;
  readonly filletEnd: number;
}

/**
 * Outline of an involute gear about the origin, the middle of a tooth on +x, with its bore as a hole.
 *
 * @throws ModelError if teeth become pointed, gaps have no room for the rack's tip, or the bore reaches the teeth
 * @example extrude(involuteGear({ teeth: 24, module: 0.5e-3, bore: 1e-3 }), 2e-3)
 */
export function involuteGear(size: GearSize & { readonly tolerance: number }): Profile;
export function involuteGear(size: GearSize): PolygonProfile;
export function involuteGear(size: GearSize): Profile {
  const points = requireCount('involuteGear.points', size.points ?? 12, 2, 10_000);
  const bore = requireLengthOrZero('involuteGear.bore', size.bore ?? 0);
  const gear = construct(size);
  const { rootRadius, tipRadius, baseRadius, involuteFrom, halfAngle, swept, filletEnd } = gear;
  if (!(bore < rootRadius))
    throw new ModelError('involuteGear.bore', `expected less than the root radius ${rootRadius} m, got ${bore}`);
  if (size.tolerance !== undefined) {
    const tolerance = requireLength('involuteGear.tolerance', size.tolerance);
    const curves = { ...gear, teeth: size.teeth, fillet: swept, filletNormal: gear.sweptNormal };
    const outer = replicate(size.teeth, toothOfArcs(curves, tolerance));
    return { outer, holes: bore > 0 ? [reversed(circle(bore))] : [] };
  }

  // Upper half of one tooth from the tip down: involute in equal steps of its roll angle √(ρ²/r_b² − 1), then fillet
  const roll = (radius: number) => Math.sqrt(Math.max(0, (radius / baseRadius) * (radius / baseRadius) - 1));
  const [from, to] = [roll(involuteFrom), roll(tipRadius)];
  const side: Vec2[] = [];
  for (let i = 0; i < points; i++) {
    const t = to + ((from - to) * i) / (points - 1);
    const radius = i === 0 ? tipRadius : i === points - 1 ? involuteFrom : baseRadius * Math.sqrt(1 + t * t);
    side.push([radius, halfAngle(radius)]);
  }
  // denser near the root, where the curve bends most
  const filletPoints = Math.max(3, Math.ceil((2 * points) / 3));
  for (let i = filletPoints - 2; i >= 0; i--) {
    const share = i / (filletPoints - 1);
    side.push(swept(filletEnd * share * share));
  }
  const polar = ([radius, angle]: Vec2): Vec2 => [radius * cos(angle), radius * sin(angle)];
  const lower = side.map(([radius, angle]) => polar([radius, -angle])).reverse();
  const tooth = [...lower, polar([tipRadius, 0]), ...side.map(polar)];
  // A corner in the middle of the gap keeps its floor on the root circle, unless the fillets meet there
  if (swept(0)[1] < (Math.PI / size.teeth) * (1 - 1e-6)) tooth.push(polar([rootRadius, Math.PI / size.teeth]));
  const outer = replicate(size.teeth, tooth);
  // Corners every 1/64 of the circumference are enough for a bore
  return { outer, holes: bore > 0 ? [circleOutline(64, bore).toReversed()] : [] };
}

/** The circles of the gear that `involuteGear` draws from the same sizes. */
export function gearCircles(size: GearSize): GearCircles {
  const { pitchRadius, baseRadius, tipRadius, rootRadius, thickness, involuteFrom, undercut } = construct(size);
  return { pitchRadius, baseRadius, tipRadius, rootRadius, thickness, involuteFrom, undercut };
}

function construct(size: GearSize): Construction {
  const { teeth: z, module: m, pressureAngle: alpha = 20 * DEGREE, profileShift: shift = 0 } = size;
  const { backlash = 0, addendum = 1, dedendum = 1.25, filletRadius = 0.38 } = size;
  requireCount('involuteGear.teeth', z, 4, 100_000);
  requireLength('involuteGear.module', m);
  if (!(alpha >= 5 * DEGREE && alpha <= 40 * DEGREE))
    throw new ModelError(
      'involuteGear.pressureAngle',
      `expected 5° to 40°, that is 0.087 to 0.698 rad, got ${alpha}; ${alpha > 1 ? 'angles are in rad' : 'usual is 20°'}`,
    );
  requireFinite('involuteGear.profileShift', shift, 'modules');
  requireLengthOrZero('involuteGear.backlash', backlash);
  requireLength('involuteGear.addendum', addendum);
  requireLength('involuteGear.dedendum', dedendum);
  requireLengthOrZero('involuteGear.filletRadius', filletRadius);

  const pitchRadius = (m * z) / 2;
  const baseRadius = pitchRadius * cos(alpha);
  const tipRadius = pitchRadius + m * (addendum + shift);
  const depth = m * (dedendum - shift); // of the gap below the pitch circle
  const rootRadius = pitchRadius - depth;
  const thickness = (Math.PI * m) / 2 + 2 * shift * m * tan(alpha) - backlash;
  if (!(thickness > 0 && thickness < Math.PI * m))
    throw new ModelError(
      'involuteGear',
      `expected a tooth between 0 and one pitch ${Math.PI * m} m thick, got ${thickness}; check backlash and profileShift`,
    );
  if (!(depth > 0 && rootRadius > 0 && tipRadius > rootRadius))
    throw new ModelError(
      'involuteGear.profileShift',
      `expected gaps that reach below the pitch circle, got a root at ${rootRadius} m for a pitch radius of ${pitchRadius} m`,
    );
  const inv = (a: number) => tan(a) - a;
  const atPitch = thickness / (2 * pitchRadius) + inv(alpha);
  const halfAngle: HalfAngle = (radius) => atPitch - inv(acos(Math.min(1, baseRadius / radius)));
  if (!(halfAngle(tipRadius) > 0))
    throw new ModelError(
      'involuteGear',
      `teeth become pointed below the tip radius ${tipRadius} m; use a smaller profileShift or addendum`,
    );

  // Rack tip: rounding ρ about a centre at depth d and distance c from the middle of the gap, see swept() below
  const gap = (Math.PI * m - thickness) / 2; // half the gap on the pitch line
  const roomiest = ((gap - depth * tan(alpha)) * cos(alpha)) / (1 - sin(alpha));
  if (!(roomiest >= 0))
    throw new ModelError(
      'involuteGear.dedendum',
      `gaps close above the root: a rack tooth of depth ${depth} m would be pointed; use a smaller dedendum or a larger backlash`,
    );
  const rho = Math.min(filletRadius * m, roomiest, 0.9 * depth);
  const d = depth - rho;
  const c = gap - d * tan(alpha) - rho / cos(alpha);
  /**
   * Point the rounding sweeps when its centre is X beyond the pitch point: on the line from that point through the
   * centre, ρ further on. While X grows by dX the gear turns by dX / r. Returns radius and half angle of the tooth.
   */
  const swept = (X: number): Vec2 => {
    const distance = Math.sqrt(X * X + d * d);
    const px = X + (rho * X) / distance;
    const py = pitchRadius - d - (rho * d) / distance;
    return [Math.sqrt(px * px + py * py), Math.PI / z - (atan2(px, py) - (X - c) / pitchRadius)];
  };
  // The rounding ends where its normal is that of the flank. Beyond the foot of the line of action there is no involute.
  let end = d / tan(alpha);
  const undercut = d / sin(alpha) + rho > pitchRadius * sin(alpha) * (1 + 1e-12);
  if (undercut) end = crossingWithInvolute(swept, halfAngle, baseRadius, end);
  const [involuteFrom] = swept(end);
  if (!(involuteFrom < tipRadius))
    throw new ModelError(
      'involuteGear.teeth',
      `${z} teeth are cut away entirely by the rack; use more or a profileShift`,
    );
  return {
    pitchRadius,
    baseRadius,
    tipRadius,
    rootRadius,
    thickness,
    involuteFrom,
    undercut,
    halfAngle,
    atBase: atPitch,
    swept,
    sweptNormal: (X) => Math.PI / z + (X - c) / pitchRadius - atan2(X, 0 - d),
    filletEnd: end,
  };
}

/** Where the swept curve first leaves the tooth through its involute, by bisection. */
function crossingWithInvolute(
  swept: (X: number) => Vec2,
  halfAngle: HalfAngle,
  baseRadius: number,
  end: number,
): number {
  // Outside the base circle the tooth is where the involute is narrower than the swept curve
  const isOutside = (X: number) => {
    const [radius, angle] = swept(X);
    return radius > baseRadius && angle > halfAngle(radius);
  };
  const steps = 256;
  let i = 1;
  while (i < steps && !isOutside((end * i) / steps)) i++;
  let low = (end * (i - 1)) / steps;
  let high = (end * i) / steps;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (isOutside(middle)) high = middle;
    else low = middle;
  }
  return high;
}
