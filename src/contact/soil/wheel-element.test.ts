import { describe, expect, test } from 'vitest';
import { bekkerSinkage } from '../../contact-laws/soil/bekker-wheel.js';
import { sinkageModulus } from '../../contact-laws/soil/pressure-sinkage.js';
import { terraFrom, terraSteady } from '../../contact-laws/soil/terra.js';
import { wongReeceForces } from '../../contact-laws/soil/wong-reece.js';
import { body } from '../../model/body.js';
import { prismatic, revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { SOILS } from '../../model/soil-library.js';
import { simulate } from '../../simulation/simulation.js';

const size = { radius: 0.15, width: 0.1 };
const soil = SOILS['sand-azimi'];
type Fidelity = 'terra' | 'wong-reece' | 'bekker' | 'rheological';

/** A wheel of 10 kg that goes up and down, rolled at a slip, or locked and free to slide on a slope */
function rig(fidelity: Fidelity, { slip, slope = 0 }: { slip?: number; slope?: number }) {
  const g = 9.81;
  const speed = 0.05;
  return model({
    gravity: [-g * Math.sin(slope), 0, -g * Math.cos(slope)],
    bodies: {
      carriage: body({ mass: 1, inertia: [0.01, 0.01, 0.01] }),
      fork: body({ mass: 5, inertia: [0.01, 0.01, 0.01] }),
      wheel: body({ mass: 4, inertia: [0.02, 0.04, 0.02], position: [0, 0, 0.14] }),
    },
    joints: {
      rail: prismatic({ body: 'carriage', axis: [1, 0, 0], ...(slip !== undefined && { speed }) }),
      guide: prismatic({ body: 'fork', to: 'carriage', axis: [0, 0, 1] }),
      drive: revolute({
        body: 'wheel',
        to: 'fork',
        at: 'wheel',
        axis: [0, 1, 0],
        speed: slip === undefined ? 0 : speed / (1 - slip) / size.radius,
      }),
    },
    soils: { bed: { soil: 'sand-azimi', spacing: 0.01, bodies: { wheel: { model: fidelity, ...size } } } },
  });
}
const run = (made: ReturnType<typeof rig>, stopTime: number) => {
  const recording = simulate(made, { stopTime, rtol: 1e-5 });
  return (name: string): Float64Array => Float64Array.from(recording.signal(name).values);
};
const end = (values: Float64Array): number => values[values.length - 1];

describe('wheel models in a run', () => {
  test.each(['bekker', 'rheological'] as const)('%s: sinks to Bekker’s depth', (fidelity) => {
    const at = run(rig(fidelity, { slip: 0.2 }), 2);
    expect(end(at('elements.bed.wheel.force.z')) / (9 * 9.81)).toBeCloseTo(1, 3);
    expect(end(at('elements.bed.wheel.sinkage')) / bekkerSinkage(soil, size, 9 * 9.81)).toBeCloseTo(1, 3);
  });

  test('wong-reece: pull and torque are those of the integral at the depth it came to', () => {
    const at = run(rig('wong-reece', { slip: 0.3 }), 2);
    const z = end(at('elements.bed.wheel.sinkage'));
    const forces = wongReeceForces(soil, { ...size, shear: 'soil' }, z, { forward: 0.7, rim: 1 });
    expect(forces.load / (9 * 9.81)).toBeCloseTo(1, 3);
    expect(end(at('elements.bed.wheel.force.x')) / forces.drawbarPull).toBeCloseTo(1, 3);
    expect(-end(at('elements.bed.wheel.torque.y')) / forces.torque).toBeCloseTo(1, 3);
  });

  test('terra: comes to its closed-form steady state', () => {
    const p = terraFrom(soil, size, sinkageModulus(soil, 0.1));
    for (const slip of [0.2, 0.6]) {
      const at = run(rig('terra', { slip }), 60);
      const steady = terraSteady(p, soil, size, 9 * 9.81, slip, 9.81);
      expect(end(at('elements.bed.wheel.sinkage')) / steady.sinkage).toBeCloseTo(1, 2);
      expect(Math.abs(end(at('elements.bed.wheel.force.x')) - steady.drawbarPull)).toBeLessThan(0.02 * 9 * 9.81);
    }
  });

  // tan φ = 0.577; cohesion adds c b l
  test('rheological: stands on a slope below its limit, and nothing creeps', () => {
    const x = run(rig('rheological', { slope: 0.4 }), 12)('carriage.position.x');
    const from = Math.floor((x.length - 1) / 6);
    expect(Math.abs(end(x) - x[from])).toBeLessThan(1e-6);
  });

  test('rheological: above the limit it slides as friction says', () => {
    const slope = 0.75;
    const at = run(rig('rheological', { slope }), 1);
    const v = at('carriage.velocity.x');
    const half = Math.round((v.length - 1) / 2);
    const acceleration = (end(v) - v[half]) / 0.5;
    const load = 9 * 9.81 * Math.cos(slope);
    const z = end(at('elements.bed.wheel.sinkage'));
    const length = size.radius * Math.acos(1 - z / size.radius);
    const held = 0.9 * Math.tan(soil.frictionAngle) * load + soil.cohesion * size.width * length + 0.05 * load;
    expect(Math.abs(acceleration - (held - 10 * 9.81 * Math.sin(slope)) / 10)).toBeLessThan(0.02);
  });

  // Let go with its axle held by nothing, it must come to rest wherever it came from; error control took 100 000 steps for the jumps of these laws
  test.each([
    ['wong-reece', 'stands', {}, 0],
    ['wong-reece', 'rolls', { velocity: [0.4, 0, 0], angularVelocity: [0, 0.4 / 0.15, 0] }, 0],
    ['wong-reece', 'spins', { angularVelocity: [0, 5, 0] }, 0],
    ['wong-reece', 'skids', { velocity: [0.5, 0, 0] }, 0],
    ['rheological', 'spins', { angularVelocity: [0, 5, 0] }, 1e-3],
    ['rheological', 'drifts', { velocity: [0.3, 0.2, 0], angularVelocity: [0, 2, 0] }, 1e-3],
  ] as const)('%s: a free wheel that %s comes to rest', (fidelity, _how, motion, left) => {
    const wheel = body({ mass: 10, inertia: [0.06, 0.11, 0.06], position: [0, 0, 0.149], ...motion });
    const bed = { soil: 'sand-azimi', spacing: 0.01, bodies: { wheel: { model: fidelity, ...size } } } as const;
    const free = simulate(model({ bodies: { wheel }, soils: { bed } }), { stopTime: 1, rtol: 1e-4 });
    const { accepted, rejected } = free.trust.steps!;
    expect(accepted + rejected).toBeLessThan(500);
    expect(free.trust.verdict?.word).toBe('trusted');
    for (const name of ['wheel.velocity.x', 'wheel.velocity.y', 'wheel.velocity.z'])
      expect(Math.abs(free.signal(name).values.at(-1)!)).toBeLessThan(left + 1e-5);
    expect(free.signal('elements.bed.wheel.force.z').values.at(-1)! / 98.1).toBeCloseTo(1, 3);
  });

  test('a wheel that falls over is refused: these models know wheels on their treads', () => {
    const wheel = body({ mass: 10, inertia: [0.06, 0.11, 0.06], position: [0, 0, 0.149], angularVelocity: [6, 0, 0] });
    const bed = { soil: 'sand-azimi', spacing: 0.01, bodies: { wheel: { model: 'wong-reece', ...size } } } as const;
    expect(() => simulate(model({ bodies: { wheel }, soils: { bed } }), { stopTime: 1, rtol: 1e-4 })).toThrow(
      /soils\.bed\.bodies\.wheel: its axle stands 6\d° out of the ground: the model "wong-reece" sees a wheel on its tread/,
    );
  });
});
