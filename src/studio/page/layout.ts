/**
 * The rooms of the studio: bar, panels under tabs, the view with what floats over it, plots, time. The viewer's session finds its places here as in its own page.
 * Below 760 px panels are sheets over the view, one at a time.
 */
import { element, iconButton, setPressed } from '../../viewer/controls/element.js';
import type { Room, Tab } from '../../viewer/page/layout.js';
import type { SessionRooms } from '../../viewer/page/session.js';
import type { Activity, ActivityName, RoomTab, StudioRooms, ViewerTab } from '../activity.js';

const NARROW = 760; // px, as in styles.css
const ROOMY = 1000; // px: the view and a panel at each side
const VIEWERS: Readonly<Record<ViewerTab, string>> = {
  body: 'Body',
  contacts: 'Contacts',
  run: 'Run',
  settings: 'Settings',
};

export class StudioLayout implements SessionRooms, StudioRooms {
  readonly root: HTMLElement;
  readonly title = element('input', {
    type: 'text',
    class: 'studio-title',
    'aria-label': 'Title',
    spellcheck: 'false',
    maxlength: 120,
  });
  readonly saved = element('span', { class: 'studio-saved', role: 'status' });
  readonly corner = element('div', { class: 'viewer-corner', role: 'toolbar', 'aria-label': 'Document' });
  readonly view = element('main', { class: 'viewer-view studio-view', tabindex: -1, 'aria-label': 'View' });
  readonly over = element('div', { class: 'studio-over' });
  readonly rail = element('div', { class: 'studio-rail', role: 'toolbar', 'aria-label': 'Tools' });
  readonly status = element('div', { class: 'studio-status' });
  readonly hintLine = element('div', { class: 'studio-hint' });
  readonly code = element('section', { class: 'studio-code', 'aria-label': 'Code', hidden: true });
  readonly gallery = element('section', { class: 'studio-gallery', 'aria-label': 'Gallery', hidden: true });
  readonly messagesPlace = element('div', { class: 'viewer-messages' });
  readonly live = element('div', { class: 'studio-live', role: 'status', 'aria-live': 'polite' });
  readonly before = element('div', { class: 'studio-before', role: 'toolbar', 'aria-label': 'Run' });
  readonly time = element('div', { class: 'studio-time' });
  readonly bodies = element('div', { class: 'viewer-room' });
  readonly plots = element('section', { class: 'viewer-plots studio-plots', 'aria-label': 'Plots', hidden: true });
  readonly strip = element('section', { class: 'viewer-strip', 'aria-label': 'Contact force over time', hidden: true });
  readonly tabs: Readonly<Record<Tab, HTMLElement>>;
  readonly #left: Panel;
  readonly #right: Panel;
  readonly #activities = element('div', { class: 'studio-activities', role: 'tablist', 'aria-label': 'Activity' });
  readonly #activityButtons = new Map<ActivityName, HTMLButtonElement>();
  readonly #listeners = new Set<() => void>();
  readonly #bar: HTMLElement;
  #arePlotsOpen = false;

