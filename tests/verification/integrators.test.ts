// Integrators against closed forms and published references: order of convergence at step ends and between them, stability,
// and end values of standard problems at the tolerance asked for.
import { describe, expect, test } from 'vitest';
import { DenseLinearSolver } from '../../src/integration/dense-linear-solver.js';
import { Dop853 } from '../../src/integration/dop853.js';
import { Dopri5 } from '../../src/integration/dopri5.js';
import { ErrorMeasure } from '../../src/integration/error-measure.js';
import { Esdirk } from '../../src/integration/esdirk.js';
import { integrate, type LinearSolver, type Problem } from '../../src/integration/index.js';
import type { OneStepMethod, Workshop } from '../../src/integration/one-step-method.js';
import { Radau5 } from '../../src/integration/radau5.js';
import { Rosenbrock } from '../../src/integration/rosenbrock.js';
import { noStatistics, Rates } from '../../src/integration/statistics.js';

type Rhs = (t: number, y: Float64Array, out: Float64Array) => void;
const problem = (size: number, rates: Rhs, more: Partial<Problem> = {}): Problem => ({ size, rates, ...more });

const makers: Record<string, (work: Workshop) => OneStepMethod> = {
  dopri5: (work) => new Dopri5(work),
  dop853: (work) => new Dop853(work),
  rodas4: (work) => new Rosenbrock(work, 'rodas4'),
  rodas4p: (work) => new Rosenbrock(work, 'rodas4p'),
  esdirk4: (work) => new Esdirk(work),
  radau5: (work) => new Radau5(work),
};

/** Steps of one length without control, the iterations of implicit methods to 1e-13 of the result. Calls `visit` after each step. */
function march(
  of: Problem,
  name: string,
  { t0 = 0, y0, h, steps }: { t0?: number; y0: readonly number[]; h: number; steps: number },
  visit: (method: OneStepMethod) => void = () => {},
): Float64Array {
  const statistics = noStatistics();
  const rates = new Rates(of, statistics);
  const measure = new ErrorMeasure(of, { rtol: 1e-11, atol: 1e-11 });
  const linear = of.linear ?? new DenseLinearSolver(of, rates, measure);
  const method = makers[name]({ problem: of, rates, measure, linear, statistics });
  method.forget();
  const y = Float64Array.from(y0);
  for (let step = 0; step < steps; step++) {
    method.t = t0 + step * h;
    method.h = h;
    method.y0.set(y);
    if (step > 0 && method.hasEndRates) method.f0.set(method.f1);
    else rates.evaluate(method.t, y, method.f0);
    for (let tries = 0; ; tries++) {
      const size = method.attempt();
      if (!method.failed) {
        method.accept(size);
        break;
      }
      expect(tries).toBeLessThan(3);
    }
    if (!method.hasEndRates) rates.evaluate(method.t + h, method.y1, method.f1);
    visit(method);
    y.set(method.y1);
  }
  return y;
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
};
const slope = (coarse: number, fine: number): number => Math.log2(coarse / fine);

// Nonlinear, coupled, not autonomous, with the solution φ = (2 + sin 2t, cos t − t/2):
//   y1' = φ1' + y1 y2 − φ1 φ2,   y2' = φ2' + sin y1 − sin φ1 + (y2² − φ2²)/3
const phi = (t: number): [number, number] => [2 + Math.sin(2 * t), Math.cos(t) - t / 2];
const manufactured = problem(2, (t, y, out) => {
  const [a, b] = phi(t);
  out[0] = 2 * Math.cos(2 * t) + y[0] * y[1] - a * b;
  out[1] = -Math.sin(t) - 0.5 + Math.sin(y[0]) - Math.sin(a) + (y[1] * y[1] - b * b) / 3;
});

describe('order of convergence on a nonlinear problem with a time of its own', () => {
  test.each([
    ['dopri5', 5, 4, 64],
    ['dop853', 8, 7, 8],
    ['rodas4', 4, 3, 96],
    ['rodas4p', 4, 3, 96],
    ['esdirk4', 4, 3, 64],
    ['radau5', 5, 3, 32],
  ] as const)('%s: %i at the ends of steps, %i between', (name, order, denseOrder, steps) => {
    const end = 2;
    const error = (n: number) => {
      let inside = 0;
      const out = new Float64Array(2);
      const y = march(manufactured, name, { y0: phi(0), h: end / n, steps: n }, (method) => {
        for (const theta of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          method.interpolate(theta, out);
          inside = Math.max(inside, distance(out, phi(method.t + theta * method.h)));
        }
      });
      return { atEnd: distance(y, phi(end)), inside };
    };
    const [coarse, fine] = [error(steps), error(2 * steps)];
    expect(slope(coarse.atEnd, fine.atEnd)).toBeGreaterThan(order - 0.3);
    expect(slope(coarse.atEnd, fine.atEnd)).toBeLessThan(order + 0.8); // higher terms still help at these steps
    // a dense output of order p has local errors h^(p+1), and global ones no larger than those at the ends
    expect(slope(coarse.inside, fine.inside)).toBeGreaterThan(Math.min(denseOrder + 1, order) - 0.3);
  });
});

