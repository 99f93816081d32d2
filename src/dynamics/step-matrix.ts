/**
 * Solves (I − e J) x = r for the whole system at the size of the velocities, J = ∂f/∂y exact.
 *
 *   [ M − e D − e² K E    Gᵀ ] [ x_v ]   [ M r_v + e K E r̃ + what the states of force elements add ]
 *   [ G − e Dc − e² Kc E  0  ] [  .  ] = [ G r_v + e Kc E r̃                                        ]
 *
 * D and K are the derivatives of forces less inertial terms by velocity and position at fixed accelerations and multipliers, G the
 * loop rows kept for the step, Dc and Kc minus the derivatives of the rows' accelerations. Positions and states of force elements
 * follow from x_v. Each island is solved by itself: dense (dense-island.ts), by the O(n) sweep (tree-sweep.ts), or, a free body alone, by
 * its 3 × 3 matrix (free-spin.ts).
 */
import type { System } from '../assembly/system.js';
import type { Carriers } from './carriers.js';
import { Composites } from './composites.js';
import { DenseIsland } from './dense-island.js';
import { ElementStates } from './element-states.js';
import type { FreeBodies } from './free-bodies.js';
import { invertSpin, spinMatrix } from './free-spin.js';
import type { GravityField } from './gravity.js';
import { type Island, islandsOf } from './islands.js';
import type { JointForce } from './joint-forces.js';
import { type LoadTerm, LoadTerms } from './load-terms.js';
import type { Loops } from './loops.js';
import type { PairElement } from './pair-element.js';
import { RightSide } from './right-side.js';
import { StepColumns } from './step-columns.js';
import type { TreeDerivatives } from './tree-derivatives.js';
import { TreeSweep } from './tree-sweep.js';

export interface StepMatrixParts {
  readonly system: System;
  readonly carriers: Carriers;
  readonly derivatives: TreeDerivatives;
  readonly freeBodies: FreeBodies;
  readonly gravity: GravityField;
  readonly pairs: readonly PairElement[];
  readonly jointForces: readonly JointForce[];
  readonly loops: Loops;
  /** From how many velocities the O(n) sweep is used */
  readonly sweepFrom?: number;
}

export class StepMatrix {
  readonly islands: readonly Island[];
  readonly columns: StepColumns;
  private readonly parts: StepMatrixParts;
  private readonly loads: LoadTerms;
  private readonly sweep: TreeSweep;
  /** Per island, where it is dense */
  private readonly dense: readonly (DenseIsland | undefined)[];
  /** Island of each loop row, −1 where it acts on nothing that moves */
  private readonly islandOfRow: Int32Array;
  private readonly rightSide: RightSide;
  private readonly states: ElementStates;
  private readonly diagonal: Float64Array; // per velocity: what joint forces add
  private readonly bodyInverse: Float64Array; // 9 per free body alone
  private readonly spin: Float64Array; // 3 per free body: ω at the linearisation
  private readonly shift: Float64Array; // per velocity: E r̃, then θ
  private readonly right: Float64Array; // per velocity
  private readonly scratch = new Float64Array(9);
  private e = 0;

  constructor(parts: StepMatrixParts) {
    this.parts = parts;
    const { system, carriers, derivatives, pairs, loops, freeBodies } = parts;
    const columns = new StepColumns(system, carriers, derivatives);
    const loads = new LoadTerms(parts);
    this.columns = columns;
    this.loads = loads;
    this.sweep = new TreeSweep(derivatives, columns);
    this.islands = islandsOf(
      system,
      carriers,
      derivatives,
      pairs,
      parts.sweepFrom === undefined ? {} : { sweepFrom: parts.sweepFrom },
    );
    for (let i = 0; i < carriers.free; i++)
      if (loads.loaded[carriers.nodes + i] === 0)
        columns.unused.fill(1, derivatives.size + 6 * i, derivatives.size + 6 * i + 6);

    // What belongs to which island
    const localOf = new Int32Array(system.nv);
    const islandOf = new Int32Array(system.nv);
    this.islands.forEach(({ velocities }, island) => {
      velocities.forEach((v, local) => {
        localOf[v] = local;
        islandOf[v] = island;
      });
    });
    const cross: LoadTerm[][] = this.islands.map(() => []);
    for (const term of loads.cross) {
      const first = term.velocitiesA[0] ?? term.velocitiesB[0];
      if (first !== undefined) cross[islandOf[first]].push(term);
    }
    this.islandOfRow = Int32Array.from(loops.rows, (_, row) => islandOf[loops.firstVelocity(row)] ?? -1);
    const rows = new Int32Array(this.islands.length);
    for (const island of this.islandOfRow) if (island >= 0) rows[island]++;

    const composites = new Composites(derivatives, columns, loads);
    const shared = { derivatives, columns, composites, loads, freeBodies, loops, localOf };
    this.dense = this.islands.map((island, k) =>
      island.kind === 'dense' ? new DenseIsland(island, cross[k], rows[k], shared) : undefined,
    );
    this.rightSide = new RightSide({ carriers, derivatives, columns, loads, freeBodies });
    const most = loads.withStates.reduce((states, { derivative }) => Math.max(states, derivative.states), 0);
    this.states = new ElementStates(carriers, columns, derivatives, most);
    this.diagonal = new Float64Array(system.nv);
    this.bodyInverse = new Float64Array(9 * carriers.free);
    this.spin = new Float64Array(3 * carriers.free);
    this.shift = new Float64Array(system.nv);
    this.right = new Float64Array(system.nv);
  }

