/** What contact of a flexible part offers to dynamics, in the plane (plane-contact.ts) or in space (solid/solid-contact.ts), all in the axes of the part. */
export interface LocalContact {
  /** Coordinates of A and of B */
  readonly nA: number;
  readonly nB: number;
  /** Numbers that tell the pose of B and the velocities of both frames; forces and moments; bristles */
  readonly poses: number;
  readonly speeds: number;
  readonly wrenches: number;
  readonly bristle: Float64Array;
  /** Inputs: pose, q_A, q_B | velocities, η_A, η_B | bristles; outputs: force on A, moments on A and B, generalised forces, rates of bristles */
  readonly inputs: number;
  readonly outputs: number;
  readonly out: Float64Array;
  readonly qA: Float64Array;
  readonly etaA: Float64Array;
  readonly qB: Float64Array;
  readonly etaB: Float64Array;
  /** Those that press, after `evaluate` */
  readonly count: number;
  readonly touches: readonly { readonly force: number; readonly closing: number }[];
  readonly friction: FrictionOfPair | undefined;
  /** τ of the pair's own damping, s */
  relaxation: number;
  readonly energy: number;
  /** W: by friction; taken from the bodies by normal forces and by friction */
  readonly dissipated: number;
  readonly pressed: number;
  readonly rubbed: number;
  /** m */
  readonly deepest: number;
  readonly longestSide: number;
  /** Largest, Pa */
  readonly pressure: number;
  evaluate(): boolean;
  move(d: Float64Array, result: Float64Array): void;
  /** Gaps of what may touch, m, and how fast they close, m/s */
  approach(visit: (gap: number, closing: number) => void): void;
  /** Adds nodal forces on A or B */
  addNodalForces(of: 'a' | 'b', out: Float64Array): void;
}

export interface FrictionOfPair {
  readonly coefficient: number;
  /** Per bristle: N/m, N s/m */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
}
