/**
 * A point of a body pulled to a target, as a hand does that drags it: a spring with a bound, convex, so that it can upset nothing.
 *
 *   W = k (x + h u − target),   k = m/(10 h)²,   |W| ≤ 30 m g
 */

import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { norm } from '../math/vec3.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

const STEPS = 10;
const WEIGHTS = 30;
/** m/s², where there is none */
const GRAVITY = 9.81;

export interface Drag {
  readonly carrier: number;
  /** 3, carrier's frame, m */
  readonly point: Float64Array;
  /** 3, world, m */
  readonly target: Float64Array;
  /** kg that is pulled */
  readonly mass: number;
}

export class Drags {
  readonly active: Drag[] = [];
  /** First group and how many are ours in the present step */
  firstGroup = 0;
  private readonly x = new Float64Array(3);
  private readonly f = new Float64Array(3);

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {}

  write(h: number): void {
    const { mechanics, blocks, terms, x } = this;
    const { position, rotation } = mechanics.carriers;
    this.firstGroup = terms.groups;
    for (const { carrier, point, target, mass } of this.active) {
      const block = blocks.ofCarrier[carrier];
      if (block < 0) continue;
      terms.open(block, -1);
      for (let k = 0; k < 3; k++) {
        const r = 9 * carrier + 3 * k;
        x[k] =
          position[3 * carrier + k] + rotation[r] * point[0] + rotation[r + 1] * point[1] + rotation[r + 2] * point[2];
      }
      for (let k = 0; k < 3; k++) {
        const at = terms.addRow();
        blocks.bias = 0;
        blocks.addPoint(
          carrier,
          x[0],
          x[1],
          x[2],
          k === 0 ? 1 : 0,
          k === 1 ? 1 : 0,
          k === 2 ? 1 : 0,
          1,
          terms.jacobian,
          at,
        );
        terms.bias[terms.rows - 1] = blocks.bias;
      }
      const stiffness = mass / (STEPS * STEPS * h * h);
      const term = terms.addTerm(TERM.bounded);
      terms.setBounded(
        term,
        stiffness * (x[0] - target[0]),
        stiffness * (x[1] - target[1]),
        stiffness * (x[2] - target[2]),
        stiffness * h,
        this.most(mass),
      );
    }
  }

  /** Their mean forces in the step, to 6 numbers per carrier; the carriers are where it began. */
  addLoads(out: Float64Array): void {
    const { mechanics, blocks, terms } = this;
    const { rotation } = mechanics.carriers;
    let g = this.firstGroup;
    for (const { carrier, point } of this.active) {
      if (blocks.ofCarrier[carrier] < 0) continue;
      const row = terms.firstRow[g++];
      for (let k = 0; k < 3; k++) {
        const r = 9 * carrier + 3 * k;
        this.x[k] = rotation[r] * point[0] + rotation[r + 1] * point[1] + rotation[r + 2] * point[2];
        this.f[k] = terms.gamma[row + k] / terms.h;
      }
      const { x, f } = this;
      const o = 6 * carrier;
      for (let k = 0; k < 3; k++) {
        const n = (k + 1) % 3;
        const m = (k + 2) % 3;
        out[o + k] += x[n] * f[m] - x[m] * f[n];
        out[o + 3 + k] += f[k];
      }
    }
  }

  /** N with which a point is pulled now, and where it is in the world (into `at`, 3); the carriers are at the present state. */
  pullOf({ carrier, point, target, mass }: Drag, h: number, at: Float64Array): number {
    const { position, rotation } = this.mechanics.carriers;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const r = 9 * carrier + 3 * k;
      at[k] =
        position[3 * carrier + k] + rotation[r] * point[0] + rotation[r + 1] * point[1] + rotation[r + 2] * point[2];
      square += (at[k] - target[k]) * (at[k] - target[k]);
    }
    return Math.min(this.most(mass), (mass / (STEPS * STEPS * h * h)) * Math.sqrt(square));
  }

  /** N that a hand pulls with at most */
  most(mass: number): number {
    const { gravity } = this.mechanics.system;
    const g = gravity.kind === 'uniform' ? norm(gravity.acceleration) : 0;
    return WEIGHTS * mass * (g > 0 ? g : GRAVITY);
  }

  /** A free body is held by one. */
  holds(body: number): boolean {
    const carrier = this.mechanics.carriers.nodes + body;
    for (const drag of this.active) if (drag.carrier === carrier) return true;
    return false;
  }
}
