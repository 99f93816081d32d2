/** Under a plot: each line with its value at the cursor and what it amounts to in the visible stretch. */

import { decimal, scaledUnit } from '../../math/quantity.js';
import { element } from '../controls/element.js';
import type { Statistics } from './statistics.js';
import { TRANSFORMS, type Transform } from './transform.js';

export interface LegendLine {
  readonly name: string;
  readonly unit: string;
  readonly colour: string;
  readonly transform: Transform;
  readonly signal: { readonly name: string; readonly description: string };
  readonly statistics: Statistics;
}

const SYMBOLS: Readonly<Record<Transform, string>> = { plain: 'x', rate: 'd/dt', absolute: '|x|' };
/** Of the greatest value of a line: what is less is rounding */
const ROUNDING = 1e-9;
const MEASURES = [
  ['min', 'min'],
  ['max', 'max'],
  ['mean', 'mean'],
  ['rms', 'rms'],
  ['peakToPeak', 'p–p'],
  ['final', 'final'],
] as const satisfies readonly (readonly [keyof Statistics, string])[];

export class PlotLegend {
  readonly root = element('div', { class: 'plot-legend' });
  #values: HTMLElement[] = [];
  /** One per line: a value of it in its unit */
  #shown: ((value: number) => string)[] = [];
  #magnitudes: readonly number[] = [];

  constructor(private readonly actions: { remove(line: number): void; transform(line: number, to: Transform): void }) {}

  show(lines: readonly LegendLine[], withStatistics: boolean): void {
    this.#shown = [];
    this.#magnitudes = lines.map(({ statistics: { min, max } }) => Math.max(Math.abs(min), Math.abs(max)));
    this.#values = [];
    if (lines.length === 0) {
      this.root.replaceChildren();
      return;
    }
    const head = element(
      'tr',
      {},
      element('th', { scope: 'col' }, ''),
      element('th', { scope: 'col' }, 'at cursor'),
      ...(withStatistics ? MEASURES.map(([, label]) => element('th', { scope: 'col' }, label)) : []),
      element('td', {}),
    );
    this.root.replaceChildren(
      element(
        'table',
        {},
        element('thead', {}, head),
        element('tbody', {}, ...lines.map((line, i) => this.#row(line, i, withStatistics))),
      ),
    );
  }

  #row(
    { name, unit, colour, transform, signal, statistics }: LegendLine,
    i: number,
    withStatistics: boolean,
  ): HTMLElement {
    const swatch = element('span', { class: 'plot-swatch', 'aria-hidden': 'true' });
    swatch.style.background = colour;
    const value = element('td', { class: 'plot-value' });
    this.#values.push(value);
    // all numbers of a line in one unit, so that they can be compared; what is rounding beside them is 0
    const { factor, unit: scaled } = scaledUnit(this.#magnitudes[i], unit);
    const shown = (x: number): string => decimal(Math.abs(x) < ROUNDING * this.#magnitudes[i] ? 0 : x * factor);
    this.#shown.push(shown);
    const title = signal.description ? `${signal.name}: ${signal.description}` : signal.name;
    const choice = element('select', {
      'aria-label': `What is drawn of ${signal.name}`,
      title: 'The signal, its rate of change, or its absolute value',
      onchange: (event) => this.actions.transform(i, (event.target as HTMLSelectElement).value as Transform),
    });
    for (const kind of TRANSFORMS)
      choice.append(element('option', { value: kind, selected: kind === transform }, SYMBOLS[kind]));
    const remove = element(
      'button',
      {
        type: 'button',
        'aria-label': `Remove ${name}`,
        title: `Remove ${name}`,
        onclick: () => this.actions.remove(i),
      },
      '×',
    );
    return element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row', title },
        swatch,
        name,
        element('span', { class: 'plot-unit' }, scaled && ` ${scaled}`),
      ),
      value,
      ...(withStatistics ? MEASURES.map(([key]) => element('td', {}, shown(statistics[key]))) : []),
      element('td', { class: 'plot-actions' }, choice, remove),
    );
  }

  /** One per line */
  showValues(values: readonly number[]): void {
    values.forEach((value, i) => {
      const cell = this.#values[i];
      if (!cell) return;
      const text = this.#shown[i](value);
      if (cell.textContent !== text) cell.textContent = text;
    });
  }
}
