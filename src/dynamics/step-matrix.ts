/**
 * Solves (I − e J) x = r for the whole system at the size of the velocities, J = ∂f/∂y exact.
 *
 *   [ M − e D − e² K E    Gᵀ ] [ x_v ]   [ M r_v + e K E r̃ + what the states of force elements add ]
 *   [ G − e Dc − e² Kc E  0  ] [  .  ] = [ G r_v + e Kc E r̃                                        ]
 *
 * D and K are the derivatives of forces less inertial terms by velocity and position at fixed accelerations and multipliers, G the
 * loop rows kept for the step, Dc and Kc minus the derivatives of the rows' accelerations. Positions and states of force elements
 * follow from x_v. Each island is solved by itself: dense, or by the O(n) sweep (tree-sweep.ts).
 */
import type { System } from '../assembly/system.js';
import type { Carriers } from './carriers.js';
import { DenseLU } from './dense-lu.js';
import type { FreeBodies } from './free-bodies.js';
import type { GravityField } from './gravity.js';
import { type Island, islandsOf } from './islands.js';
import type { JointForce } from './joint-forces.js';
import { PairBlocks } from './load-derivatives.js';
import type { Loops } from './loops.js';
import { PairDerivative, type PairElement } from './pair-element.js';
import { StepColumns } from './step-columns.js';
import { addCrossForce, addInertia, type TreeDerivatives } from './tree-derivatives.js';
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

interface Term {
  /** Index of the element's state in y, −1 for loops and gravity */
  readonly stateAt: number;
  readonly derivative: PairDerivative;
  readonly blocks: PairBlocks;
}

export class StepMatrix {
  readonly islands: readonly Island[];
  readonly columns: StepColumns;
  private readonly parts: StepMatrixParts;
  private readonly sweep: TreeSweep;
  /** One per pair element, then one per constraint (the turning of its reaction), then one per node under non-uniform gravity */
  private readonly terms: readonly Term[];
  private readonly cross: readonly Term[];
  private readonly pose: Float64Array; // 36 per carrier: X''
  private readonly twist: Float64Array; // 36 per carrier: C
  private readonly loaded: Uint8Array;
  private readonly loadedCarriers: Int32Array;
  private readonly composite: {
    inertia: Float64Array;
    coriolis: Float64Array;
    pose: Float64Array;
    twist: Float64Array;
  };
  private readonly compositeLoaded: Uint8Array;
  private readonly diagonal: Float64Array;
  private readonly rowsOf: readonly number[][]; // loop rows per island, refreshed at each factorisation
  private readonly factors: (DenseLU | undefined)[];
  private readonly localOf: Int32Array;
  /** Island of each velocity */
  private readonly islandOf: Int32Array;
  private readonly bodyInverse: Float64Array; // 9 per free body alone
  private readonly shift: Float64Array; // E r̃, then θ
  private readonly right: Float64Array;
  private readonly load: Float64Array; // 6 per carrier
  private readonly rise: Float64Array; // 18 per carrier: Σ (s r_v − e ψ₂ ρ), Σ −e ψ₁ ρ, Σ s ρ
  private readonly stateRight: Float64Array;
  private readonly spin: Float64Array;
  /** 9 per free body under non-uniform gravity: m ∇g */
  private readonly freeGradient: Float64Array;
  /** Twists of the carriers at the linearisation; stages that come after move the carriers on. */
  private readonly carrierTwist: Float64Array;
  private readonly scratch = new Float64Array(18);
  private readonly work: Float64Array;
  private e = 0;

