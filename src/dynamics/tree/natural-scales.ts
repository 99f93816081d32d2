/**
 * Lengths and frequencies that a model has at rest, so that no scale of errors can vanish with the motion.
 *
 *   length      of a mechanism: its largest body; where bodies are given by mass alone its arms, the springs on it, the way between stops   m
 *   frequency   of a carrier: √(Σ k/m) over the springs and bushings on it, an upper bound of what it can swing with alone; of a flexible body
 *               that of its fastest mode                                                                                            rad/s
 *
 * A mechanism is what joints, constraints and bushings hold together. All of it is of the model, not of the state, and of one mechanism
 * alone: what else there is changes nothing.
 */
import { type Anchor, type ElementPlan, NODE, type System } from '../../assembly/system.js';
import { findRoot, unite } from '../../math/union-find.js';
import type { Carriers } from './carriers.js';

export class NaturalScales {
  /** Mechanism of each carrier, named by its first */
  readonly group: Int32Array;
  /** 1 per carrier whose mechanism has others */
  readonly shared: Uint8Array;
  /** Per carrier, m; 0 for bodies given by mass alone */
  readonly size: Float64Array;
  /** Per mechanism, m; 0 where nothing tells one */
  readonly length: Float64Array;
  /** Per carrier and per mechanism (its fastest), rad/s */
  readonly frequency: Float64Array;
  readonly groupFrequency: Float64Array;
  /** Per mechanism, m/s: slower than this it counts as resting where there is no gravity, a millionth of its length (or of 1 m) in a second */
  readonly restingSpeed: Float64Array;
  /** ½ m v² of all at those speeds, J: less than this is nothing */
  readonly restingEnergy: number;

  constructor(system: System, carriers: Carriers, root: Int32Array) {
    const count = carriers.ground;
    const { tree, free } = system;
    this.size = new Float64Array(count);
    this.frequency = new Float64Array(count);
    this.groupFrequency = new Float64Array(count);
    for (const { anchor, size } of system.bodies) {
      const carrier = carriers.indexOf(anchor);
      if (carrier < count) this.size[carrier] = Math.max(this.size[carrier], size);
    }
    this.group = mechanismsOf(system, carriers, root);
    const { group, size, frequency, groupFrequency } = this;
    const members = new Int32Array(count);
    for (let i = 0; i < count; i++) members[group[i]]++;
    this.shared = Uint8Array.from(group, (own) => (members[own] > 1 ? 1 : 0));
    this.length = lengthsOf(system, carriers, group, size);
    this.addStiffness(system, carriers);
    for (let i = 0; i < count; i++) {
      frequency[i] = Math.sqrt(frequency[i]);
      groupFrequency[group[i]] = Math.max(groupFrequency[group[i]], frequency[i]);
    }
    this.restingSpeed = this.length.map((length, g) => (length > 0 ? length : 1) * (1e-9 * groupFrequency[g] + 1e-6));
    let energy = 0;
    for (let i = 0; i < count; i++) {
      const mass = i < carriers.nodes ? tree.mass[i] : free.mass[i - carriers.nodes];
      energy += 0.5 * mass * this.restingSpeed[group[i]] * this.restingSpeed[group[i]];
    }
    this.restingEnergy = energy;
  }

  /** Squares of the frequencies */
  private addStiffness(system: System, carriers: Carriers): void {
    const { frequency, size } = this;
    const { tree, free } = system;
    const massOf = (i: number): number => (i < carriers.nodes ? tree.mass[i] : free.mass[i - carriers.nodes]);
    const nodeOf = new Map<number, number>();
    for (let i = 0; i < tree.count; i++) if (tree.v[i] >= 0) nodeOf.set(tree.v[i], i);
    for (const { node, frequencies } of system.flexible ?? []) {
      const fastest = frequencies.at(-1) ?? 0;
      frequency[node] += fastest * fastest;
    }
    for (const element of system.elements) {
      if (element.kind === 'line' || element.kind === 'bushing')
        for (const end of [element.a, element.b]) {
          const carrier = carriers.indexOf(end);
          if (carrier < frequency.length && massOf(carrier) > 0)
            frequency[carrier] += stiffnessOf(element) / massOf(carrier);
        }
      else if (element.kind === 'coordinate') {
        const node = nodeOf.get(element.v)!;
        const lever = tree.kind[node] === NODE.prismatic ? 1 : size[node];
        const inertia = massOf(node) * lever * lever;
        if (inertia > 0) frequency[node] += (element.stiffness + (element.motor?.kp ?? 0)) / inertia;
      }
    }
  }
}

