/** Arrays with more room: the same values, then zeros. */
export function grown(values: Float64Array, room: number): Float64Array {
  const out = new Float64Array(Math.max(room, values.length));
  out.set(values);
  return out;
}

export function grownInt(values: Int32Array, room: number): Int32Array {
  const out = new Int32Array(Math.max(room, values.length));
  out.set(values);
  return out;
}
