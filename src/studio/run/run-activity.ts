/** Run: parameters beside the picture, the run while it goes on, what it leaves, and earlier runs to compare with. */
import { element } from '../../viewer/controls/element.js';
import type { Activity } from '../activity.js';
import { setParameter } from '../commands/document-commands.js';
import type { RunDesk } from './desk.js';
import { GhostView } from './ghosts.js';
import { ParameterPanel } from './parameter-panel.js';
import { ResultPanel } from './results.js';

export class RunActivity implements Activity {
  readonly name = 'run';
  readonly label = 'Run';
  readonly icon = 'play';
  readonly playbackKeys = true;
  readonly picks = true;
  readonly keys = [];
  #stops: (() => void)[] = [];

  mount(desk: RunDesk): void {
    const { runs, history, rooms } = desk;
    const panel = new ParameterPanel({
      set: (name, value, isOver) => {
        desk.do(setParameter, { name, value }, { gesture: `parameter ${name}` });
        if (isOver) history.endGesture();
      },
    });
    const fill = (): void => {
      const { source } = history.document.value;
      panel.show(desk.parameters.value, source.kind === 'code' ? source.parameters : {});
    };
    const results = new ResultPanel(desk);
    const ghosts = new GhostView(desk);
    rooms.setLeft([
      { name: 'bodies', label: 'Bodies', content: bodiesRoom(desk) },
      { name: 'runs', label: 'Runs', content: ghosts.root },
    ]);
    const isCode = history.document.value.source.kind === 'code';
    rooms.setRight(
      [
        ...(isCode ? [{ name: 'parameters', label: 'Parameters', content: panel.root }] : []),
        { name: 'result', label: 'Result', content: results.root },
      ],
      ['body', 'contacts', 'run', 'settings'],
    );
    rooms.openRight(isCode ? 'parameters' : 'result');
    desk.reruns.set(true);
    desk.hint(
      `${isCode ? 'Move a slider and it runs again · ' : ''}\`Space\` play · \`←\` \`→\` instants · \`Ctrl Enter\` run`,
    );
    this.#stops = [
      history.document.onChange(fill),
      desk.parameters.onChange(fill),
      runs.now.onChange(({ phase, why }, before) => {
        if (phase !== before.phase) status();
        if (phase === 'failed' && before.phase !== 'failed' && why)
          desk.messages.failed('The run failed', why, [{ label: 'Close', press: () => desk.messages.clear() }]);
      }),
      () => results.dispose(),
      () => ghosts.dispose(),
      () => desk.reruns.set(false),
    ];
    const status = (): void => {
      const { phase } = runs.now.value;
      rooms.status.replaceChildren(
        ...(phase === 'running' ? [element('span', { class: 'studio-dot' }), 'running'] : []),
      );
    };
    status();
    fill();
    // Nothing has been run yet, or it is not what is drawn: show the model
    const { playback } = runs;
    if (!playback) desk.showDrawn();
  }

  unmount(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

/** The viewer's list of bodies; its session fills it. */
function bodiesRoom(desk: RunDesk): HTMLElement {
  const { bodies } = desk.rooms as unknown as { bodies: HTMLElement };
  return bodies;
}
