// A run that passes marks goes on at each from what was written there alone, as a run does that is gone on with from a file: so both must give the same bits, whatever
// a contact, an island, an event or an element remembers. The run without marks is the second computation for what is right.
import { describe, expect, test } from 'vitest';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, capsule, cylinder, sphere } from '../geometry/primitives.js';
import { rotate } from '../geometry/transform.js';
import { body } from '../model/body.js';
import { contactElement } from '../model/contact-element.js';
import { fixed, planar, revolute } from '../model/joints.js';
import { brass, oak, steel } from '../model/materials.js';
import { type ModelOptions, model } from '../model/model.js';
import { checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import type { HandNote } from './hand.js';
import { Simulation, type SimulationOptions } from './simulation.js';

const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, restitution: 0.6, friction: 0.5 };
const floor = body({ shape: halfSpace(), material: rubber, fixed: true });
const brick = (x: number, z: number, speed = 0) =>
  body({ shape: box([0.1, 0.06, 0.04]), material: rubber, position: [x, 0, z], velocity: [speed, 0, 0] });

/** Bricks that slide, tip and come to rest on bristles, and a ball that comes to them: islands join and part */
const heap: ModelOptions = {
  bodies: {
    floor,
    lower: brick(0, 0.0201),
    upper: brick(0.03, 0.0603, 0.1),
    ball: body({ shape: sphere(0.03), material: rubber, position: [-0.4, 0.01, 0.06], velocity: [1.5, 0, 0] }),
  },
};
/** A block held by friction on a slope: all that keeps it there is in its bristles */
const slope: ModelOptions = {
  gravity: [3.5, 0, -9.16],
  bodies: { floor, block: brick(0, 0.02) },
};
/** A linkage with a friction state in its shaft, closed by a hook that is let go of; it falls on the floor */
const released: ModelOptions = {
  bodies: {
    floor,
    crank: body({ shape: box([0.2, 0.02, 0.02]), material: rubber, position: [0.1, 0, 0.3] }),
    rod: body({ shape: box([0.3, 0.02, 0.02]), material: rubber, position: [0.35, 0, 0.3] }),
  },
  joints: {
    shaft: revolute({ body: 'crank', axis: [0, 1, 0], at: [0, 0, 0.3], friction: { limit: 0.01 } }),
    knee: revolute({ body: 'rod', to: 'crank', axis: [0, 1, 0], at: [0.2, 0, 0.3] }),
    hook: revolute({ body: 'rod', axis: [0, 1, 0], at: [0.35, 0, 0.45] }),
  },
  events: {
    letGo: { at: 0.02, release: 'hook' },
    low: { when: (signal) => 0.12 - signal('rod.position.z'), attach: 'hook' },
  },
};
/** An element of the user's own that wears off as it is used */
const worn: ModelOptions = {
  bodies: { floor, bob: body({ shape: sphere(0.05), material: rubber, position: [0, 0, 0.1] }) },
  elements: {
    pad: contactElement({
      between: ['floor', 'bob'],
      create({ b }) {
        let wear = 0;
        return {
          evaluate: () => b.addForce([0, 0, 0], [0.01 * wear, 0, 0]),
          accept: () => ++wear > 0,
          snapshot: () => ({ wear, lists: [Uint8Array.of(1, 2), null, 'pad', Number.NaN, -0] }),
          restore(kept) {
            wear = (kept as { wear: number }).wear;
          },
        };
      },
    }),
  },
};

/** Two rollers in each other's ruts, which soil flows into, and a wheel with memory of its own beside them: what the next step does depends on every node pressed so far */
const roller = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.1, height: 0.1, segments: 60 }));
const rolling = (x: number, speed: number) =>
  body({ shape: roller, mass: 8, position: [x, 0, 0.095], velocity: [speed, 0, 0], contact: false });
const rutted: ModelOptions = {
  bodies: { rear: rolling(0, 0.8), front: rolling(0.18, 0.2), side: { ...rolling(0, 0.1), position: [0, 1, 0.095] } },
  soils: {
    sand: {
      soil: 'dry-sand-lll',
      spacing: 0.01,
      bodies: { rear: { digging: 0.05 }, front: {}, side: { model: 'rheological', radius: 0.1, width: 0.1 } },
      drawn: { size: [0.6, 0.2] },
    },
  },
};

