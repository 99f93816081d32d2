/** Play, pause, step, loop, speed, and the slider of time with the events on it. */

import { decimal, scaledUnit } from '../../math/quantity.js';
import type { RecordedEvent } from '../../results/recording.js';
import { element, iconButton, setIcon, setPressed } from '../controls/element.js';
import type { Player } from '../playback/player.js';

/** Simulated seconds per second: 1, 2, 5 of each power of ten. */
export const SPEEDS: readonly number[] = Array.from({ length: 31 }, (_, i) =>
  Number(`${[1, 2, 5][i % 3]}e${Math.floor(i / 3) - 7}`),
);

/** A speed at which a recording of this length is worth watching: real time, or slower so that it lasts about five seconds. */
export function suitableSpeed(duration: number): number {
  if (!(duration > 0) || duration >= 3) return 1;
  return SPEEDS.findLast((speed) => speed <= duration / 4) ?? SPEEDS[0];
}

export const nextSpeed = (speed: number, by: 1 | -1): number =>
  (by > 0 ? SPEEDS.find((other) => other > speed * 1.001) : SPEEDS.findLast((other) => other < speed * 0.999)) ?? speed;

const MARKED_EVENTS = 300;

export class TimeBar {
  readonly #player: Player;
  readonly #panel: HTMLElement;
  readonly #track: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #time: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #loop: HTMLButtonElement;
  readonly #speed: HTMLSelectElement;
  /** The stretch of time that plots and strip show */
  readonly #window = element('div', { class: 'viewer-window', 'aria-hidden': 'true' });

  constructor(panel: HTMLElement, player: Player) {
    this.#player = player;
    this.#panel = panel;
    this.#play = iconButton('play', 'Play', () => (player.playing = !player.playing), { key: 'space' });
    this.#loop = iconButton('loop', 'Start again at the end', () => (player.loop = !player.loop), {
      toggle: true,
      key: 'l',
    });
    this.#slider = element('input', {
      type: 'range',
      class: 'viewer-slider',
      step: 'any',
      'aria-label': 'Time',
      oninput: () => (player.time = Number(this.#slider.value)),
    });
    this.#time = element('output', { class: 'viewer-time' });
    this.#speed = element(
      'select',
      {
        class: 'viewer-speed',
        'aria-label': 'Speed, simulated seconds per second',
        title: 'Speed (+ and −)',
        onchange: () => (player.speed = Number(this.#speed.value)),
      },
      ...[...SPEEDS].reverse().map((speed) => element('option', { value: speed }, `${speedText(speed)}×`)),
    );
    this.#track = element('div', { class: 'viewer-track' }, this.#slider);
    panel.replaceChildren(
      iconButton('start', 'To the start', () => (player.time = this.#start), { key: 'Home' }),
      iconButton('previous', 'One instant back', () => player.step(-1), { key: '←' }),
      this.#play,
      iconButton('next', 'One instant on', () => player.step(1), { key: '→' }),
      this.#loop,
      this.#track,
      this.#time,
      this.#speed,
    );
    player.on('state', () => this.#state());
    this.#state();
    this.refresh();
  }

  get #start(): number {
    return this.#player.playback.times[0] ?? 0;
  }

  /** The recording is of another length. */
  refresh(): void {
    const { duration, playback } = this.#player;
    const still = !(duration > 0);
    for (const control of this.#panel.querySelectorAll<HTMLButtonElement>('button, input, select'))
      control.disabled = still;
    this.#panel.classList.toggle('still', still);
    this.#slider.min = String(this.#start);
    this.#slider.max = String(this.#start + duration);
    this.#track.replaceChildren(this.#window, this.#slider, this.#marks(playback.events));
    this.show();
  }

  /** Events as lines above the slider; a press jumps there. */
  #marks(events: readonly RecordedEvent[]): HTMLElement {
    const marks = element('div', { class: 'viewer-marks', 'aria-hidden': 'true' });
    const every = Math.max(1, Math.ceil(events.length / MARKED_EVENTS));
    for (let i = 0; i < events.length && this.#player.duration > 0; i += every) {
      const { time, name } = events[i];
      const mark = element('span', {
        title: `${name} at ${decimal(time)} s`,
        onclick: () => (this.#player.time = time),
      });
      mark.style.left = `${(100 * (time - this.#start)) / this.#player.duration}%`;
      marks.append(mark);
    }
    return marks;
  }

  /** Marks a stretch of time on the slider; none where it is the whole run. */
  setWindow(window: readonly [number, number] | undefined): void {
    const { duration } = this.#player;
    this.#window.hidden = !window || !(duration > 0);
    if (!window || !(duration > 0)) return;
    this.#window.style.left = `calc(7px + ${(window[0] - this.#start) / duration} * (100% - 14px))`;
    this.#window.style.width = `calc(${(window[1] - window[0]) / duration} * (100% - 14px))`;
  }

  show(): void {
    const { time, duration } = this.#player;
    const text = timeText(time, this.#start + duration);
    if (this.#time.textContent !== text) this.#time.textContent = text;
    this.#slider.value = String(time);
    this.#slider.setAttribute('aria-valuetext', text);
    const part = duration > 0 ? (time - this.#start) / duration : 0;
    this.#slider.style.setProperty('--done', `${100 * part}%`);
  }

  #state(): void {
    const { playing, loop, speed } = this.#player;
    setIcon(this.#play, playing ? 'pause' : 'play', playing ? 'Pause (space)' : 'Play (space)');
    setPressed(this.#loop, loop);
    if (Number(this.#speed.value) !== speed) {
      if (!SPEEDS.includes(speed)) this.#speed.append(element('option', { value: speed }, `${speedText(speed)}×`));
      this.#speed.value = String(speed);
    }
  }
}

const speedText = (speed: number): string => (speed >= 1 ? String(speed) : `1/${Number((1 / speed).toPrecision(3))}`);

/** `0.413 / 2.000 s`, both with the same prefix and as many digits as tell frames apart. */
export function timeText(time: number, end: number): string {
  const { factor, unit } = scaledUnit(Math.abs(end), 's');
  const digits = Math.max(0, Math.min(4, 4 - Math.ceil(Math.log10(Math.max(1, Math.abs(end * factor))))));
  const text = (value: number): string => (value * factor).toFixed(digits).replace('-', '−');
  return `${text(time)} / ${text(end)} ${unit}`;
}
