/** `tippetop gallery`: all examples on one page, with picture, figures and replay. Ctrl-C keeps what is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { Command } from 'commander';
import { ModelError, suggestion } from '../errors.js';
import { writeBytes } from '../node/cad-files.js';
import { Simulation } from '../simulation/simulation.js';
import { type GalleryEntry, type GalleryFigure, galleryPage } from '../viewer/gallery-page.js';
import { partsAt } from '../viewer/scene-parts.js';
import { drawStill, type StillPart } from '../viewer/still.js';
import { requireSolids } from './build.js';
import { titleOf } from './list.js';
import { exampleNames, findModel, loadModel, PACKAGE_ROOT } from './load-model.js';
import { encodePng } from './png.js';
import { duration } from './progress.js';
import { reportOf } from './report.js';
import { checksOf, expectedOf } from './verify/examples.js';
import { versions } from './versions.js';

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
      : { parts: solidParts(built, file), up: [0, 0, 1] as const };
    const view = shown.up[1] > 0.7 ? { up: [0, 1, 0] as const, from: [0.55, 0.6, 0.75] as const } : {};
    const png = encodePng(drawStill(shown.parts, { width: 800, height: 520, ...view }));
    await writeBytes(join(out, `${name}.png`), png);
    if (pictures) await writeBytes(join(PACKAGE_ROOT, 'examples', name, `${name}.png`), png);
    const { parts: _, up: __, ...rest } = shown;
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
): Promise<Pick<GalleryEntry, 'report' | 'seconds' | 'simulated'> & { parts: StillPart[]; up: readonly number[] }> {
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
  const moment = expectedOf(name)?.picture?.at ?? 1 / 3;
  return {
    parts: partsAt(recording, Math.round(moment * (recording.rows - 1))),
    up: recording.scene?.up ?? [0, 0, 1],
    report: `${name}.html`,
    seconds,
    simulated: recording.times.at(-1) ?? 0,
  };
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
