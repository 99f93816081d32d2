/** Where the studio begins. */
import { BuildActivity } from '../build/build-activity.js';
import HouseWorker from '../run/house-worker.ts?worker';
import { PlayActivity } from '../play/play-activity.js';
import { RunActivity } from '../run/run-activity.js';
import type { WorkerLike } from '../run/work.js';
import { keepDocuments } from './keep.js';
import { studioKeys } from './keys.js';
import { soon } from './soon.js';
import { StudioPage } from './studio.js';

const studio = new StudioPage(
  document.body,
  [new BuildActivity(), soon('sketch', 'Sketch', 'sketch'), new RunActivity(), new PlayActivity()],
  () => new HouseWorker() as unknown as WorkerLike,
);
studioKeys(studio);
keepDocuments(studio);
(window as unknown as { tippetop: object }).tippetop = { studio };
void studio.begin();
