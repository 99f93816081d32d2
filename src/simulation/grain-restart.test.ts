import { describe, expect, test } from 'vitest';
import { describeTrust } from '../explain/trust-text.js';
import { halfSpace } from '../geometry/half-space.js';
import { box } from '../geometry/primitives.js';
import { SerialTeam } from '../grains/team.js';
import { body } from '../model/body.js';
import { prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { type Checkpoint, checkpointBytes, readCheckpoint } from '../results/checkpoint.js';
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
    probes: { gate: { plane: { through: [0, 0, 0.07], normal: [0, 0, -1] } } },
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

  /** Stones that fall on a floor */
  const stones: ModelOptions = {
    bodies: { floor },
    grains: {
      species: { stone: { shape: { rock: {} }, radius: 8e-3, material: glass } },
      packings: {
        heap: {
          species: 'stone',
          region: {
            box: [
              [-0.03, -0.03, 0],
              [0.03, 0.03, 0.1],
            ],
          },
          count: 12,
        },
      },
      step: 4e-5,
    },
  };
  test.each([
    ['beads that come and go: wherever they are', rain, 0.07, [500, 1, 333]],
    ['stones', stones, 0.04, [700]],
    ['a machine among beads: after every 1024 of their steps', stirred, 0.06, [700]],
  ])('inside a row of thousands of steps: %s', (_, scene, stopTime, pauses) => {
    const options: SimulationOptions = { stopTime, interval: 0.055 };
    const through = new Simulation(model(scene), options);
    through.advance();
    through.finish();
    let run = new Simulation(model(scene), options);
    for (const pause of pauses) {
      const before = run.grains!.steps;
      let checkpoint: Checkpoint | undefined;
      run.advance(stopTime, () => {
        if (run.grains!.steps - before >= pause) checkpoint = run.checkpoint();
        return checkpoint !== undefined;
      });
      expect(run.reached).toBeCloseTo(run.grains!.steps * 4e-5, 4);
      const { grains } = run;
      expect(grains!.steps - before).toBeLessThan(pause + 1024);
      const recording = run.finish('interrupted'); // tells where the grains are
      expect(recording.times.at(-1)).toBe(run.time);
      expect(run.time).toBeCloseTo(grains!.steps * 4e-5, 4);
      run = new Simulation(model(scene), {
        ...options,
        team: new SerialTeam(2),
        restart: { checkpoint: readCheckpoint(checkpointBytes(checkpoint!), 'x'), recording },
      });
    }
    run.advance();
    run.finish();
    expect(run.recording.hash).toBe(through.recording.hash);
    expect(run.grains!.bed.hash).toBe(through.grains!.bed.hash);
    expect(run.recording.trust.energy).toEqual(through.recording.trust.energy);
  });

  test('limits are asked between the steps of grains', () => {
    const run = new Simulation(model(rain), { stopTime: 0.1, interval: 0.1, maxSteps: 40 });
    expect(run.advance()).toBe(false);
    expect(run.interruption).toContain('40 steps were tried');
    expect([...run.finish().times]).toEqual([0, run.reached]);
    expect(run.reached).toBeCloseTo(40 * 4e-5, 5);
  });

  test('grains alone: what made the steps is told', () => {
    const run = new Simulation(model(rain), { stopTime: 4e-3, interval: 2e-3 });
    run.advance();
    const { trust } = run.finish();
    expect(trust.steps).toMatchObject({ accepted: 100, rejected: 0 });
    expect(trust.integrator).toEqual({ method: 'leapfrog' });
    expect(describeTrust(trust).join()).toContain('leapfrog, for grains alone: no body moves freely');
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
    const inside = new Simulation(model(rain), options);
    inside.advance(0.02, () => inside.reached > 0.0191);
    const within = { checkpoint: inside.checkpoint()!, recording: inside.recording };
    const short = { stopTime: 0.0193, restart: within };
    expect(again(rain, short)).toThrow('stop: the run that is gone on with was stopped in its last row');
    expect(again({ ...rain, bodies: { ...rain.bodies, extra: floor } }, {})).toThrow('restart: ');
    const bytes = checkpointBytes(restart.checkpoint);
    expect(() => readCheckpoint(bytes.subarray(0, bytes.length - 100), 'a/checkpoint.bin')).toThrow('a/checkpoint.bin');
    bytes[200] ^= 1;
    expect(() => readCheckpoint(bytes, 'a')).toThrow('damaged');
    expect(() => readCheckpoint(new Uint8Array(100), 'a')).toThrow('no checkpoint');
  });
});