/** Trees and free bodies, joined by their constraints and bushings */
function mechanismsOf(system: System, carriers: Carriers, root: Int32Array): Int32Array {
  const { tree, constraints, elements } = system;
  const count = carriers.ground;
  const parent = Int32Array.from({ length: count }, (_, i) => (i < carriers.nodes ? root[i] : i));
  const tie = (one: number, other: number): void => {
    if (one < count && other < count) unite(parent, one, other);
  };
  const nodeOf = new Map<number, number>();
  for (let i = 0; i < tree.count; i++) if (tree.q[i] >= 0) nodeOf.set(tree.q[i], i);
  for (const { rows } of constraints)
    for (const row of rows)
      if (row.kind !== 'coupler') tie(carriers.indexOf(row.a), carriers.indexOf(row.b));
      else for (const q of row.coordinates) tie(nodeOf.get(row.coordinates[0])!, nodeOf.get(q)!);
  for (const element of elements)
    if (element.kind === 'bushing') tie(carriers.indexOf(element.a), carriers.indexOf(element.b));
  return Int32Array.from(parent, (_, i) => findRoot(parent, i));
}

/** Of the mechanisms: the bodies' own, else what holds them */
function lengthsOf(system: System, carriers: Carriers, group: Int32Array, size: Float64Array): Float64Array {
  const { tree, elements } = system;
  const lengths = new Float64Array(group.length);
  const atLeast = (carrier: number, length: number): void => {
    if (carrier < group.length && length < Number.POSITIVE_INFINITY)
      lengths[group[carrier]] = Math.max(lengths[group[carrier]], length);
  };
  for (let i = 0; i < group.length; i++) atLeast(i, size[i]);
  const told = lengths.map((length) => (length > 0 ? 1 : 0));
  const nodeOf = new Map<number, number>();
  for (let i = 0; i < tree.count; i++) {
    if (tree.q[i] >= 0) nodeOf.set(tree.q[i], i);
    if (told[group[i]] === 0 && tree.parent[i] >= 0) atLeast(i, norm3(tree.position, 3 * i));
  }
  for (const element of elements) {
    if (element.kind === 'line') {
      const apart = distance(system, carriers, element.a, element.b);
      for (const end of [element.a, element.b]) {
        const carrier = carriers.indexOf(end);
        if (carrier < group.length && told[group[carrier]] === 0) atLeast(carrier, Math.max(element.rest, apart));
      }
    } else if (element.kind === 'coordinate' && element.stops) {
      const node = nodeOf.get(element.q)!;
      if (told[group[node]] === 0 && tree.kind[node] === NODE.prismatic)
        atLeast(node, element.stops.upper - element.stops.lower);
    }
  }
  return lengths;
}

/** Between two anchors at the start, where both are on the ground or on free bodies; else 0 */
function distance({ nq, free, initial }: System, carriers: Carriers, a: Anchor, b: Anchor): number {
  const d = [0, 0, 0];
  for (const [{ node, position }, sign] of [
    [a, -1],
    [b, 1],
  ] as const) {
    if (node >= 0) return 0;
    const body = -2 - node;
    const at = nq - 7 * free.count + 7 * body;
    for (let j = 0; j < 3; j++) d[j] += sign * (body >= 0 && carriers.free > 0 ? initial[at + j] : position[j]);
  }
  return Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

const stiffnessOf = (element: Extract<ElementPlan, { kind: 'line' | 'bushing' }>): number =>
  element.kind === 'line'
    ? element.stiffness
    : Math.max(element.stiffness[0], element.stiffness[1], element.stiffness[2]);

const norm3 = (a: Float64Array, at: number): number =>
  Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
