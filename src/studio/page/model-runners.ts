/** Which worker takes a model: scenes and our own examples run in the house's, programs of the user's in the sandbox, and after a yes. */
import { type AssetStore, textHash } from '../document/assets.js';
import type { StudioDocument } from '../document/document.js';
import { NEEDS_OCCT, OCCT_WASM, occtProgram } from '../document/occt.js';
import type { ModelSource, SourceFile } from '../run/messages.js';
import { Work, type WorkerLike } from '../run/work.js';

export interface ProgramRunner {
  worker(): WorkerLike;
  /** Whether this text may run: it is the user's own, or was asked about */
  mayRun(text: string): Promise<boolean>;
}

export class ModelRunners {
  readonly #house: Work;
  #sandbox: Work | undefined;
  #next: Work;
  /** Files of the document at hand, by hash */
  #files = new Map<string, Uint8Array>();
  #known: { readonly text: string; readonly name: string } | undefined;

  /** @param desk files of documents, hashes of our examples by name, and who runs programs, loaded when first asked for */
  constructor(
    startWorker: () => WorkerLike,
    private readonly desk: {
      readonly assets: AssetStore;
      examples(): readonly { readonly name: string; readonly hash: string }[];
      programs(): Promise<ProgramRunner>;
    },
  ) {
    this.#house = new Work(startWorker);
    this.#next = this.#house;
  }

  warm(): void {
    this.#house.warm();
  }

  /** Of the source that was prepared last */
  get next(): Work {
    return this.#next;
  }

  /** What a worker is given: a program whose text is that of an example is that example. */
  async sourceOf({ source, assets, title }: StudioDocument): Promise<ModelSource> {
    if (source.kind === 'scene')
      return { kind: 'scene', model: { ...source.model, title }, files: await this.#filesOf(assets) };
    const { text, parameters } = source;
    if (this.#known?.text !== text) {
      const hash = await textHash(text);
      const entry = this.desk.examples().find((known) => known.hash === hash);
      if (!entry) return { kind: 'code', text, parameters };
      this.#known = { text, name: entry.name };
    }
    return { kind: 'example', name: this.#known.name, parameters };
  }

  /** Read once, not at each edit */
  async #filesOf(assets: StudioDocument['assets']): Promise<Readonly<Record<string, SourceFile>>> {
    const files: Record<string, SourceFile> = {};
    const read = new Map<string, Uint8Array>();
    for (const [name, { hash }] of Object.entries(assets)) {
      const bytes = this.#files.get(hash) ?? (await this.desk.assets.get(hash));
      if (!bytes) continue;
      read.set(hash, bytes);
      files[name] = { hash, bytes };
    }
    this.#files = read;
    if (Object.keys(files).some((name) => NEEDS_OCCT.test(name))) {
      const bytes = await occtProgram();
      if (bytes) files[OCCT_WASM] = { hash: OCCT_WASM, bytes };
    }
    return files;
  }

  /** Sees to it that the right worker is next. @returns whether the source may run */
  async prepare(source: ModelSource): Promise<boolean> {
    if (source.kind !== 'code') {
      this.#next = this.#house;
      return true;
    }
    const programs = await this.desk.programs();
    if (!(await programs.mayRun(source.text))) return false;
    this.#sandbox ??= new Work(() => programs.worker());
    this.#next = this.#sandbox;
    return true;
  }
}
