/**
 * Rigid grains, walls and tools as flat arrays in the arena, in the order of the kernels' slots: bodies, their pieces, the pieces' corners,
 * planes and loops, the pairs with their histories, and room for each thread.
 */
import type { Arena, FloatBlock, IntBlock } from '../../kernels/arena.js';
import type { PolyhedronKernels } from '../../kernels/polyhedron-kernels.js';
import { OVERLAP_RESULT } from '../../kernels/polyhedron-overlap.kernel.js';
import { REPORT_LENGTH } from '../../kernels/polyhedron-report.kernel.js';
import { multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { add, type Vec3, ZERO } from '../../math/vec3.js';
import { imageWithin, type Period } from '../neighbourhood.js';
import type { GrainShape } from '../shapes/grain-shape.js';

/** One rigid body. */
export interface GrainBody {
  readonly shape: GrainShape;
  /** Place in the list of species */
  readonly species: number;
  /** kg/m³; Infinity: it moves as it is told and feels no force */
  readonly density: number;
  /** Pose of the frame the shape was given in */
  readonly position: Vec3;
  readonly orientation: Quaternion;
  /** Of the centre of mass, m/s */
  readonly velocity?: Vec3;
  /** rad/s, world axes */
  readonly angularVelocity?: Vec3;
  /** Not there yet: it touches nothing until it comes */
  readonly absent?: boolean;
}

const WORK_SLOT = 7;
const LISTS_SLOT = 8;
const PAIR_SLOTS = { pairs: 24, history: 25, records: 28 };
/** Numbers that a pair remembers, see HISTORY in kernels/polyhedron-report.kernel.ts */
export const PAIR_HISTORY = 16;

export class GrainArrays {
  readonly bodyCount: number;
  /** One per body: 1 where it is not there */
  readonly absent: Uint8Array;
  readonly pieceCount: number;
  /** Greatest number of corners or faces of a piece, or of corners of a face; at least 4 */
  readonly room: number;
  readonly pieces: IntBlock;
  readonly firstPiece: IntBlock;
  readonly positions: FloatBlock;
  readonly orientations: FloatBlock;
  readonly velocities: FloatBlock;
  readonly momenta: FloatBlock;
  readonly inverseMoments: FloatBlock;
  readonly inverseInertia: FloatBlock;
  readonly forces: FloatBlock;
  readonly loads: FloatBlock;
  readonly spheres: FloatBlock;
  readonly listed: FloatBlock;
  readonly planes: FloatBlock;
  readonly vertices: FloatBlock;
  readonly localVertices: FloatBlock;
  readonly localPlanes: FloatBlock;
  readonly localSpheres: FloatBlock;
  readonly thinness: FloatBlock;
  readonly travel: FloatBlock;
  readonly reports: FloatBlock;
  readonly laws: FloatBlock;
  readonly settings: FloatBlock;
  /** 36 per body: how parts of a machine give way */
  readonly mobilities: FloatBlock;
  readonly shares: IntBlock;
  pairs: IntBlock;
  history: FloatBlock;
  records: FloatBlock;
  pairCount = 0;
  #sparePairs: IntBlock;
  #spareHistory: FloatBlock;
  #pairRoom: number;
  readonly #arena: Arena;
  readonly #slots: (FloatBlock | IntBlock)[];
  readonly #work: readonly { readonly floats: FloatBlock; readonly ints: IntBlock }[];
  readonly #kernels: PolyhedronKernels;

  constructor(
    arena: Arena,
    kernels: PolyhedronKernels,
    bodies: readonly GrainBody[],
    speciesCount: number,
    threads: number,
    readonly period?: Period,
  ) {
    this.#arena = arena;
    this.#kernels = kernels;
    const all = bodies.flatMap(({ shape }) => shape.pieces);
    const count = (of: (piece: (typeof all)[number]) => number): number => all.reduce((sum, p) => sum + of(p), 0);
    const vertexCount = count((p) => p.vertices.length / 3);
    const planeCount = count((p) => p.planes.length / 4);
    this.bodyCount = bodies.length;
    this.absent = new Uint8Array(bodies.length);
    this.pieceCount = all.length;
    this.room = Math.max(4, ...all.map((p) => Math.max(p.vertices.length / 3, p.planes.length / 4)));
    const n = bodies.length;

    this.pieces = arena.ints(8 * all.length);
    this.vertices = arena.floats(3 * vertexCount);
    this.planes = arena.floats(4 * planeCount);
    const loopStart = arena.ints(planeCount + 1);
    const loops = arena.ints(count((p) => p.loops.length));
    const cornerStart = arena.ints(vertexCount + 1);
    const cornerFaces = arena.ints(count((p) => p.cornerFaces.length));
    this.#work = Array.from({ length: threads }, () => ({
      floats: arena.floats(OVERLAP_RESULT * this.room + 16),
      ints: arena.ints(3 * this.room),
    }));
    this.positions = arena.floats(4 * n);
    this.orientations = arena.floats(4 * n);
    this.velocities = arena.floats(8 * n);
    this.momenta = arena.floats(4 * n);
    this.inverseMoments = arena.floats(4 * n);
    this.inverseInertia = arena.floats(8 * n);
    this.forces = arena.floats(8 * n * threads);
    this.loads = arena.floats(8 * n);
    this.firstPiece = arena.ints(n + 1);
    this.localVertices = arena.floats(3 * vertexCount);
    this.localPlanes = arena.floats(4 * planeCount);
    this.localSpheres = arena.floats(4 * all.length);
    this.spheres = arena.floats(4 * all.length);
    this.listed = arena.floats(3 * all.length);
    this.travel = arena.floats(4 * threads);
    this.laws = arena.floats(12 * speciesCount * speciesCount);
    this.reports = arena.floats(REPORT_LENGTH * threads);
    this.thinness = arena.floats(all.length);
    this.settings = arena.floats(16);
    this.mobilities = arena.floats(36 * n);
    this.shares = arena.ints(8 + 4 * threads);
    this.#pairRoom = 16 + 12 * all.length;
    this.pairs = arena.ints(2 * this.#pairRoom);
    this.history = arena.floats(PAIR_HISTORY * this.#pairRoom);
    this.#sparePairs = arena.ints(2 * this.#pairRoom);
    this.#spareHistory = arena.floats(PAIR_HISTORY * this.#pairRoom);
    this.records = arena.floats(16 * this.#pairRoom);
    this.#slots = [
      this.pieces,
      this.vertices,
      this.planes,
      loopStart,
      loops,
      cornerStart,
      cornerFaces,
      this.#work[0].floats,
      this.#work[0].ints,
      this.positions,
      this.orientations,
      this.velocities,
      this.momenta,
      this.inverseMoments,
      this.inverseInertia,
      this.forces,
      this.loads,
      this.firstPiece,
      this.localVertices,
      this.localPlanes,
      this.localSpheres,
      this.spheres,
      this.listed,
      this.travel,
      this.pairs,
      this.history,
      this.laws,
      this.reports,
      this.records,
      this.thinness,
      this.settings,
      this.shares,
      this.mobilities,
    ];
    this.#place();

    this.shares.view.set([threads, 8 * n, speciesCount, this.room]);
    if (period) {
      this.settings.view[5] = 1;
      this.settings.view.set(period.length, 8);
      this.settings.view.set(period.low, 11);
    }
    for (let t = 0; t < threads; t++) {
      this.shares.view[8 + 4 * t] = Math.floor((t * n) / threads);
      this.shares.view[9 + 4 * t] = Math.floor(((t + 1) * n) / threads);
    }

    let [p, v, f, loop, corner] = [0, 0, 0, 0, 0];
    bodies.forEach((body, b) => {
      const { shape, species } = body;
      this.firstPiece.view[b] = p;
      for (const piece of shape.pieces) {
        const vertexTotal = piece.vertices.length / 3;
        const faceTotal = piece.planes.length / 4;
        this.pieces.view.set([b, piece.kind, v, vertexTotal, f, faceTotal, species, piece.surfaces ?? 0], 8 * p);
        this.localVertices.view.set(piece.vertices, 3 * v);
        this.localPlanes.view.set(piece.planes, 4 * f);
        this.localSpheres.view.set([...piece.middle, piece.radius], 4 * p);
        this.thinness.view[p] = piece.thinness;
        for (let k = 0; k < faceTotal; k++) loopStart.view[f + k] = loop + piece.loopStart[k];
        loops.view.set(piece.loops, loop);
        for (let k = 0; k < vertexTotal; k++) cornerStart.view[v + k] = corner + piece.cornerStart[k];
        cornerFaces.view.set(piece.cornerFaces, corner);
        p++;
        v += vertexTotal;
        f += faceTotal;
        loop += piece.loops.length;
        corner += piece.cornerFaces.length;
      }

      this.put(b, body);
    });
    this.firstPiece.view[n] = p;
    loopStart.view[f] = loop;
    cornerStart.view[v] = corner;
  }

  /** A wall has another orientation or size than its pieces: they follow at the next step. */
  turned(b: number): void {
    this.loads.view[8 * b + 6] = 0;
  }

  /** Mass, pose and twist in the principal frame */
  put(
    b: number,
    { shape, density, position, orientation, velocity, angularVelocity, absent = false }: GrainBody,
  ): void {
    const free = density < Number.POSITIVE_INFINITY;
    const q = multiply(orientation, shape.axes);
    this.absent[b] = absent ? 1 : 0;
    const centre = add(position, rotate(orientation, shape.centre));
    for (let k = 0; k < 3; k++)
      this.positions.view[4 * b + k] = free ? imageWithin(centre[k], k, this.period) : centre[k];
    this.orientations.view.set(q, 4 * b);
    this.turned(b);
    this.velocities.view.set([...(velocity ?? ZERO), free && !absent ? 1 / (density * shape.volume) : 0], 8 * b);
    this.velocities.view.set(angularVelocity ?? ZERO, 8 * b + 4);
    if (!free) return;
    const moments = shape.moments.map((m) => density * m);
    this.inverseMoments.view.set(
      moments.map((m) => 1 / m),
      4 * b,
    );
    const [wx, wy, wz] = rotate([q[0], -q[1], -q[2], -q[3]], angularVelocity ?? ZERO);
    this.momenta.view.set(rotate(q, [moments[0] * wx, moments[1] * wy, moments[2] * wz]), 4 * b);
  }

  /** Makes bodies from the number `first` to before `end` larger or smaller about their centres of mass; they keep their masses. */
  resize(first: number, end: number, factor: number): void {
    const { firstPiece, pieces, localVertices, localPlanes, localSpheres, thinness } = this;
    for (let b = first; b < end; b++) this.turned(b);
    for (let p = firstPiece.view[first]; p < firstPiece.view[end]; p++) {
      const [, , vertex, vertexTotal, face, faceTotal] = pieces.view.subarray(8 * p, 8 * p + 6);
      for (let k = 3 * vertex; k < 3 * (vertex + vertexTotal); k++) localVertices.view[k] *= factor;
      for (let k = 4 * face + 3; k < 4 * (face + faceTotal); k += 4) localPlanes.view[k] *= factor;
      for (let k = 4 * p; k < 4 * (p + 1); k++) localSpheres.view[k] *= factor;
      thinness.view[p] *= factor;
    }
  }

  /** Room of a thread for numbers on the way; its result is what overlaps leave */
  work(thread: number): Float64Array {
    return this.#work[thread].floats.view;
  }

  /** The lists to fill anew; `swap` puts them in the place of the present ones. */
  spare(pairs: number): { readonly pairs: Int32Array; readonly history: Float64Array } {
    if (pairs > this.#pairRoom) {
      // The old ones stay where they are, lost to the arena: twice the room means that it happens a few times only.
      this.#pairRoom = 2 * pairs;
      const [oldPairs, oldHistory] = [this.pairs, this.history];
      this.pairs = this.#arena.ints(2 * this.#pairRoom);
      this.history = this.#arena.floats(PAIR_HISTORY * this.#pairRoom);
      this.#sparePairs = this.#arena.ints(2 * this.#pairRoom);
      this.#spareHistory = this.#arena.floats(PAIR_HISTORY * this.#pairRoom);
      this.records = this.#arena.floats(16 * this.#pairRoom);
      this.pairs.view.set(oldPairs.view);
      this.history.view.set(oldHistory.view);
      this.#place();
    }
    return { pairs: this.#sparePairs.view, history: this.#spareHistory.view };
  }

  swap(pairs: number): void {
    [this.pairs, this.#sparePairs] = [this.#sparePairs, this.pairs];
    [this.history, this.#spareHistory] = [this.#spareHistory, this.history];
    this.pairCount = pairs;
    const threads = this.#work.length;
    for (let t = 0; t < threads; t++) {
      this.shares.view[10 + 4 * t] = Math.floor((t * pairs) / threads);
      this.shares.view[11 + 4 * t] = Math.floor(((t + 1) * pairs) / threads);
    }
    this.#place();
  }

  #place(): void {
    this.#slots[PAIR_SLOTS.pairs] = this.pairs;
    this.#slots[PAIR_SLOTS.history] = this.history;
    this.#slots[PAIR_SLOTS.records] = this.records;
    this.#work.forEach(({ floats, ints }, thread) => {
      this.#slots[WORK_SLOT] = floats;
      this.#slots[LISTS_SLOT] = ints;
      this.#kernels.place(thread, this.#slots);
    });
  }
}
