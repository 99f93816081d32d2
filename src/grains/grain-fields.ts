/**
 * Means over parts of space, from grains and contacts of one instant:
 *
 *   fraction      volume of grains in the part by its volume, each grain by points of its own
 *   velocity      Σ m v/Σ m,   temperature ⅓ Σ m |v − ⟨v⟩|²/Σ m, m²/s²
 *   coordination  contacts per grain that has its centre in the part
 *   fabric        (1/N) Σ n ⊗ n over contacts in the part; its trace is 1 (Satake 1982)
 *   stress        (1/V) Σ l n ⊗ F over contacts in the part, branch l from centre to centre or to the wall; compression positive (Love 1927, Weber 1966)
 *
 * A contact is where its point is. Sums go by the numbers of the grains, so that they do not depend on how grains lie in memory.
 */
import type { Bed, ContactRecords } from './bed.js';
import { eachContact } from './measures.js';

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
export function orderedContacts(bed: Pick<Bed, 'ids'>, records: ContactRecords): Float64Array {
  const { ids } = bed;
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
  bed: Bed,
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
  const { grains: x, motion: v } = bed;
  const home = new Int32Array(bed.count);
  for (const i of places) {
    bed.eachPoint(i, (px, py, pz, share) => {
      const part = partOf(px, py, pz);
      if (part >= 0) out[width * part + 1] += share / parts.volume;
    });
    const part = partOf(x[4 * i], x[4 * i + 1], x[4 * i + 2]);
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
    const branch = bed.branchOf(r, at, BRANCH);
    const o = width * part;
    for (let k = 0; k < 6; k++) {
      const [a, b] = AXES[k];
      out[o + 8 + k] -= (0.5 * (branch[a] * r[at + 7 + b] + branch[b] * r[at + 7 + a])) / parts.volume;
      out[o + 14 + k] += r[at + 2 + a] * r[at + 2 + b];
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
function wrapped({ period }: Bed, parts: Parts): Parts['partOf'] {
  if (!period) return parts.partOf;
  const back = (x: number, k: number): number => {
    const [length, low] = [period.length[k], period.low[k]];
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

const BRANCH = new Float64Array(3);
