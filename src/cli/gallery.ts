/** `tippetop gallery`: all examples on one page, with picture, figures and replay. Ctrl-C keeps what is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import { writeBytes } from '../node/cad-files.js';
import { exampleNames, findModel, loadModel } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';
import { versions } from '../node/versions.js';
import type { Recording } from '../results/recording.js';
import { Simulation } from '../simulation/simulation.js';
import { checksOf, expectedOf } from '../verify/examples.js';
import { type GalleryEntry, type GalleryFigure, galleryPage } from '../viewer/gallery-page.js';
import { partsAt, wayParts } from '../viewer/scene-parts.js';
import { standardView } from '../viewer/standard-views.js';
import { drawStill, type Still, type StillPart } from '../viewer/still.js';
import { requireSolids } from './build.js';
import { titleOf } from './list.js';
import { encodePng } from './pictures/png.js';
import { reportOf } from './pictures/report.js';
import { duration } from './text/progress.js';

/** Pixels of the pictures in READMEs */
const PICTURE = { width: 800, height: 520 };

interface GalleryOptions {
  readonly out: string;
  readonly pictures?: boolean;
  readonly figures: boolean;
}

export function galleryCommand(): Command {
  return new Command('gallery')
    .description('build a page of all examples: picture, figures, replay')
    .argument('[names...]', 'only these examples')
    .option('--out <folder>', 'where the page goes', 'out/gallery')
    .option('--no-figures', 'leave the expected figures out: quicker')
    .option('--pictures', 'also renew the pictures in the examples’ READMEs')
    .addHelpText('after', '\nExample:\n  tippetop gallery newtons-cradle gears')
    .action(gallery);
}

async function gallery(names: string[], { out, pictures, figures }: GalleryOptions): Promise<void> {
  const known = exampleNames();
  for (const name of names)
    if (!known.includes(name))
      throw new ModelError(
        'names',
        `there is no example "${name}"${suggestion(name, known) || '; "tippetop list" names them'}`,
      );
  const entries: GalleryEntry[] = [];
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  const started = performance.now();
  for (const name of names.length > 0 ? names : known) {
    if (interrupted) break;
    const entry = await entryOf(name, out, { pictures: pictures === true, figures, stopped: () => interrupted });
    entries.push(entry);
    const missed = entry.figures.filter(({ pass }) => !pass).length;
    console.log(
      `${name}: ${entry.failure ?? `${entry.figures.length} figures${missed > 0 ? `, ${missed} missed` : ''}`}`,
    );
    if (entry.failure || missed > 0) process.exitCode = 1;
    // After every example, so that the page is there however it ends
    const made = Object.entries(versions()).map(([program, version]) => `${program} ${version}`);
    await writeBytes(join(out, 'index.html'), galleryPage(entries, made));
  }
  process.off('SIGINT', interrupt);
  console.log(`wrote ${join(out, 'index.html')} in ${duration((performance.now() - started) / 1000)}`);
  if (interrupted) process.exitCode = 130;
}

async function entryOf(
  name: string,
  out: string,
  { pictures, figures, stopped }: { pictures: boolean; figures: boolean; stopped: () => boolean },
): Promise<GalleryEntry> {
  const head = { name, title: heading(name), about: titleOf(name) };
  try {
    const file = findModel(join(PACKAGE_ROOT, 'examples', name));
    const built = await (await loadModel(file))();
    const isModel = typeof built === 'object' && built !== null && 'kind' in built && built.kind === 'model';
    const shown = isModel
      ? await replay(name, built as ConstructorParameters<typeof Simulation>[0], out, stopped)
      : { moments: [{ parts: solidParts(built, file) }], up: [0, 0, 1] as const };
    const png = encodePng(
      strip(shown.moments, standardView(expectedOf(name)?.picture?.view ?? 'isometric', shown.up, name)),
    );
    await writeBytes(join(out, `${name}.png`), png);
    if (pictures) await writeBytes(join(PACKAGE_ROOT, 'examples', name, `${name}.png`), png);
    const { moments: _, up: __, ...rest } = shown;
    return { ...head, ...rest, picture: `${name}.png`, figures: figures ? await measure(name, stopped) : [] };
  } catch (error) {
    return { ...head, figures: [], failure: error instanceof Error ? error.message : String(error) };
  }
}

const solidParts = (built: unknown, file: string): StillPart[] =>
  requireSolids(built, file).map(([, { mesh, colour }]) => ({ mesh, ...(colour && { colour }) }));

