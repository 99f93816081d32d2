/**
 * What CSG makes of prisms along one axis: between two heights at which one of them begins or ends the result is a prism again, and all it consists of are such prisms. A
 * drive of a disc, a pin and a plate that carries them thus keeps its outlines, with their arcs, for contact in the plane.
 */
import { rotate } from '../../math/quaternion.js';
import type { Vec2, Vec3 } from '../../math/vec3.js';
import { circle } from '../circle-outline.js';
import { extrude } from '../extrude.js';
import { type Figure, mapWinding } from '../figure-transform.js';
import { hasArcs } from '../outline.js';
import { firstCrossingAmong } from '../outline-crossing.js';
import { nestOutlines } from '../polygon-nesting.js';
import type { Outline, Polygon, Profile } from '../profile.js';
import type { Prism, Solid } from '../solid.js';
import { joinMeshes, type TriangleMesh } from '../triangle-mesh.js';
import { circleSource, keepArcs, type Source, sourcesOf } from './keep-arcs.js';
import type { BooleanOperation } from './manifold.js';
import type { Operand } from './operand.js';
import { bottomLoops } from './prism.js';

/** Points this near, over the size of all, are one. */
const SAME = 1e-9;
/** A cylinder of fewer pieces is meant as the prism that it is drawn as: a hexagon for a nut. */
const ROUND = 16;

/** A prism of an operand, and the lines and arcs of its outline */
interface Piece extends Prism {
  readonly sources: readonly Source[];
}

/** Operands as prisms along z; undefined if one is something else. */
export function piecesOf(operands: readonly Operand[]): (readonly Piece[])[] | undefined {
  const all: (readonly Piece[])[] = [];
  for (const operand of operands) {
    const pieces = 'mesh' in operand ? solidPieces(operand) : undefined;
    if (!pieces) return undefined;
    all.push(pieces);
  }
  return all;
}

function solidPieces(solid: Solid): readonly Piece[] | undefined {
  const { position, orientation } = solid.pose;
  const [x, y, z] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec3[]).map((axis) => rotate(orientation, axis)); // biome-ignore format: one line
  if (!(Math.abs(z[2]) > 1 - 1e-14)) return undefined;
  const up = z[2] > 0;
  const place = ([u, v]: Vec2): Vec2 => [position[0] + x[0] * u + y[0] * v, position[1] + x[1] * u + y[1] * v];
  const placed = ({ profile, bottom, top, segments }: Prism): Piece => {
    const figure = mapWinding(profile as Figure, !up, place) as Profile;
    const sources = sourcesOf(figure, segments);
    const [low, high] = up ? [position[2] + bottom, position[2] + top] : [position[2] - top, position[2] - bottom];
    return { profile: figure, bottom: low, top: high, sources, ...(segments !== undefined && { segments }) };
  };
  if (solid.prisms) return solid.prisms.map(placed);
  const { form, mesh } = solid;
  const [bottom, top] = heights(mesh);
  if (form.kind === 'extrusion') {
    const { profile, segments } = form;
    const piece = placed({ profile, bottom: 0, top: form.height, ...(segments !== undefined && { segments }) });
    return [{ ...piece, bottom, top }];
  }
  if (form.kind === 'box') {
    const [u, v] = [0.5 * form.size[0], 0.5 * form.size[1]];
    const outer: Outline = [[-u, -v], [u, -v], [u, v], [-u, v]]; // biome-ignore format: one line
    return [{ ...placed({ profile: { outer, holes: [] }, bottom: 0, top: 1 }), bottom, top }];
  }
  if (form.kind !== 'cylinder') return undefined;
  const centre: Vec2 = [position[0], position[1]];
  const profile: Profile = { outer: circle(form.radius, centre), holes: [] };
  const ring = bottomLoops(mesh, bottom)?.[0];
  if (!ring) return undefined;
  if (ring.length < ROUND) {
    const drawn: Profile = { outer: ring, holes: [] };
    return [{ profile: drawn, bottom, top, sources: sourcesOf(drawn) }];
  }
  return [{ profile, bottom, top, segments: ring.length, sources: [circleSource(centre, form.radius, ring)] }];
}

function heights({ vertices }: TriangleMesh): [number, number] {
  let [bottom, top] = [Infinity, -Infinity];
  for (let i = 2; i < vertices.length; i += 3) {
    bottom = Math.min(bottom, vertices[i]);
    top = Math.max(top, vertices[i]);
  }
  return [bottom, top];
}

/** The profile with the arcs of all operands' outlines; itself where it has none of them. */
export function profileWithArcs(profile: Profile, operands: readonly (readonly Piece[])[]): Profile {
  const sources = operands.flat().flatMap((piece) => piece.sources);
  if (sources.every(({ arc }) => !arc)) return profile;
  const [found] = profilesWithArcs([profile.outer, ...profile.holes] as Polygon[], sources) ?? [];
  return found && hasArcs(found) ? found : profile;
}

