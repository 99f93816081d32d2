/** What all pairs of a run share, put together once: places of shapes, one region at a time to be worked on, what bodies weigh and how easily they are moved. */
import type { System } from '../assembly/system.js';
import { inSeries } from '../contact-laws/combination.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import type { Workbench } from './pair-regions.js';
import { RegionDerivatives } from './region-derivatives.js';
import { RegionForces } from './region-forces.js';
import type { ShapeFacts } from './shape-facts.js';
import type { ShapePlaces } from './shape-places.js';

/** @param mayRest 1 per free body that nothing but contacts acts on */
export function workbench(
  system: System,
  mechanics: MechanicalSystem,
  facts: ShapeFacts,
  places: ShapePlaces,
  mayRest: Uint8Array,
): Workbench {
  const { carriers } = mechanics;
  const forces = new RegionForces(carriers);
  const { masses, allMass } = weights(system, carriers, mayRest);
  return {
    carriers,
    poses: places.poses,
    patches: new ContactPatches(),
    forces,
    derivatives: new RegionDerivatives(carriers, forces),
    reach: facts.reach,
    place: (a, b) => places.placeBoth(a, b),
    mobility: (carrier, point, direction) => mechanics.contactMobility(carrier, point, direction),
    turningMobility: (carrier, axis) => mechanics.turningMobility(carrier, axis),
    ownMass: (a, b) => inSeries(masses[a], masses[b]),
    allMass,
    meetingGap: (a, b) => facts.meetingGap(a, b),
    fixedStep: 0,
    nextRegion: (a, b) => facts.nextRegion(a, b),
  };
}

/** 1 per free body that nothing but contacts acts on */
export function contactsAlone({ carriers, pairs }: MechanicalSystem): Uint8Array {
  const alone = new Uint8Array(carriers.free).fill(1);
  for (const { a, b } of pairs)
    for (const carrier of [a, b])
      if (carrier >= carriers.nodes && carrier < carriers.ground) alone[carrier - carriers.nodes] = 0;
  return alone;
}

/** kg per carrier: of bodies that may rest; 0: what hangs on joints or other forces. And of all of them together */
function weights(
  { bodies }: System,
  { nodes, ground }: Carriers,
  mayRest: Uint8Array,
): { readonly masses: Float64Array; readonly allMass: number } {
  const masses = new Float64Array(ground + 1);
  let allMass = 0;
  for (const { anchor, mass } of bodies) {
    if (anchor.node > -2 || mayRest[-2 - anchor.node] === 0) continue;
    masses[nodes - 2 - anchor.node] += mass;
    allMass += mass;
  }
  masses[ground] = Number.POSITIVE_INFINITY;
  return { masses, allMass };
}
