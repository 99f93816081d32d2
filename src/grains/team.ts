/** Who does the work: one thread after the other here, or workers at the same time (worker-team.ts). Same bits from all. */

/** Kernels whose work is cut into shares, by name of the phase */
export interface SharedOut {
  /** The share of one thread, done here and now */
  run(phase: string, thread: number): void;
  /** Addresses of the pointer tables, one per thread; none with TypeScript */
  readonly tables: readonly number[];
}

export interface Team {
  /** Ranges the work is cut into */
  readonly threads: number;
  /** Whether they need memory that is shared */
  readonly shared: boolean;
  /** Called once, when the kernels are there */
  join(kernels: SharedOut, memory: WebAssembly.Memory | undefined): void;
  /** All threads do their share; returns when all have. */
  run(phase: string): void;
  close(): void;
}

/** One after the other; several ranges serve tests: what they give is what threads give. */
export class SerialTeam implements Team {
  readonly threads: number;
  readonly shared = false;
  private kernels: SharedOut | undefined;

  constructor(threads = 1) {
    this.threads = threads;
  }

  join(kernels: SharedOut): void {
    this.kernels = kernels;
  }

  run(phase: string): void {
    for (let thread = 0; thread < this.threads; thread++) this.kernels!.run(phase, thread);
  }

  close(): void {}
}
