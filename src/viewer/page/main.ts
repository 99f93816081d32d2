/**
 * Where the page begins: in the place marked `data-viewer`, or the whole page, and with what there is to show: the film inside a
 * report (`<script type="text/plain" data-film="name">` with its bytes in base64), or what the server names.
 */
import { followLive } from './live.js';
import { reportFilm, servedContent, sourcesOf } from './opening.js';
import { Viewer } from './viewer.js';

const viewer = new Viewer(document.querySelector<HTMLElement>('[data-viewer]') ?? document.body);
const film = document.querySelector<HTMLElement>('script[data-film]');
if (film) void viewer.open(reportFilm(film));
else void begin();

async function begin(): Promise<void> {
  const content = await servedContent();
  const sources = sourcesOf(content);
  if (content?.live) followLive(viewer, content.live);
  if (sources.length > 0) await viewer.offer(sources);
  else if (!content?.live) viewer.welcome();
}