// y' = λ (y − cos t) − sin t, y(0) = 1, so y = cos t: Prothero & Robinson (1974), Math. Comp. 28, 145–162.
// For −λ h ≫ 1 methods show their stiff order instead of the classical one.
describe('the stiff problem of Prothero and Robinson, λ = −1e6', () => {
  const lambda = -1e6;
  // J and ∂f/∂t exactly: by differences they carry errors of λ ε^½, which is what would be seen
  let matrix = 1;
  const exact: LinearSolver = {
    linearise(t, _y, _f, byTime) {
      byTime[0] = lambda * Math.sin(t) - Math.cos(t);
    },
    factorise(e) {
      matrix = 1 - e * lambda;
      return true;
    },
    solve(r) {
      r[0] /= matrix;
    },
  };
  const stiff = problem(
    1,
    (t, y, out) => {
      out[0] = lambda * (y[0] - Math.cos(t)) - Math.sin(t);
    },
    { linear: exact, jacobian: (_t, _y, out) => out.fill(lambda) },
  );
  // Errors h^q/λ: stage order 1, 3, 2, 3 (Hairer & Wanner, Solving ODEs II, §IV.15; Steinebach 1995 for RODAS4P)
  test.each([
    ['rodas4', 1],
    ['rodas4p', 3],
    ['esdirk4', 2],
    ['radau5', 3],
  ] as const)('%s: order %i in the stiff limit', (name, order) => {
    const error = (steps: number) => Math.abs(march(stiff, name, { y0: [1], h: 1 / steps, steps })[0] - Math.cos(1));
    const [coarse, fine] = [error(40), error(80)];
    expect(Math.abs(slope(coarse, fine) - order)).toBeLessThan(0.3);
    expect(coarse).toBeLessThan(1e-3 / -lambda);
  });
});

describe('linear stability', () => {
  // y' = λ y: one step of h with h λ = −1e8 must leave next to nothing (L-stability), 1e-7 is 10/(h λ)
  test.each(['rodas4', 'rodas4p', 'esdirk4', 'radau5'])('%s forgets what is infinitely stiff', (name) => {
    const decay = problem(
      1,
      (_t, y, out) => {
        out[0] = -1e8 * y[0];
      },
      { jacobian: (_t, _y, out) => out.fill(-1e8) },
    );
    expect(Math.abs(march(decay, name, { y0: [1], h: 1, steps: 1 })[0])).toBeLessThan(1e-7);
  });
  test.each(['rodas4', 'rodas4p', 'esdirk4', 'radau5'])('%s does not make oscillations grow', (name) => {
    for (const omega of [0.3, 1, 2, 3, 5, 10, 30, 100, 1000]) {
      const turning = problem(
        2,
        (_t, y, out) => {
          out[0] = -omega * y[1];
          out[1] = omega * y[0];
        },
        { jacobian: (_t, _y, out) => out.set([0, -omega, omega, 0]) },
      );
      const [x, y] = march(turning, name, { y0: [1, 0], h: 1, steps: 1 });
      expect(Math.sqrt(x * x + y * y)).toBeLessThan(1 + 1e-12);
    }
  });
});

const twoBody = problem(4, (_t, y, out) => {
  const r2 = y[0] * y[0] + y[1] * y[1];
  const r3 = r2 * Math.sqrt(r2);
  out[0] = y[2];
  out[1] = y[3];
  out[2] = -y[0] / r3;
  out[3] = -y[1] / r3;
});
/** Two-body problem with GM = a = 1, started at the nearest point: Kepler's equation E − e sin E = t by Newton. */
function kepler(e: number, t: number): number[] {
  let E = t;
  for (let i = 0; i < 50; i++) E -= (E - e * Math.sin(E) - t) / (1 - e * Math.cos(E));
  const [c, s, b] = [Math.cos(E), Math.sin(E), Math.sqrt(1 - e * e)];
  return [c - e, b * s, -s / (1 - e * c), (b * c) / (1 - e * c)];
}
const adaptive = ['dopri5', 'dop853', 'rodas4', 'rodas4p', 'esdirk4', 'radau5'] as const;

