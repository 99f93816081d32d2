// The motion of rigid grains against closed forms: impacts, friction on a slope, free rotation, conserved quantities; and bits that depend on nothing but the input.
import { describe, expect, test } from 'vitest';
import { angularRock, belgianBlock } from '../../assets/stones.js';
import { box } from '../../geometry/primitives.js';
import { between, fromAxisAngle, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { clumpGrain, compoundGrain, type GrainShape, polyhedronGrain, toolShape } from '../shapes/grain-shape.js';
import { halfSpacePiece } from '../shapes/piece.js';
import { SerialTeam } from '../team.js';
import type { GrainContact } from './contact-parameters.js';
import type { GrainBody } from './grain-arrays.js';
import { RigidGrains, type RigidGrainsOptions } from './rigid-grains.js';

const rockGrain = (options: Parameters<typeof angularRock>[0]): GrainShape =>
  polyhedronGrain(angularRock(options).mesh);
const blockGrain = (options: Parameters<typeof belgianBlock>[0]): GrainShape =>
  polyhedronGrain(belgianBlock(options).mesh);

const NO_TURN: Quaternion = [1, 0, 0, 0];
const RHO = 2500;
const body = (shape: GrainShape, position: Vec3, more: Partial<GrainBody> = {}): GrainBody => ({
  shape,
  species: 0,
  density: RHO,
  position,
  orientation: NO_TURN,
  ...more,
});
const plane = (point: Vec3, normal: Vec3): GrainBody =>
  body(toolShape([halfSpacePiece(point, normal)]), [0, 0, 0], { density: Number.POSITIVE_INFINITY });
const floor = plane([0, 0, 0], [0, 0, 1]);
const run = (
  bodies: readonly GrainBody[],
  contact: Partial<GrainContact>,
  step: number,
  more: Partial<RigidGrainsOptions> = {},
): RigidGrains =>
  new RigidGrains({
    bodies,
    contact: () => ({ modulus: 1e8, restitution: 1, friction: 0, ...contact }),
    gravity: [0, 0, 0],
    step,
    ...more,
  });
const velocity = (grains: RigidGrains, b: number): number[] => [
  ...grains.arrays.velocities.view.subarray(8 * b, 8 * b + 3),
];

/** Kinetic energy at the half step, momentum and angular momentum about the origin */
function sums(grains: RigidGrains, count: number): { energy: number; momentum: number[]; angular: number[] } {
  const x = grains.arrays.positions.view;
  const v = grains.arrays.velocities.view;
  const l = grains.arrays.momenta.view;
  let energy = 0;
  const momentum = [0, 0, 0];
  const angular = [0, 0, 0];
  for (let b = 0; b < count; b++) {
    const m = 1 / v[8 * b + 3];
    const p = [0, 1, 2].map((k) => m * v[8 * b + k]);
    const r = [0, 1, 2].map((k) => x[4 * b + k] - 0.5 * grains.step * v[8 * b + k]); // where it was at the half step
    for (let k = 0; k < 3; k++) {
      momentum[k] += p[k];
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      angular[k] += r[i] * p[j] - r[j] * p[i] + l[4 * b + k];
      energy += 0.5 * p[k] * v[8 * b + k] + 0.5 * l[4 * b + k] * v[8 * b + 4 + k];
    }
  }
  return { energy, momentum, angular };
}

describe('restitution is met', () => {
  const side = 0.1;
  const cube = polyhedronGrain(box(side).mesh);
  // the way that points down: a face, an edge, a corner under the centre of mass
  const poses: [string, Vec3, number][] = [
    ['face', [0, 0, -1], 1],
    ['edge', [0, -1, -1], Math.SQRT2],
    ['corner', [-1, -1, -1], Math.sqrt(3)],
  ];
  for (const [name, down, reach] of poses)
    test.each([0.9, 0.7, 0.5, 0.2])(`${name} on a plane, e = %d`, (e) => {
      for (const speed of [0.05, 1, 5]) {
        const length = Math.sqrt(down[0] ** 2 + down[1] ** 2 + down[2] ** 2);
        const orientation = between(down.map((x) => x / length) as unknown as Vec3, [0, 0, -1]);
        const start: Vec3 = [0, 0, (reach * side) / 2 + 1e-5];
        const m = RHO * side ** 3;
        // V = A d^p/p, A = side², 2√… d, (3√3/2) d²: from ½ m v² = ∫ K V dd a contact takes about 3 d/v
        const area = [side * side, 2 * side, (3 * Math.sqrt(3)) / 2];
        const p = poses.findIndex(([other]) => other === name) + 1;
        const depth = ((m * speed ** 2 * p * (p + 1)) / (2 * 1e8 * area[p - 1])) ** (1 / (p + 1));
        const step = (3 * depth) / speed / 100;
        const grains = run(
          [body(cube, start, { orientation, velocity: [0, 0, -speed] }), floor],
          { restitution: e },
          step,
        );
        for (let n = 0; n < 400 && (grains.counts.contacts === 0 || grains.touching > 0); n++) grains.advance(1);
        expect(grains.counts.contacts).toBeGreaterThan(30);
        grains.advance(1);
        // 100 steps a contact; measured worst error 1.1e-3 (corner, e = 0.5)
        expect(Math.abs(velocity(grains, 0)[2] / speed - e)).toBeLessThan(2e-3);
      }
    });

  // Frictionless impact at a point r from the centre of mass: impulse J = (1 + e) v/(nᵀWn), nᵀWn = 1/m + |r × n|²/I
  test('a corner beside the centre of mass: impulse with the rotation in it', () => {
    const e = 0.6;
    const tilt = fromAxisAngle([1, 0, 0], 0.3);
    const orientation = multiply(tilt, between([-1 / Math.sqrt(3), -1 / Math.sqrt(3), -1 / Math.sqrt(3)], [0, 0, -1]));
    const m = RHO * side ** 3;
    const inertia = (m * side ** 2) / 6;
    const corners = [-1, 1].flatMap((i) =>
      [-1, 1].flatMap((j) => [-1, 1].map((k) => rotate(orientation, [(i * side) / 2, (j * side) / 2, (k * side) / 2]))),
    );
    const lowest = corners.reduce((a, b) => (b[2] < a[2] ? b : a));
    const lever = lowest[0] ** 2 + lowest[1] ** 2;
    const impulse = (1 + e) / (1 / m + lever / inertia);
    const modulus = 1e15; // stiff, so that nothing turns while they touch
    const grains = run(
      [body(cube, [0, 0, -lowest[2] + 1e-6], { orientation, velocity: [0, 0, -1] }), floor],
      { restitution: e, modulus },
      2e-6,
    );
    for (let n = 0; n < 4000 && (grains.counts.contacts === 0 || grains.touching > 0); n++) grains.advance(1);
    grains.advance(1);
    expect(velocity(grains, 0)[2]).toBeCloseTo(-1 + impulse / m, 2);
    const w = grains.arrays.velocities.view.subarray(4, 7);
    expect(w[0]).toBeCloseTo((lowest[1] * impulse) / inertia, 0);
  });
});

describe('free flight', () => {
  // A15: a free rock for 10⁵ steps; |ω| h = 0.004
  test('angular momentum to the last bit, energy of rotation within 1e-6', () => {
    const stone = rockGrain({ radius: 0.01, seed: 3, stretch: [1.6, 1, 0.7] });
    const grains = run([body(stone, [0, 0, 0], { angularVelocity: [10, 35, -16] })], {}, 1e-4);
    const before = [...grains.arrays.momenta.view];
    grains.advance(1);
    const { energy } = sums(grains, 1);
    let worst = 0;
    for (let n = 0; n < 100; n++) {
      grains.advance(1000);
      worst = Math.max(worst, Math.abs(sums(grains, 1).energy / energy - 1));
    }
    expect([...grains.arrays.momenta.view]).toEqual(before);
    expect(worst).toBeLessThan(1e-6);
  });

  test('momentum and angular momentum of stones that collide with friction', () => {
    const draw = random('collide');
    const stones = Array.from({ length: 60 }, (_, i) =>
      body(
        i % 2 ? rockGrain({ radius: 0.01, seed: i }) : blockGrain({ size: [0.02, 0.014, 0.013], seed: i }),
        [0.029 * (i % 4), 0.029 * (Math.floor(i / 4) % 4), 0.029 * Math.floor(i / 16)],
        {
          orientation: draw.rotation(),
          velocity: draw.inSphere(),
          angularVelocity: draw.inSphere().map((x) => 50 * x) as unknown as Vec3,
        },
      ),
    );
    const grains = run(stones, { restitution: 0.6, friction: 0.4, modulus: 1e9 }, 2e-5);
    grains.advance(1);
    const before = sums(grains, stones.length);
    grains.advance(2500);
    const after = sums(grains, stones.length);
    expect(grains.counts.touches).toBeGreaterThan(30);
    const scale = stones.reduce((sum, { shape }) => sum + RHO * shape.volume, 0); // kg m/s
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.momentum[k] - before.momentum[k])).toBeLessThan(1e-14 * scale);
      expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(1e-14 * scale * 0.1);
    }
    expect(after.energy).toBeLessThan(before.energy);
  });

  // Kinetic energy after an oblique impact with e = 1 and µ = 0. The bed N = K V along S/|S| has a potential only where |S| goes with V as it does for
  // one face, edge or corner; two rocks that turn while they touch gain or lose a little: here 0.7 %, whatever the step. The step itself errs at second order.
  test('an oblique elastic impact converges with the square of the step', () => {
    const outcome = (step: number): { energy: number; velocity: number } => {
      const grains = run(
        [
          body(rockGrain({ radius: 0.01, seed: 1 }), [0, 0, 0], { velocity: [1, 0, 0] }),
          body(rockGrain({ radius: 0.01, seed: 2 }), [0.021, 0.004, 0.002], { orientation: [0.6, 0, 0.8, 0] }),
        ],
        { modulus: 5e9 },
        step,
      );
      grains.advance(1);
      const { energy } = sums(grains, 2);
      grains.advance(Math.round(0.02 / step));
      expect(grains.touching).toBe(0);
      return { energy: sums(grains, 2).energy / energy - 1, velocity: velocity(grains, 0)[0] };
    };
    const [h, half, quarter] = [1.6e-5, 8e-6, 4e-6].map(outcome);
    expect(Math.abs(quarter.energy)).toBeLessThan(0.01);
    const ratio = (h.velocity - half.velocity) / (half.velocity - quarter.velocity);
    expect(Math.log2(ratio)).toBeGreaterThan(1.8);
    expect(Math.log2(ratio)).toBeLessThan(2.2);
  });
});

