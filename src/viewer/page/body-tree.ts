/** The list of bodies: search, groups that unfold, and what can be done with each. Thousands of bodies cost nothing until unfolded. */

import { element, type IconName, iconButton, setIcon, setPressed } from '../controls/element.js';
import { searchNames } from '../plots/search.js';
import type { BodyLooks, Look } from '../stage/body-looks.js';
import { type BodyGroup, bodyGroups } from './body-groups.js';

const ROWS_AT_ONCE = 200;
const UNFOLDED = 12; // a group up to this size is open from the start

/** What can be done with the bodies of a row. */
const ACTIONS: readonly { readonly look: Look | 'alone'; readonly icon: IconName; readonly label: string }[] = [
  { look: 'wireframe', icon: 'wireframe', label: 'Draw as wires' },
  { look: 'transparent', icon: 'transparent', label: 'Draw transparent' },
  { look: 'alone', icon: 'isolate', label: 'Show alone' },
  { look: 'hidden', icon: 'visible', label: 'Hide' },
];

export class BodyTree {
  readonly #names: readonly string[];
  readonly #looks: BodyLooks;
  readonly #search: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #showAll: HTMLButtonElement;
  #picked: number | undefined;
  /** Rows on the page, to be brought up to date */
  readonly #rows = new Map<HTMLElement, { readonly bodies: readonly number[]; readonly update: () => void }>();

  constructor(panel: HTMLElement, names: readonly string[], looks: BodyLooks) {
    this.#names = names;
    this.#looks = looks;
    this.#search = element('input', {
      type: 'search',
      placeholder: `Search ${names.length === 1 ? '1 body' : `${names.length} bodies`}`,
      'aria-label': 'Search bodies by name, or with * and ?',
      spellcheck: 'false',
      oninput: () => this.#fill(),
    });
    this.#list = element('div', { class: 'viewer-tree', role: 'group', 'aria-label': 'Bodies' });
    this.#showAll = element(
      'button',
      { type: 'button', class: 'viewer-button with-text', onclick: () => looks.reset() },
      'Show all as they are',
    );
    panel.append(this.#search, this.#list, this.#showAll);
    looks.onChange(() => this.#update());
    this.#fill();
  }

  focusSearch(): void {
    this.#search.focus();
  }

  #fill(): void {
    this.#rows.clear();
    const asked = this.#search.value.trim();
    if (asked === '') {
      this.#list.replaceChildren(...bodyGroups(this.#names).map((group) => this.#group(group)));
    } else {
      const found = searchNames(asked, this.#names).map(({ index }) => index);
      const rows = this.#some(found);
      if (found.length > 1) rows.unshift(this.#row(`${found.length} found`, found));
      if (found.length === 0) rows.push(element('p', { class: 'viewer-quiet' }, 'No body of that name.'));
      this.#list.replaceChildren(...rows);
    }
    this.#update();
  }

  #group({ name, bodies }: BodyGroup): HTMLElement {
    if (bodies.length === 1) return this.#row(name, bodies);
    const inner = element('div', { class: 'viewer-tree-inner' });
    const details = element(
      'details',
      {},
      element('summary', {}, this.#row(`${name} (${bodies.length})`, bodies)),
      inner,
    );
    const unfold = (): void => {
      if (details.open && inner.childElementCount === 0) {
        inner.append(...this.#some(bodies));
        this.#update();
      }
    };
    details.addEventListener('toggle', unfold);
    details.open = bodies.length <= UNFOLDED;
    unfold();
    return details;
  }

  /** Rows of the first bodies, and a button for more. */
  #some(bodies: readonly number[]): HTMLElement[] {
    const rows = bodies.slice(0, ROWS_AT_ONCE).map((body) => this.#row(this.#names[body], [body]));
    const rest = bodies.slice(ROWS_AT_ONCE);
    if (rest.length > 0) {
      const more = element(
        'button',
        {
          type: 'button',
          class: 'viewer-button with-text',
          onclick: () => {
            more.replaceWith(...this.#some(rest));
            this.#update();
          },
        },
        `${rest.length} more`,
      );
      rows.push(more);
    }
    return rows;
  }

  /** Scrolls the list, and nothing around it. */
  #reveal(row: HTMLElement): void {
    const [list, place] = [this.#list.getBoundingClientRect(), row.getBoundingClientRect()];
    if (place.top < list.top) this.#list.scrollTop -= list.top - place.top;
    else if (place.bottom > list.bottom) this.#list.scrollTop += place.bottom - list.bottom;
  }

  #row(label: string, bodies: readonly number[]): HTMLElement {
    const looks = this.#looks;
    const single = bodies.length === 1;
    const name = single
      ? element('button', { type: 'button', class: 'viewer-tree-name', onclick: () => looks.pick(bodies[0]) }, label)
      : element('span', { class: 'viewer-tree-name' }, label);
    const buttons = ACTIONS.map(({ look, icon, label: what }) =>
      iconButton(
        icon,
        `${what}: ${label}`,
        () => {
          if (look === 'alone') looks.isolate(looks.isAlone(bodies) ? undefined : bodies);
          else looks.toggle(look, bodies);
        },
        { toggle: true },
      ),
    );
    // A press on a button inside a summary must not fold it.
    const row = element('div', { class: 'viewer-tree-row' }, name, ...buttons);
    for (const button of buttons) button.addEventListener('click', (event) => event.preventDefault());
    const update = (): void => {
      const seen = bodies.some((body) => looks.isSeen(body));
      row.classList.toggle('unseen', !seen);
      const picked = single && looks.picked === bodies[0];
      row.classList.toggle('picked', picked);
      if (single) name.setAttribute('aria-current', String(picked));
      ACTIONS.forEach(({ look }, i) => {
        const on = look === 'alone' ? looks.isAlone(bodies) : looks.all(look, bodies);
        row.classList.toggle(look, on);
        setPressed(buttons[i], on);
        if (look === 'hidden') setIcon(buttons[i], on ? 'hidden' : 'visible', `${on ? 'Show' : 'Hide'}: ${label}`);
      });
    };
    this.#rows.set(row, { bodies, update });
    return row;
  }

  #update(): void {
    for (const { update } of this.#rows.values()) update();
    this.#showAll.hidden = !this.#looks.changed;
    const { picked } = this.#looks;
    if (picked === this.#picked) return;
    this.#picked = picked;
    for (const [row, { bodies }] of this.#rows) if (bodies.length === 1 && bodies[0] === picked) this.#reveal(row);
  }
}
