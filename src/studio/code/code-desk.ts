/** What the code room sees of the page. */
import type { Problem } from '../activity.js';
import type { JsonModel } from '../document/document.js';
import type { Store } from '../document/store.js';
import type { RunDesk } from '../run/desk.js';

export interface CodeDesk extends RunDesk {
  readonly isDark: boolean;
  readonly themed: Store<boolean>;
  /** Left of the view */
  readonly codePlace: HTMLElement;
  showCode(on: boolean): void;
  /** What is wrong with a scene that is not the document's yet */
  mistakeIn(model: JsonModel): Promise<Problem | undefined>;
}
