/** What Run and Play see of the page beside what every activity sees. */
import type { Studio } from '../activity.js';
import type { Store } from '../document/store.js';
import type { Drawn } from './drawn.js';
import type { ModelSource, ParameterText } from './messages.js';
import type { Runs } from './runs.js';

export interface RunDesk extends Studio {
  readonly runs: Runs;
  /** Of the program at hand */
  readonly parameters: Store<readonly ParameterText[]>;
  /** Whether a change of a parameter runs the model again */
  readonly reruns: Store<boolean>;
  readonly drawing: Drawn;
  /** A program's model as a scene, which takes its place after a yes */
  editInScene(): Promise<void>;
  run(options?: { readonly paused?: boolean }): void;
  /** The model for a worker, and the right worker for the model; undefined where it may not run */
  prepare(): Promise<ModelSource | undefined>;
}
