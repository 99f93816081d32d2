/** `explain` against closed forms, and the command line around it and around JSON models as a user meets them. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import squeezer from '../examples/andrews-squeezer/andrews-squeezer.model.js';
import doublePendulum from '../examples/double-pendulum/double-pendulum.model.js';
import nFourBar from '../examples/n-four-bar/n-four-bar.model.js';
import pendulum from '../examples/pendulum/pendulum.model.js';
import slider from '../examples/slider-crank/slider-crank.model.js';
import chain from '../examples/spring-mass-chain/spring-mass-chain.model.js';
import { assemble } from '../src/assembly/assemble.js';
import { AllowedPairs } from '../src/broad-phase/allowed-pairs.js';
import { type Explanation, explain } from '../src/explain/explanation.js';
import { explanationText } from '../src/explain/text.js';
import { extrude } from '../src/geometry/extrude.js';
import { halfSpace } from '../src/geometry/half-space.js';
import { box, sphere } from '../src/geometry/primitives.js';
import { translate } from '../src/geometry/transform.js';
import type { MethodName } from '../src/integration/method-name.js';
import type { Vec3 } from '../src/math/vec3.js';
import { body } from '../src/model/body.js';
import { applied, bushing, spring } from '../src/model/forces.js';
import { fixed, prismatic, revolute } from '../src/model/joints.js';
import { steel } from '../src/model/materials.js';
import { type Model, type ModelOptions, model } from '../src/model/model.js';
import { simulate } from '../src/simulation/simulation.js';

const of = (built: Model): Explanation => explain('it', built, {});
const textOf = (facts: Explanation): string => explanationText(facts, []).join('\n');
const frequencies = (facts: Explanation['rest'] | Explanation['start']): number[] =>
  facts.smallMotions!.modes.filter(({ kind }) => kind === 'swings').map(({ frequency }) => frequency);

// Modes come from differences of order 4 with steps of 1e-3: errors near 1e-11 of λ², so 1e-9 leaves room.
const CLOSE = 1e-9;
const expectClose = (values: readonly number[], wanted: readonly number[]): void => {
  expect(values).toHaveLength(wanted.length);
  for (const [i, value] of values.entries()) expect(Math.abs(value / wanted[i] - 1)).toBeLessThan(CLOSE);
};

describe('small motions', () => {
  test.each([1, 4])('a pendulum of %s m swings with √(g/l) about rest', (length) => {
    const { start, rest, degreesOfFreedom, energy } = of(pendulum({ length, startAngle: 60 }));
    expect(degreesOfFreedom).toBe(1);
    expect(rest.found).toBe(true);
    expect(Math.abs(rest.coordinates['pivot.angle'])).toBeLessThan(1e-12);
    expect(rest.distance).toBeCloseTo(length, 9); // the chord of 60° is as long as the radius
    expectClose(frequencies(rest), [Math.sqrt(9.81 / length) / (2 * Math.PI)]);
    expect(rest.smallMotions!.modes[0]).toMatchObject({
      damping: 0,
      timeConstant: null,
      moves: [{ name: 'bob', share: 1 }],
    });
    // Away from rest the momentary stiffness is m g l cos φ
    expect(start).toMatchObject({ equilibrium: false, accelerates: 'pivot', accelerationUnit: 'rad/s²' });
    expect(start.acceleration).toBeCloseTo((-9.81 / length) * Math.sin(Math.PI / 3), 9);
    expectClose(frequencies(start), [Math.sqrt((9.81 / length) * Math.cos(Math.PI / 3)) / (2 * Math.PI)]);
    expect(energy.potential).toBeCloseTo(-9.81 * length * 0.5, 9);
  });
  test('a damped one swings slower: ζ = d/(2 m l² ω₀)', () => {
    const { start, rest } = of(pendulum({ startAngle: 0, damping: 0.8 }));
    const omega = Math.sqrt(9.81);
    const ratio = 0.8 / (2 * omega);
    expect(start.equilibrium).toBe(true);
    expect(rest).toMatchObject({ found: false, reason: 'the start is one' });
    const [mode] = start.smallMotions!.modes;
    expectClose(
      [mode.damping, mode.frequency, mode.timeConstant!],
      [ratio, (omega * Math.sqrt(1 - ratio ** 2)) / (2 * Math.PI), 2 / 0.8],
    );
  });
  test('one that stands on its head falls with e^(√(g/l) t)', () => {
    const { start } = of(pendulum({ startAngle: 180 }));
    expect(start.equilibrium).toBe(true);
    expect(start.smallMotions!.stable).toBe(false);
    const grows = start.smallMotions!.modes.find(({ kind }) => kind === 'grows')!;
    expectClose([grows.real], [Math.sqrt(9.81)]);
  });
  test('two equal rods: ω² = 3 g/l (1 ± 2/√7)', () => {
    const { rest } = of(doublePendulum());
    expectClose(
      frequencies(rest),
      [-1, 1].map((sign) => Math.sqrt(3 * 9.81 * (1 + (sign * 2) / Math.sqrt(7))) / (2 * Math.PI)),
    );
  });
  test('a chain of masses between walls: ω = 2 √(k/m) sin(i π/(2 n + 2))', () => {
    const { rest } = of(chain());
    const wanted = Array.from({ length: 10 }, (_, i) => (2 * 10 * Math.sin(((i + 1) * Math.PI) / 22)) / (2 * Math.PI));
    expectClose(frequencies(rest), wanted);
  });
  test('a parallelogram comes to rest: (2/3 + 1) m l² φ̈ = −(2/2 + 1) m g l φ', () => {
    const rod = (x: number) => ({ mass: 1, inertia: [1 / 12, 1 / 12, 0] as Vec3, position: [x, 0, -0.5] as Vec3 });
    const hinge = (body: string, at: Vec3, to = 'ground', more = {}) =>
      revolute({ body, to, at, axis: [0, 1, 0], ...more });
    const { rest } = of(
      model({
        bodies: { left: rod(0), right: rod(1), bar: { mass: 1, inertia: [0, 1 / 12, 1 / 12], position: [0.5, 0, -1] } },
        joints: {
          a: hinge('left', [0, 0, 0], 'ground', { initialAngle: 0.4 }),
          b: hinge('right', [1, 0, 0]),
          c: hinge('bar', [0, 0, -1], 'left'),
          d: hinge('bar', [1, 0, -1], 'right'),
        },
      }),
    );
    expect(rest.found).toBe(true);
    expectClose(frequencies(rest), [Math.sqrt(1.2 * 9.81) / (2 * Math.PI)]);
  });
  test('rest is also found far along a loop that turns much on the way', () => {
    expect(of(squeezer()).rest.found).toBe(true);
  });
  test('modes of flexible parts that die out early are not worth following', () => {
    // Held for 5 s: the slowest, 5 Hz, is damped by 1 %, to 1/e in 3 s; for 500 s it is dead for nearly all of the run.
    const reed = (stop: number) => {
      const outline: [number, number][] = [[0, 0], [0.4, 0], [0.4, 0.001], [0, 0.001]]; // biome-ignore format: one line
      return of(
        model({
          bodies: { reed: body({ shape: extrude(outline, 0.01), material: steel, flexible: { meshSize: 0.002 } }) },
          joints: { clamp: fixed({ body: 'reed', at: [0, 0.0005, 0] }) },
          simulation: { stop },
        }),
      );
    };
    expect(reed(5).run.recommended).toBe('dopri5');
    expect(reed(500).run.recommended).toBe('rodas4');
    expect(textOf(reed(5))).toMatch(/apart from what is flexible.*automatic changes to a stiff method/s);
  });
  // biome-ignore format: one frame
  test('a flexible frame that starts where its load holds it is at rest, whatever its stiff modes round to', () => {
    // Modes of 5 kHz and more answer rounding of the load by 2e-3 rad/s² of nearly no mass, which takes them 2e-12 m.
    const corners: [number, number][] =
      [[0, 0], [0.01, 0], [0.01, 0.39], [0.59, 0.39], [0.59, 0], [0.6, 0], [0.6, 0.4], [0, 0.4]];
    const { start, rest } = of(model({
      bodies: { frame: body({ shape: extrude(corners, 0.01), material: steel, flexible: { modes: 12 } }) },
      joints: {
        left: fixed({ body: 'frame', at: [0.005, 0, 0.005] }),
        right: fixed({ body: 'frame', at: [0.595, 0, 0.005] }),
      },
      forces: { push: applied({ on: { body: 'frame', at: [0, 0.4, 0.005] }, force: [200, 0, 0] }) },
      simulation: { start: 'equilibrium', stop: 0.05 },
    }));
    expect(start).toMatchObject({ equilibrium: true, moving: false });
    expect(rest).toMatchObject({ found: false, reason: 'the start is one' });
  });
  test('a loop on its head falls', () => {
    // The parallelogram of equal rods: 3 cranks of m l²/3 each and 2 couplers of m l² turn together; m g l (3/2 + 2) pulls back.
    const { rest, start } = of(nFourBar({ startSpeed: 0 }));
    expect(start).toMatchObject({ equilibrium: true, moving: false });
    expect(rest.found).toBe(false);
    const grows = start.smallMotions!.modes.find(({ kind }) => kind === 'grows')!;
    expectClose([grows.real], [Math.sqrt((9.81 * 3.5) / 3)]);
  });
  test('directions in which nothing pulls back are counted, not listed', () => {
    const { start } = of(model({ gravity: 'none', bodies: { a: { mass: 1, inertia: [1, 2, 2.5] } } }));
    expect(start.smallMotions).toMatchObject({ modes: [], drifting: 6, stable: true });
  });
  test('what falls has no rest', () => {
    const facts = of(model({ bodies: { a: { mass: 1, inertia: [1, 2, 2.5] } } }));
    expect(facts.rest).toMatchObject({ found: false, reason: 'none was found near the start' });
    expect(textOf(facts)).toContain('a accelerates with -9.81 m/s²');
  });
});

describe('structure', () => {
  test('loops: rows, redundancy, freedom', () => {
    const facts = of(nFourBar());
    expect(facts).toMatchObject({ degreesOfFreedom: 1, redundantRows: 6 });
    expect(facts.joints.filter(({ place }) => place === 'cut')).toHaveLength(2);
    expect(facts.joints.find(({ name }) => name === 'right[1]')).toMatchObject({
      rows: 5,
      independent: 2,
      coordinates: 0,
    });
    expect(textOf(facts)).toContain('how joints share the reactions is not');
  });
  test('a prescribed joint, and no freedom left', () => {
    const facts = of(slider());
    expect(facts.degreesOfFreedom).toBe(0);
    expect(facts.joints[0]).toMatchObject({ name: 'crankshaft', prescribed: true, coordinates: 0 });
    expect(facts.rest.reason).toBe('a prescribed motion keeps it going');
  });
  test('free bodies, their moments and size, and the layout of the state', () => {
    const { bodies, states, gravity } = of(
      model({
        bodies: {
          arm: { mass: 1, inertia: [0, 0, 0], position: [1, 0, 0] },
          brick: { shape: box([1, 2, 3]), material: { density: 2 }, position: [0, 0, 9] },
        },
        joints: { hinge: revolute({ body: 'arm', at: [0, 0, 0], axis: [0, 1, 0], friction: { limit: 2 } }) },
        gravity: 'moon',
      }),
    );
    expect(bodies[0]).toMatchObject({ held: 'tree', joint: 'hinge', size: null });
    expect(bodies[1]).toMatchObject({ held: 'free', joint: null, mass: 12, size: [1, 2, 3] });
    expect(bodies[1].principalMoments.map((x) => Math.round(x * 1e9) / 1e9)).toEqual([5, 10, 13]); // m (a² + b²)/12
    expect(gravity).toEqual({ kind: 'uniform', acceleration: [0, 0, -1.62] });
    expect(states).toMatchObject({ count: 16, positions: 8, velocities: 7, elements: 1 });
    expect(states.layout.map(({ at, count, of: whose }) => [at, count, whose])).toEqual([
      [0, 1, 'joints.hinge'],
      [1, 3, 'bodies.brick'],
      [4, 4, 'bodies.brick'],
      [8, 1, 'joints.hinge'],
      [9, 3, 'bodies.brick'],
      [12, 3, 'bodies.brick'],
      [15, 1, 'joints.hinge'],
    ]);
  });
  test('hundreds of bodies are told in short', () => {
    const ball = { mass: 1, inertia: [1, 1, 1] as [number, number, number] };
    const facts = of(model({ bodies: { rack: Array.from({ length: 300 }, () => ball) } }));
    expect(facts.start.smallMotions).toBeNull();
    expect(facts.states.count).toBe(300 * 13);
    expect(textOf(facts).split('\n').length).toBeLessThan(60);
  });
});

describe('time scales', () => {
  const mass = { mass: 2, inertia: [1, 1, 1] as [number, number, number] };
  test('of what acts along a joint: √(k/m), π √(m/k) at a stop, d/m', () => {
    const { elements } = of(
      model({
        gravity: 'none',
        bodies: { sled: mass },
        joints: {
          rail: prismatic({
            body: 'sled',
            axis: [1, 0, 0],
            spring: { stiffness: 50 },
            damping: 3,
            stops: { upper: 1, stiffness: 8e4 },
            motor: { target: 0, kp: 18, kd: 1 },
          }),
        },
      }),
    );
    const by = Object.fromEntries(elements.map((element) => [element.what, element]));
    expect(elements[0].what).toBe('end stop');
    expectClose([by.spring.rate, by.spring.decay, by.motor.rate, by.motor.decay], [5, 1.5, 3, 0.5]);
    expectClose([by['end stop'].timeScale!], [Math.PI / 200]);
  });
  test('of a spring between two bodies: √(k/µ), µ = m₁ m₂/(m₁ + m₂)', () => {
    const { elements } = of(
      model({
        gravity: 'none',
        bodies: { a: mass, b: { ...mass, mass: 6, position: [1, 0, 0] } },
        forces: { rope: spring({ from: 'a', to: 'b', stiffness: 600, damping: 3 }) },
      }),
    );
    // Power iteration on central differences of 1e-5
    expect(elements[0].rate).toBeCloseTo(20, 6);
    expect(elements[0].decay).toBeCloseTo(2, 6);
  });
  test('of a bushing: the fastest of its six directions', () => {
    const { elements } = of(
      model({
        gravity: 'none',
        bodies: { a: mass },
        forces: { mount: bushing({ from: [0, 0, 0], to: 'a', stiffness: [200, 100, 50, 1, 400, 9] }) },
      }),
    );
    expect(elements[0].rate).toBeCloseTo(20, 6); // √(400/1) about y beats √(200/2) along x
  });
  test('a stiff damper calls for a stiff method, a pendulum does not', () => {
    const stiff = of(
      model({
        bodies: { sled: mass },
        joints: { rail: prismatic({ body: 'sled', axis: [0, 0, 1], spring: { stiffness: 20 }, damping: 2e4 }) },
        simulation: { stop: 10 },
      }),
    );
    expect(stiff.run).toMatchObject({ recommended: 'rodas4', integrator: 'automatic' });
    expect(stiff.run.explicitStepLimit).toBeCloseTo(3.3e-4, 5); // d/m = 1e4 1/s
    expect(of(pendulum()).run).toMatchObject({ recommended: 'dopri5', stopTime: 10 });
    expect(of(pendulum()).run.fixedStep).toBeCloseTo((2 * Math.PI) / Math.sqrt(9.81) / 20, 9);
  });
  test('islands at the start: who makes steps of its own, and who touches already', () => {
    const ball = (x: number, z: number) => body({ shape: sphere(0.1), material: steel, position: [x, 0, z] });
    const facts = of(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), material: steel, fixed: true }),
          alone: ball(0, 1),
          lower: ball(1, 0.1),
          upper: ball(1, 0.3),
        },
      }),
    );
    expect(facts.islands).toEqual([['alone'], ['lower', 'upper']]);
    expect(textOf(facts)).toContain('islands     2 at the start, each with its own steps');
    expect(of(pendulum()).islands).toBeNull();
  });
  test('what is recommended is what an automatic run ends with', () => {
    const sled = { mass: 2, inertia: [1, 1, 1] as const };
    const rail = (more: Partial<Parameters<typeof prismatic>[0]>) =>
      model({
        bodies: { sled },
        joints: { rail: prismatic({ body: 'sled', axis: [0, 0, 1], ...more }) },
        simulation: { stop: 10 },
      });
    const agree = (built: Model, method: MethodName): void => {
      expect(of(built).run.recommended).toBe(method);
      expect(simulate(built).trust).toMatchObject({ integrator: { method } });
    };
    agree(pendulum(), 'dopri5');
    agree(rail({ spring: { stiffness: 20 }, damping: 2e4 }), 'rodas4'); // comes to rest
    agree(rail({ motor: { target: (t) => Math.sin(t), kp: 2e4, kd: 2e3 } }), 'radau5'); // driven
  });
});

describe('contact', () => {
  const wax = { density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
  const floor = body({ shape: halfSpace(), fixed: true, material: wax });
  const ball = (x: number, z = 1, more = {}) =>
    body({ shape: sphere(0.1), material: wax, position: [x, 0, z], ...more });
  const R = 0.1;
  const mass = 1000 * (4 / 3) * Math.PI * R ** 3;
  const modulus = 1e7 / (2 * (1 - 0.09));

  test('softer by a wanted depth: what acts, and the real beside it', () => {
    const bodies = {
      floor: body({ shape: halfSpace(), fixed: true, material: steel }),
      ball: ball(0, 1, { material: steel }),
    };
    const factsOf = (contacts: ModelOptions['contacts']) => of(model({ bodies, contacts })).contact!.kinds[0].facts!;
    const real = factsOf({});
    const soft = factsOf({ depth: 1e-4 });
    expect(real).toMatchObject({ softened: null, wantedDepth: null, real: null });
    expect(soft).toMatchObject({
      softened: 'softer',
      wantedDepth: 1e-4,
      restitution: real.restitution,
      friction: real.friction,
    });
    // Hertz: E* goes with d^-1.5
    expectClose(
      [soft.depthShare, soft.reducedModulus, soft.real!.reducedModulus, soft.real!.depth],
      [1e-4, real.reducedModulus * (real.depth / soft.depth) ** 1.5, real.reducedModulus, real.depth],
    );
    expectClose([soft.real!.stiffness, soft.real!.contactTime], [real.stiffness, real.contactTime]);
    const text = (contacts: ModelOptions['contacts']): string => textOf(of(model({ bodies, contacts })));
    expect(text({})).not.toContain('softened');
    expect(text({ depth: 1e-4 })).toMatch(
      /at rest {5}34\.64 µm deep, 0\.01 % of the smaller; .*\n.*softened {4}\d+ times, for depth 0\.0001; real: E\* = 1\d\d\.\d GPa, .*m deep at rest, .*N\/m there, impact .*s at 1 m\/s/,
    );
    expect(text({ depth: 1e-4, defaults: { reducedModulus: 1e9 } })).toContain(
      'softened    no: the stiffness is given, depth 0.0001 has no say',
    );
    expect(text({ depth: 1e-9 })).toContain('softened    no: real materials rest deeper than 1e-9 of the smaller');
  });
  test('a ball on a floor: Hertz at rest and in an impact', () => {
    const { contact, bodies, states, start, run } = of(model({ bodies: { floor, ball: ball(0) } }));
    expect(bodies[0]).toMatchObject({ name: 'floor', held: 'fixed', mass: null, size: null });
    expect(states).toMatchObject({ count: 13, elements: 0 });
    expect(states.reserved).toBeGreaterThan(0);
    expect(start).toMatchObject({ touching: false, accelerates: 'ball' });
    expect(contact).toMatchObject({
      shapes: 2,
      bodies: 2,
      pairs: 1,
      broadPhase: 'brute-force',
      tolerance: 0.01,
      apart: [],
    });
    const [{ facts, example, count }] = contact!.kinds;
    expect([example, count]).toEqual([['floor', 'ball'], 1]);
    const k = (4 / 3) * modulus * Math.sqrt(R);
    const depth = ((mass * 9.81) / k) ** (2 / 3);
    // Johnson (1985), §11.4: d* = (15 m v²/(16 E* √R))^(2/5), T = 2.9433 d*/v
    const contactTime = 2.9433 * ((15 * mass) / (16 * modulus * Math.sqrt(R))) ** 0.4;
    expect(facts).toMatchObject({
      route: 'sphere–half-space',
      depthAt: 'rest',
      restitution: 0.5,
      friction: { law: 'bristle', static: 0.3, kinetic: 0.3 },
      guessed: ['friction', 'restitution'],
      normalLaw: { name: 'Hertz', formula: 'k d^1.5' },
    });
    expectClose(
      [
        facts!.reducedModulus,
        facts!.effectiveRadius!,
        facts!.effectiveMass,
        facts!.normalLaw.constants[0].value,
        facts!.depth,
        facts!.stiffness,
        facts!.contactTime,
        facts!.fixedStep,
      ],
      [modulus, R, mass, k, depth, 1.5 * k * Math.sqrt(depth), contactTime, contactTime / 20],
    );
    expect(run).toMatchObject({ recommended: 'rodas4', fixedStep: facts!.fixedStep });
  });
  test('equal pairs are told once and counted', () => {
    const rack = Array.from({ length: 10 }, (_, i) => ball(0.3 * i));
    const facts = of(model({ bodies: { rack, cue: ball(-1), floor }, gravity: 'none' }));
    expect(facts.contact!.kinds.map(({ between, count, example }) => [between, count, example])).toEqual([
      [
        [
          ['rack', 'cue'],
          ['rack', 'cue'],
        ],
        55,
        ['rack[0]', 'rack[1]'],
      ],
      [[['rack', 'cue'], ['floor']], 11, ['rack[0]', 'floor']],
    ]);
    expect(facts.contact!.pairs).toBe(66);
    expect(facts.contact!.kinds[0].facts!.depthAt).toBe('impact of 1 m/s');
    expect(textOf(facts)).toContain('rack, cue among themselves, 55 pairs such as rack[0]–rack[1]: sphere–sphere');
  });
  test('who is kept apart, and why', () => {
    const { contact } = of(
      model({
        bodies: {
          floor,
          a: ball(0),
          b: ball(0.15),
          c: ball(1),
          d: ball(2, 1, { contact: { touches: [] } }),
          e: ball(3, 1, { contact: false }),
        },
        joints: { pin: revolute({ body: 'b', to: 'a', at: [0.1, 0, 1], axis: [0, 1, 0] }) },
        contacts: { exclude: [['c', 'a']], pairs: [{ between: ['b', 'floor'], touch: false }] },
      }),
    );
    expect(contact!.apart).toEqual([
      { between: ['b', 'a'], because: 'joint pin' },
      { between: ['c', 'a'], because: 'contacts.exclude' },
      { between: ['b', 'floor'], because: 'contacts.pairs[0].touch' },
      ...['floor', 'a, c', 'b'].map((other) => ({ between: [other, 'd'], because: 'groups' })),
    ]);
    expect(contact!.silent).toEqual(['e']);
    expect(contact!.pairs).toBe(3); // floor–a, floor–c, b–c
  });
  test('counted pairs are those that the broad phase allows', () => {
    const stick = body({ shape: [sphere(0.1), translate([0.3, 0, 0], sphere(0.1))], material: wax });
    const at = (x: number, more = {}) => ({ ...stick, position: [x, 0, 0] as Vec3, ...more });
    const built = model({
      bodies: {
        sticks: [at(0), at(1), at(2), at(3, { contact: { group: 'odd', touches: 'default' } })],
        fixed: [at(5, { fixed: true }), at(6, { fixed: true })],
      },
      contacts: {
        exclude: [
          ['sticks[0]', 'sticks[1]'],
          ['sticks[1]', 'sticks[0]'],
          ['sticks[2]', 'fixed[1]'],
        ],
      },
    });
    const { shapes, rules } = assemble(built).contacts!;
    const allowed = new AllowedPairs(rules);
    let pairs = 0;
    for (let i = 0; i < shapes.length; i++)
      for (let j = i + 1; j < shapes.length; j++) if (allowed.allows(i, j)) pairs++;
    expect(of(built).contact!.pairs).toBe(pairs);
  });
  test('laws of the papers and of the user’s own', () => {
    const laws = {
      hofmann: { kind: 'hofmann', stiffness: 1e5, damping: 3 },
      elmqvist: { kind: 'elmqvist', damping: 2 },
      bed: { kind: 'foundation', modulus: 1e8 },
      own: ({ depth }: { depth: number }) => 1e5 * depth,
    } as const;
    const names = Object.keys(laws) as (keyof typeof laws)[];
    const block = (x: number) => body({ shape: box(0.1), material: wax, position: [x, 0, 1] });
    const { contact } = of(
      model({
        bodies: { floor, ...Object.fromEntries(names.map((name, i) => [name, block(i)])) },
        contacts: {
          exclude: names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as [string, string])),
          pairs: names.map((name) => ({ between: [name, 'floor'], normalLaw: laws[name], friction: 0.2 })),
        },
      }),
    );
    const by = Object.fromEntries(contact!.kinds.map(({ example, facts }) => [example[1], facts!]));
    expect(by.hofmann.normalLaw.constants.map(({ symbol, value }) => [symbol, value])).toEqual([
      ['K', 1e5],
      ['D', 3],
    ]);
    expect(by.hofmann).toMatchObject({ restitution: null, guessed: [], assumedStiffness: [] });
    expect(by.elmqvist.normalLaw.name).toBe('Elmqvist et al. (2015)');
    expect(by.bed.normalLaw).toEqual({
      name: 'bed of springs',
      formula: 'K V',
      constants: [{ symbol: 'K', value: 1e8, unit: 'N/m³' }],
    });
    expect(by.bed.guessed).toEqual(['restitution']);
    expect(by.own.normalLaw.name).toMatch(/^a law of your own/);
  });
  test('what deserves a second look', () => {
    const warnings = (options: Partial<ModelOptions>, material: object = wax): readonly string[] =>
      of(
        model({
          bodies: { floor, a: { ...ball(0), material: material as typeof wax } },
          contacts: { defaults: { friction: 0.1, restitution: 0.5 } },
          ...options,
        }),
      ).contact!.warnings;
    expect(warnings({})).toEqual([]);
    expect(warnings({ contacts: { defaults: { friction: 0.1 } } })).toEqual([
      "restitution (0.5) of a material without a name on a material without a name is a guess: give contacts: { pairs: [{ between: ['floor', 'a'], restitution: … }] }",
    ]);
    expect(warnings({ contacts: {} })[0]).toMatch(/^friction \(0\.3\) and restitution \(0\.5\) of .* are guesses/);
    expect(warnings({}, { name: 'cork', density: 200 })).toEqual([
      'the stiffness of cork is not known, that of a hard polymer (2 GPa) was taken: give "youngsModulus" in the material',
    ]);
    expect(warnings({}, { density: 1e4, youngsModulus: 1e4, poissonRatio: 0.3 })[0]).toMatch(
      /^floor–a: [\d.]+ % of the smaller body sink into the other at rest/,
    );
    const tiny = body({ shape: sphere(1e-3), material: steel, position: [0, 0, 1] });
    const rigid = body({ shape: halfSpace(), fixed: true, material: steel });
    expect(warnings({ bodies: { rigid, tiny } })[0]).toMatch(
      /^rigid–tiny is stiff and light, an impact at 1 m\/s takes/,
    );
    const rail = ball(0, 1, { contact: { surfaces: [{ kind: 'sphere', radius: 0.1 }] } });
    expect(warnings({ bodies: { floor, rail } })[0]).toMatch(
      /^floor–rail cannot touch: bodies\.floor\.contact\.surfaces/,
    );
  });
  test('rest that bodies are in the way of is none', () => {
    const pendulum = (wall: boolean) =>
      of(
        model({
          bodies: {
            bob: ball(1, 0),
            ...(wall && { wall: body({ shape: box(0.2), fixed: true, material: wax, position: [0, 0, -1] }) }),
            far: { ...floor, position: [0, 0, -5] },
          },
          joints: { pivot: revolute({ body: 'bob', at: [0, 0, 0], axis: [0, 1, 0] }) },
        }),
      ).rest;
    expect(pendulum(false)).toMatchObject({ found: true });
    expect(pendulum(true)).toMatchObject({ found: false });
    expect(pendulum(true).reason).toMatch(/^bodies are in the way/);
  });
  test('nothing to tell where nothing touches', () => {
    const facts = of(model({ bodies: { floor, a: ball(0) }, contacts: false }));
    expect(facts.contact).toBeNull();
    expect(textOf(facts)).not.toContain('\ncontact ');
  });
  test('bodies that touch at the start: no frequencies, no alarm', () => {
    const facts = of(model({ bodies: { floor, a: ball(0, 0.1 - 1e-5) } }));
    expect(facts.start).toMatchObject({ touching: true, smallMotions: null });
    expect(textOf(facts)).toContain('; bodies touch');
  });
});