describe('friction', () => {
  const brick = polyhedronGrain(box([0.1, 0.1, 0.05]).mesh);
  const slope = (angle: number): RigidGrains =>
    run([body(brick, [0, 0, 0.025 - 2e-6]), floor], { friction: 0.5, restitution: 0.3 }, 5e-5, {
      gravity: [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)],
    });
  test('holds below atan µ, without creep', () => {
    const grains = slope(Math.atan(0.5) - 0.02);
    grains.advance(6000);
    const x = grains.arrays.positions.view[0];
    grains.advance(2000);
    expect(Math.abs(grains.arrays.positions.view[0] - x)).toBeLessThan(1e-12);
  });
  test('slides above: a = g (sin α − µ cos α)', () => {
    const angle = Math.atan(0.5) + 0.1;
    const grains = slope(angle);
    grains.advance(2000);
    const v = velocity(grains, 0)[0];
    grains.advance(10_000); // long enough that the rocking from its start does not count
    const a = (velocity(grains, 0)[0] - v) / 0.5;
    expect(a / (9.81 * (Math.sin(angle) - 0.5 * Math.cos(angle)))).toBeCloseTo(1, 3);
  });
  // A disc of even pressure with the brick's area: torque ⅔ µ m g √(A/π); about its axis I = m s²/6
  test('a spinning brick comes to rest by the torque of its face', () => {
    const grains = run(
      [body(brick, [0, 0, 0.025 - 2e-6], { angularVelocity: [0, 0, 5] }), floor],
      { friction: 0.5, restitution: 0.3 },
      5e-5,
      {
        gravity: [0, 0, -9.81],
      },
    );
    grains.advance(200);
    const before = grains.arrays.velocities.view[6];
    grains.advance(400);
    const deceleration = (before - grains.arrays.velocities.view[6]) / 0.02;
    const expected = ((2 / 3) * 0.5 * 9.81 * Math.sqrt(0.01 / Math.PI)) / (0.01 / 6);
    expect(deceleration / expected).toBeCloseTo(1, 2);
    grains.advance(4000);
    expect(Math.abs(grains.arrays.velocities.view[6])).toBeLessThan(1e-6);
  });
});

