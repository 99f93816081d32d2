/**
 * Velocities at the start of a step, and those at its end if nothing touched:
 *
 *   v* = v₀ + h M⁻¹ (applied, gravity, gyroscopic)
 *
 * Free bodies turn by Euler's equation in their own axes (free-spin.ts). Mechanisms, and free bodies where something acts on them that changes with place or time, are accelerated as in the middle of the step, as
 * far as these forces take them: they then swing at second order. Elements that are stiff are held at the start (element-terms.ts); what they push has there the velocity of the start.
 */
import { AppliedForce } from '../dynamics/elements/applied-force.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { FreeSpin } from './free-spin.js';
import type { JointTerms } from './joint-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export class FreeVelocities {
  /** Rates of all states at the start of the step; accelerations of mechanisms are those of its middle */
  readonly rates: Float64Array;
  private readonly midway: Float64Array;
  private readonly midRates: Float64Array;
  /** Per free body: 1: it turns so far in the step that its mean velocity does not tell where to; 3: rad/s about one axis that do, in its axes */
  readonly turnsFast: Uint8Array;
  readonly meanTurn: Float64Array;
  /** By velocity of mechanisms: acceleration by the impulses of the last step, where they carried and struck nothing; the middle of the next one is foreseen with it */
  readonly lasting: Float64Array;
  private readonly savedLasting: Float64Array;
  private readonly spin = new FreeSpin();
  /** Forces on free bodies change on the way: springs, elements, own forces, gravity that is not uniform. */
  private readonly changing: boolean;

  /** @param v0, free vectors of all blocks, filled by `foresee` */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly joints: JointTerms,
    private readonly v0: Float64Array,
    private readonly free: Float64Array,
  ) {
    this.rates = new Float64Array(mechanics.size);
    this.midway = new Float64Array(mechanics.size);
    this.midRates = new Float64Array(mechanics.size);
    this.lasting = new Float64Array(mechanics.derivatives.size);
    this.savedLasting = new Float64Array(mechanics.derivatives.size);
    this.turnsFast = new Uint8Array(mechanics.freeBodies.count);
    this.meanTurn = new Float64Array(3 * mechanics.freeBodies.count);
    this.changing =
      joints.frames.any ||
      joints.elements.any ||
      mechanics.pairs.some((pair) => pair instanceof AppliedForce) ||
      mechanics.system.gravity.kind !== 'uniform';
  }

  /** From y0 at t over h s; leaves the carriers where the step begins. */
  foresee(t: number, h: number, y0: Float64Array): void {
    const { mechanics, blocks } = this;
    const { elastic, elements } = this.joints;
    mechanics.otherLoads = mechanics.otherDrives = undefined;
    elastic.setApart(true);
    this.joints.setApart(true);
    mechanics.rates(t, y0, this.rates);
    if (elements.any) {
      blocks.update(t, h);
      this.takeVelocities(h, y0);
      elements.look(t, h, y0, this.rates, this.free);
    }
    this.joints.frames.holdRates(true);
    if (blocks.firstFree > 0 || this.changing) this.rateHalfway(t, h, y0);
    this.joints.frames.holdRates(false);
    elements.release();
    this.joints.setApart(false);
    // elastic impulses act on what the mechanism is in the middle of the step
    if (elastic.any) blocks.update(t, h);
    elastic.setApart(false);
    mechanics.update(t, y0);
    if (!elastic.any) blocks.update(t, h);
    this.takeVelocities(h, y0);
    this.turnFree(y0, h);
  }

  private takeVelocities(h: number, y0: Float64Array): void {
    const { v0, free, rates } = this;
    const { velocity } = this.blocks;
    const { nq, nv } = this.mechanics;
    for (let k = 0; k < nv; k++) {
      const x = nq + velocity[k];
      v0[k] = y0[x];
      free[k] = y0[x] + h * rates[x];
    }
  }

  /** Accelerations from the middle of the step, as far as these forces take mechanisms, and the velocity of the start free bodies */
  private rateHalfway(t: number, h: number, y0: Float64Array): void {
    const { mechanics, rates, midway, midRates, blocks } = this;
    const { nq, derivatives } = mechanics;
    const { elements } = this.joints;
    midway.set(y0);
    mechanics.displace(midway, y0, nq, 0.5 * h);
    for (let k = 0; k < derivatives.size; k++)
      if (elements.heldBlocks[blocks.ofVelocity(k)] === 0)
        midway[nq + k] += 0.5 * h * (rates[nq + k] + this.lasting[k]);
    mechanics.normalise(midway);
    mechanics.rates(t + 0.5 * h, midway, midRates);
    if (elements.any) {
      if (elements.holdJumps(h)) {
        for (let k = 0; k < derivatives.size; k++)
          if (elements.heldBlocks[blocks.ofVelocity(k)] !== 0) midway[nq + k] = y0[nq + k];
        mechanics.rates(t + 0.5 * h, midway, midRates);
      }
      elements.takeRates(midRates, rates);
    }
    const last = nq + (this.changing ? mechanics.nv : derivatives.size);
    for (let k = nq; k < last; k++) rates[k] = midRates[k];
  }

  /** After a step of h s to the velocities v. @param swings mechanisms that are carried on as in that step, by block */
  keep(swings: (block: number) => boolean, h: number, v: Float64Array): void {
    const { blocks, lasting, free } = this;
    for (let b = 0; b < blocks.firstFree; b++) {
      const carried = swings(b);
      for (let k = blocks.at[b]; k < blocks.at[b] + blocks.size[b]; k++)
        lasting[blocks.velocity[k]] = carried ? (v[k] - free[k]) / h : 0;
    }
  }

  save(): void {
    this.savedLasting.set(this.lasting);
  }

  restore(): void {
    this.lasting.set(this.savedLasting);
  }

  /** Free bodies: Euler's equation in place of the explicit gyroscopic torque */
  private turnFree(y0: Float64Array, h: number): void {
    const { mechanics, blocks, free, spin, turnsFast } = this;
    const { nq, freeBodies, derivatives } = mechanics;
    for (let i = 0; i < freeBodies.count; i++) {
      turnsFast[i] = 0;
      const at = nq + derivatives.size + 6 * i + 3;
      const wx = y0[at];
      const wy = y0[at + 1];
      const wz = y0[at + 2];
      if (wx * wy === 0 && wy * wz === 0 && wz * wx === 0) continue;
      const { moments } = freeBodies;
      spin.set(moments[3 * i], moments[3 * i + 1], moments[3 * i + 2]);
      if (!spin.hasInertia) continue;
      const parts = spin.partsOf(h, wx, wy, wz);
      const k = blocks.at[blocks.firstFree + i] + 3;
      if (parts === 1) {
        spin.rate(h, wx, wy, wz);
        for (let j = 0; j < 3; j++) free[k + j] += h * (spin.mean(j) - spin.explicit(j, wx, wy, wz));
        continue;
      }
      spin.turn(h, parts, wx, wy, wz);
      for (let j = 0; j < 3; j++) free[k + j] += spin.change[j] - h * spin.explicit(j, wx, wy, wz);
      turnsFast[i] = 1;
      for (let j = 0; j < 3; j++) this.meanTurn[3 * i + j] = spin.meanTurn[j];
    }
  }
}
