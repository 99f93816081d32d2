/** A document in an address: `#d=` and base64url of deflated JSON. Nothing leaves the machine: what is behind # is not sent. */
import { ModelError } from '../../errors.js';
import type { StudioDocument } from './document.js';
import { MOST_BYTES, readDocument } from './read.js';

/** Characters that every program takes, and that browsers take */
export const SAFE_LINK = 8000;
export const LONGEST_LINK = 60_000;

export async function linkText(document: StudioDocument): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...document, assets: {} }));
  const packed = new Uint8Array(
    await new Response(
      new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    ).arrayBuffer(),
  );
  let text = '';
  for (let i = 0; i < packed.length; i += 8192) text += String.fromCharCode(...packed.subarray(i, i + 8192));
  return `#d=${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** @throws ModelError where it is cut, damaged, or unpacks to more than a document may have */
export async function documentOfLink(hash: string): Promise<StudioDocument> {
  const text = hash.replace(/^#d=/, '').replaceAll('-', '+').replaceAll('_', '/');
  let packed: Uint8Array;
  try {
    packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new ModelError('link', 'is damaged: it was cut, or a letter is wrong');
  }
  const reader = new Blob([packed as BlobPart])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) {
        await reader.cancel();
        throw new ModelError('link', `unpacks to more than ${MOST_BYTES / 1024 / 1024} MB`);
      }
      parts.push(value);
    }
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError('link', 'is damaged: it was cut, or a letter is wrong');
  }
  return readDocument(await new Blob(parts as BlobPart[]).text(), 'link');
}
