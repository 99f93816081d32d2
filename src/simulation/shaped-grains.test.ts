/** Grains with shapes in a model: rocks, blocks, polyhedra, concave ones, clumps and balls in one run, with machines, inlets, outlets, probes, and going on after a stop. */
import { describe, expect, test } from 'vitest';
import { subtract } from '../geometry/csg/index.js';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { revolve } from '../geometry/revolve.js';
import { translate } from '../geometry/transform.js';
import { SerialTeam } from '../grains/team.js';
import { body } from '../model/body.js';
import { prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import { recordsCsvText } from '../results/csv.js';
import { packingFromCsv } from '../results/exchange/packing-csv.js';
import { GRAIN, GRAIN_TABLE } from '../results/grain-records.js';
import { Simulation, type SimulationOptions, simulate } from './simulation.js';

const stone = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3 };
const floor = body({ shape: halfSpace(), material: stone, fixed: true });
const UPRIGHT = [1, 0, 0, 0] as const;
const g = 9.81;

const every = { material: stone, foundation: 1e8 } as const;
const mixed = {
  rocks: { ...every, shape: { rock: { variants: 3 } }, radius: { uniform: [0.04, 0.06] } },
  blocks: { ...every, shape: { block: { size: [0.1, 0.08, 0.06], variants: 2 } } },
  balls: { ...every, radius: 0.04 },
  nuts: {
    ...every,
    shape: {
      clump: [
        [-0.03, 0, 0, 0.04],
        [0.03, 0, 0, 0.04],
      ],
    },
  },
  ells: {
    ...every,
    shape: { parts: [translate([0.02, 0, 0], box([0.1, 0.05, 0.05])), translate([0, 0, 0.05], box(0.05))] },
  },
} as const;

// A flat face A on a bed of springs sinks by m g/(K A) = ρ g a/K, whatever the face
test('a cube lies on the floor as deep as its bed of springs says', () => {
  const a = 0.1;
  const run = simulate(
    model({
      bodies: { floor },
      grains: {
        species: {
          cube: { shape: { polyhedron: box(a) }, material: stone, foundation: 1e7, restitution: 0.2, friction: 0.5 },
        },
        packings: { one: { species: 'cube', arrangement: 'given', at: [[0.3, 0.2, a / 2]], orientation: UPRIGHT } },
      },
      simulation: { stop: 0.5, interval: 0.05 },
    }),
  );
  const depth = (2500 * g * a) / 1e7;
  expect(run.signal('one.centre.z').at(-1)).toBeCloseTo(a / 2 - depth, 9);
  expect(run.signal('floor.grains.force.z').at(-1)! / (-2500 * a * a * a * g)).toBeCloseTo(1, 5);
  expect(run.signal('floor.grains.torque.x').at(-1)! / (-2500 * a * a * a * g * 0.2)).toBeCloseTo(1, 5);
  expect(run.trust.verdict!.word).toBe('trusted');
});

// Cohesion c pulls on the area of contact, springs push: K δ A = c A − m g, so a cube under a ceiling hangs at δ = (c − ρ g a)/K as long as c > ρ g a, and falls if not. The pull has a potential, so the book closes.
test.each([
  [4000, true],
  [2400, false],
])('a cube under a ceiling with a cohesion of %d Pa hangs: %s', (cohesion, hangs) => {
  const a = 0.1;
  const K = 1e7;
  const run = simulate(
    model({
      bodies: {
        ceiling: body({
          shape: halfSpace(),
          material: stone,
          fixed: true,
          position: [0, 0, 1],
          orientation: [0, 1, 0, 0],
        }),
      },
      grains: {
        species: {
          cube: {
            shape: { polyhedron: box(a) },
            material: stone,
            foundation: K,
            restitution: 0.2,
            friction: 0.5,
            cohesion,
          },
        },
        packings: {
          one: {
            species: 'cube',
            arrangement: 'given',
            at: [[0.1, 0, 1 - a / 2 + 1e-4]],
            orientation: UPRIGHT,
          },
        },
      },
      simulation: { stop: 0.4, interval: 0.02 },
    }),
  );
  const z = run.signal('one.centre.z').at(-1)!;
  if (hangs) expect(z).toBeCloseTo(1 - a / 2 + (cohesion - 2500 * g * a) / K, 7);
  else expect(z).toBeLessThan(0.5);
  expect(run.trust.energy!.relativeError).toBeLessThan(1e-2);
});

