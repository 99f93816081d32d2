/**
 * The surface of a flexible part as contact sees it: points on the sides of its mesh at which it is pressed, each with the area it stands for.
 *
 * Three Gauss points per side carry pressure to the nodes by the shape functions of the side, so that force and moment are kept and the work is
 * exact. Convex corners of the outline have a point of their own: Gauss points are 11 % of a side away from the ends, and a corner would dip
 * in unseen.
 */
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { LoadSpread } from './load-spread.js';
import type { LoadedSurface, SurfaceLoad } from './residual-compliance.js';

/** ξ and weights of the three-point rule on [−1, 1] */
const PLACE = [-0.7745966692414834, 0, 0.7745966692414834];
const WEIGHT = [5 / 9, 8 / 9, 5 / 9];
/** A corner that turns by more has a point, sin of 1°: beside it the outermost Gauss points are a thousandth of a side too deep */
const CORNER = 0.01745240643728351;
/** Loads are not spread over a corner that turns by more, sin of 15° */
const SHARP = 0.2588190451025207;
/** Part of a side's length that the point of a corner stands for */
export const CORNER_SHARE = 0.1;

export class ContactSurface implements LoadedSurface {
  readonly mesh: PlaneMesh;
  readonly thickness: number;
  /** Sides of the mesh that can be touched, 3 nodes each: from, to, middle (in T3 the end again) */
  readonly sides: Int32Array;
  readonly sideCount: number;
  /** Nodes of the sides, each once */
  readonly boundary: Int32Array;
  /** m */
  readonly longestSide: number;
  readonly meanSide: number;
  readonly pointCount: number;
  readonly loadCount: number;
  /** 3 each per point: nodes and the shape functions there */
  readonly nodes: Int32Array;
  readonly weights: Float64Array;
  /** 2 per point: undeformed place, m, and outward normal */
  readonly places: Float64Array;
  readonly normals: Float64Array;
  /** m² per point, and length of its side, m */
  readonly areas: Float64Array;
  readonly lengths: Float64Array;
  /** Per node: sine of the angle by which the outline turns there, positive where it is convex; 0 elsewhere */
  readonly turns: Float64Array;
  /** Per side the ones that end where it begins and begin where it ends, −1: none that can be touched */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** Of a force at a place of a side */
  readonly spread: LoadSpread;
  /** Points of corners are the last */
  readonly firstCorner: number;
  /** Of a node that no sharp corner parts the nodes before and after it */
  private readonly besideNodes = new Map<number, readonly [number, number]>();
  /** Sides that begin or end at a node */
  private readonly sidesAround = new Map<number, number[]>();

