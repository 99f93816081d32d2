/** Byte b of all numbers, then byte b + 1 of all: neighbours share their upper bytes, and deflate finds them side by side. */
export function shuffle(numbers: Float64Array | Int32Array | Uint32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const count = numbers.length;
  const size = numbers.BYTES_PER_ELEMENT;
  const shuffled = new Uint8Array(bytes.length);
  for (let b = 0; b < size; b++) for (let i = 0; i < count; i++) shuffled[b * count + i] = bytes[size * i + b];
  return shuffled;
}

/** Undoes it for numbers of `size` bytes; the caller's own bytes. */
export function unshuffle(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const count = Math.floor(bytes.length / size);
  const numbers = new Uint8Array(bytes.length);
  for (let i = count * size; i < bytes.length; i++) numbers[i] = bytes[i];
  if (size % 4 === 0) wordByWord(bytes, count, size / 4, numbers);
  else for (let b = 0; b < size; b++) for (let i = 0; i < count; i++) numbers[size * i + b] = bytes[b * count + i];
  return numbers;
}

/** Four bytes at once, half the time; numbers lie little-endian in memory as in the file. */
function wordByWord(bytes: Uint8Array, count: number, words: number, numbers: Uint8Array<ArrayBuffer>): void {
  const out = new Uint32Array(numbers.buffer, 0, words * count);
  for (let w = 0; w < words; w++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => bytes.subarray((4 * w + k) * count, (4 * w + k + 1) * count));
    for (let i = 0; i < count; i++) out[words * i + w] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
  }
}