// In a round trough of radius R a cube of side a lies on two edges, sin θ = a/2R, its centre a/2 above their line: z = a/2 − R cos θ − d/cos θ. The wedge of an edge that is d deep has the cross-section ½ d² (cot θ + tan θ), so that
// m g/(2 cos θ) = K a ½ d² (cot θ + tan θ). 88 flat sides are R π²/(3·88²) = 0.13 mm off the circle at most. A ball lies at R − r, pressed in as Hertz says. A wall that turns carries them as well.
test.each([0, 0.4])('a cube and a ball lie in a round wall that turns at %d rad/s', (speed) => {
  const [R, a, r] = [0.3, 0.1, 0.04];
  const profile = [
    [0, -0.2],
    [R, -0.2],
    [R, 0.2],
    [0, 0.2],
  ] as const;
  const run = simulate(
    model({
      bodies: { drum: body({ shape: box(0.01), material: stone }) },
      joints: { shaft: revolute({ body: 'drum', axis: [0, 1, 0], speed }) },
      grains: {
        species: {
          cube: { ...every, shape: { polyhedron: box(a) }, restitution: 0.2, friction: 0 },
          ball: { material: stone, radius: r, restitution: 0.2, friction: 0 },
        },
        packings: {
          one: {
            species: 'cube',
            arrangement: 'given',
            at: [[0, 0.1, a / 2 - Math.sqrt(R * R - (a * a) / 4) + 1e-4]],
            orientation: UPRIGHT,
          },
          two: { species: 'ball', arrangement: 'given', at: [[0, -0.1, r - R + 1e-4]] },
        },
        roundWalls: { drum: { profile: [...profile], axis: [0, 1, 0] } },
      },
      simulation: { stop: 0.6, interval: 0.02 },
    }),
  );
  const mean = (name: string) => {
    let sum = 0;
    for (let k = 1; k <= 15; k++) sum += run.signal(name).at(-k)!;
    return sum / 15;
  };
  const [sine, cosine] = [a / (2 * R), Math.sqrt(1 - (a / (2 * R)) ** 2)];
  const depth = Math.sqrt((2500 * g * a * a) / (1e8 * cosine * (cosine / sine + sine / cosine)));
  expect(Math.abs(mean('one.centre.z') - (a / 2 - R * cosine - depth / cosine))).toBeLessThan(1.3e-4);
  const [force, modulus] = [(4 / 3) * Math.PI * r ** 3 * 2500 * g, 1e7 / (2 * (1 - 0.3 ** 2))];
  const pressed = ((3 * force) / (4 * modulus * Math.sqrt(r))) ** (2 / 3);
  expect(Math.abs(mean('two.centre.z') - (r - R - pressed))).toBeLessThan(1.3e-4);
  const weight = 2500 * 9.81 * (a ** 3 + (4 / 3) * Math.PI * r ** 3);
  expect(Math.abs(mean('drum.grains.force.z') / -weight - 1)).toBeLessThan(0.02);
  expect(run.trust.notes!.join()).toContain('"drum" is round by');
  expect(run.trust.verdict!.word).toBe('trusted');
});

// A ball has one law in any company: thrown on a wall that it strikes with friction, with a block far away or without, which decides between two sets of kernels. In a plane, for a spin about the normal is held among shapes, by the friction of the contact's area, and free among balls without rolling friction
test.each([0.2, 0.9])('a ball is the same among shapes as among balls, restitution %d', (restitution) => {
  const ball = { material: stone, radius: 0.03, restitution, friction: 0.5 };
  const [alone, among] = [{}, { far: { species: 'cube', arrangement: 'given', at: [[9, 9, 9]] } } as const].map(
    (more) =>
      simulate(
        model({
          gravity: 'none',
          bodies: { floor },
          grains: {
            species: { ball, ...('far' in more && { cube: { ...every, shape: { polyhedron: box(0.1) } } }) },
            packings: {
              one: { species: 'ball', arrangement: 'given', at: [[0, 0, 0.0301]], velocity: [0.3, 0, -1] },
              two: { species: 'ball', arrangement: 'given', at: [[0.04, 0, 0.1]], velocity: [-0.3, 0, -0.6] },
              ...more,
            },
            step: 1e-4,
          },
          simulation: { stop: 0.15, interval: 0.01 },
        }),
      ),
  );
  for (const name of ['one.velocity.x', 'one.velocity.z', 'two.velocity.x', 'two.centre.z'])
    expect(among.signal(name).at(-1)).toBeCloseTo(alone.signal(name).at(-1)!, 9);
  expect(Math.abs(alone.signal('two.velocity.x').at(-1)! + 0.3)).toBeGreaterThan(0.01); // it has met
});

