/**
 * Solves (I − e J) x = r for the whole system at the size of the velocities, J = ∂f/∂y exact.
 *
 *   [ M − e D − e² K E    Gᵀ ] [ x_v ]   [ M r_v + e K E r̃ + what the states of force elements add ]
 *   [ G − e Dc − e² Kc E  0  ] [  .  ] = [ G r_v + e Kc E r̃                                        ]
 *
 * D and K are the derivatives of forces less inertial terms by velocity and position at fixed accelerations and multipliers, G the
 * loop rows kept for the step, Dc and Kc minus the derivatives of the rows' accelerations. Positions and states of force elements
 * follow from x_v. Each island (islands.ts) is solved by itself: dense (dense-island.ts), by blocks (sparse-island.ts), by the O(n) sweep
 * (tree-sweep.ts, of parts that deform in one plane plane-sweep.ts), or, a free body alone, by its 3 × 3 matrix (free-spin.ts). Which islands there are is decided at the linearisation, by the
 * elements that act there.
 */
import type { System } from '../../assembly/system.js';
import type { JointForce } from '../elements/joint-forces.js';
import type { PairElement } from '../elements/pair-element.js';
import type { Loops } from '../loops/loops.js';
import type { Carriers } from '../tree/carriers.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import { invertSpin, spinMatrix } from '../tree/free-spin.js';
import type { GravityField } from '../tree/gravity.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { Composites } from './composites.js';
import { DenseIsland, type IslandParts } from './dense-island.js';
import { ElementStates } from './element-states.js';
import { IslandEntries } from './island-entries.js';
import { type IslandOptions, Islands } from './islands.js';
import { LoadTerms } from './load-terms.js';
import { LuPool } from './lu-pool.js';
import { Mechanisms } from './mechanisms.js';
import { PlaneSweep } from './plane-sweep.js';
import { RightSide } from './right-side.js';
import { SparseIsland } from './sparse-island.js';
import { StepColumns } from './step-columns.js';
import { TreeSweep } from './tree-sweep.js';

export interface StepMatrixParts {
  readonly system: System;
  readonly carriers: Carriers;
  readonly derivatives: TreeDerivatives;
  readonly freeBodies: FreeBodies;
  readonly gravity: GravityField;
  readonly jointForces: readonly JointForce[];
  readonly loops: Loops;
}

export class StepMatrix {
  readonly columns: StepColumns;
  /** Those of the last linearisation */
  readonly islands: Islands;
  private readonly parts: StepMatrixParts;
  readonly loads: LoadTerms;
  private readonly mechanisms: Mechanisms;
  private readonly sweep: TreeSweep;
  /** Per mechanism: what sweeps it where it deforms and stays in one plane */
  private readonly planes: readonly (PlaneSweep | undefined)[];
  private readonly pool = new LuPool();
  /** What solves each island that is dense or sparse; made once and used again */
  readonly solvers: (DenseIsland | SparseIsland | undefined)[] = [];
  private readonly dense: DenseIsland[] = [];
  private readonly sparse: SparseIsland[] = [];
  /** Per sparse one: it has an island. Per mechanism: which one had it as its first, −1 for none */
  private readonly inUse: boolean[] = [];
  private readonly lastSparse: Int32Array;
  private readonly shared: IslandParts;
  private readonly rightSide: RightSide;
  /** It leaves out nodes that planes solve for */
  private leftOut = false;
  private readonly states: ElementStates;
  private readonly diagonal: Float64Array; // per velocity: what joint forces add
  private readonly bodyInverse: Float64Array; // 9 per free body alone
  private readonly spin: Float64Array; // 3 per free body: ω at the linearisation
  private readonly shift: Float64Array; // per velocity: E r̃, then θ
  private readonly right: Float64Array; // per velocity
  private readonly scratch = new Float64Array(9);
  private e = 0;

  constructor(parts: StepMatrixParts, pairs: readonly PairElement[], options: IslandOptions = {}) {
    this.parts = parts;
    const { system, carriers, derivatives, loops, freeBodies } = parts;
    const columns = new StepColumns(system, carriers, derivatives);
    const loads = new LoadTerms(parts, pairs);
    const mechanisms = new Mechanisms(system, carriers, derivatives, freeBodies, loops);
    this.columns = columns;
    this.loads = loads;
    this.mechanisms = mechanisms;
    this.islands = new Islands(mechanisms, carriers.nodes, options);
    this.sweep = new TreeSweep(derivatives, columns);
    this.planes = mechanisms.all.map((mechanism) =>
      mechanism.flexible && mechanism.nodes.every((node) => derivatives.kinematics.plane[node] !== 0)
        ? new PlaneSweep(mechanism, derivatives, columns)
        : undefined,
    );
    this.rightSide = new RightSide({ carriers, derivatives, columns, loads, freeBodies });
    this.states = new ElementStates(carriers, columns, derivatives);
    this.states.reserve(loads.mostStates);
    this.diagonal = new Float64Array(system.nv);
    this.bodyInverse = new Float64Array(9 * carriers.free);
    this.spin = new Float64Array(3 * carriers.free);
    this.shift = new Float64Array(system.nv);
    this.right = new Float64Array(system.nv);
    this.lastSparse = new Int32Array(mechanisms.all.length).fill(-1);
    const composites = new Composites(derivatives, columns, loads);
    const { spin, diagonal } = this;
    this.shared = {
      mechanisms,
      entries: new IslandEntries({
        derivatives,
        columns,
        composites,
        loads,
        freeBodies,
        loops,
        mechanisms,
        spin,
        diagonal,
      }),
      pool: this.pool,
      firstOf: new Int32Array(mechanisms.all.length),
    };
  }

