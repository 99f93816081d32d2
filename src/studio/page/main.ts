/** Where the studio begins. */
import { BuildActivity } from '../build/build-activity.js';
import { PlayActivity } from '../play/play-activity.js';
import HouseWorker from '../run/house-worker.ts?worker';
import { RunActivity } from '../run/run-activity.js';
import type { WorkerLike } from '../run/work.js';
import { SketchActivity } from '../sketch/sketch-activity.js';
import { keepDocuments } from './keep.js';
import { studioKeys } from './keys.js';
import { StudioPage } from './studio.js';

const studio = new StudioPage(
  document.body,
  [new BuildActivity(), new SketchActivity(), new RunActivity(), new PlayActivity()],
  () => new HouseWorker() as unknown as WorkerLike,
);
studioKeys(studio);
keepDocuments(studio);
(window as unknown as { tippetop: object }).tippetop = { studio };
void studio.begin();
