// Solids of ten-node tetrahedra: closed forms, a second program's figures, files and their defects
import { expect, test } from 'vitest';
import { circle } from '../../geometry/circle-outline.js';
import { notesOnMesh, readSolidMesh } from '../../geometry/files/tetrahedra-read.js';
import { boundaryFaces, type SolidMesh } from '../../geometry/solid-mesh.js';
import { extrudeMesh } from '../mesh/extruded-mesh.js';
import { meshProfile } from '../mesh/mesh-profile.js';
import { stripMesh } from '../mesh/strip.js';
import { SolidPart, solidNodes } from './solid-part.js';
import { resultant, solveStatics } from './statics.js';
import { solidMises } from './stress.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850 };
const held = (part: SolidPart, where: string): Uint8Array => {
  const free = new Uint8Array(part.size).fill(1);
  for (const node of solidNodes(part.mesh, where, 'fix')) free.fill(0, 3 * node, 3 * node + 3);
  return free;
};

// Patch test: σx = F/A everywhere, u = σ x/E, −ν σ y/E, −ν σ z/E; exact for T10 whatever the mesh
test('a block pulled at its ends has the same stress everywhere', () => {
  const mesh = extrudeMesh(stripMesh([0, 0], [0.1, 0.03], 3, 2), 0.02, 2);
  const part = new SolidPart(mesh, steel);
  expect(Math.abs(part.mass / (7850 * 0.1 * 0.03 * 0.02) - 1)).toBeLessThan(1e-12);
  const { points, nodeCount } = mesh;
  const free = new Uint8Array(part.size).fill(1);
  for (let i = 0; i < nodeCount; i++) for (let d = 0; d < 3; d++) if (points[3 * i + d] === 0) free[3 * i + d] = 0;
  const u = new Float64Array(part.size);
  part.addForce(solidNodes(mesh, 'x=max', 'load'), [6e4, 0, 0], u, 'load');
  part.factor(free).solve(u);
  const stress = part.stress(u);
  for (let i = 0; i < nodeCount; i++) {
    expect(Math.abs(stress[6 * i] / 1e8 - 1)).toBeLessThan(1e-9);
    expect(Math.abs(solidMises(stress, 6 * i) / 1e8 - 1)).toBeLessThan(1e-9);
    expect(Math.abs(u[3 * i + 1] + (0.3 * 1e8 * points[3 * i + 1]) / 210e9)).toBeLessThan(1e-14);
  }
});

test('a free block has six motions without strain, and its faces close', () => {
  const mesh = extrudeMesh(stripMesh([0, 0], [0.1, 0.03], 2, 1), 0.02, 1);
  const part = new SolidPart(mesh, steel);
  const { frequencies } = part.modes(8, new Uint8Array(part.size).fill(1), -1e6);
  for (let k = 0; k < 6; k++) expect(frequencies[k]).toBeLessThan(1e-4 * frequencies[6]);
  expect(boundaryFaces(mesh).length / 6).toBe(2 * (2 + 2 + 2 + 2 + 1 + 1)); // two triangles a rectangle
});

// CalculiX 2.20 on this very mesh (C3D10): 473.6103, 2103.368, 2537.640 Hz; scripts/validate-calculix.mjs compares more
test('modes of a clamped plate with a hole as CalculiX has them', () => {
  const plane = meshProfile(
    {
      outer: [
        [0, 0],
        [0.12, 0],
        [0.12, 0.05],
        [0, 0.05],
      ],
      holes: [circle(0.012, [0.07, 0.025])],
    },
    { size: 0.008 },
  );
  const part = new SolidPart(extrudeMesh(plane, 0.008, 2), steel);
  const { frequencies } = part.modes(3, held(part, 'x=min'));
  [473.6103, 2103.368, 2537.64].forEach((hz, k) => {
    expect(Math.abs(frequencies[k] / (2 * Math.PI * hz) - 1)).toBeLessThan(1e-6);
  });
});

/** One tetrahedron in a corner, in the order of each format; `last` swaps two corners: inside out */
const CORNERS = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2];
const MIDDLES = [1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1];
const coordinates = [...CORNERS, ...MIDDLES];
const nodeLines = (join: string): string[] =>
  Array.from({ length: 10 }, (_, i) => [i + 1, ...coordinates.slice(3 * i, 3 * i + 3)].join(join));
