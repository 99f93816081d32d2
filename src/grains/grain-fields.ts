/**
 * Means over parts of space, from grains and contacts of one instant:
 *
 *   fraction      volume of grains in the part by its volume, each grain by 32 points of its own
 *   velocity      Σ m v/Σ m,   temperature ⅓ Σ m |v − ⟨v⟩|²/Σ m, m²/s²
 *   coordination  contacts per grain that has its centre in the part
 *   fabric        (1/N) Σ n ⊗ n over contacts in the part; its trace is 1 (Satake 1982)
 *   stress        (1/V) Σ l n ⊗ F over contacts in the part, branch l from centre to centre or to the wall; compression positive (Love 1927, Weber 1966)
 *
 * A contact is where its point is. Sums go by the numbers of the grains, so that they do not depend on how grains lie in memory.
 */
import { PI } from '../math/elementary.js';
import type { GrainBed } from './grain-bed.js';
import { type ContactRecords, eachContact } from './measures.js';

/** Numbers of a part */
export const FIELD_COLUMNS: readonly { readonly name: string; readonly unit?: string }[] = [
  { name: 'count' },
  { name: 'fraction' },
  { name: 'coordination' },
  ...['x', 'y', 'z'].map((axis) => ({ name: `velocity.${axis}`, unit: 'm/s' })),
  { name: 'temperature', unit: 'm²/s²' },
  { name: 'pressure', unit: 'Pa' },
  ...['xx', 'yy', 'zz', 'xy', 'yz', 'zx'].map((axes) => ({ name: `stress.${axes}`, unit: 'Pa' })),
  ...['xx', 'yy', 'zz', 'xy', 'yz', 'zx'].map((axes) => ({ name: `fabric.${axes}` })),
];

/** Parts of space, told apart by a number */
export interface Parts {
  readonly count: number;
  /** m³ */
  readonly volume: number;
  /** −1 outside all */
  partOf(x: number, y: number, z: number): number;
}

/** Equal cells of a box, x fastest */
export function gridParts(
  low: readonly number[],
  high: readonly number[],
  cells: readonly number[],
): Parts & {
  readonly centre: (part: number) => [number, number, number];
} {
  const per = cells.map((n, k) => n / (high[k] - low[k]));
  const place = (x: number, k: number): number => {
    const c = Math.floor((x - low[k]) * per[k]);
    return c >= 0 && c < cells[k] ? c : -1;
  };
  return {
    count: cells[0] * cells[1] * cells[2],
    volume: 1 / (per[0] * per[1] * per[2]),
    partOf: (x, y, z) => {
      const [a, b, c] = [place(x, 0), place(y, 1), place(z, 2)];
      return a < 0 || b < 0 || c < 0 ? -1 : a + cells[0] * (b + cells[1] * c);
    },
    centre: (part) => {
      const at = [part % cells[0], Math.floor(part / cells[0]) % cells[1], Math.floor(part / (cells[0] * cells[1]))];
      return [0, 1, 2].map((k) => low[k] + (at[k] + 0.5) / per[k]) as [number, number, number];
    },
  };
}

/** Contacts in the order of the numbers of their grains; `at` as in `eachContact` */
export function orderedContacts(bed: GrainBed, records: ContactRecords): Float64Array {
  const ids = bed.arrays.ints('ids');
  const keys = new Float64Array(records.count);
  const places = new Float64Array(records.count);
  const order = new Uint32Array(records.count);
  let n = 0;
  eachContact(records, (r, at) => {
    const [i, j] = [ids[r[at]], r[at + 1] >= 0 ? ids[r[at + 1]] : r[at + 1]];
    // Walls have numbers below 0: each grain with its walls first
    keys[n] = j < 0 ? i * 0x80000000 + (j + 0x10000) : Math.min(i, j) * 0x80000000 + Math.max(i, j) + 0x10000;
    order[n] = n;
    places[n++] = at;
  });
  order.sort((a, b) => keys[a] - keys[b] || a - b);
  return Float64Array.from(order, (k) => places[k]);
}

/**
 * @param places grains in the order of their numbers, @param speeds 3 per place, m/s
 * @returns FIELD_COLUMNS.length numbers for each part
 */
