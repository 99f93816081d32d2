/**
 * One self-contained page about a run: replay, the model's chosen plots, trust report, parameters. Opens from disk, fetches nothing.
 * The replay is the viewer itself with a decimated film; pictures stand in for it where there is no WebGL, and on paper.
 */
import type { Recording } from '../results/recording.js';
import { scaleStops } from '../results/scene/colour-scale.js';
import { base64, escaped, PAGE_STYLE } from './page.js';
import { legendTexts, type ValueScale } from './still-legend.js';
import { svgPlot } from './svg-plot.js';

export interface RunReport {
  readonly name: string;
  readonly recording: Recording;
  /** PNG files of the scene, with the time of each, s */
  readonly pictures: readonly { readonly time: number; readonly png: Uint8Array }[];
  /** What their colours mean; one scale for all of them */
  readonly scales?: readonly ValueScale[];
  /** Lines of the trust report, as printed */
  readonly trust: readonly string[];
  /** Film, and the viewer that plays it */
  readonly replay?: Replay;
}

export interface Replay {
  /** As playback/film.ts writes it */
  readonly film: Uint8Array;
  readonly script: string;
  readonly style: string;
}

/** Nothing but what is in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src blob:',
].join('; ');

export function runReport({ name, recording, pictures, scales = [], trust, replay }: RunReport): string {
  const plots = Object.entries(chosenPlots(recording)).map(([title, signals]) => {
    const lines = recording.select(signals).slice(0, 7);
    return `<h3>${escaped(title)}</h3>${svgPlot(lines, { title })}`;
  });
  const rows = Object.entries(recording.parameters).map(
    ([key, value]) => `<tr><td>${escaped(key)}</td><td>${escaped(String(value))}</td></tr>`,
  );
  const versions = Object.entries(recording.versions).map(([program, version]) => `${program} ${version}`);
  const film = pictures.map(
    ({ time, png }) =>
      `<figure><img alt="${escaped(name)} at ${time} s" src="data:image/png;base64,${base64(png)}"><figcaption>t = ${Number(time.toPrecision(4))} s</figcaption></figure>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(recording.title || name)}</title>
<style>${PAGE_STYLE}
  .film { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; }
  .replay { height: min(78vh, 46rem); border-radius: 8px; overflow: hidden; margin-bottom: 1rem; }
  .scale { display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; margin: .6rem 0; }
  .scale i { width: 14rem; height: .8rem; print-color-adjust: exact; }
  figure { margin: 0; } svg { max-width: 100%; height: auto; } pre { overflow-x: auto; line-height: 1.4; }
  .trust span { display: block; white-space: pre-wrap; padding-left: 12ch; text-indent: -12ch; }
  @media print { .replay { display: none; } }
</style>
${replay ? `<style>${replay.style}</style>` : ''}
<h1>${escaped(recording.title || name)}</h1>
${replay ? '<div class="replay" data-viewer></div>' : ''}
<div class="film">
${film.join('\n')}
</div>
${scales.map(legend).join('\n')}
${plots.join('\n')}
<h2>How far it can be trusted</h2>
<pre class="trust">${trust.map((line) => `<span>${escaped(line)}\n</span>`).join('')}</pre>
${rows.length > 0 ? `<h2>Parameters</h2><table>${rows.join('')}</table>` : ''}
<p>${escaped(versions.join(', '))}; run ${escaped(recording.hash)}</p>
${replay ? `<script type="text/plain" data-film="${escaped(recording.title || name)}">${base64(replay.film)}</script>\n<script>${inline(replay.script)}</script>` : ''}
</html>
`;
}

/** The scale of the pictures' colours */
function legend(scale: ValueScale): string {
  const { title, low, high, beside } = legendTexts(scale);
  const [, ...rest] = beside; // the largest is the end of the scale
  return `<div class="scale"><span>${escaped([title, ...rest].join('; '))}</span><span>${low}</span><i style="background: linear-gradient(to right, ${scaleStops(17).join(', ')})"></i><span>${high}</span></div>`;
}

/** A script inside a page ends at the first end tag, wherever it stands. */
const inline = (script: string): string => script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

/** The model's own plots, or else the first few joints or bodies, the stress of what deforms, and energies. */
function chosenPlots(recording: Recording): Readonly<Record<string, readonly string[]>> {
  const { plots, joints } = recording.scene ?? { plots: {}, joints: [] };
  if (Object.keys(plots).length > 0) return plots;
  const known = new Set(joints.map(({ name }) => name));
  const coordinates = recording.names('*.{angle,position}').filter((signal) => known.has(signal.replace(/\.\w+$/, '')));
  const chosen: Record<string, readonly string[]> = {};
  if (coordinates.length > 0) chosen.joints = coordinates.slice(0, 6);
  else if (recording.names('*.position.z').length > 0) chosen.heights = recording.names('*.position.z').slice(0, 5);
  const stress = recording.names('*.stress.largest');
  if (stress.length > 0) chosen['largest stress'] = stress.slice(0, 6);
  if (recording.has('energy.total')) chosen.energy = ['energy.kinetic', 'energy.potential', 'energy.total'];
  return chosen;
}
