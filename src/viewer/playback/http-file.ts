/** A file on a server that is read in parts (RFC 9110, §14: range requests), so that a recording of gigabytes opens at once. */
import { FileError } from '../../errors.js';
import type { ReadableFile } from '../../results/readable-file.js';

/**
 * Opens a file on a server. One that gives no parts is loaded whole.
 *
 * A run that goes on adds to its file, which may be read meanwhile; at its end another file takes the name, and places in it are others.
 * The server's tags (RFC 9110, §8.8.3) end with the number of the file: when that has changed, nothing more is read of it.
 *
 * @throws FileError if the server does not have it
 */
export async function httpFile(url: string): Promise<ReadableFile> {
  const name = url.split(/[?#]/)[0].split('/').pop() || url;
  const ask = async (range: string): Promise<Response> => {
    let answer: Response;
    try {
      answer = await fetch(url, { headers: { range } });
    } catch (error) {
      throw new FileError(name, '', `cannot be loaded: ${error instanceof Error ? error.message : error}`);
    }
    if (!answer.ok && answer.status !== 416)
      throw new FileError(name, '', `cannot be loaded: the server says ${answer.status} ${answer.statusText}`.trim());
    return answer;
  };

  const opened = await ask('bytes=0-0');
  const size = Number(
    /^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(opened.headers.get('content-range') ?? '')?.[1] ?? Number.NaN,
  );
  if (opened.status !== 206 || !Number.isSafeInteger(size)) {
    // An empty file has no first byte to give
    const whole = opened.status === 416 ? new Uint8Array(0) : new Uint8Array(await opened.arrayBuffer());
    return { size: whole.length, read: (position, length) => whole.subarray(position, position + length) };
  }
  const numberOf = (answer: Response): string | undefined => answer.headers.get('etag')?.split('-').pop();
  const number = numberOf(opened);
  await opened.arrayBuffer();
  return {
    size,
    read: async (position, length) => {
      if (length === 0) return new Uint8Array(0);
      const answer = await ask(`bytes=${position}-${position + length - 1}`);
      if (answer.status !== 206)
        throw new FileError(name, `byte ${position}`, `expected ${length} bytes, the server says ${answer.status}`);
      if (numberOf(answer) !== number) throw new FileError(name, '', 'was written anew; open it again');
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}
