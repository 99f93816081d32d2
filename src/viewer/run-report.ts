/** One self-contained page about a run: pictures, the model's chosen plots, trust report, parameters. Opens from disk, fetches nothing. */
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { base64, escaped, PAGE_STYLE } from './page.js';
import { svgPlot } from './svg-plot.js';

export interface RunReport {
  readonly name: string;
  readonly model: Model;
  readonly recording: Recording;
  /** PNG files of the scene, with the time of each, s */
  readonly pictures: readonly { readonly time: number; readonly png: Uint8Array }[];
  /** Lines of the trust report, as printed */
  readonly trust: readonly string[];
}

export function runReport({ name, model, recording, pictures, trust }: RunReport): string {
  const plots = Object.entries(chosenPlots(model, recording)).map(([title, signals]) => {
    const lines = recording.select(signals).slice(0, 7);
    return `<h3>${escaped(title)}</h3>${svgPlot(lines, { title })}`;
  });
  const rows = Object.entries(recording.parameters).map(
    ([key, value]) => `<tr><td>${escaped(key)}</td><td>${escaped(String(value))}</td></tr>`,
  );
  const versions = Object.entries(recording.versions).map(([program, version]) => `${program} ${version}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(model.title || name)}</title>
<style>${PAGE_STYLE}
  .film { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; }
  figure { margin: 0; } svg { max-width: 100%; height: auto; } pre { overflow-x: auto; line-height: 1.4; }
</style>
<h1>${escaped(model.title || name)}</h1>
<div class="film">
${pictures.map(({ time, png }) => `<figure><img alt="${escaped(name)} at ${time} s" src="data:image/png;base64,${base64(png)}"><figcaption>t = ${Number(time.toPrecision(4))} s</figcaption></figure>`).join('\n')}
</div>
${plots.join('\n')}
<h2>How far it can be trusted</h2>
<pre>${escaped(trust.join('\n'))}</pre>
${rows.length > 0 ? `<h2>Parameters</h2><table>${rows.join('')}</table>` : ''}
<p>${escaped(versions.join(', '))}; run ${escaped(recording.hash)}</p>
</html>
`;
}

/** The model's own plots, or else energies and the first few joints or bodies. */
function chosenPlots(model: Model, recording: Recording): Readonly<Record<string, readonly string[]>> {
  if (Object.keys(model.plots).length > 0) return model.plots;
  const joints = recording
    .names('*.{angle,position}')
    .filter((signal) => model.joints.has(signal.replace(/\.\w+$/, '')));
  const bodies = recording.names('*.position.z').slice(0, 5);
  return {
    [joints.length > 0 ? 'joints' : 'heights']: joints.length > 0 ? joints.slice(0, 6) : bodies,
    energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
  };
}
