/** What the code room sees of the page. */
import type { Store } from '../document/store.js';
import type { RunDesk } from '../run/desk.js';

export interface CodeDesk extends RunDesk {
  readonly isDark: boolean;
  readonly themed: Store<boolean>;
  /** Left of the view */
  readonly codePlace: HTMLElement;
  showCode(on: boolean): void;
}
