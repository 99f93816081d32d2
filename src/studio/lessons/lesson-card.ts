/** The step of a lesson as a card over the view; what it points at is framed. */
import { element } from '../../viewer/controls/element.js';
import type { RunDesk } from '../run/desk.js';
import type { Lesson, LessonView } from './lesson.js';

export interface LessonDesk extends RunDesk {
  readonly activity: { readonly name: string } | undefined;
  endLesson(): void;
}

export class LessonCard {
  readonly #root = element('section', { class: 'studio-lesson', 'aria-label': 'Lesson', role: 'status' });
  readonly #stops: (() => void)[];
  #step = 0;
  #marked: Element | undefined;
  #runs = 0;
  #last: unknown;

  constructor(
    private readonly studio: LessonDesk,
    private readonly lesson: Lesson,
  ) {
    studio.rooms.view.append(this.#root);
    const look = (): void => this.#look();
    const timer = setInterval(look, 300); // rooms come and go: what is pointed at may appear later
    this.#stops = [studio.history.document.onChange(look), studio.runs.now.onChange(look), () => clearInterval(timer)];
    this.#fill();
  }

  get step(): number {
    return this.#step;
  }
  get isOver(): boolean {
    return this.#step >= this.lesson.steps.length;
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#mark();
    this.#root.remove();
  }

  #look(): void {
    if (this.isOver) return;
    const { studio } = this;
    const { isPlay, phase, pull } = studio.runs.now.value;
    const { playback } = studio.runs;
    const ended = phase === 'ended' && playback?.state === 'finished';
    // begun, not ended: one that a change cuts short counts, or who is quick would wait for ever
    if (playback && playback !== this.#last && !isPlay) this.#runs++;
    this.#last = playback;
    const view: LessonView = {
      document: studio.history.document.value,
      activity: studio.activity?.name ?? '',
      run: playback && {
        isPlay,
        ended,
        duration: playback.times.at(-1) ?? 0,
        change: (name) => {
          if (!playback.signals.some((signal) => signal.name === name)) return undefined;
          const signal = playback.recording.signal(name);
          return signal.at(-1)! - signal.at(0)!;
        },
      },
      holds: pull !== undefined,
      runs: this.#runs,
      selected: studio.history.selection.value,
    };
    const { until, at } = this.lesson.steps[this.#step];
    if (until(view)) {
      this.#step++;
      this.#fill();
    } else this.#mark(at);
  }

  #mark(selectors: readonly string[] = []): void {
    const found = selectors
      .flatMap((selector) => document.querySelector(selector) ?? [])
      .find((there) => there.getClientRects().length > 0);
    if (found === this.#marked) return;
    this.#marked?.classList.remove('studio-pointed');
    found?.classList.add('studio-pointed');
    this.#marked = found;
  }

  #fill(): void {
    const { title, steps } = this.lesson;
    const step = steps[this.#step];
    const close = element(
      'button',
      { type: 'button', class: 'viewer-button with-text studio-plain', onclick: () => this.studio.endLesson() },
      step ? 'End the lesson' : 'Done',
    );
    this.#root.replaceChildren(
      element('strong', {}, title),
      element(
        'p',
        {},
        step
          ? step.say
          : 'That was all of it. The document is yours: go on with it, or take another lesson in the gallery.',
      ),
      element(
        'div',
        { class: 'studio-row' },
        element('span', { class: 'viewer-quiet' }, step ? `${this.#step + 1} of ${steps.length}` : 'finished'),
        close,
      ),
    );
    this.#mark(step?.at);
  }
}
