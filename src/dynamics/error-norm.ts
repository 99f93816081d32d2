/**
 * Size of a local error in terms a user can judge: how far bodies are displaced, turned and how wrong their velocities are.
 *
 * Errors of joint coordinates are carried root to leaf to the bodies: displacement of the centre of mass, rotation vector, and the same
 * of velocities. A small angle at the root of a long arm counts by what it does at the tip, whichever coordinates the model has.
 *
 *   |δc|/(r L),  |θ|/r,  |δv|/(r V),  |δω|/(r Ω)        ≤ 1 is acceptable; the largest of all counts
 *
 *   r  relative tolerance
 *   L  length of the mechanism (natural-scales.ts: its largest body, or what holds bodies that have no size), or what it moved in the step if more   m
 *   V  fastest point of the mechanism, or its change in the step; at least 1e-3 √(g L), and 1e-3 of the fastest that any mechanism
 *      has been: one that is about to be set moving has no speed of its own yet, one that comes to rest has none any more. Without gravity
 *      and at rest, at least L (1e-9 ω + 1e-6 s⁻¹), ω its fastest spring: what moves by less than a millionth of its length in a second rests   m/s
 *   Ω  the body's angular velocity, its change, or a tenth of V/L                                         rad/s
 *
 * No error is asked for that rounding alone would make: 16 ε of a body's distance from the world's origin (or of L), and ω times that for
 * velocities, for springs, and contacts that tell their ω, turn rounded places into forces. Else nothing depends on the place of the origin. Quaternion errors are angles.
 * Bodies that touch are as quiet as their contacts need: speeds are held to the contact tolerance τ of what a weight just put on the contact swings by, √(g d), as long as they do not come together faster
 * (elements/pair-element.ts, ContactScale), coordinates of bodies that deform too; and the depth of each contact to τ of its own. Joint stops in touch and bristles are held to the contact tolerance τ of their own depth: a stop that is 1 µm deep knows nothing of metres.
 */

import { NODE, type System } from '../assembly/system.js';
import type { JointForce } from './elements/joint-forces.js';
import type { ContactScale, DeformingScale, PairElement } from './elements/pair-element.js';
import type { StepColumns } from './step/step-columns.js';
import type { Carriers } from './tree/carriers.js';
import { EndsOfStep } from './tree/ends-of-step.js';
import type { FreeBodies } from './tree/free-bodies.js';
import { NaturalScales } from './tree/natural-scales.js';
import type { TreeKinematics } from './tree/tree-kinematics.js';

export interface Tolerance {
  /** Of sizes and speeds */
  relative: number;
  /** Of depths of contacts and stops, and of friction bristles */
  contact: number;
}

/** The parts of a mechanical system that the norm looks at. */
interface Measured {
  readonly system: System;
  readonly nq: number;
  readonly size: number;
  readonly carriers: Carriers;
  readonly kinematics: TreeKinematics;
  readonly freeBodies: FreeBodies;
  readonly jointForces: readonly JointForce[];
  readonly pairs: readonly PairElement[];
  readonly matrix: { readonly columns: StepColumns };
  update(t: number, y: Float64Array): void;
}

/** m: the length of mechanisms that nothing tells one of, while they do not move */
const SHORTEST = 1e-9;
/** 16 ε */
const ROUNDING = 3.6e-15;

const NONE = new Float64Array(3);
const TURN = new Float64Array(3);

export class BodyErrorNorm {
  readonly tolerance: Tolerance;
  private readonly of: Measured;
  readonly scales: NaturalScales;
  private readonly massive: Uint8Array;
  private readonly groupSize: Float64Array;
  private readonly groupSpeed: Float64Array;
  /** Carriers that count, ascending */
  private readonly counted: Int32Array;
  private readonly ends: EndsOfStep;
  /** Per carrier: the body's angular velocity, or its change if that is larger, rad/s */
  private readonly spin: Float64Array;
  private readonly carried: Float64Array; // 12 per node: θ, δp, δω, δv
  private readonly weight: number;
  /** Per carrier, rad/s: of its springs, and of what it touches by a law that tells it */
  private readonly swing: Float64Array;
  /** m/s per carrier: what contacts allow its velocity to be wrong by; 0 for those that touch nothing */
  private readonly atRest: Float64Array;
  /** m, the same for its place */
  private readonly inPlace: Float64Array;
  /** Of pairs of bodies that deform: nodes of their coordinates, and where those stand in a state */
  private readonly coordinates = new Map<PairElement, { readonly nodes: Int32Array; readonly places: Int32Array }>();
  private now: Float64Array = NONE;
  /** Of all states that steps were made from, m/s; those of others count where bodies come from them */
  fastestYet = 0;

