/** Another name for an element; what speaks of it goes along. */
import { type Data, type DataRecord, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { checkName, elementsOf, isRecord, partsOf } from './elements.js';
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
      const own = Object.fromEntries(
        Object.entries(elementsOf(model, group)).map(([key, value]) => [key === name ? to : key, value]),
      );
      const named = { ...model, [group]: own };
      // Joints are named by gears and events, bodies by everybody.
      const isIt = (text: string): boolean => (group === 'bodies' ? bodyOf(text) === name : text === name);
      const others: [string, Data | undefined][] = Object.entries(named).map(([key, value]) => [
        key,
        key === 'title' || key === 'bodies' || (key === 'plots' && group !== 'bodies' && group !== 'joints')
          ? value
          : spoken(value, (text) =>
              isIt(text) || (key === 'plots' && bodyOf(text) === name) ? to + text.slice(name.length) : text,
            ),
      ]);
      return Object.fromEntries(others) as JsonModel;
    });
  },
};

/** The tree with every text that may be a reference replaced. */
function spoken(tree: Data | undefined, replace: (text: string) => string): Data | undefined {
  if (typeof tree === 'string') return replace(tree);
  if (Array.isArray(tree)) return tree.map((item: Data) => spoken(item, replace) as Data);
  if (!isRecord(tree)) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, key === 'kind' ? value : spoken(value, replace)]),
  ) as DataRecord;
}
