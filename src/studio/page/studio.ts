/** The studio: the document and what is drawn of it, activities that come and go, runs, and what is said when something is wrong. */
import { ModelError } from '../../errors.js';
import type { Scene } from '../../results/scene.js';
import { element, iconButton } from '../../viewer/controls/element.js';
import { helpDialog, type KeyBinding } from '../../viewer/page/keys.js';
import { Messages } from '../../viewer/page/messages.js';
import type { Session } from '../../viewer/page/session.js';
import { keepSettings, storedSettings } from '../../viewer/page/settings-panel.js';
import type { Activity, ActivityName, Problem, Studio } from '../activity.js';
import type { CodeRoom } from '../code/code-room.js';
import { allow } from '../code/consent.js';
import type { Command } from '../commands/command.js';
import { retitle, setModel } from '../commands/document-commands.js';
import { bodiesIn, pathOfDrawn } from '../commands/elements.js';
import { type DoOptions, History } from '../commands/history.js';
import { type AssetStore, MemoryAssets } from '../document/assets.js';
import { codeDocument, emptyDocument, type JsonModel, type StudioDocument, sceneModel } from '../document/document.js';
import { Store } from '../document/store.js';
import { LessonCard } from '../lessons/lesson-card.js';
import { LESSONS } from '../lessons/lessons.js';
import type { ModelSource, ParameterText } from '../run/messages.js';
import { RunBar } from '../run/run-bar.js';
import { Runs } from '../run/runs.js';
import { SceneReader } from '../run/scene-reader.js';
import type { WorkerLike } from '../run/work.js';
import { Drawing } from './drawing.js';
import { DrawnDocument } from './drawn-document.js';
import { exampleText, fillGallery, type GalleryEntry, galleryEntries } from './gallery.js';
import { hintParts } from './hint.js';
import { StudioLayout } from './layout.js';
import { ModelRunners } from './model-runners.js';
import { TEMPLATE } from './program-template.js';

const RERUN = 150; // ms after the last change

export class StudioPage implements Studio {
  readonly rooms: StudioLayout;
  readonly messages: Messages;
  readonly history = new History(emptyDocument());
  assets: AssetStore = new MemoryAssets();
  readonly drawing: Drawing;
  readonly runs: Runs;
  /** Of the program at hand */
  readonly parameters = new Store<readonly ParameterText[]>([]);
  readonly problem = new Store<Problem | undefined>(undefined);
  /** Whether a change runs the model again by itself */
  readonly reruns = new Store(false);
  readonly #settings = storedSettings();
  readonly #systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #activities: readonly Activity[];
  readonly #drawn: DrawnDocument;
  readonly #runners: ModelRunners;
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  #activity: Activity | undefined;
  #entries: readonly GalleryEntry[] = [];
  #help: HTMLDialogElement | undefined;
  #rerun: ReturnType<typeof setTimeout> | undefined;
  #codeRoom: Promise<CodeRoom> | undefined;
  /** Light or dark now */
  readonly themed = new Store(false);
  /** Told before another document takes the place of this one */
  readonly opened = new Store<number>(0);