  constructor(parts: StepMatrixParts) {
    this.parts = parts;
    const { system, carriers, derivatives, pairs } = parts;
    this.columns = new StepColumns(system, carriers, derivatives);
    this.sweep = new TreeSweep(derivatives, this.columns);
    this.islands = islandsOf(
      system,
      carriers,
      derivatives,
      pairs,
      parts.sweepFrom === undefined ? {} : { sweepFrom: parts.sweepFrom },
    );
    const term = (a: number, b: number, states: number, stateAt: number): Term => ({
      stateAt,
      derivative: new PairDerivative(states),
      blocks: new PairBlocks(a, b, states, carriers, derivatives),
    });
    const terms = pairs.map((pair) => term(pair.a, pair.b, pair.states, pair.stateAt));
    for (const { a, b } of parts.loops.groups) terms.push(term(a, b, 0, -1));
    if (system.gravity.kind !== 'uniform')
      for (let i = 0; i < carriers.nodes; i++) terms.push(term(carriers.ground, i, 0, -1));
    this.freeGradient = new Float64Array(system.gravity.kind === 'uniform' ? 0 : 9 * carriers.free);
    this.terms = terms;
    this.cross = terms.filter(({ blocks: { a, b } }) => a !== carriers.ground && b !== carriers.ground);
    const count = carriers.ground + 1;
    this.pose = new Float64Array(36 * count);
    this.twist = new Float64Array(36 * count);
    this.loaded = new Uint8Array(count);
    for (const { blocks } of terms) this.loaded[blocks.a] = this.loaded[blocks.b] = 1;
    if (this.freeGradient.length > 0) this.loaded.fill(1, carriers.nodes, carriers.ground);
    this.loadedCarriers = Int32Array.from(this.loaded.keys()).filter((carrier) => this.loaded[carrier] !== 0);
    for (let i = 0; i < carriers.free; i++)
      if (this.loaded[carriers.nodes + i] === 0)
        this.columns.unused.fill(1, derivatives.size + 6 * i, derivatives.size + 6 * i + 6);
    const n = carriers.nodes;
    this.composite = {
      inertia: new Float64Array(10 * n),
      coriolis: new Float64Array(12 * n),
      pose: new Float64Array(36 * n),
      twist: new Float64Array(36 * n),
    };
    this.compositeLoaded = new Uint8Array(n);
    this.diagonal = new Float64Array(system.nv);
    this.rowsOf = this.islands.map(() => []);
    this.factors = this.islands.map(() => undefined);
    this.localOf = new Int32Array(system.nv);
    this.islandOf = new Int32Array(system.nv);
    this.islands.forEach(({ velocities }, island) => {
      velocities.forEach((v, index) => {
        this.localOf[v] = index;
        this.islandOf[v] = island;
      });
    });
    this.bodyInverse = new Float64Array(9 * carriers.free);
    this.shift = new Float64Array(system.nv);
    this.right = new Float64Array(system.nv);
    this.load = new Float64Array(6 * count);
    this.rise = new Float64Array(18 * count);
    this.stateRight = new Float64Array(system.ns);
    this.spin = new Float64Array(3 * carriers.free);
    this.carrierTwist = new Float64Array(6 * count);
    this.work = new Float64Array(system.nv + parts.loops.rows.length);
  }

  /** Derivatives at (t, y); the tree's derivatives and the loops' must be those of (t, y). */
  linearise(t: number, y: Float64Array): void {
    const { pairs, jointForces, loops, derivatives, system } = this.parts;
    this.columns.linearise(y);
    this.carrierTwist.set(this.parts.carriers.twist);
    pairs.forEach((pair, i) => {
      this.terms[i].derivative.clear();
      pair.differentiate(t, y, this.terms[i].derivative);
    });
    for (const joint of jointForces) joint.differentiate(t, y);
    loops.groups.forEach((_, i) => {
      const { derivative } = this.terms[pairs.length + i];
      derivative.clear();
      loops.differentiateReaction(i, derivative);
    });
    if (system.gravity.kind !== 'uniform') this.gravityTerms(pairs.length + loops.groups.length);
    for (let i = 0; i < this.spin.length; i++)
      this.spin[i] = y[system.nq + derivatives.size + 6 * Math.floor(i / 3) + 3 + (i % 3)];
  }

  /** F = m g(x) at the centre of mass: δF = m ∇g (δc + θ × r), torque r × F */
  private gravityTerms(first: number): void {
    const { carriers, gravity, system, derivatives } = this.parts;
    const { position, nodes } = carriers;
    const { centre, tree } = derivatives.kinematics;
    for (let i = 0; i < carriers.free; i++) {
      const at = 3 * (nodes + i);
      gravity.gradientAt(position[at], position[at + 1], position[at + 2]);
      for (let j = 0; j < 9; j++) this.freeGradient[9 * i + j] = system.free.mass[i] * gravity.gradient[j];
    }
    for (let i = 0; i < nodes; i++) {
      const { derivative } = this.terms[first + i];
      derivative.clear();
      const mass = tree.mass[i];
      if (mass === 0) continue;
      const r = centre.subarray(3 * i, 3 * i + 3);
      gravity.gradientAt(position[3 * i] + r[0], position[3 * i + 1] + r[1], position[3 * i + 2] + r[2]);
      const f = gravity.value;
      const { byPose, wrench } = derivative;
      for (let column = 0; column < 6; column++) {
        const d = [0, 0, 0];
        if (column < 3) {
          d[(column + 1) % 3] = -r[(column + 2) % 3];
          d[(column + 2) % 3] = r[(column + 1) % 3];
        } else d[column - 3] = 1;
        const dF = [0, 1, 2].map((k) => {
          const g = 3 * k;
          return mass * (gravity.gradient[g] * d[0] + gravity.gradient[g + 1] * d[1] + gravity.gradient[g + 2] * d[2]);
        });
        for (let k = 0; k < 3; k++) {
          const n = (k + 1) % 3;
          const p = (k + 2) % 3;
          const turning = column < 3 ? mass * (d[n] * f[p] - d[p] * f[n]) : 0;
          byPose[12 * (6 + k) + 6 + column] = r[n] * dF[p] - r[p] * dF[n] + turning;
          byPose[12 * (9 + k) + 6 + column] = dF[k];
        }
      }
      for (let k = 0; k < 3; k++) {
        const n = (k + 1) % 3;
        const p = (k + 2) % 3;
        wrench[6 + k] = mass * (r[n] * f[p] - r[p] * f[n]);
        wrench[9 + k] = mass * f[k];
      }
    }
  }

