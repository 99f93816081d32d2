import { type ConvexTerms, TERM } from './convex-terms.js';

/** What becomes of the work of a term that is no contact's */
export const ROLE = { stored: 0, heat: 1, supplied: 2 } as const;

/** Bounded terms with their roles; they are the first of a step */
export class TermRoles {
  /** ROLE per term */
  role = new Uint8Array(64);

  constructor(private readonly terms: ConvexTerms) {}

  /** Makes the term of the row that was added last. */
  readonly add = (role: number): number => {
    const term = this.terms.addTerm(TERM.bounded);
    if (term >= this.role.length) {
      const more = new Uint8Array(2 * this.role.length);
      more.set(this.role);
      this.role = more;
    }
    this.role[term] = role;
    return term;
  };
}
