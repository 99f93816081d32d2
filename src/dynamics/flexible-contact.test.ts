// Contact of bodies that deform: derivatives against differences.
import { describe, expect, test } from 'vitest';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { disc } from '../geometry/index.js';
import { random } from '../math/random.js';
import { body } from '../model/body.js';
import { revolute } from '../model/joints.js';
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
    expect((element as FlexibleContact).plane.count).toBeGreaterThan(0);
  });
  test('I − e J is what differences of the rates say', () => {
    // differences: not so far that other points touch, not so near that rounding counts
    expect(solveResidual(mechanics, 0, y, 1e-5, 5, 1e-6)).toBeLessThan(1e-6);
    expect(solveResidual(mechanics, 0, y, 1e-3, 5, 1e-5)).toBeLessThan(1e-6);
  });
});
