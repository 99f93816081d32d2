/**
 * Scenes of bodies that touch, each with an answer that can be computed by hand, and how far a run is from it. A run is told as
 * a track: position, velocity and angular velocity of every body at equal times, the same for everyone who takes part.
 */
import type { Peer, PeerBody, Vec3 } from './peer.js';

export interface ContactScene {
  readonly source: string;
  /** m/s² */
  readonly gravity: Vec3;
  readonly friction: number;
  readonly restitution: number;
  /** For those who are not rigid; steel unless given */
  readonly material?: { readonly density: number; readonly youngsModulus: number; readonly poissonRatio: number };
  /** Everything below z = 0, at rest */
  readonly floor: boolean;
  readonly bodies: readonly PeerBody[];
  /** Length of the run and time between samples, s */
  readonly stop: number;
  readonly interval: number;
  /** s, of those who step by equal steps; PEER_STEP unless given */
  readonly step?: number;
  /** κ of our own steps; what the number of bodies says unless given */
  readonly rigidity?: number;
  /** How far from the answer, and what else is worth saying */
  readonly judge: (track: Track) => Verdict;
}

export interface Verdict {
  readonly error: number;
  readonly note: string;
}

/** Samples of every body: 9 numbers each, position, velocity, angular velocity in world axes. */
export class Track {
  readonly samples: Float64Array;
  readonly count: number;
  private readonly bodies: number;
  private readonly interval: number;

  constructor({ bodies, stop, interval }: ContactScene) {
    this.count = Math.round(stop / interval) + 1;
    this.bodies = bodies.length;
    this.interval = interval;
    this.samples = new Float64Array(9 * this.bodies * this.count);
  }

  offset = (sample: number, body: number): number => 9 * (this.bodies * sample + body);
  time = (sample: number): number => this.interval * sample;
  sampleAt = (time: number): number => Math.round(time / this.interval);
  position = (sample: number, body: number, axis: number): number => this.samples[this.offset(sample, body) + axis];
  velocity = (sample: number, body: number, axis: number): number => this.samples[this.offset(sample, body) + 3 + axis];
  angularVelocity = (sample: number, body: number, axis: number): number =>
    this.samples[this.offset(sample, body) + 6 + axis];

  speed(sample: number, body: number): number {
    return norm(0, 1, 2)((axis) => this.velocity(sample, body, axis));
  }
}

/** The step of all peers, s: a sixteenth of the usual one of games, half of the usual one of robots. */
export const PEER_STEP = 1e-3;

export function runPeer({ createWorld }: Peer, scene: ContactScene): Track {
  const { gravity, friction, restitution, bodies, floor, interval, step = PEER_STEP } = scene;
  const world = createWorld({ gravity, friction, restitution, step });
  if (floor) world.addFloor();
  for (const body of bodies) world.addBody(body);
  const track = new Track(scene);
  const steps = Math.round(interval / step);
  for (let sample = 0; sample < track.count; sample++) {
    for (let i = 0; sample > 0 && i < steps; i++) {
      const t = interval * (sample - 1) + step * i;
      for (const [k, { force }] of bodies.entries()) if (force) world.push(k, force(t));
      world.step(step);
    }
    for (let i = 0; i < bodies.length; i++) world.read(i, track.samples, track.offset(sample, i));
  }
  world.free();
  return track;
}

const G = 9.81;
const DOWN: Vec3 = [0, 0, -G];

