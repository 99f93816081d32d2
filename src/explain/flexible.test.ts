// A clamped strip 1 × 0.02 × 0.01 m: its weight bends it by ρ g A L⁴/(8 E I), turns its end by 4/3 of that over its length
import { describe, expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { box } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import type { FlexibleOptions } from '../model/flexible.js';
import { applied, spring } from '../model/forces.js';
import { fixed, prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { explain } from './explanation.js';
import { flexibleFacts, flexibleText } from './flexible.js';

const facts = (youngsModulus: number, flexible: FlexibleOptions) =>
  flexibleFacts(
    assemble(
      model({
        contacts: false,
        bodies: {
          strip: body({
            shape: extrude(
              [
                [0, -0.01],
                [1, -0.01],
                [1, 0.01],
                [0, 0.01],
              ],
              0.01,
            ),
            material: { density: 7850, youngsModulus, poissonRatio: 0.3 },
            flexible,
          }),
        },
        joints: { wall: fixed({ body: 'strip' }) },
      }),
    ),
  );

test('a stiff strip bends little under its weight', () => {
  const [strip] = facts(210e9, { grid: [40, 1], modes: 4 });
  const sag = (7850 * 9.81 * 12) / (8 * 210e9 * 0.02 ** 2);
  // four modes have 99.9 % of the sag; the turn is told as 1.5 of it
  expect(Math.abs(strip.turn / (1.5 * sag) - 1)).toBeLessThan(0.01);
  expect(strip).toMatchObject({ modes: 4, coordinates: 4, linear: true, substructures: 1 });
  expect(strip.slenderness).toBeCloseTo(50, 9);
  expect(flexibleText(strip)).toContain('linear strain will do for that (up to 0.1 rad');
  // no more is claimed than was looked at
  expect(flexibleText(strip)).toContain('motion bring later is not in it');
});
test('a soft one is beyond linear strain, and is told how many pieces it takes', () => {
  const [strip] = facts(210e6, { grid: [40, 1], modes: 4 });
  expect(strip.linear).toBe(false);
  expect(strip.substructures).toBe(Math.ceil(strip.turn / 0.1));
  expect(flexibleText(strip)).toContain(`some ${strip.substructures} substructures would do`);
});
// A lever of 1 m with 2 rad/s² about a fast hub: ω against its first frequency; at rest 20 N at its end turn it by F L²/(2 E I)
test('speed as driven, and the loads of rest', () => {
  const wall = fixed({ body: 'lever' });
  const turning = (drive: Pick<Parameters<typeof revolute>[0], 'speed' | 'angle'>) =>
    revolute({ body: 'lever', axis: [0, 0, 1], ...drive });
  const told = (hub: ReturnType<typeof fixed> | ReturnType<typeof revolute>, force: number) =>
    explain(
      'lever',
      model({
        contacts: false,
        gravity: [0, 0, 0],
        bodies: {
          lever: body({
            shape: extrude(
              [
                [0, -0.05],
                [1, -0.05],
                [1, 0.05],
                [0, 0.05],
              ],
              0.01,
            ),
            material: { density: 7850, youngsModulus: 1e9, poissonRatio: 0.3 },
            flexible: { grid: [20, 2] },
          }),
        },
        joints: { hub },
        forces: { pull: applied({ on: { body: 'lever', at: [1, 0, 0] }, force: [0, force, 0] }) },
        simulation: { stop: 5 },
      }),
      {},
    ).flexible[0];
  const [first] = told(wall, 0).frequencies;
  const slow = told(turning({ angle: (t) => [t * t, 2 * t, 2] }), 0);
  expect(slow).toMatchObject({ linear: true, turnAtRest: null });
  expect(slow.speed).toBeCloseTo(10, 9);
  const fast = told(turning({ speed: 2 * Math.PI * first * 0.4 }), 0);
  expect(fast.linear).toBe(false);
  expect(flexibleText(fast)).toContain('0.4 of its first frequency: beyond linear strain (0.3 of its first frequency');
  const bent = told(wall, 20);
  // the end turns by F L²/(2 E I), 1.5 times F L³/(3 E I) over L; shear adds a part in a hundred
  expect(Math.abs(bent.turnAtRest! / (20 / (2 * 1e9 * ((0.01 * 0.1 ** 3) / 12))) - 1)).toBeLessThan(0.02);
  expect(told(wall, 200)).toMatchObject({ linear: false, turn: 0 });
});
// A lever whose hub is carried by an arm: as a whole it turns by the sum of both speeds, not at all where the one undoes the other; a carriage that slides freely turns nothing
describe('what several joints make of its speed', () => {
  const [stiff, lever] = [{ density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 }, box([1, 0.1, 0.01])];
  const speed = (joints: ModelOptions['joints'], flexible: FlexibleOptions = { grid: [20, 2] }) =>
    explain(
      'lever',
      model({
        contacts: false,
        gravity: [0, 0, 0],
        bodies: {
          arm: body({ shape: box([0.1, 0.1, 0.1]), material: stiff }),
          lever: body({ shape: lever, material: stiff, position: [0.5, 0, 0.2], flexible }),
        },
        joints,
        forces: { pull: applied({ on: { body: 'lever', at: [1, 0, 0.2] }, force: [0, 0, 0] }) },
        simulation: { stop: 5 },
      }),
      {},
    ).flexible[0];
  const axis = [0, 0, 1] as const;
  const hub = (own: number) => revolute({ body: 'lever', to: 'arm', at: [0, 0, 0.2], axis, speed: own });
  test.each([
    [3, 4, 7],
    [3, -3, 0],
    [-1, 3, 2],
  ])('%d and %d rad/s', (first, second, together) => {
    const found = speed({ base: revolute({ body: 'arm', axis, speed: first }), hub: hub(second) });
    expect(found.speed).toBeCloseTo(together, 12);
  });
  test('about axes across each other', () => {
    const found = speed({ base: revolute({ body: 'arm', axis: [1, 0, 0], speed: 3 }), hub: hub(4) });
    expect(found.speed).toBeCloseTo(5, 12);
  });
  test('on a carriage that slides freely, ever faster', () => {
    const angle = (t: number): [number, number, number] => [t * t, 2 * t, 2];
    const spun = revolute({ body: 'lever', to: 'arm', at: [0, 0, 0.2], axis, angle });
    expect(speed({ base: prismatic({ body: 'arm', axis: [1, 0, 0] }), hub: spun }).speed).toBeCloseTo(10, 9);
    // hinged freely it may turn back
    expect(speed({ base: revolute({ body: 'arm', axis }), hub: spun }).speed).toBe(0);
  });
  test('with the membrane term no speed is beyond linear strain', () => {
    const turning = (membrane: boolean) =>
      speed({ base: fixed({ body: 'arm' }), hub: hub(1000) }, { grid: [20, 2], membrane });
    expect(turning(false)).toMatchObject({ linear: false, membrane: false });
    expect(turning(true)).toMatchObject({ linear: true, membrane: true });
  });
});

test('automatic: pieces that are slender themselves', () => {
  const pieces = facts(210e9, { grid: [40, 1], modes: 0, substructures: 'automatic' });
  expect(pieces.map(({ name }) => name)).toEqual(['strip', 'strip[1]', 'strip[2]', 'strip[3]', 'strip[4]']);
  for (const piece of pieces) expect(piece.slenderness).toBeCloseTo(10, 9);
});
// What moves beside a part that deforms: a block in free fall has no rest, wherever a search for one runs to; a spring swings by its own
// stiffness, ω² = k/m, not with the fastest mode of the part; contact of the part is told under "they touch", not among forces
test('rest, springs and contact beside a part that deforms', () => {
  const strip = body({
    shape: box([1, 0.02, 0.01]),
    material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 },
    flexible: { grid: [10, 1], modes: 2 },
  });
  const block = body({ shape: box([0.1, 0.1, 0.1]), material: { density: 1000 }, position: [0.3, 0.5, 0] });
  const facts = explain(
    'one',
    model({
      gravity: [0, -9.81, 0],
      contacts: { defaults: { friction: 0 } },
      bodies: { strip, block, load: { ...block, position: [0, -1, 0], contact: false } },
      joints: { wall: fixed({ body: 'strip', at: [-0.5, 0, 0] }) },
      forces: {
        rope: spring({
          from: { body: 'strip', at: [-0.5, 0, 0] },
          to: { body: 'load', at: [-0.5, -1, 0] },
          stiffness: 100,
        }),
      },
    }),
    {},
  );
  expect(facts.rest.found).toBe(false);
  expect(facts.elements.map(({ name }) => name)).toEqual(['forces.rope']);
  // 1 kg, and the place it is pulled at is 0.5 m off its middle: 1/m + l²/J
  const J = (1 / 6) * 0.1 ** 2;
  expect(facts.elements[0].rate / Math.sqrt(100 * (1 + 0.5 ** 2 / J))).toBeCloseTo(1, 3);
});

// Who moves in a mode is told by kinetic energy: a mass at the end of a clamped strip deflects it as a force does, and the strip has 33/140 of its mass in
// the motion of its end (Rayleigh; the inertia of the strip itself bends it another way by a percent). A disc that a motor turns is no part of any mode.
test('bodies that move in a mode; pieces that touch have names of their own', () => {
  const strip = (y: number) =>
    body({
      shape: extrude([[0, y], [1, y], [1, y + 0.02], [0, y + 0.02]], 0.01), // biome-ignore format: a rectangle
      material: { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 },
      flexible: { substructures: 2, modes: 1 },
    });
  const inertia = [1e-6, 1e-6, 1e-6] as const;
  const explained = explain(
    'strips',
    model({
      bodies: {
        one: strip(0),
        weight: body({ mass: 7850 * 0.02 * 0.01, inertia, position: [1, 0.01, 0] }),
        two: strip(0.5),
        disc: body({ mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 2, 0] }),
      },
      joints: {
        wall: fixed({ body: 'one', at: [0, 0.01, 0] }),
        end: fixed({ body: 'weight', to: 'one', at: [1, 0.01, 0] }),
        other: fixed({ body: 'two', at: [0, 0.51, 0] }),
        motor: revolute({ body: 'disc', at: [0, 2, 0], axis: [0, 0, 1], speed: 300 }),
      },
    }),
    {},
  );
  const [first, second] = explained.start.smallMotions!.modes;
  const share = 33 / 140 / (1 + 33 / 140);
  expect(first.moves.map(({ name }) => name)).toEqual(['weight', 'one']);
  expect(Math.abs(first.moves[1].share / share - 1)).toBeLessThan(0.02);
  expect(second.moves).toEqual([{ name: 'two', share: expect.closeTo(1, 9) }]);
  // states of friction that nothing touches decay by themselves: no motion
  for (const { kind } of explained.start.smallMotions!.modes) expect(kind).toBe('swings');
  expect(explained.flexibleContacts.map(({ name }) => name)).toEqual([
    'one–two',
    'one–two[1]',
    'one[1]–two',
    'one[1]–two[1]',
  ]);
});
