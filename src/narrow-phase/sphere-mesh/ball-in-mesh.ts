/**
 * The overlap of a ball with the inside of a closed mesh, region by region, exactly: no facets on the ball.
 *
 * The boundary of the overlap is the mesh's surface inside the ball and the sphere's surface inside the mesh. Of the latter nothing needs to
 * be known but what the divergence theorem tells, with C the ball's centre as origin (r · n = R on the sphere, r · n = d on a
 * triangle):
 *
 *   4π = solid angle of all          sphere's area       A = R² (4π w − Σ Ω),    w = 1 if the centre is inside the mesh, else 0
 *   ∮ n dA = 0                       sphere's vector     S = −Σ ∫ n dA
 *   ∮ (r · n) dA = 3 V               V = 4π w R³/3 + Σ (d a − R³ Ω)/3
 *   ∮ r (r · n) dA = 4 ∫ r dV        ∫ r dV = (Σ d ∫ r dA + R² S)/4
 *   ∮ r nᵀ dA = V 1                  R ∫ n nᵀ dA over the sphere = V 1 − G,    G = Σ ∫ r nᵀ dA
 *
 * the sums going over the triangles' parts in the ball (triangle-in-ball.ts). Neighbouring triangles in one plane add up to what the
 * whole face would give, so that a ball rolling over a tessellated plane feels nothing of it.
 *
 * A centre on the surface itself sees it under no angle; it is taken 1e-8 R beside.
 *
 * **Regions.** Parts that share a piece of an edge in the ball belong together. Such a set with V < 0 is the far side of something the ball
 * reaches through, or a cavity; it is added to the region around the centre if the centre is inside, else to the region its centroid
 * lies nearest to in direction.
 */

import { locatePoint } from '../../geometry/point-location.js';
import { findRoot, unite } from '../../math/union-find.js';
import type { MeshTopology } from '../mesh-overlap/mesh-topology.js';
import { PART, TriangleInBall } from './triangle-in-ball.js';

/** A sum of solid angles that is no rounding, sr. */
const CLEAR = 1e-6;

/** Nearer than this, over R, the centre is on the surface; and how far beside it is then taken. */
const ON_SURFACE = 1e-9;
const BESIDE = 1e-8;

/** Scratch of a mesh; shared by all balls that meet it, one after the other. */
export class BallInMesh {
  /** regions in the last evaluation */
  count = 0;
  /** `PART.length` per region, in the mesh's axes about the ball's centre; its volume is V and its solid angle that of the sphere inside the mesh, sr */
  sums = new Float64Array(4 * PART.length);
  /** one per region: the least triangle in it, −1 if there is none */
  triangle = new Int32Array(4);
  private readonly part = new TriangleInBall();
  private readonly stack: Int32Array;
  private readonly beside = new Float64Array(3);
  private onSurface = false;
  private stamp = 0;
  /** one per edge: the stamp, and the first part on it */
  private readonly edgeMet: Int32Array;
  private readonly edgePart: Int32Array;
  /** one per part: its triangle, its parent in the union–find forest, its set */
  private partTriangle: Int32Array = new Int32Array(16);
  private parent: Int32Array = new Int32Array(16);
  private setOf: Int32Array = new Int32Array(16);
  private parts = new Float64Array(16 * PART.length);
  /** sums of sets, before negative ones are joined */
  private sets = new Float64Array(4 * PART.length);
  private setTriangle = new Int32Array(4);

  constructor(readonly topology: MeshTopology) {
    this.stack = new Int32Array(topology.tree.depth + 2);
    this.edgeMet = new Int32Array(topology.edgeCount);
    this.edgePart = new Int32Array(topology.edgeCount);
  }

