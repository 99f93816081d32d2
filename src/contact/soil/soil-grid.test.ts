import { describe, expect, test } from 'vitest';
import { wheel } from '../../assets/wheel.js';
import { plateSinkage } from '../../contact-laws/soil/pressure-sinkage.js';
import { box, cylinder, sphere } from '../../geometry/primitives.js';
import { revolve } from '../../geometry/revolve.js';
import { rotate } from '../../geometry/transform.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { fromQuaternion, type Mat3, multiply } from '../../math/mat3.js';
import type { Quaternion } from '../../math/quaternion.js';
import { SOILS, type SoilName } from '../../model/soil-library.js';
import { pressedPlate, rolledWheel, SoilRig, shearedRing } from './rigs.js';
import { SoilDerivative } from './soil-derivative.js';
import { SoilGrid, SoilWrench } from './soil-grid.js';
import { SoilMesh } from './soil-mesh.js';

describe('a plate', () => {
  // Closed form z = [p/(kc/b + kphi)]^(1/n), b the smaller side; with edges on the borders of cells the area is exact
  test.each<[SoilName, number]>([
    ['lete-sand', 1000],
    ['dry-sand-lll', 1000],
    ['moon-nominal', 200],
    ['clayey-38', 1000],
  ])('0.2 × 0.1 m on %s at %f N sinks as the closed form says', (name, load) => {
    const soil = { ...SOILS[name], elasticStiffness: 1e12 };
    const rig = new SoilRig(box([0.2, 0.1, 0.1]).mesh, { soil, spacing: 0.01 });
    const z = pressedPlate(rig, 0.05, load, [0.005, 0.005]);
    expect(Math.abs(z / plateSinkage(soil, 0.1, load / 0.02) - 1)).toBeLessThan(0.005);
  });

  // Wherever it stands on the grid and however it is turned, as deep and without a moment about its middle
  test.each([
    [0.008, 0.007, 0],
    [0.001, 0.0033, 0],
    [0.005, 0.005, 0.3],
    [0.0012, 0.0037, 0.9],
  ])('at (%f, %f) m, turned by %f, carries as it does between nodes', (x, y, angle) => {
    const soil = { ...SOILS['dry-sand-lll'], elasticStiffness: 1e12 };
    const rig = new SoilRig(box([0.2, 0.1, 0.1]).mesh, { soil, spacing: 0.01 });
    rig.place(x, y, 0.05, angle, 'z');
    for (let k = 0; k < 8; k++) {
      rig.carry(1000, 0.1);
      rig.accept();
    }
    const { torque, area } = rig.evaluate();
    expect((0.05 - rig.motion.position[2]) / plateSinkage(soil, 0.1, 1000 / 0.02) - 1).toBeCloseTo(0, 3);
    expect(area).toBeCloseTo(0.02, 12);
    expect(Math.hypot(torque[0], torque[1]) / 1000).toBeLessThan(1e-9); // m off the middle
  });

  test('pushed sideways little by little, it feels no jumps as it comes over nodes', () => {
    const rig = new SoilRig(box([0.1, 0.1, 0.1]).mesh, { soil: SOILS['moon-nominal'], spacing: 0.01 });
    rig.place(0.0031, 0.0017, 0.04, 0.2, 'z');
    rig.accept();
    let [before, largest] = [rig.evaluate().torque[1], 0];
    for (let k = 1; k <= 200; k++) {
      rig.place(0.0031 + 1e-4 * k, 0.0017, 0.04, 0.2, 'z');
      rig.accept();
      const now = rig.evaluate().torque[1];
      largest = Math.max(largest, Math.abs(now - before));
      before = now;
    }
    // 0.1 mm of 100: some 1e-3 of the load times its lever; a row of nodes would be a tenth of it
    expect(largest / (rig.wrench.force[2] * 0.05)).toBeLessThan(1e-2);
  });

  test('a disc of radius 5 cm, b = radius by area over perimeter: within 3 % at ten nodes a radius', () => {
    const soil = { ...SOILS['moon-nominal'], elasticStiffness: 1e12 };
    const rig = new SoilRig(
      cylinder({ radius: 0.05, height: 0.1, segments: 256 }).mesh,
      { soil, spacing: 0.005 },
      { pressureWidth: 'patch' },
    );
    const z = pressedPlate(rig, 0.05, 100, [0.0025, 0.0025]);
    expect(Math.abs(z / 15.0146e-3 - 1)).toBeLessThan(0.03);
  });

  test('unloads and reloads with its elastic stiffness, and what is left stays', () => {
    const soil = { ...SOILS['moon-nominal'], elasticStiffness: 2e8 };
    const rig = new SoilRig(box([0.2, 0.1, 0.1]).mesh, { soil, spacing: 0.01 });
    const z = pressedPlate(rig, 0.05, 200, [0.005, 0.005]);
    const carried = (sinkage: number): number => {
      rig.place(0.005, 0.005, 0.05 - sinkage);
      return rig.evaluate().force[2];
    };
    const release = 200 / (2e8 * 0.02);
    expect((carried(z) - carried(z - 0.5 * release)) / (0.5 * release)).toBeCloseTo(2e8 * 0.02, -5);
    expect(carried(z - 1.001 * release)).toBe(0);
    expect(carried(z - 0.999 * release)).toBeGreaterThan(0);
  });
});

