/**
 * Planar flexible parts touch what is at their height as drawn, and nothing else. A body that comes into that height from the side, or leaves it, while it is within reach in the
 * plane goes through the part, or is felt where it no longer is: the run says so. Told from rows and from boxes around both, so a near miss counts as well.
 */
import { rulesOf } from '../assembly/contact-rules.js';
import { drawnBody } from '../assembly/places.js';
import type { System } from '../assembly/system.js';
import type { Solid } from '../geometry/solid.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, sub, type Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import type { Guess } from './verdict.js';

/** Part of the thickness by which heights may differ from the drawing */
const SLACK = 1e-3;

interface Box {
  readonly low: Vec3;
  readonly high: Vec3;
}

/** Bodies that came to the height of a planar flexible part, or left it, where they may touch it */
export function besidePlanes({ flexible = [] }: System, model: Model, recording: Recording): Guess[] {
  const { contacts } = model;
  const planar = new Set(flexible.filter(({ part }) => part.kind === 'plane').map(({ body }) => body));
  if (planar.size === 0 || contacts === false) return [];
  const mayTouch = rulesOf(model, contacts);
  const found: Guess[] = [];
  for (const one of planar) {
    const parts = solidsOf(model, one);
    const across = parts[0].pose.orientation;
    const own = boxOf(parts, across);
    for (const [other, { contact, flexible: deforms }] of model.bodies) {
      const solids = solidsOf(model, other);
      if (other === one || contact === false || (deforms && planar.has(other) && other < one)) continue;
      if (solids.length === 0 || solids.some(({ form }) => form.kind === 'halfSpace') || !mayTouch(one, other))
        continue;
      const theirs = boxOf(solids, IDENTITY);
      const seen = (pose: Pose, its: Pose): Box => boxAround(theirs, its, turned(pose, across));
      const drawn = reaches(own, seen(drawnBody(model, one), drawnBody(model, other)));
      const [poses, others] = [posesOf(recording, model, one), posesOf(recording, model, other)];
      const row = recording.times.findIndex((_, i) => {
        const now = reaches(own, seen(poses(i), others(i)));
        return now.inPlane && now.atHeight !== drawn.atHeight;
      });
      if (row < 0) continue;
      found.push({
        reason: `"${other}" ${drawn.atHeight ? 'left' : 'came into'} the plane of the flexible part "${one}" from the side at t = ${Number(recording.times[row].toPrecision(4))} s, and planar parts touch what is drawn at their height`,
        remedy: `make "${one}" a solid (flexible: { layers: 1 }), or exclude the pair in contacts.exclude if they cannot meet`,
      });
    }
  }
  return found;
}

interface Pose {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}
const IDENTITY: Quaternion = [1, 0, 0, 0];

const turned = ({ position, orientation }: Pose, by: Quaternion): Pose => ({
  position,
  orientation: multiply(orientation, by),
});

const solidsOf = (model: Model, name: string): readonly Solid[] => {
  const { shape } = model.bodies.get(name)!;
  return shape === undefined ? [] : Array.isArray(shape) ? shape : [shape as Solid];
};

/** In axes turned from the body's */
function boxOf(solids: readonly Solid[], axes: Quaternion): Box {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const { mesh } of solids)
    for (let i = 0; i < mesh.vertices.length; i += 3)
      widen(low, high, rotate(conjugate(axes), [mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]]));
  return { low, high };
}

/** Around a box of a body at `its`, in the frame of `pose` */
function boxAround({ low, high }: Box, its: Pose, pose: Pose): Box {
  const least: [number, number, number] = [Infinity, Infinity, Infinity];
  const most: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 8; k++) {
    const corner: Vec3 = [(k & 1 ? high : low)[0], (k & 2 ? high : low)[1], (k & 4 ? high : low)[2]];
    const place = sub(add(its.position, rotate(its.orientation, corner)), pose.position);
    widen(least, most, rotate(conjugate(pose.orientation), place));
  }
  return { low: least, high: most };
}

function widen(low: [number, number, number], high: [number, number, number], point: Vec3): void {
  for (let k = 0; k < 3; k++) {
    low[k] = Math.min(low[k], point[k]);
    high[k] = Math.max(high[k], point[k]);
  }
}

function reaches(own: Box, other: Box): { inPlane: boolean; atHeight: boolean } {
  const common = (k: number): number => Math.min(own.high[k], other.high[k]) - Math.max(own.low[k], other.low[k]);
  return {
    inPlane: common(0) > 0 && common(1) > 0,
    atHeight: common(2) > SLACK * (own.high[2] - own.low[2]),
  };
}

/** Of a body at every row; as drawn where it is not recorded, for it does not move */
function posesOf(recording: Recording, model: Model, name: string): (row: number) => Pose {
  const parts = ['position.x', 'position.y', 'position.z', 'orientation.w', 'orientation.x', 'orientation.y'];
  const names = [...parts, 'orientation.z'].map((part) => `${name}.${part}`);
  if (!names.every((signal) => recording.has(signal))) {
    const drawn = drawnBody(model, name);
    return () => drawn;
  }
  const [px, py, pz, w, x, y, z] = names.map((signal) => recording.signal(signal).values);
  return (i) => ({ position: [px[i], py[i], pz[i]], orientation: [w[i], x[i], y[i], z[i]] });
}
