/** The joints of a mechanism under its bodies: what holds what, and a press plots what the joint does. */

import type { Scene } from '../../results/scene.js';
import { element, iconButton } from '../controls/element.js';

const AT_ONCE = 200;

export function jointList(
  { joints, springs, bodies }: Pick<Scene, 'joints' | 'springs' | 'bodies'>,
  actions: {
    /** Picks the body that a joint moves. */
    pick(body: number): void;
    /** Plots its signals; undefined where there are none of it. */
    plot(name: string): (() => void) | undefined;
  },
): HTMLElement | undefined {
  const nameOf = (body: number): string => (body < 0 ? 'ground' : bodies[body].name);
  const rows = [
    ...joints.map(({ name, kind, at, to }) => ({ name, kind, from: at.body, to })),
    ...springs.map(({ name, kind, from, to }) => ({ name, kind, from: from.body, to: to.body })),
  ];
  if (rows.length === 0) return undefined;
  const row = ({ name, kind, from, to }: (typeof rows)[number]): HTMLElement => {
    const plot = actions.plot(name);
    const moving = from >= 0 ? from : to;
    return element(
      'div',
      { class: 'viewer-tree-row', title: `${kind}: ${nameOf(from)} on ${nameOf(to)}` },
      element(
        'button',
        { type: 'button', class: 'viewer-tree-name', onclick: () => moving >= 0 && actions.pick(moving) },
        name,
        element('span', { class: 'viewer-tree-kind' }, ` ${kind}`),
      ),
      plot && iconButton('plots', `Plot ${name}`, plot),
    );
  };
  const more = rows.length - AT_ONCE;
  const details = element(
    'details',
    { class: 'viewer-joints' },
    element('summary', {}, `Joints and springs (${rows.length})`),
    ...rows.slice(0, AT_ONCE).map(row),
    more > 0 && element('p', { class: 'viewer-quiet' }, `and ${more} more`),
  );
  details.open = rows.length <= 12;
  return details;
}