/** Ten cuboids set down with gaps of 1 mm and offsets of 1 mm to and fro. Error: how far the top moves sideways in the last two thirds, m */
export function stack(duration: number): ContactScene {
  const boxes = 10;
  const size: Vec3 = [0.2, 0.2, 0.1];
  return {
    source:
      'ten cuboids of 4 kg set down with gaps and offsets of 1 mm, friction 0.5, restitution 0.3; size: seconds simulated. Error: way of ' +
      'the top one sideways in the last two thirds of the time, m',
    gravity: DOWN,
    friction: 0.5,
    restitution: 0.3,
    floor: true,
    bodies: Array.from({ length: boxes }, (_, i) => ({
      shape: { kind: 'box', size } as const,
      mass: 4,
      position: [i % 2 === 0 ? 0 : 1e-3, 0, 1e-3 + 0.05 + 0.101 * i] as const,
    })),
    stop: duration,
    interval: 0.1,
    judge(track) {
      const top = boxes - 1;
      const from = track.sampleAt(duration / 3);
      const to = track.count - 1;
      const drift = norm(0, 1)((axis) => track.position(to, top, axis) - track.position(from, top, axis));
      let fastest = 0;
      for (let i = 0; i < boxes; i++) fastest = Math.max(fastest, track.speed(to, i));
      // One that fell through the floor or off the others has not moved sideways by little
      const fall = size[2] * (boxes - 0.5) - track.position(to, top, 2);
      if (!(fall < size[2] / 2))
        return { error: Math.max(drift, Math.abs(fall)), note: `fell by ${fall.toFixed(2)} m` };
      return { error: drift, note: `speed at the end ${fastest.toExponential(1)} m/s` };
    },
  };
}

/** A cube thrown along the floor stops after v²/2µg. */
export function sliding(): ContactScene {
  const v = 5;
  const friction = 0.5;
  const way = v ** 2 / (2 * friction * G); // 2.548420 m
  return {
    source:
      'a cube of 0.5 m, 1 kg slides at 5 m/s, friction 0.5, and stops after v²/2µg = 2.548420 m. Error: of that way',
    gravity: DOWN,
    friction,
    restitution: 0,
    floor: true,
    bodies: [{ shape: { kind: 'box', size: [0.5, 0.5, 0.5] }, mass: 1, position: [0, 0, 0.25], velocity: [v, 0, 0] }],
    stop: 2,
    interval: 0.01,
    judge(track) {
      const end = track.position(track.count - 1, 0, 0);
      return { error: Math.abs(end / way - 1), note: `${end.toFixed(6)} m` };
    },
  };
}

/** An elastic ball comes back to where it was let go. */
export function drop(): ContactScene {
  const radius = 0.1;
  return {
    source: 'a ball with restitution 1 is dropped from 1 m. Error: of its height after ten bounces',
    gravity: DOWN,
    friction: 0,
    restitution: 1,
    floor: true,
    bodies: [{ shape: { kind: 'sphere', radius }, mass: 1, position: [0, 0, radius + 1] }],
    stop: 9.6,
    interval: 1e-3,
    judge(track) {
      // The highest sample after the tenth bounce, and what its speed is still worth
      let bounces = 0;
      let apex = 0;
      for (let i = 1; i < track.count && bounces <= 10; i++) {
        const v = track.velocity(i, 0, 2);
        if (v > 0 && track.velocity(i - 1, 0, 2) <= 0) bounces++;
        if (bounces === 10)
          apex = Math.max(apex, track.position(i, 0, 2) - radius + (Math.abs(v) < 0.02 ? v ** 2 / (2 * G) : 0));
      }
      return { error: Math.abs(apex - 1), note: bounces < 10 ? `${bounces} bounces only` : `${apex.toFixed(6)} m` };
    },
  };
}

/**
 * One ball hits four that touch each other. Elastic balls press on each other as Hertz found, F ∝ d^1.5, which settles where the momentum
 * goes, whatever stiffness and radius: the velocities below, by integration to 1e-12. No rule for impacts alone can tell.
 */
export function cradle(): ContactScene {
  const ends = [-0.071085, -0.0302738, -0.0144636, 0.127045, 0.9887774];
  const radius = 0.05;
  return {
    source:
      'five elastic balls in a row, touching, the first with 1 m/s; no gravity. Error: largest of the five velocities at the end against ' +
      'the chain of Hertz contacts, −.0711, −.0303, −.0145, .1270, .9888 m/s',
    gravity: [0, 0, 0],
    friction: 0,
    restitution: 1,
    floor: false,
    bodies: ends.map((_, i) => ({
      shape: { kind: 'sphere', radius } as const,
      mass: 1,
      position: [2 * radius * i, 0, 0] as const,
      velocity: [i === 0 ? 1 : 0, 0, 0] as const,
    })),
    stop: 0.5,
    interval: 0.01,
    judge(track) {
      const last = track.count - 1;
      let worst = 0;
      let energy = 0;
      for (const [i, end] of ends.entries()) {
        const v = track.velocity(last, i, 0);
        worst = Math.max(worst, Math.abs(v - end));
        energy += v ** 2;
      }
      return { error: worst, note: `energy ${signed(energy - 1)}` };
    },
  };
}

