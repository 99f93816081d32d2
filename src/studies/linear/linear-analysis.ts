/**
 * A model linearised at an instant or at rest, as a state space:
 *
 *   x' = A x + B u,     y = C x + D u,     x = (z, w, s): coordinates, their speeds, states of elements
 *
 * Coordinates are joint coordinates, as many as the model has freedoms (loops are eliminated), and of free bodies small shifts along the world's axes and small turns about the
 * body's principal ones. Inputs are forces, or prescribed motions, which enter with their first two derivatives: u stands for the shift of the motion, and
 *
 *   G(s) = (C (s 1 − A)⁻¹ (B + s B₁ + s² B₂)) + D + s D₁ + s² D₂
 *
 * Contact is what it is at the instant: who touches goes on touching. A and C come from differences of order 4, B and D are exact to rounding, for forces enter linearly.
 */
import { NODE } from '../../assembly/system.js';
import { displacedStates, freeDirections, ownCoordinates, stateMatrix } from '../../dynamics/linearisation.js';
import type { MechanicalSystem } from '../../dynamics/mechanical-system.js';
import { velocityNames } from '../../dynamics/velocity-names.js';
import { ModelError, suggestion } from '../../errors.js';
import { restNear } from '../../explain/small-motions.js';
import { eigenvalues } from '../../math/eigen.js';
import type { Model } from '../../model/model.js';
import { SignalSampler } from '../../simulation/signals.js';
import { Simulation } from '../../simulation/simulation.js';

export interface LinearInput {
  readonly name: string;
  readonly unit: string;
  /** A prescribed motion is moved, a force added */
  readonly kind: 'motion' | 'force';
}

export interface Named {
  readonly name: string;
  readonly unit: string;
}

/** Matrices row by row */
export interface LinearModel {
  readonly t: number;
  readonly atRest: boolean;
  readonly states: readonly Named[];
  readonly inputs: readonly LinearInput[];
  readonly outputs: readonly Named[];
  readonly a: Float64Array;
  /** By u, u' and u'': the latter two are zero for forces */
  readonly b: readonly [Float64Array, Float64Array, Float64Array];
  readonly c: Float64Array;
  readonly d: readonly [Float64Array, Float64Array, Float64Array];
  /** Outputs at the point itself */
  readonly values: Float64Array;
  readonly eigenvalues: readonly { readonly real: number; readonly imaginary: number }[];
  readonly remarks: readonly string[];
}

export interface LinearOptions {
  /** s: after a run until then; 'rest': at a position of rest near the start; 0 unless given */
  readonly at?: number | 'rest';
  /** Joints (force or torque along them, or their prescribed motion), `body.force.x`, `body.torque.z`; all joints with one coordinate unless given */
  readonly inputs?: readonly string[];
  /** Signals; coordinates of all joints unless given */
  readonly outputs?: readonly string[];
}

const MOST_STATES = 400;
/** m/s, rad/s: below this a loop counts as standing */
const MOVING = 1e-9;

