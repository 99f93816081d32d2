import { describe, expect, test } from 'vitest';
import { addContactTable, CONTACT, pairLabel } from '../../results/contact-records.js';
import { Recording } from '../../results/recording.js';
import { PairPlaces, shownSides } from '../../results/scene/contact-side.js';
import type { Scene, SceneBody } from '../../results/scene.js';
import { contactsOf, forceOnB, frictionUsed, identity, slipSpeed, tangential } from './contact-rows.js';

const body = (name: string, fixed: boolean): SceneBody => ({
  name,
  mass: 1,
  centreOfMass: [0, 0, 0],
  fixed,
  pose: { position: [0, 0, 0], orientation: [1, 0, 0, 0] },
  parts: [{ shape: 0 }],
  frames: [],
});
const scene: Scene = {
  title: '',
  up: [0, 0, 1],
  shapes: [],
  bodies: [body('floor', true), body('ball', false), body('rack[1]', false), body('table', false)],
  joints: [],
  springs: [],
  surfaces: [],
  plots: {},
};

test('a row of the records has all that was written into it', () => {
  const recording = new Recording([{ name: 'x' }]);
  const table = addContactTable(recording);
  table.label('nobody');
  const row = Float64Array.from({ length: CONTACT.width }, (_, k) => k + 0.5);
  row[CONTACT.pair] = table.label(pairLabel('floor', 'ball'));
  row[CONTACT.region] = 7;
  row[CONTACT.state] = 2;
  row.set([0, 0, 1], CONTACT.normal);
  row[CONTACT.normalForce] = 10;
  row.set([3, 4, 0], CONTACT.friction);
  table.append(0, row);
  recording.append(0, [0]);
  expect(contactsOf(table.instant(0), () => false)).toEqual([]);
  const [contact] = contactsOf(table.instant(0), (pair) => pair === 1);
  expect(contact).toMatchObject({ pair: 1, region: 7, state: 'slip', point: [2.5, 3.5, 4.5], depth: 13.5, spin: 19.5 });
  expect(contact.secondMoments).toEqual([24.5, 25.5, 26.5, 27.5, 28.5, 29.5]);
  expect(identity(contact)).toBe('1:7');
  expect(frictionUsed(contact)).toBeCloseTo(0.5, 14);
  expect(forceOnB(contact)).toEqual([3, 4, 10]);
  expect(slipSpeed(contact)).toBeCloseTo(Math.hypot(16.5, 17.5, 18.5), 12);
});

describe('places of a pair', () => {
  const places = new PairPlaces(scene);
  test('bodies, members of arrays, parts', () => {
    expect(places.places(pairLabel('floor', 'ball'))).toEqual([
      { body: 0, part: 0 },
      { body: 1, part: 0 },
    ]);
    expect(places.place('rack[1]')).toEqual({ body: 2, part: 0 });
    expect(places.place('table[3]')).toEqual({ body: 3, part: 3 });
    expect(places.place('rack[1][2]')).toEqual({ body: 2, part: 2 });
    expect(places.place('chair')).toBeUndefined();
  });

  test('the force drawn is that on what moves', () => {
    expect(places.shownSide(pairLabel('floor', 'ball'))).toEqual({ name: 'ball', sign: 1 });
    expect(places.shownSide(pairLabel('ball', 'floor'))).toEqual({ name: 'ball', sign: -1 });
    expect(places.shownSide(pairLabel('ball', 'table'))).toEqual({ name: 'table', sign: 1 });
    // stills and exported films show the same side, parts of bodies included
    const labels = [pairLabel('floor', 'ball'), pairLabel('ball', 'floor'), pairLabel('ball', 'floor[0]')];
    expect([...shownSides(places.scene, labels)]).toEqual([1, -1, -1]);
  });
});

test('across a normal', () => {
  expect(tangential([1, 2, 3], [0, 0, 1])).toEqual([1, 2, 0]);
});
