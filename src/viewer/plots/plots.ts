/**
 * Signals over time, in plots under each other that share one time axis with the player.
 *
 *   const plots = createPlots({ player, panel });
 *   await plots.add('ball.position.*');      // into the chosen plot
 *   await plots.add('ball.speed', 1);        // into the second, which is made if there is none
 */
import { ModelError, suggestion } from '../../errors.js';
import { isGlob, matchesGlob } from '../../results/signal-glob.js';
import { element } from '../controls/element.js';
import { nextTask } from '../controls/next-task.js';
import { lastRowTo } from '../playback/decimation.js';
import type { Player } from '../playback/player.js';
import { Plot, type PlotPanel, SIGNAL_TYPE } from './plot.js';
import { plotCsv } from './plot-csv.js';
import { plotsPicture } from './plots-picture.js';
import { namesOf } from './search.js';
import { MOST_ADDED, SignalSearch } from './signal-search.js';
import { SignalStore } from './signal-store.js';
import { whenThemeChanges } from './theme-change.js';
import { TimeWindow } from './time-window.js';

export interface Plots {
  /**
   * Adds a signal, or all that a glob finds, to a plot: the chosen one, or that with a number, which is made if it is not there.
   *
   * @throws ModelError if nothing has that name
   */
  add(signalOrGlob: string, plot?: number): Promise<void>;
  clear(): void;
  /** Reads all lines again, of a recording that has grown. */
  refresh(): Promise<void>;
  /** Shows a stretch of time, s; everything without one. */
  zoom(from?: number, to?: number): void;
  /** Every row of what is visible. */
  csv(): string;
  png(): Promise<Blob>;
  /** What is shown */
  shown(): readonly {
    readonly title: string;
    readonly lines: readonly { readonly name: string; readonly unit: string; readonly colour: string }[];
    readonly axes: readonly { readonly unit: string; readonly side: string }[];
  }[];
  /** Told of the stretch of time that the plots show, now and whenever it changes: strip and slider show the same. */
  onWindow(listener: (window: Pick<TimeWindow, 'from' | 'to' | 'isWhole'>) => void): void;
  /** Told where the time axis of the plots lies, client px, whenever that changes; undefined while they are hidden. What else has a time axis lines up with it. */
  onAxis(listener: (axis: TimeAxis | undefined) => void): void;
  dispose(): void;
}

/** Client px of the first and the last moment that plots show */
export interface TimeAxis {
  readonly left: number;
  readonly right: number;
}

export function createPlots({ player, panel }: { player: Player; panel: HTMLElement }): Plots {
  return new PlotsPanel(player, panel);
}

class PlotsPanel implements Plots, PlotPanel {
  readonly window: TimeWindow;
  readonly sides = { left: 1, right: 0 };
  showsStatistics = true;
  readonly #store: SignalStore;
  readonly #plots: Plot[] = [];
  #chosen = 0;
  #hovered: number | undefined;
  #lastTime = Number.NaN;
  #hasShownChosen = false;
  #isDisposed = false;
  #isStale = false;
  #isRefreshing = false;
  /** Those whose chart is to be made anew: one in each task, so that many plots do not hold up the page */
  readonly #waiting = new Set<Plot>();
  #rebuilding: Promise<void> | undefined;
  readonly #windowListeners: ((window: Pick<TimeWindow, 'from' | 'to' | 'isWhole'>) => void)[] = [];
  readonly #stops: (() => void)[] = [];
  readonly #axisListeners: ((axis: TimeAxis | undefined) => void)[] = [];
  readonly #root: HTMLElement;
  readonly #list = element('div', { class: 'plots-list' });
  readonly #status = element('p', { class: 'plots-status', role: 'status' });
  readonly #reset: HTMLButtonElement;
  readonly #statistics: HTMLButtonElement;

