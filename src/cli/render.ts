/** `tippetop render`: pictures and films of a recording, without a browser; films through ffmpeg. Ctrl-C keeps what is drawn. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { extname } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { Command } from 'commander';
import { FileError, ModelError } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import { writeBytes } from '../node/cad-files.js';
import { encodePng } from '../node/png.js';
import { readRecordingFile } from '../node/recording-files.js';
import { greatestForce } from '../results/contact-records.js';
import { requireScene } from '../results/exchange/film.js';
import { GRAIN_CONTACT_TABLE } from '../results/grain-records.js';
import type { Recording } from '../results/recording.js';
import { shownSides } from '../results/scene/contact-side.js';
import type { Scene } from '../results/scene.js';
import { GRAIN_QUANTITIES, type GrainQuantity } from '../viewer/grain-colours.js';
import { mechanismParts } from '../viewer/mechanism-parts.js';
import { blend } from '../viewer/playback/blend.js';
import { FrameReader } from '../viewer/playback/frame-reader.js';
import { instantAt } from '../viewer/playback/instants.js';
import type { Frame } from '../viewer/playback/playback.js';
import { chainParts, extent, forceArrows, grainParts, SceneParts } from '../viewer/scene-parts.js';
import { daylightOf, standardView, VIEW_NAMES } from '../viewer/standard-views.js';
import { drawStill, type Still, type StillOptions, type StillPart } from '../viewer/still.js';
import { FIELD_OF_VIEW } from '../viewer/still-projection.js';
import {
  deformedParts,
  type SurfaceLook,
  surfaceParts,
  surfaceRanges,
  visibleExaggeration,
} from '../viewer/surface-parts.js';
import { findRecording } from './find-recording.js';
import * as format from './text/format.js';
import { Progress } from './text/progress.js';

interface RenderOptions {
  parallel?: boolean;
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  readonly speed: string;
  readonly fps: string;
  readonly size: string;
  readonly view: string;
  readonly forces?: boolean;
  readonly grains: string;
  readonly chains?: boolean;
  readonly exaggerate: string;
  readonly legend: boolean;
  readonly quiet?: boolean;
}

const FILMS: Readonly<Record<string, readonly string[]>> = {
  '.mp4': ['-c:v', 'libx264', '-crf', '18', '-preset', 'medium', '-movflags', '+faststart'],
  '.webm': ['-c:v', 'libvpx-vp9', '-crf', '24', '-b:v', '0', '-row-mt', '1'],
};

export function renderCommand(): Command {
  return new Command('render')
    .description('draw a recording as PNG, or as a film where ffmpeg is installed')
    .argument('<recording>', 'a recording, a folder with one, or the name of a run in out/')
    .argument('<file>', 'ending in .png, .mp4 or .webm; frame-%04d.png gives numbered stills of the whole film')
    .option('--at <s>', 'time of a still (default: the end)')
    .option('--from <s>', 'time at which the film begins')
    .option('--to <s>', 'time at which it ends')
    .option('--speed <number>', 'of the run in the film: 0.1 is ten times slower', '1')
    .option('--fps <number>', 'pictures a second', '30')
    .option('--size <pixels>', 'width and height', '1280x720')
    .option('--view <name>', VIEW_NAMES.join(', '), 'isometric')
    .option('--parallel', 'lines that are parallel stay so: a drawing to scale; else as in the viewer')
    .option('--grains <quantity>', `colour of grains: ${GRAIN_QUANTITIES.join(', ')}`, 'species')
    .option('--chains', 'draw how forces go through grains in place of the grains (models with grains.contacts: true)')
    .option(
      '--exaggerate <factor>',
      'how often the deformation of flexible bodies is drawn; auto: so that it is seen',
      '1',
    )
    .option('--no-legend', 'leave out the scale of the colours')
    .option('--forces', 'draw the forces of contacts: blue sticks, orange slips')
    .option('--quiet', 'no progress bar')
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop render out/newtons-cradle cradle.mp4 --speed 0.25\n  tippetop render dominoes still.png --at 0.4 --forces\n  tippetop render tuning-fork fork.png --at 0.004 --view top --exaggerate 10',
    )
    .action(render);
}

async function render(typed: string, path: string, options: RenderOptions): Promise<void> {
  const ending = extname(path).toLowerCase();
  if (ending !== '.png' && !FILMS[ending])
    throw new FileError(path, '', `expected a name that ends in .png, .mp4 or .webm, got "${ending}"`);
  const [width, height] = pixels(options.size);
  const recording = await readRecordingFile(findRecording(typed).file);
  const grains = GRAIN_QUANTITIES.find((known) => known === options.grains);
  if (!grains)
    throw new ModelError('--grains', `expected one of ${GRAIN_QUANTITIES.join(', ')}, got "${options.grains}"`);
  const camera = new Camera(recording, {
    width,
    height,
    view: options.view,
    parallel: options.parallel === true,
    forces: options.forces === true,
    grains,
    chains: options.chains === true,
    exaggeration: exaggeration(options.exaggerate),
    legend: options.legend,
  });
  const numbered = /%0?(\d*)d/.exec(path);
  if (ending === '.png' && !numbered) {
    const end = recording.times.at(-1) ?? 0;
    await writeBytes(path, encodePng(camera.picture(options.at === undefined ? end : time(options.at, '--at'))));
    console.log(`wrote ${path}${camera.hint}`);
    return;
  }
  if (options.at !== undefined) throw new ModelError('--at', 'is for a still; a film goes --from … --to');

  const fps = format.parsePositive(options.fps, '--fps', '');
  const speed = format.parsePositive(options.speed, '--speed', '');
  const from = options.from === undefined ? (recording.times[0] ?? 0) : time(options.from, '--from');
  const to = options.to === undefined ? (recording.times.at(-1) ?? 0) : time(options.to, '--to');
  if (!(to >= from)) throw new ModelError('--to', `expected a time ≥ ${from} s, got ${to}`);
  const count = Math.floor(((to - from) * fps) / speed + 1e-9) + 1;

  camera.oneScale(from, to);
  const film = numbered ? undefined : await Ffmpeg.start(path, ending, { width, height, fps });
  const progress = new Progress(to, options.quiet === true);
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  let drawn = 0;
  try {
    for (; drawn < count && !interrupted; drawn++) {
      const t = Math.min(to, from + (drawn * speed) / fps);
      const picture = camera.picture(t);
      if (film) await film.add(picture);
      else if (numbered) await writeBytes(frameName(path, numbered, drawn), encodePng(picture));
      progress.show(() => ({ at: t, done: drawn, what: 'pictures' }));
      await breathe();
    }
    await film?.finish();
  } catch (error) {
    film?.abandon();
    throw error;
  } finally {
    progress.done();
    process.off('SIGINT', interrupt);
  }
  console.log(`wrote ${path}: ${format.plural(drawn, 'picture')}${interrupted ? ` of ${count} (interrupted)` : ''}`);
  if (interrupted) process.exitCode = 130;
}

interface CameraOptions {
  readonly width: number;
  readonly height: number;
  readonly forces: boolean;
  readonly grains: GrainQuantity;
  readonly chains: boolean;
  readonly legend: boolean;
}

interface LookOptions {
  readonly view: string;
  readonly parallel: boolean;
  readonly exaggeration: number | 'auto';
}

/** Looks at one recording from one side; everything that moves stays in the picture. */
class Camera {
  readonly #recording: Recording;
  readonly #reader: FrameReader;
  readonly #parts: SceneParts;
  readonly #scene: Scene;
  readonly #options: CameraOptions;
  readonly #eye: { readonly from: Vec3; readonly up: Vec3 };
  readonly #look: Pick<StillOptions, 'field' | 'daylight'>;
  readonly #fit: StillPart[];
  readonly #size: number;
  readonly #greatest: number;
  readonly #sides: Int8Array;
  /** What else there is to see, for who is told where the picture is */
  readonly hint: string = '';
  #bent: SurfaceLook & { readonly exaggeration: number } = { exaggeration: 1 };

