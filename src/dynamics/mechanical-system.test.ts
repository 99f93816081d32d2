import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../tests/fixtures/random-system.js';
import { assemble } from '../assembly/assemble.js';
import { NODE } from '../assembly/system.js';
import { integrate } from '../integration/index.js';
import { body } from '../model/body.js';
import { rod, rollingWheel } from '../model/constraints.js';
import { bushing, spring } from '../model/forces.js';
import { cylindrical, planar, prismatic, revolute, screw, spherical, universal } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import {
  constraintDrift,
  degreesOfFreedom,
  eigenmodes,
  energies,
  initialise,
  inverseDynamics,
  MechanicalSystem,
  massMatrix,
  powers,
  reactions,
  staticEquilibrium,
} from './index.js';

/** A mechanical system with a consistent start */
function started(options: ModelOptions, relative = 1e-6) {
  const mechanics = new MechanicalSystem(assemble(model(options)), { tolerance: { relative } });
  const y = mechanics.system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

function simulate({ mechanics, y }: ReturnType<typeof started>, end: number, start = 0) {
  const result = integrate(mechanics, {
    t0: start,
    y0: y,
    t1: end,
    method: 'rodas4',
    hInitial: 1e-5,
    maxSteps: 50_000,
  });
  mechanics.update(end, result.y);
  return result;
}

const bob = (position: [number, number, number]) => body({ mass: 1, inertia: [1e-6, 1e-6, 1e-6], position });

describe('mass matrix and inverse dynamics', () => {
  // M a + bias = forces, on random trees of all joints; rounding only
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('forward = inverse = mass matrix, seed %i', (seed) => {
    const system = randomSystem({ seed, nodes: 10, special: true, freeBodies: 2 });
    const mechanics = new MechanicalSystem(system);
    const { nv, nq } = mechanics;
    const rates = new Float64Array(mechanics.size);
    mechanics.rates(0.3, system.initial, rates);
    const a = rates.slice(nq, nq + nv);
    const needed = inverseDynamics(mechanics, 0.3, system.initial, a);
    const bias = inverseDynamics(mechanics, 0.3, system.initial, new Float64Array(nv));
    const m = massMatrix(mechanics, 0.3, system.initial);
    const scale = bias.reduce((largest, x) => Math.max(largest, Math.abs(x)), 1) * 10;
    for (let i = 0; i < nv; i++) {
      expect(Math.abs(needed[i]) / scale).toBeLessThan(1e-12);
      let sum = bias[i];
      for (let j = 0; j < nv; j++) sum += m[i * nv + j] * a[j];
      expect(Math.abs(sum) / scale).toBeLessThan(1e-12);
    }
  });

  // Newton and Euler on every body, from accelerations of points obtained by differences of poses: nothing shared with the algorithm
  test('reactions satisfy Newton on every body', () => {
    const options: ModelOptions = {
      bodies: {
        arm: body({ mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0, 0] }),
        fork: body({ mass: 1.5, inertia: [0.02, 0.03, 0.04], position: [1.2, 0.1, 0] }),
        slider: body({ mass: 0.7, inertia: [0.01, 0.02, 0.02], position: [1.5, 0.4, 0.1] }),
        ball: body({ mass: 0.4, inertia: [0.01, 0.012, 0.013], position: [1.6, 0.9, 0] }),
      },
      joints: {
        base: revolute({ body: 'arm', axis: [0, 1, 1], at: [0, 0, 0], initialSpeed: 2, damping: 0.3 }),
        wrist: universal({
          body: 'fork',
          to: 'arm',
          at: [1, 0, 0],
          axis: [0, 0, 1],
          secondAxis: [0, 1, 0],
          initialSpeeds: [1, -2],
        }),
        guide: cylindrical({
          body: 'slider',
          to: 'fork',
          at: [1.4, 0.1, 0],
          axis: [0, 1, 0],
          initialSpeed: 0.5,
          initialSpin: 3,
        }),
        tip: spherical({ body: 'ball', to: 'slider', at: [1.5, 0.7, 0.1], initialAngularVelocity: [1, 2, -1] }),
      },
    };
    const { mechanics, y } = started(options);
    const carried = reactions(mechanics, 0, y);
    const f = new Float64Array(mechanics.size);
    mechanics.rates(0, y, f);
    const { tree } = mechanics.system;
    // Momentum and spin of each node at y + h y' (second order in h by symmetric difference)
    const momenta = (h: number) => {
      const z = y.map((x, i) => x + h * f[i]);
      mechanics.update(0, z);
      const { twist, position } = mechanics.carriers;
      const { centre, inertia } = mechanics.kinematics;
      return mechanics.system.bodies.map(({ anchor: { node }, mass }) => {
        const [wx, wy, wz, vx, vy, vz] = twist.subarray(6 * node, 6 * node + 6);
        const [cx, cy, cz] = centre.subarray(3 * node, 3 * node + 3);
        const [xx, yy, zz, xy, xz, yz] = inertia.subarray(6 * node, 6 * node + 6);
        const p = [mass * (vx + wy * cz - wz * cy), mass * (vy + wz * cx - wx * cz), mass * (vz + wx * cy - wy * cx)];
        const o = position.subarray(3 * node, 3 * node + 3);
        const l = [
          xx * wx + xy * wy + xz * wz + mass * (cy * vz - cz * vy) + o[1] * p[2] - o[2] * p[1],
          xy * wx + yy * wy + yz * wz + mass * (cz * vx - cx * vz) + o[2] * p[0] - o[0] * p[2],
          xz * wx + yz * wy + zz * wz + mass * (cx * vy - cy * vx) + o[0] * p[1] - o[1] * p[0],
        ];
        return { p, l, at: [o[0] + cx, o[1] + cy, o[2] + cz], mass };
      });
    };
    const h = 1e-5;
    const [before, after, now] = [momenta(-h), momenta(h), momenta(0)];
    const joint = (name: string) => carried.find((reaction) => reaction.joint === name)!;
    const moment = (r: (typeof carried)[number]) =>
      [0, 1, 2].map(
        (j) => r.torque[j] + r.point[(j + 1) % 3] * r.force[(j + 2) % 3] - r.point[(j + 2) % 3] * r.force[(j + 1) % 3],
      );
    [
      ['base', 'wrist'],
      ['wrist', 'guide'],
      ['guide', 'tip'],
      ['tip', undefined],
    ].forEach(([inner, outer], i) => {
      for (let j = 0; j < 3; j++) {
        const weight = j === 2 ? -9.81 * now[i].mass : 0;
        const weightMoment = [now[i].at[1], -now[i].at[0], 0][j] * -9.81 * now[i].mass;
        const force = joint(inner!).force[j] - (outer ? joint(outer).force[j] : 0) + weight;
        const torque = moment(joint(inner!))[j] - (outer ? moment(joint(outer))[j] : 0) + weightMoment;
        // Differences leave about 1e-7 of the largest force (tens of N)
        expect(force).toBeCloseTo((after[i].p[j] - before[i].p[j]) / (2 * h), 5);
        expect(torque).toBeCloseTo((after[i].l[j] - before[i].l[j]) / (2 * h), 5);
      }
    });
    expect(tree.count).toBeGreaterThan(4);
  });

  test('a joint that moves nothing with mass is named', () => {
    const system = randomSystem({ seed: 1, nodes: 1, kinds: [NODE.prismatic] });
    system.tree.mass[0] = 0;
    system.tree.inertia.fill(0);
    const mechanics = new MechanicalSystem({
      ...system,
      joints: [{ name: 'slide', kind: 'prismatic', nodes: [0], constraint: -1, reversed: false }],
    });
    const rates = new Float64Array(mechanics.size);
    mechanics.rates(0, system.initial, rates);
    expect(rates[mechanics.nq]).toBeNaN();
    expect(mechanics.refused!.message).toMatch(/joints\.slide: moves a body without inertia/);
  });
});

