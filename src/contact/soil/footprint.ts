/**
 * The underside of a body over the nodes of a grid: triangles that face down are drawn into a window of the grid, the lowest wins. Cost: triangles
 * near the ground + nodes covered; no ray is cast.
 *
 * The body's mesh is cut into clusters of some 32 triangles, each in a ball; clusters whose ball is above the ground are left out before a vertex of
 * them is turned.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';

const CLUSTER = 32;

/** A mesh in the body's frame, clustered. */
export class SoilMesh {
  readonly clusters: number;
  /** 4 per cluster: centre and radius of its ball, m */
  readonly balls: Float64Array;
  /** First vertex and first triangle of each cluster, and one beyond */
  readonly vertexStart: Int32Array;
  readonly triangleStart: Int32Array;
  /** 3 per vertex, m; a vertex that several clusters have is there several times */
  readonly vertices: Float64Array;
  /** 3 per triangle, of the cluster's vertices */
  readonly triangles: Int32Array;
  readonly mostVertices: number;
  /** Greatest distance of a vertex from the body's origin, m */
  readonly reach: number;

  constructor({ vertices, triangles }: TriangleMesh) {
    const groups = clustersOf(vertices, triangles);
    this.clusters = groups.length;
    this.balls = new Float64Array(4 * groups.length);
    this.vertexStart = new Int32Array(groups.length + 1);
    this.triangleStart = new Int32Array(groups.length + 1);
    this.triangles = new Int32Array(triangles.length);
    const xyz: number[] = [];
    let most = 0;
    let at = 0;
    for (const [c, group] of groups.entries()) {
      const local = new Map<number, number>();
      for (const t of group)
        for (let k = 0; k < 3; k++) {
          const v = triangles[3 * t + k];
          if (!local.has(v)) {
            local.set(v, local.size);
            xyz.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
          }
          this.triangles[at++] = local.get(v)!;
        }
      this.vertexStart[c + 1] = this.vertexStart[c] + local.size;
      this.triangleStart[c + 1] = this.triangleStart[c] + group.length;
      most = Math.max(most, local.size);
      this.ball(c, xyz);
    }
    this.vertices = Float64Array.from(xyz);
    this.mostVertices = most;
    let reach = 0;
    for (let i = 0; i < vertices.length; i += 3)
      reach = Math.max(
        reach,
        vertices[i] * vertices[i] + vertices[i + 1] * vertices[i + 1] + vertices[i + 2] * vertices[i + 2],
      );
    this.reach = Math.sqrt(reach);
  }

  private ball(c: number, xyz: readonly number[]): void {
    const [from, to] = [3 * this.vertexStart[c], 3 * this.vertexStart[c + 1]];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      low[i % 3] = Math.min(low[i % 3], xyz[i]);
      high[i % 3] = Math.max(high[i % 3], xyz[i]);
    }
    let radius = 0;
    for (let i = from; i < to; i += 3) {
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const d = xyz[i + k] - (low[k] + high[k]) / 2;
        square += d * d;
      }
      radius = Math.max(radius, Math.sqrt(square));
    }
    for (let k = 0; k < 3; k++) this.balls[4 * c + k] = (low[k] + high[k]) / 2;
    this.balls[4 * c + 3] = radius;
  }
}

/** Halves along the longest side until few are left */
function clustersOf(vertices: Float64Array, triangles: Uint32Array): number[][] {
  const centre = (t: number, k: number): number =>
    vertices[3 * triangles[3 * t] + k] +
    vertices[3 * triangles[3 * t + 1] + k] +
    vertices[3 * triangles[3 * t + 2] + k];
  const result: number[][] = [];
  const cut = (group: number[]): void => {
    if (group.length <= CLUSTER) {
      if (group.length > 0) result.push(group);
      return;
    }
    let [axis, longest] = [0, -1];
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (const t of group) {
        low = Math.min(low, centre(t, k));
        high = Math.max(high, centre(t, k));
      }
      if (high - low > longest) [axis, longest] = [k, high - low];
    }
    const sorted = [...group].sort((a, b) => centre(a, axis) - centre(b, axis) || a - b);
    const middle = sorted.length >> 1;
    cut(sorted.slice(0, middle));
    cut(sorted.slice(middle));
  };
  cut(Array.from({ length: triangles.length / 3 }, (_, t) => t));
  return result;
}

/** Where a body is, in the terrain's frame: origin m, rotation row by row */
export interface SoilPose {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** The window of the grid under a body and what is over each of its nodes */
export class Footprint {
  /** First node and number of nodes, along x and y */
  i0 = 0;
  j0 = 0;
  columns = 0;
  rows = 0;
  /** Per node of the window, row by row: height of the underside, m (∞ where there is none), and its unit normal into the body */
  under = new Float64Array(0);
  normal = new Float64Array(0);
  private turned = new Float64Array(0);
  private lowZ = new Float64Array(0);

