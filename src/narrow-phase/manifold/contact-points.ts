/**
 * Several points instead of one: a box that lies on a table touches it with its whole face, and any single deepest point would be chosen by rounding.
 *
 * Along the common normal n each solid shows a facet. The facet of one, the subject, is cut off by the planes along n through the sides of the
 * other, which is the clipper; what is left is the polygon C in which both lie over each other. The points are those of C that are nearest to the
 * anchors: the corners of the smaller facet. An anchor inside C is its own nearest point; one that hangs over an edge follows along the
 * edge. So the number of points and their names stay the same while the bodies slide, and no point ever appears or vanishes under load:
 *
 *   depth = (p − c) · N/(n · N)       from c on the subject to the clipper's plane through p with normal N, along n
 *
 * goes through zero before a point is dropped. (The corners of C itself would not do: a corner that passes over an edge becomes two, and the
 * force of a linear law jumps from 4 to 5 k d.) Anchors that C, small or cut to a corner, brings together share the depth there,
 *
 *   d_i ← d_i²/(d_i + Σ_{j ≠ i} κ_ij d_j),   κ_ij = (1 − |c_i − c_j|²/(¼ |u_i − u_j|)²)²
 *
 * with u the anchors themselves and κ = 0 where c_i and c_j are farther apart than a quarter of u_i and u_j: two in one place count as one. What is deeper than every anchor, such as a rim that tips on its edge between two
 * anchors, is one more point, with the depth that is missing, so that the greatest sum along n is never less than the true depth.
 *
 * On a circular cap the four anchors are the ends of two diameters. Tipped by the angle θ their depth is lessened by r sin² θ: a wheel that rolls on its
 * rim is then carried by its lowest point alone, and no anchor passes under it.
 */
import type { ContactNormal } from './contact-normal.js';
import { Facet } from './facet.js';
import type { PlacedShape } from './placed-shape.js';
import type { Tape } from './tape.js';

const MOST = 8;
/** Facets steeper than this against the normal, cos of the angle, have no depth along it worth measuring. */
const STEEP = 0.1;
/** Points nearer to each other than this, of the distance of their anchors, share their depth. */
const SHARE = 0.25;
/** Two lines nearer to parallel than this, rad, share the normal of their common middle. */
const NEARLY_PARALLEL = 0.1;

export class ContactPoints {
  /** points found: on the tape depth and place; numbers of the features of A and B */
  count = 0;
  readonly depths = new Int32Array(MOST + 1);
  readonly places = new Int32Array(MOST + 1);
  readonly features = new Int32Array(2 * MOST + 2);
  /** the normal on the tape, from A to B */
  normal = 0;

  private readonly facetA: Facet;
  private readonly facetB: Facet;
  private polygon: Int32Array;
  private clipped: Int32Array;
  private corners = 0;
  /** per point so far, on the tape: its anchor, where on the polygon it is, its depth after sharing */
  private readonly origins = new Int32Array(MOST + 1);
  private readonly feet = new Int32Array(MOST + 1);
  private readonly shared = new Int32Array(MOST + 1);

  constructor(
    private readonly a: PlacedShape,
    private readonly b: PlacedShape,
    private readonly tape: Tape,
  ) {
    this.facetA = new Facet(a);
    this.facetB = new Facet(b);
    const most = this.facetA.points.length + this.facetB.points.length + 4;
    this.polygon = new Int32Array(most);
    this.clipped = new Int32Array(most);
  }

  find(contact: ContactNormal): void {
    const { tape, facetA, facetB } = this;
    this.count = 0;
    this.normal = contact.normal;
    this.setFacets();
    if (facetA.dimension === 1 && facetB.dimension === 1) {
      this.shareNormal();
      this.alongLines();
    } else if (facetA.dimension > 0 && facetB.dimension > 0) this.overFace();
    // what the anchors do not account for
    const carried = this.share();
    const left = carried < 0 ? contact.depth : tape.sub(contact.depth, carried);
    const size = this.a.shape.size + this.b.shape.size;
    if (carried < 0 || tape.value(left) > 1e-9 * tape.value(contact.depth) + 1e-14 * size)
      this.add(left, contact.at, facetA.id, facetB.id, 0, 0);
  }

