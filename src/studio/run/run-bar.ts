/** Run, pause, step, stop, and how far it is: left of the time. */
import { element, icon, iconButton } from '../../viewer/controls/element.js';
import type { RunDesk } from './desk.js';

export class RunBar {
  constructor(place: HTMLElement, desk: RunDesk) {
    const main = element('button', { type: 'button', class: 'studio-main' });
    const play = element(
      'button',
      {
        type: 'button',
        class: 'viewer-button with-text studio-plain',
        title: 'Let time run, and take hold of parts (Shift Enter)',
        onclick: () => desk.open('play'),
      },
      icon('hand'),
      element('span', {}, 'Play'),
    );
    const pause = iconButton('pause', 'Pause the run', () =>
      desk.runs.now.value.phase === 'paused' ? desk.runs.resume() : desk.runs.pause(),
    );
    const step = iconButton('next', 'One instant, then wait', () => {
      const { phase } = desk.runs.now.value;
      if (phase === 'running' || phase === 'paused') desk.runs.step();
      else {
        desk.open('run');
        desk.run({ paused: true });
      }
    });
    const progress = element('progress', { class: 'studio-progress', max: 1, 'aria-label': 'Progress of the run' });
    const text = element('output', { class: 'studio-pace' });
    main.addEventListener('click', () => {
      if (desk.runs.isGoing) void desk.runs.stop();
      else {
        desk.open('run');
        desk.run();
      }
    });
    const show = (): void => {
      const { phase, part, isPlay } = desk.runs.now.value;
      const isGoing = desk.runs.isGoing;
      const label = isGoing ? 'Stop' : 'Run';
      main.classList.toggle('live', isGoing);
      if (main.dataset.shown !== label) {
        main.dataset.shown = label;
        main.title = isGoing ? 'End the run and keep what there is' : 'Run the model to its end (Ctrl Enter)';
        main.replaceChildren(icon(isGoing ? 'stop' : 'play'), element('span', {}, label));
      }
      play.hidden = isPlay && isGoing;
      pause.hidden = !isGoing || isPlay;
      pause.setAttribute('aria-label', phase === 'paused' ? 'Go on with the run' : 'Pause the run');
      if (pause.dataset.phase !== phase) {
        pause.dataset.phase = phase;
        pause.replaceChildren(icon(phase === 'paused' ? 'play' : 'pause'));
      }
      step.hidden = isPlay && isGoing;
      progress.hidden = text.hidden = !isGoing || isPlay;
      progress.value = part;
      const shown = phase === 'building' ? 'building …' : `${Math.floor(100 * part)} %`;
      if (text.textContent !== shown) text.textContent = shown;
    };
    desk.runs.now.onChange(show);
    show();
    place.append(main, play, pause, step, progress, text);
  }
}