const bytes = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join('\n'));
const inp = (order: readonly number[], type = 'C3D10'): Uint8Array =>
  bytes([
    '*HEADING',
    '*NODE, NSET=all',
    ...nodeLines(', '),
    `*ELEMENT, type=${type}, ELSET=part`,
    [1, ...order].join(', '),
    '*NSET, NSET=foot, GENERATE',
    '1, 3, 1',
  ]);
const straight = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const gmsh22 = (order: readonly number[], type = 11): Uint8Array =>
  bytes([
    '$MeshFormat',
    '2.2 0 8',
    '$EndMeshFormat',
    '$PhysicalNames',
    '1',
    '3 7 "part"',
    '$EndPhysicalNames',
    '$Nodes',
    '10',
    ...nodeLines(' '),
    '$EndNodes',
    '$Elements',
    '1',
    `1 ${type} 2 7 1 ${order.join(' ')}`,
    '$EndElements',
  ]);
const gmsh41 = (order: readonly number[]): Uint8Array =>
  bytes([
    '$MeshFormat',
    '4.1 0 8',
    '$EndMeshFormat',
    '$PhysicalNames',
    '1',
    '3 7 "part"',
    '$EndPhysicalNames',
    '$Entities',
    '0 0 0 1',
    '1 0 0 0 2 2 2 1 7 0',
    '$EndEntities',
    '$Nodes',
    '1 10 1 10',
    '3 1 0 10',
    ...Array.from({ length: 10 }, (_, i) => String(i + 1)),
    ...Array.from({ length: 10 }, (_, i) => coordinates.slice(3 * i, 3 * i + 3).join(' ')),
    '$EndNodes',
    '$Elements',
    '1 1 1 1',
    '3 1 11 1',
    `1 ${order.join(' ')}`,
    '$EndElements',
  ]);

test.each([
  ['deck', inp(straight)],
  ['Gmsh 2.2', gmsh22([1, 2, 3, 4, 5, 6, 7, 8, 10, 9])],
  ['Gmsh 4.1', gmsh41([1, 2, 3, 4, 5, 6, 7, 8, 10, 9])],
])('a tetrahedron from a %s, in mm', (_, file) => {
  const mesh: SolidMesh = readSolidMesh(file, 'part', 1e-3);
  expect(Array.from(mesh.elements)).toEqual(Array.from({ length: 10 }, (_, i) => i));
  expect(Math.abs(new SolidPart(mesh, steel).mass / ((7850 * 8e-9) / 6) - 1)).toBeLessThan(1e-12);
  expect(mesh.sets.get('part')?.length).toBe(10);
});

// Gmsh 2.2 writes an element once for each physical group that it is in
test('an element of two groups counts once', () => {
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 10, 9].join(' ');
  const text = new TextDecoder().decode(gmsh22([1, 2, 3, 4, 5, 6, 7, 8, 10, 9]));
  const twice = bytes(
    text
      .replace(`$Elements\n1\n`, '$Elements\n2\n')
      .replace('$EndElements', `2 11 2 8 1 ${order}\n$EndElements`)
      .split('\n'),
  );
  const mesh = readSolidMesh(twice, 'part.msh');
  expect(mesh.elementCount).toBe(1);
  expect([...mesh.sets.keys()]).toEqual(['part', 'group 8']);
});

test('files that are cut off', () => {
  const cut = (file: Uint8Array, bytesLess: number) => readSolidMesh(file.subarray(0, file.length - bytesLess), 'part');
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 10, 9];
  for (const file of [gmsh22(order), gmsh41(order)]) {
    expect(() => cut(file, 22)).toThrow(
      /line \d+: expected 10 nodes of a tetrahedron of ten nodes, got \d; the file may be cut off/,
    );
    expect(() => cut(file, 45)).toThrow(/line \d+: expected numbers, got nothing; the file may be cut off/);
  }
  // a deck says nowhere how long it is: nodes that nothing needs are told
  const spare = new TextDecoder().decode(inp(straight)).replace('*ELEMENT', '11, 9, 9, 9\n*ELEMENT');
  expect(notesOnMesh(readSolidMesh(new TextEncoder().encode(spare), 'part'))[0]).toMatch(
    /^1 of 11 nodes belong to no tetrahedron/,
  );
  expect(notesOnMesh(readSolidMesh(inp(straight), 'part'))).toEqual([]);
  // shells and springs of a deck carry nothing here; plane elements are Gmsh's way to name faces
  const shells = `${new TextDecoder().decode(inp(straight))}\n*ELEMENT, TYPE=S3\n5, 1, 2, 3\n6, 1, 2, 4\n*ELEMENT, TYPE=CPS3\n7, 1, 2, 3\n`;
  expect(notesOnMesh(readSolidMesh(new TextEncoder().encode(shells), 'part'))).toEqual([
    '2 elements of type S3 are left out: what they carry is not in the figures',
  ]);
});