describe('energy', () => {
  const soil = { ...SOILS['moon-nominal'], kc: 0, elasticStiffness: 2e8 };
  const pressed = () => {
    const rig = new SoilRig(box([0.2, 0.1, 0.1]).mesh, { soil, spacing: 0.01 });
    rig.place(0.005, 0.005, 0.06); // seen above the ground first, so that it comes down on it
    rig.accept();
    pressedPlate(rig, 0.05, 200, [0.005, 0.005]);
    rig.accept();
    return rig;
  };

  test('what is stored under a plate comes back when it is lifted: F²/(2 Ke A)', () => {
    const rig = pressed();
    expect(rig.evaluate().stored / (200 ** 2 / (2 * 2e8 * 0.02)) - 1).toBeCloseTo(0, 6);
    expect(rig.object.made).toBe(0);
  });

  test('a row of ten nodes that it comes over from the side brings σ²/2Ke each', () => {
    const rig = pressed();
    const depth = 0.05 - rig.motion.position[2];
    rig.place(0.015, 0.005, 0.05 - depth);
    rig.accept();
    const pressure = soil.kphi! * depth; // n = 1
    expect(rig.object.made / ((10 * 1e-4 * pressure ** 2) / (2 * 2e8)) - 1).toBeCloseTo(0, 6);
  });
});

describe('a shear ring', () => {
  // Janosi & Hanamoto: τ = (c + p tan φ)(1 − e^(−j/K)); inside the ring j grows with the radius, some percent off at a wide ring
  test('shows the soil its own curve', () => {
    const soil = { ...SOILS['sand-azimi'], elasticStiffness: 1e9 };
    const [inner, outer, load] = [0.08, 0.12, 200];
    const ring = revolve(
      [
        [inner, -0.02],
        [outer, -0.02],
        [outer, 0.02],
        [inner, 0.02],
      ],
      { segments: 180 },
    ).mesh;
    const curve = shearedRing(
      ring,
      { inner, outer, height: 0.02, load, turn: 0.6, steps: 12 },
      { soil, spacing: 0.005 },
    );
    const p = load / (Math.PI * (outer * outer - inner * inner));
    for (const { displacement, stress } of curve.slice(1)) {
      const exact =
        (soil.cohesion + p * Math.tan(soil.frictionAngle)) * (1 - Math.exp(-displacement / soil.shearLength));
      expect(Math.abs(stress / exact - 1)).toBeLessThan(0.05);
    }
  });
});