  constructor(place: HTMLElement, activities: readonly Activity[], startWorker: () => WorkerLike) {
    this.#activities = activities;
    this.rooms = new StudioLayout(place, {
      choose: (name) => this.open(name),
      home: () => this.showGallery(),
    });
    const { rooms } = this;
    this.messages = new Messages(rooms.messagesPlace);
    this.drawing = new Drawing(rooms, this.messages, this.#settings, () => this.isDark);
    this.#runners = new ModelRunners(startWorker, {
      assets: { put: (name, bytes) => this.assets.put(name, bytes), get: (hash) => this.assets.get(hash) },
      examples: () => this.#entries,
      programs: async () => (await this.codeRoom()).runner,
    });
    const scenes = new SceneReader();
    this.#drawn = new DrawnDocument(startWorker, scenes, this.#runners, this.drawing, {
      document: () => this.history.document.value,
      // One that was begun meanwhile, and may have ended by now, is what is to be seen
      isRunShown: () => ['run', 'play'].includes(this.#activity?.name ?? '') && this.runs.now.value.phase !== 'none',
      built: (parameters) => {
        this.problem.set(undefined);
        this.parameters.set(parameters);
      },
      refused: (path, text) => this.#refuse(path, text),
    });
    this.drawing.session.onChange(() => this.#mark());
    this.runs = new Runs(() => this.#runners.next, scenes, {
      built: (parameters) => this.parameters.set(parameters),
      begun: (playback) => {
        this.problem.set(undefined);
        this.messages.clear();
        this.drawing.show(playback, this.#drawn.isFresh);
        this.#drawn.isFresh = false;
      },
      grown: (_, had) => this.session?.extended(had),
      ended: (_, had) => {
        this.session?.grown(had);
        this.say(this.runs.now.value.why ?? 'The run has ended');
      },
      failed: (path, text) => this.#refuse(path, text),
    });
    new RunBar(rooms.before, this);
    for (const [i, activity] of activities.entries()) rooms.addActivity(activity, `Alt ${i + 1}`);
    this.#undo = iconButton('undo', 'Undo', () => this.undo(), { key: 'Ctrl Z' });
    this.#redo = iconButton('redo', 'Redo', () => this.redo(), { key: 'Ctrl Shift Z' });
    rooms.corner.append(
      this.#undo,
      this.#redo,
      iconButton('code', 'Code', () => this.showCode(), { key: 'Ctrl E' }),
      iconButton('theme', 'Light or dark', () => this.toggleTheme(), { key: 'n' }),
      iconButton('help', 'Keys', () => this.help(), { key: '?' }),
    );
    rooms.title.addEventListener('change', () => {
      const title = rooms.title.value.trim();
      if (title !== '') this.do(retitle, { title });
      rooms.title.value = this.history.document.value.title;
    });
    this.drawing.onPick = (body, more) => this.#pick(body, more);
    this.drawing.onTheme = () => this.#applyTheme();
    this.history.document.onChange((document, before) => this.#changed(document, before));
    this.history.selection.onChange(() => this.#mark());
    rooms.onChange(() => this.session?.roomsChanged());
    this.#systemIsDark.addEventListener('change', () => this.#applyTheme());
    this.#applyTheme();
    this.#showTitle();
  }

  get session(): Session | undefined {
    return this.drawing.session.value;
  }
  get activity(): Activity | undefined {
    return this.#activity;
  }
  get activities(): readonly Activity[] {
    return this.#activities;
  }

  // —— beginning ——

  async begin(): Promise<void> {
    this.#entries = await galleryEntries();
    if (!location.hash.startsWith('#d=')) this.showGallery();
    this.#runners.warm();
  }

  /** Filled by who keeps documents */
  recent: () => Promise<Parameters<typeof fillGallery>[2]> = async () => [];
  galleryActions: {
    openFile(): void;
    recent(key: string): void;
    forget(key: string): void;
  } = {
    openFile: () => undefined,
    recent: () => undefined,
    forget: () => undefined,
  };
  readonly lessons: readonly { readonly name: string; readonly title: string }[] = LESSONS;
  #lesson: LessonCard | undefined;

  get lesson(): LessonCard | undefined {
    return this.#lesson;
  }

  async startLesson(name: string): Promise<void> {
    const lesson = LESSONS.find((known) => known.name === name);
    if (!lesson) return;
    this.endLesson();
    if ('example' in lesson.begin) await this.openExample(lesson.begin.example);
    else {
      this.openDocument(await lesson.begin.document(this.assets));
      this.open('build');
    }
    this.#lesson = new LessonCard(this, lesson);
  }

  endLesson(): void {
    this.#lesson?.dispose();
    this.#lesson = undefined;
  }

  showGallery(): void {
    const { rooms } = this;
    void this.recent().then((recent) => {
      fillGallery(rooms.gallery, this.#entries, recent, this.lessons, {
        ...this.galleryActions,
        lesson: (name) => void this.startLesson(name),
        example: (entry) => void this.openExample(entry.name),
        newScene: () => {
          this.openDocument(emptyDocument());
          this.open('build');
        },
        newProgram: () => {
          void allow(TEMPLATE);
          this.openDocument(codeDocument('Untitled', TEMPLATE));
          this.open('run');
          this.showCode(true);
          this.run();
        },
        newSketch: () => {
          this.openDocument(emptyDocument());
          this.open('sketch');
        },
      });
      rooms.isGallery = true;
      rooms.gallery.querySelector<HTMLElement>('button')?.focus();
    });
  }

  async openExample(name: string): Promise<void> {
    try {
      const entry = this.#entries.find((known) => known.name === name);
      const text = await exampleText(name);
      this.openDocument(codeDocument(entry?.title ?? name, text));
      this.open('run');
      this.run();
    } catch (error) {
      this.messages.passing(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param key under which it is kept already */
  openDocument(document: StudioDocument, key?: string): void {
    this.#key = key;
    // Rooms are those of the document: the activity begins anew with it
    this.#activity?.unmount();
    this.#activity = undefined;
    this.opened.set(this.opened.value + 1);
    this.runs.forget();
    this.#drawn.forget();
    this.problem.set(undefined);
    this.messages.clear();
    this.rooms.isGallery = false;
    this.history.open(document);
    this.#showTitle();
    queueMicrotask(() => this.#activity ?? this.open('build'));
  }

  /** Of the document that is being opened; once */
  takeKey(): string | undefined {
    const key = this.#key;
    this.#key = undefined;
    return key;
  }
  #key: string | undefined;

  // —— activities ——

  open(name: ActivityName): void {
    const activity = this.#activities.find((other) => other.name === name);
    this.rooms.isGallery = false;
    if (!activity || activity === this.#activity) return;
    this.#activity?.unmount();
    this.#activity = activity;
    const { rooms } = this;
    rooms.activity = name;
    rooms.over.replaceChildren();
    rooms.rail.replaceChildren();
    rooms.status.replaceChildren();
    rooms.wide = false;
    this.hint('');
    this.drawing.picks = activity.picks;
    activity.mount(this);
  }

  // —— the document ——

  do<Args>(command: Command<Args>, args: Args, options?: DoOptions): boolean {
    try {
      const before = this.history.document.value;
      const changed = this.history.do(command, args, options) !== before;
      if (changed && options?.gesture === undefined) this.say(command.label(args));
      return changed;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.messages.passing(error.message);
      this.say(error.message);
      return false;
    }
  }

  undo(): void {
    const label = this.history.undo();
    this.say(label === undefined ? 'Nothing to undo' : `Undone: ${label}`);
  }
  redo(): void {
    const label = this.history.redo();
    this.say(label === undefined ? 'Nothing to redo' : `Done again: ${label}`);
  }

  #changed(document: StudioDocument, before: StudioDocument): void {
    this.#showTitle();
    const isSame = document.source === before.source && document.assets === before.assets;
    if (isSame && this.#drawn.isOf(document)) return;
    clearTimeout(this.#rerun);
    if (this.reruns.value && !this.#drawn.isFresh && this.#activity?.name === 'run') {
      this.#drawn.skip(document);
      this.#rerun = setTimeout(() => this.run(), RERUN);
    } else void this.#drawn.build(document);
  }

  /** Editor and sandbox are loaded when they are first asked for. */
  codeRoom(): Promise<CodeRoom> {
    this.#codeRoom ??= import('../code/code-room.js').then(({ CodeRoom }) => new CodeRoom(this));
    return this.#codeRoom;
  }

  get codePlace(): HTMLElement {
    return this.rooms.code;
  }

  showCode(on = this.rooms.code.hidden !== false): void {
    this.rooms.isCodeOpen = on;
    if (on) void this.codeRoom().then((room) => room.focus());
  }

  mistakeIn(model: JsonModel): Promise<Problem | undefined> {
    return this.#drawn.mistakeIn(model);
  }

  // —— the run ——

  run(options: { readonly paused?: boolean } = {}): void {
    void this.#run(options);
  }

  async #run({ paused = false }: { readonly paused?: boolean }): Promise<void> {
    clearTimeout(this.#rerun);
    const document = this.history.document.value;
    const source = await this.#runners.sourceOf(document);
    if (!(await this.#runners.prepare(source))) return;
    this.problem.set(undefined);
    const { source: own } = document;
    const label =
      own.kind === 'code'
        ? Object.entries(own.parameters)
            .map(([name, value]) => `${name} = ${value}`)
            .join(', ') || 'as it is'
        : new Date().toLocaleTimeString();
    this.runs.start(source, { label, paused });
  }

  /** What the program builds becomes a scene, after the user has read what is lost. */
  async editInScene(): Promise<void> {
    const { document } = this.history;
    const program = document.value.source;
    if (program.kind !== 'code') return;
    try {
      const source = await this.prepare();
      if (!source) return;
      this.say('The program is being read');
      const [written, { askAboutScene }] = await Promise.all([
        this.#runners.next.write(source),
        import('../code/to-scene.js'),
      ]);
      if (!(await askAboutScene(this.rooms.root, written)) || document.value.source !== program) return;
      this.runs.forget();
      this.do(setModel, { model: written.model, label: 'Edit in the scene' });
      if (this.#activity?.name === 'build') this.showDrawn();
      else this.open('build');
    } catch (error) {
      this.messages.passing(error instanceof Error ? error.message : String(error));
    }
  }

  /** For Play: the same choice of a worker */
  async prepare(): Promise<ModelSource | undefined> {
    const source = await this.#runners.sourceOf(this.history.document.value);
    return (await this.#runners.prepare(source)) ? source : undefined;
  }

  showDrawn(): void {
    clearTimeout(this.#rerun);
    void this.#drawn.build(this.history.document.value);
  }
  builtScene(): Promise<Scene | undefined> {
    return this.#drawn.scene();
  }
  watch(body: string): void {
    this.#drawn.watch(body);
  }

  #refuse(path: string, text: string): void {
    this.problem.set({ path, text });
    this.say(`Problem: ${path ? `${path}: ` : ''}${text}`);
    if (this.#drawn.isFresh && this.#activity?.name !== 'build')
      this.messages.mistake(path ? `${path}: ${text}` : text);
  }

  // —— selection ——

  #pick(body: string | undefined, more: boolean): void {
    const { selection } = this.history;
    const model = sceneModel(this.history.document.value);
    const path = body === undefined ? undefined : model ? pathOfDrawn(model, body) : `bodies.${body}`;
    if (path === undefined) selection.set(more ? selection.value : []);
    else if (!more) selection.set([path]);
    else if (selection.value.includes(path)) selection.set(selection.value.filter((other) => other !== path));
    else selection.set([...selection.value, path]);
  }

  #mark(): void {
    this.drawing.mark(bodiesIn(this.history.selection.value));
  }

  // —— words and looks ——

  say(text: string): void {
    this.rooms.live.textContent = text;
  }

  /** Where there is no keyboard at hand, nothing is said of keys. */
  hint(text: string, byFinger?: string): void {
    const isCoarse = window.matchMedia('(pointer: coarse)').matches;
    const words = !isCoarse
      ? text
      : (byFinger ??
        text
          .split(' · ')
          .filter((part) => !part.includes('`'))
          .join(' · '));
    this.rooms.hintLine.replaceChildren(...hintParts(words));
    this.rooms.hintLine.hidden = words === '';
  }

  get isDark(): boolean {
    const { theme } = this.#settings;
    return theme === 'dark' || (theme === 'system' && this.#systemIsDark.matches);
  }

  toggleTheme(): void {
    this.#settings.theme = this.isDark ? 'light' : 'dark';
    keepSettings(this.#settings);
    this.#applyTheme();
    this.session?.fillSettings();
  }

  #applyTheme(): void {
    this.rooms.root.dataset.theme = this.isDark ? 'dark' : 'light';
    this.drawing.stage?.setTheme(this.isDark);
    this.themed.set(this.isDark);
  }

  #showTitle(): void {
    const { title } = this.history.document.value;
    if (document.activeElement !== this.rooms.title) this.rooms.title.value = title;
    document.title = `${title} · tippetop studio`;
    const { undoLabel, redoLabel } = this.history;
    this.#undo.disabled = undoLabel === undefined;
    this.#redo.disabled = redoLabel === undefined;
    this.#undo.title = undoLabel === undefined ? 'Undo (Ctrl Z)' : `Undo: ${undoLabel} (Ctrl Z)`;
    this.#redo.title = redoLabel === undefined ? 'Redo (Ctrl Shift Z)' : `Redo: ${redoLabel} (Ctrl Shift Z)`;
  }

  /** Keys of the page, and of the activity at work */
  bindings: readonly KeyBinding[] = [];

  help(): void {
    this.#help?.remove();
    this.#help = helpDialog([...(this.#activity?.keys ?? []), ...this.bindings], POINTER);
    this.rooms.root.append(this.#help);
    this.#help.showModal();
  }

  /** A file for the user */
  download(bytes: Uint8Array | string, name: string, type = 'application/octet-stream'): void {
    const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

const POINTER: readonly (readonly [string, string])[] = [
  ['Drag', 'turn the view; on a part in Play: pull it'],
  ['Right drag, two fingers', 'move the view'],
  ['Wheel, pinch', 'nearer and farther'],
  ['Click', 'select a part; with Shift more'],
  ['Double click', 'fit the selected part, or all'],
  ['Drop a file', 'a model, a CAD file, a picture, a recording'],
];