// The ball about a flat plate, 71 mm, is much larger than the plate: what is in the one and clear of the other is not refused
test.each([
  ['above it', 0.03, undefined],
  ['at 0.4 mm from it', 0.0154, undefined],
  ['5 mm in it', 0.01, /grains\.packings\.balls/],
])('a ball given beside a plate, in the ball about it: %s', (_, z, refusal) => {
  const scene = model({
    gravity: 'none',
    grains: {
      species: {
        plate: { ...every, shape: { polyhedron: box([0.1, 0.1, 0.01]) } },
        ball: { ...every, radius: 0.01 },
      },
      packings: {
        plates: { species: 'plate', arrangement: 'given', at: [[0, 0, 0]], orientation: UPRIGHT },
        balls: { species: 'ball', arrangement: 'given', at: [[0.02, 0, z]] },
      },
    },
    simulation: { stop: 1e-3 },
  });
  if (refusal) expect(() => new Simulation(scene)).toThrow(refusal);
  else expect(simulate(scene).signal('balls.centre.z').at(-1)).toBeCloseTo(z, 15);
});

// Any closed mesh is a wall: a hopper turned from a profile lets rocks, nuts and balls out, and its force is their weight and no less in the mean; stones that are given inside its metal are refused.
test('stones run out of a hopper that is a mesh', () => {
  const hopper = body({
    shape: revolve(
      [
        [0.08, 0],
        [0.2, 0.15],
        [0.2, 0.4],
        [0.24, 0.4],
        [0.24, 0.12],
        [0.12, 0],
      ],
      { segments: 12 },
    ),
    material: stone,
    fixed: true,
  });
  const inHopper = (packings: NonNullable<NonNullable<ModelOptions['grains']>['packings']>, stop: number) =>
    simulate(
      model({
        bodies: { hopper },
        grains: {
          species: mixed,
          packings,
          outlets: { below: { region: { behind: { through: [0, 0, -0.2], normal: [0, 0, 1] } } } },
          pairs: [{ between: ['*', '*'], restitution: 0.3, friction: 0.3 }],
          step: 1e-4,
        },
        simulation: { stop, interval: 0.02 },
      }),
    );
  const run = inHopper(
    {
      rocks: { species: 'rocks', region: { cylinder: { radius: 0.18, height: 0.14, from: [0, 0, 0.16] } }, count: 4 },
      nuts: { species: 'nuts', region: { cylinder: { radius: 0.18, height: 0.16, from: [0, 0, 0.31] } }, count: 2 },
    },
    0.6,
  );
  expect(run.trust.energy!.relativeError).toBeLessThan(5e-3);
  expect(run.trust.verdict!.word).not.toBe('not to be trusted');
  // Nobody is in the metal or through it: what is not out is in the room of the hopper
  const { values, count } = run.table(GRAIN_TABLE).instant(run.rows - 1);
  expect(count + run.signal('below.count').at(-1)!).toBe(6);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [GRAIN.x, GRAIN.x + 1, GRAIN.z].map((c) => values[c][i]);
    expect(Math.hypot(x, y)).toBeLessThan(z > 0.15 ? 0.2 : 0.08 + Math.max(0, 0.8 * z));
  }
  expect(() =>
    inHopper({ inside: { species: 'rocks', arrangement: 'given', at: [[0.22, 0, 0.3, 0.01]] } }, 0.1),
  ).toThrow('grains.packings.inside.at[0]: most of it is inside "hopper"; move it out');
});

