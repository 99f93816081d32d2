/**
 * Patterns for names of signals.
 *
 *   *      any characters, dots too:            *.energy        ball.*
 *   ?      any one character
 *   [*]    any index:                           rack[*].position.x
 *   {a,b}  one of several, may be nested:       {cue,rack[*]}.speed
 *
 * All else stands for itself, brackets included: rack[3].position.x is that one signal.
 */
import { ModelError } from '../errors.js';

/** @throws ModelError if a brace is never closed, or closes nothing */
export function matchesGlob(pattern: string): (name: string) => boolean {
  const expression = new RegExp(`^(?:${translate(pattern)})$`, 'su');
  return (name) => expression.test(name);
}

/** Whether a pattern may match several names; otherwise it is a name. */
export const isGlob = (pattern: string): boolean => /[*?{}]/.test(pattern);

function translate(pattern: string): string {
  let expression = '';
  let open = 0;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (pattern.startsWith('[*]', i)) {
      expression += '\\[[^\\[\\]]*\\]';
      i += 2;
    } else if (c === '*') {
      while (pattern[i + 1] === '*') i++; // two stars match what one does, and would only cost time
      expression += '.*';
    } else if (c === '?') expression += '.';
    else if (c === '{') {
      open++;
      expression += '(?:';
    } else if (c === '}') {
      if (open-- === 0) throw new ModelError(pattern, `"}" at character ${i + 1} closes no "{"`);
      expression += ')';
    } else if (c === ',' && open > 0) expression += '|';
    else expression += c.replace(/[\\^$.|+()[\]/]/, '\\$&');
  }
  if (open > 0) throw new ModelError(pattern, 'a "{" is never closed; expected {a,b}');
  return expression;
}
