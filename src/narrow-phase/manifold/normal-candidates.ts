/**
 * Directions along which two convex solids may part, in plain numbers: the direction of the nearest points of cores that are apart; for cores that overlap the normals of faces and those
 * across an edge of each along which they do so little; exact contacts of curved surfaces. contact-normal.ts makes one normal of them, with its derivatives.
 */
import { Gjk, type RelativePose } from '../distance/index.js';
import { Expansion } from './expansion.js';
import type { PlacedShape } from './placed-shape.js';
import { CIRCLE, type Feature, StationaryPair, SURFACE } from './stationary-pair.js';

/** Relative difference in depth up to which a candidate has a say. */
export const BLEND = 0.1;
const MOST = 128;
/** Cores nearer than this, of their size, count as overlapping: no direction can be told any more. */
const TOUCHING = 1e-9;

/** Kinds of candidates: a face of A or B, an edge of each, curved surfaces, a direction that is given */
export const FACE_A = 0;
export const FACE_B = 1;
export const EDGES = 2;
export const SMOOTH = 3;
export const FIXED = 4;

export class NormalCandidates {
  /** whether the last direction had to be invented, because the cores coincide */
  arbitrary = false;

  private readonly gjk = new Gjk();
  private readonly expansion = new Expansion();
  private readonly pair = new StationaryPair();
  protected readonly solutions = Array.from({ length: 6 }, () => new StationaryPair());
  /** candidates: kind, its two features, depth of the cores */
  protected count = 0;
  protected readonly kinds = new Int32Array(MOST);
  protected readonly first = new Int32Array(MOST);
  protected readonly second = new Int32Array(MOST);
  protected readonly depths = new Float64Array(MOST);
  protected readonly signs = new Float64Array(MOST);
  // 3 each: approximate normal and deepest points of the cores, world axes
  protected readonly guess = new Float64Array(3);
  protected readonly nearA = new Float64Array(3);
  private readonly nearB = new Float64Array(3);
  private guessDepth = 0;
  /** places of B's and A's corners in the last simplex or face */
  private readonly idA = new Int32Array(3);
  private readonly idB = new Int32Array(3);
  private ids = 0;
  private readonly insideA: Uint8Array;
  private readonly insideB: Uint8Array;
  protected readonly size: number;

  constructor(
    protected readonly a: PlacedShape,
    protected readonly b: PlacedShape,
    private readonly pose: RelativePose,
  ) {
    this.insideA = new Uint8Array((a.shape.polyhedron?.corners.length ?? 0) / 3);
    this.insideB = new Uint8Array((b.shape.polyhedron?.corners.length ?? 0) / 3);
    this.size = a.shape.size + b.shape.size;
  }

  /**
   * Finds the candidates; false where the solids do not overlap.
   *
   * @param radius by which both are rounded off together, m
   */
  protected search(radius: number): boolean {
    const { a, b, gjk, pose } = this;
    this.arbitrary = false;
    gjk.run(a.shape.support, b.shape.support, pose.rotation_AB, pose.position_AB, radius);
    if (gjk.lower > radius || (radius === 0 && gjk.lower > 0)) return false;
    this.count = 0;
    if (radius > 0 && gjk.distance > TOUCHING * this.size) this.apart();
    else this.overlapping();
    return true;
  }

