/** Which pairs are shown: all but those that were taken out, by a box for each, by search, or only those that touch now. */

import { quantity } from '../../math/quantity.js';
import { element } from '../controls/element.js';
import { searchNames } from '../plots/search.js';

const MOST_ROWS = 150;

export class PairFilter {
  readonly root: HTMLElement;
  readonly #out = new Set<number>();
  readonly #search = element('input', {
    type: 'search',
    placeholder: 'Search pairs',
    'aria-label': 'Search pairs',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  readonly #touching = element('input', { type: 'checkbox' });
  readonly #list = element('ul', { class: 'inspector-pairs', 'aria-label': 'Pairs' });
  readonly #note = element('p', { class: 'inspector-note' });
  /** N by pair at the present instant */
  #forces: ReadonlyMap<number, number> = new Map();

  constructor(
    private readonly labelsNow: () => readonly string[],
    private readonly changed: () => void,
  ) {
    const button = (label: string, title: string, press: () => void): HTMLElement =>
      element('button', { type: 'button', title, onclick: press }, label);
    this.root = element(
      'details',
      { class: 'inspector-filter' },
      element('summary', {}, 'Pairs'),
      this.#search,
      element('label', { class: 'inspector-check' }, this.#touching, 'List only what touches now'),
      element(
        'div',
        { class: 'inspector-buttons' },
        button('All', 'Show all pairs', () => this.#set(() => true)),
        button('None', 'Show no pair', () => this.#set(() => false)),
        button('Only these', 'Show the pairs listed below and no others', () => {
          const listed = new Set(this.#listed());
          this.#set((pair) => listed.has(pair));
        }),
      ),
      this.#list,
      this.#note,
    );
    this.#search.addEventListener('input', () => this.#fill());
    this.#touching.addEventListener('change', () => this.#fill());
    this.root.addEventListener('toggle', () => this.#fill());
  }

  get #labels(): readonly string[] {
    return this.labelsNow();
  }

  shows = (pair: number): boolean => !this.#out.has(pair);

  /** The shown ones, or undefined for all. */
  get shown(): ReadonlySet<number> | undefined {
    if (this.#out.size === 0) return undefined;
    return new Set([...this.#labels.keys()].filter((pair) => !this.#out.has(pair)));
  }

  get title(): string {
    const count = this.#labels.length - this.#out.size;
    if (this.#out.size === 0) return 'All pairs';
    if (count === 1) return this.#labels[this.shown!.values().next().value!];
    return `${count} of ${this.#labels.length} pairs`;
  }

  /** Shows these pairs and no others. */
  set(pairs: Iterable<number>): void {
    const wanted = new Set(pairs);
    this.#set((pair) => wanted.has(pair));
  }

  /** What touches at the present instant. */
  update(forces: ReadonlyMap<number, number>): void {
    this.#forces = forces;
    if ((this.root as HTMLDetailsElement).open) this.#fill();
  }

  #set(isShown: (pair: number) => boolean): void {
    this.#out.clear();
    for (const pair of this.#labels.keys()) if (!isShown(pair)) this.#out.add(pair);
    this.#fill();
    this.changed();
  }

  #listed(): number[] {
    const found = searchNames(this.#search.value, this.#labels).map(({ index }) => index);
    return this.#touching.checked ? found.filter((pair) => this.#forces.has(pair)) : found;
  }

  #fill(): void {
    const summary = this.root.querySelector('summary')!;
    summary.textContent = this.#out.size === 0 ? `Pairs: all ${this.#labels.length}` : `Pairs: ${this.title}`;
    if (!(this.root as HTMLDetailsElement).open) return;
    const listed = this.#listed();
    const focused = this.#list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.pair
      : undefined;
    this.#list.replaceChildren(...listed.slice(0, MOST_ROWS).map((pair) => this.#row(pair)));
    if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-pair="${focused}"]`)?.focus();
    const more = listed.length - MOST_ROWS;
    this.#note.textContent =
      listed.length === 0 ? 'No pair matches.' : more > 0 ? `and ${more} more; search to narrow them down` : '';
  }

  #row(pair: number): HTMLElement {
    const box = element('input', { type: 'checkbox', 'data-pair': pair });
    box.checked = !this.#out.has(pair);
    box.addEventListener('change', () => {
      if (box.checked) this.#out.delete(pair);
      else this.#out.add(pair);
      this.root.querySelector('summary')!.textContent =
        `Pairs: ${this.#out.size === 0 ? `all ${this.#labels.length}` : this.title}`;
      this.changed();
    });
    const force = this.#forces.get(pair);
    return element(
      'li',
      {},
      element(
        'label',
        { class: 'inspector-check' },
        box,
        element('span', { class: 'inspector-name' }, this.#labels[pair]),
        element('span', { class: 'inspector-figure' }, force === undefined ? '' : quantity(force, 'N', 3)),
      ),
    );
  }
}
