/** Takes elements out of the scene, and with a body all that hangs on it: joints, springs, what is said of its contacts. */
import { type Data, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { bodiesIn, elementsOf, GROUPS, isRecord, partsOf, placeInList, withElement } from './elements.js';
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
        for (const [list, items] of Object.entries(model.bodies))
          if (Array.isArray(items) && items.every((_, i) => gone.has(`${list}[${i}]`))) gone.add(list);
        const silent = paths.flatMap((path) => sensorIndex(path) ?? []);
        const orphans = sensorsOf(model).flatMap((pair, i) => (speaksOf(pair, gone) ? [i] : []));
        model = withoutSensors(model, new Set([...silent, ...orphans]));
        // What hangs on them first: afterwards those behind them in a list have their names. In lists from the end.
        for (const group of GROUPS)
          for (const [name, element] of Object.entries(elementsOf(model, group)).reverse())
            if (group !== 'bodies' && speaksOf(element, gone)) model = withElement(model, group, name, undefined);
        model = withoutContacts(model, gone);
        for (const { group, name } of paths.flatMap((path) => partsOf(path) ?? []).sort(lastOfListFirst))
          model = withElement(model, group, name, undefined);
        return model;
      }),
      sketches: Object.fromEntries(sketches),
    };
  },
};

const lastOfListFirst = (a: { readonly name: string }, b: { readonly name: string }): number =>
  (placeInList(b.name)?.[1] ?? 0) - (placeInList(a.name)?.[1] ?? 0);

/** `arm` and `arm.tip` are of the body arm, `rack[3].tip` is of rack[3]. */
export const bodyOf = (reference: string): string => reference.split('.', 1)[0];

/** Whether a text anywhere in an element names one of the bodies, alone or with all of its list; a kind or a title is no reference. */
function speaksOf(element: Data, bodies: ReadonlySet<string>): boolean {
  if (typeof element === 'string') {
    const body = bodyOf(element);
    return bodies.has(body) || bodies.has(body.split('[', 1)[0]);
  }
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
