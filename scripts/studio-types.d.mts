/** `/tippetop/index.d.ts`, `/zod/…`, `/lib/…` and their text */
export function studioTypes(): Record<string, string>;
