/**
 * Islands with their own steps.
 *
 * The island furthest behind makes the next step (of several the one with the lowest mechanism); its time is the **front**, the time of the run. After
 * a step its path is compared with that of every other over the time both cover (meeting.ts). Where two come within ε it goes back to that time and
 * waits; when the front has come there, the other goes back too, and both are joined. What has come apart in an island is split, at the start of a
 * step. So islands come into being at the front only, and the last step of every island covers the front: rows and events lie between the old
 * front and the new, where every island can be asked for its state.
 */
import { IntegrationError } from '../integration/integration-error.js';
import type { Tape } from '../math/tape.js';
import { IslandQueue } from './island-queue.js';
import { Meetings } from './meeting.js';
import { type IslandRun, MovingIsland } from './moving-island.js';
import type { RunLedger } from './run-ledger.js';

/** ε is met to rounding. */
const MET = 1 + 1e-6;
/** First step of an island that has come into being, as a part of the shortest that was planned */
const FIRST_STEP = 0.1;

export interface IslandCounts {
  joins: number;
  splits: number;
  /** Most mechanisms of one island */
  largest: number;
}

/** Where and whose an integration failed */
export class IslandFailure extends Error {
  constructor(
    readonly island: MovingIsland,
    readonly failure: IntegrationError,
  ) {
    super(failure.message);
  }
}

export class Front {
  readonly islands = new Set<MovingIsland>();
  readonly counts: IslandCounts = { joins: 0, splits: 0, largest: 0 };
  readonly meetings: Meetings | undefined;
  /** Counts islands that came into being */
  version = 0;
  /** rad per free body of the whole: what was put right in islands that are no more (free-rotation.ts) */
  readonly attitudeOfPast: Float64Array;
  private readonly ofMechanism: MovingIsland[] = [];
  private readonly queue = new IslandQueue();
  private readonly whole: Float64Array;

  constructor(
    private readonly run: IslandRun,
    /** Told of every island that comes, moves and goes */
    private readonly ledger: RunLedger,
  ) {
    const { contacts, system } = run;
    this.meetings = contacts && new Meetings(contacts, system.contacts!.rules);
    this.attitudeOfPast = new Float64Array(system.free.count);
    this.whole = new Float64Array(system.nq + system.nv + system.ns);
  }

  /** Islands at the start: mechanisms by themselves, those that are near each other joined. @param whole consistent state */
  start(t: number, whole: Float64Array, groups: readonly (readonly number[])[]): void {
    for (const members of groups) {
      const island = new MovingIsland(this.run, members);
      island.start(t, whole);
      this.enter(island);
    }
  }

  /** All islands as they are at the front t, which they are brought back to */
  write(t: number, tape: Tape): void {
    const islands = [...this.islands].sort((a, b) => a.members[0] - b.members[0]);
    tape.number(islands.length);
    for (const island of islands) {
      if (island.t > t) {
        island.retreat(t);
        this.moved(island);
      }
      tape.numbers(Float64Array.from(island.members));
      island.write(tape);
      this.queue.moved(island);
    }
    this.remember(tape);
  }

  /** Islands as they were written */
  resume(tape: Tape): void {
    const count = tape.number(0);
    for (let k = 0; k < count; k++) {
      const island = new MovingIsland(this.run, [...tape.numbers(new Float64Array(0))]);
      island.resume(tape);
      this.enter(island);
    }
    this.remember(tape);
  }

  private remember(tape: Tape): void {
    tape.fields(this.counts);
    tape.array(this.attitudeOfPast);
  }

  /** s: the least time of an island; where two are equally far behind, of the one with the lowest mechanism */
  get furthestBehind(): MovingIsland {
    return this.queue.first;
  }

  /** The island that a mechanism is in */
  islandOf(mechanism: number): MovingIsland {
    return this.ofMechanism[mechanism];
  }

  /** The island furthest behind is joined, split, or makes a step: then it is given back. */
  move(limitOf: (island: MovingIsland) => number): MovingIsland | undefined {
    const i = this.furthestBehind;
    if (i.meets >= 0) {
      const j = this.ofMechanism[i.meets];
      i.meets = -1;
      if (j !== i && this.meetings!.within(i, j, i.t, MET)) {
        this.join(i, j);
        return undefined;
      }
    }
    i.begin();
    if (i.stepped) {
      const parts = i.parts();
      if (parts) {
        this.split(i, parts);
        return undefined;
      }
    }
    try {
      i.step(limitOf(i));
    } catch (error) {
      throw error instanceof IntegrationError ? new IslandFailure(i, error) : error;
    }
    this.meet(i);
    this.moved(i);
    return i;
  }

  /** Books what an island has come to. */
  moved(island: MovingIsland): void {
    this.queue.moved(island);
    this.ledger.note(island);
    this.ledger.watch();
  }

  /** Goes back to where it first comes near another. */
  private meet(i: MovingIsland): void {
    const { meetings } = this;
    if (!meetings) return;
    let [first, other] = [Number.POSITIVE_INFINITY, -1];
    this.queue.eachNear(i, (j) => {
      const s = meetings.first(i, j, first);
      if (s === undefined || s > first || (s === first && j.members[0] > other)) return;
      first = s;
      other = j.members[0];
    });
    if (other < 0) return;
    i.retreat(first);
    i.meets = other;
  }

  private join(i: MovingIsland, j: MovingIsland): void {
    const { t } = i;
    j.retreat(t);
    this.queue.moved(j);
    const members = [...i.members, ...j.members].sort((a, b) => a - b);
    const states = (i.contacts?.statesInUse ?? 0) + (j.contacts?.statesInUse ?? 0);
    const joined = new MovingIsland(this.run, members, states);
    // the one with the lowest mechanism first: sums go by that, not by who came to whom
    const before = i.members[0] < j.members[0] ? [i, j] : [j, i];
    joined.takeOver(before, this.whole, this.firstStep(before), false);
    for (const island of before) this.leave(island);
    this.enter(joined);
    this.counts.joins++;
  }

  private split(i: MovingIsland, parts: readonly (readonly number[])[]): void {
    const made = parts.map((members) => {
      const island = new MovingIsland(this.run, members, i.contacts?.statesInUse ?? 0);
      island.takeOver([i], this.whole, this.firstStep([i]), true);
      return island;
    });
    this.leave(i);
    for (const island of made) this.enter(island);
    this.counts.splits++;
  }

  private firstStep(before: readonly MovingIsland[]): number | undefined {
    let least = Number.POSITIVE_INFINITY;
    for (const { integration } of before)
      if (integration.plannedStep > 0) least = Math.min(least, FIRST_STEP * integration.plannedStep);
    return least < Number.POSITIVE_INFINITY ? least : undefined;
  }

  private enter(island: MovingIsland): void {
    this.islands.add(island);
    this.queue.add(island);
    for (const member of island.members) this.ofMechanism[member] = island;
    this.counts.largest = Math.max(this.counts.largest, island.members.length);
    this.version++;
    this.ledger.note(island);
  }

  private leave(island: MovingIsland): void {
    this.islands.delete(island);
    this.queue.remove(island);
    island.addAttitude(this.attitudeOfPast);
    if (island.contacts) this.run.contacts!.noteMet(island.contacts, island.part.shapes);
    this.ledger.note(island);
    this.ledger.close(island);
  }
}