  /** Finds the regions of the ball with its centre (3, m) in the mesh's frame; returns their number. */
  evaluate(place: Float64Array, radius: number): number {
    this.count = 0;
    let centre = place;
    let parts = this.collect(centre, radius);
    if (parts < 0) return 0;
    if (this.onSurface) {
      centre = this.beside;
      for (let k = 0; k < 3; k++) centre[k] = place[k] + BESIDE * radius * ASIDE[k];
      parts = this.collect(centre, radius);
    }
    const { tree } = this.topology;
    const sets = this.addSets(parts);

    // whether the centre is inside: 4π w − Σ Ω lies between 0 and 4π
    let angle = 0;
    for (let s = 0; s < sets; s++) angle += this.sets[PART.length * s + PART.solidAngle];
    const inside = Math.abs(angle) > CLEAR ? angle > 0 : locatePoint(tree, centre[0], centre[1], centre[2]) > 0;

    // regions: the one around the centre first, then sets of positive volume
    if (this.sums.length < PART.length * (sets + 1)) {
      this.sums = new Float64Array(2 * PART.length * (sets + 1));
      this.triangle = new Int32Array(2 * (sets + 1));
    }
    const { sums, triangle } = this;
    if (inside) {
      sums.fill(0, 0, PART.length);
      sums[PART.volume] = (4 / 3) * Math.PI * radius * radius * radius;
      sums[PART.solidAngle] = 4 * Math.PI;
      triangle[0] = -1;
      this.count = 1;
    }
    const first = this.count;
    for (let s = 0; s < sets; s++) {
      if (!(this.sets[PART.length * s + PART.volume] > 0)) continue;
      const at = this.count++;
      sums.fill(0, PART.length * at, PART.length * (at + 1));
      triangle[at] = -1;
      this.join(s, at);
    }
    for (let s = 0; s < sets; s++) {
      if (this.sets[PART.length * s + PART.volume] > 0) continue;
      const at = inside ? 0 : this.host(s, first, radius);
      if (at >= 0) this.join(s, at);
    }
    return this.count;
  }

  /** Parts of triangles in the ball; −1 if the ball is clear of the mesh's bounds. */
  private collect(centre: Float64Array, radius: number): number {
    const { part, stack, topology, edgeMet, edgePart } = this;
    const { edgeOf, normals, mesh, tree } = topology;
    const { boxes, links, order } = tree;
    const { vertices, triangles } = mesh;
    if (this.stamp === 0x7fffffff) {
      edgeMet.fill(0);
      this.stamp = 0;
    }
    const stamp = ++this.stamp;
    const x = centre[0];
    const y = centre[1];
    const z = centre[2];
    const limit = radius * radius * (1 + 1e-12);
    let count = 0;
    this.onSurface = false;
    if (!(boxDistance(boxes, 0, x, y, z) <= limit)) return -1;
    stack[0] = 0;
    for (let top = 1; top > 0; ) {
      const node = stack[--top];
      if (!(boxDistance(boxes, 6 * node, x, y, z) <= limit)) continue;
      const leaves = 0 - links[2 * node];
      if (leaves <= 0) {
        stack[top++] = links[2 * node + 1];
        stack[top++] = 0 - leaves;
        continue;
      }
      const begin = links[2 * node + 1];
      for (let m = begin; m < begin + leaves; m++) {
        const t = order[m];
        const h = 3 * t;
        const p = triangles[h];
        const q = triangles[h + 1];
        const r = triangles[h + 2];
        const backward = (p > q ? 1 : 0) | (q > r ? 2 : 0) | (r > p ? 4 : 0);
        if (count === this.parent.length) this.growParts();
        const at = PART.length * count;
        if (!part.measure(vertices, 3 * p, 3 * q, 3 * r, backward, normals, h, centre, radius, this.parts, at))
          continue;
        if (Math.abs(part.d) < ON_SURFACE * radius && Math.abs(this.parts[at + PART.solidAngle]) > CLEAR)
          this.onSurface = true;
        this.partTriangle[count] = t;
        this.parent[count] = count;
        for (let k = 0; k < 3; k++) {
          if (part.inside[k] === 0) continue;
          const edge = edgeOf[h + k];
          if (edgeMet[edge] === stamp) this.unite(count, edgePart[edge]);
          else {
            edgeMet[edge] = stamp;
            edgePart[edge] = count;
          }
        }
        count++;
      }
    }
    return count;
  }