// A hollow box that floats with stones flying about in it: a mesh that moves and is pushed from inside. What stones lose it gains, to rounding.
test('momentum of a hollow box and the stones in it', () => {
  const room = (x: number, y: number, z: number, high: number) =>
    ({
      box: [
        [-x, -y, z],
        [x, y, high],
      ],
    }) as const;
  const run = simulate(
    model({
      gravity: 'none',
      bodies: { shell: body({ shape: subtract(box(0.6), box(0.5)), mass: 4 }) },
      grains: {
        species: mixed,
        packings: {
          rocks: { species: 'rocks', region: room(0.2, 0.2, -0.2, -0.05), count: 4, velocity: [1, 0.3, -0.5] },
          nuts: { species: 'nuts', region: room(0.2, 0.2, -0.04, 0.15), count: 2, velocity: [-0.7, 0, 0.2] },
        },
        pairs: [{ between: ['*', '*'], restitution: 0.6, friction: 0.4 }],
        step: 1e-4,
      },
      simulation: { stop: 0.5, interval: 0.05 },
    }),
  );
  expect(Math.max(...run.signal('shell.velocity.x').values.map(Math.abs))).toBeGreaterThan(0.05); // it was struck
  for (const axis of ['x', 'y', 'z']) {
    const p = (row: number): number =>
      run.signal(`grains.momentum.${axis}`).at(row)! + 4 * run.signal(`shell.velocity.${axis}`).at(row)!;
    expect(Math.abs(p(-1) - p(0))).toBeLessThan(1e-12);
  }
});

// A pile that was poured is the start of the next run: the table has the pose and the form of each stone, and what lies stays where it is.
test('a pile comes back as a packing, stone by stone as it lay', () => {
  const species = { gravel: { shape: { rock: { points: 10, variants: 5 } }, radius: 0.02, material: stone } };
  const walls = {
    floor,
    ...Object.fromEntries(
      (
        [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ] as const
      ).map(([x, y], k) => [
        `side${k}`,
        body({ shape: box([0.1, 0.1, 0.4]), material: stone, fixed: true, position: [0.09 * x, 0.09 * y, 0.2] }),
      ]),
    ),
  };
  const poured = simulate(
    model({
      bodies: walls,
      grains: {
        species,
        packings: {
          pile: {
            species: 'gravel',
            region: {
              box: [
                [-0.04, -0.04, 0.01],
                [0.04, 0.04, 0.3],
              ],
            },
          },
        },
      },
      simulation: { stop: 0.6, interval: 0.1 },
    }),
  );
  const at = packingFromCsv([...recordsCsvText(poured, GRAIN_TABLE)].join(''), 'pile.csv', 'gravel');
  expect(at.length).toBeGreaterThan(5);
  const again = (rows: readonly number[][]) =>
    simulate(
      model({
        bodies: walls,
        grains: { species, packings: { pile: { species: 'gravel', arrangement: 'given', at: rows } }, seed: 'another' },
        simulation: { stop: 0.1, interval: 0.1 },
      }),
    );
  const run = again(at);
  const last = poured.table(GRAIN_TABLE).instant(poured.rows - 1).values;
  const first = run.table(GRAIN_TABLE).instant(0).values;
  const end = run.table(GRAIN_TABLE).instant(run.rows - 1).values;
  for (const column of [GRAIN.form, GRAIN.x, GRAIN.z, GRAIN.orientation, GRAIN.orientation + 3])
    for (let i = 0; i < at.length; i++) {
      // q and −q are one orientation; tables have seven digits
      expect(Math.abs(Math.abs(first[column][i]) - Math.abs(last[column][i]))).toBeLessThan(1e-6);
      // Bristles begin anew, so it settles by what they held
      if (column === GRAIN.z) expect(Math.abs(end[column][i] - first[column][i])).toBeLessThan(1e-3);
    }
  expect(() => again(at.map((row) => [...row.slice(0, 8), 5]))).toThrow(
    'grains.packings.pile.at[0]: expected the number of a form from 0 to 4, got 5',
  );
  expect(() => again(at.map((row) => row.slice(0, 6)))).toThrow('got 6 numbers');
});

/** A block with a flat or a tilted face thrown on the floor: what its book misses, of the energy that moved */
function thrown(step: number, tilted: boolean, restitution: number, friction: number): number {
  const run = simulate(
    model({
      bodies: { floor },
      grains: {
        species: {
          block: { shape: { block: { size: [0.1, 0.1, 0.1], spread: 0, tilt: 0, variants: 1 } }, material: stone },
        },
        packings: {
          one: {
            species: 'block',
            arrangement: 'given',
            at: [[0, 0, tilted ? 0.09 : 0.087]],
            orientation: tilted ? [0.8881, 0.3251, 0.3251, 0] : UPRIGHT,
            velocity: [0.5, 0, -1],
          },
        },
        pairs: [{ between: ['*', '*'], restitution, friction, foundation: 1e8 }],
        step,
      },
      simulation: { stop: tilted ? 0.02 : 0.056, interval: 2e-3 },
    }),
  );
  expect(run.signal('floor.grains.force.z').values.some((force) => force < 0)).toBe(true);
  return run.trust.energy!.relativeError;
}

