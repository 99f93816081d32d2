/** `export` and `render` as a user meets them: files by their endings, errors, a film where ffmpeg is. Runs the built package. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-export-'));
const inFolder = (...path: string[]): string => join(folder, ...path);
const tippetop = (...words: string[]): { code: number | null; out: string; error: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, error: stderr };
};

beforeAll(() => {
  const { code, error } = tippetop('run', 'ring-on-hook', '--stop', '0.05', '--interval', '0.005', '--quiet');
  expect(error).toBe('');
  expect(code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('export', () => {
  test('glTF that the Khronos validator accepts', async () => {
    expect(tippetop('export', 'out/ring-on-hook', 'ring.glb')).toMatchObject({ code: 0, out: 'wrote ring.glb\n' });
    const { issues } = await validateBytes(new Uint8Array(readFileSync(inFolder('ring.glb'))));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  test('a model as data, and what data cannot hold is named', () => {
    expect(tippetop('export', 'newtons-cradle', 'cradle.model.json')).toMatchObject({
      code: 0,
      out: 'wrote cradle.model.json\n',
    });
    expect(JSON.parse(readFileSync(inFolder('cradle.model.json'), 'utf8'))).toHaveProperty('bodies.ball');
    expect(tippetop('export', 'robot-arm', 'arm.json').out).toMatch(/left out: joints\.yaw\.motor is a function/);
  });

  test('a series of VTK files, by the name of the run', () => {
    const { code, out } = tippetop('export', 'ring-on-hook', 'vtk/ring.vtk', '--instants', '3', '--json');
    expect(code).toBe(0);
    const { written } = JSON.parse(out) as { written: string[] };
    expect(readdirSync(inFolder('vtk')).sort()).toEqual(written.map((file) => file.slice(4)).sort());
    expect(written).toContain('vtk/ring.vtk.series');
  });

  test('MCAP, MAT, CSV of chosen signals and of contacts, an SVG plot', () => {
    for (const words of [
      ['ring.mcap'],
      ['ring.mat'],
      ['ring.csv', '--signals', 'ring.position.*'],
      ['contacts.csv', '--table', 'contacts'],
      ['ring.svg', '--signals', 'ring.position.z'],
    ])
      expect(tippetop('export', 'out/ring-on-hook/recording.h5', ...words).error).toBe('');
    expect(readFileSync(inFolder('ring.csv'), 'utf8').split('\n')[0].split(',')).toHaveLength(4);
    expect(readFileSync(inFolder('contacts.csv'), 'utf8')).toContain('normalForce');
    expect(readFileSync(inFolder('ring.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<path/);
    expect(readFileSync(inFolder('ring.mcap')).subarray(1, 5).toString()).toBe('MCAP');
  });

  test('says what is wrong', () => {
    for (const [words, message] of [
      [['export', 'nothing', 'a.glb'], /there is no such file or folder, nor out\/nothing/],
      [['export', 'ring-on-hok', 'a.glb'], /did you mean "ring-on-hook"/],
      [['export', 'ring-on-hook', 'a.gltf'], /expected a name that ends in \.glb/],
      [['export', 'ring-on-hook', 'a.glb', '--signals', 'x'], /--signals: does not go with \.glb/],
      [['export', 'ring-on-hook', 'a.svg', '--signals', 'ring.postion.x'], /no signal matches "ring.postion.x"/],
      [['export', 'ring-on-hook', 'a.glb', '--from', '9'], /no rows from 9 s/],
      [['render', 'ring-on-hook', 'a.png', '--view', 'frnt'], /--view: expected one of .*did you mean "front"/],
      [['render', 'ring-on-hook', 'a.png', '--size', '0x4'], /--size: expected width and height/],
      [['render', 'ring-on-hook', 'a.png', '--exaggerate', 'much'], /--exaggerate: expected auto or a number from 0/],
      [['render', 'ring-on-hook', 'a.gif'], /ends in \.png, \.mp4 or \.webm/],
    ] as const) {
      const { code, error } = tippetop(...words);
      expect(error).toMatch(message);
      expect(code).toBe(2);
    }
    mkdirSync(inFolder('empty'));
    expect(tippetop('export', 'empty', 'a.glb').error).toMatch(/has no recording\.h5; "tippetop run/);
    writeFileSync(inFolder('cut.h5'), readFileSync(inFolder('out/ring-on-hook/recording.h5')).subarray(0, 3000));
    expect(tippetop('export', 'cut.h5', 'a.glb')).toMatchObject({ code: 2 });
    expect(existsSync(inFolder('a.glb'))).toBe(false);
  });
});

describe('render', () => {
  test('a still, with forces', () => {
    expect(tippetop('render', 'ring-on-hook', 'still.png', '--at', '0.02', '--forces', '--size', '160x120').error).toBe(
      '',
    );
    const png = readFileSync(inFolder('still.png'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([160, 120]);
  });

  test('numbered stills of a film', () => {
    const { out } = tippetop('render', 'ring-on-hook', 'film/f-%03d.png', '--fps', '100', '--size', '64x64');
    expect(out).toMatch(/6 pictures/); // 0.05 s at 100 a second, both ends
    expect(readdirSync(inFolder('film')).sort()[5]).toBe('f-005.png');
  });

  test('a film where ffmpeg is installed, and what to do where it is not', () => {
    const installed = spawnSync('ffmpeg', ['-version']).status === 0;
    const { code, error } = tippetop('render', 'ring-on-hook', 'film.mp4', '--fps', '100', '--size', '64x64');
    expect(code).toBe(installed ? 0 : 2);
    if (installed) expect(readFileSync(inFolder('film.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    const without = spawnSync(process.execPath, [main, 'render', 'ring-on-hook', 'other.mp4', '--size', '64x64'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: '/nowhere' },
    });
    expect(without.stderr).toMatch(/films need the program ffmpeg.*frame-%04d\.png/);
    expect(without.status).toBe(2);
    expect(existsSync(inFolder('other.mp4'))).toBe(false);
    if (!installed) expect(error).toMatch(/ffmpeg/);
  });
});