describe('a rolling wheel', () => {
  const soil = { ...SOILS['sand-azimi'], elasticStiffness: 4e12 };
  // So stiff a soil lets go of nodes under the chords of a coarser wheel: its chords must lie within σ/Ke of the circle
  const mesh = wheel({ radius: 0.15, width: 0.1, segments: 1440 }).solid.mesh;
  const roll = (slip: number, spacing: number) =>
    rolledWheel(mesh, { radius: 0.15, sinkage: 0.02, slip }, { soil, spacing }, { sideFaces: false });

  // Wong–Reece integral with the shear of soil points, contact-laws/soil/wheels.test.ts: load, drawbar pull N, torque N m
  test.each([
    [0.2, 102.311, 16.028, 5.5098],
    [0.6, 106.985, 34.908, 8.4514],
  ])('at slip %f approaches the integral, first order in the grid', (slip, load, pull, torque) => {
    const coarse = roll(slip, 0.01);
    const fine = roll(slip, 0.005);
    expect(Math.abs(fine.load / load - 1)).toBeLessThan(0.02);
    expect(Math.abs(fine.drawbarPull / pull - 1)).toBeLessThan(0.05);
    expect(Math.abs(fine.torque / torque - 1)).toBeLessThan(0.03);
    for (const [rough, close, exact] of [
      [coarse.load, fine.load, load],
      [coarse.torque, fine.torque, torque],
    ])
      expect(Math.log2((rough - exact) / (close - exact)), `${rough}, ${close} to ${exact}`).toBeCloseTo(1, 0);
  });

  // Behind its lowest line soil that carried σ springs back by σ/Ke, over √(2 r σ/Ke): a parabola of pressure, ⅔ b σ √(2 r σ/Ke) more than the integral, which ends at the lowest line
  test('in soil that springs back is carried behind its lowest line, too', () => {
    const springy = { ...soil, elasticStiffness: 1e9 };
    const { load, rig } = rolledWheel(
      mesh,
      { radius: 0.15, sinkage: 0.02, slip: 0.2 },
      { soil: springy, spacing: 0.01 },
      { sideFaces: false },
    );
    const pressure = springy.kphi! * 0.02 ** springy.n;
    const behind = (2 / 3) * 0.1 * pressure * Math.sqrt((2 * 0.15 * pressure) / 1e9);
    expect(load / (102.311 + behind) - 1).toBeCloseTo(0, 2); // 2.7 N of 105
    // A micrometre up: every node that carries lets go Ke · 1e-6 = 1 kPa, or what it has where that is less
    const carried = rig.evaluate();
    const [before, area] = [carried.force[2], carried.area];
    rig.motion.position[2] += 1e-6;
    const lost = before - rig.evaluate().force[2];
    expect(lost / (1e3 * area)).toBeGreaterThan(0.8);
    expect(lost / (1e3 * area)).toBeLessThan(1.1); // shear follows pressure
  });

  test('leaves a rut as deep as it sank, and finds no resistance in it the second time', () => {
    const { rig } = roll(0.2, 0.01);
    const { tiles } = rig.grid;
    expect(tiles.levelAt(8, 2)).toBeCloseTo(-0.02, 3);
    expect(tiles.levelAt(8, 30)).toBe(0);
  });
});

describe('a round body of flat triangles', () => {
  test.each<[string, TriangleMesh]>([
    [
      'wheel',
      rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.1, height: 0.1, segments: 60 })).mesh,
    ],
    ['ball', sphere(0.1).mesh],
  ])('%s: forces do not jump where edges come over nodes', (_name, mesh) => {
    const rig = new SoilRig(mesh, { soil: SOILS['dry-sand-lll'], spacing: 0.01 });
    const sideways = (x: number): number => {
      rig.place(x, 0, 0.095);
      const { force } = rig.evaluate();
      return force[0] / force[2];
    };
    // Flat triangles gave ± 1.3 % of the wheel's load to the sides of 0
    expect(Math.abs(sideways(1e-9) - sideways(-1e-9))).toBeLessThan(1e-6);
    let largest = 0;
    for (let k = 0; k < 100; k++) largest = Math.max(largest, Math.abs(sideways(1e-4 * (k + 1)) - sideways(1e-4 * k)));
    expect(largest).toBeLessThan(5e-3); // 0.1 mm each: a node that comes under it is 1e-3 of the load
  });

  test('a wheel of 60 sides is pressed along its radius', () => {
    const wheel = new SoilMesh(
      rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.1, height: 0.1, segments: 60 })).mesh,
    );
    for (let t = 0; t < wheel.kinds.length; t++) {
      const isTread = Math.abs(wheel.normals[3 * t + 1]) < 0.5;
      expect(wheel.isRound[t]).toBe(isTread ? 1 : 0);
      for (let c = 0; c < 3 && isTread; c++) {
        const v = 3 * wheel.triangles[3 * t + c];
        expect(wheel.cornerNormals[9 * t + 3 * c]).toBeCloseTo(wheel.vertices[v] / 0.1, 9);
        expect(wheel.cornerNormals[9 * t + 3 * c + 2]).toBeCloseTo(wheel.vertices[v + 2] / 0.1, 9);
      }
    }
  });
});

