/**
 * The outline of a design as a part to be made: cut at the density at which it has the wanted area, smoothed where it is cut, in one piece that still has
 * every place that joints need. Edges of the room it was designed in stay as they were.
 */
import { ModelError } from '../../errors.js';
import { nestOutlines, profileArea } from '../../geometry/polygon.js';
import { sweep } from '../../geometry/polygon-crossing.js';
import type { Polygon, PolygonProfile } from '../../geometry/profile.js';
import type { Vec2 } from '../../math/vec3.js';
import { designOutlines } from './contour.js';
import type { DesignMesh } from './design-mesh.js';

type Loop = [number, number][];

/**
 * @param area  m²
 * @param needs points that the part must have: joints
 * @param size  of the mesh, m
 * @throws ModelError if the design fell apart
 */
export function designProfile(
  mesh: DesignMesh,
  densities: Float64Array,
  { area, needs, size }: { area: number; needs: readonly Vec2[]; size: number },
): PolygonProfile {
  const [part] = cut(mesh, densities, area, size, ([largest]) => (largest ? [largest] : []));
  if (!part) throw new ModelError('topology', 'nothing is left of the design; allow more volume');
  const outside = needs.find((point) => !nearMaterial(part, point, size));
  if (outside)
    throw new ModelError(
      'topology',
      `the design fell apart: its largest piece has nothing at (${outside.map((x) => x.toPrecision(4)).join(', ')}) m, where a joint takes hold; ` +
        'allow more volume, more iterations or a smaller radius',
    );
  return part;
}

/**
 * All pieces of a design that has several, each of which carries a load to what is held: those that have one of the points that are loaded.
 *
 * @param needs points that are loaded; each piece has one of them
 * @throws ModelError if nothing is left
 */
export function designPieces(
  mesh: DesignMesh,
  densities: Float64Array,
  { area, needs, size }: { area: number; needs: readonly Vec2[]; size: number },
): readonly PolygonProfile[] {
  const near = 1.5 * size;
  const carries = ({ outer, holes }: PolygonProfile): boolean =>
    needs.some(
      (point) =>
        [outer, ...holes].some((ring) => distanceTo(ring, point) <= near) ||
        (inside(outer, point) && !holes.some((ring) => inside(ring, point))),
    );
  const pieces = cut(mesh, densities, area, size, (profiles) =>
    profiles.length > 1 ? profiles.filter(carries) : profiles,
  );
  if (pieces.length === 0) throw new ModelError('topology', 'nothing is left of the design; allow more volume');
  return pieces;
}

/** Outlines at the density at which those that are chosen have the area, m² */
function cut(
  mesh: DesignMesh,
  densities: Float64Array,
  area: number,
  size: number,
  choose: (profiles: readonly PolygonProfile[]) => readonly PolygonProfile[],
): readonly PolygonProfile[] {
  const rim = boundaryPoints(mesh);
  const at = (level: number): readonly PolygonProfile[] =>
    choose(nestOutlines(smoothedTogether(designOutlines(mesh, densities, level), rim, size)));
  let [low, high] = [0.05, 0.95];
  for (let k = 0; k < 30; k++) {
    const level = (low + high) / 2;
    if (at(level).reduce((sum, profile) => sum + profileArea(profile), 0) > area) low = level;
    else high = level;
  }
  return at(low);
}

/** Outlines that cross when they are smoothed, where a strut between two holes is thinner than the mesh, stay as they were cut: there none crosses another. */
function smoothedTogether(outlines: readonly Polygon[], rim: ReadonlySet<string>, size: number): readonly Polygon[] {
  const out = outlines.map((outline) => smoothed(outline, rim, size));
  for (let pass = 0; pass < outlines.length; pass++) {
    const { crossing } = sweep(out);
    if (!crossing) break;
    for (const i of [crossing.firstOutline, crossing.secondOutline]) out[i] = outlines[i];
  }
  return out;
}

