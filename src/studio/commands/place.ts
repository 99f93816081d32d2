/** Puts new bodies into the scene, with joints between them where they come as one (a Geneva drive). */
import { type DataRecord, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { freeName, type Group, withElement } from './elements.js';

export interface Placed {
  readonly group: Group;
  /** Wanted; a number is added where it is taken */
  readonly name: string;
  readonly value: DataRecord;
}

export const place: Command<{ readonly elements: readonly Placed[] }> = {
  name: 'place',
  label: ({ elements }) => `Place ${elements[0]?.name ?? 'nothing'}`,
  apply: (document, { elements }) =>
    withModel(document, (given) => {
      let model = given;
      for (const { group, name, value } of elements)
        model = withElement(model, group, freeName(model, group, name), value);
      return model;
    }),
};
