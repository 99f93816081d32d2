/**
 * Cuts a convex solid by planes, one after the other, and keeps what lies behind all of them.
 *
 * A face is a set of directed edges, its border. Cutting it by a plane keeps the parts of edges behind the plane; the border is then
 * open where an edge left (L) and where one entered (E), and is closed by L → E. The reverse of all these, E → L, is the border of
 * a new face in the plane, the cap. So the surface stays closed whatever rounding decides about a single vertex: every edge has its
 * opposite, and a crossing belongs to both faces of its edge. A vertex that is misjudged was within rounding of the plane, and volumes err
 * by no more than that times an area. No tolerance on angles, no cases for flush faces, edges on edges or corners on faces.
 *
 * A vertex in front of the plane by no more than `tolerance` counts as on it. Hence of two flush faces the cut solid's own stays and the
 * plane makes no cap.
 *
 * Only faces that meet in a vertex in front of the plane are looked at: those that it cuts are written anew behind all others, those in
 * front are dropped. A plane with the box around what is left behind it is passed over.
 *
 * Sutherland & Hodgman (1974), doi 10.1145/360767.360802, for one polygon; the closed surface is what makes it safe here.
 */
import type { ConvexSolid } from './convex-solid.js';

export class PolytopeClip {
  /** 3 per point, m: the corners of the solid, then all crossings */
  points = new Float64Array(0);
  /** 3 per face: unit normals of the solid's faces, then of the planes; those are the caller's to set */
  normals = new Float64Array(0);
  /** one per face: n · r on the plane, m; only those of planes are used */
  offsets = new Float64Array(0);
  /** how many faces the solid has; those of the planes follow */
  own = 0;
  /** one per face, the solid's own and the planes': where its edges start and end in `edges`; the same if nothing of it is left */
  edgeStart = new Int32Array(0);
  edgeEnd = new Int32Array(0);
  /** 3 per edge: from, to (points), and the face it was cut by, −1 for the solid's own edges; starts and ends are multiples of 3 */
  edges = new Int32Array(0);
  /** vertices of what is left */
  liveCount = 0;
  live = new Int32Array(0);
  /** the faces left, after `finish` */
  faceCount = 0;
  face = new Int32Array(0);
  /** m, see above */
  tolerance = 0;

  private solid!: ConvexSolid;
  private faces = 0;
  private pointCount = 0;
  private edgesUsed = 0;
  /** box around what is left: middle, half extents, m; and the cuts since it was drawn */
  private readonly box = new Float64Array(6);
  private boxAge = 0;
  /** one per point, over the plane at work, m */
  private height = new Float64Array(0);
  /** one per point: 1 if it is in front of the plane at work, else 0 */
  private outside = new Int32Array(0);
  /** one per face: the cut in which it was last looked at */
  private looked = new Int32Array(0);
  private cuts = 0;
  /** faces that meet in a point, beside those of the solid's corners: one list per point */
  private firstMeeting = new Int32Array(0);
  private meetingFace = new Int32Array(0);
  private nextMeeting = new Int32Array(0);
  private meetings = 0;
  /** one per point: the first crossing on an edge from it, −1 for none */
  private firstCrossing = new Int32Array(0);
  /** one per crossing: the other end of its edge, and the next crossing on an edge from the same point */
  private otherEnd = new Int32Array(0);
  private nextCrossing = new Int32Array(0);
  /** edges of the cap at work */
  private cap = new Int32Array(0);
  private capLength = 0;
  /** crossings of the face at work */
  private leaving = new Int32Array(8);
  private entering = new Int32Array(8);

  /** Room for a solid and the planes it will be cut by; `normals` and `offsets` may be filled afterwards. */
  reserveFor(solid: ConvexSolid, planes: number): void {
    const faces = solid.faceCount + planes;
    if (this.offsets.length < faces) {
      this.normals = widened(this.normals, 3 * faces);
      this.offsets = widened(this.offsets, faces);
      this.face = widened(this.face, faces);
      this.looked = widened(this.looked, faces);
      this.edgeStart = widened(this.edgeStart, faces);
      this.edgeEnd = widened(this.edgeEnd, faces);
    }
    if (this.edges.length < 3 * solid.edges.length) this.edges = widened(this.edges, 3 * solid.edges.length);
    this.reservePoints(solid.corners.length / 3);
  }

