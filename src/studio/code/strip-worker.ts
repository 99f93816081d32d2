/**
 * A worker of the house with TypeScript in it: takes the types out of a program, which stays where it is, character by character, tells what is no TypeScript or does not fit our
 * declarations, and which names may stand at a place.
 */
import tsBlankSpace from 'ts-blank-space';
import ts from 'typescript6';
import type { CodeMistake, LanguageQuestion, Stripped } from './language.js';
import { ProgramTypes } from './program-types.js';

function strip(text: string): Stripped {
  const mistakes: CodeMistake[] = [];
  const source = ts.createSourceFile('model.ts', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  for (const { start = 0, length = 1, messageText } of parseDiagnostics)
    mistakes.push({ from: start, to: start + length, text: ts.flattenDiagnosticMessageText(messageText, ' ') });
  const script = tsBlankSpace(text, (node) =>
    mistakes.push({
      from: node.getStart(),
      to: node.getEnd(),
      text: 'enums, namespaces and parameter properties have no place here: types are only taken out',
    }),
  );
  return { script, mistakes };
}

let types: ProgramTypes | undefined;

/** What is asked without the declarations being there yet is answered by nothing. */
function answer({ kind, text, at = 0, declarations }: LanguageQuestion): unknown {
  if (kind === 'strip') return strip(text);
  if (kind === 'declarations') types = new ProgramTypes(declarations ?? {});
  else if (kind === 'mistakes') return types?.mistakes(text) ?? [];
  else if (kind === 'completions') return types?.completions(text, at);
  else return types?.tell(text, at);
  return undefined;
}

self.onmessage = ({ data }: MessageEvent<LanguageQuestion & { readonly id: number }>) =>
  self.postMessage({ id: data.id, answer: answer(data) });
