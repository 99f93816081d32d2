/** Says where a body deformed more than small strain in its frame can tell. */
import { type FlexibleNode, NODE, type System } from '../assembly/system.js';
import { heldAlong } from '../flexible-bodies/interfaces.js';
import { extentsOf } from '../flexible-bodies/reduction.js';
import type { Recording } from '../results/recording.js';
import { axialStresses, coordinateNames, stretchNames } from '../results/scene/flexible-scene.js';
import type { Guess } from './verdict.js';

/** rad: beyond this an end that turns also shortens its part noticeably, by a part of θ²/6 */
const LARGEST_TURN = 0.1;

/** Beyond this strain the change of lengths and sections counts, which small strain leaves out; few materials stay elastic so far */
const LARGEST_STRAIN = 0.05;

/** Of each body the piece that has most of something, and how much; those that have none are left out */
function mostOfBodies(
  flexible: readonly FlexibleNode[],
  measure: (plan: FlexibleNode) => number,
): [FlexibleNode, number][] {
  const most = new Map<string, [FlexibleNode, number]>();
  for (const plan of flexible) {
    const value = measure(plan);
    if (value > (most.get(plan.body)?.[1] ?? 0)) most.set(plan.body, [plan, value]);
  }
  return [...most.values()];
}

/** Bodies strained beyond what small strain tells: their shape and stress are a rough guess, and the run is doubtful. */
export function overstrained({ flexible = [] }: System, recording: Recording): Guess[] {
  const strainOf = ({ name, part }: FlexibleNode): number => {
    const stress = `${ownName(name)}.stress.largest`;
    if (!recording.has(stress)) return 0;
    return recording.signal(stress).values.reduce((most, x) => Math.max(most, x), 0) / part.material.youngsModulus;
  };
  return mostOfBodies(flexible, strainOf).flatMap(([{ name }, strain]) => {
    if (!(strain > LARGEST_STRAIN)) return [];
    return [
      {
        reason: `${name} is strained by ${(100 * strain).toPrecision(2)} %, and small strain is good to ${100 * LARGEST_STRAIN} %: its shape and stress are a rough guess`,
        remedy: 'check its youngsModulus and its loads; what stretches so far is beyond this theory',
      },
    ];
  });
}

/** So many times further than it is good for a run is doubtful: the shape is off by a tenth and more */
const TOO_FAR = 3;
/**
 * The same of a strip in one piece, with the membrane term. A force across its end P bends it by v = P L³/3EI there, θ = 3 v/2L; of the elastica, with s of its length from the end,
 * ∫ (θ − sin θ) ds = 0.114 θ² v, and three times as much by the work of P: 0.42 θ² of v in all (test: 10.5 % at 0.5 rad). In pieces others take the most of that.
 */
const TOO_FAR_ALONE = 5 / 3;

/** Of the length of a slender part: so much of it held as one piece is worth a note */
const HELD_LONG = 0.5;

/** And of that which nobody has said to be held: a beam on two ends with a force in its middle is three times as much too stiff */
const HELD_BY_DEFAULT = 0.01;

/** Bodies that a joint holds along the side of a slender piece, or that are held at a place by all nodes of a mesh that is coarse: too stiff there, which may be meant */
export const heldLong = ({ flexible = [] }: System): string[] =>
  flexible.flatMap(({ name, part }) => {
    const share = (interfaces: Parameters<typeof heldAlong>[2]): number =>
      heldAlong(part.mesh.points, part.kind === 'plane' ? 2 : 3, interfaces);
    const side = part.interfaces.find(({ along }) => along)?.along;
    const held = share(part.interfaces);
    if (side && held <= HELD_LONG)
      return `${name}: a joint holds a side of ${side.length.toPrecision(3)} m, behind which the part is ${side.depth.toPrecision(2)} m deep, as one rigid piece, which cannot bend; draw it at an end, or give its interface a radius`;
    if (held > HELD_LONG)
      return `${name}: a joint holds ${Math.round(100 * held)} % of its length as one rigid piece; draw it at an end, or give its interface a radius`;
    // the one that holds most
    const byDefault = [...part.interfaces]
      .filter(({ within }) => within !== undefined)
      .map((one) => ({ one, held: share([one]) }));
    const most = byDefault.reduce((a, b) => (b.held > a.held ? b : a), { one: part.interfaces[0], held: 0 });
    if (!(most.held > HELD_BY_DEFAULT)) return [];
    const at = Array.from(most.one.point, (x) => x.toPrecision(3)).join(', ');
    return (
      `${name}: what takes hold of it at (${at}) m, where there is neither a hole nor an end, holds all within ${most.one.within!.toPrecision(2)} m, ` +
      `${(100 * most.held).toPrecision(2)} % of its length, as one rigid piece, which makes its bending up to three times that part too stiff; ` +
      'take a smaller meshSize, or a radius: flexible: { interfaces: { … } }'
    );
  });

