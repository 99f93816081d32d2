/**
 * Surfaces of bodies that deform, from the coordinates in a row of signals: place and von Mises stress of every node. Where others press the
 * stress is in the table `surfaces`.
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
  /** Columns of its pose and of its coordinates */
  readonly pose: readonly number[];
  readonly coordinates: readonly number[];
}

export class DeformingSurfaces {
  private readonly all: readonly Deforming[];

  constructor({ surfaces }: Scene, signals: readonly SignalDescription[]) {
    const index = new Map(signals.map(({ name }, i) => [name, i] as const));
    this.all = surfaces.flatMap(({ modes }, surface) => {
      if (!modes) return [];
      const pose = POSE.map((part) => index.get(`${modes.frame}.${part}`) ?? -1);
      const coordinates = modes.coordinates.map((name) => index.get(name) ?? -1);
      // what was not recorded stays as it is drawn
      return [...pose, ...coordinates].includes(-1) ? [] : [{ surface, modes, pose, coordinates }];
    });
  }

  get any(): boolean {
    return this.all.length > 0;
  }

  /** What carries each surface that deforms: position, then orientation w, x, y, z; nothing of others */
  poses(row: ArrayLike<number>, surfaces: number): (readonly number[] | undefined)[] {
    const found: (readonly number[] | undefined)[] = new Array(surfaces).fill(undefined);
    for (const { surface, pose } of this.all) found[surface] = pose.map((column) => row[column]);
    return found;
  }

  /** Moves those of the frames that deform. @param exaggeration of the deformation; the stress stays what it is */
  apply(row: ArrayLike<number>, frames: readonly SurfaceFrame[], exaggeration = 1): void {
    for (const { surface, modes, pose, coordinates } of this.all)
      deform(
        modes,
        pose.map((column) => row[column]),
        coordinates.map((column) => row[column]),
        frames[surface],
        exaggeration,
      );
  }
}

/**
 * @param pose position, then orientation w, x, y, z of the frame
 * @param frame whose values stay where they are numbers: stress of a node that another body presses on, which the coordinates do not tell
 */
export function deform(
  { plane, faces, rest, shapes, stresses, acrossRatio }: SurfaceModes,
  pose: readonly number[],
  coordinates: readonly number[],
  { vertices, values }: SurfaceFrame,
  exaggeration = 1,
): void {
  const [d, components] = faces ? [2, 3] : [3, 6];
  const nodes = rest.length / d;
  const r = fromQuaternion(pose.slice(3) as unknown as Quaternion);
  const turned = (at: number, k: number): number =>
    r[3 * k] * plane[at] + r[3 * k + 1] * plane[at + 1] + r[3 * k + 2] * plane[at + 2];
  const origin = [0, 1, 2].map((k) => pose[k] + turned(0, k));
  const x = [0, 1, 2].map((k) => turned(3, k));
  const y = [0, 1, 2].map((k) => turned(6, k));
  const n = [0, 1, 2].map((k) => turned(9, k));
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
    const a = rest[d * i] + exaggeration * u[0];
    const b = rest[d * i + 1] + exaggeration * u[1];
    let mises = values[i];
    if (Number.isNaN(mises))
      mises = faces ? vonMises(stress[0], stress[1], stress[2], acrossRatio) : solidMises(stress, 0);
    for (let face = 0; face < (faces ? 2 : 1); face++) {
      const to = i + face * nodes;
      const c = faces ? faces[face] : rest[3 * i + 2] + exaggeration * u[2];
      for (let k = 0; k < 3; k++) vertices[3 * to + k] = origin[k] + a * x[k] + b * y[k] + c * n[k];
      values[to] = mises;
    }
  }
}
