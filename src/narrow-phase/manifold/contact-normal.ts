/**
 * The common normal of two convex solids, from A to B, how deep they overlap along it, and where.
 *
 * Apart from their rounding, solids that are rounded off have nearest points: GJK finds them and with them the normal. Cores that overlap part along the
 * direction in which they overlap least (`expansion.ts`). For plane faces and straight edges the candidates for that direction are known:
 * the normals of A's faces, those of B's, and the normals across an edge of each, where both solids end there (the arcs between the
 * normals of the faces at the two edges cross; Gregorius 2013). Curved surfaces are made exact by `stationary-pair.ts`.
 *
 * The least deep candidate would do, but where two are equally deep the normal would jump from one to the other. So all that are deeper
 * by less than a tenth take part,
 *
 *   n = Σ w n / |Σ w n|,   w = (1 − (d − d_min)/(0.1 d_min))²
 *
 * and a normal across two edges that nearly agrees with the normal of a face there is drawn to it, so that a box whose edge hangs over the rim
 * of a table is carried along the table's normal, and edges that are nearly parallel do not throw the normal about.
 */
import { Gjk, type RelativePose } from '../distance/index.js';
import { Expansion } from './expansion.js';
import type { PlacedShape } from './placed-shape.js';
import { CIRCLE, type Feature, StationaryPair, SURFACE } from './stationary-pair.js';
import type { Tape } from './tape.js';

/** Relative difference in depth up to which a candidate has a say. */
export const BLEND = 0.1;
/** Angle, rad, within which a normal across two edges is drawn to the normal of a face. */
export const NEAR_FACE = 0.1;
const MOST = 128;
/** Cores nearer than this, of their size, count as overlapping: no direction can be told any more. */
const TOUCHING = 1e-9;

const FACE_A = 0;
const FACE_B = 1;
const EDGES = 2;
const SMOOTH = 3;
const FIXED = 4;

export class ContactNormal {
  /** on the tape: unit vector from A to B, depth, and the point halfway between the deepest points */
  normal = 0;
  depth = 0;
  at = 0;
  /** whether the last direction had to be invented, because the cores coincide */
  arbitrary = false;

  private readonly gjk = new Gjk();
  private readonly expansion = new Expansion();
  private readonly pair = new StationaryPair();
  private readonly solutions = Array.from({ length: 6 }, () => new StationaryPair());
  /** candidates: kind, its two features, depth of the cores */
  private count = 0;
  private readonly kinds = new Int32Array(MOST);
  private readonly first = new Int32Array(MOST);
  private readonly second = new Int32Array(MOST);
  private readonly depths = new Float64Array(MOST);
  private readonly signs = new Float64Array(MOST);
  // 3 each: approximate normal and deepest points of the cores, world axes
  private readonly guess = new Float64Array(3);
  private readonly nearA = new Float64Array(3);
  private readonly nearB = new Float64Array(3);
  private guessDepth = 0;
  /** places of B's and A's corners in the last simplex or face */
  private readonly idA = new Int32Array(3);
  private readonly idB = new Int32Array(3);
  private ids = 0;
  private readonly column = new Float64Array(8);
  /** on the tape, for the faces at two edges: N − n, its square, how much n is drawn there */
  private readonly gaps = new Int32Array(4);
  private readonly squares = new Int32Array(4);
  private readonly pulls = new Int32Array(4);
  private readonly insideA: Uint8Array;
  private readonly insideB: Uint8Array;
  private readonly size: number;

  constructor(
    private readonly a: PlacedShape,
    private readonly b: PlacedShape,
    private readonly pose: RelativePose,
    private readonly tape: Tape,
  ) {
    this.insideA = new Uint8Array((a.shape.polyhedron?.corners.length ?? 0) / 3);
    this.insideB = new Uint8Array((b.shape.polyhedron?.corners.length ?? 0) / 3);
    this.size = a.shape.size + b.shape.size;
  }

