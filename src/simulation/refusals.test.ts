/** What a run refuses, in the words a user reads. Through the public API, with the text asserted. */
import { describe, expect, test } from 'vitest';
import {
  applied,
  body,
  extrude,
  fixed,
  lineForce,
  ModelError,
  type ModelOptions,
  model,
  prismatic,
  revolute,
  rod,
  Simulation,
  type SimulationOptions,
  simulate,
  spherical,
} from '../index.js';

const polygon: [number, number][] = [
  [-0.2, -0.01],
  [0.2, -0.01],
  [0.2, 0.01],
  [-0.2, 0.01],
];
const thing = body({ mass: 1, inertia: [1, 1, 1] });
const pendulum = (
  joint: Partial<Parameters<typeof revolute>[0]> = {},
  more: Partial<ModelOptions> = {},
): ModelOptions => ({
  bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -1] }) },
  joints: { pivot: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0], initialAngle: 1, ...joint }) },
  ...more,
});

/** The message with which a model is refused, when it is made or when it runs for 1 s. */
function refusal(options: ModelOptions, run: SimulationOptions = {}): string {
  try {
    simulate(model(options), { stopTime: 1, rtol: 1e-6, ...run });
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('bodies', () => {
  test.each([
    [{ mass: 1, inertia: [-1, 1, 1] }, 'bodies.top.inertia: expected moments of inertia ≥ 0 kg m², got -1, 1, 1'],
    [
      { mass: 1, inertia: [1, 1, 3] },
      'bodies.top.inertia: expected xx + yy ≥ zz, which holds for every rigid body, got 1, 1, 3 kg m²; is an entry wrong, or one for another axis?',
    ],
    [{ mass: 1, inertia: [3, 1, 1] }, 'bodies.top.inertia: expected yy + zz ≥ xx'],
    // In the diagonal all is well; turned to principal axes it is not
    [
      { mass: 1, inertia: [1, 2, 0, 2, 1, 0, 0, 0, 1] },
      'bodies.top.inertia: expected principal moments A, B, C ≥ 0 kg m² with A + B ≥ C, as every rigid body has, got -1, 1, 3',
    ],
    [{ mass: 1, inertia: [1, 0.9, 0, 0.9, 1, 0, 0, 0, 1] }, 'got 0.1, 1, 1.9'],
    [{ mass: 1, inertia: [1, 0.1, 0, 0.2, 1, 0, 0, 0, 1] }, 'expected a symmetric tensor, got 0.1 and 0.2'],
    [{ mass: 0, inertia: [1, 1, 1] }, 'bodies.top.mass: expected a mass > 0 kg, got 0'],
    [{ mass: Number.NaN }, 'bodies.top.mass: expected a mass in kg, got NaN'],
    [{}, 'bodies.top: expected a shape with a material, or a mass in kg; got neither'],
  ] as const)('%j', (given, message) => {
    expect(refusal({ bodies: { top: body(given as never) } })).toContain(message);
  });

  test('a point mass and a thin rod are no mistakes', () => {
    for (const inertia of [
      [0, 0, 0],
      [0, 1, 1],
      [1, 0, 0, 0, 1, 0, 0, 0, 0],
    ] as const)
      expect(() => simulate(model({ bodies: { top: body({ mass: 1, inertia }) } }), { stopTime: 0.1 })).not.toThrow();
  });

  test('a joint that moves nothing with inertia', () => {
    const text =
      'moves a body without inertia along it: 0.00e+0 kg m²; give what it moves a mass and moments of inertia';
    const point = body({ mass: 1, inertia: [0, 0, 0] });
    expect(refusal({ bodies: { dot: point }, joints: { axle: revolute({ body: 'dot', axis: [0, 1, 0] }) } })).toBe(
      `joints.axle: ${text}`,
    );
    // A ball joint lets a bar without width spin about itself.
    const bar = body({ mass: 1, inertia: [0, 0, 0], position: [0, 0, -1] });
    expect(refusal({ bodies: { bar }, joints: { ball: spherical({ body: 'bar', at: [0, 0, 0] }) } })).toBe(
      `joints.ball: ${text}`,
    );
  });
});

describe('names', () => {
  test('an unknown body with a near name', () => {
    expect(
      refusal({ bodies: { upperarm: thing }, joints: { elbow: revolute({ body: 'upperArm', axis: [0, 0, 1] }) } }),
    ).toBe('joints.elbow.body: there is no body "upperArm"; did you mean "upperarm"?');
    expect(
      refusal({ bodies: { arm: thing }, joints: { elbow: revolute({ body: 'arm', to: 'amr', axis: [0, 0, 1] }) } }),
    ).toBe('joints.elbow.to: there is no body "amr"; did you mean "arm"?');
  });
  test('an unknown integrator', () => {
    expect(refusal(pendulum(), { integrator: 'rodas5' as never })).toMatch(
      /^integrator: expected one of automatic, dopri5, .*, got "rodas5"; did you mean "rodas4"\?$/,
    );
    expect(refusal(pendulum({}, { simulation: { integrator: 'radua5' } }))).toContain('did you mean "radau5"?');
  });
  test('an unknown signal in a condition', () => {
    const events: ModelOptions['events'] = { hit: { when: (signal) => signal('bob.positon.x'), stop: true } };
    expect(refusal(pendulum({}, { events }))).toBe(
      'events.hit.when: there is no signal "bob.positon.x"; did you mean "bob.position.x"?',
    );
  });
  test('a signal that is an integral over steps', () => {
    const events: ModelOptions['events'] = { hot: { when: (signal) => signal('energy.dissipated') - 1, stop: true } };
    expect(refusal(pendulum({}, { events }))).toMatch(/^events\.hot\.when: "energy\.dissipated" is an integral/);
  });
});

describe('options', () => {
  test.each([
    [{ stopTime: Number.NaN }, 'stopTime: expected a time > 0 s and at most 10000000000 s (317 years), got NaN'],
    [{ stopTime: -1 }, 'stopTime: expected a time > 0 s and at most 10000000000 s (317 years), got -1'],
    [
      { stopTime: Number.POSITIVE_INFINITY },
      'stopTime: expected a time > 0 s and at most 10000000000 s (317 years), got Infinity',
    ],
    [{ interval: 0 }, 'interval: expected a number > 0 s, got 0'],
    [{ rtol: 0 }, 'rtol: expected a relative tolerance from 1e-14 to 0.1, got 0; 1e-6 is usual'],
    [
      { integrator: 'verlet' },
      'step: the integrator "verlet" takes steps of one length: expected it in s, got undefined',
    ],
    [{ integrator: 'verlet', step: -1 }, 'step: expected a number > 0 s, got -1'],
  ] as const)('%j', (run, message) => {
    expect(refusal(pendulum(), run)).toBe(message);
  });
});

describe("a user's function that gives no number: element and time are named", () => {
  const soon = (t: number): number => Math.sqrt(0.5 - t); // NaN from 0.5 s on
  const ball: ModelOptions['bodies'] = { ball: body({ mass: 1, inertia: [1, 1, 1], position: [0, 0, 1] }) };
  test.each<[string, ModelOptions, RegExp]>([
    [
      'torque',
      pendulum({ torque: soon }),
      /^joints\.pivot: t = 0\.\d+ s: its force at x = .* gave NaN, expected a finite number/,
    ],
    [
      'angle',
      pendulum({ initialAngle: undefined, angle: soon } as never),
      /^joints\.pivot: t = 0\.\d+ s: its prescribed motion gave NaN/,
    ],
    ['motor', pendulum({ motor: { target: soon, kp: 1 } }), /^joints\.pivot: t = 0\.\d+ s: its motor gave NaN/],
    [
      'force',
      { bodies: ball, forces: { push: applied({ on: 'ball', force: (t) => [0, soon(t), 0] }) } },
      /^forces\.push: t = 0\.\d+ s: its force gave NaN/,
    ],
    [
      'law',
      { bodies: ball, forces: { string: lineForce({ from: [0, 0, 0], to: 'ball', law: () => Number.NaN }) } },
      /^forces\.string: t = 0 s: its law at length 1 m and rate 0 m\/s gave NaN/,
    ],
    [
      'gravity',
      pendulum({}, { gravity: ([, , z]) => [0, 0, Math.sqrt(-z - 0.9)] }),
      /^gravity: gave NaN at \[.*\] m, expected an acceleration in m\/s²/,
    ],
    [
      'when',
      pendulum({}, { events: { odd: { when: () => Number.NaN, stop: true } } }),
      /^events\.odd\.when: t = 0 s: expected a finite number whose zero is the event, got NaN/,
    ],
  ])('%s', (_, options, message) => {
    const text = refusal(options);
    expect(text).toMatch(message);
    const time = /t = ([\d.e-]+) s/.exec(text)?.[1];
    // Steps go up to where it ends; a motion that gives its value alone is asked a little ahead, for its rates.
    if (time && time !== '0') expect(Number(time)).toBeGreaterThan(0.499);
  });

  test("what the user's function throws comes through as it is", () => {
    const error = new RangeError('mine');
    const broken = () => {
      throw error;
    };
    expect(() => simulate(model(pendulum({ torque: broken })))).toThrow(error);
  });
});

describe('loops', () => {
  test('one that cannot close', () => {
    expect(
      refusal({
        bodies: { crank: body({ mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0] }) },
        joints: { axle: revolute({ body: 'crank', axis: [0, 0, 1], at: [0, 0, 0] }) },
        // from 4 m to 6 m is all the crank can reach
        constraints: { link: rod({ from: { body: 'crank', at: [1, 0, 0] }, to: [5, 0, 0], length: 3 }) },
      }),
    ).toMatch(
      /^constraints\.link: cannot be closed: [\d.]+ m are left open at the best position found; are the lengths/,
    );
  });

  test('one that a prescribed motion tears open', () => {
    const message = refusal({
      bodies: { door: body({ mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0] }) },
      joints: {
        hinge: revolute({ body: 'door', axis: [0, 0, 1], at: [0, 0, 0], angle: (t: number) => t * t }),
        lock: revolute({ body: 'door', axis: [0, 0, 1], at: [1, 0, 0] }),
      },
    });
    expect(message).toMatch(
      /^joints\.lock: t = 0\.\d+ s: stands open by [\d.]+ m, and nothing is free to close it; a prescribed motion/,
    );
  });

  // A door on two hinges: the second says nothing new.
  const door = (lower: Partial<Parameters<typeof revolute>[0]> = {}) =>
    model({
      bodies: { door: body({ mass: 20, inertia: [1, 1, 1.5], position: [0.4, 0, 1] }) },
      joints: {
        upper: revolute({ body: 'door', axis: [0, 0, 1], at: [0, 0, 1.8] }),
        lower: revolute({ body: 'door', axis: [0, 0, 1], at: [0, 0, 0.2], ...lower }),
      },
    });
  test('two joints between the same bodies are legal; that one repeats the other is reported', () => {
    const run = simulate(door(), { stopTime: 1, rtol: 1e-6 });
    expect(run.trust.notes).toEqual([
      'joints.lower repeats what other joints say already (5 of its 5 rows): the motion is right, but how the joints share the reaction is not unique',
    ]);
    expect(run.trust.degreesOfFreedom).toBe(1);
    // However they share it, together they carry the door.
    expect(run.signal('upper.force.z').at(-1)! + run.signal('lower.force.z').at(-1)!).toBeCloseTo(20 * 9.81, 9);
    expect(run.trust.constraints!.position).toBeLessThan(1e-12);
  });
  test('the start is given at either of them', () => {
    const run = simulate(door({ initialSpeed: 0.5 }), { stopTime: 1, rtol: 1e-6 });
    expect(run.signal('door.angularVelocity.z').at(-1)).toBeCloseTo(0.5, 10);
  });
  test('a start at a joint that cannot have one is refused, not forgotten', () => {
    const both = model({
      bodies: { door: body({ mass: 20, inertia: [1, 1, 1.5], position: [0.4, 0, 1] }) },
      joints: {
        upper: revolute({ body: 'door', axis: [0, 0, 1], at: [0, 0, 1.8], initialSpeed: 1 }),
        lower: revolute({ body: 'door', axis: [0, 0, 1], at: [0, 0, 0.2], initialSpeed: 2 }),
      },
    });
    expect(() => simulate(both)).toThrow(/^joints\.lower\.initialSpeed: this joint closes a loop/);
  });
});

