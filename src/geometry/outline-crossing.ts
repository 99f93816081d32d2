/**
 * Where outlines of lines and arcs cross or touch, and which lies inside which.
 *
 * Straight edges alone go the exact way of polygon-crossing.ts. With arcs, edges whose boxes overlap are held against
 * each other: two circles, or a circle and a line, meet where closed forms say, to about 1e-12 of the figure's size. Where
 * two edges share a corner, the other point that their circles have in common is its mirror image in the line of centres,
 * so that tangent joints, where both points are one, are no question of rounding.
 */
import type { Vec2 } from '../math/vec3.js';
import { bulgeOf, visitExtremes } from './arc.js';
import { turn } from './orientation.js';
import { hasArcs } from './outline.js';
import { type Crossing, sweep } from './polygon-crossing.js';
import { placeOf } from './polygon-inside.js';
import { signedArea } from './polygon-measure.js';
import type { Corner, Outline, Polygon } from './profile.js';

/**
 * A place where an outline crosses or touches itself, or undefined.
 *
 * @example firstCrossing([[0, 0], [1, 1], [1, 0], [0, 1]]) // { first: 0, second: 2, at: [0.5, 0.5], … }
 */
export const firstCrossing = (outline: Outline): Crossing | undefined => firstCrossingAmong([outline]);

/** As firstCrossing, among the edges of several outlines. */
export const firstCrossingAmong = (outlines: readonly Outline[]): Crossing | undefined =>
  arePolygons(outlines) ? sweep(outlines).crossing : crossingWithArcs(outlines);

/** For each outline the smallest one around it, or −1; a crossing instead, if there is one. */
export function nesting(outlines: readonly Outline[]): {
  readonly crossing?: Crossing;
  readonly parents: Int32Array;
} {
  if (arePolygons(outlines)) return sweep(outlines);
  const parents = new Int32Array(outlines.length).fill(-1);
  const crossing = crossingWithArcs(outlines);
  if (crossing) return { crossing, parents };
  const areas = outlines.map((outline) => Math.abs(signedArea(outline)));
  outlines.forEach(([first], i) => {
    outlines.forEach((other, j) => {
      if (j === i || areas[j] <= areas[i] || (parents[i] >= 0 && areas[parents[i]] <= areas[j])) return;
      if (placeOf([first[0], first[1]], other) === 'inside') parents[i] = j;
    });
  });
  return { parents };
}

const arePolygons = (outlines: readonly Outline[]): outlines is readonly Polygon[] => !outlines.some(hasArcs);

interface Edge {
  readonly outline: number;
  readonly index: number;
  /** number of its first corner and of its last among all corners */
  readonly from: number;
  readonly to: number;
  readonly p: Corner;
  readonly q: Corner;
  readonly bulge: number;
  /** left, bottom, right, top */
  readonly box: readonly [number, number, number, number];
  /** of an arc */
  readonly centre: Vec2;
  readonly radius: number;
}

function crossingWithArcs(outlines: readonly Outline[]): Crossing | undefined {
  const edges = edgesOf(outlines);
  const size = edges.reduce((most, { box }) => Math.max(most, ...box.map(Math.abs)), 0);
  const slack = 1e-12 * size;
  // From left to right, each against those whose boxes it overlaps
  const order = edges.toSorted((a, b) => a.box[0] - b.box[0]);
  let active: Edge[] = [];
  for (const edge of order) {
    active = active.filter(({ box }) => box[2] >= edge.box[0] - slack);
    for (const other of active) {
      if (other.box[3] < edge.box[1] - slack || other.box[1] > edge.box[3] + slack) continue;
      const [first, second] = other.from < edge.from ? [other, edge] : [edge, other];
      const found = meeting(first, second, slack);
      if (found)
        return {
          first: first.index,
          second: second.index,
          firstOutline: first.outline,
          secondOutline: second.outline,
          ...found,
        };
    }
    active.push(edge);
  }
  return undefined;
}