export function linearModel(model: Model, { at = 0, inputs, outputs }: LinearOptions = {}): LinearModel {
  const simulation = new Simulation(model, typeof at === 'number' && at > 0 ? { stopTime: at } : {});
  if (simulation.grains)
    throw new ModelError('model', 'holds grains, which this analysis leaves out; take them away for it');
  const { mechanics } = simulation;
  const remarks: string[] = [];
  let [t, y] = [0, Float64Array.from(simulation.state)];
  if (at === 'rest') {
    const rest = restNear(mechanics, 0, y);
    if (!('y' in rest))
      throw new ModelError('--rest', `there is no position of rest: ${rest.reason}; --at takes an instant`);
    y.set(rest.y.subarray(0, Math.min(y.length, rest.y.length)));
  } else if (at > 0) {
    simulation.advance(at);
    if (simulation.interruption !== undefined)
      throw new ModelError('--at', `the run ended before: ${simulation.interruption}`);
    [t, y] = [simulation.time, Float64Array.from(simulation.state)];
  }
  mechanics.prepare(t, y);
  const orthonormal = freeDirections(mechanics, t, y);
  const order = 2 * orthonormal.length + mechanics.system.ns;
  if (order > MOST_STATES) throw new ModelError('model', `has ${order} states; at most ${MOST_STATES} are analysed`);
  if (order === 0) throw new ModelError('model', 'nothing in it can move');
  const { nq, nv } = mechanics;
  if (mechanics.loops.kept.length > 0 && y.subarray(nq, nq + nv).some((v) => Math.abs(v) > MOVING))
    remarks.push('closed loops move at this instant: terms with their speed squared are left out of A');
  if (simulation.contacts && mechanics.pairs.length > 0)
    remarks.push('contact is as at this instant: what touches stays in touch, what does not never will');

  const { chosen, basis } = ownCoordinates(orthonormal, nv);
  const unit = (k: number): Float64Array => {
    const row = new Float64Array(nv);
    row[k] = 1;
    return row;
  };
  const projection = chosen.map(unit);
  const { a } = stateMatrix(mechanics, t, y, basis, projection);
  const sampler = new SignalSampler(model, mechanics, {
    dissipated: 0,
    supplied: 0,
    heldAtStart: 0,
    heats: new Float64Array(0),
  });
  const told = outputsFor(sampler, mechanics, outputs);
  const row = new Float64Array(sampler.descriptions.length);
  const read = (state: Float64Array): Float64Array => {
    sampler.sample(t, state, row);
    return Float64Array.from(told, (i) => row[i]);
  };
  const values = read(y);

  // C, column by column
  const c = new Float64Array(told.length * order);
  for (let column = 0; column < order; column++)
    for (const { y: moved, weight } of displacedStates(mechanics, y, basis, column)) {
      const now = read(moved);
      for (let i = 0; i < told.length; i++) c[i * order + column] += weight * (now[i] - values[i]);
    }

  // B and D: what accelerations and outputs change by when the input is switched on
  const wanted = inputsFor(mechanics, inputs);
  const m = wanted.length;
  const matrices = (rows: number): [Float64Array, Float64Array, Float64Array] => [
    new Float64Array(rows * m),
    new Float64Array(rows * m),
    new Float64Array(rows * m),
  ];
  const [b, d] = [matrices(order), matrices(told.length)];
  const rates = new Float64Array(mechanics.size);
  wanted.forEach(({ apply, derivatives, size }, column) => {
    for (let k = 0; k < derivatives; k++)
      for (const sign of [1, -1]) {
        const undo = apply(sign * size, k, t, y);
        mechanics.forgetPoses();
        mechanics.rates(t, y, rates);
        const weight = sign / (2 * size);
        chosen.forEach((v, i) => {
          b[k][(orthonormal.length + i) * m + column] += weight * rates[nq + v];
        });
        for (let i = 0; i < mechanics.system.ns; i++)
          b[k][(2 * orthonormal.length + i) * m + column] += weight * rates[nq + nv + i];
        const now = read(y);
        for (let i = 0; i < told.length; i++) d[k][i * m + column] += weight * now[i];
        undo();
        mechanics.forgetPoses();
      }
  });
  const { real, imaginary } = eigenvalues(order, Float64Array.from(a));
  return {
    t,
    atRest: at === 'rest',
    states: stateNames(mechanics, chosen),
    inputs: wanted.map(({ name, unit: inputUnit, kind }) => ({ name, unit: inputUnit, kind })),
    outputs: told.map((i) => ({ name: sampler.descriptions[i].name, unit: sampler.descriptions[i].unit ?? '' })),
    a,
    b,
    c,
    d,
    values,
    eigenvalues: Array.from(real, (re, i) => ({ real: re, imaginary: imaginary[i] })).sort(
      (p, q) => Math.hypot(p.real, p.imaginary) - Math.hypot(q.real, q.imaginary) || q.imaginary - p.imaginary,
    ),
    remarks,
  };
}

interface Applied extends LinearInput {
  /** 1, or 3 for a motion: place, speed, acceleration */
  readonly derivatives: number;
  /** By how much it is switched on: forces enter linearly, motions nearly */
  readonly size: number;
  /** Switches it on; what comes back switches it off */
  apply(size: number, derivative: number, t: number, y: Float64Array): () => void;
}

const MOTION_STEP = 1e-5;

function inputsFor(mechanics: MechanicalSystem, given: readonly string[] | undefined): Applied[] {
  const known = knownInputs(mechanics);
  if (!given || given.length === 0) {
    const joints = [...known.values()].filter(({ name }) => !/\.(?:force|torque)\.[xyz]$/.test(name));
    return joints.length > 0 ? joints : [...known.values()].slice(0, 3);
  }
  return given.map((name) => {
    const found = known.get(name);
    if (!found)
      throw new ModelError(
        '--input',
        `there is no input "${name}"${suggestion(name, [...known.keys()])}; inputs are joints in the tree, ${[...known.keys()].slice(0, 8).join(', ')} …`,
      );
    return found;
  });
}