describe('loops', () => {
  const crank = (lengths: [number, number, number]): ModelOptions => ({
    bodies: {
      crank: body({ mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0.5 * lengths[0], 0] }),
      coupler: body({ mass: 1, inertia: [0.1, 0.01, 0.1], position: [0.5 * lengths[1], lengths[0], 0] }),
      rocker: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [lengths[1], 0.5 * lengths[0], 0] }),
    },
    joints: {
      a: revolute({ body: 'crank', axis: [0, 0, 1], at: [0, 0, 0], initialAngle: 0.2, initialSpeed: 1 }),
      b: revolute({ body: 'coupler', to: 'crank', axis: [0, 0, 1], at: [0, lengths[0], 0] }),
      c: revolute({ body: 'rocker', to: 'coupler', axis: [0, 0, 1], at: [lengths[1], lengths[0], 0] }),
      d: revolute({ body: 'rocker', axis: [0, 0, 1], at: [lengths[1], 0, 0] }),
    },
    constraints: {},
  });
  test('a start that is not closed closes around what is given', () => {
    const { mechanics, y } = started(crank([1, 2, 1]));
    const { tree, joints } = mechanics.system;
    const node = joints.find(({ name }) => name === 'a')!.nodes[0];
    expect(y[tree.q[node]]).toBe(0.2);
    expect(y[mechanics.nq + tree.v[node]]).toBeCloseTo(1, 12);
    expect(Math.max(...constraintDrift(mechanics, 0, y).map(({ position }) => position))).toBeLessThan(1e-11);
    expect(Math.max(...constraintDrift(mechanics, 0, y).map(({ velocity }) => velocity))).toBeLessThan(1e-11);
    expect(degreesOfFreedom(mechanics)).toBe(1);
  });
  test('a loop that cannot close is named with what is left', () => {
    const options: ModelOptions = {
      bodies: { arm: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0] }) },
      joints: { pivot: revolute({ body: 'arm', axis: [0, 0, 1], at: [0, 0, 0] }) },
      constraints: { tie: rod({ from: [5, 0, 0], to: { body: 'arm', at: [1, 0, 0] }, length: 1 }) },
    };
    expect(() => started(options)).toThrow(/constraints\.tie: cannot be closed: \d.* m are left open/);
  });
  test('a reaction in a cut joint: a beam on a pin and a rod', () => {
    // Weight 10 · 9.81 N in the middle of a beam of 2 m: half on the pin, half on the vertical rod at its end
    const { mechanics, y } = started({
      bodies: { beam: body({ mass: 10, inertia: [1, 1, 1], position: [1, 0, 0] }) },
      joints: { pin: revolute({ body: 'beam', axis: [0, 1, 0], at: [0, 0, 0] }) },
      constraints: { rod: rod({ from: [2, 0, 3], to: { body: 'beam', at: [2, 0, 0] } }) },
    });
    const [pin] = reactions(mechanics, 0, y);
    expect(pin.force[2]).toBeCloseTo(49.05, 9);
    expect(pin.torque[1]).toBeCloseTo(0, 9);
    expect(mechanics.loops.lambda[0]).toBeCloseTo(-49.05, 9); // λ times d/L, d down from the hook: the rod pulls
  });
  test('a rolling coin keeps its contact, its energy and the steady turn', () => {
    // An upright disc of radius r rolling straight: v = r ω; energy is constant, the contact does not slip
    const r = 0.5;
    const { mechanics, y } = started({
      bodies: {
        coin: body({
          mass: 2,
          inertia: [0.125, 0.25, 0.125],
          position: [0, 0, r],
          velocity: [1, 0, 0],
          angularVelocity: [0.3, 2, 0.2],
        }),
      },
      constraints: { roll: rollingWheel({ body: 'coin', axis: [0, 1, 0], radius: r }) },
    });
    const total = (state: Float64Array) => {
      const { kinetic, potential } = energies(mechanics, 0, state);
      return kinetic + potential;
    };
    const before = total(y);
    const result = simulate({ mechanics, y }, 2);
    expect(total(result.y)).toBeCloseTo(before, 4);
    const [drift] = constraintDrift(mechanics, 2, result.y);
    expect(drift.position).toBeLessThan(1e-12);
    expect(drift.velocity).toBeLessThan(1e-12);
    expect(degreesOfFreedom(mechanics)).toBe(3);
  });
});

