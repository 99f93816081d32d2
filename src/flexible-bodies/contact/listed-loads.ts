/**
 * Loads on one part that deforms, by number (residual-compliance.ts), and what they do along any of them: d_i = Σ_j R_ij a_j over those that are there. A displacement is found when it is first
 * asked for and kept until the loads are others.
 */
export class ListedLoads {
  private readonly amount: Float64Array;
  private readonly listed: Int32Array;
  private readonly isListed: Uint8Array;
  private count = 0;
  /** Per load whose displacement is known, m */
  private readonly displaced: Float64Array;
  /** Version of the loads for which it is */
  private readonly known: Int32Array;
  private version = 0;

  /** @param compliance R, m/N */
  constructor(
    loadCount: number,
    private readonly compliance: { between(i: number, j: number): number },
  ) {
    this.amount = new Float64Array(loadCount);
    this.listed = new Int32Array(loadCount);
    this.isListed = new Uint8Array(loadCount);
    this.displaced = new Float64Array(loadCount);
    this.known = new Int32Array(loadCount).fill(-1);
  }

  clear(): void {
    for (let k = 0; k < this.count; k++) {
      this.amount[this.listed[k]] = 0;
      this.isListed[this.listed[k]] = 0;
    }
    this.count = 0;
    this.version++;
  }

  protected add(load: number, amount: number): void {
    if (this.isListed[load] === 0) {
      this.isListed[load] = 1;
      this.listed[this.count++] = load;
    }
    this.amount[load] += amount;
  }

  /** What the loads do along one of them, m; all have to be there */
  protected along(load: number): number {
    const { known, version, displaced, listed, amount, compliance } = this;
    if (known[load] === version) return displaced[load];
    let sum = 0;
    for (let k = 0; k < this.count; k++) sum += compliance.between(load, listed[k]) * amount[listed[k]];
    known[load] = version;
    displaced[load] = sum;
    return sum;
  }
}
