/**
 * What is looked at, in the part of an address behind #: instant, eye, picked body, plots. Whoever opens the address of a served recording or a report sees the same.
 *
 *   #view={"time":1.25,"picked":3,"eye":"…","plots":[["ball.position.z"]]}
 */
import type { Kept } from './session.js';

const NAME = 'view';

/** The address of this page with what is looked at */
export function addressOf(kept: Kept, page: string): string {
  const address = new URL(page);
  address.hash = `${NAME}=${encodeURIComponent(JSON.stringify(kept))}`;
  return address.href;
}

/** What the address asks for; undefined where it asks for nothing that can be understood. */
export function viewIn(page: string): Kept | undefined {
  const text = new URLSearchParams(new URL(page).hash.slice(1)).get(NAME);
  if (text === null) return undefined;
  try {
    const { bodies, time, speed, loop, picked, eye, plots }: Partial<Kept> = JSON.parse(text);
    const isText = (value: unknown): value is string => typeof value === 'string';
    if (!isText(bodies) || !Number.isFinite(time) || !(Number(speed) > 0)) return undefined;
    return {
      bodies,
      time: time!,
      speed: speed!,
      loop: loop === true,
      picked: Number.isInteger(picked) ? picked : undefined,
      eye: isText(eye) ? eye : undefined,
      plots: Array.isArray(plots) ? plots.filter(Array.isArray).map((names) => names.filter(isText)) : [],
    };
  } catch {
    return undefined;
  }
}
