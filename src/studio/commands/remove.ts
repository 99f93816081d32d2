/** Takes elements out of the scene, and with a body all that hangs on it: joints, springs, what is said of its contacts. */
import { type Data, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { bodiesIn, elementsOf, GROUPS, isRecord, partsOf, withElement } from './elements.js';
import { sensorIndex, sensorsOf, withoutSensors } from './sensors.js';

export const remove: Command<{ readonly paths: readonly string[] }> = {
  name: 'remove',
  label: ({ paths }) => `Delete ${paths.length === 1 ? (partsOf(paths[0])?.name ?? '') : `${paths.length} parts`}`,
  apply: (document, { paths }) => {
    const sketches = Object.entries(document.sketches).filter(([name]) => !paths.includes(`sketches.${name}`));
    return {
      ...withModel(document, (given) => {
        let model = given;
        const gone = new Set(bodiesIn(paths));
        const silent = paths.flatMap((path) => sensorIndex(path) ?? []);
        const orphans = sensorsOf(model).flatMap((pair, i) => (speaksOf(pair, gone) ? [i] : []));
        model = withoutSensors(model, new Set([...silent, ...orphans]));
        for (const path of paths) {
          const parts = partsOf(path);
          if (parts) model = withElement(model, parts.group, parts.name, undefined);
        }
        for (const group of GROUPS)
          for (const [name, element] of Object.entries(elementsOf(model, group)))
            if (group !== 'bodies' && speaksOf(element, gone)) model = withElement(model, group, name, undefined);
        return withoutContacts(model, gone);
      }),
      sketches: Object.fromEntries(sketches),
    };
  },
};

/** `arm`, `arm.tip`, `arm[3]` and `arm[*]` are of the body arm. */
export const bodyOf = (reference: string): string => reference.split(/[.[]/, 1)[0];

/** Whether a text anywhere in an element names one of the bodies; a kind or a title is no reference. */
function speaksOf(element: Data, bodies: ReadonlySet<string>): boolean {
  if (typeof element === 'string') return bodies.has(bodyOf(element));
  if (Array.isArray(element)) return element.some((item) => speaksOf(item, bodies));
  if (!isRecord(element)) return false;
  return Object.entries(element).some(([key, value]) => key !== 'kind' && speaksOf(value, bodies));
}

function withoutContacts(model: JsonModel, bodies: ReadonlySet<string>): JsonModel {
  if (!isRecord(model.contacts)) return model;
  const contacts = Object.fromEntries(
    Object.entries(model.contacts).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((item: Data) => !speaksOf(item, bodies)) : value,
    ]),
  );
  return { ...model, contacts };
}
