/** Claims about integrators (row M3): published problems with reference end values to 15 and more digits. */
import { integrate } from '../integration/integration.js';
import type { MethodName } from '../integration/method-name.js';
import type { Check } from './check.js';

interface Reference {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly start: readonly number[];
  readonly end: number;
  readonly expected: readonly number[];
  readonly method: MethodName | 'automatic';
  readonly rtol: number;
  readonly atol: number;
  /** What an error is relative to: the largest component, or each its own where they differ by powers of ten */
  readonly relativeTo: 'largest' | 'each';
  /** Largest relative error that passes: what the tolerance asks per step, times how the problem magnifies errors */
  readonly limit: number;
  readonly rates: (t: number, y: Float64Array, out: Float64Array) => void;
}

const kepler: Reference['rates'] = (_, y, out) => {
  const r2 = y[0] * y[0] + y[1] * y[1];
  const r3 = r2 * Math.sqrt(r2);
  out[0] = y[2];
  out[1] = y[3];
  out[2] = -y[0] / r3;
  out[3] = -y[1] / r3;
};

const MU = 0.012277471;
const arenstorf: Reference['rates'] = (_, [x, y, vx, vy], out) => {
  const d1 = (x + MU) * (x + MU) + y * y;
  const d2 = (x - 1 + MU) * (x - 1 + MU) + y * y;
  const a = (1 - MU) / (d1 * Math.sqrt(d1));
  const b = MU / (d2 * Math.sqrt(d2));
  out[0] = vx;
  out[1] = vy;
  out[2] = x + 2 * vy - a * (x + MU) - b * (x - 1 + MU);
  out[3] = y - 2 * vx - a * y - b * y;
};

const vanDerPol: Reference['rates'] = (_, y, out) => {
  out[0] = y[1];
  out[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
};

const robertson: Reference['rates'] = (_, y, out) => {
  out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  out[2] = 3e7 * y[1] * y[1];
  out[1] = -out[0] - out[2];
};

const HAIRER = 'Hairer, Nørsett & Wanner; Hairer & Wanner; end values computed in quadruple precision by two methods';

const references: readonly Reference[] = [
  {
    id: 'TWOBODY',
    title: 'two bodies, eccentricity 0.6, t = 20, DOP853 at 1e-10: largest relative error',
    source: 'closed form by Kepler’s equation',
    start: [0.4, 0, 0, 2],
    end: 20,
    expected: [-0.7700755784112404, 0.7883448169944244, -0.8941837319886915, -0.12346176415844096],
    method: 'dop853',
    rtol: 1e-10,
    atol: 1e-12,
    relativeTo: 'largest',
    limit: 1e-8,
    rates: kepler,
  },
  {
    id: 'ARENSTORF',
    title: 'Arenstorf orbit, t = 8, DOPRI5 at 1e-10: largest relative error',
    source: HAIRER,
    start: [0.994, 0, 0, -2.0015851063790824],
    end: 8,
    expected: [-1.1745535072769004, -0.27594507701453846, -0.2531707499679332, 0.44737674785987463],
    method: 'dopri5',
    rtol: 1e-10,
    atol: 1e-12,
    relativeTo: 'largest',
    limit: 1e-8,
    rates: arenstorf,
  },
  {
    id: 'VANDERPOL',
    title: 'Van der Pol, stiffness 1e6, t = 2, RODAS4 at 1e-8: largest relative error',
    source: HAIRER,
    start: [2, 0],
    end: 2,
    expected: [1.706167732170465, -0.8928097010248165],
    method: 'rodas4',
    rtol: 1e-8,
    atol: 1e-10,
    relativeTo: 'each',
    limit: 1e-7,
    rates: vanDerPol,
  },
  {
    id: 'ROBERTSON',
    title: 'Robertson’s reaction, t = 4e5, Radau IIA at 1e-9: largest relative error',
    source: HAIRER,
    start: [1, 0, 0],
    end: 4e5,
    expected: [0.004938274520979815, 1.9849940879543756e-8, 0.9950617056290793],
    method: 'radau5',
    rtol: 1e-9,
    atol: 1e-15,
    relativeTo: 'each',
    limit: 1e-9,
    rates: robertson,
  },
];

export const integratorChecks: readonly Check[] = references.map(
  ({ id, title, source, start, end, expected, method, rtol, atol, relativeTo, limit, rates }) => ({
    id,
    title,
    source,
    limit,
    measure: () => {
      const { y } = integrate({ size: start.length, rates }, { t0: 0, t1: end, y0: start, method, rtol, atol });
      const largest = Math.max(...expected.map(Math.abs));
      const value = Math.max(
        ...expected.map(
          (reference, i) => Math.abs(y[i] - reference) / (relativeTo === 'each' ? Math.abs(reference) : largest),
        ),
      );
      return { value, reference: 0 };
    },
  }),
);
