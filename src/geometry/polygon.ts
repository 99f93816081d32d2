/** What one asks of polygons, in one place: measures, crossings, inside or outside, nesting. */
export { firstCrossing, firstCrossingAmong } from './outline-crossing.js';
export type { Crossing } from './polygon-crossing.js';
export { type Place, placeOf } from './polygon-inside.js';
export {
  type PlaneMoments,
  perimeter,
  planeMoments,
  profileArea,
  signedArea,
  winding,
} from './polygon-measure.js';
export { checkedProfile, clockwise, counterClockwise, nestOutlines, withoutRepeats } from './polygon-nesting.js';