/** Bodies whose ends turn further than their strain is good for: notes, and doubts where it is much further */
export function turnedFar({ flexible = [], tree }: System, recording: Recording): Doubts {
  const found: Doubts = { doubtful: [], notes: [] };
  const limitOf = ({ spans }: FlexibleNode): number => LARGEST_TURN * (spans.length > 0 ? 3 : 1);
  for (const [plan, over] of mostOfBodies(flexible, (one) => largestTurn(tree, one, recording) / limitOf(one))) {
    if (over <= 1) continue;
    const { name } = plan;
    const membrane = plan.spans.length > 0;
    const alone = membrane && flexible.filter(({ body }) => body === plan.body).length === 1;
    const limit = limitOf(plan);
    const most = over * limit;
    const reason = `${name} turns by ${most.toPrecision(2)} rad at an interface against its frame, more than its strain is good for`;
    const remedy = alone
      ? "take flexible: { substructures: 'automatic' }"
      : membrane
        ? 'take more substructures'
        : 'take substructures if it is a straight strip, or a stiffer part';
    if (over > (alone ? TOO_FAR_ALONE : TOO_FAR)) found.doubtful.push({ reason, remedy });
    else found.notes.push(`${reason}; ${remedy}`);
  }
  return found;
}

/** Of the first frequency with the frame held: centrifugal force changes the stiffness in bending by some such part squared (turning beam: 1.2 of it) */
const FAST = 0.3;
const TOO_FAST = 0.7;

