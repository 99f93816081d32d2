import { describe, expect, test } from 'vitest';
import { randomSystem } from '../../tests/fixtures/random-system.js';
import { solveResidual } from '../../tests/fixtures/solve-residual.js';
import type { Carriers } from './carriers.js';
import { MechanicalSystem } from './mechanical-system.js';
import { addForce, lever, type PairDerivative, type PairElement, pointForcePair } from './pair-element.js';

/** A bristle between two points: F_B = −k s − d u, s' = u − a s + b δ, δ the offset and u its rate, world axes. */
class Bristle implements PairElement {
  readonly name = 'bristle';
  readonly states = 3;
  readonly timeDependent = false;
  private readonly levers = new Float64Array(6);
  constructor(
    readonly a: number,
    readonly b: number,
    readonly stateAt: number,
    private readonly carriers: Carriers,
  ) {}
  private measure() {
    const { carriers, a, b, levers } = this;
    lever(carriers, a, [0.3, 0.1, -0.2], levers, 0);
    lever(carriers, b, [-0.2, 0.4, 0.1], levers, 3);
    const { position, twist } = carriers;
    const at = (side: number, carrier: number, j: number) => {
      const r = levers.subarray(3 * side, 3 * side + 3);
      const [n, p] = [(j + 1) % 3, (j + 2) % 3];
      return [
        position[3 * carrier + j] + r[j],
        twist[6 * carrier + 3 + j] + twist[6 * carrier + n] * r[p] - twist[6 * carrier + p] * r[n],
      ];
    };
    const offset = [0, 1, 2].map((j) => at(1, b, j)[0] - at(0, a, j)[0]);
    const rate = [0, 1, 2].map((j) => at(1, b, j)[1] - at(0, a, j)[1]);
    return { offset, rate };
  }
  evaluate(_t: number, y: Float64Array, rates: Float64Array) {
    const { offset, rate } = this.measure();
    const { levers } = this;
    const f = [0, 1, 2].map((j) => -20 * y[this.stateAt + j] - 3 * rate[j]);
    for (let j = 0; j < 3; j++) rates[this.stateAt + j] = rate[j] - 5 * y[this.stateAt + j] + 0.7 * offset[j];
    addForce(this.carriers.load, this.b, levers[3], levers[4], levers[5], f[0], f[1], f[2]);
    addForce(this.carriers.load, this.a, levers[0], levers[1], levers[2], -f[0], -f[1], -f[2]);
  }
  differentiate(_t: number, y: Float64Array, out: PairDerivative) {
    const { rate } = this.measure();
    const { levers, carriers } = this;
    const force = Float64Array.from([0, 1, 2], (j) => -20 * y[this.stateAt + j] - 3 * rate[j]);
    const none = new Float64Array(9);
    pointForcePair(carriers, this.a, this.b, levers, force, none, Float64Array.of(-3, 0, 0, 0, -3, 0, 0, 0, -3), out);
    const cross = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      [0, 1, 2].map((j) => a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3]);
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? -1 : 1;
      const r = levers.subarray(3 * side, 3 * side + 3);
      const w = carriers.twist.subarray(6 * (side === 0 ? this.a : this.b));
      for (let k = 0; k < 3; k++) {
        const unit = [0, 1, 2].map((j) => (j === k ? 1 : 0));
        const arm = cross(unit, r);
        const swept = cross(w, arm);
        const moment = cross(r, unit);
        out.ratesByState[4 * k] = -5;
        for (let j = 0; j < 3; j++) {
          out.byState[3 * (6 * side + j) + k] = -20 * sign * moment[j];
          out.byState[3 * (6 * side + 3 + j) + k] = -20 * sign * unit[j];
          out.ratesByPose[12 * j + 6 * side + k] = sign * (swept[j] + 0.7 * arm[j]);
          out.ratesByPose[12 * j + 6 * side + 3 + k] = sign * 0.7 * unit[j];
          out.ratesByTwist[12 * j + 6 * side + k] = sign * arm[j];
          out.ratesByTwist[12 * j + 6 * side + 3 + k] = sign * unit[j];
        }
      }
    }
  }
  energy() {
    return 0;
  }
  power() {}
}

describe('elements with states', () => {
  // As contacts will have them: eliminated inside the step matrix. Differences of f leave 1e-9.
  test.each([
    ['node and ground', 3, -1, 1],
    ['node and ground, dense', 3, -1, 1000],
    ['two nodes', 2, 4, 1000],
    ['node and free body', 3, 5, 1000],
    ['two free bodies', 5, 6, 1000],
    ['free body and ground', 6, -1, 1000],
  ] as const)('%s', (_name, a, b, sweepFrom) => {
    const plain = randomSystem({ seed: 11, nodes: 5, freeBodies: 2, special: true });
    const initial = new Float64Array(plain.initial.length + 3);
    initial.set(plain.initial);
    initial.set([0.1, -0.2, 0.3], plain.initial.length);
    const system = { ...plain, ns: 3, initial };
    for (const swap of [false, true]) {
      const mechanics = new MechanicalSystem(system, {
        sweepFrom,
        elements: (carriers) => {
          const other = b < 0 ? carriers.ground : b;
          return [new Bristle(swap ? other : a, swap ? a : other, plain.initial.length, carriers)];
        },
      });
      for (const e of [0.01, 0.2]) expect(solveResidual(mechanics, 0.1, initial, e, 5)).toBeLessThan(1e-8);
    }
  });
});
