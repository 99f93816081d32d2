/** The viewer: opens what it is given, and says so when it cannot. */
import { ModelError } from '../../errors.js';
import { element, iconButton } from '../controls/element.js';
import { FollowedPlayback } from '../playback/followed-playback.js';
import { DisplayError } from '../stage/display.js';
import type { StandardView } from '../stage/view.js';
import { helpDialog, type KeyBinding, listenToKeys } from './keys.js';
import { Layout, type Room } from './layout.js';
import { type MessageAction, Messages } from './messages.js';
import { droppedFile, type Source } from './opening.js';
import { type Kept, Session } from './session.js';
import { keepSettings, storedSettings } from './settings-panel.js';
import { addressOf, viewIn } from './shared-view.js';
import { nextSpeed } from './time-bar.js';

const VIEWS: readonly StandardView[] = ['isometric', 'front', 'back', 'left', 'right', 'top', 'bottom'];
const LOOK_AGAIN = 2000; // ms between two looks whether the file has changed
const JUMP = 1 / 20; // of the recording

const POINTER: readonly (readonly [string, string])[] = [
  ['Drag', 'turn the view'],
  ['Right drag, two fingers', 'move the view'],
  ['Wheel, pinch', 'nearer and farther'],
  ['Click', 'pick a body'],
  ['Double click', 'fit the picked body, or all'],
  ['Drop a file', 'open a recording'],
  ['w a s d, q e', 'while the view has the focus: turn, with shift move; nearer and farther'],
];

export class Viewer {
  readonly layout: Layout;
  readonly messages: Messages;
  readonly #settings = storedSettings();
  readonly #systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #help: HTMLDialogElement;
  readonly #file: HTMLInputElement;
  readonly #choice = element('select', { class: 'viewer-choose', 'aria-label': 'Recording', hidden: true });
  #sources: readonly Source[] = [];
  #session: Session | undefined;
  #shown: Source | undefined;
  #opening = 0; // the last request counts
  #isFirst = true; // what the address asks for is shown once
  #tag: string | undefined; // of what is shown
  #isLooking = false; // whether it has changed
  /** Told by the server what has changed: there is no need to look. */
  followsEdits = false;

