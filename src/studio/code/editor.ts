/** The text of a model: CodeMirror in a shadow root, where it adopts its style sheets; in the document it would write a style element, which the page's policy refuses. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { element } from '../../viewer/controls/element.js';
import type { CodeMistake } from './strip.js';

export type CodeLanguage = 'typescript' | 'json';

const DARK = HighlightStyle.define([
  { tag: tags.keyword, color: '#c792ea' },
  { tag: [tags.string, tags.special(tags.string)], color: '#a5d68a' },
  { tag: [tags.number, tags.bool, tags.null], color: '#f2a36f' },
  { tag: tags.comment, color: '#93a1ad' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: '#7fc4f5' },
]);

const look = (dark: boolean): Extension => [
  EditorView.theme(
    {
      '&': {
        height: '100%',
        fontSize: '13px',
        backgroundColor: dark ? '#14181c' : '#ffffff',
        color: dark ? '#e6eaee' : '#16202a',
      },
      '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.5' },
      '.cm-gutters': {
        backgroundColor: dark ? '#14181c' : '#f6f8f9',
        color: dark ? '#93a1ad' : '#5a6772',
        border: 'none',
      },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: dark ? '#1d242a' : '#eef4f8' },
      '&.cm-focused': { outline: '2px solid #00629a', outlineOffset: '-2px' },
      '.cm-cursor': { borderLeftColor: dark ? '#e6eaee' : '#16202a' },
    },
    { dark },
  ),
  syntaxHighlighting(dark ? DARK : defaultHighlightStyle),
];

export class CodeEditor {
  readonly root = element('div', { class: 'studio-editor' });
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #look = new Compartment();
  #isTold = false;

  /** @param actions changed: after each keystroke of the user's; save: Ctrl S and Ctrl Enter */
  constructor(dark: boolean, actions: { changed(text: string): void; save(): void }) {
    const shadow = this.root.attachShadow({ mode: 'open' });
    const place = element('div');
    place.style.height = '100%';
    shadow.append(place);
    const run = (): boolean => {
      actions.save();
      return true;
    };
    const saves = { preventDefault: true, run };
    this.#view = new EditorView({
      root: shadow,
      parent: place,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          lintGutter(),
          EditorView.contentAttributes.of({ 'aria-label': 'Model as text' }),
          keymap.of([
            { key: 'Mod-s', ...saves },
            { key: 'Mod-Enter', ...saves },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          this.#language.of(javascript({ typescript: true })),
          this.#look.of(look(dark)),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged && !this.#isTold) actions.changed(state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** From outside: not the user's change */
  show(text: string, language: CodeLanguage): void {
    if (text === this.text) return;
    this.#isTold = true;
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      effects: this.#language.reconfigure(language === 'json' ? json() : javascript({ typescript: true })),
    });
    this.#isTold = false;
  }

  set isDark(dark: boolean) {
    this.#view.dispatch({ effects: this.#look.reconfigure(look(dark)) });
  }

  mark(mistakes: readonly CodeMistake[]): void {
    const { length } = this.#view.state.doc;
    const found = mistakes.map(({ from, to, text }): Diagnostic => {
      const start = Math.min(from, length);
      return { from: start, to: Math.max(start, Math.min(to, length)), severity: 'error', message: text };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  /** A whole line, from 1 */
  lineRange(line: number): { readonly from: number; readonly to: number } {
    const { doc } = this.#view.state;
    return doc.line(Math.max(1, Math.min(line, doc.lines)));
  }

  focus(): void {
    this.#view.focus();
  }
}
