/**
 * Energy of a whole run whose islands keep books of their own: sums over them, and over those that are no more. Kinetic, potential and elastic energy
 * add up, and so do heat, what is put in and the error of each.
 */
import type { Tape } from '../math/tape.js';
import type { MovingIsland } from './moving-island.js';
import type { Ledger } from './signals.js';

/** Per island: error of its book; kinetic, potential, elastic energy; dissipated, supplied, J, at its last step */
const WIDTH = 6;

/** What the trust report asks of a ledger. */
export interface TrustLedger extends Ledger {
  readonly friction: number;
  readonly initial: number;
  readonly scale: number;
  readonly worst: number;
  readonly held: number;
  /** kinetic, potential, elastic at the end, J */
  readonly parts: readonly [number, number, number];
  /** J that the length of the steps made or lost, where that is booked */
  readonly fromSteps?: number | undefined;
  /** The same at the time when it was largest */
  readonly mostFromSteps?: number | undefined;
  at(t: number): void;
}

export class RunLedger implements TrustLedger {
  dissipated = 0;
  supplied = 0;
  friction = 0;
  readonly heats: Float64Array;
  initial = 0;
  scale = 0;
  worst = 0;
  heldAtStart = 0;
  /** At the end, set by the owner */
  held = 0;
  parts: readonly [number, number, number] = [0, 0, 0];
  /** Of islands that are no more */
  private readonly past: { dissipated: number; supplied: number; friction: number; readonly heats: Float64Array };
  private pastError = 0;
  private readonly booked = new Map<MovingIsland, Float64Array>();
  private readonly sums = new Float64Array(WIDTH);
  private readonly atStart = new Float64Array(WIDTH);

  /** @param sensors how many sensors of heat the whole has */
  constructor(
    private readonly islands: () => Iterable<MovingIsland>,
    sensors: number,
  ) {
    this.heats = new Float64Array(sensors);
    this.past = { dissipated: 0, supplied: 0, friction: 0, heats: new Float64Array(sensors) };
  }

  /** The first islands are there. @param parts kinetic, potential, elastic energy of the whole, J */
  start(parts: ArrayLike<number>, held: number): void {
    this.initial = parts[0] + parts[1] + parts[2];
    this.heldAtStart = held;
    for (const island of this.islands()) this.note(island);
    this.atStart.set(this.sums);
    this.scale = Math.abs(this.sums[1]);
  }

  /** What is known beside the books of islands that are there */
  remember(tape: Tape): void {
    for (const key of ['initial', 'scale', 'worst', 'heldAtStart', 'pastError'] as const)
      this[key] = tape.number(this[key]);
    tape.fields(this.past);
    tape.array(this.atStart);
  }

  /** An island has come into being, made a step or gone back. */
  note(island: MovingIsland): void {
    const { sums } = this;
    let own = this.booked.get(island);
    if (!own) this.booked.set(island, (own = new Float64Array(WIDTH)));
    for (let k = 0; k < WIDTH; k++) sums[k] -= own[k];
    island.energy.booked(own);
    for (let k = 0; k < WIDTH; k++) sums[k] += own[k];
  }

  /** Looks at the sums, when no island is on its way into being. */
  watch(): void {
    const { sums, atStart, past } = this;
    this.worst = Math.max(this.worst, Math.abs(sums[0] + this.pastError));
    this.scale = Math.max(
      this.scale,
      Math.abs(sums[1]),
      Math.abs(sums[2] - atStart[2]),
      Math.abs(sums[3] - atStart[3]),
      Math.abs(past.dissipated + sums[4]),
      Math.abs(past.supplied + sums[5]),
    );
  }

  /** An island is no more; what it has booked stays. */
  close(island: MovingIsland): void {
    const { past, sums } = this;
    const own = this.booked.get(island)!;
    this.booked.delete(island);
    for (let k = 0; k < WIDTH; k++) sums[k] -= own[k];
    this.pastError += own[0];
    this.add(island, island.t, past);
  }

  private add(
    { energy, heat }: MovingIsland,
    t: number,
    to: { dissipated: number; supplied: number; friction: number; readonly heats: Float64Array },
  ): void {
    energy.at(t);
    to.dissipated += energy.dissipated;
    to.supplied += energy.supplied;
    to.friction += energy.friction;
    if (heat) for (let k = 0; k < heat.inWhole.length; k++) to.heats[heat.inWhole[k]] += energy.heats[k];
  }

  /** Sets the sums to a time that all islands cover. */
  at(t: number): void {
    this.dissipated = this.past.dissipated;
    this.supplied = this.past.supplied;
    this.friction = this.past.friction;
    this.heats.set(this.past.heats);
    for (const island of this.islands()) this.add(island, t, this);
  }
}
