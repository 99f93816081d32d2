import { describe, expect, test } from 'vitest';
import { ErrorMeasure } from './error-measure.js';
import {
  Integration,
  IntegrationError,
  type IntegrationOptions,
  integrate,
  METHOD_NAMES,
  type Problem,
} from './index.js';

const adaptive = METHOD_NAMES.filter((name) => name !== 'verlet' && name !== 'symplecticEuler');
const problem = (size: number, rates: Problem['rates'], more: Partial<Problem> = {}): Problem => ({
  size,
  rates,
  ...more,
});
const oscillator = problem(2, (_t, y, out) => {
  out[0] = y[1];
  out[1] = -y[0];
});
const start: IntegrationOptions = { t0: 0, y0: [1, 0] };

describe('integrate', () => {
  test.each(adaptive)('%s: same bits every time, and with values read in between', (method) => {
    const plain = integrate(oscillator, { ...start, t1: 10, method });
    const again = integrate(oscillator, {
      ...start,
      t1: 10,
      method,
      output: [0, 1, 2.5, 10],
      onOutput: () => {},
    });
    expect(again.y).toEqual(plain.y);
    expect(again.statistics.accepted).toBe(plain.statistics.accepted);
  });

  test.each(adaptive)('%s: output at the times asked for, both ends included', (method) => {
    const times = [0, 0.1, 0.1, 3, 7.77, 10];
    const seen: number[] = [];
    const result = integrate(oscillator, {
      ...start,
      t1: 10,
      method,
      rtol: 1e-8,
      atol: 1e-8,
      output: times,
      onOutput: (t, y) => {
        seen.push(t);
        expect(y[0]).toBeCloseTo(Math.cos(t), 5);
        expect(y[1]).toBeCloseTo(-Math.sin(t), 5);
      },
    });
    expect(seen).toEqual(times);
    expect(result.t).toBe(10);
    expect(result.outcome).toBe('end');
  });

  test.each(adaptive)('%s: counts what it does', (method) => {
    let evaluations = 0;
    const counted = problem(2, (t, y, out) => {
      evaluations++;
      oscillator.rates(t, y, out);
    });
    const steps: number[] = [];
    const { statistics } = integrate(counted, {
      ...start,
      t1: 10,
      method,
      onStep: ({ t, tPrevious }) => steps.push(t - tPrevious),
    });
    expect(statistics.evaluations).toBe(evaluations);
    expect(statistics.accepted).toBe(steps.length);
    expect(statistics.lastStep).toBeCloseTo(steps.at(-1)!, 12);
    // the last one was cut by the end and does not count
    expect(statistics.smallestStep).toBeCloseTo(Math.min(...steps.slice(0, -1)), 12);
    expect(steps.reduce((sum, h) => sum + h, 0)).toBeCloseTo(10, 12);
  });

  test('FSAL: an accepted DOPRI5 step costs six evaluations', () => {
    const { statistics } = integrate(oscillator, { ...start, t1: 10, method: 'dopri5' });
    // one at the start, one for the first step
    expect(statistics.evaluations).toBe(2 + 6 * (statistics.accepted + statistics.rejected));
  });

  test('DOP853 pays for dense output only where it is read', () => {
    const run = (output: number[]) =>
      integrate(oscillator, { ...start, t1: 10, method: 'dop853', output, onOutput: () => {} }).statistics.evaluations;
    expect(run([5]) - run([])).toBe(3);
  });

  test.each(adaptive)('%s: the first step fits the problem, whatever its unit of time', (method) => {
    for (const omega of [1e-6, 1, 1e6]) {
      const turning = problem(2, (_t, y, out) => {
        out[0] = -omega * y[1];
        out[1] = omega * y[0];
      });
      const integration = new Integration(turning, { t0: 0, y0: [0.8, 0.6], method });
      integration.step(1e9);
      expect(integration.statistics.rejected).toBe(0);
      expect(integration.t * omega).toBeGreaterThan(1e-4);
    }
  });

  test('hMax and the guard bound every step', () => {
    const steps: number[] = [];
    const guarded = problem(2, oscillator.rates, { stepLimit: (t) => (t < 5 ? 0.05 : Number.POSITIVE_INFINITY) });
    integrate(guarded, {
      ...start,
      t1: 10,
      method: 'dop853',
      hMax: 0.3,
      onStep: ({ t, tPrevious }) => {
        if (tPrevious < 5) expect(t - tPrevious).toBeLessThan(0.05 + 1e-12);
        steps.push(t - tPrevious);
      },
    });
    expect(Math.max(...steps)).toBeCloseTo(0.3, 12);
  });

  test('after a rejection the step does not grow at once', () => {
    // a kick at t = 1 that the controller runs into
    const kicked = problem(1, (t, y, out) => {
      out[0] = t < 1 ? -0.1 * y[0] : Math.cos(300 * t) * 100;
    });
    for (const method of adaptive) {
      let rejectedBefore = 0;
      let previous = 0;
      let afterRejection = false;
      let seen = 0;
      integrate(kicked, {
        t0: 0,
        y0: [1],
        t1: 1.1,
        method,
        rtol: 1e-4,
        onStep: ({ t, tPrevious, statistics }) => {
          const h = t - tPrevious;
          const rejected = statistics.rejected > rejectedBefore;
          if (afterRejection && !rejected) {
            expect(h).toBeLessThan(previous * 1.02); // 1 % may be added to meet the end
            seen++;
          }
          afterRejection = rejected;
          rejectedBefore = statistics.rejected;
          previous = h;
        },
      });
      expect(seen).toBeGreaterThan(0);
    }
  });

  test('shouldStop, then going on', () => {
    let left = 5;
    const integration = new Integration(oscillator, { ...start, method: 'dopri5', shouldStop: () => --left === 0 });
    expect(integration.advance(10)).toBe('stopped');
    expect(integration.statistics.accepted).toBe(5);
    expect(integration.advance(10)).toBe('end');
    expect(integration.y[0]).toBeCloseTo(Math.cos(10), 4);
  });

  test('many short advances keep the planned step', () => {
    const integration = new Integration(oscillator, { ...start, method: 'dop853', rtol: 1e-6 });
    integration.advance(5);
    const planned = integration.plannedStep;
    for (let i = 1; i <= 20; i++) integration.advance(5 + i * 1e-3);
    expect(integration.statistics.lastStep).toBeLessThan(1.1e-3);
    expect(integration.plannedStep).toBeGreaterThanOrEqual(planned);
  });

  test('restart inside the last step: an island that ran ahead is taken back', () => {
    const integration = new Integration(oscillator, { ...start, method: 'rodas4', rtol: 1e-8, atol: 1e-8 });
    integration.advance(3);
    const back = 0.5 * (integration.tPrevious + integration.t);
    const y = new Float64Array(2);
    integration.interpolate(back, y);
    integration.restart(back, y);
    integration.advance(6);
    expect(integration.y[0]).toBeCloseTo(Math.cos(6), 6);
  });
});

