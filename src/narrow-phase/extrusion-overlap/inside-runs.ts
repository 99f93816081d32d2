/**
 * Runs of outlines inside the other body: from the crossing where an outline enters to the one where it leaves.
 *
 * Along a loop the signs of the crossings, summed up edge by edge, are the status of each vertex minus that of the first;
 * since a status is 0 or 1, the least sum tells the first. Only where all sums are zero is one vertex asked exactly. Within an
 * edge the crossings are taken in the order of their places, but entering and leaving in turns.
 */
import { type EdgeCrossings, windingAround } from './edge-crossing.js';
import type { LoopBody } from './loop-body.js';

export class InsideRuns {
  count = 0;
  /**
   * 5 per run: 0 for A's or 1 for B's, + 2 if it goes all round to its own edge; node entered at, or that of a whole loop;
   * node left at, or −1; edge entered on, or the loop; edge left on
   */
  runs = new Int32Array(5 * 32);
  contradictions = 0;

  constructor(private readonly crossings: EdgeCrossings) {}

  begin(): void {
    this.count = this.contradictions = 0;
  }

  /** Runs of one body's outlines inside the other. @param side 0 for A, 1 for B */
  find(body: LoopBody, other: LoopBody, side: 0 | 1, margin: number): void {
    const { crossings } = this;
    const { start } = body.loops;
    const direction = side === 0 ? 1 : -1; // B leaves A where A enters B
    body.sortCrossed();
    let at = 0;
    for (let loop = 0; loop + 1 < start.length; loop++) {
      // status of the loop's first vertex, from the sums of signs up to each edge
      const first = at;
      let status = 0;
      let least = 0;
      let greatest = 0;
      for (; at < body.crossedCount && body.crossedEdges[at] < start[loop + 1]; at++) {
        for (let node = body.edgeFirst[body.crossedEdges[at]]; node >= 0; node = crossings.next[2 * node + side])
          status += direction * crossings.sign[node];
        least = Math.min(least, status);
        greatest = Math.max(greatest, status);
      }
      if (status !== 0 || greatest - least > 1) this.contradictions++;
      let inside = least < 0;
      if (least === 0 && greatest === 0) {
        const winding = windingAround(body, other, start[loop], side === 0, margin);
        if (winding !== 0 && winding !== 1) this.contradictions++;
        inside = winding !== 0;
      }
      if (first === at) {
        if (inside) this.addWhole(body, side, loop);
        continue;
      }

      // crossings in the order of the outline, entering and leaving in turns
      let open = -1;
      let openEdge = -1;
      let wrapped = -1; // what ends the run that began before the first vertex
      let wrappedEdge = -1;
      for (let k = first; k < at; k++) {
        const edge = body.crossedEdges[k];
        let rest = body.edgeFirst[edge];
        while (rest >= 0) {
          const wanted = inside ? -1 : 1;
          let best = -1;
          let beforeBest = -1;
          for (let node = rest, before = -1; node >= 0; before = node, node = crossings.next[2 * node + side])
            if (
              direction * crossings.sign[node] === wanted &&
              (best < 0 || crossings.parameter[2 * node + side] < crossings.parameter[2 * best + side])
            ) {
              best = node;
              beforeBest = before;
            }
          if (best < 0) {
            this.contradictions++;
            break;
          }
          if (beforeBest < 0) rest = crossings.next[2 * best + side];
          else crossings.next[2 * beforeBest + side] = crossings.next[2 * best + side];
          if (!inside) {
            open = best;
            openEdge = edge;
          } else if (open < 0) {
            wrapped = best;
            wrappedEdge = edge;
          } else this.addRun(side, open, best, openEdge, edge);
          inside = !inside;
        }
      }
      const around = openEdge === wrappedEdge ? 2 : 0;
      if (wrapped >= 0 && open >= 0) this.addRun(side + around, open, wrapped, openEdge, wrappedEdge);
    }
  }

  private addRun(side: number, from: number, to: number, fromEdge: number, toEdge: number): void {
    if (5 * this.count === this.runs.length) {
      const runs = new Int32Array(2 * this.runs.length);
      runs.set(this.runs);
      this.runs = runs;
    }
    const at = 5 * this.count++;
    this.runs[at] = side;
    this.runs[at + 1] = from;
    this.runs[at + 2] = to;
    this.runs[at + 3] = fromEdge;
    this.runs[at + 4] = toEdge;
    if (to >= 0) this.crossings.unite(from, to);
  }

  /** A loop that lies inside altogether gets a node of its own. */
  private addWhole(body: LoopBody, side: number, loop: number): void {
    const v = body.loops.start[loop];
    body.place(v);
    const node = this.crossings.add(body.points[2 * v], body.points[2 * v + 1]);
    this.addRun(side, node, -1, loop, -1);
  }
}
