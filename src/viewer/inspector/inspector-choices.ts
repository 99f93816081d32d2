/** What of the contacts is drawn. */
import { element } from '../controls/element.js';

const SHOWN = [
  ['normal', 'Normal force', true],
  ['friction', 'Friction', true],
  ['torque', 'Torque', true],
  ['patches', 'Patches', true],
  ['intersections', 'Intersections', false],
  ['enlarged', 'Enlarged', false],
] as const;
type Shown = (typeof SHOWN)[number][0];

const BODIES = { solid: 'solid', transparent: 'transparent', wireframe: 'as wires' } as const;
/** Part of the run that a trail reaches back */
const TRAILS = [
  [0, 'none'],
  [0.02, '2 % of the run'],
  [0.1, '10 % of the run'],
  [1, 'from the start'],
] as const;

export class InspectorChoices {
  readonly root: HTMLElement;
  readonly #boxes: Readonly<Record<Shown, HTMLInputElement>>;
  readonly #bodies = element('select', { 'aria-label': 'How the bodies are drawn' });
  readonly #trail = element('select', { 'aria-label': 'How far trails of contact points reach back' });

  constructor(changed: () => void) {
    const boxes = SHOWN.map(([key, label, isOn]) => {
      const box = element('input', { type: 'checkbox', 'data-shows': key });
      box.checked = isOn;
      box.addEventListener('change', changed);
      return { key, box, row: element('label', { class: `inspector-check ${key}` }, box, label) };
    });
    this.#boxes = Object.fromEntries(boxes.map(({ key, box }) => [key, box])) as Record<Shown, HTMLInputElement>;
    boxes[4].row.title = 'Finds the overlap again from the shapes and draws its polygons with their pressures';
    boxes[5].row.title = 'Draws patches and intersections larger, and deeper than they are, so that microns are seen';
    for (const [value, label] of Object.entries(BODIES)) this.#bodies.append(element('option', { value }, label));
    for (const [value, label] of TRAILS) this.#trail.append(element('option', { value }, label));
    this.#trail.value = '0.02';
    for (const select of [this.#bodies, this.#trail]) select.addEventListener('change', changed);
    this.root = element(
      'div',
      { class: 'inspector-choices' },
      ...boxes.map(({ row }) => row),
      element('label', { class: 'inspector-select' }, 'Bodies', this.#bodies),
      element('label', { class: 'inspector-select' }, 'Trails', this.#trail),
    );
  }

  get normal(): boolean {
    return this.#boxes.normal.checked;
  }
  get friction(): boolean {
    return this.#boxes.friction.checked;
  }
  get torque(): boolean {
    return this.#boxes.torque.checked;
  }
  get patches(): boolean {
    return this.#boxes.patches.checked;
  }
  get intersections(): boolean {
    return this.#boxes.intersections.checked;
  }
  get enlarged(): boolean {
    return this.#boxes.enlarged.checked;
  }
  get bodies(): keyof typeof BODIES {
    return this.#bodies.value as keyof typeof BODIES;
  }
  get trail(): number {
    return Number(this.#trail.value);
  }

  /** All of it in one text */
  get key(): string {
    return `${SHOWN.map(([key]) => (this.#boxes[key].checked ? 1 : 0)).join('')} ${this.trail}`;
  }
}
