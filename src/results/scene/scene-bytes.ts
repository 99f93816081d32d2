/**
 * A scene as bytes, as it lies in a recording and in a film: a packed tree (packed-tree.ts) in which bodies have their numbers in one
 * array, for there may be thousands.
 */
import { FileError } from '../../errors.js';
import type { Pose } from '../../geometry/solid.js';
import type { Quaternion } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Scene, SceneBody, SceneShape, SceneSurface } from '../scene.js';
import { packTree, unpackTree } from './packed-tree.js';

const KIND = 'ttscene1';
/** Mass, centre of mass, fixed or not, pose */
const BODY_NUMBERS = 12;

const packed = new WeakMap<Scene, Uint8Array<ArrayBuffer>>();

/** The bytes of a scene; made once and kept as long as the scene is. Not to be written to. */
export function sceneBytes(scene: Scene): Uint8Array<ArrayBuffer> {
  const known = packed.get(scene);
  if (known) return known;
  const { bodies, ...rest } = scene;
  const numbers = new Float64Array(BODY_NUMBERS * bodies.length);
  bodies.forEach(({ mass, centreOfMass, fixed, pose: { position, orientation } }, i) => {
    numbers.set([mass, ...centreOfMass, fixed ? 1 : 0, ...position, ...orientation], BODY_NUMBERS * i);
  });
  const slim = bodies.map(({ name, parts, frames }) => ({ name, parts, ...(frames.length > 0 && { frames }) }));
  const bytes = packTree(KIND, { ...rest, bodies: { numbers, list: slim } });
  packed.set(scene, bytes);
  return bytes;
}

/**
 * The scene that the bytes are of, checked so far that drawing it cannot fail.
 *
 * @param fileName for errors
 * @throws FileError if they are no scene, or a damaged one
 */
export function readScene(bytes: Uint8Array, fileName: string): Scene {
  const refuse = (defect: string): never => {
    throw new FileError(fileName, 'scene', defect);
  };
  const tree = unpackTree(KIND, bytes, refuse);
  try {
    return sceneFrom(tree as Tree, refuse);
  } catch (error) {
    if (error instanceof FileError) throw error;
    return refuse('is damaged: it does not say what a scene says'); // something that should be a list or an object is none
  }
}

/** What packTree was given, as far as nobody has changed the bytes. */
type Tree = Omit<Scene, 'bodies'> & {
  readonly bodies: {
    readonly numbers: Float64Array;
    readonly list: readonly (Pick<SceneBody, 'name' | 'parts'> & Partial<Pick<SceneBody, 'frames'>>)[];
  };
};

function sceneFrom(tree: Tree, refuse: (defect: string) => never): Scene {
  const { title, up, weightless, shapes, joints, springs, surfaces, grains, plots } = tree;
  shapes.forEach((shape, i) => {
    checkShape(shape, `shape ${i}`, refuse);
  });
  surfaces.forEach((surface, i) => {
    checkSurface(surface, `surface ${i}`, refuse);
  });
  const { numbers, list } = tree.bodies;
  if (!(numbers instanceof Float64Array) || numbers.length !== BODY_NUMBERS * list.length)
    return refuse('is damaged: bodies and their numbers are not equally many');
  const bodies = list.map(({ name, parts, frames = [] }, i): SceneBody => {
    const own = Array.from(numbers.subarray(BODY_NUMBERS * i, BODY_NUMBERS * (i + 1)));
    if (typeof name !== 'string' || !parts.every(({ shape }) => shapes[shape] !== undefined))
      return refuse(`is damaged: body ${i} has a shape that is not there`);
    const pose: Pose = {
      position: own.slice(5, 8) as unknown as Vec3,
      orientation: own.slice(8, 12) as unknown as Quaternion,
    };
    const centreOfMass = own.slice(1, 4) as unknown as Vec3;
    return { name, mass: own[0], centreOfMass, fixed: own[4] === 1, pose, parts, frames };
  });
  const isBody = (body: number): boolean => body === -1 || bodies[body] !== undefined;
  for (const { name, at, to, axes } of joints)
    if (!isBody(at.body) || !isBody(to) || !axes.every(({ length }) => length === 3))
      refuse(`is damaged: joint "${name}" is at a body that is not there`);
  for (const { name, from, to } of springs)
    if (!isBody(from.body) || !isBody(to.body)) refuse(`is damaged: spring "${name}" is at a body that is not there`);
  if (typeof title !== 'string' || up.length !== 3 || !Object.values(plots).every(Array.isArray))
    return refuse('is damaged: it does not say what a scene says');
  if (grains && !(Array.isArray(grains.species) && grains.low.length === 3 && grains.high.length === 3))
    return refuse('is damaged: it does not say what its grains are');
  for (const { name, forms = [] } of grains?.species ?? [])
    forms.forEach(({ mesh, balls }, k) => {
      const what = `form ${k} of ${name}`;
      if (mesh) {
        if (!(mesh.vertices instanceof Float64Array && mesh.triangles instanceof Uint32Array))
          refuse(`is damaged: ${what} has no vertices and triangles`);
        checkTriangles(mesh.vertices.length / 3, mesh.triangles, what, refuse);
      } else if (!(balls instanceof Float64Array && balls.length % 4 === 0)) refuse(`is damaged: ${what} is nothing`);
    });
  const without = weightless === true && ({ weightless } as const);
  return { title, up, ...without, shapes, bodies, joints, springs, surfaces, ...(grains && { grains }), plots };
}

function checkShape(shape: SceneShape, what: string, refuse: (defect: string) => never): void {
  const { vertices, triangles, triangleColours, vertexColours, exact } = shape;
  if (!(vertices instanceof Float64Array && triangles instanceof Uint32Array) || typeof shape.form !== 'string')
    refuse(`is damaged: ${what} has no vertices and triangles`);
  checkTriangles(vertices.length / 3, triangles, what, refuse);
  if (
    exact &&
    (exact.form.kind !== shape.form || exact.pose.position.length !== 3 || exact.pose.orientation.length !== 4)
  )
    refuse(`is damaged: ${what} is said to be another form`);
  if (
    (triangleColours && !(triangleColours instanceof Uint8Array && triangleColours.length === triangles.length)) ||
    (vertexColours && !(vertexColours instanceof Uint8Array && vertexColours.length === vertices.length))
  )
    refuse(`is damaged: ${what} has colours for another mesh`);
}

function checkSurface(surface: SceneSurface, what: string, refuse: (defect: string) => never): void {
  const { vertices, vertexCount, triangles } = surface;
  if (!(vertices instanceof Float64Array && triangles instanceof Uint32Array) || vertices.length !== 3 * vertexCount)
    refuse(`is damaged: ${what} has other vertices than it says`);
  checkTriangles(vertexCount, triangles, what, refuse);
}

function checkTriangles(
  vertexCount: number,
  triangles: Uint32Array,
  what: string,
  refuse: (defect: string) => never,
): void {
  if (!Number.isInteger(vertexCount) || triangles.length % 3 !== 0)
    refuse(`is damaged: ${what} has parts of triangles`);
  for (let i = 0; i < triangles.length; i++)
    if (triangles[i] >= vertexCount) refuse(`is damaged: ${what} has triangles of vertices that are not there`);
}
