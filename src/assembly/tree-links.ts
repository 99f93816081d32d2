/**
 * Which joints may hang bodies on the tree and which may close its loops: a joint that closes one has no coordinate, so nothing can act along it or set it.
 */
import { ModelError } from '../errors.js';
import type { Joint } from '../model/joints.js';
import { GROUND, type Model } from '../model/model.js';
import { ROWS_IF_CUT } from './joint-chains.js';
import type { Link } from './spanning-tree.js';

/** The joints of a model, as the spanning tree is chosen by them */
export function treeLinks(model: Model): Link[] {
  const geared = new Set(
    [...model.constraints.values()].flatMap((constraint) => (constraint.kind === 'gear' ? constraint.joints : [])),
  );
  const switched = new Set(
    [...model.events.values()].flatMap(({ release, attach }) => [release ?? [], attach ?? []].flat()),
  );
  return [...model.joints].map(([name, joint]) => ({
    name,
    body: joint.body,
    to: joint.to === undefined || model.bodies.get(joint.to)?.fixed ? GROUND : joint.to,
    rows: ROWS_IF_CUT[joint.kind],
    needsCoordinates: geared.has(name) || needsCoordinates(joint),
    startGiven: startOf(joint) !== undefined,
    switched: switched.has(name),
  }));
}

/** Something acts along the joint's coordinate or sets it; a screw couples two coordinates and has no rows of its own. */
const ACTING = [
  'spring',
  'damping',
  'stops',
  'friction',
  'motor',
  'torque',
  'force',
  'speed',
  'angle',
  'position',
] as const;
const needsCoordinates = (joint: Joint): boolean =>
  joint.kind === 'screw' || ACTING.some((key) => (joint as Readonly<Record<string, unknown>>)[key] !== undefined);

/** The first `initial…` that a joint is given. */
const startOf = (joint: Joint): string | undefined =>
  Object.entries(joint).find(([key, value]) => key.startsWith('initial') && value !== undefined)?.[0];

/** @throws ModelError if a joint that closes a loop has something that only joints of the tree can have */
export function refuseCut(name: string, joint: Joint, model: Model): void {
  const geared = [...model.constraints].find(([, given]) => given.kind === 'gear' && given.joints.includes(name));
  const start = startOf(joint);
  if (!geared && !needsCoordinates(joint) && start)
    throw new ModelError(
      `joints.${name}.${start}`,
      'this joint closes a loop whose other joints all have a start, a force or a motion of their own, or is switched by an event: ' +
        'it starts where the others put it; give the start to joints of the loop that are enough to tell it',
    );
  if (!geared && !needsCoordinates(joint)) return;
  throw new ModelError(
    `joints.${name}`,
    'closes a loop whose other joints all have forces, motions or gears of their own, or is switched by an event; ' +
      'one joint of each loop must be a plain one, for it has no coordinate to act on',
  );
}

/** A joint that an event makes take hold starts open, unless one before that lets it go; before: by time, or as written if a condition decides. */
export function startsOpen(name: string, model: Model): boolean {
  const switching = [...model.events.values()].filter(({ release, attach }) =>
    [release ?? [], attach ?? []].flat().includes(name),
  );
  if (switching.every(({ at }) => at !== undefined)) switching.sort((a, b) => a.at! - b.at!);
  return [switching[0]?.attach ?? []].flat().includes(name);
}
