// OpenSCAD as independent judge of CSG: same trees, same polyhedra, exact rational arithmetic. See the script.
import { expect, test } from 'vitest';
import { genevaWheelParts } from '../../src/assets/machine-elements/geneva-wheel.js';
import * as csg from '../../src/geometry/csg/index.js';
import { box, cylinder, sphere } from '../../src/geometry/primitives.js';
import { rotate, translate } from '../../src/geometry/transform.js';

const script = new URL('../../scripts/validate-openscad.mjs', import.meta.url).href;
const { compareWithOpenscad, HOW_TO_INSTALL, openscadVersion, nefVolume } = await import(/* @vite-ignore */ script);
const version: string | undefined = openscadVersion();
if (version === undefined) console.warn(`skipped: comparison with OpenSCAD; ${HOW_TO_INSTALL}`);

test.skipIf(version === undefined)('Geneva wheels and random trees have the volume OpenSCAD finds', () => {
  const geometry = { ...csg, box, cylinder, sphere, rotate, translate, genevaWheelParts };
  const results: { name: string; theirs: number; difference: number }[] = compareWithOpenscad(geometry);
  expect(results).toHaveLength(7);
  for (const { name, theirs, difference } of results) {
    expect(theirs, name).toBeGreaterThan(0);
    expect(difference, name).toBeLessThan(1e-6);
    // OpenSCAD rounds its input to 2⁻²⁰ of 2²⁰ or more: what is left is 1e-12 and our own rounding
    expect(difference, name).toBeLessThan(1e-10);
  }
});

test('a file that is not what OpenSCAD 2021.01 writes is refused', () => {
  expect(() =>
    nefVolume('Selective Nef Complex\nstandard\nvertices 1\nhalfedges 0\nfacets 0\nvolumes 0\nshalfedges 0\n\n\nx'),
  ).toThrow('unexpected line');
});
