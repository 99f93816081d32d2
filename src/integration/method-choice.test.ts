import { describe, expect, test } from 'vitest';
import { DenseLinearSolver } from './dense-linear-solver.js';
import { ErrorMeasure } from './error-measure.js';
import { Integration, integrate, type LinearSolver, type Problem } from './index.js';
import { SpectralRadius } from './spectral-radius.js';
import { noStatistics, Rates } from './statistics.js';

/** y' = −λ(t) (y − cos t): follows cos t the closer the larger λ is. */
const following = (lambda: (t: number) => number): Problem => ({
  size: 1,
  rates(t, y, out) {
    out[0] = -lambda(t) * (y[0] - Math.cos(t));
  },
});

describe('automatic choice', () => {
  test('smooth problems stay explicit', () => {
    const { statistics } = integrate(
      following(() => 1),
      { t0: 0, t1: 50, y0: [1], rtol: 1e-6 },
    );
    expect(statistics.switches).toEqual([]);
    expect(statistics.linearisations).toBe(0);
  });

  test('stiff ones change to RODAS4 at once and stay there', () => {
    const { statistics, y } = integrate(
      following(() => 1e6),
      { t0: 0, t1: 50, y0: [1], rtol: 1e-6 },
    );
    expect(statistics.switches).toHaveLength(1);
    expect(statistics.switches[0]).toMatchObject({ from: 'dopri5', to: 'rodas4' });
    expect(statistics.switches[0].t).toBeLessThan(1e-3); // λ h = 3 in some 40 steps
    expect(statistics.accepted).toBeLessThan(3000); // stability alone would ask DOPRI5 for 15 million
    expect(y[0]).toBeCloseTo(Math.cos(50), 5);
  });

  test('and back when they are no longer stiff', () => {
    const changing = following((t) => (t < 10 ? 1e5 : 0.5));
    const { statistics } = integrate(changing, { t0: 0, t1: 40, y0: [1], rtol: 1e-6 });
    expect(statistics.switches.map(({ to }) => to)).toEqual(['rodas4', 'dopri5']);
    expect(statistics.switches[1].t).toBeGreaterThan(10);
    expect(statistics.switches[1].t).toBeLessThan(25);
  });

  test('what its owner knows to be stiff begins with the stiff method, and is explicit where it is not', () => {
    const known = (lambda: (t: number) => number): Problem => ({ ...following(lambda), stiff: true });
    const stiff = integrate(
      known(() => 1e6),
      { t0: 0, t1: 50, y0: [1], rtol: 1e-6 },
    ).statistics;
    expect(stiff.switches).toEqual([]);
    expect(stiff.linearisations).toBe(stiff.accepted);
    const smooth = integrate(
      known(() => 1),
      { t0: 0, t1: 50, y0: [1], rtol: 1e-6 },
    ).statistics;
    expect(smooth.switches.map(({ to }) => to)).toEqual(['dopri5']);
    expect(smooth.linearisations).toBeLessThanOrEqual(20); // h ρ < 1 in 15 steps
  });

  test('comes to rest where one method is as good as the other', () => {
    // driven in time, RODAS4 itself needs h ρ ≈ 1 near each turning point of sin t
    const driven: Problem = {
      size: 2,
      rates(t, y, out) {
        out[0] = y[1];
        out[1] = -1e8 * (y[0] - Math.sin(t)) - 2e2 * (y[1] - Math.cos(t));
      },
    };
    const { statistics } = integrate(driven, { t0: 0, t1: 20, y0: [0, 1], rtol: 1e-5, atol: 1e-8 });
    expect(statistics.switches.length).toBeGreaterThan(2);
    expect(statistics.switches.length).toBeLessThan(11); // two for each of six turning points otherwise
  });

  test('the stiff method can be chosen', () => {
    const { statistics } = integrate(
      following(() => 1e6),
      { t0: 0, t1: 5, y0: [1], stiffMethod: 'radau5' },
    );
    expect(statistics.switches[0].to).toBe('radau5');
  });

  test('an oscillator far faster than its tolerance needs is not taken for easy', () => {
    // stiff, damped spring: eigenvalues −1e2 ± 1e4 i; the power iteration must not be fooled by x and v differing in size
    const spring: Problem = {
      size: 2,
      rates(t, y, out) {
        out[0] = y[1];
        out[1] = -1e8 * (y[0] - Math.sin(t)) - 2e2 * (y[1] - Math.cos(t));
      },
    };
    const { statistics, y } = integrate(spring, {
      t0: 0,
      t1: 20,
      y0: [0, 1],
      rtol: 1e-5,
      atol: 1e-8,
      stiffMethod: 'rodas4p',
    });
    // Radau IIA is tried until the start has ceased to ring, then kept; once stability has sent DOPRI5 away it does not come back
    const methods = statistics.switches.map(({ to }) => to);
    expect(methods.slice(methods.indexOf('rodas4p'))).not.toContain('dopri5');
    expect(methods.length).toBeLessThan(8);
    expect(statistics.switches.at(-1)).toMatchObject({ from: 'rodas4p', to: 'radau5' });
    expect(statistics.switches.at(-1)!.reason).toMatch(/^costs 0\.\d+ of rodas4p/);
    // the forced motion is smooth: hundreds of steps where stability would ask DOPRI5 for 100 000, and RODAS4P alone takes 750
    expect(statistics.accepted).toBeLessThan(650);
    expect(y[0]).toBeCloseTo(Math.sin(20), 4);
  });
});

