/** A solid of the sketch goes into the scene, as a new body or in place of the one it made before. */
import { ModelError } from '../../errors.js';
import type { Command } from '../commands/command.js';
import { checkName, freeName, isRecord, withElement } from '../commands/elements.js';
import { type StudioDocument, sceneModel, withModel } from '../document/document.js';
import { EMPTY_SKETCH, type Sketch } from '../document/sketch.js';
import { bodyOf, type SolidChoice } from './solid.js';

/** The sketch of a name; an empty one where there is none. */
export const sketchOf = (document: StudioDocument, name: string): Sketch =>
  Object.hasOwn(document.sketches, name) ? document.sketches[name] : EMPTY_SKETCH;

export interface PutArgs {
  /** Of the sketch */
  readonly name: string;
  readonly choice: SolidChoice;
  /** Of the body; without it the body that this sketch made before is made anew */
  readonly body?: string;
}

/** The body that a sketch made, or will make. */
export function bodyNameOf(document: StudioDocument, { name, body }: Pick<PutArgs, 'name' | 'body'>): string {
  const model = sceneModel(document);
  if (!model)
    throw new ModelError('sketch', 'this document is a program; turn it into a scene first to put parts into it');
  const made = sketchOf(document, name).solid?.body;
  if (body === undefined && made !== undefined && isRecord(model.bodies[made])) return made;
  if (body !== undefined) checkName(model, 'bodies', body);
  return body ?? freeName(model, 'bodies', name);
}

export const putIntoScene: Command<PutArgs> = {
  name: 'put-into-scene',
  label: ({ name, choice }) => `${choice.kind === 'extrude' ? 'Extrude' : 'Revolve'} ${name}`,
  apply: (document, args) => {
    const { name, choice } = args;
    const sketch = sketchOf(document, name);
    const body = bodyNameOf(document, args);
    const made = withModel(document, (model) => {
      const before = isRecord(model.bodies[body]) ? model.bodies[body] : {};
      return withElement(model, 'bodies', body, { ...before, ...bodyOf(sketch, choice) });
    });
    const solid = { kind: choice.kind, height: choice.height, body };
    return { ...made, sketches: { ...made.sketches, [name]: { ...sketch, solid } } };
  },
};
