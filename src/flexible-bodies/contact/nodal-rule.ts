/**
 * How the force of a contact region comes to the nodes by Elmqvist et al. (2015), §9.3: to each in proportion to its penetration and to how near
 * it is to the centre of the region,
 *
 *   w_i ∝ δ_i (1 − d_i/d_max)      over the nodes of all sides that are pressed; δ_i = 0 outside the other body
 *
 * That alone shifts the resultant by up to half a side. The least change of the weights (in the sum of squares) makes Σ w_i = 1 and
 * Σ w_i x_i × F = M, so that force and moment are those of the contact. Work is not exact as it is by the shape functions of the sides: what
 * the nodes take is not what the pressure gives. Weights jump where another side begins to be pressed.
 */
import { type Foot, RigidOutline } from './rigid-outline.js';
import { SideFoot } from './side-foot.js';
import type { SoftSide } from './soft-side.js';
import type { TouchSearch } from './touch-search.js';

export class NodalRule {
  /** Per slot: force on the part in its own axes, N */
  readonly force: Float64Array;
  /** Per slot and coordinate, 2 each: Σ w_i φ_i */
  readonly shape: Float64Array;
  private readonly weight: Float64Array[] = [];
  private readonly nodes: Int32Array[] = [];
  private readonly counts: Int32Array;
  private readonly place: Float64Array;
  private readonly lever: Float64Array;
  /** Per node: slot that has it in its list, plus one */
  private readonly listed: Uint8Array;

  constructor(
    private readonly search: TouchSearch,
    private readonly soft: SoftSide,
    private readonly isA: boolean,
    private readonly slots: number,
  ) {
    const { boundary, mesh } = soft.surface;
    this.force = new Float64Array(2 * slots);
    this.shape = new Float64Array(2 * slots * soft.shapes.length);
    this.counts = new Int32Array(slots);
    for (let r = 0; r < slots; r++) {
      this.weight.push(new Float64Array(boundary.length));
      this.nodes.push(new Int32Array(boundary.length));
    }
    this.place = new Float64Array(2 * boundary.length);
    this.lever = new Float64Array(boundary.length);
    this.listed = new Uint8Array(mesh.nodeCount);
  }

  /** Weights at the present touches, whose forces are known */
  update(): void {
    const { search, shape, soft } = this;
    shape.fill(0);
    if (!this.isA && search.count > 0) search.placeA();
    for (let r = 0; r < this.slots; r++) {
      this.gather(r);
      const n = this.counts[r];
      if (n > 0) this.weigh(r, n);
      const { shapes } = soft;
      for (let i = 0; i < n; i++) {
        const [w, node] = [this.weight[r][i], this.nodes[r][i]];
        for (let k = 0; k < shapes.length; k++) {
          shape[2 * (r * shapes.length + k)] += w * shapes[k][2 * node];
          shape[2 * (r * shapes.length + k) + 1] += w * shapes[k][2 * node + 1];
        }
      }
    }
  }

  /** Generalised force of coordinate k, of forces 2 per slot in the part's own axes */
  generalised(k: number, forces: Float64Array): number {
    const n = this.soft.shapes.length;
    let sum = 0;
    for (let r = 0; r < this.slots; r++)
      sum += this.shape[2 * (r * n + k)] * forces[2 * r] + this.shape[2 * (r * n + k) + 1] * forces[2 * r + 1];
    return sum;
  }

  addNodalForces(out: Float64Array): void {
    for (let r = 0; r < this.slots; r++)
      for (let i = 0; i < this.counts[r]; i++) {
        const node = this.nodes[r][i];
        out[2 * node] += this.weight[r][i] * this.force[2 * r];
        out[2 * node + 1] += this.weight[r][i] * this.force[2 * r + 1];
      }
  }

