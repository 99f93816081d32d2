/**
 * Rigid bodies far softer than the flexible part that they touch. Such a contact has the stiffness of the part that deforms, 20 E per side in series with its
 * local compliance, and nothing of the other: rubber strikes as hard as what it strikes. (Balls on solids are not of these: theirs is Hertz's, of both materials.)
 */
import type { System } from '../assembly/system.js';
import { quantity } from '../math/quantity.js';
import type { Material } from '../model/material.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';

/** So many times as soft, and the local compliance is that of the rigid one to a tenth */
const SOFT = 10;

/** One note, of the softest that touched. */
export function softPartners(system: System, model: Model, recording: Recording): string[] {
  let note: string | undefined;
  let most = SOFT;
  for (const plan of system.elements) {
    if (plan.kind !== 'flexibleContact' || plan.flexible[1] !== undefined || plan.form?.kind === 'ball') continue;
    const [part, other] = plan.bodies;
    const [own, theirs] = [give(model.bodies.get(part)?.material), give(model.bodies.get(other)?.material)];
    const points = `${plan.name}.points`;
    if (!(theirs > most * own) || !(recording.has(points) && recording.signal(points).max() > 0)) continue;
    most = theirs / own;
    note =
      `contact of "${part}" with "${other}", which is rigid: it has the stiffness of "${part}" (${quantity(1 / own, 'Pa', 2)}) and not that of the softer "${other}" ` +
      `(${quantity(1 / theirs, 'Pa', 2)}), so that blows are harder and shorter than they would be; make "${other}" flexible, too, where they matter`;
  }
  return note === undefined ? [] : [note];
}

/** (1 − ν²)/E, 1/Pa; nothing where no modulus is known */
const give = ({ youngsModulus, poissonRatio = 0.3 }: Partial<Material> = {}): number =>
  youngsModulus === undefined ? 0 : (1 - poissonRatio * poissonRatio) / youngsModulus;
