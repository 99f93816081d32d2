/**
 * What holds a mechanism together, as parts of a still picture: springs as coils, other forces along a line as rods, motors, pins where parts turn, brackets
 * where they turn against the ground, rails where they slide along it. Without them bodies seem to hang in the air.
 */
import type { Colour } from '../geometry/solid.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { type Quaternion, rotate } from '../math/quaternion.js';
import { add, addScaled, cross, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../math/vec3.js';
import type { Scene, ScenePoint } from '../results/scene.js';
import { MOTOR, motorSeat, motorSize } from './motor-look.js';
import { coilRadius, coilTurns, wireRadius } from './spring-look.js';
import type { StillPart } from './still.js';

const WIRE: Colour = [0.5, 0.54, 0.6, 1];
const ROD: Colour = [0.66, 0.69, 0.73, 1];
const RUBBER: Colour = [0.16, 0.17, 0.19, 1];
const PIN: Colour = [0.2, 0.22, 0.26, 1];
const HOUSING: Colour = [0.2, 0.28, 0.4, 1];
const BRACKET: Colour = [0.55, 0.57, 0.6, 1];
const WAY: Colour = [0.9, 0.35, 0.1, 1];
/** Sides of a pin, and of a wire */
const ROUND = 24;
const WIRE_SIDES = 8;

/**
 * @param poses 7 per body: position, orientation w, x, y, z
 * @param size  m, of all that the picture shows
 */
export function mechanismParts(scene: Scene, poses: Float64Array, size: number): StillPart[] {
  const parts: StillPart[] = [];
  const draw = (mesh: TriangleMesh, colour: Colour, lines = false): void => {
    parts.push({ mesh, colour, ...(lines ? {} : { edges: NO_LINES }) });
  };
  const turned = (body: number, v: Vec3): Vec3 =>
    body < 0 ? v : rotate(poses.subarray(7 * body + 3, 7 * body + 7) as unknown as Quaternion, v);
  const placed = ({ body, position }: ScenePoint): Vec3 =>
    body < 0 ? position : add(poses.subarray(7 * body, 7 * body + 3) as unknown as Vec3, turned(body, position));

  for (const { kind, from, to, freeLength } of scene.springs) {
    const [a, b] = [placed(from), placed(to)];
    const length = Math.sqrt(dot(sub(b, a), sub(b, a)));
    const radius = coilRadius(freeLength ?? length, size);
    if (kind === 'bushing')
      draw(tube([addScaled(a, -radius, [0, 0, 1]), addScaled(a, radius, [0, 0, 1])], radius, ROUND), RUBBER);
    else if (!(length > 0)) continue;
    else if (kind === 'spring') {
      const turns = coilTurns(Math.max(freeLength ?? 0, length), radius);
      draw(tube(coil(a, b, radius, turns), wireRadius(length, radius, turns), WIRE_SIDES), WIRE);
    } else draw(tube([a, b], 0.4 * radius, ROUND), ROD);
  }

  const still = (body: number): boolean => body < 0 || scene.bodies[body].fixed;
  for (const joint of scene.joints) {
    const { kind, at, to, axes, driven } = joint;
    const place = placed(at);
    if (driven && axes.length > 0) {
      const axis = turned(at.body, axes[0]);
      const seat = addScaled(place, -motorSeat(scene, joint, size), axis);
      for (const [mesh, colour] of motor(seat, axis, kind, motorSize(scene, joint, size))) draw(mesh, colour);
    }
    const radius = 0.012 * size;
    if (kind === 'fixed' || kind === 'weld' || kind === 'free' || kind === 'planar') continue;
    if (axes.length === 0) {
      draw(ball(place, 1.8 * radius), PIN);
      continue;
    }
    const axis = turned(at.body, axes[axes.length - 1]);
    if (kind === 'prismatic') {
      // Along the ground a rail; between two bodies their shapes tell
      if (still(to) && scene.bodies.length < 40)
        draw(
          tube([addScaled(place, -0.14 * size, axis), addScaled(place, 0.14 * size, axis)], 0.35 * radius, ROUND),
          ROD,
        );
      continue;
    }
    draw(tube([addScaled(place, -0.035 * size, axis), addScaled(place, 0.035 * size, axis)], radius, ROUND), PIN);
    if (still(to)) draw(bracket(place, axis, scene.up, size), BRACKET, true);
  }
  return parts;
}

/** Shaft, flange and housing along an axis, behind a place on it */
function motor(place: Vec3, axis: Vec3, kind: string, size: number): [TriangleMesh, Colour][] {
  const { shaft, flange, body } = MOTOR;
  const ends = [0, shaft.length, shaft.length + flange.length];
  ends.push(ends[2] + (kind === 'prismatic' ? 2 : 1) * body.length);
  return [shaft, flange, body].map(({ radius }, i) => [
    tube([addScaled(place, -ends[i] * size, axis), addScaled(place, -ends[i + 1] * size, axis)], radius * size, ROUND),
    i < 2 ? ROD : HOUSING,
  ]);
}

/** The way of a point as a thin line with thickness, m */
export const wayPart = (points: readonly Vec3[], size: number): StillPart => ({
  mesh: tube(points, 0.0022 * size, 6),
  colour: WAY,
  edges: NO_LINES,
});

const NO_LINES = { sharp: [], open: [] };

/** Points along a wire wound from a to b; both ends run straight along the axis for a tenth of the length. */
function coil(a: Vec3, b: Vec3, radius: number, turns: number): Vec3[] {
  const way = sub(b, a);
  const x = perpendicular(normalize(way));
  const y = cross(normalize(way), x);
  const points: Vec3[] = [a];
  const steps = 24 * turns;
  for (let i = 0; i <= steps; i++) {
    const s = i / steps;
    const wide = radius * Math.min(1, 20 * s, 20 * (1 - s));
    const angle = 2 * Math.PI * turns * s;
    points.push(
      addScaled(addScaled(addScaled(a, 0.1 + 0.8 * s, way), wide * Math.cos(angle), x), wide * Math.sin(angle), y),
    );
  }
  points.push(b);
  return points;
}

/** A closed tube around a line of points; its cross-section is carried along with the least turning. */
function tube(points: readonly Vec3[], radius: number, sides: number): TriangleMesh {
  const rings = points.length;
  const vertices = new Float64Array(3 * (rings * sides + 2));
  const triangles: number[] = [];
  const tangent = (i: number): Vec3 => normalize(sub(points[Math.min(i + 1, rings - 1)], points[Math.max(i - 1, 0)]));
  let x = perpendicular(tangent(0));
  for (let i = 0; i < rings; i++) {
    const along = tangent(i);
    x = normalize(addScaled(x, -dot(x, along), along));
    const y = cross(along, x);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      const p = addScaled(addScaled(points[i], radius * Math.cos(angle), x), radius * Math.sin(angle), y);
      vertices.set(p, 3 * (sides * i + k));
      const [here, next] = [sides * i + k, sides * i + ((k + 1) % sides)];
      if (i + 1 < rings) triangles.push(here, next, here + sides, next, next + sides, here + sides);
    }
  }
  const [first, last] = [rings * sides, rings * sides + 1];
  vertices.set(points[0], 3 * first);
  vertices.set(points[rings - 1], 3 * last);
  for (let k = 0; k < sides; k++) {
    const [here, next] = [k, (k + 1) % sides];
    triangles.push(first, next, here, last, sides * (rings - 1) + here, sides * (rings - 1) + next);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

function ball(centre: Vec3, radius: number): TriangleMesh {
  const points: Vec3[] = [];
  // A tube whose rings are the circles of a ball would do, were its radius not one; so rings are scaled afterwards
  const rings = 12;
  for (let i = 0; i <= rings; i++) points.push(addScaled(centre, radius * (-1 + (2 * i) / rings), [0, 0, 1]));
  const mesh = tube(points, radius, ROUND);
  for (let v = 0; v < mesh.vertices.length / 3; v++) {
    const p: Vec3 = [mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]];
    const z = p[2] - centre[2];
    const part = Math.sqrt(Math.max(0, radius * radius - z * z)) / radius;
    for (let k = 0; k < 2; k++) mesh.vertices[3 * v + k] = centre[k] + part * (p[k] - centre[k]);
  }
  return mesh;
}

/** A prism with the pin at its apex and its foot below: where a mechanism is held by the ground. Along a vertical axis it hangs behind it. */
function bracket(place: Vec3, axis: Vec3, up: Vec3, size: number): TriangleMesh {
  const across = Math.abs(dot(axis, up)) > 0.9 ? perpendicular(axis) : normalize(cross(axis, up));
  const down = scale(-1, cross(across, axis));
  const [foot, half, thick] = [0.06 * size, 0.04 * size, 0.012 * size];
  const corners: Vec3[] = [];
  for (const side of [-1, 1]) {
    const back = addScaled(place, (side < 0 ? -0.028 : -0.028 + 2 * 0.008) * size, axis);
    corners.push(
      addScaled(addScaled(back, -thick, down), -thick, across),
      addScaled(addScaled(back, foot, down), -half, across),
      addScaled(addScaled(back, foot, down), half, across),
      addScaled(addScaled(back, -thick, down), thick, across),
    );
  }
  const triangles = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7];
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4;
    triangles.push(k, next, k + 4, next, next + 4, k + 4);
  }
  const vertices = Float64Array.from(corners.flat());
  return { vertices, triangles: Uint32Array.from(triangles) };
}