  /** @param isOpen sides of the mesh that can be touched */
  constructor(mesh: PlaneMesh, thickness: number, isOpen: (side: number) => boolean) {
    this.mesh = mesh;
    this.thickness = thickness;
    const sides: number[] = [];
    for (const s of alongOutline(mesh)) {
      if (!isOpen(s)) continue;
      sides.push(mesh.sides[3 * s], mesh.sides[3 * s + 1], mesh.sides[3 * s + 2]);
    }
    this.sides = Int32Array.from(sides);
    const count = sides.length / 3;
    this.sideCount = count;
    const nodes: number[] = [];
    const weights: number[] = [];
    const places: number[] = [];
    const normals: number[] = [];
    const areas: number[] = [];
    const lengths: number[] = [];
    const at = new Float64Array(9);
    const { points } = mesh;
    const shape = new Float64Array(6);
    const put = (a: number, b: number, m: number, n: ArrayLike<number>, length: number, area: number): void => {
      nodes.push(a, b, m < 0 ? b : m);
      weights.push(n[0], n[1], n[2]);
      let [x, y, tx, ty] = [0, 0, 0, 0];
      [a, b, m < 0 ? b : m].forEach((node, j) => {
        x += n[j] * points[2 * node];
        y += n[j] * points[2 * node + 1];
        tx += n[3 + j] * points[2 * node];
        ty += n[3 + j] * points[2 * node + 1];
      });
      const speed = Math.sqrt(tx * tx + ty * ty);
      places.push(x, y);
      normals.push(ty / speed, -tx / speed);
      areas.push(area * speed * thickness);
      lengths.push(length);
    };
    for (let s = 0; s < count; s++) {
      const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
      const length = distance(points, a, b);
      for (let g = 0; g < 3; g++) {
        sideShape(PLACE[g], m >= 0, at);
        shape.set(at.subarray(0, 6));
        put(a, b, m, shape, length, WEIGHT[g]);
      }
    }
    this.firstCorner = areas.length;
    // Corners: the side that ends at a node and the one that begins there
    this.turns = new Float64Array(mesh.nodeCount);
    const ends = new Map<number, number>();
    for (let s = 0; s < count; s++) ends.set(sides[3 * s + 1], s);
    this.before = Int32Array.from({ length: count }, (_, s) => ends.get(sides[3 * s]) ?? -1);
    this.after = new Int32Array(count).fill(-1);
    const smoothBefore = new Int32Array(count).fill(-1);
    const smoothAfter = new Int32Array(count).fill(-1);
    for (let s = 0; s < count; s++) {
      const before = this.before[s];
      if (before < 0) continue;
      this.after[before] = s;
      const from = sideTangent(points, sides, before, 1);
      const to = sideTangent(points, sides, s, -1);
      const node = sides[3 * s];
      const turn = from[0] * to[1] - from[1] * to[0];
      const back = from[0] * to[0] + from[1] * to[1] < 0;
      this.turns[node] = back ? Math.sign(turn) : turn;
      if (Math.abs(this.turns[node]) < SHARP) {
        smoothBefore[s] = before;
        smoothAfter[before] = s;
        this.besideNodes.set(node, [sides[3 * before], sides[3 * s + 1]]);
      }
      if (this.turns[node] < CORNER) continue;
      const length = Math.min(
        distance(points, sides[3 * s], sides[3 * s + 1]),
        distance(points, sides[3 * before], sides[3 * before + 1]),
      );
      nodes.push(node, node, node);
      weights.push(1, 0, 0);
      places.push(points[2 * node], points[2 * node + 1]);
      const [nx, ny] = [from[1] + to[1], -from[0] - to[0]];
      const size = Math.sqrt(nx * nx + ny * ny);
      normals.push(nx / size, ny / size);
      areas.push(CORNER_SHARE * length * thickness);
      lengths.push(length);
    }
    this.sides.forEach((node, k) => {
      if (node < 0) this.sides[k] = this.sides[k - 1];
    });
    for (let s = 0; s < count; s++)
      for (const node of [this.sides[3 * s], this.sides[3 * s + 1]])
        this.sidesAround.set(node, [...(this.sidesAround.get(node) ?? []), s]);
    this.boundary = Int32Array.from(new Set(this.sides)).sort();
    this.longestSide = lengths.reduce((most, length) => Math.max(most, length), 0);
    const sideLengths = Float64Array.from({ length: count }, (_, s) => lengths[3 * s]);
    this.meanSide = sideLengths.reduce((sum, length) => sum + length, 0) / Math.max(1, count);
    this.spread = new LoadSpread(this.sides, smoothBefore, smoothAfter, sideLengths);
    this.pointCount = areas.length;
    this.loadCount = this.pointCount + mesh.nodeCount;
    this.nodes = Int32Array.from(nodes);
    this.weights = Float64Array.from(weights);
    this.places = Float64Array.from(places);
    this.normals = Float64Array.from(normals);
    this.areas = Float64Array.from(areas);
    this.lengths = Float64Array.from(lengths);
  }

  /** Of point i a unit force there; beyond the points, of a corner node of a side a unit force spread over the sides around it */
  load(i: number): SurfaceLoad | undefined {
    return i < this.pointCount ? this.pointLoad(i) : this.sharpHat(i - this.pointCount);
  }

  private pointLoad(i: number): SurfaceLoad {
    const { nodes, weights, normals } = this;
    const own = nodes.slice(3 * i, 3 * i + 3);
    const forces = new Float64Array(6);
    for (let j = 0; j < 3; j++) {
      forces[2 * j] = -weights[3 * i + j] * normals[2 * i];
      forces[2 * j + 1] = -weights[3 * i + j] * normals[2 * i + 1];
    }
    return { nodes: own, forces };
  }

