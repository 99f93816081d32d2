// What a user may get wrong about flexible parts, told by name: where, what was expected, what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import { femCommand } from '../../src/cli/fem/fem.js';
import { optimiseCommand } from '../../src/cli/fem/optimise.js';
import type { Vec2, Vec3 } from '../../src/index.js';
import { applied, body, extrude, fixed, model, simulate } from '../../src/index.js';
import type { FlexibleOptions } from '../../src/model/flexible.js';
import type { Material } from '../../src/model/material.js';

const steel: Material = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
const plate: Vec2[] = [
  [0, 0],
  [0.1, 0],
  [0.1, 0.05],
  [0, 0.05],
];

interface Part {
  outline?: Vec2[];
  material?: Material;
  flexible?: FlexibleOptions;
  wall?: Vec3;
  load?: Vec3;
}
const made = ({ outline = plate, material = steel, flexible = {}, wall = [0, 0.025, 0], load }: Part) =>
  assemble(
    model({
      contacts: false,
      bodies: { plate: body({ shape: extrude(outline, 0.01), material, flexible }) },
      joints: { wall: fixed({ body: 'plate', at: wall }) },
      ...(load && { forces: { load: applied({ on: { body: 'plate', at: load }, force: [0, -1, 0] }) } }),
    }),
  );

const { youngsModulus, ...noModulus } = steel;
test.each<[string, Part, string]>([
  [
    'an outline that crosses itself',
    { outline: [plate[0], plate[2], plate[1], plate[3]] },
    'edges 0 and 2 cross at (0.05, 0.025) m',
  ],
  ['a material without modulus', { material: noModulus }, "bodies.plate.material: expected Young's modulus in Pa"],
  [
    'a joint beside the part',
    { wall: [-0.1, 0, 0] },
    'joints.wall: takes hold of nothing: the flexible part is 0.100 m',
  ],
  [
    'a mesh size in mm',
    { flexible: { meshSize: 5 } },
    'bodies.plate.flexible.meshSize: expected a mesh size in m, up to 0.100 m',
  ],
  [
    '… of a solid',
    { wall: [0, 0.025, 0.005], flexible: { meshSize: 5, layers: 1 } },
    'bodies.plate.flexible.meshSize: expected a mesh size in m, up to 0.100 m',
  ],
  [
    'a mesh of more tetrahedra than memory holds',
    { wall: [0, 0.025, 0.005], flexible: { meshSize: 1e-3, layers: 16 } },
    'layers have',
  ],
  [
    'a grid of more cells than memory holds',
    { flexible: { grid: [4000, 4000] } },
    'bodies.plate.flexible.grid: expected up to 400000 corners, got a grid of 4000 × 4000 cells',
  ],
  ['pieces by another word', { flexible: { substructures: 'auto' as 'automatic' } }, "from 1 to 64, or 'automatic'"],
  ['options by a word', { flexible: 'yes' as FlexibleOptions }, 'expected true, or options such as { modes: 6 }'],
  ['a misspelt option', { flexible: { mode: 6 } as FlexibleOptions }, 'did you mean "modes"?'],
  ['a load on nothing', { load: [0.3, 0.02, 0] }, 'forces.load: takes hold of nothing'],
  ['… is told to move the force', { load: [0.3, 0.02, 0] }, 'move the force onto the part'],
  [
    'an interface narrower than an element',
    { wall: [0.03, 0.02, 0], flexible: { meshSize: 0.02, interfaces: { wall: { radius: 1e-3 } } } },
    'joints.wall: takes hold of no node, an interface narrower than an element of 0.020 m',
  ],
  [
    'a joint that holds all of a coarse mesh',
    { wall: [0, 0, 0], flexible: { meshSize: 0.1 } },
    'bodies.plate: all its nodes are held as one piece by joints.wall: nothing is left to deform',
  ],
  [
    'two holds at one place',
    { wall: [0.02, 0.02, 0], load: [0.021, 0.02, 0] },
    'takes hold of the same part of the flexible body as joints.wall',
  ],
  ['a mesh of too many points', { flexible: { meshSize: 1e-5 } }, 'needs more than 400000 corners'],
])('%s', (_, part, words) => {
  expect(() => made(part)).toThrow(words);
});

test('a part that nothing holds floats; without modes it would be rigid', () => {
  const free = (flexible: FlexibleOptions) =>
    assemble(
      model({ contacts: false, bodies: { plate: body({ shape: extrude(plate, 0.01), material: steel, flexible }) } }),
    );
  expect(free({}).flexible).toHaveLength(1);
  expect(() => free({ modes: 0 })).toThrow('bodies.plate.flexible.modes: expected at least one mode');
});

