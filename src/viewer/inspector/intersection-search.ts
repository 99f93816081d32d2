/** Intersections for the contacts that are shown: the chosen one first, then by force, as many as can be found without a wait. */

import { decimal, quantity } from '../../math/quantity.js';
import { scaleStops } from '../../results/scene/colour-scale.js';
import type { PairPlaces } from '../../results/scene/contact-side.js';
import { element } from '../controls/element.js';
import type { Playback } from '../playback/playback.js';
import type { DrawnContact } from './contact-drawing.js';
import { identity } from './contact-rows.js';
import { type FoundIntersection, Intersections } from './intersection.js';
import type { PressedPolygon } from './pressure.js';

/** ms at a time */
const PATIENCE = 25;
/** At rest the search goes on until so many are found. */
const MOST = 60;

export class IntersectionSearch {
  readonly #intersections: Intersections;
  #found = new Map<string, FoundIntersection>();
  #instant = -1;

  constructor(
    private readonly playback: Playback,
    pairs: PairPlaces,
  ) {
    this.#intersections = new Intersections(playback.scene, pairs);
  }

  /** By identity of the region */
  get found(): ReadonlyMap<string, FoundIntersection> {
    return this.#found;
  }

  /** A piece of the search. @returns whether it is done */
  async find(contacts: readonly DrawnContact[], instant: number, selected: string | undefined): Promise<boolean> {
    if (instant !== this.#instant || contacts.length === 0) this.#found = new Map();
    this.#instant = instant;
    if (contacts.length === 0) return true;
    // poses of the instant itself: between two the shapes overlap otherwise
    const { poses } = await this.playback.frame(instant);
    const byPair = new Map<number, DrawnContact[]>();
    const order = [...contacts].sort(
      (a, b) => Number(identity(b) === selected) - Number(identity(a) === selected) || b.normalForce - a.normalForce,
    );
    for (const contact of order) {
      const known = byPair.get(contact.pair);
      if (known) known.push(contact);
      else byPair.set(contact.pair, [contact]);
    }
    const end = performance.now() + PATIENCE;
    for (const same of byPair.values()) {
      const open = same.filter((contact) => !this.#found.has(identity(contact)));
      if (open.length === 0) continue;
      this.#intersections.find(open[0].label, open, poses).forEach((found, i) => {
        this.#found.set(identity(open[i]), found);
      });
      if (this.#found.size >= MOST) return true;
      if (performance.now() > end) return false;
    }
    return true;
  }
}

/** In words what the intersections are; nothing where none were asked for. */
export function describeIntersection(
  contacts: readonly DrawnContact[],
  { found }: IntersectionSearch,
  pressed: ReadonlyMap<string, readonly PressedPolygon[]>,
  selected: string | undefined,
): (HTMLElement | string)[] {
  if (found.size === 0) return [];
  const chosen = contacts.find((contact) => identity(contact) === selected);
  const about: (HTMLElement | string)[] = [];
  if (chosen || contacts.length === 1) {
    const contact = chosen ?? contacts[0];
    const one = found.get(identity(contact));
    if (!one) return ['This intersection has not been found yet: pause to look for it.'];
    if (one.kind === 'absent') return [one.reason];
    const polygons = pressed.get(identity(contact)) ?? [];
    const most = Math.max(0, ...polygons.map(({ pressure }) => pressure));
    about.push(
      element('strong', {}, `Intersection ${quantity(one.intersection.volume, 'm³', 4)}`),
      `, ${deviation(one.difference)}; ${polygons.length} polygons, up to ${quantity(most, 'Pa', 3)}. `,
    );
  } else {
    const shown = contacts.filter((contact) => found.get(identity(contact))?.kind === 'found');
    const volume = shown.reduce((sum, contact) => sum + pieceVolume(found.get(identity(contact))), 0);
    about.push(
      element('strong', {}, `${shown.length} of ${contacts.length} intersections`),
      `, ${quantity(volume, 'm³', 4)} in all. `,
    );
    const absent = contacts.map((contact) => found.get(identity(contact))).find((one) => one?.kind === 'absent');
    if (absent?.kind === 'absent') about.push(`${absent.reason} `);
  }
  if (pressed.size > 0) {
    about.push('The recorded force is spread over the polygons in proportion to the local depth.');
    about.push(pressureScale(pressed));
  }
  return about;
}

/** Colours of the polygons, from no pressure to the greatest that is drawn */
function pressureScale(pressed: ReadonlyMap<string, readonly PressedPolygon[]>): HTMLElement {
  let most = 0;
  for (const polygons of pressed.values()) for (const { pressure } of polygons) most = Math.max(most, pressure);
  const colours = element('i', {});
  colours.style.background = `linear-gradient(to right, ${scaleStops(9).join(', ')})`;
  return element('span', { class: 'inspector-pressure' }, '0', colours, quantity(most, 'Pa', 3));
}

const pieceVolume = (found: FoundIntersection | undefined): number =>
  found?.kind === 'found' ? found.intersection.volume : 0;

const deviation = (part: number): string =>
  Math.abs(part) < 1e-6
    ? 'as recorded'
    : `${decimal(Math.abs(100 * part), 2)} % ${part < 0 ? 'less' : 'more'} than recorded`;
