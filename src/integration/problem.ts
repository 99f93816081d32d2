/**
 * What an integrator is given: y' = f(t, y) with whatever its owner can say about it. Nothing here knows of mechanics.
 */

export interface Problem {
  readonly size: number;
  /** Writes f(t, y) into out. Must be pure: the same (t, y) gives the same bits. */
  rates(t: number, y: Float64Array, out: Float64Array): void;
  /** Linearisation for implicit methods. Missing: dense, from `jacobian` or by finite differences of `rates`. */
  readonly linear?: LinearSolver;
  /** Writes ∂f_i/∂y_j into out[i · size + j]. For small problems without structure, and for Radau IIA 5. */
  jacobian?(t: number, y: Float64Array, out: Float64Array): void;
  /**
   * Size of a local error in the problem's own measure; ≤ 1 is acceptable. Homogeneous: twice the error, twice the size.
   * Missing: max over i of |error_i| / (atol_i + rtol_i · max(|before_i|, |after_i|)).
   */
  errorNorm?(error: Float64Array, before: Float64Array, after: Float64Array): number;
  /** Component that made `errorNorm` what it is; asked only for reports. Missing: the largest by atol and rtol. */
  worstComponent?(error: Float64Array, before: Float64Array, after: Float64Array): number;
  /**
   * Puts y back on its manifold after an accepted step (unit quaternions, constraints), in place.
   * `false` asks for a shorter step.
   */
  project?(t: number, y: Float64Array): boolean;
  /** Longest step allowed from (t, y) where the rates are f, `planned` being meant: a guard against what no stage would see. */
  stepLimit?(t: number, y: Float64Array, f: Float64Array, planned: number): number;
  /** Functions inside the rates that somebody else wrote: they are not trusted to be smooth; see function-probe.ts. */
  readonly given?: GivenFunctions | undefined;
  /** Components that are positions q with q' = v for fixed-step partitioned methods; see verlet.ts. */
  readonly partition?: Partition;
  /** The owner knows that something is in it far faster than the motion that steps follow: where the method is chosen automatically, a stiff one begins. */
  readonly stiff?: boolean;
}

/** Solves with I − e J, J = ∂f/∂y at the last linearisation. The owner uses whatever structure it has. */
export interface LinearSolver {
  /** J is known to be exact wherever f has a derivative: it is not held against differences of f, which kinks of f would mislead. */
  readonly exact?: boolean;
  /** Linearises f at (t, y), where f(t, y) = `rates`; writes ∂f/∂t into `byTime` (zero where f does not depend on time). */
  linearise(t: number, y: Float64Array, rates: Float64Array, byTime: Float64Array): void;
  /** Prepares solving with I − e J. False if that matrix is singular. */
  factorise(e: number): boolean;
  /** Overwrites r with the solution x of (I − e J) x = r. */
  solve(r: Float64Array): void;
  /**
   * True if J at (t, y) is of another kind than at the last linearisation, because f has a kink between them (another set of
   * contacts touches). Newton iterations then linearise anew at the iterate. Asked right after `rates(t, y)`. Missing: never.
   */
  stale?(t: number, y: Float64Array): boolean;
}

/** Functions of time, and perhaps of the state, that can be read by themselves, far more cheaply than the rates they are part of. */
export interface GivenFunctions {
  readonly count: number;
  /** How often a step may be read along, which costs a `hold` each; 0 where they depend on nothing but time. */
  readonly readsPerStep: number;
  /** From now on `sample` tells of the state y. */
  hold(t: number, y: Float64Array): void;
  /** Writes the values at time t into out; NaN where there is none. Never throws. */
  sample(t: number, out: Float64Array): void;
  /** Told of a jump of function i that the motion has to follow; throws where none can. */
  refuse?(i: number, t: number, before: number, after: number): void;
}

/** y = [positions | velocities | rest] for velocity Verlet and symplectic Euler. */
export interface Partition {
  /** Writes positions advanced by h with the given velocities into y, in place (quaternions turn, they are not added to). */
  drift(y: Float64Array, h: number): void;
  /** First index and number of velocities. */
  readonly velocityStart: number;
  readonly velocityCount: number;
}

/** A function of (t, y) whose zero is located. */
export interface ZeroCrossing {
  readonly name: string;
  value(t: number, y: Float64Array): number;
  /** Which sign changes count; 'both' unless said. */
  readonly direction?: 'rising' | 'falling' | 'both';
  /** The integration stops there and hands control back. */
  readonly stops: boolean;
}
