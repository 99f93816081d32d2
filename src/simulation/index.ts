/** Running a model: all at once with `simulate`, or step by step with a `Simulation`. */
export { Simulation, type SimulationOptions, simulate } from './simulation.js';