describe('what leaves the soil', () => {
  // A plate slid by 10 K and lifted: pressure is max(0, σ − (R + Ke T) v), cohesion goes with it, and soil never pulls
  const K = 0.01;
  const soil = { ...SOILS['phobos-high'], shearLength: K, elasticStiffness: 1e6, damping: 1e3 };
  const slid = (): SoilRig => {
    const options = { soil, spacing: 0.01, relaxation: 0.05, shearRelaxation: 0.5 };
    const rig = new SoilRig(box([0.2, 0.1, 0.1]).mesh, options, { sideFaces: false, pressureWidth: 0.1 });
    for (let k = 0; k <= 100; k++) {
      rig.place(0.005 + 1e-3 * k, 0.005, 0.048);
      rig.accept();
    }
    return rig;
  };
  const limit = Math.tan(soil.frictionAngle);

  test('faster than it springs back is not held at all', () => {
    const rig = slid();
    rig.motion.velocity.set([0.1, 0, 1]);
    const { force } = rig.evaluate();
    expect([...force]).toEqual([0, 0, 0]); // 200 Pa of cohesion would hold it with 4 N
  });

  test('slowly is held by cohesion as far as by pressure, without a jump', () => {
    const rig = slid();
    const { force } = rig.evaluate();
    const [rest, grip] = [force[2], -force[0]];
    // Sheared by ξ behind its front edge, and by the way of 0.1 m at most: all but K/L of it
    const most = 0.02 * soil.cohesion + rest * limit;
    expect(Math.abs(grip / (most * (1 - K / 0.2)) - 1)).toBeLessThan(5e-3); // cells
    let before = grip;
    for (let k = 1; k <= 200; k++) {
      rig.motion.velocity[2] = k * 2e-5;
      rig.evaluate();
      const part = Math.max(0, 1 - (rig.motion.velocity[2] * (1e3 + 0.05e6) * 0.02) / rest);
      expect(force[2]).toBeCloseTo(part * rest, 9);
      expect(-force[0]).toBeCloseTo(part * grip, 9);
      expect(before + force[0]).toBeLessThan(0.02 * grip); // one step of the 80 down to nothing
      before = -force[0];
    }
    expect(Math.abs(before)).toBe(0);
  });
});

