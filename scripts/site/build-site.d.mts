/** Writes the site into a folder. @returns the pages, by their path in the site */
export function buildSite(folder: string, root?: string): string[];
export function slug(text: string): string;
