/** The text of a model: CodeMirror in a shadow root, where it adopts its style sheets; in the document it would write a style element, which the page's policy refuses. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
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
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { element } from '../../viewer/controls/element.js';
import { JsonLanguage, type Schema } from './json-language.js';
import type { CodeMistake, Told } from './language.js';
import { completionsAt, toldAt } from './strip.js';

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
      '.cm-tooltip': {
        maxWidth: '36rem',
        border: dark ? '1px solid #39434c' : '1px solid #c9d1d8',
        borderRadius: '4px',
        backgroundColor: dark ? '#1d242a' : '#ffffff',
        color: 'inherit',
      },
      '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: '#00629a', color: '#ffffff' },
      '.cm-told': { padding: '0.3rem 0.6rem' },
      '.cm-told code': { whiteSpace: 'pre-wrap' },
      '.cm-told p': { margin: '0.3rem 0 0', fontFamily: 'system-ui, sans-serif' },
      '.cm-cursor': { borderLeftColor: dark ? '#e6eaee' : '#16202a' },
    },
    { dark },
  ),
  syntaxHighlighting(dark ? DARK : defaultHighlightStyle),
];

/** After a dot, a quote or some letters, or when it is asked for */
async function programNames(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\p{ID_Continue}$.'"]$/u)) return null;
  const found = await completionsAt(context.state.doc.toString(), context.pos);
  if (!found || found.names.length === 0) return null;
  return {
    from: found.from,
    options: found.names.map(({ label, kind, isFarther }) => ({ label, type: kind, boost: isFarther ? -50 : 0 })),
    validFor: /^[\p{ID_Continue}$]*$/u,
  };
}

async function programName(view: EditorView, at: number): Promise<Tooltip | null> {
  const found = await toldAt(view.state.doc.toString(), at);
  return found ? told(found) : null;
}

const told = ({ from, to, type, text }: Told): Tooltip => ({
  pos: from,
  end: to,
  above: true,
  create: () => ({ dom: element('div', { class: 'cm-told' }, element('code', {}, type), element('p', {}, text)) }),
});

let language: Promise<JsonLanguage | undefined> | undefined;
/** The published schema, when a scene is first edited as text */
const jsonLanguage = (): Promise<JsonLanguage | undefined> =>
  (language ??= fetch('model-schema.json').then(
    async (answer) => (answer.ok ? new JsonLanguage((await answer.json()) as Schema) : undefined),
    () => undefined,
  ));

async function sceneNames(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\p{ID_Continue}"{,]\s*$/u)) return null;
  const found = (await jsonLanguage())?.completions(context.state.doc.toString(), context.pos);
  if (!found || found.names.length === 0) return null;
  const { from, to = context.pos, names } = found;
  return {
    from,
    to,
    filter: from !== to,
    options: names.map(({ label, kind, isFarther, detail, insert = label }) => ({
      label: from === to ? label : insert.startsWith('"') ? `"${label}"` : label,
      displayLabel: label,
      type: kind,
      boost: isFarther ? -50 : 0,
      ...(detail !== undefined && { detail }),
      apply: (view: EditorView) => {
        // into the brackets that were opened, or behind what was written
        const inside = /[[{][\]}]$/.test(insert) ? 1 : 0;
        view.dispatch({
          changes: { from, to: Math.max(to, view.state.selection.main.head), insert },
          selection: { anchor: from + insert.length - inside },
        });
      },
    })),
  };
}

const sceneName = async (view: EditorView, at: number): Promise<Tooltip | null> => {
  const found = (await jsonLanguage())?.tell(view.state.doc.toString(), at);
  return found ? told(found) : null;
};

const scene = (): Extension => [json(), autocompletion({ override: [sceneNames] }), hoverTooltip(sceneName)];

const program = (): Extension => [
  javascript({ typescript: true }),
  autocompletion({ override: [programNames] }),
  hoverTooltip(programName),
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
            ...completionKeymap,
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          this.#language.of(program()),
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
  show(text: string, shown: CodeLanguage): void {
    if (text === this.text) return;
    this.#isTold = true;
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      effects: this.#language.reconfigure(shown === 'json' ? scene() : program()),
    });
    this.#isTold = false;
  }

  set isDark(dark: boolean) {
    this.#view.dispatch({ effects: this.#look.reconfigure(look(dark)) });
  }

  mark(mistakes: readonly CodeMistake[]): void {
    const { length } = this.#view.state.doc;
    const found = mistakes.map(({ from, to, text, isWarning }): Diagnostic => {
      const start = Math.min(from, length);
      const end = Math.max(start, Math.min(to, length));
      return { from: start, to: end, severity: isWarning ? 'warning' : 'error', message: text };
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
