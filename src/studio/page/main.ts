/** Where the studio begins. */
import HouseWorker from '../run/house-worker.ts?worker';
import { RunActivity } from '../run/run-activity.js';
import type { WorkerLike } from '../run/work.js';
import { SketchActivity } from '../sketch/sketch-activity.js';
import { studioKeys } from './keys.js';
import { soon } from './soon.js';
import { StudioPage } from './studio.js';

const studio = new StudioPage(
  document.body,
  [soon('build', 'Build', 'build'), new SketchActivity(), new RunActivity(), soon('play', 'Play', 'hand')],
  () => new HouseWorker() as unknown as WorkerLike,
);
studioKeys(studio);
(window as unknown as { tippetop: object }).tippetop = { studio };
void studio.begin();
