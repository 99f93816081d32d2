/**
 * What was done, to be taken back. Documents are kept by reference, so that undo cannot be wrong; what is selected comes back with them. A drag or a slider is one entry:
 * commands with the same `gesture` after each other take each other's place.
 */
import { frozen, type StudioDocument } from '../document/document.js';
import { Store } from '../document/store.js';
import type { Command } from './command.js';

const MOST = 200;

/** Elements by their path in the model: `bodies.drive`, `joints.pivot`, `sketches.pallet` */
export type Selection = readonly string[];

export interface Entry {
  readonly command: string;
  readonly label: string;
  readonly args: unknown;
  readonly document: StudioDocument;
  readonly selection: Selection;
  readonly gesture: string | undefined;
}

export interface DoOptions {
  /** Selected afterwards; what is selected now unless said */
  readonly select?: Selection;
  /** Name of the drag that this is a part of */
  readonly gesture?: string;
}

export class History {
  readonly document: Store<StudioDocument>;
  readonly selection: Store<Selection>;
  #entries: Entry[];
  #now = 0;

  constructor(document: StudioDocument) {
    this.document = new Store(frozen(document));
    this.selection = new Store<Selection>([]);
    this.#entries = [first(document)];
  }

  /** Another document, with nothing to take back. */
  open(document: StudioDocument): void {
    this.#entries = [first(document)];
    this.#now = 0;
    this.selection.set([]);
    this.document.set(frozen(document));
  }

  /** @throws ModelError of the command; then nothing has changed */
  do<Args>(command: Command<Args>, args: Args, { select, gesture }: DoOptions = {}): StudioDocument {
    const before = this.document.value;
    const document = frozen(command.apply(before, args));
    if (document === before) return before;
    const selection = select ?? this.selection.value;
    const had = this.#entries[this.#now];
    const goesOn = gesture !== undefined && had.gesture === gesture && this.#now > 0;
    if (!goesOn) this.#entries[this.#now] = { ...had, selection: this.selection.value };
    this.#entries.length = goesOn ? this.#now : this.#now + 1;
    this.#entries.push({ command: command.name, label: command.label(args), args, document, selection, gesture });
    if (this.#entries.length > MOST + 1) this.#entries.shift();
    this.#now = this.#entries.length - 1;
    this.document.set(document);
    this.selection.set(selection);
    return document;
  }

  /** The drag is over: the next one with its name is another entry. */
  endGesture(): void {
    this.#entries[this.#now] = { ...this.#entries[this.#now], gesture: undefined };
  }

  /** Changes how the document is looked at, which nobody takes back. */
  look(view: StudioDocument['view']): void {
    const document = frozen({ ...this.document.value, view });
    this.#entries[this.#now] = { ...this.#entries[this.#now], document };
    this.document.set(document);
  }

  get undoLabel(): string | undefined {
    return this.#now > 0 ? this.#entries[this.#now].label : undefined;
  }
  get redoLabel(): string | undefined {
    return this.#entries[this.#now + 1]?.label;
  }
  /** For lessons and tests, oldest first */
  get entries(): readonly Entry[] {
    return this.#entries.slice(1, this.#now + 1);
  }

  undo(): string | undefined {
    return this.#go(-1, this.undoLabel);
  }
  redo(): string | undefined {
    return this.#go(1, this.redoLabel);
  }

  #go(by: 1 | -1, label: string | undefined): string | undefined {
    if (label === undefined) return undefined;
    this.#entries[this.#now] = { ...this.#entries[this.#now], gesture: undefined };
    this.#now += by;
    const { document, selection } = this.#entries[this.#now];
    this.document.set({ ...document, view: this.document.value.view });
    this.selection.set(selection);
    return label;
  }
}

const first = (document: StudioDocument): Entry => ({
  command: 'open',
  label: 'Open',
  args: undefined,
  document: frozen(document),
  selection: [],
  gesture: undefined,
});