describe('linearisation where rates were just evaluated', () => {
  // The accelerations of that evaluation are used again; whatever is asked for in between, the matrix is that of a system that is asked for nothing else, to the bit.
  const pair = () =>
    started({
      gravity: [0, -9.81, 0],
      contacts: false,
      bodies: { upper: bob([0.3, 0, 0]), lower: bob([0.5, 0.2, 0]) },
      joints: {
        shoulder: revolute({ body: 'upper', axis: [0, 0, 1], damping: 0.1 }),
        elbow: revolute({ body: 'lower', to: 'upper', axis: [0, 1, 1], at: [0.4, 0, 0] }),
      },
    });
  const solution = (between: (of: ReturnType<typeof pair>, y: Float64Array) => void): number[] => {
    const of = pair();
    const { mechanics, y } = of;
    const { size, nq, linear } = mechanics;
    for (let k = 0; k < mechanics.nv; k++) y[nq + k] = 1 + k;
    const f = new Float64Array(size);
    mechanics.rates(0, y, f);
    between(of, y);
    const rates = Float64Array.from(f);
    linear.linearise(0, y, rates, new Float64Array(size));
    const x = Float64Array.from({ length: size }, (_, i) => 1 / (i + 1));
    expect(linear.factorise(0.01)).toBe(true);
    linear.solve(x);
    return [...x, ...mechanics.wrench];
  };
  const alone = solution(({ mechanics }, y) => mechanics.forgetPoses() ?? mechanics.update(0, y));
  test.each<[string, (of: ReturnType<typeof pair>, y: Float64Array) => void]>([
    ['nothing', () => {}],
    [
      'another state',
      ({ mechanics }, y) =>
        mechanics.rates(
          0,
          y.map((x) => 1.1 * x),
          new Float64Array(mechanics.size),
        ),
    ],
    [
      'another pose and back',
      ({ mechanics }, y) =>
        mechanics.update(
          0,
          y.map((x) => 1.1 * x),
        ),
    ],
    ['mobility', ({ mechanics }) => mechanics.contactMobility(1, [0.5, 0.2, 0], [0, 1, 0])],
    ['a projection', ({ mechanics }, y) => mechanics.project(0, y)],
    ['factors', ({ mechanics }) => mechanics.factoriseMass()],
    ['energies', ({ mechanics }, y) => energies(mechanics, 0, y)],
  ])('after %s', (_, between) => {
    expect(solution(between)).toEqual(alone);
  });
});

