/** The box in which signals are searched: a list opens under it, to press Enter on, to click, or to drag a signal out of. */
import { isGlob } from '../../results/signal-glob.js';
import { element } from '../controls/element.js';
import { SIGNAL_TYPE } from './plot.js';
import { type Found, searchNames } from './search.js';

const MOST_SHOWN = 200;
/** A glob adds all that it finds, up to so many lines */
export const MOST_ADDED = 24;

export class SignalSearch {
  readonly root: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #list = element('ul', { class: 'plots-found', role: 'listbox', id: 'plots-found', 'aria-label': 'Signals' });
  readonly #count = element('p', { class: 'plots-count', role: 'status' });
  #found: Found[] = [];
  #active = 0;
  #drags = false;

  /** @param add the signals chosen; into a new plot if `fresh` */
  constructor(
    private readonly signals: readonly { readonly name: string; readonly unit: string; readonly description: string }[],
    private readonly add: (names: readonly string[], fresh: boolean) => void,
  ) {
    this.#input = element('input', {
      type: 'search',
      role: 'combobox',
      'aria-label': 'Search signals',
      'aria-controls': 'plots-found',
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
      placeholder: 'Search signals: ball.*.z or bpz',
      title: 'Letters in order, or a pattern with * ? {a,b}. Enter adds to the chosen plot, Shift+Enter to a new one.',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    this.root = element(
      'div',
      { class: 'plots-search' },
      this.#input,
      element('div', { class: 'plots-drop' }, this.#count, this.#list),
    );
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('focus', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    this.root.addEventListener('focusout', (event) => {
      if (!this.#drags && !this.root.contains(event.relatedTarget as Node | null)) this.#close();
    });
    // a press in the list takes the focus from the box, but may be the start of a drag: the list stays
    this.#list.addEventListener('pointerdown', () => {
      this.#drags = true;
    });
    this.#list.addEventListener('pointerup', () => {
      this.#drags = false;
    });
    this.#close();
  }

  focus(): void {
    this.#input.focus();
  }

  #close(): void {
    this.root.classList.remove('open');
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
  }

  #search(): void {
    const names = this.signals.map(({ name }) => name);
    this.#found = searchNames(this.#input.value, names);
    this.#active = 0;
    const more = this.#found.length - MOST_SHOWN;
    this.#count.textContent =
      this.#found.length === 0
        ? 'No signal matches.'
        : `${this.#found.length} of ${names.length} signals${more > 0 ? `, the first ${MOST_SHOWN} below` : ''}${isGlob(this.#input.value) ? '; Enter adds them all' : ''}`;
    this.#list.replaceChildren(...this.#found.slice(0, MOST_SHOWN).map((found, i) => this.#item(found, i)));
    this.root.classList.add('open');
    this.#input.setAttribute('aria-expanded', 'true');
    this.#activate(0);
  }

  #item({ index, letters }: Found, i: number): HTMLElement {
    const { name, unit, description } = this.signals[index];
    const marked = new Set(letters);
    const label = element('span', { class: 'plots-name' });
    let run = '';
    let isMarked = false;
    const flush = (): void => {
      if (run) label.append(isMarked ? element('b', {}, run) : run);
      run = '';
    };
    [...name].forEach((letter, k) => {
      if (marked.has(k) !== isMarked) {
        flush();
        isMarked = !isMarked;
      }
      run += letter;
    });
    flush();
    const item = element(
      'li',
      {
        role: 'option',
        id: `plots-found-${i}`,
        draggable: 'true',
        title: description || name,
        'aria-selected': 'false',
      },
      label,
      element('span', { class: 'plots-unit' }, unit),
    );
    item.addEventListener('click', (event) => {
      this.add([name], event.shiftKey);
      this.#input.focus();
    });
    item.addEventListener('dragstart', (event) => {
      event.dataTransfer?.setData(SIGNAL_TYPE, name);
      event.dataTransfer?.setData('text/plain', name);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'copy';
      // the list lies over the plots; it makes way as soon as the drag has begun
      setTimeout(() => this.root.classList.add('dragging'));
    });
    item.addEventListener('dragend', () => {
      this.#drags = false;
      this.root.classList.remove('dragging');
      this.#close();
    });
    return item;
  }

  #activate(to: number): void {
    const items = this.#list.children;
    items[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = Math.max(0, Math.min(items.length - 1, to));
    const item = items[this.#active];
    if (!item) return;
    item.setAttribute('aria-selected', 'true');
    item.scrollIntoView({ block: 'nearest' });
    this.#input.setAttribute('aria-activedescendant', item.id);
  }

  #pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!this.root.classList.contains('open')) this.#search();
      else this.#activate(this.#active + step);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      this.#close();
    } else if (event.key === 'Enter' && this.#found.length > 0) {
      event.preventDefault();
      const all = isGlob(this.#input.value.trim());
      const chosen = all ? this.#found.slice(0, MOST_ADDED) : [this.#found[this.#active]];
      this.add(
        chosen.map(({ index }) => this.signals[index].name),
        event.shiftKey,
      );
    }
  }
}
