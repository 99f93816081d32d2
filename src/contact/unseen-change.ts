/** What a step may have done to a pair that touched at its start without the error estimate having seen it: passed a border, lost touch, broken away. */
import { Separation } from '../narrow-phase/route.js';
import { slippedUnseen } from './break-away.js';
import type { ContactPair } from './contact-pair.js';

/**
 * True if a step to the carriers' present poses passed a border too far: the pair touched at the start and does not now, though the two are not
 * apart. The speeds are then wrong by up to N h/m. The error estimate of a stiff method does not see that: it looks through the damper of
 * the contact that is gone.
 */
export function missedBorder(
  pair: ContactPair,
  t: number,
  { relative, contact }: { readonly relative: number; readonly contact: number },
): boolean {
  const { bench, route, slots } = pair;
  if (!route.borders || !pair.touching || pair.deepest() > 0) return false;
  bench.place(route.a, route.b);
  route.separate(bench.poses, BORDER);
  if (BORDER.distance > 0) return false;
  let pull = 0;
  for (const { region, load, effectiveMass } of slots) if (region >= 0) pull = Math.max(pull, load / effectiveMass);
  const { twist } = bench.carriers;
  let square = pull * pair.depth; // of the speed that the contact could give, or the bodies have
  for (const carrier of [pair.a, pair.b]) {
    const v = 6 * carrier + 3;
    square = Math.max(square, twist[v] * twist[v] + twist[v + 1] * twist[v + 1] + twist[v + 2] * twist[v + 2]);
  }
  return pull * (t - pair.time) > Math.max(contact * pair.referenceSpeed, relative * Math.sqrt(square));
}

/**
 * A step far longer than an impact took the pair from touch under load to none. Errors that are allowed in places, 1e-2 of 1e-5 of a body's size, are
 * more than hard bodies are deep at rest: they would lose touch, fall, and let slip what friction held. A rebound is followed in shorter steps, and
 * what is lifted has its load taken before.
 *
 * @param speed m/s: how wrong speeds may be
 */
export function lostTouch(pair: ContactPair, t: number, speed: number): boolean {
  const h = t - pair.time;
  let pull = 0;
  let mass = Number.POSITIVE_INFINITY;
  for (const { region, load, effectiveMass } of pair.slots) {
    if (region < 0 || !(load > 0)) continue;
    pull = Math.max(pull, load / effectiveMass);
    mass = Math.min(mass, effectiveMass);
  }
  return pull * h > speed && h > 6 * Math.sqrt(mass / pair.law.stiffness) && !(pair.deepest() > 0);
}

/**
 * A bristle that held at the start of the step to the carriers' present motion has slipped unseen.
 *
 * @param speed m/s: how wrong speeds may be
 */
export function brokeAway(pair: ContactPair, t: number, y: Float64Array, speed: number): boolean {
  const { slots, bench } = pair;
  if (!slots.some(({ holds }) => holds)) return false;
  const h = t - pair.time;
  const rows = pair.findRegions(t);
  for (let p = 0; p < rows; p++) {
    const s = pair.slotOf[p];
    if (s < 0 || !slots[s].holds) continue;
    pair.evaluateRegion(p, y);
    if (slippedUnseen(slots[s], bench.forces, h, speed)) return true;
  }
  return false;
}

const BORDER = new Separation();
