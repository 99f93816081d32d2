/** The forms that grains of a species have: one, or some that differ, each with its farthest point at 1 m from the centre of mass until it is scaled. */
import { angularRock, belgianBlock } from '../../assets/stones.js';
import { ModelError } from '../../errors.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { PI } from '../../math/elementary.js';
import { conjugate, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { scale, sub, type Vec3 } from '../../math/vec3.js';
import type { ConvexForm, GrainForm } from '../../model/grain-shapes.js';
import type { GrainRadius } from '../../model/grains.js';
import { clumpGrain, compoundGrain, type GrainShape, polyhedronGrain } from './grain-shape.js';
import type { Piece } from './piece.js';

export interface GrainForms {
  /** Of size 1 */
  readonly shapes: readonly GrainShape[];
  /** Sizes as drawn, m, where nobody says another: a grain of that size has that form */
  readonly own: readonly number[] | undefined;
  readonly radius: GrainRadius;
  /** Part of the ball about it that a grain fills, mean */
  readonly fill: number;
}

/** Forms of a species unless it says how many */
const VARIANTS = 24;

/** @param where how an error names the species */
export function formsOf(form: GrainForm | undefined, radius: GrainRadius | undefined, where: string): GrainForms {
  const drawn = form === undefined ? [clumpGrain([{ position: [0, 0, 0], radius: 1 }])] : namedForms(form, where);
  const sizes = drawn.map((shape) => shape.radius);
  const shapes = drawn.map((shape) => scaledShape(shape, 1 / shape.radius));
  let fill = 0;
  for (const { volume } of shapes) fill += volume / ((4 / 3) * PI) / shapes.length;
  return {
    shapes,
    own: radius === undefined ? sizes : undefined,
    radius: radius ?? (sizes.length === 1 ? sizes[0] : { list: sizes }),
    fill,
  };
}

/** What a generator refuses is told at the species */
function namedForms(form: GrainForm, where: string): readonly GrainShape[] {
  try {
    return drawnForms(form, where);
  } catch (error) {
    if (error instanceof ModelError && !error.message.startsWith(where))
      throw new ModelError(`${where}.shape`, error.message);
    throw error;
  }
}

function drawnForms(form: GrainForm, where: string): readonly GrainShape[] {
  if ('clump' in form)
    return [
      clumpGrain(
        form.clump.map(([x, y, z, radius]) => ({ position: [x, y, z], radius })),
        `${where}.shape.clump`,
      ),
    ];
  if ('polyhedron' in form) return [polyhedronGrain(bodyOf(form.polyhedron), `${where}.shape.polyhedron`)];
  if ('parts' in form) return [compoundGrain(form.parts.map(bodyOf), `${where}.shape`)];
  const { variants = VARIANTS, seed = 1 } = 'rock' in form ? form.rock : form.block;
  const stones = Array.from({ length: variants }, (_, k) => `${seed} form ${k}`).map((own) => {
    if ('block' in form) {
      const { size, spread, tilt } = form.block;
      return belgianBlock({
        size,
        ...(spread !== undefined && { spread }),
        ...(tilt !== undefined && { tilt }),
        seed: own,
      });
    }
    const { points, stretch } = form.rock;
    return angularRock({
      radius: 1,
      ...(points !== undefined && { points }),
      ...(stretch && { stretch }),
      seed: own,
    });
  });
  return stones.map(({ mesh }) => polyhedronGrain(mesh, `${where}.shape`));
}

const bodyOf = (form: ConvexForm): readonly Vec3[] | TriangleMesh => ('mesh' in form ? form.mesh : form);

/** The same, larger or smaller */
export function scaledShape(shape: GrainShape, factor: number): GrainShape {
  const square = factor * factor;
  return {
    ...shape,
    pieces: shape.pieces.map((piece) => scaledPiece(piece, factor)),
    volume: shape.volume * factor * square,
    moments: scale(factor * square * square, shape.moments),
    centre: scale(factor, shape.centre),
    radius: shape.radius * factor,
    meshes: shape.meshes.map(({ vertices, ...rest }) => ({ ...rest, vertices: vertices.map((x) => factor * x) })),
  };
}

function scaledPiece(piece: Piece, factor: number): Piece {
  const planes = piece.planes.slice();
  for (let p = 3; p < planes.length; p += 4) planes[p] *= factor;
  return {
    ...piece,
    vertices: piece.vertices.map((x) => factor * x),
    planes,
    middle: scale(factor, piece.middle),
    radius: piece.radius * factor,
    thinness: piece.thinness * factor,
  };
}

/** Of a grain whose pose a table tells: the orientation of its principal axes and which form of the species it has */
export interface ToldPose {
  readonly axes: Quaternion;
  readonly form: number | undefined;
  /** How an error names the row */
  readonly path: string;
}

/** Which form a grain has and how it is turned: from a seed of its own, so that it does not depend on who else there is, unless it is told */
export function formOf(
  { shapes, own }: GrainForms,
  radius: number,
  seed: string,
  orientation?: Quaternion,
  told?: ToldPose,
): { readonly form: number; readonly orientation: Quaternion } {
  const draw = random(seed);
  const any = draw.integer(shapes.length);
  const turned = draw.rotation();
  const drawn = own ? Math.max(0, own.indexOf(radius)) : any;
  if (told) {
    const form = told.form ?? drawn;
    if (!shapes[form])
      throw new ModelError(told.path, `expected the number of a form from 0 to ${shapes.length - 1}, got ${told.form}`);
    return { form, orientation: multiply(unit(told.axes), conjugate(shapes[form].axes)) };
  }
  const form = drawn;
  return { form, orientation: orientation ? unit(orientation) : turned };
}

function unit(q: Quaternion): Quaternion {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) throw new ModelError('orientation', 'expected a quaternion w x y z that is not 0');
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** What a viewer draws: in principal axes from the centre of mass, one mesh of all parts, or balls */
export function drawnForm({ pieces, meshes, centre, axes }: GrainShape): {
  readonly mesh?: TriangleMesh;
  readonly balls?: Float64Array;
} {
  if (meshes.length === 0)
    return { balls: Float64Array.from(pieces.flatMap(({ middle, radius }) => [...middle, radius])) };
  const back = conjugate(axes);
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = vertices.length / 3;
    for (let v = 0; v < mesh.vertices.length; v += 3)
      vertices.push(...rotate(back, sub([mesh.vertices[v], mesh.vertices[v + 1], mesh.vertices[v + 2]], centre)));
    for (const index of mesh.triangles) triangles.push(first + index);
  }
  return { mesh: { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) } };
}
