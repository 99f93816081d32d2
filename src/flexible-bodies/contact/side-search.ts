/**
 * The nearest of many sides: sides that follow each other along the outline are looked at in groups of eight, each with a box around it.
 */
import type { ContactSurface } from './contact-surface.js';
import { footOnSide, SideFoot } from './side-foot.js';

/** Sides in a group */
export const GROUP = 8;

export class SideSearch {
  /** 2 per node of the mesh: where nodes of sides are */
  readonly nodes: Float64Array;
  /** Around all sides: left, low, right, high */
  readonly box = new Float64Array(4);
  private readonly surface: ContactSurface;
  private readonly groups: number;
  private readonly boxes: Float64Array; // 4 per group
  private readonly tried = new SideFoot();

  constructor(surface: ContactSurface) {
    this.surface = surface;
    this.nodes = new Float64Array(2 * surface.mesh.nodeCount);
    this.groups = Math.ceil(surface.sideCount / GROUP);
    this.boxes = new Float64Array(4 * this.groups);
  }

  /** Once `nodes` are told */
  placed(): void {
    const { nodes, boxes, groups, box } = this;
    const { sides, sideCount } = this.surface;
    box[0] = box[1] = Number.POSITIVE_INFINITY;
    box[2] = box[3] = Number.NEGATIVE_INFINITY;
    for (let g = 0; g < groups; g++) {
      let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let k = 3 * GROUP * g; k < 3 * Math.min(sideCount, GROUP * (g + 1)); k++) {
        const x = nodes[2 * sides[k]];
        const y = nodes[2 * sides[k] + 1];
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < low) low = y;
        if (y > high) high = y;
      }
      // a parabola stands out beyond its three points by less than an eighth of its arrow
      const more = 0.05 * (right - left + high - low);
      boxes[4 * g] = left - more;
      boxes[4 * g + 1] = low - more;
      boxes[4 * g + 2] = right + more;
      boxes[4 * g + 3] = high + more;
      if (left - more < box[0]) box[0] = left - more;
      if (low - more < box[1]) box[1] = low - more;
      if (right + more > box[2]) box[2] = right + more;
      if (high + more > box[3]) box[3] = high + more;
    }
  }

  /** How far a point is from the box around all, m; negative inside */
  outside(x: number, y: number): number {
    const { box } = this;
    return Math.max(box[0] - x, x - box[2], box[1] - y, y - box[3]);
  }

  /** False if no side is within `reach` m of the point. */
  find(px: number, py: number, reach: number, out: SideFoot): boolean {
    const { boxes, groups, tried, nodes } = this;
    const { sides, sideCount, turns, mesh } = this.surface;
    const curved = mesh.nodesPerElement === 6;
    let best = reach;
    let found = false;
    for (let g = 0; g < groups; g++) {
      const dx = Math.max(boxes[4 * g] - px, px - boxes[4 * g + 2], 0);
      const dy = Math.max(boxes[4 * g + 1] - py, py - boxes[4 * g + 3], 0);
      if (dx * dx + dy * dy >= best * best) continue;
      for (let s = GROUP * g; s < Math.min(sideCount, GROUP * (g + 1)); s++) {
        const a = 2 * sides[3 * s];
        const b = 2 * sides[3 * s + 1];
        const mx = (nodes[a] + nodes[b]) / 2;
        const my = (nodes[a + 1] + nodes[b + 1]) / 2;
        const hx = nodes[b] - mx;
        const hy = nodes[b + 1] - my;
        // a parabola stays within half a chord of its middle, and a bit
        const away = Math.sqrt((px - mx) * (px - mx) + (py - my) * (py - my)) - 1.3 * Math.sqrt(hx * hx + hy * hy);
        if (away >= best) continue;
        const size = footOnSide(px, py, sides, s, curved, nodes, turns, tried);
        if (size >= best) continue;
        best = size;
        found = true;
        out.copy(tried);
      }
    }
    return found;
  }
}
