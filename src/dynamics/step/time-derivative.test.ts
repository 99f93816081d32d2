import { describe, expect, test } from 'vitest';
import { ContactScene } from '../../../tests/fixtures/contact-scene.js';
import { constrained, ROWS } from '../../../tests/fixtures/random-rows.js';
import { randomSystem } from '../../../tests/fixtures/random-system.js';
import { withElements } from '../../../tests/fixtures/with-elements.js';
import { assemble } from '../../assembly/assemble.js';
import { halfSpace } from '../../geometry/half-space.js';
import { box, sphere } from '../../geometry/primitives.js';
import { random } from '../../math/random.js';
import { body } from '../../model/body.js';
import { prismatic, revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { MechanicalSystem } from '../mechanical-system.js';

/** Largest difference between the told ∂f/∂t and one from Richardson's extrapolation of central differences, of the largest entry */
function disagreement(mechanics: MechanicalSystem, t: number, y: Float64Array, widest: number): number {
  const { size } = mechanics;
  const f = new Float64Array(size);
  const told = new Float64Array(size);
  mechanics.rates(t, y, f);
  mechanics.linear.linearise(t, y, f, told);
  const ahead = new Float64Array(size);
  const behind = new Float64Array(size);
  let table: number[][] = []; // by order: the last row of Richardson's table
  for (let level = 0; level < 4; level++) {
    const h = widest / 2 ** level;
    mechanics.rates(t + h, y, ahead);
    mechanics.rates(t - h, y, behind);
    const row = [Array.from(ahead, (value, i) => (value - behind[i]) / (2 * h))];
    for (let k = 1; k <= level; k++)
      row.push(row[k - 1].map((value, i) => value + (value - table[k - 1][i]) / (4 ** k - 1)));
    table = row;
  }
  const best = table[3];
  const scale = best.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  expect(scale).toBeGreaterThan(0);
  return best.reduce((worst, value, i) => Math.max(worst, Math.abs(value - told[i])), 0) / scale;
}

describe('∂f/∂t', () => {
  // Differences of f leave near 1e-10; functions of time in the elements are differenced ahead, near 1e-9.
  test('of driven joints in random trees, with springs, bushings, motors and forces that follow time', () => {
    let driven = 0;
    for (let seed = 0; seed < 16; seed++) {
      const plain = randomSystem({ seed, nodes: 9, special: true, freeBodies: 2 });
      driven += plain.motions.length;
      const draw = random(`ends ${seed}`);
      const carrier = () => {
        const end = draw.integer(12);
        return end < 9 ? end : 8 - end;
      };
      const system = withElements(plain, seed, () => {
        const a = carrier();
        let b = carrier();
        while (b === a) b = carrier();
        return [a, b];
      });
      const mechanics = new MechanicalSystem(system);
      mechanics.prepare(0.2, system.initial);
      expect(disagreement(mechanics, 0.2, system.initial, 4e-3)).toBeLessThan(1e-8);
    }
    expect(driven).toBeGreaterThan(8);
  });

  test('of driven joints alone, in gravity of all kinds', () => {
    for (let seed = 0; seed < 12; seed++)
      for (const gravity of [
        { kind: 'uniform', acceleration: [1, 2, -9] },
        { kind: 'point', mu: 20, centre: [3, 2, 1] },
      ] as const) {
        const system = randomSystem({ seed, nodes: 7, special: true, gravity });
        if (system.motions.length === 0 || system.nv === 0) continue;
        const mechanics = new MechanicalSystem(system);
        expect(disagreement(mechanics, 0.2, system.initial, 4e-3)).toBeLessThan(1e-9);
      }
  });

  test.each(Object.keys(ROWS))('of driven loops: %s', (kind) => {
    let tried = 0;
    for (let seed = 1; seed < 16; seed += 2) {
      const system = constrained(seed, (draw, ends) => [ROWS[kind](draw, ...ends()), ROWS.point(draw, ...ends())]);
      if (system.motions.length === 0) continue;
      const mechanics = new MechanicalSystem(system);
      mechanics.prepare(0.2, system.initial);
      // The loops do not close, which the rows' accelerations do not mind.
      expect(disagreement(mechanics, 0.2, system.initial, 2e-3)).toBeLessThan(1e-7);
      tried++;
    }
    expect(tried).toBeGreaterThan(3);
  });

  // A hammer on a driven arm, accelerating, presses on a free block that lies on the floor; 1 µs moves its face by a tenth of the depth.
  test('of contacts that a driven joint presses', () => {
    const hard = { name: 'hard', density: 1000, youngsModulus: 1e9, poissonRatio: 0.3 };
    const scene = new ContactScene(
      model({
        bodies: {
          floor: body({ shape: halfSpace(), fixed: true, material: hard }),
          block: body({ shape: box(0.1), material: hard, position: [0, 0, 0.05 - 2e-6] }),
          arm: body({ shape: box(0.02), material: hard, position: [0, 0, 0.5] }),
          hammer: body({ shape: sphere(0.02), material: hard, position: [0.01, 0.01, 0.12 - 5e-6] }),
        },
        joints: {
          slide: prismatic({ body: 'arm', axis: [1, 0, 0], position: (t) => [0.3 * t, 0.3, 0] }),
          swing: revolute({
            body: 'hammer',
            to: 'arm',
            axis: [0, 1, 0],
            at: [0.3, 0, 0.1],
            angle: (t) => [-0.5 * t - 4 * t * t + t ** 3, -0.5 - 8 * t + 3 * t * t, -8 + 6 * t],
          }),
        },
      }),
    ).start();
    const { mechanics, y, contacts } = scene;
    expect(contacts.pairs.filter(({ touching }) => touching).map(({ name }) => name)).toEqual([
      'floor–block',
      'block–hammer',
    ]);
    scene.move('block', [0.02, 0.01, -0.01], [0.1, 0.2, 0.3]);
    for (const pair of contacts.pairs) y.fill(3e-7, pair.stateAt, pair.stateAt + pair.states);
    // 4 ns: less than the kinks of a friction law are apart, far more than rounding
    expect(disagreement(mechanics, 0, y, 1e-7)).toBeLessThan(1e-6);
  });
});

test('third derivative of a motion that a user gave', () => {
  const jerkOf = (angle: (t: number) => number | readonly [number, number, number], t: number) => {
    const { motions } = assemble(
      model({
        bodies: { a: body({ mass: 1, inertia: [1, 1, 1] }) },
        joints: { j: revolute({ body: 'a', axis: [0, 0, 1], angle }) },
      }),
    );
    const out = new Float64Array(4);
    motions[0](t, out);
    return out[3];
  };
  const w = 20;
  const exact = (t: number) => -(w ** 3) * Math.cos(w * t);
  for (const t of [0, 0.3, 7.1]) {
    // From values: 7/120 (w h)⁴ of it, and rounding 1e-16/h³
    expect(jerkOf((s) => Math.sin(w * s), t) / w ** 3).toBeCloseTo(exact(t) / w ** 3, 6);
    // From accelerations ahead: (w h)²/3 of it, and rounding 1e-9 of the acceleration
    const triple = (s: number) => [Math.sin(w * s), w * Math.cos(w * s), -w * w * Math.sin(w * s)] as const;
    expect(jerkOf(triple, t) / w ** 3).toBeCloseTo(exact(t) / w ** 3, 8);
  }
  // A ramp whose acceleration jumped just now
  const ramp = (s: number) => (s < 0 ? [0, 0, 0] : [s ** 3, 3 * s * s, 6 * s + 5]) as readonly [number, number, number];
  expect(jerkOf(ramp, 0)).toBeCloseTo(6, 6);
});