  /** Cores apart: the direction of their nearest points. */
  private apart(): void {
    const { a, gjk, guess, nearA, nearB } = this;
    const { corners, v } = gjk;
    for (let k = 0; k < 3; k++) {
      const i = 3 * k;
      const { r } = a;
      guess[k] = -(r[i] * v[0] + r[i + 1] * v[1] + r[i + 2] * v[2]) / gjk.distance;
      nearA[k] = 0;
      nearB[k] = 0;
      for (let c = 0; c < 3; c++) {
        nearA[k] += r[i + c] * gjk.point(corners.a, c);
        nearB[k] += r[i + c] * gjk.point(corners.b, c);
      }
    }
    this.guessDepth = -gjk.distance;
    this.ids = Math.min(3, gjk.count);
    for (let i = 0; i < this.ids; i++) {
      this.idA[i] = corners.idA[i];
      this.idB[i] = corners.idB[i];
    }
    // on a face, the face says the direction
    const faceA = this.faceAlong(a, 1);
    if (faceA >= 0) {
      this.push(FACE_A, faceA, 0, this.guessDepth, 1);
      return;
    }
    const faceB = this.faceAlong(this.b, -1);
    if (faceB >= 0) {
      this.push(FACE_B, faceB, 0, this.guessDepth, 1);
      return;
    }
    this.smooth(true);
  }

  /** The face of a shape whose normal is the guessed one but for rounding, −1 if there is none. */
  private faceAlong(placed: PlacedShape, sign: number): number {
    const { guess } = this;
    const { shape, local } = placed;
    placed.turnBack(sign * guess[0], sign * guess[1], sign * guess[2]);
    if (shape.discs) {
      const flat = local[0] * local[0] + local[1] * local[1] < 1e-18;
      return flat ? (local[2] > 0 ? 1 : 0) : -1;
    }
    const polyhedron = shape.polyhedron!;
    const f = polyhedron.faceAlong(local[0], local[1], local[2]);
    if (f < 0) return -1;
    const { normals } = polyhedron;
    const dx = local[0] - normals[3 * f];
    const dy = local[1] - normals[3 * f + 1];
    const dz = local[2] - normals[3 * f + 2];
    return dx * dx + dy * dy + dz * dz < 1e-18 ? f : -1;
  }

  /** Cores that overlap: all directions of faces and edges along which they do so little. */
  private overlapping(): void {
    const { a, b, expansion, pose, guess, nearA, nearB } = this;
    const curved = a.shape.discs !== undefined || b.shape.discs !== undefined;
    const precision = curved ? 1e-7 * this.size : 0;
    if (!expansion.run(a.shape.support, b.shape.support, pose.rotation_AB, pose.position_AB, precision)) {
      this.coinciding();
      return;
    }
    const { normal, corners, face } = expansion;
    for (let k = 0; k < 3; k++) {
      const { r } = a;
      const i = 3 * k;
      guess[k] = r[i] * normal[0] + r[i + 1] * normal[1] + r[i + 2] * normal[2];
      nearA[k] = nearB[k] = 0;
      for (let c = 0; c < 3; c++) {
        nearA[k] += r[i + c] * expansion.point(corners.a, c);
        nearB[k] += r[i + c] * expansion.point(corners.b, c);
      }
    }
    this.guessDepth = Math.max(0, expansion.depth);
    this.ids = 3;
    for (let i = 0; i < 3; i++) {
      this.idA[i] = corners.idA[face[i]];
      this.idB[i] = corners.idB[face[i]];
    }
    const reachA = a.reach(guess[0], guess[1], guess[2]);
    const reachB = b.reach(-guess[0], -guess[1], -guess[2]);
    const deepest = Math.max(reachA + reachB, 0);
    // with faces pushed out only so far, the depth along the direction found is a little more than the least
    const limit = (1 + BLEND) * deepest + (curved ? 2e-7 : 1e-12) * this.size;
    this.mark(a, this.insideA, 1, reachA - 2 * limit);
    this.mark(b, this.insideB, -1, reachB - 2 * limit);
    this.faces(a, b, this.insideA, FACE_A, 1, limit);
    this.faces(b, a, this.insideB, FACE_B, -1, limit);
    if (curved) this.smooth(false);
    else {
      this.mark(a, this.insideA, 1, reachA - limit);
      this.mark(b, this.insideB, -1, reachB - limit);
      this.edges(limit);
    }
    if (this.count === 0) this.push(FIXED, 0, 0, deepest, 1);
  }