// A plate of 100 × 40 mm as a drawing
const folder = mkdtempSync(join(tmpdir(), 'flexible-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const drawing = join(folder, 'plate.dxf');
writeFileSync(
  drawing,
  [
    ...['0', 'SECTION', '2', 'ENTITIES', '0', 'LWPOLYLINE', '8', '0', '90', '4', '70', '1'],
    ...[
      [0, 0],
      [100, 0],
      [100, 40],
      [0, 40],
    ].flatMap(([x, y]) => ['10', `${x}`, '20', `${y}`]),
    ...['0', 'ENDSEC', '0', 'EOF', ''],
  ].join('\n'),
);
const common = ['--unit', 'mm', '--thickness', '5mm', '--out', folder];

test.each<[string, string[], string]>([
  ['a load where the part is held', ['--fix', 'left', '--load', 'left=0,-500'], '--load: "left=0,-500" loads nothing'],
  ['a load beside the part', ['--fix', 'left', '--load', 'near 200mm,0=0,-500'], 'its nearest edge is 0.1'],
  ['a part that nothing holds', ['--load', 'right=0,-500'], '--load: the part is not held'],
  ['an unknown material', ['--fix', 'left', '--material', 'cheese'], 'there is no material "cheese"; there are'],
])('fem: %s', async (_, words, message) => {
  await expect(femCommand().parseAsync([drawing, ...common, ...words], { from: 'user' })).rejects.toThrow(message);
});

test.each<[string, string[], string]>([
  [
    'a design region that cannot carry its loads',
    ['--fix', 'left', '--load', 'right=0,-500', '--empty', '50mm,20mm,21mm'],
    '--empty: what stays empty cuts the load at (0.1, 0) m off from all that is held',
  ],
  ['a load where the part is held', ['--fix', 'left', '--load', 'left=0,-500'], 'loads nothing'],
  [
    'more full than may be filled',
    ['--fix', 'left', '--load', 'right=0,-500', '--volume', '0.001'],
    'stay full already',
  ],
])('optimise: %s', async (_, words, message) => {
  const args = [drawing, ...common, '--size', '2mm', '--iterations', '2', ...words];
  await expect(optimiseCommand().parseAsync(args, { from: 'user' })).rejects.toThrow(message);
});

test('a part that is fixed to the ground does not deform', () => {
  expect(() =>
    model({ bodies: { plate: body({ shape: extrude(plate, 0.01), material: steel, flexible: true, fixed: true }) } }),
  ).toThrow('bodies.plate.flexible: the body is fixed and does not deform');
});

// legal, and most likely a slip of the pen
test.each<[string, Part, string | undefined]>([
  ['nothing', {}, undefined],
  [
    'a modulus in MPa',
    { material: { ...steel, youngsModulus: 210e3 } },
    'slower than through jelly; is its youngsModulus in Pa (it is 210 kPa)',
  ],
  ['a density in g/cm³', { material: { ...steel, density: 7.85 } }, 'faster than through any solid'],
  ['rubber', { material: { density: 1100, youngsModulus: 1e6, poissonRatio: 0.48 } }, undefined],
  ['damping in percent', { flexible: { damping: 2 } }, 'flexible.damping is 2 times critical'],
])('told by a note: %s', (_, { material = steel, flexible = {} }, told) => {
  const { notes } = simulate(
    model({
      gravity: 'none',
      contacts: false,
      bodies: {
        plate: body({ shape: extrude(plate, 0.01), material, flexible: { modes: 1, grid: [4, 2], ...flexible } }),
      },
      joints: { wall: fixed({ body: 'plate', at: [0, 0.025, 0] }) },
    }),
    { stopTime: 1e-3 },
  ).trust!;
  if (told === undefined) expect(notes).toEqual([]);
  else expect(JSON.stringify(notes)).toContain(told);
});

test('gravity that changes along a part is told', () => {
  const notesIn = (field: (at: Vec3) => Vec3) =>
    JSON.stringify(
      simulate(
        model({
          gravity: field,
          contacts: false,
          bodies: {
            plate: body({ shape: extrude(plate, 0.01), material: steel, flexible: { modes: 1, grid: [4, 2] } }),
          },
          joints: { wall: fixed({ body: 'plate', at: [0, 0.025, 0] }) },
        }),
        { stopTime: 1e-3 },
      ).trust!.notes,
    );
  expect(notesIn(() => [0, -9.81, 0])).not.toContain('gravity changes');
  // ∂g/∂x = 10 1/s² over half of 0.112 m, from one corner to the other, of 9.81 m/s²: 5.7 %
  expect(notesIn(([x]) => [0, -9.81 + 10 * x, 0])).toContain('gravity changes by 5.7 % over half its length');
});
