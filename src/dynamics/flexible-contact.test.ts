// Contact of bodies that deform: derivatives against differences.
import { describe, expect, test } from 'vitest';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { disc, halfSpace, rotate, sphere } from '../geometry/index.js';
import { random } from '../math/random.js';
import { body } from '../model/body.js';
import { revolute, spherical } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { FlexibleContact } from './flexible-contact.js';
import { MechanicalSystem } from './index.js';

const Z = [0, 0, 1] as const;
const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, friction: 0.4 };
const bar = (length: number, width: number) =>
  extrude(
    [
      [0, -width / 2],
      [length, -width / 2],
      [length, width / 2],
      [0, width / 2],
    ],
    0.02,
  );
const pairOf = (kind: 'disc' | 'bar' | 'flexible'): ModelOptions => ({
  gravity: [0, -9.81, 0],
  contacts: { defaults: kind === 'disc' ? {} : { restitution: 0.5 } },
  bodies: {
    soft: body({ shape: bar(0.2, 0.03), material: rubber, flexible: { grid: [12, 3], modes: 3 } }),
    other:
      kind === 'disc'
        ? body({ shape: disc({ radius: 0.02, height: 0.02 }), material: rubber, position: [0.15, 0.0345, 0.01] })
        : body({
            shape: bar(0.1, 0.02),
            material: rubber,
            position: [0.151, 0.0145, 0],
            orientation: { axis: Z, angle: 1.2 },
            ...(kind === 'flexible' && { flexible: { grid: [8, 2], modes: 2 } }),
          }),
  },
  joints: {
    root: revolute({ body: 'soft', axis: Z }),
    pin: revolute({ body: 'other', axis: Z, at: kind === 'disc' ? [0.12, 0.1, 0] : [0.187, 0.108, 0] }),
  },
});

describe.each(['disc', 'bar', 'flexible'] as const)('a soft bar pressed by a %s', (kind) => {
  const mechanics = new MechanicalSystem(assemble(model(pairOf(kind))));
  const element = mechanics.pairs.find((pair) => pair instanceof FlexibleContact)!;
  const draw = random(7);
  const y = mechanics.system.initial.slice();
  const { nq, nv, size } = mechanics;
  for (let k = 0; k < nv; k++) y[nq + k] += 0.02 * draw.uniformBetween(-0.5, 0.5);
  for (let k = 0; k < nq; k++) y[k] += 1e-4 * draw.uniformBetween(-0.5, 0.5);
  for (let k = nq + nv; k < size; k++) y[k] = 2e-6 * draw.uniformBetween(-0.5, 0.5);

  test('they touch', () => {
    mechanics.update(0, y);
    element.energy(0, y);
    expect((element as FlexibleContact).local.count).toBeGreaterThan(0);
  });
  test('I − e J is what differences of the rates say', () => {
    // differences: not so far that other points touch, not so near that rounding counts
    expect(solveResidual(mechanics, 0, y, 1e-5, 5, 1e-6)).toBeLessThan(1e-6);
    expect(solveResidual(mechanics, 0, y, 1e-3, 5, 1e-5)).toBeLessThan(1e-6);
  });
});

// Solids in space: a ball on a triangle, on an edge between two and past the rim; corners of a bar on a tilted floor
const solidPair = (kind: 'ball' | 'floor', at: readonly [number, number, number]): ModelOptions => ({
  gravity: [0, 0, -9.81],
  contacts: { defaults: kind === 'ball' ? {} : { restitution: 0.5 } },
  bodies: {
    soft: body({ shape: bar(0.2, 0.03), material: rubber, flexible: { grid: [8, 2], layers: 1, modes: 3 } }),
    other:
      kind === 'ball'
        ? body({ shape: sphere(0.02), material: rubber, position: at })
        : body({
            shape: rotate({ axis: [1, 0.3, 0], angle: 0.1 }, halfSpace()),
            fixed: true,
            position: at,
            material: rubber,
          }),
  },
  joints: { root: spherical({ body: 'soft' }) },
});

describe.each([
  ['ball', [0.13, 0.004, 0.0395]],
  ['ball', [0.125, 0.0, 0.0395]],
  ['ball', [0.08, 0.0155, 0.0392]],
  ['floor', [0.2, 0.015, 0.0006]],
] as const)('a soft solid and a %s at %j', (kind, at) => {
  const mechanics = new MechanicalSystem(assemble(model(solidPair(kind, at))));
  const element = mechanics.pairs.find((pair) => pair instanceof FlexibleContact) as FlexibleContact;
  const draw = random(7);
  const y = mechanics.system.initial.slice();
  const { nq, nv, size } = mechanics;
  for (let k = 0; k < nv; k++) y[nq + k] += 0.02 * draw.uniformBetween(-0.5, 0.5);
  for (let k = 0; k < nq; k++) y[k] += 2e-5 * draw.uniformBetween(-0.5, 0.5);
  for (let k = nq + nv; k < size; k++) y[k] = 2e-6 * draw.uniformBetween(-0.5, 0.5);

  test('I − e J is what differences of the rates say', () => {
    mechanics.update(0, y);
    element.energy(0, y);
    expect(element.local.count).toBeGreaterThan(0);
    for (const e of [1e-5, 1e-3]) expect(solveResidual(mechanics, 0, y, e, 5, 3e-5)).toBeLessThan(1e-6);
  });
});
