/** Where each region was at the instants before: trails, by the identity that a region keeps while it lasts. */
import { CONTACT, CONTACT_STATES } from '../../results/contact-records.js';
import type { RecordInstant } from '../../results/record-table.js';
import type { TrailPiece } from './contact-drawing.js';

/** Instants of a trail, the oldest first and the present one last: every stride-th, so that a later present shares most of them. */
export function trailInstants(instant: number, reach: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(reach / most));
  const instants: number[] = [];
  const first = Math.max(0, instant - reach);
  for (let k = Math.ceil(first / stride) * stride; k < instant; k += stride) instants.push(k);
  instants.push(instant);
  return instants;
}

/** Lines from one instant to the next for every region that is in both. */
export function trailPieces(records: readonly RecordInstant[], shown: (pair: number) => boolean): TrailPiece[] {
  const pieces: TrailPiece[] = [];
  let before = new Map<string, number>();
  records.forEach(({ count, values }, k) => {
    const now = new Map<string, number>();
    const point = (row: number, of = values): [number, number, number] => [
      of[CONTACT.point][row],
      of[CONTACT.point + 1][row],
      of[CONTACT.point + 2][row],
    ];
    for (let row = 0; row < count; row++) {
      const pair = values[CONTACT.pair][row];
      if (!shown(pair)) continue;
      const region = `${pair}:${values[CONTACT.region][row]}`;
      now.set(region, row);
      const last = before.get(region);
      if (last === undefined) continue;
      pieces.push({
        from: point(last, records[k - 1].values),
        to: point(row),
        state: CONTACT_STATES[values[CONTACT.state][row]] ?? 'open',
        age: records.length > 1 ? k / (records.length - 1) : 1,
      });
    }
    before = now;
  });
  return pieces;
}

const KEPT = 400;

/** Records of instants, each read once; those used last are kept. */
export class RecordCache {
  readonly #kept = new Map<number, RecordInstant>();
  readonly #reading = new Map<number, Promise<RecordInstant>>();

  constructor(private readonly read: (instant: number) => Promise<RecordInstant>) {}

  /** What is at hand */
  peek(instant: number): RecordInstant | undefined {
    return this.#kept.get(instant);
  }

  get(instant: number): Promise<RecordInstant> {
    const kept = this.#kept.get(instant);
    if (kept) {
      this.#kept.delete(instant);
      this.#kept.set(instant, kept);
      return Promise.resolve(kept);
    }
    const known = this.#reading.get(instant);
    if (known) return known;
    const reading = this.read(instant)
      .then((records) => {
        this.#kept.set(instant, records);
        for (const oldest of this.#kept.keys()) {
          if (this.#kept.size <= KEPT) break;
          this.#kept.delete(oldest);
        }
        return records;
      })
      .finally(() => this.#reading.delete(instant));
    this.#reading.set(instant, reading);
    return reading;
  }
}
