/** One plot: lines over time with an axis for each unit, drawn by uPlot from as few rows as the width can show. */
import uPlot from 'uplot';
import { element } from '../controls/element.js';
import { decimate, firstRowFrom, lastRowTo } from '../playback/decimation.js';
import { assignAxes, axisUnit, paddedRange, tickLabels } from './axes.js';
import { listenToPointers } from './gestures.js';
import type { ShownLine } from './plot-csv.js';
import { type LegendLine, PlotLegend } from './plot-legend.js';
import type { LoadedSignal } from './signal-store.js';
import { type Statistics, statistics } from './statistics.js';
import type { TimeWindow } from './time-window.js';
import { type Transform, transformed, transformedName, transformedUnit } from './transform.js';
import { XyChart } from './xy-chart.js';

/** Okabe & Ito (2008): told apart with any colour vision. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c8c8c'];
export const AXIS_WIDTH = 54; // px
const HEIGHT = 190; // px

export interface PlotLine extends ShownLine {
  readonly signal: LoadedSignal;
  readonly transform: Transform;
  readonly colour: string;
}

/** What a plot asks of the panel it is in. */
export interface PlotPanel {
  readonly window: TimeWindow;
  readonly times: Float64Array;
  readonly showsStatistics: boolean;
  /** Axes on the two sides of the plot that has most, so that the time axes of all lie under each other */
  readonly sides: { readonly left: number; readonly right: number };
  windowChanged(): void;
  seek(time: number): void;
  hover(time: number | undefined): void;
  changed(): void;
  remove(plot: Plot): void;
  choose(plot: Plot): void;
  drop(plot: Plot, name: string): void;
}

export class Plot {
  readonly root: HTMLElement;
  #lines: PlotLine[] = [];
  #chart: uPlot | undefined;
  #stopListening: (() => void) | undefined;
  #width = 600;
  #statistics: readonly Statistics[] = [];
  readonly #title: HTMLElement;
  readonly #place = element('div', { class: 'plot-chart' });
  readonly #empty = element('p', { class: 'plot-empty' }, 'Drag a signal here, or search one and press Enter.');
  readonly #now = element('div', { class: 'plot-now' });
  readonly #hover = element('div', { class: 'plot-hover' });
  readonly #mark = element('div', { class: 'plot-mark' });
  readonly #legend: PlotLegend;
  readonly #xy = new XyChart();
  readonly #over = element(
    'button',
    {
      type: 'button',
      class: 'plot-over',
      title: 'Over the first signal instead of over time; of one signal its rate over itself',
      'aria-pressed': 'false',
      onclick: () => this.setOver(this.#over.getAttribute('aria-pressed') !== 'true'),
    },
    'x–y',
  );

