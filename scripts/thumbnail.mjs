// Small pictures for the studio's gallery: the middle of a PNG at the shape of a card, made smaller by averaging areas, in 256 colours of its own. A third of the bytes that
// all colours take, and a twentieth of the picture's.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** px: a card is 216 to 300 wide, and as high as 138 */
const [WIDTH, HEIGHT] = [400, 216];
const COLOURS = 256;
/** Behind what is transparent: that of a card */
const BEHIND = [0xee, 0xf1, 0xf4];

/** @param {Uint8Array} png of 8 bits, RGB or RGBA, not interlaced @returns {Uint8Array} a PNG with a palette */
export function thumbnail(png) {
  const points = reduced(decoded(png));
  const palette = medianCut(points);
  const lines = Buffer.alloc(HEIGHT * (WIDTH + 1)); // filter 0: differences of indices say nothing
  const known = new Map();
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = 3 * (y * WIDTH + x);
      const key = (points[at] << 16) | (points[at + 1] << 8) | points[at + 2];
      if (!known.has(key)) known.set(key, nearest(palette, points, at));
      lines[y * (WIDTH + 1) + 1 + x] = known.get(key);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8); // bits, palette
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Pixels of a PNG, 3 each: W3C PNG specification, filters 0 to 4 */
function decoded(bytes) {
  const file = Buffer.from(bytes);
  const [width, height, depth, kind, interlaced] = [
    file.readUInt32BE(16),
    file.readUInt32BE(20),
    ...[24, 25, 28].map((at) => file[at]),
  ];
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced)
    throw new Error(`expected a PNG of 8 bits, RGB or RGBA, not interlaced; got ${depth} bits, kind ${kind}`);
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const size = kind === 6 ? 4 : 3;
  const row = size * width;
  const lines = new Uint8Array(height * row);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const at = y * row + x;
      const left = x >= size ? lines[at - size] : 0;
      const up = y > 0 ? lines[at - row] : 0;
      const corner = x >= size && y > 0 ? lines[at - row - size] : 0;
      const guess =
        filter === 0
          ? 0
          : filter === 1
            ? left
            : filter === 2
              ? up
              : filter === 3
                ? (left + up) >> 1
                : paeth(left, up, corner);
      lines[at] = raw[y * (row + 1) + 1 + x] + guess;
    }
  }
  const points = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    const part = size === 4 ? lines[4 * i + 3] / 255 : 1;
    for (let k = 0; k < 3; k++) points[3 * i + k] = part * lines[size * i + k] + (1 - part) * BEHIND[k] + 0.5;
  }
  return { width, height, points };
}

function paeth(left, up, corner) {
  const a = Math.abs(up - corner);
  const b = Math.abs(left - corner);
  const c = Math.abs(left + up - 2 * corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The middle at the shape of a card, mean of the pixels under each new one */
function reduced({ width, height, points }) {
  const scale = Math.min(width / WIDTH, height / HEIGHT);
  const [left, top] = [(width - scale * WIDTH) / 2, (height - scale * HEIGHT) / 2];
  const small = new Uint8Array(3 * WIDTH * HEIGHT);
  const weights = (from, most) => {
    const cells = [];
    for (let i = Math.floor(from); i < Math.min(most, from + scale); i++)
      cells.push([i, Math.min(i + 1, from + scale) - Math.max(i, from)]);
    return cells.filter(([i, weight]) => i >= 0 && weight > 0);
  };
  const across = Array.from({ length: WIDTH }, (_, x) => weights(left + scale * x, width));
  for (let y = 0; y < HEIGHT; y++) {
    const rows = weights(top + scale * y, height);
    for (const [x, columns] of across.entries()) {
      const sum = [0, 0, 0, 0];
      for (const [j, v] of rows)
        for (const [i, u] of columns) {
          for (let k = 0; k < 3; k++) sum[k] += u * v * points[3 * (j * width + i) + k];
          sum[3] += u * v;
        }
      for (let k = 0; k < 3; k++) small[3 * (y * WIDTH + x) + k] = sum[k] / sum[3] + 0.5;
    }
  }
  return small;
}

/** Heckbert (1982): the box of colours whose widest side, times what lies in it, is largest is halved at its median. */
function medianCut(points) {
  const all = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  const measured = (pixels) => {
    const spans = [0, 1, 2].map((k) => {
      let [low, high] = [255, 0];
      for (const i of pixels) {
        const value = points[3 * i + k];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      return high - low;
    });
    const span = Math.max(...spans);
    return { pixels, side: spans.indexOf(span), worth: span * Math.sqrt(pixels.length), span };
  };
  const boxes = [measured(all)];
  while (boxes.length < COLOURS) {
    const [widest] = [...boxes].sort((a, b) => b.worth - a.worth);
    if (widest.span === 0) break;
    const { pixels, side } = widest;
    const sorted = pixels.sort((a, b) => points[3 * a + side] - points[3 * b + side]);
    // Pixels of one colour stay together
    let middle = sorted.length >> 1;
    const value = points[3 * sorted[middle] + side];
    while (middle > 0 && points[3 * sorted[middle - 1] + side] === value) middle--;
    if (middle === 0) while (points[3 * sorted[middle] + side] === value) middle++;
    boxes.splice(boxes.indexOf(widest), 1, measured(sorted.slice(0, middle)), measured(sorted.slice(middle)));
  }
  return boxes.map(({ pixels }) => {
    const sum = [0, 0, 0];
    for (const i of pixels) for (let k = 0; k < 3; k++) sum[k] += points[3 * i + k];
    return sum.map((value) => Math.round(value / pixels.length));
  });
}

function nearest(palette, points, at) {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, [r, g, b]] of palette.entries()) {
    const off = (points[at] - r) ** 2 + (points[at + 1] - g) ** 2 + (points[at + 2] - b) ** 2;
    if (off < least) [best, least] = [index, off];
  }
  return best;
}