  factorise(e: number): boolean {
    this.e = e;
    const { jointForces, carriers, loops } = this.parts;
    const { pose, twist } = this;
    this.columns.prepare(e);

    // Joint forces: − e (∂F/∂v + e ∂F/∂x) with the bristle eliminated
    this.diagonal.fill(0);
    for (const joint of jointForces) {
      const byRate = joint.byRate + (e * joint.byState * joint.stateByRate) / (1 - e * joint.stateByState);
      this.diagonal[joint.velocity] -= e * byRate + e * e * joint.byCoordinate;
    }

    // Own blocks of loads
    for (const carrier of this.loadedCarriers) {
      pose.fill(0, 36 * carrier, 36 * carrier + 36);
      twist.fill(0, 36 * carrier, 36 * carrier + 36);
    }
    for (const { blocks, derivative } of this.terms) {
      if (!blocks.update(derivative, this.carrierTwist, e)) return false;
      for (let side = 0; side < 2; side++) {
        const carrier = side === 0 ? blocks.a : blocks.b;
        if (carrier === carriers.ground) continue;
        const at = 36 * carrier;
        const from = 78 * side; // 12 · 6 + 6
        for (let i = 0; i < 6; i++)
          for (let j = 0; j < 6; j++) {
            pose[at + 6 * i + j] += blocks.pose[from + 12 * i + j];
            twist[at + 6 * i + j] += blocks.twist[from + 12 * i + j];
          }
      }
    }

    for (let k = 0; k < this.freeGradient.length; k++) {
      const at = 36 * (carriers.nodes + Math.floor(k / 9));
      pose[at + 6 * (3 + Math.floor((k % 9) / 3)) + 3 + (k % 3)] += this.freeGradient[k];
    }

    // Loop rows of each island
    for (const rows of this.rowsOf) rows.length = 0;
    for (const row of loops.kept) this.rowsOf[this.islandOf[loops.firstVelocity(row)]].push(row);

    for (let k = 0; k < this.islands.length; k++) {
      const island = this.islands[k];
      if (island.kind === 'body') {
        if (!this.factoriseBody(island.bodies[0])) return false;
      } else if (island.kind === 'sweep') {
        if (!this.sweep.factorise(e, island.nodes, pose, twist, this.loaded, this.diagonal)) return false;
      } else if (!this.factoriseDense(k)) return false;
    }
    return true;
  }