/** Undefined if the outlines cross each other */
function profilesWithArcs(loops: readonly Polygon[], sources: readonly Source[]): Profile[] | undefined {
  const reach = Math.max(...loops.flat(2).map(Math.abs));
  const outlines = loops.map((loop) => keepArcs(loop, sources, SAME * reach));
  const good = firstCrossingAmong(outlines) === undefined ? outlines : loops;
  return firstCrossingAmong(good) === undefined ? nestOutlines(good) : undefined;
}

/**
 * All prisms of which the result consists; undefined if they cannot be told, as where outlines touch in a corner.
 *
 * @param operate the operation on meshes
 */
export function stackOf(
  operation: BooleanOperation,
  operands: readonly (readonly Piece[])[],
  operate: (meshes: readonly TriangleMesh[]) => TriangleMesh,
): readonly Prism[] | undefined {
  const levels = levelsOf(operands.flat());
  const prisms: Prism[] = [];
  for (let i = 0; i + 1 < levels.length; i++) {
    const [bottom, top] = [levels[i], levels[i + 1]];
    const middle = 0.5 * (bottom + top);
    const within = operands.map((pieces) => pieces.filter((piece) => piece.bottom < middle && piece.top > middle));
    const profiles = layer(operation, within, operate);
    if (!profiles) return undefined;
    for (const { profile, segments } of profiles) {
      const below = prisms.findIndex((prism) => prism.top === bottom && equal(prism.profile, profile));
      const one = { profile, top, ...(segments !== undefined && { segments }) };
      if (below >= 0) prisms[below] = { ...one, bottom: prisms[below].bottom };
      else prisms.push({ ...one, bottom });
    }
  }
  return prisms;
}

/** Heights at which something begins or ends; those that differ by rounding are one. */
function levelsOf(pieces: readonly Piece[]): number[] {
  const all = pieces.flatMap(({ bottom, top }) => [bottom, top]).sort((a, b) => a - b);
  const rounding = SAME * Math.max(Math.abs(all[0]), Math.abs(all[all.length - 1]));
  return all.filter((z, i) => i === 0 || z - all[i - 1] > rounding);
}

/** The profiles between two heights */
function layer(
  operation: BooleanOperation,
  operands: readonly (readonly Piece[])[],
  operate: (meshes: readonly TriangleMesh[]) => TriangleMesh,
): readonly Pick<Prism, 'profile' | 'segments'>[] | undefined {
  const [first, ...others] = operands;
  if (operation !== 'Union' && first.length === 0) return [];
  if (operation === 'Intersection' && others.some((pieces) => pieces.length === 0)) return [];
  const present = operands.filter((pieces) => pieces.length > 0);
  if (present.length === 0) return [];
  if (present.length === 1)
    return present[0].map(({ profile, segments }) => ({ profile, ...(segments !== undefined && { segments }) }));
  const size = Math.max(
    ...present.flat().flatMap(({ profile }) => profile.outer.flatMap(([x, y]) => [Math.abs(x), Math.abs(y)])),
  );
  const mesh = operate(
    present.map((pieces, i) => {
      // tools stand out above and below, so that no faces lie in each other
      const tool = i > 0 && operation !== 'Union';
      return joinMeshes(pieces.map((piece) => slab(piece, tool ? -size : 0, tool ? 2 * size : size)));
    }),
  );
  const loops = bottomLoops(mesh, 0);
  if (!loops) return undefined;
  const profiles =
    loops.length > 0
      ? profilesWithArcs(
          loops,
          present.flat().flatMap(({ sources }) => sources),
        )
      : [];
  const segments = Math.max(0, ...present.flat().map((piece) => piece.segments ?? 0));
  return profiles?.map((profile) => ({ profile, ...(segments > 0 && { segments }) }));
}

/** Drawn with the chords of its sources */
function slab({ sources, profile, segments }: Piece, bottom: number, top: number): TriangleMesh {
  const ring = sources.length === 1 ? sources[0].chords.map(([p]) => p) : undefined;
  const drawn = ring
    ? extrude(ring, top - bottom)
    : extrude(profile, top - bottom, segments === undefined ? {} : { segments });
  const vertices = drawn.mesh.vertices.slice();
  for (let i = 2; i < vertices.length; i += 3) vertices[i] += bottom;
  return { vertices, triangles: drawn.mesh.triangles };
}

/** The same corners in the same order, wherever they begin, to rounding */
function equal(a: Profile, b: Profile): boolean {
  const sameOutline = (p: Outline, q: Outline): boolean => {
    const size = Math.max(...p.flatMap(([x, y]) => [Math.abs(x), Math.abs(y)]));
    const same = (i: number, j: number): boolean =>
      [0, 1, 2].every((k) => Math.abs((p[i][k] ?? 0) - (q[j][k] ?? 0)) <= SAME * (k === 2 ? 1 : size));
    return p.length === q.length && q.some((_, j) => p.every((__, i) => same(i, (i + j) % q.length)));
  };
  return (
    a.holes.length === b.holes.length &&
    sameOutline(a.outer, b.outer) &&
    a.holes.every((hole) => b.holes.some((other) => sameOutline(hole, other)))
  );
}
