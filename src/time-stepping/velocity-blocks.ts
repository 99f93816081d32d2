/**
 * The velocities of a system in blocks that the mass matrix does not couple: six of every free body, all of every mechanism (trees that loops tie
 * together). Rows of Jacobians are written here: how fast a point of a carrier moves along a direction, or the carrier turns about one, per velocity.
 *
 *   free body   d and Rᵀ (r × d), r from the centre of mass; the rotation is that at the start of the step
 *   tree        along the joints above the carrier: u·(r × d) for turning, u·d for sliding ones; a node with a prescribed motion has no
 *               velocity: what it does, with its mean speed over the step, is left for the row's bias
 */
import { NODE } from '../assembly/system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { findRoot, identity, unite } from '../math/union-find.js';

export class VelocityBlocks {
  readonly count: number;
  /** Per block: number of velocities, and where they start in a vector of all blocks */
  readonly size: Int32Array;
  readonly at: Int32Array;
  /** Per entry of such a vector: index of the velocity in v */
  readonly velocity: Int32Array;
  /** Per carrier: its block, −1: it has no velocities of its own */
  readonly ofCarrier: Int32Array;
  /** Blocks from here on are free bodies, in their order */
  readonly firstFree: number;
  /** Diagonal of M of free bodies; where there is no inertia, one that nothing acts on */
  readonly diagonal: Float64Array;
  /** Per mechanism: M, and its Cholesky factor, rows; where each starts */
  readonly massAt: Int32Array;
  readonly mass: Float64Array;
  readonly factor: Float64Array;
  /** Per block, kg: what its errors are weighed with */
  readonly weight: Float64Array;
  /** Mean speeds over the step, per prescribed motion */
  readonly speeds: Float64Array;
  /**
   * M⁻¹ M_qp v_p, a vector of all blocks; v_p are these speeds. An impulse γ along rows J changes velocities by M⁻¹ Jᵀ γ, which drives feel by M_pq: they put in γ·J of this, beside what the rows
   * take of their motion itself. Empty where nothing is driven
   */
  readonly carried: Float64Array;
  /** The speed of some prescribed motion changes by more in the step than its accelerations tell: it jumps. */
  jumps = false;
  /** Bias of the last row that was written: what prescribed motions add */
  bias = 0;

  /** 6 per node: twist by prescribed motions alone */
  private readonly drivenTwist: Float64Array;
  private readonly place: Int32Array;
  private readonly owner: Int32Array;
  private readonly whole: Float64Array;
  private readonly sample = new Float64Array(3);

  /** Per node: block that its mass counts for; of a flexible body whose frame is held, that of its coordinates */
  private readonly weighedWith: Int32Array;

  /** Per carrier: 1: a prescribed motion is among the joints above it */
  readonly isDriven: Uint8Array;

