/**
 * The two parts of a Geneva mechanism as solids, built by constructive solid geometry: a disc from which slots and
 * locking arcs are cut, and a plate that carries a disc with a relief and a pin. Elmqvist et al. (2015), §2.4 and §8.2.
 *
 * Outlines keep their arcs. In meshes circles become polygons such that gaps never get narrower than on paper: what is cut out is circumscribed,
 * what stands is inscribed. Cutters reach beyond the faces they cut through and are not flush with them.
 */

import { subtract, union } from '../../geometry/csg/boolean.js';
import { box, cylinder } from '../../geometry/primitives.js';
import { madeBy } from '../../geometry/recipe.js';
import type { Solid } from '../../geometry/solid.js';
import { rotate, translate } from '../../geometry/transform.js';
import { cos } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { type GenevaDimensions, type GenevaOptions, genevaDimensions } from './geneva-dimensions.js';

/** An upright cylinder from z = bottom to top, m. */
interface Upright {
  readonly radius: number;
  readonly bottom: number;
  readonly top: number;
  readonly segments: number;
  readonly at?: Vec2;
}

/**
 * The wheel, from z = 0 to its height, axis z; a locking arc faces +x, where the drive axis is.
 *
 * @throws ModelError if the parts would not fit, see `genevaDimensions`
 * @example const wheel = genevaWheel({ slots: 4, radius: 0.03 });
 */
export function genevaWheel(options: GenevaOptions = {}): Solid {
  const { blank, cutters } = genevaWheelParts(options);
  return madeBy('genevaWheel', { ...options }, subtract(blank, ...cutters));
}

/** The disc a wheel is cut from, and all that is cut: a box and a round end per slot, the locking arcs, the bore. */
export function genevaWheelParts(options: GenevaOptions = {}): { readonly blank: Solid; readonly cutters: Solid[] } {
  const d = genevaDimensions(options);
  const { slots: n, radius, centreDistance, crankRadius, slotWidth, height, segments, pinSegments } = d;
  const overcut = 0.05 * height;
  const through = { bottom: -overcut, top: height + overcut };
  const slotEnd = centreDistance - crankRadius; // from the axis
  const slotReach = 1.05 * radius; // beyond the rim

  const slot = translate(
    [(slotEnd + slotReach) / 2, 0, height / 2],
    box([slotReach - slotEnd, slotWidth, height + 2 * overcut]),
  );
  const roundEnd = circumscribed({ radius: slotWidth / 2, ...through, segments: pinSegments, at: [slotEnd, 0] });
  const lockingArc = circumscribed({ radius: d.lockArcRadius, ...through, segments, at: [centreDistance, 0] });
  const bore = d.boreRadius > 0 ? [circumscribed({ radius: d.boreRadius, ...through, segments: symmetric(d) })] : [];

  const turns = Array.from({ length: n }, (_, i) => (2 * Math.PI * i) / n);
  return {
    blank: inscribed({ radius, bottom: 0, top: height, segments: symmetric(d) }),
    cutters: [
      ...turns.map((angle) => rotate(angle + Math.PI / n, slot)),
      ...turns.map((angle) => rotate(angle + Math.PI / n, roundEnd)),
      ...turns.map((angle) => rotate(angle, lockingArc)),
      ...bore,
    ],
  };
}

/**
 * The drive, in its own frame: axis z, pin on +x, at the height where it meets a wheel that begins at z = 0. It stands
 * at (centreDistance, 0, 0) of the wheel's frame; as drawn, with its pin away from the wheel, the wheel is locked.
 *
 * @throws ModelError if the parts would not fit, see `genevaDimensions`
 * @example const drive = translate([genevaDimensions().centreDistance, 0, 0], genevaDrive());
 */
export function genevaDrive(options: GenevaOptions = {}): Solid {
  const d = genevaDimensions(options);
  const { height, axialGap, plateThickness, crankRadius, pinDiameter, segments } = d;
  const top = height + axialGap;
  const foot = -axialGap - plateThickness / 2; // disc and pin are rooted in the middle of the plate

  // The relief is cut before disc and plate are joined, so that it cannot mark the plate.
  const disc = subtract(
    inscribed({ radius: d.discRadius, bottom: foot, top, segments }),
    circumscribed({
      radius: d.reliefRadius,
      bottom: foot - axialGap,
      top: top + axialGap,
      segments,
      at: [d.reliefDistance, 0],
    }),
  );
  const pin = inscribed({
    radius: pinDiameter / 2,
    bottom: foot,
    top,
    segments: d.pinSegments,
    at: [crankRadius, 0],
  });
  if (plateThickness === 0) return madeBy('genevaDrive', { ...options }, union(disc, pin));
  const under = -axialGap - plateThickness;
  const plate = inscribed({ radius: crankRadius + pinDiameter, bottom: under, top: -axialGap, segments });
  const { shaftRadius, shaftLength } = d;
  const shaft =
    shaftRadius > 0 ? [inscribed({ radius: shaftRadius, bottom: under - shaftLength, top: foot, segments })] : [];
  return madeBy('genevaDrive', { ...options }, union(plate, disc, pin, ...shaft));
}

/** Corners of a circle such that all sectors of the wheel are alike and mirror symmetric: the wheel is balanced. */
const symmetric = ({ slots, segments }: GenevaDimensions): number => 2 * slots * Math.ceil(segments / (2 * slots));

/** Polygon with its corners on the circle. */
function inscribed({ radius, bottom, top, segments, at = [0, 0] }: Upright): Solid {
  return translate([...at, (bottom + top) / 2], cylinder({ radius, height: top - bottom, segments }));
}

/** A cylinder drawn as a polygon whose edges touch the circle; the middle of one is on +x. */
function circumscribed({ radius, segments, ...upright }: Upright): Solid {
  const { bottom, top, at = [0, 0] } = upright;
  const height = top - bottom;
  const outer = cylinder({ radius: radius / cos(Math.PI / segments), height, segments });
  const exact: Solid = { ...outer, form: { kind: 'cylinder', radius, height } };
  return translate([...at, (bottom + top) / 2], rotate(Math.PI / segments, exact));
}