  /** Sums of the connected sets of parts; returns their number. */
  private addSets(parts: number): number {
    let sets = 0;
    for (let i = 0; i < parts; i++) {
      const root = this.findRoot(i);
      let s = this.setOf[root];
      if (root === i) {
        s = sets++;
        this.setOf[i] = s;
        if (this.sets.length < PART.length * sets) this.growSets();
        this.sets.fill(0, PART.length * s, PART.length * sets);
        this.setTriangle[s] = this.partTriangle[i];
      }
      for (let k = 0; k < PART.length; k++) this.sets[PART.length * s + k] += this.parts[PART.length * i + k];
      if (this.partTriangle[i] < this.setTriangle[s]) this.setTriangle[s] = this.partTriangle[i];
    }
    return sets;
  }

  /** Adds a set to a region; from here on the solid angle is that of the sphere's surface inside the mesh, and the vector the sphere's. */
  private join(set: number, region: number): void {
    const { sums, sets } = this;
    const from = PART.length * set;
    const to = PART.length * region;
    for (let k = 0; k < PART.length; k++)
      if (k === PART.solidAngle || (k >= PART.vector && k < PART.first)) sums[to + k] -= sets[from + k];
      else sums[to + k] += sets[from + k];
    const t = this.setTriangle[set];
    if (this.triangle[region] < 0 || t < this.triangle[region]) this.triangle[region] = t;
  }

  /** The region that a set of negative volume belongs to: larger, and its centroid seen in the nearest direction; −1 if none is. */
  private host(set: number, first: number, radius: number): number {
    const from = PART.length * set;
    const volume = 0 - this.sets[from + PART.volume];
    let best = -1;
    let most = -Infinity;
    for (let region = first; region < this.count; region++) {
      const at = PART.length * region;
      if (!(this.sums[at + PART.volume] > volume)) continue;
      let dot = 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const rr = radius * radius;
        const far = rr * this.sets[from + PART.vector + k] - this.sets[from + PART.first + k]; // −4 ∫ r dV of the set
        const near = this.sums[at + PART.first + k] + rr * this.sums[at + PART.vector + k];
        dot += far * near;
        square += near * near;
      }
      const cosine = dot / Math.sqrt(square);
      if (cosine > most) {
        most = cosine;
        best = region;
      }
    }
    return best;
  }

  private findRoot(i: number): number {
    return findRoot(this.parent, i);
  }

  private unite(i: number, j: number): void {
    unite(this.parent, i, j);
  }

  private growParts(): void {
    const n = 2 * this.parent.length;
    const grown = (old: Int32Array): Int32Array => {
      const larger = new Int32Array(n);
      larger.set(old);
      return larger;
    };
    this.partTriangle = grown(this.partTriangle);
    this.parent = grown(this.parent);
    this.setOf = grown(this.setOf);
    const parts = new Float64Array(n * PART.length);
    parts.set(this.parts);
    this.parts = parts;
  }

  private growSets(): void {
    const sets = new Float64Array(2 * this.sets.length);
    sets.set(this.sets);
    this.sets = sets;
    const triangles = new Int32Array(2 * this.setTriangle.length);
    triangles.set(this.setTriangle);
    this.setTriangle = triangles;
  }
}

/** A direction in general position. */
const ASIDE = [0.7548776662466927, 0.5698402909980532, 0.3247179572447461] as const;

/** Squared distance from a point to a box, 0 inside. */
function boxDistance(boxes: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, Math.abs(x - boxes[at]) - boxes[at + 3]);
  const dy = Math.max(0, Math.abs(y - boxes[at + 1]) - boxes[at + 4]);
  const dz = Math.max(0, Math.abs(z - boxes[at + 2]) - boxes[at + 5]);
  return dx * dx + dy * dy + dz * dz;
}
