// Flexible double pendulum, slider-crank and four-bar: reference numbers from two independent programs (floating frame in other
// coordinates, and geometrically exact beams where said).
import { describe, expect, test } from 'vitest';
import { flexibleFourBar, rockerStart } from '../../tests/fixtures/flexible-four-bar.js';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import { assemble } from '../assembly/assemble.js';
import { extrude } from '../geometry/extrude.js';
import { integrate } from '../integration/index.js';
import { random } from '../math/random.js';
import { body } from '../model/body.js';
import { applied } from '../model/forces.js';
import { prismatic, revolute } from '../model/joints.js';
import { type ModelOptions, model } from '../model/model.js';
import { energies, initialise, inverseDynamics, MechanicalSystem, massMatrix } from './index.js';

const strip = (length: number, width: number, thickness: number) =>
  extrude(
    [
      [0, -width / 2],
      [length, -width / 2],
      [length, width / 2],
      [0, width / 2],
    ],
    thickness,
  );
const soft = (youngsModulus: number) => ({ density: 2700, youngsModulus, poissonRatio: 0.3 });
const Z = [0, 0, 1] as const;

function started(options: ModelOptions, relative: number) {
  const mechanics = new MechanicalSystem(assemble(model(options)), { tolerance: { relative } });
  const y = mechanics.system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

const doublePendulum = (modes: number, E = 1e9, damping = 0, membrane = false): ModelOptions => ({
  gravity: [0, -9.81, 0],
  contacts: false,
  bodies: {
    upper: body({
      shape: strip(1, 0.05, 0.01),
      material: soft(E),
      flexible: { grid: [20, 2], modes, damping, membrane },
    }),
    lower: body({
      shape: strip(1, 0.05, 0.01),
      material: soft(E),
      flexible: { grid: [20, 2], modes, damping, membrane: false },
      position: [1, 0, 0],
    }),
  },
  joints: {
    shoulder: revolute({ body: 'upper', axis: Z }),
    elbow: revolute({ body: 'lower', to: 'upper', axis: Z, at: [1, 0, 0] }),
  },
  // makes an interface of the end
  forces: { tip: applied({ on: { body: 'lower', at: [2, 0, 0] }, force: [0, 0, 0] }) },
});

/** Where the interface of the lower link's end is */
const tipOf = ({ system, carriers }: MechanicalSystem): [number, number] => {
  const node = system.flexible![1].nodes[2];
  return [carriers.position[3 * node], carriers.position[3 * node + 1]];
};

const placeOf = (mechanics: MechanicalSystem, name: string): [number, number] => {
  const { anchor } = mechanics.system.bodies.find((one) => one.name === name)!;
  const i = mechanics.carriers.indexOf(anchor);
  return [mechanics.carriers.position[3 * i], mechanics.carriers.position[3 * i + 1]];
};

function run({ mechanics, y }: ReturnType<typeof started>, end: number, maxSteps = 30_000) {
  const result = integrate(mechanics, { t0: 0, y0: y, t1: end, method: 'rodas4', hInitial: 1e-5, maxSteps });
  mechanics.update(end, result.y);
  return result;
}

describe('equations', () => {
  const { mechanics } = started(doublePendulum(2, 1e4, 0, true), 1e-6);
  const { nq, nv, size } = mechanics;
  const draw = random(4);
  const y = new Float64Array(size);
  for (let i = 0; i < nq; i++) y[i] = draw.uniformBetween(-0.02, 0.02);
  y[0] = 0.7;
  for (let i = nq; i < nq + nv; i++) y[i] = draw.uniformBetween(-1, 1);

  test('forward = inverse dynamics = mass matrix', () => {
    const rates = new Float64Array(size);
    mechanics.rates(0, y, rates);
    const a = rates.slice(nq, nq + nv);
    const needed = inverseDynamics(mechanics, 0, y, a);
    const bias = inverseDynamics(mechanics, 0, y, new Float64Array(nv));
    const m = massMatrix(mechanics, 0, y);
    const scale = bias.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (let k = 0; k < nv; k++) {
      expect(Math.abs(needed[k])).toBeLessThan(1e-11 * scale);
      let sum = bias[k];
      for (let l = 0; l < nv; l++) sum += m[k * nv + l] * a[l];
      expect(Math.abs(sum)).toBeLessThan(1e-11 * scale);
    }
  });
  test('exact derivatives', () => {
    // a soft material: differences of stiff forces would drown the rest in rounding
    for (const e of [1e-4, 1e-2]) expect(solveResidual(mechanics, 0, y, e, 3)).toBeLessThan(1e-8);
  });
  // Rounding of the two is all that differs: over forty random states of the double pendulum 1e-12 in the middle, 4e-12 at most; a soft material, with which these
  // states move fast, is worse conditioned
  test.each([
    [1e9, 4e-12],
    [1e4, 1e-11],
  ])('the O(n) sweep of steps = the dense matrix, E = %d Pa', (E, limit) => {
    const { system } = started(doublePendulum(2, E, 0, true), 1e-6).mechanics;
    const solved = (sweepFrom: number, e: number): Float64Array => {
      const own = new MechanicalSystem(system, { sweepFrom });
      const f = new Float64Array(size);
      own.rates(0, y, f);
      own.linear.linearise(0, y, f, new Float64Array(size));
      expect(own.linear.factorise(e)).toBe(true);
      const x = Float64Array.from({ length: size }, (_, i) => Math.sin(7 * i));
      own.linear.solve(x);
      return x;
    };
    for (const e of [1e-6, 1e-3, 1e-2]) {
      const dense = solved(1e9, e);
      const scale = dense.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      solved(1, e).forEach((x, i) => {
        expect(Math.abs(x - dense[i])).toBeLessThan(limit * scale);
      });
    }
  });
});

describe('double pendulum', () => {
  test.each([
    [0, -0.9338258512, -0.3578789235, -1.6639372986, -1.0412379082],
    [2, -0.9336088312, -0.3584144973, -1.6645430287, -1.0408860651],
  ])('%i modes', (modes, px, py, tx, ty) => {
    const start = started(doublePendulum(modes), 1e-4);
    const before = energies(start.mechanics, 0, start.y);
    const result = run(start, 1);
    const pin = placeOf(start.mechanics, 'lower');
    const tip = tipOf(start.mechanics);
    // the references have ten digits; what is left is the tolerance of the run
    expect(Math.hypot(pin[0] - px, pin[1] - py)).toBeLessThan(2e-6);
    expect(Math.hypot(tip[0] - tx, tip[1] - ty)).toBeLessThan(2e-6);
    const after = energies(start.mechanics, 1, result.y);
    const sum = (e: typeof before): number => e.kinetic + e.potential + e.elastic;
    expect(Math.abs(sum(after) - sum(before)) / after.kinetic).toBeLessThan(1e-6);
  });
  test('little damping takes away most steps', () => {
    const start = started(doublePendulum(2, 1e9, 0.01), 1e-4);
    const { accepted, rejected } = run(start, 1).statistics;
    expect(accepted + rejected).toBeLessThan(300);
  });
  // Rigid bars: pin (−0.93450779, −0.35594268), tip (−1.66276412, −1.04124752)
  test('a stiff material makes it the rigid one', () => {
    const start = started(doublePendulum(0, 1e12, 0.05), 1e-5);
    run(start, 1);
    const pin = placeOf(start.mechanics, 'lower');
    const tip = tipOf(start.mechanics);
    expect(Math.hypot(pin[0] + 0.93450779, pin[1] + 0.35594268)).toBeLessThan(1e-5);
    expect(Math.hypot(tip[0] + 1.66276412, tip[1] + 1.04124752)).toBeLessThan(1e-5);
  });
});

describe('loops through a flexible part', () => {
  const crank = body({ mass: 0.1, inertia: [1e-4, 1e-4, 1e-4] });
  const rod = (modes: number, damping: number, at: [number, number, number], angle = 0) =>
    body({
      shape: strip(0.4, 0.02, 0.01),
      material: soft(2e9),
      flexible: { grid: [20, 2], modes, damping, membrane: false },
      position: at,
      orientation: { axis: Z, angle },
    });
  // undamped at a tighter tolerance: what rings must keep its phase for half a second
  test.each([
    [2, 0.02, 0.27391178, 1e-4],
    [0, 0, 0.27399922, 1e-5],
    [2, 0, 0.27402376, 1e-5],
  ])('slider-crank, %i modes, damping %d', (modes, damping, x, tolerance) => {
    const start = started(
      {
        gravity: [0, 0, 0],
        contacts: false,
        bodies: {
          crank,
          rod: rod(modes, damping, [0.15, 0, 0]),
          slider: body({ mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0.55, 0, 0] }),
        },
        joints: {
          main: revolute({ body: 'crank', axis: Z, speed: 30 }),
          pin: revolute({ body: 'rod', to: 'crank', axis: Z, at: [0.15, 0, 0] }),
          guide: prismatic({ body: 'slider', axis: [1, 0, 0] }),
          gudgeon: revolute({ body: 'slider', to: 'rod', axis: Z, at: [0.55, 0, 0] }),
        },
      },
      tolerance,
    );
    run(start, 0.5);
    expect(Math.abs(placeOf(start.mechanics, 'slider')[0] - x)).toBeLessThan(2e-6);
  });
  test.each([
    [2, 0.02, 2.24763428, 0.26210065, 0.23386713, 1e-4],
    [0, 0, 2.24771263, 0.26208233, 0.23385241, 1e-5],
  ])('four-bar, %i modes, damping %d', (modes, damping, angle, px, py, tolerance) => {
    const start = started(flexibleFourBar(modes, damping), tolerance);
    const { mechanics } = start;
    const { accepted } = run(start, 0.5).statistics;
    // an inexact Jacobian takes thousands
    if (damping > 0) expect(accepted).toBeLessThanOrEqual(600);
    const { anchor } = mechanics.system.bodies.find((one) => one.name === 'rocker')!;
    const r = mechanics.carriers.rotation.subarray(9 * anchor.node);
    const turned = rockerStart + Math.atan2(r[3], r[0]);
    expect(Math.hypot(0.45 + 0.3 * Math.cos(turned) - px, 0.3 * Math.sin(turned) - py)).toBeLessThan(2e-6);
    expect(Math.abs(turned - angle)).toBeLessThan(1e-5);
  });
});

