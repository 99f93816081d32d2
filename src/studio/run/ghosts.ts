/** Earlier runs: a list, and their bodies faint in the scene at the time that is shown. */
import { quantity } from '../../math/quantity.js';
import { element } from '../../viewer/controls/element.js';
import { instantAt } from '../../viewer/playback/instants.js';
import { Ghost } from '../../viewer/stage/ghosts.js';
import type { RunDesk } from './desk.js';
import type { KeptRun } from './runs.js';

const COLOURS = [0xd55e00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xe69f00];

export class GhostView {
  readonly root = element('div', { class: 'viewer-room studio-runs' });
  readonly #desk: RunDesk;
  readonly #stops: (() => void)[];
  #ghosts: { readonly run: KeptRun; readonly ghost: Ghost }[] = [];
  #hidden = new Set<KeptRun>();
  #stopFrames: (() => void) | undefined;

  constructor(desk: RunDesk) {
    this.#desk = desk;
    this.#stops = [
      desk.runs.kept.onChange(() => this.#fill()),
      desk.drawing.session.onChange(() => this.#follow()),
      desk.runs.now.onChange(({ phase }, before) => phase !== before.phase && this.#fill()),
    ];
    this.#fill();
    this.#follow();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#stopFrames?.();
    this.#clear();
  }

  #clear(): void {
    for (const { ghost } of this.#ghosts) ghost.dispose();
    this.#ghosts = [];
  }

  #fill(): void {
    const kept = this.#desk.runs.kept.value;
    this.root.replaceChildren(
      ...(kept.length === 0
        ? [
            element(
              'p',
              { class: 'viewer-quiet' },
              'Change a parameter: the run before stays here, and its bodies faint in the view.',
            ),
          ]
        : [
            element('p', { class: 'viewer-quiet' }, 'Earlier runs, faint in the view at the same time.'),
            ...kept.map((run, i) => this.#row(run, i)),
            element(
              'button',
              {
                type: 'button',
                class: 'viewer-button with-text studio-plain',
                onclick: () => this.#desk.runs.dropKept(),
              },
              'Forget them',
            ),
          ]),
    );
    this.#build();
  }

  #row(run: KeptRun, i: number): HTMLElement {
    const { playback, label } = run;
    const swatch = element('span', { class: 'studio-swatch', 'aria-hidden': 'true' });
    swatch.style.background = `#${COLOURS[i % COLOURS.length].toString(16).padStart(6, '0')}`;
    const box = element('input', {
      type: 'checkbox',
      onchange: () => {
        if (box.checked) this.#hidden.delete(run);
        else this.#hidden.add(run);
        this.#build();
      },
    });
    box.checked = !this.#hidden.has(run);
    return element(
      'label',
      { class: 'viewer-check studio-kept' },
      box,
      swatch,
      element('span', {}, label || playback.title),
      element(
        'span',
        { class: 'viewer-quiet' },
        `${quantity(playback.times.at(-1) ?? 0, 's')}${playback.hash ? ` · ${playback.hash.slice(0, 4)}…` : ''}`,
      ),
    );
  }

  #follow(): void {
    this.#stopFrames?.();
    const session = this.#desk.drawing.session.value;
    this.#stopFrames = session?.player.on('frame', ({ time }) => this.#show(time));
    this.#build();
  }

  #build(): void {
    this.#clear();
    const { stage } = this.#desk.drawing;
    const shown = this.#desk.runs.playback;
    const session = this.#desk.drawing.session.value;
    if (!stage || !session || session.playback !== shown) return;
    this.#desk.runs.kept.value.forEach((run, i) => {
      if (this.#hidden.has(run) || run.playback === shown) return;
      this.#ghosts.push({ run, ghost: new Ghost(stage, run.playback.scene, COLOURS[i % COLOURS.length]) });
    });
    this.#show(session.player.time);
  }

  #show(time: number): void {
    for (const { run, ghost } of this.#ghosts)
      void run.playback.frame(instantAt(run.playback.times, time)).then(({ poses }) => ghost.show(poses));
  }
}
