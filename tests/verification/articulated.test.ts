// Joint trees and closed loops under RODAS4 with exact derivatives, against published values and closed forms.
// Plain tolerances here, so that step counts can be compared: atol = tol on coordinates, rtol = atol = tol on velocities.
import { describe, expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import {
  constraintDrift,
  degreesOfFreedom,
  energies,
  initialise,
  MechanicalSystem,
  momentum,
  redundancy,
} from '../../src/dynamics/index.js';
import { integrate, type MethodName } from '../../src/integration/index.js';
import type { Model } from '../../src/model/model.js';
import { bareRodas4 } from '../fixtures/bare-rodas4.js';
import {
  ANDREWS_START,
  andrews,
  ballPair,
  bricard,
  floatingChain,
  flyballs,
  fourBars,
} from '../fixtures/mechanisms.js';

interface RunOptions {
  readonly end: number;
  readonly tol: number;
  readonly velocityFactor?: number;
  readonly method?: MethodName;
  readonly project?: boolean;
  /** Leave the Jacobian to the integrator */
  readonly differences?: boolean;
  readonly start?: (y: Float64Array, mechanics: MechanicalSystem) => void;
  readonly maxSteps?: number;
}

function run(
  model: Model,
  {
    end,
    tol,
    velocityFactor = 1,
    method = 'rodas4',
    project = true,
    differences = false,
    start,
    maxSteps = 20_000,
  }: RunOptions,
) {
  const mechanics = new MechanicalSystem(assemble(model), { tolerance: { relative: 1 } });
  const y0 = mechanics.system.initial.slice();
  start?.(y0, mechanics);
  initialise(mechanics, 0, y0);
  const perComponent = (position: number, velocity: number) =>
    Float64Array.from({ length: mechanics.size }, (_, i) => (i < mechanics.nq ? position : velocity));
  const result = integrate(
    {
      size: mechanics.size,
      rates: (t, y, out) => mechanics.rates(t, y, out),
      ...(!differences && { linear: mechanics.linear }),
      ...(project && { project: (t: number, y: Float64Array) => mechanics.project(t, y) }),
    },
    {
      t0: 0,
      y0,
      t1: end,
      method,
      hInitial: 1e-5,
      atol: perComponent(tol, tol * velocityFactor),
      rtol: perComponent(0, tol),
      maxSteps,
    },
  );
  mechanics.update(end, result.y);
  return { mechanics, y: result.y, y0, ...result.statistics };
}

const errorOf = (a: ArrayLike<number>, b: ArrayLike<number>, count: number): number => {
  let worst = 0;
  for (let i = 0; i < count; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
};

describe('Andrews squeezer from seven bodies and ten joints', () => {
  // Schiehlen (ed.), Multibody Systems Handbook (1990); Hairer & Wanner II (1996), §VII.7; values in quadruple precision.
  const END = [
    15.810771195153707, -15.75637105841184, 0.0408222401196458, -0.5347301163420796, 0.5244099658799541,
    0.5347301163420796, 1.0480807410419379,
  ];
  const angles = ({ mechanics, y }: ReturnType<typeof run>) =>
    [1, 2, 3, 4, 5, 6, 7].map((k) => {
      const { nodes } = mechanics.system.joints.find(({ name }) => name === `q${k}`)!;
      return ANDREWS_START[k - 1] + y[mechanics.system.tree.q[nodes[0]]];
    });
  const invariant = ({ mechanics, y }: ReturnType<typeof run>) => {
    const { kinetic, elastic } = energies(mechanics, 0.03, y);
    return kinetic + elastic - 0.033 * (angles({ mechanics, y } as never)[0] - ANDREWS_START[0]);
  };
  test.each([
    [1e-6, 3e-5, 260, 1e-6],
    [1e-8, 3e-7, 760, 1e-8],
  ])('tolerance %f', (tol, limit, steps, drift) => {
    const result = run(andrews(), { end: 0.03, tol, velocityFactor: 1000 });
    expect(errorOf(angles(result), END, 7)).toBeLessThan(limit);
    expect(result.accepted).toBeLessThanOrEqual(steps);
    expect(Math.abs(invariant(result) - 1.435796399161669)).toBeLessThan(drift);
    // 15 rows of three planar loops cut as spatial joints, 6 independent
    expect(degreesOfFreedom(result.mechanics)).toBe(1);
    expect(Math.max(...constraintDrift(result.mechanics, 0.03, result.y).map(({ position }) => position))).toBeLessThan(
      1e-15,
    );
  });
  test('start accelerations', () => {
    const result = run(andrews(), { end: 1e-9, tol: 1e-6 });
    const out = new Float64Array(result.mechanics.size);
    result.mechanics.rates(0, result.y0, out);
    const v = (k: number) =>
      result.mechanics.system.tree.v[result.mechanics.system.joints.find(({ name }) => name === `q${k}`)!.nodes[0]];
    expect(out[result.mechanics.nq + v(1)] / 14222.443919954114).toBeCloseTo(1, 11);
    expect(out[result.mechanics.nq + v(2)] / -10666.832939965585).toBeCloseTo(1, 11);
  });
});

describe('N-four-bar, IFToMM A02', () => {
  // θ'' = (W/J) sin θ with J = (N+1)/3 + N, W = g ((N+1)/2 + N); the point B0 = (sin θ, cos θ)
  test('N = 2 at 10 s', () => {
    const result = run(fourBars(2), { end: 10, tol: 1e-6 });
    const { mechanics, y } = result;
    const angle = y[mechanics.system.tree.q[mechanics.system.joints.find(({ name }) => name === 'base0')!.nodes[0]]];
    expect(Math.sin(angle)).toBeCloseTo(0.32845811154, 5);
    expect(Math.abs(Math.sin(angle) - 0.3284581115408154)).toBeLessThan(5e-6);
    expect(Math.abs(Math.cos(angle) - 0.944518538178601)).toBeLessThan(5e-6);
    expect(result.accepted).toBeLessThanOrEqual(500);
    const { kinetic, potential } = energies(mechanics, 10, y);
    expect(kinetic + potential).toBeCloseTo(35.835, 4);
    expect(redundancy(mechanics).reduce((sum, { independent }) => sum + independent, 0)).toBe(4);
    expect(redundancy(mechanics).reduce((sum, { rows }) => sum + rows, 0)).toBe(10);
  });
  test('N = 10 at 2 s against the pendulum it is', () => {
    const result = run(fourBars(10), { end: 2, tol: 1e-6 });
    const ratio = (9.81 * (5.5 + 10)) / (11 / 3 + 10);
    const reference = integrate(
      {
        size: 2,
        rates: (_t, y, out) => {
          out[0] = y[1];
          out[1] = ratio * Math.sin(y[0]);
        },
      },
      { t0: 0, y0: [0, 1], t1: 2, method: 'dop853', rtol: 1e-12, atol: 1e-12 },
    );
    const { tree, joints } = result.mechanics.system;
    expect(
      Math.abs(result.y[tree.q[joints.find(({ name }) => name === 'base0')!.nodes[0]]] - reference.y[0]),
    ).toBeLessThan(2e-5);
  });
});

describe('Bricard', () => {
  const reference = run(bricard(), { end: 10, tol: 1e-10 });
  test.each([
    [1e-6, 1e-6, 350],
    [1e-8, 5e-9, 1000],
  ])('tolerance %f', (tol, limit, steps) => {
    const result = run(bricard(), { end: 10, tol });
    expect(errorOf(result.y, reference.y, result.mechanics.nq)).toBeLessThan(limit);
    expect(result.accepted).toBeLessThanOrEqual(steps);
    expect(redundancy(result.mechanics)).toEqual([{ constraint: expect.any(String), rows: 5, independent: 4 }]);
  });
  test('without projection it goes wrong', () => {
    const result = run(bricard(), { end: 10, tol: 1e-6, project: false });
    expect(errorOf(result.y, reference.y, result.mechanics.nq)).toBeGreaterThan(1e-2);
  });
});

describe('trees', () => {
  test('two bodies on ball joints', () => {
    // Angular velocities in the bodies' frames (1, 2, 3) and, of the second against the first, (−2, 0.5, 1)
    const start = (y: Float64Array, { nq }: MechanicalSystem) => y.set([1, 2, 3, -2, 0.5, 1], nq);
    const result = run(ballPair(), { end: 2, tol: 1e-6, start });
    const { carriers } = result.mechanics;
    const node = result.mechanics.system.bodies[1].anchor.node;
    const tip = [0, 1, 2].map((i) => carriers.position[3 * node + i] - carriers.rotation[9 * node + 3 * i + 2]);
    for (const [i, x] of [1.517951656, 0.273121005, -0.968460381].entries())
      expect(Math.abs(tip[i] - x)).toBeLessThan(1e-6);
    expect(result.accepted).toBeLessThanOrEqual(450);
  });
  test('a floating chain keeps energy and momentum', () => {
    const result = run(floatingChain(8), { end: 0.5, tol: 1e-6 });
    const { mechanics, y, y0 } = result;
    const before = momentum(mechanics, 0, y0);
    const after = momentum(mechanics, 0.5, y);
    for (let i = 0; i < 3; i++) {
      expect(after.linear[i]).toBeCloseTo(before.linear[i], 7);
      expect(after.angular[i]).toBeCloseTo(before.angular[i], 7);
    }
    expect(energies(mechanics, 0, y).kinetic / energies(mechanics, 0, y0).kinetic).toBeCloseTo(1, 6);
    expect(result.accepted).toBeLessThan(300);
    expect(result.switches).toHaveLength(0);
  });
  test('without the derivatives of inertia RODAS4 falls to order 1', () => {
    const steps = (crude: boolean): number => {
      const mechanics = new MechanicalSystem(assemble(floatingChain(8)), { tolerance: { relative: 1 } });
      const y = mechanics.system.initial.slice();
      initialise(mechanics, 0, y);
      const { derivatives } = mechanics;
      const exact = derivatives.update.bind(derivatives);
      derivatives.update = (...given) => {
        exact(...given);
        if (!crude) return;
        const { psi1, psi2, psi2Bare, phi, coriolis, wrench } = derivatives;
        for (const part of [psi1, psi2, psi2Bare, phi, coriolis, wrench]) part.fill(0);
      };
      return bareRodas4(mechanics, y, 0.5, 1e-6);
    };
    // Measured 125 and 6293
    const exact = steps(false);
    expect(exact).toBeLessThan(150);
    expect(steps(true)).toBeGreaterThan(10 * exact);
  });
});

describe('flyball governor with stiff spring–dampers', () => {
  // Stiff, so RODAS4 loses order and the count of steps belongs to the problem. The yardstick is a Jacobian that shares nothing with
  // ours: the integrator's own, by differences of f. Exact derivatives take the same steps.
  test.each(['rodas4', 'rodas4p'] as const)('%s takes the same steps as with a Jacobian by differences', (method) => {
    const result = run(flyballs(), { end: 2, tol: 1e-6, method });
    const differences = run(flyballs(), { end: 2, tol: 1e-6, method, differences: true });
    expect(Math.abs(result.accepted / differences.accepted - 1)).toBeLessThan(0.02);
    const reference = run(flyballs(), { end: 2, tol: 1e-8, method: 'rodas4p' });
    expect(errorOf(result.y, reference.y, result.mechanics.nq)).toBeLessThan(1e-5);
    // The spin falls as the balls swing out; angular momentum about the shaft stays
    const before = momentum(result.mechanics, 0, result.y0).angular[2];
    expect(momentum(result.mechanics, 2, result.y).angular[2] / before).toBeCloseTo(1, 6);
  });
});