describe('shapes', () => {
  test('a resting heap weighs on the floor what it weighs', () => {
    const parts: GrainShape[] = [
      compoundGrain([box([0.06, 0.02, 0.02]).mesh, boxAt([0.02, 0.02, 0.04], [0.02, 0, 0.03])]),
      clumpGrain([
        { position: [-0.012, 0, 0], radius: 0.02 },
        { position: [0.012, 0, 0], radius: 0.016 },
      ]),
      rockGrain({ radius: 0.03, seed: 5 }),
      clumpGrain([{ position: [0, 0, 0], radius: 0.02 }]),
    ];
    const bodies = parts.map((shape, i) => body(shape, [0.1 * i, 0, 0.05]));
    const grains = run(
      [...bodies, floor],
      { modulus: 1e9, restitution: 0.2, friction: 0.5, reducedModulus: 1e8, reducedShearModulus: 6e7 },
      2e-5,
      {
        gravity: [0, 0, -9.81],
      },
    );
    grains.advance(60_000);
    const load = new Float64Array(6);
    let mean = 0;
    for (let n = 0; n < 500; n++) {
      grains.advance(40);
      grains.wrench(4, load);
      mean += load[2] / 500;
    }
    const weight = bodies.reduce((sum, { shape }) => sum + 9.81 * RHO * shape.volume, 0);
    expect(-mean / weight).toBeCloseTo(1, 3);
  });

  // Two balls of radius R at distance d < 2R: V = 8/3 π R³ − π (4R + d)(2R − d)²/12
  test('a clump of overlapping balls has the mass of their union', () => {
    const { volume, centre, radius } = clumpGrain([
      { position: [0, 0, 0], radius: 1 },
      { position: [1.2, 0, 0], radius: 1 },
    ]);
    const expected = (8 / 3) * Math.PI - (Math.PI * 5.2 * 0.8 * 0.8) / 12;
    expect(volume / expected).toBeCloseTo(1, 4);
    expect(centre[0]).toBeCloseTo(0.6, 4);
    expect(radius).toBeCloseTo(1.6, 4);
  });

  // Hertz: sphere on the flat face of a fixed block, peak force and contact time in the product's other paths too
  test('a ball on a block bounces as on a plane', () => {
    const ball = clumpGrain([{ position: [0, 0, 0], radius: 0.01 }]);
    const elastic = { restitution: 1, reducedModulus: 1e8, reducedShearModulus: 6e7 };
    const fixed = body(toolShape(polyhedronGrain(box([0.1, 0.1, 0.02]).mesh).pieces), [0, 0, -0.01], {
      density: Number.POSITIVE_INFINITY,
    });
    const m = RHO * ball.volume;
    const depth = ((15 * m) / (16 * 1e8 * Math.sqrt(0.01))) ** 0.4;
    for (const wall of [floor, fixed]) {
      const grains = run(
        [body(ball, [0.003, 0.002, 0.01 + 1e-7], { velocity: [0, 0, -1] }), wall],
        elastic,
        (2.94 * depth) / 200,
      );
      let lowest = 1;
      for (let n = 0; n < 210; n++) {
        grains.advance(1);
        lowest = Math.min(lowest, grains.arrays.positions.view[2]);
      }
      expect((0.01 - lowest) / depth).toBeCloseTo(1, 3);
      expect(velocity(grains, 0)[2]).toBeCloseTo(1, 4);
    }
  });

  test('refuses what cannot be: by name', () => {
    const cube = polyhedronGrain(box(0.1).mesh);
    expect(() => run([body(cube, [0, 0, 0]), body(cube, [0.02, 0, 0])], {}, 1e-4).advance(1)).toThrow(
      /bodies\[0\] and bodies\[1\] overlap by .* Place them apart/,
    );
    expect(() => run([body(cube, [0, 0, 0])], { modulus: -1 }, 1e-4)).toThrow('expected pressure per depth > 0 N/m³');
    expect(() => run([body(cube, [0, 0, 0])], {}, 0)).toThrow('grains.step: expected a time > 0 s, got 0');
    expect(() => clumpGrain([{ position: [0, 0, 0], radius: 0 }])).toThrow(
      'clump.balls[0].radius: expected a length > 0 m',
    );
  });
});