describe('derivatives with the soil frozen', () => {
  test.each([
    ['a smooth wheel', 0, false, -0.5],
    ['grousers and their upright faces', 18, true, -0.5],
    // some nodes are let go of, others carry less than they would at rest, and their cohesion with it
    ['a smooth wheel on its way up', 0, false, 0.3],
  ])('of %s, by pose and twist, against differences', (_name, count, sideFaces, rising) => {
    const soil = { ...SOILS['sand-azimi'], elasticStiffness: 1e7, damping: 2e4 };
    const grouser = { count, height: 0.02, root: 0.016, tip: 0.013 };
    const mesh = wheel({ radius: count > 0 ? 0.13 : 0.15, width: 0.1, segments: 90, grouser }).solid.mesh;
    const grid = new SoilGrid(
      { sample: (x, y, out) => void out.set([0.1 * x - 0.05 * y, 0.1, -0.05]) },
      { soil, spacing: 0.006, relaxation: 1e-3, shearRelaxation: 1e-2 },
    );
    const object = grid.add('wheel', mesh, { sideFaces });
    const turnBy = (turn: readonly number[]): Mat3 => {
      const angle = Math.hypot(...turn);
      const axis = angle > 0 ? turn.map((x) => x / angle) : [0, 0, 1];
      return fromQuaternion([
        Math.cos(angle / 2),
        ...axis.map((x) => Math.sin(angle / 2) * x),
      ] as unknown as Quaternion);
    };
    // Neither upright nor along the grid: there forces have kinks, for walls push and do not pull, and faces that lean out bear and others do not
    const askew = turnBy([0.02, 0.01, -0.03]);
    const motion = (p: readonly number[], turn: readonly number[], v: readonly number[], w: readonly number[]) => ({
      position: Float64Array.from(p),
      rotation: Float64Array.from(multiply(turnBy(turn), askew)),
      velocity: Float64Array.from(v),
      spin: Float64Array.from(w),
    });
    grid.accept(object, motion([0, 0, 0.134], [0, 0, 0], [0, 0, 0], [0, 0, 0]));
    grid.accept(object, motion([0.001, 0.0005, 0.1335], [0, 0.02, 0.01], [0, 0, 0], [0, 0, 0]));
    const p = [0.0041, 0.0013, 0.1331];
    // Down: plastic slopes
    const [v, w] = [
      [0.02, 0.01, rising],
      [0.02, 0.3, 0.05],
    ];
    const [derivative, out] = [new SoilDerivative(), new SoilWrench()];
    grid.evaluate(object, motion(p, [0, 0, 0], v, w), out, derivative);
    const at = (
      dp: readonly number[],
      turn: readonly number[],
      dv: readonly number[],
      dw: readonly number[],
    ): number[] => {
      const moved = motion(
        p.map((x, i) => x + dp[i]),
        turn,
        v.map((x, i) => x + dv[i]),
        w.map((x, i) => x + dw[i]),
      );
      grid.evaluate(object, moved, out);
      return [...out.force, ...out.torque];
    };
    const zero = [0, 0, 0];
    let [worst, largest] = [0, 0];
    for (let m = 0; m < 6; m++) {
      const h = m < 3 ? 1e-8 : 1e-7;
      const step = (sign: number): number[] => [0, 1, 2].map((i) => (i === m % 3 ? sign * h : 0));
      const [above, below] = [1, -1].map((sign) =>
        m < 3 ? at(step(sign), zero, zero, zero) : at(zero, step(sign), zero, zero),
      );
      const [faster, slower] = [1, -1].map((sign) =>
        m < 3 ? at(zero, zero, step(1e2 * sign), zero) : at(zero, zero, zero, step(1e2 * sign)),
      );
      for (let r = 0; r < 6; r++) {
        const [byPose, byTwist] = [(above[r] - below[r]) / (2 * h), (faster[r] - slower[r]) / (2e2 * h)];
        const scale = (r < 3 ? 1 : 0.1) * (m < 3 ? 1 : 0.1);
        largest = Math.max(largest, Math.abs(byPose) / scale);
        worst = Math.max(
          worst,
          Math.abs(byPose - derivative.byPose[6 * r + m]) / scale,
          Math.abs(byTwist - derivative.byTwist[6 * r + m]) / scale,
        );
      }
    }
    // Differences of 1e-8 m leave some 1e-8 of what they are taken of
    expect(worst / largest).toBeLessThan(1e-6);
  });
});

