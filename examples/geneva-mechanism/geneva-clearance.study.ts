// The play of a Geneva drive: a wide slot is cheap to make, but the pin crosses it and hits. Clearance, which is to be large, against peak force.
// npx tippetop study run geneva-clearance
import { study } from 'tippetop';

export default study({
  title: 'Geneva mechanism: clearance against peak force',
  model: 'geneva-mechanism.model.ts',
  parameters: {
    play: { from: 0.002, to: 0.02, scale: 'log' },
    lockPlay: { from: 0.011, to: 0.04, scale: 'log' }, // more than half of play, or disc and wheel jam
    speed: 2,
    start: 100, // the pin enters at 120
  },
  search: { kind: 'nsga-ii', population: 16, generations: 6 },
  outputs: {
    clearance: { value: '20 * play', unit: 'mm' }, // slot width less pin diameter, at a radius of 20 mm
    peak: "max('contacts.wheel-drive.force')",
  },
  objective: [{ maximise: 'clearance' }, { minimise: 'peak' }],
  simulation: { stop: 0.25, interval: 1e-5 }, // rows every 0.1 ms would miss 5 % of a blow's peak
});
