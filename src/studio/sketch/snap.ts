/**
 * Where a point is taken to be that the pointer shows roughly: on a corner, a middle, a centre; else along the tangent of the edge before, or
 * at a multiple of 15° from the corner before, level with other corners; else on the grid. The nearest of the first that is within reach.
 */
import { arcCircle, edgeTangents } from '../../geometry/arc.js';
import type { Vec2 } from '../../math/vec3.js';
import type { SketchOutline } from '../document/sketch.js';
import { edgeAt, edgeCount, edgeMiddle } from './outline.js';

export interface SnapOptions {
  /** m: how near the pointer must be */
  readonly reach: number;
  /** m, of the grid; none if undefined */
  readonly grid?: number | undefined;
  /** Corner that the line comes from, and the way the edge before it ends */
  readonly from?: Vec2 | undefined;
  readonly tangent?: Vec2 | undefined;
  /** Corners that are being moved themselves: `[outline, corner]` */
  readonly without?: readonly [string, number] | undefined;
}

export type SnapKind = 'corner' | 'middle' | 'centre' | 'tangent' | 'angle' | 'level' | 'grid' | 'free';

export interface Snap {
  readonly at: Vec2;
  readonly kind: SnapKind;
  /** Lines to be shown: what it is level with, or along */
  readonly guides: readonly (readonly [Vec2, Vec2])[];
  /** Outline and corner, where it is one */
  readonly corner?: readonly [string, number];
}

const STEP = Math.PI / 12;

export function snap(point: Vec2, outlines: Readonly<Record<string, SketchOutline>>, options: SnapOptions): Snap {
  const { reach, grid, from, tangent, without } = options;
  const places = [...placesOf(outlines)].filter(
    ({ corner }) => !(corner && without && corner[0] === without[0] && corner[1] === without[1]),
  );
  // On a thing: corners before middles before centres
  for (const kind of ['corner', 'middle', 'centre'] as const) {
    const near = nearest(
      point,
      places.filter((place) => place.kind === kind),
      reach,
    );
    if (near) return { at: near.at, kind, guides: [], ...(near.corner && { corner: near.corner }) };
  }
  // Along a direction from the corner before
  if (from) {
    const away: Vec2 = [point[0] - from[0], point[1] - from[1]];
    if (tangent) {
      const along = onRay(from, tangent, away, reach);
      if (along) return { at: along, kind: 'tangent', guides: [[from, along]] };
    }
    const angle = Math.round(Math.atan2(away[1], away[0]) / STEP) * STEP;
    const along = onRay(from, [rounded(Math.cos(angle)), rounded(Math.sin(angle))], away, reach);
    if (along) return { at: along, kind: 'angle', guides: [[from, along]] };
  }
  // Level with a corner
  const corners = places.filter(({ kind }) => kind === 'corner');
  const [sameX, sameY] = [0, 1].map((axis) =>
    corners
      .filter(({ at }) => Math.abs(at[axis] - point[axis]) < reach / 2)
      .sort((a, b) => distance(a.at, point) - distance(b.at, point))
      .at(0),
  );
  if (sameX || sameY) {
    const at: Vec2 = [sameX ? sameX.at[0] : point[0], sameY ? sameY.at[1] : point[1]];
    return { at, kind: 'level', guides: [sameX, sameY].flatMap((place) => (place ? [[place.at, at] as const] : [])) };
  }
  if (grid !== undefined && grid > 0) {
    const at: Vec2 = [onGrid(point[0], grid), onGrid(point[1], grid)];
    if (distance(at, point) < reach) return { at, kind: 'grid', guides: [] };
  }
  return { at: point, kind: 'free', guides: [] };
}

interface Place {
  readonly at: Vec2;
  readonly kind: 'corner' | 'middle' | 'centre';
  readonly corner?: readonly [string, number];
}

function* placesOf(outlines: Readonly<Record<string, SketchOutline>>): Generator<Place> {
  for (const [name, outline] of Object.entries(outlines)) {
    for (const [i, [x, y]] of outline.corners.entries()) yield { at: [x, y], kind: 'corner', corner: [name, i] };
    for (let i = 0; i < edgeCount(outline); i++) {
      const edge = edgeAt(outline, i);
      yield { at: edgeMiddle(edge), kind: 'middle' };
      if (edge.bulge !== 0) yield { at: arcCircle(edge.from, edge.to, edge.bulge).centre, kind: 'centre' };
    }
  }
}

const distance = (a: Vec2, b: Vec2): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function nearest(point: Vec2, places: readonly Place[], reach: number): Place | undefined {
  let best: Place | undefined;
  for (const place of places) if (distance(place.at, point) < (best ? distance(best.at, point) : reach)) best = place;
  return best;
}

/** The foot of the point on the ray from `from` along a unit vector, if the point is near it. */
function onRay(from: Vec2, along: Vec2, away: Vec2, reach: number): Vec2 | undefined {
  const length = away[0] * along[0] + away[1] * along[1];
  const aside = Math.abs(away[0] * along[1] - away[1] * along[0]);
  return length > reach && aside < reach / 2 ? [from[0] + length * along[0], from[1] + length * along[1]] : undefined;
}

const rounded = (x: number): number => (Math.abs(x) < 1e-15 ? 0 : Math.abs(Math.abs(x) - 1) < 1e-15 ? Math.sign(x) : x);
const onGrid = (x: number, grid: number): number => Number((Math.round(x / grid) * grid).toPrecision(12));

/** A grid for a width of the picture, m: about 40 lines, 1, 2 or 5 times a power of ten. */
export function gridFor(width: number): number {
  const wanted = width / 40;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((k) => k * power >= wanted * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(12));
}

/** How the edge to the last corner of an outline ends there, a unit vector. */
export function endTangent(outline: SketchOutline): Vec2 | undefined {
  const n = outline.corners.length;
  if (n < 2) return undefined;
  const { from, to, bulge } = edgeAt(outline, n - 2);
  return edgeTangents(from, to, bulge)[1];
}
