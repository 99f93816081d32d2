/** Rows of a region: how fast points of both bodies part, or turn against each other, along a direction, and how easily impulses along a row make them. */
import type { ContactRegion } from './contact-region.js';
import type { ConvexTerms } from './convex-terms.js';
import { REGION, type RegionStore } from './region-store.js';
import type { StepPair } from './step-pair.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export class RegionRows {
  private mean = new Float64Array(0);

  constructor(
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
    private readonly store: RegionStore,
  ) {}

  /**
   * A row along a direction: points of both surfaces, half of the gap to either side along n, which are one when they touch.
   *
   * @param point, direction their places in the store
   * @param row it is this one, @param to and its numbers begin there
   */
  addPoint(
    { a, b }: StepPair,
    record: number,
    point: number,
    half: number,
    direction: number,
    row: number,
    to: number,
  ): void {
    const { blocks, terms } = this;
    const d = this.store.values;
    const n = record + REGION.normal;
    const aside = record + REGION.aside;
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const second = ba < 0 || ba === bb ? to : to + blocks.size[ba];
    const { point: p, along } = blocks;
    for (let k = 0; k < 3; k++) {
      along[k] = d[direction + k];
      p[k] = d[point + k] - (half * d[n + k] + d[aside + k]);
    }
    along[3] = -1;
    blocks.bias = 0;
    blocks.addPointRow(a, terms.jacobian, to);
    for (let k = 0; k < 3; k++) p[k] = d[point + k] + (half * d[n + k] + d[aside + k]);
    along[3] = 1;
    blocks.addPointRow(b, terms.jacobian, second);
    terms.bias[row] = blocks.bias;
  }

  /** A row about a direction, m/s at the end of an arm */
  addTurn({ a, b }: StepPair, direction: number, arm: number, row: number, to: number): void {
    const { blocks, terms } = this;
    const d = this.store.values;
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const second = ba < 0 || ba === bb ? to : to + blocks.size[ba];
    const { along } = blocks;
    for (let k = 0; k < 3; k++) along[k] = d[direction + k];
    along[3] = -arm;
    blocks.bias = 0;
    blocks.addTurnRow(a, terms.jacobian, to);
    along[3] = arm;
    blocks.addTurnRow(b, terms.jacobian, second);
    terms.bias[row] = blocks.bias;
  }

  /** J M⁻¹ Jᵀ of a row, 1/kg */
  mobility(g: number, at: number): number {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    let sum = first < 0 ? 0 : blocks.mobility(first, terms.jacobian, at);
    if (second >= 0) sum += blocks.mobility(second, terms.jacobian, at + (first < 0 ? 0 : blocks.size[first]));
    return sum;
  }

  /** The same in the middle of the points of a region, where their rows have their mean, 1/kg */
  middleMobility(g: number, { firstTerm, count }: ContactRegion): number {
    const { terms, blocks } = this;
    const { jacobian } = terms;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    const na = first < 0 ? 0 : blocks.size[first];
    const width = na + (second < 0 ? 0 : blocks.size[second]);
    if (this.mean.length < width) this.mean = new Float64Array(width);
    const { mean } = this;
    mean.fill(0, 0, width);
    for (let p = 0; p < count; p++) {
      const at = this.start(g, terms.row[firstTerm + p]);
      for (let k = 0; k < width; k++) mean[k] += jacobian[at + k] / count;
    }
    return (first < 0 ? 0 : blocks.mobility(first, mean, 0)) + (second < 0 ? 0 : blocks.mobility(second, mean, na));
  }
  /** Where the numbers of a row begin in the Jacobian */
  start(g: number, row: number): number {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    const width = (first < 0 ? 0 : blocks.size[first]) + (second < 0 ? 0 : blocks.size[second]);
    return terms.jacobianAt[g] + width * (row - terms.firstRow[g]);
  }

  clear(g: number, at: number): void {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    const width = (first < 0 ? 0 : blocks.size[first]) + (second < 0 ? 0 : blocks.size[second]);
    terms.jacobian.fill(0, at, at + width);
  }
}
