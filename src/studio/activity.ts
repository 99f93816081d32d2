/**
 * What the parts of the studio see of the page. An activity (Build, Sketch, Run, Play) fills the rooms while it is the one at work and leaves them empty; everything else
 * stays: the document, what is selected, the stage.
 */
import type { Scene } from '../results/scene.js';
import type { IconName } from '../viewer/controls/element.js';
import type { KeyBinding } from '../viewer/page/keys.js';
import type { Messages } from '../viewer/page/messages.js';
import type { Session } from '../viewer/page/session.js';
import type { Command } from './commands/command.js';
import type { DoOptions, History } from './commands/history.js';
import type { AssetStore } from './document/assets.js';
import type { Store } from './document/store.js';

export type ActivityName = 'build' | 'sketch' | 'run' | 'play';

export interface Activity {
  readonly name: ActivityName;
  readonly label: string;
  readonly icon: IconName;
  /** Keys that count while it is at work, before the viewer's own */
  readonly keys: readonly KeyBinding[];
  /** Whether the keys of the player (space, arrows) count too */
  readonly playbackKeys: boolean;
  /** Whether a click selects what is under it */
  readonly picks: boolean;
  /** Fills the rooms. `unmount` is called before another takes its place. */
  mount(studio: Studio): void;
  unmount(): void;
}

export interface StudioRooms {
  /** Panel at the left, 272 px: sections of it under tabs; the first is shown */
  setLeft(tabs: readonly RoomTab[]): void;
  /** Panel at the right, 336 px; `body`, `contacts`, `run`, `settings` are the viewer's and come after those given here */
  setRight(tabs: readonly RoomTab[], viewers?: readonly ViewerTab[]): void;
  openRight(name: string): void;
  /** Where there is room for one panel alone, this is it */
  preferLeft(name: string): void;
  /** Around the canvas; its own children stay */
  readonly view: HTMLElement;
  /** Covers the canvas while it has children */
  readonly over: HTMLElement;
  /** Floating tools; hidden while it is empty */
  readonly rail: HTMLElement;
  /** Line at the top of the view, for what is live; hidden while it is empty */
  readonly status: HTMLElement;
  /** Left of the time bar */
  readonly before: HTMLElement;
  /** Wider panel at the right, 400 px, as beside a sketch */
  wide: boolean;
}

export interface RoomTab {
  readonly name: string;
  readonly label: string;
  readonly content: HTMLElement;
}
export type ViewerTab = 'body' | 'contacts' | 'run' | 'settings';

/** What is wrong with the model, and where: `bodies.drive.shape.cylinder.radius` */
export interface Problem {
  readonly path: string;
  readonly text: string;
}

export interface Studio {
  readonly rooms: StudioRooms;
  /** The document (`history.document`), what is selected (`history.selection`), undo */
  readonly history: History;
  readonly assets: AssetStore;
  readonly messages: Messages;
  /** Of the model as it was built last; undefined while it is right */
  readonly problem: Store<Problem | undefined>;
  /** What is on the stage now; undefined before the first picture and where there is no WebGL */
  readonly session: Session | undefined;
  /** Does a command; one that is refused says so in words and changes nothing. @returns whether it was done */
  do<Args>(command: Command<Args>, args: Args, options?: DoOptions): boolean;
  open(activity: ActivityName): void;
  /** To the polite live region, for those who hear the page */
  say(text: string): void;
  /** What keys and pointer do now; `key` in backquotes becomes a key cap. What a finger does, where that is not the same without the keys */
  hint(text: string, byFinger?: string): void;
  /** Draws the document, in place of a run that is shown. */
  showDrawn(): void;
  /** The scene of the document as it is now, when it has been built; of a wrong one, the last that was right */
  builtScene(): Promise<Scene | undefined>;
  /** Gives the user a file. */
  download(bytes: Uint8Array | string, name: string, type?: string): void;
}