/** Twelve parts of four shapes and materials that fall on each other and on the floor, come to rest or roll, and an arm that is driven through them */
const shapes = [
  box([0.1, 0.08, 0.06]),
  cylinder({ radius: 0.04, height: 0.1 }),
  sphere(0.05),
  capsule({ radius: 0.03, height: 0.1 }),
];
const materials = [steel, oak, rubber, brass];
const thrown: ModelOptions = {
  bodies: {
    floor,
    arm: body({ shape: box([0.5, 0.04, 0.04]), material: steel, position: [0, 0, 0.03] }),
    part: Array.from({ length: 12 }, (_, i) =>
      body({
        shape: shapes[i % 4],
        material: materials[(i + 1) % 4],
        position: [0.12 * (i % 3) - 0.1, 0.14 * (i % 2) + 0.01 * i, 0.1 + 0.1 * Math.floor(i / 3)],
      }),
    ),
  },
  joints: { axis: revolute({ body: 'arm', at: [0, 0, 0.03], axis: [0, 0, 1], speed: 2 }) },
  contacts: { sensors: [['floor', 'part[2]']] },
};
/** What its modes feel lasts from step to step */
const swinging: ModelOptions = {
  gravity: [0, -9.81, 0],
  contacts: false,
  bodies: {
    strip: body({
      shape: extrude(
        [
          [0, -0.02],
          [1, -0.02],
          [1, 0.02],
          [0, 0.02],
        ],
        0.01,
      ),
      material: { density: 2700, youngsModulus: 1e9, poissonRatio: 0.3 },
      flexible: { grid: [20, 2], modes: 2, membrane: false },
    }),
  },
  joints: { pin: revolute({ body: 'strip', axis: [0, 0, 1] }) },
};
/** The strip clamped, and a block that slides on it and comes to rest */
const laden: ModelOptions = {
  gravity: [0.8, -9.81, 0],
  bodies: {
    ...(swinging.bodies as object),
    block: body({ shape: box([0.04, 0.02, 0.01]), mass: 0.1, position: [0.5, 0.031, 0.005] }),
  },
  joints: { pin: fixed({ body: 'strip' }), guide: planar({ body: 'block', normal: [0, 0, 1] }) },
  contacts: { defaults: { friction: 0.3 } },
};
/** A block that sinks into soft soil and slides on it */
const sunk: ModelOptions = {
  bodies: { block: body({ shape: box([0.2, 0.2, 0.1]), mass: 20, position: [0, 0, 0.05], velocity: [0.5, 0, 0] }) },
  soils: { sand: { soil: 'dry-sand-lll', spacing: 0.02, bodies: { block: {} }, drawn: { size: [0.6, 0.4] } } },
};

function marked(given: ModelOptions, options: SimulationOptions): { run: Simulation; recording: Recording } {
  const run = new Simulation(model(given), options);
  run.advance();
  return { run, recording: run.finish() };
}

const stepping = { integrator: 'time-stepping', step: 2e-3 } as const;

/** Holds a part at the first mark, has let go at the last; turns gravity and the drive before both */
const handling: HandNote[] = [
  { t: 0.05, action: 'drive', joint: 'axis', speed: -3 },
  { t: 0.1, action: 'grab', grip: 0, body: 'part[4]', point: [0.02, 0, 0.2] },
  { t: 0.11, action: 'gravity', point: [0, 1, -9] },
  { t: 0.14, action: 'move', grip: 0, point: [0.2, 0.1, 0.4] },
  { t: 0.3, action: 'move', grip: 0, point: [0.1, 0, 0.4] },
  { t: 0.4, action: 'release', grip: 0 },
];

const scenes: readonly (readonly [string, ModelOptions, SimulationOptions])[] = [
  ['bricks and a ball, each island in its own steps', heap, { stopTime: 0.3, steps: 'per island' }],
  ['bricks and a ball in one step', heap, { stopTime: 0.3, steps: 'one for all' }],
  ['a block that only its bristles hold', slope, { stopTime: 0.5 }],
  ['a linkage that is let go of and falls', released, { stopTime: 0.5 }],
  ['an element that remembers', worn, { stopTime: 0.5 }],
  ['ruts in soft soil', rutted, { stopTime: 0.2, rtol: 1e-3 }],
  ['ruts in soft soil, by steps of one length', rutted, { stopTime: 0.2, integrator: 'verlet', step: 1e-3 }],
  ['time stepping: twelve parts and an arm', thrown, { stopTime: 0.6, integrator: 'time-stepping', step: 4e-3 }],
  ['time stepping: the same with a hand in it', thrown, { stopTime: 0.6, ...stepping, handling }],
  ['time stepping: bricks and a ball', heap, { stopTime: 0.8, ...stepping }],
  ['time stepping: a block that comes to rest', slope, { stopTime: 0.05, interval: 2e-3, ...stepping }],
  ['time stepping: steps that choose themselves', heap, { stopTime: 0.3, integrator: 'time-stepping', accuracy: 1e-4 }],
  ['time stepping: a block on soft soil', sunk, { stopTime: 0.3, ...stepping }],
  ['time stepping: a linkage that is let go of and falls', released, { stopTime: 0.5, ...stepping }],
  ['time stepping: a flexible strip that swings', swinging, { stopTime: 0.2, ...stepping }],
  ['time stepping: a block on a flexible strip', laden, { stopTime: 0.1, ...stepping }],
  ['time stepping: an element that remembers', worn, { stopTime: 0.5, ...stepping }],
  ['steps of one length', heap, { stopTime: 0.02, integrator: 'symplecticEuler', step: 2e-5 }],
];