/** A wheel on its flat side: pressure is even over the disc, so friction turns it back with 2/3 µNR, at the rim alone it would be µNR. */
export function spinning(): ContactScene {
  const [radius, mass, inertia, friction, spin] = [0.5, 1, 0.25, 0.4, 10];
  const exact = (spin * inertia) / ((2 / 3) * friction * mass * G * radius);
  const duration = 3;
  const stopped = 1e-3 * spin;
  return {
    source:
      'a cylinder on its flat side, radius 0.5 m, inertia 0.25 kg m², friction 0.4, spins at 10 rad/s; Buse et al. (2023), §4.1.2, table 1. ' +
      'Error: of the time until it stands, Iω/(⅔µmgR) = 1.911 s; 1 if it never does',
    gravity: DOWN,
    friction,
    restitution: 0,
    material: { density: 1, youngsModulus: 4.5e5, poissonRatio: 0.4 },
    floor: true,
    bodies: [
      {
        shape: { kind: 'cylinder', radius, height: 1 },
        mass,
        inertia,
        position: [0, 0, 0.5],
        angularVelocity: [0, 0, spin],
      },
    ],
    stop: duration,
    interval: 1e-3,
    judge(track) {
      const last = track.count - 1;
      for (let i = 1; i <= last; i++) {
        const now = track.angularVelocity(i, 0, 2);
        if (now > stopped) continue;
        // Between two samples, and the last thousandth at the same deceleration
        const before = track.angularVelocity(i - 1, 0, 2);
        const stop = (track.time(i) - 1e-3 * ((stopped - now) / (before - now))) / (1 - stopped / spin);
        return { error: Math.abs(stop / exact - 1), note: `stands at ${stop.toFixed(4)} s` };
      }
      return { error: 1, note: `still ${track.angularVelocity(last, 0, 2).toPrecision(3)} rad/s at ${duration} s` };
    },
  };
}

/** Friction holds a block on a slope of 10°, tan 10° = 0.18 < µ: it must not move at all. */
export function slope(): ContactScene {
  const angle = (10 * Math.PI) / 180;
  return {
    source: 'a cube of 0.5 m, 1 kg on a slope of 10°, friction 0.5, 60 s. Error: creep in the last 40 s, m/s',
    gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)],
    friction: 0.5,
    restitution: 0,
    floor: true,
    bodies: [{ shape: { kind: 'box', size: [0.5, 0.5, 0.5] }, mass: 1, position: [0, 0, 0.25] }],
    stop: 60,
    interval: 0.1,
    judge(track) {
      const last = track.count - 1;
      const from = track.sampleAt(20);
      const way = norm(0, 1)((axis) => track.position(last, 0, axis) - track.position(from, 0, axis));
      return { error: way / 40, note: `${track.position(last, 0, 0).toExponential(1)} m in 60 s` };
    },
  };
}

/** A wall of bricks, 5 wide, hit by a steel ball of 8 m/s. Error: how far anything is in the floor at the end, m */
export function wall(bricks: number): ContactScene {
  const size: Vec3 = [0.24, 0.115, 0.071];
  const wide = 5;
  const rows = Math.ceil(bricks / wide);
  return {
    source:
      'bricks of 3.5 kg, five wide, hit by a ball of 10 kg at 8 m/s, friction 0.6, restitution 0.2, steps of 2 ms, 1 s. Error: how far anything is in the floor at the end, m',
    gravity: DOWN,
    friction: 0.6,
    restitution: 0.2,
    floor: true,
    bodies: [
      ...Array.from({ length: bricks }, (_, i) => ({
        shape: { kind: 'box', size } as const,
        mass: 3.5,
        position: [
          ((i % wide) - (wide - 1) / 2 + (Math.floor(i / wide) % 2) * 0.5) * 0.241,
          0,
          size[2] * (Math.floor(i / wide) + 0.5),
        ] as const,
      })),
      {
        shape: { kind: 'sphere', radius: 0.068 },
        mass: 10,
        position: [0.05, -1, 0.5 * rows * size[2]],
        velocity: [0, 8, 0],
      },
    ],
    stop: 1,
    interval: 0.01,
    step: 2e-3,
    judge: (track) => sunk(track, bricks + 1, (i) => (i < bricks ? size[2] / 2 : 0.068)),
  };
}

