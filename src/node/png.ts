/** Writes a picture as PNG: W3C PNG specification, 8-bit RGBA, filter type 2 (up) on every row. */
import { crc32, deflateSync } from 'node:zlib';
import type { Still } from '../viewer/still.js';

export function encodePng({ width, height, rgba }: Still): Uint8Array {
  const row = 4 * width;
  const filtered = Buffer.alloc(height * (row + 1));
  for (let y = 0; y < height; y++) {
    const out = y * (row + 1);
    filtered[out] = 2;
    for (let x = 0; x < row; x++) filtered[out + 1 + x] = rgba[y * row + x] - (y > 0 ? rgba[(y - 1) * row + x] : 0);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8); // bits, RGBA, deflate, adaptive filters, not interlaced
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
