/** The soil's own clock: forces are asked for at the integrator's rate, the soil flows at its own. */
import type { SoilGrid } from './soil-grid.js';

/** Says when all bodies of a grid have accepted a step, and when the soil flows. */
export class SoilClock {
  private accepted = 0;
  private time = 0;
  /** Of the last flow, s */
  private flowed = 0;

  constructor(
    readonly grid: SoilGrid,
    private readonly rate: number,
    private readonly tell: (grid: SoilGrid) => void,
  ) {}

  /** One body more has accepted the step that ends at t. True if levels have changed with it. */
  accept(t: number): boolean {
    if (t !== this.time) [this.time, this.accepted] = [t, 0];
    this.tell(this.grid);
    if (++this.accepted < this.grid.objects.length || !(this.rate > 0)) return false;
    if (t - this.flowed < (1 - 1e-9) / this.rate) return false;
    this.flowed = t;
    return this.grid.settle();
  }

  snapshot(): readonly number[] {
    return [this.accepted, this.time, this.flowed];
  }

  restore([accepted, time, flowed]: readonly number[]): void {
    [this.accepted, this.time, this.flowed] = [accepted, time, flowed];
    this.tell(this.grid);
  }
}