/** Joints with their coordinate, and forces and torques on bodies at their frame, along the world's axes */
function knownInputs(mechanics: MechanicalSystem): Map<string, Applied> {
  const { system, derivatives, carriers } = mechanics;
  const known = new Map<string, Applied>();
  const isSlide = (node: number): boolean => system.tree.kind[node] === NODE.prismatic;
  for (const { name, nodes } of system.joints)
    nodes.forEach((node, i) => {
      const label = nodes.length > 1 ? `${name}[${i}]` : name;
      const motion = system.tree.motion[node];
      if (motion >= 0) {
        known.set(label, {
          name: label,
          unit: isSlide(node) ? 'm' : 'rad',
          kind: 'motion',
          derivatives: 3,
          size: MOTION_STEP,
          apply: (size, derivative) => {
            const motions = system.motions as (typeof system.motions)[number][];
            const before = motions[motion];
            motions[motion] = (t, out) => {
              before(t, out);
              out[derivative] += size;
            };
            return () => {
              motions[motion] = before;
            };
          },
        });
        return;
      }
      const velocity = Array.from({ length: derivatives.size }, (_, k) => k).filter(
        (k) => derivatives.nodeOf[k] === node,
      );
      if (velocity.length !== 1) return;
      known.set(label, {
        name: label,
        unit: isSlide(node) ? 'N' : 'N m',
        kind: 'force',
        derivatives: 1,
        size: 1,
        apply: (size) => {
          mechanics.otherDrives = new Float64Array(derivatives.size);
          mechanics.otherDrives[velocity[0]] = size;
          return () => {
            mechanics.otherDrives = undefined;
          };
        },
      });
    });
  for (const { name, anchor } of system.bodies) {
    const carrier = carriers.indexOf(anchor);
    if (carrier < 0 || carrier >= carriers.ground) continue;
    for (const [what, unit] of [
      ['force', 'N'],
      ['torque', 'N m'],
    ] as const)
      for (const [axis, letter] of ['x', 'y', 'z'].entries()) {
        const label = `${name}.${what}.${letter}`;
        known.set(label, {
          name: label,
          unit,
          kind: 'force',
          derivatives: 1,
          size: 1,
          apply: (size, _derivative, t, y) => {
            mechanics.update(t, y);
            const load = new Float64Array(carriers.load.length);
            if (what === 'torque') load[6 * carrier + axis] = size;
            else {
              // at the body's frame: force, and its moment about the carrier's point
              const r = carriers.rotation.subarray(9 * carrier, 9 * carrier + 9);
              const [px, py, pz] = anchor.position;
              const lever = [0, 3, 6].map((k) => r[k] * px + r[k + 1] * py + r[k + 2] * pz);
              const force = [0, 0, 0];
              force[axis] = size;
              for (let k = 0; k < 3; k++) {
                const [n, l] = [(k + 1) % 3, (k + 2) % 3];
                load[6 * carrier + k] = lever[n] * force[l] - lever[l] * force[n];
                load[6 * carrier + 3 + k] = force[k];
              }
            }
            mechanics.otherLoads = load;
            return () => {
              mechanics.otherLoads = undefined;
            };
          },
        });
      }
  }
  return known;
}

function outputsFor(
  { descriptions }: SignalSampler,
  { system }: MechanicalSystem,
  given: readonly string[] | undefined,
): number[] {
  const names = descriptions.map(({ name }) => name);
  if (given && given.length > 0)
    return given.map((name) => {
      const i = names.indexOf(name);
      if (i < 0) throw new ModelError('--output', `the model has no signal "${name}"${suggestion(name, names)}`);
      return i;
    });
  const joints = new Set(system.joints.map(({ name }) => name));
  const coordinates = names.flatMap((name, i) =>
    joints.has(name.replace(/\.[^.]+$/, '')) && /^(?:m|rad)$/.test(descriptions[i].unit ?? '') ? [i] : [],
  );
  if (coordinates.length > 0) return coordinates;
  return names.flatMap((name, i) => (/\.position\.[xyz]$/.test(name) ? [i] : []));
}

function stateNames(mechanics: MechanicalSystem, chosen: readonly number[]): Named[] {
  const { derivatives, system } = mechanics;
  const owners = velocityNames(mechanics);
  const labels = chosen.map((k) => {
    if (k >= derivatives.size) {
      const part = (k - derivatives.size) % 6;
      return { name: `${owners[k]}.${part < 3 ? 'shift' : 'turn'}.${'xyz'[part % 3]}`, unit: part < 3 ? 'm' : 'rad' };
    }
    const twins = owners.flatMap((owner, i) => (owner === owners[k] ? [i] : []));
    const slide = system.tree.kind[derivatives.nodeOf[k]] === NODE.prismatic;
    return {
      name: twins.length > 1 ? `${owners[k]}[${twins.indexOf(k)}]` : owners[k],
      unit: slide ? 'm' : 'rad',
    };
  });
  return [
    ...labels,
    ...labels.map(({ name, unit }) => ({ name: `${name}'`, unit: `${unit}/s` })),
    ...Array.from({ length: system.ns }, (_, k) => ({ name: `state[${k}]`, unit: '' })),
  ];
}
