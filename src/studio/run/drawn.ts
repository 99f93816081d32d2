/** What the page shows in three dimensions, for those who draw over it. */
import type { Session } from '../../viewer/page/session.js';
import type { Stage } from '../../viewer/stage/stage.js';
import type { Store } from '../document/store.js';

export interface Drawn {
  readonly session: Store<Session | undefined>;
  readonly stage: Stage | undefined;
  readonly canvas: HTMLCanvasElement | undefined;
  /** Something over the picture takes the press */
  isAimed: () => boolean;
}
