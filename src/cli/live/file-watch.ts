/** Tells when one of some files has been saved. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** ms: an editor writes a file in several strokes, or several files at once */
const QUIET = 120;

export class FileWatch {
  readonly #onSaved: (files: readonly string[]) => void;
  /** What each file was when it was last looked at; a file that is not there is waited for. */
  readonly #known = new Map<string, string>();
  /** By folder: editors put a new file in the place of the old one, which a watch on the file itself does not survive. */
  readonly #folders = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onSaved: (files: readonly string[]) => void) {
    this.#onSaved = onSaved;
  }

  get files(): readonly string[] {
    return [...this.#known.keys()];
  }

  add(file: string): void {
    if (this.#known.has(file)) return;
    this.#known.set(file, stamp(file));
    const folder = dirname(file);
    if (this.#folders.has(folder)) return;
    try {
      const watcher = watch(folder, () => this.#look());
      watcher.on('error', () => undefined); // the folder has gone; it may come back, but nobody tells
      this.#folders.set(folder, watcher);
    } catch {
      // a folder that is not there
    }
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const saved = this.files.filter((file) => stamp(file) !== this.#known.get(file));
      for (const file of saved) this.#known.set(file, stamp(file));
      if (saved.length > 0) this.#onSaved(saved);
    }, QUIET);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
  }
}

function stamp(file: string): string {
  const { mtimeMs, size, ino } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: -1, ino: 0 };
  return `${mtimeMs} ${size} ${ino}`;
}
