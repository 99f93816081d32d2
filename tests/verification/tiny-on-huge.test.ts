// A chip on a block ten million times its size: its depth at rest is below the rounding of the block's coordinates.
import { expect, test } from 'vitest';
import { box } from '../../src/geometry/index.js';
import { fromQuaternion } from '../../src/math/mat3.js';
import { fromAxisAngle } from '../../src/math/quaternion.js';
import { body, model, steel } from '../../src/model/index.js';
import { ContactPatches } from '../../src/narrow-phase/contact-patches.js';
import { convexRoute } from '../../src/narrow-phase/convex-overlap/index.js';
import { Separation } from '../../src/narrow-phase/route.js';
import { Simulation } from '../../src/simulation/index.js';

const SMALL = 1e-4;

/** The cube over the middle of the block's top, which is tilted by an angle, `height` in front of it along the normal */
function poses(big: number, tilt: number, height: number) {
  const turn = fromQuaternion(fromAxisAngle([1, 0.4, 0.2], tilt));
  const normal = [turn[2], turn[5], turn[8]];
  return {
    position: Float64Array.of(...normal.map((n) => (-n * big) / 2), ...normal.map((n) => n * (SMALL / 2 + height))),
    rotation: Float64Array.of(...turn, ...turn),
  };
}

test.each([
  [1, 0],
  [1000, 0],
  [1000, 0.7],
  [10000, 0.7],
])('overlap and distance go with the height in steps of 1e-14 m: block of %f m, tilted by %f rad', (big, tilt) => {
  for (const route of [convexRoute(box(big), box(SMALL), 0, 1)!, convexRoute(box(SMALL), box(big), 1, 0)!]) {
    const patches = new ContactPatches(1);
    const signed = (height: number): number => {
      patches.clear();
      route.find(poses(big, tilt, height), 0, patches, true);
      if (patches.count > 0) return -patches.volume[0] / (SMALL * SMALL);
      const out = new Separation();
      route.separate(poses(big, tilt, height), out);
      return out.distance;
    };
    // where the face is by its own rounded coordinates: fixed, and no more than the rounding of the block's size
    const face = signed(0);
    expect(Math.abs(face)).toBeLessThan(2.3e-16 * big);
    // the cube itself is placed to the rounding of its own coordinates, 1e-20 m, and its corners turned to that of its size
    for (let i = -100; i <= 100; i++) expect(Math.abs(signed(1e-14 * i) - face - 1e-14 * i)).toBeLessThan(1e-18);
  }
});

// e = 0.9 by the materials: some hundred bounces. m g = K V with the bed's K = 1.064 E*/L: d = ρ g L²/(1.064 E*)
test.each([1000, 10000])('a cube of 0.1 mm dropped on a block of %f m comes to rest', (big) => {
  const sim = new Simulation(
    model({
      bodies: {
        block: body({ shape: box(big), material: steel, position: [0, 0, -big / 2], fixed: true }),
        cube: body({ shape: box(SMALL), material: steel, position: [0, 0, SMALL / 2 + 1e-5] }),
      },
      simulation: { stop: 0.1 },
    }),
  );
  sim.advance(0.1);
  const { youngsModulus = 0, poissonRatio = 0, density } = steel;
  const modulus = youngsModulus / (2 * (1 - poissonRatio ** 2));
  const stiffness = (4 * Math.SQRT2) / (3 * Math.sqrt(Math.PI));
  const depth = (density * 9.81 * SMALL * SMALL) / (stiffness * modulus);
  const at = sim.contacts!.pairs[0];
  expect(at.touching).toBe(true);
  // depth of a flat face is 2V/A
  expect(at.depth / 2 / depth).toBeCloseTo(1, 5);
  expect(sim.statistics.accepted).toBeLessThan(5000);
});
