/**
 * Stress under a ball that presses on a flexible solid. Its force is spread over the faces around nodes, and Hertz's spot may be far smaller than these: what is beneath it,
 *
 *   σ = 0.62 p₀      von Mises on the axis at ν = 0.3, p₀ the pressure in the middle (Johnson, Contact Mechanics, § 3.4)
 *
 * is in no stress of a run. One note, of the highest.
 */
import type { System } from '../assembly/system.js';
import { quantity } from '../math/quantity.js';
import type { Recording } from '../results/recording.js';
import type { Doubts } from './strain-range.js';

const BENEATH = 0.62;

export function pressedSpots({ elements, flexible = [] }: System, recording: Recording): Doubts {
  let most = 0;
  let note = '';
  let count = 0;
  for (const element of elements) {
    if (element.kind !== 'flexibleContact' || element.form?.kind !== 'ball') continue;
    const solid = flexible.find(({ body, part }) => part.kind === 'solid' && element.carrierNames.includes(body));
    const [pressure, stress] = [`${element.name}.pressure`, `${solid?.body}.stress.largest`].map((name) =>
      recording.has(name) ? recording.signal(name).values.reduce((sum, value) => Math.max(sum, value), 0) : 0,
    );
    if (!solid || !(BENEATH * pressure > stress)) continue;
    count++;
    if (pressure <= most) continue;
    most = pressure;
    note =
      `${element.name.slice('contacts.'.length)}: pressed with up to ${quantity(pressure, 'Pa', 2)} (Hertz), which stresses "${solid.body}" beneath by some ${quantity(BENEATH * pressure, 'Pa', 2)} in a spot ` +
      `that its mesh does not resolve; that is not in the ${quantity(stress, 'Pa', 2)} that are told`;
  }
  const others = count > 1 ? ` (nor of ${count - 1} other contact${count > 2 ? 's' : ''} with balls)` : '';
  return { doubtful: [], notes: count > 0 ? [note + others] : [] };
}
