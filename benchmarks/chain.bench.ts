// Forward dynamics of a chain of bodies on revolute joints with skew axes: poses, velocities and the articulated-body sweeps.
// The error is that of inverse dynamics on what came out.
import { NODE, type System } from '../src/assembly/system.js';
import { MechanicalSystem } from '../src/dynamics/index.js';
import { alongJoints, jointWrenches, nodeAccelerations } from '../src/dynamics/tree/inverse-dynamics.js';
import { cProgram } from './c-program.js';
import { benchmark } from './harness.js';

interface Scene {
  readonly mechanics: MechanicalSystem;
  readonly y: Float64Array;
  readonly rates: Float64Array;
  /** Changes from call to call, for poses that are there already are not computed again */
  time: number;
}

benchmark('chain', {
  source: 'the evaluation every joint tree costs at every stage of every step',
  unit: 'body',
  sizes: [20, 10, 100, 1000, 10_000],
  prepare(count): Scene {
    const system = chain(count);
    const mechanics = new MechanicalSystem(system);
    return { mechanics, y: system.initial, rates: new Float64Array(mechanics.size), time: 0 };
  },
  run(scene) {
    const { mechanics, y, rates } = scene;
    scene.time = 1 - scene.time;
    mechanics.rates(scene.time, y, rates);
    return rates;
  },
  work: (_, { mechanics }) => mechanics.nv,
  error: (rates, scene) => inverseError(scene, rates),
  ratios: {
    C: cProgram<Scene>({
      file: 'chain.c',
      input: ({ mechanics: { system, nv }, y }) => {
        const { tree } = system;
        const header = Float64Array.of(nv);
        return Buffer.concat(
          [header, tree.axis, tree.position, tree.mass, tree.centre, tree.inertia, y].map(
            (part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
          ),
        );
      },
      // Its accelerations against inverse dynamics too
      error: (results, scene) => {
        const rates = scene.rates.slice();
        results.forEach((a, i) => {
          rates[scene.mechanics.nq + i] = a;
        });
        return inverseError(scene, rates);
      },
    }),
  },
});

/** Largest joint torque left over, relative to the largest torque in the chain. */
function inverseError({ mechanics, y }: Scene, rates: Float64Array): number {
  mechanics.rates(0, y, new Float64Array(mechanics.size)); // poses, velocities and loads at y
  const { kinematics, nq, nv, system } = mechanics;
  const acceleration = new Float64Array(6 * system.tree.count);
  const wrench = new Float64Array(6 * system.tree.count);
  const torque = new Float64Array(nv);
  nodeAccelerations(kinematics, rates, nq, acceleration);
  jointWrenches(kinematics, acceleration, rates, nq, wrench);
  alongJoints(kinematics, wrench, torque);
  const largest = (values: Float64Array): number => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return largest(torque) / largest(wrench);
}

/** Links of 1 m, 1 kg; axes, shapes and states vary along the chain. */
function chain(count: number): System {
  const each = <Kind extends Float64Array | Int32Array | Uint8Array>(
    out: Kind,
    width: number,
    entry: (i: number) => readonly number[],
  ): Kind => {
    for (let i = 0; i < count; i++) out.set(entry(i), width * i);
    return out;
  };
  const initial = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    initial[i] = Math.sin(3 * i + 1);
    initial[count + i] = Math.cos(5 * i) / (1 + 0.1 * i);
  }
  return {
    nq: count,
    nv: count,
    ns: 0,
    tree: {
      count,
      parent: each(new Int32Array(count), 1, (i) => [i - 1]),
      kind: each(new Uint8Array(count), 1, () => [NODE.revolute]),
      q: each(new Int32Array(count), 1, (i) => [i]),
      v: each(new Int32Array(count), 1, (i) => [i]),
      motion: new Int32Array(count).fill(-1),
      axis: each(new Float64Array(3 * count), 3, (i) => {
        const [x, y, z] = [Math.sin(i), Math.cos(2 * i), 1];
        const length = Math.sqrt(x * x + y * y + z * z);
        return [x / length, y / length, z / length];
      }),
      pitch: new Float64Array(count),
      position: each(new Float64Array(3 * count), 3, (i) => (i === 0 ? [0, 0, 0] : [1, 0, 0])),
      rotation: each(new Float64Array(9 * count), 9, () => [1, 0, 0, 0, 1, 0, 0, 0, 1]),
      mass: new Float64Array(count).fill(1),
      centre: each(new Float64Array(3 * count), 3, (i) => [0.5, 0.05 * Math.sin(i), 0]),
      inertia: each(new Float64Array(6 * count), 6, () => [0.02, 0.09, 0.1, 0.001, 0.002, 0.003]),
    },
    free: { count: 0, mass: new Float64Array(0), inertia: new Float64Array(0) },
    motions: [],
    constraints: [],
    gravity: { kind: 'uniform', acceleration: [0, 0, -9.81] },
    bodies: [],
    joints: [],
    elements: [],
    initial,
    fixedInitially: new Uint8Array(2 * count),
  };
}
