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
import type { RelativePose } from '../distance/index.js';
import { BLEND, EDGES, FACE_A, FACE_B, NormalCandidates, SMOOTH } from './normal-candidates.js';
import type { PlacedShape } from './placed-shape.js';
import type { StationaryPair } from './stationary-pair.js';
import type { Tape } from './tape.js';

/** Angle, rad, within which a normal across two edges is drawn to the normal of a face. */
export const NEAR_FACE = 0.1;

export class ContactNormal extends NormalCandidates {
  /** on the tape: unit vector from A to B, depth, and the point halfway between the deepest points */
  normal = 0;
  depth = 0;
  at = 0;
  private readonly column = new Float64Array(8);
  /** on the tape, for the faces at two edges: N − n, its square, how much n is drawn there */
  private readonly gaps = new Int32Array(4);
  private readonly squares = new Int32Array(4);
  private readonly pulls = new Int32Array(4);

  constructor(
    a: PlacedShape,
    b: PlacedShape,
    pose: RelativePose,
    private readonly tape: Tape,
  ) {
    super(a, b, pose);
  }

  /** Finds normal and depth; false where the solids do not overlap. */
  find(): boolean {
    const radius = this.a.shape.radius + this.b.shape.radius;
    return this.search(radius) && this.blend(radius);
  }

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
