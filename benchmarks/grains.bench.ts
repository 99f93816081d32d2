// Spheres at rest in a box, spheres in a turning drum of triangles, and 5 050 balls hit by one: cost of a sphere and step, with LAMMPS (granular: Hertz, Mindlin) and, for walls of
// triangles, LIGGGHTS on the same spheres, one core each, in turns. Both make the same steps from the same start: before each of its rounds the other code comes as far as ours has by then.
// The error is what the bed has moved off its place since it was settled, by a diameter; of the balls that of the energy.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Model, Simulation } from 'tippetop';
import excavator from '../examples/excavator-bucket/excavator-bucket.model.js';
import hopper from '../examples/hopper/hopper.model.js';
import type { NewGrain } from '../src/grains/bed.js';
import type { GrainBed } from '../src/grains/grain-bed.js';
import { SerialTeam, type Team } from '../src/grains/team.js';

import { KernelWorkers } from '../src/node/kernel-workers.js';

import {
  bedOf,
  billiardBalls,
  billiardBed,
  DRUM_SPEED,
  drumMesh,
  facetedDrum,
  openBox,
  settlingBed,
  spheresAloft,
  spheresInDrum,
  stateOf,
  tiled,
  turnDrum,
} from '../src/verify/grain-scenes.js';
import { benchmark, type Rival, rival } from './harness.js';

const SIDE = 0.15;
const STEP = 5e-5;

interface Scene {
  readonly grains: readonly NewGrain[];
  readonly bed: GrainBed;
  readonly side: number;
  readonly height: number;
  readonly steps: number;
  /** Steps made since the start that all have in common */
  made: number;
}

/** Steps from the start until memories of contacts are there, for both */
const WARM = 500;

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
  for (let k = 0; k < WARM; k++) bed.step(STEP);
  return { grains, bed, side, height: stateOf(bed).centre[2], steps: Math.round(1e6 / count), made: WARM };
}

interface Peer {
  readonly program: string;
  /** Up to the grains */
  readonly head: string;
}
const LAMMPS: Peer = {
  program: 'lmp',
  head: 'units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n',
};
const LIGGGHTS: Peer = {
  program: 'liggghts',
  head: 'units si\natom_style granular\natom_modify map array\nboundary m m m\nnewton off\ncommunicate single vel yes\n',
};

