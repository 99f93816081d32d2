/**
 * Distance of two triangle meshes, concave or not, and their nearest points: both trees of boxes are walked together, the nearer pair of boxes
 * first; a pair farther apart than the nearest triangles so far is left out (branch and bound; Larsen et al. 1999).
 *
 * Two boxes, one turned against the other, are at least as far apart as the first is from the box around the second along the first's axes, and the
 * other way round; the larger of both is taken.
 */
import { type Bvh, buildBvh } from '../../geometry/bvh.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import type { Separation, ShapePoses } from '../route.js';
import { RelativePose } from './relative-pose.js';
import { TriangleDistance } from './triangle-distance.js';

export class MeshDistance {
  private readonly treeA: Bvh;
  private readonly treeB: Bvh;
  private readonly pose = new RelativePose();
  private readonly triangles = new TriangleDistance();
  /** 2 per entry: nodes of A and B; and the squared distance of their boxes */
  private readonly nodes: Int32Array;
  private readonly bounds: Float64Array;
  private readonly absolute = new Float64Array(9);
  private readonly cornersA = new Float64Array(9);
  private readonly cornersB = new Float64Array(18);
  private readonly nearA = new Float64Array(3);
  private readonly nearB = new Float64Array(3);

  /** @param meshA, meshB in the frames of the poses, m; a tree made already may be given instead */
  constructor(meshA: TriangleMesh | Bvh, meshB: TriangleMesh | Bvh) {
    this.treeA = 'links' in meshA ? meshA : buildBvh(meshA);
    this.treeB = 'links' in meshB ? meshB : buildBvh(meshB);
    const depth = this.treeA.depth + this.treeB.depth + 2;
    this.nodes = new Int32Array(2 * depth);
    this.bounds = new Float64Array(depth);
  }

  /**
   * Nearest points of the surfaces of mesh a at A's pose and mesh b at B's; 0 where they cross or touch. A mesh inside the other without
   * touching it is as far away as the surfaces are. Infinity if a mesh has no triangles.
   *
   * @param most m; where no triangles are nearer than that, the distance is `most`, which is then a lower bound, and direction and
   * points have no meaning
   */
  evaluate(poses: ShapePoses, a: number, b: number, out: Separation, most = Infinity): void {
    const { treeA, treeB, nodes, bounds, triangles, nearA, nearB } = this;
    const linksA = treeA.links;
    const linksB = treeB.links;
    this.pose.set(poses, a, b);
    for (let k = 0; k < 9; k++) this.absolute[k] = Math.abs(this.pose.rotation_AB[k]);
    let best = most * most;
    let found = false;
    let top = 0;
    if (linksA.length > 0 && linksB.length > 0) {
      nodes[0] = nodes[1] = 0;
      bounds[0] = this.boxes(0, 0);
      top = 1;
    }
    while (top > 0 && best > 0) {
      const nodeA = nodes[2 * --top];
      const nodeB = nodes[2 * top + 1];
      if (!(bounds[top] < best)) continue;
      const countA = 0 - linksA[2 * nodeA];
      const countB = 0 - linksB[2 * nodeB];
      if (countA > 0 && countB > 0) {
        // two leaves
        for (let n = 0; n < countB; n++) this.place(treeB.order[linksB[2 * nodeB + 1] + n], 9 * n);
        for (let m = 0; m < countA; m++) {
          this.take(treeA.order[linksA[2 * nodeA + 1] + m]);
          for (let n = 0; n < countB; n++) {
            const squared = triangles.measure(this.cornersA, 0, this.cornersB, 9 * n, best);
            if (!(squared < best)) continue;
            best = squared;
            found = true;
            nearA.set(triangles.pointP);
            nearB.set(triangles.pointQ);
          }
        }
        continue;
      }
      // open the larger box; the nearer child comes on top
      const openA = countB > 0 || (countA <= 0 && size(treeA.boxes, nodeA) >= size(treeB.boxes, nodeB));
      const links = openA ? linksA : linksB;
      const first = links[2 * (openA ? nodeA : nodeB)];
      const second = links[2 * (openA ? nodeA : nodeB) + 1];
      const d1 = openA ? this.boxes(first, nodeB) : this.boxes(nodeA, first);
      const d2 = openA ? this.boxes(second, nodeB) : this.boxes(nodeA, second);
      const near = d2 < d1 ? second : first;
      const far = d2 < d1 ? first : second;
      if (Math.max(d1, d2) < best) {
        nodes[2 * top] = openA ? far : nodeA;
        nodes[2 * top + 1] = openA ? nodeB : far;
        bounds[top++] = Math.max(d1, d2);
      }
      if (Math.min(d1, d2) < best) {
        nodes[2 * top] = openA ? near : nodeA;
        nodes[2 * top + 1] = openA ? nodeB : near;
        bounds[top++] = Math.min(d1, d2);
      }
    }
    out.distance = found ? Math.sqrt(best) : most;
    this.write(poses, a, out, found);
  }