describe('two bodies', () => {
  // Start (0.4, 0, 0, 2), e = 0.6; values from quadruple precision
  test.each([...adaptive, 'automatic'] as const)('%s at rtol 1e-10 has 8 digits after three revolutions', (method) => {
    const { y } = integrate(twoBody, { t0: 0, t1: 20, y0: [0.4, 0, 0, 2], method, rtol: 1e-10, atol: 1e-10 });
    const reference = [-0.7700755784112404, 0.7883448169944244, -0.8941837319886915, -0.12346176415844096];
    expect(distance(kepler(0.6, 20), reference)).toBeLessThan(1e-14);
    expect(distance(y, reference)).toBeLessThan(1e-8);
  });

  test.each([0.5, 0.7, 0.9])('eccentricity %d: error goes down with the tolerance', (e) => {
    for (const method of adaptive) {
      const error = (rtol: number) =>
        distance(integrate(twoBody, { t0: 0, t1: 4, y0: kepler(e, 0), method, rtol, atol: rtol }).y, kepler(e, 4));
      const [loose, tight] = [error(1e-6), error(1e-9)];
      // an orbit at e = 0.9 multiplies early errors by up to a thousand; a thousandth of the tolerance must buy a factor 100
      expect(loose).toBeLessThan(1e-2);
      expect(tight).toBeLessThan(Math.max(loose / 100, 1e-8));
    }
  });

  test.each([
    ['dopri5', 5, 400],
    ['dop853', 8, 60],
    ['rodas4', 4, 150],
    ['rodas4p', 4, 150],
    ['esdirk4', 4, 800],
    ['radau5', 5, 200],
  ] as const)('%s: error against cost has the slope %i', (name, order, steps) => {
    const error = (n: number) =>
      distance(march(twoBody, name, { y0: kepler(0.3, 0), h: 5 / n, steps: n }), kepler(0.3, 5));
    const found = slope(error(steps), error(2 * steps));
    expect(Math.abs(found - order)).toBeLessThan(0.3);
  });
});

// Restricted three-body problem, Arenstorf (1963); Hairer, Nørsett & Wanner, Solving ODEs I, (0.1). Value at t = 8 from quadruple
// precision. The orbit passes the moon at 0.006: a whole period multiplies errors by a thousand.
test.each(adaptive)(
  'Arenstorf orbit: %s at rtol 1e-10 has 8 digits at t = 8 and closes the orbit to 1e-5',
  (method) => {
    const mu = 0.012277471;
    const nu = 1 - mu;
    const arenstorf = problem(4, (_t, y, out) => {
      const earth = (y[0] + mu) ** 2 + y[1] ** 2;
      const moon = (y[0] - nu) ** 2 + y[1] ** 2;
      const [d1, d2] = [earth * Math.sqrt(earth), moon * Math.sqrt(moon)];
      out[0] = y[2];
      out[1] = y[3];
      out[2] = y[0] + 2 * y[3] - (nu * (y[0] + mu)) / d1 - (mu * (y[0] - nu)) / d2;
      out[3] = y[1] - 2 * y[2] - (nu * y[1]) / d1 - (mu * y[1]) / d2;
    });
    const y0 = [0.994, 0, 0, -2.0015851063790824];
    const run = (t1: number) => integrate(arenstorf, { t0: 0, t1, y0, method, rtol: 1e-10, atol: 1e-10 }).y;
    const at8 = [-1.1745535072769004, -0.27594507701453846, -0.2531707499679332, 0.44737674785987463];
    expect(distance(run(8), at8)).toBeLessThan(1e-8);
    expect(distance(run(17.065216560157964), y0)).toBeLessThan(1e-5);
  },
);

