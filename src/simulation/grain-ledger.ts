/** Energy of a run with grains: the machine's book and the grains' together. What the two do to each other is in both, with opposite sign. */
import type { GrainBook } from '../grains/grain-book.js';
import type { TrustLedger } from './run-ledger.js';

export class GrainLedger implements TrustLedger {
  constructor(
    private readonly machine: TrustLedger,
    private readonly grains: GrainBook,
  ) {}

  at(t: number): void {
    this.machine.at(t);
  }
  get heats(): Float64Array {
    return this.machine.heats;
  }
  get heldAtStart(): number {
    return this.machine.heldAtStart;
  }
  get held(): number {
    return this.machine.held;
  }
  get friction(): number {
    return this.machine.friction;
  }
  get dissipated(): number {
    return this.machine.dissipated + this.grains.dissipated;
  }
  get supplied(): number {
    return this.machine.supplied + this.grains.supplied;
  }
  get initial(): number {
    return this.machine.initial + this.grains.initial;
  }
  get scale(): number {
    return Math.max(this.machine.scale, this.grains.scale);
  }
  get worst(): number {
    return this.machine.worst + this.grains.worst;
  }
  get fromSteps(): number | undefined {
    return this.machine.fromSteps;
  }
  get mostFromSteps(): number | undefined {
    return this.machine.mostFromSteps;
  }
  get parts(): readonly [number, number, number] {
    const [machine, grains] = [this.machine.parts, this.grains.parts];
    return [machine[0] + grains[0], machine[1] + grains[1], machine[2] + grains[2]];
  }
}
