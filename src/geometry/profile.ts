/** Plane figures: what one draws before extruding or revolving, and what a 2D CAD file holds. */
import type { Vec2 } from '../math/vec3.js';

/** A closed polygon: corners in m, the first not repeated; counter-clockwise unless a function says otherwise. */
export type Outline = readonly Vec2[];

/** A polygon with holes. `outer` runs counter-clockwise, `holes` clockwise; none crosses itself or another. */
export interface Profile {
  readonly outer: Outline;
  readonly holes: readonly Outline[];
}
