// Figures of docs/guide/single-wheel.md, point-turn.md, obstacle-course.md and of the testbeds in soil.md, from runs of today's build.
// node scripts/figures/soil.mjs [wheel] [turn] [course] [rigs]        all unless named; `course` takes minutes
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecordingFile } from '../../dist/node/recording-files.js';
import { svgPlot } from '../../dist/viewer/svg-plot.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pictures = join(root, 'docs/guide/pictures');
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['wheel', 'turn', 'course', 'rigs'];
const folder = mkdtempSync(join(tmpdir(), 'tippetop-figures-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function command(...words) {
  const { status } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...words], {
    stdio: 'inherit',
    cwd: root,
  });
  if (status === null || status > 1) throw new Error(`tippetop ${words.join(' ')} ended with ${status}`);
}
async function run(name, ...words) {
  const out = join(folder, `${name}${words.join('')}`);
  command('run', `examples/${name}`, ...words, '--out', out, '--quiet');
  return readRecordingFile(join(out, 'recording.h5'));
}
const write = (name, lines, options) => writeFileSync(join(pictures, `${name}.svg`), svgPlot(lines, options));
const line = (recording, signal, name, unit, factor = 1) => ({
  name,
  unit,
  times: recording.signal(signal).times,
  values: recording.signal(signal).values.map((x) => factor * x),
});

if (wanted.includes('wheel')) {
  const trial = await run('single-wheel', '--way', '0.2');
  const of = (signal, name, unit, factor) => [line(trial, `elements.bed.wheel.${signal}`, name, unit, factor)];
  write('single-wheel-normal', of('force.z', 'normal force', 'N'));
  write('single-wheel-traction', of('force.x', 'traction force', 'N'));
  write('single-wheel-torque', of('torque.y', 'drive torque', 'N m', -1));
  write('single-wheel-sinkage', of('sinkage', 'sinkage', 'mm', 1e3));
}
if (wanted.includes('turn')) {
  const [low, high] = [await run('mmx-rover'), await run('mmx-rover', '--cohesion', '200')];
  const yaw = (recording) => {
    const [w, x, y, z] = ['w', 'x', 'y', 'z'].map((k) => recording.signal(`rover.orientation.${k}`).values);
    return w.map(
      (_, i) => (Math.atan2(2 * (w[i] * z[i] + x[i] * y[i]), 1 - 2 * (y[i] ** 2 + z[i] ** 2)) * 180) / Math.PI,
    );
  };
  const times = low.signal('rover.position.x').times;
  const ends = [6, 94.4]; // s, of the drive: examples/mmx-rover
  write('point-turn-yaw', [
    { name: '20 Pa', unit: '°', times, values: yaw(low) },
    { name: '200 Pa', unit: '°', times: high.signal('rover.position.x').times, values: yaw(high) },
    {
      name: 'without slip',
      unit: '°',
      times,
      values: times.map((t) => 90 * Math.min(1, Math.max(0, (t - ends[0]) / (ends[1] - ends[0])))),
    },
  ]);
  write(
    'point-turn-load',
    [0, 1, 2, 3].map((k) => line(high, `elements.regolith.wheels[${k}].force.z`, `wheel ${k + 1}`, 'mN', 1e3)),
  );
}
if (wanted.includes('course')) {
  const course = await run('scout-rover');
  write(
    'obstacle-course-height',
    [0, 1, 2].map((m) => ({
      name: ['first module', 'second', 'third'][m],
      unit: 'm',
      times: course.signal(`module[${m}].position.x`).values,
      values: course.signal(`module[${m}].position.z`).values,
    })),
    { across: 'way, m' },
  );
}
if (wanted.includes('rigs')) {
  const plot = (kind, ...words) => command('rig', kind, ...words, '--plot', join(pictures, `rig-${kind}.svg`));
  plot('plate', '--soil', 'moon-nominal', '--load', '1000');
  plot('ring', '--soil', 'sand-azimi', '--load', '200');
  const wheel = ['--soil', 'moon-nominal', '--radius', '0.12', '--load', '100', '--grousers', '24'];
  plot('wheel', ...wheel, '--slip', '0.6', '--digging', '0.05');
  plot('drawbar', ...wheel);
  plot('slope', ...wheel, '--model', 'wong-reece');
}