describe('flow', () => {
  test('what is pressed away is found beside, to the last bit but rounding', () => {
    const soil = { ...SOILS['dry-sand-lll'], cohesion: 0, elasticStiffness: 1e15 };
    for (const spread of ['ring', 'field'] as const) {
      const rig = new SoilRig(box([0.1, 0.1, 0.1]).mesh, { soil, spacing: 0.01, spread });
      for (let k = 1; k <= 20; k++) {
        rig.place(0.005 + 1e-3 * k, 0.005, 0.05 - 1e-3 * k);
        rig.accept();
        rig.grid.settle();
      }
      expect(Math.abs(rig.grid.volumeChange())).toBeLessThan(1e-12);
      expect(rig.grid.tiles.levelAt(8, 0)).toBeGreaterThan(0);
    }
  });

  // One litre poured as a column comes to rest as a cone: h³ = 3 V tan² φ/π; 35° and 5 mm cells: h 77.7 mm, radius 111 mm
  test('a heap slides to a round cone at the angle of repose', () => {
    const soil = { ...SOILS['dry-sand-lll'], cohesion: 0, reposeAngle: (35 * Math.PI) / 180 };
    const grid = new SoilGrid({ sample: (_x, _y, out) => void out.fill(0) }, { soil, spacing: 0.005 });
    const { tiles } = grid;
    for (let j = -6; j <= 6; j++)
      for (let i = -6; i <= 6; i++) {
        const node = tiles.node(i, j);
        tiles.fields.level[node] += 1e-3 / (169 * 25e-6);
        tiles.fields.level0[node] += 1e-3 / (169 * 25e-6);
      }
    grid.flow.relax(-32, -32, 65, 65, 500);
    expect(Math.abs(grid.volumeChange() - 1e-3)).toBeLessThan(1e-15);
    const height = Math.cbrt((3 * 1e-3 * Math.tan((35 * Math.PI) / 180) ** 2) / Math.PI);
    expect(Math.abs(tiles.levelAt(0, 0) / height - 1)).toBeLessThan(0.03);
    const radius = (di: number, dj: number): number => {
      let k = 0;
      while (tiles.levelAt(k * di, k * dj) > 1e-4) k++;
      return k * 0.005 * Math.hypot(di, dj);
    };
    const exact = height / Math.tan((35 * Math.PI) / 180);
    for (const r of [radius(1, 0), radius(0, 1), radius(1, 1), radius(-1, 1)])
      expect(Math.abs(r - exact)).toBeLessThan(2 * 0.005);
  });
});

describe('what lasts', () => {
  test('trial evaluations write nothing; a snapshot brings everything back', () => {
    const soil = SOILS['moon-nominal'];
    const mesh = rotate(
      { axis: [1, 0, 0], angle: Math.PI / 2 },
      cylinder({ radius: 0.1, height: 0.1, segments: 90 }),
    ).mesh;
    const rig = new SoilRig(mesh, { soil, spacing: 0.01 });
    rig.place(0, 0, 0.09);
    rig.accept();
    rig.grid.settle();
    const kept = rig.grid.snapshot();
    rig.place(0.002, 0, 0.088, 0.05);
    const first = [...rig.evaluate().force, ...rig.evaluate().torque];
    expect(rig.grid.snapshot().tiles.fields).toEqual(kept.tiles.fields);
    rig.accept();
    rig.grid.settle();
    rig.grid.restore(kept);
    expect([...rig.evaluate().force, ...rig.wrench.torque]).toEqual(first);
  });

  test('shear holds like a spring and does not creep: the same place, the same force', () => {
    const rig = new SoilRig(box([0.1, 0.1, 0.1]).mesh, { soil: SOILS['moon-nominal'], spacing: 0.01 });
    rig.place(0.005, 0.005, 0.04);
    rig.accept();
    rig.place(0.007, 0.005, 0.04);
    const held = rig.evaluate().force[0];
    for (let k = 0; k < 50; k++) rig.accept();
    expect(rig.evaluate().force[0]).toBeCloseTo(held, 9);
    expect(held).toBeLessThan(-1);
    // and turns round
    for (let k = 0; k < 40; k++) {
      rig.place(0.007 - 1e-3 * k, 0.005, 0.04);
      rig.accept();
    }
    expect(rig.evaluate().force[0]).toBeGreaterThan(1);
  });

  test('a grid that does not fit into memory says what it would need', () => {
    const soil = SOILS['moon-nominal'];
    const large = new SoilRig(box([1, 1, 0.1]).mesh, { soil, spacing: 1e-5, memory: 1e9 });
    large.place(0, 0, 0.04);
    expect(() => large.evaluate()).toThrow(
      /soil.spacing: the ground under "body" alone has \d+ nodes 0.00001 m apart, which need \d+ MB/,
    );
    // or after a way: 16 tiles fit, the seventeenth does not
    const small = new SoilRig(box([0.02, 0.02, 0.1]).mesh, { soil, spacing: 0.002, memory: 112 * 16 * 256 });
    const roll = (): void => {
      for (let k = 0; k < 60; k++) {
        small.place(0.03 * k, 0, 0.04);
        small.evaluate();
      }
    };
    expect(roll).toThrow(/soil.spacing: the ground touched so far has \d+ nodes, .* would need \d+ MB/);
  });
});
