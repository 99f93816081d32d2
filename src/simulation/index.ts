/** Running a model: all at once with `simulate`, or step by step with a `Simulation`. */
export { pageWorkers } from '../grains/page-workers.js';
export { Simulation, type SimulationOptions, type Snapshot, simulate } from './simulation.js';