  /**
   * Of a node 5/4 of its hat less 1/8 of those beside it: quadratic B-splines of such loads keep the place of a force and how wide its hat is (de Boor 1978, ch. XII), of plain hats it would be
   * spread wider. Beside sharp corners the hat alone.
   */
  private sharpHat(node: number): SurfaceLoad | undefined {
    const own = this.hatLoad(node);
    const beside = this.besideNodes.get(node);
    if (!own || !beside) return own;
    const nodes: number[] = [];
    const forces: number[] = [];
    const add = ({ nodes: at, forces: f }: SurfaceLoad, share: number): void => {
      nodes.push(...at);
      for (const force of f) forces.push(share * force);
    };
    add(own, 1.25);
    for (const next of beside) add(this.hatLoad(next)!, -0.125);
    return { nodes: Int32Array.from(nodes), forces: Float64Array.from(forces) };
  }

  /** A hat: 1/3 of a side's share to the node and 2/3 to the middle of the side, half and half to its two ends where it has none */
  private hatLoad(node: number): SurfaceLoad | undefined {
    const { sides, mesh } = this;
    const { points } = mesh;
    const around = this.sidesAround.get(node);
    if (!around) return undefined;
    const nodes: number[] = [];
    const forces: number[] = [];
    let total = 0;
    for (const s of around) {
      const [a, b, m] = [sides[3 * s], sides[3 * s + 1], sides[3 * s + 2]];
      const [dx, dy] = [points[2 * b] - points[2 * a], points[2 * b + 1] - points[2 * a + 1]];
      total += Math.sqrt(dx * dx + dy * dy);
      const other = a === node ? b : a;
      const [far, share] = m === b ? [other, 1 / 3] : [m, 2 / 3];
      nodes.push(node, far);
      // outward (dy, −dx), pressing the other way
      forces.push(-(1 - share) * dy, (1 - share) * dx, -share * dy, share * dx);
    }
    return { nodes: Int32Array.from(nodes), forces: Float64Array.from(forces, (f) => f / total) };
  }
}

/** Shape functions of a side's ends and middle at ξ, their first derivatives, their second: 9 numbers. Without a middle: straight. */
export function sideShape(xi: number, curved: boolean, out: Float64Array): void {
  if (!curved) {
    out[0] = (1 - xi) / 2;
    out[1] = (1 + xi) / 2;
    out[3] = -0.5;
    out[4] = 0.5;
    out[2] = out[5] = out[6] = out[7] = out[8] = 0;
    return;
  }
  out[0] = (xi * (xi - 1)) / 2;
  out[1] = (xi * (xi + 1)) / 2;
  out[2] = 1 - xi * xi;
  out[3] = xi - 0.5;
  out[4] = xi + 0.5;
  out[5] = -2 * xi;
  out[6] = out[7] = 1;
  out[8] = -2;
}

/** Sides of a mesh, one after the other along each loop */
function alongOutline({ sides, sideEdge }: PlaneMesh): number[] {
  const from = new Map<number, number>();
  for (let s = 0; s < sideEdge.length; s++) from.set(sides[3 * s], s);
  const order: number[] = [];
  const seen = new Uint8Array(sideEdge.length);
  for (let first = 0; first < sideEdge.length; first++)
    for (let s: number | undefined = first; s !== undefined && seen[s] === 0; s = from.get(sides[3 * s + 1])) {
      seen[s] = 1;
      order.push(s);
    }
  return order;
}

function sideTangent(points: Float64Array, sides: readonly number[], side: number, xi: number): [number, number] {
  const n = new Float64Array(9);
  const middle = sides[3 * side + 2];
  sideShape(xi, middle >= 0, n);
  let [x, y] = [0, 0];
  for (let j = 0; j < (middle >= 0 ? 3 : 2); j++) {
    x += n[3 + j] * points[2 * sides[3 * side + j]];
    y += n[3 + j] * points[2 * sides[3 * side + j] + 1];
  }
  const size = Math.sqrt(x * x + y * y);
  return [x / size, y / size];
}

const distance = (points: Float64Array, a: number, b: number): number => {
  const [x, y] = [points[2 * b] - points[2 * a], points[2 * b + 1] - points[2 * a + 1]];
  return Math.sqrt(x * x + y * y);
};