/** Corners of the room itself: points of the mesh on edges that one element has */
function boundaryPoints({ elements, elementCount, nodesPerElement: n, nodeCount, points }: DesignMesh): Set<string> {
  const corners = n === 6 ? 3 : n;
  const edges = new Map<number, number>();
  for (let e = 0; e < elementCount; e++)
    for (let a = 0; a < corners; a++) {
      const [p, q] = [elements[n * e + a], elements[n * e + ((a + 1) % corners)]];
      const key = p < q ? p * nodeCount + q : q * nodeCount + p;
      edges.set(key, (edges.get(key) ?? 0) + 1);
    }
  const out = new Set<string>();
  for (const [key, count] of edges)
    if (count === 1)
      for (const node of [Math.floor(key / nodeCount), key % nodeCount])
        out.add(`${points[2 * node]},${points[2 * node + 1]}`);
  return out;
}

/** Cut corners relaxed to the middle of their neighbours, twice; then corners nearer than 0.4 of the mesh size to the one before are dropped. */
function smoothed(outline: Polygon, rim: ReadonlySet<string>, size: number): Polygon {
  let loop: Loop = outline.map(([x, y]) => [x, y]);
  const onRim = loop.map(([x, y]) => rim.has(`${x},${y}`));
  const count = loop.length;
  // neither the room's own corners, nor where a cut meets them, nor ends of long straight edges
  const far = ([x, y]: readonly [number, number], [px, py]: readonly [number, number]): boolean =>
    (x - px) * (x - px) + (y - py) * (y - py) > 4 * size * size;
  const fixed = loop.map((point, i) => {
    const [before, after] = [(i + count - 1) % count, (i + 1) % count];
    return onRim[i] || onRim[before] || onRim[after] || far(point, loop[before]) || far(point, loop[after]);
  });
  for (let pass = 0; pass < 4; pass++) {
    // Taubin: a step in, a slightly longer step out, so that the area stays
    const share = pass % 2 === 0 ? 0.5 : -0.52;
    loop = loop.map(([x, y], i) => {
      if (fixed[i]) return [x, y];
      const [px, py] = loop[(i + count - 1) % count];
      const [qx, qy] = loop[(i + 1) % count];
      return [x + share * ((px + qx) / 2 - x), y + share * ((py + qy) / 2 - y)];
    });
  }
  const kept: Loop = [];
  const least = 0.4 * size;
  loop.forEach(([x, y], i) => {
    const last = kept.at(-1);
    const apart = !last || (x - last[0]) * (x - last[0]) + (y - last[1]) * (y - last[1]) > least * least;
    if (onRim[i] || apart) kept.push([x, y]);
  });
  // a shallow cut along an edge of the room may fold over when its corners are dropped: such a loop stays as it was cut
  return kept.length >= 3 && !sweep([kept]).crossing ? kept : outline;
}

/** In the material, or in a hole or beside an edge of it no farther than one and a half sizes from a corner or side */
function nearMaterial(profile: PolygonProfile, point: Vec2, size: number): boolean {
  if (inside(profile.outer, point)) {
    const hole = profile.holes.find((ring) => inside(ring, point));
    return hole === undefined || isPin(hole, point);
  }
  return distanceTo(profile.outer, point) <= 1.5 * size;
}

/** A hole around a joint is its pin: the joint is near the hole's middle */
function isPin(ring: Polygon, [x, y]: Vec2): boolean {
  let [cx, cy] = [0, 0];
  for (const [px, py] of ring) {
    cx += px / ring.length;
    cy += py / ring.length;
  }
  const radius = Math.sqrt((ring[0][0] - cx) * (ring[0][0] - cx) + (ring[0][1] - cy) * (ring[0][1] - cy));
  return (x - cx) * (x - cx) + (y - cy) * (y - cy) < 0.25 * radius * radius;
}

function inside(ring: Polygon, [x, y]: Vec2): boolean {
  let odd = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}

function distanceTo(ring: Polygon, [x, y]: Vec2): number {
  let least = Number.POSITIVE_INFINITY;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    const square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    const t = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
    const [dx, dy] = [x - ax - t * (bx - ax), y - ay - t * (by - ay)];
    least = Math.min(least, dx * dx + dy * dy);
  });
  return Math.sqrt(least);
}
