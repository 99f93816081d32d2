/**
 * Derivatives of all loads for one step: force elements, the turning of loop reactions, gravity that is not uniform; pair by pair, and
 * gathered as one 6 × 6 block per carrier.
 */
import type { System } from '../assembly/system.js';
import type { Carriers } from './carriers.js';
import type { GravityField } from './gravity.js';
import { PairBlocks } from './load-derivatives.js';
import type { Loops } from './loops.js';
import { PairDerivative, type PairElement } from './pair-element.js';
import type { TreeDerivatives } from './tree-derivatives.js';

export interface LoadTerm {
  /** Index of the element's state in y, −1 for loops and gravity */
  readonly stateAt: number;
  readonly derivative: PairDerivative;
  readonly blocks: PairBlocks;
  /** Velocities that move A and B, from the carrier to its root; empty where nobody asks for them */
  readonly velocitiesA: Int32Array;
  readonly velocitiesB: Int32Array;
}

interface Parts {
  readonly system: System;
  readonly carriers: Carriers;
  readonly derivatives: TreeDerivatives;
  readonly gravity: GravityField;
  readonly pairs: readonly PairElement[];
  readonly loops: Loops;
}

export class LoadTerms {
  /** One per pair element, then one per constraint (the turning of its reaction), then one per node under non-uniform gravity */
  readonly all: readonly LoadTerm[];
  /** Those between two carriers that move, and those with states */
  readonly cross: readonly LoadTerm[];
  readonly withStates: readonly LoadTerm[];
  /** 36 per carrier: X'', C */
  readonly pose: Float64Array;
  readonly twist: Float64Array;
  /** Per carrier: they are not zero */
  readonly loaded: Uint8Array;
  /** Twists of the carriers at the linearisation; stages that come after move the carriers on. */
  readonly carrierTwist: Float64Array;
  private readonly parts: Parts;
  private readonly loadedCarriers: Int32Array;
  /** 9 per free body under non-uniform gravity: m ∇g */
  private readonly freeGradient: Float64Array;
  private readonly moved = new Float64Array(3);
  private readonly change = new Float64Array(3);

  constructor(parts: Parts) {
    this.parts = parts;
    const { system, carriers, derivatives, pairs, loops } = parts;
    const term = (a: number, b: number, states: number, stateAt: number): LoadTerm => {
      const asked = states > 0 || (a !== carriers.ground && b !== carriers.ground);
      return {
        stateAt,
        derivative: new PairDerivative(states),
        blocks: new PairBlocks(a, b, states, carriers, derivatives),
        velocitiesA: asked ? velocitiesOf(a, carriers, derivatives) : NO_VELOCITIES,
        velocitiesB: asked ? velocitiesOf(b, carriers, derivatives) : NO_VELOCITIES,
      };
    };
    const all = pairs.map((pair) => term(pair.a, pair.b, pair.states, pair.stateAt));
    for (const { a, b } of loops.groups) all.push(term(a, b, 0, -1));
    const uniform = system.gravity.kind === 'uniform';
    if (!uniform) for (let i = 0; i < carriers.nodes; i++) all.push(term(carriers.ground, i, 0, -1));
    this.all = all;
    this.cross = all.filter(({ blocks: { a, b } }) => a !== carriers.ground && b !== carriers.ground);
    this.withStates = all.filter(({ derivative }) => derivative.states > 0);
    const count = carriers.ground + 1;
    this.pose = new Float64Array(36 * count);
    this.twist = new Float64Array(36 * count);
    this.carrierTwist = new Float64Array(6 * count);
    this.freeGradient = new Float64Array(uniform ? 0 : 9 * carriers.free);
    this.loaded = new Uint8Array(count);
    for (const { blocks } of all) this.loaded[blocks.a] = this.loaded[blocks.b] = 1;
    if (!uniform) this.loaded.fill(1, carriers.nodes, carriers.ground);
    this.loadedCarriers = Int32Array.from(this.loaded.keys()).filter((carrier) => this.loaded[carrier] !== 0);
  }

  /** Derivatives at (t, y), at the carriers' present motion */
  linearise(t: number, y: Float64Array): void {
    const { pairs, loops, system, carriers } = this.parts;
    this.carrierTwist.set(carriers.twist);
    for (let i = 0; i < pairs.length; i++) {
      const { derivative } = this.all[i];
      derivative.clear();
      pairs[i].differentiate(t, y, derivative);
    }
    for (let i = 0; i < loops.groups.length; i++) {
      const { derivative } = this.all[pairs.length + i];
      derivative.clear();
      loops.differentiateReaction(i, derivative);
    }
    if (system.gravity.kind !== 'uniform') this.differentiateGravity(pairs.length + loops.groups.length);
  }

