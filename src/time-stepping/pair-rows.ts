/** How fast places of a flexible pair move against each other, as rows over the velocities of the blocks of the two. */
import type { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import type { ConvexTerms } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export class PairRows {
  /** Blocks; the second −1: none, or the same */
  readonly first: number;
  readonly second: number;
  /** Inputs of `add`: where the place is on A and on B, in A's axes */
  readonly onA = new Float64Array(3);
  readonly onB = new Float64Array(3);
  private readonly ofA: number;
  private readonly ofB: number;
  /** Of A's coordinates, then B's: place in its block; 1: that is the first */
  private readonly places: Int32Array;
  private readonly inFirst: Uint8Array;
  private readonly point = new Float64Array(3);
  private readonly modal: Float64Array;
  private at = 0;

  constructor(
    private readonly contact: FlexibleContact,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const { modes, a, b } = contact;
    const { velocities, ofA } = modes;
    this.ofA = ofA > 0 ? blocks.ofVelocity(velocities[0]) : blocks.ofCarrier[a];
    this.ofB = velocities.length > ofA ? blocks.ofVelocity(velocities[ofA]) : blocks.ofCarrier[b];
    this.first = this.ofA < 0 ? this.ofB : this.ofA;
    this.second = this.ofA < 0 || this.ofA === this.ofB ? -1 : this.ofB;
    this.places = Int32Array.from(velocities, (v) => blocks.placeOf(v));
    this.inFirst = Uint8Array.from(velocities, (v) => (blocks.ofVelocity(v) === this.first ? 1 : 0));
    this.modal = new Float64Array(velocities.length);
  }

  /** A row of zeros */
  open(): void {
    this.at = this.terms.addRow();
  }

  /** Adds e · (velocity of A's place of touch i seen from B's) to the row that was opened last, and `more` per coordinate. */
  add(i: number, e: Float64Array, more?: Float64Array): void {
    const { blocks, terms, contact, point, modal, places, inFirst, at } = this;
    const { frames, local } = contact;
    const second = this.second < 0 ? at : at + blocks.size[this.first];
    modal.fill(0);
    if (more) modal.set(more);
    local.addAlong(i, e, modal);
    frames.directionOf(e, blocks.along);
    blocks.bias = 0;
    for (let side = 0; side < 2; side++) {
      frames.pointAt(side === 0 ? this.onA : this.onB, point);
      blocks.point.set(point);
      blocks.along[3] = side === 0 ? 1 : -1;
      const block = side === 0 ? this.ofA : this.ofB;
      blocks.addPointRow(side === 0 ? contact.a : contact.b, terms.jacobian, block === this.first ? at : second);
    }
    terms.bias[terms.rows - 1] += blocks.bias;
    for (let k = 0; k < places.length; k++)
      if (modal[k] !== 0) terms.jacobian[(inFirst[k] !== 0 ? at : second) + places[k]] += modal[k];
  }
}
