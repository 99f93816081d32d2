/** Claims about the cost of many spheres (A17 and beyond): it grows with their number and no faster, a million fit, nothing is slow to start. Processor time, so that others on the machine count little. */
import { halfSpace } from '../geometry/half-space.js';
import type { GrainBed } from '../grains/grain-bed.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import { atMost, type Check, once } from './check.js';
import { bedOf, boxSide, openBox, STEP, settlingBed, tiled } from './grain-scenes.js';

const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return 1e-6 * (user + system);
};

const settled = once(() => {
  const bed = settlingBed(5000);
  for (let k = 0; k < 12_000; k++) bed.step(STEP);
  return bed;
});

/** `times` × `times` settled beds of 5 000 side by side, their contacts remembered */
function spread(times: number): GrainBed {
  const side = boxSide(5000);
  const bed = bedOf(tiled(settled(), side, times), { walls: [openBox(times * side)], gravity: [0, 0, -9.81] });
  for (let k = 0; k < 100; k++) bed.step(STEP);
  return bed;
}

/** s of one sphere and step */
function costOf(bed: GrainBed, steps: number): number {
  const start = processorSeconds();
  for (let k = 0; k < steps; k++) bed.step(STEP);
  return (processorSeconds() - start) / (steps * bed.count);
}

/** Least of some rounds, taken in turns */
const growth = once(() => {
  const beds = [spread(1), spread(3)];
  const least = [Infinity, Infinity];
  for (let round = 0; round < 5; round++)
    beds.forEach((bed, k) => {
      least[k] = Math.min(least[k], costOf(bed, Math.round(1e6 / bed.count)));
    });
  for (const bed of beds) bed.close();
  return { few: least[0], many: least[1] };
});

/** 1 125 000 spheres, 1 000 steps */
const million = once(() => {
  const bed = spread(15);
  const cost = costOf(bed, 1000);
  bed.close();
  return { cost, memory: process.resourceUsage().maxRSS / 2 ** 20 };
});

export const grainCostChecks: readonly Check[] = [
  atMost(
    'A17-growth',
    'cost of a sphere and step, 45 000 over 5 000 that lie in a box',
    'linear in the number; the rest is memory further away',
    1.3,
    () => growth().many / growth().few,
  ),
  atMost(
    'MILLION',
    '1 125 000 spheres that lie in a box, 1 000 steps: cost of a sphere and step over that of 45 000',
    'linear in the number',
    1.5,
    () => million().cost / growth().many,
  ),
  atMost(
    'MILLION-memory',
    'the same: memory of the whole program, GiB',
    'a machine of 4 GiB',
    4,
    () => million().memory,
  ),
  atMost(
    'START-50000',
    '50 000 grains of a model: processor time until the first step, s',
    'nothing is O(n²)',
    2,
    () => {
      const material = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.5, friction: 0.5 };
      const start = processorSeconds();
      const run = new Simulation(
        model({
          bodies: { floor: body({ shape: halfSpace({ extent: 2 }), material, fixed: true }) },
          grains: {
            species: { bead: { radius: { uniform: [0.0045, 0.0055] }, material } },
            packings: {
              pile: {
                species: 'bead',
                arrangement: 'lattice',
                count: 50_000,
                region: {
                  box: [
                    [-0.3, -0.3, 0],
                    [0.3, 0.3, 0.4],
                  ],
                },
              },
            },
          },
        }),
        { stopTime: 1 },
      );
      if (run.grains!.bed.count !== 50_000) throw new Error(`expected 50 000 grains, got ${run.grains!.bed.count}`);
      return processorSeconds() - start;
    },
  ),
];