  /** F = m g(x) at the centre of mass: δF = m ∇g (δc + θ × r), torque r × F */
  private differentiateGravity(first: number): void {
    const { carriers, gravity, system, derivatives } = this.parts;
    const { position, nodes } = carriers;
    const { centre, tree } = derivatives.kinematics;
    const { gradient, value } = gravity;
    for (let i = 0; i < carriers.free; i++) {
      const at = 3 * (nodes + i);
      gravity.gradientAt(position[at], position[at + 1], position[at + 2]);
      for (let j = 0; j < 9; j++) this.freeGradient[9 * i + j] = system.free.mass[i] * gradient[j];
    }
    const { moved, change } = this;
    for (let i = 0; i < nodes; i++) {
      const { derivative } = this.all[first + i];
      derivative.clear();
      const mass = tree.mass[i];
      if (mass === 0) continue;
      const r = 3 * i;
      gravity.gradientAt(position[r] + centre[r], position[r + 1] + centre[r + 1], position[r + 2] + centre[r + 2]);
      const { byPose, wrench } = derivative;
      for (let column = 0; column < 6; column++) {
        moved.fill(0);
        if (column < 3) {
          moved[(column + 1) % 3] = -centre[r + ((column + 2) % 3)];
          moved[(column + 2) % 3] = centre[r + ((column + 1) % 3)];
        } else moved[column - 3] = 1;
        for (let k = 0; k < 3; k++) {
          const g = 3 * k;
          change[k] = mass * (gradient[g] * moved[0] + gradient[g + 1] * moved[1] + gradient[g + 2] * moved[2]);
        }
        for (let k = 0; k < 3; k++) {
          const n = (k + 1) % 3;
          const p = (k + 2) % 3;
          const turning = column < 3 ? mass * (moved[n] * value[p] - moved[p] * value[n]) : 0;
          byPose[12 * (6 + k) + 6 + column] = centre[r + n] * change[p] - centre[r + p] * change[n] + turning;
          byPose[12 * (9 + k) + 6 + column] = change[k];
        }
      }
      for (let k = 0; k < 3; k++) {
        const n = (k + 1) % 3;
        const p = (k + 2) % 3;
        wrench[6 + k] = mass * (centre[r + n] * value[p] - centre[r + p] * value[n]);
        wrench[9 + k] = mass * value[k];
      }
    }
  }

  /** Blocks for a step size. False if the states of an element cannot be eliminated at it. */
  prepare(e: number): boolean {
    const { pose, twist, all, loadedCarriers, carrierTwist } = this;
    const { carriers } = this.parts;
    for (let k = 0; k < loadedCarriers.length; k++) {
      const at = 36 * loadedCarriers[k];
      pose.fill(0, at, at + 36);
      twist.fill(0, at, at + 36);
    }
    for (let k = 0; k < all.length; k++) {
      const { blocks, derivative } = all[k];
      if (!blocks.update(derivative, carrierTwist, e)) return false;
      for (let side = 0; side < 2; side++) {
        const carrier = side === 0 ? blocks.a : blocks.b;
        if (carrier === carriers.ground) continue;
        const at = 36 * carrier;
        const from = 78 * side; // 12 · 6 + 6
        for (let i = 0; i < 6; i++)
          for (let j = 0; j < 6; j++) {
            pose[at + 6 * i + j] += blocks.pose[from + 12 * i + j];
            twist[at + 6 * i + j] += blocks.twist[from + 12 * i + j];
          }
      }
    }
    for (let k = 0; k < this.freeGradient.length; k++) {
      const at = 36 * (carriers.nodes + Math.floor(k / 9));
      pose[at + 6 * (3 + Math.floor((k % 9) / 3)) + 3 + (k % 3)] += this.freeGradient[k];
    }
    return true;
  }
}

const NO_VELOCITIES = new Int32Array(0);

function velocitiesOf(
  carrier: number,
  { nodes, ground }: Carriers,
  { size, kinematics, nodeOf }: TreeDerivatives,
): Int32Array {
  if (carrier === ground) return NO_VELOCITIES;
  if (carrier >= nodes) return Int32Array.from({ length: 6 }, (_, j) => size + 6 * (carrier - nodes) + j);
  const { parent, v } = kinematics.tree;
  const found: number[] = [];
  for (let i = carrier; i >= 0; i = parent[i])
    for (let k = v[i]; k >= 0 && k < size && nodeOf[k] === i; k++) found.push(k);
  return Int32Array.from(found);
}
