/** Files in a zip archive, by their names. */
import { unzipSync, zipSync } from 'fflate';

export const zip = (files: Readonly<Record<string, Uint8Array>>): Uint8Array => zipSync(files, { level: 6 });

/** @param accept told of each file with the bytes it says it has, before it is unpacked; throws to refuse the whole */
export const unzip = (bytes: Uint8Array, accept: (size: number) => void): Readonly<Record<string, Uint8Array>> =>
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      accept(originalSize);
      return true;
    },
  });