// Springs side by side in a half-space have a potential, so without friction and loss all is leapfrog, of second order. A blow of 1 m/s against a face lasts 40 steps of 2e-4 s, on a corner
// three times that. Where friction tips the block over its edge, forces begin with a jump: first order.
describe('a block hits the floor, and its book closes with the step', () => {
  test.each([
    ['flat, elastic', false, 1, 0, 3.5],
    ['flat, with friction and loss', false, 0.5, 0.5, 1.5],
    ['on its corner, elastic', true, 1, 0, 3.5],
    ['on its corner, with friction and loss', true, 0.5, 0.5, 1.5],
  ] as const)('%s', (_, tilted, restitution, friction, less) => {
    const coarse = thrown(2e-4, tilted, restitution, friction);
    const fine = thrown(1e-4, tilted, restitution, friction);
    expect(coarse).toBeLessThan(4e-3);
    expect(coarse / fine).toBeGreaterThan(less);
  });
});

// Between stones the bed of springs has no potential where the faces that touch change: that share does not go with the step
test('a heap of all shapes with a board pushed through it: the book closes', () => {
  const at = (k: number, z: number): [number, number, number] => [
    0.17 * (k % 3) - 0.2,
    0.17 * Math.floor(k / 3) - 0.17,
    z,
  ];
  const nine = (z: number): [number, number, number][] => Array.from({ length: 9 }, (_, k) => at(k, z));
  const run = simulate(
    model({
      bodies: { floor, board: body({ shape: box([0.1, 1, 0.3]), material: stone, position: [-0.45, 0, 0.15] }) },
      joints: { push: prismatic({ body: 'board', axis: [1, 0, 0], speed: 0.5 }) },
      grains: {
        species: mixed,
        packings: {
          low: { species: 'blocks', arrangement: 'given', at: nine(0.09) },
          middle: { species: 'rocks', arrangement: 'given', at: nine(0.25) },
          high: { species: 'balls', arrangement: 'given', at: nine(0.37) },
          nuts: { species: 'nuts', arrangement: 'given', at: nine(0.5) },
        },
        pairs: [{ between: ['*', '*'], restitution: 0.4, friction: 0.5 }],
        step: 1e-4,
      },
      simulation: { stop: 0.5, interval: 0.02 },
    }),
  );
  const { energy, verdict } = run.trust;
  expect(energy!.putIn).toBeGreaterThan(5);
  expect(energy!.dissipated).toBeGreaterThan(20);
  expect(energy!.relativeError).toBeLessThan(5e-3);
  expect(verdict!.word).not.toBe('not to be trusted');
});

// Two masses on a line: v' = (m − eM)/(m + M) v, V' = (1 + e) m/(m + M) v. The face is flat, so contact is a linear spring; 40 and more steps a contact leave 1e-3 (the law itself, see
// rigid-grains.test.ts), and the cart's side of it goes through the prediction and the machine's own integrator.
describe('a cube hits a cart that is free to roll', () => {
  test.each([
    [1, 0.4],
    [0.5, 0.4],
    [1, 50],
    [0.5, 50],
  ])('restitution %d, a cart of %d kg', (restitution, cart) => {
    const run = simulate(
      model({
        gravity: 'none',
        bodies: { cart: body({ shape: box(0.1), mass: cart, position: [0.2, 0, 0] }) },
        joints: { rail: prismatic({ body: 'cart', axis: [1, 0, 0] }) },
        grains: {
          species: { cube: { shape: { polyhedron: box(0.1) }, ...every, friction: 0, restitution } },
          packings: {
            one: {
              species: 'cube',
              arrangement: 'given',
              at: [[0.06, 0, 0]],
              orientation: UPRIGHT,
              velocity: [1, 0, 0],
            },
          },
          step: 5e-5,
        },
        simulation: { stop: 0.1, interval: 0.005 },
      }),
    );
    const mass = 2500 * 1e-3;
    const after = run.signal('cart.velocity.x').at(-1)!;
    expect(Math.abs(after / (((1 + restitution) * mass) / (mass + cart)) - 1)).toBeLessThan(3e-3);
    // Momentum: what one gained the other lost, but for the integrator's own rounding
    const speed = run.signal('one.velocity.x').at(-1)!;
    expect(Math.abs(mass * speed + cart * after - mass)).toBeLessThan(1e-9);
  });
});

