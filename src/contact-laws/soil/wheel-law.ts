/**
 * What a law of a wheel on ground sees and gives: the wheel's motion against the plane under it, and the loads on its centre. States are the law's
 * own; `accept` may keep what lasts between steps.
 */
export interface WheelKinematics {
  /** Of the lowest line of the wheel, m; its rate, m/s, positive while it sinks */
  sinkage: number;
  sinking: number;
  /** Velocity of the centre along the heading and to the left, m/s */
  forward: number;
  sideways: number;
  /** ω r of the tread, m/s */
  rim: number;
  /** Sine of the slope uphill along the heading */
  uphill: number;
}

export interface WheelLoads {
  /** N: out of the ground, along the heading, to the left */
  load: number;
  along: number;
  across: number;
  /** N m that the ground holds against the drive, about the axle; and about the heading */
  drive: number;
  roll: number;
}

export interface WheelLaw {
  readonly states: Readonly<
    Record<string, { readonly unit: string; readonly scale: number; readonly initial?: number }>
  >;
  evaluate(motion: WheelKinematics, states: Float64Array, rates: Float64Array, out: WheelLoads): void;
  /** Off the ground: the states' rates */
  lift?(states: Float64Array, rates: Float64Array): void;
  /** A step has ended; `mass` is what the centre feels along heading and side, kg. May write states. True if forces are others from here on. */
  accept?(motion: WheelKinematics, states: Float64Array, mass: readonly [number, number]): boolean;
  snapshot?(): unknown;
  restore?(snapshot: unknown): void;
}
