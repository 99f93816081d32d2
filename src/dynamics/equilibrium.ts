/**
 * Static equilibrium: positions at which nothing accelerates.
 *
 * Implicit Euler steps from rest that forget their velocity, z = z₀ + e f(z) with z₀ = (q₀, 0, s₀). Short steps go downhill as the real,
 * heavily damped motion would, so a stable position is found; as e grows the step becomes Newton's on the forces. e grows while Newton's
 * iteration for a step converges fast and is cut where it does not (pseudo-transient continuation, Kelley & Keyes 1998).
 *
 * Each step is solved to the end, not only to first order: a long swing on a stiff spring stretches it in second order, by forces far
 * above all others, and the iteration takes that back where a judgement by the forces alone would allow only tiny swings. So stiffness
 * ratios of 10⁶ in one chain cost no more steps than none.
 *
 * Where the way down is unstable, as beside a column that buckles, a step longer than 1/λ (λ: how fast small motions grow) goes up instead, back to the equilibrium that the
 * real motion leaves: along that direction it is e² a/(1 − e² λ²). A linear step that is not too long does Δ·M a = Σ e² aᵢ²/(1 + e² ωᵢ²) > 0; one that does less goes back and is cut.
 */
import { NODE } from '../assembly/system.js';
import { energies } from './analysis.js';
import type { MechanicalSystem } from './mechanical-system.js';
import { DynamicsError, NoAccelerationError } from './tree/dynamics-error.js';

/**
 * Moves y to a static equilibrium in place; velocities become zero. What is driven goes on as it is driven; where that allows no rest, it stands where it is at t.
 *
 * @returns the number of steps
 * @throws DynamicsError if none is found near
 */
export function staticEquilibrium(mechanics: MechanicalSystem, t: number, y: Float64Array): number {
  const { kinematics } = mechanics;
  const stand = (standing: boolean): void => {
    kinematics.standing = standing;
    mechanics.forgetPoses();
  };
  const start = y.slice();
  try {
    return findRest(mechanics, t, y);
  } catch (error) {
    if (!(error instanceof DynamicsError)) throw error;
  }
  y.set(start);
  stand(true);
  try {
    return findRest(mechanics, t, y);
  } finally {
    stand(false);
  }
}

/** Downhill; where no stable position is found, as for a strip in one piece beyond its buckling load, whichever is near */
function findRest(mechanics: MechanicalSystem, t: number, y: Float64Array): number {
  const start = y.slice();
  try {
    return walk(mechanics, t, y, STRAIGHT);
  } catch (error) {
    if (!(error instanceof DynamicsError)) throw error;
    y.set(start);
    return walk(mechanics, t, y, Number.POSITIVE_INFINITY);
  }
}

/** @param aside rad, or of the size of the mechanism: a step that goes no farther may go against the accelerations */
function walk(mechanics: MechanicalSystem, t: number, y: Float64Array, aside: number): number {
  const { nq, nv, size } = mechanics;
  const f = new Float64Array(size);
  const from = new Float64Array(size);
  const pull = new Float64Array(nv);
  y.fill(0, nq, nq + nv);
  closeLoops(mechanics, t, y);
  mechanics.rates(t, y, f);
  let push = largest(f, nq, nq + nv);
  // Accelerations that count: what weights and forces at the start would do; 1e-12 m/s² or rad/s² is rest for any machine
  const scale = push;
  const rest = Math.max(ROUNDING * scale, 1e-12);
  if (push <= rest) return 0;
  const step = new ImplicitStep(mechanics);
  const straight = aside * Math.min(1, mechanics.loops.length);
  // A first step in which nothing moves far: x = e² a
  let e = 0.1 / Math.sqrt(push);
  let went = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= 500; count++) {
    from.set(y);
    pull.set(f.subarray(nq, nq + nv));
    for (let attempt = 0; ; attempt++) {
      if (attempt === 40) throw stuck(t, push);
      const iterations = step.solve(t, y, e);
      let now = Number.NaN;
      const onward = iterations > 0 && (distance(y, from, nq) <= straight || goesAlong(mechanics, t, y, pull));
      if (onward && closeLoops(mechanics, t, y)) {
        y.fill(0, nq, nq + nv);
        mechanics.rates(t, y, f);
        now = largest(f, nq, nq + nv);
      }
      if (now < Number.POSITIVE_INFINITY) {
        const moved = distance(y, from, nq);
        if (now <= rest) return count;
        if (moved > FALLEN) throw stuck(t, now);
        // No more to gain: rounding if little is left, otherwise something that cannot come to rest
        const bound = roundingOf(mechanics);
        const still = moved < 1e-13;
        if (still || (moved < 1e-9 && now >= 0.5 * push && e > LONG)) {
          if (now <= Math.max(1e-7 * scale, bound)) return count;
          // in a long step whatever is free moves by e² a: what stands still then is held, and rounding is all that its stiffness answers
          if (still && e > LONG) return count;
          if (!still) throw stuck(t, now);
        }
        // after one that was too long not straight back to its length, or every other attempt would be in vain
        if (iterations <= 4) e *= attempt > 0 ? 2 : 4;
        else if (iterations <= 7) e *= 2;
        push = now;
        went = moved;
        break;
      }
      y.set(from);
      mechanics.prepare(t, y);
      e *= 0.25;
    }
  }
  // At its buckling load a column has a direction in which nothing pulls either way: rounding walks along it for ever, and it is at rest
  if (push <= 1e-7 * scale && went < 1e-9) return 500;
  throw stuck(t, push);
}

