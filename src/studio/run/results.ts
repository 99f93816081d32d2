/** What a run leaves: its hash, how far it can be trusted, and files: the recording, a report, figures. */
import { decimal, quantity } from '../../math/quantity.js';
import { element } from '../../viewer/controls/element.js';
import type { RunDesk } from './desk.js';
import { reportOf } from './report.js';

export class ResultPanel {
  readonly root = element('div', { class: 'viewer-room studio-result' });
  readonly #stop: () => void;

  constructor(private readonly desk: RunDesk) {
    this.#stop = desk.runs.now.onChange(({ phase, why, head, pace }, before) => {
      if (
        phase !== before.phase ||
        why !== before.why ||
        head !== before.head ||
        Math.abs(pace - before.pace) > 0.2 * pace
      )
        this.#fill();
    });
    this.#fill();
  }

  dispose(): void {
    this.#stop();
  }

  #fill(): void {
    const { runs, history } = this.desk;
    const { phase, why, head, pace } = runs.now.value;
    const { playback } = runs;
    if (!playback || phase === 'none' || phase === 'building') {
      this.root.replaceChildren(
        element(
          'p',
          { class: 'viewer-quiet' },
          phase === 'building'
            ? 'Building the model …'
            : 'Not run yet. Run computes the model to its end; what it leaves is listed here.',
        ),
      );
      return;
    }
    const name = history.document.value.title.replace(/[^\w.-]+/g, '-').toLowerCase() || 'run';
    const last = playback.times.at(-1) ?? 0;
    const row = (label: string, text: string): HTMLElement =>
      element('div', {}, element('dt', {}, label), element('dd', {}, text));
    const words = {
      running: 'The run goes on.',
      paused: 'The run waits.',
      failed: 'The run failed.',
      ended: playback.state === 'finished' ? 'The run went to its end.' : 'The run was ended.',
    }[phase];
    const { verdict } = playback.trust;
    const isOver = phase === 'ended' || phase === 'failed';
    const button = (label: string, press: () => Promise<void>, title: string): HTMLButtonElement => {
      const made = element(
        'button',
        {
          type: 'button',
          class: 'viewer-button with-text studio-plain',
          title,
          onclick: () => {
            made.disabled = true;
            press()
              .catch((error: Error) => this.desk.messages.passing(error.message))
              .finally(() => (made.disabled = false));
          },
        },
        label,
      );
      made.disabled = !isOver || playback.hash === '';
      return made;
    };
    this.root.replaceChildren(
      element('h3', {}, history.document.value.title),
      element(
        'p',
        { class: phase === 'failed' ? 'viewer-warning' : 'viewer-quiet' },
        words,
        ...(why ? [` ${why}`] : []),
      ),
      ...(head?.warnings ?? []).map((text) => element('p', { class: 'viewer-warning' }, text)),
      element(
        'dl',
        { class: 'viewer-figures' },
        row('until', `${quantity(last, 's')} of ${quantity(head?.stopTime ?? 0, 's')}`),
        row('instants', String(playback.times.length)),
        ...(pace > 0
          ? [row('pace', pace < 1 ? `${decimal(1 / pace, 2)} × real time` : `1/${decimal(pace, 2)} of real time`)]
          : []),
        ...(playback.hash ? [row('hash', playback.hash)] : []),
        ...(verdict ? [row('trust', verdict.word)] : []),
      ),
      ...(verdict && verdict.word !== 'trusted'
        ? verdict.reasons.map(({ reason, remedy }) =>
            element('p', { class: 'viewer-warning' }, reason, ...(remedy ? [element('br'), `→ ${remedy}`] : [])),
          )
        : []),
      element('h4', {}, 'Take it along'),
      element(
        'div',
        { class: 'viewer-buttons studio-files' },
        button(
          'Recording',
          async () => this.#give((await runs.ask('recording')).bytes, `${name}.h5`),
          'recording.h5, for “tippetop view”, HDF5 readers and later',
        ),
        button('CSV', async () => this.#give((await runs.ask('csv')).text, `${name}.csv`), 'All signals as text'),
        button(
          'Report',
          async () => this.#give(await reportOf(runs, name), `${name}.html`, 'text/html'),
          'One page with plots and replay, opens from disk',
        ),
        button('Explain', () => this.#explain(), 'What the model consists of, as “tippetop explain” says'),
      ),
      element(
        'p',
        { class: 'viewer-quiet' },
        'The hash is that of the command line for the same model and parameters: the same bits.',
      ),
    );
  }

  #give(bytes: Uint8Array | string | undefined, name: string, type?: string): void {
    if (bytes === undefined) throw new Error('there is nothing to keep');
    this.desk.download(bytes, name, type);
    this.desk.say(`${name} saved`);
  }

  async #explain(): Promise<void> {
    const { text } = await this.desk.runs.ask('explain');
    const dialog = element('dialog', { class: 'viewer-help studio-explain', 'aria-label': 'Explain' });
    const close = element(
      'button',
      { type: 'button', class: 'viewer-button with-text studio-plain', onclick: () => dialog.close() },
      'Close',
    );
    dialog.append(
      element('header', {}, element('h2', {}, 'Explained'), close),
      element('pre', {}, text || 'Nothing to explain.'),
    );
    dialog.addEventListener('close', () => dialog.remove());
    (this.desk.rooms.view.closest('.studio') ?? document.body).append(dialog);
    dialog.showModal();
  }
}
