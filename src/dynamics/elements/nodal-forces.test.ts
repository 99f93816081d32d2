// How the force of a contact comes to the nodes: a disc pressed into a clamped strip between two nodes, by the shape functions of its sides and
// by the rule of Elmqvist et al. (2015), §9.3.
import { describe, expect, test } from 'vitest';
import { assemble } from '../../assembly/assemble.js';
import { PlanePart } from '../../flexible-bodies/fem/plane-part.js';
import { stripMesh } from '../../flexible-bodies/mesh/strip.js';
import { extrude } from '../../geometry/extrude.js';
import { disc } from '../../geometry/index.js';
import { body } from '../../model/body.js';
import { fixed, prismatic, revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { MechanicalSystem } from '../index.js';
import { FlexibleContact } from './flexible-contact.js';

const [E, nu, L, h, b, at] = [5e6, 0.3, 0.2, 0.03, 0.02, 0.1132];
type Rule = 'consistent' | 'elmqvist';
const pressed = (rule: Rule, columns: number, { gap = -0.5e-3, speed = 0 } = {}) =>
  model({
    gravity: [0, 0, 0],
    contacts: { defaults: { nodalForces: rule, friction: 0.3 } },
    bodies: {
      strip: body({
        shape: extrude(
          [
            [0, -h / 2],
            [L, -h / 2],
            [L, h / 2],
            [0, h / 2],
          ],
          b,
        ),
        material: { density: 1100, youngsModulus: E, poissonRatio: nu },
        flexible: { grid: [columns, (columns * 3) / 20], modes: 3 },
      }),
      hammer: body({
        shape: disc({ radius: 0.02, height: b }),
        material: { density: 1100 },
        position: [at, h / 2 + 0.02 + gap, b / 2],
      }),
    },
    joints: {
      wall: fixed({ body: 'strip' }),
      guide: prismatic({ body: 'hammer', axis: [0, 1, 0], initialSpeed: -speed }),
    },
    simulation: { stop: 0.004, interval: 0.001 },
  });

function forces(rule: Rule, columns: number) {
  const mechanics = new MechanicalSystem(assemble(pressed(rule, columns)));
  const element = mechanics.pairs.find((pair) => pair instanceof FlexibleContact) as FlexibleContact;
  const y = mechanics.system.initial.slice();
  mechanics.update(0, y);
  element.energy(0, y);
  const { shapes, mesh } = mechanics.kinematics.flexible[0].plan.part;
  const nodal = new Float64Array(2 * mesh.nodeCount);
  element.local.addNodalForces('a', nodal);
  return { out: element.local.out, nodal, shapes, points: mesh.points };
}

/** How far the middle of the free end sinks under nodal forces, by the whole mesh */
function sag(nodal: Float64Array, columns: number): number {
  const material = { youngsModulus: E, poissonRatio: nu, density: 1100, thickness: b };
  const part = new PlanePart(stripMesh([0, -h / 2], [L, h / 2], columns, (columns * 3) / 20), material);
  const { points, nodeCount } = part.mesh;
  const u = nodal.slice();
  part.factor(Uint8Array.from({ length: part.size }, (_, i) => (points[2 * (i >> 1)] === 0 ? 0 : 1))).solve(u);
  let [sum, count] = [0, 0];
  for (let i = 0; i < nodeCount; i++)
    if (Math.abs(points[2 * i] - L) < 1e-9) {
      sum -= u[2 * i + 1];
      count++;
    }
  return sum / count;
}

describe.each(['consistent', 'elmqvist'] as const)('%s', (rule) => {
  const { out, nodal, shapes, points } = forces(rule, 40);
  test('force and moment of the nodes are those of the contact, generalised forces are theirs', () => {
    let [fx, fy, moment] = [0, 0, 0];
    for (let i = 0; i < nodal.length / 2; i++) {
      fx += nodal[2 * i];
      fy += nodal[2 * i + 1];
      moment += points[2 * i] * nodal[2 * i + 1] - points[2 * i + 1] * nodal[2 * i];
    }
    expect(out[1]).toBeLessThan(-1);
    // sums of some ten numbers
    expect(Math.abs(fx - out[0])).toBeLessThan(1e-13 * Math.abs(out[1]));
    expect(Math.abs(fy / out[1] - 1)).toBeLessThan(1e-13);
    expect(Math.abs(moment / out[2] - 1)).toBeLessThan(1e-12);
    shapes.forEach((shape, k) => {
      const own = shape.reduce((sum, value, i) => sum + value * nodal[i], 0);
      expect(Math.abs(own - out[4 + k])).toBeLessThan(1e-12 * Math.abs(out[1]));
    });
  });
});

// Force and moment being equal, second moments tell the rest. By reciprocity a load (fx, fy) at s from x on the upper side lets the end sink by
// −fy v(x + s) + fx (h/2) v'(x + s), v = x² (3 L − x)/6EI the line of a strip with a unit load at its end: with v'' = (L − x)/EI
// by (−fy s²/2 + fx (h/2) s) v'' that differs; and Σ fx (h/2) − fy s by v'(x) is, for only
// loads by the shape functions are drawn along the side to where it is softer.
test('the end of the strip sinks as Timoshenko says by both, apart only by how wide the rule spreads the load', () => {
  const [inertia, shear] = [(b * h * h * h) / 12, (E / (2 + 2 * nu)) * b * h * (5 / 6)];
  for (const columns of [20, 40, 80]) {
    const [own, rule] = (['consistent', 'elmqvist'] as const).map((which) => {
      const { nodal, out, points } = forces(which, columns);
      const sunk = sag(nodal, columns) / -out[1];
      // a strip of length to height 6.7 whose end cannot contract: a line of it is as good as that
      expect(Math.abs(sunk / ((at * at * (3 * L - at)) / (6 * E * inertia) + at / shear) - 1)).toBeLessThan(0.01);
      let second = 0;
      let along = 0;
      for (let i = 0; i < nodal.length / 2; i++) {
        const s = points[2 * i] - at;
        along -= ((nodal[2 * i] * (h / 2) - nodal[2 * i + 1] * s) * (at * L - (at * at) / 2)) / out[1];
        second += ((nodal[2 * i + 1] * s - nodal[2 * i] * h) * s) / (2 * out[1]);
      }
      return { sunk, second, along };
    });
    const expected = ((rule.second - own.second) * (L - at) + rule.along - own.along) / (E * inertia);
    // beam for strip, 3 elements high at first
    expect(Math.abs((rule.sunk - own.sunk) / expected - 1)).toBeLessThan(0.02);
    // as of a load that is half a side wider; if the moment were not kept a shift of 0.13 sides would count, 2 % at first
    const half = L / columns / 2;
    const alike = own.sunk + (rule.along - own.along) / (E * inertia);
    expect(Math.abs(rule.sunk / alike - 1)).toBeLessThan((3 * (L - at) * half * half) / (at * at * (3 * L - at)));
  }
});

test('between two flexible bodies each has its nodes', () => {
  const rubber = { density: 1100, youngsModulus: E, poissonRatio: nu };
  const bar = (length: number, width: number) =>
    extrude(
      [
        [0, -width / 2],
        [length, -width / 2],
        [length, width / 2],
        [0, width / 2],
      ],
      b,
    );
  const mechanics = new MechanicalSystem(
    assemble(
      model({
        contacts: { defaults: { nodalForces: 'elmqvist', friction: 0 } },
        bodies: {
          lower: body({ shape: bar(L, h), material: rubber, flexible: { grid: [20, 3], modes: 2 } }),
          upper: body({
            shape: bar(0.1, 0.02),
            material: rubber,
            flexible: { grid: [10, 2], modes: 2 },
            position: [0.151, 0.0145, 0],
            orientation: { axis: [0, 0, 1], angle: 1.2 },
          }),
        },
        joints: {
          wall: fixed({ body: 'lower' }),
          pin: revolute({ body: 'upper', axis: [0, 0, 1], at: [0.187, 0.108, 0] }),
        },
      }),
    ),
  );
  const element = mechanics.pairs.find((pair) => pair instanceof FlexibleContact) as FlexibleContact;
  const y = mechanics.system.initial.slice();
  mechanics.update(0, y);
  element.energy(0, y);
  const { out, nA } = element.local;
  mechanics.kinematics.flexible.forEach(({ plan: { part } }, of) => {
    const { shapes, mesh } = part;
    const nodal = new Float64Array(2 * mesh.nodeCount);
    element.local.addNodalForces(of === 0 ? 'a' : 'b', nodal);
    let [fx, fy, moment] = [0, 0, 0];
    for (let i = 0; i < mesh.nodeCount; i++) {
      fx += nodal[2 * i];
      fy += nodal[2 * i + 1];
      moment += mesh.points[2 * i] * nodal[2 * i + 1] - mesh.points[2 * i + 1] * nodal[2 * i];
    }
    const size = Math.hypot(out[0], out[1]);
    expect(size).toBeGreaterThan(1);
    expect(Math.abs(Math.hypot(fx, fy) / size - 1)).toBeLessThan(1e-12);
    expect(Math.abs(moment - out[2 + of])).toBeLessThan(1e-12 * size);
    shapes.forEach((shape, k) => {
      const own = shape.reduce((sum, value, i) => sum + value * nodal[i], 0);
      expect(Math.abs(own - out[4 + of * nA + k])).toBeLessThan(1e-12 * size);
    });
  });
});

test('a run books what the rule takes beyond the work of the pressure, by explicit and implicit steps', () => {
  const speeds = (['dopri5', 'esdirk4', 'rodas4p'] as const).map((integrator) => {
    const recording = simulate(pressed('elmqvist', 20, { gap: 1e-5, speed: 0.2 }), { integrator });
    const total = recording.signal('energy.total').values;
    // steps at 1e-6, a hundred of them, and weights that jump: 2.2e-5, and 1.5e-6 with steps at 1e-7
    expect(Math.abs(total[4] / total[0] - 1)).toBeLessThan(3e-5);
    return recording.signal('guide.speed').values[4];
  });
  for (const speed of speeds) expect(Math.abs(speed / speeds[0] - 1)).toBeLessThan(4e-5);
  // and it is another rule
  const consistent = simulate(pressed('consistent', 20, { gap: 1e-5, speed: 0.2 })).signal('guide.speed').values[4];
  expect(Math.abs(speeds[0] / consistent - 1)).toBeGreaterThan(1e-4);
});

test('refused where there are no nodes', () => {
  const between = ['hammer', 'anvil'] as const;
  expect(() =>
    assemble(
      model({
        contacts: { pairs: [{ between, nodalForces: 'elmqvist' }] },
        bodies: {
          hammer: body({ shape: disc({ radius: 0.02, height: b }), material: { density: 1100 }, position: [0, 0, 1] }),
          anvil: body({ shape: disc({ radius: 0.02, height: b }), material: { density: 1100 } }),
        },
      }),
    ),
  ).toThrow('contacts.pairs[0].nodalForces: neither "hammer" nor "anvil" is a flexible body');
});
