/**
 * Entries of a zip archive, inflated one at a time when asked for, never beyond what the directory promises.
 *
 * An entry is refused if it would grow too far (unpack-limits.ts) or if all entries read from one archive together do.
 * The promised size is checked first and again while inflating, since a hostile directory lies.
 *
 * PKWARE APPNOTE.TXT 6.3.10, §4.3–4.5.
 */
import { Inflate } from 'fflate';
import { FileError } from '../../errors.js';
import { growthDefect, MOST_UNPACKED_BYTES } from './unpack-limits.js';

export interface ZipArchive {
  /** As stored, with `/` between folders. */
  readonly names: readonly string[];
  /** The entry of that name, upper and lower case being equal as in all OPC packages, or undefined. */
  find(name: string): string | undefined;
  /** @throws FileError if the entry is missing, damaged or grows too much */
  read(name: string): Uint8Array;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

const MOST_ENTRIES = 100_000;

export function openZip(bytes: Uint8Array, file: string): ZipArchive {
  const entries = readDirectory(bytes, file);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  let total = 0;
  return {
    names: entries.map((entry) => entry.name),
    find: (name) => byName.get(partName(name).toLowerCase())?.name,
    read: (name) => {
      const entry = byName.get(partName(name).toLowerCase());
      if (!entry) throw new FileError(file, name.slice(0, 200), 'the archive has no such entry');
      total += entry.size;
      if (total > MOST_UNPACKED_BYTES)
        throw new FileError(
          file,
          name.slice(0, 200),
          `the archive unpacks to more than ${MOST_UNPACKED_BYTES} bytes, which is refused`,
        );
      return unpack(bytes, entry, file);
    },
  };
}

/** `/3D\model` → `3D/model` */
const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '');

function readDirectory(bytes: Uint8Array, file: string): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const refuse = (at: number, defect: string) => new FileError(file, `byte ${at}`, defect);

  // The end record is the last 22 bytes, before a comment of at most 65535.
  let end = bytes.length - 22;
  const first = Math.max(0, end - 0xffff);
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < first)
    throw new FileError(
      file,
      '',
      'expected a zip archive, got a file without a zip directory at its end; is it cut off?',
    );
  let count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const isZip64 = count === 0xffff || at === 0xffffffff;
  if (isZip64 && end >= 20 && view.getUint32(end - 20, true) === 0x07064b50) {
    const record = Number(view.getBigUint64(end - 12, true));
    if (!(record + 56 <= bytes.length) || view.getUint32(record, true) !== 0x06064b50)
      throw refuse(end - 12, `expected the zip64 end record at byte ${record}, which is not there`);
    count = Number(view.getBigUint64(record + 32, true));
    at = Number(view.getBigUint64(record + 48, true));
  }
  if (count > MOST_ENTRIES) throw refuse(end, `expected at most ${MOST_ENTRIES} entries, got ${count}`);

  const entries: Entry[] = [];
  for (let i = 0; i < count; i++) {
    if (!(at + 46 <= bytes.length) || view.getUint32(at, true) !== 0x02014b50)
      throw refuse(at, `expected entry ${i + 1} of ${count} of the zip directory, which is not there`);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > bytes.length) throw refuse(at, `entry ${i + 1} of the zip directory is cut off`);
    let size = view.getUint32(at + 24, true);
    let packedSize = view.getUint32(at + 20, true);
    let offset = view.getUint32(at + 42, true);
    // zip64: whatever did not fit above follows in the extra field 1, in this order
    let extra = at + 46 + nameLength;
    const extraEnd = extra + extraLength;
    while (extra + 4 <= extraEnd) {
      const fieldEnd = Math.min(extraEnd, extra + 4 + view.getUint16(extra + 2, true));
      if (view.getUint16(extra, true) === 1) {
        let value = extra + 4;
        const wide = (narrow: number) => {
          if (narrow !== 0xffffffff || value + 8 > fieldEnd) return narrow;
          value += 8;
          return Number(view.getBigUint64(value - 8, true));
        };
        size = wide(size);
        packedSize = wide(packedSize);
        offset = wide(offset);
      }
      extra = fieldEnd;
    }
    entries.push({
      name: partName(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedSize,
      size,
      offset,
    });
    at = next;
  }
  return entries;
}

function unpack(bytes: Uint8Array, entry: Entry, file: string): Uint8Array {
  const refuse = (defect: string) => new FileError(file, entry.name.slice(0, 200), defect);
  const { offset, size, packedSize } = entry;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.flags & 1) throw refuse('is encrypted; save it without a password');
  if (!(offset + 30 <= bytes.length) || view.getUint32(offset, true) !== 0x04034b50)
    throw refuse(`expected its content at byte ${offset}, which is not there`);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (!(start + packedSize <= bytes.length)) throw refuse('is cut off: the file ends before it does');
  const packed = bytes.subarray(start, start + packedSize);

  let content: Uint8Array;
  if (entry.method === 0) {
    if (size !== packedSize) throw refuse(`is stored plainly but promises ${size} bytes in ${packedSize}`);
    content = packed;
  } else if (entry.method === 8) {
    const defect = growthDefect(packedSize, size);
    if (defect) throw refuse(defect);
    content = inflate(packed, size, refuse);
  } else throw refuse(`is packed by method ${entry.method}; expected 0 (stored) or 8 (deflate)`);

  if (crc32(content) !== entry.crc) throw refuse('is damaged: its check sum does not match');
  return content;
}

/** Inflates to exactly `size` bytes. */
function inflate(packed: Uint8Array, size: number, refuse: (defect: string) => FileError): Uint8Array {
  const content = new Uint8Array(size);
  let filled = 0;
  const stream = new Inflate((chunk) => {
    if (filled + chunk.length > size) throw refuse(`unpacks to more than the ${size} bytes it promises`);
    content.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    const step = 1 << 16; // so that a lie about the size is noticed after at most 64 MiB
    for (let i = 0; i < packed.length; i += step) stream.push(packed.subarray(i, i + step), i + step >= packed.length);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw refuse(`is damaged: ${error instanceof Error ? error.message : error}`);
  }
  if (filled !== size) throw refuse(`is damaged: unpacks to ${filled} bytes and promises ${size}`);
  return content;
}

/** Check sum of APPNOTE §4.4.7: polynomial 0xedb88320, four bytes at a step (slicing by four). */
function crc32(bytes: Uint8Array): number {
  CRC_TABLE ??= crcTable();
  const table = CRC_TABLE;
  let crc = -1;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc =
      table[768 + (crc & 255)] ^
      table[512 + ((crc >>> 8) & 255)] ^
      table[256 + ((crc >>> 16) & 255)] ^
      table[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

let CRC_TABLE: Int32Array | undefined;
function crcTable(): Int32Array {
  const table = new Int32Array(1024);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    table[n] = c;
  }
  for (let n = 256; n < 1024; n++) table[n] = (table[n - 256] >>> 8) ^ table[table[n - 256] & 255];
  return table;
}
