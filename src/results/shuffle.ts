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
  for (let b = 0; b < size; b++) for (let i = 0; i < count; i++) numbers[size * i + b] = bytes[b * count + i];
  return numbers;
}
