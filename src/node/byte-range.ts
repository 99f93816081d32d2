/**
 * The part of a file that a Range header asks for, RFC 9110 §14: `bytes=0-99`, `bytes=100-`, `bytes=-50`.
 *
 * A header that is not understood, or asks for several parts, is passed over (§14.2 lets a server do so): the answer is the whole
 * file. One that lies outside the file cannot be met.
 */
export interface ByteRange {
  /** First byte and the one behind the last */
  readonly start: number;
  readonly end: number;
}

export function byteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const [, first, last] = match;
  if (first === '') {
    // The last n bytes; all of them if there are fewer
    const length = Number(last);
    return length > 0 && size > 0 ? { start: Math.max(0, size - length), end: size } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
}
