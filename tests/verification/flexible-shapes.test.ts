// Boxes and cylinders deform as the extrusions that they are; tall ones are rods along their height, which a planar part does not know.
import { expect, test } from 'vitest';
import {
  applied,
  body,
  box,
  circle,
  cylinder,
  extrude,
  fixed,
  type Model,
  model,
  modelFromJson,
  modelToJson,
  Simulation,
  type Solid,
  simulate,
  translate,
} from '../../src/index.js';
import type { FlexibleOptions } from '../../src/model/flexible.js';

const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
const [L, b, h] = [0.2, 0.02, 0.01];
const clamped = (shape: Solid, low: number, flexible: FlexibleOptions | true = true, more = {}) =>
  model({
    gravity: 'none',
    bodies: { beam: body({ shape, material: steel, flexible }) },
    joints: { wall: fixed({ body: 'beam', at: [-L / 2, 0, low] }) },
    forces: { load: applied({ on: { body: 'beam', at: [L / 2, 0, low] }, force: [0, -100, 0] }) },
    simulation: { start: 'equilibrium', stop: 1e-4, ...more },
  });

const flat: [number, number][] = [
  [-L / 2, -b / 2],
  [L / 2, -b / 2],
  [L / 2, b / 2],
  [-L / 2, b / 2],
];

test('a box is an extruded rectangle, to the bit, and stays a box as data', async () => {
  const bent = (built: Model) => simulate(built).signal('beam.deformation.2').values;
  const asBox = clamped(box([L, b, h]), 0);
  expect(bent(asBox)).toEqual(bent(clamped(translate([0, 0, -h / 2], extrude(flat, h)), 0)));
  // Euler–Bernoulli: F L³ / (3 E I) with I = h b³/12, and 0.6 % of shear and of the wall, which holds the depth
  const sag = (100 * L ** 3) / ((3 * steel.youngsModulus * h * b ** 3) / 12);
  expect(-bent(asBox)[0] / sag).toBeCloseTo(1, 1);
  const { model: value } = modelToJson(asBox);
  expect(value).toMatchObject({ bodies: { beam: { shape: { box: { size: [L, b, h] } } } } });
  expect(bent(await modelFromJson(value))).toEqual(bent(asBox));
});

test('a cylinder is an extruded circle, and one that is higher than wide is told to be a rod', () => {
  const r = 0.01;
  const rod = (shape: Solid, height = 0.2) =>
    simulate(
      model({
        gravity: 'none',
        bodies: { rod: body({ shape, material: steel, flexible: true }) },
        joints: { wall: fixed({ body: 'rod', at: [0, 0, -height / 2] }) },
        forces: { load: applied({ on: { body: 'rod', at: [0, 0, height / 2] }, force: [100, 0, 0] }) },
        simulation: { stop: 1e-4 },
      }),
    );
  const height = 0.2;
  const planar = rod(cylinder({ radius: r, height }));
  expect(planar.signal('rod.stress.across').values).toEqual(
    rod(translate([0, 0, -height / 2], extrude(circle(r), height))).signal('rod.stress.across').values,
  );
  expect(planar.trust.verdict!.word).toBe('doubtful');
  const [{ reason, remedy }] = planar.trust.verdict!.reasons;
  // as of a rectangle of the circle's length and area: 6 M / (L b²) is 24.3 MPa, of the circle 4 M / (π r³) = 25.5
  expect(reason).toContain('along its height would bend it by some 0.00029 m at 24 MPa');
  expect(remedy).toContain('flexible: { layers: 7 }');
  // one that would take 28 layers is not sent to what a model refuses
  const [{ remedy: other }] = rod(cylinder({ radius: r, height: 1 }), 1).trust.verdict!.reasons;
  expect(other).not.toContain('layers:');
  expect(other).toContain('draw "rod" with its length in its outline');
});

test('what a mesh costs before the first step is told while it is computed', () => {
  const heard: string[] = [];
  new Simulation(clamped(box([L, b, h]), 0), { preparing: (what) => heard.push(what) });
  const [, unknowns] = /^bodies\.beam: stiffness of (\d+) unknowns factored to 0 %$/.exec(heard[0])!;
  expect(Number(unknowns)).toBeGreaterThan(500);
  const parts = heard.filter((what) => what.includes('factored')).map((what) => Number(/(\d+) %$/.exec(what)![1]));
  expect(parts).toEqual([...parts].sort((one, other) => one - other));
  expect(parts.at(-1)).toBeGreaterThan(50);
  expect(heard.at(-1)).toBe('bodies.beam: modes');
});

test('what is fixed does not deform, and is told', () => {
  expect(() =>
    model({ bodies: { plate: body({ shape: box(0.1), material: steel, fixed: true, flexible: true }) } }),
  ).toThrow('bodies.plate.flexible: the body is fixed and does not deform; hold it by a joint');
});