  /** Finds normal and depth; false where the solids do not overlap. */
  find(): boolean {
    const { a, b, gjk, pose } = this;
    const radius = a.shape.radius + b.shape.radius;
    this.arbitrary = false;
    gjk.run(a.shape.support, b.shape.support, pose.rotation_AB, pose.position_AB, radius);
    if (gjk.lower > radius || (radius === 0 && gjk.lower > 0)) return false;
    this.count = 0;
    if (radius > 0 && gjk.distance > TOUCHING * this.size) this.apart();
    else this.overlapping();
    return this.blend(radius);
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

  // --- candidates on the tape

  private candidateNormal = 0;
  private candidateDepth = 0;
  private candidateAt = 0;

  /** Puts candidate i on the tape: normal, depth with the rounding, the point halfway between the deepest points. */
  private candidate(i: number): void {
    const { tape, a, b, kinds, first, second } = this;
    const rounding = a.shape.radius + b.shape.radius;
    const difference = a.shape.radius - b.shape.radius;
    let n: number;
    let core: number;
    let onA: number; // the deepest point of A's core
    if (kinds[i] === FACE_A || kinds[i] === FACE_B) {
      const ofA = kinds[i] === FACE_A;
      const of = ofA ? a : b;
      const other = ofA ? b : a;
      const outward = this.faceNormal(of, first[i]);
      n = ofA ? outward : tape.combineVectors(-1, outward, 0, outward);
      const far = other.farthest(tape, ofA ? tape.combineVectors(-1, n, 0, n) : n);
      const face = this.facePoint(of, first[i]);
      core = tape.dot(n, ofA ? tape.minus(face, far) : tape.minus(far, face));
      onA = ofA ? tape.along(far, core, n) : far;
    } else if (kinds[i] === EDGES) {
      const pa = a.shape.polyhedron!;
      const pb = b.shape.polyhedron!;
      const a0 = a.corner(tape, pa.corners, pa.edges[2 * first[i]]);
      const a1 = a.corner(tape, pa.corners, pa.edges[2 * first[i] + 1]);
      const b0 = b.corner(tape, pb.corners, pb.edges[2 * second[i]]);
      const b1 = b.corner(tape, pb.corners, pb.edges[2 * second[i] + 1]);
      const edgeA = tape.minus(a1, a0);
      const edgeB = tape.minus(b1, b0);
      const across = tape.cross(edgeA, edgeB);
      const unit = tape.unit(across);
      n = tape.combineVectors(this.signs[i], unit, 0, unit);
      core = tape.dot(n, tape.minus(a0, b0));
      const between = tape.minus(b0, a0);
      const s = tape.divide(tape.dot(tape.cross(between, edgeB), across), tape.dot(across, across));
      onA = tape.along(a0, s, edgeA);
      n = this.drawToFaces(n, first[i], second[i]);
    } else if (kinds[i] === SMOOTH) {
      n = this.solved(this.solutions[first[i]]);
      core = n + 3;
      onA = n + 4;
    } else {
      const { guess, nearA } = this;
      n = tape.vector(guess[0], guess[1], guess[2]);
      const farB = b.farthest(tape, tape.combineVectors(-1, n, 0, n));
      core = this.arbitrary ? tape.constant(0) : tape.dot(n, tape.minus(a.farthest(tape, n), farB));
      onA = tape.vector(nearA[0], nearA[1], nearA[2]);
    }
    this.candidateNormal = n;
    this.candidateDepth = tape.add(core, tape.constant(rounding));
    // surfaces: onA + r_A n and onA − core n − r_B n
    const middle = tape.combine(-0.5, core, 0.5, tape.constant(difference));
    this.candidateAt = tape.along(onA, middle, n);
  }

  faceNormal(of: PlacedShape, face: number): number {
    const { discs, polyhedron } = of.shape;
    if (discs) return of.direction(this.tape, 0, 0, face === 0 ? -1 : 1);
    const { normals } = polyhedron!;
    return of.direction(this.tape, normals[3 * face], normals[3 * face + 1], normals[3 * face + 2]);
  }
  private facePoint(of: PlacedShape, face: number): number {
    const { discs, polyhedron } = of.shape;
    if (discs) return of.point(this.tape, 0, 0, face === 0 ? -discs.half : discs.half);
    const { corners, loops, first } = polyhedron!;
    return of.corner(this.tape, corners, loops[first[face]]);
  }

  /**
   * Draws the normal n across two edges to the normals N_i of the four faces there, g_i = N_i − n, the more the nearer they are:
   *
   *   n + (1 − Π (1 − k_i)) Σ w_i g_i/Σ w_i,   k_i = 1 − step(g_i²/NEAR_FACE²),   w_i = k_i Π_{j ≠ i} g_j²
   *
   * so that n becomes N_i where it meets it, whatever other faces are near.
   */
  private drawToFaces(n: number, edgeA: number, edgeB: number): number {
    const { tape, gaps, squares, pulls } = this;
    let count = 0;
    for (let k = 0; k < 4; k++) {
      const of = k < 2 ? this.a : this.b;
      const f = of.shape.polyhedron!.edgeFaces[k < 2 ? 2 * edgeA + k : 2 * edgeB + k - 2];
      if (f < 0) continue;
      const gap = tape.combineVectors(k < 2 ? 1 : -1, this.faceNormal(of, f), -1, n);
      const square = tape.dot(gap, gap);
      if (tape.value(square) >= NEAR_FACE * NEAR_FACE) continue;
      const step = tape.smoothStep(tape.combine(1 / (NEAR_FACE * NEAR_FACE), square, 0, square));
      gaps[count] = gap;
      squares[count] = square;
      pulls[count++] = tape.combine(-1, step, 1, tape.constant(1));
    }
    if (count === 0) return n;
    let rest = tape.constant(1);
    let total = -1;
    let sum = -1;
    for (let i = 0; i < count; i++) {
      rest = tape.multiply(rest, tape.combine(-1, pulls[i], 1, tape.constant(1)));
      let weight = pulls[i];
      // of size 1, so that four small angles do not underflow
      for (let j = 0; j < count; j++)
        if (j !== i) weight = tape.multiply(weight, tape.combine(1 / (NEAR_FACE * NEAR_FACE), squares[j], 0, weight));
      total = total < 0 ? weight : tape.add(total, weight);
      sum = tape.along(sum < 0 ? tape.vector(0, 0, 0) : sum, weight, gaps[i]);
    }
    if (!(tape.value(total) > 1e-80)) return tape.combineVectors(1, n, 1, gaps[0]); // two faces agree with it, and each other
    const pull = tape.combine(-1, rest, 1, tape.constant(1));
    return tape.unit(tape.along(n, tape.divide(pull, total), sum));
  }

  /** Normal (3), depth and A's point (3) of the solved pair, with derivatives by the implicit equations. */
  private solved(pair: StationaryPair): number {
    const { tape, column } = this;
    const { normal, a } = pair;
    const n = tape.vector(normal[0], normal[1], normal[2]);
    const depth = tape.constant(pair.depth);
    const point = tape.vector(a.point[0], a.point[1], a.point[2]);
    const k = pair.size - 4;
    for (let c = 0; c < 6; c++) {
      pair.derivative(c, column);
      for (let i = 0; i < 3; i++) {
        tape.setDerivative(n + i, c, column[k + i]);
        let change = 0;
        for (let u = 0; u < a.size; u++) change += a.tangents[3 * u + i] * column[u];
        tape.setDerivative(point + i, c, change);
      }
      tape.setDerivative(depth, c, column[k + 3]);
    }
    return n;
  }

  /** One normal from all candidates. */
  private blend(radius: number): boolean {
    const { tape, depths } = this;
    let least = 0;
    for (let i = 1; i < this.count; i++) if (depths[i] < depths[least]) least = i;
    if (!(depths[least] + radius > 0)) return false;
    const range = BLEND * (depths[least] + radius) + 1e-14 * this.size;
    this.candidate(least);
    const leastDepth = this.candidateDepth;
    const first = this.candidateNormal;
    let normal = first;
    let depth = leastDepth;
    let at = this.candidateAt;
    let total = -1;
    for (let i = 0; i < this.count; i++) {
      if (i === least || !(depths[i] - depths[least] < range)) continue;
      this.candidate(i);
      // opposite ways out of one solid within another have no mean
      if (!(tape.value(tape.dot(this.candidateNormal, first)) > -0.5)) continue;
      if (total < 0) total = tape.constant(1);
      const over = tape.sub(this.candidateDepth, leastDepth);
      const scale = tape.combine(BLEND, leastDepth, 1e-14 * this.size, tape.constant(1));
      const rest = tape.combine(-1, tape.divide(over, scale), 1, tape.constant(1));
      const weight = tape.multiply(rest, rest);
      normal = tape.along(normal, weight, this.candidateNormal);
      depth = tape.add(depth, tape.multiply(weight, this.candidateDepth));
      at = tape.along(at, weight, this.candidateAt);
      total = tape.add(total, weight);
    }
    if (total >= 0 && tape.value(tape.dot(normal, first)) < 0.1) normal = first;
    if (total >= 0) {
      normal = tape.unit(normal);
      depth = tape.divide(depth, total);
      const zero = tape.vector(0, 0, 0);
      at = tape.along(zero, tape.divide(tape.constant(1), total), at);
    }
    this.normal = normal;
    this.depth = depth;
    this.at = at;
    return true;
  }
}