/** Moves y to the equilibrium next to it and gives back its velocities, as far as loops let them be. */
export function startFromRest(mechanics: MechanicalSystem, y: Float64Array): void {
  const { nq, nv } = mechanics;
  const given = y.slice(nq, nq + nv);
  staticEquilibrium(mechanics, 0, y);
  y.set(given, nq);
  mechanics.update(0, y);
  mechanics.closeVelocities(y);
  mechanics.rememberRotation(y);
  mechanics.prepare(0, y);
}

/**
 * How far y goes from rest in one linearly implicit step of e, m or rad; infinite if there is none. Forces that only round a stiff spring or
 * mode go nowhere however large the acceleration (a / ω²); what is free moves by e² a. y is not changed.
 */
export function goesWithin(mechanics: MechanicalSystem, t: number, y: Float64Array, e: number): number {
  const { nq, nv } = mechanics;
  const moved = y.slice();
  moved.fill(0, nq, nq + nv);
  const still = moved.slice();
  mechanics.prepare(t, moved);
  const solved = new ImplicitStep(mechanics).correct(t, moved, still, e);
  mechanics.prepare(t, y);
  return solved ? distance(moved, still, nq) : Number.POSITIVE_INFINITY;
}

/** One implicit Euler step by Newton's iteration with fresh derivatives */
class ImplicitStep {
  private readonly mechanics: MechanicalSystem;
  private readonly f: Float64Array;
  private readonly x: Float64Array;
  private readonly start: Float64Array;
  private readonly before: Float64Array;
  private readonly byTime: Float64Array;
  /** 1 per coordinate that is an angle or part of a quaternion */
  private readonly turning: Uint8Array;

  constructor(mechanics: MechanicalSystem) {
    const { size, nq, system } = mechanics;
    this.mechanics = mechanics;
    this.f = new Float64Array(size);
    this.x = new Float64Array(size);
    this.start = new Float64Array(size);
    this.before = new Float64Array(size);
    this.byTime = new Float64Array(size);
    this.turning = new Uint8Array(nq);
    const { tree, free } = system;
    for (let i = 0; i < tree.count; i++)
      if (tree.q[i] >= 0 && tree.kind[i] !== NODE.prismatic)
        this.turning.fill(1, tree.q[i], tree.q[i] + (tree.kind[i] === NODE.spherical ? 4 : 1));
    for (let i = 0; i < free.count; i++)
      this.turning.fill(1, nq - 7 * free.count + 7 * i + 3, nq - 7 * free.count + 7 * i + 7);
  }