  /** Marks the corners that reach beyond a level along the guessed normal. */
  private mark(of: PlacedShape, marks: Uint8Array, sign: number, level: number): void {
    const corners = of.shape.polyhedron?.corners;
    if (!corners) return;
    const { guess } = this;
    for (let i = 0; i < marks.length; i++) {
      const reach =
        guess[0] * of.coordinate(0, corners, 3 * i) +
        guess[1] * of.coordinate(1, corners, 3 * i) +
        guess[2] * of.coordinate(2, corners, 3 * i);
      marks[i] = sign * reach >= level ? 1 : 0;
    }
  }

  /** Normals of the faces of one solid, and how deep the other reaches behind each. */
  private faces(
    of: PlacedShape,
    other: PlacedShape,
    marks: Uint8Array,
    kind: number,
    sign: number,
    limit: number,
  ): void {
    const { polyhedron, discs } = of.shape;
    if (discs) {
      for (let cap = 0; cap < 2; cap++) {
        const s = cap === 0 ? -1 : 1;
        const radius = cap === 0 ? discs.bottom : discs.top;
        if (!(radius > 0)) continue;
        const nx = s * of.r[2];
        const ny = s * of.r[5];
        const nz = s * of.r[8];
        const offset = discs.half + nx * of.p[0] + ny * of.p[1] + nz * of.p[2];
        const depth = offset + other.reach(-nx, -ny, -nz);
        if (depth <= limit) this.push(kind, cap, 0, depth, sign);
      }
      return;
    }
    if (!polyhedron) return;
    const { normals, loops, first, corners } = polyhedron;
    for (let f = 0; f < polyhedron.faceCount; f++) {
      let near = false;
      for (let i = first[f]; i < first[f + 1] && !near; i++) near = marks[loops[i]] === 1;
      if (!near) continue;
      const nx = of.component(0, normals, 3 * f);
      const ny = of.component(1, normals, 3 * f);
      const nz = of.component(2, normals, 3 * f);
      const c = 3 * loops[first[f]];
      const offset =
        nx * of.coordinate(0, corners, c) + ny * of.coordinate(1, corners, c) + nz * of.coordinate(2, corners, c);
      const depth = offset + other.reach(-nx, -ny, -nz);
      if (depth <= limit) this.push(kind, f, 0, depth, sign);
    }
  }

  /** Normals across an edge of each. */
  private edges(limit: number): void {
    const { a, b, insideA, insideB } = this;
    const pa = a.shape.polyhedron!;
    const pb = b.shape.polyhedron!;
    for (let i = 0; i < pa.edgeCount; i++) {
      const a0 = pa.edges[2 * i];
      const a1 = pa.edges[2 * i + 1];
      if (insideA[a0] === 0 && insideA[a1] === 0) continue;
      const px = a.coordinate(0, pa.corners, 3 * a0);
      const py = a.coordinate(1, pa.corners, 3 * a0);
      const pz = a.coordinate(2, pa.corners, 3 * a0);
      const ux = a.coordinate(0, pa.corners, 3 * a1) - px;
      const uy = a.coordinate(1, pa.corners, 3 * a1) - py;
      const uz = a.coordinate(2, pa.corners, 3 * a1) - pz;
      for (let j = 0; j < pb.edgeCount; j++) {
        const b0 = pb.edges[2 * j];
        const b1 = pb.edges[2 * j + 1];
        if (insideB[b0] === 0 && insideB[b1] === 0) continue;
        const qx = b.coordinate(0, pb.corners, 3 * b0);
        const qy = b.coordinate(1, pb.corners, 3 * b0);
        const qz = b.coordinate(2, pb.corners, 3 * b0);
        const cx = b.coordinate(0, pb.corners, 3 * b1) - qx;
        const cy = b.coordinate(1, pb.corners, 3 * b1) - qy;
        const cz = b.coordinate(2, pb.corners, 3 * b1) - qz;
        let nx = uy * cz - uz * cy;
        let ny = uz * cx - ux * cz;
        let nz = ux * cy - uy * cx;
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const full = Math.sqrt((ux * ux + uy * uy + uz * uz) * (cx * cx + cy * cy + cz * cz));
        if (!(length > 1e-9 * full)) continue;
        nx /= length;
        ny /= length;
        nz /= length;
        const sideA = this.arc(a, i, nx, ny, nz);
        if (sideA === 0) continue;
        const sideB = this.arc(b, j, -nx, -ny, -nz);
        if (sideB === 0 || sideA * sideB < 0) continue;
        // two bare segments: the side on which B's origin is
        const sign =
          sideA * sideB < 4 ? (sideA + sideB < 0 ? -1 : 1) : nx * b.p[0] + ny * b.p[1] + nz * b.p[2] < 0 ? -1 : 1;
        const depth = sign * (nx * (px - qx) + ny * (py - qy) + nz * (pz - qz));
        if (depth <= limit) this.push(EDGES, i, j, depth, sign);
      }
    }
  }

