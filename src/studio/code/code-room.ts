/**
 * Code beside the picture: a scene as JSON, a program as TypeScript. What is typed counts when it is saved (Ctrl S, Ctrl Enter, Run); what is wrong is told at its line. A program that came from a
 * file or link is shown, and runs after a yes.
 */
import { printJson } from '../../model/json-print.js';
import { element } from '../../viewer/controls/element.js';
import { setModel, setText } from '../commands/document-commands.js';
import { readDocument } from '../document/read.js';
import type { CodeDesk } from './code-desk.js';
import { allow, isAllowed } from './consent.js';
import { CodeEditor } from './editor.js';
import { placeOfPath } from './json-language.js';
import type { CodeMistake } from './language.js';
import { SandboxWorker } from './sandbox.js';
import { strip, typeMistakes } from './strip.js';

const LATER = 400; // ms after the last keystroke

export class CodeRoom {
  readonly #editor: CodeEditor;
  readonly #state = element('output', { class: 'viewer-quiet' });
  readonly #ask = element('div', { class: 'studio-ask', role: 'alert', hidden: true });
  readonly #toScene = element(
    'button',
    { type: 'button', class: 'viewer-button with-text studio-plain', title: 'What it builds becomes data' },
    'Edit in the scene',
  );
  #isTyped = false;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly studio: CodeDesk) {
    this.#editor = new CodeEditor(studio.isDark, {
      changed: (text) => this.#changed(text),
      save: () => void this.save(),
    });
    const run = element(
      'button',
      {
        type: 'button',
        class: 'viewer-button with-text studio-plain',
        onclick: () => void this.save(),
        title: 'Ctrl S',
      },
      'Save and run',
    );
    this.#toScene.onclick = () => void studio.editInScene();
    studio.codePlace.replaceChildren(
      element('header', { class: 'studio-code-head' }, element('strong', {}, 'Code'), this.#state, this.#toScene, run),
      this.#ask,
      this.#editor.root,
    );
    studio.history.document.onChange(() => this.show());
    studio.problem.onChange(() => this.#tellProblem());
    studio.themed.onChange((dark) => (this.#editor.isDark = dark));
    this.show();
  }

  /** The document, unless the user is in the middle of a text of his own. */
  show(): void {
    const { source } = this.studio.history.document.value;
    if (this.#isTyped) return;
    if (source.kind === 'code') this.#editor.show(source.text, 'typescript');
    else this.#editor.show(printJson(source.model), 'json');
    this.#state.textContent = source.kind === 'code' ? 'TypeScript' : 'JSON, as “tippetop run” takes it';
    this.#toScene.hidden = source.kind !== 'code';
    this.#editor.mark([]);
    this.#ask.hidden = true;
  }

  focus(): void {
    this.#editor.focus();
  }

  get #isCode(): boolean {
    return this.studio.history.document.value.source.kind === 'code';
  }

  #changed(text: string): void {
    this.#isTyped = true;
    this.#state.textContent = 'not saved';
    clearTimeout(this.#later);
    this.#later = setTimeout(() => void this.#tellMistakes(text), LATER);
  }

  /** What is no TypeScript at once, what does not fit our types when that has been found out */
  async #tellMistakes(text: string): Promise<void> {
    const mistakes = await this.#check(text);
    if (this.#editor.text !== text) return;
    this.#editor.mark(mistakes);
    if (mistakes.length > 0) return;
    const unfit = this.#isCode ? await typeMistakes(text) : await this.#modelMistakes(text);
    if (this.#editor.text === text) this.#editor.mark(unfit);
  }

  async #check(text: string): Promise<readonly CodeMistake[]> {
    if (this.#isCode) return (await strip(text)).mistakes;
    try {
      readDocument(text, 'model');
      return [];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const at = /position (\d+)/.exec(message);
      if (at) return [{ from: Number(at[1]), to: Number(at[1]) + 1, text: message }];
      const path = /^model\.([^:]+):/.exec(message);
      return [{ ...placeOfPath(text, path?.[1] ?? ''), text: message }];
    }
  }

  /** In the words of the model, which is built for it; it is shown when it is saved */
  async #modelMistakes(text: string): Promise<readonly CodeMistake[]> {
    const { source } = readDocument(text, 'model');
    const problem = source.kind === 'scene' ? await this.studio.mistakeIn(source.model) : undefined;
    if (!problem) return [];
    return [
      { ...placeOfPath(text, problem.path), text: problem.path ? `${problem.path}: ${problem.text}` : problem.text },
    ];
  }

  async save(): Promise<void> {
    const { text } = this.#editor;
    clearTimeout(this.#later);
    const mistakes = await this.#check(text);
    this.#editor.mark(mistakes);
    if (mistakes.length > 0) {
      this.#state.textContent = mistakes[0].text;
      this.studio.say(mistakes[0].text);
      return;
    }
    const typed = this.#isTyped;
    this.#isTyped = false;
    if (this.#isCode) {
      if (typed) await allow(text); // who types it wants it
      this.studio.do(setText, { text });
      this.studio.open('run');
      this.studio.run();
    } else {
      const { source } = readDocument(text, 'model');
      if (source.kind === 'scene') this.studio.do(setModel, { model: source.model, label: 'Edit as text' });
    }
    this.show();
    this.#state.textContent = 'saved';
    if (this.#isCode) void this.#tellMistakes(text);
  }

  #tellProblem(): void {
    const { value } = this.studio.problem;
    if (!value || this.#isTyped) {
      if (!value) this.#editor.mark([]);
      return;
    }
    const line = /^line (\d+)$/.exec(value.path);
    const range = line
      ? this.#editor.lineRange(Number(line[1]))
      : this.#isCode
        ? undefined
        : placeOfPath(this.#editor.text, value.path);
    this.#state.textContent = value.path ? `${value.path}: ${value.text}` : value.text;
    if (range) this.#editor.mark([{ ...range, text: value.text }]);
  }

  // —— programs ——

  readonly runner = {
    worker: () => new SandboxWorker(),
    mayRun: async (text: string): Promise<boolean> => (await isAllowed(text)) || this.#asked(text),
  };

  #asked(text: string): Promise<boolean> {
    this.studio.showCode(true);
    return new Promise((resolve) => {
      const answer = (yes: boolean): void => {
        this.#ask.hidden = true;
        if (yes) void allow(text).then(() => resolve(true));
        else resolve(false);
      };
      const button = (label: string, yes: boolean): HTMLElement =>
        element(
          'button',
          { type: 'button', class: 'viewer-button with-text studio-plain', onclick: () => answer(yes) },
          label,
        );
      this.#ask.replaceChildren(
        element('strong', {}, 'This holds a program. Run it?'),
        element(
          'p',
          {},
          'It runs apart from this page, without network, files and what the browser keeps. Read it first if you do not know who wrote it.',
        ),
        element('div', { class: 'viewer-buttons' }, button('Run it', true), button('Only show it', false)),
      );
      this.#ask.hidden = false;
      this.#ask.querySelector('button')?.focus();
    });
  }
}