function edgesOf(outlines: readonly Outline[]): Edge[] {
  const edges: Edge[] = [];
  let start = 0;
  outlines.forEach((outline, o) => {
    outline.forEach((p, index) => {
      const last = index + 1 === outline.length;
      const q = outline[last ? 0 : index + 1];
      const bulge = bulgeOf(p);
      const box: [number, number, number, number] = [
        Math.min(p[0], q[0]),
        Math.min(p[1], q[1]),
        Math.max(p[0], q[0]),
        Math.max(p[1], q[1]),
      ];
      visitExtremes(p, q, bulge, (x, y) => {
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      });
      const aside = bulge === 0 ? 0 : (1 - bulge * bulge) / (4 * bulge);
      const centre: Vec2 = [(p[0] + q[0]) / 2 - aside * (q[1] - p[1]), (p[1] + q[1]) / 2 + aside * (q[0] - p[0])];
      const chord = Math.sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
      const radius = bulge === 0 ? 0 : (chord * (1 + bulge * bulge)) / (4 * Math.abs(bulge));
      edges.push({
        outline: o,
        index,
        from: start + index,
        to: start + (last ? 0 : index + 1),
        p,
        q,
        bulge,
        box,
        centre,
        radius,
      });
    });
    start += outline.length;
  });
  return edges;
}

type Meeting = Pick<Crossing, 'at' | 'kind'>;

/** A point that two edges have in common beside the corners between them. */
function meeting(a: Edge, b: Edge, slack: number): Meeting | undefined {
  const shared: Corner[] = [];
  if (a.to === b.from) shared.push(a.q);
  if (b.to === a.from) shared.push(a.p);
  if (shared.length < 2 && a.bulge === 0 && b.bulge === 0) return linesMeet(a, b, shared[0]);
  const along = sameCurve(a, b, slack) ? overlapOf(a, b, slack) : undefined;
  if (along) return { at: along, kind: 'overlap' };
  if (shared.length === 2 || sameCurve(a, b, slack)) return undefined;
  for (const x of shared.length === 1 ? otherPoint(a, b, shared[0]) : commonPoints(a, b, slack)) {
    if (shared.some((c) => near(x, c, 1e-9 * Math.max(a.radius, b.radius) + slack))) continue;
    if (!(isOn(a, x, slack) && isOn(b, x, slack))) continue;
    const end = [a.p, a.q, b.p, b.q].find((c) => near(x, c, slack));
    return end ? { at: [end[0], end[1]], kind: 'touch' } : { at: x, kind: 'cross' };
  }
  return undefined;
}

/** Straight edges, by exact predicates. @param shared corner between them */
function linesMeet({ p, q }: Edge, { p: r, q: s }: Edge, shared: Corner | undefined): Meeting | undefined {
  const side = (from: Corner, to: Corner, x: Corner) => turn(from[0], from[1], to[0], to[1], x[0], x[1]);
  const between = (from: Corner, to: Corner, x: Corner) =>
    (x[0] - from[0]) * (x[0] - to[0]) + (x[1] - from[1]) * (x[1] - to[1]) <= 0;
  const [rSide, sSide, pSide, qSide] = [side(p, q, r), side(p, q, s), side(r, s, p), side(r, s, q)];
  for (const [c, on, from, to] of [
    [r, rSide, p, q],
    [s, sSide, p, q],
    [p, pSide, r, s],
    [q, qSide, r, s],
  ] as const) {
    if (c === shared || (shared && c[0] === shared[0] && c[1] === shared[1])) continue;
    if (on === 0 && between(from, to, c)) {
      const parallel = rSide === 0 && sSide === 0;
      return { at: [c[0], c[1]], kind: parallel ? 'overlap' : 'touch' };
    }
  }
  if (shared || rSide > 0 === sSide > 0 || pSide > 0 === qSide > 0) return undefined;
  const t = rSide / (rSide - sSide);
  return { at: [r[0] + t * (s[0] - r[0]), r[1] + t * (s[1] - r[1])], kind: 'cross' };
}

const near = (x: Corner, c: Corner, within: number): boolean =>
  (x[0] - c[0]) * (x[0] - c[0]) + (x[1] - c[1]) * (x[1] - c[1]) <= within * within;

