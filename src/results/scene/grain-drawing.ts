/** Grains as they are drawn: balls, those of clumps among them, and polyhedra where they have come to. */
import type { SceneForm, SceneGrains } from '../scene.js';
import type { GrainFrame } from './grain-frames.js';

/** The form of a grain of a frame; undefined of a ball */
export const formOf = ({ species }: SceneGrains, frame: GrainFrame, i: number): SceneForm | undefined =>
  frame.forms && species[frame.species[i]]?.forms?.[frame.forms[i]];

export interface DrawnBalls {
  readonly count: number;
  /** 3 each, world, m */
  readonly positions: Float64Array;
  /** m */
  readonly radii: Float64Array;
  /** Place in the frame of the grain each belongs to */
  readonly owner: Int32Array;
}

/** Grains that are balls, and the balls of clumps */
export function drawnBalls(grains: SceneGrains, frame: GrainFrame): DrawnBalls {
  const { count, positions, radii } = frame;
  if (!frame.forms || !frame.orientations) {
    const owner = new Int32Array(count);
    for (let i = 0; i < count; i++) owner[i] = i;
    return { count, positions, radii, owner };
  }
  const [at, sizes, owner]: [number[], number[], number[]] = [[], [], []];
  const turned = new Float64Array(3);
  for (let i = 0; i < count; i++) {
    const form = formOf(grains, frame, i);
    if (form?.mesh) continue;
    const balls = form?.balls ?? BALL;
    for (let b = 0; b < balls.length; b += 4) {
      turn(frame.orientations, 4 * i, balls, b, turned);
      for (let k = 0; k < 3; k++) at.push(positions[3 * i + k] + radii[i] * turned[k]);
      sizes.push(radii[i] * balls[b + 3]);
      owner.push(i);
    }
  }
  return {
    count: owner.length,
    positions: Float64Array.from(at),
    radii: Float64Array.from(sizes),
    owner: Int32Array.from(owner),
  };
}

const BALL = Float64Array.of(0, 0, 0, 1);

/** Turns the point at `p` of `points` by the quaternion at `q`. */
export function turn(
  q: ArrayLike<number>,
  at: number,
  points: ArrayLike<number>,
  p: number,
  out: Float64Array | number[],
): void {
  const [w, i, j, k] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  const [x, y, z] = [points[p], points[p + 1], points[p + 2]];
  const [a, b, c] = [2 * (j * z - k * y), 2 * (k * x - i * z), 2 * (i * y - j * x)];
  out[0] = x + w * a + (j * c - k * b);
  out[1] = y + w * b + (k * a - i * c);
  out[2] = z + w * c + (i * b - j * a);
}
