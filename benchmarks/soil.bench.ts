// A wheel of 15 cm rolled at 20 % slip, 2 cm deep: what one force costs on grids of 10, 5 and 2.5 mm, each at a new place, so that the wheel is drawn into the grid anew;
// what a step costs, in which the soil yields to it and, 50 times a second, flows; and a force by TerRA, which has no grid and nothing to yield.
// Whole rovers on grids of 10 mm, per simulated second: below 1 s they are faster than real time.
import { type Recording, simulate } from 'tippetop';
import pointTurn from '../examples/mmx-rover/mmx-rover.model.js';
import rockerBogie from '../examples/rocker-bogie/rocker-bogie.model.js';
import { rolledWheel, type SoilRig } from '../src/contact/soil/rigs.js';
import { SoilDerivative } from '../src/contact/soil/soil-derivative.js';
import { SoilWrench } from '../src/contact/soil/soil-grid.js';
import { sinkageModulus } from '../src/contact-laws/soil/pressure-sinkage.js';
import { terraFrom, terraWheel } from '../src/contact-laws/soil/terra.js';
import { cylinder } from '../src/geometry/primitives.js';
import { rotate } from '../src/geometry/transform.js';
import { SOILS } from '../src/model/soil-library.js';
import { benchmark } from './harness.js';

const size = { radius: 0.15, width: 0.1 };
const soil = { ...SOILS['sand-azimi'], elasticStiffness: 1e9 };
const numbers = terraFrom(soil, size, sinkageModulus(soil, size.width));
const terra = terraWheel(numbers, soil, size, 9.81);
/** As tuning leaves it: slip sinkage with a power that is not 1 */
const tuned = terraWheel({ ...numbers, sinkPower: 0.83, sinkSlope: 0.4 }, soil, size, 9.81);

interface Scene {
  readonly rig: SoilRig;
  /** Mean of the force out of the ground while the wheel passed four nodes, N */
  readonly mean: number;
  readonly out: SoilWrench;
  readonly derivative: SoilDerivative;
}
/** Force out of the ground, N; and nodes that carried it */
interface Carried {
  readonly load: number;
  readonly nodes: number;
}

/** A nanometre up and down: another place, hardly another force. (A micrometre up lets go 1 kPa of the 18 that soil of 1e9 Pa/m carries, 8 % of the force.) */
let moves = 0;
function moveOn({ motion: { position } }: SoilRig): void {
  position[2] += moves++ % 2 === 0 ? 1e-9 : -1e-9;
}

const INTEGRAL = 102.311;
/** N: and ⅔ b σ √(2 r σ/Ke) behind the lowest line, where soil that carried σ springs back */
const lowest = soil.kphi! * 0.02 ** soil.n;
const EXACT = INTEGRAL + (2 / 3) * size.width * lowest * Math.sqrt((2 * size.radius * lowest) / soil.elasticStiffness);

const motion = { sinkage: 0.02, sinking: 0, forward: 0.08, sideways: 0, rim: 0.1, uphill: 0 };
const states = Float64Array.of(0.019, 0, 0.01, 0.8);
const rates = new Float64Array(4);
const loads = { load: 0, along: 0, across: 0, drive: 0, roll: 0 };

benchmark('soil-wheel', {
  source:
    'Wong–Reece integral with the shear of soil points and what springs back behind the wheel: 105.08 N at 20 mm; one force for each variant. The error of the grid is that of the mean on the way to the next node but three; the note tells that of the place timed',
  unit: 'force',
  sizes: [100, 50, 25], // tenths of a millimetre between nodes
  prepare: (tenths: number): Scene => {
    const upright = cylinder({ radius: size.radius, height: size.width, segments: 360 });
    const { mesh } = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, upright);
    const options = { soil, spacing: 1e-4 * tenths };
    const { rig, load } = rolledWheel(mesh, { radius: size.radius, sinkage: 0.02, slip: 0.2 }, options, {
      sideFaces: false,
    });
    return { rig, mean: load, out: new SoilWrench(), derivative: new SoilDerivative() };
  },
  run: {
    grid: ({ rig, out }): Carried => {
      moveOn(rig);
      rig.grid.evaluate(rig.object, rig.motion, out);
      return { load: out.force[2], nodes: out.nodes };
    },
    'grid with derivatives': ({ rig, out, derivative }): Carried => {
      moveOn(rig);
      rig.grid.evaluate(rig.object, rig.motion, out, derivative);
      return { load: out.force[2], nodes: out.nodes };
    },
    'grid, a step of 1 ms': ({ rig, out }): Carried => {
      moveOn(rig);
      rig.grid.evaluate(rig.object, rig.motion, out);
      rig.accept();
      if (moves % 20 === 0) rig.grid.settle();
      return { load: out.force[2], nodes: out.nodes };
    },
    TerRA: (): Carried => {
      terra.evaluate(motion, states, rates, loads);
      return { load: loads.load, nodes: 0 }; // not tuned: its error is that of its defaults
    },
    'TerRA, tuned': (): Carried => {
      tuned.evaluate(motion, states, rates, loads);
      return { load: loads.load, nodes: 0 };
    },
  },
  work: () => 1,
  error: ({ load, nodes }, { mean }) => Math.abs(nodes > 0 ? mean / EXACT - 1 : load / INTEGRAL - 1),
  note: ({ load, nodes }) => (nodes > 0 ? `${nodes} nodes; here ${(100 * (load / EXACT - 1)).toFixed(1)} %` : ''),
});

for (const [name, seconds, make] of [
  ['soil-rover/point-turn', 20, () => pointTurn({ grousers: 0, spacing: 0.01 })],
  ['soil-rover/rocker-bogie', 4, () => rockerBogie({ spacing: 0.01 })],
] as const)
  benchmark(name, {
    source:
      'examples mmx-rover (four smooth wheels) and rocker-bogie (six wheels over rocks) on a grid of 10 mm; the error is that of the energy ledger',
    unit: 'simulated second',
    sizes: [seconds],
    rounds: 3,
    prepare: make,
    run: (model): Recording => simulate(model, { stopTime: seconds }),
    work: () => seconds,
    error: ({ trust }) => Math.abs(trust.energy?.relativeError ?? 1),
    note: ({ trust }) => `${trust.steps?.accepted ?? 0} steps; real time is 1 s`,
  });
