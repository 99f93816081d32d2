/** Running a model: all at once with `simulate`, or step by step with a `Simulation`; with `simulationWith` by a program that has only what its models need. */
export { pageWorkers } from '../grains/page-workers.js';
export {
  Simulation,
  type SimulationOptions,
  type Snapshot,
  type StagedSimulation,
  simulate,
  simulationWith,
} from './simulation.js';
export {
  cylinders,
  extrusions,
  flexibleBodies,
  grains,
  meshes,
  type Stages,
  soils,
  surfaces,
  timeStepping,
} from './stages.js';