describe('bits', () => {
  const draw = random('bits');
  const stones = Array.from({ length: 80 }, (_, i) =>
    body(
      i % 3 === 0
        ? rockGrain({ radius: 0.01, seed: i })
        : i % 3 === 1
          ? blockGrain({ size: [0.02, 0.014, 0.013], seed: i })
          : clumpGrain([
              { position: [0, 0, 0.003], radius: 0.006 },
              { position: [0, 0, -0.003], radius: 0.005 },
            ]),
      [0.024 * (i % 4) + 0.002 * draw.uniform(), 0.024 * (Math.floor(i / 4) % 4), 0.015 + 0.024 * Math.floor(i / 16)],
      { orientation: draw.rotation() },
    ),
  );
  const walls = [
    floor,
    plane([-0.015, 0, 0], [1, 0, 0]),
    plane([0.09, 0, 0], [-1, 0, 0]),
    plane([0, -0.015, 0], [0, 1, 0]),
    plane([0, 0.09, 0], [0, -1, 0]),
  ];
  const start = (bodies: readonly GrainBody[], more: Partial<RigidGrainsOptions> = {}): RigidGrains =>
    run(
      bodies,
      { modulus: 2e8, restitution: 0.4, friction: 0.5, reducedModulus: 1e7, reducedShearModulus: 6e6 },
      8e-5,
      {
        gravity: [0, 0, -9.81],
        ...more,
      },
    );
  const settle = (bodies: readonly GrainBody[], more: Partial<RigidGrainsOptions> = {}): RigidGrains => {
    const grains = start(bodies, more);
    grains.advance(1200);
    return grains;
  };
  const reference = settle([...stones, ...walls]);
  const expected = reference.hash();

  test.each([2, 3, 4, 7])('%d threads', (threads) => {
    expect(settle([...stones, ...walls], { team: new SerialTeam(threads) }).hash()).toBe(expected);
  });
  test('stopped and gone on', () => {
    const first = start([...stones, ...walls]);
    first.advance(900);
    const snapshot = first.snapshot();
    const second = start([...stones, ...walls], { team: new SerialTeam(3), skin: 0.003 });
    second.resume(snapshot, first.deepest.pair);
    expect(second.snapshot()).toEqual(snapshot);
    expect(snapshot.pairs.length).toBeGreaterThan(300);
    second.advance(300);
    expect(second.hash()).toBe(expected);
    expect(second.counts.contacts).toBe(reference.counts.contacts);
  });
  test('another skin', () => {
    expect(settle([...stones, ...walls], { skin: 0.0005 }).hash()).toBe(expected);
    expect(settle([...stones, ...walls], { skin: 0.02 }).hash()).toBe(expected);
  });
  test('input in another order', () => {
    const order = random('order').shuffle(Array.from({ length: stones.length }, (_, i) => i));
    const shuffled = settle([...order.map((i) => stones[i]), ...walls]);
    const back = order.map((_, i) => order.indexOf(i)).concat(walls.map((_, i) => stones.length + i));
    expect(shuffled.hash(back)).toBe(expected);
  });
  test('the kernels as TypeScript', () => {
    expect(settle([...stones, ...walls], { wasm: false }).hash()).toBe(expected);
  });
  test('every sum was exact', () => {
    expect(reference.exact).toBe(true);
    expect(reference.counts.contacts).toBeGreaterThan(15_000);
  });
});

function boxAt(size: Vec3, by: Vec3) {
  const { mesh } = box(size);
  return { ...mesh, vertices: mesh.vertices.map((x, i) => x + by[i % 3]) };
}
