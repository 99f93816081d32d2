// Round shapes that just touch, 10 µm to 1 pm deep, against the first terms of their closed forms. Such volumes are small beside those of the shapes, and a sum that is a difference of
// large numbers loses all digits of them (balls on corners did).
import { expect, test } from 'vitest';
import { box, capsule, cylinder, type Solid } from '../geometry/index.js';
import { type Mat3, rotation } from '../math/mat3.js';
import type { Vec3 } from '../math/vec3.js';
import { ContactPatches } from './contact-patches.js';
import { ALL_ROUTES } from './routing/routes.js';
import { Routing } from './routing/routing.js';

const [R, L, r] = [0.0175, 0.04, 0.012];
const round = cylinder({ radius: R, height: L });
const thin = cylinder({ radius: r, height: 0.05 });
const pill = capsule({ radius: R, height: L });
const block = box([0.2, 0.2, 0.1]);
const bar = box([0.2, 0.1, 0.1]);
const cube = box([0.1, 0.1, 0.1]);

const upright = rotation([0, 0, 1], 0);
const alongX = rotation([0, 1, 0], Math.PI / 2);
const alongY = rotation([1, 0, 0], Math.PI / 2);
const edgeUp = rotation([1, 0, 0], Math.PI / 4);
const cornerUp = rotation([1, -1, 0], Math.acos(1 / Math.sqrt(3)));
const [edge, corner, lean] = [0.1 / Math.SQRT2, 0.05 * Math.sqrt(3), 0.5];
const leaning = rotation([0, 1, 0], lean);
/** Half height of a cylinder whose axis leans */
const rise = (radius: number, height: number): number => 0.5 * height * Math.cos(lean) + radius * Math.sin(lean);

// side on a face: ∫ √(8 R z) dz; wedge of 90° over a parabola: ∫ (d − x²/2R)² dx; its flanks lean at a rim: 1/sin 2θ of that, the rim rises by x² sin θ/2R
const flank = (radius: number) => (d: number) => (4 / 3) * Math.sqrt(2 * radius) * d ** 1.5 * L;
const across = (radius: number) => (d: number) => (16 / 15) * d ** 2 * Math.sqrt(2 * radius * d);
const rim = (radius: number) => (d: number) => across(radius / Math.sin(lean))(d) / Math.sin(2 * lean);
const point = (d: number): number => (Math.sqrt(3) / 2) * d ** 3;

type Case = readonly [string, Solid, Mat3, Solid, Mat3, Vec3, (d: number) => number];
const cases: readonly Case[] = [
  ['cylinder lying on a face', block, upright, round, alongX, [0.003, 0.002, 0.05 + R], flank(R)],
  ['cylinder standing on a face', block, upright, round, upright, [0.003, 0.002, 0.05 + L / 2], (d) => Math.PI * R * R * d],
  ['rim of a cylinder on a face', block, upright, round, leaning, [0.003, 0.002, 0.05 + rise(R, L)], rim(R)],
  ['cylinder across an edge', bar, edgeUp, round, alongY, [0.003, 0.001, edge + R], across(R)],
  ['cylinder along an edge', bar, edgeUp, round, alongX, [0.003, 0, edge + R], (d) => L * d * d],
  ['corner in the side of a cylinder', cube, cornerUp, round, alongX, [0.003, 0, corner + R], point],
  ['corner in the end of a cylinder', cube, cornerUp, round, upright, [0.003, 0.001, corner + L / 2], point],
  ['crossed cylinders', round, alongX, thin, alongY, [0.003, 0.002, R + r], (d) => Math.PI * Math.sqrt(R * r) * d * d],
  ['cylinder along a cylinder', round, alongX, thin, alongX, [0.003, 0, R + r], flank((R * r) / (R + r))],
  ['cylinder on the end of a cylinder', round, upright, thin, upright, [0.001, 0, L / 2 + 0.025], (d) => Math.PI * r * r * d],
  ['rim on the end of a cylinder', round, upright, thin, leaning, [-0.0015, 0, L / 2 + rise(r, 0.05)], rim(r)],
  ['capsule lying on a face', block, upright, pill, alongX, [0.003, 0.002, 0.05 + R], (d) => flank(R)(d) + 2 * Math.PI * R * d * d],
  ['capsule across an edge', bar, edgeUp, pill, alongY, [0.003, 0.001, edge + R], across(R)],
  ['end of a capsule on a face', block, upright, pill, leaning, [0.003, 0.002, 0.05 + R + 0.5 * L * Math.cos(lean)], (d) => Math.PI * R * d * d],
  ['corner in the side of a capsule', cube, cornerUp, pill, alongX, [0.003, 0, corner + R], point],
]; // biome-ignore format: one line each

test.each(cases)('%s', (_name, a, rotationA, b, rotationB, place, volume) => {
  const shapes = [a, b].map((solid, i) => ({ name: `${i}`, solid }));
  const route = new Routing(shapes, ALL_ROUTES).route(0, 1, { search: 'automatic', depth: 'volume' });
  const patches = new ContactPatches(4);
  for (let d = 1e-5; d > 0.9e-12; d /= 10) {
    const position = Float64Array.of(0, 0, 0, place[0], place[1], place[2] - d);
    patches.clear();
    route.find({ position, rotation: Float64Array.from([...rotationA, ...rotationB]) }, 0, patches, false);
    let sum = 0;
    for (let row = 0; row < patches.count; row++) sum += patches.volume[row];
    // the next terms of the series, d/R; and places are known to a few roundings of 0.1 m
    expect(Math.abs(sum / volume(d) - 1)).toBeLessThan((0.5 * d) / r + 1e-15 / d);
  }
});
