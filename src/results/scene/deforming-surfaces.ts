/**
 * Surfaces of bodies that deform, from the coordinates in a row of signals: place and von Mises stress of every node. Where others press the
 * stress is in the table `surfaces`.
 *
 * Drawn f times, a node is at r + f (x − r): x where it is, r where it would be if the body were rigid. A part in pieces is one body: r is carried by
 * the frame of its first piece. Carried by the frame of each, which stands on the last piece as it really is, pieces would part at their seams.
 */
import { solidMises, vonMises } from '../../flexible-bodies/fem/stress.js';
import { fromQuaternion } from '../../math/mat3.js';
import type { Quaternion } from '../../math/quaternion.js';
import type { SignalDescription } from '../recording.js';
import type { Scene, SurfaceModes } from '../scene.js';

const POSE = [
  'position.x',
  'position.y',
  'position.z',
  'orientation.w',
  'orientation.x',
  'orientation.y',
  'orientation.z',
];

export interface SurfaceFrame {
  /** 3 each, world, m */
  readonly vertices: Float64Array;
  /** One per vertex, NaN if it has none */
  readonly values: Float64Array;
}

interface Deforming {
  readonly surface: number;
  readonly modes: SurfaceModes;
  /** Columns of its pose, of that which carries it undeformed, and of its coordinates */
  readonly pose: readonly number[];
  readonly rigid: readonly number[];
  readonly coordinates: readonly number[];
}

export class DeformingSurfaces {
  private readonly all: readonly Deforming[];

  constructor({ surfaces }: Scene, signals: readonly SignalDescription[]) {
    const index = new Map(signals.map(({ name }, i) => [name, i] as const));
    this.all = surfaces.flatMap(({ modes }, surface) => {
      if (!modes) return [];
      const poseOf = (frame: string): number[] => POSE.map((part) => index.get(`${frame}.${part}`) ?? -1);
      const pose = poseOf(modes.frame);
      const rigid = poseOf(modes.whole ?? modes.frame);
      const coordinates = modes.coordinates.map((name) => index.get(name) ?? -1);
      // what was not recorded stays as it is drawn
      return [...pose, ...rigid, ...coordinates].includes(-1) ? [] : [{ surface, modes, pose, rigid, coordinates }];
    });
  }

  get any(): boolean {
    return this.all.length > 0;
  }

  /** What carries each surface that deforms, as it is undeformed: position, then orientation w, x, y, z; nothing of others */
  poses(row: ArrayLike<number>, surfaces: number): (readonly number[] | undefined)[] {
    const found: (readonly number[] | undefined)[] = new Array(surfaces).fill(undefined);
    for (const { surface, rigid } of this.all) found[surface] = rigid.map((column) => row[column]);
    return found;
  }

  /** Moves those of the frames that deform. @param exaggeration of the deformation; the stress stays what it is */
  apply(row: ArrayLike<number>, frames: readonly SurfaceFrame[], exaggeration = 1): void {
    for (const { surface, modes, pose, rigid, coordinates } of this.all) {
      const poseAt = (columns: readonly number[]): number[] => columns.map((column) => row[column]);
      const q = coordinates.map((column) => row[column]);
      deform(modes, poseAt(pose), q, frames[surface], exaggeration, modes.whole ? poseAt(rigid) : undefined);
    }
  }
}

/**
 * @param pose position, then orientation w, x, y, z of the frame
 * @param frame whose values stay where they are numbers: stress of a node that another body presses on, which the coordinates do not tell
 * @param whole pose of the frame that carries it undeformed, where that is not its own
 */
export function deform(
  { plane, faces, rest, shapes, stresses, acrossRatio }: SurfaceModes,
  pose: readonly number[],
  coordinates: readonly number[],
  { vertices, values }: SurfaceFrame,
  exaggeration = 1,
  whole?: readonly number[],
): void {
  const [d, components] = faces ? [2, 3] : [3, 6];
  const nodes = rest.length / d;
  const carried = axesOf(plane, pose);
  const undeformed = whole && exaggeration !== 1 ? axesOf(plane, whole) : undefined;
  const within = undeformed ? 1 : exaggeration; // with its frame elsewhere, what is drawn larger is the way from there, in the world
  const u = [0, 0, 0];
  const stress = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < nodes; i++) {
    u.fill(0);
    stress.fill(0);
    for (let m = 0; m < coordinates.length; m++) {
      const q = coordinates[m];
      const at = d * (m * nodes + i);
      for (let k = 0; k < d; k++) u[k] += q * shapes[at + k];
      const s = components * (m * nodes + i);
      for (let k = 0; k < components; k++) stress[k] += q * stresses[s + k];
    }
    const a = rest[d * i] + within * u[0];
    const b = rest[d * i + 1] + within * u[1];
    let mises = values[i];
    if (Number.isNaN(mises))
      mises = faces ? vonMises(stress[0], stress[1], stress[2], acrossRatio) : solidMises(stress, 0);
    for (let face = 0; face < (faces ? 2 : 1); face++) {
      const to = i + face * nodes;
      const c = faces ? faces[face] : rest[3 * i + 2] + within * u[2];
      for (let k = 0; k < 3; k++) {
        const place = placeOf(carried, k, a, b, c);
        if (undeformed) {
          const from = placeOf(undeformed, k, rest[d * i], rest[d * i + 1], faces ? c : rest[3 * i + 2]);
          vertices[3 * to + k] = from + exaggeration * (place - from);
        } else vertices[3 * to + k] = place;
      }
      values[to] = mises;
    }
  }
}

/** Origin and axes x, y, z of a part in the world, 3 each */
function axesOf(plane: Float64Array, pose: readonly number[]): readonly number[] {
  const r = fromQuaternion(pose.slice(3) as unknown as Quaternion);
  return Array.from({ length: 12 }, (_, i) => {
    const [at, k] = [i - (i % 3), i % 3];
    const turned = r[3 * k] * plane[at] + r[3 * k + 1] * plane[at + 1] + r[3 * k + 2] * plane[at + 2];
    return at === 0 ? pose[k] + turned : turned;
  });
}

/** Coordinate k, in the world, of the point (a, b, c) of a part */
const placeOf = (axes: readonly number[], k: number, a: number, b: number, c: number): number =>
  axes[k] + a * axes[3 + k] + b * axes[6 + k] + c * axes[9 + k];