describe('errors', () => {
  const caught = (run: () => unknown): IntegrationError => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(IntegrationError);
      return error as IntegrationError;
    }
    throw new Error('nothing was thrown');
  };

  test.each(adaptive)(
    '%s: a solution that blows up ends with a step too small, its time and its component',
    (method) => {
      // y0' = 0, y1' = y1²: y1 = 1/(1 − t)
      const blowUp = problem(2, (_t, y, out) => {
        out[0] = 0;
        out[1] = y[1] * y[1];
      });
      const error = caught(() => integrate(blowUp, { t0: 0, t1: 2, y0: [1, 1], method, maxSteps: 1e5 }));
      expect(error.time).toBeCloseTo(1, 3);
      expect(['step too small', 'rates not finite']).toContain(error.reason);
      if (error.reason === 'step too small' && method !== 'esdirk4' && method !== 'radau5')
        expect(error.component).toBe(1);
      expect(error.message).toMatch(/^t = (1\.0|0\.99)/);
    },
  );

  test.each(adaptive)(
    '%s: NaN in a stage shortens the step; where the solution itself runs into it that is said',
    (method) => {
      // real only for y ≥ 0; y = (1 − t/2)², then stuck at 0
      const root = problem(1, (_t, y, out) => {
        out[0] = y[0] < 0 ? Number.NaN : -Math.sqrt(y[0]);
      });
      expect(integrate(root, { t0: 0, t1: 1.9, y0: [1], method, rtol: 1e-6 }).y[0]).toBeCloseTo(0.0025, 5);
      const wall = problem(2, (_t, y, out) => {
        out[0] = 1;
        out[1] = y[0] > 0.5 ? Number.NaN : 0;
      });
      const error = caught(() => integrate(wall, { t0: 0, t1: 1, y0: [0, 0], method }));
      expect(error.time).toBeCloseTo(0.5, 6);
    },
  );

  test('a manifold that cannot be reached', () => {
    const error = caught(() =>
      integrate(problem(2, oscillator.rates, { project: (t) => t < 0.5 }), { ...start, t1: 1, method: 'dopri5' }),
    );
    expect(error.time).toBeCloseTo(0.5, 6);
    expect(error.message).toMatch(/cannot be put back on its manifold/);
  });

  test('a state beyond the largest number is not accepted', () => {
    const huge = problem(1, (_t, _y, out) => out.fill(1e308));
    const error = caught(() => integrate(huge, { t0: 0, y0: [0], t1: 10, method: 'dopri5' }));
    expect(error.component).toBe(0);
    expect(error.time).toBeLessThan(1.8);
  });

  test('a guard that answers NaN', () => {
    const nonsense = problem(2, oscillator.rates, { stepLimit: () => Number.NaN });
    expect(() => integrate(nonsense, { ...start, t1: 1, method: 'dopri5' })).toThrow(IntegrationError);
  });

  test('hMin: steps that would have to be shorter are an error, the last one may be', () => {
    expect(integrate(oscillator, { ...start, t1: 1.001, hMin: 0.01, hMax: 0.1, method: 'dop853' }).y[0]).toBeCloseTo(
      Math.cos(1.001),
      6,
    );
    const error = caught(() => integrate(oscillator, { ...start, t1: 10, hMin: 0.5, rtol: 1e-10, method: 'dopri5' }));
    expect(error.reason).toBe('step too small');
  });

  test('rates that are not finite at the start', () => {
    const error = caught(() =>
      integrate(
        problem(2, (_t, _y, out) => out.set([0, Number.NaN])),
        { ...start, t1: 1 },
      ),
    );
    expect(error.reason).toBe('rates not finite');
    expect(error.component).toBe(1);
    expect(error.message).toBe('t = 0: expected finite rates, got NaN for component 1');
  });

  test('too many steps', () => {
    const error = caught(() => integrate(oscillator, { ...start, t1: 1000, method: 'dopri5', maxSteps: 50 }));
    expect(error.reason).toBe('too many steps');
  });

  test.each<[string, Partial<IntegrationOptions>, RegExp]>([
    ['t0', { t0: Number.NaN }, /^t0: expected a finite time, got NaN/],
    ['y0', { y0: [1] }, /^y0: expected 2 numbers, one per component, got 1/],
    ['y0[1]', { y0: [1, Number.POSITIVE_INFINITY] }, /^y0\[1\]: expected a finite number/],
    ['method', { method: 'rodas5' as never }, /no method "rodas5"; did you mean "rodas4"\?/],
    ['fixedStep', { method: 'verlet' }, /^fixedStep: expected a step > 0 for the method "verlet", got undefined/],
    ['partition', { method: 'verlet', fixedStep: 1 }, /partition/],
    ['rtol', { rtol: -1 }, /^rtol: expected a number ≥ 0, got -1/],
    ['atol', { atol: [1] }, /^atol: expected one number, or 2 of them/],
    ['atol, rtol', { atol: 0, rtol: 0 }, /^atol\[0\]: expected rtol or atol > 0/],
    ['hMax', { hMax: 0 }, /^hMax: expected a step > 0, got 0/],
  ])('bad %s', (_, options, message) => {
    expect(() => integrate(oscillator, { ...start, t1: 1, ...options })).toThrow(message);
  });

  test('a limit that lies behind', () => {
    expect(() => integrate(oscillator, { ...start, t1: -1 })).toThrow(/^limit: expected a time ≥ 0, got -1/);
  });
});

