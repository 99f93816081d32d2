/**
 * Numbers of flexible parts that are legal and most likely a slip of the pen: a damping ratio in percent, a modulus in MPa or a density in g/cm³ (told by the speed of sound), and a field of
 * gravity that changes along a part, which deforms under that of its centre.
 */
import type { Gravity, System } from '../assembly/system.js';
import { quantity } from '../math/quantity.js';
import { norm, sub, type Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { slenderness } from './strain-range.js';

/** m/s, √(E/ρ): diamond has 18 000; slower than the second, in what is as dense as metal, only a modulus in MPa or GPa is */
const FASTEST = 2e4;
const SLOW = 20;
/** kg/m³; soft things are as dense as water, loaded rubber twice */
const METAL = 2500;

/** Of the field itself: a change over half a part that is worth a note */
const CHANGES = 0.01;

export function oddParts({ flexible = [], gravity }: System, model: Model, recording: Recording): string[] {
  const notes: string[] = [];
  for (const plan of flexible) {
    const { name, body, part } = plan;
    // one of the pieces speaks for all
    if (plan !== flexible.find((other) => other.body === body)) continue;
    const { youngsModulus, density } = part.material;
    const sound = Math.sqrt(youngsModulus / density);
    if (sound > FASTEST || (sound < SLOW && density > METAL))
      notes.push(
        `${name}: sound runs through it at ${quantity(sound, 'm/s', 2)}, ${sound > FASTEST ? 'faster than through any solid' : 'slower than through jelly'}; ` +
          `is its youngsModulus in Pa (it is ${quantity(youngsModulus, 'Pa', 3)}), its density in kg/m³ (${density})?`,
      );
    const options = model.bodies.get(body)?.flexible;
    const damping = typeof options === 'object' ? (options.damping ?? 0) : 0;
    if (damping >= 1)
      notes.push(`${name}: flexible.damping is ${damping} times critical, so that nothing of it swings; 2 % are 0.02`);
    const change = changeAlong(gravity, body, slenderness(plan).length, recording);
    if (change > CHANGES)
      notes.push(
        `${name}: gravity changes by ${(100 * change).toPrecision(2)} % over half its length, and deforms it as if it were everywhere that of its centre of mass; ` +
          'cut it into substructures, or draw it as several bodies',
      );
  }
  return notes;
}

/** Largest over the run of |g(x ± L/2 e) − g(x)|/|g(x)| along the axes e; of a field of a user's own, others change too little to be seen */
function changeAlong(gravity: Gravity, body: string, length: number, recording: Recording): number {
  const signals = ['x', 'y', 'z'].map((axis) => `${body}.position.${axis}`);
  if (gravity.kind !== 'field' || !signals.every((signal) => recording.has(signal))) return 0;
  const places = signals.map((signal) => recording.signal(signal).values);
  const rows = recording.times.length;
  let most = 0;
  for (let k = 0; k < INSTANTS && k < rows; k++) {
    const row = Math.floor((k * (rows - 1)) / Math.max(1, Math.min(INSTANTS, rows) - 1));
    const at: Vec3 = [places[0][row], places[1][row], places[2][row]];
    const here = gravity.field(at);
    for (let axis = 0; axis < 3; axis++)
      for (const way of [-0.5, 0.5]) {
        const there: [number, number, number] = [at[0], at[1], at[2]];
        there[axis] += way * length;
        const change = norm(sub(gravity.field(there), here));
        if (change > 0) most = Math.max(most, change / Math.max(norm(here), change));
      }
  }
  return most;
}
const INSTANTS = 20;
