/** Another name for an element; what speaks of it goes along. One of a list leaves the list. */
import { type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { checkName, elementsOf, partsOf, placeInList, withElement, withReferences } from './elements.js';
import { bodyOf } from './remove.js';

export const rename: Command<{ readonly path: string; readonly to: string }> = {
  name: 'rename',
  label: ({ to }) => `Rename to ${to}`,
  apply: (document, { path, to }) => {
    const parts = partsOf(path);
    if (!parts || parts.name === to) return document;
    const { group, name } = parts;
    return withModel(document, (model) => {
      checkName(model, group, to);
      const renamed = withReferences(model, group, (text) =>
        bodyOf(text) === name ? to + text.slice(name.length) : text,
      );
      const own = elementsOf(renamed, group)[name];
      if (placeInList(name) && own !== undefined)
        return withElement(withElement(renamed, group, to, own), group, name, undefined);
      const entries = Object.entries(renamed[group] ?? {}).map(([key, value]) => [key === name ? to : key, value]);
      return { ...renamed, [group]: Object.fromEntries(entries) } as JsonModel;
    });
  },
};