  constructor(
    private readonly player: Player,
    panel: HTMLElement,
  ) {
    const { playback } = player;
    this.#store = new SignalStore(playback, () => this.#tellLoading());
    this.window = new TimeWindow(playback.times);
    const search = new SignalSearch(playback.signals, (names, fresh) => {
      if (fresh) this.#choose(this.#make('').number);
      void this.#addAll(names, this.#chosenPlot()).catch((error) => this.#tell(error));
    });
    const button = (label: string, title: string, press: () => void): HTMLButtonElement =>
      element('button', { type: 'button', title, onclick: press }, label);
    this.#reset = button('Whole run', 'Show all of the time axis again (double click a plot, or press 0)', () =>
      this.zoom(),
    );
    this.#statistics = button('Statistics', 'Least, greatest, mean, … of the visible stretch', () =>
      this.#toggleStatistics(),
    );
    this.#statistics.setAttribute('aria-pressed', 'true');
    this.#root = element(
      'div',
      { class: 'plots' },
      element(
        'div',
        { class: 'plots-bar', role: 'toolbar', 'aria-label': 'Plots' },
        search.root,
        button('New plot', 'An empty plot below the others', () => {
          this.#choose(this.#make('').number);
          search.focus();
        }),
        this.#reset,
        this.#statistics,
        button('CSV', 'Save the visible rows of all plots as comma-separated values', () =>
          save(new Blob([this.csv()], { type: 'text/csv' }), `${fileName(playback.title)}.csv`),
        ),
        button('PNG', 'Save the plots as a picture', () => {
          void this.png().then(
            (picture) => save(picture, `${fileName(playback.title)}-plots.png`),
            (error) => this.#tell(error),
          );
        }),
        button('Clear', 'Remove all plots', () => this.clear()),
      ),
      this.#status,
      this.#list,
    );
    panel.append(this.#root);
    this.#status.hidden = true;
    for (const title of Object.keys(playback.scene.plots)) this.#make(title);
    if (this.#plots.length === 0) this.#make('');
    this.#choose(0);
    this.windowChanged();
    this.#listen();
  }

  #listen(): void {
    const { player } = this;
    this.#stops.push(player.on('frame', () => this.#follow()));
    // shown for the first time: now the author's plots are worth reading
    const sizes = new ResizeObserver(() => {
      const width = this.#list.clientWidth;
      if (width === 0) {
        this.#tellAxis();
        return;
      }
      for (const plot of this.#plots) plot.resize(width - 2);
      this.#tellAxis();
      this.#showChosen();
      if (this.#isStale) void this.refresh().catch((error) => this.#tell(error));
      this.#follow();
    });
    sizes.observe(this.#list);
    this.#stops.push(() => sizes.disconnect());
    this.#stops.push(
      whenThemeChanges(this.#root, () => {
        for (const plot of this.#plots) plot.repaint();
      }),
    );
    // a signal dropped beside the plots gets one of its own
    this.#list.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes(SIGNAL_TYPE)) event.preventDefault();
    });
    this.#list.addEventListener('drop', (event) => {
      const name = event.dataTransfer?.getData(SIGNAL_TYPE);
      if (!name) return;
      event.preventDefault();
      this.#choose(this.#make('').number);
      void this.#addAll([name], this.#chosenPlot()).catch((error) => this.#tell(error));
    });
  }

  /** The plots that the model's author chose, when they can be seen for the first time. */
  #showChosen(): void {
    if (this.#hasShownChosen) return;
    this.#hasShownChosen = true;
    Object.values(this.player.playback.scene.plots).forEach((patterns, i) => {
      const plot = this.#plots[i];
      const names = namesOf(patterns, this.#store.names).slice(0, MOST_ADDED);
      if (plot && names.length > 0) void this.#addAll(names, plot).catch((error) => this.#tell(error));
    });
  }

  get times(): Float64Array {
    return this.#store.times;
  }

  async add(signalOrGlob: string, plot?: number): Promise<void> {
    const { names } = this.#store;
    const found = isGlob(signalOrGlob)
      ? names.filter(matchesGlob(signalOrGlob))
      : names.filter((name) => name === signalOrGlob);
    if (found.length === 0)
      throw new ModelError('plot', `there is no signal "${signalOrGlob}"${suggestion(signalOrGlob, names)}`);
    if (plot !== undefined) while (this.#plots.length <= plot) this.#make('');
    await this.#addAll(found.slice(0, MOST_ADDED), plot === undefined ? this.#chosenPlot() : this.#plots[plot]);
    if (found.length > MOST_ADDED)
      this.#tell(new Error(`${found.length} signals match ${signalOrGlob}; the first ${MOST_ADDED} are shown`));
  }

  async #addAll(names: readonly string[], plot: Plot): Promise<void> {
    this.#tellLoading();
    const signals = await Promise.all(names.map((name) => this.#store.load(name)));
    if (this.#isDisposed) return;
    let isNew = false;
    for (const signal of signals) isNew = plot.addLine(signal) || isNew;
    if (isNew) this.changed();
    await this.#rebuilding;
  }

  #chosenPlot(): Plot {
    return this.#plots[this.#chosen] ?? this.#plots[this.#make('').number];
  }

  #make(title: string): { number: number } {
    const plot = new Plot(this, title);
    this.#plots.push(plot);
    this.#list.append(plot.root);
    if (this.#list.clientWidth > 0) plot.resize(this.#list.clientWidth - 2);
    return { number: this.#plots.length - 1 };
  }

  #choose(number: number): void {
    this.#chosen = number;
    for (const [i, plot] of this.#plots.entries()) plot.mark(i === number && this.#plots.length > 1);
  }

  choose(plot: Plot): void {
    this.#choose(this.#plots.indexOf(plot));
  }

  drop(plot: Plot, name: string): void {
    this.choose(plot);
    void this.#addAll([name], plot).catch((error) => this.#tell(error));
  }

  remove(plot: Plot): void {
    const number = this.#plots.indexOf(plot);
    if (number < 0) return;
    this.#plots.splice(number, 1);
    this.#waiting.delete(plot);
    plot.dispose();
    if (this.#plots.length === 0) this.#make('');
    this.#choose(Math.min(number, this.#plots.length - 1));
    this.changed();
  }

  clear(): void {
    for (const plot of this.#plots.splice(0)) plot.dispose();
    this.#waiting.clear();
    this.#make('');
    this.#choose(0);
    this.changed();
  }

  /** Lines have changed; axes of all plots line up anew. */
  changed(): void {
    const count = (side: string): number =>
      Math.max(0, ...this.#plots.map(({ axes }) => axes.filter((axis) => axis.side === side).length));
    this.sides.left = Math.max(1, count('left'));
    this.sides.right = count('right');
    for (const plot of this.#plots) this.#waiting.add(plot);
    this.#rebuilding ??= this.#rebuild().finally(() => {
      this.#rebuilding = undefined;
      this.#tellAxis();
    });
  }

  async #rebuild(): Promise<void> {
    while (this.#waiting.size > 0) {
      await nextTask();
      const [plot] = this.#waiting;
      if (this.#isDisposed || !plot) return;
      this.#waiting.delete(plot);
      plot.rebuild();
      this.#lastTime = Number.NaN;
      this.#follow();
    }
  }

  windowChanged(): void {
    for (const listener of this.#windowListeners) listener(this.window);
    this.#reset.disabled = this.window.isWhole;
    for (const plot of this.#plots) if (!this.#waiting.has(plot)) plot.refresh();
    this.#lastTime = Number.NaN;
    this.#follow();
  }

  async refresh(): Promise<void> {
    // what nobody sees is read when it is seen
    if (this.#list.clientWidth === 0) {
      this.#isStale = true;
      return;
    }
    if (this.#store.loading.size > 0 || this.#isRefreshing) return; // not done with the last state yet
    this.#isStale = false;
    this.#isRefreshing = true;
    try {
      await this.#readAgain();
    } finally {
      this.#isRefreshing = false;
    }
  }

  async #readAgain(): Promise<void> {
    this.#store.forget();
    const plots = [...this.#plots];
    const read = await Promise.all(
      plots.map(({ lines }) => Promise.all(lines.map(({ signal }) => this.#store.load(signal.name)))),
    );
    if (this.#isDisposed) return;
    plots.forEach((plot, i) => {
      if (plot.lines.length === read[i].length) plot.replace(read[i]);
    });
    this.window.extend(this.#store.times);
    for (const listener of this.#windowListeners) listener(this.window);
    for (const plot of plots) {
      await nextTask();
      if (this.#isDisposed) return;
      if (this.#plots.includes(plot) && !this.#waiting.has(plot)) plot.refresh();
    }
    this.#lastTime = Number.NaN;
    this.#follow();
  }

  zoom(from?: number, to?: number): void {
    if (from === undefined || to === undefined) this.window.reset();
    else this.window.set(from, to);
    this.windowChanged();
  }

  onWindow(listener: (window: Pick<TimeWindow, 'from' | 'to' | 'isWhole'>) => void): void {
    this.#windowListeners.push(listener);
    listener(this.window);
  }

  onAxis(listener: (axis: TimeAxis | undefined) => void): void {
    this.#axisListeners.push(listener);
  }

  #tellAxis(): void {
    const place = this.#list.querySelector('.u-over')?.getBoundingClientRect();
    const axis = place && place.width > 0 ? { left: place.left, right: place.right } : undefined;
    for (const listener of this.#axisListeners) listener(axis);
  }

  seek(time: number): void {
    this.player.time = time;
  }

  hover(time: number | undefined): void {
    this.#hovered = time;
    this.#lastTime = Number.NaN;
    this.#follow();
  }

  /** The line at the player's time, and the values there. */
  #follow(): void {
    const { time } = this.player;
    if (time === this.#lastTime || this.#list.clientWidth === 0) return;
    this.#lastTime = time;
    for (const plot of this.#plots) {
      plot.time = time;
      if (this.#waiting.has(plot)) continue;
      plot.showTime(time, this.#hovered, (at) => this.#rowsAt(at));
    }
  }

  /** The rows around a time and how far it lies between them. */
  #rowsAt(time: number): readonly [number, number, number] {
    const { times } = this.#store;
    const before = Math.max(0, lastRowTo(times, time));
    const after = Math.min(times.length - 1, before + 1);
    const span = times[after] - times[before];
    return [before, after, span > 0 ? Math.min(1, Math.max(0, (time - times[before]) / span)) : 0];
  }

  #toggleStatistics(): void {
    this.showsStatistics = !this.showsStatistics;
    this.#statistics.setAttribute('aria-pressed', String(this.showsStatistics));
    this.windowChanged();
  }

  #tellLoading(): void {
    const { loading } = this.#store;
    if (loading.size === 0) {
      this.#status.hidden = true;
      return;
    }
    const part = [...loading.values()].reduce((sum, value) => sum + value, 0) / loading.size;
    this.#say(
      `Reading ${loading.size === 1 ? [...loading.keys()][0] : `${loading.size} signals`}: ${Math.round(100 * part)} %`,
    );
  }

  #tell(error: unknown): void {
    this.#say(error instanceof Error ? error.message : String(error));
  }

  #say(text: string): void {
    this.#status.textContent = text;
    this.#status.hidden = false;
  }

  csv(): string {
    const lines = new Map(this.#plots.flatMap((plot) => plot.lines.map((line) => [line.name, line] as const)));
    return plotCsv(this.#store.times, [...lines.values()], this.window.from, this.window.to);
  }

  async png(): Promise<Blob> {
    await this.#rebuilding;
    return plotsPicture(this.#plots, this.#root);
  }

  shown(): ReturnType<Plots['shown']> {
    return this.#plots.map(({ title, lines, axes }) => ({
      title,
      lines: lines.map(({ name, unit, colour }) => ({ name, unit, colour })),
      axes: axes.map(({ unit, side }) => ({ unit, side })),
    }));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#stops) stop();
    for (const plot of this.#plots) plot.dispose();
    this.#root.remove();
  }
}

const fileName = (title: string): string =>
  title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|-+$/g, '') || 'recording';

/** Hands a file to the browser to keep. */
function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