  constructor(recording: Recording, { view, parallel, exaggeration, ...options }: CameraOptions & LookOptions) {
    const scene = requireScene(recording);
    if (recording.rows === 0) throw new ModelError('recording', 'has no rows yet; nothing to draw');
    if (options.forces && !recording.hasTable('contacts'))
      throw new ModelError('--forces', 'the recording has no records of contacts');
    if (options.chains && !recording.hasTable(GRAIN_CONTACT_TABLE))
      throw new ModelError(
        '--chains',
        'the recording has no contacts of grains; a model keeps them with grains: { contacts: true }',
      );
    this.#recording = recording;
    this.#options = options;
    this.#reader = new FrameReader(scene, recording.signals);
    this.#parts = new SceneParts(scene);
    this.#scene = scene;
    this.#eye = standardView(view, scene.up, '--view');
    this.#look = { field: parallel ? 0 : FIELD_OF_VIEW, daylight: daylightOf(scene.up) };
    const moments = 60;
    this.#fit = Array.from({ length: moments }, (_, i) => {
      const row = recording.samples.row(Math.round((i * (recording.rows - 1)) / (moments - 1)));
      return this.#parts.bounds(this.#reader.frame(0, row).poses);
    }).flat();
    if (scene.surfaces.some(({ modes }) => modes)) {
      const bent = (factor: number): StillPart[] =>
        Array.from({ length: moments / 6 }, (_, i) =>
          deformedParts(recording, scene, Math.round((6 * i * (recording.rows - 1)) / (moments - 1)), {
            exaggeration: factor,
          }),
        ).flat();
      const size = extent([...this.#fit, ...bent(1)].flatMap(({ mesh }) => [...mesh.vertices]));
      const seen = visibleExaggeration(recording, size);
      this.#bent = { exaggeration: exaggeration === 'auto' ? seen : exaggeration };
      this.#fit.push(...bent(this.#bent.exaggeration));
      if (exaggeration === 1 && seen > 1) this.hint = `; deformation is to scale, --exaggerate auto draws it × ${seen}`;
    }
    // Beads fly about a machine that is the picture; stones are what one looks at
    if (scene.grains && (this.#fit.length === 0 || scene.grains.species.some(({ forms }) => forms)))
      for (const row of [0, recording.rows - 1]) this.#fit.push(...grainParts(recording, scene, row));
    this.#size = extent(this.#fit.flatMap(({ mesh }) => [...mesh.vertices])) || 1;
    this.#sides = shownSides(scene, options.forces ? recording.table('contacts').labels : []);
    this.#greatest = options.forces ? greatestForce(recording.table('contacts')) : 0;
  }

  /** Takes one scale of colours for all pictures of a film. */
  oneScale(from: number, to: number): void {
    const { times } = this.#recording;
    const end = Math.min(instantAt(times, to) + 1, times.length - 1);
    this.#bent = { ...this.#bent, ranges: surfaceRanges(this.#recording, instantAt(times, from), end) };
  }

  /** Between two recorded instants bodies are on the way from one to the other; forces are those of the nearer. */
  picture(time: number): Still {
    const { times, samples } = this.#recording;
    const before = instantAt(times, time);
    const after = Math.min(before + 1, times.length - 1);
    const span = times[after] - times[before];
    const part = span === 0 ? 0 : Math.min(1, Math.max(0, (time - times[before]) / span));
    const row = part < 0.5 ? before : after;
    const frame = (k: number): Frame => this.#reader.frame(times[k], samples.row(k));
    const { poses } = blend(frame(before), frame(after), part);
    const parts = [...this.#parts.at(poses), ...mechanismParts(this.#scene, poses, this.#size)];
    parts.push(...surfaceParts(this.#recording, this.#scene, row, this.#bent));
    if (this.#options.chains) parts.push(...chainParts(this.#recording, row));
    else parts.push(...grainParts(this.#recording, this.#scene, row, this.#options.grains));
    if (this.#greatest > 0)
      parts.push(
        ...forceArrows(
          this.#recording.table('contacts').instant(row),
          this.#sides,
          this.#size / 4 / this.#greatest,
          this.#size,
        ),
      );
    const { width, height, legend } = this.#options;
    const fit = this.#fit.length > 0 ? { fit: this.#fit } : {};
    return drawStill(parts, { width, height, ...this.#eye, ...this.#look, samples: 2, legend, ...fit });
  }
}

const frameName = (path: string, [pattern, digits]: RegExpExecArray, k: number): string =>
  path.replace(pattern, String(k).padStart(Number(digits || 1), '0'));

function time(text: string, option: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new ModelError(option, `expected a time in s, got "${text}"`);
  return value;
}

function exaggeration(text: string): number | 'auto' {
  if (text.trim() === 'auto') return 'auto';
  const factor = text.trim() === '' ? Number.NaN : Number(text);
  if (!(factor >= 0 && factor <= 1e9))
    throw new ModelError('--exaggerate', `expected auto or a number from 0 (undeformed), such as 20, got "${text}"`);
  return factor;
}

/** Films want even numbers. */
function pixels(text: string): [number, number] {
  const match = /^(\d+)x(\d+)$/.exec(text.trim());
  const [width, height] = match ? [Number(match[1]), Number(match[2])] : [0, 0];
  if (!(width >= 16 && height >= 16 && width <= 7680 && height <= 7680))
    throw new ModelError('--size', `expected width and height from 16 to 7680 pixels such as 1280x720, got "${text}"`);
  return [width - (width % 2), height - (height % 2)];
}

/** Takes raw pictures and leaves a film; killed half-way it leaves none. */
class Ffmpeg {
  readonly #process: ChildProcess;
  readonly #path: string;
  readonly #ended: Promise<void>;
  #complaint = '';

  static async start(
    path: string,
    ending: string,
    { width, height, fps }: { width: number; height: number; fps: number },
  ): Promise<Ffmpeg> {
    const input = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', String(fps), '-i', '-'];
    const args = ['-y', '-loglevel', 'error', ...input, ...FILMS[ending], '-pix_fmt', 'yuv420p', path];
    // A group of its own, so that Ctrl-C reaches us alone and the film is closed properly.
    const child = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    try {
      await once(child, 'spawn');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new FileError(
        path,
        '',
        'films need the program ffmpeg, which is not installed (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg); frame-%04d.png gives numbered stills without it',
      );
    }
    return new Ffmpeg(child, path);
  }

  private constructor(child: ChildProcess, path: string) {
    this.#process = child;
    this.#path = path;
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#complaint += bytes.toString();
    });
    child.stdin?.on('error', () => undefined); // told by how it ends
    this.#ended = once(child, 'close').then(([code]) => {
      if (code !== 0)
        throw new FileError(this.#path, '', `ffmpeg gave up: ${this.#complaint.trim() || `code ${code}`}`);
    });
    this.#ended.catch(() => undefined); // whoever waits for it is told
  }

  async add({ rgba }: Still): Promise<void> {
    const input = this.#process.stdin!;
    if (input.destroyed || this.#process.exitCode !== null) return this.#ended;
    if (!input.write(new Uint8Array(rgba.buffer, rgba.byteOffset, rgba.byteLength)))
      await Promise.race([once(input, 'drain'), this.#ended]);
  }

  finish(): Promise<void> {
    this.#process.stdin!.end();
    return this.#ended;
  }

  abandon(): void {
    this.#process.kill('SIGKILL');
    rmSync(this.#path, { force: true });
  }
}
