/** Plane figures: what one draws before extruding or revolving, and what a 2D CAD file holds. */

/**
 * A corner in m, and the bulge of the edge from it to the next corner: tan(sweep/4) of a circular arc, as in DXF. 0 or
 * none is a straight line, 1 half a circle to the right of the chord, which turns left; negative turns right.
 */
export type Corner = readonly [x: number, y: number, bulge?: number];

/**
 * A closed outline of lines and arcs: the first corner is not repeated; counter-clockwise unless a function says
 * otherwise. Two corners are enough if an edge is an arc.
 */
export type Outline = readonly Corner[];

/** An outline with holes. `outer` runs counter-clockwise, `holes` clockwise; none crosses itself or another. */
export interface Profile {
  readonly outer: Outline;
  readonly holes: readonly Outline[];
}

/** An outline of straight edges. */
export type Polygon = readonly (readonly [x: number, y: number])[];

/** A profile of straight edges. */
export interface PolygonProfile {
  readonly outer: Polygon;
  readonly holes: readonly Polygon[];
}
