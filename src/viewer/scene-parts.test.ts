import { beforeAll, describe, expect, test } from 'vitest';
import { colourVertices } from '../geometry/colours.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { surface } from '../model/surfaces.js';
import type { Recording } from '../results/recording.js';
import { scaleColour } from '../results/scene/colour-scale.js';
import { shownSides } from '../results/scene/contact-side.js';
import { simulate } from '../simulation/simulation.js';
import { forceArrows, partsAt } from './scene-parts.js';

const material = { density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
let recording: Recording;
beforeAll(() => {
  const striped = colourVertices(box([0.2, 0.2, 0.2]), ([, , z]) => (z > 0 ? [1, 0, 0] : [0, 0, 1]));
  recording = simulate(
    model({
      bodies: {
        floor: body({ shape: halfSpace({ extent: 50 }), fixed: true, material }),
        ball: body({ shape: sphere(0.1), material, position: [1, 0, 0.0999] }),
        die: body({ shape: striped, material, position: [0, 0, 3], angularVelocity: [0, 0, Math.PI / 0.1] }),
      },
      surfaces: {
        sheet: surface({
          triangles: [[0, 1, 2]],
          vertices: (t) => [
            [0, 0, t],
            [1, 0, t],
            [0, 1, t],
          ],
          values: [0, 1, 2],
        }),
        ...Object.fromEntries(
          [1, 3].map((load) => [
            `pressed${load}`,
            surface({
              triangles: [[0, 1, 2]],
              vertices: [
                [0, 0, load],
                [1, 0, load],
                [0, 1, load],
              ],
              values: [0, load, 2 * load],
              quantity: 'pressure',
              unit: 'Pa',
            }),
          ]),
        ),
      },
    }),
    { stopTime: 0.05, interval: 0.01 },
  );
});

const middle = (vertices: Float64Array): number[] =>
  [0, 1, 2].map((k) => vertices.filter((_, i) => i % 3 === k).reduce((sum, x) => sum + x, 0) / (vertices.length / 3));

const meanColour = (places: readonly number[]): number[] =>
  [0, 1, 2].map((k) => Math.round(places.reduce((sum, place) => sum + (255 * scaleColour(place)[k]) / 3, 0)));

describe('parts of a still', () => {
  test('bodies stand where the row has them, turned as it says', () => {
    const { parts } = partsAt(recording, 5);
    const [, , die] = parts;
    const [x, y, z] = middle(die.mesh.vertices);
    expect([x, y]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
    expect(z).toBeCloseTo(recording.signal('die.position.z').values[5], 12);
    // a quarter turn in 0.05 s: the corner at (+, +) is now at (−, +)
    const corner = recording.scene!.shapes[2].vertices.findIndex(
      (_, i, all) => i % 3 === 0 && all[i] > 0 && all[i + 1] > 0,
    );
    expect(die.mesh.vertices[corner]).toBeCloseTo(-0.1, 6);
    expect(die.mesh.vertices[corner + 1]).toBeCloseTo(0.1, 6);
  });

  test('what must fit leaves a floor out that is larger than everything', () => {
    const { fit } = partsAt(recording, 0);
    expect(Math.max(...fit[0].mesh.vertices)).toBeLessThan(4);
  });

  test('colours of vertices become those of triangles, a surface is coloured by its values', () => {
    const { parts } = partsAt(recording, 2);
    const [, , die, sheet] = parts;
    expect(die.triangleColours).toHaveLength(die.mesh.triangles.length);
    expect(
      new Set(Array.from({ length: 12 }, (_, t) => die.triangleColours!.slice(3 * t, 3 * t + 3).join())),
    ).toContain('255,0,0');
    expect(sheet.mesh.vertices[2]).toBeCloseTo(0.02, 12);
    expect(sheet.triangleColours).toHaveLength(3);
  });

  test('surfaces of one quantity have one scale', () => {
    const [, , , , light, heavy] = partsAt(recording, 2).parts;
    // means of the corners: 0, 1/6, 1/3 of the scale and 0, 1/2, 1 of it
    expect(Array.from(light.triangleColours!)).toEqual(meanColour([0, 1 / 6, 1 / 3]));
    expect(Array.from(heavy.triangleColours!)).toEqual(meanColour([0, 1 / 2, 1]));
  });

  test('arrows show what the floor does to the ball, as long as its force', () => {
    const table = recording.table('contacts');
    const instant = table.instant(5);
    const row = 0;
    const force = instant.column('normalForce')[row];
    const perNewton = 0.5 / force;
    const arrows = forceArrows(instant, shownSides(recording.scene!, table.labels), perNewton, 1);
    const tips = arrows.slice(0, 2).flatMap(({ mesh }) => [...mesh.vertices.filter((_, i) => i % 3 === 2)]);
    const from = instant.column('point.z')[row];
    // upwards, whichever of the two comes first in the pair
    expect(Math.max(...tips) - from).toBeCloseTo(0.5, 3);
    expect(arrows.every(({ onTop }) => onTop)).toBe(true);
  });
});
