/** A worker of the house with TypeScript in it: takes the types out of a program, which stays where it is, character by character, and tells what is no TypeScript. */
import tsBlankSpace from 'ts-blank-space';
import ts from 'typescript6';
import type { CodeMistake, Stripped } from './strip.js';

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

self.onmessage = ({ data: { id, text } }: MessageEvent<{ readonly id: number; readonly text: string }>) =>
  self.postMessage({ id, ...strip(text) });