  constructor(of: Measured, tolerance: Partial<Tolerance> = {}) {
    this.of = of;
    this.tolerance = { relative: tolerance.relative ?? 1e-6, contact: tolerance.contact ?? 1e-2 };
    const { carriers, kinematics, system } = of;
    const count = carriers.ground;
    this.scales = new NaturalScales(system, carriers, kinematics.root);
    this.massive = Uint8Array.from({ length: count }, (_, i) =>
      i >= carriers.nodes || system.tree.mass[i] > 0 ? 1 : 0,
    );
    // Interfaces and modes of deforming bodies count by what they displace, not by how they turn: a stiff mode that rings turns its ends fast
    // and moves nothing
    for (const { nodes, carrying } of system.flexible ?? [])
      nodes.forEach((node, k) => {
        this.massive[node] = k < carrying ? 2 : 3;
      });
    this.groupSize = new Float64Array(count);
    this.groupSpeed = new Float64Array(count);
    this.counted = Int32Array.from(this.massive.keys()).filter((i) => this.massive[i] !== 0);
    this.ends = new EndsOfStep(
      of,
      this.counted.filter((i) => this.massive[i] !== 3),
    );
    this.spin = new Float64Array(count);
    this.carried = new Float64Array(12 * count);
    this.atRest = new Float64Array(count + 1);
    this.inPlace = new Float64Array(count + 1);
    this.swing = this.scales.frequency.slice();
    for (const { a, b, swing } of of.pairs)
      if (swing !== undefined) for (const i of [a, b]) if (i < count) this.swing[i] = Math.max(this.swing[i], swing);
    const { tree } = system;
    const nodeOf = new Map<number, number>();
    for (let i = 0; i < tree.count; i++) if (tree.v[i] >= 0) nodeOf.set(tree.v[i], i);
    for (const pair of of.pairs)
      if (pair.modes) {
        const nodes = Int32Array.from(pair.modes.velocities, (v) => nodeOf.get(v)!);
        this.coordinates.set(pair, { nodes, places: nodes.map((node) => tree.q[node]) });
      }
    const { gravity } = system;
    const g = gravity.kind === 'uniform' ? gravity.acceleration : [0, 0, 0];
    this.weight = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  }

  /** Speed against which errors of a carrier's velocity were last measured if it is one of several of a mechanism, else 0, m/s */
  sharedSpeed(carrier: number): number {
    const { group, shared } = this.scales;
    return carrier < group.length && shared[carrier] !== 0
      ? Math.max(this.groupSpeed[group[carrier]], 1e-3 * this.fastestYet)
      : 0;
  }

  /** Σ m (V² + g L), J: r of it is about what errors that are allowed change the energy by */
  get energyAtScales(): number {
    const { groupSpeed, groupSize, fastestYet, weight, of } = this;
    const { group, length: natural, restingSpeed } = this.scales;
    const { tree, free } = of.system;
    const { nodes, ground } = of.carriers;
    let sum = 0;
    for (let i = 0; i < ground; i++) {
      const g = group[i];
      const mass = i < nodes ? tree.mass[i] : free.mass[i - nodes];
      const V = Math.max(groupSpeed[g], 1e-3 * fastestYet, restingSpeed[g]);
      sum += mass * (V * V + weight * Math.max(groupSize[g], natural[g]));
    }
    return sum;
  }

