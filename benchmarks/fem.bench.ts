// Meshes and sparse factors of planar parts. `fem-mesh`: triangles of an outline with arcs and holes, cost per triangle at ten times the count; `fem-factor`: K of a plate
// 2 × 1 m clamped at its left side (T6; 120 × 62 cells have 60 250 unknowns), nested dissection and L D Lᵀ, beside CHOLMOD on the same matrix; `topology`: one iteration of a
// design of that many elements.
import { existsSync } from 'node:fs';
import { involuteGear } from '../src/assets/machine-elements/gear.js';
import { PlanePart } from '../src/flexible-bodies/fem/plane-part.js';
import { addTraction, namedSides } from '../src/flexible-bodies/fem/supports.js';
import { meshProfile } from '../src/flexible-bodies/mesh/mesh-profile.js';
import { cornerQuality } from '../src/flexible-bodies/mesh/plane-mesh.js';
import { stripMesh } from '../src/flexible-bodies/mesh/strip.js';
import { Compliance } from '../src/flexible-bodies/topology/compliance.js';
import { gridDesign } from '../src/flexible-bodies/topology/design-mesh.js';
import { optimiseTopology } from '../src/flexible-bodies/topology/optimise.js';
import { circle } from '../src/geometry/circle-outline.js';
import { profileArea } from '../src/geometry/polygon.js';
import type { Profile } from '../src/geometry/profile.js';
import type { SparseLdl } from '../src/math/sparse/sparse-ldl.js';
import { cProgram } from './c-program.js';
import { benchmark } from './harness.js';

const steel = { youngsModulus: 210e9, poissonRatio: 0.3, density: 7850, thickness: 0.01 };
const plate: Profile = {
  outer: [
    [0, 0],
    [0.2, 0],
    [0.2, 0.1],
    [0, 0.1],
  ],
  holes: [circle(0.02, [0.1, 0.05])],
};
const gear = involuteGear({ teeth: 20, module: 2e-3, tolerance: 1e-6, bore: 6e-3 });

const meshed = (profile: Profile) => ({
  source: 'an outline becomes a mesh; 50 000 triangles in 1 s or less, ten times as many in ten times the time',
  unit: 'triangle',
  sizes: [50_000, 5_000],
  rounds: 5,
  // 1.3 triangles of side h/√3 … h to h² √3/4 of area
  run: (count: number) =>
    meshProfile(profile, {
      size: Math.sqrt((3.57 * profileArea(profile)) / count),
      nodesPerElement: 3,
      mostPoints: 1e6,
    }),
  work: ({ elementCount }: { elementCount: number }) => elementCount,
  // chords cut arcs short, of the area
  error: (mesh: ReturnType<typeof meshProfile>) => Math.abs(cornerQuality(mesh).area / profileArea(profile) - 1),
  note: (mesh: ReturnType<typeof meshProfile>) =>
    `${mesh.elementCount} triangles, smallest angle ${((Math.acos(cornerQuality(mesh).largestCosine) * 180) / Math.PI).toFixed(1)}°`,
});
benchmark('fem-mesh/plate', meshed(plate));
benchmark('fem-mesh/gear', meshed(gear));

interface Clamped {
  readonly part: PlanePart;
  readonly free: Uint8Array;
  readonly force: Float64Array;
}

/** K of the unknowns that are free, lower triangle by columns, and the load */
function lowerTriangle({ part, free, force }: Clamped): Uint8Array {
  const { pattern, stiffness } = part.matrices;
  const place = new Int32Array(part.size).fill(-1);
  let n = 0;
  for (let i = 0; i < part.size; i++) if (free[i] !== 0) place[i] = n++;
  const start: number[] = [0];
  const rows: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < part.size; i++) {
    if (free[i] === 0) continue;
    const node = i >> 1;
    // K is symmetric: row i read as column i
    for (let c = pattern.rowStart[node]; c < pattern.rowStart[node + 1]; c++)
      for (let k = 0; k < 2; k++) {
        const j = 2 * pattern.column[c] + k;
        if (place[j] < place[i]) continue;
        rows.push(place[j]);
        values.push(stiffness[4 * c + 2 * (i & 1) + k]);
      }
    start.push(rows.length);
  }
  const right = force.filter((_, i) => free[i] !== 0);
  return new Uint8Array(Float64Array.from([n, rows.length, ...start, ...rows, ...values, ...right]).buffer);
}

