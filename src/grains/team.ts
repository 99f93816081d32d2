/** Who does the work: one thread after the other here, or workers at the same time (src/node/grain-workers.ts). Same bits from all. */
import type { GrainKernels, GrainPhase } from '../kernels/index.js';

export interface Team {
  /** Ranges the work is cut into */
  readonly threads: number;
  /** Whether they need memory that is shared */
  readonly shared: boolean;
  /** Called once, when the kernels are there */
  join(kernels: GrainKernels, memory: WebAssembly.Memory | undefined): void;
  /** All threads do their share; returns when all have. */
  run(phase: GrainPhase): void;
  close(): void;
}

/** One after the other; several ranges serve tests: what they give is what threads give. */
export class SerialTeam implements Team {
  readonly threads: number;
  readonly shared = false;
  private kernels: GrainKernels | undefined;

  constructor(threads = 1) {
    this.threads = threads;
  }

  join(kernels: GrainKernels): void {
    this.kernels = kernels;
  }

  run(phase: GrainPhase): void {
    for (let thread = 0; thread < this.threads; thread++) this.kernels!.run(phase, thread);
  }

  close(): void {}
}