  /** Derivatives at (t, y); the tree's derivatives and the loops' must be those of (t, y). */
  linearise(t: number, y: Float64Array): void {
    const { jointForces, derivatives, system } = this.parts;
    const { spin } = this;
    this.columns.linearise(y);
    this.loads.linearise(t, y);
    for (let k = 0; k < jointForces.length; k++) jointForces[k].differentiate(t, y);
    for (let i = 0; i < spin.length; i++)
      spin[i] = y[system.nq + derivatives.size + 6 * Math.floor(i / 3) + 3 + (i % 3)];
  }

  /** Prepares solving with I − e J. False if that matrix is singular. */
  factorise(e: number): boolean {
    this.e = e;
    const { islands, dense, islandOfRow, loads, diagonal, spin } = this;
    const { kept } = this.parts.loops;
    this.columns.prepare(e);
    this.prepareJoints();
    if (!loads.prepare(e)) return false;
    for (let k = 0; k < dense.length; k++) dense[k]?.clearRows();
    for (let j = 0; j < kept.length; j++) dense[islandOfRow[kept[j]]]!.addRow(kept[j]);
    for (let k = 0; k < islands.length; k++) {
      const { kind, nodes, bodies } = islands[k];
      if (kind === 'body') {
        if (!this.factoriseBody(bodies[0])) return false;
      } else if (kind === 'sweep') {
        if (!this.sweep.factorise(e, nodes, loads.pose, loads.twist, loads.loaded, diagonal)) return false;
      } else if (!dense[k]!.factorise(e, spin, diagonal)) return false;
    }
    return true;
  }

  /** − e (∂F/∂v + e ∂F/∂x) of joint forces, with the bristle eliminated */
  private prepareJoints(): void {
    const { diagonal, e } = this;
    const { jointForces } = this.parts;
    diagonal.fill(0);
    for (let k = 0; k < jointForces.length; k++) {
      const joint = jointForces[k];
      const byRate = joint.byRate + (e * joint.byState * joint.stateByRate) / (1 - e * joint.stateByState);
      diagonal[joint.velocity] -= e * byRate + e * e * joint.byCoordinate;
    }
  }

  /** A body that nothing but a uniform field acts on; its torque is zero. */
  private factoriseBody(i: number): boolean {
    const { scratch, spin, e } = this;
    spinMatrix(e, this.parts.freeBodies.moments, spin, 3 * i, scratch, 0, 3);
    return invertSpin(scratch, this.bodyInverse, 9 * i);
  }

  /** Overwrites r = (positions, velocities, states) with the solution. */
  solve(r: Float64Array): void {
    const { e, columns, shift, right, islands } = this;
    const { nq, nv } = this.parts.system;
    columns.positions(r, shift);
    this.rightSide.fill(e, r, nq, shift, right);
    this.addJoints(r);
    for (let index = 0; index < islands.length; index++) {
      const { kind, nodes, velocities, bodies } = islands[index];
      if (kind === 'dense') this.dense[index]!.solve(right, shift, r, nq);
      else if (kind === 'body') this.solveBody(bodies[0], r, nq);
      else {
        this.sweep.solve(nodes, right);
        for (let k = 0; k < velocities.length; k++) r[nq + velocities[k]] = right[velocities[k]];
      }
    }
    for (let k = 0; k < nv; k++) right[k] = r[nq + k];
    columns.finish(shift, right, r);
    this.finishStates(r);
  }

  private addJoints(r: Float64Array): void {
    const { right, shift, e } = this;
    const { jointForces } = this.parts;
    for (let i = 0; i < jointForces.length; i++) {
      const joint = jointForces[i];
      const k = joint.velocity;
      right[k] += e * joint.byCoordinate * shift[k];
      if (joint.stateAt >= 0) right[k] += (e * joint.byState * r[joint.stateAt]) / (1 - e * joint.stateByState);
    }
  }

  private solveBody(i: number, r: Float64Array, nq: number): void {
    const { right, bodyInverse: m } = this;
    const { derivatives, freeBodies } = this.parts;
    const v = derivatives.size + 6 * i;
    const b0 = right[v + 3];
    const b1 = right[v + 4];
    const b2 = right[v + 5];
    for (let j = 0; j < 3; j++) {
      r[nq + v + j] = right[v + j] / freeBodies.mass[i];
      r[nq + v + 3 + j] = m[9 * i + 3 * j] * b0 + m[9 * i + 3 * j + 1] * b1 + m[9 * i + 3 * j + 2] * b2;
    }
  }

  private finishStates(r: Float64Array): void {
    const { e, right, shift, loads } = this;
    const { jointForces } = this.parts;
    for (let i = 0; i < jointForces.length; i++) {
      const joint = jointForces[i];
      if (joint.stateAt < 0) continue;
      const s = r[joint.stateAt] + e * joint.stateByRate * right[joint.velocity];
      r[joint.stateAt] = s / (1 - e * joint.stateByState);
    }
    for (let k = 0; k < loads.withStates.length; k++)
      this.states.finish(e, loads.withStates[k], r, shift, right, loads.carrierTwist);
  }
}