/** Residual of K u = f over f, the largest of each */
function residual(ldl: SparseLdl, { part, free, force }: Clamped): number {
  const u = force.slice();
  ldl.solve(u);
  const back = new Float64Array(part.size);
  part.applyStiffness(u, back);
  let [off, most] = [0, 0];
  for (let i = 0; i < part.size; i++) {
    most = Math.max(most, Math.abs(force[i]));
    if (free[i] !== 0) off = Math.max(off, Math.abs(back[i] - force[i]));
  }
  return off / most;
}

benchmark('fem-factor', {
  source:
    'K of a clamped plate, analysis and factors; 60 000 unknowns in 1.5 s or less, and at most four times CHOLMOD',
  unit: 'unknown',
  sizes: [120, 60],
  rounds: 5,
  prepare(columns): Clamped {
    const part = new PlanePart(stripMesh([0, 0], [2, 1], columns, Math.round((62 * columns) / 120)), steel);
    const free = Uint8Array.from({ length: part.size }, (_, i) => (part.mesh.points[2 * (i >> 1)] === 0 ? 0 : 1));
    const force = new Float64Array(part.size);
    addTraction(part.mesh, namedSides(part.mesh, 'right', 'load'), [0, -1000], force);
    return { part, free, force };
  },
  run: ({ part, free }) => part.factor(free),
  work: ({ size }) => size,
  error: residual,
  note: ({ size, entries }) => `${size} unknowns, ${(entries / 1e6).toFixed(1)} M numbers in L`,
  ratios: {
    CHOLMOD: cProgram<Clamped>({
      file: 'cholmod-factor.c',
      libraries: ['cholmod'],
      missing: () =>
        existsSync('/usr/include/suitesparse/cholmod.h')
          ? undefined
          : 'CHOLMOD is not installed (Debian: libsuitesparse-dev, with libopenblas0-serial as BLAS)',
      input: lowerTriangle,
      error: ([largest], clamped) => {
        const u = clamped.force.slice();
        clamped.part.factor(clamped.free).solve(u);
        return Math.abs(largest / u.reduce((most, x) => Math.max(most, Math.abs(x)), 0) - 1);
      },
    }),
  },
});

const ITERATIONS = 5;
benchmark('topology', {
  source: 'half an MBB beam by MMA; one iteration of 10 000 elements in 0.5 s or less',
  unit: 'iteration',
  sizes: [10_000, 1_000],
  rounds: 3,
  prepare(elements): Compliance {
    const rows = Math.round(Math.sqrt(elements / 4));
    const columns = Math.round(elements / rows);
    const mesh = gridDesign(columns, rows, columns, rows, { ...steel, youngsModulus: 1, density: 1, thickness: 1 });
    const free = new Uint8Array(2 * mesh.nodeCount).fill(1);
    for (let j = 0; j <= rows; j++) free[2 * j] = 0;
    free[2 * mesh.nodeCount - 1] = 0;
    const force = new Float64Array(2 * mesh.nodeCount);
    force[1] = -1;
    return new Compliance(mesh, free, [{ force }]);
  },
  run: (problem) =>
    optimiseTopology(problem, { volume: 0.5, radius: 2.4, filter: 'density', iterations: ITERATIONS, change: 0 }),
  work: ({ iteration }) => iteration,
  // the volume asked for
  error: ({ densities }) => Math.abs(densities.reduce((sum, x) => sum + x, 0) / densities.length / 0.5 - 1),
  note: ({ densities }) => `${densities.length} elements`,
});
