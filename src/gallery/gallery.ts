/** All examples on one page, with picture, figures and replay. `tippetop gallery` makes it. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { ModelError, suggestion } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import { writeBytes } from '../node/cad-files.js';
import { headingOf, titleOf } from '../node/model-files/example-texts.js';
import { exampleNames, findModel, loadModel, requireSolids } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';
import { encodePng } from '../node/png.js';
import { reportOf } from '../node/report.js';
import { versions } from '../node/versions.js';
import { Simulation } from '../simulation/simulation.js';
import { checksOf, expectedOf } from '../verify/examples.js';
import { type GalleryEntry, type GalleryFigure, galleryPage } from '../viewer/gallery-page.js';
import { standardView } from '../viewer/standard-views.js';
import type { StillPart } from '../viewer/still.js';
import { type Moment, momentOf, strip } from './moments.js';

/** Pixels of the pictures in READMEs */
const PICTURE = { width: 800, height: 520 };

export interface GalleryOptions {
  /** Only these examples; all of them unless said */
  readonly names?: readonly string[];
  /** Also renew the pictures in the examples' READMEs */
  readonly pictures?: boolean;
  /** Measure the expected figures; yes unless said */
  readonly figures?: boolean;
  /** Asked now and then; true ends it with what is there */
  readonly stopped?: () => boolean;
  /** Told of each example when it is done */
  readonly onEntry?: (entry: GalleryEntry) => void;
}

/**
 * Runs the examples, leaves picture and report of each and a page of them all in a folder, and gives the path of the page.
 *
 * @example await makeGallery('out/gallery', { names: ['newtons-cradle', 'gears'] });
 * @throws ModelError on a name that is no example
 */
export async function makeGallery(
  out: string,
  { names = [], pictures = false, figures = true, stopped = () => false, onEntry }: GalleryOptions = {},
): Promise<string> {
  const known = exampleNames();
  for (const name of names)
    if (!known.includes(name))
      throw new ModelError(
        'names',
        `there is no example "${name}"${suggestion(name, known) || '; "tippetop list" names them'}`,
      );
  const page = join(out, 'index.html');
  const entries: GalleryEntry[] = [];
  for (const name of names.length > 0 ? names : known) {
    if (stopped()) break;
    const entry = await entryOf(name, out, { pictures, figures, stopped });
    entries.push(entry);
    onEntry?.(entry);
    // After every example, so that the page is there however it ends
    const made = Object.entries(versions()).map(([program, version]) => `${program} ${version}`);
    await writeBytes(page, galleryPage(entries, made));
  }
  return page;
}

async function entryOf(
  name: string,
  out: string,
  { pictures, figures, stopped }: { pictures: boolean; figures: boolean; stopped: () => boolean },
): Promise<GalleryEntry> {
  const head = { name, title: headingOf(name), about: titleOf(name) };
  try {
    const file = findModel(join(PACKAGE_ROOT, 'examples', name));
    const built = await (await loadModel(file))(expectedOf(name)?.picture?.parameters);
    const isModel = typeof built === 'object' && built !== null && 'kind' in built && built.kind === 'model';
    const shown = isModel
      ? await replay(name, built as ConstructorParameters<typeof Simulation>[0], out, stopped)
      : { moments: [{ parts: solidParts(built, file) }], up: [0, 0, 1] as const };
    const png = encodePng(
      strip(shown.moments, standardView(expectedOf(name)?.picture?.view ?? 'isometric', shown.up, name), PICTURE),
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
  const { at = 1 / 3, pale = [], ways = {}, without } = expectedOf(name)?.picture ?? {};
  const row = (moment: number): number => {
    if (!(moment >= 0 && moment <= 1))
      throw new ModelError(`${name}/expected.json: picture`, `expected a part of the run from 0 to 1, got ${moment}`);
    return Math.round(moment * (recording.rows - 1));
  };
  return {
    moments: [at].flat().map((moment) => momentOf(recording, row(moment), pale.map(row), ways, without)),
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
