/**
 * A change of the document that has a name. `apply` is a pure function of the document and plain data, so a list of commands and their arguments makes the same
 * document again, in a test as in a lesson.
 *
 * @example const rename: Command<{ from: string; to: string }> = { name: 'rename', label: ({ to }) => `Rename to ${to}`, apply: … }
 */
import type { StudioDocument } from '../document/document.js';

export interface Command<Args> {
  readonly name: string;
  /** What undo says it takes back: `Move drive` */
  label(args: Args): string;
  apply(document: StudioDocument, args: Args): StudioDocument;
}
