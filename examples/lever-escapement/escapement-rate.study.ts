// A watch by its balance: rate, amplitude and driving torque from a noisy record of the balance's angle over four beats.
// npx tippetop study run escapement-rate
import { study } from 'tippetop';

export default study({
  title: 'Lever escapement: amplitude and rate from a noisy record',
  model: 'lever-escapement.model.ts',
  parameters: {
    beats: { from: 28000, to: 29600, start: 28600 }, // an hour
    amplitude: { from: 240, to: 320, start: 290 }, // degrees
    torque: { from: 0.6e-6, to: 2.4e-6, start: 1e-6 },
  },
  // steps of contact differ from run to run: differences must be large beside that, and 1 % of what noise leaves open is near enough
  search: { kind: 'levenberg-marquardt', difference: 2e-3, tolerance: 0.01 },
  measurements: {
    file: 'balance.csv',
    signals: { 'balanceStaff.angle': { column: 'angle', deviation: 0.02 } },
  },
  outputs: { period: "period('balanceStaff.angle')", swing: "max('balanceStaff.angle')" },
  simulation: { rtol: 1e-5 },
});