  size(t: number, error: Float64Array, before: Float64Array, after: Float64Array): number {
    const { of, groupSize, spin: spins, groupSpeed, massive, counted, swing } = this;
    const { group, length: natural, restingSpeed } = this.scales;
    const { position } = of.carriers;
    this.now = after;
    this.measureStep(t, before, after);

    // Errors of the bodies against them
    let fastest = this.fastestYet;
    for (let g = 0; g < groupSpeed.length; g++) fastest = Math.max(fastest, groupSpeed[g]);
    this.carryErrors(error);
    const { relative, contact } = this.tolerance;
    const { carried, atRest, inPlace } = this;
    atRest.fill(0);
    inPlace.fill(0);
    for (const pair of of.pairs) {
      const { a, b, contact: scale } = pair;
      if (scale?.touching) {
        // at rest all of it, in an impact the less the faster it is
        const { referenceSpeed, referenceDepth, approachSpeed } = scale;
        const fast = Math.abs(approachSpeed);
        const share = contact * (fast > referenceSpeed ? referenceSpeed / fast : 1);
        atRest[a] = Math.max(atRest[a], share * referenceSpeed);
        atRest[b] = Math.max(atRest[b], share * referenceSpeed);
        inPlace[a] = Math.max(inPlace[a], share * referenceDepth);
        inPlace[b] = Math.max(inPlace[b], share * referenceDepth);
        if (scale.deforming)
          for (const node of this.coordinates.get(pair)!.nodes) {
            // what deforms swings on the contact by its coordinates as well; one that rings for itself is followed as far as it does
            const rate = of.nq + of.system.tree.v[node];
            const ringing = Math.max(Math.abs(before[rate]), Math.abs(after[rate]));
            const slow = ringing > referenceSpeed ? referenceSpeed / ringing : 1;
            atRest[node] = Math.max(atRest[node], share * slow * referenceSpeed);
          }
      }
    }
    let worst = 0;
    for (let index = 0; index < counted.length; index++) {
      const i = counted[index];
      const g = group[i];
      const L = Math.max(groupSize[g], natural[g], SHORTEST);
      const V = Math.max(groupSpeed[g], 1e-3 * fastest, 1e-3 * Math.sqrt(this.weight * L), restingSpeed[g]);
      const spin = Math.max(spins[i], (0.1 * V) / L);
      const k = 12 * i;
      if (massive[i] === 3) {
        // a mode is scaled to a largest displacement of 1: its coordinate is what it displaces
        worst = larger(worst, Math.abs(error[of.system.tree.q[i]]) / (relative * L));
        worst = larger(worst, Math.abs(error[of.nq + of.system.tree.v[i]]) / Math.max(relative * V, atRest[i]));
        continue;
      }
      const c = i < of.carriers.nodes ? of.kinematics.centre : NONE;
      const at = i < of.carriers.nodes ? 3 * i : 0;
      const theta = length(carried[k], carried[k + 1], carried[k + 2]);
      const shifted = length(
        carried[k + 3] + carried[k + 1] * c[at + 2] - carried[k + 2] * c[at + 1],
        carried[k + 4] + carried[k + 2] * c[at] - carried[k] * c[at + 2],
        carried[k + 5] + carried[k] * c[at + 1] - carried[k + 1] * c[at],
      );
      const spinning = length(carried[k + 6], carried[k + 7], carried[k + 8]);
      const speeding = length(
        carried[k + 9] + carried[k + 7] * c[at + 2] - carried[k + 8] * c[at + 1],
        carried[k + 10] + carried[k + 8] * c[at] - carried[k + 6] * c[at + 2],
        carried[k + 11] + carried[k + 6] * c[at + 1] - carried[k + 7] * c[at],
      );
      // A body at rest on others is as quiet as its contacts need, not as its size would have it. Its farthest points count: told by the radius of
      // gyration, a hard disc that spins on its end loses touch in a long step and takes 480 steps where it takes 60.
      const still = atRest[i];
      const away = length(position[3 * i], position[3 * i + 1], position[3 * i + 2]);
      const rounding = ROUNDING * Math.max(L, away);
      worst = larger(worst, shifted / Math.max(relative * L, inPlace[i], rounding));
      worst = larger(worst, speeding / Math.max(relative * V, still, swing[i] * rounding));
      if (massive[i] === 2) continue;
      worst = larger(worst, theta / Math.max(relative, inPlace[i] / L, ROUNDING));
      worst = larger(worst, spinning / Math.max(relative * spin, still / L, swing[i] * ROUNDING));
    }

    // Stops in touch, bristles
    for (const joint of of.jointForces) {
      const deepest = Math.max(joint.depth(before[joint.xAt]), joint.depth(after[joint.xAt]));
      if (deepest > 0) {
        const reference = Math.max(deepest, joint.impactDepth(before[joint.vAt]), joint.impactDepth(after[joint.vAt]));
        worst = larger(worst, Math.abs(error[joint.xAt]) / (contact * reference));
      }
      if (joint.plan.friction) {
        const { limit, stiffness } = joint.plan.friction;
        worst = larger(worst, Math.abs(error[joint.stateAt]) / ((contact * limit) / stiffness));
      }
    }
    for (const pair of of.pairs) {
      for (let k = 0; k < pair.states; k++) {
        const i = pair.stateAt + k;
        const scale = pair.stateScale?.(k) ?? 1;
        const allowed = pair.relativeStates
          ? relative * Math.max(scale, Math.abs(before[i]), Math.abs(after[i]))
          : contact * scale;
        worst = larger(worst, Math.abs(error[i]) / allowed);
      }
      const { contact: scale } = pair;
      if (scale?.touching) {
        const along = scale.deforming
          ? this.deepenedBy(pair, scale.deforming, error)
          : Math.abs(this.shiftAlong(pair.a, scale) - this.shiftAlong(pair.b, scale));
        worst = larger(worst, along / (contact * scale.depthScale()));
      }
    }
    return worst;
  }

