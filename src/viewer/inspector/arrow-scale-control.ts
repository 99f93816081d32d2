/** The slider and the number that say how long arrows are, with an arrow of a round force beside them. */

import { quantity } from '../../math/quantity.js';
import { element } from '../controls/element.js';
import { ARROW_SCALES, type ArrowScale, factorOf, legendArrow, sliderOf } from './arrow-scale.js';

const LONGEST = 90; // px of the legend's arrow

export class ArrowScaleControl {
  readonly root: HTMLElement;
  readonly #slider = element('input', {
    type: 'range',
    min: -1,
    max: 1,
    step: 0.01,
    value: 0,
    'aria-label': 'Length of arrows',
  });
  readonly #number = element('input', {
    type: 'number',
    min: 0,
    step: 'any',
    class: 'inspector-scale',
    'aria-label': 'Newtons per metre of arrow',
  });
  readonly #arrow = element('span', { class: 'inspector-arrow', 'aria-hidden': 'true' });
  readonly #legend = element('span', { class: 'inspector-legend' });
  readonly #kind = element(
    'select',
    { 'aria-label': 'What the length of arrows stands for', onchange: () => this.changed() },
    ...Object.entries(ARROW_SCALES).map(([value, label]) => element('option', { value }, label)),
  );
  #automatic = 1;
  /** Longer by this */
  #factor = 1;

  constructor(private readonly changed: () => void) {
    this.#slider.addEventListener('input', () => this.#set(factorOf(Number(this.#slider.value))));
    this.#number.addEventListener('change', () => {
      const wanted = Number(this.#number.value);
      if (wanted > 0 && Number.isFinite(wanted)) this.#set(this.#automatic / wanted);
      else this.#show();
    });
    this.root = element(
      'div',
      { class: 'inspector-arrows' },
      element('label', { class: 'inspector-select' }, 'Arrows', this.#slider),
      element('label', { class: 'inspector-select' }, 'by', this.#kind),
      element(
        'div',
        { class: 'inspector-per' },
        this.#number,
        'N per m',
        element(
          'button',
          {
            type: 'button',
            title: 'The largest force of the run is a quarter of the scene',
            onclick: () => this.#set(1),
          },
          'Automatic',
        ),
      ),
      element('div', { class: 'inspector-key' }, this.#arrow, this.#legend),
    );
    this.#show();
  }

  get kind(): ArrowScale {
    return this.#kind.value as ArrowScale;
  }

  get newtonsPerMetre(): number {
    return this.#automatic / this.#factor;
  }

  setAutomatic(newtonsPerMetre: number): void {
    this.#automatic = newtonsPerMetre;
    this.#show();
  }

  #set(factor: number): void {
    this.#factor = factor;
    this.#show();
    this.changed();
  }

  #show(): void {
    this.#slider.value = String(sliderOf(this.#factor));
    this.#number.value = String(Number(this.newtonsPerMetre.toPrecision(3)));
  }

  /** @param pixels CSS px per m where the contact is */
  showLegend(pixels: number): void {
    const legend = legendArrow(this.newtonsPerMetre, pixels, LONGEST);
    this.#legend.textContent = legend ? quantity(legend.force, 'N', 3).replace(/\.0+(?= )/, '') : '';
    this.#arrow.style.width = `${legend?.length ?? 0}px`;
  }
}
