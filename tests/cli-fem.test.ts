/** `tippetop fem` and `tippetop optimise` as users type them, with drawings of their own. Runs the built package. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { profileArea } from '../src/geometry/polygon.js';
import { readCadFile } from '../src/node/cad-files.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-fem-'));
const tippetop = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, error: stderr };
};

/** A drawing in mm */
const drawing = (...entities: (string | number)[][]): string =>
  ['0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC 0 SECTION 2 ENTITIES', ...entities.map((one) => one.join(' '))]
    .concat('0 ENDSEC 0 EOF')
    .join(' ')
    .replaceAll(' ', '\n');
const line = (a: number, b: number, c: number, d: number) => ['0 LINE 8 0', 10, a, 20, b, 11, c, 21, d];
const arc = (x: number, y: number, r: number, from: number, to: number) => [
  '0 ARC 8 0',
  10,
  x,
  20,
  y,
  40,
  r,
  50,
  from,
  51,
  to,
];
const box = (width: number, height: number, gap = 0) => [
  line(0, 0, width, 0),
  line(width, 0, width, height),
  line(width, height, 0, height),
  line(0, height, 0, gap),
];

beforeAll(() => {
  writeFileSync(join(folder, 'bar.dxf'), drawing(...box(150, 50)));
  writeFileSync(join(folder, 'open.dxf'), drawing(...box(150, 50, 0.8)));
  writeFileSync(
    join(folder, 'slot.dxf'),
    drawing(line(0, 0, 80, 0), arc(80, 15, 15, -90, 90), line(80, 30, 0, 30), arc(0, 15, 15, 90, 270)),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Held along x only and at one point across, a bar is free to become thinner: σ = F/(b t) everywhere, F L/(E b t) long, exact for any mesh
test('one direction of a side and a point: a pulled bar', () => {
  const { out } = tippetop(
    ...['fem', 'bar.dxf', '--thickness', '5mm', '--size', '20mm', '--fix', 'left:x', '--fix', 'point 0,0:y'],
    ...['--load', 'right=1000,0', '--modes', '0', '--json'],
  );
  const { statics } = JSON.parse(out) as { statics: { largestStress: number; strainEnergy: number } };
  expect(statics.largestStress / 4e6).toBeCloseTo(1, 9);
  expect(statics.strainEnergy / ((0.5 * 1e6 * 0.15) / (210e9 * 0.05 * 0.005))).toBeCloseTo(1, 9);
});

// What acts and what bears it, by names; Lamé's cylinder and closed forms of the rest: flexible-bodies/fem/loads.test.ts
test('pressure, weight, a turn and a known displacement: reactions and their balance', () => {
  const { code, out } = tippetop(
    ...[
      'fem',
      'bar.dxf',
      '--thickness',
      '5mm',
      '--size',
      '20mm',
      '--fix',
      'left:x',
      '--fix',
      'point 0,0:y',
      '--move',
      'right:x=0.1mm',
    ],
    ...[
      '--load',
      'top=2MPa',
      '--load',
      'bottom=2MPa',
      '--gravity',
      '0,-10',
      '--spin',
      '100rad/s',
      '--modes',
      '0',
      '--json',
    ],
  );
  expect(code).toBe(0);
  const { statics } = JSON.parse(out) as {
    statics: Record<'loads' | 'reactions', { name: string; force: number[]; moment: number[] }[]> & {
      balance: { force: number; moment: number };
      displacementAt: number[];
    };
  };
  const mass = 7850 * 0.15 * 0.05 * 0.005;
  expect(statics.loads.map(({ name }) => name)).toEqual(['top=2MPa', 'bottom=2MPa', 'gravity 0,-10', 'spin 100rad/s']);
  const [top, bottom, weight, spin] = statics.loads.map(({ force }) => force);
  expect(top[1]).toBeCloseTo(-2e6 * 0.15 * 0.005, 6);
  expect(bottom[1]).toBeCloseTo(2e6 * 0.15 * 0.005, 6);
  expect(weight[1] / (-10 * mass)).toBeCloseTo(1, 9);
  // ω² m r of the centre of mass
  expect(spin[0] / (1e4 * mass * 0.075)).toBeCloseTo(1, 9);
  expect(spin[1] / (1e4 * mass * 0.025)).toBeCloseTo(1, 9);
  expect(statics.reactions.map(({ name }) => name)).toEqual(['left:x', 'point 0,0:y', 'right:x=0.1mm']);
  const [left, point, right] = statics.reactions.map(({ force }) => force);
  expect(point[1] / (10 * mass - 1e4 * mass * 0.025)).toBeCloseTo(1, 9);
  // Betti with uniaxial tension, which any mesh has exactly: R L + Σ f_x x − ν Σ f_y y = E δ h t
  const [w2, L, h] = [1e4, 0.15, 0.05];
  const across = -1500 * h - 10 * mass * (h / 2) + (w2 * mass * h * h) / 3;
  const bears = (210e9 * 1e-4 * h * 0.005 - (w2 * mass * L * L) / 3 + 0.3 * across) / L;
  expect(right[0] / bears).toBeCloseTo(1, 9);
  expect(left[0] / (-bears - spin[0])).toBeCloseTo(1, 9);
  expect(Math.max(statics.balance.force, statics.balance.moment)).toBeLessThan(1e-10);
});

test('a solid in layers is held and pressed at the sides of its outline', () => {
  const { out, error } = tippetop(
    ...[
      'fem',
      'slot.dxf',
      '--thickness',
      '8mm',
      '--layers',
      '1',
      '--size',
      '15mm',
      '--fix',
      'edge 2',
      '--load',
      'edge 3=1MPa',
    ],
    ...['--load', 'point 40mm,30mm,8mm=0,0,-1kN', '--modes', '0'],
  );
  expect(error).toBe('');
  // the straight side of 80 mm, 8 mm thick
  expect(out).toMatch(/edge 3=1MPa +\(0, -640, 0\) N/);
  expect(out).toMatch(/reactions\n +edge 2 +\(0, 640, 1000\) N/);
});

test('a free part: motions as a whole are told for what they are', () => {
  const { out } = tippetop('fem', 'bar.dxf', '--size', '20mm', '--modes', '4');
  expect(out.match(/0 Hz, it moves as a whole/g)).toHaveLength(3);
  expect(out).toMatch(/mode 4 +\d{4,}\.\d* Hz/);
});

// A force in the middle of a part acts there, at the nearest node, which is told; beyond the part, or in its bore, there is none (it went to the nearest node of the rim, however far)
test('a point inside of a part, and beyond it', () => {
  const words = ['--size', '10mm', '--fix', 'left', '--modes', '0', '--load'];
  const { out } = tippetop('fem', 'bar.dxf', ...words, 'point 73mm,28mm=0,-5', '--json');
  const { notes, statics } = JSON.parse(out) as { notes: string[]; statics: { loads: { moment: number[] }[] } };
  const [, x] = /"point 73mm,28mm" is the node at \((\S+), \S+\) m/.exec(notes[0])!;
  expect(Math.abs(Number(x) - 0.073)).toBeLessThan(0.01);
  // its moment about the origin is that of the node told
  expect(statics.loads[0].moment[0] / (-5 * Number(x))).toBeCloseTo(1, 3);
  expect(tippetop('fem', 'bar.dxf', ...words, 'point 150mm,75mm=0,-5').error).toMatch(
    /"point 150mm,75mm" is nothing of this part: its nearest node is 0\.0250 m away, at \(0\.15, 0\.05\) m/,
  );
});

test('what is left out of a drawing would make it another part; what is no drawing', () => {
  const hole = (x: number): (string | number)[] => ['0 CIRCLE 8 0', 10, x, 20, 25, 40, 10];
  writeFileSync(join(folder, 'touching.dxf'), drawing(...box(150, 50), hole(50), hole(70)));
  expect(tippetop('fem', 'touching.dxf').error).toMatch(
    /two outlines touch at \(60, 25\) mm; left out; without what is left out/,
  );
  writeFileSync(
    join(folder, 'a.stl'),
    'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n',
  );
  expect(tippetop('fem', 'a.stl').error).toMatch(
    /a\.stl: holds surfaces, and no outline; expected a drawing .* or for a solid a mesh of tetrahedra/,
  );
  writeFileSync(
    join(folder, 'plate.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="40mm" viewBox="0 0 100 40"><rect width="100" height="40"/></svg>',
  );
  expect(tippetop('fem', 'plate.svg', '--size', '20mm', '--modes', '0').out).toMatch(/31\.4 g of steel/);
  writeFileSync(join(folder, 'some.msh'), '');
  expect(tippetop('fem', 'some.msh', '--thickness', '5mm').error).toMatch(/--thickness: is for a drawing/);
  expect(tippetop('fem', 'bar.dxf', '--size', '20mm', '--out', 'bar.dxf').error).toMatch(
    /^error: bar\.dxf\/mesh\.svg: a part of the path is a file, not a folder/,
  );
});

describe('what is meant otherwise is told', () => {
  test.each([
    [
      ['--fix', 'left'],
      /"left" is nothing of this part: it has no straight edge there; it has "edge 1" … "edge 4" and no hole, or take "near x,y"/,
    ],
    [['--fix', 'hole 2'], /"hole 2" is nothing of this part: it has "edge 1" … "edge 4" and no hole/],
    [
      ['--fix', 'near 50,50'],
      /nearest edge is 70\.\d m away; lengths without a unit are m, others are written such as 20mm,5mm/,
    ],
    [['--fix', 'bottom:z'], /expected one direction behind the colon, such as "left:x", got "bottom:z"/],
    // K of a part that can turn about a point has a pivot that rounding makes positive
    [['--fix', 'point 0,0', '--load', 'top=0,-5'], /the part is not held: it can move or turn freely; fix more of it/],
    [['--fix', 'bottom:y'], /the part is not held: it can move or turn freely; fix more of it/],
    [
      ['--fix', 'bottom', '--load', 'top=5'],
      /--load: expected <where>=fx,fy in N such as .*, or a pressure with its unit such as "right=5MPa", got "top=5"/,
    ],
    [['--fix', 'bottom', '--load', 'top=1e400,5'], /--load: expected <where>=fx,fy/],
    [['--fix', 'bottom', '--load', 'top=,5'], /--load: expected <where>=fx,fy/],
    [
      ['--fix', 'bottom', '--load', 'point 40mm,30mm=5MPa'],
      /"point 40mm,30mm": a point has no area that a pressure could act on/,
    ],
    [['--fix', 'bottom', '--gravity', '-9.81'], /--gravity: expected gx,gy in m\/s² such as 0,-9\.81, got "-9\.81"/],
    [['--fix', 'bottom', '--gravity', '0,0'], /--gravity: "gravity 0,0" loads nothing/],
    [
      ['--fix', 'bottom', '--spin', '3000'],
      /--spin: expected a speed with its unit, perhaps with a centre, such as 3000rpm.*got "3000"/,
    ],
    [['--fix', 'hole 0'], /"hole 0" is nothing of this part: it has "edge 1" … "edge 4" and no hole/],
    [['--layers', 'two'], /--layers: expected a whole number of layers from 1, got "two"/],
    [
      ['--layers', '3000'],
      /--layers: expected a solid of up to 300000 nodes.*in 3000 layers have \d+; take fewer layers, or a larger --size/,
    ],
    [['--gravity', '0,-9.81'], /--gravity: the part is not held; say where it is with --fix/],
    [
      ['--fix', 'bottom', '--move', 'top'],
      /--move: expected <where>=dx,dy such as "right=0\.1mm,0", or some directions of it, "right:x=0\.1mm", got "top"/,
    ],
    [['--fix', 'bottom', '--move', 'top=1mm'], /--move: expected <where>=dx,dy/],
    [
      ['--fix', 'bottom', '--move', 'edge 2:x=1mm'],
      /"edge 2:x=1mm" moves a node along x by 0\.001 m that "bottom" holds: one of them only can have it/,
    ],
    [
      ['--fix', 'bottom', '--load', 'point 40mm=1,1'],
      /expected left, right, .*"near x,y" or "point x,y", got "point 40mm"/,
    ],
  ])('%s', (words, message) => {
    const { code, error } = tippetop('fem', 'slot.dxf', ...words);
    expect(code).toBe(2);
    expect(error).toMatch(message);
  });
  test('an open outline, and how to close it', () => {
    expect(tippetop('fem', 'open.dxf').error).toMatch(/gap 0\.8 mm.*--join of fem and optimise/s);
    expect(tippetop('fem', 'open.dxf', '--join', '1mm', '--size', '20mm', '--modes', '0').code).toBe(0);
    const { out } = tippetop('fem', 'bar.dxf', '--thickness', '5', '--size', '20', '--modes', '0');
    expect(out).toMatch(
      /note: --thickness is 5\.000 m, and the part reaches over 150\.0 mm; lengths without a unit are m/,
    );
    expect(out).toMatch(/note: --size is 20\.00 m, and the part/);
  });
});

// Half an MBB beam: the plane of symmetry held along x, a corner carried, a hole that stays empty; two load cases
test('half a beam, two load cases, a hole: the outline has the volume asked for and can be analysed again', async () => {
  const hold = ['--thickness', '5mm', '--fix', 'left:x', '--fix', 'point 150mm,0:y'];
  const { code, out } = tippetop(
    ...[
      'optimise',
      'bar.dxf',
      ...hold,
      '--size',
      '4mm',
      '--volume',
      '0.5',
      '--empty',
      '75mm,25mm,8mm',
      '--iterations',
      '25',
    ],
    ...['--load', 'point 0,50mm=0,-1000', '--load', 'point 40mm,50mm=0,-500', '--out', 'half'],
  );
  expect(code).toBe(0);
  expect(out).toMatch(/73 iterations/); // and four times twelve that make it black and white
  const { profiles } = await readCadFile(join(folder, 'half/design.dxf'));
  expect(profiles).toHaveLength(1);
  // bisected, but for loops of a few elements, which are dropped, and the largest piece is taken: 0.6 %
  expect(Math.abs(profileArea(profiles[0].profile) / (0.5 * 0.15 * 0.05) - 1)).toBeLessThan(0.01);
  for (const name of ['design.svg', 'design.stl', 'design-density.svg'])
    expect(existsSync(join(folder, 'half', name))).toBe(true);
  expect(readFileSync(join(folder, 'half/design.svg'), 'utf8')).toMatch(/<path/);
  const again = tippetop(
    'fem',
    'half/design.dxf',
    ...hold,
    '--load',
    'point 0,50mm=0,-1000',
    '--modes',
    '0',
    '--out',
    'again',
  );
  expect(again.out).toMatch(/strain energy/);
});

// A crash for want of memory; an outline cut at a volume the design does not have; circles and mirrors beside the part that did nothing
test.each([
  [['--load', 'right=0,-1', '--radius', '1m', '--size', '1mm'], /--radius: 1 m reaches over some \d+ elements/],
  [
    ['--load', 'right=0,-1', '--radius', '1um'],
    /--radius: expected at least the side of an element, 0\.00150 m, better two or three, got 0\.000001 m/,
  ],
  [['--load', 'right=0,-1', '--iterations', '2.5'], /--iterations: expected a whole number, 1 or more, got "2\.5"/],
  [['--load', 'right=0,-1', '--volume', '0'], /--volume: expected a part of the volume such as 0\.4 or 40%, got "0"/],
  [
    ['--load', 'right=0,-1', '--size', '200mm'],
    /--size: expected elements far smaller than the part, which reaches over 150\.0 mm/,
  ],
  [['--load', 'right=0,-1', '--empty', '275mm,25mm,8mm'], /--empty: no element has its middle within 0\.008 m/],
  [
    ['--load', 'right=0,-1', '--mirror', 'y=40mm'],
    /--mirror: y = 0\.04 m is no line of symmetry of the part: \d+ % of it/,
  ],
  [['--gravity', '0,-9.81'], /--load: weight and spin alone are borne best where there is no material/],
])('what no design can be made of: %s', (words, message) => {
  const { code, error } = tippetop('optimise', 'bar.dxf', '--fix', 'left', ...words);
  expect(error).toMatch(message);
  expect(code).toBe(2);
});

test('two pieces that both carry loads are both in the drawing, with the volume asked for', async () => {
  const { out } = tippetop(
    ...['optimise', 'bar.dxf', '--fix', 'left', '--fix', 'right', '--size', '4mm', '--volume', '20%'],
    ...['--load', 'point 15mm,25mm=0,-1000;point 135mm,25mm=0,-1000', '--iterations', '12', '--out', 'pair'],
  );
  expect(out).toContain('the design is in 2 pieces');
  const { profiles } = await readCadFile(join(folder, 'pair', 'design.dxf'));
  expect(profiles.length).toBe(2);
  const area = profiles.reduce((sum, { profile }) => sum + profileArea(profile), 0);
  expect(Math.abs(area / (0.2 * 0.15 * 0.05) - 1)).toBeLessThan(0.02);
});

test('Ctrl-C is heard between iterations and keeps the design', async () => {
  const child = spawn(
    process.execPath,
    [
      main,
      'optimise',
      'bar.dxf',
      '--fix',
      'left',
      '--load',
      'right=0,-1000',
      '--size',
      '4mm',
      '--iterations',
      '100000',
      '--out',
      'kept',
    ],
    { cwd: folder },
  );
  let out = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text;
    if (/^ +1 {2}compliance/m.test(out) && !child.killed) child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  expect(out).toMatch(/Ctrl-C: ends with the design so far/);
  expect(out).toMatch(/compliance .* J; stopped/);
  expect(existsSync(join(folder, 'kept/design.dxf'))).toBe(true);
});
