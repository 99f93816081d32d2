// Mutated and cut-off files of 3MF, glTF, VRML, STEP and IGES: a reader returns a sound document or our own error, in
// time and in memory. What is packed or checked by sums is mutated inside, too: most mutants of a zip fail its check sum.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGltf } from '../../src/geometry/files/gltf-read.js';
import { writeGlb } from '../../src/geometry/files/gltf-write.js';
import { readStep } from '../../src/geometry/files/step-read.js';
import { readThreeMf } from '../../src/geometry/files/threemf-read.js';
import { readModelPart } from '../../src/geometry/files/threemf-read-model.js';
import { openZip } from '../../src/geometry/files/threemf-read-zip.js';
import { writeThreeMf } from '../../src/geometry/files/threemf-write.js';
import { readVrml } from '../../src/geometry/files/vrml-read.js';
import { box, cone } from '../../src/geometry/primitives.js';
import { fuzzReader } from '../fuzz/fuzz-reader.js';

const file = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/files/${name}`, import.meta.url)));
const PARTS = [
  { name: 'box', mesh: box(0.01).mesh, colour: [1, 0.5, 0, 1] as const },
  { name: 'cone', mesh: cone({ radius: 0.01, height: 0.03, segments: 12 }).mesh },
];

test('3MF packages', async () => {
  const samples = [writeThreeMf(PARTS), file('3mf/bored-block-openscad.3mf')];
  await fuzzReader('3mf', (bytes) => readThreeMf(bytes, { fileName: 'fuzz.3mf' }), samples, { runs: 600, seed: 1 });
});

test('3MF models', async () => {
  const model = openZip(writeThreeMf(PARTS), 'a').read('3D/3dmodel.model');
  const components = new TextEncoder().encode(
    `<model unit="inch"><resources><m:colorgroup id="9"><m:color color="#FF0000"/></m:colorgroup>
     <object id="1" name="a&amp;b" pid="9" pindex="0"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>
     <vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2" p1="0"/></triangles></mesh></object>
     <object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/><component objectid="1"/>
     </components></object></resources><build><item objectid="2"/></build></model>`,
  );
  const document = { format: '3mf', parts: [], profiles: [] } as const;
  const { read } = await fuzzReader(
    '3mf model',
    (bytes) => {
      const { unit, unitFrom, notes, objects } = readModelPart(bytes, '3D/3dmodel.model', { fileName: 'fuzz.3mf' });
      const parts = [...objects.values()].flatMap(({ mesh, colour }) =>
        mesh ? [{ name: 'x', mesh, ...(colour ? { colour } : {}) }] : [],
      );
      return { ...document, unit, unitFrom, notes, parts };
    },
    [model, components],
    { runs: 2000, seed: 2 },
  );
  expect(read).toBeGreaterThan(100); // mutants that are still models
});

test('GLB and glTF', async () => {
  const glb = [await writeGlb(PARTS), file('gltf/bored-block.glb')];
  await fuzzReader('glb', (bytes) => readGltf(bytes, { fileName: 'fuzz.glb' }), glb, { runs: 1000, seed: 3 });
  const companion = (name: string) => (name.endsWith('.bin') ? file('gltf/bored-block.bin') : undefined);
  const { read } = await fuzzReader(
    'gltf',
    (bytes) => readGltf(bytes, { fileName: 'fuzz.gltf', companion }),
    [file('gltf/bored-block.gltf')],
    { runs: 1500, seed: 4 },
  );
  expect(read).toBeGreaterThan(20);
});

test('VRML', async () => {
  const small = new TextEncoder().encode(`#VRML V2.0 utf8
    DEF a Transform { translation 1 2 3 rotation 0 0 1 0.5 scale 1 2 1 children [
      DEF s Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } } geometry Cylinder { radius 2 } }
      Shape { geometry Sphere { radius 0.5 } } Shape { geometry Box { size 1 2 3 } } Shape { geometry Cone { } }
      Transform { children USE s } Switch { whichChoice 0 choice [ USE s ] } ] }
    PROTO X [ field SFFloat a 1 ] { Group { } } ROUTE a.b TO c.d Script { url "javascript:" }`);
  const samples = [small, file('vrml/bored-block.wrl'), file('vrml/bored-block.wrz')];
  const { read } = await fuzzReader('vrml', (bytes) => readVrml(bytes, { fileName: 'fuzz.wrl' }), samples, {
    runs: 1500,
    seed: 5,
  });
  expect(read).toBeGreaterThan(100);
});

test('STEP and IGES', async () => {
  // Open CASCADE takes 20 to 100 ms for each mutant that passes our checks, more on a busy machine. Its memory is that
  // of one instance, which starts anew after an exception.
  const samples = [file('step/bored-block-mm.step'), file('iges/bored-block-mm.igs')];
  await fuzzReader('step', (bytes) => readStep(bytes, { fileName: 'fuzz.step' }), samples, {
    runs: 80,
    seed: 6,
    longest: 10_000,
    mostMemory: 1e9,
    truncations: 60,
  });
});
