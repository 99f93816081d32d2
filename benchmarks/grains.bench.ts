// Spheres at rest in a box, and 5 050 balls hit by one: cost of a sphere and step, with LAMMPS (granular: Hertz, Mindlin) on the same spheres, one core each, in turns.
// The error is what the bed has moved off its place since it was settled, by a diameter; of the balls that of the energy.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewGrain } from '../src/grains/bed.js';
import type { GrainBed } from '../src/grains/grain-bed.js';
import {
  bedOf,
  billiardBalls,
  billiardBed,
  openBox,
  settlingBed,
  spheresAloft,
  stateOf,
  tiled,
} from '../src/verify/grain-scenes.js';
import { benchmark, type Rival } from './harness.js';

const SIDE = 0.15;
const STEP = 5e-5;

interface Scene {
  readonly grains: readonly NewGrain[];
  readonly bed: GrainBed;
  readonly side: number;
  readonly height: number;
  readonly steps: number;
}

let settled: GrainBed | undefined;

function scene(count: number): Scene {
  if (!settled) {
    settled = settlingBed(5000);
    for (let k = 0; k < 12_000; k++) settled.step(STEP);
  }
  const times = Math.round(Math.sqrt(count / 5000));
  const grains = tiled(settled, SIDE, times);
  const side = SIDE * times;
  const bed = bedOf(grains, { walls: [openBox(side)], gravity: [0, 0, -9.81] });
  for (let k = 0; k < 500; k++) bed.step(STEP);
  return { grains, bed, side, height: stateOf(bed).centre[2], steps: Math.round(1e6 / count) };
}

/** LAMMPS on the same grains: loop time of the second run, the first warms up */
function lammps<Input>(
  of: (input: Input) => { grains: readonly NewGrain[]; script: string; steps: number; warm: number },
): Rival<Input> {
  return {
    missing: () => (spawnSync('lmp', ['-h']).status === 0 ? undefined : 'lmp (LAMMPS) is not installed'),
    start(input) {
      const { grains, script, steps, warm } = of(input);
      const folder = mkdtempSync(join(tmpdir(), 'tippetop-lammps-'));
      writeFileSync(join(folder, 'data'), dataOf(grains));
      const head = `units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\nread_data ${join(folder, 'data')}\n`;
      const tail = `thermo 100000\nrun ${warm}\nrun ${steps}\n`;
      writeFileSync(join(folder, 'in'), head + script + tail);
      return {
        sample() {
          const log = join(folder, 'log');
          const { status } = spawnSync('lmp', ['-in', join(folder, 'in'), '-log', log, '-screen', 'none'], {
            env: { ...process.env, OMP_NUM_THREADS: '1' },
          });
          if (status !== 0) throw new Error(`lmp ended with ${status}: ${readFileSync(log, 'utf8').slice(-300)}`);
          return Number([...readFileSync(log, 'utf8').matchAll(/Loop time of (\S+)/g)].at(-1)![1]);
        },
        error: () => undefined,
        stop: () => rmSync(folder, { recursive: true }),
      };
    },
  };
}

function dataOf(grains: readonly NewGrain[]): string {
  const lines = ['grains', '', `${grains.length} atoms`, '1 atom types'];
  // Room for what flies off
  const room = 20 * grains[0].radius;
  for (const [k, axis] of ['x', 'y', 'z'].entries()) {
    let [low, high] = [0, 0];
    for (const { position } of grains) [low, high] = [Math.min(low, position[k]), Math.max(high, position[k])];
    lines.push(`${low - room} ${high + room} ${axis}lo ${axis}hi`);
  }
  lines.push('', 'Atoms # sphere', '');
  grains.forEach(({ position, radius, density }, k) => {
    lines.push(`${k + 1} 1 ${2 * radius} ${density} ${position.join(' ')}`);
  });
  lines.push('', 'Velocities', '');
  grains.forEach(({ velocity = [0, 0, 0] }, k) => {
    lines.push(`${k + 1} ${velocity.join(' ')} 0 0 0`);
  });
  return `${lines.join('\n')}\n`;
}

const rough = 'hertz/material 1e7 0.5 0.3 tangential mindlin NULL 1.0 0.5 damping tsuji';
const source = 'LAMMPS, package GRANULAR, on one core';

benchmark('grains-bed', {
  source,
  unit: 'sphere-step',
  sizes: [5000, 20_000, 45_000],
  rounds: 5,
  prepare: scene,
  run: (scene: Scene) => {
    for (let k = 0; k < scene.steps; k++) scene.bed.step(STEP);
    return scene;
  },
  work: ({ steps, grains }) => steps * grains.length,
  error: ({ bed, height }) => Math.abs(stateOf(bed).centre[2] - height) / 0.01,
  note: ({ bed }) =>
    `${(bed.facts.pairs / bed.count).toFixed(2)} contacts a sphere, ${bed.arrays.kernels.kind}, ${bed.lists.builds} lists`,
  ratios: {
    LAMMPS: lammps<Scene>(({ grains, side, steps }) => ({
      grains,
      steps,
      warm: 500,
      script: `neighbor 0.001 bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * ${rough}
timestep ${STEP}
fix it all nve/sphere
fix gr all gravity 9.81 vector 0 0 -1
fix wz all wall/gran granular ${rough} zplane 0 NULL
fix wx all wall/gran granular ${rough} xplane 0 ${side}
fix wy all wall/gran granular ${rough} yplane 0 ${side}
`,
    })),
  },
});

benchmark('grains-billiard', {
  source: `${source}; Elmqvist et al. (2015), Fig. 1`,
  unit: 'ball-step',
  sizes: [5051],
  rounds: 3,
  prepare: () => billiardBalls(),
  run: (balls: readonly NewGrain[]) => {
    const bed = billiardBed(balls);
    for (let k = 0; k < 8000; k++) bed.step(1e-3);
    return bed;
  },
  work: ({ count }) => 8000 * count,
  error: (bed) => Math.abs(stateOf(bed).kinetic / (0.5 * (4 / 3) * Math.PI * 2000 * 0.125) - 1),
  ratios: {
    LAMMPS: lammps<readonly NewGrain[]>((grains) => ({
      grains,
      steps: 8000,
      warm: 0,
      script: `neighbor 0.1 bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * hertz/material 1e7 0.0 0.3 tangential mindlin NULL 0.0 0.0 damping velocity
timestep 0.001
fix it all nve/sphere
`,
    })),
  },
});

benchmark('grains-start', {
  source: 'lists and first forces of spheres that are given; nothing may grow with the square of their number',
  unit: 'sphere',
  sizes: [5000, 50_000],
  rounds: 3,
  prepare: (count) => spheresAloft(count),
  run: (grains: readonly NewGrain[]) => bedOf(grains, { walls: [openBox(0.15 * Math.cbrt(grains.length / 5000))] }),
  work: ({ count }) => count,
  error: () => 0,
});
