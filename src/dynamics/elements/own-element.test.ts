// Derivatives that an element gives by points of its bodies are those of its forces by the motion of two carriers: held against differences.
import { expect, test } from 'vitest';
import { assemble } from '../../assembly/assemble.js';
import { body } from '../../model/body.js';
import { type ContactElement, contactElement, type Side, type Triple } from '../../model/contact-element.js';
import { revolute } from '../../model/joints.js';
import { model } from '../../model/model.js';
import { MechanicalSystem } from '../mechanical-system.js';
import { PairDerivative } from './pair-element.js';

const solid = { mass: 2, inertia: [0.02, 0.03, 0.04] as [number, number, number] };
const [P, Q]: readonly Triple[] = [
  [0.1, -0.2, 0.15],
  [-0.05, 0.1, 0.2],
];

/** Two bodies that move and turn, one of them on a joint */
function moving(
  create: Parameters<typeof contactElement>[0]['create'],
  states = {},
): { mechanics: MechanicalSystem; y: Float64Array } {
  const mechanics = new MechanicalSystem(
    assemble(
      model({
        contacts: false,
        bodies: {
          arm: body({ ...solid, position: [0.3, 0.1, 0] }),
          stone: body({
            ...solid,
            position: [0.2, -0.3, 0.4],
            orientation: { axis: [1, 2, 3], angle: 0.7 },
            velocity: [0.3, -0.5, 0.2],
            angularVelocity: [2, -1, 3],
          }),
        },
        joints: { hinge: revolute({ body: 'arm', axis: [0, 1, 0], initialSpeed: 1.5 }) },
        elements: { pad: contactElement({ between: ['arm', 'stone'], states, create }) },
      }),
    ),
  );
  const y = Float64Array.from(mechanics.system.initial);
  mechanics.update(0, y);
  return { mechanics, y };
}

const MATRICES = [
  'byPose',
  'byTwist',
  'byState',
  'ratesByPose',
  'ratesByTwist',
  'ratesByState',
  'byTime',
  'ratesByTime',
] as const;

/** How far the derivatives that the element gives are from the differences that are taken of one that gives none, as a part of the largest entry of each matrix */
function derivativeError(create: Parameters<typeof moving>[0], states = {}): number {
  const derivative = (made: typeof create): PairDerivative => {
    const { mechanics, y } = moving(made, states);
    const [element] = mechanics.own;
    const out = new PairDerivative(element.states);
    element.differentiate(0, y, out);
    return out;
  };
  const exact = derivative(create);
  const differenced = derivative((sides) => ({ ...create(sides), differentiate: undefined as never }));
  let worst = 0;
  for (const key of MATRICES) {
    let [largest, off] = [0, 0];
    for (let i = 0; i < exact[key].length; i++) {
      largest = Math.max(largest, Math.abs(exact[key][i]), Math.abs(differenced[key][i]));
      off = Math.max(off, Math.abs(exact[key][i] - differenced[key][i]));
    }
    if (largest > 0) worst = Math.max(worst, off / largest);
  }
  return worst;
}

const MATRIX = [3, 1, 0, -2, 5, 1, 0.5, 0, 4].map((x) => -100 * x);
const DAMPING = [1, 0, 0.2, 0, 2, 0, 0.1, 0, 3].map((x) => -10 * x);
const negative = (values: Triple): number[] => Array.from(values, (x) => -x);

/** F = K (x_B − x_A) + C (v_B − v_A) + s w at Q of B, with a state that follows: s' = u · x_B + a · v_B − 4 s + (b · v_A) */
test('a force between points, and a state', () => {
  const error = derivativeError(
    ({ a, b }) => {
      const [x, z, v, w, f] = Array.from({ length: 5 }, () => new Float64Array(3));
      const along = [1, 2, -1];
      const force = (s: number): void => {
        a.place(P, x);
        b.place(Q, z);
        a.velocity(P, v);
        b.velocity(Q, w);
        for (let i = 0; i < 3; i++) {
          f[i] = s * along[i];
          for (let j = 0; j < 3; j++) f[i] += MATRIX[3 * i + j] * (z[j] - x[j]) + DAMPING[3 * i + j] * (w[j] - v[j]);
        }
      };
      return {
        evaluate(_t, [s], rates) {
          force(s);
          b.addForce(Q, f);
          a.addForce(P, negative(f));
          rates[0] = 2 * z[0] - z[2] + 3 * w[1] + 0.5 * v[2] - 4 * s;
        },
        differentiate(_t, [s], out) {
          force(s);
          out.force(1, Q, f);
          out.force(0, P, negative(f));
          for (const side of [0, 1] as const) {
            const [point, sign] = side === 0 ? [P, -1] : [Q, 1];
            for (const of of [0, 1] as const) {
              const both = sign * (of === 0 ? -1 : 1);
              out.byMotion(
                side,
                point,
                of,
                of === 0 ? P : Q,
                MATRIX.map((k) => both * k),
                DAMPING.map((k) => both * k),
              );
            }
            out.byState(
              side,
              point,
              0,
              along.map((k) => sign * k),
            );
          }
          out.rateByMotion(0, 1, Q, [2, 0, -1], [0, 3, 0]);
          out.rateByMotion(0, 0, P, [0, 0, 0], [0, 0, 0.5]);
          out.rateByState(0, 0, -4);
        },
      };
    },
    { s: { scale: 1, initial: 0.3 } },
  );
  expect(error).toBeLessThan(1e-7);
});

