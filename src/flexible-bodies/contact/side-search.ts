/**
 * The nearest of many sides: sides that follow each other along the outline are looked at in groups of eight, each with a box around it.
 */
import type { ContactSurface } from './contact-surface.js';
import { footOnSide, SideFoot } from './side-foot.js';

/** Sides in a group */
export const GROUP = 8;
/** Sides that meet at a smaller angle (sine) are one line: of places on both the nearer one counts */
export const BLUNT = 0.03;

export class SideSearch {
  /** 2 per node of the mesh: where nodes of sides are */
  readonly nodes: Float64Array;
  /** Around all sides: left, low, right, high */
  readonly box = new Float64Array(4);
  private readonly surface: ContactSurface;
  private readonly groups: number;
  private readonly boxes: Float64Array; // 4 per group
  /** 3 per side: middle of its chord, and how far from there it may be, m */
  private readonly circles: Float64Array;
  private readonly tried = new SideFoot();
  private readonly beside = new SideFoot();
  /** Of `nearby` */
  readonly feet: SideFoot[] = [];

  constructor(surface: ContactSurface) {
    this.surface = surface;
    this.nodes = new Float64Array(2 * surface.mesh.nodeCount);
    this.groups = Math.ceil(surface.sideCount / GROUP);
    this.boxes = new Float64Array(4 * this.groups);
    this.circles = new Float64Array(3 * surface.sideCount);
  }

