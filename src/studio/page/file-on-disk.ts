/**
 * Files of the user's by File System Access, where the browser has it: a document is saved into the file it came from or was saved to before. Elsewhere an input chooses
 * files, and saving is a download.
 */
import { element } from '../../viewer/controls/element.js';

interface Picker {
  showSaveFilePicker?(options: object): Promise<FileSystemFileHandle>;
  showOpenFilePicker?(options: object): Promise<readonly FileSystemFileHandle[]>;
}
const picker = (): Picker => window as unknown as Picker;

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export class FileOnDisk {
  /** Where the document at hand is saved */
  handle: FileSystemFileHandle | undefined;

  forget(): void {
    this.handle = undefined;
  }

  /** @returns the name of the file; '' where the user wants none; undefined where this browser has only downloads */
  async write(
    content: Uint8Array | string,
    { name, type }: { readonly name: string; readonly type: string },
  ): Promise<string | undefined> {
    const ending = name.slice(name.lastIndexOf('.'));
    // A document that has got files beside it no longer fits into the .json it was
    const known = this.handle?.name.endsWith(ending) ? this.handle : undefined;
    const choose = picker().showSaveFilePicker;
    if (!known && !choose) return undefined;
    try {
      const handle =
        known ??
        (await choose!.call(window, {
          suggestedName: name,
          types: [{ description: 'tippetop document', accept: { [type]: [ending] } }],
        }));
      const file = await handle.createWritable();
      await file.write(content as FileSystemWriteChunkType);
      await file.close();
      this.handle = handle;
      return handle.name;
    } catch (error) {
      if (isCancelled(error)) return '';
      // Refused: by a frame, a policy, or a disk that is full; a download still works
      this.handle = undefined;
      return undefined;
    }
  }
}

export interface ChosenFiles {
  readonly files: readonly File[];
  /** Of the first, where it can be saved to */
  readonly handle?: FileSystemFileHandle | undefined;
}

/** @param place where an input can stand; files are chosen at once, it has to be called by a press */
export async function chooseFiles(place: HTMLElement): Promise<ChosenFiles> {
  const choose = picker().showOpenFilePicker;
  if (choose)
    try {
      const handles = await choose.call(window, { multiple: true });
      return { files: await Promise.all(handles.map((handle) => handle.getFile())), handle: handles[0] };
    } catch (error) {
      if (isCancelled(error)) return { files: [] };
    }
  return new Promise((resolve) => {
    const input = element('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'File' });
    const end = (): void => {
      input.remove();
      resolve({ files: [...(input.files ?? [])] });
    };
    input.addEventListener('change', end);
    input.addEventListener('cancel', end);
    place.append(input);
    input.click();
  });
}
