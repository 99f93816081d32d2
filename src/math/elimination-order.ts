/**
 * In which order to eliminate the unknowns of a sparse system, and which zeros fill on the way. The graph has a vertex per unknown (or
 * block of them) and an edge where two meet in an equation. Eliminating a vertex joins all its neighbours with each other; the vertex
 * with the fewest goes first, of equals the one with the lowest index. Tinney & Walker, Proc. IEEE 55 (1967) 1801, scheme 2;
 * George & Liu, SIAM Review 31 (1989) 1.
 *
 * The graph is eliminated as it is, edge by edge: the work is that of the factorisation counted in blocks, and every block stands for
 * hundreds of operations there.
 */
import { intRoom } from './room.js';

const NONE: Int32Array = new Int32Array(0);
/** Degree of a vertex that is eliminated */
const GONE = 0x7fffffff;

export class EliminationOrder {
  count = 0;
  /** Vertex at each place of the order, and place of each vertex */
  sequence = NONE;
  place = NONE;
  /** later[start[p] … start[p + 1]): neighbours of the vertex at place p that go after it, fill included, by place */
  start = NONE;
  later = NONE;
  private degree = NONE;
  /** Edges among those that are left: two cells each, 2 n and 2 n + 1, in a list per vertex; `item` is the vertex at the other end */
  private head = NONE;
  private item = NONE;
  private next = NONE;
  private previous = NONE;
  private cells = 0;
  private free = -1;
  private stamp = NONE;
  /** Tournament of the vertices by degree, then index: winners of each half, from tree[1] down; the vertices from `width` on */
  private tree = NONE;
  private width = 1;

  /** @param edges two vertices per edge, either way round; an edge may come more than once, and from a vertex to itself */
  find(count: number, edges: Int32Array, edgeCount: number): void {
    this.begin(count);
    for (let edge = 0; edge < edgeCount; edge++) this.connect(edges[2 * edge], edges[2 * edge + 1]);
    this.openTournament();
    const { sequence, place, start } = this;
    let end = 0;
    for (let p = 0; p < count; p++) {
      const vertex = this.tree[1];
      sequence[p] = vertex;
      place[vertex] = p;
      start[p] = end;
      end = this.eliminate(vertex, end);
    }
    start[count] = end;
    for (let p = 0; p < count; p++) this.sort(start[p], start[p + 1]);
  }

  private begin(count: number): void {
    this.count = count;
    this.sequence = intRoom(this.sequence, count);
    this.place = intRoom(this.place, count);
    this.start = intRoom(this.start, count + 1);
    this.head = intRoom(this.head, count);
    this.degree = intRoom(this.degree, count);
    this.stamp = intRoom(this.stamp, count);
    this.width = 1;
    while (this.width < count) this.width *= 2;
    this.tree = intRoom(this.tree, 2 * this.width);
    this.head.fill(-1, 0, count);
    this.degree.fill(0, 0, count);
    this.stamp.fill(-1, 0, count);
    this.cells = 0;
    this.free = -1;
  }

  private connect(a: number, b: number): void {
    const { degree, head, item, next } = this;
    if (a === b) return;
    const few = degree[a] < degree[b] ? a : b;
    const other = few === a ? b : a;
    for (let cell = head[few]; cell >= 0; cell = next[cell]) if (item[cell] === other) return;
    this.add(a, b);
  }

  private add(a: number, b: number): void {
    let cell = this.free;
    if (cell >= 0) this.free = this.next[cell];
    else {
      cell = this.cells;
      this.cells += 2;
      this.item = intRoom(this.item, this.cells, true);
      this.next = intRoom(this.next, this.cells, true);
      this.previous = intRoom(this.previous, this.cells, true);
    }
    this.link(cell, a, b);
    this.link(cell + 1, b, a);
  }

  private link(cell: number, vertex: number, other: number): void {
    const { head, item, next, previous, degree } = this;
    const first = head[vertex];
    item[cell] = other;
    next[cell] = first;
    previous[cell] = -1;
    if (first >= 0) previous[first] = cell;
    head[vertex] = cell;
    degree[vertex]++;
  }

  private unlink(cell: number, vertex: number): void {
    const { head, next, previous, degree } = this;
    if (previous[cell] < 0) head[vertex] = next[cell];
    else next[previous[cell]] = next[cell];
    if (next[cell] >= 0) previous[next[cell]] = previous[cell];
    degree[vertex]--;
  }

  /** Writes the neighbours of a vertex to `later`, takes it out and joins them. */
  private eliminate(vertex: number, first: number): number {
    this.later = intRoom(this.later, first + this.degree[vertex], true);
    const { later, item, next, head, degree } = this;
    let end = first;
    let largest = -1;
    for (let cell = head[vertex]; cell >= 0; ) {
      const following = next[cell];
      const neighbour = item[cell];
      later[end++] = neighbour;
      this.unlink(cell ^ 1, neighbour);
      if (largest < 0 || degree[neighbour] > degree[largest]) largest = neighbour;
      next[cell & ~1] = this.free;
      this.free = cell & ~1;
      cell = following;
    }
    degree[vertex] = GONE;
    this.replay(vertex);
    // One of each pair looks the other up; the longest list, that of what touches everything, is never read.
    for (let k = first; k < end; k++) if (later[k] !== largest) this.join(later[k], first, end, k);
    for (let k = first; k < end; k++) this.replay(later[k]);
    return end;
  }

  /** Joins a vertex with all of later[from … to). */
  private join(vertex: number, from: number, to: number, mark: number): void {
    const { stamp, later } = this;
    for (let cell = this.head[vertex]; cell >= 0; cell = this.next[cell]) stamp[this.item[cell]] = mark;
    stamp[vertex] = mark;
    for (let k = from; k < to; k++) if (stamp[later[k]] !== mark) this.add(vertex, later[k]);
  }

  private openTournament(): void {
    const { tree, width, count } = this;
    for (let i = 0; i < width; i++) tree[width + i] = i < count ? i : -1;
    for (let i = width - 1; i >= 1; i--) tree[i] = this.winner(tree[2 * i], tree[2 * i + 1]);
  }

  private replay(vertex: number): void {
    const { tree } = this;
    for (let i = (this.width + vertex) >> 1; i >= 1; i >>= 1) tree[i] = this.winner(tree[2 * i], tree[2 * i + 1]);
  }

  /** Of two vertices, the first with the lower index; −1 for none */
  private winner(first: number, second: number): number {
    return second >= 0 && this.degree[second] < this.degree[first] ? second : first;
  }

  private sort(from: number, to: number): void {
    const { later, place } = this;
    for (let i = from + 1; i < to; i++) {
      const vertex = later[i];
      let k = i - 1;
      for (; k >= from && place[later[k]] > place[vertex]; k--) later[k + 1] = later[k];
      later[k + 1] = vertex;
    }
  }
}
