/** The rooms of the page: bar, panels, view, plots, strip, time. Panels lie beside a wide view and below a narrow one. */
import { element, iconButton, setPressed } from '../controls/element.js';

export const TABS = ['body', 'contacts', 'run', 'settings'] as const;
export type Tab = (typeof TABS)[number];
export type Room = Tab | 'bodies' | 'plots';

const TITLES: Readonly<Record<Tab, string>> = { body: 'Body', contacts: 'Contacts', run: 'Run', settings: 'Settings' };
const NARROW = 760; // px, as in styles.css

export class Layout {
  readonly root: HTMLElement;
  readonly title = element('h1', { class: 'viewer-title' });
  readonly tools = element('div', { class: 'viewer-tools', role: 'toolbar', 'aria-label': 'Viewer' });
  readonly corner = element('div', { class: 'viewer-corner', role: 'toolbar', 'aria-label': 'Page' });
  readonly view = element('main', { class: 'viewer-view' });
  readonly bodies = element('div', { class: 'viewer-room' });
  readonly plots = element('section', { class: 'viewer-plots', 'aria-label': 'Plots' });
  readonly strip = element('section', { class: 'viewer-strip', 'aria-label': 'Contact force over time' });
  readonly time = element('footer', { class: 'viewer-time-bar' });
  readonly tabs: Readonly<Record<Tab, HTMLElement>>;
  readonly #left: HTMLElement;
  readonly #right: HTMLElement;
  readonly #tabButtons: Readonly<Record<Tab, HTMLButtonElement>>;
  readonly #roomButtons = new Map<Room, HTMLElement>();
  readonly #listeners = new Set<() => void>();
  #open: { bodies: boolean; plots: boolean; tab: Tab | undefined };

  constructor(place: HTMLElement) {
    const room = (tab: Tab): HTMLElement =>
      element('div', { class: 'viewer-room', role: 'tabpanel', 'aria-label': TITLES[tab] });
    this.tabs = { body: room('body'), contacts: room('contacts'), run: room('run'), settings: room('settings') };
    const tabButton = (tab: Tab): HTMLButtonElement =>
      element('button', { type: 'button', role: 'tab', onclick: () => this.open(tab) }, TITLES[tab]);
    this.#tabButtons = {
      body: tabButton('body'),
      contacts: tabButton('contacts'),
      run: tabButton('run'),
      settings: tabButton('settings'),
    };
    const closing = (room: 'bodies' | 'tab'): HTMLElement =>
      iconButton('close', 'Close this panel', () => this.close(room === 'bodies' ? 'bodies' : (this.tab ?? 'body')));
    this.#left = element(
      'aside',
      { class: 'viewer-panel left', 'aria-label': 'Bodies' },
      element('header', {}, element('h2', {}, 'Bodies'), closing('bodies')),
      this.bodies,
    );
    this.#right = element(
      'aside',
      { class: 'viewer-panel right', 'aria-label': 'Details' },
      element(
        'header',
        {},
        element('div', { class: 'viewer-tabs', role: 'tablist' }, ...Object.values(this.#tabButtons)),
        closing('tab'),
      ),
      ...Object.values(this.tabs),
    );
    this.root = element(
      'div',
      { class: 'viewer' },
      element('header', { class: 'viewer-bar' }, this.title, this.tools, this.corner),
      element('div', { class: 'viewer-middle' }, this.#left, this.view, this.#right),
      this.plots,
      this.strip,
      this.time,
    );
    place.append(this.root);
    this.#open = { bodies: this.root.clientWidth >= 1000, plots: false, tab: undefined };
    this.#update();
  }

  get isNarrow(): boolean {
    return this.root.clientWidth < NARROW;
  }

  get tab(): Tab | undefined {
    return this.#open.tab;
  }

  isOpen(room: Room): boolean {
    if (room === 'bodies' || room === 'plots') return this.#open[room];
    return this.#open.tab === room;
  }

  open(room: Room): void {
    // There is room for one panel below a narrow view.
    if (this.isNarrow) this.#open = { bodies: false, plots: this.#open.plots && room === 'plots', tab: undefined };
    if (room === 'bodies' || room === 'plots') this.#open[room] = true;
    else this.#open.tab = room;
    this.#update();
  }

  close(room: Room): void {
    if (room === 'bodies' || room === 'plots') this.#open[room] = false;
    else if (this.#open.tab === room) this.#open.tab = undefined;
    this.#update();
  }

  toggle(room: Room): void {
    if (this.isOpen(room)) this.close(room);
    else this.open(room);
  }

  /** A button that opens and closes a room, and shows which it is. */
  joins(room: Room, button: HTMLElement): void {
    this.#roomButtons.set(room, button);
    this.#update();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #update(): void {
    const { bodies, plots, tab } = this.#open;
    this.#left.hidden = !bodies;
    this.#right.hidden = tab === undefined;
    this.plots.hidden = !plots;
    this.strip.hidden = tab !== 'contacts';
    for (const name of TABS) {
      this.tabs[name].hidden = name !== tab;
      this.#tabButtons[name].setAttribute('aria-selected', String(name === tab));
    }
    for (const [room, button] of this.#roomButtons) setPressed(button, this.isOpen(room));
    for (const listener of this.#listeners) listener();
  }
}