  /** J − e ([J ω] − [ω] J) of a body that nothing but a uniform field acts on; its torque is zero. */
  private factoriseBody(i: number): boolean {
    const { e, spin } = this;
    const { moments } = this.parts.freeBodies;
    const m = this.scratch;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) m[3 * r + c] = this.gyration(moments, 3 * i, spin, r, c, e);
    return invert3(m, this.bodyInverse, 9 * i);
  }

  /** Entry of J − e ([J ω] − [ω] J); a moment of zero leaves the velocity as it is. */
  private gyration(moments: Float64Array, at: number, w: Float64Array, r: number, c: number, e: number): number {
    if (moments[at + r] === 0) return r === c ? 1 : 0;
    if (r === c) return moments[at + r];
    const k = 3 - r - c;
    // [a]_rc = ∓ a_k: − for c = r + 1 (cyclic)
    const sign = (r + 1) % 3 === c ? -1 : 1;
    return -e * sign * (moments[at + k] - moments[at + c]) * w[at + k];
  }

  private factoriseDense(index: number): boolean {
    const { e, columns, localOf, diagonal, composite, compositeLoaded } = this;
    const { derivatives, carriers, freeBodies, loops } = this.parts;
    const island = this.islands[index];
    const rows = this.rowsOf[index];
    const n = island.velocities.length;
    const size = n + rows.length;
    let lu = this.factors[index];
    if (!lu || lu.size !== size) this.factors[index] = lu = new DenseLU(size);
    const w = lu.matrix;
    w.fill(0);
    const { tree } = derivatives.kinematics;
    const { alpha, beta, chi, column, rotorOf } = columns;
    const { scratch } = this;

    // Composites over subtrees
    for (const i of island.nodes) {
      for (let j = 0; j < 10; j++)
        composite.inertia[10 * i + j] = tree.mass[i] === 0 ? 0 : derivatives.inertia[10 * i + j];
      for (let j = 0; j < 12; j++)
        composite.coriolis[12 * i + j] = tree.mass[i] === 0 ? 0 : derivatives.coriolis[12 * i + j];
      compositeLoaded[i] = this.loaded[i];
      for (let j = 0; j < 36; j++) {
        composite.pose[36 * i + j] = this.pose[36 * i + j];
        composite.twist[36 * i + j] = this.twist[36 * i + j];
      }
    }
    for (let at = island.nodes.length - 1; at >= 0; at--) {
      const i = island.nodes[at];
      const p = tree.parent[i];
      if (p < 0) continue;
      for (let j = 0; j < 10; j++) composite.inertia[10 * p + j] += composite.inertia[10 * i + j];
      for (let j = 0; j < 12; j++) composite.coriolis[12 * p + j] += composite.coriolis[12 * i + j];
      if (compositeLoaded[i] === 0) continue;
      compositeLoaded[p] = 1;
      for (let j = 0; j < 36; j++) {
        composite.pose[36 * p + j] += composite.pose[36 * i + j];
        composite.twist[36 * p + j] += composite.twist[36 * i + j];
      }
    }

    // W_ik = S_i · (I_m α + e (B − C)_m β − e² X''_m χ)_k, + e² S_i · (s ×* f_k) E where i is above k
    for (const i of island.nodes) {
      const v = tree.v[i];
      if (v < 0) continue;
      const count = rotorOf[v] < 0 ? 1 : 3;
      for (let k = v; k < v + count; k++) {
        scratch.fill(0, 0, 6);
        this.applyComposite(i, alpha, beta, chi, 6 * k, scratch);
        for (let l = v; l < v + count; l++) w[localOf[l] * size + localOf[k]] = dot6(column, 6 * l, scratch, 0);
        w[localOf[k] * size + localOf[k]] += diagonal[k];
        addCrossForce(e * e, chi, 6 * k, derivatives.wrench, 6 * i, scratch, 0);
        for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
          const u = tree.v[j];
          if (u < 0) continue;
          for (let l = u; l < u + (rotorOf[u] < 0 ? 1 : 3); l++) {
            w[localOf[l] * size + localOf[k]] = dot6(column, 6 * l, scratch, 0);
          }
        }
        // Row k against the joints above
        this.rowOfComposite(i, column, 6 * k, scratch);
        for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
          const u = tree.v[j];
          if (u < 0) continue;
          for (let l = u; l < u + (rotorOf[u] < 0 ? 1 : 3); l++)
            w[localOf[k] * size + localOf[l]] =
              dot6(alpha, 6 * l, scratch, 0) + dot6(beta, 6 * l, scratch, 6) + dot6(chi, 6 * l, scratch, 12);
        }
      }
    }

    // Free bodies
    for (const i of island.bodies) {
      const v = derivatives.size + 6 * i;
      const carrier = carriers.nodes + i;
      const at = localOf[v];
      const mass = freeBodies.mass[i];
      for (let j = 0; j < 3; j++) w[(at + j) * size + at + j] = mass;
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++)
          w[(at + 3 + r) * size + at + 3 + c] = this.gyration(freeBodies.moments, 3 * i, this.spin, r, c, e);
      for (let k = 0; k < 6; k++) {
        scratch.fill(0, 0, 6);
        this.applyLoad(this.pose, this.twist, 36 * carrier, 6, 6 * (v + k), scratch);
        for (let l = 0; l < 6; l++) w[(at + l) * size + at + k] += dot6(column, 6 * (v + l), scratch, 0);
      }
    }

    // Pairs of moving carriers
    for (const { blocks } of this.cross) {
      const first = this.firstVelocity(blocks.a) >= 0 ? this.firstVelocity(blocks.a) : this.firstVelocity(blocks.b);
      if (first < 0 || this.islandOf[first] !== index) continue;
      for (let side = 0; side < 2; side++) {
        const rowCarrier = side === 0 ? blocks.a : blocks.b;
        const columnCarrier = side === 0 ? blocks.b : blocks.a;
        const from = side === 0 ? 6 : 72;
        this.eachVelocity(columnCarrier, (k) => {
          scratch.fill(0, 0, 6);
          this.applyLoad(blocks.pose, blocks.twist, from, 12, 6 * k, scratch);
          this.eachVelocity(rowCarrier, (l) => {
            w[localOf[l] * size + localOf[k]] += dot6(column, 6 * l, scratch, 0);
          });
        });
      }
    }

    // Nothing turns a body about an axis without inertia
    for (const i of island.bodies)
      for (let j = 0; j < 3; j++)
        if (freeBodies.moments[3 * i + j] === 0) {
          const at = localOf[derivatives.size + 6 * i + 3 + j];
          w.fill(0, at * size, (at + 1) * size);
          w[at * size + at] = 1;
        }

    // Loops
    rows.forEach((row, r) => {
      for (const k of island.velocities) {
        const at = localOf[k];
        w[at * size + n + r] = loops.stepJacobian[row * loops.nv + k];
        w[(n + r) * size + at] =
          loops.stepJacobian[row * loops.nv + k] -
          e * loops.byRate[row * loops.nv + k] -
          e * e * this.timesE(loops.byPosition, row * loops.nv, k);
      }
    });
    return lu.factorise();
  }

  /** (Kc E)_k */
  private timesE(rows: Float64Array, at: number, k: number): number {
    const { rotorOf, rotorV, turning } = this.columns;
    const rotor = rotorOf[k];
    if (rotor < 0) return rows[at + k];
    const v = rotorV[rotor];
    const c = k - v;
    return (
      rows[at + v] * turning[9 * rotor + c] +
      rows[at + v + 1] * turning[9 * rotor + 3 + c] +
      rows[at + v + 2] * turning[9 * rotor + 6 + c]
    );
  }

  private firstVelocity(carrier: number): number {
    const { carriers, derivatives } = this.parts;
    const { tree } = derivatives.kinematics;
    if (carrier >= carriers.nodes) return derivatives.size + 6 * (carrier - carriers.nodes);
    for (let i = carrier; i >= 0; i = tree.parent[i]) if (tree.v[i] >= 0) return tree.v[i];
    return -1;
  }

  private eachVelocity(carrier: number, visit: (k: number) => void): void {
    const { carriers, derivatives } = this.parts;
    const { tree } = derivatives.kinematics;
    if (carrier >= carriers.nodes) {
      const v = derivatives.size + 6 * (carrier - carriers.nodes);
      for (let j = 0; j < 6; j++) visit(v + j);
      return;
    }
    for (let i = carrier; i >= 0; i = tree.parent[i]) {
      const v = tree.v[i];
      if (v >= 0) for (let j = 0; j < (this.columns.rotorOf[v] < 0 ? 1 : 3); j++) visit(v + j);
    }
  }

  /** out += I α + e (B − C) β − e² X'' χ of the subtree of node i */
  private applyComposite(
    i: number,
    alpha: Float64Array,
    beta: Float64Array,
    chi: Float64Array,
    at: number,
    out: Float64Array,
  ): void {
    const { composite, e } = this;
    addInertia(composite.inertia, 10 * i, alpha, at, 1, out);
    addCoriolis(composite.coriolis, 12 * i, beta, at, e, out);
    if (this.compositeLoaded[i] === 0) return;
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      for (let c = 0; c < 6; c++) {
        const k = 36 * i + 6 * r + c;
        sum += e * composite.twist[k] * beta[at + c] + e * e * composite.pose[k] * chi[at + c];
      }
      out[r] -= sum;
    }
  }

  /** S · [I | e (B − C) | −e² X''] of the subtree of node i, 18 numbers */
  private rowOfComposite(i: number, s: Float64Array, at: number, out: Float64Array): void {
    const { composite, e } = this;
    out.fill(0);
    addInertia(composite.inertia, 10 * i, s, at, 1, out); // I is symmetric
    const b = 12 * i;
    const { coriolis } = composite;
    const px = coriolis[b + 9];
    const py = coriolis[b + 10];
    const pz = coriolis[b + 11];
    // Sᵀ B = (B₁₁ᵀ s_ω − 2 [P]ᵀ s_v, 0) = (B₁₁ᵀ s_ω + 2 P × s_v, 0)
    for (let c = 0; c < 3; c++)
      out[6 + c] = e * (s[at] * coriolis[b + c] + s[at + 1] * coriolis[b + 3 + c] + s[at + 2] * coriolis[b + 6 + c]);
    out[6] += 2 * e * (py * s[at + 5] - pz * s[at + 4]);
    out[7] += 2 * e * (pz * s[at + 3] - px * s[at + 5]);
    out[8] += 2 * e * (px * s[at + 4] - py * s[at + 3]);
    if (this.compositeLoaded[i] === 0) return;
    for (let c = 0; c < 6; c++) {
      let byTwist = 0;
      let byPose = 0;
      for (let r = 0; r < 6; r++) {
        byTwist += s[at + r] * composite.twist[36 * i + 6 * r + c];
        byPose += s[at + r] * composite.pose[36 * i + 6 * r + c];
      }
      out[6 + c] -= e * byTwist;
      out[12 + c] -= e * e * byPose;
    }
  }

  /** out −= e C β + e² X'' χ of one 6 × 6 block */
  private applyLoad(
    pose: Float64Array,
    twist: Float64Array,
    at: number,
    stride: number,
    column: number,
    out: Float64Array,
  ): void {
    const { e } = this;
    const { beta, chi } = this.columns;
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      for (let c = 0; c < 6; c++) {
        const k = at + stride * r + c;
        sum += e * twist[k] * beta[column + c] + e * e * pose[k] * chi[column + c];
      }
      out[r] -= sum;
    }
  }

  /** Overwrites r = (positions, velocities, states) with the solution. */
  solve(r: Float64Array): void {
    const { e, columns, shift, right, islands } = this;
    const { system, jointForces, loops, derivatives, freeBodies } = this.parts;
    const { nq, nv, ns } = system;
    columns.positions(r, shift);
    for (let k = 0; k < ns; k++) this.stateRight[k] = r[nq + nv + k];
    this.rightSide(r, nq);
    for (const joint of jointForces) {
      const k = joint.velocity;
      right[k] += e * joint.byCoordinate * shift[k];
      if (joint.stateAt >= 0) right[k] += (e * joint.byState * r[joint.stateAt]) / (1 - e * joint.stateByState);
    }

    for (let index = 0; index < islands.length; index++) {
      const island = islands[index];
      if (island.kind === 'sweep') {
        this.sweep.solve(island.nodes, right);
        for (const k of island.velocities) r[nq + k] = right[k];
      } else if (island.kind === 'body') {
        const i = island.bodies[0];
        const v = derivatives.size + 6 * i;
        const m = this.bodyInverse;
        const b0 = right[v + 3];
        const b1 = right[v + 4];
        const b2 = right[v + 5];
        for (let j = 0; j < 3; j++) {
          r[nq + v + j] = right[v + j] / freeBodies.mass[i];
          r[nq + v + 3 + j] = m[9 * i + 3 * j] * b0 + m[9 * i + 3 * j + 1] * b1 + m[9 * i + 3 * j + 2] * b2;
        }
      } else {
        const { work } = this;
        const n = island.velocities.length;
        for (let local = 0; local < n; local++) work[local] = right[island.velocities[local]];
        const rows = this.rowsOf[index];
        for (let row = 0; row < rows.length; row++) {
          const at = rows[row] * loops.nv;
          let sum = 0;
          for (const k of island.velocities)
            sum += loops.stepJacobian[at + k] * r[nq + k] + e * loops.byPosition[at + k] * shift[k];
          work[n + row] = sum;
        }
        this.factors[index]!.solve(work);
        for (let local = 0; local < n; local++) r[nq + island.velocities[local]] = work[local];
      }
    }
    for (let k = 0; k < nv; k++) right[k] = r[nq + k];
    columns.finish(shift, right, r);

    // States of force elements
    for (const joint of jointForces) {
      if (joint.stateAt < 0) continue;
      const s = r[joint.stateAt] + e * joint.stateByRate * right[joint.velocity];
      r[joint.stateAt] = s / (1 - e * joint.stateByState);
    }
    for (const term of this.terms) if (term.derivative.states > 0) this.finishStates(term, r, right);
  }

  /** M r_v + e K E r̃ and the wrenches from the states' right sides */
  private rightSide(r: Float64Array, nq: number): void {
    const { e, rise, load, shift, right, columns } = this;
    const { derivatives, carriers, freeBodies } = this.parts;
    const { tree } = derivatives.kinematics;
    const { column, psi1, rotorOf } = columns;
    const { psi2 } = derivatives;
    load.fill(0);
    rise.fill(0);

    // Root to leaf: accumulated motion of each carrier
    for (let i = 0; i < carriers.nodes; i++) {
      const z = 18 * i;
      const p = tree.parent[i];
      if (p >= 0) for (let j = 0; j < 18; j++) rise[z + j] = rise[18 * p + j];
      const v = tree.v[i];
      if (v < 0) continue;
      for (let k = v; k < v + (rotorOf[v] < 0 ? 1 : 3); k++) {
        const rate = r[nq + k];
        const moved = shift[k];
        for (let j = 0; j < 6; j++) {
          rise[z + j] += column[6 * k + j] * rate - e * psi2[6 * k + j] * moved;
          rise[z + 6 + j] -= e * psi1[6 * k + j] * moved;
          rise[z + 12 + j] += column[6 * k + j] * moved;
        }
      }
    }
    for (let i = 0; i < carriers.free; i++) {
      const z = 18 * (carriers.nodes + i);
      if (this.loaded[carriers.nodes + i] === 0) continue;
      for (let k = derivatives.size + 6 * i; k < derivatives.size + 6 * i + 6; k++)
        for (let j = 0; j < 6; j++) {
          rise[z + 6 + j] -= e * psi1[6 * k + j] * shift[k];
          rise[z + 12 + j] += column[6 * k + j] * shift[k];
        }
    }

    // Wrenches: I α + B β, then loads e X'' χ − C β
    for (let i = 0; i < carriers.nodes; i++) {
      if (tree.mass[i] === 0) continue;
      addInertia(derivatives.inertia, 10 * i, rise, 18 * i, 1, load, 6 * i);
      addCoriolis(derivatives.coriolis, 12 * i, rise, 18 * i + 6, 1, load, 6 * i);
    }
    for (let i = 0; i < carriers.ground; i++)
      if (this.loaded[i] !== 0) this.addLoad(this.pose, this.twist, 36 * i, 6, i, i);
    for (const { blocks } of this.cross) {
      this.addLoad(blocks.pose, blocks.twist, 6, 12, blocks.b, blocks.a);
      this.addLoad(blocks.pose, blocks.twist, 72, 12, blocks.a, blocks.b);
    }
    for (const { blocks, derivative, stateAt } of this.terms) {
      const n = derivative.states;
      for (let side = 0; side < 2 && n > 0; side++) {
        const carrier = side === 0 ? blocks.a : blocks.b;
        if (carrier === carriers.ground) continue;
        for (let j = 0; j < 6; j++)
          for (let k = 0; k < n; k++)
            load[6 * carrier + j] += e * blocks.stateGain[(6 * side + j) * n + k] * r[stateAt + k];
      }
    }

    // Leaf to root; −e (s ×* f) ρ goes to the joints above only
    for (let i = carriers.nodes - 1; i >= 0; i--) {
      const v = tree.v[i];
      const p = tree.parent[i];
      if (v >= 0) for (let k = v; k < v + (rotorOf[v] < 0 ? 1 : 3); k++) right[k] = dot6(column, 6 * k, load, 6 * i);
      if (p < 0) continue;
      if (v >= 0)
        for (let k = v; k < v + (rotorOf[v] < 0 ? 1 : 3); k++)
          addCrossForce(-e * shift[k], column, 6 * k, derivatives.wrench, 6 * i, load, 6 * i);
      for (let j = 0; j < 6; j++) load[6 * p + j] += load[6 * i + j];
    }
    for (let i = 0; i < carriers.free; i++) {
      const v = derivatives.size + 6 * i;
      const mass = freeBodies.mass[i];
      const at = 6 * (carriers.nodes + i);
      for (let j = 0; j < 3; j++) {
        right[v + j] = mass * r[nq + v + j] + load[at + 3 + j];
        const moment = freeBodies.moments[3 * i + j];
        right[v + 3 + j] =
          moment === 0 ? r[nq + v + 3 + j] : moment * r[nq + v + 3 + j] + dot6(column, 6 * (v + 3 + j), load, at);
      }
    }
  }

  private addLoad(pose: Float64Array, twist: Float64Array, at: number, stride: number, from: number, to: number): void {
    const { rise, load, e } = this;
    for (let i = 0; i < 6; i++) {
      let sum = 0;
      for (let j = 0; j < 6; j++) {
        const k = at + stride * i + j;
        sum += e * pose[k] * rise[18 * from + 12 + j] - twist[k] * rise[18 * from + 6 + j];
      }
      load[6 * to + i] += sum;
    }
  }

  /** ds = N (r_s + e (Zx ξ + Zv ν)) from the displacements θ in `shift` and velocities x */
  private finishStates({ derivative, blocks, stateAt }: Term, r: Float64Array, x: Float64Array): void {
    const { e, columns, shift } = this;
    const { carriers, derivatives } = this.parts;
    const n = derivative.states;
    const right = Array.from({ length: n }, (_, k) => r[stateAt + k]);
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? blocks.a : blocks.b;
      if (carrier === carriers.ground) continue;
      // Spatial displacement and change of twist at the origin, then at the reference point
      const motion = new Float64Array(12);
      this.eachVelocity(carrier, (k) => {
        for (let j = 0; j < 6; j++) {
          motion[j] += columns.column[6 * k + j] * shift[k];
          motion[6 + j] += columns.psi1[6 * k + j] * shift[k] + columns.column[6 * k + j] * x[k];
        }
      });
      const offset = carrier < carriers.nodes ? derivatives.offset.subarray(3 * carrier, 3 * carrier + 3) : ZERO3;
      for (const at of [0, 6])
        for (let j = 0; j < 3; j++) {
          const a = (j + 1) % 3;
          const b = (j + 2) % 3;
          motion[at + 3 + j] += motion[at + a] * offset[b] - motion[at + b] * offset[a];
        }
      // dV = s × V + …: add ξ × V at the point, then δv = dV_v + ω × δc leaves θ × v
      const w = this.carrierTwist.subarray(6 * carrier, 6 * carrier + 6);
      for (let j = 0; j < 3; j++) {
        const a = (j + 1) % 3;
        const b = (j + 2) % 3;
        motion[6 + j] += motion[a] * w[b] - motion[b] * w[a];
        motion[9 + j] += motion[a] * w[3 + b] - motion[b] * w[3 + a];
      }
      for (let k = 0; k < n; k++)
        for (let j = 0; j < 6; j++)
          right[k] +=
            e *
            (derivative.ratesByPose[12 * k + 6 * side + j] * motion[j] +
              derivative.ratesByTwist[12 * k + 6 * side + j] * motion[6 + j]);
    }
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += blocks.stateInverse[k * n + l] * right[l];
      r[stateAt + k] = sum;
    }
  }
}