describe('a step that falls to nothing: the state that resists is named', () => {
  test('a speed that runs away: v′ = 1 + v², v = tan t', () => {
    const options: ModelOptions = {
      gravity: 'none',
      bodies: { sled: thing },
      joints: { rail: prismatic({ body: 'sled', axis: [1, 0, 0], force: (_t, _x, v) => 1 + v * v }) },
    };
    for (const integrator of ['dopri5', 'rodas4', 'automatic'] as const)
      expect(refusal(options, { stopTime: 10, integrator })).toMatch(
        /^t = 1\.5708 s: step fell to [\d.]+e-\d+ s\. The state that resists most is the speed of joint "rail"; a softer spring/,
      );
  });
  test('a fall into a centre: the body is named', () => {
    expect(
      refusal(
        {
          gravity: 'none',
          bodies: { comet: body({ mass: 1, inertia: [1, 1, 1], position: [0, 0, 1] }), idle: thing },
          joints: { hold: fixed({ body: 'idle' }) },
          forces: {
            pull: lineForce({ from: [0, 0, 0], to: 'comet', law: (length) => -1 / (length * length * length) }),
          },
        },
        { stopTime: 10 },
      ),
    ).toMatch(/^t = [\d.]+ s: .*the (speed|position) of body "comet"/);
  });
  test('the recording keeps the rows before', () => {
    const simulation = new Simulation(
      model({
        gravity: 'none',
        bodies: { sled: thing },
        joints: { rail: prismatic({ body: 'sled', axis: [1, 0, 0], force: (_t, _x, v) => 1 + v * v }) },
      }),
      { stopTime: 10, interval: 0.1, rtol: 1e-6 },
    );
    expect(() => simulation.advance()).toThrow(ModelError);
    const recording = simulation.finish('failed');
    expect(recording.state).toBe('failed');
    expect(recording.rows).toBe(17); // 0, 0.1, … 1.5, and the last state that was good
    expect(recording.times[16]).toBeCloseTo(Math.PI / 2, 5);
    expect(recording.signal('rail.speed').valueAt(1)).toBeCloseTo(Math.tan(1), 4);
    expect(recording.trust.steps!.smallestCausedBy).toMatch(/^the (speed|position) of joint "rail"$/);
  });
});

