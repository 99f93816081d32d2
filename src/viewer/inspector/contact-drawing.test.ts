import { Group } from 'three';
import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../math/vec3.js';
import { ContactDrawing, type DrawingChoice, type DrawnContact, enlargement } from './contact-drawing.js';
import { identity } from './contact-rows.js';
import type { Intersection } from './intersection.js';

const contact = (region: number, more: Partial<DrawnContact> = {}): DrawnContact => ({
  pair: 0,
  region,
  label: 'floor – ball',
  on: 'ball',
  sign: 1,
  point: [region, 0, 0],
  normal: [0, 0, 1],
  normalForce: 10,
  friction: [3, 0, 0],
  torque: 2,
  depth: 1e-3,
  volume: 1e-6,
  area: 1e-2,
  slip: [0, 0, 0],
  spin: 0,
  state: 'stick',
  patchCentroid: [region, 0, 0],
  secondMoments: [1e-5, 1e-5, 0, 0, 0, 0],
  ...more,
});
const choice: DrawingChoice = {
  normal: true,
  friction: true,
  torque: true,
  patches: true,
  newtonsPerMetre: 100,
  size: 1,
  selected: undefined,
};
const square = (z: number, isUp: boolean): Vec3[][] => {
  const corners: Vec3[] = [
    [0, 0, z],
    [1, 0, z],
    [1, 1, z],
    [0, 1, z],
  ];
  return [isUp ? corners : corners.reverse()];
};

describe('what is drawn', () => {
  test('forces on the body that is pushed, to scale; the reaction where that is A', () => {
    const drawing = new ContactDrawing(new Group());
    drawing.draw([contact(1), contact(2, { sign: -1, on: 'other' })], [], new Map(), choice);
    const of = (region: number, kind: string) =>
      drawing.arrows.find((arrow) => arrow.region === region && arrow.kind === kind)!;
    expect(of(1, 'normal')).toMatchObject({ on: 'ball', from: [1, 0, 0], vector: [0, 0, 0.1], force: 10 });
    expect(of(1, 'friction').vector[0]).toBeCloseTo(0.03, 12);
    expect(of(1, 'torque')).toMatchObject({ vector: [0, 0, 1], force: 2 });
    expect(of(2, 'normal').vector[2]).toBeCloseTo(-0.1, 12);
    expect(of(2, 'friction').vector[0]).toBeCloseTo(-0.03, 12);
    expect(of(2, 'torque').vector[2]).toBe(-1);
    drawing.draw([contact(1)], [], new Map(), { ...choice, friction: false, torque: false });
    expect(drawing.arrows.map(({ kind }) => kind)).toEqual(['normal']);
  });

  test('polygons in place of the ellipse where the intersection is known', () => {
    const drawing = new ContactDrawing(new Group());
    const one = contact(1);
    const intersection: Intersection = {
      polygonsA: [square(0, true)],
      polygonsB: [square(-1e-3, false)],
      volume: 1e-3,
      centroid: [0, 0, 0],
    };
    const pressed = drawing.draw(
      [one],
      [],
      new Map([[identity(one), { kind: 'found', intersection, difference: 0 }]]),
      choice,
    );
    const [polygon] = pressed.get(identity(one))!;
    expect(polygon.depth).toBeCloseTo(1e-3, 12);
    expect(polygon.pressure).toBeCloseTo(10, 9); // 10 N on 1 m²
    expect(drawing.arrows.filter(({ kind }) => kind === 'polygon')).toHaveLength(1);
    expect(drawing.counts.triangles).toBe(4); // two squares, and no ellipse
  });

  test('five thousand contacts in three objects, soon enough for every frame', () => {
    const overlay = new Group();
    const drawing = new ContactDrawing(overlay);
    const many = Array.from({ length: 5000 }, (_, region) => contact(region, { torque: 0 }));
    drawing.draw(many, [], new Map(), choice);
    const start = process.cpuUsage();
    drawing.draw(many, [], new Map(), choice);
    const { user } = process.cpuUsage(start);
    // ms of this process: 120 were measured while seven others kept the two cores busy
    expect(user / 1000).toBeLessThan(300);
    expect(drawing.counts).toEqual({ triangles: 5000 * 8, lines: 0, arrows: 10_000 });
    expect(overlay.children).toHaveLength(3);
    drawing.dispose();
    expect(overlay.children).toHaveLength(0);
  });
});

test('a patch of microns is enlarged about its middle, more along the normal: a lens a quarter as deep as wide', () => {
  // a circle of radius a has moments A a²/4 each: a = 50 µm, 2 µm deep, in a scene of radius 1 m
  const a = 50e-6;
  const area = Math.PI * a * a;
  const moment = (area * a * a) / 4;
  const small = contact(0, {
    area,
    depth: 2e-6,
    secondMoments: [moment, moment, 0, 0, 0, 0],
    patchCentroid: [3, 0, 0],
  });
  const { across, along, place } = enlargement(small, { enlarged: true, size: 1 });
  expect(across * 2 * a).toBeCloseTo(0.12, 9);
  expect(along * 2e-6).toBeCloseTo(0.03, 9);
  expect(place([3 + a, 0, 1e-6])).toEqual([expect.closeTo(3.06, 9), 0, expect.closeTo(0.015, 9)]);
  expect(enlargement(small, { size: 1 }).place([3 + a, 0, 1e-6])).toEqual([3 + a, 0, 1e-6]);
  // what is seen already stays as it is
  expect(enlargement(contact(1, { depth: 0.1 }), { enlarged: true, size: 0.1 }).across).toBe(1);
});
