/**
 * What only some models need of a program: a run is handed it, so that a page whose models are a few rigid bodies need not load grains, soils and finite elements.
 * `simulate` and `Simulation` have all of it; `simulationWith` has what it is given, and refuses a model that needs more, by name.
 */
import { FLEXIBLE, type FlexibleAssembly } from '../assembly/assemble.js';
import { withSoils } from '../contact/soil/soil-bed.js';
import { grainLoads } from '../grains/grain-coupling.js';
import { grainPlan } from '../grains/grain-plan.js';
import { CYLINDERS, EXTRUSIONS, MESHES, type Routes, SURFACES } from '../narrow-phase/routing/routes.js';
import { ConvexSteps, timeSteppingFor } from './convex-steps.js';
import { flexibleDoubts } from './flexible-doubts.js';
import { GrainRun } from './grain-run.js';

export interface Stages extends Routes {
  readonly soils?: typeof withSoils;
  readonly grains?: {
    readonly plan: typeof grainPlan;
    readonly loads: typeof grainLoads;
    run(...of: ConstructorParameters<typeof GrainRun>): GrainRun;
  };
  readonly flexibleBodies?: { readonly assembly: FlexibleAssembly; readonly doubts: typeof flexibleDoubts };
  readonly timeStepping?: {
    readonly stepping: typeof timeSteppingFor;
    steps(...of: ConstructorParameters<typeof ConvexSteps>): ConvexSteps;
  };
}

/** Soft ground: `model({ soils })` */
export const soils: Required<Pick<Stages, 'soils'>> = { soils: withSoils };
/** Grains: `model({ grains })` */
export const grains: Required<Pick<Stages, 'grains'>> = {
  grains: { plan: grainPlan, loads: grainLoads, run: (...of) => new GrainRun(...of) },
};
/** Bodies that deform: `body({ flexible })` */
export const flexibleBodies: Required<Pick<Stages, 'flexibleBodies'>> = {
  // no spread: bundlers keep what one reads, whether a page needs it or not
  flexibleBodies: { assembly: FLEXIBLE, doubts: flexibleDoubts },
};
/** `integrator: 'time-stepping'` */
export const timeStepping: Required<Pick<Stages, 'timeStepping'>> = {
  timeStepping: { stepping: timeSteppingFor, steps: (...of) => new ConvexSteps(...of) },
};
/** Contact of shapes that are not convex, and of a ball with any mesh */
export const meshes: Required<Pick<Stages, 'meshes'>> = MESHES;
/** Contact of extrusions that stay in one plane, arcs among them; with `meshes` */
export const extrusions: Required<Pick<Stages, 'meshes' | 'extrusions'>> = EXTRUSIONS;
/** Contact of cylinders and capsules with convex solids and each other */
export const cylinders: Required<Pick<Stages, 'cylinders'>> = CYLINDERS;
/** `contact: { surfaces }`: idealized surfaces */
export const surfaces: Required<Pick<Stages, 'surfaces'>> = SURFACES;

/** All that a model may need; a function, so that a program that does not call it need not have it */
export const allStages = (): Required<Stages> => ({
  ...soils,
  ...grains,
  ...flexibleBodies,
  ...timeStepping,
  ...extrusions,
  ...cylinders,
  ...surfaces,
});