/** Both on one circle, or one line between the same two corners. */
function sameCurve(a: Edge, b: Edge, slack: number): boolean {
  if (a.bulge === 0 || b.bulge === 0) return a.bulge === b.bulge;
  return near(a.centre, b.centre, slack) && Math.abs(a.radius - b.radius) <= slack;
}

/** A point inside both of two edges on one curve: the middle or an end of one on the other, other than at its ends. */
function overlapOf(a: Edge, b: Edge, slack: number): Vec2 | undefined {
  const reach = 1e3 * slack;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const x of [middleOf(one), one.p, one.q])
      if (isOn(other, x, slack) && !near(x, other.p, reach) && !near(x, other.q, reach)) return [x[0], x[1]];
  return undefined;
}

/** The middle of an edge: a bulge is half a chord's part by which it stands off. */
const middleOf = ({ p, q, bulge }: Edge): Vec2 => [
  (p[0] + q[0]) / 2 + (bulge / 2) * (q[1] - p[1]),
  (p[1] + q[1]) / 2 - (bulge / 2) * (q[0] - p[0]),
];

/** Whether a point of an edge's line or circle lies between its ends, these included. */
function isOn({ p, q, bulge }: Edge, x: Corner, slack: number): boolean {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const chord = Math.sqrt(dx * dx + dy * dy);
  if (bulge === 0) {
    const along = ((x[0] - p[0]) * dx + (x[1] - p[1]) * dy) / chord;
    return along >= -slack && along <= chord + slack;
  }
  if (near(x, p, slack) || near(x, q, slack)) return true;
  // to the right of the chord where the arc turns left
  const left = dx * (x[1] - p[1]) - dy * (x[0] - p[0]);
  return left < 0 === bulge > 0;
}

/** The other point that the curves of two edges with a common corner share: its image in the line of centres, or through the foot on the line. */
function otherPoint(a: Edge, b: Edge, shared: Corner): Vec2[] {
  const [line, arc] = a.bulge === 0 ? [a, b] : b.bulge === 0 ? [b, a] : [undefined, a];
  let [mx, my] = line
    ? [line.q[0] - line.p[0], line.q[1] - line.p[1]]
    : [a.centre[1] - b.centre[1], b.centre[0] - a.centre[0]];
  const length = Math.sqrt(mx * mx + my * my);
  [mx, my] = [mx / length, my / length];
  const k = -2 * ((shared[0] - arc.centre[0]) * mx + (shared[1] - arc.centre[1]) * my);
  return [[shared[0] + k * mx, shared[1] + k * my]];
}

/** Where the curves of two edges meet, at least one of them a circle. */
function commonPoints(a: Edge, b: Edge, slack: number): Vec2[] {
  const arc = a.bulge === 0 ? b : a;
  const other = a.bulge === 0 ? a : b;
  let [nx, ny, distance] = [0, 0, 0]; // from the arc's centre to the line on which the points lie
  if (other.bulge === 0) {
    const [dx, dy] = [other.q[0] - other.p[0], other.q[1] - other.p[1]];
    const length = Math.sqrt(dx * dx + dy * dy);
    [nx, ny] = [-dy / length, dx / length];
    distance = nx * (other.p[0] - arc.centre[0]) + ny * (other.p[1] - arc.centre[1]);
  } else {
    const [dx, dy] = [other.centre[0] - arc.centre[0], other.centre[1] - arc.centre[1]];
    const apart = Math.sqrt(dx * dx + dy * dy);
    if (!(apart > 0)) return [];
    [nx, ny] = [dx / apart, dy / apart];
    distance = (apart + ((arc.radius - other.radius) * (arc.radius + other.radius)) / apart) / 2;
  }
  const square = (arc.radius - distance) * (arc.radius + distance);
  // Tangent within rounding is touching
  if (square < -2 * slack * arc.radius) return [];
  const half = Math.sqrt(Math.max(0, square));
  const [x, y] = [arc.centre[0] + distance * nx, arc.centre[1] + distance * ny];
  return half === 0
    ? [[x, y]]
    : [
        [x - half * ny, y + half * nx],
        [x + half * ny, y - half * nx],
      ];
}