/** A corner of B slides on a plane that A carries, with the normal n of A: F = −k (n · (x_B − x_A)) n on B, −F on A where the corner is; and a torque by spin. */
test('a force that slides and turns with its body, a torque by spin', () => {
  const error = derivativeError(({ a, b }): ContactElement => {
    const [x, z, n, f, wa, wb, at, torque] = Array.from({ length: 8 }, () => new Float64Array(3));
    const [k, c] = [500, 0.7];
    const measure = (): number => {
      a.place(P, x);
      b.place(Q, z);
      a.direction(P, [0, 0.6, 0.8], n);
      const gap = n[0] * (z[0] - x[0]) + n[1] * (z[1] - x[1]) + n[2] * (z[2] - x[2]);
      for (let i = 0; i < 3; i++) f[i] = -k * gap * n[i];
      a.pointAt(z, at);
      a.angularVelocity(P, wa);
      b.angularVelocity(Q, wb);
      for (let i = 0; i < 3; i++) torque[i] = -c * (wb[i] - wa[i]);
      return gap;
    };
    return {
      evaluate() {
        measure();
        b.addForce(Q, f);
        b.addTorque(Q, torque);
        a.addForce(at, negative(f));
        a.addTorque(P, negative(torque));
      },
      differentiate(_t, _states, out) {
        const gap = measure();
        out.force(1, Q, f);
        out.slidingForce(0, at, negative(f), Q);
        const outer = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => -k * n[i] * n[j]));
        // dn = θ_A × n: dF = −k ((θ × n)·r n + gap θ × n) = −k (n (n × r)ᵀ + gap [·]× n) θ
        const r = [z[0] - x[0], z[1] - x[1], z[2] - x[2]];
        const turned = [n[1] * r[2] - n[2] * r[1], n[2] * r[0] - n[0] * r[2], n[0] * r[1] - n[1] * r[0]];
        const skew = [0, n[2], -n[1], -n[2], 0, n[0], n[1], -n[0], 0]; // θ × n
        const byAngle = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => -k * (n[i] * turned[j] + gap * skew[3 * i + j])));
        const none = new Float64Array(9);
        const spin = [c, 0, 0, 0, c, 0, 0, 0, c];
        for (const side of [0, 1] as Side[]) {
          const point = side === 0 ? at : Q;
          const sign = side === 0 ? -1 : 1;
          const signed = (m: readonly number[], s = sign): number[] => m.map((value) => s * value);
          out.byMotion(side, point, 1, Q, signed(outer), none);
          out.byMotion(side, point, 0, P, signed(outer, -sign), none);
          out.byTurn(side, point, 0, signed(byAngle), none);
          out.torqueByTurn(side, 1, none, signed(spin, -sign));
          out.torqueByTurn(side, 0, none, signed(spin));
        }
      },
    };
  });
  expect(error).toBeLessThan(1e-7);
});

test('a point and its place, a force and the mass that it moves', () => {
  moving(({ a, b }) => {
    const [x, p] = [new Float64Array(3), new Float64Array(3)];
    return {
      evaluate() {
        for (const carrier of [a, b]) {
          carrier.place(P, x);
          carrier.pointAt(x, p);
          for (let i = 0; i < 3; i++) expect(p[i]).toBeCloseTo(P[i], 14);
        }
      },
      accept() {
        // at the centre of mass of a free body 1/m
        expect(b.mobility([0, 0, 0], [0, 0, 1])).toBeCloseTo(0.5, 12);
        // on a hinge (r × d)²/J about it
        expect(a.mobility([1, 0, 0], [0, 0, 1])).toBeGreaterThan(0);
        expect(a.mobility([0, 0, 0], [0, 1, 0])).toBe(0);
      },
      snapshot: () => undefined,
      restore: () => {},
    };
  }).mechanics.own[0].commit!(0, new Float64Array(30));
});