  constructor(place: HTMLElement) {
    this.layout = new Layout(place);
    const overlay = element('div', { class: 'viewer-messages' });
    this.layout.view.after(overlay);
    this.messages = new Messages(overlay);
    this.#file = element('input', {
      type: 'file',
      accept: '.h5,.hdf5',
      hidden: true,
      'aria-label': 'Recording',
      onchange: () => this.#openFiles(this.#file.files),
    });
    const bindings = this.#bindings();
    this.#help = helpDialog(bindings, POINTER);
    this.layout.root.append(this.#file, this.#help);
    this.#fillTools();
    // Inside a report the keys are the reader's until the viewer has the focus.
    listenToKeys(place === document.body ? document : this.layout.root, bindings);
    this.#listenToDrops();
    this.layout.onChange(() => this.#session?.roomsChanged());
    this.#systemIsDark.addEventListener('change', () => this.#applyTheme());
    this.#applyTheme();
    this.#setTitle('');
    setInterval(() => void this.#lookAgain(), LOOK_AGAIN);
    document.addEventListener('visibilitychange', () => void this.#lookAgain());
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** What can be chosen from; the first is opened. @param kept what was chosen in a session before */
  offer(sources: readonly Source[], kept?: Kept): Promise<void> {
    this.#sources = sources;
    this.#choice.replaceChildren(...sources.map(({ name }, i) => element('option', { value: i }, name)));
    this.#choice.hidden = sources.length < 2;
    return sources.length > 0 ? this.open(sources[0], kept) : Promise.resolve();
  }

  /** Nothing to show yet. */
  welcome(): void {
    this.messages.welcome(
      'Nothing is open',
      'Drop a recording (recording.h5) here, or open one. “tippetop run” leaves it in out/<name>.',
      [this.#openAction()],
    );
  }

  /** @param kept what was chosen in a session before */
  async open(source: Source, kept?: Kept): Promise<void> {
    const request = ++this.#opening;
    this.messages.busy(`Opening ${source.name} …`);
    try {
      const tag = await source.tag?.().catch(() => undefined);
      const playback = await source.open();
      if (request !== this.#opening) {
        playback.close();
        return;
      }
      this.#session?.dispose();
      this.#session = undefined;
      this.#session = new Session(playback, this.layout, this.messages, this.#settings, { dark: this.isDark });
      this.#session.onSettings = (what) => what === 'theme' && this.#applyTheme();
      this.#session.onError = () => void this.#lookAgain();
      this.layout.root.classList.add('loaded');
      this.#shown = source;
      this.#tag = tag;
      const wanted = kept ?? (this.#isFirst ? viewIn(location.href) : undefined);
      this.#isFirst = false;
      if (wanted) this.#session.restore(wanted);
      this.#choose(source);
      this.#setTitle(playback.title || source.name);
      publish(this.#session);
      await this.#session.player.settled();
      if (request === this.#opening) this.messages.clear();
    } catch (error) {
      if (request === this.#opening) this.#fail(source, error);
    }
  }

  /** Has the file changed? A run that goes on is followed; another recording of the same name is offered. */
  async #lookAgain(): Promise<void> {
    const [source, session, request, known] = [this.#shown, this.#session, this.#opening, this.#tag];
    if (!source?.tag || !session || known === undefined || this.#isLooking || document.hidden || this.followsEdits)
      return;
    this.#isLooking = true;
    const isWanted = (): boolean => request === this.#opening && session === this.#session;
    try {
      const tag = await source.tag();
      if (tag === undefined || tag === known || !isWanted()) return;
      const next = await source.open();
      const had = session.playback.times.length;
      if (!isWanted()) next.close();
      else {
        this.#tag = tag;
        if (session.playback instanceof FollowedPlayback && session.playback.goOn(next)) session.grown(had);
        else {
          next.close();
          this.messages.offer('The recording was written anew.', {
            label: 'Show it',
            press: () => void this.open(source, this.#session?.kept()),
          });
        }
      }
    } catch {
      // the server has gone, or the file is just being replaced: next time
    } finally {
      this.#isLooking = false;
    }
  }

  #choose(source: Source): void {
    this.#choice.value = String(this.#sources.indexOf(source));
  }

  /** A file that is not ours is said in its own words; what else goes wrong is a mistake of ours, and said as such. */
  #fail(source: Source, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (this.#session && this.#shown) this.#choose(this.#shown);
    const isGraphics = error instanceof DisplayError;
    this.messages.failed(
      isGraphics ? 'This browser draws no 3D' : `${source.name} cannot be shown`,
      isGraphics
        ? 'The view needs WebGL 2, which is switched off or missing here. Another browser, or hardware acceleration switched on, will do.'
        : error instanceof ModelError
          ? why
          : `${why}. This is a mistake in the viewer, not in the file.`,
      [this.#openAction(), ...(this.#session ? [{ label: 'Back', press: () => this.messages.clear() }] : [])],
    );
  }

  get isDark(): boolean {
    const { theme } = this.#settings;
    return theme === 'dark' || (theme === 'system' && this.#systemIsDark.matches);
  }

  #applyTheme(): void {
    this.layout.root.dataset.theme = this.isDark ? 'dark' : 'light';
    this.#session?.stage.setTheme(this.isDark);
  }

  #toggleTheme(): void {
    this.#settings.theme = this.isDark ? 'light' : 'dark';
    keepSettings(this.#settings);
    this.#applyTheme();
    this.#session?.fillSettings();
  }

  #setTitle(title: string): void {
    this.layout.title.textContent = title || 'tippetop';
    if (document.body === this.layout.root.parentElement) document.title = title ? `${title} · tippetop` : 'tippetop';
  }

  #openAction(): MessageAction {
    return { label: 'Open a recording …', press: () => this.#file.click() };
  }

  #openFiles(files: FileList | null | undefined): void {
    const list = [...(files ?? [])];
    const file = list.find(({ name }) => /\.h(df)?5$/i.test(name)) ?? list[0];
    if (file) void this.open(droppedFile(file));
    this.#file.value = ''; // the same file may be opened again
  }

  #listenToDrops(): void {
    const { root } = this.layout;
    const over = (event: DragEvent, inside: boolean): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      root.classList.toggle('dropping', inside);
    };
    root.addEventListener('dragenter', (event) => over(event, true));
    root.addEventListener('dragover', (event) => over(event, true));
    root.addEventListener('dragleave', (event) => event.relatedTarget === null && over(event, false));
    root.addEventListener('drop', (event) => {
      over(event, false);
      this.#openFiles(event.dataTransfer?.files);
    });
  }

  #fillTools(): void {
    const { layout } = this;
    const room = (name: Room, icon: Parameters<typeof iconButton>[0], label: string, key: string): HTMLElement => {
      const button = iconButton(icon, label, () => layout.toggle(name), { text: label, key, toggle: true });
      layout.joins(name, button);
      return button;
    };
    const view = element(
      'select',
      {
        class: 'viewer-views',
        'aria-label': 'Look from',
        title: 'Look from (1 … 7)',
        onchange: () => {
          this.#session?.lookFrom(view.value as StandardView);
          view.value = '';
        },
      },
      element('option', { value: '' }, 'View'),
      ...VIEWS.map((name, i) => element('option', { value: name }, `${i + 1}  ${name}`)),
    );
    this.#choice.addEventListener('change', () => void this.open(this.#sources[Number(this.#choice.value)]));
    layout.tools.append(
      room('bodies', 'bodies', 'Bodies', 'b'),
      room('contacts', 'contacts', 'Contacts', 'i'),
      room('plots', 'plots', 'Plots', 'p'),
      room('run', 'run', 'Run', 'r'),
      room('settings', 'settings', 'Settings', ','),
      view,
      iconButton('fit', 'Fit the view', () => this.#session?.fit(), { key: 'f' }),
    );
    layout.corner.append(
      this.#choice,
      iconButton('open', 'Open a recording', () => this.#file.click()),
      iconButton('picture', 'Save a picture', () => void this.#picture(), { key: 'c' }),
      iconButton('film', 'Film it to the end (WebM)', () => void this.#film(), { key: 'v' }),
      iconButton('share', 'Copy the address of this view', () => void this.#share(), { key: 'u' }),
      iconButton('theme', 'Light or dark', () => this.#toggleTheme(), { key: 'n' }),
      iconButton('help', 'Keys', () => this.#help.showModal(), { key: '?' }),
    );
  }

  async #picture(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    try {
      this.#keep(await session.stage.toPng(), `${this.#fileName()}-${session.player.time.toPrecision(4)}s.png`);
    } catch (error) {
      this.messages.passing(error instanceof Error ? error.message : String(error));
    }
  }

  /** A film from here to the end; a second press ends it. */
  async #film(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (session.film.isMaking) {
      session.film.stop();
      return;
    }
    try {
      this.messages.passing('Filming to the end; press again to stop.');
      const { film, ending } = await session.film.make();
      this.#keep(film, `${this.#fileName()}.${ending}`);
    } catch (error) {
      this.messages.passing(error instanceof Error ? error.message : String(error));
    }
  }

  /** Puts what is looked at into the address, and the address into the clipboard. */
  async #share(): Promise<void> {
    if (!this.#session) return;
    const address = addressOf(this.#session.kept(true), location.href);
    history.replaceState(null, '', address);
    try {
      await navigator.clipboard.writeText(address);
      this.messages.passing('The address of this view is in the clipboard.');
    } catch {
      this.messages.passing('The address of this page now leads to this view.');
    }
  }

  #fileName(): string {
    return (this.#session?.playback.title || 'view').replace(/[^\w.-]+/g, '-');
  }

  #keep(file: Blob, name: string): void {
    const address = URL.createObjectURL(file);
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  #bindings(): KeyBinding[] {
    const when = (act: (session: Session) => void) => (): void => {
      if (this.#session) act(this.#session);
    };
    const picked = (act: (session: Session, body: number) => void) =>
      when((session) => {
        const body = session.looks.picked;
        if (body === undefined) this.messages.passing('No body is picked; click one first.');
        else act(session, body);
      });
    const toggle = (room: Room) => (): void => this.layout.toggle(room);
    const end = ({ player }: Session): number => (player.playback.times[0] ?? 0) + player.duration;
    return [
      {
        keys: [' ', 'k'],
        shown: 'space',
        what: 'play, pause',
        press: when(({ player }) => (player.playing = !player.playing)),
      },
      {
        keys: ['ArrowLeft', 'ArrowRight'],
        shown: '← →',
        what: 'one instant back, on',
        press: (key) => this.#session?.player.step(key === 'ArrowLeft' ? -1 : 1),
      },
      {
        keys: ['Shift+ArrowLeft', 'Shift+ArrowRight', 'PageUp', 'PageDown'],
        shown: 'shift ← →',
        what: 'a twentieth of the recording back, on',
        press: (key) =>
          when(
            ({ player }) =>
              (player.time += (key.endsWith('Left') || key === 'PageUp' ? -JUMP : JUMP) * player.duration),
          )(),
      },
      {
        keys: ['Home'],
        shown: 'Home',
        what: 'to the start',
        press: when((session) => (session.player.time = end(session) - session.player.duration)),
      },
      {
        keys: ['End'],
        shown: 'End',
        what: 'to the end',
        press: when((session) => (session.player.time = end(session))),
      },
      {
        keys: ['+', '=', '-', 'Shift++', 'Shift+-', 'Shift+_', '_'],
        shown: '+ −',
        what: 'faster, slower',
        press: (key) => when(({ player }) => (player.speed = nextSpeed(player.speed, /[-_]$/.test(key) ? -1 : 1)))(),
      },
      {
        keys: ['l'],
        shown: 'l',
        what: 'start again at the end',
        press: when(({ player }) => (player.loop = !player.loop)),
      },
      { keys: ['f'], shown: 'f', what: 'fit the picked body, or all', press: when((session) => session.fit()) },
      { keys: ['Shift+f'], shown: 'shift f', what: 'fit what is seen now', press: when(({ stage }) => stage.fit()) },
      { keys: ['m'], shown: 'm', what: 'to the next contact', press: when((session) => session.toNextContact()) },
      { keys: ['v'], shown: 'v', what: 'film to the end, or stop', press: when(() => void this.#film()) },
      { keys: ['u'], shown: 'u', what: 'copy the address of this view', press: when(() => void this.#share()) },
      {
        keys: VIEWS.map((_, i) => String(i + 1)),
        shown: '1 … 7',
        what: VIEWS.join(', '),
        press: (key) => this.#session?.lookFrom(VIEWS[Number(key) - 1]),
      },
      {
        keys: ['o'],
        shown: 'o',
        what: 'follow the picked body',
        press: picked((session, body) => {
          session.follow(body);
          session.looks.touch();
        }),
      },
      {
        keys: ['h'],
        shown: 'h',
        what: 'hide or show it',
        press: picked(({ looks }, body) => looks.toggle('hidden', [body])),
      },
      {
        keys: ['x'],
        shown: 'x',
        what: 'show it alone, or all again',
        press: picked(({ looks }, body) => looks.isolate(looks.alone ? undefined : [body])),
      },
      {
        keys: ['t'],
        shown: 't',
        what: 'draw it transparent',
        press: picked(({ looks }, body) => looks.toggle('transparent', [body])),
      },
      {
        keys: ['g'],
        shown: 'g',
        what: 'draw it as wires',
        press: picked(({ looks }, body) => looks.toggle('wireframe', [body])),
      },
      {
        keys: ['y'],
        shown: 'y',
        what: 'draw the path of its centre',
        press: picked(({ paths }, body) => paths.toggle(body)),
      },
      { keys: ['b'], shown: 'b', what: 'bodies', press: toggle('bodies') },
      {
        keys: ['/'],
        shown: '/',
        what: 'search a body',
        press: () => {
          this.layout.open('bodies');
          this.#session?.tree.focusSearch();
        },
      },
      { keys: ['i'], shown: 'i', what: 'contact inspector', press: toggle('contacts') },
      { keys: ['p'], shown: 'p', what: 'plots', press: toggle('plots') },
      { keys: ['r'], shown: 'r', what: 'about the run', press: toggle('run') },
      { keys: [','], shown: ',', what: 'settings', press: toggle('settings') },
      { keys: ['c'], shown: 'c', what: 'save a picture', press: () => void this.#picture() },
      { keys: ['n'], shown: 'n', what: 'light or dark', press: () => this.#toggleTheme() },
      { keys: ['?', 'Shift+?'], shown: '?', what: 'these keys', press: () => this.#help.showModal() },
      {
        keys: ['Escape'],
        shown: 'Esc',
        what: 'pick nothing',
        press: () => {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          this.#session?.looks.pick(undefined);
        },
      },
    ];
  }
}

/** For a console, and for tests. */
function publish({ player, stage, inspector, plots, playback }: Session): void {
  (window as unknown as { tippetop: object }).tippetop = { player, stage, inspector, plots, playback };
}
