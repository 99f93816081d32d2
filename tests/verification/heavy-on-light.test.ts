/**
 * A heavy body on a light one. What swings on the light one is the heavy mass, and its contacts damp that (contact-laws/normal/constant-restitution.ts): the stack comes to rest
 * as one of equal bodies does, at the depth of its load.
 */
import { describe, expect, test } from 'vitest';
import { box, halfSpace } from '../../src/geometry/index.js';
import { body, model, oak, steel } from '../../src/model/index.js';
import { Simulation } from '../../src/simulation/simulation.js';

const side = 0.1;
const g = 9.81;

/** Both fall 1 mm and 2 mm. @param ratio of the densities */
function pile(ratio: number) {
  const gap = 1e-3;
  const simulation = new Simulation(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), material: steel, fixed: true }),
        light: body({ shape: box([side, side, side]), material: oak, position: [0, 0, side / 2 + gap] }),
        heavy: body({
          shape: box([side, side, side]),
          material: { ...steel, density: ratio * oak.density },
          position: [0, 0, 1.5 * side + 2 * gap],
        }),
      },
    }),
    { stopTime: 1 },
  );
  simulation.advance();
  return { simulation, recording: simulation.finish() };
}

describe.each([100, 10_000])('%i times as heavy', (ratio) => {
  const { simulation, recording } = pile(ratio);
  const end = (signal: string): number => recording.signal(signal).at(-1)!;

  test('is at rest', () => {
    // without the mass that they carry the contacts ring: 9 mm/s after 2 s at 10 000
    for (const name of ['light', 'heavy'])
      for (const axis of ['x', 'y', 'z']) expect(Math.abs(end(`${name}.velocity.${axis}`))).toBeLessThan(1e-6);
    expect(recording.trust.verdict!.word).toBe('trusted');
  });

  test('lies as deep as its load says', () => {
    // K V = load, V = A d, K = 1.064 E*/L of the bed, E* that of oak across steel as the law has it
    const { reducedModulus } = simulation.contacts!.met[0].law;
    const depth = (load: number): number => load / ((1.0638 * reducedModulus) / side) / (side * side);
    const mass = oak.density * side ** 3;
    // 1 %: the area is that of the face, of which a little hangs over where the heavy one came down
    expect(Math.abs((0.5 * side - end('light.position.z')) / depth((1 + ratio) * mass * g) - 1)).toBeLessThan(0.01);
  });

  test('in steps like those of any two boxes', () => {
    expect(simulation.statistics.accepted).toBeLessThan(3000);
  });
});
