/** Whom a body touches, and what is sensed of it: groups as words with commas between them, pairs as two names. */
import { element } from '../../viewer/controls/element.js';
import { elementsOf, isRecord } from '../commands/elements.js';
import { isPair, sensorsOf } from '../commands/sensors.js';
import type { Data, DataRecord, JsonModel } from '../document/document.js';

type Set = (below: readonly (string | number)[], value: Data | undefined) => void;

export const groupsText = (value: Data | undefined): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : '';

/** One as a text, several as a list, none as nothing */
export function typedGroups(text: string): Data | undefined {
  const names = [...new Set(text.split(/[,;]/).map((name) => name.trim()))].filter((name) => name !== '');
  return names.length > 1 ? names : names[0];
}

/** Groups that bodies of the model are in */
export function groupsIn(model: JsonModel): string[] {
  const names = Object.values(elementsOf(model, 'bodies')).flatMap((body) =>
    isRecord(body) && isRecord(body.contact) ? [body.contact.group ?? []].flat() : [],
  );
  return [...new Set(['default', ...names.filter((name) => typeof name === 'string')])];
}

const row = (label: string, content: Node): HTMLElement =>
  element('div', { class: 'studio-row' }, element('span', { class: 'viewer-quiet' }, label), content);

/** Of a body: whether it touches anything, the groups it is in, those it touches */
export function contactFields(model: JsonModel, body: DataRecord, set: Set): HTMLElement[] {
  const { contact } = body;
  const touches = element('input', {
    type: 'checkbox',
    'aria-label': 'Touches others',
    onchange: () => set(['contact'], touches.checked ? undefined : false),
  });
  touches.checked = contact !== false;
  const own = isRecord(contact) ? contact : {};
  const known = element(
    'datalist',
    { id: 'studio-groups' },
    ...groupsIn(model).map((name) => element('option', { value: name })),
  );
  const field = (key: 'group' | 'touches', label: string, hint: string): HTMLElement => {
    const input = element('input', {
      type: 'text',
      'aria-label': label,
      placeholder: hint,
      list: known.id,
      spellcheck: 'false',
      value: groupsText(own[key]),
      onchange: () => {
        const { [key]: _, ...others } = own;
        const typed = typedGroups(input.value);
        const now: DataRecord = typed === undefined ? others : { ...others, [key]: typed };
        set(['contact'], Object.keys(now).length > 0 ? now : undefined);
      },
    });
    return row(label, input);
  };
  return [
    element('h4', {}, 'Contact'),
    row('touches others', touches),
    ...(contact === false
      ? []
      : [field('group', 'contact groups', 'default'), field('touches', 'touches groups', 'all'), known]),
  ];
}

/** Of a sensor: between whom it is */
export function sensorFields(model: JsonModel, index: number, set: (pair: Data) => void): HTMLElement[] | undefined {
  const pair = sensorsOf(model)[index];
  if (!isPair(pair)) return undefined;
  const names = Object.keys(elementsOf(model, 'bodies'));
  const choice = (k: 0 | 1): HTMLElement => {
    const list = [...new Set([pair[k], ...names, '*'])];
    const select = element(
      'select',
      {
        'aria-label': k === 0 ? 'Sensor of' : 'Sensor against',
        onchange: () => set(k === 0 ? [select.value, pair[1]] : [pair[0], select.value]),
      },
      ...list.map((name) => element('option', { value: name }, name === '*' ? 'every body' : name)),
    );
    select.value = pair[k];
    return row(k === 0 ? 'of' : 'against', select);
  };
  return [
    element('p', { class: 'viewer-quiet' }, 'contact sensor'),
    choice(0),
    choice(1),
    element(
      'p',
      { class: 'viewer-quiet' },
      'Force, torque, touch and heat of this pair become signals. Once there is a sensor, only pairs with one have signals of their own.',
    ),
  ];
}
