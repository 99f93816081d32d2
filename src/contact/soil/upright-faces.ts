/**
 * Passive earth pressure on upright faces: where the underside of a body steps up from a node to its neighbour and soil stands in between, H high, the
 * body pushes a wall of soil, per length
 *
 *   P = ½ ρ g Kp H² + 2 c √Kp H,       Kp = tan²(45° + φ/2)                      Rankine
 *
 * come into force as it has pushed that way by x: 1 − e^(−x/0.1 H). The way is the part towards the wall of the way that fresh soil would have to be sheared as much as the node is. At the edge of a footprint a cell has as much of the wall as more
 * of it is covered than of its neighbour, so that the wall goes from cell to cell with the edge.
 */
import { exp } from '../../math/elementary.js';
import type { NodeResponse } from './node-response.js';
import type { SoilLaw } from './soil-law.js';
import type { SoilObject } from './soil-object.js';
import type { SoilTiles } from './soil-tiles.js';

/** A step between neighbouring nodes steeper than this is an upright face */
const UPRIGHT = 1.7;
/** Passive pressure comes into force over this part of the face's height */
const MOBILISED = 0.1;
/** Towards +x, −x, +y, −y */
export const TOWARDS_X = [1, -1, 0, 0] as const;
export const TOWARDS_Y = [0, 0, 1, -1] as const;

export class UprightFaces {
  /** N, at the node, along x and y */
  fx = 0;
  fy = 0;
  /** Per side: how the push grows with the way pushed and with the wall's height, N/m; place in the window of the neighbour whose underside ends the wall, or −1 */
  readonly byWay = new Float64Array(4);
  readonly byHeight = new Float64Array(4);
  readonly neighbour = new Int32Array(4);
  /** Per side: the push of a wall along a whole cell, N, and place of the cell beyond where its part is taken off, or −1 */
  readonly whole = new Float64Array(4);
  readonly beyond = new Int32Array(4);

  constructor(
    private readonly law: SoilLaw,
    private readonly tiles: SoilTiles,
  ) {}

  /** Of node k of the window, column a and row b */
  push(object: SoilObject, at: NodeResponse, k: number, a: number, b: number): void {
    const { law, tiles } = this;
    const { spacing } = tiles;
    const { i0, j0, columns, rows, underside, coverage } = object.footprint;
    const { under } = underside;
    const { cover } = coverage;
    this.fx = this.fy = 0;
    let isWayKnown = false;
    for (let side = 0; side < 4; side++) {
      this.byWay[side] = this.byHeight[side] = this.whole[side] = 0;
      const mx = TOWARDS_X[side];
      const my = TOWARDS_Y[side];
      const towards = at.jx * mx + at.jy * my;
      if (!(towards > 0)) continue;
      const c = a + mx;
      const d = b + my;
      const inside = c >= 0 && d >= 0 && c < columns && d < rows;
      const over = inside ? under[d * columns + c] : Infinity;
      // Within the body's own underside only what is too steep to be a slope of it; at its edge all that stands above
      const steps = over < Infinity && over - under[k] > UPRIGHT * spacing;
      const outside = over === Infinity ? 0 : cover[d * columns + c];
      const part = steps ? cover[k] : cover[k] - outside;
      if (!(part > 0)) continue;
      const ground = steps ? tiles.levelAt(i0 + c, j0 + d) : tiles.freeLevelAt(i0 + c, j0 + d);
      const H = Math.min(steps ? over : Infinity, ground) - under[k];
      if (!(H > (steps ? UPRIGHT * spacing : 0))) continue;
      if (!isWayKnown) at.findWay();
      isWayKnown = true;
      const way = at.wayByShear * towards;
      const most = spacing * H * (law.wallWeight * H + law.wallCohesion);
      const left = exp(-way / (MOBILISED * H));
      this.neighbour[side] = steps && over < ground ? d * columns + c : -1;
      this.whole[side] = most * (1 - left);
      this.beyond[side] = !steps && outside > 0 ? d * columns + c : -1;
      const byWay = (most * left) / (MOBILISED * H);
      this.byWay[side] = part * byWay;
      this.byHeight[side] =
        part * (spacing * (2 * law.wallWeight * H + law.wallCohesion) * (1 - left) - (byWay * way) / H);
      const force = part * this.whole[side];
      this.fx -= force * mx;
      this.fy -= force * my;
    }
  }
}
