/**
 * A machine with degrees of freedom among rigid grains: bodies on joints, with loops, springs, motors. Grains make steps of their own against a prediction of the bodies they
 * touch; the machine then takes one step under what they did to it (grains/grain-coupling.ts), as it does among spheres.
 */
import { assemble } from '../assembly/assemble.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { GrainCoupling, grainLoads, type TouchedWalls } from '../grains/grain-coupling.js';
import type { GrainLoad } from '../grains/grain-load.js';
import type { RigidGrains } from '../grains/polyhedra/rigid-grains.js';
import type { WallPose } from '../grains/wall-arrays.js';
import type { IntegratorName } from '../integration/method-name.js';
import type { Statistics } from '../integration/statistics.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { SignalDescription } from '../results/recording.js';
import { integrationFor } from './integration-for.js';
import { MachineSteps } from './machine-steps.js';
import { GRAINS } from './rigid-grain-plan.js';
import { SignalSampler } from './signals.js';
import { DEFAULT_TOLERANCE, type SimulationOptions } from './simulation-options.js';

/** Steps of the grains in one of the machine, at first and at most */
const FIRST_SUBSTEPS = 4;
const MOST_SUBSTEPS = 32;

interface Timing {
  readonly stopTime: number;
  /** s between rows */
  readonly interval: number;
  readonly statistics: Statistics;
  /** Steps of the grains that are left until the next row */
  readonly left: () => number;
  /** Told after each step of the grains */
  readonly stepped: () => void;
}

export class RigidGrainMachine {
  readonly mechanics: MechanicalSystem;
  readonly steps: MachineSteps;
  private readonly coupling: GrainCoupling;
  private readonly sampler: SignalSampler;
  private substeps = FIRST_SUBSTEPS;
  /** Greatest distance between a prediction of the machine and what it did, m */
  greatestJump = 0;

  /**
   * @param machine the model without its grains
   * @param walls bodies of the machine that grains touch: name, number among the grains' bodies, farthest point from its origin, m
   * @param smallest radius of a grain, m
   */
  constructor(
    machine: Model,
    private readonly grains: RigidGrains,
    walls: readonly { readonly name: string; readonly body: number; readonly farthest: number }[],
    smallest: number,
    options: SimulationOptions,
    private readonly timing: Timing,
  ) {
    const system = assemble(machine);
    let loads: readonly GrainLoad[] = [];
    const names = walls.map(({ name }) => name);
    const rtol = options.rtol ?? machine.simulation.rtol ?? DEFAULT_TOLERANCE;
    this.mechanics = new MechanicalSystem(system, {
      held: ({ carriers }) => (loads = grainLoads(system, carriers, names)),
      tolerance: { relative: rtol, contact: 1e-2 },
    });
    const y = new Float64Array(this.mechanics.size);
    y.set(system.initial);
    initialise(this.mechanics, 0, y);
    this.coupling = new GrainCoupling(this.mechanics, touched(grains, walls), loads);
    const { stopTime, interval, statistics } = timing;
    // The step is that of the grains; a machine among them needs a method that is stable whatever its drives are
    const { step: _, ...others } = options;
    const { step: __, ...simulation } = machine.simulation;
    const asked = others.integrator ?? simulation.integrator;
    const integrate = integrationFor(
      { ...machine, simulation },
      { ...others, integrator: asked === undefined || asked === GRAINS ? 'rodas4p' : (asked as IntegratorName) },
      { rtol, interval, stopTime, statistics },
    );
    this.steps = new MachineSteps(
      {
        mechanics: this.mechanics,
        contacts: undefined,
        heat: undefined,
        rtol,
        interval,
        integrate,
        stepped: () => {},
        committed: () => {},
      },
      y,
    );
    this.sampler = new SignalSampler(machine, this.mechanics, this.steps.ledger);
    const limit = 1e-2 * smallest;
    this.steps.grains = {
      get nextTime() {
        return stepsUntil() * grains.step;
      },
      advance: (until, state) => this.advance(until, state),
      correct: (t, state) => {
        this.coupling.correct(t, state);
        const { jump } = this.coupling;
        this.greatestJump = Math.max(this.greatestJump, jump);
        if (jump > 1e-3 * limit) this.substeps = Math.max(1, this.substeps >> 1);
        else if (jump < 1e-4 * limit) this.substeps = Math.min(MOST_SUBSTEPS, 2 * this.substeps);
      },
      get atRow() {
        return timing.left() === 0;
      },
      book: undefined,
      close: () => {},
    };
    const stepsUntil = (): number => grains.counts.steps + Math.min(this.substeps, Math.max(1, timing.left()));
    this.steps.watch([]);
    this.coupling.place(0, this.steps.state);
  }

  /** Bodies are where the machine has them; after forces were found for the first time */
  begin(): void {
    this.coupling.place(this.steps.time, this.steps.state);
  }

  get descriptions(): readonly SignalDescription[] {
    return this.sampler.descriptions;
  }

  /** One step of the machine, and those of the grains in it */
  step(): void {
    this.steps.step(this.timing.stopTime, []);
    this.steps.commit();
  }

  private advance(until: number, y: Float64Array): void {
    const { coupling, grains, timing } = this;
    const h = grains.step;
    const count = Math.round(until / h) - grains.counts.steps;
    const from = this.steps.time;
    coupling.predict(from, y, until - from);
    for (let k = 0; k < count; k++) {
      coupling.move(h);
      grains.advance(1);
      coupling.take(h, k * h, (k + 1) * h);
      timing.stepped();
    }
    coupling.hold(from, until - from, false);
  }

  /** Signals of the machine into the row, from its start on */
  record(row: Float64Array): void {
    const { steps, sampler } = this;
    steps.ledger.at(steps.time);
    sampler.sample(steps.time, steps.state, row);
  }

  /** Done so far on grains by bodies of the machine, J */
  get supplied(): number {
    return -this.coupling.done;
  }

  snapshot(): Record<string, Float64Array> {
    return {
      ...this.steps.snapshot(),
      coupling: Float64Array.of(this.substeps, this.greatestJump, this.coupling.done),
    };
  }

  restore(t: number, arrays: Checkpoint['arrays']): void {
    this.steps.restore(t, arrays, []);
    [this.substeps, this.greatestJump, this.coupling.done] = arrays.coupling;
    this.coupling.place(t, this.steps.state);
  }
}

/** Rigid grains as the coupling sees them */
function touched(
  grains: RigidGrains,
  walls: readonly { readonly name: string; readonly body: number; readonly farthest: number }[],
): TouchedWalls {
  const perMass = new Float64Array(walls.length);
  return {
    walls,
    placeWall: (wall: number, pose: WallPose) => grains.place(walls[wall].body, pose, perMass[wall]),
    giveWay(wall, given, mobility) {
      perMass[wall] = given;
      grains.arrays.mobilities.view.set(mobility, 36 * walls[wall].body);
    },
    wrenchOn(wall, out) {
      const { body } = walls[wall];
      grains.wrench(body, out);
      // About the world's origin
      const x = grains.arrays.positions.view;
      for (let k = 0; k < 3; k++) {
        const [m, n] = [(k + 1) % 3, (k + 2) % 3];
        out[3 + k] += x[4 * body + m] * out[n] - x[4 * body + n] * out[m];
      }
      return out;
    },
  };
}
