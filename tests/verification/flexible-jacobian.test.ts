// What the exact derivatives of steps are worth: the same four-bar with the derivatives of elastic forces alone (those of inertia forces, weight and loops by
// place and velocity left out) takes more than five times the steps. Another program: 481 steps at 1e-4 with exact ones, 9414 with elastic ones.
import { expect, test } from 'vitest';
import { assemble } from '../../src/assembly/assemble.js';
import { initialise, MechanicalSystem } from '../../src/dynamics/index.js';
import { freeDirections } from '../../src/dynamics/linearisation.js';
import { integrate } from '../../src/integration/index.js';
import type { LinearSolver, Problem } from '../../src/integration/problem.js';
import { factoriseLu, solveLu } from '../../src/math/dense-lu.js';
import { model } from '../../src/model/model.js';
import { flexibleFourBar } from '../fixtures/flexible-four-bar.js';

/** I − e J with q' = v, v' = −N Nᵀ (K q + D v); N M-orthonormal directions that the loops leave, so that N Nᵀ is the inverse of the mass along them */
function elasticOnly(mechanics: MechanicalSystem): LinearSolver {
  const { nq, nv, size } = mechanics;
  const jacobian = new Float64Array(size * size);
  const matrix = new Float64Array(size * size);
  const pivots = new Int32Array(size);
  return {
    exact: true, // not held against differences: they would find it out, and others lead than methods that need it exact
    linearise(t, y, _rates, byTime) {
      byTime.fill(0);
      const directions = freeDirections(mechanics, t, y);
      jacobian.fill(0);
      for (let k = 0; k < nv; k++) jacobian[k * size + nq + k] = 1;
      for (const { plan, count, coordinate, velocity } of mechanics.kinematics.flexible) {
        const { stiffness, damping } = plan;
        for (let l = 0; l < count; l++)
          for (const n of directions) {
            let [alongK, alongD] = [0, 0];
            for (let k = 0; k < count; k++) {
              alongK += n[velocity[k]] * stiffness[k * count + l];
              alongD += n[velocity[k]] * damping[k * count + l];
            }
            for (let i = 0; i < nv; i++) {
              jacobian[(nq + i) * size + coordinate[l]] -= n[i] * alongK;
              jacobian[(nq + i) * size + nq + velocity[l]] -= n[i] * alongD;
            }
          }
      }
    },
    factorise(e) {
      for (let i = 0; i < size * size; i++) matrix[i] = -e * jacobian[i];
      for (let i = 0; i < size; i++) matrix[i * size + i] += 1;
      return factoriseLu(matrix, size, pivots);
    },
    solve: (r) => solveLu(matrix, size, pivots, r),
  };
}

test('derivatives of elastic forces alone take more than five times the steps', () => {
  const mechanics = new MechanicalSystem(assemble(model(flexibleFourBar(2, 0.02))), { tolerance: { relative: 1e-4 } });
  const y0 = mechanics.system.initial.slice();
  initialise(mechanics, 0, y0);
  expect(mechanics.nq).toBe(mechanics.nv);
  const options = { t0: 0, y0, t1: 0.5, method: 'rodas4', hInitial: 1e-5 } as const;
  const { accepted } = integrate(mechanics, { ...options, maxSteps: 2000 }).statistics;
  const poorer: Problem = {
    size: mechanics.size,
    rates: (t, y, out) => mechanics.rates(t, y, out),
    linear: elasticOnly(mechanics),
    errorNorm: (error, before, after) => mechanics.errorNorm(error, before, after),
    project: (t, y) => mechanics.project(t, y),
  };
  expect(accepted).toBeLessThanOrEqual(600);
  // 8542 in all; five times as many leave it on its way
  expect(() => integrate(poorer, { ...options, maxSteps: 5 * accepted })).toThrow(/expected the end in \d+ steps/);
});