// Van der Pol, ε = 1e-6, y(0) = (2, 0): end values from quadruple precision in two scalings of time.
describe('Van der Pol, ε = 1e-6', () => {
  const vanDerPol = problem(2, (_t, y, out) => {
    out[0] = y[1];
    out[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  });
  test.each(['rodas4', 'rodas4p', 'esdirk4', 'radau5', 'automatic'] as const)('%s', (method) => {
    for (const [rtol, digits] of [
      [1e-4, 1e-3],
      [1e-6, 1e-5],
      [1e-8, 1e-7],
    ]) {
      const run = integrate(vanDerPol, { t0: 0, t1: 2, y0: [2, 0], method, rtol, atol: rtol });
      expect(Math.abs(run.y[0] / 1.706167732170465 - 1)).toBeLessThan(digits);
      expect(Math.abs(run.y[1] / -0.8928097010248165 - 1)).toBeLessThan(digits);
      if (method === 'automatic') expect(run.statistics.switches[0]).toMatchObject({ from: 'dopri5', to: 'rodas4' });
    }
    const halfway = integrate(vanDerPol, { t0: 0, t1: 1, y0: [2, 0], method, rtol: 1e-8, atol: 1e-8 });
    expect(Math.abs(halfway.y[0] / -1.8636462548081338 - 1)).toBeLessThan(1e-7);
    expect(Math.abs(halfway.y[1] / 0.7535430865435434 - 1)).toBeLessThan(1e-7);
  });
});

// Robertson's reaction, rates 0.04, 1e4, 3e7: values from quadruple precision. To t = 1e11 the steps grow over 15 decades.
describe("Robertson's reaction", () => {
  const robertson = problem(3, (_t, y, out) => {
    out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    out[2] = 3e7 * y[1] * y[1];
    out[1] = -out[0] - out[2];
  });
  test.each(['rodas4', 'rodas4p', 'esdirk4', 'radau5', 'automatic'] as const)('%s', (method) => {
    for (const [t1, ...reference] of [
      [40, 0.715827068719405, 9.185534764557764e-6, 0.2841637457458304],
      [4e5, 4.938274520979816e-3, 1.984994087954375e-8, 0.9950617056290793],
      [1e11, 2.083340149701294e-8, 8.333360770334783e-14, 0.9999999791665152],
    ]) {
      const rtol = 1e-7;
      const { y, statistics } = integrate(robertson, {
        t0: 0,
        t1,
        y0: [1, 0, 0],
        method,
        rtol,
        atol: [1e-6 * rtol, 1e-10 * rtol, rtol],
      });
      // Each step's error is below rtol; what adds up over the hundreds of steps stays below 100 rtol
      reference.forEach((value, i) => {
        expect(Math.abs(y[i] / value - 1)).toBeLessThan(100 * rtol);
      });
      expect(statistics.accepted).toBeLessThan(1500);
    }
  });
});

// x'' = −ω² x. Velocity Verlet turns by φ a step with cos φ = 1 − (hω)²/2, sin(φ/2) = hω/2, and keeps x²ω²(1 − (hω)²/4) + v²:
// the phase runs ahead by (hω)²/24 of itself, the amplitude stays (Hairer, Lubich & Wanner, §I.5).
describe('fixed steps', () => {
  const oscillator = (damping = 0) =>
    problem(
      2,
      (_t, y, out) => {
        out[0] = y[1];
        out[1] = -4 * y[0] - damping * y[1];
      },
      {
        partition: {
          velocityStart: 1,
          velocityCount: 1,
          drift: (y, h) => {
            y[0] += h * y[1];
          },
        },
      },
    );
  test('velocity Verlet: phase and amplitude as its own theory says', () => {
    const [omega, h, steps] = [2, 0.05, 10000];
    const { y, statistics } = integrate(oscillator(), {
      t0: 0,
      t1: h * steps,
      y0: [1, 0],
      method: 'verlet',
      fixedStep: h,
    });
    const angle = 2 * Math.asin((h * omega) / 2) * steps;
    const squash = Math.sqrt(1 - (h * omega) ** 2 / 4);
    expect(y[0]).toBeCloseTo(Math.cos(angle), 9); // rounding of 10 000 steps
    expect(y[1]).toBeCloseTo(-omega * squash * Math.sin(angle), 9);
    expect(statistics.accepted).toBe(steps);
    expect(statistics.evaluations).toBe(steps + 1);
    const phaseError = angle / (omega * h * steps) - 1;
    expect(phaseError / ((h * omega) ** 2 / 24)).toBeCloseTo(1, 2);
  });

  test.each([
    ['verlet', 2],
    ['symplecticEuler', 1],
  ] as const)('%s: order %i, also with damping', (method, order) => {
    for (const damping of [0, 0.5]) {
      // x = e^(−dt/2) (cos wt + d/(2w) sin wt), w² = 4 − d²/4
      const w = Math.sqrt(4 - damping ** 2 / 4);
      const exact = Math.exp((-damping * 3) / 2) * (Math.cos(3 * w) + (damping / (2 * w)) * Math.sin(3 * w));
      const error = (fixedStep: number) =>
        Math.abs(integrate(oscillator(damping), { t0: 0, t1: 3, y0: [1, 0], method, fixedStep }).y[0] - exact);
      expect(Math.abs(slope(error(0.01), error(0.005)) - order)).toBeLessThan(0.3);
    }
  });

  test('velocity Verlet keeps the energy of an orbit over 1000 revolutions', () => {
    const orbit: Problem = {
      ...twoBody,
      partition: {
        velocityStart: 2,
        velocityCount: 2,
        drift: (y, h) => {
          y[0] += h * y[2];
          y[1] += h * y[3];
        },
      },
    };
    const energy = (y: Float64Array) => (y[2] ** 2 + y[3] ** 2) / 2 - 1 / Math.sqrt(y[0] ** 2 + y[1] ** 2);
    let worst = 0;
    integrate(orbit, {
      t0: 0,
      t1: 1000 * 2 * Math.PI,
      y0: kepler(0.2, 0),
      method: 'verlet',
      fixedStep: 0.05,
      onStep: ({ y }) => {
        worst = Math.max(worst, Math.abs(energy(y) + 0.5));
      },
    });
    // bounded by the error of one revolution, h² e.g.: no drift
    expect(worst).toBeLessThan(1e-3);
    expect(worst).toBeGreaterThan(1e-5);
  });
});

// A free rigid body with inertia 1, 2, 3 spun near its middle axis: I1 ω1' = (I2 − I3) ω2 ω3 and so on. Energy and the square of the
// angular momentum are constant, and ω is given by Jacobi's elliptic functions (Landau & Lifshitz, Mechanics, §37).
test('Euler’s equations follow the elliptic functions', () => {
  const I = [1, 2, 3];
  const euler = problem(3, (_t, w, out) => {
    out[0] = ((I[1] - I[2]) * w[1] * w[2]) / I[0];
    out[1] = ((I[2] - I[0]) * w[2] * w[0]) / I[1];
    out[2] = ((I[0] - I[1]) * w[0] * w[1]) / I[2];
  });
  // Start where ω2 = 0: ω1 = a cn or dn. With 2T = Σ I ω², M² = Σ I² ω²
  const y0 = [0.02, 0, 1];
  const twice = I.reduce((sum, inertia, i) => sum + inertia * y0[i] ** 2, 0);
  const square = I.reduce((sum, inertia, i) => sum + inertia ** 2 * y0[i] ** 2, 0);
  // M² > 2T I2: ω1 = A1 cn τ, ω2 = A2 sn τ, ω3 = A3 dn τ (signs by the equations)
  const A1 = Math.sqrt((twice * I[2] - square) / (I[0] * (I[2] - I[0])));
  const A2 = Math.sqrt((twice * I[2] - square) / (I[1] * (I[2] - I[1])));
  const A3 = Math.sqrt((square - twice * I[0]) / (I[2] * (I[2] - I[0])));
  const rate = Math.sqrt(((I[2] - I[1]) * (square - twice * I[0])) / (I[0] * I[1] * I[2]));
  const m = ((I[1] - I[0]) * (twice * I[2] - square)) / ((I[2] - I[1]) * (square - twice * I[0]));
  for (const method of adaptive) {
    const { y } = integrate(euler, { t0: 0, t1: 30, y0, method, rtol: 1e-10, atol: 1e-12 });
    const [sn, cn, dn] = jacobi(rate * 30, m);
    expect(Math.abs(y[0] - A1 * cn)).toBeLessThan(1e-8);
    expect(Math.abs(y[1] - A2 * sn)).toBeLessThan(1e-8);
    expect(Math.abs(y[2] - A3 * dn)).toBeLessThan(1e-8);
  }
});

/** sn, cn, dn by descending Landen transformation (Abramowitz & Stegun, 16.4) */
function jacobi(u: number, m: number): [number, number, number] {
  const a = [1];
  const c = [Math.sqrt(m)];
  let b = Math.sqrt(1 - m);
  while (Math.abs(c.at(-1)!) > 1e-16 && a.length < 20) {
    const last = a.at(-1)!;
    a.push((last + b) / 2);
    c.push((last - b) / 2);
    b = Math.sqrt(last * b);
  }
  let n = a.length - 1;
  let angle = 2 ** n * a[n] * u;
  let before = angle;
  for (; n > 0; n--) {
    before = angle;
    angle = (angle + Math.asin((c[n] / a[n]) * Math.sin(angle))) / 2;
  }
  const [sn, cn] = [Math.sin(angle), Math.cos(angle)];
  return [sn, cn, a.length > 1 ? cn / Math.cos(before - angle) : 1];
}