// Beam on a turning hub, Simo & Vu-Quoc; geometrically exact beams by two programs: lag −0.573835 m at most, −0.468476 at 5 s, −0.559083 at 7.5 s,
// −0.362814 at 10 s. EA = 2.8e7, EI = 1.4e4, GA = 1e7 N, ρA = 1.2 kg/m as a strip of unit thickness.
describe('spin-up of a slender beam', () => {
  const height = Math.sqrt(12 * 5e-4);
  const T = 15;
  const om = 6;
  const angle = (t: number): number =>
    (om / T) * ((t * t) / 2 + (T / (2 * Math.PI)) ** 2 * (Math.cos((2 * Math.PI * t) / T) - 1));
  const lag = (pieces: number, membrane: boolean, times: readonly number[]) => {
    const start = started(
      {
        gravity: [0, 0, 0],
        contacts: false,
        bodies: {
          beam: body({
            shape: strip(10, height, 1),
            material: { density: 1.2 / height, youngsModulus: 2.8e7 / height, poissonRatio: 1 / 6 },
            flexible: { grid: [20 * pieces, 2], modes: 0, damping: 0.01, substructures: pieces, membrane },
          }),
        },
        joints: { hub: revolute({ body: 'beam', axis: Z, angle }) },
        forces: { tip: applied({ on: { body: 'beam', at: [10, 0, 0] }, force: [0, 0, 0] }) },
      },
      1e-5,
    );
    const { mechanics } = start;
    const last = mechanics.system.flexible!.at(-1)!.nodes[2];
    let y: Float64Array = start.y;
    let t = 0;
    let steps = 0;
    const lags = times.map((end) => {
      const result = integrate(mechanics, { t0: t, y0: y, t1: end, method: 'rodas4', hInitial: 1e-3, maxSteps: 5000 });
      y = result.y;
      t = end;
      steps += result.statistics.accepted;
      mechanics.update(end, y);
      const [px, py] = mechanics.carriers.position.subarray(3 * last, 3 * last + 2);
      return -px * Math.sin(angle(end)) + py * Math.cos(angle(end));
    });
    return { lags, steps };
  };
  // Lags at 5, 6.762 (the largest), 7.5 and 10 s; four pieces of beam with the membrane term by a second program, and exact beams
  test.each([
    [4, [-0.46835, -0.5731, -0.55801, -0.36113], 1.5e-3],
    [4, [-0.468476, -0.573835, -0.559083], 3e-3],
    [8, [-0.468476, -0.573835, -0.559083, -0.362814], 1.5e-3],
  ] as const)('%i pieces with the membrane term', (pieces, references, limit) => {
    const { lags, steps } = lag(pieces, true, [5, 6.762, 7.5, 10].slice(0, references.length));
    expect(steps).toBeLessThan(200);
    references.forEach((reference, k) => {
      // rigid cuts stiffen a strip of finite width by 0.07 %
      expect(Math.abs(lags[k] / reference - 1)).toBeLessThan(limit);
    });
  });
  test('one linear body cannot', () => {
    expect(Math.abs(lag(1, false, [7.5]).lags[0])).toBeGreaterThan(1);
  });
});
