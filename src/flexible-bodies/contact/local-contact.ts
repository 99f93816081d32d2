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
  readonly touches: readonly {
    /** Number among all places that may touch */
    readonly place: number;
    readonly depth: number;
    readonly force: number;
    readonly closing: number;
  }[];
  readonly friction: FrictionOfPair | undefined;
  /** τ of the pair's own damping, s */
  relaxation: number;
  /** Bristles hold what they are stretched by alone, whatever the slip: velocities at the end of a time step are not those with which surfaces went in it */
  stretchedOnly: boolean;
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
  /** Half-width of a contact with something round over the length of a side; 0: there is none */
  readonly widthInSides: number;
  /** A part that is round, m: its largest radius */
  readonly roundest: number;
  evaluate(): boolean;
  move(d: Float64Array, result: Float64Array): void;
  /** Gaps of what may touch, m, and how fast they close, m/s; `visit` tells until when they are of interest, s */
  approach(visit: (gap: number, closing: number) => number): void;
  /** Adds nodal forces on A or B */
  addNodalForces(of: 'a' | 'b', out: Float64Array): void;

  // As a time step sees it (time-stepping/flexible-terms.ts)

  readonly ahead: PressureAhead;
  readonly slips: SlipsAhead;
  /** How many places may touch */
  readonly placeCount: number;
  /** Of loads that walk along what deforms; none: they are not drawn along it */
  readonly walks: WalksAhead | undefined;
  /** Of touch i: the normal that pushes A, where it acts on A and on B; 3 each, A's axes */
  placesOf(i: number, normal: Float64Array, onA: Float64Array, onB: Float64Array): void;
  /** Adds the velocity of A's place of touch i seen from B's, along e, per coordinate of A, then of B */
  addAlong(i: number, e: Float64Array, out: Float64Array): void;
}

/** Places within reach, and their pressure at other depths */
export interface PressureAhead {
  /** So many of the touches */
  readonly count: number;
  /** Finds all that are nearer than `near` m at the inputs, and their speeds. */
  look(near: number): void;
  /**
   * Forces at depths that they might have, N. False if they cannot be found.
   *
   * @param stiffness gets `scale` times their derivatives by depth, N/m, count × count from `at` on; what was written there last must still be there
   */
  press(depth: Float64Array, force: Float64Array, stiffness?: Float64Array, at?: number, scale?: number): boolean;
}

/** How loads that walk along a surface that deforms are drawn to where it is softer */
export interface WalksAhead {
  /** After a look, with forces that are expected; false: none walks */
  find(force: Float64Array): boolean;
  /**
   * Of touch i per newton of its own force: what pushes A at the place that walks, A's axes, and what is added per coordinate of A, then of B, beside what that place moves by. False: nothing
   */
  along(i: number, e: Float64Array, at: Float64Array, out: Float64Array): boolean;
}

/** How bristles slip, with forces that are expected */
export interface SlipsAhead {
  /** Bristles with a limit of their own, N of each as expected */
  readonly count: number;
  readonly load: Float64Array;
  /** After a look; one force per touch */
  expect(force: Float64Array): void;
  /** Bristle of a touch */
  slotOf(i: number): number;
  /** Components that it slips along; 0: it has no load */
  rows(slip: number): number;
  /** What the velocity at touch i adds to a component, A's axes; false: nothing */
  direction(slip: number, row: number, i: number, out: Float64Array): boolean;
  /** Component of the stretch, m; states from z[at] on */
  stretch(slip: number, row: number, z: Float64Array, at: number): number;
  /** Writes stretches at the end of a step. @param relaxed what is left of the part that no component tells */
  settle(slip: number, stretches: Float64Array, relaxed: number, z: Float64Array, at: number): void;
  /** One without a load */
  relax(slip: number, relaxed: number, z: Float64Array, at: number): void;
  /** Of the whole stretch, m² */
  square(slip: number, z: Float64Array, at: number): number;
}

export interface FrictionOfPair {
  readonly coefficient: number;
  /** Per bristle: N/m, N s/m */
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
}