  /** Once `nodes` are told */
  placed(): void {
    const { nodes, boxes, groups, box, circles } = this;
    const { sides, sideCount, mesh } = this.surface;
    const curved = mesh.nodesPerElement === 6;
    box[0] = box[1] = Number.POSITIVE_INFINITY;
    box[2] = box[3] = Number.NEGATIVE_INFINITY;
    for (let g = 0; g < groups; g++) {
      let [left, low, right, high, arrow] = [Infinity, Infinity, -Infinity, -Infinity, 0];
      for (let s = GROUP * g; s < Math.min(sideCount, GROUP * (g + 1)); s++) {
        for (let k = 3 * s; k < 3 * s + 3; k++) {
          const x = nodes[2 * sides[k]];
          const y = nodes[2 * sides[k] + 1];
          if (x < left) left = x;
          if (x > right) right = x;
          if (y < low) low = y;
          if (y > high) high = y;
        }
        const [a, b, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
        const mx = (nodes[a] + nodes[b]) / 2;
        const my = (nodes[a + 1] + nodes[b + 1]) / 2;
        const [hx, hy] = [nodes[b] - mx, nodes[b + 1] - my];
        circles[3 * s] = mx;
        circles[3 * s + 1] = my;
        // a parabola stays within half a chord of its middle, and a bit
        circles[3 * s + 2] = 1.3 * Math.sqrt(hx * hx + hy * hy);
        if (curved) arrow = Math.max(arrow, Math.abs(nodes[m] - mx), Math.abs(nodes[m + 1] - my));
      }
      // a parabola stands out beyond its three points by at most a quarter of its arrow
      const more = 0.25 * arrow + 1e-6 * (right - left + high - low);
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

  /**
   * The nearest side, of two that are equally near the first. False if none is within `reach` m of the point.
   *
   * @param hint a side that may be the nearest, −1: none; what is found does not depend on it
   */
  find(px: number, py: number, reach: number, out: SideFoot, hint = -1): boolean {
    const { boxes, groups, tried, nodes } = this;
    const { sides, sideCount, turns, mesh } = this.surface;
    const curved = mesh.nodesPerElement === 6;
    let best = reach;
    let found = -1;
    if (hint >= 0 && this.mayBeWithin(best, px, py, hint)) {
      const size = footOnSide(px, py, sides, hint, curved, nodes, turns, out);
      if (size < best) {
        best = size;
        found = hint;
      }
    }
    for (let g = 0; g < groups; g++) {
      const at = 4 * g;
      if (px - best >= boxes[at + 2] || boxes[at] >= px + best) continue;
      if (py - best >= boxes[at + 3] || boxes[at + 1] >= py + best) continue;
      const end = Math.min(sideCount, GROUP * (g + 1));
      for (let s = GROUP * g; s < end; s++) {
        if (s === hint) continue;
        if (!this.mayBeWithin(best, px, py, s)) continue;
        const size = footOnSide(px, py, sides, s, curved, nodes, turns, tried);
        if (size > best || (size === best && (found < 0 || found < s))) continue;
        best = size;
        found = s;
        out.copy(tried);
      }
    }
    return found >= 0;
  }

  /** Whether a side may be nearer than `reach` */
  private mayBeWithin(reach: number, px: number, py: number, side: number): boolean {
    const { circles } = this;
    const x = px - circles[3 * side];
    const y = py - circles[3 * side + 1];
    const within = reach + circles[3 * side + 2];
    return x * x + y * y < within * within;
  }

  /**
   * All places within `reach` m of a point that are nearer to it than those beside them, into `feet`; how many. Groups of sides that are nowhere within `within` m of x, y are left out.
   */
  nearby(px: number, py: number, reach: number, x = px, y = py, within = reach): number {
    const { groups, tried, nodes, feet } = this;
    const { sides, sideCount } = this.surface;
    let count = 0;
    for (let g = 0; g < groups; g++) {
      if (!this.isGroupWithin(g, px, py, reach) || !this.isGroupWithin(g, x, y, within)) continue;
      for (let s = GROUP * g; s < Math.min(sideCount, GROUP * (g + 1)); s++) {
        const a = 2 * sides[3 * s];
        const b = 2 * sides[3 * s + 1];
        const mx = (nodes[a] + nodes[b]) / 2;
        const my = (nodes[a + 1] + nodes[b + 1]) / 2;
        const hx = nodes[b] - mx;
        const hy = nodes[b + 1] - my;
        if (Math.sqrt((px - mx) * (px - mx) + (py - my) * (py - my)) - 1.3 * Math.sqrt(hx * hx + hy * hy) >= reach)
          continue;
        const size = this.foot(px, py, s, tried);
        if (size >= reach || !this.isNearest(px, py, s, size)) continue;
        if (count === feet.length) feet.push(new SideFoot());
        feet[count++].copy(tried);
      }
    }
    return count;
  }

  private isGroupWithin(g: number, x: number, y: number, reach: number): boolean {
    const { boxes } = this;
    const dx = Math.max(boxes[4 * g] - x, x - boxes[4 * g + 2], 0);
    const dy = Math.max(boxes[4 * g + 1] - y, y - boxes[4 * g + 3], 0);
    return dx * dx + dy * dy < reach * reach;
  }

  private foot(px: number, py: number, s: number, out: SideFoot): number {
    const { sides, turns, mesh } = this.surface;
    return footOnSide(px, py, sides, s, mesh.nodesPerElement === 6, this.nodes, turns, out);
  }

  /** Whether the foot in `tried` is nearer than those on the sides next to its own; of one at a common end the first of the two has it */
  private isNearest(px: number, py: number, s: number, size: number): boolean {
    const { tried, beside } = this;
    const { before, after, sides, turns } = this.surface;
    if (tried.atEnd) {
      const next = tried.xi < 0 ? before[s] : after[s];
      if (next < 0) return true;
      if (tried.xi < 0) return false;
      this.foot(px, py, next, beside);
      return beside.atEnd && beside.xi < 0;
    }
    return (
      !this.isFartherThan(px, py, before[s], turns[sides[3 * s]], s, size) &&
      !this.isFartherThan(px, py, after[s], turns[sides[3 * s + 1]], s, size)
    );
  }

  /** Whether a place of side s, `size` away from the point, is farther from it than one on a side that goes on from it in nearly one line */
  private isFartherThan(px: number, py: number, next: number, turn: number, s: number, size: number): boolean {
    if (next < 0 || !(Math.abs(turn) < BLUNT)) return false;
    const other = this.foot(px, py, next, this.beside);
    return !this.beside.atEnd && (other < size || (other === size && next < s));
  }
}