  /** Lets points in one place share their depth. Returns the most that is carried in one place, on the tape; −1 without points. */
  private share(): number {
    const { tape, count, depths, shared } = this;
    let together = false;
    for (let i = 0; i < count; i++) {
      let sum = depths[i];
      for (let j = 0; j < count; j++) {
        const nearness = j === i ? -1 : this.nearness(i, j);
        if (nearness >= 0) sum = tape.add(sum, tape.multiply(nearness, depths[j]));
      }
      together ||= sum !== depths[i];
      shared[i] = sum === depths[i] ? sum : tape.divide(tape.multiply(depths[i], depths[i]), sum);
    }
    for (let i = 0; i < count; i++) depths[i] = shared[i];
    let most = -1;
    for (let i = 0; i < count; i++) {
      let sum = depths[i];
      for (let j = 0; j < count && together; j++) {
        const nearness = j === i ? -1 : this.nearness(i, j);
        if (nearness >= 0) sum = tape.add(sum, tape.multiply(nearness, depths[j]));
      }
      if (most < 0 || tape.value(sum) > tape.value(most)) most = sum;
    }
    return most;
  }

  /** κ of two points, −1 where it is zero. */
  private nearness(i: number, j: number): number {
    const { tape, origins, feet } = this;
    if (feet[i] === origins[i] && feet[j] === origins[j]) return -1;
    const apart = tape.minus(feet[i], feet[j]);
    const atFirst = tape.minus(origins[i], origins[j]);
    const scale = SHARE * SHARE * tape.value(tape.dot(atFirst, atFirst)); // fixed in the body
    const square = tape.dot(apart, apart);
    if (!(tape.value(square) < scale)) return -1;
    const rest = tape.combine(-1 / scale, square, 1, tape.constant(1));
    return tape.multiply(rest, rest);
  }

  private setFacets(): void {
    const { tape, normal } = this;
    this.facetA.set(tape, normal);
    this.facetB.set(tape, tape.combineVectors(-1, normal, 0, normal));
  }

  private add(depth: number, place: number, featureA: number, featureB: number, origin: number, foot: number): void {
    if (!(this.tape.value(depth) > 0)) return;
    this.origins[this.count] = origin;
    this.feet[this.count] = foot;
    this.depths[this.count] = depth;
    this.places[this.count] = place;
    this.features[2 * this.count] = featureA;
    this.features[2 * this.count++ + 1] = featureB;
  }

  /** A face against a face or a segment. */
  private overFace(): void {
    const { tape, facetA, facetB, normal: n } = this;
    const upA = facetA.dimension === 2 ? tape.value(tape.dot(n, facetA.normal)) : -1;
    const upB = facetB.dimension === 2 ? -tape.value(tape.dot(n, facetB.normal)) : -1;
    if (Math.max(upA, upB) < STEEP) return;
    const clipperIsA = upA >= upB - 1e-9;
    const clipper = clipperIsA ? facetA : facetB;
    const subject = clipperIsA ? facetB : facetA;
    const toPlane = clipperIsA ? n : tape.combineVectors(-1, n, 0, n);
    const whole = this.clip(subject, clipper, toPlane);
    if (this.corners === 0) return;
    // the smaller of the two names the points
    const carrierIsA =
      facetA.dimension !== facetB.dimension
        ? facetA.dimension < facetB.dimension
        : facetA.measure <= facetB.measure * (1 + 1e-9);
    const carrier = carrierIsA ? facetA : facetB;

    const steepness = tape.dot(toPlane, clipper.normal);
    const radiusA = this.a.shape.radius;
    const radiusB = this.b.shape.radius;
    const capDrop = this.capDrop(carrier);
    const inner = tape.constant(radiusA + radiusB);
    for (let i = 0; i < carrier.anchorCount; i++) {
      const anchor = carrier.anchors[i];
      const c = whole && carrier === subject ? anchor : this.nearest(subject, anchor, carrier === subject);
      const core = tape.divide(tape.dot(tape.minus(clipper.points[0], c), clipper.normal), steepness);
      let depth = tape.add(core, inner);
      if (capDrop >= 0) depth = tape.sub(depth, capDrop);
      // halfway between the surfaces: c lies on B's core if A is the clipper, else on A's
      const middle = tape.combine(clipperIsA ? 0.5 : -0.5, core, 0.5 * (radiusA - radiusB), tape.constant(1));
      const place = tape.along(c, middle, n);
      const id = carrier.anchorIds[i];
      this.add(depth, place, carrierIsA ? id : facetA.id, carrierIsA ? facetB.id : id, anchor, c);
    }
    if (whole && carrier === subject && carrier.dimension === 2)
      this.furtherCorners(clipper, subject, toPlane, clipperIsA);
  }