describe('projection', () => {
  const normalise = (_t: number, y: Float64Array): boolean => {
    const r = Math.sqrt(y[0] * y[0] + y[1] * y[1]);
    y[0] /= r;
    y[1] /= r;
    return true;
  };

  test.each(adaptive)('%s: the state stays on its manifold and the order is kept', (method) => {
    const circle = problem(2, oscillator.rates, { project: normalise });
    const interior = new Float64Array(2);
    const { y } = integrate(circle, {
      ...start,
      t1: 10,
      method,
      rtol: 1e-7,
      atol: 1e-7,
      onStep: (integration) => {
        expect(Math.sqrt(integration.y[0] ** 2 + integration.y[1] ** 2)).toBeCloseTo(1, 14);
        // values in between join both projected ends
        const { t, tPrevious } = integration;
        integration.interpolate(t - 1e-9 * (t - tPrevious), interior);
        expect(interior[0]).toBeCloseTo(integration.y[0], 8);
      },
    });
    expect(y[0]).toBeCloseTo(Math.cos(10), 5);
  });

  test('a projection that changes y makes DOPRI5 evaluate again', () => {
    const free = integrate(oscillator, { ...start, t1: 10, method: 'dopri5' }).statistics;
    const held = integrate(problem(2, oscillator.rates, { project: normalise }), {
      ...start,
      t1: 10,
      method: 'dopri5',
    }).statistics;
    const perStep = (s: typeof free) => (s.evaluations - 2 - 6 * s.rejected) / s.accepted;
    expect(perStep(free)).toBe(6);
    expect(perStep(held)).toBeGreaterThan(6.9); // here and there the length is 1 already
  });

  test('a refused projection is tried again with a shorter step, and the one after it passes a point that refuses', () => {
    const tried: number[] = [];
    // Nothing can be projected within 1e-9 of t = 1, where the first step wants to end
    const picky = problem(2, oscillator.rates, {
      project(t) {
        tried.push(t);
        return Math.abs(t - 1) > 1e-9;
      },
    });
    const integration = new Integration(picky, { ...start, method: 'dopri5', hInitial: 1, hMax: 1, rtol: 1e-2 });
    integration.step(3);
    expect(tried).toEqual([1, 0.7]);
    integration.step(3);
    expect(integration.t).toBeGreaterThan(1.1);
    expect(integration.statistics.rejected).toBe(1);
  });
});

