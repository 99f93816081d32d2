/** Contacts of a whole system whose parts make their steps by themselves: pairs and who rests are shown here as they are there, for reports. */
import type { ContactList } from './contact-list.js';
import type { ContactPair } from './contact-pair.js';
import type { Resting } from './resting.js';

/** Contacts of a part, as far as they are shown */
export interface ShownContactsOfPart {
  readonly list: Pick<ContactList, 'present'>;
  readonly resting: Resting;
}

/** A part of a system: numbers in the whole of its shapes and free bodies, and its state */
export interface ShownPart<Contacts = ShownContactsOfPart> {
  readonly contacts: Contacts;
  readonly shapes: ArrayLike<number>;
  readonly free: ArrayLike<number>;
  readonly y: Float64Array;
}

export class ShownContacts {
  /** Pairs of the parts, in their order */
  private readonly pairs: ContactPair[] = [];

  /** @param first index in y of the first state of contacts */
  constructor(
    private readonly list: ContactList,
    private readonly resting: Resting,
    private readonly first: number,
  ) {}

  /** Lists the pairs of the parts, with places for their states one behind the other. */
  listAnew(parts: readonly ShownPart[]): void {
    const { list, resting, pairs } = this;
    for (const listed of list.present) listed.present = false;
    list.present = [];
    pairs.length = 0;
    let at = this.first;
    for (const { contacts, shapes, free } of parts) {
      for (const there of contacts.list.present) {
        const listed = list.of(shapes[there.shapeA], shapes[there.shapeB]);
        listed.present = true;
        listed.pair.stateAt = at;
        at += there.pair.states;
        list.present.push(listed);
        pairs.push(listed.pair);
      }
      for (let k = 0; k < free.length; k++) resting.bodies[free[k]] = contacts.resting.bodies[k];
    }
    resting.any = resting.bodies.includes(1);
  }

  /** Slots and states of the pairs, as they are in the parts */
  copy(parts: readonly ShownPart[], y: Float64Array): void {
    let next = 0;
    for (const { contacts, y: from } of parts)
      for (const { pair: there } of contacts.list.present) {
        const pair = this.pairs[next++];
        pair.takeOver(there);
        for (let k = 0; k < there.states; k++) y[pair.stateAt + k] = from[there.stateAt + k];
      }
  }
}
