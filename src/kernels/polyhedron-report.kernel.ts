/** What pairs of rigid grains read and write, by slot of the pointer table, and places in the report of a thread. */
import type { i32 } from './prelude.js';

/** 2 per pair: pieces */
export const PAIRS: i32 = 24;
/** 16 per pair: s, m; ψ, rad; normal or separating vector, from the first to the second; 1 if they touched in the last step; then of that step, for the book of energy: N − F, N; W on the first, N; T, N m; 0 … */
export const HISTORY: i32 = 25;
/** 12 per two species: K; x; µ; ζ; cohesion, Pa; E*; G*; ζ of balls; 0 … */
export const LAWS: i32 = 26;
/** 20 per thread, see `REPORT_…` */
export const REPORT: i32 = 27;
/** 16 per pair, if asked for: V, |S|, N, W, point, normal from first to second, k_n, k_t, δ, 0 */
export const RECORDS: i32 = 28;

/** In: C of forces, of torques on grains and on walls, N and N m; 1 to write RECORDS. Out: greatest component of a force and of a torque on a wall; touching pairs; overlaps cut; vectors tried; greatest depth V/|S| over the thinness of the thinner piece, and its pair; pairs with bounding spheres that meet; pairs that did not touch a step before; work done in this step against damping, and against bristles and twists, J; energy in overlaps, and in bristles and twists, J; those of the touching pairs of which one is a wall */
export const REPORT_FORCE_GRID: i32 = 0;
export const REPORT_TORQUE_GRID: i32 = 1;
export const REPORT_RECORD: i32 = 2;
export const REPORT_FORCE: i32 = 3;
export const REPORT_TORQUE: i32 = 4;
export const REPORT_CONTACTS: i32 = 5;
export const REPORT_CUTS: i32 = 6;
export const REPORT_VECTORS: i32 = 7;
export const REPORT_DEPTH: i32 = 8;
export const REPORT_DEEPEST: i32 = 9;
export const REPORT_NEAR: i32 = 10;
export const REPORT_NEW: i32 = 11;
export const REPORT_WALL_GRID: i32 = 12;
export const REPORT_DAMPED: i32 = 13;
export const REPORT_SLID: i32 = 14;
export const REPORT_ELASTIC: i32 = 15;
export const REPORT_BRISTLES: i32 = 16;
export const REPORT_WALLS: i32 = 17;
export const REPORT_LENGTH: i32 = 20;

/** One per piece: smallest width of a polyhedron, radius of a sphere, m */
export const THINNESS: i32 = 29;
