/** Circles and faces of the parts in the scene as they stand: which one is pointed at, and where a part that is moved snaps to. */
import { between, multiply, type Quaternion, rotate, normalize as unit } from '../../math/quaternion.js';
import { add, cross, dot, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { type Feature, featuresOf } from './features.js';

/** Of a radius: so far beside a circle it is still meant */
const BESIDE = 1.5;
/** Of a radius: a pin's side is so long at most that its circle is meant */
const ALONG = 6;
/** Of a radius: circles are as large as each other */
const SAME = 1e-6;

/** Features of a body in its own frame; found once for a scene */
const known = new WeakMap<Scene, Map<number, readonly Feature[]>>();
export function featuresOfBody(scene: Scene, body: number): readonly Feature[] {
  let ofScene = known.get(scene);
  if (!ofScene) known.set(scene, (ofScene = new Map()));
  let found = ofScene.get(body);
  if (!found) {
    found = scene.bodies[body].parts.flatMap(({ shape }) => featuresOf(scene.shapes[shape]));
    ofScene.set(body, found);
  }
  return found;
}

export interface Placed {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}

/** The same in the world */
export const placed = (feature: Feature, { position, orientation }: Placed): Feature => ({
  ...feature,
  at: add(position, rotate(orientation, feature.at)),
  axis: rotate(orientation, feature.axis),
});

/** The feature that is meant by pointing at `point`: the smallest circle around it, of both ends of a hole the nearer one, else the face it is on. All in one frame. */
export function meant(features: readonly Feature[], point: Vec3, normal: Vec3): Feature | undefined {
  let best: Feature | undefined;
  let away = Number.POSITIVE_INFINITY;
  for (const feature of features) {
    if (feature.kind !== 'circle') continue;
    const to = sub(point, feature.at);
    const along = dot(to, feature.axis);
    const aside = Math.sqrt(Math.max(0, dot(to, to) - along * along));
    if (aside > BESIDE * feature.radius || Math.abs(along) > ALONG * feature.radius) continue;
    const isAsLarge = best && Math.abs(feature.radius - best.radius) <= SAME * best.radius;
    if (best && (isAsLarge ? Math.abs(along) >= away : feature.radius > best.radius)) continue;
    best = feature;
    away = Math.abs(along);
  }
  if (best) return best;
  let nearest = Number.POSITIVE_INFINITY;
  for (const feature of features) {
    if (feature.kind !== 'face' || dot(feature.axis, normal) < 0.99) continue;
    const off = Math.abs(dot(sub(point, feature.at), feature.axis));
    if (off < nearest && off < 1e-3 * Math.sqrt(feature.area)) {
      nearest = off;
      best = feature;
    }
  }
  return best;
}

/**
 * How far a part must still be moved so that a circle of it stands on the axis of another's, or a face on a face; the nearest within `reach`, m.
 *
 * @param own, others in the world
 */
export function snapShift(
  own: readonly Feature[],
  others: readonly Feature[],
  reach: number,
): { readonly shift: Vec3; readonly to: Feature } | undefined {
  let best: { readonly shift: Vec3; readonly to: Feature } | undefined;
  let least = reach;
  for (const mine of own)
    for (const to of others) {
      if (mine.kind !== to.kind) continue;
      const cosine = dot(mine.axis, to.axis);
      const between = sub(to.at, mine.at);
      const along = dot(between, to.axis);
      let shift: Vec3;
      if (mine.kind === 'circle') {
        if (Math.abs(cosine) < 1 - 1e-6) continue;
        shift = sub(between, scale(along, to.axis));
      } else {
        if (cosine > -1 + 1e-6) continue;
        shift = scale(along, to.axis);
      }
      const size = Math.sqrt(dot(shift, shift));
      if (size < least) {
        least = size;
        best = { shift, to };
      }
    }
  return best;
}

/** The part turned and moved so that its circle lies on the other: centre on centre, axes parallel by the smaller turn. */
export function onto(body: Placed, mine: Feature, to: Feature): Placed {
  const own = placed(mine, body);
  const axis = dot(own.axis, to.axis) < 0 ? scale(-1, to.axis) : to.axis;
  const orientation = unit(multiply(between(own.axis, axis), body.orientation));
  const arm = rotate(orientation, mine.at);
  return { position: sub(to.at, arm), orientation };
}

/**
 * Two holes: the part lies against the face of the other, as links on one bolt do, and not in its place. What lies there is the far end of its own hole; undefined where that has none, or one
 * of the two is no hole.
 *
 * @param mine of `own`, all in the frame of the body; @param to in the world
 */
export function beside(body: Placed, own: readonly Feature[], mine: Feature, to: Feature): Placed | undefined {
  if (!mine.isHole || !to.isHole) return undefined;
  const now = onto(body, mine, to);
  const isEnd = (feature: Feature): boolean => {
    if (!feature.isHole || Math.abs(feature.radius - mine.radius) > SAME * mine.radius) return false;
    const between = sub(feature.at, mine.at);
    const along = dot(between, mine.axis);
    const aside = sub(between, scale(along, mine.axis));
    return dot(aside, aside) <= (SAME * mine.radius) ** 2 && dot(placed(feature, now).axis, to.axis) < -1 + 1e-9;
  };
  const end = own.find(isEnd);
  return end && onto(now, end, to);
}

/** Points around a circle, to be drawn */
export function rim({ at, axis, radius }: Feature, count = 48): Vec3[] {
  const first = normalize(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const second = cross(axis, first);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return add(at, add(scale(radius * Math.cos(angle), first), scale(radius * Math.sin(angle), second)));
  });
}