  /** Resultant, moment, centre; nodes of the sides that are pressed */
  private gather(r: number): void {
    const { search, soft, isA, force, listed, nodes } = this;
    const { surface } = soft;
    let n = 0;
    force[2 * r] = force[2 * r + 1] = 0;
    this.moment = this.cx = this.cy = 0;
    let total = 0;
    for (let t = 0; t < search.count; t++) {
      const touch = search.touches[t];
      if (touch.slot !== r) continue;
      const own = isA === touch.index >= 0;
      const point = isA ? touch.index : surface.firstCorner - 1 - touch.index;
      for (let j = 0; j < 3; j++) {
        const node = own ? surface.nodes[3 * point + j] : surface.sides[3 * touch.foot.side + j];
        if (listed[node] !== 0) continue;
        listed[node] = 1;
        nodes[r][n++] = node;
      }
      let [x, y, fx, fy] = [touch.ax, touch.ay, touch.fx, touch.fy];
      if (!isA) {
        const { c, s, px, py } = search;
        [x, y] = [c * (touch.bx - px) + s * (touch.by - py), c * (touch.by - py) - s * (touch.bx - px)];
        [fx, fy] = [-(c * fx + s * fy), -(c * fy - s * fx)];
      }
      force[2 * r] += fx;
      force[2 * r + 1] += fy;
      this.moment += x * fy - y * fx;
      total += touch.force;
      this.cx += touch.force * x;
      this.cy += touch.force * y;
    }
    for (let i = 0; i < n; i++) listed[nodes[r][i]] = 0;
    this.counts[r] = total > 0 ? n : 0;
    if (total > 0) {
      this.cx /= total;
      this.cy /= total;
    }
  }

  private moment = 0;
  private cx = 0;
  private cy = 0;

  private weigh(r: number, n: number): void {
    const { force, lever, place, cx, cy } = this;
    const weight = this.weight[r];
    const [fx, fy] = [force[2 * r], force[2 * r + 1]];
    const size = Math.sqrt(fx * fx + fy * fy);
    let farthest = 0;
    for (let i = 0; i < n; i++) {
      this.placeOf(this.nodes[r][i], place, 2 * i);
      const [x, y] = [place[2 * i], place[2 * i + 1]];
      lever[i] = size > 0 ? (x * fy - y * fx - this.moment) / size : 0;
      farthest = Math.max(farthest, (x - cx) * (x - cx) + (y - cy) * (y - cy));
    }
    farthest = Math.sqrt(farthest);
    let all = 0;
    for (let i = 0; i < n; i++) {
      const [x, y] = [place[2 * i], place[2 * i + 1]];
      const away = Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy));
      weight[i] = farthest > 0 ? this.depthAt(x, y) * (1 - away / farthest) : 0;
      all += weight[i];
    }
    // Σ w = 1 and Σ w l = 0 by w + a + b l
    let [s1, s2, turned] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      if (all > 0) weight[i] /= all;
      s1 += lever[i];
      s2 += lever[i] * lever[i];
      turned += weight[i] * lever[i];
    }
    const missing = all > 0 ? 0 : 1;
    const det = n * s2 - s1 * s1;
    const solvable = det > 1e-12 * n * s2;
    const b = solvable ? (-n * turned - s1 * missing) / det : 0;
    const a = (missing - s1 * b) / n;
    for (let i = 0; i < n; i++) weight[i] += a + b * lever[i];
  }

  /** Displaced node, in the part's own axes */
  private placeOf(node: number, out: Float64Array, at: number): void {
    const { soft, search, isA } = this;
    const q = isA ? search.qA : search.qB;
    out[at] = soft.surface.mesh.points[2 * node];
    out[at + 1] = soft.surface.mesh.points[2 * node + 1];
    for (let k = 0; k < q.length; k++) {
      out[at] += soft.shapes[k][2 * node] * q[k];
      out[at + 1] += soft.shapes[k][2 * node + 1] * q[k];
    }
  }

  /** How deep a place in the part's own axes is in the other body, m; 0 outside */
  private depthAt(x: number, y: number): number {
    const { search, isA } = this;
    const { c, s, px, py, b } = search;
    if (isA && b instanceof RigidOutline) {
      const found = b.find(c * (x - px) + s * (y - py), c * (y - py) - s * (x - px), FOUND);
      return found ? Math.max(0, -FOUND.gap) : 0;
    }
    const sides = isA ? search.sidesB! : search.sidesA;
    const [u, v] = isA ? [x, y] : [px + c * x - s * y, py + s * x + c * y];
    const { longestSide } = isA ? (b as SoftSide).surface : search.a.surface;
    return sides.outside(u, v) <= 0 && sides.find(u, v, longestSide, FOOT) ? Math.max(0, -FOOT.gap) : 0;
  }
}

const FOUND: Foot = { gap: 0, nx: 0, ny: 0, curvature: 0 };
const FOOT = new SideFoot();
