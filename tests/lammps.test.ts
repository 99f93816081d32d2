/** Scenes for LAMMPS and its dumps back; the program itself is asked where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { halfSpace } from '../src/geometry/half-space.js';
import { box } from '../src/geometry/primitives.js';
import { body } from '../src/model/body.js';
import type { GrainsOptions } from '../src/model/grains.js';
import { revolute } from '../src/model/joints.js';
import { type ModelOptions, model } from '../src/model/model.js';
import { lammpsDump } from '../src/results/exchange/grain-text.js';
import { recordingOfDump } from '../src/results/exchange/lammps-dump.js';
import { lammpsBounce, lammpsRestitution, lammpsScene } from '../src/simulation/lammps-scene.js';
import { Simulation, simulate } from '../src/simulation/simulation.js';

const soft = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.5, friction: 0.4 };
const scene = (grains: Partial<GrainsOptions>, more: Partial<ModelOptions> = {}) =>
  model({
    gravity: 'none',
    bodies: {},
    ...more,
    grains: { species: { bead: { radius: 0.01, material: soft } }, ...grains },
    simulation: { stop: 0.02, interval: 1e-3 },
  } as ModelOptions);
const twoBeads = (extra: Partial<GrainsOptions> = {}) =>
  scene({
    packings: {
      left: { species: 'bead', arrangement: 'given', at: [[-0.0101, 0, 0]], velocity: [0.5, 0, 0] },
      right: { species: 'bead', arrangement: 'given', at: [[0.0101, 0, 0]], velocity: [-0.5, 0, 0] },
    },
    step: 5e-6,
    ...extra,
  });
const written = (of: ReturnType<typeof model>, stopTime = 0.02) => {
  const simulation = new Simulation(of);
  const names = { dataName: 'scene.data', dumpName: 'scene.dump' };
  return lammpsScene(of, simulation.grains!, { stopTime, interval: 1e-3, ...names });
};

// Measured with LAMMPS 2021-09-29, `damping tsuji`, converged in the step: 0.616 for 0.5
test('the restitution that LAMMPS gives for what is written, and what to write for what is wanted', () => {
  expect(lammpsBounce(0.5)).toBeCloseTo(0.616, 2);
  for (const e of [0.3, 0.5, 0.9]) expect(lammpsBounce(lammpsRestitution(e))).toBeCloseTo(e, 4);
});

test('a scene says grains, laws, walls that stand or turn', () => {
  const { script, data } = written(
    scene(
      {
        packings: { p: { species: 'bead', arrangement: 'given', at: [[0, 0.07, 0.05]] } },
        roundWalls: {
          drum: {
            profile: [
              [0, 0],
              [0.1, 0],
              [0.1, 0.2],
            ],
          },
        },
      },
      {
        gravity: [0, 0, -9.81],
        bodies: {
          yard: body({ shape: halfSpace(), position: [0, 0, -1], material: soft, fixed: true }),
          block: body({ shape: box([0.1, 0.2, 0.3]), position: [1, 0, 0], material: soft, fixed: true }),
          drum: body({ shape: box(0.1), material: soft, mass: 1 }),
        },
        joints: { shaft: revolute({ body: 'drum', axis: [0, 0, 1], speed: 2 }) },
        contacts: false,
      },
    ),
  );
  expect(data).toContain('1 atoms\n1 atom types');
  expect(script).toContain('region yard_0 plane 0 0 -1 0 0 1 side in');
  expect(script).toContain('region block_0 block 0.95 1.05 -0.1 0.1 -0.15 0.15 side out');
  expect(script).toContain('variable motion_drum equal 2*step*dt');
  expect(script).toContain(
    'region drum_1 cylinder z 0 0 0.1 0 0.2 side in open 1 open 2 rotate v_motion_drum 0 0 0 0 0 1',
  );
  const law = /pair_coeff 1 1 hertz\/material (\S+) (\S+) (\S+) tangential mindlin NULL 1\.0 (\S+) damping tsuji/.exec(
    script,
  )!;
  expect(Number(law[1]) / 1e7).toBeCloseTo(1, 12);
  expect(lammpsBounce(Number(law[2]))).toBeCloseTo(0.5, 4);
  expect(Number(law[4])).toBeCloseTo(0.4, 12);
});

test('what LAMMPS cannot say is refused', () => {
  const one = { packings: { p: { species: 'bead', arrangement: 'given' as const, at: [[0, 0, 0.5]] } } };
  expect(() => written(twoBeads({ species: { bead: { radius: 0.01, material: soft, cohesion: 1e3 } } }))).toThrow(
    'has cohesion (SJKR)',
  );
  expect(() => written(scene(one, { bodies: { tool: body({ shape: box(0.1), material: soft }) } }))).toThrow(
    'bodies.tool: is part of a machine',
  );
  expect(() =>
    written(scene({ ...one, outlets: { drain: { region: { behind: { through: [0, 0, 0], normal: [0, 0, 1] } } } } })),
  ).toThrow('grains.outlets: LAMMPS has no inlets and outlets');
});

test('a dump comes back as it was written', () => {
  const run = simulate(twoBeads(), { stopTime: 0.004 });
  const back = recordingOfDump([...lammpsDump(run)].join(''), 'beads.dump', { species: ['bead'] });
  expect([...back.times]).toEqual([...run.times]);
  for (const column of ['id', 'x', 'radius', 'velocity.x'])
    expect([...back.table('grains').instant(-1).column(column)]).toEqual([
      ...run.table('grains').instant(-1).column(column),
    ]);
  expect(() =>
    recordingOfDump(
      'ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id type x y z radius\n1 1 0 0 0 1\n',
      'a',
    ),
  ).toThrow('the dump does not tell times');
  expect(() => recordingOfDump('solid\n', 'a.stl')).toThrow('expected "ITEM: …" of a LAMMPS dump');
});

const installed =
  spawnSync('lmp', ['-h'], { stdio: 'ignore' }).status === 0 &&
  spawnSync('mpirun', ['--version'], { stdio: 'ignore' }).status === 0;
describe.skipIf(!installed)('LAMMPS itself, two ranks (left out where lmp or mpirun is not installed)', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tippetop-lammps-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  test('two beads part with the restitution that was asked for, and come back as a recording', () => {
    const { script, data } = written(twoBeads());
    writeFileSync(join(folder, 'scene.in'), script);
    writeFileSync(join(folder, 'scene.data'), data);
    const { status, stdout } = spawnSync(
      'mpirun',
      ['--allow-run-as-root', '--oversubscribe', '-np', '2', 'lmp', '-in', 'scene.in', '-log', 'none'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, OMP_NUM_THREADS: '1' }, timeout: 60_000 },
    );
    expect(stdout.split('\n').filter((line) => line.includes('ERROR'))).toEqual([]);
    expect(status).toBe(0);
    const back = recordingOfDump(readFileSync(join(folder, 'scene.dump'), 'utf8'), 'scene.dump');
    expect(back.times.at(-1)).toBeCloseTo(0.02, 9);
    const speeds = back.table('grains').instant(-1).column('velocity.x');
    // Its own 0.5 would give 0.616; the polynomial and the step leave a hundredth
    expect((speeds[1] - speeds[0]) / 1).toBeCloseTo(0.5, 2);
  }, 90_000);
});