describe('forces', () => {
  test('power and energy balance: springs, dampers, bushing, friction, stops, motor', () => {
    const { mechanics, y } = started(
      {
        bodies: {
          arm: body({ mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0] }),
          cart: body({ mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1] }),
          block: body({ mass: 1, inertia: [0.1, 0.2, 0.15], position: [1, 1, 1], angularVelocity: [1, 2, 3] }),
        },
        joints: {
          pivot: revolute({
            body: 'arm',
            axis: [0, 1, 0],
            at: [0, 0, 0],
            damping: 0.1,
            friction: { limit: 0.5, stiffness: 200 },
            stops: { upper: 0.6, stiffness: 1e4, restitution: 0.5 },
            motor: { target: (t: number) => Math.sin(t), kp: 3, kd: 0.2 },
          }),
          rail: prismatic({ body: 'cart', axis: [1, 0, 0], at: [0, 0, -1], initialSpeed: 1 }),
        },
        forces: {
          link: spring({ from: 'cart', to: { body: 'arm', at: [1, 0, 0] }, stiffness: 50, damping: 1 }),
          mount: bushing({
            from: { body: 'cart', at: [1, 1, 1] },
            to: 'block',
            stiffness: [100, 200, 300, 5, 10, 15],
            damping: [1, 1, 1, 0.1, 0.1, 0.1],
          }),
        },
      },
      1e-5,
    );
    // d/dt (kinetic + potential + elastic) = supplied − dissipated, at many points of a run
    const total = (t: number, z: Float64Array) => {
      const { kinetic, potential, elastic } = energies(mechanics, t, z);
      return kinetic + potential + elastic;
    };
    let worst = 0;
    let largest = 0;
    const f = new Float64Array(mechanics.size);
    integrate(mechanics, {
      t0: 0,
      y0: y,
      t1: 1.5,
      method: 'rodas4',
      hInitial: 1e-5,
      output: Float64Array.from({ length: 30 }, (_, i) => 0.05 * (i + 1)),
      onOutput: (t, z) => {
        mechanics.rates(t, z, f);
        const h = 1e-6;
        const rate =
          (total(
            t,
            z.map((x, i) => x + h * f[i]),
          ) -
            total(
              t,
              z.map((x, i) => x - h * f[i]),
            )) /
          (2 * h);
        const { supplied, dissipated } = powers(mechanics, t, z);
        worst = Math.max(worst, Math.abs(rate - supplied + dissipated));
        largest = Math.max(largest, Math.abs(supplied), Math.abs(dissipated));
      },
    });
    // Differences of energies of 10 J leave 1e-8/1e-6 of rounding: about 1e-7 W
    expect(worst).toBeLessThan(1e-6 * Math.max(1, largest) + 1e-6);
    expect(largest).toBeGreaterThan(0.1);
  });
  test('an end stop has the restitution it is given', () => {
    // A point pendulum of 1 m and 1 kg falls from the horizontal onto a stop at the bottom
    const options: ModelOptions = {
      bodies: { bob: bob([1, 0, 0]) },
      joints: {
        hinge: revolute({
          body: 'bob',
          axis: [0, 1, 0],
          at: [0, 0, 0],
          stops: { upper: Math.PI / 2, stiffness: 1e8, restitution: 0.7 },
        }),
      },
    };
    const { mechanics, y } = started(options);
    let impact = 0;
    let rebound = 0;
    integrate(mechanics, {
      t0: 0,
      y0: y,
      t1: 0.8,
      method: 'rodas4',
      hInitial: 1e-5,
      onStep: ({ y: z }) => {
        impact = Math.max(impact, z[1]);
        rebound = Math.min(rebound, z[1]);
      },
    });
    // At the default contact tolerance 0.01; measured 3e-7
    expect(Math.abs(-rebound / impact - 0.7)).toBeLessThan(1e-3);
  });
  test('dry friction holds without creep', () => {
    // A slider on a slope under the limit of its friction: 1 kg, 4.9 N against 6 N
    const { mechanics, y } = started({
      bodies: { block: bob([0, 0, 0]) },
      joints: {
        slope: prismatic({
          body: 'block',
          axis: [Math.cos(Math.PI / 6), 0, -Math.sin(Math.PI / 6)],
          friction: { limit: 6 },
        }),
      },
    });
    const at60 = simulate({ mechanics, y }, 60).y[0];
    const later = integrate(mechanics, { t0: 0, y0: y, t1: 120, method: 'rodas4' }).y[0];
    expect(at60).toBeCloseTo(4.905 / 6e3, 8); // gives by F/k
    expect(Math.abs(later - at60)).toBeLessThan(1e-13);
  });
  test("NaN from a user's function names time and element", () => {
    const { mechanics, y } = started({
      bodies: { block: bob([0, 0, 0]) },
      joints: { rail: prismatic({ body: 'block', axis: [1, 0, 0], force: (t: number) => (t > 0.5 ? Number.NaN : 1) }) },
    });
    expect(() => mechanics.rates(0.7, y, new Float64Array(mechanics.size))).toThrow(
      /joints\.rail: t = 0\.7 s: its force .* gave NaN/,
    );
  });
});

