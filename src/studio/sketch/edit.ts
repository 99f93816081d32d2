/** What is done to outlines: pure functions, each gives a new one. */
import { ModelError } from '../../errors.js';
import { edgePoint, partialBulge } from '../../geometry/arc.js';
import { replicate } from '../../geometry/replicate.js';
import { roundCorners } from '../../geometry/round-corners.js';
import { mirror, rotate, translate } from '../../geometry/transform.js';
import type { Vec2 } from '../../math/vec3.js';
import type { SketchCorner, SketchOutline } from '../document/sketch.js';
import { asOutline, bulgeThrough, edgeAt, fromOutline, sketchCorner } from './outline.js';

const withCorner = (outline: SketchOutline, i: number, corner: SketchCorner): SketchOutline => ({
  ...outline,
  corners: outline.corners.map((given, k) => (k === i ? corner : given)),
});

/** One more corner at the end of an open outline; `bulge` is that of the edge to it. */
export function addCorner(outline: SketchOutline, at: Vec2, bulge = 0): SketchOutline {
  const { corners } = outline;
  const last = corners.length - 1;
  const before = corners.map((corner, i): SketchCorner => (i === last ? [corner[0], corner[1], bulge] : corner));
  return { corners: [...before, sketchCorner(at)], closed: false };
}

/** `bulge` is that of the edge back to the first corner. @throws ModelError if there is nothing inside */
export function closeOutline(outline: SketchOutline, bulge = 0): SketchOutline {
  const { corners } = outline;
  const arcs = corners.slice(0, -1).some(([, , b]) => b !== 0) || bulge !== 0;
  if (corners.length < 2 || (corners.length < 3 && !arcs))
    throw new ModelError('sketch', 'expected at least 3 corners to close an outline, or 2 and an arc');
  const last = corners[corners.length - 1];
  return { corners: [...corners.slice(0, -1), [last[0], last[1], bulge]], closed: true };
}

export const moveCorner = (outline: SketchOutline, i: number, to: Vec2): SketchOutline =>
  withCorner(outline, i, sketchCorner(to, outline.corners[i][2]));

/** A corner on an edge, a part t of its length from its start; an arc becomes two arcs of the same circle. */
export function insertCorner(outline: SketchOutline, edge: number, t = 0.5): SketchOutline {
  const { from, to, bulge } = edgeAt(outline, edge);
  const { corners } = outline;
  return {
    ...outline,
    corners: [
      ...corners.slice(0, edge),
      sketchCorner(from, partialBulge(bulge, t)),
      sketchCorner(edgePoint(from, to, bulge, t), partialBulge(bulge, 1 - t)),
      ...corners.slice(edge + 1),
    ],
  };
}

/** Without the corner, its two edges being one straight one; undefined where too little is left. */
export function deleteCorner(outline: SketchOutline, i: number): SketchOutline | undefined {
  const { corners, closed } = outline;
  const n = corners.length;
  const left = corners
    .map((corner, k): SketchCorner => (k === (i + n - 1) % n && (closed || i > 0) ? [corner[0], corner[1], 0] : corner))
    .filter((_, k) => k !== i);
  const arcs = left.some(([, , bulge]) => bulge !== 0);
  return left.length < (closed ? (arcs ? 2 : 3) : 1) ? undefined : { ...outline, corners: left };
}

/** The edge as an arc through a point; straight where that lies on its chord. */
export function bendEdge(outline: SketchOutline, edge: number, through: Vec2): SketchOutline {
  const { from, to } = edgeAt(outline, edge);
  return withCorner(outline, edge, sketchCorner(from, bulgeThrough(from, through, to)));
}

export const setBulge = (outline: SketchOutline, edge: number, bulge: number): SketchOutline =>
  withCorner(outline, edge, [outline.corners[edge][0], outline.corners[edge][1], bulge]);

/** The corner where an edge ends, at a length and an angle from where it begins: what is typed. */
export function setEdge(outline: SketchOutline, edge: number, length: number, angle: number): SketchOutline {
  const { from } = edgeAt(outline, edge);
  return moveCorner(outline, (edge + 1) % outline.corners.length, polar(from, length, angle));
}

export const polar = (from: Vec2, length: number, angle: number): Vec2 => [
  from[0] + length * Math.cos(angle),
  from[1] + length * Math.sin(angle),
];

/** Corners between straight edges replaced by arcs. @throws ModelError where they do not fit */
export function fillet(outline: SketchOutline, corners: readonly number[], radius: number): SketchOutline {
  if (!outline.closed) throw new ModelError('sketch', 'expected a closed outline to round corners of; close it first');
  if (!(radius > 0)) throw new ModelError('sketch', `expected a radius > 0 m, got ${radius}`);
  const radii = outline.corners.map((_, i) => (corners.includes(i) ? radius : 0));
  return fromOutline(roundCorners(asOutline(outline), radii));
}

export const moveOutline = (outline: SketchOutline, by: Vec2): SketchOutline =>
  fromOutline(translate(by, asOutline(outline)), outline.closed);

/** @param angle rad */
export const turnOutline = (outline: SketchOutline, angle: number, centre: Vec2): SketchOutline =>
  fromOutline(rotate(angle, asOutline(outline), centre), outline.closed);

/** Mirrored at the line through a point along a direction. */
export function mirrorOutline(outline: SketchOutline, at: Vec2, along: Vec2): SketchOutline {
  const normal: Vec2 = [-along[1], along[0]];
  const back = translate(at, mirror(normal, translate([-at[0], -at[1]], asOutline(outline))));
  return fromOutline(back, outline.closed);
}

/** The open chain and its mirror image at the line through both ends, closed. */
export function mirrorClosed(outline: SketchOutline): SketchOutline {
  const { corners, closed } = outline;
  if (closed || corners.length < 3)
    throw new ModelError('sketch', 'expected an open chain of at least 3 corners, whose ends lie on the mirror');
  const [first, last] = [corners[0], corners[corners.length - 1]];
  const along: Vec2 = [last[0] - first[0], last[1] - first[1]];
  // mirroring reverses the order, so the image leads from the last corner back to the first
  const image = mirrorOutline(outline, [first[0], first[1]], along).corners;
  return { corners: [...corners.slice(0, -1), ...image.slice(0, -1)], closed: true };
}

/**
 * Around a circle: an open chain becomes one closed outline of so many equal parts, such as the tooth of a wheel; of a closed one that many
 * stand around the centre.
 */
export function aroundCircle(outline: SketchOutline, count: number, centre: Vec2): SketchOutline[] {
  if (!Number.isInteger(count) || !(count >= 2 && count <= 1000))
    throw new ModelError('sketch', `expected a whole number of copies, 2 to 1000, got ${count}`);
  const about = (figure: SketchOutline, by: Vec2): SketchOutline => moveOutline(figure, by);
  if (outline.closed)
    return Array.from({ length: count }, (_, i) => turnOutline(outline, (2 * Math.PI * i) / count, centre));
  const tooth = about(outline, [-centre[0], -centre[1]]);
  const whole = replicate(count, asOutline(tooth));
  return [about(fromOutline(whole), centre)];
}