const ZERO3 = new Float64Array(3);

function dot6(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
  return (
    a[aAt] * b[bAt] +
    a[aAt + 1] * b[bAt + 1] +
    a[aAt + 2] * b[bAt + 2] +
    a[aAt + 3] * b[bAt + 3] +
    a[aAt + 4] * b[bAt + 4] +
    a[aAt + 5] * b[bAt + 5]
  );
}

/** out += scale · B x, B of 12 numbers: (B₁₁ x_ω, −2 P × x_ω) */
function addCoriolis(
  b12: Float64Array,
  b: number,
  x: Float64Array,
  at: number,
  scale: number,
  out: Float64Array,
  outAt = 0,
): void {
  const wx = scale * x[at];
  const wy = scale * x[at + 1];
  const wz = scale * x[at + 2];
  out[outAt] += b12[b] * wx + b12[b + 1] * wy + b12[b + 2] * wz;
  out[outAt + 1] += b12[b + 3] * wx + b12[b + 4] * wy + b12[b + 5] * wz;
  out[outAt + 2] += b12[b + 6] * wx + b12[b + 7] * wy + b12[b + 8] * wz;
  const px = 2 * b12[b + 9];
  const py = 2 * b12[b + 10];
  const pz = 2 * b12[b + 11];
  out[outAt + 3] -= py * wz - pz * wy;
  out[outAt + 4] -= pz * wx - px * wz;
  out[outAt + 5] -= px * wy - py * wx;
}

/** Inverse by cofactors; the matrix is the inertia of a body plus what its spin adds, far from singular. */
function invert3(m: Float64Array, out: Float64Array, at: number): boolean {
  const c00 = m[4] * m[8] - m[5] * m[7];
  const c01 = m[5] * m[6] - m[3] * m[8];
  const c02 = m[3] * m[7] - m[4] * m[6];
  const d = m[0] * c00 + m[1] * c01 + m[2] * c02;
  if (!(Math.abs(d) > 0)) return false;
  out[at] = c00 / d;
  out[at + 1] = (m[2] * m[7] - m[1] * m[8]) / d;
  out[at + 2] = (m[1] * m[5] - m[2] * m[4]) / d;
  out[at + 3] = c01 / d;
  out[at + 4] = (m[0] * m[8] - m[2] * m[6]) / d;
  out[at + 5] = (m[2] * m[3] - m[0] * m[5]) / d;
  out[at + 6] = c02 / d;
  out[at + 7] = (m[1] * m[6] - m[0] * m[7]) / d;
  out[at + 8] = (m[0] * m[4] - m[1] * m[3]) / d;
  return true;
}
