/** The patch of two extrusions as something to draw: for every edge of an outline the parts of its wall inside the other body. */
import { asin, cos, sin } from '../../math/elementary.js';
import type { Vec3 } from '../../math/vec3.js';
import type { PatchPolygon } from '../mesh-overlap/patch-polygons.js';
import type { ExtrusionOverlap } from './extrusion-overlap.js';

/** Parts into which a piece of an arc is cut for drawing, at most 90° long */
const PARTS = 12;

/**
 * Walls of one region of the last evaluation, as rectangles in A's frame; arcs as rows of chords.
 *
 * @param side 'A' for A's surface inside B, 'B' for B's inside A
 */
export function patchWalls(overlap: ExtrusionOverlap, region: number, side: 'A' | 'B'): PatchPolygon[] {
  const { crossings, inside, regions, origin, bottom, top } = overlap;
  const { pieces } = regions;
  const walls: PatchPolygon[] = [];
  const corner = (x: number, y: number, z: number): Vec3 => [x + origin[0], y + origin[1], z];
  const wall = (px: number, py: number, qx: number, qy: number): void => {
    walls.push({
      feature: pieces.body.loops.source[pieces.edge],
      loops: [[corner(px, py, bottom), corner(qx, qy, bottom), corner(qx, qy, top), corner(px, py, top)]],
    });
  };
  for (let k = 0; k < inside.count; k++) {
    if (regions.regionAt[crossings.region[inside.runs[5 * k + 1]]] !== region) continue;
    pieces.begin(k, 0, 0);
    if (pieces.side !== (side === 'A' ? 0 : 1)) continue;
    while (pieces.next()) {
      const { px, py, qx, qy } = pieces;
      if (pieces.backward && pieces.isArc()) continue;
      if (!pieces.isArc()) {
        wall(px, py, qx, qy);
        continue;
      }
      // as in loop-edges.ts: the chord to the point after the sweep 2α is turned by α − φ, and sin α/sin φ as long
      const dx = qx - px;
      const dy = qy - py;
      const sine = 0.5 * pieces.body.loops.curvature[pieces.edge] * Math.sqrt(dx * dx + dy * dy);
      const half = asin(Math.max(-1, Math.min(1, sine)));
      let x = px;
      let y = py;
      for (let part = 1; part <= PARTS; part++) {
        const angle = (half * part) / PARTS;
        const length = sine !== 0 ? sin(angle) / sine : part / PARTS;
        const c = length * cos(angle - half);
        const s = length * sin(angle - half);
        const u = part === PARTS ? qx : px + c * dx - s * dy;
        const v = part === PARTS ? qy : py + s * dx + c * dy;
        wall(x, y, u, v);
        x = u;
        y = v;
      }
    }
  }
  return walls;
}
