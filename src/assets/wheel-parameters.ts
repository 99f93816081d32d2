/** Parameters of generated wheels. Lengths in m, angles in rad. Buse et al. (2023), §3.2 names them; limits and defaults are ours. */
import { ModelError } from '../errors.js';
import { choice, type Filled, fill, type Given, number, pairs, whole } from './parameters.js';

const degree = Math.PI / 180;

export const WHEEL_RULES = {
  radius: number(0.1, 0.01, 2, 'm', 'of the tread in the middle of its width, without grousers'),
  width: number(0.1, 0.005, 2, 'm', 'along the axle'),
  innerRadius: number(0, 0, 2, 'm', 'of the bore; 0 is a solid wheel'),
  profile: {
    type: choice(['flat', 'convex', 'concave', 'points'], 'how the radius runs across the width'),
    curvatureRadius: number(1, 0.0025, 1e4, 'm', 'of a convex or concave tread, at least half the width'),
    edgeFillet: number(0, 0, 1, 'm', 'rounded shoulder; at most a quarter of the width'),
    points: pairs('m', 'place across the width and radius above `radius`, for type points'),
  },
  grouser: {
    count: whole(0, 0, 120, 'equally spaced'),
    height: number(0.01, 0.0002, 0.6, 'm', 'above the tread, which they follow'),
    root: number(0.003, 0.0005, 0.5, 'm', 'thickness at the tread'),
    tip: number(0.002, 0.0005, 0.5, 'm', 'thickness at the tip, less than at the root'),
    shape: choice(['straight', 'slanted', 'chevron', 'zigzag'], 'run across the width'),
    angle: number(0, -60 * degree, 60 * degree, 'rad', 'against the axle, of shapes that are not straight'),
    widthRatio: number(1, 0.05, 1, '', 'part of the width they cover'),
    phase: number(0, 0, 1, '', 'part of their spacing by which they are turned'),
  },
  spokes: {
    count: whole(0, 0, 24, 'between hub and rim; 0 leaves the bore open'),
    thickness: number(0.01, 0.0005, 0.5, 'm', 'of a spoke'),
    width: number(0.02, 0.0005, 2, 'm', 'of a spoke along the axle'),
    hubRadius: number(0.02, 0.001, 1, 'm', 'of the hub'),
  },
  segments: whole(180, 24, 1440, 'straight pieces of the tread around the axle'),
} as const;

export type WheelOptions = Given<typeof WHEEL_RULES>;
export type WheelParameters = Filled<typeof WHEEL_RULES>;

/** @throws ModelError naming what does not fit together */
export function wheelParameters(given: WheelOptions = {}): WheelParameters {
  const p = fill('wheel', WHEEL_RULES, given);
  const { radius, width, innerRadius, profile, grouser, spokes } = p;
  if (innerRadius > 0.98 * radius)
    throw new ModelError(
      'wheel.innerRadius',
      `expected at most 0.98 of the radius, ${0.98 * radius} m, got ${innerRadius}`,
    );
  if ((profile.type === 'convex' || profile.type === 'concave') && profile.curvatureRadius < width / 2)
    throw new ModelError(
      'wheel.profile.curvatureRadius',
      `expected at least half the width, ${width / 2} m, got ${profile.curvatureRadius}`,
    );
  if (profile.edgeFillet > Math.min(width, radius) / 4)
    throw new ModelError(
      'wheel.profile.edgeFillet',
      `expected at most a quarter of width and radius, ${Math.min(width, radius) / 4} m, got ${profile.edgeFillet}`,
    );
  if (profile.type === 'points') checkPoints(p);
  if (grouser.count > 0) {
    if (grouser.height > 0.3 * radius)
      throw new ModelError(
        'wheel.grouser.height',
        `expected at most 0.3 of the radius, ${0.3 * radius} m, got ${grouser.height}`,
      );
    if (grouser.tip >= grouser.root)
      throw new ModelError(
        'wheel.grouser.tip',
        `expected a tip thinner than the root, ${grouser.root} m, got ${grouser.tip}`,
      );
    const spacing = (2 * Math.PI * radius) / grouser.count;
    if (grouser.root > 0.9 * spacing)
      throw new ModelError(
        'wheel.grouser.root',
        `expected less than 0.9 of the spacing of ${grouser.count} grousers, ${0.9 * spacing} m, got ${grouser.root}`,
      );
  }
  if (spokes.count > 0) {
    if (!(innerRadius > spokes.hubRadius))
      throw new ModelError(
        'wheel.spokes.hubRadius',
        `expected a hub inside the bore of ${innerRadius} m, got ${spokes.hubRadius}`,
      );
    if (spokes.width > width)
      throw new ModelError(
        'wheel.spokes.width',
        `expected at most the width of the wheel, ${width} m, got ${spokes.width}`,
      );
  }
  return p;
}

function checkPoints({ profile: { points }, width, radius }: WheelParameters): void {
  if (points.length < 2)
    throw new ModelError('wheel.profile.points', `expected at least 2 points, got ${points.length}`);
  for (let i = 0; i < points.length; i++) {
    const [y, rise] = points[i];
    if (i > 0 && !(y > points[i - 1][0]))
      throw new ModelError(
        `wheel.profile.points[${i}]`,
        `expected places that increase, got ${y} after ${points[i - 1][0]} m`,
      );
    if (Math.abs(rise) > 0.5 * radius)
      throw new ModelError(`wheel.profile.points[${i}]`, `expected a rise within half the radius, got ${rise} m`);
  }
  const [first, last] = [points[0][0], points[points.length - 1][0]];
  if (first > -width / 2 || last < width / 2)
    throw new ModelError(
      'wheel.profile.points',
      `expected points over the whole width, ${-width / 2} to ${width / 2} m, got ${first} to ${last}`,
    );
}