/** Bodies without the membrane term that turn so fast that tension by their own inertia stiffens them, which linear strain does not know */
export function turnedFast({ flexible = [] }: System, recording: Recording): Doubts {
  const found: Doubts = { doubtful: [], notes: [] };
  for (const { name, body, spans, frequencies } of flexible) {
    const signals = ['x', 'y', 'z'].map((axis) => `${body}.angularVelocity.${axis}`);
    if (spans.length > 0 || !signals.every((signal) => recording.has(signal))) continue;
    const [x, y, z] = signals.map((signal) => recording.signal(signal).values);
    let square = 0;
    for (let i = 0; i < x.length; i++) square = Math.max(square, x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    const [speed, first] = [Math.sqrt(square), frequencies[0]];
    if (!(speed > FAST * first)) continue;
    const reason =
      `${name} turns at up to ${speed.toPrecision(3)} rad/s, ${(speed / first).toPrecision(2)} of its first frequency (${(first / (2 * Math.PI)).toPrecision(3)} Hz): ` +
      'tension by its own inertia changes its stiffness by some such part squared, and linear strain does not know of it';
    const remedy = "take flexible: { substructures: 'automatic' } if it is a straight strip that bends in its plane";
    if (speed > TOO_FAST * first) found.doubtful.push({ reason, remedy });
    else found.notes.push(`${reason}; ${remedy}`);
  }
  return found;
}

/** What makes a run doubtful, and what is worth a note only */
export interface Doubts {
  readonly doubtful: Guess[];
  readonly notes: string[];
}

/** Of an interface against the frame, rad */
function largestTurn(tree: System['tree'], { name, nodes }: FlexibleNode, recording: Recording): number {
  const signals = coordinateNames(ownName(name), nodes.length);
  let most = 0;
  nodes.forEach((node, k) => {
    if (tree.kind[node] !== NODE.revolute || !recording.has(signals[k])) return;
    for (const value of recording.signal(signals[k]).values) most = Math.max(most, Math.abs(value));
  });
  return most;
}

/** Of the buckling stress: what stiffens or softens bending by that part is worth a note, by the other one it decides */
const WORTH_TELLING = 0.05;
const DECISIVE = 0.5;

/**
 * Bodies pulled or pressed along their length so much that it changes how stiff they are in bending. Linear strain does not know of that;
 * the membrane term does, until the part has buckled and turns further than it is good for. The measure is Euler's stress of a strip with
 * hinged ends,
 *
 *   σ_E = π² E w² / (12 L²)        w its mean width, of a solid its smallest extent; L its longest extent
 *
 * against the mean of the stress along its length: bending changes by σ/σ_E, of clamped and free ends by four times as much.
 */
export function pressedAlong({ flexible = [], tree }: System, recording: Recording): Doubts {
  const doubtful: Guess[] = [];
  const notes: string[] = [];
  for (const plan of flexible) {
    const { name, part } = plan;
    const { direction, length, width } = slenderness(plan);
    const euler = (Math.PI * Math.PI * part.material.youngsModulus * width * width) / (12 * length * length);
    const { least, most } = meanStress(plan, direction, recording);
    const [pressed, pulled] = [Math.max(0, -least / euler), Math.max(0, most / euler)];
    if (plan.spans.length > 0) {
      if (pressed > 1 && largestTurn(tree, plan, recording) > 3 * LARGEST_TURN)
        doubtful.push({
          reason: `${name} is pressed beyond its buckling load and bends further than its strain is good for: how far it goes is a rough guess`,
          remedy: 'take more substructures',
        });
      continue;
    }
    const share = Math.max(pressed, pulled);
    if (!(share > WORTH_TELLING)) continue;
    const reason =
      `${name} is ${pressed > pulled ? 'pressed' : 'pulled'} along its length by ${share.toPrecision(2)} of its buckling load, ` +
      'which changes its bending by some such part: linear strain does not tell that';
    const remedy =
      part.kind === 'plane'
        ? "take flexible: { substructures: 'automatic' } if it is a straight strip"
        : 'make it planar, in substructures, if it bends in one plane';
    if (share > DECISIVE) doubtful.push({ reason, remedy });
    else notes.push(`${reason}; ${remedy}`);
  }
  return { doubtful, notes };
}

/** Line between the two nodes farthest from each other, its length and the part's width, m; of a solid the smallest extent */
export function slenderness({ part, integrals }: FlexibleNode): {
  direction: readonly number[];
  length: number;
  width: number;
} {
  const { points, nodeCount } = part.mesh;
  const d = part.kind === 'plane' ? 2 : 3;
  const farthest = (from: number): { node: number; way: number[]; length: number } => {
    let best = { node: from, way: [1, 0, 0].slice(0, d), length: 0 };
    for (let node = 0; node < nodeCount; node++) {
      const way = best.way.map((_, k) => points[d * node + k] - points[d * from + k]);
      const length = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0));
      if (length > best.length) best = { node, way, length };
    }
    return best;
  };
  const { way, length } = farthest(farthest(0).node);
  return {
    direction: way.map((x) => x / length),
    length,
    width:
      part.kind === 'plane'
        ? integrals.mass / (part.material.density * part.material.thickness * length)
        : Math.min(...extentsOf(points, 3)),
  };
}

/** Least and most over the run of the mean over all nodes of the stress in a direction, Pa */
function meanStress(
  plan: FlexibleNode,
  direction: readonly number[],
  recording: Recording,
): { least: number; most: number } {
  const { part, nodes } = plan;
  const name = ownName(plan.name);
  const fields = [...part.stresses, ...axialStresses(plan)];
  const signals = [...coordinateNames(name, nodes.length), ...stretchNames(name, plan)];
  const means = fields.map((field) => meanAlong(field, direction));
  let [least, most] = [0, 0];
  if (!signals.every((signal) => recording.has(signal))) return { least, most };
  const values = signals.map((signal) => recording.signal(signal).values);
  for (let row = 0; row < recording.times.length; row++) {
    let sum = 0;
    for (let k = 0; k < means.length; k++) sum += means[k] * values[k][row];
    least = Math.min(least, sum);
    most = Math.max(most, sum);
  }
  return { least, most };
}

/** Mean of e · σ e over the nodes; σx, σy, τxy, of solids σx, σy, σz, τxy, τyz, τzx */
function meanAlong(field: Float64Array, e: readonly number[]): number {
  const pairs =
    e.length === 2
      ? [[0, 1]]
      : [
          [0, 1],
          [1, 2],
          [2, 0],
        ];
  const weights = [...e.map((x) => x * x), ...pairs.map(([i, j]) => 2 * e[i] * e[j])];
  const width = weights.length;
  let sum = 0;
  for (let i = 0; i < field.length; i++) sum += weights[i % width] * field[i];
  return (width * sum) / field.length;
}

/** `bodies.arm` is `arm` in the names of signals */
const ownName = (name: string): string => name.slice(name.indexOf('.') + 1);
