/** What can be turned while time runs: slow motion, gravity, motors; and what was kept. */
import { quantity } from '../../math/quantity.js';
import { norm, scale, type Vec3 } from '../../math/vec3.js';
import { element } from '../../viewer/controls/element.js';
import type { PlayInputs } from '../document/document.js';
import type { RunHead } from '../run/messages.js';

const EARTH = 9.81; // m/s²
const SPEEDS = [1, 0.5, 0.2, 0.1, 0.05];

export interface PlayActions {
  pause(): void;
  anew(): void;
  back(): void;
  keep(): void;
  rate(rate: number): void;
  gravity(acceleration: Vec3): void;
  drive(joint: string, speed: number): void;
  replay(play: PlayInputs): void;
  /** Undefined where a program built the model: the command line has it already */
  file: ((name: string, play: PlayInputs) => void) | undefined;
  forget(name: string): void;
}

export class PlayPanel {
  readonly root = element('div', { class: 'viewer-room studio-play' });
  readonly #kept = element('div');
  readonly #inputs = element('div');
  readonly #pause: HTMLButtonElement;
  #gravity: { readonly own: Vec3; readonly slider: HTMLInputElement } | undefined;

  constructor(private readonly actions: PlayActions) {
    const rate = element(
      'select',
      { 'aria-label': 'Slow motion', onchange: () => actions.rate(Number(rate.value)) },
      ...SPEEDS.map((speed) => element('option', { value: speed }, speed === 1 ? '1×' : `1/${1 / speed}×`)),
    );
    this.#pause = plain('Pause', actions.pause);
    this.root.append(
      element('div', { class: 'studio-row' }, element('span', { class: 'viewer-quiet' }, 'Slow motion'), rate),
      element(
        'div',
        { class: 'viewer-buttons' },
        this.#pause,
        plain('Back 1 s', actions.back),
        plain('Start anew', actions.anew),
        plain('Keep', actions.keep),
      ),
      this.#inputs,
      element('h4', {}, 'Kept'),
      this.#kept,
      element(
        'p',
        { class: 'viewer-quiet' },
        'Live figures are means over a step of known length; Run computes the model with error control.',
      ),
    );
  }

  set isPaused(on: boolean) {
    this.#pause.textContent = on ? 'Go on' : 'Pause';
  }

  /** As a play begins */
  showInputs({ gravity, motors = [] }: Pick<RunHead, 'gravity' | 'motors'>): void {
    this.#gravity = undefined;
    const rows: HTMLElement[] = [];
    if (gravity) {
      const g = norm(gravity);
      const own: Vec3 = g > 0 ? gravity : [0, 0, -EARTH];
      const { row, slider } = sliderRow('Gravity', 'm/s²', { low: 0, high: 25, value: g }, (value) =>
        this.actions.gravity(scale(value / norm(own), own)),
      );
      this.#gravity = { own, slider };
      rows.push(row);
    }
    for (const { joint, speed } of motors) {
      const most = Math.max(2 * Math.PI, 4 * Math.abs(speed));
      const range = { low: -most, high: most, value: speed };
      rows.push(sliderRow(joint, 'per s', range, (value) => this.actions.drive(joint, value)).row);
    }
    this.#inputs.replaceChildren(...(rows.length > 0 ? [element('h4', {}, 'While it plays'), ...rows] : []));
  }

  /** Off, or on again as the model has it */
  toggleGravity(): void {
    const { own, slider } = this.#gravity ?? {};
    if (!own || !slider) return;
    slider.value = String(Number(slider.value) > 0 ? 0 : norm(own));
    slider.dispatchEvent(new Event('input'));
  }

  showKept(plays: readonly (readonly [string, PlayInputs])[]): void {
    const { file } = this.actions;
    this.#kept.replaceChildren(
      ...(plays.length === 0
        ? [element('p', { class: 'viewer-quiet' }, 'Keep what you played, and it runs again to the bit.')]
        : []),
      ...plays.map(([name, play]) =>
        element(
          'div',
          { class: 'studio-kept' },
          plain(name, () => this.actions.replay(play), 'Run it again'),
          element('span', { class: 'viewer-quiet' }, `${quantity(play.duration, 's', 3)} · ${play.hash.slice(0, 4)}…`),
          file && plain('File', () => file(name, play), 'A model that “tippetop run” does again, with the same hash'),
          plain('✕', () => this.actions.forget(name), `Forget ${name}`),
        ),
      ),
    );
  }
}

function sliderRow(
  label: string,
  unit: string,
  { low, high, value }: { readonly low: number; readonly high: number; readonly value: number },
  set: (value: number) => void,
): { readonly row: HTMLElement; readonly slider: HTMLInputElement } {
  const field = element('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': `${label}, number`,
    onchange: () => {
      const typed = Number(field.value);
      if (!Number.isFinite(typed)) return;
      slider.value = String(typed);
      show(typed);
      set(typed);
    },
  });
  const slider = element('input', {
    type: 'range',
    class: 'viewer-slider',
    min: low,
    max: high,
    step: 'any',
    'aria-label': `${label} in ${unit}`,
    oninput: () => {
      show(Number(slider.value));
      set(Number(slider.value));
    },
  });
  const show = (now: number): void => {
    if (document.activeElement !== field) field.value = String(Number(now.toPrecision(3)));
    slider.style.setProperty('--done', `${(100 * (now - low)) / (high - low)}%`);
  };
  slider.value = String(value);
  show(value);
  const row = element(
    'div',
    { class: 'studio-parameter' },
    element('span', {}, label),
    element('div', { class: 'studio-field' }, field, element('span', { class: 'studio-unit' }, unit)),
    slider,
  );
  return { row, slider };
}

const plain = (label: string, press: () => void, title?: string): HTMLButtonElement =>
  element(
    'button',
    {
      type: 'button',
      class: 'viewer-button with-text studio-plain',
      onclick: press,
      ...(title && { title, 'aria-label': title }),
    },
    label,
  );
