import { describe, expect, test } from 'vitest';
import {
  body,
  box,
  capsule,
  cylinder,
  ellipsoid,
  extrude,
  frustum,
  halfSpace,
  type Model,
  model,
  planar,
  simulate,
  sphere,
  translate,
} from '../../index.js';
import { dot, scale, sub, type Vec3 } from '../../math/vec3.js';
import { PairPlaces } from '../../results/scene/contact-side.js';
import { PoseReader } from '../../results/scene/poses.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { contactsOf } from './contact-rows.js';
import { Intersections } from './intersection.js';
import { type Loops, polygonCentroid, spreadForce, vectorArea } from './pressure.js';

const soft = { name: 'soft', density: 900, youngsModulus: 1e6, poissonRatio: 0.4 };

/** The last instant of a short run, and what is found again of it. */
function last(of: Model, stopTime = 0.05) {
  const recording = simulate(of, { stopTime, interval: stopTime / 5 });
  const scene = sceneOf(of);
  const row = recording.signals.map(({ name }) => recording.signal(name).at(-1)!);
  const poses = new Float64Array(7 * scene.bodies.length);
  new PoseReader(scene, recording.signals).poses(row, poses);
  const table = recording.table('contacts');
  const pairs = new PairPlaces(scene);
  const finder = new Intersections(scene, pairs);
  return table.labels.flatMap((label, pair) => {
    const contacts = contactsOf(table.instant(-1), (p) => p === pair);
    return finder.find(label, contacts, poses).map((found, i) => ({ label, contact: contacts[i], found }));
  });
}

/** ⅓ Σ r · S over a closed surface. */
const volumeInside = (surface: readonly Loops[], origin: Vec3): number =>
  surface.reduce((sum, loops) => sum + dot(sub(polygonCentroid(loops), origin), vectorArea(loops)) / 3, 0);

