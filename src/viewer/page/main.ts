/**
 * Where the page begins: in the place marked `data-viewer`, or the whole page, and with what there is to show: the film inside a
 * report (`<script type="text/plain" data-film="name">` with its bytes in base64), or what the server names.
 */
import { modelAt, recordingAt, reportFilm, servedContent } from './opening.js';
import { Viewer } from './viewer.js';

const viewer = new Viewer(document.querySelector<HTMLElement>('[data-viewer]') ?? document.body);
const film = document.querySelector<HTMLElement>('script[data-film]');
if (film) void viewer.open(reportFilm(film));
else void begin();

async function begin(): Promise<void> {
  const content = await servedContent();
  const sources = [
    ...(content?.model ? [modelAt(content.model)] : []),
    ...(content?.recordings ?? []).map(({ name, address }) => recordingAt(name, address)),
  ];
  if (sources.length > 0) await viewer.offer(sources);
  else viewer.welcome();
}
