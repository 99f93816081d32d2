import { describe, expect, test } from 'vitest';
import { wheel } from '../../assets/wheel.js';
import { motionOfSlip, wongReeceForces, wongReeceSinkage } from '../../contact-laws/soil/wong-reece.js';
import { box } from '../../geometry/primitives.js';
import { SOILS } from '../../model/soil-library.js';
import { relief } from './relief.js';
import { rolledWheel, SoilRig } from './rigs.js';

const grouser = { count: 24, height: 0.01, root: 0.006, tip: 0.0055 };
const lugged = () => wheel({ radius: 0.12, width: 0.1, segments: 120, grouser }).solid.mesh;

describe('which faces are flanks and floors', () => {
  test('a wheel without grousers and a box have none', () => {
    for (const mesh of [wheel({ radius: 0.12, segments: 60 }).solid.mesh, box([0.2, 0.1, 0.1]).mesh]) {
      const { flanks, floors, thinnest } = relief(mesh);
      expect(flanks.every((x) => x === 0)).toBe(true);
      expect(floors.every((x) => x === 0)).toBe(true);
      expect(thinnest).toBe(Infinity);
    }
  });

  test('flanks of grousers push along the radius, the tread between them is a floor, tips are as thick as they are', () => {
    const mesh = lugged();
    const { flanks, floors, thinnest } = relief(mesh);
    expect(thinnest).toBeCloseTo(0.0055, 6);
    let [found, tread] = [0, 0];
    for (let t = 0; t < floors.length; t++) {
      const centre = [0, 1, 2].map((k) =>
        [0, 1, 2].reduce((sum, c) => sum + mesh.vertices[3 * mesh.triangles[3 * t + c] + k] / 3, 0),
      );
      const radius = Math.hypot(centre[0], centre[2]);
      const e = flanks.subarray(3 * t, 3 * t + 3);
      if (e.some((x) => x !== 0)) {
        found++;
        expect(radius).toBeGreaterThan(0.118);
        expect(Math.abs((e[0] * centre[0] + e[2] * centre[2]) / radius)).toBeGreaterThan(0.85);
      }
      if (floors[t]) {
        tread++;
        expect(radius).toBeLessThan(0.1205);
      }
    }
    expect(found).toBeGreaterThanOrEqual(4 * 24);
    expect(tread).toBeGreaterThanOrEqual(2 * 24);
  });
});

// Wong–Reece with grousers, tips over 0.16 of the tread: sinkage of the tips 29.7 mm, pull 41.4 N, torque 8.18 N m. The integral has shear on the tips'
// circle, the grid on the surfaces that are there, a twelfth nearer to the axle: its torque is that much lower. The grid's Ke is finite.
test('a wheel with grousers at 60 % slip under 100 N sinks and pulls as the integral says', () => {
  const soil = SOILS['moon-nominal'];
  const size = { radius: 0.12, width: 0.1, shear: 'soil', grouserHeight: 0.01, tipRatio: 0.16 } as const;
  const motion = motionOfSlip(0.6);
  const sinkage = wongReeceSinkage(soil, size, 100, motion);
  const exact = wongReeceForces(soil, size, sinkage, motion);
  const trial = { radius: 0.12, slip: 0.6, load: 100, way: 0.07 };
  const grid = rolledWheel(lugged(), trial, { soil, spacing: 0.005 }, { pressureWidth: 0.1, sideFaces: false });
  expect(Math.abs((grid.sinkage + 0.01) / sinkage - 1)).toBeLessThan(0.05);
  expect(Math.abs(grid.drawbarPull / exact.drawbarPull - 1)).toBeLessThan(0.15);
  expect(Math.abs(grid.torque / (exact.torque * (0.12 / 0.13)) - 1)).toBeLessThan(0.1);
});

test('a heap beside a block that moves onto it is pushed on: the load does not jump by it', () => {
  const rig = new SoilRig(
    box([0.1, 0.1, 0.1]).mesh,
    { soil: SOILS['moon-nominal'], spacing: 0.01 },
    { sideFaces: false },
  );
  const { tiles } = rig.grid;
  rig.place(0.005, 0.005, 0.04);
  rig.accept();
  const alone = rig.evaluate().force[2];
  for (let j = -10; j <= 10; j++) {
    const node = tiles.node(6, j); // just beside it
    tiles.fields.level[node] += 0.05;
    tiles.fields.level0[node] += 0.05;
    tiles.raise(node, 0.05);
  }
  rig.place(0.0151, 0.005, 0.04);
  // one row of cells more, one less: as without the heap
  expect(Math.abs(rig.evaluate().force[2] / alone - 1)).toBeLessThan(0.02);
});

test('grousers that would fall between the nodes are refused, with the distance they need', () => {
  expect(() => new SoilRig(lugged(), { soil: SOILS['moon-nominal'], spacing: 0.01 })).toThrow(
    /grousers are 0.0055 m thick .* "spacing" of at most 0.0055 m/,
  );
});

test('nodes on the edge of a body do not come and go by rounding', () => {
  const rig = new SoilRig(box([0.1, 0.1, 0.1]).mesh, { soil: SOILS['moon-nominal'], spacing: 0.01 });
  const count = (shift: number): number => {
    rig.place(shift, -shift, 0.04);
    return rig.evaluate().nodes;
  };
  expect(new Set([0, 1e-17, -1e-17, 3e-16, -3e-16].map(count))).toEqual(new Set([11 * 11]));
});