describe('fixed steps', () => {
  const falling = problem(
    2,
    (_t, y, out) => {
      out[0] = y[1];
      out[1] = -10;
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

  test('times do not drift, the last step meets the end', () => {
    const times: number[] = [];
    integrate(falling, { ...start, t1: 1.05, method: 'verlet', fixedStep: 0.1, onStep: ({ t }) => times.push(t) });
    expect(times).toHaveLength(11);
    times.slice(0, 10).forEach((t, i) => {
      expect(t).toBe((i + 1) * 0.1);
    });
    expect(times[10]).toBe(1.05);
  });

  test('velocity Verlet is exact for a constant force, between steps too', () => {
    integrate(falling, {
      ...start,
      t1: 2,
      method: 'verlet',
      fixedStep: 0.1,
      output: [0.05, 0.333, 1.99],
      onOutput: (t, y) => {
        expect(y[0]).toBeCloseTo(1 - 5 * t * t, 12);
      },
    });
  });

  test('a value that is not finite cannot be mended by a shorter step', () => {
    const broken = { ...falling, rates: (_t: number, _y: Float64Array, out: Float64Array) => out.set([0, 1 / 0]) };
    expect(() => integrate(broken, { ...start, t1: 1, method: 'verlet', fixedStep: 0.1 })).toThrow(
      /not finite|finite rates/,
    );
  });
});

describe('error measure', () => {
  test('the largest component against its own tolerance', () => {
    const measure = new ErrorMeasure(oscillator, { rtol: [0, 1e-3], atol: [1e-2, 0] });
    const error = Float64Array.of(1e-2, 1e-3);
    expect(measure.norm(error, Float64Array.of(5, 1), Float64Array.of(7, -4))).toBe(1);
    expect(measure.worst(error, Float64Array.of(5, 1), Float64Array.of(7, -4))).toBe(0);
    expect(measure.norm(error, Float64Array.of(5, 0.1), Float64Array.of(7, 0.25))).toBe(4);
    expect(measure.worst(error, Float64Array.of(5, 0.1), Float64Array.of(7, 0.25))).toBe(1);
    expect(measure.norm(Float64Array.of(Number.NaN, 0), error, error)).toBeNaN();
    expect(measure.norm(new Float64Array(2), new Float64Array(2), new Float64Array(2))).toBe(0); // 0/0 is no error
  });

  test('a problem’s own norm decides the steps, and names the component in the statistics', () => {
    const own = (factor: number) =>
      problem(2, oscillator.rates, {
        errorNorm: (error) => factor * Math.max(Math.abs(error[0]), Math.abs(error[1])),
        worstComponent: () => 7,
      });
    const steps = (factor: number) => integrate(own(factor), { ...start, t1: 10, method: 'dopri5' }).statistics;
    expect(steps(1e8).accepted).toBeGreaterThan(4 * steps(1e4).accepted);
    expect(steps(1e8).smallestStepComponent).toBe(7);
  });
});

describe('retreat', () => {
  test.each(adaptive)('%s: a step that ended earlier, with the same values up to there', (method) => {
    const integration = new Integration(oscillator, { ...start, method, rtol: 1e-6, atol: 1e-6 });
    for (let i = 0; i < 5; i++) integration.step(10);
    const { t, tPrevious } = integration;
    const s = tPrevious + 0.4 * (t - tPrevious);
    const between = [0.1, 0.3, 0.4].map((part) => tPrevious + part * (t - tPrevious));
    const values = between.map((time) => {
      const y = new Float64Array(2);
      integration.interpolate(time, y);
      return [...y];
    });
    integration.retreat(s);
    expect(integration.t).toBe(s);
    expect([...integration.y]).toEqual(values[2]);
    between.forEach((time, i) => {
      const y = new Float64Array(2);
      integration.interpolate(time, y);
      expect([...y]).toEqual(values[i]);
    });
    // goes on from there as well as before: cos t to what rtol allows over some 20 steps
    integration.advance(10);
    expect(integration.y[0]).toBeCloseTo(Math.cos(10), 4);
  });

  test('goes back again, and to the very start of the step', () => {
    const integration = new Integration(oscillator, { ...start, method: 'dopri5', hInitial: 0.1 });
    integration.step(10);
    const { tPrevious, t } = integration;
    integration.retreat(0.5 * (tPrevious + t));
    integration.retreat(tPrevious);
    expect([...integration.y]).toEqual([1, 0]);
    expect(() => integration.retreat(t)).toThrow(/expected a time of the last step/);
  });

  test('a crossing beyond it is located when it is reached again', () => {
    const integration = new Integration(oscillator, {
      ...start,
      method: 'dop853',
      rtol: 1e-10,
      atol: 1e-10,
      crossings: [{ name: 'down', value: (_t, y) => y[0], stops: false }],
    });
    while (integration.located.length === 0) integration.step(10);
    const first = integration.located[0].t;
    integration.retreat(0.5 * (integration.tPrevious + first));
    do integration.step(10);
    while (integration.located.length === 0);
    expect(integration.located[0].t).toBeCloseTo(first, 9);
    expect(first).toBeCloseTo(Math.PI / 2, 8);
  });
});