/** Runs the model as `run` would, leaves its report, and gives the bodies at the moment that shows most. */
async function replay(
  name: string,
  model: ConstructorParameters<typeof Simulation>[0],
  out: string,
  stopped: () => boolean,
): Promise<Pick<GalleryEntry, 'report' | 'seconds' | 'simulated'> & { moments: Moment[]; up: Vec3 }> {
  const simulation = new Simulation(model, { origin: { title: model.title || name, versions: versions() } });
  const started = performance.now();
  let more = true;
  while (more && !stopped()) {
    const slice = performance.now() + 200;
    more = simulation.advance(simulation.stopTime, () => performance.now() > slice);
    await breathe();
  }
  const recording = simulation.finish(simulation.finished ? 'finished' : 'interrupted');
  const seconds = (performance.now() - started) / 1000;
  await writeBytes(join(out, `${name}.html`), reportOf(name, recording));
  const { at = 1 / 3, pale = [], ways = {} } = expectedOf(name)?.picture ?? {};
  const row = (moment: number): number => {
    if (!(moment >= 0 && moment <= 1))
      throw new ModelError(`${name}/expected.json: picture`, `expected a part of the run from 0 to 1, got ${moment}`);
    return Math.round(moment * (recording.rows - 1));
  };
  return {
    moments: [at].flat().map((moment) => momentOf(recording, row(moment), pale.map(row), ways)),
    up: recording.scene?.up ?? [0, 0, 1],
    report: `${name}.html`,
    seconds,
    simulated: recording.times.at(-1) ?? 0,
  };
}

/** What one picture shows: the bodies at a row, pale at others, and the ways of points up to it. */
function momentOf(
  recording: Recording,
  row: number,
  pale: readonly number[],
  ways: Readonly<Record<string, Vec3>>,
): Moment {
  const others = pale.map((other) => partsAt(recording, other, PALE));
  const now = partsAt(recording, row);
  const fit = [now, ...others].flatMap((moment) => moment.fit);
  return {
    parts: [...others.flatMap(({ parts }) => parts), ...now.parts, ...wayParts(recording, row, ways, fit)],
    fit,
  };
}

/** The box of all vertices, along the world's axes. */
function boxOf(parts: readonly StillPart[]): { readonly low: number[]; readonly high: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { mesh } of parts)
    for (let i = 0; i < mesh.vertices.length; i++) {
      low[i % 3] = Math.min(low[i % 3], mesh.vertices[i]);
      high[i % 3] = Math.max(high[i % 3], mesh.vertices[i]);
    }
  return { low, high };
}

/** How much of a body is left where it is drawn pale */
const PALE = 0.22;

interface Moment {
  readonly parts: readonly StillPart[];
  readonly fit?: readonly StillPart[];
}

/** Moments side by side in one picture, each with its bodies in the middle and all to one scale. */
function strip(moments: readonly Moment[], eye: { readonly from: Vec3; readonly up: Vec3 }): Still {
  const count = moments.length;
  const width = Math.floor(PICTURE.width / count);
  const height = Math.min(PICTURE.height, Math.round(1.5 * width));
  const rgba = new Uint8ClampedArray(4 * width * count * height);
  const boxes = moments.map(({ parts, fit = parts }) => boxOf(fit));
  const half = [0, 1, 2].map((k) => 0.5 * Math.max(...boxes.map(({ low, high }) => high[k] - low[k])));
  for (const [i, { parts, fit }] of moments.entries()) {
    const corners = boxes[i].low.map((low, k) => {
      const middle = 0.5 * (low + boxes[i].high[k]);
      return [middle - half[k], middle + half[k]];
    });
    const common = Float64Array.from({ length: 24 }, (_, c) => corners[c % 3][(Math.floor(c / 3) >> (c % 3)) & 1]);
    const shown = count > 1 ? [{ mesh: { vertices: common, triangles: new Uint32Array() } }] : fit;
    const still = drawStill(parts, { width, height, ...eye, ...(shown && { fit: shown }) });
    for (let y = 0; y < height; y++)
      rgba.set(still.rgba.subarray(4 * width * y, 4 * width * (y + 1)), 4 * width * (y * count + i));
  }
  return { width: width * count, height, rgba };
}

async function measure(name: string, stopped: () => boolean): Promise<GalleryFigure[]> {
  const figures: GalleryFigure[] = [];
  for (const { title, limit, long, measure: run } of checksOf(name)) {
    if (long || stopped()) continue;
    const { value, reference, error = Math.abs(value - reference) } = await run();
    figures.push({ title: title.replace(`${name}: `, ''), value, reference, limit, pass: error <= limit });
    await breathe();
  }
  return figures;
}

/** First heading of the example's README. */
function heading(name: string): string {
  const readme = join(PACKAGE_ROOT, 'examples', name, 'README.md');
  return (existsSync(readme) && /^# (.+)$/m.exec(readFileSync(readme, 'utf8'))?.[1]) || name;
}
