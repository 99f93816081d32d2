/**
 * The JSON and the buffers of a glTF file, whether they come as one .glb, as .gltf with embedded buffers, or as .gltf
 * with files beside it.
 *
 * Khronos, glTF 2.0 specification, §3.6.1 (buffers) and §4 (GLB).
 */
import { FileError } from '../../errors.js';
import { type JsonObject, objectsOf, textOf } from './gltf-read-json.js';
import { notOfFormat } from './recognise.js';

export interface GltfContainer {
  readonly format: 'gltf' | 'glb';
  readonly json: JsonObject;
  /** One per buffer of the JSON, at least as long as it says. */
  readonly buffers: readonly Uint8Array[];
}

/** Gives the bytes of a file beside the .gltf, or undefined if there is none of that name. */
export type Companion = (name: string) => Uint8Array | undefined;

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** @param check of the JSON, before the buffers are looked for */
export function openGltf(
  bytes: Uint8Array,
  file: string,
  companion: Companion | undefined,
  check: (json: JsonObject) => void = () => undefined,
): GltfContainer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.length >= 4 && view.getUint32(0, true) === GLB_MAGIC;
  const { text, binary } = isGlb ? splitGlb(bytes, view, file) : { text: bytes, binary: undefined };
  if (!isGlb && !looksLikeJson(bytes)) throw notOfFormat(bytes, file, 'glTF', 'JSON or "glTF"');
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch (error) {
    throw new FileError(file, 'JSON', `is damaged: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new FileError(file, 'JSON', 'expected an object');
  const root = json as JsonObject;
  const version = (root.asset as JsonObject | undefined)?.version;
  if (typeof version !== 'string' || !version.startsWith('2.'))
    throw new FileError(file, 'asset.version', `expected "2.0", got ${JSON.stringify(version)?.slice(0, 40)}`);

  check(root);
  const buffers = objectsOf(root, 'buffers', file).map((buffer, i) => {
    const where = `buffers[${i}]`;
    const length = buffer.byteLength;
    if (!(typeof length === 'number' && Number.isInteger(length) && length >= 0))
      throw new FileError(
        file,
        where,
        `expected byteLength, a whole number, got ${JSON.stringify(length)?.slice(0, 40)}`,
      );
    const uri = textOf(buffer, 'uri', where, file);
    const content = uri === undefined ? (i === 0 ? binary : undefined) : readUri(uri, where, file, companion);
    if (!content)
      throw new FileError(file, where, isGlb ? 'has no uri, and it is not in the file' : 'expected a uri, got none');
    if (content.length < length)
      throw new FileError(file, where, `expected ${length} bytes, got ${content.length}; is the file cut off?`);
    return content;
  });
  return { format: isGlb ? 'glb' : 'gltf', json: root, buffers };
}

function looksLikeJson(bytes: Uint8Array): boolean {
  let i = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (i < bytes.length && (bytes[i] === 0x20 || (bytes[i] >= 0x09 && bytes[i] <= 0x0d))) i++;
  return bytes[i] === 0x7b;
}

/** The chunks of a GLB: 12 bytes of header, then for each its length, type and content. */
function splitGlb(
  bytes: Uint8Array,
  view: DataView,
  file: string,
): { text: Uint8Array; binary: Uint8Array | undefined } {
  if (bytes.length < 20)
    throw new FileError(file, '', `expected at least 20 bytes, got ${bytes.length}; is it cut off?`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw new FileError(file, 'byte 4', `expected version 2 of GLB, got ${version}`);
  const length = view.getUint32(8, true);
  if (length > bytes.length)
    throw new FileError(
      file,
      'byte 8',
      `expected ${length} bytes as the header says, got ${bytes.length}; is it cut off?`,
    );
  let text: Uint8Array | undefined;
  let binary: Uint8Array | undefined;
  for (let at = 12; at + 8 <= length; ) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length)
      throw new FileError(
        file,
        `byte ${at}`,
        `expected a chunk of ${size} bytes, but only ${length - at - 8} are left`,
      );
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (at === 12) {
      if (type !== JSON_CHUNK) throw new FileError(file, 'byte 16', 'expected the JSON chunk first');
      text = content;
    } else if (type === BINARY_CHUNK) binary ??= content;
    at += 8 + size;
  }
  if (!text) throw new FileError(file, 'byte 12', 'expected a JSON chunk, got none');
  return { text, binary };
}

function readUri(uri: string, where: string, file: string, companion: Companion | undefined): Uint8Array {
  if (uri.startsWith('data:')) {
    const comma = uri.indexOf(',');
    if (comma < 0 || !uri.slice(0, comma).endsWith(';base64'))
      throw new FileError(file, where, 'expected embedded content as data:…;base64,…');
    return decodeBase64(uri, comma + 1, where, file);
  }
  let name: string;
  try {
    name = decodeURIComponent(uri);
  } catch {
    throw new FileError(file, where, `expected a file name, got "${uri.slice(0, 100)}"`);
  }
  // A file may name what lies beside or below it, nothing else on the machine or the net.
  if (/^[/\\]|^[a-z][a-z0-9+.-]*:|(^|[/\\])\.\.([/\\]|$)/i.test(name))
    throw new FileError(file, where, `expected a file beside this one, got "${name.slice(0, 100)}", which is refused`);
  const content = companion?.(name);
  if (!content)
    throw new FileError(file, where, `needs the file "${name.slice(0, 100)}" beside it, which was not found`);
  return content;
}

/** RFC 4648, §4; line breaks are allowed, padding may be missing. */
function decodeBase64(text: string, from: number, where: string, file: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((text.length - from) * 3) / 4));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const value = c < 128 ? BASE64[c] : -1;
    if (value < 0) {
      if (c === 0x3d || c === 0x0a || c === 0x0d || c === 0x20) continue;
      throw new FileError(file, where, `expected base64, got ${JSON.stringify(text[i])} at character ${i}`);
    }
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = (held >> bits) & 255;
    }
  }
  return bytes.subarray(0, length);
}

const BASE64 = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++)
  BASE64['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;
