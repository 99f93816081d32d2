/** Whether a ball is clear of the walls, wherever they are. */
import { type Bvh, buildBvh } from '../geometry/bvh.js';
import { isInside } from '../geometry/point-location.js';
import { type Quaternion, rotate } from '../math/quaternion.js';
import { sub, type Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import { GrainBed } from './grain-bed.js';
import { type GrainPlan, solidsOf } from './grain-plan.js';
import type { WallBody, WallPose } from './wall-arrays.js';

/** Whether a ball touches a wall or is in it */
export type Clearance = (x: number, y: number, z: number, radius: number) => boolean;

/** Told where walls are, by number; those at the start unless told */
export type WallClearance = Clearance & {
  place(wall: number, pose: WallPose): void;
  /** Name of the first body in whose solids the point is */
  wallAt(x: number, y: number, z: number): string | undefined;
};

/** Whether a ball is clear of all walls where they are; what is inside a solid is not, however deep. */
export function clearanceOf(model: Model, plan: GrainPlan, walls: readonly WallBody[]): WallClearance {
  const probe = new GrainBed({ kinds: plan.kinds, lawOf: plan.lawOf, walls, skin: 1e-9, wasm: true });
  probe.add([{ position: [0, 0, 0], radius: 1, kind: 0, density: 1 }]);
  const places = walls.map(({ pose }) => placeOf(pose));
  const trees: { readonly tree: Bvh; readonly wall: number; readonly name: string }[] = [];
  walls.forEach(({ name }, wall) => {
    for (const { form, mesh } of solidsOf(model.bodies.get(name)!))
      if (form.kind !== 'halfSpace') trees.push({ tree: buildBvh(mesh), wall, name });
  });
  const x = (): Float64Array => probe.arrays.floats('grains');
  probe.start();
  const wallAt = (px: number, py: number, pz: number): string | undefined =>
    trees.find(({ tree, wall }) => {
      const { at, back } = places[wall];
      return isInside(tree, ...rotate(back, sub([px, py, pz], at)));
    })?.name;
  const free: Clearance = (px, py, pz, radius) => {
    if (walls.length === 0) return true;
    if (wallAt(px, py, pz) !== undefined) return false;
    const grain = x();
    grain[0] = px;
    grain[1] = py;
    grain[2] = pz;
    grain[3] = radius;
    probe.arrays.floats('forces').fill(0, 0, 8);
    probe.makeLists();
    probe.arrays.kernels.run('forces', 0);
    return probe.arrays.floats('results')[4] === 0;
  };
  const place = (wall: number, pose: WallPose): void => {
    places[wall] = placeOf(pose);
    probe.placeWall(wall, pose);
  };
  return Object.assign(free, { place, wallAt });
}

const placeOf = ({ position, rotation }: WallPose): { readonly at: Vec3; readonly back: Quaternion } => ({
  at: [position[0], position[1], position[2]],
  back: quaternionBack(rotation),
});

/** Conjugate of the quaternion of a rotation matrix, row by row */
function quaternionBack(r: ArrayLike<number>): Quaternion {
  const w = 0.5 * Math.sqrt(Math.max(0, 1 + r[0] + r[4] + r[8]));
  if (w > 1e-3) return [w, -(r[7] - r[5]) / (4 * w), -(r[2] - r[6]) / (4 * w), -(r[3] - r[1]) / (4 * w)];
  // Half a turn: the axis from the symmetric part
  const k = r[0] > r[4] ? (r[0] > r[8] ? 0 : 2) : r[4] > r[8] ? 1 : 2;
  const axis = [0, 1, 2].map((i) => r[3 * i + k] + (i === k ? 1 : 0));
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  return [0, -axis[0] / length, -axis[1] / length, -axis[2] / length];
}