describe('a run gone on with from its marks', () => {
  test.each(scenes)('%s: same bits', (_, given, options) => {
    const every = options.stopTime! / 5;
    const whole = marked(given, { ...options, restartable: every });
    if (options.integrator === 'time-stepping') {
      // all that its steps follow from is written: marks change nothing
      const without = marked(given, options);
      expect(whole.recording.hash).toBe(without.recording.hash);
      expect(whole.recording.trust).toEqual(without.recording.trust);
      expect(whole.run.statistics).toEqual(without.run.statistics);
    }
    expect(whole.run.marks.length).toBeGreaterThan(1); // at rest steps are longer than what is between marks
    for (const mark of [whole.run.marks[0], whole.run.marks.at(-1)!]) {
      // through a file, so that nothing is shared
      const checkpoint = readCheckpoint(checkpointBytes(mark), 'mark.bin');
      const again = marked(given, { ...options, restart: { checkpoint, recording: whole.recording } });
      expect(again.recording.hash).toBe(whole.recording.hash);
      expect(again.recording.events).toEqual(whole.recording.events);
      expect(again.recording.trust).toEqual(whole.recording.trust);
      expect(again.run.statistics).toEqual(whole.run.statistics);
      expect(again.run.stepping?.contacts?.resting).toEqual(whole.run.stepping?.contacts?.resting);
      expect(again.run.hand?.notes).toEqual(whole.run.hand?.notes);
    }
  });

  test('time stepping: a grip holds on beyond marks', () => {
    const [without, withMarks] = [undefined, 0.05].map((every) => {
      const run = new Simulation(model(thrown), { ...stepping, stopTime: 0.3, ...(every && { restartable: every }) });
      run.advance(0.07);
      const grip = run.grab('part[4]', [0.02, 0, 0.2]);
      run.advance(0.12);
      grip.moveTo([0.2, 0.1, 0.4]);
      run.advance(0.22);
      grip.release();
      run.advance();
      return { run, recording: run.finish() };
    });
    expect(withMarks.run.marks.length).toBe(5);
    expect(withMarks.recording.hash).toBe(without.recording.hash);
    expect(withMarks.run.hand!.notes).toEqual(without.run.hand!.notes);
  });

  test('it may go on for longer than it was to: same bits as one that was to from the start', () => {
    const [options, interval] = [{ steps: 'per island', restartable: 0.05 }, 1e-3] as const;
    const short = marked(heap, { ...options, interval, stopTime: 0.12 });
    const long = marked(heap, { ...options, interval, stopTime: 0.2 });
    const checkpoint = short.run.marks.at(-1)!;
    const on = marked(heap, { interval, stopTime: 0.2, restart: { checkpoint, recording: short.recording } });
    expect(on.recording.hash).toBe(long.recording.hash);
    expect(on.run.marks.map(({ time }) => time)).toEqual(long.run.marks.slice(2).map(({ time }) => time));
  });

  // Both are within rtol of the truth: a block that slips on its bristles and comes to rest is where it is without marks to 1e-5 of its way of 2 cm.
  test('marks change steps, not answers', () => {
    const slipping = { ...slope, bodies: { ...slope.bodies, block: brick(0, 0.02, 0.3) } };
    const [without, withMarks] = [undefined, 0.01].map((restartable) =>
      marked(slipping, { stopTime: 0.3, ...(restartable && { restartable }) })
        .recording.signal('block.position.x')
        .at(-1),
    );
    expect(Math.abs(withMarks! - without!)).toBeLessThan(1e-5 * without!);
  });

  test('refused by name where it cannot be', () => {
    const grains: ModelOptions['grains'] = {
      species: { bead: { radius: 5e-3, material: rubber } },
      packings: { one: { species: 'bead', arrangement: 'given', at: [[0, 0.2, 0.1]] } },
    };
    expect(() => new Simulation(model({ ...heap, grains }), { ...stepping, restartable: 0.1 })).toThrow(
      "restartable: expected a run that can be gone on with from any instant: grains beside steps of 'time-stepping' are not kept",
    );
    expect(() => new Simulation(model(heap), { restartable: 0 })).toThrow(
      'restartable: expected a number > 0 s, got 0',
    );
    const { run, recording } = marked(slope, { stopTime: 0.2, restartable: 0.01 });
    const restart = { checkpoint: run.marks[0], recording };
    expect(() => new Simulation(model(slope), { stopTime: 1e-3, restart })).toThrow(
      /expected a later end, got 0.001 s/,
    );
    expect(() => new Simulation(model(released), { restart })).toThrow(
      /the model has changed since that run: it has "crank"/,
    );
  });
});