describe('what the run had is found again', () => {
  const angle = extrude(
    [
      [0, 0],
      [0.2, 0],
      [0.2, 0.05],
      [0.05, 0.05],
      [0.05, 0.2],
      [0, 0.2],
    ],
    0.1,
  );
  const heap = model({
    bodies: {
      floor: body({ shape: halfSpace(), fixed: true, material: soft, position: [0.3, 0.2, 0.1] }),
      crate: body({ shape: box(0.2), material: soft, position: [0, 0, 0.1985], angularVelocity: [0.3, 0.1, 0] }),
      angle: body({ shape: angle, material: soft, position: [-0.15, -0.1, 0.2975], angularVelocity: [0.2, 0.1, 0.3] }),
    },
    contacts: { defaults: { friction: 0.4 } },
  });

  test('plane faces, concave too: volume to rounding, a closed surface, forces that add up', () => {
    const regions = last(heap);
    expect(new Set(regions.map(({ label }) => label)).size).toBe(2);
    for (const { contact, found } of regions) {
      expect(found.kind).toBe('found');
      if (found.kind !== 'found') continue;
      // the recorded pose has 16 digits, an overlap of 0.1 mm of them 12
      expect(Math.abs(found.difference)).toBeLessThan(1e-9);
      const { polygonsA, polygonsB, volume } = found.intersection;
      expect(volumeInside([...polygonsA, ...polygonsB], contact.point) / volume).toBeCloseTo(1, 8);
      const pressed = spreadForce(polygonsB, polygonsA, scale(-1, contact.normal), contact.normalForce);
      expect(pressed.reduce((sum, { force }) => sum + force, 0) / contact.normalForce).toBeCloseTo(1, 12);
    }
  });

  test('a ball by its own facets: volume within 2 %, however shallow', () => {
    const drop = model({
      bodies: {
        floor: body({ shape: box([1, 1, 0.1]), fixed: true, material: soft, position: [0, 0, -0.05] }),
        ball: body({ shape: sphere(0.05), material: soft, position: [0.1, 0.03, 0.0499] }),
        other: body({ shape: sphere(0.03), material: soft, position: [0.1, 0.03, 0.1298], velocity: [0, 0, 0] }),
      },
      contacts: {},
    });
    const regions = last(drop, 1e-3);
    expect(regions).toHaveLength(2);
    for (const { found, contact } of regions) {
      expect(contact.depth).toBeLessThan(3e-4);
      expect(found).toMatchObject({ kind: 'found' });
      if (found.kind === 'found') expect(Math.abs(found.difference)).toBeLessThan(0.02);
    }
  });

  test.each([
    ['a lying cylinder', cylinder({ radius: 0.05, height: 0.1 }), 0.05, Math.PI / 2],
    ['a cylinder on its rim', cylinder({ radius: 0.05, height: 0.1 }), 0.05 * Math.SQRT2, Math.PI / 4],
    ['a standing cylinder', cylinder({ radius: 0.05, height: 0.1 }), 0.05, 0],
    ['a lying capsule', capsule({ radius: 0.05, height: 0.1 }), 0.05, Math.PI / 2],
    ['a capsule on its end', capsule({ radius: 0.05, height: 0.1 }), 0.1, 0],
    ['a capsule aslant', capsule({ radius: 0.05, height: 0.1 }), 0.05 + 0.05 * Math.SQRT1_2, Math.PI / 4],
    ['an ellipsoid', ellipsoid([0.08, 0.05, 0.03]), Math.hypot(0.05, 0.03) * Math.SQRT1_2, Math.PI / 4],
    ['a cone', translate([0, 0, 0.01], frustum({ bottomRadius: 0.05, topRadius: 0, height: 0.1 })), 0.04, 0.02],
  ])('%s by its own facets or its mesh: volume within 2 %', (_, shape, height, angle) => {
    for (const floor of [halfSpace(), translate([0, 0, -0.05], box([1, 1, 0.1]))]) {
      const roll = model({
        bodies: {
          floor: body({ shape: floor, fixed: true, material: soft }),
          roller: body({
            shape,
            material: soft,
            position: [0, 0, height - 2e-5],
            orientation: { axis: [1, 0, 0], angle },
          }),
        },
        contacts: {},
      });
      const regions = last(roll, 1e-3);
      expect(regions.length).toBeGreaterThan(0);
      for (const { found } of regions) {
        expect(found).toMatchObject({ kind: 'found' });
        if (found.kind === 'found') expect(Math.abs(found.difference)).toBeLessThan(0.02);
      }
    }
  });

  // In the plane the run has the arcs themselves; a patch is a thousandth of a radius wide.
  test('outlines with arcs by facets of their own: a disc in the end of a slot and on a flat', () => {
    const disc = (radius: number) => extrude([[radius, 0, 1], [-radius, 0, 1]], 0.02); // biome-ignore format: one line
    const slotted = extrude(
      {
        outer: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]], // biome-ignore format: one line
        holes: [[[-0.05, 0.03], [0.05, 0.03, -1], [0.05, -0.03], [-0.05, -0.03, -1]]], // biome-ignore format: one line
      },
      0.02,
    );
    const resting = model({
      gravity: [4, -9, 0],
      bodies: {
        plate: body({ shape: slotted, fixed: true, material: soft }),
        pin: body({ shape: disc(0.028), material: soft, position: [0.052, 0, 0] }),
        wheel: body({ shape: disc(0.03), material: soft, position: [0, 0.13 - 1e-5, 0] }),
      },
      joints: {
        pin: planar({ body: 'pin', normal: [0, 0, 1] }),
        wheel: planar({ body: 'wheel', normal: [0, 0, 1] }),
      },
      contacts: {},
    });
    const regions = last(resting, 1e-3);
    expect(regions).toHaveLength(2);
    for (const { found } of regions) {
      expect(found).toMatchObject({ kind: 'found' });
      if (found.kind === 'found') expect(Math.abs(found.difference)).toBeLessThan(0.02);
    }
  });
});
