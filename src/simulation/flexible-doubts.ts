/** What makes runs with flexible bodies doubtful or is worth a note; part of the stage `flexibleBodies`, so that rigid pages need not have it. */
import type { System } from '../assembly/system.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { acrossPlanes } from './across-plane.js';
import { besidePlanes } from './beside-plane.js';
import { slidAlong } from './flexible-guides.js';
import { oddParts } from './odd-parts.js';
import { pressedSpots } from './pressed-spots.js';
import { softPartners } from './soft-partners.js';
import { spreadLoads } from './spread-loads.js';
import { type Doubts, heldLong, overstrained, pressedAlong, turnedFar, turnedFast } from './strain-range.js';
import { unstableRest } from './unstable-rest.js';

export function flexibleDoubts(system: System, model: Model, recording: Recording): Doubts {
  const ranges = [
    ...[turnedFar, turnedFast, spreadLoads, acrossPlanes, pressedAlong].map((look) => look(system, recording)),
    pressedSpots(system, recording),
    unstableRest(system, model, recording),
  ];
  return {
    doubtful: [
      ...overstrained(system, recording),
      ...besidePlanes(system, model, recording),
      ...ranges.flatMap(({ doubtful }) => doubtful),
    ],
    notes: [
      ...heldLong(system),
      ...oddParts(system, model, recording),
      ...slidAlong(system, model, recording),
      ...softPartners(system, model, recording),
      ...ranges.flatMap(({ notes }) => notes),
    ],
  };
}
