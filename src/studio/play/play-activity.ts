/** Play: time runs, and a part can be taken hold of. The worker is at most a moment ahead; if it cannot follow, time slows and the rate is shown. */

import { decimal, quantity } from '../../math/quantity.js';
import { dot, norm, scale, sub, type Vec3 } from '../../math/vec3.js';
import { element } from '../../viewer/controls/element.js';
import type { KeyBinding } from '../../viewer/page/keys.js';
import type { Activity } from '../activity.js';
import { keepPlay } from '../commands/document-commands.js';
import type { PlayInputs } from '../document/document.js';
import type { RunDesk } from '../run/desk.js';

const STEP = 4e-3; // s
/** s that may be computed ahead of what is shown */
const AHEAD = 0.05;

export class PlayActivity implements Activity {
  readonly name = 'play';
  readonly label = 'Play';
  readonly icon = 'hand';
  readonly playbackKeys = false;
  readonly picks = false;
  readonly keys: readonly KeyBinding[] = [
    { keys: [' '], shown: 'space', what: 'pause, go on', press: () => this.#pause(!this.#isPaused) },
    { keys: ['Enter'], shown: 'Enter', what: 'keep what was played', press: () => void this.#keep() },
    { keys: ['r'], shown: 'r', what: 'start anew', press: () => void this.#start() },
  ];
  #desk: RunDesk | undefined;
  #stops: (() => void)[] = [];
  #time = 0;
  #rate = 1;
  #isPaused = false;
  #loop = 0;
  #last = 0;
  #grip = 0;
  #held: { readonly grip: number; readonly depth: number } | undefined;
  readonly #panel = element('div', { class: 'viewer-room studio-play' });
  readonly #ring = element('div', { class: 'studio-ring', hidden: true });

  mount(desk: RunDesk): void {
    this.#desk = desk;
    const { rooms, runs } = desk;
    rooms.setLeft([]);
    rooms.setRight([{ name: 'play', label: 'Play', content: this.#panel }], ['body', 'contacts', 'settings']);
    rooms.openRight('play');
    rooms.view.append(this.#ring);
    desk.hint('Drag a part: pull · let go while moving: throw · `Space` pause · `R` anew · `Enter` keep');
    const stops = new AbortController();
    const { signal } = stops;
    rooms.view.addEventListener('pointerdown', (event) => this.#down(event), { capture: true, signal });
    rooms.view.addEventListener('pointermove', (event) => this.#move(event), { capture: true, signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      rooms.view.addEventListener(end, () => this.#up(), { capture: true, signal });
    this.#stops = [
      () => stops.abort(),
      runs.now.onChange(() => this.#status()),
      desk.history.document.onChange(() => this.#fill()),
    ];
    this.#fill();
    void this.#start();
  }

  unmount(): void {
    this.#up();
    for (const stop of this.#stops) stop();
    this.#stops = [];
    cancelAnimationFrame(this.#loop);
    this.#ring.remove();
    void this.#desk?.runs.stop();
    this.#desk = undefined;
  }

  async #start(replay?: PlayInputs): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    await desk.runs.stop();
    const source = await desk.prepare();
    if (!source || this.#desk !== desk) return;
    this.#time = 0;
    this.#isPaused = false;
    this.#grip = 0;
    desk.runs.play(source, { step: STEP, ...(replay && { notes: replay.notes as never, stopTime: replay.duration }) });
    cancelAnimationFrame(this.#loop);
    this.#last = performance.now();
    if (!replay) this.#loop = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    const desk = this.#desk;
    if (!desk) return;
    const seconds = Math.min(0.1, (now - this.#last) / 1000);
    this.#last = now;
    const reached = desk.runs.playback?.times.at(-1) ?? 0;
    // Time waits for who computes it
    if (!this.#isPaused && desk.runs.now.value.phase === 'running' && this.#time - reached < AHEAD) {
      this.#time += seconds * this.#rate;
      desk.runs.tell({ kind: 'until', time: this.#time });
    }
    if (desk.runs.isGoing) this.#loop = requestAnimationFrame((next) => this.#tick(next));
  }

  #pause(on: boolean): void {
    this.#isPaused = on;
    this.#last = performance.now();
    this.#status();
    this.#desk?.say(on ? 'Paused' : 'Going on');
  }

  // —— the hand ——

  #place(event: PointerEvent): { readonly x: number; readonly y: number } {
    const box = this.#desk!.drawing.canvas!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event: PointerEvent): void {
    const { stage, canvas } = this.#desk?.drawing ?? {};
    if (!stage || !canvas || event.target !== canvas || event.button !== 0 || !this.#desk?.runs.isGoing) return;
    const { x, y } = this.#place(event);
    const picked = stage.pick(x, y);
    const body = picked && stage.scene.bodies[picked.body];
    if (!picked || !body) return;
    if (body.fixed) {
      this.#desk.messages.passing(`${body.name} is fixed and cannot be moved.`);
      return;
    }
    const { origin, direction } = stage.ray(x, y);
    stage.view.controls.enabled = false;
    this.#held = { grip: this.#grip++, depth: dot(sub(picked.point, origin), direction) };
    this.#desk.runs.tell({
      kind: 'hand',
      note: { action: 'grab', grip: this.#held.grip, body: body.name, point: picked.point },
    });
    this.#desk.history.selection.set([`bodies.${body.name}`]);
    this.#show(x, y, body.name);
    this.#desk.say(`Holding ${body.name}`);
  }

  #move(event: PointerEvent): void {
    const { stage } = this.#desk?.drawing ?? {};
    if (!this.#held || !stage) return;
    const { x, y } = this.#place(event);
    const { origin, direction } = stage.ray(x, y);
    // On the plane through the point, parallel to the screen
    const forward = stage.view.forward() as Vec3;
    const along = this.#held.depth / Math.max(0.2, dot(direction, forward) / norm(forward));
    const to = scale(along, direction);
    this.#desk!.runs.tell({
      kind: 'hand',
      note: { action: 'move', grip: this.#held.grip, point: [origin[0] + to[0], origin[1] + to[1], origin[2] + to[2]] },
    });
    this.#show(x, y);
  }

  #up(): void {
    const { stage } = this.#desk?.drawing ?? {};
    if (!this.#held) return;
    this.#desk?.runs.tell({ kind: 'hand', note: { action: 'release', grip: this.#held.grip } });
    this.#held = undefined;
    this.#ring.hidden = true;
    if (stage) stage.view.controls.enabled = true;
  }

  #show(x: number, y: number, name?: string): void {
    this.#ring.hidden = false;
    this.#ring.style.left = `${x}px`;
    this.#ring.style.top = `${y}px`;
    if (name !== undefined) this.#ring.textContent = `hand on ${name}`;
  }

  // —— what was played ——

  async #keep(): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    await desk.runs.stop();
    const { playback } = desk.runs;
    const { text } = await desk.runs.ask('notes');
    if (!playback || playback.hash === '' || text === undefined) {
      desk.messages.passing('There is nothing to keep.');
      return;
    }
    const { plays } = desk.history.document.value;
    const name = `play ${Object.keys(plays).length + 1}`;
    const play: PlayInputs = {
      step: STEP,
      duration: playback.times.at(-1) ?? 0,
      notes: JSON.parse(text),
      hash: playback.hash,
    };
    desk.do(keepPlay, { name, play });
  }

  #status(): void {
    const desk = this.#desk;
    if (!desk) return;
    const { phase, pace } = desk.runs.now.value;
    const bodies = desk.session?.playback.scene.bodies.length ?? 0;
    const rate = pace > 1 ? 1 / pace : 1;
    desk.rooms.status.replaceChildren(
      element('span', { class: 'studio-dot' }),
      this.#isPaused ? 'paused' : phase === 'running' ? 'live' : phase,
      element('span', {}, `${decimal(Math.min(rate, this.#rate), 2)} × real time`),
      element('span', {}, `step ${quantity(STEP, 's', 1)}`),
      element('span', {}, `${bodies} bodies`),
    );
  }

  #fill(): void {
    const desk = this.#desk;
    if (!desk) return;
    const speeds = [1, 0.5, 0.2, 0.1, 0.05];
    const rate = element(
      'select',
      { 'aria-label': 'Slow motion', onchange: () => (this.#rate = Number(rate.value)) },
      ...speeds.map((speed) => element('option', { value: speed }, speed === 1 ? '1×' : `1/${1 / speed}×`)),
    );
    rate.value = String(this.#rate);
    const button = (label: string, press: () => void): HTMLElement =>
      element('button', { type: 'button', class: 'viewer-button with-text studio-plain', onclick: press }, label);
    const plays = Object.entries(desk.history.document.value.plays);
    this.#panel.replaceChildren(
      element('div', { class: 'studio-row' }, element('span', { class: 'viewer-quiet' }, 'Slow motion'), rate),
      element(
        'div',
        { class: 'viewer-buttons' },
        button('Pause', () => this.#pause(!this.#isPaused)),
        button('Start anew', () => void this.#start()),
        button('Keep', () => void this.#keep()),
      ),
      element('h4', {}, 'Kept'),
      ...(plays.length === 0
        ? [element('p', { class: 'viewer-quiet' }, 'Keep what you played, and it runs again to the bit.')]
        : []),
      ...plays.map(([name, play]) =>
        element(
          'div',
          { class: 'studio-row' },
          button(name, () => void this.#start(play)),
          element('span', { class: 'viewer-quiet' }, `${quantity(play.duration, 's', 3)} · ${play.hash.slice(0, 4)}…`),
        ),
      ),
      element(
        'p',
        { class: 'viewer-quiet' },
        'Live figures are means over a step of known length; Run computes the model with error control.',
      ),
    );
    this.#status();
  }
}
