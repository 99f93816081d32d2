/**
 * Open CASCADE as WebAssembly (package occt-import-js), an optional package: loaded when the first STEP or IGES file is
 * read. In Node it is found by itself. A page passes it in, since a bundler must not be made to look for a package that
 * most pages do not have:
 *
 *     import factory from 'occt-import-js';
 *     import wasm from 'occt-import-js/dist/occt-import-js.wasm?url';
 *     await readStep(bytes, { fileName, occt: { factory, locateFile: () => wasm } });
 */
import { FileError } from '../../errors.js';

export interface OcctParameters {
  readonly linearUnit: 'millimeter' | 'centimeter' | 'meter' | 'inch' | 'foot';
  readonly linearDeflectionType: 'bounding_box_ratio' | 'absolute_value';
  readonly linearDeflection: number;
  /** rad */
  readonly angularDeflection: number;
}

export interface OcctMesh {
  readonly name: string;
  /** Linear light, 0…1. */
  readonly color?: readonly number[];
  readonly brep_faces: readonly { readonly color: readonly number[] | null }[];
  readonly attributes: { readonly position: { readonly array: readonly number[] } };
  readonly index: { readonly array: readonly number[] };
}

export interface OcctNode {
  readonly name: string;
  readonly meshes: readonly number[];
  readonly children: readonly OcctNode[];
}

export interface OcctResult {
  readonly success: boolean;
  readonly root: OcctNode;
  readonly meshes: readonly OcctMesh[];
}

interface OcctModule {
  ReadStepFile(content: Uint8Array, parameters: OcctParameters): OcctResult;
  ReadIgesFile(content: Uint8Array, parameters: OcctParameters): OcctResult;
}

/** Reads a file elsewhere, in a worker that can be stopped */
export type OcctRun = (bytes: Uint8Array, format: 'step' | 'iges', parameters: OcctParameters) => Promise<OcctResult>;

/** How to get Open CASCADE where it cannot be found by name. */
export interface OcctSource {
  /** The default export of occt-import-js. */
  readonly factory: (options: object) => Promise<unknown>;
  /** Gives the address of occt-import-js.wasm. */
  readonly locateFile?: (name: string) => string;
  /** Or the bytes of occt-import-js.wasm. */
  readonly wasmBinary?: Uint8Array | ArrayBuffer;
}

/**
 * Instances in use, by factory. One is thrown away after any exception, since a trap leaves its memory in pieces, and
 * after a large file, since its memory never shrinks.
 */
const instances = new Map<unknown, Promise<OcctModule>>();
const LARGE_FILE = 10_000_000;

/** Reads and meshes a file. @throws FileError where Open CASCADE cannot be had or gives up */
export async function runOcct(
  bytes: Uint8Array,
  format: 'step' | 'iges',
  parameters: OcctParameters,
  source: OcctSource | OcctRun | undefined,
  file: string,
): Promise<OcctResult> {
  if (typeof source === 'function') {
    try {
      return await source(bytes, format, parameters);
    } catch (error) {
      throw error instanceof FileError ? error : givenUp(error, format, file);
    }
  }
  const factory = source?.factory ?? (await findFactory(file));
  let instance = instances.get(factory);
  if (!instance) {
    instance = start(factory, source, file);
    instances.set(factory, instance);
  }
  try {
    const occt = await instance;
    const result = format === 'step' ? occt.ReadStepFile(bytes, parameters) : occt.ReadIgesFile(bytes, parameters);
    if (bytes.length > LARGE_FILE) instances.delete(factory);
    return result;
  } catch (error) {
    instances.delete(factory);
    if (error instanceof FileError) throw error;
    throw givenUp(error, format, file);
  }
}

function givenUp(error: unknown, format: string, file: string): FileError {
  const reason = error instanceof Error ? error.message : 'an exception';
  return new FileError(
    file,
    '',
    `Open CASCADE gave up on it (${reason.slice(0, 200)}); it is damaged or not quite ${format.toUpperCase()}`,
  );
}

async function start(
  factory: OcctSource['factory'],
  source: OcctSource | undefined,
  file: string,
): Promise<OcctModule> {
  const silent = () => {};
  try {
    const options = { print: silent, printErr: silent };
    const { locateFile, wasmBinary } = source ?? {};
    return (await factory({
      ...options,
      ...(locateFile ? { locateFile } : {}),
      ...(wasmBinary ? { wasmBinary } : {}),
    })) as OcctModule;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileError(file, '', `occt-import-js, which reads STEP and IGES, does not start: ${reason.slice(0, 300)}`);
  }
}

async function findFactory(file: string): Promise<OcctSource['factory']> {
  const name = 'occt-import-js'; // as a variable, so that bundlers do not insist on having it
  try {
    const loaded = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
      default: OcctSource['factory'];
    };
    return loaded.default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileError(
      file,
      '',
      `STEP and IGES are read by the package occt-import-js: run "npm install occt-import-js"; a page passes it as options.occt (${reason.slice(0, 200)})`,
    );
  }
}
