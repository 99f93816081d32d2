// What a body says of its idealized surfaces, and that it cannot tilt, reaches the route.
import { describe, expect, test } from 'vitest';
import { box, circle, cylinder, extrude, type Solid, translate } from '../../geometry/index.js';
import { ContactPatches } from '../contact-patches.js';
import type { IdealizedSurface } from '../idealized/index.js';
import { ALL_ROUTES } from './routes.js';
import { type RoutableShape, Routing } from './routing.js';

type Options = Pick<RoutableShape, 'thickness' | 'edges' | 'perAxis'>;
const face: IdealizedSurface = { kind: 'rectangle', width: 1, length: 1 };
const ball: IdealizedSurface = { kind: 'sphere', radius: 0.1 };

/** Depths of a ball of 0.1 m with its centre at (x, 0, z) on a square face of 1 m in the xy plane */
function depths(x: number, z: number, ofFace: Options = {}, ofBall: Options = {}): number[] {
  const routing = new Routing(
    [
      { name: 'face', solid: undefined, surface: face, ...ofFace },
      { name: 'ball', solid: undefined, surface: ball, ...ofBall },
    ],
    ALL_ROUTES,
  );
  const patches = new ContactPatches(8);
  const poses = {
    position: Float64Array.of(0, 0, 0, x, 0, z),
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  routing.route(0, 1, { search: 'automatic', depth: 'volume' }).find(poses, 0, patches, false);
  return [...patches.depth.subarray(0, patches.count)];
}

describe('options of surfaces', () => {
  test('thickness: what is deeper does not touch; the thicker of two layers counts', () => {
    expect(depths(0, 0)).toHaveLength(1); // half the smaller side unless given
    expect(depths(0, 0, { thickness: 0.05 })).toEqual([]);
    expect(depths(0, 0.06, { thickness: 0.05 })[0]).toBeCloseTo(0.04, 15);
    expect(depths(0, 0, {}, { thickness: 0.05 })).toEqual([]);
    expect(depths(0, 0, { thickness: 0.05 }, { thickness: 0.2 })).toHaveLength(1);
  });
  test('edges: a ball beside the border touches it, or not', () => {
    // centre 0.06 beside and 0.08 above the edge is a ball's radius away: 0.01 nearer touches by as much
    expect(depths(0.5 + 0.054, 0.072)[0]).toBeCloseTo(0.01, 12);
    expect(depths(0.5 + 0.054, 0.072, { edges: false })).toEqual([]);
    expect(depths(0.5 + 0.054, 0.072, {}, { edges: false })).toEqual([]);
    expect(depths(0.4, 0.09, { edges: false })).toHaveLength(1);
  });
  test('perAxis: either of the two', () => {
    // the edge is met along (0.6, 0, 0.8): a row for each component
    expect(depths(0.5 + 0.054, 0.072, { perAxis: true })).toHaveLength(2);
    expect(depths(0.5 + 0.054, 0.072, {}, { perAxis: true })).toHaveLength(2);
  });
});

describe('in the plane', () => {
  const roller = extrude(circle(0.1), 0.2);
  const routed = (a: Solid, b: Solid, tilts = false) =>
    new Routing(
      [a, b].map((solid, i) => ({ name: `${i}`, solid, ...(!tilts && { planeNormal: [0, 0, 1] as const }) })),
      ALL_ROUTES,
    ).route(0, 1, {
      search: 'automatic',
      depth: 'volume',
    });
  const rows = (a: Solid, b: Solid, z: number): number[] => {
    const route = routed(a, b);
    const patches = new ContactPatches(4);
    const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
    // B is drawn from its middle, or from its bottom z below it
    const poses = {
      position: Float64Array.of(0, 0, 0, 0.003, 0.1995, z),
      rotation: Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    };
    route.find(poses, 0, patches, true);
    expect(route.name).toBe('extrusion–extrusion');
    expect(patches.count).toBe(1);
    return [patches.volume[0], patches.depth[0], ...patches.normal.slice(0, 3), ...patches.gradient.slice(0, 54)];
  };
  test('an arc meets a box or a cylinder as it meets the same figure drawn out', () => {
    const drawn = extrude([[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]], 0.3); // biome-ignore format: one line
    const disc = extrude(circle(0.1), 0.3);
    const pairs = [[box([1, 0.2, 0.3]), drawn], [cylinder({ radius: 0.1, height: 0.3 }), disc]] as const; // biome-ignore format: one line
    for (const [form, figure] of pairs) {
      const found = rows(roller, form, 0.03);
      // heights are rounded differently
      for (const [i, x] of rows(roller, figure, -0.12).entries()) expect(found[i]).toBeCloseTo(x, 12);
    }
  });
  test('facets, and what can tilt, stay where they were', () => {
    const chords = extrude([[-0.1, -0.1], [0.1, -0.1], [0, 0.1]], 0.2); // biome-ignore format: one line
    expect(routed(chords, box(0.2)).name).toBe('convex–convex');
    expect(routed(roller, box(0.2), true).name).not.toBe('extrusion–extrusion');
    expect(routed(translate([1, 0, 0], roller), box(0.2)).name).toBe('extrusion–extrusion');
  });
});
