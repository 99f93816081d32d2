/** The patch of two extrusions as something to draw: for every edge of an outline the parts of its wall inside the other body. */
import type { Vec3 } from '../../math/vec3.js';
import type { PatchPolygon } from '../mesh-overlap/patch-polygons.js';
import type { ExtrusionOverlap } from './extrusion-overlap.js';

/**
 * Walls of one region of the last evaluation, as rectangles in A's frame.
 *
 * @param side 'A' for A's surface inside B, 'B' for B's inside A
 */
export function patchWalls(overlap: ExtrusionOverlap, region: number, side: 'A' | 'B'): PatchPolygon[] {
  const { crossings, inside, regions, origin, bottom, top } = overlap;
  const body = side === 'A' ? overlap.a : overlap.b;
  const { next, start } = body.loops;
  const { runs } = inside;
  const walls: PatchPolygon[] = [];
  const wall = (edge: number, p: readonly [number, number], q: readonly [number, number]): void => {
    const corner = ([x, y]: readonly [number, number], z: number): Vec3 => [x + origin[0], y + origin[1], z];
    walls.push({
      feature: body.givenEdge(edge),
      loops: [[corner(p, bottom), corner(q, bottom), corner(q, top), corner(p, top)]],
    });
  };
  for (let k = 0; k < inside.count; k++) {
    if ((runs[5 * k] & 1) !== (side === 'A' ? 0 : 1)) continue;
    const from = runs[5 * k + 1];
    const to = runs[5 * k + 2];
    if (regions.regionAt[crossings.region[from]] !== region) continue;
    const whole = to < 0;
    const last = whole ? start[runs[5 * k + 3]] : runs[5 * k + 4];
    let v = whole ? last : runs[5 * k + 3];
    let p: readonly [number, number] = [crossings.points[2 * from], crossings.points[2 * from + 1]];
    if (whole || v !== last || runs[5 * k] > 1)
      do {
        const edge = v;
        v = next[v];
        const q = [body.points[2 * v], body.points[2 * v + 1]] as const;
        wall(edge, p, q);
        p = q;
      } while (v !== last);
    if (!whole) wall(last, p, [crossings.points[2 * to], crossings.points[2 * to + 1]]);
  }
  return walls;
}