const corners = (
  x: number,
  z: number,
  height: number,
): { box: [[number, number, number], [number, number, number]] } => ({
  box: [
    [-x, -x, z],
    [x, x, z + height],
  ],
});

/** Stones in a pan on a spring beside a flap; some come, some leave */
const rain = (): ModelOptions => ({
  bodies: {
    floor: { ...floor, position: [0, 0, -0.6] },
    pan: body({ shape: box([0.5, 0.5, 0.2]), mass: 5, position: [0, 0, -0.1] }),
    flap: body({ shape: box([0.02, 0.3, 0.2]), mass: 1, position: [0.3, 0, 0.15] }),
  },
  joints: {
    spring: prismatic({ body: 'pan', axis: [0, 0, 1], force: (_t, x, v) => -5000 * x - 250 * v }),
    hinge: revolute({ body: 'flap', at: [0.3, 0, 0.25], axis: [0, 1, 0] }),
  },
  grains: {
    species: mixed,
    packings: {
      blocks: { species: 'blocks', region: corners(0.2, 0.05, 0.3), count: 4 },
      balls: { species: 'balls', region: corners(0.2, 0.2, 0.2), count: 8 },
      rocks: { species: 'rocks', arrangement: 'random', region: corners(0.22, 0.4, 0.3), count: 6 },
    },
    inlets: {
      nuts: { species: 'nuts', region: corners(0.1, 0.7, 0.05), rate: 30, velocity: [0, 0, -2] },
      ells: { species: 'ells', region: corners(0.1, 0.9, 0.05), rate: 20, velocity: [0.5, 0, -2], count: 4 },
    },
    outlets: { rim: { region: { behind: { through: [0, 0, -0.3], normal: [0, 0, 1] } } } },
    probes: {
      all: { region: corners(1.5, -1, 3) },
      gate: { plane: { through: [0, 0, 0.55], normal: [0, 0, -1] } },
      press: { wall: 'pan', area: 0.25 },
    },
    pairs: [{ between: ['*', '*'], restitution: 0.3, friction: 0.4 }],
    contacts: true,
    step: 2e-4,
  },
});
const asked: SimulationOptions = { stopTime: 0.4, interval: 0.02 };
const ended = (options: SimulationOptions = {}, scene = rain()): Simulation => {
  const run = new Simulation(model(scene), { ...asked, ...options });
  run.advance();
  run.finish();
  return run;
};

