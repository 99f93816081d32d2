// The Swiss lever escapement with a lever that deforms: a tooth of the escape wheel strikes its stone, the fork rings, and the stress runs
// through the lever. Elmqvist et al. (2015), §9.3.
// npx tippetop run examples/flexible-escapement --flexible none
import escapement from '../lever-escapement/lever-escapement.model.js';

export default async ({
  flexible = 'lever' /* none: rigid, for comparison; both: the escape wheel deforms, too */,
  modes = 4 /* of each part that deforms */,
  torque = 1.3e-6 /* N m on the escape wheel */,
  amplitude = 280 /* degrees of the balance at the start */,
  friction = 0.12,
} = {}) => {
  const watch = await escapement({ flexible, modes, torque, amplitude, friction, outline: 'traced' });
  // a beat and a bit
  return { ...watch, simulation: { ...watch.simulation, stop: 0.13, interval: 1e-4 } };
};