// What each method takes by itself is in the comments: accepted steps, and evaluations where those decide.
describe('choice by cost', () => {
  /** First-order lag of 1 ms behind sin t: a drive with fast damping */
  const lag: Problem = {
    size: 1,
    rates(t, y, out) {
      out[0] = 1e3 * (Math.sin(t) - y[0]);
    },
  };
  const lagged = (t: number): number => (Math.sin(t) - 1e-3 * Math.cos(t) + 1e-3 * Math.exp(-1e3 * t)) / (1 + 1e-6);

  test.each([
    // DOPRI5 is held by h λ = 2.7: 3 700 steps; Radau alone takes 54, with 60 of DOPRI5's before that
    [1e-6, 130],
    // h λ = 0.86: 11 880 steps, RODAS4 12 243, Radau 213
    [1e-9, 260],
  ])('a fast lag, rtol %d: DOPRI5 gives way although it is stable', (rtol, most) => {
    const output = Array.from({ length: 1001 }, (_, i) => i / 100);
    let worst = 0;
    const { statistics } = integrate(lag, {
      t0: 0,
      t1: 10,
      y0: [0],
      rtol,
      output,
      onOutput: (t, y) => {
        worst = Math.max(worst, Math.abs(y[0] - lagged(t)));
      },
    });
    expect(statistics.switches).toHaveLength(1);
    expect(statistics.switches[0]).toMatchObject({ from: 'dopri5', to: 'radau5' });
    expect(statistics.switches[0].reason).toMatch(/^costs 0\.0\d+ of dopri5: on trial: h λ = /);
    expect(statistics.accepted).toBeLessThan(most);
    // rows lie inside steps of 0.1 s: the stages of two steps tell them, a cubic was off by 400 rtol
    expect(worst).toBeLessThan(20 * rtol);
  });

  /** Ten masses, k/m = 1e6, d/m = 2e3, whose end is moved as sin t */
  const N = 10;
  const chain: Problem = {
    size: 2 * N,
    rates(t, y, out) {
      for (let i = 0; i < N; i++) {
        const j = N + i;
        const [x, v] = i > 0 ? [y[i - 1], y[j - 1]] : [Math.sin(t), Math.cos(t)];
        const [next, nextSpeed] = i < N - 1 ? [y[i + 1], y[j + 1]] : [y[i], y[j]];
        out[i] = y[j];
        out[j] = 1e6 * (x - 2 * y[i] + next) + 2e3 * (v - 2 * y[j] + nextSpeed);
      }
    },
  };
  test.each([
    // RODAS4, which the boundary of stability leads to, takes 13 457 steps and 363 000 evaluations; Radau 213
    [1e-6, ['rodas4', 'radau5'], 300],
    // DOPRI5 84 865 at h λ = 0.9, RODAS4 106 040, Radau 983
    [1e-9, ['radau5'], 1300],
  ])('a chain of stiff springs, rtol %d: the highest order pays', (rtol, methods, most) => {
    const y0 = Array.from({ length: 2 * N }, (_, i) => (i < N ? 0 : 1));
    const { statistics, y } = integrate(chain, { t0: 0, t1: 10, y0, rtol });
    expect(statistics.switches.map(({ to }) => to)).toEqual(methods);
    expect(statistics.accepted).toBeLessThan(most);
    const reference = integrate(chain, { t0: 0, t1: 10, y0, method: 'radau5', rtol: 1e-12 });
    for (let i = 0; i < N; i++) expect(Math.abs(y[i] - reference.y[i])).toBeLessThan(20 * rtol);
  });

  test('Van der Pol, ε = 1e-6, rtol 1e-9: DOPRI5 in the jumps, Radau between them', () => {
    const vanDerPol: Problem = {
      size: 2,
      rates(_t, y, out) {
        out[0] = y[1];
        out[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
      },
    };
    const run = (method: 'automatic' | 'radau5') =>
      integrate(vanDerPol, { t0: 0, t1: 2, y0: [2, -0.66], rtol: 1e-9, method }).statistics;
    const [automatic, radau] = [run('automatic'), run('radau5')];
    // RODAS4 15 665; before Radau was tried, 12 344
    expect(automatic.accepted).toBeLessThan(2200);
    expect(automatic.evaluations).toBeLessThan(radau.evaluations); // 16 320 against 22 136
    expect(automatic.switches.length).toBeLessThan(10);
  });

  test.each([1e-4, 1e-6, 1e-9])('a pendulum stays explicit, and nothing is tried: rtol %d', (rtol) => {
    const pendulum: Problem = {
      size: 2,
      rates(_t, y, out) {
        out[0] = y[1];
        out[1] = -9.81 * Math.sin(y[0]);
      },
    };
    const run = (method: 'automatic' | 'dopri5') => integrate(pendulum, { t0: 0, t1: 20, y0: [1, 0], rtol, method });
    const [automatic, explicit] = [run('automatic'), run('dopri5')];
    expect(automatic.statistics).toEqual(explicit.statistics);
    expect(automatic.y).toEqual(explicit.y);
  });

  test('a trial that is lost costs little: mildly stiff, as cheap with DOPRI5', () => {
    const mild: Problem = {
      size: 2,
      rates(_t, y, out) {
        out[0] = y[1];
        out[1] = 10 * (1 - y[0] * y[0]) * y[1] - y[0];
      },
    };
    const run = (method: 'automatic' | 'dopri5') =>
      integrate(mild, { t0: 0, t1: 50, y0: [2, 0], rtol: 1e-6, method }).statistics;
    const [automatic, explicit] = [run('automatic'), run('dopri5')];
    expect(automatic.switches.map(({ to }) => to)).toEqual([
      'radau5',
      'dopri5',
      'radau5',
      'dopri5',
      'radau5',
      'dopri5',
    ]);
    expect(automatic.evaluations).toBeLessThan(1.1 * explicit.evaluations); // 6 083 against 6 092
  });

  test('contact sends Radau away again', () => {
    const integration = new Integration(lag, { t0: 0, y0: [0], rtol: 1e-6 });
    integration.advance(5);
    expect(integration.method).toBe('radau5');
    integration.stiffen('bodies touch');
    expect(integration.method).toBe('rodas4');
    integration.advance(6);
    expect(integration.method).toBe('rodas4');
    expect(integration.statistics.switches.at(-1)).toMatchObject({ t: 5, from: 'radau5', to: 'rodas4' });
  });

  test('the work of others who share the statistics changes nothing', () => {
    const start = { t0: 0, rtol: 1e-6 };
    const statistics = noStatistics();
    const alone = new Integration(lag, { ...start, y0: [0] });
    const shared = new Integration(lag, { ...start, y0: [0], statistics });
    const other = new Integration(
      following(() => 3e3),
      { ...start, y0: [1], statistics },
    );
    while (alone.t < 10) {
      alone.step(10);
      shared.step(10);
      other.step(10);
    }
    expect(shared.t).toBe(alone.t);
    expect(shared.y).toEqual(alone.y);
    expect(statistics.switches.filter(({ reason }) => reason.startsWith('costs')).length).toBeGreaterThan(1);
  });

  test('too large for dense matrices: not tried', () => {
    const many: Problem = {
      size: 501,
      rates(t, y, out) {
        for (let i = 0; i < 501; i++) out[i] = 1e3 * (Math.sin(t) - y[i]);
      },
    };
    const { statistics } = integrate(many, { t0: 0, t1: 1, y0: new Float64Array(501), rtol: 1e-6 });
    expect(statistics.switches.filter(({ to }) => to === 'radau5')).toEqual([]);
  });
});

test('the spectral radius of an oscillator, although position and velocity differ in size', () => {
  const of: Problem = {
    size: 2,
    rates(_t, y, out) {
      out[0] = y[1];
      out[1] = -1e8 * y[0];
    },
  };
  const statistics = noStatistics();
  const rates = new Rates(of, statistics);
  const measure = new ErrorMeasure(of);
  const work = { problem: of, rates, measure, statistics, linear: new DenseLinearSolver(of, rates, measure) };
  const radius = new SpectralRadius(work);
  const [y, f] = [Float64Array.of(1, 1), new Float64Array(2)];
  rates.evaluate(0, y, f);
  expect(radius.refine(0, y, f)).toBe(Number.POSITIVE_INFINITY); // one product tells nothing yet
  for (let i = 0; i < 6; i++) expect(radius.refine(0, y, f) / 1e4).toBeCloseTo(1, 4);
});

/** Damped pendulum in a fast field, with the Jacobian scaled by `quality`. */
function withJacobian(quality: number): Problem {
  const rates: Problem['rates'] = (t, y, out) => {
    out[0] = y[1];
    out[1] = -100 * Math.sin(y[0]) - 3 * y[1] + Math.cos(5 * t);
  };
  return {
    size: 2,
    rates,
    jacobian(_t, y, out) {
      out.set([0, 1, -100 * Math.cos(y[0]) * quality, -3]);
    },
  };
}

describe('the probe of the Jacobian', () => {
  const options = { t0: 0, t1: 5, y0: [1, 0], method: 'rodas4', rtol: 1e-6 } as const;

  test('an exact Jacobian passes', () => {
    expect(integrate(withJacobian(1), options).statistics.switches).toEqual([]);
  });

  test('one that is 2 % off is noticed, and ESDIRK takes over', () => {
    const { statistics, y } = integrate(withJacobian(1.02), options);
    expect(statistics.switches).toHaveLength(1);
    expect(statistics.switches[0]).toMatchObject({ t: 0, from: 'rodas4', to: 'esdirk4' });
    expect(statistics.switches[0].reason).toMatch(/Jacobian differs .* by (1\.\d|2|2\.0) %/);
    const reference = integrate(withJacobian(1), { ...options, method: 'dop853', rtol: 1e-11, atol: 1e-11 });
    expect(y[0]).toBeCloseTo(reference.y[0], 5);
  });

  test('a missing term that appears later is noticed within fifty steps', () => {
    const late: Problem = {
      size: 2,
      rates(t, y, out) {
        out[0] = y[1];
        out[1] = -y[0] - (t > 10 ? 5 * y[0] * y[0] * y[0] : 0);
      },
      jacobian: (_t, _y, out) => out.set([0, 1, -1, 0]),
    };
    const { statistics } = integrate(late, { t0: 0, t1: 60, y0: [1, 0], method: 'rodas4', rtol: 1e-4 });
    expect(statistics.switches[0]).toMatchObject({ to: 'esdirk4' });
    expect(statistics.switches[0].t).toBeGreaterThan(10);
  });

  test('a kink in the rates is not taken for a wrong Jacobian', () => {
    // rests exactly on a kink: twice as stiff below zero as above
    const kinked: Problem = {
      size: 1,
      rates: (_t, y, out) => {
        out[0] = (y[0] < 0 ? -2e3 : -1e3) * y[0];
      },
      jacobian: (_t, _y, out) => out.fill(-1e3),
    };
    const { statistics } = integrate(kinked, { t0: 0, t1: 1, y0: [0], method: 'rodas4' });
    expect(statistics.switches).toEqual([]);
  });
});

describe('the dense solver', () => {
  const problem = withJacobian(1);
  const solver = (given: boolean) => {
    const of: Problem = given ? problem : { size: 2, rates: problem.rates };
    const measure = new ErrorMeasure(of);
    return new DenseLinearSolver(of, new Rates(of, noStatistics()), measure);
  };
  test('finite differences agree with the derivatives to 7 digits, in time too', () => {
    const [t, y, f, byTime] = [0.7, Float64Array.of(0.3, -2), new Float64Array(2), new Float64Array(2)];
    problem.rates(t, y, f);
    const [differences, exact] = [solver(false), solver(true)];
    differences.linearise(t, y, f, byTime);
    exact.linearise(t, y, f, new Float64Array(2));
    differences.jacobian.forEach((value, i) => {
      expect(Math.abs(value - exact.jacobian[i])).toBeLessThan(1e-5); // of 100
    });
    expect(byTime[1]).toBeCloseTo(-5 * Math.sin(3.5), 5);
    expect(byTime[0]).toBe(0);
  });

  test('solves (1 − e J) x = r', () => {
    const s = solver(true);
    s.linearise(0, Float64Array.of(0, 0), new Float64Array(2), new Float64Array(2));
    expect(s.factorise(0.1)).toBe(true);
    const x = Float64Array.of(1, 2);
    s.solve(x); // [1 −0.1; 10 1.3] x = (1, 2): determinant 2.3
    expect(x[0]).toBeCloseTo((1.3 + 0.2) / 2.3, 14);
    expect(x[1]).toBeCloseTo((2 - 10) / 2.3, 14);
  });
});

describe('ESDIRK', () => {
  // a mass on a wall that pushes back only when touched: J jumps at y = 0
  const bounce = (stale: boolean): Problem => {
    const stiffness = (y: number) => (y < 0 ? 1e6 : 0);
    const rates: Problem['rates'] = (_t, y, out) => {
      out[0] = y[1];
      out[1] = -stiffness(y[0]) * y[0] - (y[0] < 0 ? 200 * y[1] : 0) - 10;
    };
    let [k, d, e] = [0, 0, 0];
    const linear: LinearSolver = {
      linearise(_t, y, _f, byTime) {
        byTime.fill(0);
        k = stiffness(y[0]);
        d = y[0] < 0 ? 200 : 0;
      },
      factorise(value) {
        e = value;
        return true;
      },
      solve(r) {
        // x0 − e x1 = r0,  e k x0 + (1 + e d) x1 = r1
        const x1 = (r[1] - e * k * r[0]) / (1 + e * d + e * e * k);
        r[0] += e * x1;
        r[1] = x1;
      },
      ...(stale && { stale: (_t: number, y: Float64Array) => stiffness(y[0]) !== k }),
    };
    return { size: 2, rates, linear };
  };
  test('linearises anew inside the iteration where the owner says that J is stale', () => {
    const run = (stale: boolean) =>
      integrate(bounce(stale), { t0: 0, t1: 3, y0: [0.1, 0], method: 'esdirk4', rtol: 1e-5, atol: [1e-8, 1e-5] });
    const [without, told] = [run(false), run(true)];
    // rests on the wall, 10/1e6 deep
    expect(told.y[0]).toBeCloseTo(-1e-5, 8);
    expect(without.y[0]).toBeCloseTo(-1e-5, 8);
    expect(told.statistics.failures).toBeLessThan(0.7 * without.statistics.failures);
  });
});