  /** Error of a carrier's displacement at a contact, along its normal. @param at the first number of both */
  private shiftAlong(carrier: number, { normal: n, point }: Pick<ContactScale, 'normal' | 'point'>, at = 0): number {
    const { carriers } = this.of;
    if (carrier === carriers.ground) return 0;
    const { carried } = this;
    const { position } = carriers;
    const k = 12 * carrier;
    const x = point[at] - position[3 * carrier];
    const y = point[at + 1] - position[3 * carrier + 1];
    const z = point[at + 2] - position[3 * carrier + 2];
    return (
      n[at] * (carried[k + 3] + carried[k + 1] * z - carried[k + 2] * y) +
      n[at + 1] * (carried[k + 4] + carried[k + 2] * x - carried[k] * z) +
      n[at + 2] * (carried[k + 5] + carried[k] * y - carried[k + 1] * x)
    );
  }

  /** Largest error of the depth of a place at which bodies that deform touch: of their frames and of their coordinates, m */
  private deepenedBy(
    pair: PairElement,
    { count, normals, points, along }: DeformingScale,
    error: Float64Array,
  ): number {
    const { places } = this.coordinates.get(pair)!;
    const at = { normal: normals, point: points };
    let most = 0;
    for (let i = 0; i < count; i++) {
      let sum = this.shiftAlong(pair.a, at, 3 * i) - this.shiftAlong(pair.b, at, 3 * i);
      for (let k = 0; k < places.length; k++) sum += along[places.length * i + k] * error[places[k]];
      most = larger(most, Math.abs(sum));
    }
    return most;
  }

  /** Where bodies were and are, how fast: sizes and speeds that errors are compared with. Leaves the kinematics at `after`. */
  private measureStep(t: number, before: Float64Array, after: Float64Array): void {
    const { of, ends, groupSize, groupSpeed, massive, counted, spin: spins } = this;
    const { group, size: sizes } = this.scales;
    if (!ends.find(t, before, after)) return;
    groupSize.fill(0);
    groupSpeed.fill(0);
    const { centre: c, motion: m, centreAfter: d, motionAfter: n } = ends;
    for (let index = 0; index < counted.length; index++) {
      const i = counted[index];
      if (massive[i] === 3) {
        const rate = of.nq + of.system.tree.v[i];
        const speed = Math.max(Math.abs(before[rate]), Math.abs(after[rate]), Math.abs(after[rate] - before[rate]));
        groupSpeed[group[i]] = Math.max(groupSpeed[group[i]], speed);
        continue;
      }
      const k = 3 * i;
      const v = 6 * i;
      const w = v + 3;
      const moved = length(d[k] - c[k], d[k + 1] - c[k + 1], d[k + 2] - c[k + 2]);
      const was = length(m[v], m[v + 1], m[v + 2]);
      this.fastestYet = Math.max(this.fastestYet, was);
      const is = length(n[v], n[v + 1], n[v + 2]);
      const changed = length(n[v] - m[v], n[v + 1] - m[v + 1], n[v + 2] - m[v + 2]);
      const spin = Math.max(length(m[w], m[w + 1], m[w + 2]), length(n[w], n[w + 1], n[w + 2]));
      const turned = length(n[w] - m[w], n[w + 1] - m[w + 1], n[w + 2] - m[w + 2]);
      const g = group[i];
      groupSize[g] = Math.max(groupSize[g], sizes[i], moved);
      groupSpeed[g] = Math.max(groupSpeed[g], was, is, changed, sizes[i] * Math.max(spin, turned));
      spins[i] = Math.max(spin, turned);
    }
  }