  /** 1 if n lies between the normals of the two faces at an edge, −1 if −n does, 0 if neither; 2 for an edge without faces. */
  private arc(of: PlacedShape, edge: number, nx: number, ny: number, nz: number): number {
    const { edgeFaces, normals } = of.shape.polyhedron!;
    const f = edgeFaces[2 * edge];
    const g = edgeFaces[2 * edge + 1];
    if (f < 0) return 2;
    of.turnBack(nx, ny, nz);
    const lx = of.local[0];
    const ly = of.local[1];
    const lz = of.local[2];
    const ax = normals[3 * f];
    const ay = normals[3 * f + 1];
    const az = normals[3 * f + 2];
    const bx = normals[3 * g];
    const by = normals[3 * g + 1];
    const bz = normals[3 * g + 2];
    const side = lx * (ax + bx) + ly * (ay + by) + lz * (az + bz) < 0 ? -1 : 1;
    const ex = ay * bz - az * by;
    const ey = az * bx - ax * bz;
    const ez = ax * by - ay * bx;
    const fromF = side * (ex * (ay * lz - az * ly) + ey * (az * lx - ax * lz) + ez * (ax * ly - ay * lx));
    const toG = side * (ex * (ly * bz - lz * by) + ey * (lz * bx - lx * bz) + ez * (lx * by - ly * bx));
    // at an end of the arc the face there says the same
    return fromF > 1e-9 && toG > 1e-9 ? side : 0;
  }

  private push(kind: number, i: number, j: number, depth: number, sign: number): void {
    if (this.count === MOST) return;
    this.kinds[this.count] = kind;
    this.first[this.count] = i;
    this.second[this.count] = j;
    this.depths[this.count] = depth;
    this.signs[this.count++] = sign;
  }

  /** Points or segments within each other: across what they span, else along z. */
  private coinciding(): void {
    const { a, b, guess, nearA, nearB } = this;
    this.arbitrary = true;
    this.guessDepth = 0;
    const parallel = a.shape.polyhedron!.edgeCount > 0 || b.shape.polyhedron!.edgeCount > 0;
    const of = a.shape.polyhedron!.edgeCount > 0 ? a : b;
    for (let k = 0; k < 3; k++) {
      guess[k] = parallel ? of.r[3 * k] : k === 2 ? 1 : 0;
      nearA[k] = nearB[k] = b.p[k];
    }
    if (parallel && a.shape.polyhedron!.edgeCount > 0 && b.shape.polyhedron!.edgeCount > 0) this.edges(Infinity);
    if (this.count === 0) this.push(FIXED, 0, 0, 0, 1);
  }

