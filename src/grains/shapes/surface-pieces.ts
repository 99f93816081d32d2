/**
 * A solid that is not convex as pieces that rigid grains touch: what lies under its surface, polygon by polygon, and for balls the features of that surface.
 *
 * **Cells** for polyhedra: under each polygon, between the planes that halve the angles at its edges, down to half the thickness of the solid there. Cells of neighbours meet in those
 * planes, so what a grain overlaps is counted once; to second order in the depth where more than three faces meet in a corner. Only the polygon itself is surface: the force of a cell is
 * along its normal, and no seam between two cells is felt.
 *
 * **Features** for balls: polygons, convex edges and corners, each with the planes of the part of space from where it is nearest (docs/theory/grains.md, meshes). Outside bands of 1e-12 of
 * the size exactly one of those that meet in a place has a centre in its part, and inner corners give two or three.
 */
import { buildBvh } from '../../geometry/bvh.js';
import { firstHit, RayHit } from '../../geometry/ray.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { FEATURE, POLYHEDRON } from '../../kernels/polyhedron-overlap.kernel.js';
import { add, addScaled, cross, dot, norm, normalize, scale, sub, type Vec3, ZERO } from '../../math/vec3.js';
import type { Piece } from './piece.js';
import { type Surface, type SurfacePolygon, surfaceOf } from './surface-polygons.js';

/** Band about ties between features, by the size of the solid */
const TIE = 1e-12;
/** Sine of an angle between faces that is none */
const FLAT = 1e-9;

/**
 * @param mesh  closed, in the frame of its body
 * @param reach no cell is deeper than this, m: the radius of the largest grain
 * @param hollow grains are inside: what surrounds the mesh is taken for solid and without end
 */
export function surfacePieces(mesh: TriangleMesh, reach: number, hollow = false): Piece[] {
  const facing = hollow ? insideOut(mesh) : mesh;
  const surface = surfaceOf(facing);
  const tree = buildBvh(facing);
  return [
    ...surface.polygons.flatMap((polygon) =>
      cellUnder(surface, polygon, hollow ? [2 * reach, 2 * reach] : thickness(tree, surface, polygon, 2 * reach)),
    ),
    ...featuresOf(surface, reach),
  ];
}

/** The same mesh with its inside outside */
export const insideOut = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
  vertices,
  triangles: Uint32Array.from(triangles, (_, i) => triangles[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]),
});

/** Way through the solid under a polygon, least and greatest of some places, m; at a sharp edge there is little under it, which does not make it a thin plate */
function thickness(
  tree: ReturnType<typeof buildBvh>,
  { points, size }: Surface,
  { loop, normal }: SurfacePolygon,
  most: number,
): readonly [number, number] {
  const middle = meanOf(loop.map((v) => points[v]));
  const down = scale(-1, normal);
  const hit = new RayHit();
  let [least, greatest] = [most, 0];
  for (const from of [middle, ...loop.map((v) => scale(0.5, add(middle, points[v])))]) {
    firstHit(tree, addScaled(from, 1e-9 * size, down), down, hit);
    const way = Math.min(most, hit.parameter);
    least = Math.min(least, way);
    greatest = Math.max(greatest, way);
  }
  return [least, greatest];
}

// ---- cells --------------------------------------------------------------------------------------------------------------------

interface Plane {
  readonly normal: Vec3;
  readonly offset: number;
}

function cellUnder(
  { points, polygons, size }: Surface,
  polygon: SurfacePolygon,
  [least, greatest]: readonly [number, number],
): Piece[] {
  const { loop, normal, offset, across } = polygon;
  const planes: Plane[] = [
    { normal, offset },
    ...loop.map((a, k): Plane => {
      const p = points[a];
      const along = normalize(sub(points[loop[(k + 1) % loop.length]], p));
      const outward = cross(along, normal);
      const half = add(outward, cross(along, polygons[across[k]].normal));
      // A blade's edge, or no neighbour: straight down
      const side = norm(half) > 1e-3 ? normalize(half) : outward;
      return { normal: side, offset: dot(side, p) };
    }),
    { normal: scale(-1, normal), offset: 0.5 * least - offset },
  ];
  // Edges on one straight side have one plane
  const own = planes.filter(
    (plane, k) =>
      !planes
        .slice(0, k)
        .some(
          (other) =>
            norm(sub(plane.normal, other.normal)) < 1e-9 && Math.abs(plane.offset - other.offset) < 1e-9 * size,
        ),
  );
  const piece = boundedBy(own, meanOf(loop.map((v) => points[v])), 4 * (size + least));
  return piece ? [{ ...piece, surfaces: 1, thinness: greatest }] : [];
}

/** What is behind all planes; undefined if that has no volume. Its first face is that of the first plane. */
function boundedBy(planes: readonly Plane[], about: Vec3, extent: number): Piece | undefined {
  const vertices: Vec3[] = [];
  const close = 1e-9 * extent;
  const numberOf = (p: Vec3): number => {
    const known = vertices.findIndex((v) => norm(sub(v, p)) < close);
    return known >= 0 ? known : vertices.push(p) - 1;
  };
  const faces: { readonly plane: Plane; readonly loop: number[] }[] = [];
  planes.forEach((plane, own) => {
    let polygon = squareIn(plane, about, extent);
    planes.forEach((other, k) => {
      if (k !== own && polygon.length > 0) polygon = cut(polygon, other);
    });
    const loop: number[] = [];
    for (const p of polygon) {
      const v = numberOf(p);
      if (v !== loop[loop.length - 1] && v !== loop[0]) loop.push(v);
    }
    if (loop.length >= 3) faces.push({ plane, loop });
  });
  if (faces.length < 4 || faces[0].plane !== planes[0]) return undefined;
  const meeting = vertices.map((_, v) => faces.flatMap(({ loop }, f) => (loop.includes(v) ? [f] : [])));
  const middle = scale(0.5, add(cornerOf(vertices, Math.min), cornerOf(vertices, Math.max)));
  const radius = vertices.reduce((most, v) => Math.max(most, norm(sub(v, middle))), 0) * (1 + 1e-12);
  return {
    kind: POLYHEDRON,
    vertices: Float64Array.from(vertices.flat()),
    planes: Float64Array.from(faces.flatMap(({ plane }) => [...plane.normal, plane.offset])),
    loopStart: starts(faces.map(({ loop }) => loop.length)),
    loops: Int32Array.from(faces.flatMap(({ loop }) => loop)),
    cornerStart: starts(meeting.map((own) => own.length)),
    cornerFaces: Int32Array.from(meeting.flat()),
    middle,
    radius,
    thinness: 0,
  };
}