  constructor(private readonly mechanics: MechanicalSystem) {
    const { system, carriers, freeBodies, derivatives, nv, loops } = mechanics;
    const { tree, free } = system;
    // mechanisms: trees, and what rows of constraints tie
    const group = identity(tree.count);
    for (let i = 0; i < tree.count; i++) if (tree.parent[i] >= 0) unite(group, i, tree.parent[i]);
    const nodeOfVelocity = new Int32Array(derivatives.size).fill(-1);
    for (let i = 0; i < tree.count; i++)
      if (tree.v[i] >= 0)
        for (let k = 0; k < (tree.kind[i] === NODE.spherical ? 3 : 1); k++) nodeOfVelocity[tree.v[i] + k] = i;
    for (const { formula, coupler } of loops.rows) {
      if (formula && formula.a < tree.count && formula.b < tree.count) unite(group, formula.a, formula.b);
      if (coupler)
        for (const v of coupler.velocities) unite(group, nodeOfVelocity[coupler.velocities[0]], nodeOfVelocity[v]);
    }
    this.isDriven = new Uint8Array(carriers.ground + 1);
    for (let i = 0; i < tree.count; i++)
      if (tree.motion[i] >= 0 || (tree.parent[i] >= 0 && this.isDriven[tree.parent[i]] !== 0)) this.isDriven[i] = 1;
    const blockOfRoot = new Map<number, number>();
    const members: number[][] = [];
    for (let v = 0; v < derivatives.size; v++) {
      const root = findRoot(group, nodeOfVelocity[v]);
      let block = blockOfRoot.get(root);
      if (block === undefined) {
        block = members.length;
        blockOfRoot.set(root, block);
        members.push([]);
      }
      members[block].push(v);
    }
    this.firstFree = members.length;
    for (let i = 0; i < free.count; i++)
      members.push(Array.from({ length: 6 }, (_, k) => derivatives.size + 6 * i + k));
    this.count = members.length;
    this.size = Int32Array.from(members, ({ length }) => length);
    this.at = new Int32Array(this.count);
    this.velocity = new Int32Array(nv);
    this.place = new Int32Array(nv);
    this.owner = new Int32Array(nv);
    let end = 0;
    members.forEach((own, b) => {
      this.at[b] = end;
      own.forEach((v, k) => {
        this.velocity[end] = v;
        this.place[v] = k;
        this.owner[v] = b;
        end++;
      });
    });
    this.ofCarrier = new Int32Array(carriers.ground + 1).fill(-1);
    for (let i = 0; i < tree.count; i++) {
      let moves = false;
      for (let k = i; k >= 0; k = tree.parent[k]) if (tree.v[k] >= 0) moves = true;
      if (moves) this.ofCarrier[i] = blockOfRoot.get(findRoot(group, i)) ?? -1;
    }
    this.weighedWith = this.ofCarrier.slice();
    for (const { node, velocity, count } of mechanics.kinematics.flexible)
      if (count > 0) this.weighedWith[node] = this.owner[velocity[0]];
    for (let i = 0; i < free.count; i++) this.ofCarrier[tree.count + i] = this.firstFree + i;
    this.diagonal = new Float64Array(nv);
    this.weight = new Float64Array(this.count);
    for (let i = 0; i < free.count; i++) {
      const x = this.at[this.firstFree + i];
      const moments = freeBodies.moments.subarray(3 * i, 3 * i + 3);
      this.weight[this.firstFree + i] = freeBodies.mass[i];
      for (let k = 0; k < 3; k++) {
        this.diagonal[x + k] = freeBodies.mass[i];
        this.diagonal[x + 3 + k] =
          moments[k] > 0 ? moments[k] : Math.max(moments[0], moments[1], moments[2], 1e-300 + freeBodies.mass[i]);
      }
    }
    this.massAt = new Int32Array(this.firstFree);
    let entries = 0;
    for (let b = 0; b < this.firstFree; b++) {
      this.massAt[b] = entries;
      entries += this.size[b] * this.size[b];
    }
    this.mass = new Float64Array(entries);
    this.factor = new Float64Array(entries);
    this.whole = new Float64Array(this.firstFree > 0 ? nv * nv : 0);
    this.speeds = new Float64Array(system.motions.length);
    this.carried = new Float64Array(system.motions.length > 0 ? nv : 0);
    this.drivenTwist = new Float64Array(system.motions.length > 0 ? 6 * tree.count : 0);
  }

  /** At the carriers' present pose: mass matrices of mechanisms; mean speeds of prescribed motions over h s from t on */
  update(t: number, h: number): void {
    const { mechanics, sample } = this;
    const { motions } = mechanics.system;
    this.jumps = false;
    for (let k = 0; k < motions.length; k++) {
      motions[k](t, sample);
      const before = sample[0];
      const speed = sample[1];
      const acceleration = sample[2];
      motions[k](t + h, sample);
      this.speeds[k] = (sample[0] - before) / h;
      const change = sample[1] - speed;
      const untold = Math.abs(change - 0.5 * h * (acceleration + sample[2]));
      const smooth = 1e-3 * h * (Math.abs(acceleration) + Math.abs(sample[2]));
      if (untold > 0.5 * Math.abs(change) && untold > smooth + 1e-9 * (Math.abs(speed) + Math.abs(sample[1])))
        this.jumps = true;
    }
    this.factorise();
  }

