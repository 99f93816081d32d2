/**
 * What a joint can be put on: circles and flat faces of a body's solids, with their axes. Exact forms tell theirs; of a mesh, triangles in one plane are a face, and a closed edge
 * of a face whose corners lie on a circle (to 1e-6 of its radius, at least 8 of them) is one.
 */
import { rotate } from '../../math/quaternion.js';
import { add, cross, distance, dot, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';
import type { SceneShape } from '../../results/scene.js';

export interface Feature {
  readonly kind: 'circle' | 'face';
  /** Centre, in the body's frame, m */
  readonly at: Vec3;
  /** Unit vector, out of the body for a face */
  readonly axis: Vec3;
  /** m; of a face 0 */
  readonly radius: number;
  /** m²; of a circle 0 */
  readonly area: number;
  /** A circle that is the edge of a hole in a flat face, whose normal its axis is */
  readonly isHole?: boolean;
}

const FEWEST = 8;
const ROUND = 1e-6;
const MOST_FACES = 60;

export function featuresOf(shape: SceneShape): Feature[] {
  if (shape.form === 'halfSpace' || shape.form === 'sphere') return [];
  const found = [...exactCircles(shape), ...faces(shape).filter((feature) => isMeant(shape, feature))];
  // A circle that is the edge of two faces is told once
  const kept: Feature[] = [];
  for (const feature of found)
    if (
      !kept.some(
        (other) =>
          other.kind === feature.kind &&
          distance(other.at, feature.at) < 1e-9 + 1e-6 * Math.max(other.radius, Math.sqrt(other.area)) &&
          Math.abs(other.radius - feature.radius) <= 1e-6 * feature.radius &&
          Math.abs(dot(other.axis, feature.axis)) > 1 - 1e-9,
      )
    )
      kept.push(feature);
  return kept;
}

const ROUND_FORMS: ReadonlySet<string> = new Set(['cylinder', 'capsule', 'frustum', 'ellipsoid']);

/** A round form has flat faces at its ends alone: the strips that its side is drawn with are nobody's faces. */
function isMeant({ exact }: SceneShape, { kind, axis }: Feature): boolean {
  if (kind !== 'face' || !exact || !ROUND_FORMS.has(exact.form.kind)) return true;
  return Math.abs(dot(axis, rotate(exact.pose.orientation, [0, 0, 1]))) > 1 - 1e-9;
}

/** Both ends of a cylinder, from its measures */
function exactCircles({ exact }: SceneShape): Feature[] {
  if (exact?.form.kind !== 'cylinder') return [];
  const { radius, height } = exact.form as { readonly radius: number; readonly height: number };
  const { position, orientation } = exact.pose;
  const axis = rotate(orientation, [0, 0, 1]);
  return [1, -1].map((side) => ({
    kind: 'circle' as const,
    at: add(position, scale((side * height) / 2, axis)),
    axis,
    radius,
    area: 0,
  }));
}

function faces({ vertices, triangles }: SceneShape): Feature[] {
  const point = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const places = new Map<string, number>();
  // Corners at one place are one, so that edges meet
  const ids = Array.from({ length: vertices.length / 3 }, (_, v) => {
    const key = `${vertices[3 * v]} ${vertices[3 * v + 1]} ${vertices[3 * v + 2]}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, v);
    return v;
  });
  const planes = new Map<
    string,
    { readonly normal: Vec3; area: number; middle: Vec3; readonly edges: Map<string, readonly [number, number]> }
  >();
  let size = 0;
  for (const x of vertices) size = Math.max(size, Math.abs(x));
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => ids[triangles[t + k]]);
    const [a, b, c] = corners.map(point);
    const across = cross(sub(b, a), sub(c, a));
    const double = Math.sqrt(dot(across, across));
    if (!(double > 1e-14 * size * size)) continue;
    const normal = scale(1 / double, across);
    const key = [...normal.map((x) => Math.round(1e5 * x) + 0), Math.round((1e6 * dot(normal, a)) / size) + 0].join();
    let plane = planes.get(key);
    if (!plane) planes.set(key, (plane = { normal, area: 0, middle: [0, 0, 0], edges: new Map() }));
    plane.area += double / 2;
    plane.middle = add(plane.middle, scale(double / 6, add(a, add(b, c))));
    // Edges that two triangles of the plane share are inside
    for (let k = 0; k < 3; k++) {
      const [from, to] = [corners[k], corners[(k + 1) % 3]];
      if (!plane.edges.delete(`${to} ${from}`)) plane.edges.set(`${from} ${to}`, [from, to]);
    }
  }
  const largest = [...planes.values()].sort((a, b) => b.area - a.area).slice(0, MOST_FACES);
  return largest.flatMap(({ normal, area, middle, edges }) => {
    // A strip of a round side is no face that anybody means
    const isStrip = edges.size <= 4 && planes.size > 40;
    const circles = loopsOf(edges).flatMap((loop) => circleOf(loop.map(point), normal) ?? []);
    const face: Feature = { kind: 'face', at: scale(1 / area, middle), axis: normal, radius: 0, area };
    return [...circles, ...(isStrip ? [] : [face])];
  });
}

function loopsOf(edges: ReadonlyMap<string, readonly [number, number]>): number[][] {
  const next = new Map([...edges.values()].map(([from, to]) => [from, to]));
  const loops: number[][] = [];
  while (next.size > 0) {
    const [start] = next.keys();
    const loop: number[] = [];
    for (let v: number | undefined = start; v !== undefined && next.has(v); ) {
      loop.push(v);
      const to: number | undefined = next.get(v);
      next.delete(v);
      v = to;
    }
    loops.push(loop);
  }
  return loops;
}

/** The mean of corners that are evenly spread is the centre; others are tried by three of them. */
function circleOf(points: readonly Vec3[], normal: Vec3): Feature | undefined {
  if (points.length < FEWEST) return undefined;
  const centre = scale(
    1 / points.length,
    points.reduce<Vec3>((sum, p) => add(sum, p), [0, 0, 0]),
  );
  const radius = distance(points[0], centre);
  if (!points.every((p) => Math.abs(distance(p, centre) - radius) <= ROUND * radius)) return undefined;
  // Outer edges go round the normal, those of holes against it
  const isHole = dot(cross(sub(points[0], centre), sub(points[1], centre)), normal) < 0;
  return { kind: 'circle', at: centre, axis: normalize(normal), radius, area: 0, isHole };
}
