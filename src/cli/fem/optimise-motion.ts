/** `tippetop optimise <model>`: bodies of a mechanism under the loads of their own motion, put back into it and compared. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ModelError } from '../../errors.js';
import { extrude } from '../../geometry/extrude.js';
import { quantity } from '../../math/quantity.js';
import { parametersOf } from '../../model/parameters.js';
import { writeCadFile } from '../../node/cad-files.js';
import { findModel, loadModel, modelName, requireModel } from '../../node/model-files/load-model.js';
import { writeRecordingFile } from '../../node/recording-files.js';
import {
  improvementsInMotion,
  type MotionDesign,
  type MotionDesigns,
} from '../../studies/topology/optimise-in-motion.js';
import { meshSvg } from '../../viewer/mesh-svg.js';
import { svgPlot } from '../../viewer/svg-plot.js';
import { modelArguments } from '../model-files/model-arguments.js';
import * as format from '../text/format.js';
import { nodeDensities, type OptimiseOptions, parseCircle, parseMirror, parseVolume } from './design-words.js';
import { listening } from './listening.js';
import { resultFolder } from './result-folder.js';

export async function optimiseMotion(typed: string, words: string[], options: OptimiseOptions): Promise<void> {
  const file = findModel(typed);
  const name = modelName(file);
  const construct = await loadModel(file);
  const model = requireModel(await construct(modelArguments(parametersOf(construct), words, options.set)), file);
  const flexible = [...model.bodies].filter(([, { flexible: bends }]) => bends).map(([body]) => body);
  const bodies = options.body.length > 0 ? [...new Set(options.body)] : flexible.length === 1 ? flexible : [];
  if (bodies.length === 0)
    throw new ModelError(
      '--body',
      flexible.length === 0
        ? `no body of ${name} is flexible; expected one with \`flexible: true\``
        : `expected one of the flexible bodies ${flexible.join(', ')}`,
    );
  const length = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : format.parseSize(text, option);
  const count = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : format.parseCount(text, option);
  const folder = options.out ?? join('out', `${name}-optimised`);
  const write = resultFolder(folder);
  const started = performance.now();
  const steps = improvementsInMotion(model, {
    bodies,
    volume: parseVolume(options.volume),
    size: length(options.size, '--size'),
    radius: length(options.radius, '--radius'),
    samples: count(options.samples, '--samples'),
    from: options.from === undefined ? undefined : Number(options.from),
    stop: options.stop === undefined ? undefined : format.parsePositive(options.stop, '--stop', 's'),
    runs: count(options.runs, '--runs'),
    iterations: count(options.iterations, '--iterations'),
    strict: options.strict,
    grey: options.grey,
    method: options.method as 'mma' | 'oc',
    full: options.full.map((text) => parseCircle(text, '--full')),
    empty: options.empty.map((text) => parseCircle(text, '--empty')),
    mirror: options.mirror === undefined ? undefined : parseMirror(options.mirror),
  });
  const { result, stopped } = await listening(
    steps,
    ({ body, run, iteration, compliance, change, mesh, densities }) => {
      console.log(
        `  run ${run}, ${body} ${String(iteration).padStart(3)}: f·u ${quantity(compliance, 'J')}, change ${format.number(change, 3)}`,
      );
      write(
        `${body}-density.svg`,
        meshSvg(mesh, {
          title: `${body}: run ${run}, iteration ${iteration}`,
          values: nodeDensities(mesh, densities),
          quantity: 'density',
          lines: false,
        }),
      );
    },
  );
  for (const design of result.designs) await leaveDesign(folder, write, design);
  await writeRecordingFile(join(folder, 'recording.h5'), result.run.recording);
  write('summary.json', `${JSON.stringify(summary(result), null, 2)}\n`);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${name}: ${format.plural(result.runs, 'run')} of the mechanism and two to compare, ${format.number(seconds, 3)} s${
      stopped
        ? '; stopped'
        : result.settled || options.strict
          ? ''
          : '; the loads have not settled yet, try more --runs'
    }`,
  );
  for (const design of result.designs) {
    describe(design);
    if (design.volume < parseVolume(options.volume) - 1e-3)
      console.log(
        `  it fills ${format.number(design.volume, 3)} of the room, less than it may: more would load it more than it carries`,
      );
  }
  console.log(
    `wrote ${folder}/recording.h5 (the mechanism with the new parts), summary.json, and of each part <body>.dxf, .svg, .stl, -density.svg, -stress.svg`,
  );
}

async function leaveDesign(
  folder: string,
  write: (name: string, text: string) => void,
  design: MotionDesign,
): Promise<void> {
  const { body, mesh, densities, profile, thickness } = design;
  const at = (ending: string): string => join(folder, `${body}${ending}`);
  write(
    `${body}-density.svg`,
    meshSvg(mesh, {
      title: `${body}: density`,
      values: nodeDensities(mesh, densities),
      quantity: 'density',
      lines: false,
    }),
  );
  for (const ending of ['.dxf', '.svg']) await writeCadFile(at(ending), { profiles: [{ name: body, profile }] }, {});
  await writeCadFile(at('.stl'), { parts: [{ name: body, mesh: extrude(profile, thickness).mesh }] }, {});
  const line = (name: string, { times, stress }: MotionDesign['whole']) => ({
    name,
    unit: 'MPa',
    times,
    values: stress.map((value) => 1e-6 * value),
  });
  write(
    `${body}-stress.svg`,
    svgPlot(
      [
        line('optimised', design.optimised),
        line('thinned to the same mass', design.thinned),
        line('whole', design.whole),
      ],
      { title: `largest stress of ${body} away from its joints` },
    ),
  );
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);
const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function describe({ body, whole, optimised, thinned }: MotionDesign): void {
  const row = (name: string, { mass, stress, strainEnergy }: MotionDesign['whole']): void =>
    console.log(
      `  ${name.padEnd(10)} ${quantity(mass, 'kg').padStart(10)}   peak ${quantity(largest(stress), 'Pa').padStart(10)}   mean strain energy ${quantity(total(strainEnergy) / strainEnergy.length, 'J')}`,
    );
  console.log(`${body}, away from its joints:`);
  row('whole', whole);
  row('thinned', thinned);
  row('optimised', optimised);
  const above = optimised.stress.filter((value, i) => value > thinned.stress[i]).length;
  const [peak, other] = [largest(optimised.stress), largest(thinned.stress)];
  console.log(
    `  the peak is ${format.number(Math.abs(100 * (peak / other - 1)), 3)} % ${peak < other ? 'below' : 'ABOVE'} that of the thinned part; ` +
      (above === 0
        ? 'the stress is lower at every instant'
        : `at ${above} of ${optimised.stress.length} instants the stress is higher`),
  );
}

const summary = ({ designs, runs, settled }: MotionDesigns): unknown => ({
  runs,
  settled,
  bodies: designs.map(({ body, history, pinned, ...parts }) => ({
    body,
    firstJoint: pinned ? 'pin' : 'held',
    compliance: Array.from(history),
    ...Object.fromEntries(
      (['whole', 'thinned', 'optimised'] as const).map((key) => [
        key,
        {
          mass: parts[key].mass,
          peakStress: largest(parts[key].stress),
          times: Array.from(parts[key].times),
          stress: Array.from(parts[key].stress),
          strainEnergy: Array.from(parts[key].strainEnergy),
        },
      ]),
    ),
  })),
});
