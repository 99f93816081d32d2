/** The prisms of a solid that consists of several, each as an extrusion where it is in the solid. */
import { extrude } from './extrude.js';
import type { Solid } from './solid.js';
import { rotate, translate } from './transform.js';

/** @returns the solid itself if it is not made of prisms */
export function prismSolids(solid: Solid): readonly Solid[] {
  const { prisms, pose } = solid;
  if (!prisms) return [solid];
  return prisms.map(({ profile, bottom, top, segments }) => {
    const drawn = extrude(profile, top - bottom, segments === undefined ? {} : { segments });
    return translate(pose.position, rotate(pose.orientation, translate([0, 0, bottom], drawn)));
  });
}
