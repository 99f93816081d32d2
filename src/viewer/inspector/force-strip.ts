/**
 * The normal forces of the shown pairs over the whole run, in one strip: a press on a spike goes to its instant. Of each pixel the
 * greatest value is drawn, so that no spike is lost.
 */

import { quantity } from '../../math/quantity.js';
import { element } from '../controls/element.js';
import { decimate, nearestRow, peakRow } from '../playback/decimation.js';
import type { Player } from '../playback/player.js';
import { isDarkAt, whenThemeChanges } from '../plots/theme-change.js';

const NEAR = 4; // px around a press in which a spike is meant
const TOP = 4; // px above the greatest force

export class ForceStrip {
  readonly root: HTMLElement;
  readonly #canvas = element('canvas', { class: 'strip-canvas', 'aria-hidden': 'true' });
  readonly #now = element('div', { class: 'strip-now' });
  readonly #label = element('div', { class: 'strip-label' });
  readonly #area: HTMLElement;
  readonly #stops: (() => void)[] = [];
  #forces: Float64Array = new Float64Array(0);
  #title = '';
  #isScrubbing = false;
  /** Client px of the plots' time axis */
  #axis: { readonly left: number; readonly right: number } | undefined;
  /** s, the stretch of time that the plots show; undefined for the whole run */
  #window: readonly [number, number] | undefined;

  constructor(
    place: HTMLElement,
    private readonly player: Player,
  ) {
    this.#area = element(
      'div',
      {
        class: 'strip-area',
        tabindex: 0,
        role: 'slider',
        'aria-label': 'Contact force over time; up and down go from spike to spike',
        'aria-valuemin': 0,
      },
      this.#canvas,
      this.#now,
    );
    this.root = element('div', { class: 'strip' }, this.#label, this.#area);
    place.append(this.root);
    const sizes = new ResizeObserver(() => this.draw());
    sizes.observe(this.#area);
    this.#stops.push(
      () => sizes.disconnect(),
      whenThemeChanges(place, () => this.draw()),
    );
    this.#area.style.touchAction = 'pan-y';
    this.#area.addEventListener('pointerdown', (event) => {
      this.#area.setPointerCapture(event.pointerId);
      this.#isScrubbing = false;
      this.#press(event);
    });
    this.#area.addEventListener('pointermove', (event) => {
      if (!this.#area.hasPointerCapture(event.pointerId)) return;
      this.#isScrubbing = true;
      this.#press(event);
    });
    this.#area.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param forces N, one per instant */
  show(forces: Float64Array, title: string): void {
    this.#forces = forces;
    this.#title = title;
    this.draw();
  }

  /** While forces are being read */
  wait(part: number): void {
    this.#label.textContent = `Reading contact forces: ${Math.round(100 * part)} %`;
  }

  get forces(): Float64Array {
    return this.#forces;
  }

  /** Shows the same stretch of time as the plots; the whole run unless given. */
  setWindow(window: readonly [number, number] | undefined): void {
    this.#window = window;
    this.draw();
  }

  /** Lies under the time axis of the plots, client px; as wide as it may be where there is none. */
  alignWith(axis: { readonly left: number; readonly right: number } | undefined): void {
    this.#axis = axis;
    this.draw();
  }

  #align(): void {
    const axis = this.#axis;
    const { left, right } = this.root.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(this.root);
    const margin = (space: number, padding: string): string =>
      axis ? `${Math.max(0, space - Number.parseFloat(padding))}px` : '';
    this.#area.style.marginLeft = margin((axis?.left ?? 0) - left, paddingLeft);
    this.#area.style.marginRight = margin(right - (axis?.right ?? 0), paddingRight);
  }

  get #span(): readonly [number, number] {
    if (this.#window) return this.#window;
    const { times } = this.player.playback;
    const [first, last] = [times[0] ?? 0, times[times.length - 1] ?? 0];
    return [first, last > first ? last : first + 1];
  }

  /** Where the strip has an instant, CSS px from its left; for tests */
  placeOf(instant: number): number {
    const [first, last] = this.#span;
    return ((this.player.playback.times[instant] - first) / (last - first)) * this.#area.clientWidth;
  }

  #press(event: PointerEvent): void {
    const { left, width } = this.#area.getBoundingClientRect();
    const [first, last] = this.#span;
    const perPixel = (last - first) / Math.max(1, width);
    const time = first + (event.clientX - left) * perPixel;
    const { times } = this.player.playback;
    const peak = this.#isScrubbing ? -1 : peakRow(times, this.#forces, time - NEAR * perPixel, time + NEAR * perPixel);
    const row = peak >= 0 ? peak : nearestRow(times, time);
    if (row >= 0) this.player.goTo(row);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const spike = this.#spike(event.key === 'ArrowUp' ? 1 : -1);
    if (spike >= 0) this.player.goTo(spike);
  }

  /** The next greatest value among its neighbours, of at least a twentieth of the greatest of all; −1 if there is none. */
  #spike(direction: 1 | -1): number {
    const forces = this.#forces;
    const least = 0.05 * greatest(forces);
    for (let i = this.player.instant + direction; i >= 0 && i < forces.length; i += direction)
      if (forces[i] > least && forces[i] >= (forces[i - 1] ?? 0) && forces[i] > (forces[i + 1] ?? 0)) return i;
    return -1;
  }

  draw(): void {
    if (this.root.clientWidth > 0) this.#align();
    const { clientWidth: width, clientHeight: height } = this.#area;
    if (width === 0 || height === 0) return;
    const ratio = globalThis.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    const pen = this.#canvas.getContext('2d')!;
    pen.scale(ratio, ratio);
    const { times } = this.player.playback;
    const [first, last] = this.#span;
    const most = greatest(this.#forces);
    const x = (time: number): number => ((time - first) / (last - first)) * width;
    const y = (force: number): number => height - 1 - (most > 0 ? (force / most) * (height - TOP - 1) : 0);
    const colour = isDarkAt(this.root) ? '#3fc39a' : '#009e73';
    const rows = decimate(times, [this.#forces], first, last, Math.round(width * ratio));
    pen.beginPath();
    pen.moveTo(x(times[rows[0] ?? 0] ?? 0), height);
    for (const row of rows) pen.lineTo(x(times[row]), y(this.#forces[row] ?? 0));
    pen.lineTo(x(times[rows[rows.length - 1] ?? 0] ?? 0), height);
    pen.globalAlpha = 0.25;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.beginPath();
    for (const row of rows) pen.lineTo(x(times[row]), y(this.#forces[row] ?? 0));
    pen.strokeStyle = colour;
    pen.lineWidth = 1.25;
    pen.lineJoin = 'round';
    pen.stroke();
    this.follow();
  }

  /** The player's time has changed. */
  follow(): void {
    const { time, instant } = this.player;
    const [first, last] = this.#span;
    this.#now.hidden = time < first || time > last;
    this.#now.style.transform = `translateX(${((time - first) / (last - first)) * this.#area.clientWidth}px)`;
    const now = this.#forces[instant] ?? 0;
    const text = `${this.#title}: ${quantity(now, 'N', 3)} now, ${quantity(greatest(this.#forces), 'N', 3)} at most`;
    if (this.#label.textContent !== text) this.#label.textContent = text;
    this.#area.setAttribute('aria-valuemax', String(Math.max(0, this.#forces.length - 1)));
    this.#area.setAttribute('aria-valuenow', String(instant));
    this.#area.setAttribute('aria-valuetext', `${quantity(time, 's')}: ${quantity(now, 'N', 3)}`);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.root.remove();
  }
}

function greatest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
  return most;
}