  /** From y at rest, in place. @returns the iterations it took, 0 if they do not converge or turn something by more than 1 rad */
  solve(t: number, y: Float64Array, e: number): number {
    const { before, start, turning } = this;
    const { nq, loops } = this.mechanics;
    const size = loops.length;
    start.set(y);
    let previous = Number.POSITIVE_INFINITY;
    for (let k = 1; k <= 12; k++) {
      before.set(y);
      if (!this.correct(t, y, start, e)) return 0;
      let change = 0;
      let moved = 0;
      let noise = 0;
      for (let i = 0; i < nq; i++) {
        if (turning[i] !== 0 && !(Math.abs(y[i] - start[i]) < 1)) return 0;
        const by = Math.abs(y[i] - before[i]);
        change = Math.max(change, by);
        moved = Math.max(moved, Math.abs(y[i] - start[i]));
        noise = Math.max(noise, turning[i] !== 0 ? by : by / size);
      }
      if (!(change < Number.POSITIVE_INFINITY)) return 0;
      if (change <= 1e-3 * moved * moved || change <= 1e-6 * moved || change < 1e-13) return k;
      // What stalls is lost, or down to the rounding of forces over stiffness and as good as it gets (4e-13 in a strip rolled up, of 1e-11 that it goes)
      if (k > 3 && change > 0.7 * previous) return noise < STALLED && change < 0.1 * moved ? k : 0;
      previous = change;
    }
    return 0;
  }
  /** One of Newton's iterations for y = start + e f(t, y). @returns whether it could be solved */
  correct(t: number, y: Float64Array, start: Float64Array, e: number): boolean {
    const { mechanics, f, x, byTime } = this;
    const { size, linear } = mechanics;
    mechanics.rates(t, y, f);
    if (!(largest(f, 0, size) < Number.POSITIVE_INFINITY)) return false;
    linear.linearise(t, y, f, byTime);
    for (let i = 0; i < size; i++) x[i] = start[i] + e * f[i] - y[i];
    if (!linear.factorise(e)) return false;
    linear.solve(x);
    for (let i = 0; i < size; i++) y[i] += x[i];
    return true;
  }
}

/** rad, or of the size of the mechanism: what bends aside by less is no push that somebody meant, but the mesh's, which is not quite alike on both sides: a column pressed straight stays straight */
const STRAIGHT = 1e-5;

/** Whether the velocities of a step, its displacements by e, go along with the accelerations before it: vᵀ M a ≥ 0, from kinetic energies, less what is driven. y is not changed. */
function goesAlong(mechanics: MechanicalSystem, t: number, y: Float64Array, a: Float64Array): boolean {
  const { nq, nv } = mechanics;
  const v = y.slice(nq, nq + nv);
  // of one size, so that sums round little
  const share = largest(v, 0, nv) / largest(a, 0, nv);
  const moving = y.slice();
  const kinetic = (forV: number, forA: number): number => {
    for (let i = 0; i < nv; i++) moving[nq + i] = forV * v[i] + forA * share * a[i];
    return energies(mechanics, t, moving).kinetic;
  };
  const product = kinetic(1, 1) - kinetic(1, -1) - kinetic(-1, 1) + kinetic(-1, -1);
  return product >= 0;
}

/** Accelerations that rounded positions alone make of stiff springs: 16 ε ω² |x| of the worst, m/s² */
function roundingOf({ norm, carriers }: MechanicalSystem): number {
  const { frequency, length, group } = norm.scales;
  const { position } = carriers;
  let most = 0;
  for (let i = 0; i < frequency.length; i++) {
    const away = Math.max(
      length[group[i]],
      Math.abs(position[3 * i]) + Math.abs(position[3 * i + 1]) + Math.abs(position[3 * i + 2]),
    );
    most = Math.max(most, 3.6e-15 * frequency[i] * frequency[i] * away);
  }
  return most;
}

/** s: steps in which everything that can move comes to rest */
const LONG = 1e3;

/** rad, or of the size of the mechanism: Newton's iteration that comes no nearer than this is not lost but rounds */
const STALLED = 1e-11;

/** m or rad in one step: what goes so far falls. */
const FALLEN = 1e30;

/** Accelerations below this part of those at the start are none. */
const ROUNDING = 1e-13;

/** Unit quaternions and closed loops at rest, however far the step went. */
function closeLoops(mechanics: MechanicalSystem, t: number, y: Float64Array): boolean {
  try {
    mechanics.restoreInvariants(y);
    if (mechanics.loops.any && !mechanics.closePositions(t, y, 20)) return false;
    mechanics.prepare(t, y);
  } catch (error) {
    if (error instanceof NoAccelerationError) return false;
    throw error;
  }
  return true;
}

const largest = (x: Float64Array, from: number, to: number): number => {
  let most = 0;
  for (let i = from; i < to; i++) most = Math.max(most, Math.abs(x[i]));
  return most;
};

const distance = (a: Float64Array, b: Float64Array, count: number): number => {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
};

const stuck = (t: number, push: number): DynamicsError =>
  new DynamicsError(
    'equilibrium',
    `t = ${t} s: no position of rest found; the largest acceleration left is ${push.toPrecision(3)} m/s² or rad/s². ` +
      'Is something free to fall, driven on and on by a torque or a motor, held by a contact alone, or a strip pressed beyond its buckling load in one piece (substructures)?',
  );