  /**
   * Other corners of the subject's body behind the clipper's plane and between its sides, the deepest first: a hull of many small faces then rolls over
   * its edges without a jump.
   */
  private furtherCorners(clipper: Facet, subject: Facet, toPlane: number, clipperIsA: boolean): void {
    const { tape, normal: n } = this;
    const placed = clipperIsA ? this.b : this.a;
    const polyhedron = placed.shape.polyhedron;
    if (!polyhedron) return;
    const { corners, loops, first } = polyhedron;
    const face = subject.id - corners.length / 3;
    const steepness = tape.dot(toPlane, clipper.normal);
    const scale = 1 / tape.value(steepness);
    const level = this.height(clipper.normal, clipper.points[0]);
    let previous = Infinity;
    let previousCorner = -1;
    while (this.count < MOST - 1) {
      let best = -1;
      let most = 0;
      for (let i = 0; i < corners.length / 3; i++) {
        const x = placed.coordinate(0, corners, 3 * i);
        const y = placed.coordinate(1, corners, 3 * i);
        const z = placed.coordinate(2, corners, 3 * i);
        const along =
          tape.value(clipper.normal) * x + tape.value(clipper.normal + 1) * y + tape.value(clipper.normal + 2) * z;
        const depth = (level - along) * scale;
        if (!(depth > most) || depth > previous || (depth === previous && i <= previousCorner)) continue;
        let known = false;
        for (let k = first[face]; k < first[face + 1] && !known; k++) known = loops[k] === i;
        if (known || !this.within(clipper, toPlane, x, y, z)) continue;
        best = i;
        most = depth;
      }
      if (best < 0) return;
      previous = most;
      previousCorner = best;
      const c = placed.corner(tape, corners, best);
      const depth = tape.divide(tape.dot(tape.minus(clipper.points[0], c), clipper.normal), steepness);
      const place = tape.along(c, tape.combine(clipperIsA ? 0.5 : -0.5, depth, 0, depth), n);
      this.add(depth, place, clipperIsA ? clipper.id : best, clipperIsA ? best : clipper.id, c, c);
    }
  }

  private within(clipper: Facet, toPlane: number, x: number, y: number, z: number): boolean {
    const { tape } = this;
    const nx = tape.value(toPlane);
    const ny = tape.value(toPlane + 1);
    const nz = tape.value(toPlane + 2);
    for (let i = 0; i < clipper.count; i++) {
      const p = clipper.points[i];
      const q = clipper.points[i + 1 === clipper.count ? 0 : i + 1];
      const px = tape.value(p);
      const py = tape.value(p + 1);
      const pz = tape.value(p + 2);
      const ux = tape.value(q) - px;
      const uy = tape.value(q + 1) - py;
      const uz = tape.value(q + 2) - pz;
      const out = (uy * nz - uz * ny) * (x - px) + (uz * nx - ux * nz) * (y - py) + (ux * ny - uy * nx) * (z - pz);
      if (out > 0) return false;
    }
    return true;
  }

  /** r sin² θ of a circular cap, −1 for other facets. */
  private capDrop(carrier: Facet): number {
    if (carrier.capRadius === 0) return -1;
    const { tape } = this;
    const across = tape.cross(this.normal, carrier.normal);
    return tape.combine(carrier.capRadius, tape.dot(across, across), 0, across);
  }

