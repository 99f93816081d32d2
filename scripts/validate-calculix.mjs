// Frequencies and displacements of three parts by this product and by CalculiX (`ccx`, an independent program) on the same meshes.
//   node scripts/build.mjs && node scripts/validate-calculix.mjs [part.msh …]
// Parts: a plate with a hole as extruded solid, clamped; a bent lug in the plane (T6 against CPS6 of tiny thickness); half a ring as extruded solid, free.
// Further Gmsh or Abaqus meshes may be named: they are held at x = min. Exit code 1 where a figure is off by more than 1e-4 of it, 2 where there is no `ccx`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlanePart } from '../dist/flexible-bodies/fem/plane-part.js';
import { SolidPart, solidNodes } from '../dist/flexible-bodies/fem/solid-part.js';
import { extrudeMesh } from '../dist/flexible-bodies/mesh/extruded-mesh.js';
import { meshProfile } from '../dist/flexible-bodies/mesh/mesh-profile.js';
import { circle } from '../dist/geometry/circle-outline.js';
import { readSolidMesh } from '../dist/geometry/files/tetrahedra-read.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850 };
const LIMIT = 1e-4;
if (spawnSync('ccx', ['-v']).error) {
  console.error('CalculiX (`ccx`) is not installed, so nothing was compared. Debian: apt-get install calculix-ccx');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'calculix-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Nodes and elements of a deck; `held` nodes have all their unknowns fixed */
function deck(name, { points, dimension, elements, per, type, held, extra }) {
  const lines = ['*NODE, NSET=ALL'];
  for (let i = 0; i < points.length / dimension; i++) {
    const at = [0, 1, 2].map((k) => (k < dimension ? points[dimension * i + k] : 0));
    lines.push(`${i + 1}, ${at.map((x) => x.toPrecision(12)).join(', ')}`);
  }
  lines.push(`*ELEMENT, TYPE=${type}, ELSET=PART`);
  for (let e = 0; e < elements.length; e += per)
    lines.push([e / per + 1, ...Array.from(elements.subarray(e, e + per), (n) => n + 1)].join(', '));
  lines.push(
    '*MATERIAL, NAME=STEEL',
    '*ELASTIC',
    `${steel.youngsModulus}, ${steel.poissonRatio}`,
    '*DENSITY',
    `${steel.density}`,
  );
  lines.push(`*SOLID SECTION, ELSET=PART, MATERIAL=STEEL`, ...(extra ? [extra] : []));
  if (held.length > 0) {
    lines.push('*NSET, NSET=HELD');
    for (const node of held) lines.push(`${node + 1},`);
    lines.push('*BOUNDARY', `HELD, 1, ${dimension}`);
  }
  return { path: join(folder, name), lines };
}

function solve({ path, lines }, steps) {
  writeFileSync(`${path}.inp`, `${[...lines, ...steps].join('\n')}\n`);
  execFileSync('ccx', [path], { stdio: 'ignore', cwd: folder });
  return readFileSync(`${path}.dat`, 'utf8');
}

/** Hz, from the table of eigenvalues */
function ccxModes(part, count) {
  const text = solve(part, ['*STEP', '*FREQUENCY', `${count}`, '*NODE PRINT, NSET=ALL', '*END STEP']);
  const table = text.slice(text.indexOf('E I G E N V A L U E'));
  return [...table.matchAll(/^\s+\d+\s+\S+\s+\S+\s+(\S+)\s+\S+\s*$/gm)]
    .slice(0, count)
    .map((match) => Number(match[1]));
}

/** Displacements under nodal forces, 3 per node */
function ccxStatic(part, force, dimension) {
  const loads = [];
  for (let i = 0; i < force.length; i++)
    if (Math.abs(force[i]) > 1e-9)
      loads.push(`${Math.floor(i / dimension) + 1}, ${(i % dimension) + 1}, ${force[i].toPrecision(12)}`);
  const text = solve(part, ['*STEP', '*STATIC', '*CLOAD', ...loads, '*NODE PRINT, NSET=ALL', 'U', '*END STEP']);
  const out = [];
  for (const match of text.matchAll(/^\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$/gm))
    out[Number(match[1]) - 1] = match.slice(2).map(Number);
  return out;
}

let worst = 0;
function tell(what, ours, theirs) {
  const error = Math.abs(ours / theirs - 1);
  worst = Math.max(worst, error);
  console.log(
    `${what.padEnd(44)} ${ours.toPrecision(8).padStart(13)} ${theirs.toPrecision(8).padStart(13)} ${error.toExponential(1)}`,
  );
}

function solidCase(name, mesh, held, load) {
  const part = new SolidPart(mesh, steel);
  const free = new Uint8Array(part.size).fill(1);
  for (const node of held) free.fill(0, 3 * node, 3 * node + 3);
  const described = deck(name, {
    points: mesh.points,
    dimension: 3,
    elements: mesh.elements,
    per: 10,
    type: 'C3D10',
    held,
  });
  console.log(`${name}: ${mesh.elementCount} tetrahedra, ${mesh.nodeCount} nodes, ${part.mass.toPrecision(6)} kg`);
  const rigid = held.length > 0 ? 0 : 6;
  const { frequencies } = part.modes(5 + rigid, free, rigid > 0 ? -1e6 : 0);
  const theirs = ccxModes(described, 5 + rigid);
  for (let k = rigid; k < frequencies.length; k++)
    tell(`  mode ${k + 1 - rigid}, Hz`, frequencies[k] / (2 * Math.PI), theirs[k]);
  if (!load) return;
  const force = new Float64Array(part.size);
  part.addForce(load.nodes, load.force, force, 'load');
  const u = force.slice();
  part.factor(free).solve(u);
  const other = ccxStatic(
    deck(`${name}-static`, {
      points: mesh.points,
      dimension: 3,
      elements: mesh.elements,
      per: 10,
      type: 'C3D10',
      held,
    }),
    force,
    3,
  );
  let most = 0;
  for (let i = 0; i < mesh.nodeCount; i++) if (Math.abs(u[3 * i + 2]) > Math.abs(u[3 * most + 2])) most = i;
  tell('  largest displacement along z, m', u[3 * most + 2], other[most][2]);
}

const plate = meshProfile(
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
const solid = extrudeMesh(plate, 0.008, 2);
solidCase('plate-with-hole', solid, Array.from(solidNodes(solid, 'x=min', 'fix')), {
  nodes: solidNodes(solid, 'x=max', 'load'),
  force: [0, 0, -100],
});

const hook = meshProfile(
  {
    outer: [
      [0.03, 0, Math.tan(Math.PI / 4)],
      [-0.03, 0],
      [-0.02, 0, -Math.tan(Math.PI / 4)],
      [0.02, 0],
    ],
    holes: [],
  },
  { size: 0.004 },
);
solidCase('half-ring-free', extrudeMesh(hook, 0.01, 2), []);

const lug = meshProfile(
  {
    outer: [
      [0, 0],
      [0.1, 0],
      [0.1, 0.06],
      [0.07, 0.06],
      [0.07, 0.02],
      [0, 0.02],
    ],
    holes: [circle(0.006, [0.085, 0.045])],
  },
  { size: 0.005 },
);
const thin = { ...steel, thickness: 1e-4 };
const plane = new PlanePart(lug, thin);
const free = new Uint8Array(plane.size).fill(1);
const held = [];
for (let i = 0; i < lug.nodeCount; i++)
  if (lug.points[2 * i] === 0) {
    held.push(i);
    free[2 * i] = free[2 * i + 1] = 0;
  }
const flat = deck('lug-in-the-plane', {
  points: lug.points,
  dimension: 2,
  elements: lug.elements,
  per: 6,
  type: 'CPS6',
  held,
  extra: '1e-4',
});
flat.lines.push('*BOUNDARY', 'ALL, 3, 3');
console.log(`lug-in-the-plane: ${lug.elementCount} triangles, ${lug.nodeCount} nodes`);
const own = plane.modes(5, free);
const theirs = ccxModes(flat, 5);
for (let k = 0; k < 5; k++) tell(`  mode ${k + 1}, Hz`, own.frequencies[k] / (2 * Math.PI), theirs[k]);

for (const file of process.argv.slice(2)) {
  const mesh = readSolidMesh(readFileSync(file), file);
  solidCase(file.replace(/^.*\//, '').replace(/\.\w+$/, ''), mesh, Array.from(solidNodes(mesh, 'x=min', 'fix')), {
    nodes: solidNodes(mesh, 'x=max', 'load'),
    force: [0, 0, -100],
  });
}
console.log(`largest difference ${worst.toExponential(1)}, allowed ${LIMIT}`);
process.exitCode = worst <= LIMIT ? 0 : 1;
