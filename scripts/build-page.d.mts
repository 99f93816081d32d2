/** Builds the viewer's page into a folder, which is emptied first. */
export function buildPage(folder: string): Promise<void>;