describe('prescribed motion', () => {
  test('a driven crank: the power put in is the change of energy', () => {
    const { mechanics, y } = started({
      bodies: { crank: body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0] }), flail: bob([2, 0, 0]) },
      joints: {
        drive: revolute({ body: 'crank', axis: [0, 1, 0], at: [0, 0, 0], angle: (t: number) => 0.3 * Math.sin(5 * t) }),
        hinge: revolute({ body: 'flail', to: 'crank', axis: [0, 1, 0], at: [1.5, 0, 0] }),
      },
    });
    const total = (t: number, z: Float64Array) => {
      const { kinetic, potential } = energies(mechanics, t, z);
      return kinetic + potential;
    };
    const result = simulate({ mechanics, y }, 0.7);
    const f = new Float64Array(mechanics.size);
    mechanics.rates(0.7, result.y, f);
    const h = 1e-5;
    const move = (s: number) =>
      total(
        0.7 + s,
        result.y.map((x, i) => x + s * f[i]),
      );
    // The user gives the angle only: its rates are differences, good to about 1e-8
    expect(powers(mechanics, 0.7, result.y).supplied).toBeCloseTo((move(h) - move(-h)) / (2 * h), 4);
  });
});

describe('a screw, a planar joint', () => {
  test('a nut falls on its screw: a = g (p/2π)² m / (J + m (p/2π)²)', () => {
    const { mechanics, y } = started({
      bodies: { nut: body({ mass: 2, inertia: [1, 1, 0.01] }) },
      joints: { thread: screw({ body: 'nut', axis: [0, 0, 1], pitch: 0.5 }) },
    });
    const p = 0.5 / (2 * Math.PI);
    const rates = new Float64Array(2);
    mechanics.rates(0, y, rates);
    expect(rates[1]).toBeCloseTo((-9.81 * 2 * p) / (0.01 + 2 * p * p), 10);
  });
  test('a puck slides on and spins', () => {
    const { mechanics, y } = started({
      bodies: { puck: body({ mass: 2, inertia: [1, 1, 0.01] }) },
      joints: { ice: planar({ body: 'puck', normal: [0, 0, 1], initialVelocity: [1, 2, 0], initialSpin: 3 }) },
    });
    simulate({ mechanics, y }, 2);
    const { node } = mechanics.system.bodies[0].anchor;
    const [x, yy, z] = mechanics.carriers.position.subarray(3 * node, 3 * node + 3);
    expect([x, yy, z].map((value, i) => value - [2, 4, 0][i]).every((d) => Math.abs(d) < 1e-9)).toBe(true);
  });
});

