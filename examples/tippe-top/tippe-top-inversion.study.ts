// When a tippe top's axis is level on its way up, over its spin and the friction: a map. NaN where it has not come so far in 4 s.
// npx tippetop study run tippe-top-inversion
import { study } from 'tippetop';

export default study({
  title: 'Tippe top: time to level over spin and friction',
  model: 'tippe-top.model.ts',
  parameters: {
    spin: { from: 100, to: 260, steps: 5 },
    friction: { from: 0.1, to: 0.5, steps: 5 },
  },
  design: { kind: 'grid' },
  outputs: {
    // the centre of mass is as high as the centre of the sphere, less the 18 µm it sinks in
    level: "crossing('top.position.z', 0.014982)",
    highest: "max('top.position.z')",
  },
  simulation: { stop: 4, interval: 0.004, rtol: 1e-6 },
});