  /** Cuts the subject off at planes through the clipper's sides along the contact normal out of it; true if nothing was cut. The result is in `polygon`. */
  private clip(subject: Facet, clipper: Facet, along: number): boolean {
    const { tape } = this;
    let whole = true;
    this.corners = subject.count;
    for (let i = 0; i < subject.count; i++) this.polygon[i] = subject.points[i];
    for (let i = 0; i < clipper.count && this.corners > 0; i++) {
      const p = clipper.points[i];
      const q = clipper.points[i + 1 === clipper.count ? 0 : i + 1];
      const out = tape.cross(tape.minus(q, p), along); // outwards
      const offset = tape.value(tape.dot(out, p));
      let beyond = false;
      for (let k = 0; k < this.corners && !beyond; k++) beyond = this.height(out, this.polygon[k]) > offset;
      if (!beyond) continue;
      whole = false;
      this.cut(out, tape.dot(out, p), subject.dimension === 2);
    }
    return whole;
  }

  private height(out: number, p: number): number {
    const { tape } = this;
    return (
      tape.value(out) * tape.value(p) +
      tape.value(out + 1) * tape.value(p + 1) +
      tape.value(out + 2) * tape.value(p + 2)
    );
  }

  /** Sutherland & Hodgman (1974): one plane. A segment is an open line, a face a closed one. */
  private cut(out: number, offset: number, closed: boolean): void {
    const { tape, polygon, clipped } = this;
    const level = tape.value(offset);
    let count = 0;
    for (let k = 0; k < this.corners; k++) {
      const p = polygon[k];
      const inside = this.height(out, p) <= level;
      if (inside) clipped[count++] = p;
      if (!closed && k + 1 === this.corners) break;
      const q = polygon[k + 1 === this.corners ? 0 : k + 1];
      if (inside === this.height(out, q) <= level) continue;
      const side = tape.minus(q, p);
      const s = tape.divide(tape.sub(offset, tape.dot(out, p)), tape.dot(out, side));
      clipped[count++] = tape.along(p, s, side);
    }
    this.corners = count;
    this.polygon = clipped;
    this.clipped = polygon;
  }

  /** The point of the polygon nearest to an anchor. */
  private nearest(subject: Facet, anchor: number, inPlane: boolean): number {
    const { tape, polygon, corners } = this;
    if (corners === 1) return polygon[0];
    const closed = subject.dimension === 2 && corners > 2;
    if (closed) {
      let inside = true;
      for (let k = 0; k < corners && inside; k++) {
        const p = polygon[k];
        const q = polygon[k + 1 === corners ? 0 : k + 1];
        const out = tape.cross(tape.minus(q, p), subject.normal);
        inside = this.height(out, anchor) <= this.height(out, p);
      }
      if (inside) {
        if (inPlane) return anchor;
        const above = tape.dot(tape.minus(anchor, polygon[0]), subject.normal);
        return tape.along(anchor, tape.combine(-1, above, 0, above), subject.normal);
      }
    }
    let best = -1;
    let least = Infinity;
    for (let k = 0; k < corners; k++) {
      if (!closed && k + 1 === corners) break;
      const p = polygon[k];
      const q = polygon[k + 1 === corners ? 0 : k + 1];
      const side = tape.minus(q, p);
      const s = tape.divide(tape.dot(tape.minus(anchor, p), side), tape.dot(side, side));
      const t = tape.value(s);
      const foot = t >= 1 ? q : t > 0 ? tape.along(p, s, side) : p;
      const gap = tape.minus(anchor, foot);
      const square = tape.value(tape.dot(gap, gap));
      if (square < least) {
        least = square;
        best = foot;
      }
    }
    return best < 0 ? polygon[0] : best;
  }

