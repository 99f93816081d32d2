/** The command line as a user meets it: what it prints, where, and with which exit code. Runs the built package. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-cli-'));

function tippetop(...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { code: status, out: stdout, error: stderr };
}

/** A tetrahedron with legs of 10 (mm); `faces` leaves some out. */
const tetrahedron = (faces = 4): string => {
  const corners = ['0 0 0', '10 0 0', '0 10 0', '0 0 10'];
  const facets = [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ].slice(0, faces);
  const text = facets.map(
    (f) => `facet normal 0 0 0\nouter loop\n${f.map((i) => `vertex ${corners[i]}`).join('\n')}\nendloop\nendfacet\n`,
  );
  return `solid wedge\n${text.join('')}endsolid wedge\n`;
};

beforeAll(() => {
  writeFileSync(join(folder, 'wedge.stl'), tetrahedron());
  writeFileSync(join(folder, 'open.stl'), tetrahedron(3));
  writeFileSync(join(folder, 'cut.stl'), tetrahedron().slice(0, 200));
  writeFileSync(
    join(folder, 'slab.model.ts'),
    "import { box } from 'tippetop';\nexport default ({ width = 2 /* m */, hollow = false } = {}) => ({ slab: box([width, 1, hollow ? 0.1 : 1]) });\n",
  );
  writeFileSync(join(folder, 'broken.model.ts'), 'export default () => {\n  const x: = 3;\n};\n');
  writeFileSync(
    join(folder, 'throws.model.ts'),
    "import { box } from 'tippetop';\n\nexport default () => ({ slab: box([1, 1, -1]) });\n",
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('inspect', () => {
  test('tells volume and mass in the unit given', () => {
    const { code, out } = tippetop('inspect', 'wedge.stl', '--unit', 'mm', '--density', '6000');
    expect(code).toBe(0);
    expect(out).toContain('solid       yes');
    expect(out).toContain('volume      166.7 mm³'); // 10³/6 mm³
    expect(out).toContain('mass        1 g at 6000 kg/m³');
  });
  test('--json prints one document, and the figures in full', () => {
    const { code, out } = tippetop('inspect', 'wedge.stl', '--unit', 'mm', '--json');
    expect(code).toBe(0);
    const document = JSON.parse(out) as { unitFrom: string; parts: { name: string; volume: number; solid: boolean }[] };
    expect(document.unitFrom).toBe('option');
    expect(document.parts[0]).toMatchObject({ name: 'wedge', solid: true });
    expect(document.parts[0].volume / (1e-6 / 6)).toBeCloseTo(1, 14);
  });
  test('an open mesh gets exit code 1, its edges named, and a picture', () => {
    const { code, out } = tippetop('inspect', 'open.stl', '--unit', 'mm', '--picture', 'open.png');
    expect(code).toBe(1);
    expect(out).toContain('3 edges have a triangle on one side only');
    expect(readFileSync(join(folder, 'open.png')).subarray(1, 4).toString()).toBe('PNG');
  });
  test('a truncated file is named with its line', () => {
    const { code, error } = tippetop('inspect', 'cut.stl');
    expect(code).toBe(2);
    expect(error).toMatch(/^error: cut\.stl, line \d+: expected .* cut short/);
  });
});

describe('convert', () => {
  test('repairs when asked and says what it did', () => {
    const { code, out } = tippetop('convert', 'open.stl', 'closed.ply', '--unit', 'mm', '--repair', '--fill-holes');
    expect(code).toBe(0);
    expect(out).toContain('repaired wedge: filled a hole of 3 edges');
    expect(out).toContain('closed, volume 166.7 mm³');
  });
  test('keeps the unit through the formats that have one', () => {
    tippetop('convert', 'wedge.stl', 'wedge.3mf', '--unit', 'mm');
    const { out } = tippetop('inspect', 'wedge.3mf', '--json');
    expect(JSON.parse(out)).toMatchObject({ unit: 'mm', unitFrom: 'file', parts: [{ name: 'wedge', solid: true }] });
  });
  test('leaves no unfinished file behind when it fails', () => {
    expect(tippetop('convert', 'cut.stl', 'never.obj').code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([]);
  });
  test('refuses to write over its input', () => {
    expect(tippetop('convert', 'wedge.stl', './wedge.stl').error).toContain('is the input');
  });
});

describe('build', () => {
  test('parameters of the model are options', () => {
    const { code, out } = tippetop('build', 'slab.model.ts', '--width', '3', '--json', '--out', 'slab');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ parameters: { width: 3 }, solids: [{ name: 'slab', volume: 3 }] });
    for (const file of ['slab.glb', 'slab.stl', 'slab.png', 'summary.json'])
      expect(existsSync(join(folder, 'slab', file))).toBe(true);
  });
  test('--parameters lists them with units', () => {
    expect(tippetop('build', 'slab.model.ts', '--parameters').out).toMatch(/--width <value>\s+m \(default: 2\)/);
  });
  test.each([
    [
      ['build', 'slab.model.ts', '--widht', '3'],
      /--widht: the model has no parameter of this name.*did you mean "width"/,
    ],
    [['build', 'slab.model.ts', '--width', 'three'], /--width: expected a number \(m\), as in 2, got "three"/],
    [['build', 'slab.model.ts', '--width'], /--width: expected a value behind it/],
    [['build', 'geneva-weel'], /no such model file, folder or example; did you mean "geneva-wheel"/],
    [['build', 'throws.model.ts'], /error: box\.size/],
    [['inspect', 'wedge.stl', '--densty', '1'], /unknown option '--densty'\n\(Did you mean --density\?\)/],
    [['inspect', 'wedge.stl', '--density', '-1'], /--density: expected a number > 0 kg\/m³, got "-1"/],
    [['inspekt'], /unknown command 'inspekt'\n\(Did you mean inspect\?\)/],
    [['inspect'], /missing required argument 'file'/],
  ])('%j is bad input', (words, message) => {
    const { code, out, error } = tippetop(...words);
    expect(error).toMatch(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
  test("a mistake in the user's file is shown with its line", () => {
    const { code, error } = tippetop('build', 'broken.model.ts');
    expect(code).not.toBe(0);
    expect(error).toContain('broken.model.ts:2:');
  });
});

test('--help names every command and exits with 0', () => {
  const { code, out } = tippetop('--help');
  expect(code).toBe(0);
  for (const command of ['inspect', 'convert', 'build', 'bench', 'list']) expect(out).toContain(command);
  expect(tippetop('convert', '--help').out).toContain('--fill-holes');
});

test('list tells what each example is', () => {
  expect(tippetop('list').out).toMatch(/^geneva-wheel\s+\S.*\.$/m);
});
