import { CONTACT, FEATURE, LAW, RANGE, RECORD, RESULT, SCRATCH, WALL, WALL_INTS } from './grain-sizes.kernel.js';

/**
 * The arrays that kernels for grains work on, by slot of the pointer table. Lists are double: rows of the new ones are written while the old ones
 * still tell what each contact remembers.
 *
 * numbers   0 h of the history, 1 of the kick, 2 of the drift, s; 3…5 gravity, m/s²; 6, 7, 8 rounding constants of forces, torques, moments on bodies;
 *           9…11 periods, m, 0 where there is none; 12…14 their low corner; 15 skin, 22 reach of adhesion, 23 radius beyond which grains are set apart, m; 16…18 low corner of the cells, 19…21 cells per m
 * counts    0 grains, 1 threads, 2…4 cells along x, y, z, 5 capacity, 6 kinds, 7 floats of history per pair (4 or 8), 8 any axis periodic,
 *           9 wall bodies, 10 measure only, 11 law with all its terms, 12 adhesion beyond touch, 13 rows of records per thread, 14 pairs one by one also where there are lanes for two
 * ranges    16 per thread: 0, 1 own rows; 2, 3 rows to build; 4, 5 segment of pairs, 6 its end; 7, 8 grains its forces may reach;
 *           9, 10 segment of groups, 11 its end; 12, 13 segment of candidates, 14 its end; 15 overflow bits
 * results   16 per thread: 0 greatest squared way, 1 greatest normal force, 2 greatest depth in a wall by radius, 3 pairs, 4 wall contacts,
 *           5 grain deepest in a wall, 6 greatest depth of a pair by the smaller radius, 8…13 bounds, 8 after a move energy of going round periods, J; 7, 14, 15 work done in the step against damping, sliding, rolling and
 *           twisting, J
 * owners    the grain whose row an entry of `neighbours` is in
 * history   4 or 8 per pair: s, damping force; or s, twist, rolling angle, damping force
 * grains    4 per grain: x y z r, m.   motion 8 per grain: v m/s, 1/m 1/kg, ω rad/s, 1/I 1/(kg m²); v and ω lag half a step
 * forces    8 per grain and thread: force N, torque N m
 * walls     32 per body: 0…8 rotation row by row, 9…11 position, 12…14 velocity, 15…17 angular velocity, 18…20 low corner of its grid, 21…23 cells per m,
 *           24…26 high corner, 27 1/mass 1/kg
 * wallInts  16 per body: 0, 1 first and end of features without a box; 2…4 cells of its grid, 5 first of them; 6 kind
 * groupInts 4 per group of a grain and a body: the body, first and end of its candidates (features near the grain), contacts
 * groupOwners  the grain of a group
 * weights   what a grain's row costs, in entries that do not touch
 * groups    16 per candidate, those of a group's contacts first: s, point (body's frame), twist, rolling angle, damping force
 * laws      16 per ordered pair of kinds: 0 2E*, 1 8G*, 2 x, 3 2ζ, 4 µ, 5 µ_r, 6 limit of twisting by a N, 7 π × cohesion, 8 law (0 Hertz, 1 linear, 2 JKR),
 *           9 k, 10 k_t, 11 √(2πγ/E*), 12 √(8πγE*), 13 1.5πγ
 * touching  4096 per thread: what touches, two at a time (assembly/pairs-by-two.ts, walls-by-two.ts)
 * features  32 per feature, first its kind: 0 half-space, 1 face, 2 edge, 3 vertex, 4 revolved segment, 5 revolved corner, 6 ball; inner ones: 7 edge, 8 vertex, 9 revolved corner
 */
export const GRAIN_SLOT = {
  numbers: 0,
  counts: 1,
  ranges: 2,
  results: 3,
  grains: 4,
  motion: 5,
  ids: 6,
  kinds: 7,
  cellStart: 8,
  cell: 9,
  order: 10,
  reference: 11,
  newGrains: 12,
  newMotion: 13,
  newIds: 14,
  newKinds: 15,
  starts: 16,
  ends: 17,
  neighbours: 18,
  history: 19,
  oldStarts: 20,
  oldEnds: 21,
  oldNeighbours: 22,
  oldHistory: 23,
  walls: 24,
  wallInts: 25,
  wallStarts: 26,
  wallEnds: 27,
  groupInts: 28,
  groups: 29,
  candidates: 30,
  features: 31,
  boxes: 32,
  gridStart: 33,
  gridFeatures: 34,
  oldWallStarts: 35,
  oldWallEnds: 36,
  oldGroupInts: 37,
  oldGroups: 38,
  forces: 39,
  laws: 40,
  wrenches: 41,
  scratch: 42,
  spokes: 43,
  touching: 44,
  owners: 45,
  records: 46,
  groupOwners: 47,
  weights: 48,
} as const;

export type GrainSlot = keyof typeof GRAIN_SLOT;

/** Floats or ints per thread, grain, pair … as said above */
export const STRIDE = {
  range: RANGE,
  result: RESULT,
  wall: WALL,
  wallInts: WALL_INTS,
  contact: CONTACT,
  law: LAW,
  feature: FEATURE,
  record: RECORD,
  spoke: 6,
  scratch: SCRATCH,
  touching: 4096,
} as const;

export { TOUCHED } from './grain-sizes.kernel.js';