/** Another code on the same grains: loop time of the second run; the first comes to where ours began its last. @param files beside the script, by name */
function peer<Input>(
  { program, head }: Peer,
  of: (input: Input) => {
    readonly grains: readonly NewGrain[];
    readonly script: string;
    readonly steps: number;
    /** Steps before them, now */
    readonly before: () => number;
    readonly files?: Readonly<Record<string, string>>;
  },
): Rival<Input> {
  return {
    // In a folder of its own: LIGGGHTS leaves a log wherever it is asked
    missing: () => (spawnSync(program, ['-h'], { cwd: tmpdir() }).error ? `${program} is not installed` : undefined),
    start(input) {
      const { grains, script, steps, before, files = {} } = of(input);
      const folder = mkdtempSync(join(tmpdir(), 'tippetop-peer-'));
      writeFileSync(join(folder, 'data'), dataOf(grains));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return {
        sample() {
          const tail = `thermo 100000\nrun ${before()}\nrun ${steps}\n`;
          writeFileSync(join(folder, 'in'), `${head}read_data data\n${script}${tail}`);
          const { status } = spawnSync(program, ['-in', 'in', '-log', 'log'], {
            cwd: folder,
            stdio: 'ignore', // not -screen none: LIGGGHTS 3.8 falls over it
            env: { ...process.env, OMP_NUM_THREADS: '1' },
          });
          const log = readFileSync(join(folder, 'log'), 'utf8');
          if (status !== 0) throw new Error(`${program} ended with ${status}: ${log.slice(-300)}`);
          return Number([...log.matchAll(/Loop time of (\S+)/g)].at(-1)![1]);
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
  lines.push('', 'Atoms', '');
  grains.forEach(({ position, radius, density }, k) => {
    lines.push(`${k + 1} 1 ${2 * radius} ${density} ${position.join(' ')}`);
  });
  lines.push('', 'Velocities', '');
  grains.forEach(({ velocity = [0, 0, 0], spin = [0, 0, 0] }, k) => {
    lines.push(`${k + 1} ${velocity.join(' ')} ${spin.join(' ')}`);
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
    scene.made += scene.steps;
    return scene;
  },
  work: ({ steps, grains }) => steps * grains.length,
  error: ({ bed, height }) => Math.abs(stateOf(bed).centre[2] - height) / 0.01,
  note: ({ bed }) =>
    `${(bed.facts.pairs / bed.count).toFixed(2)} contacts a sphere, ${bed.arrays.kernels.kind}, ${bed.lists.builds} lists`,
  ratios: {
    LAMMPS: peer<Scene>(LAMMPS, (scene) => ({
      grains: scene.grains,
      steps: scene.steps,
      before: () => scene.made - scene.steps,
      script: `neighbor 0.001 bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * ${rough}
timestep ${STEP}
fix it all nve/sphere
fix gr all gravity 9.81 vector 0 0 -1
fix wz all wall/gran granular ${rough} zplane 0 NULL
fix wx all wall/gran granular ${rough} xplane 0 ${scene.side}
fix wy all wall/gran granular ${rough} yplane 0 ${scene.side}
`,
    })),
  },
});

interface Drum {
  readonly bed: GrainBed;
  /** At the start that both have in common */
  readonly grains: readonly NewGrain[];
  /** Steps made */
  at: number;
  readonly height: number;
}
/** 0.25 s: three of the 48 sides, after which the drum looks as at the start, which is where the other code begins */
const DRUM_STEPS = 5000;
const DRUM_ROUND = 50;

function turn(drum: Drum, steps: number): Drum {
  for (let k = 0; k < steps; k++) turnDrum(drum.bed, STEP, DRUM_SPEED * STEP * ++drum.at);
  return drum;
}

function movingGrains(bed: GrainBed): NewGrain[] {
  const x = bed.arrays.floats('grains');
  const v = bed.arrays.floats('motion');
  return Array.from(bed.inOrder(), (i) => ({
    position: [x[4 * i], x[4 * i + 1], x[4 * i + 2]],
    radius: x[4 * i + 3],
    velocity: [v[8 * i], v[8 * i + 1], v[8 * i + 2]],
    spin: [v[8 * i + 4], v[8 * i + 5], v[8 * i + 6]],
    kind: 0,
    density: 2500,
  }));
}

function drumStl(): string {
  const { points, triangles } = drumMesh();
  const lines = ['solid drum'];
  for (let t = 0; t < triangles.length; t += 3) {
    lines.push('facet normal 0 0 0', 'outer loop');
    for (let k = 0; k < 3; k++)
      lines.push(`vertex ${points.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3).join(' ')}`);
    lines.push('endloop', 'endfacet');
  }
  return `${lines.join('\n')}\nendsolid drum\n`;
}

benchmark('grains-drum', {
  source: 'LIGGGHTS with a wall of 864 triangles, on one core',
  unit: 'sphere-step',
  sizes: [20_000],
  rounds: 5,
  prepare: (count): Drum => {
    const bed = bedOf(spheresInDrum(count), { walls: [facetedDrum()], gravity: [0, 0, -9.81] });
    const drum = { bed, at: 0, grains: [] as NewGrain[], height: 0 };
    turn(drum, DRUM_STEPS);
    const grains = movingGrains(bed);
    turn(drum, WARM);
    return { ...drum, grains, height: stateOf(bed).centre[2] };
  },
  run: (drum: Drum) => turn(drum, DRUM_ROUND),
  work: ({ grains }) => DRUM_ROUND * grains.length,
  // It goes on flowing; a drum that loses or heats its spheres would not stay as high
  error: ({ bed, height }) => Math.abs(stateOf(bed).centre[2] - height) / 0.2,
  note: ({ bed }) =>
    `${(bed.facts.pairs / bed.count).toFixed(2)} contacts a sphere, ${bed.facts.wallContacts} with the wall`,
  ratios: {
    LIGGGHTS: peer<Drum>(LIGGGHTS, (drum) => ({
      grains: drum.grains,
      steps: DRUM_ROUND,
      before: () => drum.at - DRUM_STEPS - DRUM_ROUND,
      files: { 'drum.stl': drumStl() },
      script: `neighbor 0.001 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype 1e7
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.5
fix m4 all property/global coefficientFriction peratomtypepair 1 0.5
pair_style gran model hertz tangential history
pair_coeff * *
timestep ${STEP}
fix gr all gravity 9.81 vector 0.0 0.0 -1.0
fix drum all mesh/surface file drum.stl type 1 curvature_tolerant yes
fix wd all wall/gran model hertz tangential history mesh n_meshes 1 meshes drum
fix mv all move/mesh mesh drum rotate origin 0. 0. 0. axis 0. 1. 0. period 4.
fix it all nve/sphere
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
    LAMMPS: peer<readonly NewGrain[]>(LAMMPS, (grains) => ({
      grains,
      steps: 8000,
      before: () => 0,
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

interface Shared {
  readonly one: GrainBed;
  readonly two: GrainBed;
}
const THREAD_STEPS = 20;

const step = (bed: GrainBed): GrainBed => {
  for (let k = 0; k < THREAD_STEPS; k++) bed.step(STEP);
  return bed;
};

benchmark('grains-threads', {
  source: 'the same bed by two threads; the ratio is to one thread, on the clock: 0.56 is 1.8 times as fast',
  unit: 'sphere-step',
  sizes: [45_000],
  rounds: 9,
  prepare: (count): Shared => {
    const { grains, side, bed: one } = scene(count);
    const two = bedOf(grains, { walls: [openBox(side)], gravity: [0, 0, -9.81], team: new KernelWorkers(2) });
    for (let k = 0; k < WARM; k++) two.step(STEP);
    return { one, two };
  },
  run: ({ two }: Shared) => step(two),
  work: ({ count }) => THREAD_STEPS * count,
  error: () => 0,
  note: ({ facts, count }) => `${(facts.pairs / count).toFixed(2)} contacts a sphere`,
  ratios: { 'one thread': rival<Shared, GrainBed, GrainBed>({ prepare: ({ one }) => one, run: step }) },
});

/** One thread that notes how long it was in each phase */
class TimedTeam extends SerialTeam {
  readonly seconds = new Map<string, number>();

  override run(phase: string): void {
    const start = performance.now();
    super.run(phase);
    this.seconds.set(phase, (this.seconds.get(phase) ?? 0) + (performance.now() - start) / 1000);
  }
}

/** A whole run as users have it, machine, doors, census and recording included, by one thread and by two, as far as both have come */
interface WholeRun {
  readonly one: Simulation;
  readonly two: Simulation;
  readonly team: TimedTeam;
  /** s that one thread was at it */
  alone: number;
  reached: { one: number; two: number };
}
/** s of simulated time in a round */
const WHOLE_ROUND = 0.02;

benchmark('grains-run', {
  source:
    'silo running out (4 000) and excavator bucket (20 000) by two threads; the ratio is to one thread, on the clock: 0.56 is 1.8 times as fast. The note says where one thread is',
  unit: 'sphere-step',
  sizes: [4000, 20_000],
  rounds: 7,
  prepare: (count): WholeRun => {
    const build = (): Model => (count === 4000 ? hopper() : excavator());
    const team = new TimedTeam();
    const of = (own: Team): Simulation => new Simulation(build(), { stopTime: 1, interval: WHOLE_ROUND, team: own });
    const run = { one: of(team), two: of(new KernelWorkers(2)), team, alone: 0, reached: { one: 0, two: 0 } };
    // Until they have fallen onto each other
    for (let k = 0; k < 5; k++) {
      run.two.advance((run.reached.two += WHOLE_ROUND));
      run.one.advance((run.reached.one += WHOLE_ROUND));
    }
    team.seconds.clear();
    return run;
  },
  run: (run: WholeRun) => {
    run.two.advance((run.reached.two += WHOLE_ROUND));
    return run;
  },
  work: ({ two }) => two.grains!.bed.count * Math.round(WHOLE_ROUND / two.grains!.step),
  error: () => 0,
  note: ({ team, alone }) => {
    const shares = [...team.seconds].map(([phase, s]) => [phase, s / alone] as const);
    const inPhases = shares.reduce((sum, [, share]) => sum + share, 0);
    const text = shares.map(([phase, share]) => `${phase} ${(100 * share).toFixed(0)} %`).join(', ');
    return `one thread: ${text}, what only one can do ${(100 * (1 - inPhases)).toFixed(0)} %`;
  },
  ratios: {
    'one thread': rival<WholeRun, WholeRun, WholeRun>({
      prepare: (run) => run,
      run: (run) => {
        const start = performance.now();
        run.one.advance((run.reached.one += WHOLE_ROUND));
        run.alone += (performance.now() - start) / 1000;
        return run;
      },
    }),
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
