/** The scene as a list: everything that the view shows, to be selected without a pointer; what is wrong stands at its part. */
import { element, type IconName, icon } from '../../viewer/controls/element.js';
import type { Problem } from '../activity.js';
import { elementsOf, GROUPS, type Group, isRecord } from '../commands/elements.js';
import type { Selection } from '../commands/history.js';
import { type StudioDocument, sceneModel } from '../document/document.js';

const TITLES: Readonly<Record<Group, string>> = {
  bodies: 'Bodies',
  joints: 'Joints and motors',
  constraints: 'Constraints',
  forces: 'Springs and forces',
  events: 'Events',
};
const ICONS: Readonly<Record<Group, IconName>> = {
  bodies: 'build',
  joints: 'joint',
  constraints: 'gear',
  forces: 'spring',
  events: 'sensor',
};

export function fillTree(
  place: HTMLElement,
  document: StudioDocument,
  selection: Selection,
  problem: Problem | undefined,
  select: (path: string, more: boolean) => void,
): void {
  const model = sceneModel(document);
  if (!model) {
    place.replaceChildren(
      element(
        'p',
        { class: 'viewer-quiet' },
        'A program builds this model. Its parameters are under Run; New scene in the gallery begins one that is edited here.',
      ),
    );
    return;
  }
  const row = (path: string, name: string, what: string, sign: IconName): HTMLElement => {
    const isSelected = selection.includes(path);
    const isWrong = problem !== undefined && (problem.path === path || problem.path.startsWith(`${path}.`));
    return element(
      'button',
      {
        type: 'button',
        class: `studio-item${isSelected ? ' selected' : ''}${isWrong ? ' wrong' : ''}`,
        'aria-pressed': String(isSelected),
        'data-path': path,
        onclick: (event) => select(path, (event as MouseEvent).shiftKey || (event as MouseEvent).ctrlKey),
      },
      icon(sign),
      element('span', {}, name),
      element('span', { class: 'viewer-quiet' }, isWrong ? 'problem' : what),
    );
  };
  const groups = GROUPS.flatMap((group) => {
    const entries = Object.entries(elementsOf(model, group));
    if (entries.length === 0 && group !== 'bodies' && group !== 'joints') return [];
    return [
      element(
        'h4',
        { class: 'studio-group' },
        element('span', {}, TITLES[group]),
        element('span', { class: 'viewer-quiet' }, String(entries.length)),
      ),
      ...entries.map(([name, value]) => {
        const own = isRecord(value) ? value : {};
        const what =
          group === 'bodies'
            ? `${own.fixed ? 'fixed · ' : ''}${typeof own.material === 'string' ? own.material : ''}`
            : String(own.kind ?? '');
        return row(`${group}.${name}`, name, what, ICONS[group]);
      }),
    ];
  });
  place.replaceChildren(
    ...groups,
    ...(problem
      ? [
          element(
            'div',
            { class: 'viewer-warning', role: 'alert' },
            element('strong', {}, '1 problem'),
            element('p', {}, problem.path ? `${problem.path}: ${problem.text}` : problem.text),
          ),
        ]
      : []),
  );
}
