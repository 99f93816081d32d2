/** One line of help: words, and keys in backquotes as key caps. */
import { element } from '../../viewer/controls/element.js';

export const hintParts = (text: string): (Node | string)[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? element('kbd', {}, part) : part));