test('named sets, planes, and what is not there', () => {
  const mesh = readSolidMesh(inp(straight), 'part.inp');
  expect(Array.from(solidNodes(mesh, 'foot', '--fix'))).toEqual([0, 1, 2]);
  expect(solidNodes(mesh, 'z=max', '--fix').length).toBe(1);
  expect(() => solidNodes(mesh, 'fot', '--fix')).toThrow('did you mean "foot"');
  expect(() => solidNodes(mesh, 'z=5', '--fix')).toThrow('no node of the mesh has z = 5 m');
  const part = new SolidPart(mesh, steel);
  expect(() => part.addForce([0], [0, 0, 1], new Float64Array(part.size), '--load')).toThrow('a load on nothing');
  expect(() => part.factor(held(part, 'z=max'))).toThrow('can move or turn freely');
});

test('defects by name', () => {
  const turned = readSolidMesh(inp([2, 1, 3, 4, 5, 7, 6, 9, 8, 10]), 'part.inp');
  expect(() => new SolidPart(turned, steel)).toThrow(
    'mesh.elements[0]: is turned inside out near (2.000, 0.000, 0.000) m',
  );
  expect(() => readSolidMesh(inp([1, 2, 3, 4], 'C3D4'), 'part.inp')).toThrow('those of four lock in bending');
  expect(() => readSolidMesh(gmsh22([1, 2, 3, 4], 4), 'part.msh')).toThrow('tetrahedron of four nodes');
  expect(() => readSolidMesh(inp([1, 2, 3, 4, 5, 6, 7, 8, 9, 99]), 'part.inp')).toThrow('names node 99');
  expect(() => readSolidMesh(bytes(['$MeshFormat', '4.1 1 8']), 'part.msh')).toThrow('is binary');
  expect(() => readSolidMesh(bytes(['solid stl']), 'part.msh')).toThrow('expected a Gmsh mesh');
  expect(() => readSolidMesh(bytes(['*NODE', '1, 0, 0, 0']), 'part.inp')).toThrow('holds no tetrahedra of ten nodes');
});

// Boxes meshed side by side without being made one looked like one part that is softer; two that share an edge are a hinge
test('a mesh in pieces is told', () => {
  const box = extrudeMesh(stripMesh([0, 0], [1, 1], 1, 1), 1, 1);
  const told = (dx: number, dy: number, merged: boolean): string[] => {
    const points = Array.from(box.points);
    const place = Array.from({ length: box.nodeCount }, (_, i) => {
      const [x, y, z] = [box.points[3 * i] + dx, box.points[3 * i + 1] + dy, box.points[3 * i + 2]];
      for (let k = 0; merged && k < box.nodeCount; k++)
        if (points[3 * k] === x && points[3 * k + 1] === y && points[3 * k + 2] === z) return k;
      points.push(x, y, z);
      return points.length / 3 - 1;
    });
    return notesOnMesh({
      points: Float64Array.from(points),
      nodeCount: points.length / 3,
      elements: Int32Array.from([...box.elements, ...Array.from(box.elements, (node) => place[node])]),
      elementCount: 2 * box.elementCount,
      sets: new Map(),
    });
  };
  expect(told(1, 0, true)).toEqual([]); // a face
  for (const [dx, dy, merged] of [
    [1, 0, false],
    [1, 1, true],
    [3, 0, true],
  ] as const) // at one place, an edge, apart
    expect(told(dx, dy, merged)[0]).toMatch(/^the mesh is in 2 pieces that share no face/);
});

