/**
 * MATLAB level 4: matrices one after another, each with its name. Octave, MATLAB, scipy.io.loadmat and Modelica tools read it. MathWorks, MAT-File Format, ch. 2.
 *
 *   type, rows, columns, imaginary?, length of the name + 1      5 × int32; type 0: doubles, 20: int32, 51: text, a byte a letter
 *   the name and a NUL, then the elements column by column
 */
export const DOUBLES = 0;
export const WHOLES = 20;
export const TEXT = 51;

/** A matrix of numbers, or a list of texts, one to a row */
export type NamedMatrix =
  | { readonly name: string; readonly rows: number; readonly columns: number; readonly values: ArrayLike<number> }
  | { readonly name: string; readonly texts: readonly string[] };

/** @param matrices numbers row by row */
export function matrixFile(matrices: readonly NamedMatrix[]): Uint8Array {
  const parts = matrices.flatMap((matrix) => {
    if ('texts' in matrix) {
      const { name, texts } = matrix;
      const length = texts.reduce((most, text) => Math.max(most, utf8(text).length), 1);
      const rows = textRows(texts, length).map((byte) => byte || 32); // blanks, as these programs pad
      const bytes = rows.map((_, i) => rows[(i % texts.length) * length + Math.floor(i / texts.length)]);
      return [header(TEXT, name, texts.length, length), bytes];
    }
    const { name, rows, columns, values } = matrix;
    const turned = Float64Array.from(
      { length: rows * columns },
      (_, i) => values[(i % rows) * columns + Math.floor(i / rows)],
    );
    return [header(DOUBLES, name, rows, columns), bytesOf(turned)];
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Of a matrix: type, extents, no imaginary part, name. The elements follow column by column. */
export function header(type: number, name: string, rows: number, columns: number): Uint8Array {
  const bytes = new Uint8Array(20 + name.length + 1);
  const view = new DataView(bytes.buffer);
  [type, rows, columns, 0, name.length + 1].forEach((value, i) => {
    view.setInt32(4 * i, value, true);
  });
  bytes.set(utf8(name), 20);
  return bytes;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Texts one after another, each filled with NUL to a length. */
export function textRows(texts: readonly string[], length: number): Uint8Array {
  const bytes = new Uint8Array(texts.length * length);
  texts.forEach((text, i) => {
    bytes.set(utf8(text), i * length);
  });
  return bytes;
}

export const bytesOf = (values: Float64Array | Int32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
