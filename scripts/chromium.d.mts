/** Path of an installed Chromium, or undefined. */
export function findChromium(): string | undefined;
/** Path of Chromium, installing Debian's package if need be; throws with what to do when that is not possible. */
export function ensureChromium(): string;
