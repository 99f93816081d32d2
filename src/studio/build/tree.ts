/** The scene as a list: everything that the view shows, to be selected without a pointer; the part that something is wrong with is marked. */
import { element, type IconName, icon } from '../../viewer/controls/element.js';
import type { Problem } from '../activity.js';
import { elementsOf, GROUPS, type Group, isRecord } from '../commands/elements.js';
import type { Selection } from '../commands/history.js';
import { isPair, sensorPath, sensorsOf } from '../commands/sensors.js';
import { type StudioDocument, sceneModel } from '../document/document.js';
import { placeOfProblem } from './problem-banner.js';

const TITLES: Readonly<Record<Group, string>> = {
  bodies: 'Bodies',
  coilSprings: 'Coil springs',
  joints: 'Joints and motors',
  constraints: 'Constraints',
  forces: 'Springs and forces',
  events: 'Events',
};
const ICONS: Readonly<Record<Group, IconName>> = {
  bodies: 'build',
  coilSprings: 'spring',
  joints: 'joint',
  constraints: 'gear',
  forces: 'spring',
  events: 'sensor',
};

/** Of a group; a list of thousands would hold the page */
const MOST_ROWS = 200;

export function fillTree(
  place: HTMLElement,
  document: StudioDocument,
  selection: Selection,
  problem: Problem | undefined,
  select: (path: string, more: boolean) => void,
  editInScene: () => void,
): void {
  const model = sceneModel(document);
  if (!model) {
    place.replaceChildren(
      element(
        'p',
        { class: 'viewer-quiet' },
        'A program builds this model. It is changed as text (Ctrl E) and by its parameters, which are under Run.',
      ),
      element(
        'button',
        { type: 'button', class: 'viewer-button with-text studio-plain', onclick: editInScene },
        'Edit in the scene',
      ),
    );
    return;
  }
  const row = (path: string, name: string, what: string, sign: IconName): HTMLElement => {
    const isSelected = selection.includes(path);
    const isWrong = problem !== undefined && placeOfProblem(model, problem) === path;
    return element(
      'button',
      {
        type: 'button',
        class: `studio-item${isSelected ? ' selected' : ''}${isWrong ? ' wrong' : ''}`,
        'aria-pressed': String(isSelected),
        'data-path': path,
        title: isWrong ? problem.text : undefined,
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
      heading(TITLES[group], entries.length),
      ...entries.slice(0, MOST_ROWS).map(([name, value]) => {
        const own = isRecord(value) ? value : {};
        const what =
          group === 'bodies'
            ? `${own.fixed ? 'fixed · ' : ''}${typeof own.material === 'string' ? own.material : ''}`
            : String(own.kind ?? '');
        return row(`${group}.${name}`, name, what, ICONS[group]);
      }),
      ...(entries.length > MOST_ROWS
        ? [element('p', { class: 'viewer-quiet' }, `and ${entries.length - MOST_ROWS} more: select them in the view`)]
        : []),
    ];
  });
  const sensors = sensorsOf(model);
  place.replaceChildren(
    ...groups,
    ...(sensors.length > 0
      ? [
          heading('Contact sensors', sensors.length),
          ...sensors.map((pair, i) =>
            row(sensorPath(i), isPair(pair) ? pair.map(orEvery).join(' · ') : 'sensor', '', ICONS.events),
          ),
        ]
      : []),
  );
}

const orEvery = (name: string): string => (name === '*' ? 'every body' : name);

const heading = (title: string, count: number): HTMLElement =>
  element(
    'h4',
    { class: 'studio-group' },
    element('span', {}, title),
    element('span', { class: 'viewer-quiet' }, String(count)),
  );