test('what cannot bend a flexible body is refused beside one', () => {
  const pads = { density: 1100, youngsModulus: 1e7, poissonRatio: 0.4 };
  const strip = body({ shape: extrude(polygon, 0.05), material: pads, flexible: true });
  expect(
    refusal({ bodies: { strip }, soils: { sand: { soil: 'dry-sand-lll', spacing: 0.01, bodies: ['strip'] } } }),
  ).toBe(
    'soils.sand.bodies: "strip" deforms, and soil carries rigid bodies: it would not bend it; make it rigid, or hold a rigid shoe on it with a joint and name that one here',
  );
  const grains = {
    species: { bead: { radius: 0.01, material: pads } },
    packings: {
      one: {
        species: 'bead',
        arrangement: 'given' as const,
        at: [[0, 0, 1, 0.01]] as [number, number, number, number][],
      },
    },
  };
  expect(refusal({ bodies: { strip }, grains })).toBe(
    'bodies.strip.flexible: grains meet rigid walls, and this body deforms: they would not bend it; make it rigid, or let it pass through them (contact: false)',
  );
});

test.each([
  [Promise.resolve(1), 'model: expected what model({ … }) gives, got a promise; await it'],
  [() => model(pendulum()), 'model: expected what model({ … }) gives, got a function; call it'],
  [{ bodies: {}, joints: {} }, 'model: expected what model({ … }) gives, got another object'],
  [undefined, 'model: expected what model({ … }) gives, got undefined'],
])('what is no model', (given, message) => {
  expect(() => simulate(given as never)).toThrow(message);
});

test.each([
  [{ stop: 3 }, 'options.stop: there is no such option; did you mean "stopTime"?'],
  [{ stoptime: 3 }, 'options.stoptime: there is no such option; did you mean "stopTime"?'],
  [3, 'options: expected { stopTime: 3 } or the like, got 3'],
  [{ stopTime: '3' }, 'stopTime: expected a time > 0 s and at most 10000000000 s (317 years), got the text "3"'],
  [{ rtol: '1e-6' }, 'rtol: expected a relative tolerance from 1e-14 to 0.1, got the text "1e-6"; 1e-6 is usual'],
])('what is no option: %j', (options, message) => {
  expect(() => simulate(model(pendulum()), options as never)).toThrow(message);
});
