import { expect, test } from 'vitest';
import { assemble } from '../assembly/assemble.js';
import { body } from '../model/body.js';
import { bushing, spring } from '../model/forces.js';
import { prismatic, revolute } from '../model/joints.js';
import { model } from '../model/model.js';
import { initialise } from './initialise.js';
import { lowestModes } from './lowest-modes.js';
import { MechanicalSystem } from './mechanical-system.js';
import { eigenmodes } from './modes.js';

function atRest(given: ReturnType<typeof model>): [MechanicalSystem, Float64Array] {
  const system = assemble(given);
  const mechanics = new MechanicalSystem(system);
  const y = Float64Array.from(system.initial);
  initialise(mechanics, 0, y);
  return [mechanics, y];
}

test('a chain of 60 masses between walls: 2 √(k/m) sin(k π/2(n + 1))', () => {
  const n = 60;
  const [k, m] = [100, 0.5];
  const place = (j: number) => [0.1 * j, 0, 0] as const;
  const [mechanics, y] = atRest(
    model({
      gravity: 'none',
      contacts: false,
      bodies: {
        mass: Array.from({ length: n }, (_, j) => body({ mass: m, inertia: [1, 1, 1], position: place(j + 1) })),
      },
      joints: { rail: Array.from({ length: n }, (_, j) => prismatic({ body: `mass[${j}]`, axis: [1, 0, 0] })) },
      forces: {
        link: Array.from({ length: n + 1 }, (_, j) =>
          spring({
            from: j === 0 ? place(0) : `mass[${j - 1}]`,
            to: j === n ? place(n + 1) : `mass[${j}]`,
            stiffness: k,
            damping: 1e-3,
          }),
        ),
      },
    }),
  );
  lowestModes(mechanics, 0, y, 5).forEach(({ frequency, shape }, i) => {
    const exact = (Math.sqrt(k / m) * Math.sin(((i + 1) * Math.PI) / (2 * (n + 1)))) / Math.PI;
    // Asked for 1e-8 from one iteration to the next; the dampers, C/K = 1e-5 s, make K stiffer by 1e-5/100
    expect(frequency / exact).toBeCloseTo(1, 6);
    const sine = shape.map((_, j) => Math.sin(((i + 1) * (j + 1) * Math.PI) / (n + 1)));
    const along = shape.reduce((sum, x, j) => sum + x * sine[j], 0) * Math.sqrt((2 * m) / (n + 1));
    expect(Math.abs(along)).toBeCloseTo(1, 6);
  });
});

test('the same as eigenmodes: free bodies on bushings, one on a hinge, and what is free to go', () => {
  const plate = { mass: 2, inertia: [0.02, 0.03, 0.04] as const };
  const six = [900, 500, 700, 3, 4, 5] as const;
  const [mechanics, y] = atRest(
    model({
      gravity: 'none',
      contacts: false,
      bodies: {
        a: body({ ...plate, position: [0.1, 0, 0] }),
        b: body({ ...plate, position: [0.3, 0.1, 0], orientation: { axis: [1, 2, 0], angle: 0.3 } }),
        door: body({ ...plate, position: [0.6, 0, 0] }),
        adrift: body({ ...plate, position: [2, 0, 0] }),
      },
      joints: { hinge: revolute({ body: 'door', axis: [0, 0, 1], at: [0.5, 0, 0] }) },
      forces: {
        foot: bushing({ from: [0, 0, 0], to: { body: 'a', at: [0, 0, 0] }, stiffness: six }),
        middle: bushing({ from: { body: 'a', at: [0.2, 0, 0] }, to: { body: 'b', at: [0.2, 0, 0] }, stiffness: six }),
        handle: bushing({
          from: { body: 'b', at: [0.55, 0, 0] },
          to: { body: 'door', at: [0.55, 0, 0] },
          stiffness: six,
        }),
      },
    }),
  );
  const wanted = eigenmodes(mechanics, 0, y)
    .map(({ frequency }) => frequency)
    .filter((frequency) => frequency > 1e-3)
    .slice(0, 4);
  const found = lowestModes(mechanics, 0, y, 10).map(({ frequency }) => frequency);
  // six ways of one that is adrift
  for (let i = 0; i < 6; i++) expect(found[i]).toBeLessThan(1e-4);
  for (const [i, frequency] of wanted.entries()) expect(found[6 + i] / frequency).toBeCloseTo(1, 6);
});