describe('stones that come, lie in a pan on a spring, and leave', () => {
  const through = ended();
  const { recording } = through;

  test('are counted, weighed and measured', () => {
    const last = (name: string): number => recording.signal(name).at(-1)!;
    expect(last('nuts.count')).toBeGreaterThan(5);
    expect(last('ells.count')).toBe(4);
    expect(last('rim.count')).toBeGreaterThan(0);
    expect(last('grains.count')).toBe(18 + last('nuts.count') + last('ells.count') - last('rim.count'));
    // What is filled of a region that holds all of them: their volume, by points of their own
    const volume = 3 * 3 * 3;
    expect(last('all.fraction') * volume * 2500).toBeCloseTo(last('grains.mass'), 6);
    expect(last('gate.count')).toBeGreaterThan(5);
    expect(last('press.normal')).toBeGreaterThan(0);
    expect(Math.max(...recording.signal('grains.contacts').values)).toBeGreaterThan(3);
    expect(recording.trust.energy!.relativeError).toBeLessThan(1e-2);
  });

  test('are drawn: form and orientation of each are in the table, forms in the scene', () => {
    const { values, count } = recording.table(GRAIN_TABLE).instant(recording.rows - 1);
    expect(count).toBe(through.grains!.bed.count);
    for (let i = 0; i < count; i++) {
      const q = [0, 1, 2, 3].map((k) => values[GRAIN.orientation + k][i]);
      expect(Math.hypot(...q)).toBeCloseTo(1, 12);
    }
    const { species } = recording.scene!.grains!;
    expect(species.map(({ forms }) => forms!.length)).toEqual([3, 2, 1, 1, 1]);
    expect(species[3].forms![0].balls!.length).toBe(8);
    expect(species[0].forms![0].mesh!.triangles.length).toBeGreaterThan(30);
  });

  test.each([2, 3, 4, 7])('%d threads: the same bits', (threads) => {
    const run = ended({ team: new SerialTeam(threads) });
    expect(run.grains!.bed.hash).toBe(through.grains!.bed.hash);
    expect(run.recording.hash).toBe(recording.hash);
  });

  test('another skin: the same bits', () => {
    const scene = rain();
    const run = ended({}, { ...scene, grains: { ...scene.grains!, skin: 0.05 } });
    expect(run.grains!.bed.hash).toBe(through.grains!.bed.hash);
  });

  test('stopped, and gone on with by other numbers of threads: the same bits; also where the first run was to end sooner', () => {
    let run = new Simulation(model(rain()), { ...asked, stopTime: 0.3 });
    for (const [stop, threads] of [
      [0.1, 2],
      [0.24, 3],
    ] as const) {
      run.advance(stop);
      const checkpoint = readCheckpoint(checkpointBytes(run.checkpoint()!), 'x');
      run = new Simulation(model(rain()), {
        ...asked,
        team: new SerialTeam(threads),
        restart: { checkpoint, recording: run.recording },
      });
    }
    run.advance();
    run.finish();
    expect(run.grains!.bed.hash).toBe(through.grains!.bed.hash);
    expect(run.recording.hash).toBe(recording.hash);
  });
});

/** Stones that slide and roll down a chute whose ends are one; some come, a plate goes to and fro among them */
const chute = (): ModelOptions => ({
  gravity: [9.81 * 0.5, 0, -9.81 * 0.866],
  bodies: {
    floor,
    plate: body({ shape: box([0.1, 0.1, 0.2]), mass: 4, position: [0.4, 0.2, 0.1] }),
  },
  joints: { rail: prismatic({ body: 'plate', axis: [1, 0, 0], force: (_t, x, v) => -2000 * x - 50 * v }) },
  grains: {
    species: mixed,
    periodic: { x: [0, 0.8], y: [-0.1, 0.5] },
    packings: {
      all: {
        species: 'blocks',
        arrangement: 'random',
        region: {
          box: [
            [0, -0.1, 0.01],
            [0.8, 0.5, 0.21],
          ],
        },
        count: 12,
        velocity: [2, 0.5, 0],
      },
    },
    inlets: {
      rocks: {
        species: 'rocks',
        region: {
          box: [
            [0, -0.1, 0.2],
            [0.8, 0.5, 0.3],
          ],
        },
        rate: 60,
        count: 5,
      },
      ells: {
        species: 'ells',
        region: {
          box: [
            [0, -0.1, 0.3],
            [0.8, 0.5, 0.4],
          ],
        },
        rate: 60,
        count: 5,
      },
    },
    probes: {
      layer: {
        region: {
          box: [
            [0, -0.1, -0.1],
            [0.8, 0.5, 1.5],
          ],
        },
      },
      gate: { plane: { through: [0.79, 0, 0], normal: [1, 0, 0] } },
    },
    pairs: [{ between: ['*', '*'], restitution: 0.3, friction: 0.4 }],
    contacts: true,
    step: 2e-4,
  },
});

