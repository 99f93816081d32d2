/**
 * Outlines of a Geneva mechanism as lines and arcs: their exact area and moment, and where chords are asked for, polygons
 * that keep clear of what they must keep clear of. Arcs the solid bulges out with are inscribed (corners on the arc), arcs
 * cut into it are circumscribed (edges touch the arc), so every gap is at least as wide as on paper. Corners between
 * pieces are exact.
 */

import { bulgeOfSweep, corner } from '../../geometry/arc.js';
import { circle } from '../../geometry/circle-outline.js';
import type { Corner, Outline, Polygon } from '../../geometry/profile.js';
import { atan2, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { type GenevaDimensions, type GenevaOptions, genevaDimensions } from './geneva-dimensions.js';

/** Straight line, or an arc from one angle to another (rad), counter-clockwise if `from` < `to`. */
type Piece = Line | Arc;
interface Line {
  readonly from: Vec2;
  readonly to: Vec2;
}
interface Arc {
  readonly centre: Vec2;
  readonly radius: number;
  readonly from: number;
  readonly to: number;
  /** corners of the full circle */
  readonly segments: number;
}

/** Area and moment of the exact wheel, arcs being arcs. */
export interface GenevaMoments {
  /** m² */
  readonly wheelArea: number;
  /** ∫ (x² + y²) dA about the axis, m⁴; times density and height it is the moment of inertia */
  readonly wheelPolarMoment: number;
}

/** One of the n equal sectors, from the locking arc around the arc line (+x) to the next arc, counter-clockwise. */
function wheelSector(d: GenevaDimensions): Piece[] {
  const { slots: n, radius, centreDistance: C, crankRadius: a, arcCornerAngle: tau, mouthHalfAngle: sigma } = d;
  const { segments, pinSegments } = d;
  const half = d.slotWidth / 2;
  const slotLine = Math.PI / n;
  const c = cos(slotLine);
  const s = sin(slotLine);
  const along = (x: number, y: number): Vec2 => [c * x - s * y, s * x + c * y]; // from the slot's frame
  const mouth = radius * cos(sigma);
  return [
    { centre: [C, 0], radius: d.lockArcRadius, from: Math.PI + d.arcHalfAngle, to: Math.PI - d.arcHalfAngle, segments },
    { centre: [0, 0], radius, from: tau, to: slotLine - sigma, segments },
    { from: along(mouth, -half), to: along(C - a, -half) },
    {
      centre: along(C - a, 0),
      radius: half,
      from: slotLine - Math.PI / 2,
      to: slotLine - 1.5 * Math.PI,
      segments: pinSegments,
    },
    { from: along(C - a, half), to: along(mouth, half) },
    { centre: [0, 0], radius, from: slotLine + sigma, to: 2 * slotLine - tau, segments },
  ];
}

/**
 * By Green's theorem, A = ½ ∮ (x dy − y dx) and J = ¼ ∮ (x² + y²)(x dy − y dx), summed over lines and arcs.
 * On an arc about (X, Y), with u = X cos t + Y sin t and m = X² + Y² + R²:
 *
 *   x dy − y dx = (R² + R u) dt,   x² + y² = m + 2 R u
 */
export function genevaWheelMoments(options: GenevaOptions = {}): GenevaMoments {
  const d = genevaDimensions(options);
  let area = 0;
  let moment = 0;
  for (const piece of wheelSector(d)) {
    if ('centre' in piece) {
      const [X, Y] = piece.centre;
      const R = piece.radius;
      const m = X * X + Y * Y + R * R;
      const turn = piece.to - piece.from;
      const dSin = sin(piece.to) - sin(piece.from);
      const dCos = cos(piece.to) - cos(piece.from);
      const dSin2 = sin(2 * piece.to) - sin(2 * piece.from);
      const dCos2 = cos(2 * piece.to) - cos(2 * piece.from);
      const u = X * dSin - Y * dCos; // ∫ u dt
      const uu = ((X * X + Y * Y) * turn) / 2 + ((X * X - Y * Y) * dSin2) / 4 - (X * Y * dCos2) / 2; // ∫ u² dt
      area += (R * R * turn + R * u) / 2;
      moment += (m * R * R * turn + (m + 2 * R * R) * R * u + 2 * R * R * uu) / 4;
    } else {
      const [[x0, y0], [x1, y1]] = [piece.from, piece.to];
      const cross = x0 * y1 - x1 * y0;
      area += cross / 2;
      moment += (cross * (x0 * x0 + y0 * y0 + x0 * x1 + y0 * y1 + x1 * x1 + y1 * y1)) / 12;
    }
  }
  const bore = d.boreRadius * d.boreRadius;
  return {
    wheelArea: d.slots * area - Math.PI * bore,
    wheelPolarMoment: d.slots * moment - (Math.PI / 2) * bore * bore,
  };
}

/** As what arcs are drawn: themselves, or chords, `segments` and `pinSegments` to a full circle. */
export type GenevaEdges = 'arcs' | 'chords';

/** Outline of the wheel, its bore left out; an arc line on +x. @example extrude(genevaWheelOutline({ slots: 4 }), 4e-3) */
export function genevaWheelOutline(options: GenevaOptions | undefined, edges: 'chords'): Polygon;
export function genevaWheelOutline(options?: GenevaOptions, edges?: GenevaEdges): Outline;
export function genevaWheelOutline(options: GenevaOptions = {}, edges: GenevaEdges = 'arcs'): Outline {
  const d = genevaDimensions(options);
  const sector: Corner[] = [];
  for (const piece of wheelSector(d)) addPiece(sector, piece, edges);
  sector.pop(); // the next sector begins there
  const outline: Corner[] = [];
  for (let i = 0; i < d.slots; i++) {
    const angle = (2 * Math.PI * i) / d.slots;
    const c = cos(angle);
    const s = sin(angle);
    for (const [x, y, bulge = 0] of sector) outline.push(corner(c * x - s * y, s * x + c * y, bulge));
  }
  return outline;
}

/** Outlines of what the drive has at the height of the wheel: disc with relief, and pin; pin on +x of the drive axis. */
export function genevaDriveOutlines(
  options: GenevaOptions | undefined,
  edges: 'chords',
): { readonly disc: Polygon; readonly pin: Polygon };
export function genevaDriveOutlines(
  options?: GenevaOptions,
  edges?: GenevaEdges,
): { readonly disc: Outline; readonly pin: Outline };
export function genevaDriveOutlines(
  options: GenevaOptions = {},
  edges: GenevaEdges = 'arcs',
): { readonly disc: Outline; readonly pin: Outline } {
  const d = genevaDimensions(options);
  const { discRadius: z, reliefHalfAngle: delta, reliefDistance: H, reliefRadius: rho, segments } = d;
  const disc: Corner[] = [];
  addPiece(disc, { centre: [0, 0], radius: z, from: delta, to: 2 * Math.PI - delta, segments }, edges);
  // half angle of the relief's arc seen from its centre; obtuse where the centre lies within the chord
  const e = atan2(z * sin(delta), H - z * cos(delta));
  addPiece(disc, { centre: [H, 0], radius: rho, from: Math.PI + e, to: Math.PI - e, segments }, edges);
  disc.pop();
  if (edges === 'arcs') return { disc, pin: circle(d.pinDiameter / 2, [d.crankRadius, 0]) };
  const pin: Corner[] = [];
  const turn = { from: 0, to: 2 * Math.PI, segments: d.pinSegments };
  addPiece(pin, { centre: [d.crankRadius, 0], radius: d.pinDiameter / 2, ...turn }, edges);
  pin.pop();
  return { disc, pin };
}

/** Appends the corners of a piece, its two ends included unless the first is there already. */
function addPiece(outline: Corner[], piece: Piece, edges: GenevaEdges): void {
  if (!('centre' in piece)) {
    if (outline.length === 0) outline.push(piece.from);
    outline.push(piece.to);
    return;
  }
  const { centre, radius, from, to, segments } = piece;
  const at = (angle: number, r: number): Vec2 => [centre[0] + r * cos(angle), centre[1] + r * sin(angle)];
  // the small number keeps a whole number of steps whole in spite of rounding
  const steps = Math.max(1, Math.ceil((Math.abs(to - from) / (2 * Math.PI)) * segments - 1e-9));
  const step = (to - from) / steps;
  if (outline.length === 0) outline.push(at(from, radius));
  if (edges === 'arcs') {
    const [x, y] = outline[outline.length - 1];
    outline[outline.length - 1] = [x, y, bulgeOfSweep(to - from)];
    outline.push(at(to, radius));
    return;
  }
  if (from < to) for (let i = 1; i < steps; i++) outline.push(at(from + i * step, radius));
  else for (let i = 0; i < steps; i++) outline.push(at(from + (i + 0.5) * step, radius / cos(step / 2)));
  outline.push(at(to, radius));
}
