/** Play: time runs, and a part can be taken hold of. The worker is at most a moment ahead; if it cannot follow, time slows and the rate is shown. */
import { decimal, quantity } from '../../math/quantity.js';
import type { HandNote } from '../../simulation/hand.js';
import { element } from '../../viewer/controls/element.js';
import type { KeyBinding } from '../../viewer/page/keys.js';
import type { Activity } from '../activity.js';
import { keepPlay } from '../commands/document-commands.js';
import { type PlayInputs, sceneModel } from '../document/document.js';
import type { RunDesk } from '../run/desk.js';
import type { PlaySettings } from '../run/messages.js';
import { HandView } from './hand-view.js';
import { modelOfPlay, notesUntil } from './kept-play.js';
import { PlayPanel } from './play-panel.js';

const STEP = 4e-3; // s
/** s that may be computed ahead of what is shown */
const AHEAD = 0.05;
/** s that one press goes back, and that can be gone back at most */
const BACK = 1;
const MOST_BACK = 60;

export class PlayActivity implements Activity {
  readonly name = 'play';
  readonly label = 'Play';
  readonly icon = 'hand';
  readonly playbackKeys = false;
  readonly picks = false;
  readonly keys: readonly KeyBinding[] = [
    { keys: [' '], shown: 'space', what: 'pause, go on', press: () => this.#pause(!this.#isPaused) },
    { keys: ['ArrowLeft'], shown: '←', what: 'a second back, and on from there', press: () => this.#back() },
    { keys: ['u'], shown: 'u', what: 'gravity off and on', press: () => this.#panel.toggleGravity() },
    { keys: ['Enter'], shown: 'Enter', what: 'keep what was played', press: () => void this.#keep() },
    { keys: ['r'], shown: 'r', what: 'start anew', press: () => void this.#start() },
  ];
  #desk: RunDesk | undefined;
  #hand: HandView | undefined;
  #stops: (() => void)[] = [];
  #time = 0;
  #rate = 1;
  #isPaused = false;
  #loop = 0;
  #last = 0;
  #shown: object | undefined;
  readonly #panel = new PlayPanel({
    pause: () => this.#pause(!this.#isPaused),
    anew: () => void this.#start(),
    back: () => this.#back(),
    keep: () => void this.#keep(),
    rate: (rate) => {
      this.#rate = rate;
      this.#status();
    },
    gravity: (point) => this.#desk?.runs.tell({ kind: 'hand', note: { action: 'gravity', point } }),
    drive: (joint, speed) => this.#desk?.runs.tell({ kind: 'hand', note: { action: 'drive', joint, speed } }),
    replay: ({ step, notes, duration }) => void this.#start({ step, notes: notes as never, stopTime: duration }),
    file: (name, play) => this.#file(name, play),
    forget: (name) => this.#desk?.do(keepPlay, { name, play: undefined }),
  });

  mount(desk: RunDesk): void {
    this.#desk = desk;
    const { rooms, runs } = desk;
    rooms.setLeft([]);
    rooms.setRight([{ name: 'play', label: 'Play', content: this.#panel.root }], ['body', 'contacts', 'settings']);
    rooms.openRight('play');
    this.#hand = new HandView(desk);
    desk.hint(
      'Drag a part: pull · let go while moving: throw · `Space` pause · `←` back in time · `U` gravity · `Enter` keep',
    );
    this.#stops = [
      runs.now.onChange(({ head, pull }) => {
        if (head && head !== this.#shown) {
          this.#shown = head;
          this.#panel.showInputs(head);
        }
        this.#hand?.pulls(pull);
        this.#status();
      }),
      desk.history.document.onChange(() => this.#fill()),
    ];
    this.#fill();
    void this.#start();
  }

  unmount(): void {
    this.#hand?.dispose();
    this.#hand = undefined;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    cancelAnimationFrame(this.#loop);
    void this.#desk?.runs.stop();
    this.#desk = undefined;
  }

  /** @param settings of a replay, or of what is gone on with; from the start and live unless said */
  async #start(settings: PlaySettings = { step: STEP }): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    this.#hand?.release();
    await desk.runs.stop();
    const source = await desk.prepare();
    if (!source || this.#desk !== desk) return;
    this.#time = settings.liveFrom ?? 0;
    this.#setPaused(false);
    desk.runs.play(source, settings);
    cancelAnimationFrame(this.#loop);
    this.#last = performance.now();
    if (settings.stopTime === undefined) this.#loop = requestAnimationFrame((now) => this.#tick(now));
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

  #setPaused(on: boolean): void {
    this.#isPaused = on;
    this.#panel.isPaused = on;
    this.#last = performance.now();
    this.#status();
  }

  /** Going on after the time was moved back goes on from there. */
  #pause(on: boolean): void {
    const player = this.#desk?.session?.player;
    if (!on && player && this.#desk?.runs.isGoing && player.time < this.#time - 0.1) {
      void this.#goOnFrom(player.time);
      return;
    }
    if (player && on) player.playing = false;
    this.#setPaused(on);
    this.#desk?.say(on ? 'Paused; move the time back to go on from there' : 'Going on');
  }

  #back(): void {
    const player = this.#desk?.session?.player;
    if (player) void this.#goOnFrom(Math.max(0, Math.min(player.time, this.#time) - BACK));
  }

  /** What was done until then is done again to the bit, then time runs on. */
  async #goOnFrom(wanted: number): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    const time = Math.max(wanted, this.#time - MOST_BACK, 0);
    const liveFrom = STEP * Math.round(time / STEP);
    const { text = '[]' } = await desk.runs.ask('notes');
    const notes = notesUntil(JSON.parse(text) as HandNote[], liveFrom);
    await this.#start({ step: STEP, notes, liveFrom });
    desk.say(`On from ${quantity(liveFrom, 's', 3)}`);
  }

  // —— what was played ——

  async #keep(): Promise<void> {
    const desk = this.#desk;
    if (!desk) return;
    this.#hand?.release();
    await desk.runs.stop();
    const { playback } = desk.runs;
    const { text } = await desk.runs.ask('notes');
    if (!playback || playback.hash === '' || text === undefined) {
      desk.messages.passing('There is nothing to keep.');
      return;
    }
    const { plays } = desk.history.document.value;
    let number = Object.keys(plays).length + 1;
    while (`play ${number}` in plays) number++;
    const play: PlayInputs = {
      step: STEP,
      duration: playback.times.at(-1) ?? 0,
      notes: JSON.parse(text),
      hash: playback.hash,
    };
    desk.do(keepPlay, { name: `play ${number}`, play });
  }

  #file(name: string, play: PlayInputs): void {
    const desk = this.#desk;
    const model = desk && sceneModel(desk.history.document.value);
    if (!desk || !model) {
      desk?.messages.passing('A program builds this model: only scenes can be saved with a play in them.');
      return;
    }
    const title = `${desk.history.document.value.title}, ${name}`;
    desk.download(
      JSON.stringify(modelOfPlay(model, title, play), null, 2),
      `${title.replace(/[^\w.-]+/g, '-').toLowerCase()}.json`,
      'application/json',
    );
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
    this.#panel.showKept(Object.entries(desk.history.document.value.plays));
    this.#status();
  }
}
