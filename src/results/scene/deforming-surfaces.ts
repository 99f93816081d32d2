/** Surfaces of bodies that deform, from the coordinates in a row of signals: place and von Mises stress of every node. */
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

/** @param pose position, then orientation w, x, y, z of the frame */
export function deform(
  { plane, faces, rest, shapes, stresses, acrossRatio }: SurfaceModes,
  pose: readonly number[],
  coordinates: readonly number[],
  { vertices, values }: SurfaceFrame,
  exaggeration = 1,
): void {
  const nodes = rest.length / 2;
  const r = fromQuaternion(pose.slice(3) as unknown as Quaternion);
  const turned = (at: number, k: number): number =>
    r[3 * k] * plane[at] + r[3 * k + 1] * plane[at + 1] + r[3 * k + 2] * plane[at + 2];
  const origin = [0, 1, 2].map((k) => pose[k] + turned(0, k));
  const x = [0, 1, 2].map((k) => turned(3, k));
  const y = [0, 1, 2].map((k) => turned(6, k));
  const n = [0, 1, 2].map((k) => turned(9, k));
  for (let i = 0; i < nodes; i++) {
    let u = 0;
    let v = 0;
    let sx = 0;
    let sy = 0;
    let txy = 0;
    for (let m = 0; m < coordinates.length; m++) {
      const q = coordinates[m];
      const at = 2 * (m * nodes + i);
      u += q * shapes[at];
      v += q * shapes[at + 1];
      const s = 3 * (m * nodes + i);
      sx += q * stresses[s];
      sy += q * stresses[s + 1];
      txy += q * stresses[s + 2];
    }
    const a = rest[2 * i] + exaggeration * u;
    const b = rest[2 * i + 1] + exaggeration * v;
    const sz = acrossRatio * (sx + sy);
    const mises = Math.sqrt(Math.max(0, sx * sx + sy * sy + sz * sz - sx * sy - sy * sz - sz * sx + 3 * txy * txy));
    for (let face = 0; face < 2; face++) {
      const to = i + face * nodes;
      for (let k = 0; k < 3; k++) vertices[3 * to + k] = origin[k] + a * x[k] + b * y[k] + faces[face] * n[k];
      values[to] = mises;
    }
  }
}
