/** Fields for the data of an element, whatever it is: lengths in mm, angles in degrees, the rest in SI. */
import { element, icon } from '../../viewer/controls/element.js';
import type { Data, DataRecord } from '../document/document.js';

export interface FieldActions {
  /** Names that a key may have: bodies for `body`, materials for `material` */
  choices(key: string): readonly string[] | undefined;
  /** @param path below the element */
  set(path: readonly (string | number)[], value: Data | undefined): void;
  /** Of a number, where the key alone does not tell */
  unit?(key: string): { readonly unit: string; readonly factor: number } | undefined;
  /** Whether this key of the element may be taken away */
  removable?(key: string): boolean;
}

const LENGTHS =
  /^(position|at|size|radii|translate|restLength|pitch|module|bore|backlash|clearance|extent|freeLength|meshSize)$|(radius|height|length|thickness|width|gap|diameter)$/i;
const ANGLES = /^(angle|twist|rest|lower|upper|pressureAngle|initialAngle|undercut|lock|lift|draw|drop)$|Angle$/;
const UNITS: Readonly<Record<string, string>> = {
  speed: '1/s',
  initialSpeed: '1/s',
  stiffness: 'N/m',
  damping: 'N s/m',
  mass: 'kg',
  force: 'N',
  torque: 'N m',
  velocity: 'm/s',
  angularVelocity: 'rad/s',
  density: 'kg/m³',
  youngsModulus: 'Pa',
};

export function unitOfKey(key: string): { readonly unit: string; readonly factor: number } {
  if (LENGTHS.test(key)) return { unit: 'mm', factor: 1000 };
  if (ANGLES.test(key)) return { unit: '°', factor: 180 / Math.PI };
  return { unit: UNITS[key] ?? '', factor: 1 };
}

export const shownNumber = (value: number, factor: number): string => String(Number((value * factor).toPrecision(10)));

/** What was typed, in the model's unit; sums and products are worked out: `20 + 3*2` */
export function typedNumber(text: string, factor: number): number | undefined {
  const plain = text.trim().replaceAll(',', '.').replaceAll('−', '-');
  if (!/^[-+*/().\d\se]+$/i.test(plain) || plain === '') return undefined;
  const value = calculate(plain);
  return value !== undefined && Number.isFinite(value) && Math.abs(value) <= 1e9
    ? Number((value / factor).toPrecision(14))
    : undefined;
}

/** + − × ÷ and brackets, without running anything */
function calculate(text: string): number | undefined {
  const words = text.match(/\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+|[-+*/()]/gi) ?? [];
  if (words.join('') !== text.replace(/\s/g, '')) return undefined;
  let at = 0;
  const atom = (): number => {
    const word = words[at++];
    if (word === '-') return -atom();
    if (word === '+') return atom();
    if (word === '(') {
      const value = sum();
      if (words[at++] !== ')') return Number.NaN;
      return value;
    }
    return Number(word);
  };
  const product = (): number => {
    let value = atom();
    while (words[at] === '*' || words[at] === '/') value = words[at++] === '*' ? value * atom() : value / atom();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (words[at] === '+' || words[at] === '-') value = words[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === words.length ? value : undefined;
}

export function numberField(
  label: string,
  value: number,
  { unit, factor }: { unit: string; factor: number },
  set: (value: number) => void,
  hint = unit,
): HTMLElement {
  const input = element('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': `${label}${unit ? ` in ${unit}` : ''}`,
    value: shownNumber(value, factor),
    onchange: () => {
      const typed = typedNumber(input.value, factor);
      input.setAttribute('aria-invalid', String(typed === undefined));
      if (typed !== undefined) set(typed);
    },
  });
  return element(
    'div',
    { class: 'studio-field' },
    input,
    hint !== '' && element('span', { class: 'studio-unit' }, hint),
  );
}

/** Rows for every key of a record; what is nested has a heading. Outlines are left to the sketch. */
export function recordFields(
  record: DataRecord,
  actions: FieldActions,
  path: readonly (string | number)[] = [],
): HTMLElement[] {
  return Object.entries(record).flatMap(([key, value]) => valueFields(key, value, actions, [...path, key]));
}

const words = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function valueFields(
  key: string,
  value: Data,
  actions: FieldActions,
  path: readonly (string | number)[],
): HTMLElement[] {
  const label = words(key);
  const choices = actions.choices(key);
  const unitOf = (): { readonly unit: string; readonly factor: number } => actions.unit?.(key) ?? unitOfKey(key);
  const away =
    path.length === 1 && actions.removable?.(key)
      ? [
          element(
            'button',
            {
              type: 'button',
              class: 'viewer-button studio-away',
              'aria-label': `Take ${label} away`,
              title: `Take ${label} away`,
              onclick: () => actions.set(path, undefined),
            },
            icon('close'),
          ),
        ]
      : [];
  const row = (...content: HTMLElement[]): HTMLElement =>
    element(
      'div',
      { class: `studio-row${content.length > 1 ? ' three' : ''}` },
      element(
        'span',
        { class: 'viewer-quiet' },
        content.length > 1 && unitOf().unit ? `${label}, ${unitOf().unit}` : label,
        ...away,
      ),
      ...content,
    );
  if (typeof value === 'number') {
    const unit = unitOf();
    return [row(numberField(label, value, unit, (typed) => actions.set(path, typed)))];
  }
  if (typeof value === 'boolean') {
    const box = element('input', {
      type: 'checkbox',
      'aria-label': label,
      onchange: () => actions.set(path, box.checked),
    });
    box.checked = value;
    return [row(box)];
  }
  if (typeof value === 'string') {
    if (key === 'kind') return [];
    if (!choices) {
      const input = element('input', {
        type: 'text',
        value,
        'aria-label': label,
        onchange: () => actions.set(path, input.value),
      });
      return [row(input)];
    }
    const list = choices.includes(value) ? choices : [value, ...choices];
    const select = element(
      'select',
      { 'aria-label': label, onchange: () => actions.set(path, select.value) },
      ...list.map((name) => element('option', { value: name }, name)),
    );
    select.value = value;
    return [row(select)];
  }
  if (Array.isArray(value)) {
    if (value.length <= 4 && value.every((item) => typeof item === 'number')) {
      const unit = unitOf();
      const names = value.length === 4 ? ['w', 'x', 'y', 'z'] : ['x', 'y', 'z'];
      return [
        row(
          ...value.map((item, i) =>
            numberField(
              `${label} ${names[i]}`,
              item as number,
              unit,
              (typed) => actions.set([...path, i], typed),
              names[i],
            ),
          ),
        ),
      ];
    }
    if (value.every((item) => Array.isArray(item))) return [row(element('span', {}, `${value.length} corners`))];
    return value.flatMap((item: Data, i) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? recordFields(item as DataRecord, actions, [...path, i])
        : [],
    );
  }
  if (value === null) return [];
  return [element('h4', {}, label, ...away), ...recordFields(value as DataRecord, actions, path)];
}
