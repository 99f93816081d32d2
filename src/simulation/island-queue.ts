/**
 * The islands of a run in two orders, so that neither who is furthest behind nor whose paths may cross is looked for among all of them in memory here
 * and there: a binary heap by time, and the boxes of their last steps in a row, in the order in which they came.
 */
import { boxesMeet } from '../broad-phase/boxes.js';
import type { MovingIsland } from './moving-island.js';

export class IslandQueue {
  /** Heap: no island is further behind than the one at half its place */
  private readonly heap: MovingIsland[] = [];
  private readonly placeOf = new Map<MovingIsland, number>();
  /** In the order in which they came, with holes where islands were; and 6 numbers for each, m */
  private row: (MovingIsland | undefined)[] = [];
  private readonly rowOf = new Map<MovingIsland, number>();
  private boxes = new Float64Array(0);

  /** The one furthest behind; where several are, the one with the lowest mechanism */
  get first(): MovingIsland {
    return this.heap[0];
  }

  add(island: MovingIsland): void {
    this.placeOf.set(island, this.heap.length);
    this.heap.push(island);
    if (6 * this.row.length === this.boxes.length) this.makeRoom();
    this.rowOf.set(island, this.row.length);
    this.row.push(island);
    this.moved(island);
  }

  /** It has another time, or other boxes. */
  moved(island: MovingIsland): void {
    this.boxes.set(island.sweep.box, 6 * this.rowOf.get(island)!);
    this.sink(this.rise(this.placeOf.get(island)!));
  }

  remove(island: MovingIsland): void {
    const { heap, placeOf, rowOf } = this;
    this.row[rowOf.get(island)!] = undefined;
    rowOf.delete(island);
    const place = placeOf.get(island)!;
    placeOf.delete(island);
    const last = heap.pop()!;
    if (last === island) return;
    heap[place] = last;
    placeOf.set(last, place);
    this.sink(this.rise(place));
  }

  /** Tells of all others whose boxes meet that of an island, in the order in which they came. */
  eachNear(island: MovingIsland, tell: (other: MovingIsland) => void): void {
    const { row, boxes } = this;
    const { box } = island.sweep;
    for (let k = 0; k < row.length; k++) {
      if (!boxesMeet(box, 0, boxes, 6 * k)) continue;
      const other = row[k];
      if (other && other !== island) tell(other);
    }
  }

  /** Closes the holes; twice the room of those that are left. */
  private makeRoom(): void {
    this.row = this.row.filter((island) => island !== undefined);
    this.boxes = new Float64Array(12 * Math.max(8, this.row.length));
    this.row.forEach((island, k) => {
      this.rowOf.set(island!, k);
      this.boxes.set(island!.sweep.box, 6 * k);
    });
  }

  private rise(from: number): number {
    let place = from;
    for (let above = (place - 1) >> 1; place > 0 && this.isBehind(place, above); above = (place - 1) >> 1) {
      this.swap(place, above);
      place = above;
    }
    return place;
  }

  private sink(from: number): void {
    const { length } = this.heap;
    for (let place = from; ; ) {
      let least = 2 * place + 1;
      if (least >= length) return;
      if (least + 1 < length && this.isBehind(least + 1, least)) least++;
      if (!this.isBehind(least, place)) return;
      this.swap(least, place);
      place = least;
    }
  }

  private isBehind(i: number, j: number): boolean {
    const [a, b] = [this.heap[i], this.heap[j]];
    return a.t < b.t || (a.t === b.t && a.members[0] < b.members[0]);
  }

  private swap(i: number, j: number): void {
    const { heap, placeOf } = this;
    const [a, b] = [heap[i], heap[j]];
    heap[i] = b;
    heap[j] = a;
    placeOf.set(b, i);
    placeOf.set(a, j);
  }
}