  /** @param topOver highest level of the ground over a rectangle of the terrain's frame, m */
  draw(
    mesh: SoilMesh,
    { position: p, rotation: R }: SoilPose,
    spacing: number,
    topOver: (x0: number, x1: number, y0: number, y1: number) => number,
  ): void {
    const { clusters, balls } = mesh;
    if (this.lowZ.length < clusters) this.lowZ = new Float64Array(clusters);
    if (this.turned.length < 3 * mesh.mostVertices) this.turned = new Float64Array(3 * mesh.mostVertices);
    const { lowZ } = this;

    // Window: clusters whose ball reaches below the ground
    const top = topOver(p[0] - mesh.reach, p[0] + mesh.reach, p[1] - mesh.reach, p[1] + mesh.reach);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let c = 0; c < clusters; c++) {
      const [bx, by, bz, radius] = [balls[4 * c], balls[4 * c + 1], balls[4 * c + 2], balls[4 * c + 3]];
      const z = p[2] + R[6] * bx + R[7] * by + R[8] * bz - radius;
      lowZ[c] = z;
      if (z > top) continue;
      const x = p[0] + R[0] * bx + R[1] * by + R[2] * bz;
      const y = p[1] + R[3] * bx + R[4] * by + R[5] * bz;
      x0 = Math.min(x0, x - radius);
      x1 = Math.max(x1, x + radius);
      y0 = Math.min(y0, y - radius);
      y1 = Math.max(y1, y + radius);
    }
    if (!(x0 <= x1)) {
      this.columns = this.rows = 0;
      return;
    }
    this.i0 = Math.floor(x0 / spacing);
    this.j0 = Math.floor(y0 / spacing);
    this.columns = Math.floor(x1 / spacing) - this.i0 + 2;
    this.rows = Math.floor(y1 / spacing) - this.j0 + 2;
    const nodes = this.columns * this.rows;
    if (this.under.length < nodes) {
      this.under = new Float64Array(2 * nodes);
      this.normal = new Float64Array(6 * nodes);
    }
    this.under.fill(Infinity, 0, nodes);

    for (let c = 0; c < clusters; c++) {
      if (lowZ[c] > top) continue;
      this.turn(mesh, c, p, R);
      for (let t = 3 * mesh.triangleStart[c]; t < 3 * mesh.triangleStart[c + 1]; t += 3)
        this.fill(3 * mesh.triangles[t], 3 * mesh.triangles[t + 1], 3 * mesh.triangles[t + 2], spacing, top);
    }
  }

  private turn({ vertices, vertexStart }: SoilMesh, c: number, p: Float64Array, R: Float64Array): void {
    const { turned } = this;
    for (let i = 3 * vertexStart[c], o = 0; i < 3 * vertexStart[c + 1]; i += 3, o += 3) {
      const [x, y, z] = [vertices[i], vertices[i + 1], vertices[i + 2]];
      turned[o] = p[0] + R[0] * x + R[1] * y + R[2] * z;
      turned[o + 1] = p[1] + R[3] * x + R[4] * y + R[5] * z;
      turned[o + 2] = p[2] + R[6] * x + R[7] * y + R[8] * z;
    }
  }

  /** One triangle by its corners in `turned`; the nodes on its edges count to it. */
  private fill(a: number, b: number, c: number, spacing: number, top: number): void {
    const { turned, under, normal, i0, j0, columns } = this;
    const ax = turned[a];
    const ay = turned[a + 1];
    const az = turned[a + 2];
    const bx = turned[b] - ax;
    const by = turned[b + 1] - ay;
    const cx = turned[c] - ax;
    const cy = turned[c + 1] - ay;
    const nz = bx * cy - by * cx; // twice its area seen from above, negative if it faces down
    if (!(nz < 0)) return;
    const bz = turned[b + 2] - az;
    const cz = turned[c + 2] - az;
    if (az + Math.min(0, bz, cz) > top) return;
    const x0 = ax + Math.min(0, bx, cx);
    const x1 = ax + Math.max(0, bx, cx);
    const y0 = ay + Math.min(0, by, cy);
    const y1 = ay + Math.max(0, by, cy);
    const first = Math.ceil(x0 / spacing);
    const last = Math.floor(x1 / spacing);
    const low = Math.ceil(y0 / spacing);
    const high = Math.floor(y1 / spacing);
    if (first > last || low > high) return;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const length = -Math.sqrt(nx * nx + ny * ny + nz * nz); // into the body
    const [sx, sy] = [nx / -nz, ny / -nz]; // slopes of the plane
    const edge = -1e-12 * nz; // a node on the edge of two triangles must not be lost between them
    for (let j = low; j <= high; j++) {
      const y = j * spacing - ay;
      for (let i = first; i <= last; i++) {
        const x = i * spacing - ax;
        // Barycentric coordinates times nz < 0
        const u = x * cy - y * cx;
        const v = bx * y - by * x;
        if (u > edge || v > edge || u + v < nz - edge) continue;
        const z = az + sx * x + sy * y;
        const k = (j - j0) * columns + i - i0;
        if (z < under[k]) {
          under[k] = z;
          normal[3 * k] = nx / length;
          normal[3 * k + 1] = ny / length;
          normal[3 * k + 2] = nz / length;
        }
      }
    }
  }
}
