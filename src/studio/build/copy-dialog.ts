/** Asks how copies are to lie: how many, in a row or around an axis; or across which plane a mirror image stands. */
import { element } from '../../viewer/controls/element.js';
import type { Copies } from '../commands/copy.js';
import type { Vector } from '../commands/elements.js';
import type { MirrorPlane } from '../commands/mirror-image.js';
import { numberField } from './fields.js';

const AXES = ['x', 'y', 'z'] as const;
const MM = { unit: 'mm', factor: 1000 };
const NUMBER = { unit: '', factor: 1 };
const DEGREES = { unit: '°', factor: 180 / Math.PI };

const row = (label: string, ...content: HTMLElement[]): HTMLElement =>
  element(
    'div',
    { class: `studio-row${content.length > 1 ? ' three' : ''}` },
    element('span', { class: 'viewer-quiet' }, label),
    ...content,
  );

function choice<Value extends string>(
  label: string,
  values: readonly (readonly [Value, string])[],
  start: Value,
  set: (value: Value) => void,
): HTMLElement {
  const select = element(
    'select',
    { 'aria-label': label, onchange: () => set(select.value as Value) },
    ...values.map(([value, words]) => element('option', { value }, words)),
  );
  select.value = start;
  return row(label.toLowerCase(), select);
}

/** @returns whether the user wants it */
function ask(place: HTMLElement, title: string, yes: string, rows: readonly HTMLElement[]): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = element(
      'dialog',
      { class: 'viewer-help studio-copies', 'aria-label': title },
      element(
        'form',
        { method: 'dialog' },
        element('header', {}, element('h2', {}, title)),
        ...rows,
        element(
          'div',
          { class: 'viewer-buttons' },
          element('button', { value: 'yes', class: 'viewer-button with-text studio-plain' }, yes),
          element('button', { value: 'no', class: 'viewer-button with-text studio-plain' }, 'Cancel'),
        ),
      ),
    );
    dialog.addEventListener('submit', (event) => {
      const wrong = dialog.querySelector<HTMLElement>('.studio-row:not([hidden]) [aria-invalid=true]');
      if (!wrong || (event.submitter as HTMLButtonElement | null)?.value !== 'yes') return;
      event.preventDefault();
      wrong.focus();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    place.append(dialog);
    dialog.showModal();
    dialog.querySelector<HTMLElement>('input, select')?.focus();
  });
}

export interface CopiesStart {
  /** m from one to the next in a row */
  readonly shift: Vector;
  /** m, where an axis of a circle would go through */
  readonly centre: Vector;
}

/** @returns undefined where the user wants none */
export async function askForCopies(
  place: HTMLElement,
  start: CopiesStart,
): Promise<Omit<Copies, 'bodies'> | undefined> {
  let [kind, count] = ['row' as 'row' | 'circle', 3];
  let axis: (typeof AXES)[number] = 'z';
  let isWhole = true;
  let angle = Math.PI / 6;
  const [shift, centre] = [[...start.shift], [...start.centre]];
  const inRow = row(
    'from one to the next',
    ...AXES.map((name, k) => numberField(`Spacing ${name}`, shift[k], MM, (x) => (shift[k] = x), `${name} mm`)),
  );
  const between = row(
    'between two',
    numberField('Angle between two', angle, DEGREES, (x) => (angle = x)),
  );
  const inCircle = [
    choice(
      'Axis',
      AXES.map((name) => [name, `along ${name}`] as const),
      axis,
      (value) => (axis = value),
    ),
    row(
      'through',
      ...AXES.map((name, k) => numberField(`Centre ${name}`, centre[k], MM, (x) => (centre[k] = x), `${name} mm`)),
    ),
    choice(
      'Spread',
      [
        ['whole', 'all around'],
        ['angle', 'by an angle'],
      ],
      'whole',
      (value) => {
        isWhole = value === 'whole';
        show();
      },
    ),
    between,
  ];
  const show = (): void => {
    inRow.hidden = kind !== 'row';
    for (const one of inCircle) one.hidden = kind !== 'circle';
    between.hidden = kind !== 'circle' || isWhole;
  };
  show();
  const wanted = await ask(place, 'Copies', 'Make them', [
    choice(
      'Arrangement',
      [
        ['row', 'in a row'],
        ['circle', 'around an axis'],
      ],
      kind,
      (value) => {
        kind = value;
        show();
      },
    ),
    row(
      'how many in all',
      numberField('How many', count, NUMBER, (x) => (count = x)),
    ),
    inRow,
    ...inCircle,
  ]);
  if (!wanted) return undefined;
  if (kind === 'row') return { count, shift: shift as unknown as Vector };
  const direction = AXES.map((name) => (name === axis ? 1 : 0)) as unknown as Vector;
  const point = centre as unknown as Vector;
  return { count, about: { point, axis: direction, angle: isWhole ? (2 * Math.PI) / count : angle } };
}

/** @returns undefined where the user wants none */
export async function askForMirror(place: HTMLElement): Promise<MirrorPlane | undefined> {
  let [axis, at] = [0 as 0 | 1 | 2, 0];
  const wanted = await ask(place, 'Mirror', 'Mirror', [
    choice(
      'Across',
      [
        ['x', 'x: left and right'],
        ['y', 'y: front and back'],
        ['z', 'z: up and down'],
      ],
      'x',
      (value) => (axis = AXES.indexOf(value) as 0 | 1 | 2),
    ),
    row(
      'plane at',
      numberField('Plane at', at, MM, (x) => (at = x)),
    ),
  ]);
  return wanted ? { axis, at } : undefined;
}