  /**
   * Exact contacts of curved or rounded surfaces near the guess, as candidates: the surface and the circles of discs, the edges and the corner of
   * a polyhedron where the guess has its deepest point. Only features that the solids truly end with along the normal found count.
   */
  private smooth(apart: boolean): void {
    const { a, b, pair, solutions, guess } = this;
    const cornerA = this.nearestCorner(a, this.idA, this.nearA);
    const cornerB = this.nearestCorner(b, this.idB, this.nearB);
    let found = 0;
    for (let i = 0; this.choose(pair.a, a, cornerA, this.nearA, 1, i); i++)
      for (let j = 0; this.choose(pair.b, b, cornerB, this.nearB, -1, j); j++) {
        if (found === solutions.length) break;
        if (!apart && pair.a.size + pair.b.size < 2) continue; // such a normal is not fixed by the features alone
        if (j > 0) this.choose(pair.a, a, cornerA, this.nearA, 1, i); // from the start again
        pair.normal.set(guess);
        pair.depth = this.guessDepth;
        if (!pair.solve(this.size)) continue;
        const { normal: n } = pair;
        if (!(n[0] * guess[0] + n[1] * guess[1] + n[2] * guess[2] > 0.5)) continue;
        const reach = a.reach(n[0], n[1], n[2]) + b.reach(-n[0], -n[1], -n[2]);
        if (!(Math.abs(reach - pair.depth) <= 1e-10 * this.size)) continue;
        if (!pair.a.holds(1e-9 * this.size) || !pair.b.holds(1e-9 * this.size)) continue;
        // the end of an edge is found as its corner too
        let known = false;
        for (let k = 0; k < found && !known; k++) {
          const m = solutions[k].normal;
          known = Math.abs(m[0] - n[0]) + Math.abs(m[1] - n[1]) + Math.abs(m[2] - n[2]) < 1e-9;
        }
        if (known) continue;
        solutions[found].copy(pair);
        this.push(SMOOTH, found++, 0, pair.depth, 1);
      }
    if (found === 0 && apart) this.push(FIXED, 0, 0, this.guessDepth, 1);
  }

  /** The corner of a polyhedron nearest to the guessed point, of those in the last simplex or face; 0 for discs. */
  private nearestCorner(placed: PlacedShape, ids: Int32Array, near: Float64Array): number {
    const corners = placed.shape.polyhedron?.corners;
    if (!corners) return 0;
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < this.ids; i++) {
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const d = placed.coordinate(k, corners, 3 * ids[i]) - near[k];
        square += d * d;
      }
      if (square < least) {
        least = square;
        best = ids[i];
      }
    }
    return best;
  }

  /** Sets the choice-th feature of a shape; false where there are no more. */
  private choose(
    feature: Feature,
    placed: PlacedShape,
    corner: number,
    near: Float64Array,
    sign: number,
    choice: number,
  ): boolean {
    const { discs, polyhedron } = placed.shape;
    const { guess } = this;
    if (discs) {
      if (choice > 2) return false;
      if (choice === 0) {
        feature.setRound(placed, SURFACE, discs.middle, discs.slope, 0, discs.half, near);
        return true;
      }
      // the circle the normal points to, then the other
      placed.turnBack(sign * guess[0], sign * guess[1], sign * guess[2]);
      const { local } = placed;
      const across = Math.sqrt(local[0] * local[0] + local[1] * local[1]);
      const upper = local[2] + across * discs.slope > 0 === (choice === 1);
      const radius = upper ? discs.top : discs.bottom;
      const height = upper ? discs.half : -discs.half;
      if (radius > 0) feature.setRound(placed, CIRCLE, radius, 0, height, 0, near);
      else feature.setPoint(placed, height);
      return true;
    }
    if (choice === 0) {
      feature.setCorner(placed, corner);
      return true;
    }
    const { edges } = polyhedron!;
    let left = choice;
    for (let e = 0; e < edges.length; e += 2) {
      if (edges[e] !== corner && edges[e + 1] !== corner) continue;
      if (--left > 0) continue;
      feature.setLine(placed, edges[e], edges[e + 1], near);
      return true;
    }
    return false;
  }
}
