/** Claims about time stepping that take many runs: random scenes of shapes, poses, masses, friction, restitution and steps. */

import { halfSpace } from '../geometry/half-space.js';
import { convexHull } from '../geometry/hull.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { box, capsule, cone, cylinder, sphere } from '../geometry/primitives.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { exp, log } from '../math/elementary.js';
import { type Random, random } from '../math/random.js';
import { scale, type Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import { type Model, model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import type { Check } from './check.js';

const between = (draw: Random, least: number, most: number): number => exp(draw.uniformBetween(log(least), log(most)));

function shape(draw: Random): Solid {
  const size = draw.uniformBetween(0.03, 0.2);
  switch (draw.integer(6)) {
    case 0:
      return box([size, size * draw.uniformBetween(0.3, 1.5), size * draw.uniformBetween(0.2, 1)]);
    case 1:
      return sphere(size / 2);
    case 2:
      return cylinder({ radius: size / 2, height: size * draw.uniformBetween(0.2, 2) });
    case 3:
      return capsule({ radius: size / 3, height: size });
    case 4:
      return cone({ radius: size / 2, height: size });
    default: {
      const points = Array.from({ length: 12 }, (): Vec3 => scale(0.6 * size, draw.inSphere()));
      return { mesh: convexHull(points), form: { kind: 'mesh' }, pose: ORIGIN };
    }
  }
}

/** 2 to 10 bodies of 1 g to 1 t that fall, fly and spin onto a floor and each other */
export function randomScene(seed: number): { readonly scene: Model; readonly step: number } {
  const draw = random(`time stepping ${seed}`);
  const count = 2 + draw.integer(9);
  const friction = draw.uniformBetween(0, 2);
  const restitution = draw.uniformBetween(0, 1);
  const step = between(draw, 1e-4, 2e-2);
  const material = (density: number) => ({ density, youngsModulus: 1e9, friction, restitution });
  const thing = (i: number) => {
    const solid = shape(draw);
    return body({
      shape: solid,
      material: material(between(draw, 1e-3, 1e3) / solidMassProperties(solid).volume),
      position: [draw.uniformBetween(-0.15, 0.15) + (i % 2) * 0.25, draw.uniformBetween(-0.15, 0.15), 0.25 + 0.4 * i],
      orientation: draw.rotation(),
      velocity: [draw.uniformBetween(-1, 1), draw.uniformBetween(-1, 1), draw.uniformBetween(-3, 0)],
      angularVelocity: scale(10, draw.inSphere()),
    });
  };
  const scene = model({
    bodies: {
      floor: body({ shape: halfSpace(), material: material(1000), fixed: true }),
      thing: Array.from({ length: count }, (_, i) => thing(i)),
    },
    contacts: { defaults: { friction, restitution } },
  });
  return { scene, step };
}

export interface SceneCounts {
  readonly solutions: number;
  readonly unsolved: number;
  /** Largest energy above that of the start, of what moved; Infinity where something is not finite */
  readonly gain: number;
}

/** Runs scenes with the numbers from … to − 1. */
export function runScenes(from: number, to: number): SceneCounts {
  let [solutions, unsolved, gain] = [0, 0, 0];
  for (let seed = from; seed < to; seed++) {
    const { scene, step } = randomScene(seed);
    const stopTime = Math.min(1.2, 150 * step);
    const simulation = new Simulation(scene, { integrator: 'time-stepping', step, stopTime, interval: stopTime });
    const { account } = simulation.stepping!;
    while (simulation.advance(simulation.time + 0.5 * step)) {
      const [kinetic, potential, elastic] = account.parts;
      const more = (kinetic + potential + elastic - account.initial) / account.scale;
      gain = more > gain ? more : Number.isFinite(more) ? gain : Number.POSITIVE_INFINITY;
    }
    solutions += simulation.stepping!.solutions;
    unsolved += simulation.stepping!.unsolved;
  }
  return { solutions, unsolved, gain };
}

export const timeSteppingChecks: readonly Check[] = [
  {
    id: 'STEP-scenes',
    title: '1000 random scenes: energy above that of the start, of what moved',
    source: 'no contact gives energy; 1e-3 … 1e3 kg, µ to 2, e to 1, steps 0.1 … 20 ms',
    limit: 1e-6,
    long: true,
    measure: () => ({ value: runScenes(0, 1000).gain, reference: 0 }),
  },
  {
    id: 'STEP-solved',
    title: '1000 other random scenes: part of the solutions that ended at the limit of iterations',
    source: 'a convex problem has a solution, and Newton’s method finds it from anywhere',
    limit: 1e-3,
    long: true,
    measure: () => {
      const { unsolved, solutions } = runScenes(1000, 2000);
      return { value: unsolved / solutions, reference: 0 };
    },
  },
];
