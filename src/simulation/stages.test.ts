/** A program that has only what its models need: same bits, and what is missing is refused by name. */
import { describe, expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, cylinder, sphere, torus } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { planar, revolute } from '../model/joints.js';
import { oak, rubber, steel } from '../model/materials.js';
import { type Model, model } from '../model/model.js';
import { simulate, simulationWith } from './simulation.js';
import type { SimulationOptions } from './simulation-options.js';
import {
  cylinders,
  extrusions,
  flexibleBodies,
  grains,
  meshes,
  type Stages,
  soils,
  surfaces,
  timeStepping,
} from './stages.js';

const floor = body({ shape: halfSpace({}), material: steel, fixed: true });
const onFloor = (shape: Parameters<typeof body>[0]['shape'], height: number) =>
  model({ bodies: { floor, part: body({ shape, material: oak, position: [0, 0, height] }) } });
const onTable = (shape: Parameters<typeof body>[0]['shape'], height: number) =>
  model({
    bodies: {
      table: body({ shape: box([1, 1, 0.1]), material: steel, fixed: true, position: [0, 0, -0.05] }),
      part: body({ shape, material: oak, position: [0, 0, height] }),
    },
  });
const triangle = extrude([[0, 0], [0.1, 0], [0, 0.1]], 0.05); // biome-ignore format: one line

interface Needing {
  readonly needs: string;
  readonly stage: Stages;
  readonly path: string;
  readonly of: () => Model;
  readonly options?: SimulationOptions;
}
const needing: readonly Needing[] = [
  {
    needs: 'timeStepping',
    stage: timeStepping,
    path: 'integrator',
    of: () => onFloor(box(0.1), 0.06),
    options: { integrator: 'time-stepping', step: 2e-3 },
  },
  {
    needs: 'meshes',
    stage: meshes,
    path: 'contact of',
    of: () => onTable(torus({ majorRadius: 0.1, minorRadius: 0.03 }), 0.031),
  },
  {
    needs: 'cylinders',
    stage: cylinders,
    path: 'contact of',
    of: () => onTable(cylinder({ radius: 0.05, height: 0.1 }), 0.051),
  },
  {
    needs: 'extrusions',
    stage: extrusions,
    path: 'contact of',
    of: () =>
      model({
        gravity: [0, -9.81, 0],
        bodies: {
          wall: body({ shape: triangle, material: steel, fixed: true, position: [0, -0.101, 0] }),
          part: body({ shape: triangle, material: steel, position: [0, 0, 0] }),
        },
        joints: { plane: planar({ body: 'part', normal: [0, 0, 1] }) },
      }),
  },
  {
    needs: 'surfaces',
    stage: surfaces,
    path: 'contact of',
    of: () =>
      model({
        bodies: {
          table: body({
            mass: 1,
            fixed: true,
            material: steel,
            contact: { surfaces: [{ kind: 'rectangle', width: 1, length: 1 }] },
          }),
          ball: body({
            mass: 1,
            inertia: [1e-3, 1e-3, 1e-3],
            material: steel,
            position: [0, 0, 0.101],
            contact: { surfaces: [{ kind: 'sphere', radius: 0.1 }] },
          }),
        },
      }),
  },
  {
    needs: 'flexibleBodies',
    stage: flexibleBodies,
    path: 'bodies.beam.flexible',
    of: () =>
      model({
        bodies: {
          beam: body({
            shape: extrude([[0, 0], [1, 0], [1, 0.02], [0, 0.02]], 0.02), // biome-ignore format: one line
            material: steel,
            flexible: { grid: [10, 1] },
            contact: false,
          }),
        },
        joints: { pin: revolute({ body: 'beam', at: [0, 0.01, 0.01], axis: [0, 0, 1] }) },
      }),
  },
  {
    needs: 'grains',
    stage: grains,
    path: 'model.grains',
    of: () =>
      model({
        bodies: { floor },
        grains: {
          species: { bead: { radius: 0.01, material: rubber } },
          packings: {
            heap: {
              species: 'bead',
              region: {
                box: [
                  [0, 0, 0.01],
                  [0.1, 0.1, 0.1],
                ],
              },
              count: 5,
            },
          },
        },
      }),
  },
  {
    needs: 'soils',
    stage: soils,
    path: 'soils.sand',
    of: () =>
      model({
        bodies: { block: body({ shape: box(0.1), material: steel, position: [0, 0, 0.06] }) },
        soils: { sand: { soil: 'lete-sand', spacing: 0.02, bodies: { block: {} } } },
      }),
  },
];

describe('stages that are handed in', () => {
  test('rigid bodies alone run with the bits of the whole', () => {
    const scene = model({
      bodies: {
        floor,
        ball: body({ shape: sphere(0.05), material: rubber, position: [0.01, 0, 0.134] }),
        brick: body({ shape: box([0.1, 0.08, 0.06]), material: oak, position: [0, 0, 0.0301] }),
      },
    });
    const few = simulationWith();
    const options = { stopTime: 0.06 };
    expect(few.simulate(scene, options).hash).toBe(simulate(scene, options).hash);
    const run = new few.Simulation(scene, options);
    while (run.advance(run.time + 0.02));
    expect(run.finish().hash).toBe(simulate(scene, options).hash);
  });

  test.each(needing)('$needs: refused by name where it is missing, same bits where it is there', (one) => {
    const scene = one.of();
    const options = { stopTime: 4e-3, ...one.options };
    expect(() => simulationWith().simulate(scene, options)).toThrow(
      new RegExp(
        `^${one.path}.*needs ${one.needs}, .*import \\{ ${one.needs}, simulationWith \\} from 'tippetop/simulation'`,
      ),
    );
    expect(simulationWith(one.stage).simulate(scene, options).hash).toBe(simulate(one.of(), options).hash);
  });
});
