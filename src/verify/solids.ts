/** Claims about solids (rows S1–S5): closed forms, CSG identities, files, elementary functions. */

import { genevaWheelMoments } from '../assets/machine-elements/geneva-outline.js';
import { genevaWheel } from '../assets/machine-elements/geneva-wheel.js';
import { intersect, union } from '../geometry/csg/index.js';
import { readCad, writeCad } from '../geometry/files/index.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { box, cylinder, sphere } from '../geometry/primitives.js';
import { rotate, translate } from '../geometry/transform.js';
import { exp, sin } from '../math/elementary.js';
import { random } from '../math/random.js';
import { type Check, relative } from './check.js';

const volume = (solid: { readonly mesh: Parameters<typeof meshMassProperties>[0] }): number =>
  meshMassProperties(solid.mesh).volume;

/** log₂ of the ratio of errors at one and at twice the resolution. */
const order = (coarse: number, fine: number): number => Math.log2(Math.abs(coarse) / Math.abs(fine));

export const solidChecks: readonly Check[] = [
  {
    id: 'S1-box',
    title: 'volume of a box, 1 km from the origin, relative',
    source: 'closed form; coordinates that far carry 1e-13 m themselves',
    limit: 1e-12,
    measure: () => relative(volume(translate([1000, -500, 250], box([0.5, 0.25, 0.125]))), 0.5 * 0.25 * 0.125),
  },
  {
    id: 'S1-sphere',
    title: 'order at which the volume of a meshed sphere converges',
    source: 'second order: a chord is h²/8R inside its arc',
    limit: 0.1,
    measure: () => {
      const exact = (4 / 3) * Math.PI;
      const error = (subdivision: number): number => volume(sphere(1, { subdivision })) - exact;
      return { value: order(error(8), error(16)), reference: 2 };
    },
  },
  {
    id: 'S1-cylinder',
    title: 'order at which the volume of a meshed cylinder converges',
    source: 'n/2 sin(2π/n) against π',
    limit: 0.1,
    measure: () => {
      const error = (segments: number): number => volume(cylinder({ radius: 1, height: 2, segments })) - 2 * Math.PI;
      return { value: order(error(32), error(64)), reference: 2 };
    },
  },
  {
    id: 'S3-identity',
    title: 'V(A∪B) − V(A) − V(B) + V(A∩B) over 20 random pairs, largest, relative',
    source: 'inclusion–exclusion',
    limit: 1e-9,
    measure: () => {
      const numbers = random('S3');
      let worst = 0;
      for (let i = 0; i < 20; i++) {
        const a = rotate(numbers.rotation(), i % 2 ? box([1, 1.5, 0.7]) : sphere(0.8));
        const b = translate(numbers.inSphere(), rotate(numbers.rotation(), cylinder({ radius: 0.5, height: 1.4 })));
        const common = intersect(a, b);
        const both = common.mesh.triangles.length > 0 ? volume(common) : 0;
        worst = Math.max(worst, Math.abs(volume(union(a, b)) - volume(a) - volume(b) + both) / (volume(a) + volume(b)));
      }
      return { value: worst, reference: 0 };
    },
  },
  {
    id: 'S3-geneva',
    title: 'volume of the six-slot Geneva wheel by CSG, 512 segments, relative',
    source: 'exact outline of lines and arcs by Green’s theorem; a polygon of n corners is 6.6/n² short',
    limit: 3e-5,
    measure: () => {
      const size = { slots: 6, radius: 0.02, segments: 512 };
      return relative(volume(genevaWheel(size)), genevaWheelMoments(size).wheelArea * 0.02 * 0.2);
    },
  },
  {
    id: 'S4-round-trip',
    title: 'largest change of a coordinate through OBJ, PLY and 3MF, m',
    source: 'these formats keep double precision',
    limit: 0,
    measure: async () => {
      const { mesh } = rotate({ axis: [1, 2, 3], angle: 1 }, sphere(0.0371));
      let worst = 0;
      for (const form of ['obj', 'ply', '3mf'] as const) {
        const bytes = await writeCad(form, [{ name: 'ball', mesh }], []);
        const { parts } = await readCad(bytes, { fileName: `ball.${form}` });
        parts[0].mesh.vertices.forEach((x, i) => {
          worst = Math.max(worst, Math.abs(x - mesh.vertices[i]));
        });
      }
      return { value: worst, reference: 0 };
    },
  },
  {
    id: 'B6-sin',
    title: 'sin(10²²), a hard argument',
    source: '−0.8522008497671888017727…, Kahan',
    limit: 1.2e-16,
    measure: () => ({ value: sin(1e22), reference: -0.8522008497671888 }),
  },
  {
    id: 'B6-exp',
    title: 'exp(−745), deep in the subnormals',
    source: 'the smallest positive double, 2⁻¹⁰⁷⁴',
    limit: 0,
    measure: () => ({ value: exp(-745), reference: 5e-324 }),
  },
];