  constructor(
    private readonly panel: PlotPanel,
    readonly title: string,
  ) {
    this.#title = element('h3', {}, title);
    this.#legend = new PlotLegend({
      remove: (line) => this.removeLine(line),
      transform: (line, transform) => this.setTransform(line, transform),
    });
    this.root = element(
      'section',
      { class: 'plot', tabindex: 0, 'aria-label': title || 'Plot' },
      element(
        'header',
        {},
        this.#title,
        this.#over,
        element(
          'button',
          {
            type: 'button',
            class: 'plot-remove',
            'aria-label': 'Remove this plot',
            title: 'Remove this plot',
            onclick: () => panel.remove(this),
          },
          '×',
        ),
      ),
      this.#place,
      this.#xy.root,
      this.#empty,
      this.#legend.root,
    );
    this.root.addEventListener('focusin', () => panel.choose(this));
    this.root.addEventListener('pointerdown', () => panel.choose(this));
    this.root.addEventListener('keydown', (event) => this.#pressed(event));
    this.#acceptDrops();
    this.#hover.hidden = this.#mark.hidden = this.#xy.root.hidden = true;
  }

  /** Over the first of its signals instead of over time */
  get isOver(): boolean {
    return this.#over.getAttribute('aria-pressed') === 'true';
  }

  setOver(on: boolean): void {
    this.#over.setAttribute('aria-pressed', String(on));
    this.panel.changed();
  }

  get lines(): readonly PlotLine[] {
    return this.#lines;
  }

  get axes(): ReturnType<typeof assignAxes> {
    return assignAxes(this.#lines.map(({ unit }) => unit));
  }

  get statistics(): readonly Statistics[] {
    return this.#statistics;
  }

  /** False if the plot has it already. */
  addLine(signal: LoadedSignal, transform: Transform = 'plain'): boolean {
    if (this.#lines.some((line) => line.signal.name === signal.name && line.transform === transform)) return false;
    const used = new Set(this.#lines.map(({ colour }) => colour));
    const colour = COLOURS.find((free) => !used.has(free)) ?? COLOURS[this.#lines.length % COLOURS.length];
    this.#lines.push(this.#line(signal, transform, colour));
    return true;
  }

  #line(signal: LoadedSignal, transform: Transform, colour: string): PlotLine {
    return {
      signal,
      transform,
      colour,
      name: transformedName(signal.name, transform),
      unit: transformedUnit(signal.unit, transform),
      values: transformed(this.panel.times, signal.values, transform),
    };
  }

  /** The same lines from signals that were read anew, in the order of `lines` */
  replace(signals: readonly LoadedSignal[]): void {
    this.#lines = this.#lines.map(({ transform, colour }, i) => this.#line(signals[i], transform, colour));
  }

  removeLine(line: number): void {
    this.#lines.splice(line, 1);
    this.panel.changed();
  }

  setTransform(line: number, transform: Transform): void {
    const { signal, colour } = this.#lines[line];
    this.#lines[line] = this.#line(signal, transform, colour);
    this.panel.changed();
  }

  mark(isChosen: boolean): void {
    this.root.classList.toggle('chosen', isChosen);
  }

  /** Lines or axes have changed: the chart is made anew. */
  rebuild(): void {
    this.#stopListening?.();
    this.#chart?.destroy();
    this.#chart = undefined;
    this.#empty.hidden = this.#lines.length > 0;
    this.#place.hidden = this.#lines.length === 0 || this.isOver;
    this.#xy.root.hidden = this.#lines.length === 0 || !this.isOver;
    const { left, right } = this.panel.sides;
    const axes = this.axes;
    const own = (side: 'left' | 'right'): number => axes.filter((axis) => axis.side === side).length;
    if (this.#lines.length > 0) {
      this.#chart = new uPlot(
        {
          width: this.#width,
          height: HEIGHT,
          pxAlign: 0,
          legend: { show: false },
          cursor: { show: false },
          padding: [8, 26 + AXIS_WIDTH * (right - own('right')), 0, AXIS_WIDTH * (left - own('left'))],
          scales: {
            x: { time: false, range: () => [this.panel.window.from, this.panel.window.to] },
            ...Object.fromEntries(
              axes.map(({ scale }) => [scale, { range: (_, min, max) => paddedRange(min, max) } satisfies uPlot.Scale]),
            ),
          },
          series: [
            {},
            ...this.#lines.map(
              ({ colour, unit }): uPlot.Series => ({
                stroke: colour,
                width: 1.5,
                scale: axes.find((axis) => axis.unit === unit)!.scale,
                points: { show: false },
              }),
            ),
          ],
          axes: [this.#timeAxis(), ...axes.map((axis, i) => this.#valueAxis(axis, i === 0))],
        },
        [new Float64Array(0)],
        this.#place,
      );
      this.#chart.over.append(this.#mark, this.#hover, this.#now);
      this.#stopListening = this.#listen(this.#chart);
    }
    this.refresh();
  }

  /** The visible stretch has changed. */
  refresh(): void {
    const { window, times } = this.panel;
    const chart = this.#chart;
    if (chart) {
      const columns = Math.max(50, Math.round(this.#width * (globalThis.devicePixelRatio || 1)));
      const rows = decimate(
        times,
        this.#lines.map(({ values }) => values),
        window.from,
        window.to,
        columns,
      );
      const column = (values: Float64Array): Float64Array | (number | null)[] => {
        const some = Float64Array.from(rows, (row) => values[row]);
        // a gap is null for uPlot
        return some.some(Number.isNaN) ? Array.from(some, (value) => (Number.isNaN(value) ? null : value)) : some;
      };
      this.axes.forEach((axis, i) => {
        const [low, high] = this.#range(axis.lines);
        chart.axes[i + 1].label = axisUnit(axis.unit, low, high) || '1';
      });
      chart.setData([column(times), ...this.#lines.map(({ values }) => column(values))] as uPlot.AlignedData, true);
    }
    if (this.isOver) {
      this.#xy.show(this.#lines, times, [firstRowFrom(times, window.from), lastRowTo(times, window.to)]);
      this.#xy.draw(this.#width);
    }
    this.#statistics = this.#lines.map(({ values }) => statistics(times, values, window.from, window.to));
    this.#legend.show(
      this.#lines.map((line, i): LegendLine => ({ ...line, statistics: this.#statistics[i] })),
      this.panel.showsStatistics,
    );
  }

  /** Least and greatest of some lines in what is visible */
  #range(lines: readonly number[]): [number, number] {
    const { window, times } = this.panel;
    const all = lines.map((line) => statistics(times, this.#lines[line].values, window.from, window.to));
    const low = Math.min(...all.map(({ min }) => (Number.isNaN(min) ? Infinity : min)));
    return [low, Math.max(...all.map(({ max }) => (Number.isNaN(max) ? -Infinity : max)))];
  }

  /** Moves the lines at the player's time and under the pointer, and tells the values there. */
  showTime(now: number, hovered: number | undefined, rowOf: (time: number) => readonly [number, number, number]): void {
    if (!this.#chart) return;
    const { from, to } = this.panel.window;
    const place = (line: HTMLElement, time: number | undefined): void => {
      line.hidden = time === undefined || time < from || time > to;
      // as a part of the area: right before the chart has laid itself out, too
      if (time !== undefined && !line.hidden) line.style.left = `${(100 * (time - from)) / (to - from)}%`;
    };
    place(this.#now, now);
    place(this.#hover, hovered);
    const [before, after, part] = rowOf(hovered ?? now);
    if (this.isOver) this.#xy.draw(this.#width, before + part);
    this.#legend.showValues(
      this.#lines.map(({ values }) =>
        part === 0 ? values[before] : values[before] + part * (values[after] - values[before]),
      ),
    );
  }

  resize(width: number): void {
    if (Math.abs(width - this.#width) < 1 || !(width > 80)) return;
    this.#width = width;
    this.#chart?.setSize({ width, height: HEIGHT });
    this.refresh();
  }

  /** Colours of text and grid follow the page. */
  repaint(): void {
    this.#chart?.redraw(false, true);
    if (this.isOver) this.#xy.draw(this.#width);
  }

  get canvas(): HTMLCanvasElement | undefined {
    return this.isOver ? this.#xy.root : this.#chart?.ctx.canvas;
  }

  dispose(): void {
    this.#stopListening?.();
    this.#chart?.destroy();
    this.root.remove();
  }

  #ink = (): string => getComputedStyle(this.root).color;
  #faint = (): string => this.#ink().replace(/^rgba?\(([^,]+),([^,]+),([^,)]+).*$/, 'rgba($1,$2,$3,0.13)');

  #timeAxis(): uPlot.Axis {
    return {
      stroke: this.#ink,
      grid: { stroke: this.#faint, width: 1 },
      ticks: { stroke: this.#faint, width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      size: 26,
      gap: 2,
      values: (_, marks) => {
        const { from, to } = this.panel.window;
        const labels = tickLabels(marks, 's', from, to);
        return labels.map((label, i) => (i === labels.length - 1 ? `${label} ${axisUnit('s', from, to)}` : label));
      },
    };
  }

  #valueAxis({ scale, unit, side }: ReturnType<typeof assignAxes>[number], hasGrid: boolean): uPlot.Axis {
    const { colour } = this.#lines.find((line) => line.unit === unit)!;
    const isAlone = this.axes.length === 1;
    return {
      scale,
      side: side === 'left' ? 3 : 1,
      stroke: isAlone ? this.#ink : colour,
      grid: { show: hasGrid, stroke: this.#faint, width: 1 },
      ticks: { stroke: this.#faint, width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      labelFont: '11px system-ui, sans-serif',
      label: unit || '1',
      labelSize: 15,
      labelGap: 0,
      size: AXIS_WIDTH - 15,
      gap: 3,
      // by the values, as the label of the axis is, not by the range with its margin: 0.98 rad must not be 1.03 rad here and mrad there
      values: (_, marks) => {
        const axis = this.axes.find((other) => other.scale === scale);
        return axis ? tickLabels(marks, unit, ...this.#range(axis.lines)) : [];
      },
    };
  }

  #listen(chart: uPlot): () => void {
    const { panel } = this;
    const timeAt = (x: number): number => chart.posToVal(x, 'x');
    return listenToPointers(chart.over, {
      hover: (x) => panel.hover(x === undefined ? undefined : timeAt(x)),
      seek: (x) => panel.seek(timeAt(x)),
      mark: (a, b) => {
        this.#mark.hidden = false;
        this.#mark.style.left = `${Math.min(a, b)}px`;
        this.#mark.style.width = `${Math.abs(b - a)}px`;
      },
      zoom: (span) => {
        this.#mark.hidden = true;
        if (!span) return;
        panel.window.set(timeAt(span[0]), timeAt(span[1]));
        panel.windowChanged();
      },
      stretch: (was, is) => {
        const width = chart.over.clientWidth;
        panel.window.stretch([was[0] / width, was[1] / width], [is[0] / width, is[1] / width]);
        panel.windowChanged();
      },
      reset: () => {
        panel.window.reset();
        panel.windowChanged();
      },
    });
  }

  #pressed(event: KeyboardEvent): void {
    if (event.target !== this.root || event.ctrlKey || event.altKey || event.metaKey) return;
    const { panel } = this;
    const now = Math.min(panel.window.to, Math.max(panel.window.from, this.#time));
    if (event.key === '+' || event.key === '=') panel.window.zoom(1.5, now);
    else if (event.key === '-') panel.window.zoom(1 / 1.5, now);
    else if (event.key === '0') panel.window.reset();
    else if (event.key === 'Delete') {
      event.preventDefault();
      panel.remove(this);
      return;
    } else return;
    event.preventDefault();
    panel.windowChanged();
  }

  #time = 0;
  /** Where keys zoom about, s */
  set time(time: number) {
    this.#time = time;
  }

  #acceptDrops(): void {
    const { root, panel } = this;
    root.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes(SIGNAL_TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      root.classList.add('receives');
    });
    root.addEventListener('dragleave', () => root.classList.remove('receives'));
    root.addEventListener('drop', (event) => {
      root.classList.remove('receives');
      const name = event.dataTransfer?.getData(SIGNAL_TYPE);
      if (!name) return;
      event.preventDefault();
      event.stopPropagation();
      panel.drop(this, name);
    });
  }
}

/** What is dragged: the name of a signal. */
export const SIGNAL_TYPE = 'application/x-tippetop-signal';