  private write({ position, rotation }: ShapePoses, a: number, out: Separation, found: boolean): void {
    const { nearA, nearB } = this;
    const scale = found && out.distance > 0 ? 1 / out.distance : 0;
    for (let k = 0; k < 3; k++) {
      const i = 9 * a + 3 * k;
      const x = rotation[i];
      const y = rotation[i + 1];
      const z = rotation[i + 2];
      out.pointA[k] = x * nearA[0] + y * nearA[1] + z * nearA[2] + position[3 * a + k];
      out.pointB[k] = x * nearB[0] + y * nearB[1] + z * nearB[2] + position[3 * a + k];
      out.direction[k] = scale * (x * (nearB[0] - nearA[0]) + y * (nearB[1] - nearA[1]) + z * (nearB[2] - nearA[2]));
    }
  }

  /** Corners of a triangle of A. */
  private take(triangle: number): void {
    const { vertices, triangles } = this.treeA.mesh;
    for (let i = 0; i < 3; i++) {
      const v = 3 * triangles[3 * triangle + i];
      for (let k = 0; k < 3; k++) this.cornersA[3 * i + k] = vertices[v + k];
    }
  }

  /** Corners of a triangle of B in A's frame. */
  private place(triangle: number, at: number): void {
    const { vertices, triangles } = this.treeB.mesh;
    const { rotation_AB: r, position_AB: t } = this.pose;
    for (let i = 0; i < 3; i++) {
      const v = 3 * triangles[3 * triangle + i];
      const x = vertices[v];
      const y = vertices[v + 1];
      const z = vertices[v + 2];
      for (let k = 0; k < 3; k++)
        this.cornersB[at + 3 * i + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k];
    }
  }

  /** No more than the squared distance of two boxes. */
  private boxes(nodeA: number, nodeB: number): number {
    const { rotation_AB: r, position_AB: t } = this.pose;
    const s = this.absolute;
    const { boxes: boxesA } = this.treeA;
    const { boxes: boxesB } = this.treeB;
    const i = 6 * nodeA;
    const j = 6 * nodeB;
    const bx = boxesB[j];
    const by = boxesB[j + 1];
    const bz = boxesB[j + 2];
    const x = r[0] * bx + r[1] * by + r[2] * bz + t[0] - boxesA[i];
    const y = r[3] * bx + r[4] * by + r[5] * bz + t[1] - boxesA[i + 1];
    const z = r[6] * bx + r[7] * by + r[8] * bz + t[2] - boxesA[i + 2];
    const hx = boxesA[i + 3];
    const hy = boxesA[i + 4];
    const hz = boxesA[i + 5];
    const kx = boxesB[j + 3];
    const ky = boxesB[j + 4];
    const kz = boxesB[j + 5];
    // along A's axes
    const ax = Math.max(0, Math.abs(x) - hx - s[0] * kx - s[1] * ky - s[2] * kz);
    const ay = Math.max(0, Math.abs(y) - hy - s[3] * kx - s[4] * ky - s[5] * kz);
    const az = Math.max(0, Math.abs(z) - hz - s[6] * kx - s[7] * ky - s[8] * kz);
    // along B's axes
    const cx = Math.max(0, Math.abs(r[0] * x + r[3] * y + r[6] * z) - kx - s[0] * hx - s[3] * hy - s[6] * hz);
    const cy = Math.max(0, Math.abs(r[1] * x + r[4] * y + r[7] * z) - ky - s[1] * hx - s[4] * hy - s[7] * hz);
    const cz = Math.max(0, Math.abs(r[2] * x + r[5] * y + r[8] * z) - kz - s[2] * hx - s[5] * hy - s[8] * hz);
    // a little less than computed, so that rounding leaves out no pair
    return Math.max(ax * ax + ay * ay + az * az, cx * cx + cy * cy + cz * cz) * ROUND_DOWN;
  }
}

const ROUND_DOWN = 1 - 1e-12;

const size = (boxes: Float64Array, node: number): number =>
  boxes[6 * node + 3] + boxes[6 * node + 4] + boxes[6 * node + 5];