describe('a chute that is its own continuation', () => {
  const through = ended({}, chute());
  const { recording } = through;

  test('measures what goes round, and its book closes', () => {
    const last = (name: string): number => recording.signal(name).at(-1)!;
    expect(last('grains.count')).toBe(22);
    expect(last('gate.count')).toBeGreaterThan(10);
    // All of them are in the layer, over its borders, too
    expect(last('layer.fraction') * 0.8 * 0.6 * 1.6 * 2500).toBeCloseTo(last('grains.mass'), 6);
    expect(recording.trust.energy!.relativeError).toBeLessThan(1e-2);
    const { values, count } = recording.table(GRAIN_TABLE).instant(recording.rows - 1);
    for (let i = 0; i < count; i++) {
      expect(Math.abs(values[GRAIN.x][i] - 0.4)).toBeLessThan(0.4 + 1e-6);
      expect(Math.abs(values[GRAIN.x + 1][i] - 0.2)).toBeLessThan(0.3 + 1e-6);
    }
  });

  test('the same bits by three threads, another skin, and gone on with', () => {
    const scene = chute();
    expect(ended({ team: new SerialTeam(3) }, scene).recording.hash).toBe(recording.hash);
    const slack = ended({}, { ...scene, grains: { ...scene.grains!, skin: 0.03 } });
    expect(slack.grains!.bed.hash).toBe(through.grains!.bed.hash);
    const first = new Simulation(model(scene), asked);
    first.advance(0.2);
    const checkpoint = readCheckpoint(checkpointBytes(first.checkpoint()!), 'x');
    const rest = new Simulation(model(scene), { ...asked, restart: { checkpoint, recording: first.recording } });
    rest.advance();
    rest.finish();
    expect(rest.recording.hash).toBe(recording.hash);
  });
});

describe('what shapes cannot have is refused by name', () => {
  const cube = { shape: { polyhedron: box(0.1) }, material: stone } as const;
  const packings = { one: { species: 'cube', arrangement: 'given', at: [[0, 0, 1]] } } as const;
  const attempt =
    (grains: object, bodies: ModelOptions['bodies'] = { floor }) =>
    () =>
      simulate(model({ bodies, grains: { species: { cube }, packings, ...grains } as never }), {
        stopTime: 0.2,
        interval: 0.05,
      });
  test.each([
    [
      'rolling friction',
      { species: { cube: { ...cube, rollingFriction: 0.1 } } },
      'grains.species.cube.rollingFriction: is for',
    ],
    [
      'a period too narrow for them',
      { periodic: { x: [-0.2, 0.2] } },
      'grains.periodic.x: expected a period of at least three cells of 0.191 m (greatest diameter and skin), got 0.4 m',
    ],
    ['no size', { species: { cube: { material: stone } } }, 'grains.species.cube.radius: expected a radius'],
    ['a rock without a size', { species: { cube: { ...cube, shape: { rock: {} } } } }, 'grains.species.cube.radius'],
    [
      'a flat block',
      { species: { cube: { ...cube, shape: { block: { size: [0, 1, 1] } } } } },
      'grains.species.cube.shape: belgianBlock.size',
    ],
    ['nothing known', { species: { cube: { ...cube, shape: { cone: 1 } } } }, 'grains.species.cube.shape: expected'],
    [
      'parts in one another',
      { species: { cube: { ...cube, shape: { parts: [box(0.1), translate([0.09, 0, 0], box(0.1))] } } } },
      'grains.species.cube.shape.parts[1]: is in parts[0] by 0.010 m',
    ],
    ['three corners', { species: { cube: { ...cube, shape: { polyhedron: [[0, 0, 0]] } } } }, 'polyhedron'],
    [
      'two in one another',
      {
        packings: {
          one: {
            ...packings.one,
            at: [
              [0, 0, 1],
              [0, 0, 1.05],
            ],
          },
        },
      },
      'grains.packings.one.at[1]: is in grains.packings.one.at[0] by',
    ],
    [
      'two in one place',
      {
        packings: {
          one: {
            ...packings.one,
            at: [
              [0, 0, 1],
              [0, 0, 1],
            ],
          },
        },
      },
      'by more than all of the width of the thinner one; move them apart',
    ],
  ])('%s', (_, grains, message) => {
    expect(attempt(grains)).toThrow(message);
  });
  test('a foundation among balls', () => {
    expect(attempt({ species: { cube: { radius: 0.1, material: stone, foundation: 1e8 } } })).toThrow(
      'grains.species.cube.foundation: is for grains with a shape',
    );
  });
  test('a wall with a dent', () => {
    const dented = body({ shape: [box(1), translate([2, 0, 0], box(1))], fixed: true, position: [0, 0, -2] });
    expect(attempt({}, { dented })).not.toThrow();
  });
  test('a step that is too long, with the grain and its contact', () => {
    expect(
      attempt({ packings: { one: { ...packings.one, at: [[0, 0, 0.05]], orientation: UPRIGHT } }, step: 0.02 }),
    ).toThrow(/the step of the grains.*Grain 0 decides, its stiffest contact is with "floor"/);
  });
});
