/** `/tippetop/index.d.ts`, `/lib/…` and their text */
export function studioTypes(): Record<string, string>;
