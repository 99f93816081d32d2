import { expect, test } from 'vitest';
import { circle } from '../../geometry/circle-outline.js';
import { meshProfile } from '../mesh/mesh-profile.js';
import { addTraction, namedSides, nodesOf, requireFree } from './supports.js';

const mesh = meshProfile(
  {
    outer: [
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ],
    holes: [circle(0.2, [1, 0.5])],
  },
  { size: 0.2 },
);

test('sides are found by place, by number and by nearness', () => {
  for (const node of nodesOf(mesh, namedSides(mesh, 'left', '--fix'))) expect(mesh.points[2 * node]).toBe(0);
  for (const node of nodesOf(mesh, namedSides(mesh, 'hole 1', '--fix')))
    expect(Math.hypot(mesh.points[2 * node] - 1, mesh.points[2 * node + 1] - 0.5)).toBeCloseTo(0.2, 12);
  expect(namedSides(mesh, 'near 1,0.71', '--fix')).toEqual(namedSides(mesh, 'hole 1', '--fix'));
  expect(namedSides(mesh, 'edge 2', '--fix')).toEqual(namedSides(mesh, 'right', '--fix'));
  expect(() => namedSides(mesh, 'hole 2', '--fix')).toThrow(/--fix.*and "hole 1"/);
  // the outside was taken for it
  expect(() => namedSides(mesh, 'hole 0', '--fix')).toThrow(/"hole 0" is nothing of this part.*and "hole 1"/);
  expect(() => namedSides(mesh, 'constructor', '--fix')).toThrow(/expected left, right/);
  expect(namedSides(mesh, 'near 1000mm,710mm', '--fix')).toEqual(namedSides(mesh, 'hole 1', '--fix'));
  expect(() => namedSides(mesh, 'near 9,9', '--load')).toThrow('its nearest edge is');
  expect(() => namedSides(mesh, 'near here,there', '--load')).toThrow('expected two lengths');
  expect(() => namedSides(mesh, 'north', '--fix')).toThrow(/expected left, right/);
});

test('several edges in a row, and which edge is near', () => {
  const both = [...namedSides(mesh, 'edge 2', '--fix'), ...namedSides(mesh, 'edge 3', '--fix')].sort((a, b) => a - b);
  expect(namedSides(mesh, 'edges 2-3', '--fix')).toEqual(both);
  for (const text of ['edge 2-9', 'edge 0-2', 'edge 3-2'])
    expect(() => namedSides(mesh, text, '--fix')).toThrow('is nothing of this part');
  const notes: string[] = [];
  namedSides(mesh, 'near 1,-0.01', '--load', (note) => notes.push(note));
  namedSides(mesh, 'near 1,0.71', '--load', (note) => notes.push(note));
  expect(notes).toEqual(['"near 1,-0.01" is edge 1, 2 m long']);
});

test('a traction has the force it is given, through the middle of its sides', () => {
  const force = new Float64Array(2 * mesh.nodeCount);
  addTraction(mesh, namedSides(mesh, 'right', '--load'), [3, -2], force);
  let [x, y, moment] = [0, 0, 0];
  for (let i = 0; i < mesh.nodeCount; i++) {
    x += force[2 * i];
    y += force[2 * i + 1];
    moment += force[2 * i] * mesh.points[2 * i + 1];
  }
  expect(x).toBeCloseTo(3, 12);
  expect(y).toBeCloseTo(-2, 12);
  expect(moment).toBeCloseTo(1.5, 12);
});

test('a load where the part is held loads nothing', () => {
  const free = new Uint8Array(2 * mesh.nodeCount).fill(1);
  for (const node of nodesOf(mesh, namedSides(mesh, 'left', '--fix'))) free[2 * node] = free[2 * node + 1] = 0;
  const load = (where: string): Float64Array => {
    const force = new Float64Array(2 * mesh.nodeCount);
    addTraction(mesh, namedSides(mesh, where, '--load'), [3, -2], force);
    return force;
  };
  expect(() => requireFree(load('left'), free, '--load', 'left=3,-2')).toThrow('loads nothing');
  requireFree(load('top'), free, '--load', 'top=3,-2'); // its corner is held, the rest is not
});
