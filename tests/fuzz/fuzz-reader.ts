/**
 * Feeds mutated files to a reader. Whatever comes, a reader must return a sound document or throw our own error, within
 * a second and without taking memory that the file does not justify.
 *
 *     await fuzzReader('stl', (bytes) => readStl(bytes, { fileName: 'fuzz.stl' }), samples, { runs: 2000, seed: 1 });
 *
 * TIPPETOP_FUZZ_RUNS=50000 overrides the number of runs, TIPPETOP_FUZZ_SEED the seed. A failure prints seed, run and
 * what was done to the file; `mutate(samples, seed, run)` gives the bytes again.
 */
import { FileError, ModelError } from '../../src/errors.js';
import { type CadDocument, LENGTH_UNITS } from '../../src/geometry/files/cad-document.js';
import { mutate, truncations } from './mutate.js';

export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** Longest time of one run, ms; default 1000. */
  readonly longest?: number;
  /** Most memory one run may take beyond the file, bytes; default 256 MB. */
  readonly mostMemory?: number;
  /** Most truncations tried per sample, beside the runs; default 300. */
  readonly truncations?: number;
}

export interface FuzzReport {
  /** Mutants that were read, and mutants that were refused. */
  readonly read: number;
  readonly refused: number;
  /** Longest run, ms. */
  readonly slowest: number;
}

type Reader = (bytes: Uint8Array) => CadDocument | Promise<CadDocument>;

/** @throws Error with the seed, run and mutation of the first mutant that the reader does not handle */
export async function fuzzReader(
  name: string,
  read: Reader,
  samples: readonly Uint8Array[],
  options: FuzzOptions,
): Promise<FuzzReport> {
  const runs = Number(process.env.TIPPETOP_FUZZ_RUNS ?? options.runs);
  const seed = Number(process.env.TIPPETOP_FUZZ_SEED ?? options.seed);
  const report = { read: 0, refused: 0, slowest: 0 };
  for (const [i, sample] of samples.entries()) {
    const refusal = await tryOnce(read, sample, options, report);
    if (refusal instanceof Error)
      throw new Error(`${name}: sample ${i} itself: ${refusal.message}`, { cause: refusal });
  }
  const attempt = async (bytes: Uint8Array, story: string): Promise<void> => {
    const fault = await faultOf(read, bytes, options, report);
    if (fault)
      throw new Error(`${name}: ${story} (${bytes.length} bytes): ${fault.message.slice(0, 500)}`, { cause: fault });
  };
  for (const [i, sample] of samples.entries())
    for (const length of truncations(sample, options.truncations ?? 300))
      await attempt(sample.slice(0, length), `sample ${i} cut to ${length} bytes`);
  for (let run = 0; run < runs; run++) {
    const { bytes, story } = mutate(samples, seed, run);
    await attempt(bytes, `seed ${seed}, run ${run}, ${story}`);
  }
  return report;
}

/** What the reader did wrong, if anything. Only what is slow twice is slow: the machine may have been busy. */
async function faultOf(
  read: Reader,
  bytes: Uint8Array,
  options: FuzzOptions,
  report: { read: number; refused: number; slowest: number },
): Promise<Error | undefined> {
  const longest = options.longest ?? 1000;
  for (let attempt = 0; ; attempt++) {
    const start = performance.now();
    const result = await tryOnce(read, bytes, options, report);
    const time = performance.now() - start;
    if (result instanceof Error && !isProper(result)) return result;
    if (time <= longest) {
      report.slowest = Math.max(report.slowest, time);
      return undefined;
    }
    if (attempt > 0) return new Error(`took ${Math.round(time)} ms, more than ${longest} ms`);
  }
}

async function tryOnce(
  read: Reader,
  bytes: Uint8Array,
  options: FuzzOptions,
  report: { read: number; refused: number },
): Promise<Error | undefined> {
  const before = memory();
  let refusal: Error | undefined;
  try {
    const document = await read(bytes);
    report.read++;
    checkDocument(document);
  } catch (error) {
    if (!isProper(error)) return error instanceof Error ? error : new Error(`threw ${String(error)}`);
    report.refused++;
    refusal = error;
  }
  const taken = memory() - before;
  const most = options.mostMemory ?? 256e6;
  return taken > most + 20 * bytes.length ? new Error(`took ${Math.round(taken / 1e6)} MB of memory`) : refusal;
}

const memory = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** One of our errors, short enough to read. */
function isProper(error: unknown): error is Error {
  if (!(error instanceof ModelError) || error.message.length > 2000) return false;
  return !(error instanceof FileError) || error.defect.length > 0;
}

/** @throws Error if the document breaks its own promises */
export function checkDocument(document: CadDocument): void {
  const insist = (condition: boolean, what: string): void => {
    if (!condition) throw new Error(`the document is not sound: ${what}`);
  };
  insist(Object.hasOwn(LENGTH_UNITS, document.unit), `unit ${document.unit}`);
  insist(['file', 'option', 'assumed'].includes(document.unitFrom), `unitFrom ${document.unitFrom}`);
  for (const { name, mesh, colour } of document.parts) {
    insist(typeof name === 'string' && name.length > 0, 'a part without a name');
    insist(mesh.vertices instanceof Float64Array && mesh.vertices.length % 3 === 0, 'vertices');
    insist(mesh.triangles instanceof Uint32Array && mesh.triangles.length % 3 === 0, 'triangles');
    const count = mesh.vertices.length / 3;
    // Plain loops: mutants are many, and an expectation per number would take longer than the reading.
    for (let i = 0; i < mesh.vertices.length; i++)
      if (!Number.isFinite(mesh.vertices[i])) insist(false, `coordinate ${mesh.vertices[i]}`);
    for (let i = 0; i < mesh.triangles.length; i++)
      if (!(mesh.triangles[i] < count)) insist(false, `index ${mesh.triangles[i]} of ${count} vertices`);
    if (colour) insist(colour.length === 4 && colour.every((c) => c >= 0 && c <= 1), `colour ${colour}`);
  }
  for (const { name, profile } of document.profiles) {
    insist(typeof name === 'string', 'a profile without a name');
    for (const outline of [profile.outer, ...profile.holes]) {
      insist(outline.length >= 3, `an outline of ${outline.length} corners`);
      for (const [x, y] of outline) insist(Number.isFinite(x) && Number.isFinite(y), `corner ${x}, ${y}`);
    }
  }
  for (const note of document.notes) insist(typeof note === 'string' && note.length > 0, 'a note');
}