  /**
   * Starts with the whole solid.
   *
   * @param planes the most planes that it will be cut by
   * @param origin 3: the point of the solid's frame from which everything is seen, m
   */
  begin(solid: ConvexSolid, planes: number, origin: Float64Array): void {
    this.reserveFor(solid, planes);
    this.solid = solid;
    const { points, edges, live, edgeStart, edgeEnd, box, normals, looked, firstMeeting } = this;
    const { corners } = solid;
    this.own = solid.faceCount;
    this.faces = solid.faceCount + planes;
    for (let i = 0; i < solid.normals.length; i++) normals[i] = solid.normals[i];
    const x = origin[0];
    const y = origin[1];
    const z = origin[2];
    for (let i = 0; i < corners.length; i += 3) {
      points[i] = corners[i] - x;
      points[i + 1] = corners[i + 1] - y;
      points[i + 2] = corners[i + 2] - z;
    }
    this.pointCount = this.liveCount = corners.length / 3;
    for (let i = 0; i < this.liveCount; i++) {
      live[i] = i;
      firstMeeting[i] = -1;
    }
    for (let k = 0; k < 3; k++) {
      box[k] = solid.middle[k] - origin[k];
      box[3 + k] = solid.half[k];
    }
    const from = solid.edges;
    let to = 0;
    for (let e = 0; e < from.length; e += 2) {
      edges[to++] = from[e];
      edges[to++] = from[e + 1];
      edges[to++] = -1;
    }
    this.edgesUsed = to;
    for (let f = 0; f < this.own; f++) {
      edgeStart[f] = 3 * solid.firstEdge[f];
      edgeEnd[f] = 3 * solid.firstEdge[f + 1];
      looked[f] = 0;
    }
    for (let f = this.own; f < this.faces; f++) edgeStart[f] = edgeEnd[f] = looked[f] = 0;
    this.cuts = this.meetings = this.boxAge = 0;
  }

  /** Cuts by a plane, given by its place in `normals`. Returns whether anything is left. */
  cut(plane: number): boolean {
    const { normals, tolerance, live, box, points, height, outside } = this;
    const nx = normals[3 * plane];
    const ny = normals[3 * plane + 1];
    const nz = normals[3 * plane + 2];
    const offset = this.offsets[plane];
    const middle = nx * box[0] + ny * box[1] + nz * box[2] - offset;
    if (middle + Math.abs(nx) * box[3] + Math.abs(ny) * box[4] + Math.abs(nz) * box[5] <= 0) return true;

    // heights over the plane; counted without branches, which nobody could foresee
    const count = this.liveCount;
    let inFront = 0;
    let behind = 0;
    for (let i = 0; i < count; i++) {
      const v = live[i];
      const h = nx * points[3 * v] + ny * points[3 * v + 1] + nz * points[3 * v + 2] - offset;
      height[v] = h;
      const out = +(h > tolerance);
      outside[v] = out;
      inFront += out;
      behind += +(h < 0);
    }
    if (behind === 0) {
      this.liveCount = 0;
      return false;
    }
    if (inFront === 0) return true;
    this.reserve();
    const before = this.pointCount;
    this.cutFaces(plane);
    this.keepLive(before);
    return this.liveCount > 0;
  }

  /** Lists the faces left. */
  finish(): void {
    const { edgeStart, edgeEnd, face } = this;
    let count = 0;
    for (let f = 0; f < this.faces; f++) if (edgeEnd[f] > edgeStart[f]) face[count++] = f;
    this.faceCount = count;
  }

  /** Cuts all faces that meet in front of the plane and closes them with the cap. */
  private cutFaces(plane: number): void {
    const { live, liveCount, outside, firstCrossing, firstMeeting, cap, edges, meetingFace, nextMeeting } = this;
    const { firstFace, cornerFaces } = this.solid;
    const corners = firstFace.length - 1;
    for (let i = 0; i < liveCount; i++) firstCrossing[live[i]] = -1;
    this.cuts++;
    this.capLength = 0;
    for (let i = 0; i < liveCount; i++) {
      const v = live[i];
      if (outside[v] === 0) continue;
      if (v < corners) for (let k = firstFace[v]; k < firstFace[v + 1]; k++) this.cutFace(cornerFaces[k], plane);
      for (let m = firstMeeting[v]; m >= 0; m = nextMeeting[m]) this.cutFace(meetingFace[m], plane);
    }
    if (this.capLength < 9) return;
    let at = this.edgesUsed;
    this.edgeStart[plane] = at;
    for (let k = 0; k < this.capLength; k += 3) {
      this.meet(cap[k], plane);
      edges[at] = cap[k];
      edges[at + 1] = cap[k + 1];
      edges[at + 2] = cap[k + 2];
      at += 3;
    }
    this.edgeEnd[plane] = this.edgesUsed = at;
  }

  /** Cuts one face, once, and adds the reverse of what closes it to the cap. */
  private cutFace(f: number, plane: number): void {
    if (this.looked[f] === this.cuts) return;
    this.looked[f] = this.cuts;
    const { edges, outside, cap } = this;
    const end = this.edgeEnd[f];
    const first = this.edgesUsed;
    let at = first;
    let leaves = 0;
    let enters = 0;
    for (let e = this.edgeStart[f]; e < end; e += 3) {
      let i = edges[e];
      let j = edges[e + 1];
      const where = outside[i] + 2 * outside[j];
      if (where === 3) continue;
      if (where === 2) {
        if (leaves === this.leaving.length) this.moreCrossings();
        this.leaving[leaves++] = j = this.crossing(i, j, f);
      } else if (where === 1) {
        if (enters === this.entering.length) this.moreCrossings();
        this.entering[enters++] = i = this.crossing(j, i, f);
      }
      if (i === j) continue;
      edges[at] = i;
      edges[at + 1] = j;
      edges[at + 2] = edges[e + 2];
      at += 3;
    }
    for (let k = 0; k < leaves; k++) {
      const l = this.leaving[k];
      const m = this.entering[k];
      if (l === m) continue;
      edges[at] = l;
      edges[at + 1] = m;
      edges[at + 2] = plane;
      at += 3;
      const c = this.capLength;
      cap[c] = m;
      cap[c + 1] = l;
      cap[c + 2] = f;
      this.capLength = c + 3;
    }
    // there and back again is no face
    if (at - first < 9) at = first;
    this.edgeStart[f] = first;
    this.edgeEnd[f] = this.edgesUsed = at;
  }

