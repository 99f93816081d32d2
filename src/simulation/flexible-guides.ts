/**
 * Joints that slide along a flexible body. A joint holds it where it is drawn: a block that is fixed there and slides in another body is right, a guide along which another body
 * slides is not, for the load stays on the place where it is drawn. Which of the two is meant no joint tells, so runs have a note.
 */
import type { System } from '../assembly/system.js';
import { extentsOf } from '../flexible-bodies/reduction.js';
import { quantity } from '../math/quantity.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';

/** Travel, in parts of the longest extent of the body: so far a load may shift; what goes beyond its length is no guide of that length */
const SHORT = 0.05;
const LONG = 1.05;

export function slidAlong({ flexible = [] }: System, model: Model, recording: Recording): string[] {
  return [...model.joints].flatMap(([name, joint]) => {
    if (joint.kind !== 'prismatic' && joint.kind !== 'cylindrical') return [];
    const signal = `${name}.position`;
    if (!recording.has(signal)) return [];
    const travel = recording.signal(signal).values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    return [joint.body, joint.to ?? ''].flatMap((body) => {
      const pieces = flexible.filter((plan) => plan.body === body);
      if (pieces.length === 0) return [];
      const length = pieces.reduce(
        (sum, { part }) => sum + Math.max(...extentsOf(part.mesh.points, part.kind === 'plane' ? 2 : 3)),
        0,
      );
      if (!(travel > SHORT * length && travel < LONG * length)) return [];
      return [
        `joints.${name} slides by up to ${quantity(travel, 'm')}, and holds the flexible "${body}" where it is drawn: right for a block that slides in another body; if "${body}" is ` +
          'the guide, its load stays at that place however far the other has gone: let them touch in place of the joint',
      ];
    });
  });
}