/**
 * Nine voussoirs in a half circle of mean radius 1 m, without mortar. Limit analysis lets it stand from a thickness of 0.10153 m on.
 *
 * @param thickness mm
 */
export function arch(thickness: number): ContactScene {
  const count = 9;
  const width = 0.3;
  const [inner, outer] = [1 - thickness / 2000, 1 + thickness / 2000];
  // sector of an annulus cut straight: corners about the centroid of its quadrangle, 2/3 (R³ − r³)/(R² − r²) along its middle
  const half = Math.PI / (2 * count);
  const reach = ((2 / 3) * Math.cos(half) * (outer ** 3 - inner ** 3)) / (outer ** 2 - inner ** 2);
  const bodies = Array.from({ length: count }, (_, i): PeerBody => {
    const middle = (2 * i + 1) * half;
    const centre = [reach * Math.cos(middle), reach * Math.sin(middle)] as const;
    const corner = (radius: number, angle: number) =>
      [radius * Math.cos(angle) - centre[0], radius * Math.sin(angle) - centre[1]] as const;
    return {
      shape: {
        kind: 'prism',
        outline: [
          corner(inner, middle - half),
          corner(outer, middle - half),
          corner(outer, middle + half),
          corner(inner, middle + half),
        ],
        width,
      },
      mass: 2700 * width * Math.sin(half) * Math.cos(half) * (outer ** 2 - inner ** 2),
      position: [centre[0], 0, centre[1]],
    };
  });
  return {
    source:
      'nine voussoirs in a half circle of mean radius 1 m, friction 0.6, steps of 2 ms, 2 s; it can stand from a thickness of 101.53 mm on (limit analysis); size: thickness in mm. Error: how far its crown has sunk at the end, m',
    gravity: DOWN,
    friction: 0.6,
    restitution: 0,
    floor: true,
    bodies,
    stop: 2,
    interval: 0.01,
    step: 2e-3,
    rigidity: 1e4,
    judge(track) {
      const crown = (count - 1) / 2;
      const last = track.count - 1;
      const fall = track.position(0, crown, 2) - track.position(last, crown, 2);
      let fastest = 0;
      for (let i = 0; i < count; i++) fastest = Math.max(fastest, track.speed(last, i));
      return {
        error: Math.abs(fall),
        note: fall > 0.05 ? `fell by ${fall.toFixed(2)} m` : `stands, ${fastest.toExponential(1)} m/s at the end`,
      };
    },
  };
}

/** A block between a fixed jaw and one that is pressed with 20 N, in the frame of a hand that is shaken up and down with 2 m/s²: weight and inertia are forces on both. */
export function gripper(): ContactScene {
  const jaw: Vec3 = [0.02, 0.05, 0.08];
  const block: Vec3 = [0.05, 0.05, 0.05];
  const [press, shake, frequency] = [20, 2, 10]; // N, m/s², rad/s
  const heavy = (mass: number, x: number) => (t: number) =>
    [x, 0, -mass * (G + shake * Math.sin(frequency * t))] as const;
  return {
    source:
      'a block of 0.09 kg between a fixed jaw and one of 0.1 kg pressed with 20 N, friction 0.6, shaken up and down with 2 m/s² for 10 s. Error: how far the block has slipped down the fixed jaw from 1 s on, m',
    gravity: [0, 0, 0],
    friction: 0.6,
    restitution: 0,
    floor: false,
    bodies: [
      { shape: { kind: 'box', size: jaw }, mass: 1, position: [-0.035, 0, 0], fixed: true },
      { shape: { kind: 'box', size: block }, mass: 0.09, position: [0, 0, 0], force: heavy(0.09, 0) },
      { shape: { kind: 'box', size: jaw }, mass: 0.1, position: [0.035, 0, 0], force: heavy(0.1, -press) },
    ],
    stop: 10,
    interval: 0.1,
    judge(track) {
      const last = track.count - 1;
      const way = (body: number): number =>
        norm(1, 2)((axis) => track.position(last, body, axis) - track.position(track.sampleAt(1), body, axis));
      return { error: way(1), note: `the other jaw by ${way(2).toExponential(1)} m` };
    },
  };
}