describe('rest and small motions', () => {
  const masses: ModelOptions = {
    bodies: { a: bob([0, 0, 0]), b: bob([0, 0, -1]) },
    joints: {
      upper: prismatic({ body: 'a', axis: [0, 0, 1], spring: { stiffness: 100 }, damping: 0.1 }),
      lower: prismatic({ body: 'b', to: 'a', axis: [0, 0, 1], at: [0, 0, -1], spring: { stiffness: 100 } }),
    },
  };
  test('two masses on springs hang where their weights say', () => {
    const { mechanics, y } = started(masses);
    staticEquilibrium(mechanics, 0, y);
    expect(y[0]).toBeCloseTo((-2 * 9.81) / 100, 12);
    expect(y[1]).toBeCloseTo(-9.81 / 100, 12);
  });
  test('their frequencies are those of the characteristic polynomial', () => {
    const { mechanics, y } = started({
      ...masses,
      joints: { ...masses.joints, upper: prismatic({ body: 'a', axis: [0, 0, 1], spring: { stiffness: 100 } }) },
    });
    staticEquilibrium(mechanics, 0, y);
    const modes = eigenmodes(mechanics, 0, y);
    // k/m (3 ∓ √5)/2
    expect(modes[0].imaginary).toBeCloseTo(Math.sqrt(50 * (3 - Math.sqrt(5))), 7);
    expect(modes[1].imaginary).toBeCloseTo(Math.sqrt(50 * (3 + Math.sqrt(5))), 7);
    expect(modes[0].damping).toBeCloseTo(0, 8);
  });
  test('a pendulum comes to rest below, and swings at √(g/L)', () => {
    const { mechanics, y } = started({
      bodies: { bob: body({ mass: 1, inertia: [0, 0, 0], position: [1, 0, 0] }) },
      joints: { hinge: revolute({ body: 'bob', axis: [0, 1, 0], at: [0, 0, 0] }) },
    });
    staticEquilibrium(mechanics, 0, y);
    expect(y[0]).toBeCloseTo(Math.PI / 2, 10);
    expect(eigenmodes(mechanics, 0, y)[0].imaginary).toBeCloseTo(Math.sqrt(9.81), 8);
  });
});

describe('free bodies', () => {
  // Inertia (1, 2, 3) near the middle axis: it tumbles over and over; energy and angular momentum stay
  test('a tumbling body at tolerance 1e-8 in few steps', () => {
    const { mechanics, y } = started(
      { gravity: 'none', bodies: { top: body({ mass: 1, inertia: [1, 2, 3], angularVelocity: [0.01, 1, 0.01] }) } },
      1e-8,
    );
    const before = energies(mechanics, 0, y).kinetic;
    const result = simulate({ mechanics, y }, 20);
    expect(energies(mechanics, 20, result.y).kinetic / before).toBeCloseTo(1, 7);
    expect(result.statistics.accepted).toBeLessThan(700);
  });
  test('a point mass has no spin to change', () => {
    const { mechanics, y } = started({ bodies: { grain: body({ mass: 1, inertia: [0, 0, 0], velocity: [1, 0, 0] }) } });
    const result = simulate({ mechanics, y }, 1);
    expect(result.y[0]).toBeCloseTo(1, 12);
    expect(result.y[2]).toBeCloseTo(-4.905, 10);
  });
});
