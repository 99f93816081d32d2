// Scenes of bodies that touch as benchmarks: everyone who is installed beside us in turn, a line each, with time and error.
import {
  applied,
  type BodyOptions,
  body,
  box,
  cylinder,
  extrude,
  halfSpace,
  type Material,
  type Model,
  model,
  type Recording,
  rotate,
  type Solid,
  simulate,
  sphere,
  steel,
  translate,
} from 'tippetop';
import { benchmark, type Rival } from './harness.js';
import { type ContactScene, PEER_STEP, runPeer, Track, type Verdict } from './peers/contact-scenes.js';
import { INSTALL, installedVersion, PEERS, type PeerBody } from './peers/index.js';

type Participant = (scene: ContactScene) => Track | Promise<Track>;

/** Peers that are installed, by the name of the line */
const participants: Record<string, Participant> = {};
const absent: string[] = [];
for (const { name, packageName, load } of PEERS) {
  const version = installedVersion(packageName);
  if (version === undefined) {
    absent.push(name);
    continue;
  }
  let loading: ReturnType<typeof load> | undefined;
  participants[`${name} ${version}`] = async (scene) => runPeer(await (loading ??= load()), scene);
}

/** @param stepping our line takes the same steps as the peers, by time stepping; else steps by tolerance */
export function scenes(
  name: string,
  sizes: readonly number[],
  make: (size: number) => ContactScene,
  stepping = false,
  rounds = 2,
): void {
  const lines: Record<string, Participant> = { tippetop: (scene) => ourRun(scene, stepping), ...participants };
  const clocks = Object.fromEntries(Object.keys(lines).map((line) => [line, new Clock()]));
  const run = Object.entries(lines).map(([line, participant]) => {
    // in a process that has just started code is not compiled yet: some 500 functions of ours
    const first = new Map<ContactScene, number>();
    return [
      line,
      async (scene: ContactScene): Promise<Verdict> => {
        try {
          const before = process.cpuUsage();
          const track = await clocks[line].time(() => participant(scene));
          const { user, system } = process.cpuUsage(before);
          const { error, note } = scene.judge(track);
          const perStep = (user + system) / 1e3 / Math.round(scene.stop / (scene.step ?? PEER_STEP));
          if (!first.has(scene)) first.set(scene, perStep);
          const cost = `${perStep.toFixed(2)} ms CPU a step, ${first.get(scene)!.toFixed(2)} in the first run`;
          return { error, note: stepping ? `${note}; ${cost}` : note };
        } catch (error) {
          // Others go on
          return { error: Number.NaN, note: `failed: ${error instanceof Error ? error.message : error}` };
        }
      },
    ];
  });
  benchmark<ContactScene, Verdict>(name, {
    source: make(sizes[0]).source,
    unit: 'run',
    sizes,
    rounds,
    prepare: make,
    run: Object.fromEntries(run),
    work: () => 1,
    error: ({ error }) => error,
    note: ({ note }) => note,
    ratios: {
      ...Object.fromEntries(Object.entries(clocks).slice(1)),
      ...Object.fromEntries(absent.map((peer) => [peer, notInstalled])),
    },
  });
}

/** The time of a line once more, as a column, without a second run. */
class Clock implements Rival<ContactScene> {
  #seconds = 0;
  #runs = 0;

  async time<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await run();
    this.#seconds += (performance.now() - start) / 1000;
    this.#runs++;
    return result;
  }

  missing(): undefined {}

  start() {
    return {
      sample: () => {
        const mean = this.#seconds / this.#runs;
        this.#seconds = this.#runs = 0;
        return mean;
      },
      error: () => undefined,
    };
  }
}

const notInstalled: Rival<ContactScene> = {
  missing: () => `not installed; ${INSTALL}`,
  start() {
    throw new Error('it is not installed');
  },
};

// ---- our side -----------------------------------------------------------------------------------------------------------------

function ourRun(scene: ContactScene, stepping: boolean): Track {
  const { stop, interval, bodies, step = PEER_STEP } = scene;
  const run = simulate(described(scene), {
    stopTime: stop,
    interval,
    ...(stepping && { integrator: 'time-stepping', step, resting: false }),
    ...(stepping && scene.rigidity !== undefined && { rigidity: scene.rigidity }),
  });
  const track = new Track(scene);
  for (let i = 0; i < bodies.length; i++)
    ['position', 'velocity', 'angularVelocity'].forEach((what, k) => {
      for (let axis = 0; axis < 3; axis++) copy(run, `part[${i}].${what}.${'xyz'[axis]}`, track, i, 3 * k + axis);
    });
  return track;
}

/** The rows at the times of the samples; rows of events lie between. */
function copy(run: Recording, name: string, track: Track, part: number, entry: number): void {
  const { times, values } = run.signal(name);
  for (let row = 0; row < times.length; row++) {
    const sample = track.sampleAt(times[row]);
    if (Math.abs(times[row] - track.time(sample)) < 1e-9)
      track.samples[track.offset(sample, part) + entry] = values[row];
  }
}

function described({ gravity, friction, restitution, material: given, floor, bodies }: ContactScene): Model {
  const material: Material = given ?? steel;
  const part = ({ shape, mass, inertia, position, velocity, angularVelocity, fixed }: PeerBody): BodyOptions =>
    body({
      shape: solid(shape),
      material,
      mass,
      ...(inertia !== undefined && { inertia: [inertia, inertia, inertia] }),
      position,
      ...(velocity && { velocity }),
      ...(angularVelocity && { angularVelocity }),
      ...(fixed && { fixed }),
    });
  const forces = bodies.flatMap(({ force }, i) =>
    force ? [[`force${i}`, applied({ on: `part[${i}]`, force: (t) => force(t) })] as const] : [],
  );
  return model({
    gravity,
    bodies: {
      part: bodies.map(part),
      ...(floor && { floor: body({ shape: halfSpace(), material, fixed: true }) }),
    },
    ...(forces.length > 0 && { forces: Object.fromEntries(forces) }),
    contacts: { defaults: { friction, restitution }, records: false },
  });
}

function solid(shape: PeerBody['shape']): Solid {
  if (shape.kind === 'box') return box(shape.size);
  if (shape.kind === 'sphere') return sphere(shape.radius);
  if (shape.kind === 'prism') {
    const raised = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, extrude(shape.outline, shape.width));
    return translate([0, shape.width / 2, 0], raised); // z from 0 to the width has become y from −width to 0
  }
  return cylinder(shape);
}