  /** The point where the edge between i (behind or on the plane) and j (in front) meets the plane; i itself if it is on it. */
  private crossing(i: number, j: number, f: number): number {
    const { height, points, firstCrossing, otherEnd, nextCrossing } = this;
    const inside = height[i];
    if (inside >= 0) return i;
    for (let x = firstCrossing[i]; x >= 0; x = nextCrossing[x])
      if (otherEnd[x] === j) {
        this.meet(x, f);
        return x;
      }
    const x = this.pointCount++;
    this.firstMeeting[x] = -1;
    this.meet(x, f);
    otherEnd[x] = j;
    nextCrossing[x] = firstCrossing[i];
    firstCrossing[i] = x;
    // from the nearer end, so that a short way keeps its digits
    const outside = height[j];
    const near = outside < 0 - inside ? 3 * j : 3 * i;
    const far = 3 * i + 3 * j - near;
    const s = Math.min(outside, 0 - inside) / (outside - inside);
    points[3 * x] = points[near] + s * (points[far] - points[near]);
    points[3 * x + 1] = points[near + 1] + s * (points[far + 1] - points[near + 1]);
    points[3 * x + 2] = points[near + 2] + s * (points[far + 2] - points[near + 2]);
    return x;
  }

  /** Notes that a face has a corner in a point. */
  private meet(point: number, f: number): void {
    const m = this.meetings++;
    this.meetingFace[m] = f;
    this.nextMeeting[m] = this.firstMeeting[point];
    this.firstMeeting[point] = m;
  }

  /** Live are the points kept and the new crossings; now and then the box is drawn around them anew. */
  private keepLive(before: number): void {
    const { live, outside, points, box } = this;
    let kept = 0;
    for (let i = 0; i < this.liveCount; i++) {
      const v = live[i];
      live[kept] = v;
      kept += 1 - outside[v];
    }
    for (let v = before; v < this.pointCount; v++) live[kept++] = v;
    this.liveCount = kept;
    // what is left only shrinks, so an old box holds it, too
    if (this.boxAge++ % 4 !== 0) return;
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    for (let i = 0; i < kept; i++) {
      const v = 3 * live[i];
      const x = points[v];
      const y = points[v + 1];
      const z = points[v + 2];
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < z0) z0 = z;
      if (z > z1) z1 = z;
    }
    box[0] = 0.5 * (x0 + x1);
    box[1] = 0.5 * (y0 + y1);
    box[2] = 0.5 * (z0 + z1);
    box[3] = 0.5 * (x1 - x0);
    box[4] = 0.5 * (y1 - y0);
    box[5] = 0.5 * (z1 - z0);
  }

  /**
   * Room for a cut. With n vertices left there are at most 3n edges, each in two faces (fewer where vertices coincide); every one may be
   * crossed, and every crossing makes an edge of its face and one of the cap.
   */
  private reserve(): void {
    const sides = 6 * this.liveCount + 6;
    if (this.edges.length < this.edgesUsed + 9 * sides) this.edges = widened(this.edges, this.edgesUsed + 9 * sides);
    if (this.cap.length < 3 * sides) this.cap = new Int32Array(6 * sides);
    if (this.meetingFace.length < this.meetings + 2 * sides) {
      this.meetingFace = widened(this.meetingFace, this.meetings + 2 * sides);
      this.nextMeeting = widened(this.nextMeeting, this.meetings + 2 * sides);
    }
    this.reservePoints(this.pointCount + sides);
  }

  private reservePoints(points: number): void {
    if (this.height.length >= points) return;
    this.points = widened(this.points, 3 * points);
    this.height = widened(this.height, points);
    this.outside = widened(this.outside, points);
    this.firstMeeting = widened(this.firstMeeting, points);
    this.firstCrossing = widened(this.firstCrossing, points);
    this.otherEnd = widened(this.otherEnd, points);
    this.nextCrossing = widened(this.nextCrossing, points);
    this.live = widened(this.live, points);
  }

  private moreCrossings(): void {
    this.leaving = widened(this.leaving, this.leaving.length);
    this.entering = widened(this.entering, this.entering.length);
  }
}

/** A copy with room for twice so many. */
function widened<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(array: T, length: number): T {
  const wider = new (array.constructor as new (length: number) => T)(2 * length);
  wider.set(array);
  return wider;
}
