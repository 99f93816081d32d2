/**
 * The CSG library manifold-3d (Apache-2.0), compiled to WebAssembly: loaded on first use, without waiting.
 *
 * Compiling half a megabyte takes some 15 ms, so the first union, subtract or intersect just does it. Node, workers,
 * Firefox, Safari and, up to 8 MB, Chromium since 2023 allow that anywhere; on the main thread of older Chromium (up to
 * 4 kB), or to keep a page from stalling for those milliseconds, `await loadCsg()` once before.
 */
import { ModelError } from '../../errors.js';
import prepare from '../vendor/manifold.js';
import { manifoldWasm } from '../vendor/manifold-wasm.js';

/** A solid in WebAssembly memory, which no garbage collector frees: everything made must be deleted. */
export interface Manifold {
  /** The callback may read and move all vertices, 3 numbers each, in double precision; it must not throw. */
  warpBatch(move: (vertices: Float64Array, count: number) => void): Manifold;
  _GetMeshJS(normalIndex: number): ManifoldMesh;
  status(): string;
  numVert(): number;
  numTri(): number;
  delete(): void;
}

/** What Manifold takes and gives; coordinates in single precision. */
export interface ManifoldMesh {
  readonly numProp: number;
  readonly vertProperties: Float32Array;
  readonly triVerts: Uint32Array;
  readonly mergeFromVert?: Uint32Array;
  readonly tolerance?: number;
}

/** A plane figure in WebAssembly memory; see `Manifold`. */
export interface CrossSection {
  _Offset(distance: number, join: 0 | 1 | 2, miterLimit: number, segments: number): CrossSection;
  _ToPolygons(): Vector<Vector<Point>>;
  delete(): void;
}
export interface Point {
  x: number;
  y: number;
}

/** std::vector. `get` copies: a vector within a vector that was got must be deleted too. */
export interface Vector<T> {
  size(): number;
  get(i: number): T;
  push_back(item: T): void;
  delete(): void;
}

export type BooleanOperation = 'Union' | 'Difference' | 'Intersection';

export interface ManifoldModule {
  readonly Manifold: new (mesh: ManifoldMesh) => Manifold;
  readonly CrossSection: new (polygons: Vector<Vector<Point>>, fillRule: 0 | 1 | 2 | 3) => CrossSection;
  readonly Vector_manifold: new () => Vector<Manifold>;
  readonly Vector_vec2: new () => Vector<Point>;
  readonly Vector2_vec2: new () => Vector<Vector<Point>>;
  readonly _manifoldUnionN: (solids: Vector<Manifold>) => Manifold;
  readonly _manifoldDifferenceN: (solids: Vector<Manifold>) => Manifold;
  readonly _manifoldIntersectionN: (solids: Vector<Manifold>) => Manifold;
  /** Bytes of WebAssembly memory; it never shrinks. */
  readonly heapSize: () => number;
}

let compiled: WebAssembly.Module | undefined;
let loaded: ManifoldModule | undefined;

/**
 * Loads the CSG library without blocking. Nobody has to call this: the first operation loads it when needed.
 *
 * @example await loadCsg(); // in a page, before the first union, subtract or intersect
 */
export async function loadCsg(): Promise<void> {
  if (loaded) return;
  compiled ??= await WebAssembly.compile(binary());
  const { imports, start } = prepare();
  const instance = await WebAssembly.instantiate(compiled, imports);
  loaded ??= setUp(start(instance));
}

/** The library, ready for use. */
export function manifold(): ManifoldModule {
  loaded ??= loadNow();
  return loaded;
}

function loadNow(): ManifoldModule {
  const { imports, start } = prepare();
  try {
    compiled ??= new WebAssembly.Module(binary());
    return setUp(start(new WebAssembly.Instance(compiled, imports)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ModelError(
      'csg',
      'this browser loads so large a WebAssembly module only asynchronously here; call `await loadCsg()` first',
    );
  }
}

function setUp(started: unknown): ManifoldModule {
  const module = started as ManifoldModule & { setup(): void };
  // setup() replaces the constructors by ones that leak what they refuse, so the original ones are kept.
  const { Manifold, CrossSection } = module;
  module.setup();
  return { ...module, Manifold, CrossSection };
}

function binary(): Uint8Array<ArrayBuffer> {
  const text = atob(manifoldWasm);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * Runs `work` and deletes all it passed to `keep`, whether it returns or throws.
 *
 * An abort of WebAssembly (4 GB used up) leaves its memory in an unknown state: it is thrown away with everything in
 * it, and the next operation starts afresh.
 */
export function withManifold<T>(
  path: string,
  work: (module: ManifoldModule, keep: <D extends { delete(): void }>(made: D) => D) => T,
): T {
  const module = manifold();
  const made: { delete(): void }[] = [];
  let broken = false;
  try {
    return work(module, (object) => {
      made.push(object);
      return object;
    });
  } catch (error) {
    // C++ exceptions arrive as numbers (their addresses), traps and aborts as RuntimeError.
    broken = typeof error === 'number' || error instanceof WebAssembly.RuntimeError;
    if (!broken) throw error;
    loaded = undefined;
    throw new ModelError(path, `the operation is too large for 4 GB of memory, or its numbers are out of range`);
  } finally {
    if (!broken) for (let i = made.length - 1; i >= 0; i--) made[i].delete();
  }
}