  /** Errors of coordinates to errors of bodies, at the kinematics of `after` */
  private carryErrors(error: Float64Array): void {
    const { carried, of } = this;
    const { kinematics, carriers, nq } = of;
    const { tree, axis, arm, turn, slide, idle, placed } = kinematics;
    const { rotation } = carriers;
    const { rotorOf, rotorQ, coordinateOf } = of.matrix.columns;
    for (let index = 0; index < placed.length; index++) {
      const i = placed[index];
      const k = 12 * i;
      const p = tree.parent[i];
      if (p < 0) carried.fill(0, k, k + 12);
      else if (idle[p] === 2) this.carryAlong(p, i);
      else
        for (let half = 0; half < 12; half += 6) {
          const from = 12 * p + half;
          const wx = carried[from];
          const wy = carried[from + 1];
          const wz = carried[from + 2];
          carried[k + half] = wx;
          carried[k + half + 1] = wy;
          carried[k + half + 2] = wz;
          carried[k + half + 3] = carried[from + 3] + wy * arm[3 * i + 2] - wz * arm[3 * i + 1];
          carried[k + half + 4] = carried[from + 4] + wz * arm[3 * i] - wx * arm[3 * i + 2];
          carried[k + half + 5] = carried[from + 5] + wx * arm[3 * i + 1] - wy * arm[3 * i];
        }
      const v = tree.v[i];
      if (v < 0) continue;
      if (tree.kind[i] === NODE.spherical) {
        this.angleError(error, rotorQ[rotorOf[v]]);
        for (let j = 0; j < 3; j++) {
          const r = 9 * i + 3 * j;
          carried[k + j] += rotation[r] * TURN[0] + rotation[r + 1] * TURN[1] + rotation[r + 2] * TURN[2];
          carried[k + 6 + j] +=
            rotation[r] * error[nq + v] + rotation[r + 1] * error[nq + v + 1] + rotation[r + 2] * error[nq + v + 2];
        }
      } else
        for (let j = 0; j < 3; j++) {
          const x = error[coordinateOf[v]];
          carried[k + j] += turn[i] * axis[3 * i + j] * x;
          carried[k + 3 + j] += slide[i] * axis[3 * i + j] * x;
          carried[k + 6 + j] += turn[i] * axis[3 * i + j] * error[nq + v];
          carried[k + 9 + j] += slide[i] * axis[3 * i + j] * error[nq + v];
        }
    }
    const first = of.system.nv - 6 * carriers.free;
    for (let i = 0; i < carriers.free; i++) {
      const k = 12 * (carriers.nodes + i);
      const v = first + 6 * i;
      this.angleError(error, rotorQ[rotorOf[v + 3]]);
      for (let j = 0; j < 3; j++) {
        carried[k + j] = TURN[j];
        carried[k + 3 + j] = error[coordinateOf[v + j]];
        carried[k + 6 + j] = error[nq + v + 3 + j];
        carried[k + 9 + j] = error[nq + v + j];
      }
    }
  }

  /** From a slide of an interface to the next node of its chain; arms of both are from the frame on */
  private carryAlong(from: number, to: number): void {
    const { carried } = this;
    const { arm } = this.of.kinematics;
    const x = arm[3 * to] - arm[3 * from];
    const y = arm[3 * to + 1] - arm[3 * from + 1];
    const z = arm[3 * to + 2] - arm[3 * from + 2];
    for (let half = 0; half < 12; half += 6) {
      const a = 12 * from + half;
      const b = 12 * to + half;
      const wx = carried[a];
      const wy = carried[a + 1];
      const wz = carried[a + 2];
      carried[b] = wx;
      carried[b + 1] = wy;
      carried[b + 2] = wz;
      carried[b + 3] = carried[a + 3] + wy * z - wz * y;
      carried[b + 4] = carried[a + 4] + wz * x - wx * z;
      carried[b + 5] = carried[a + 5] + wx * y - wy * x;
    }
  }

  /** Rotation vector of a small quaternion error in the child's frame, 2 vec(conj(q) δq), into TURN; an error of the length does not count. */
  private angleError(error: Float64Array, q: number): void {
    const y = this.now;
    const w = y[q];
    const x = y[q + 1];
    const yy = y[q + 2];
    const z = y[q + 3];
    TURN[0] = 2 * (w * error[q + 1] - x * error[q] - yy * error[q + 3] + z * error[q + 2]);
    TURN[1] = 2 * (w * error[q + 2] - yy * error[q] - z * error[q + 1] + x * error[q + 3]);
    TURN[2] = 2 * (w * error[q + 3] - z * error[q] - x * error[q + 2] + yy * error[q + 1]);
  }
}

const length = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
/** The larger; NaN stays. */
const larger = (a: number, b: number): number => (a >= b || Number.isNaN(a) ? a : b);
