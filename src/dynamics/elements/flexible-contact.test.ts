// Contact of bodies that deform: derivatives against differences.
import { describe, expect, test } from 'vitest';
import { solveResidual } from '../../../tests/fixtures/solve-residual.js';
import { assemble } from '../../assembly/assemble.js';
import { extrude } from '../../geometry/extrude.js';
import { box, capsule, cylinder, disc, halfSpace, rotate, sphere } from '../../geometry/index.js';
import { random } from '../../math/random.js';
import { body } from '../../model/body.js';
import { revolute, spherical } from '../../model/joints.js';
import { type ModelOptions, model } from '../../model/model.js';
import { MechanicalSystem } from '../index.js';
import { FlexibleContact } from './flexible-contact.js';

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

// Solids in space: a ball on a triangle, on an edge between two and past the rim; corners of a bar on a tilted floor; edges and faces of boxes, rods on
// their sides and on a rim, another solid that deforms
type Other = 'ball' | 'floor' | 'box' | 'cylinder' | 'capsule' | 'solid';
const TILTED = { axis: [1, 0.3, 0], angle: 0.1 } as const;
const shapeOf = (kind: Other) => {
  if (kind === 'ball') return sphere(0.02);
  if (kind === 'box') return box([0.05, 0.02, 0.02]);
  if (kind === 'cylinder') return rotate({ axis: [0.1, 1, 0], angle: 1.5 }, cylinder({ radius: 0.01, height: 0.05 }));
  if (kind === 'capsule') return rotate({ axis: [0.1, 1, 0], angle: 1.53 }, capsule({ radius: 0.01, height: 0.03 }));
  return bar(0.05, 0.02);
};
const solidPair = (kind: Other, at: readonly [number, number, number], angle: number): ModelOptions => ({
  gravity: [0, 0, -9.81],
  contacts: { defaults: kind === 'ball' ? {} : { restitution: 0.5 } },
  bodies: {
    soft: body({ shape: bar(0.2, 0.03), material: rubber, flexible: { grid: [8, 2], layers: 1, modes: 3 } }),
    other:
      kind === 'floor'
        ? body({ shape: rotate(TILTED, halfSpace()), fixed: true, position: at, material: rubber })
        : body({
            shape: shapeOf(kind),
            material: rubber,
            position: at,
            orientation: { axis: [0.6, 1, 0.2], angle },
            ...(kind === 'solid' && { flexible: { grid: [3, 1], layers: 1, modes: 3 } }),
          }),
  },
  joints: { root: spherical({ body: 'soft' }) },
});

describe.each([
  ['ball', [0.13, 0.004, 0.0395], 0],
  ['ball', [0.125, 0.0, 0.0395], 0],
  ['ball', [0.08, 0.0155, 0.0392], 0],
  ['floor', [0.2, 0.015, 0.0006], 0],
  ['box', [0.1, 0.002, 0.0295], 0.002],
  ['box', [0.1, 0.002, 0.0308], 0.2],
  ['box', [0.208, 0.002, 0.0295], 0.01],
  ['cylinder', [0.1, 0.002, 0.0296], 0.003],
  ['cylinder', [0.1, 0.002, 0.0336], 0.3],
  ['capsule', [0.1, 0.002, 0.0292], 0.01],
  ['solid', [0.1, 0.002, 0.0195], 0.002],
  ['solid', [0.1, 0.002, 0.0193], 0.03],
] as const)('a soft solid and a %s at %j, tilted by %d', (kind, at, angle) => {
  const mechanics = new MechanicalSystem(assemble(model(solidPair(kind, at, angle))));
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
    for (const e of [1e-5, 1e-3]) expect(solveResidual(mechanics, 0, y, e, 5, 1e-4)).toBeLessThan(1e-6);
  });
});
