// A pair is apart until it has a region: `separate` and `find` of a route tell of the same surfaces. Where the gap is 0 and there is no region, a run goes on in steps of the
// first moments of an impact; two capsules, 2 µm thinner at their ends for `find` alone, held a heap at 33 ns a step.
import { expect, test } from 'vitest';
import {
  box, capsule, circle, cone, cylinder, ellipsoid, extrude, type Solid, sphere, torus, translate,
} from '../geometry/index.js'; // biome-ignore format: two lines
import { fromQuaternion } from '../math/mat3.js';
import { random } from '../math/random.js';
import { ContactPatches } from './contact-patches.js';
import { Separation } from './route.js';
import { ALL_ROUTES } from './routing/routes.js';
import { Routing } from './routing/routing.js';

const hexagon = Array.from({ length: 6 }, (_, k): [number, number] => [
  0.02 * Math.cos((k * Math.PI) / 3),
  0.02 * Math.sin((k * Math.PI) / 3),
]);
const solids: Record<string, Solid> = {
  sphere: sphere(0.02),
  box: box([0.05, 0.04, 0.03]),
  cylinder: cylinder({ radius: 0.0175, height: 0.04 }),
  capsule: capsule({ radius: 0.0125, height: 0.03 }),
  prism: translate([0, 0, -0.015], extrude(hexagon, 0.03)),
  disc: extrude(circle(0.02), 0.01),
  ellipsoid: ellipsoid([0.02, 0.015, 0.01]),
  cone: cone({ radius: 0.02, height: 0.04 }),
  torus: torus({ majorRadius: 0.02, minorRadius: 0.006 }),
};

const draw = random('touch');
const turned = (): Iterable<number> => fromQuaternion(draw.rotation());

const names = Object.keys(solids);
const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const));
test.each(pairs)('%s and %s: the gap closes where the first region appears', (a, b) => {
  const route = new Routing(
    [a, b].map((name) => ({ name, solid: solids[name] })),
    ALL_ROUTES,
  ).route(0, 1, { search: 'automatic', depth: 'volume' });
  const patches = new ContactPatches(8);
  const separation = new Separation();
  for (let n = 0; n < 5; n++) {
    const direction = draw.unitVector();
    const aside = draw.inSphere();
    const poses = { position: new Float64Array(6), rotation: Float64Array.from([...turned(), ...turned()]) };
    const place = (s: number): void => {
      for (let k = 0; k < 3; k++) poses.position[3 + k] = 0.01 * aside[k] + s * direction[k];
    };
    const touches = (s: number): boolean => {
      place(s);
      patches.clear();
      route.find(poses, 0, patches, false);
      return patches.count > 0;
    };
    const isNear = (s: number): boolean => {
      place(s);
      route.separate(poses, separation);
      return !(separation.distance > 0);
    };
    const touch = border(touches);
    if (touch === 0) continue; // through the hole of a torus
    // distances of round shapes are found to 1e-13 of themselves and slopes of their surfaces: 6e-11 m came in 1350 tries
    expect(Math.abs(touch - border(isNear))).toBeLessThan(1e-9);
  }
});

/** Farthest place from which on nothing holds, m */
function border(holds: (s: number) => boolean): number {
  let [inside, outside] = [0, 0.1];
  if (!holds(inside)) return 0;
  while (outside - inside > 1e-12) {
    const middle = 0.5 * (inside + outside);
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
