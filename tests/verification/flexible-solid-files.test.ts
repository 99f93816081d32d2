// A part with a mesh of its own, as somebody else's mesher writes it, becomes a flexible body of a model in JSON: the same body from both formats, held by a set of the file or by the
// flat face that the joint lies on, with the frequency of a beam.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import { extrudeMesh } from '../../src/flexible-bodies/mesh/extruded-mesh.js';
import { stripMesh } from '../../src/flexible-bodies/mesh/strip.js';
import type { Model } from '../../src/model/model.js';
import { loadModel } from '../../src/node/model-files/load-model.js';

const folder = mkdtempSync(join(tmpdir(), 'tippetop-'));
afterAll(() => rmSync(folder, { recursive: true }));

// mm, as meshers mostly write
const [L, width, height] = [100, 10, 8];
const { points, nodeCount, elements, elementCount } = extrudeMesh(stripMesh([0, 0], [L, width], 20, 2), height, 2);
const nodes = Array.from({ length: nodeCount }, (_, i) => Array.from(points.subarray(3 * i, 3 * i + 3)));
const tetrahedra = Array.from({ length: elementCount }, (_, e) =>
  Array.from(elements.subarray(10 * e, 10 * e + 10), (node) => node + 1),
);
const wall = nodes.flatMap(([x], i) => (x === 0 ? [i + 1] : []));

writeFileSync(
  join(folder, 'bar.inp'),
  [
    '*NODE',
    ...nodes.map((at, i) => `${i + 1}, ${at.join(', ')}`),
    '*ELEMENT, TYPE=C3D10, ELSET=BAR',
    ...tetrahedra.map((own, e) => `${e + 1}, ${own.join(', ')}`),
    '*NSET, NSET=ROOT',
    ...wall.map((node) => `${node},`),
  ].join('\n'),
);
// Gmsh has the last two middles the other way round
writeFileSync(
  join(folder, 'bar.msh'),
  [
    '$MeshFormat\n2.2 0 8\n$EndMeshFormat',
    `$Nodes\n${nodeCount}`,
    ...nodes.map((at, i) => `${i + 1} ${at.join(' ')}`),
    `$EndNodes\n$Elements\n${elementCount}`,
    ...tetrahedra.map((own, e) => `${e + 1} 11 2 1 1 ${[...own.slice(0, 8), own[9], own[8]].join(' ')}`),
    '$EndElements\n',
  ].join('\n'),
);

async function frequencies(file: string, interfaces: object): Promise<number[]> {
  const model = join(folder, `${file}.json`);
  writeFileSync(
    model,
    JSON.stringify({
      bodies: {
        bar: {
          shape: { file, unit: 'mm' },
          material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 },
          flexible: { modes: 3, ...interfaces },
        },
      },
      joints: { clamp: { kind: 'fixed', body: 'bar', at: [0, 0.005, 0.004] } },
    }),
  );
  const system = assemble((await loadModel(model))() as Model);
  return Array.from(system.flexible![0].part.heldFrequencies, (w) => w / (2 * Math.PI));
}

test('a bar from .inp and .msh swings as a beam', async () => {
  const inp = await frequencies('bar.inp', { interfaces: { clamp: { set: 'ROOT' } } });
  const msh = await frequencies('bar.msh', {});
  // Euler–Bernoulli, 1.875² i √(E/ρ)/L², i = h/√12, across and along: shear and the clamped section change less than 1 %
  const beam = (h: number): number =>
    ((3.516015 * (h / Math.sqrt(12))) / 0.1 ** 2 / (2 * Math.PI)) * Math.sqrt(210e9 / 7850);
  expect(Math.abs(inp[0] / beam(0.008) - 1)).toBeLessThan(0.01);
  expect(Math.abs(inp[1] / beam(0.01) - 1)).toBeLessThan(0.01);
  for (let k = 0; k < 3; k++) expect(Math.abs(msh[k] / inp[k] - 1)).toBeLessThan(1e-9);
});