describe('the command line', () => {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const fixtures = fileURLToPath(new URL('./fixtures/models/', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-explain-'));
  const tippetop = (...words: string[]): { code: number | null; out: string; error: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { code: status, out: stdout, error: stderr };
  };
  beforeAll(() => {
    mkdirSync(join(folder, 'swing'));
    copyFileSync(`${fixtures}swing.json`, join(folder, 'swing', 'swing.model.json'));
    copyFileSync(`${fixtures}swing.model.ts`, join(folder, 'twin.model.ts'));
    writeFileSync(join(folder, 'comma.json'), '{\n  "bodies": {\n    "a": { "mass": 1, }\n  }\n}\n');
    writeFileSync(join(folder, 'shape.json'), '{ "bodies": { "a": { "shape": { "sphere": { "radius": -1 } } } } }');
    // A tetrahedron with legs of 10 mm, beside a model in another folder than the one we are in
    const corners = ['0 0 0', '10 0 0', '0 10 0', '0 0 10'];
    const faces = [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ].map(
      (face) =>
        `facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${corners[i]}\n`).join('')}endloop\nendfacet\n`,
    );
    writeFileSync(join(folder, 'swing', 'part.stl'), `solid part\n${faces.join('')}endsolid part\n`);
    const part = (file: string) =>
      JSON.stringify({ bodies: { a: { shape: { file, unit: 'mm' }, material: { density: 6000 } } } });
    writeFileSync(join(folder, 'swing', 'part.json'), part('part.stl'));
    writeFileSync(join(folder, 'swing', 'lost.json'), part('lost.stl'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('explain takes parameters as run does, and --json prints one document', () => {
    const { code, out } = tippetop('explain', 'pendulum', '--length', '4', '--json');
    expect(code).toBe(0);
    const document = JSON.parse(out) as Explanation & { signals: number };
    expect(document).toMatchObject({ model: 'pendulum', parameters: { length: 4, mass: 1 }, signals: 34 });
    expectClose(frequencies(document.rest), [Math.sqrt(9.81 / 4) / (2 * Math.PI)]);
  });
  test('explain in words', () => {
    const { code, out } = tippetop('explain', 'pendulum', '--set', 'length=4');
    expect(code).toBe(0);
    expect(out).toContain('--length       4 m');
    expect(out).toContain('0.2492 Hz  period 4.012 s, undamped; moves bob');
    expect(out).toContain('gravity     9.81 m/s² along −z');
  });
  test('--signals lists names with units, some of them with a glob', () => {
    expect(tippetop('explain', 'pendulum', '--signals').out).toContain('34 signals');
    const { out } = tippetop('explain', 'pendulum', '--signals', 'bob.velocity.*');
    expect(out).toMatch(/^bob\.velocity\.x {2}m\/s {2}/);
    expect(out).toContain('3 signals');
  });
  test('a JSON model runs to the same bits as its TypeScript twin', () => {
    const hash = (...words: string[]): string => {
      const { code, out, error } = tippetop('run', ...words, '--json');
      expect(error).toBe('');
      expect(code).toBe(0);
      return (JSON.parse(out) as { hash: string }).hash;
    };
    expect(hash('swing', '--out', 'a')).toBe(hash('twin.model.ts', '--out', 'b'));
    expect(readFileSync(join(folder, 'a', 'summary.json'), 'utf8')).toContain('"Swing"');
  });
  test('a part is read from beside the model', () => {
    const { out } = tippetop('explain', 'swing/part.json', '--json');
    const [{ mass, size }] = (JSON.parse(out) as Explanation).bodies;
    expect(mass).toBeCloseTo(1e-3, 12); // 10³/6 mm³ at 6000 kg/m³
    expect(size).toEqual([0.01, 0.01, 0.01]);
  });
  test.each([
    [['explain', 'comma.json'], /comma\.json, line 3, column 21: a comma before "}"/],
    [['run', 'shape.json'], /bodies\.a\.shape\.sphere\.radius: expected a radius > 0 m, got -1/],
    [['explain', 'swing/lost.json'], /bodies\.a\.shape\.file: .*lost\.stl/],
    [['explain', 'swing', '--length', '3'], /--length: the model has no parameter of this name; it has no parameters/],
    [['explain', 'pendulum', '--lenght', '3'], /did you mean "length"/],
    [['explain', 'pendulum', '--signals', 'bib.*'], /--signals: no signal matches "bib\.\*"/],
    [['explain', 'geneva-wheel'], /gives solids, not a model/],
  ])('%j is bad input', (words, message) => {
    const { code, out, error } = tippetop(...words);
    expect(error).toMatch(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});