  /** Mass matrices of mechanisms at the carriers' present pose, and what drives feel there */
  factorise(): void {
    const { mechanics, whole, velocity, size, at, mass, factor, massAt } = this;
    if (this.firstFree === 0) return;
    const { nv } = mechanics;
    whole.fill(0);
    mechanics.loops.massMatrix(whole);
    for (let b = 0; b < this.firstFree; b++) {
      const n = size[b];
      let weight = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          mass[massAt[b] + n * i + j] = factor[massAt[b] + n * i + j] =
            whole[velocity[at[b] + i] * nv + velocity[at[b] + j]];
      for (let i = 0; i < mechanics.system.tree.count; i++)
        if (this.weighedWith[i] === b) weight += mechanics.system.tree.mass[i];
      this.weight[b] = weight;
      factoriseInPlace(factor, massAt[b], n);
    }
    this.carryByDrives();
  }

  /** out = M x of one block; both from `at` of the block on */
  applyMass(b: number, x: Float64Array, out: Float64Array): void {
    const first = this.at[b];
    const n = this.size[b];
    if (b >= this.firstFree) {
      for (let k = first; k < first + n; k++) out[k] = this.diagonal[k] * x[k];
      return;
    }
    const m = this.massAt[b];
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += this.mass[m + n * i + j] * x[first + j];
      out[first + i] = sum;
    }
  }

  /** x ← L⁻¹ x of one block, M = L Lᵀ, n numbers of x from `from` on: |L⁻¹ x|² = xᵀ M⁻¹ x */
  halfSolve(b: number, x: Float64Array, from: number): void {
    const n = this.size[b];
    if (b >= this.firstFree) {
      for (let k = 0; k < n; k++) x[from + k] /= Math.sqrt(this.diagonal[this.at[b] + k]);
      return;
    }
    const { factor } = this;
    const m = this.massAt[b];
    for (let i = 0; i < n; i++) {
      let sum = x[from + i];
      for (let j = 0; j < i; j++) sum -= factor[m + n * i + j] * x[from + j];
      x[from + i] = sum / factor[m + n * i + i];
    }
  }

  /** x ← M⁻¹ x of one block, in a vector of all blocks */
  solveMass(b: number, x: Float64Array): void {
    const first = this.at[b];
    const n = this.size[b];
    if (b >= this.firstFree) {
      for (let k = first; k < first + n; k++) x[k] /= this.diagonal[k];
      return;
    }
    this.halfSolve(b, x, first);
    const { factor } = this;
    const m = this.massAt[b];
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[first + i];
      for (let j = i + 1; j < n; j++) sum -= factor[m + n * j + i] * x[first + j];
      x[first + i] = sum / factor[m + n * i + i];
    }
  }

  /** dᵀ M⁻¹ d of n numbers of one block */
  mobility(b: number, row: Float64Array, from: number): number {
    const n = this.size[b];
    let sum = 0;
    if (b >= this.firstFree) {
      const first = this.at[b];
      for (let k = 0; k < n; k++) sum += (row[from + k] * row[from + k]) / this.diagonal[first + k];
      return sum;
    }
    if (this.scratch.length < n) this.scratch = new Float64Array(n);
    const { scratch } = this;
    for (let k = 0; k < n; k++) scratch[k] = row[from + k];
    this.halfSolve(b, scratch, 0);
    for (let k = 0; k < n; k++) sum += scratch[k] * scratch[k];
    return sum;
  }

  private scratch = new Float64Array(8);

  /** What rows are written for: a point, world, m; a direction, and a factor. Numbers that are handed over in a call cost an object each. */
  readonly point = new Float64Array(3);
  readonly along = new Float64Array(4);

  /** Adds sign × velocity of a carrier's point along d, per velocity of its block, to out[to …]. @param p world, m */
  addPoint(
    carrier: number,
    px: number,
    py: number,
    pz: number,
    dx: number,
    dy: number,
    dz: number,
    sign: number,
    out: Float64Array,
    to: number,
  ): void {
    const { point, along } = this;
    point[0] = px;
    point[1] = py;
    point[2] = pz;
    along[0] = dx;
    along[1] = dy;
    along[2] = dz;
    along[3] = sign;
    this.addPointRow(carrier, out, to);
  }

  /** Adds factor × velocity of a carrier's point along the direction, per velocity of its block, to out[to …]; what prescribed motions add goes to `bias`. */
  addPointRow(carrier: number, out: Float64Array, to: number): void {
    const { carriers, kinematics, freeBodies } = this.mechanics;
    const { position, nodes, ground } = carriers;
    if (carrier === ground) return;
    const px = this.point[0];
    const py = this.point[1];
    const pz = this.point[2];
    const dx = this.along[0];
    const dy = this.along[1];
    const dz = this.along[2];
    const sign = this.along[3];
    if (carrier >= nodes) {
      const p = 3 * carrier;
      const rx = px - position[p];
      const ry = py - position[p + 1];
      const rz = pz - position[p + 2];
      out[to] += sign * dx;
      out[to + 1] += sign * dy;
      out[to + 2] += sign * dz;
      this.addSpin(carrier, ry * dz - rz * dy, rz * dx - rx * dz, rx * dy - ry * dx, sign, freeBodies.moments, out, to);
      return;
    }
    const { tree, axis, turn, slide } = kinematics;
    for (let i = carrier; i >= 0; i = tree.parent[i]) {
      const v = tree.v[i];
      if (v < 0 && tree.motion[i] < 0) continue;
      const rx = px - position[3 * i];
      const ry = py - position[3 * i + 1];
      const rz = pz - position[3 * i + 2];
      const lx = ry * dz - rz * dy;
      const ly = rz * dx - rx * dz;
      const lz = rx * dy - ry * dx;
      if (v >= 0 && tree.kind[i] === NODE.spherical) {
        this.addBall(i, lx, ly, lz, sign, out, to);
        continue;
      }
      const a = 3 * i;
      const along =
        turn[i] * (axis[a] * lx + axis[a + 1] * ly + axis[a + 2] * lz) +
        slide[i] * (axis[a] * dx + axis[a + 1] * dy + axis[a + 2] * dz);
      if (v >= 0) out[to + this.place[v]] += sign * along;
      else this.bias += sign * along * this.speeds[tree.motion[i]];
    }
  }

  /** The same for how fast a carrier turns about d */
  addTurn(carrier: number, dx: number, dy: number, dz: number, sign: number, out: Float64Array, to: number): void {
    const { along } = this;
    along[0] = dx;
    along[1] = dy;
    along[2] = dz;
    along[3] = sign;
    this.addTurnRow(carrier, out, to);
  }

  addTurnRow(carrier: number, out: Float64Array, to: number): void {
    const { carriers, kinematics, freeBodies } = this.mechanics;
    if (carrier === carriers.ground) return;
    const dx = this.along[0];
    const dy = this.along[1];
    const dz = this.along[2];
    const sign = this.along[3];
    if (carrier >= carriers.nodes) {
      this.addSpin(carrier, dx, dy, dz, sign, freeBodies.moments, out, to);
      return;
    }
    const { tree, axis, turn } = kinematics;
    for (let i = carrier; i >= 0; i = tree.parent[i]) {
      const v = tree.v[i];
      if (v < 0 && tree.motion[i] < 0) continue;
      if (v >= 0 && tree.kind[i] === NODE.spherical) {
        this.addBall(i, dx, dy, dz, sign, out, to);
        continue;
      }
      const along = turn[i] * (axis[3 * i] * dx + axis[3 * i + 1] * dy + axis[3 * i + 2] * dz);
      if (v >= 0) out[to + this.place[v]] += sign * along;
      else this.bias += sign * along * this.speeds[tree.motion[i]];
    }
  }

  /**
   * Twists of all carriers, ω and v of their origins, world, for velocities v of all blocks.
   *
   * @param out 6 per carrier
   */
  twists(v: Float64Array, out: Float64Array): void {
    const { nodes, ground, rotation, position } = this.mechanics.carriers;
    for (let c = nodes; c < ground; c++) {
      const at = this.at[this.ofCarrier[c]];
      for (let k = 0; k < 3; k++) {
        const r = 9 * c + 3 * k;
        out[6 * c + k] = rotation[r] * v[at + 3] + rotation[r + 1] * v[at + 4] + rotation[r + 2] * v[at + 5];
        out[6 * c + 3 + k] = v[at + k];
      }
    }
    for (let c = 0; c < nodes; c++) {
      const b = this.ofCarrier[c];
      const n = b < 0 ? 0 : this.size[b];
      if (this.scratch.length < n) this.scratch = new Float64Array(n);
      const { scratch } = this;
      for (let k = 0; k < 6; k++) {
        const x = k % 3 === 0 ? 1 : 0;
        const y = k % 3 === 1 ? 1 : 0;
        const z = k % 3 === 2 ? 1 : 0;
        scratch.fill(0);
        this.bias = 0;
        if (k < 3) this.addTurn(c, x, y, z, 1, scratch, 0);
        else this.addPoint(c, position[3 * c], position[3 * c + 1], position[3 * c + 2], x, y, z, 1, scratch, 0);
        let sum = this.bias;
        for (let i = 0; i < n; i++) sum += scratch[i] * v[this.at[b] + i];
        out[6 * c + k] = sum;
      }
    }
  }

  /** `carried`: where the carriers are, and the factors */
  private carryByDrives(): void {
    const { kinematics, carriers } = this.mechanics;
    const { tree, axis, turn, slide, centre, inertia, flexible } = kinematics;
    const { position } = carriers;
    const { isDriven, speeds, carried: out, drivenTwist: twist } = this;
    if (out.length === 0) return;
    out.fill(0);
    for (let i = 0; i < tree.count; i++) {
      if (isDriven[i] === 0) continue;
      const s = 6 * i;
      const p = 6 * tree.parent[i];
      const follows = p >= 0 && isDriven[tree.parent[i]] !== 0;
      for (let j = 0; j < 3; j++) {
        const k = (j + 1) % 3;
        const l = (j + 2) % 3;
        twist[s + j] = twist[s + 3 + j] = 0;
        if (follows) {
          const rk = position[3 * i + k] - position[p / 2 + k];
          const rl = position[3 * i + l] - position[p / 2 + l];
          twist[s + j] = twist[p + j];
          twist[s + 3 + j] = twist[p + 3 + j] + twist[p + k] * rl - twist[p + l] * rk;
        }
        if (tree.motion[i] < 0) continue;
        const along = axis[3 * i + j] * speeds[tree.motion[i]];
        twist[s + j] += turn[i] * along;
        twist[s + 3 + j] += slide[i] * along;
      }
      const m = tree.mass[i];
      if (m > 0) {
        // J ω + m c × v about the origin of the node, m (v + ω × c)
        const c = 3 * i;
        const wx = twist[s];
        const wy = twist[s + 1];
        const wz = twist[s + 2];
        const vx = twist[s + 3];
        const vy = twist[s + 4];
        const vz = twist[s + 5];
        const hx = m * centre[c];
        const hy = m * centre[c + 1];
        const hz = m * centre[c + 2];
        const xy = inertia[s + 3];
        const xz = inertia[s + 4];
        const yz = inertia[s + 5];
        this.addMomentum(
          i,
          inertia[s] * wx + xy * wy + xz * wz + hy * vz - hz * vy,
          xy * wx + inertia[s + 1] * wy + yz * wz + hz * vx - hx * vz,
          xz * wx + yz * wy + inertia[s + 2] * wz + hx * vy - hy * vx,
          m * vx + wy * hz - wz * hy,
          m * vy + wz * hx - wx * hz,
          m * vz + wx * hy - wy * hx,
          out,
        );
      }
    }
    for (let f = 0; f < flexible.length; f++) {
      const { node, count, velocity, byRate } = flexible[f];
      if (isDriven[node] === 0) continue;
      for (let k = 0; k < count; k++) {
        const at = this.at[this.owner[velocity[k]]] + this.place[velocity[k]];
        for (let j = 0; j < 6; j++) out[at] += byRate[6 * k + j] * twist[6 * node + j];
      }
    }
    for (let b = 0; b < this.firstFree; b++) this.solveMass(b, out);
  }

  /** Σ Jᵀ of a node's angular momentum L about its origin and momentum P */
  private addMomentum(
    node: number,
    lx: number,
    ly: number,
    lz: number,
    px: number,
    py: number,
    pz: number,
    out: Float64Array,
  ): void {
    const b = this.ofCarrier[node];
    if (b < 0) return;
    const { position } = this.mechanics.carriers;
    const c = 3 * node;
    this.addTurn(node, lx, ly, lz, 1, out, this.at[b]);
    this.addPoint(node, position[c], position[c + 1], position[c + 2], px, py, pz, 1, out, this.at[b]);
  }

  private addBall(i: number, lx: number, ly: number, lz: number, sign: number, out: Float64Array, to: number): void {
    const { rotation } = this.mechanics.carriers;
    const at = to + this.place[this.mechanics.kinematics.tree.v[i]];
    for (let j = 0; j < 3; j++) {
      const r = 9 * i + j;
      out[at + j] += sign * (rotation[r] * lx + rotation[r + 3] * ly + rotation[r + 6] * lz);
    }
  }

  private addSpin(
    carrier: number,
    lx: number,
    ly: number,
    lz: number,
    sign: number,
    moments: Float64Array,
    out: Float64Array,
    to: number,
  ): void {
    const { rotation, nodes } = this.mechanics.carriers;
    const r = 9 * carrier;
    const m = 3 * (carrier - nodes);
    if (moments[m] > 0) out[to + 3] += sign * (rotation[r] * lx + rotation[r + 3] * ly + rotation[r + 6] * lz);
    if (moments[m + 1] > 0) out[to + 4] += sign * (rotation[r + 1] * lx + rotation[r + 4] * ly + rotation[r + 7] * lz);
    if (moments[m + 2] > 0) out[to + 5] += sign * (rotation[r + 2] * lx + rotation[r + 5] * ly + rotation[r + 8] * lz);
  }

  /** Block of a velocity */
  ofVelocity(velocity: number): number {
    return this.owner[velocity];
  }

  /** Place of a velocity in its block */
  placeOf(velocity: number): number {
    return this.place[velocity];
  }
}

/** Lower Cholesky factor of the n × n matrix at m[at]; a direction without inertia gets a little. */
function factoriseInPlace(m: Float64Array, at: number, n: number): void {
  for (let j = 0; j < n; j++) {
    let pivot = m[at + n * j + j];
    const least = 1e-14 * pivot + 1e-300;
    for (let k = 0; k < j; k++) pivot -= m[at + n * j + k] * m[at + n * j + k];
    const root = Math.sqrt(Math.max(pivot, least));
    m[at + n * j + j] = root;
    for (let i = j + 1; i < n; i++) {
      let sum = m[at + n * i + j];
      for (let k = 0; k < j; k++) sum -= m[at + n * i + k] * m[at + n * j + k];
      m[at + n * i + j] = sum / root;
    }
  }
}
