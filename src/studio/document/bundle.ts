/**
 * A document with its pictures and CAD files as one .tippetop.zip:
 *
 *   document.json    all of it
 *   model.json       the scene alone, with the files beside it: what `tippetop run` takes
 *   <name>           each file, as shapes and sketches speak of it
 */
import { ModelError } from '../../errors.js';
import { unzip, zip } from '../../geometry/zip.js';
import type { AssetStore } from './assets.js';
import type { StudioDocument } from './document.js';
import { readDocument } from './read.js';

/** Bytes it may unpack to */
const MOST = 512 * 1024 * 1024;
/** Files in it */
const MOST_FILES = 500;

export async function zipOf(document: StudioDocument, assets: AssetStore): Promise<Uint8Array> {
  const files: Record<string, Uint8Array> = { 'document.json': bytesOf(JSON.stringify(document, null, 2)) };
  if (document.source.kind === 'scene') files['model.json'] = bytesOf(JSON.stringify(document.source.model, null, 2));
  for (const [name, { hash }] of Object.entries(document.assets)) {
    const bytes = await assets.get(hash);
    if (!bytes) throw new ModelError(`assets.${name}`, 'is not kept in this browser; drop the file on the page again');
    files[name] = bytes;
  }
  return zip(files);
}

/** @throws ModelError if it is none of ours, damaged, or unpacks to more than it may */
export async function documentOfZip(bytes: Uint8Array, name: string, assets: AssetStore): Promise<StudioDocument> {
  let size = 0;
  let count = 0;
  let files: Readonly<Record<string, Uint8Array>>;
  try {
    files = unzip(bytes, (more) => {
      size += more;
      if (size > MOST) throw new ModelError(name, `unpacks to more than ${MOST / 1024 / 1024} MB`);
      if (++count > MOST_FILES) throw new ModelError(name, `holds more than ${MOST_FILES} files`);
    });
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError(name, 'is damaged, or no zip file');
  }
  const text = Object.hasOwn(files, 'document.json') ? files['document.json'] : undefined;
  if (!text) throw new ModelError(name, 'expected a document.json in it, as the studio saves');
  const document = readDocument(new TextDecoder().decode(text), name);
  for (const [file, { hash }] of Object.entries(document.assets)) {
    if (!Object.hasOwn(files, file)) throw new ModelError(`${name}.assets.${file}`, 'is not in the zip file');
    const kept = await assets.put(file, files[file]);
    if (kept.hash !== hash)
      throw new ModelError(`${name}.assets.${file}`, 'is another file than the document was saved with');
  }
  return document;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
