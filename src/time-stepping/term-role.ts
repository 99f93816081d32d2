/** What becomes of the work of a term that is no contact's */
export const ROLE = { stored: 0, heat: 1, supplied: 2 } as const;
