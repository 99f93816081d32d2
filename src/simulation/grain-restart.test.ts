import { describe, expect, test } from 'vitest';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { SerialTeam } from '../grains/team.js';
import { body } from '../model/body.js';
import { prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
import { Simulation, type SimulationOptions } from './simulation.js';

const glass = { density: 2500, youngsModulus: 1e7, poissonRatio: 0.3, restitution: 0.5, friction: 0.4 };
const floor = body({ shape: halfSpace(), material: glass, fixed: true });

/** Beads rain on a floor and leave at its side: inlet, outlet, contacts with memory */
const rain: ModelOptions = {
  bodies: { floor },
  grains: {
    species: { bead: { radius: { uniform: [4e-3, 6e-3] }, material: glass, rollingFriction: 0.05 } },
    packings: {
      heap: {
        species: 'bead',
        region: {
          box: [
            [-0.03, -0.03, 0],
            [0.03, 0.03, 0.05],
          ],
        },
        count: 60,
      },
    },
    inlets: {
      hose: {
        species: 'bead',
        region: {
          box: [
            [-0.02, -0.02, 0.08],
            [0.02, 0.02, 0.1],
          ],
        },
        rate: 600,
        velocity: [0.2, 0, -1],
      },
    },
    outlets: { rim: { region: { behind: { through: [0.05, 0, 0], normal: [-1, 0, 0] } } } },
    step: 4e-5,
  },
};
/** A free stirrer and a hammer on a spring-like arm of a machine, both feel the beads */
const stirred: ModelOptions = {
  bodies: {
    floor,
    paddle: body({
      shape: box([0.05, 0.01, 0.02]),
      material: glass,
      position: [0, 0, 0.03],
    }),
    lid: body({ shape: box([0.08, 0.08, 0.01]), material: { ...glass, density: 800 }, position: [0, 0, 0.09] }),
  },
  joints: {
    pin: revolute({ body: 'paddle', axis: [0, 0, 1], at: [0, 0, 0.03], initialSpeed: 20 }),
    guide: prismatic({ body: 'lid', axis: [0, 0, 1] }),
  },
  events: { drop: { at: 0.045, release: 'guide' } },
  grains: {
    species: { bead: { radius: 5e-3, material: glass } },
    packings: {
      fill: {
        species: 'bead',
        region: {
          box: [
            [-0.04, -0.04, 0],
            [0.04, 0.04, 0.06],
          ],
        },
        count: 80,
      },
    },
    step: 4e-5,
  },
};

const restarted = (
  scene: ModelOptions,
  options: SimulationOptions,
  stops: readonly number[],
  threads: number[],
): Simulation => {
  let run = new Simulation(model(scene), options);
  stops.forEach((stop, k) => {
    run.advance(stop);
    const checkpoint = run.checkpoint()!;
    expect(checkpoint.time).toBeGreaterThanOrEqual(stop);
    // As from a file: nothing of the old run is left
    run = new Simulation(model(scene), {
      ...options,
      team: new SerialTeam(threads[k]),
      restart: { checkpoint: readCheckpoint(checkpointBytes(checkpoint), 'x'), recording: run.recording },
    });
  });
  run.advance();
  run.finish();
  return run;
};

describe('a run that was stopped goes on with the same bits', () => {
  test.each([
    ['beads that come and go', rain],
    ['a machine among them', stirred],
  ])('%s', (_, scene) => {
    const options: SimulationOptions = { stopTime: 0.1, interval: 2e-3 };
    const through = new Simulation(model(scene), options);
    through.advance();
    through.finish();
    const run = restarted(scene, options, [0.02, 0.05, 0.052], [2, 1, 3]);
    expect(run.grains!.bed.hash).toBe(through.grains!.bed.hash);
    expect(run.recording.hash).toBe(through.recording.hash);
    expect(run.recording.events).toEqual(through.recording.events);
    expect(run.recording.trust.energy).toEqual(through.recording.trust.energy);
    expect(through.grains!.bed.facts.pairs).toBeGreaterThan(10);
  });

  test('what does not fit is refused by name', () => {
    const options: SimulationOptions = { stopTime: 0.02, interval: 2e-3 };
    const run = new Simulation(model(rain), options);
    run.advance(0.01);
    const restart = { checkpoint: run.checkpoint()!, recording: run.recording };
    const again = (scene: ModelOptions, changed: SimulationOptions) => () =>
      new Simulation(model(scene), { ...options, restart, ...changed });
    expect(again(rain, { interval: 1e-3 })).toThrow('interval: expected 0.002 s');
    expect(again(rain, { step: 1e-5 })).toThrow('step: expected');
    expect(again(rain, { stopTime: 0.005 })).toThrow('stop: the run is gone on with from 0.01 s');
    expect(again({ ...rain, bodies: { ...rain.bodies, extra: floor } }, {})).toThrow('restart: ');
    const bytes = checkpointBytes(restart.checkpoint);
    expect(() => readCheckpoint(bytes.subarray(0, bytes.length - 100), 'a/checkpoint.bin')).toThrow('a/checkpoint.bin');
    bytes[200] ^= 1;
    expect(() => readCheckpoint(bytes, 'a')).toThrow('damaged');
    expect(() => readCheckpoint(new Uint8Array(100), 'a')).toThrow('no checkpoint');
  });
});