const cornerOf = (points: readonly Vec3[], pick: (...of: number[]) => number): Vec3 =>
  [0, 1, 2].map((k) => points.reduce((best, p) => pick(best, p[k]), points[0][k])) as unknown as Vec3;

function starts(lengths: readonly number[]): Int32Array {
  const all = new Int32Array(lengths.length + 1);
  lengths.forEach((length, k) => {
    all[k + 1] = all[k] + length;
  });
  return all;
}

/** A square of half side `extent` in a plane, about the place in it nearest to `about`, counter-clockwise seen from outside */
function squareIn({ normal, offset }: Plane, about: Vec3, extent: number): Vec3[] {
  const centre = addScaled(about, offset - dot(normal, about), normal);
  const u = normalize(cross(normal, Math.abs(normal[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  const w = cross(normal, u);
  return (
    [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ] as const
  ).map(([a, b]) => addScaled(addScaled(centre, a * extent, u), b * extent, w));
}

/** What of a polygon is behind a plane */
function cut(polygon: readonly Vec3[], { normal, offset }: Plane): Vec3[] {
  const height = polygon.map((p) => dot(normal, p) - offset);
  return polygon.flatMap((p, k) => {
    const next = (k + 1) % polygon.length;
    const out: Vec3[] = height[k] <= 0 ? [p] : [];
    if (height[k] <= 0 !== height[next] <= 0)
      out.push(addScaled(p, height[k] / (height[k] - height[next]), sub(polygon[next], p)));
    return out;
  });
}

const meanOf = (points: readonly Vec3[]): Vec3 => scale(1 / points.length, points.reduce(add, ZERO));

// ---- features -----------------------------------------------------------------------------------------------------------------

/** Polygons, convex edges and corners at their ends: where a ball's centre has to be for one of them to be nearest, as planes it is behind */
function featuresOf({ points, polygons, size }: Surface, reach: number): Piece[] {
  const tie = TIE * size;
  const pieces: Piece[] = [];
  const edges: Piece[] = [];
  const spokes = new Map<number, Plane[]>();
  const convexAt = new Set<number>();
  polygons.forEach(({ loop, normal, offset, across }, own) => {
    const sides: Plane[] = [];
    loop.forEach((a, k) => {
      const b = loop[(k + 1) % loop.length];
      const [p, q] = [points[a], points[b]];
      const along = normalize(sub(q, p));
      const beyond = cross(along, normal); // out of the polygon, in its plane
      const other = polygons[across[k]];
      const sine = dot(cross(normal, other.normal), along);
      const flat = Math.abs(sine) < FLAT && dot(normal, other.normal) > 0;
      // The line between two polygons of one plane belongs to the one of the lower number
      sides.push({ normal: beyond, offset: dot(beyond, p) + (flat ? (own <= across[k] ? tie : -tie) : 0) });
      const ends: readonly [number, Plane][] = [
        [a, { normal: along, offset: dot(along, p) + tie }],
        [b, { normal: scale(-1, along), offset: tie - dot(along, q) }],
      ];
      for (const [v, plane] of ends) spokes.set(v, [...(spokes.get(v) ?? []), plane]);
      if (flat || !(sine > 0) || across[k] < own) return;
      convexAt.add(a);
      convexAt.add(b);
      const backwards = cross(other.normal, along); // out of the other polygon, whose loop runs the other way
      edges.push(
        feature(
          [p, q],
          [
            { normal: scale(-1, beyond), offset: -dot(beyond, p) },
            { normal: scale(-1, backwards), offset: -dot(backwards, p) },
            { normal: scale(-1, along), offset: -tie - dot(along, p) },
            { normal: along, offset: dot(along, q) - tie },
          ],
          reach,
        ),
      );
    });
    pieces.push(
      feature(
        loop.map((v) => points[v]),
        [{ normal, offset }, ...sides],
        reach,
      ),
    );
  });
  const corners = [...convexAt].sort((a, b) => a - b).map((v) => feature([points[v]], spokes.get(v)!, reach));
  return [...pieces, ...edges, ...corners];
}

function feature(points: readonly Vec3[], planes: readonly Plane[], reach: number): Piece {
  const middle = scale(0.5, add(cornerOf(points, Math.min), cornerOf(points, Math.max)));
  return {
    kind: FEATURE,
    vertices: Float64Array.from(points.flat()),
    planes: Float64Array.from(planes.flatMap(({ normal, offset }) => [...normal, offset])),
    loopStart: new Int32Array(planes.length + 1),
    loops: new Int32Array(0),
    cornerStart: new Int32Array(points.length + 1),
    cornerFaces: new Int32Array(0),
    middle,
    radius: points.reduce((most, p) => Math.max(most, norm(sub(p, middle))), 0) * (1 + 1e-12),
    thinness: 2 * reach,
  };
}