  /** Other elements from the next linearisation on */
  setPairs(pairs: readonly PairElement[]): void {
    this.loads.setPairs(pairs);
    this.states.reserve(this.loads.mostStates);
  }

  /** Islands by the terms that act, and what solves each */
  private regroup(): void {
    const { islands, loads, solvers, dense, sparse, inUse, lastSparse, shared, mechanisms, planes } = this;
    const inPlanes: Int32Array[] = [];
    this.markUnused();
    islands.group(loads);
    const { start, members, kinds, cross, modal, count } = islands;
    for (let k = 0; k < sparse.length; k++) inUse[k] = false;
    // An island that is still there keeps the order in which it is eliminated
    for (let i = 0; i < count; i++) {
      const first = members[start[i]];
      if (kinds[i] === 'sweep' && planes[first] !== undefined) inPlanes.push(mechanisms.all[first].nodes);
      const last = lastSparse[members[start[i]]];
      const found = kinds[i] === 'sparse' && last >= 0 && sparse[last].key === members[start[i]];
      solvers[i] = found ? sparse[last] : undefined;
      if (found) inUse[last] = true;
    }
    let denseCount = 0;
    let next = 0;
    for (let i = 0; i < count; i++) {
      if (kinds[i] === 'dense') {
        if (denseCount === dense.length) dense.push(new DenseIsland(shared));
        solvers[i] = dense[denseCount++];
      } else if (kinds[i] === 'sparse' && solvers[i] === undefined) {
        while (next < sparse.length && inUse[next]) next++;
        if (next === sparse.length) sparse.push(new SparseIsland(shared));
        inUse[next] = true;
        lastSparse[members[start[i]]] = next;
        solvers[i] = sparse[next];
      }
      solvers[i]?.set(members, start[i], start[i + 1], cross[i], modal[i]);
    }
    if (inPlanes.length > 0 || this.leftOut) this.rightSide.leaveOut(inPlanes);
    this.leftOut = inPlanes.length > 0;
  }

  /** Columns of free bodies whose motion nobody asks for are not kept up. */
  private markUnused(): void {
    const { columns, loads } = this;
    const { carriers, derivatives } = this.parts;
    for (let i = 0; i < carriers.free; i++) {
      const first = derivatives.size + 6 * i;
      const unused = loads.asked[carriers.nodes + i] === 0 ? 1 : 0;
      if (columns.unused[first] === unused) continue;
      columns.unused.fill(unused, first, first + 6);
      columns.column.fill(0, 6 * first, 6 * first + 36);
      columns.psi1.fill(0, 6 * first, 6 * first + 36);
    }
  }

  /** Derivatives at (t, y); the tree's derivatives and the loops' must be those of (t, y). */
  linearise(t: number, y: Float64Array): void {
    const { jointForces, derivatives, system } = this.parts;
    const { spin } = this;
    if (this.loads.linearise(t, y)) this.regroup();
    this.columns.linearise(y);
    for (let k = 0; k < jointForces.length; k++) jointForces[k].differentiate(t, y);
    for (let i = 0; i < spin.length; i++)
      spin[i] = y[system.nq + derivatives.size + 6 * Math.floor(i / 3) + 3 + (i % 3)];
  }

  /** Prepares solving with I − e J. False if that matrix is singular. */
  factorise(e: number): boolean {
    this.e = e;
    const { islands, solvers, loads, diagonal, mechanisms, planes } = this;
    const { count, kinds, start, members } = islands;
    this.columns.prepare(e);
    this.prepareJoints();
    if (!loads.prepare(e)) return false;
    mechanisms.keep(this.parts.loops.kept);
    this.pool.release();
    for (let i = 0; i < count; i++) {
      const { body, nodes } = mechanisms.all[members[start[i]]];
      if (kinds[i] === 'body') {
        if (!this.factoriseBody(body)) return false;
      } else if (kinds[i] === 'sweep') {
        const plane = planes[members[start[i]]];
        const { pose, twist, loaded } = loads;
        if (plane !== undefined) {
          if (!plane.factorise(e, pose, twist, loaded, diagonal)) return false;
        } else if (!this.sweep.factorise(e, nodes, pose, twist, loaded, diagonal)) return false;
      } else if (!solvers[i]!.factorise(e)) return false;
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
    const { e, columns, shift, right, islands, solvers, mechanisms, planes, rightSide } = this;
    const { count, kinds, start, members } = islands;
    const { nq, nv } = this.parts.system;
    columns.positions(r, shift);
    rightSide.fill(e, r, nq, shift, right);
    this.addJoints(r);
    for (let i = 0; i < count; i++) {
      const { body, nodes, velocities } = mechanisms.all[members[start[i]]];
      if (kinds[i] === 'body') this.solveBody(body, r, nq);
      else if (kinds[i] === 'sweep') {
        const plane = planes[members[start[i]]];
        if (plane !== undefined) plane.solve(r, nq, shift, rightSide.load, right);
        else this.sweep.solve(nodes, right);
        for (let k = 0; k < velocities.length; k++) r[nq + velocities[k]] = right[velocities[k]];
      } else solvers[i]!.solve(right, shift, r, nq);
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
    this.states.finish(e, loads.stateful, r, shift, right, loads.carrierTwist);
  }
}