/** Cuboids, balls and cylinders dropped on top of each other in turn */
export function heap(count: number): ContactScene {
  const bodies = Array.from({ length: count }, (_, i): PeerBody => {
    const kinds = [
      { shape: { kind: 'box', size: [0.1, 0.08, 0.06] }, mass: 0.35 },
      { shape: { kind: 'sphere', radius: 0.04 }, mass: 0.2 },
      { shape: { kind: 'cylinder', radius: 0.04, height: 0.08 }, mass: 0.3 },
    ] as const;
    return {
      ...kinds[i % 3],
      position: [0.03 * Math.sin(5 * i), 0.03 * Math.cos(3 * i), 0.1 + 0.15 * i],
      angularVelocity: [3 * Math.sin(i), 3 * Math.cos(2 * i), Math.sin(3 * i)],
    };
  });
  return {
    source:
      'cuboids, balls and cylinders of 6 to 10 cm dropped on top of each other, friction 0.5, restitution 0.3, steps of 2 ms, 2 s. Error: how far anything is in the floor at the end, m',
    gravity: DOWN,
    friction: 0.5,
    restitution: 0.3,
    floor: true,
    bodies,
    stop: 2,
    interval: 0.02,
    step: 2e-3,
    judge: (track) => sunk(track, count, (i) => (i % 3 === 0 ? 0.03 : 0.04)),
  };
}

/** Blocks that tumble onto the floor and each other */
export function blocks(count: number): ContactScene {
  const size: Vec3 = [0.1, 0.08, 0.06];
  const side = Math.ceil(Math.cbrt(count));
  return {
    source:
      'blocks of 10 × 8 × 6 cm in a lattice, tumbling, friction 0.5, restitution 0.3, steps of 2 ms, the first 0.3 s; size: their number. Error: how far anything is in the floor at the end, m',
    gravity: DOWN,
    friction: 0.5,
    restitution: 0.3,
    floor: true,
    bodies: Array.from({ length: count }, (_, i) => ({
      shape: { kind: 'box', size } as const,
      mass: 0.35,
      position: [
        0.15 * (i % side) + 0.003 * Math.sin(7 * i),
        0.15 * (Math.floor(i / side) % side) + 0.003 * Math.cos(5 * i),
        0.1 + 0.15 * Math.floor(i / side ** 2),
      ] as const,
      velocity: [0, 0, -1] as const,
      angularVelocity: [10 * Math.sin(i), 10 * Math.cos(2 * i), 10 * Math.sin(3 * i)] as const,
    })),
    stop: 0.3,
    interval: 0.01,
    step: 2e-3,
    judge: (track) => sunk(track, count, () => size[2] / 2),
  };
}

/** How far the lowest centre is below the least height it can have on the floor; the fastest at the end, and the fastest at any time */
function sunk(track: Track, count: number, least: (body: number) => number): Verdict {
  const last = track.count - 1;
  let deepest = 0;
  let fastest = 0;
  let ever = 0;
  for (let i = 0; i < count; i++) {
    deepest = Math.max(deepest, least(i) - track.position(last, i, 2));
    fastest = Math.max(fastest, track.speed(last, i));
    for (let sample = 0; sample < track.count; sample++) ever = Math.max(ever, track.speed(sample, i));
  }
  return { error: deepest, note: `at most ${ever.toFixed(2)} m/s, at the end ${fastest.toExponential(1)} m/s` };
}

const norm =
  (...axes: number[]) =>
  (component: (axis: number) => number): number =>
    Math.sqrt(axes.reduce((sum, axis) => sum + component(axis) ** 2, 0));
const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toExponential(1)}`;