// Decks as CalculiX and Abaqus write them, with steps and what they print; one element from another corner; parts with the same numbers
test('whole decks: what is printed is no node, an element counts once, a node stands at one place', () => {
  const deck = new TextDecoder().decode(inp(straight));
  const read = (...more: string[]) => readSolidMesh(bytes([deck, ...more]), 'part.inp');
  const whole = read(
    '*STEP',
    '*STATIC',
    '*NODE PRINT, NSET=foot',
    'U',
    '*Node Output',
    'U',
    '*EL FILE',
    'S',
    '*ELEMENT OUTPUT',
    'S',
  );
  expect([whole.elementCount, whole.nodeCount]).toEqual([1, 10]);
  expect(read('*ELEMENT, TYPE=C3D10', '7, 2, 3, 1, 4, 6, 7, 5, 9, 10, 8').elementCount).toBe(1);
  expect(read('*NODE', '1, 0, 0, 0').nodeCount).toBe(10);
  expect(() => read('*NODE', '1, 5, 0, 0')).toThrow('node 1 stands at two places');
  expect(() => read('*INSTANCE, NAME=a, PART=p', '*INSTANCE, NAME=b, PART=p')).toThrow(
    'an assembly of several instances',
  );
  expect(() => read('*INCLUDE, INPUT=mesh.inp')).toThrow('from another file (mesh.inp)');
  expect(() => readSolidMesh(bytes(['*INCLUDE, INPUT=mesh.inp']), 'part.inp')).toThrow('from another file (mesh.inp)');
  // lines that end in CR alone, as files of old have them
  expect(readSolidMesh(bytes([deck.replaceAll('\n', '\r')]), 'part.inp').elementCount).toBe(1);
});

test('a plane in any unit of length', () => {
  const mesh = readSolidMesh(inp(straight), 'part.inp');
  expect(solidNodes(mesh, 'z=2000mm', '--fix')).toEqual(solidNodes(mesh, 'z=max', '--fix'));
  expect(() => solidNodes(mesh, 'z=2000 furlong', '--fix')).toThrow('there is no set');
});

// Saint-Venant: a bar of sides a ≤ b twisted by θ over L, its ends turned as wholes and free to warp, bears M = G J θ/L with
// J = a³ b (1/3 − 64 a/(π⁵ b) Σ tanh(n π b/2a)/n⁵), n odd (Timoshenko & Goodier, § 109). T10: an error of order 4, a little less for what shear does at corners
test.each([
  ['square', 0.02, 0.02],
  ['twice as wide as high', 0.02, 0.04],
])('torsion of a bar, %s', (_, a, b) => {
  let series = 0;
  for (let n = 1; n < 60; n += 2) series += Math.tanh((n * Math.PI * b) / (2 * a)) / n ** 5;
  const [length, turn] = [0.04, 1e-3];
  const exact =
    ((steel.youngsModulus / 2.6) * a ** 3 * b * (1 / 3 - ((64 / Math.PI ** 5) * a * series) / b) * turn) / length;
  const errors = [2, 4].map((rows) => {
    const mesh = extrudeMesh(stripMesh([-b / 2, -a / 2], [b / 2, a / 2], (rows * b) / a, rows), length, 2);
    const part = new SolidPart(mesh, steel);
    const free = new Uint8Array(part.size).fill(1);
    const moved = new Float64Array(part.size);
    for (let i = 0; i < 3 * mesh.nodeCount; i += 3) {
      const [x, y, z] = mesh.points.subarray(i, i + 3);
      if (z > 0 && z < length) continue;
      free[i] = free[i + 1] = 0;
      if (z > 0) moved.set([-turn * y, turn * x], i);
      else if (x === 0 && y === 0) free[i + 2] = 0;
    }
    const { reactions, strainEnergy } = solveStatics(part, free, new Float64Array(part.size), { moved });
    const [, , moment] = resultant(part, reactions, [0, 0, 0], (u) => mesh.points[u - (u % 3) + 2] > 0).moment;
    // Clapeyron
    expect(Math.abs((2 * strainEnergy) / (moment * turn) - 1)).toBeLessThan(1e-10);
    return moment / exact - 1;
  });
  // stiffness from above, as displacements that fit give it: 3.3 %, 0.32 %
  expect(errors[1]).toBeGreaterThan(0);
  expect(errors[1]).toBeLessThan(0.004);
  expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(3.2);
});
