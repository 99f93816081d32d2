/** Which files a program has read through us, for those that watch them. */

let listener: ((path: string) => void) | undefined;

/** One listener at a time; none by default. */
export function onFileRead(told: (path: string) => void): void {
  listener = told;
}

export function fileRead(path: string): void {
  listener?.(path);
}
