/** The elements that act at present: those of the plans and those held, for good, then those that come and go, such as contacts; and what follows from who they are. */
import type { Carriers } from '../tree/carriers.js';
import type { PairElement } from './pair-element.js';

export class ActingElements {
  /** 1 per free body that an element may turn */
  readonly turnable: Uint8Array;
  /** Something that acts depends on time, or on a motion that does. */
  timeDependent = false;
  private readonly list: PairElement[];
  private readonly lasting: number;

  /**
   * @param lasting             elements that stay for good
   * @param driven              1 per carrier that follows a prescribed motion
   * @param alwaysTimeDependent one of those that stay depends on time, or a drive does
   */
  constructor(
    private readonly carriers: Carriers,
    lasting: readonly PairElement[],
    passing: readonly PairElement[],
    private readonly driven: Uint8Array,
    private readonly alwaysTimeDependent: boolean,
  ) {
    this.list = [...lasting, ...passing];
    this.lasting = lasting.length;
    this.turnable = new Uint8Array(carriers.free);
    this.lookThrough();
  }

  /** All of them; always the same array */
  get all(): readonly PairElement[] {
    return this.list;
  }

  /** Replaces those that come and go. */
  replace(passing: readonly PairElement[]): void {
    const { list, lasting } = this;
    for (let i = 0; i < passing.length; i++) list[lasting + i] = passing[i];
    list.length = lasting + passing.length;
    this.lookThrough();
  }

  private lookThrough(): void {
    const { list, turnable, driven } = this;
    const { nodes, ground } = this.carriers;
    let timeDependent = this.alwaysTimeDependent;
    turnable.fill(0);
    for (let i = 0; i < list.length; i++) {
      const { a, b } = list[i];
      if (a >= nodes && a < ground) turnable[a - nodes] = 1;
      if (b >= nodes && b < ground) turnable[b - nodes] = 1;
      if (i >= this.lasting && list[i].timeDependent) timeDependent = true;
      if (driven[a] !== 0 || driven[b] !== 0) timeDependent = true;
    }
    this.timeDependent = timeDependent;
  }
}