export function fieldsOf(
  bed: GrainBed,
  parts: Parts,
  places: Int32Array,
  speeds: Float64Array,
  records: ContactRecords,
  contacts: Float64Array,
): Float64Array {
  const width = FIELD_COLUMNS.length;
  const partOf = wrapped(bed, parts);
  const out = new Float64Array(width * parts.count);
  const masses = new Float64Array(parts.count);
  const touching = new Float64Array(parts.count);
  const squares = new Float64Array(parts.count);
  const x = bed.arrays.floats('grains');
  const v = bed.arrays.floats('motion');
  const home = new Int32Array(bed.count);
  for (const i of places) {
    const [px, py, pz, r] = [x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]];
    const share = ((4 / 3) * PI * r * r * r) / (32 * parts.volume);
    for (const [a, b, c] of POINTS) {
      const part = partOf(px + a * r, py + b * r, pz + c * r);
      if (part >= 0) out[width * part + 1] += share;
    }
    const part = partOf(px, py, pz);
    home[i] = part;
    if (part < 0) continue;
    const m = 1 / v[8 * i + 3];
    out[width * part]++;
    masses[part] += m;
    for (let k = 0; k < 3; k++) {
      out[width * part + 3 + k] += m * speeds[3 * i + k];
      squares[part] += m * speeds[3 * i + k] * speeds[3 * i + k];
    }
  }
  const r = records.numbers;
  const numbers = new Float64Array(parts.count);
  for (const at of contacts) {
    const [i, j] = [r[at], r[at + 1]];
    if (home[i] >= 0) touching[home[i]]++;
    if (j >= 0 && home[j] >= 0) touching[home[j]]++;
    const part = partOf(r[at + 10], r[at + 11], r[at + 12]);
    if (part < 0) continue;
    numbers[part]++;
    const branch = (j >= 0 ? x[4 * i + 3] + x[4 * j + 3] : x[4 * i + 3]) - r[at + 5];
    const o = width * part;
    for (let k = 0; k < 6; k++) {
      const [a, b] = AXES[k];
      const [na, nb] = [r[at + 2 + a], r[at + 2 + b]];
      out[o + 8 + k] -= (0.5 * branch * (na * r[at + 7 + b] + nb * r[at + 7 + a])) / parts.volume;
      out[o + 14 + k] += na * nb;
    }
  }
  for (let p = 0; p < parts.count; p++) {
    const o = width * p;
    out[o + 2] = out[o] > 0 ? touching[p] / out[o] : 0;
    let square = masses[p] > 0 ? squares[p] / masses[p] : 0;
    for (let k = 0; k < 3; k++) {
      out[o + 3 + k] = masses[p] > 0 ? out[o + 3 + k] / masses[p] : 0;
      square -= out[o + 3 + k] * out[o + 3 + k];
    }
    out[o + 6] = Math.max(0, square) / 3;
    out[o + 7] = (out[o + 8] + out[o + 9] + out[o + 10]) / 3;
    for (let k = 14; k < 20; k++) out[o + k] /= Math.max(1, numbers[p]);
  }
  return out;
}

/** Along periodic axes a point beyond the seam is the one that comes in on the other side. */
function wrapped(bed: GrainBed, parts: Parts): Parts['partOf'] {
  const numbers = bed.arrays.floats('numbers');
  if (!(numbers[9] > 0 || numbers[10] > 0 || numbers[11] > 0)) return parts.partOf;
  const back = (x: number, k: number): number => {
    const [length, low] = [numbers[9 + k], numbers[12 + k]];
    return length > 0 ? x - length * Math.floor((x - low) / length) : x;
  };
  return (x, y, z) => parts.partOf(back(x, 0), back(y, 1), back(z, 2));
}

const AXES = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/** Those of the points (±¼ or ±¾)³ that are in the unit ball */
const POINTS: readonly (readonly [number, number, number])[] = [-0.75, -0.25, 0.25, 0.75].flatMap((a, _, all) =>
  all.flatMap((b) =>
    all.filter((c) => a * a + b * b + c * c <= 1).map((c): readonly [number, number, number] => [a, b, c]),
  ),
);
