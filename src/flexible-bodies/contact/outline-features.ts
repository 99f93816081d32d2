/**
 * What of a rigid outline can press between the points of a flexible side: its convex corners and arcs. A corner is a place; of an arc the place nearest to the other body presses, wherever that is
 * (touch-search.ts).
 */
import { arcCircle, bulgeOf, edgeTangents } from '../../geometry/arc.js';
import type { Outline } from '../../geometry/profile.js';

type Corner = Outline[number];

/** A convex corner, and how far the next ones are on both sides, mean, m */
export interface OutlineCorner {
  readonly at: readonly [number, number];
  readonly apart: number;
}

export interface RoundEdge {
  readonly centre: readonly [number, number];
  readonly radius: number;
  /** Unit directions from the centre to its ends, counter-clockwise */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** Around all of it: middle, and radius, m */
  readonly around: { readonly at: readonly [number, number]; readonly radius: number };
  /** A circle has no ends; a wide one sweeps more than half a turn */
  readonly kind: 'narrow' | 'wide' | 'circle';
  /** It goes on as another arc without a corner, which then presses in its stead: at its start, at its end */
  readonly goesOn: readonly [boolean, boolean];
}

/** sin of the turn from which on corners are corners */
const SHARP = 0.02;
/** Of flatter ones, the facets of something round, as many count as make up this turn: contact is 5e-6 of the radius late between them */
const FACETS = 0.006;
/** Turns that are rounding */
const STRAIGHT = 1e-6;
/** Of the radius: arcs whose centres are as near to each other are one */
const SAME_CIRCLE = 1e-9;

/** How a loop turns at its i-th corner: sine; 1 or −1 where it turns back */
function turnAt(loop: Outline, i: number): number {
  const n = loop.length;
  const before = loop[(i + n - 1) % n];
  const p = loop[i];
  const [, into] = edgeTangents(before, p, bulgeOf(before));
  const [out] = edgeTangents(p, loop[(i + 1) % n], bulgeOf(p));
  const turn = into[0] * out[1] - into[1] * out[0];
  return into[0] * out[0] + into[1] * out[1] < 0 ? (turn >= 0 ? 1 : -1) : turn;
}

export function outlineCorners(loop: Outline): OutlineCorner[] {
  const n = loop.length;
  const chosen: number[] = [];
  let turned = 0;
  for (let i = 0; i < n; i++) {
    const turn = turnAt(loop, i);
    const isFacet = bulgeOf(loop[(i + n - 1) % n]) === 0 && bulgeOf(loop[i]) === 0;
    turned += isFacet && turn > STRAIGHT ? turn : 0;
    if (!(turn > SHARP) && !(turn > STRAIGHT && turned > FACETS)) continue;
    chosen.push(i);
    turned = 0;
  }
  return chosen.map((i, k) => {
    const [x, y] = loop[i];
    const apart = (j: number): number => {
      const [u, v] = loop[j];
      return Math.sqrt((u - x) * (u - x) + (v - y) * (v - y));
    };
    const [before, after] = [chosen[(k + chosen.length - 1) % chosen.length], chosen[(k + 1) % chosen.length]];
    const alone = chosen.length === 1;
    return { at: [x, y], apart: alone ? Number.POSITIVE_INFINITY : (apart(before) + apart(after)) / 2 };
  });
}

export function roundEdges(loop: Outline): RoundEdge[] {
  const n = loop.length;
  const circleOf = (i: number): ReturnType<typeof arcCircle> | undefined => {
    const bulge = bulgeOf(loop[i]);
    return bulge > 0 ? arcCircle(loop[i], loop[(i + 1) % n], bulge) : undefined;
  };
  const smooth = (i: number): boolean => Math.abs(turnAt(loop, i)) < SHARP;
  /** Edge i and the one after it lie on one circle */
  const joined = (i: number): boolean => {
    const [one, next] = [circleOf(i), circleOf((i + 1) % n)];
    if (!one || !next || !smooth((i + 1) % n)) return false;
    const [dx, dy] = [one.centre[0] - next.centre[0], one.centre[1] - next.centre[1]];
    return Math.sqrt(dx * dx + dy * dy) + Math.abs(one.radius - next.radius) < SAME_CIRCLE * one.radius;
  };
  const edges: RoundEdge[] = [];
  const whole = loop.every((_, i) => joined(i));
  for (let i = 0; i < n; i++) {
    const circle = circleOf(i);
    if (!circle || (whole ? i > 0 : joined((i + n - 1) % n))) continue;
    let last = i;
    let sweep = circle.sweep;
    while (!whole && joined(last % n)) sweep += circleOf(++last % n)!.sweep;
    const end = (last + 1) % n;
    const { centre, radius } = circle;
    const towards = (k: number): [number, number] => [
      (loop[k][0] - centre[0]) / radius,
      (loop[k][1] - centre[1]) / radius,
    ];
    const kind = whole ? 'circle' : sweep > Math.PI ? 'wide' : 'narrow';
    edges.push({
      centre: [centre[0], centre[1]],
      radius,
      from: towards(i),
      to: towards(end),
      around: kind === 'narrow' ? chordCircle(loop[i], loop[end]) : { at: [centre[0], centre[1]], radius },
      kind,
      goesOn: [smooth(i) && circleOf((i + n - 1) % n) !== undefined, smooth(end) && circleOf(end) !== undefined],
    });
  }
  return edges;
}

/** An arc of half a turn or less is inside the circle whose diameter is its chord. */
function chordCircle([ax, ay]: Corner, [bx, by]: Corner): RoundEdge['around'] {
  return {
    at: [(ax + bx) / 2, (ay + by) / 2],
    radius: Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay)) / 2,
  };
}

/** Whether a direction from its centre, in the axes of the outline, points to the arc */
export function sweeps({ kind, from, to }: RoundEdge, x: number, y: number): boolean {
  if (kind === 'circle') return true;
  const fromStart = from[0] * y - from[1] * x >= 0;
  const toEnd = x * to[1] - y * to[0] >= 0;
  return kind === 'wide' ? fromStart || toEnd : fromStart && toEnd;
}
