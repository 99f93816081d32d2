/**
 * The infinitesimal translation of B that decides where features coincide exactly (see mesh-overlap/triangle-crossing.ts for the same in
 * space): along (e_x, e_y), and if that changes nothing, as for an edge parallel to it, by still less along y.
 */

/** 20 bits each, so that products with halves of a double are exact */
export const SHIFT_X = 791547 / 1048576;
export const SHIFT_Y = 597521 / 1048576;

/** `direction` −1 for a shift the other way, set by every evaluation for itself; how often the shift decided. */
export const planeShift = { direction: 1, ties: 0 };