  /**
   * Two lines: the ends of the part in which they run beside each other. Lines at an angle bend away from each other, by the square of their
   * distance across n over the two radii of curvature.
   */
  private alongLines(): void {
    const { tape, facetA, facetB, normal: n } = this;
    const bend = facetA.bend + facetB.bend;
    if (!(bend > 0)) return;
    const shortIsA = facetA.measure <= facetB.measure * (1 + 1e-9);
    const short = shortIsA ? facetA : facetB;
    const long = shortIsA ? facetB : facetA;
    const line = tape.minus(long.points[1], long.points[0]);
    const back = tape.combineVectors(-1, line, 0, line);
    this.corners = 2;
    this.polygon[0] = short.points[0];
    this.polygon[1] = short.points[1];
    this.cut(line, tape.dot(line, long.points[1]), false);
    if (this.corners === 2) this.cut(back, tape.dot(back, long.points[0]), false);
    if (this.corners < 2) return;
    const radiusA = this.a.shape.radius;
    const radiusB = this.b.shape.radius;
    for (let i = 0; i < 2; i++) {
      const c = this.polygon[i];
      const s = tape.divide(tape.dot(tape.minus(c, long.points[0]), line), tape.dot(line, line));
      const gap = tape.minus(c, tape.along(long.points[0], s, line));
      const along = tape.dot(gap, n);
      const aside = tape.sub(tape.dot(gap, gap), tape.multiply(along, along));
      const core = tape.combine(shortIsA ? 1 : -1, along, radiusA + radiusB, tape.constant(1));
      const depth = tape.combine(1, core, -0.5 / bend, aside);
      // halfway: from c by half of the gap, then the difference of the radii
      const middle = tape.combineVectors(1, c, -0.5, gap);
      const place = tape.combineVectors(1, middle, 0.5 * (radiusA - radiusB), n);
      const id = short.anchorIds[i];
      this.add(depth, place, shortIsA ? id : facetA.id, shortIsA ? facetB.id : id, short.anchors[i], c);
    }
  }

  /**
   * Cylinders or capsules that lie side by side: the normal across two nearly parallel lines swings round with the least tilt. It is drawn to the one
   * from axis to axis halfway along their common part, the more the more parallel they are.
   */
  private shareNormal(): void {
    const { tape, a, b } = this;
    const slopeA = a.shape.discs?.slope ?? 0;
    const slopeB = b.shape.discs?.slope ?? 0;
    if (slopeA !== 0 || slopeB !== 0) return;
    const axisA = a.direction(tape, 0, 0, 1);
    const axisB = b.direction(tape, 0, 0, 1);
    const across = tape.cross(axisA, axisB);
    const square = tape.dot(across, across);
    if (tape.value(square) >= NEARLY_PARALLEL * NEARLY_PARALLEL) return;
    const shortIsA = this.facetA.measure <= this.facetB.measure * (1 + 1e-9);
    const short = shortIsA ? a : b;
    const long = shortIsA ? b : a;
    const halfShort = 0.5 * (shortIsA ? this.facetA : this.facetB).measure;
    const halfLong = 0.5 * (shortIsA ? this.facetB : this.facetA).measure;
    const axis = shortIsA ? axisB : axisA;
    this.corners = 2;
    this.polygon[0] = short.point(tape, 0, 0, -halfShort);
    this.polygon[1] = short.point(tape, 0, 0, halfShort);
    const top = long.point(tape, 0, 0, halfLong);
    const bottom = long.point(tape, 0, 0, -halfLong);
    this.cut(axis, tape.dot(axis, top), false);
    const back = tape.combineVectors(-1, axis, 0, axis);
    if (this.corners === 2) this.cut(back, tape.dot(back, bottom), false);
    if (this.corners < 2) return;
    const middle = tape.combineVectors(0.5, this.polygon[0], 0.5, this.polygon[1]);
    const from = tape.minus(middle, bottom);
    const minus = tape.dot(from, axis);
    const gap = tape.along(from, tape.combine(-1, minus, 0, minus), axis); // from the long axis to the middle of the short
    if (!(tape.value(tape.dot(gap, gap)) > 1e-18 * halfLong * halfLong)) return;
    const direct = tape.unit(tape.combineVectors(shortIsA ? -1 : 1, gap, 0, gap));
    const step = tape.smoothStep(tape.combine(1 / (NEARLY_PARALLEL * NEARLY_PARALLEL), square, 0, square));
    const change = tape.minus(this.normal, direct);
    this.normal = tape.unit(tape.along(direct, step, change));
    this.setFacets();
  }
}