  constructor(place: HTMLElement, actions: { choose(activity: ActivityName): void; home(): void }) {
    const room = (tab: Tab): HTMLElement => element('div', { class: `viewer-room studio-${tab}` });
    this.tabs = { body: room('body'), contacts: room('contacts'), run: room('run'), settings: room('settings') };
    this.#left = new Panel('left', 'Scene', () => this.#changed());
    this.#right = new Panel('right', 'Details', () => this.#changed());
    this.view.append(this.over, this.rail, this.status, this.hintLine, this.messagesPlace);
    const plots = iconButton('plots', 'Plots', () => this.togglePlots(), { toggle: true, key: 'p' });
    // What was closed, or had no room at first, is opened again without a keyboard too
    const left = iconButton('bodies', 'Panel at the left', () => this.toggleSide('left'), { toggle: true, key: 'b' });
    const right = iconButton('settings', 'Panel at the right', () => this.toggleSide('right'), {
      toggle: true,
      key: 'i',
    });
    this.onChange(() => {
      setPressed(plots, this.#arePlotsOpen);
      setPressed(left, this.#left.isOpen);
      setPressed(right, this.#right.isOpen);
    });
    const home = iconButton('logo', 'Gallery', actions.home);
    home.classList.add('studio-logo');
    this.#bar = element(
      'header',
      { class: 'studio-bar' },
      element('div', { class: 'studio-name' }, home, this.title, this.saved),
      this.#activities,
      this.corner,
    );
    this.root = element(
      'div',
      { class: 'viewer studio' },
      this.#bar,
      element('div', { class: 'viewer-middle' }, this.#left.root, this.code, this.view, this.#right.root),
      this.plots,
      this.strip,
      element('footer', { class: 'viewer-time-bar studio-foot' }, left, this.before, this.time, plots, right),
      this.gallery,
      this.live,
    );
    this.choose = actions.choose;
    place.append(this.root);
    this.#left.isOpen = this.#right.isOpen = this.#isRoomy;
    // A tablet that is turned: two panels would leave no view between them
    new ResizeObserver(() => {
      if (this.#isRoomy || !this.#left.isOpen || !this.#right.isOpen) return;
      this.#left.isOpen = false;
      this.#changed();
    }).observe(this.root);
    for (const panel of [this.#left, this.#right]) panel.onOpen = () => this.#makeRoom(panel);
    this.#changed();
  }

  readonly choose: (activity: ActivityName) => void;

  get #isRoomy(): boolean {
    return this.root.clientWidth >= ROOMY;
  }

  set isCodeOpen(on: boolean) {
    this.code.hidden = !on;
    if (on) this.#left.isOpen = false; // room for the view
    if (on && !this.#isRoomy) this.#right.isOpen = false;
    this.#changed();
  }

  /** Below the bar something stands in place of all the rest. */
  set isGallery(on: boolean) {
    this.root.classList.toggle('at-gallery', on);
    this.gallery.hidden = !on;
  }

  addActivity({ name, label, icon }: Activity, key: string): void {
    const button = iconButton(icon, label, () => this.choose(name), { text: label, key });
    button.setAttribute('role', 'tab');
    button.dataset.activityTab = name;
    this.#activityButtons.set(name, button);
    this.#activities.append(button);
  }

  set activity(name: ActivityName) {
    this.root.dataset.activity = name;
    for (const [other, button] of this.#activityButtons) button.setAttribute('aria-selected', String(other === name));
  }

  // —— rooms of an activity ——

  setLeft(tabs: readonly RoomTab[]): void {
    this.#left.set(tabs);
  }

  setRight(tabs: readonly RoomTab[], viewers: readonly ViewerTab[] = []): void {
    this.#right.set([...tabs, ...viewers.map((name) => ({ name, label: VIEWERS[name], content: this.tabs[name] }))]);
  }

  openRight(name: string): void {
    this.#right.open(name);
  }

  preferLeft(name: string): void {
    if (!this.#isRoomy) this.#left.open(name);
  }

  set wide(on: boolean) {
    this.#right.root.classList.toggle('wide', on);
  }
  get wide(): boolean {
    return this.#right.root.classList.contains('wide');
  }

  toggleSide(side: 'left' | 'right'): void {
    const panel = side === 'left' ? this.#left : this.#right;
    panel.isOpen = !panel.isOpen;
    this.#changed();
  }

  togglePlots(): void {
    this.#arePlotsOpen = !this.#arePlotsOpen;
    this.#changed();
  }

  /** The next region for F6, after the one that has the focus */
  nextRegion(by: 1 | -1): void {
    const regions = [
      this.#bar,
      this.#left.root,
      this.code,
      this.view,
      this.#right.root,
      this.plots,
      this.before,
    ].filter((region) => region.offsetParent !== null && !region.hidden);
    const now = regions.findIndex((region) => region.contains(document.activeElement));
    const next = regions[(now + by + regions.length) % regions.length] ?? this.view;
    const first = next.querySelector<HTMLElement>('button:not(:disabled), input, select, [tabindex="0"]');
    (next === this.view ? (next.querySelector('canvas') as HTMLElement | null) : first)?.focus();
    if (next === this.view) next.focus();
  }

  // —— rooms of the viewer ——

  get isNarrow(): boolean {
    return this.root.clientWidth < NARROW;
  }

  get tab(): Tab | undefined {
    const { name } = this.#right;
    // A room of the studio's own counts as settings: nobody opens another one over it
    return name === undefined ? undefined : name in VIEWERS ? (name as Tab) : 'settings';
  }

  isOpen(room: Room): boolean {
    if (room === 'plots') return this.#arePlotsOpen;
    if (room === 'bodies') return this.#left.name === 'bodies';
    return this.#right.name === room;
  }

  open(room: Room): void {
    if (room === 'plots') this.#arePlotsOpen = true;
    else if (room === 'bodies') this.#left.open('bodies');
    else this.#right.open(room);
    this.#changed();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** There is room for one sheet over a narrow view. */
  #makeRoom(opened: Panel): void {
    if (this.#isRoomy) return;
    for (const panel of [this.#left, this.#right]) if (panel !== opened) panel.isOpen = false;
  }

  #changed(): void {
    this.plots.hidden = !this.#arePlotsOpen;
    this.strip.hidden = this.#right.name !== 'contacts';
    for (const listener of this.#listeners) listener();
  }
}

/** A panel whose rooms stand under tabs. */
class Panel {
  readonly root: HTMLElement;
  readonly #buttons = element('div', { class: 'viewer-tabs', role: 'tablist' });
  readonly #handle: HTMLButtonElement;
  #tabs: readonly RoomTab[] = [];
  #shown: string | undefined;
  #isOpen = true;
  onOpen: (() => void) | undefined;

  constructor(
    side: 'left' | 'right',
    label: string,
    private readonly changed: () => void,
  ) {
    this.#handle = iconButton(
      'close',
      `Close ${label}`,
      () => {
        this.isOpen = false;
        changed();
      },
      {},
    );
    this.root = element(
      'aside',
      { class: `viewer-panel ${side}`, 'aria-label': label },
      element('header', {}, this.#buttons, this.#handle),
    );
    this.#buttons.addEventListener('keydown', (event) => this.#arrow(event));
  }

  /** Of the room that is seen */
  get name(): string | undefined {
    return this.#isOpen ? this.#shown : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#tabs.length > 0;
  }
  set isOpen(open: boolean) {
    this.#isOpen = open;
    this.root.hidden = !this.isOpen;
    if (open) this.onOpen?.();
  }

  set(tabs: readonly RoomTab[]): void {
    for (const { content } of this.#tabs) content.remove();
    this.#tabs = tabs;
    this.#buttons.replaceChildren(
      ...tabs.map(({ name, label }) =>
        element('button', { type: 'button', role: 'tab', 'data-tab': name, onclick: () => this.open(name) }, label),
      ),
    );
    for (const { content, label } of tabs) {
      content.setAttribute('role', 'tabpanel');
      content.setAttribute('aria-label', label);
      this.root.append(content);
    }
    this.#show(tabs.some(({ name }) => name === this.#shown) ? this.#shown : tabs[0]?.name);
    this.root.hidden = !this.isOpen;
    this.changed();
  }

  open(name: string): void {
    if (!this.#tabs.some((tab) => tab.name === name)) return;
    this.#show(name);
    this.isOpen = true;
    this.changed();
  }

  #show(name: string | undefined): void {
    this.#shown = name;
    for (const { name: other, content } of this.#tabs) content.hidden = other !== name;
    for (const button of this.#buttons.querySelectorAll<HTMLElement>('button')) {
      const isShown = button.dataset.tab === name;
      button.setAttribute('aria-selected', String(isShown));
      button.tabIndex = isShown ? 0 : -1;
    }
  }

  /** As tabs are gone through by keyboard */
  #arrow(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.#tabs.findIndex(({ name }) => name === this.#shown);
    this.open(this.#tabs[(at + by + this.#tabs.length) % this.#tabs.length].name);
    this.#buttons.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }
}
