/**
 * What a slot keeps for the step that follows, told at an accepted state: masses, stiffness and damping, the place and motion of its region, the
 * shape of its patch; and what a slot that waits expects of the region that may come.
 */
import { bristleDamping } from '../contact-laws/friction/bristle.js';
import { noteBristle } from './break-away.js';
import type { PairRegions } from './pair-regions.js';
import type { PairScales } from './pair-scales.js';
import { rockingMatrix } from './rocking.js';
import type { Slot } from './slot.js';

/**
 * Keeps what the step that follows holds constant.
 *
 * Bristles damp the mass that the centroid has along the plane. Where joints hold it there, as of two discs of a clutch on one shaft, that mass is what rounding makes of 1/0, and they damp
 * what turns: the mass of the patch at its effective radius about the normal.
 *
 * @param h s since its place was told; 0 where the region is new or another than before, and its place says nothing of its motion
 */
export function rememberRegion(regions: PairScales, slot: Slot, p: number, h: number): void {
  const { bench, patches, a, b, law, route } = regions;
  const { carriers, forces } = bench;
  const { position, rotation } = carriers;
  const { basis, measures } = forces;
  const r = 9 * a;
  for (let k = 0; k < 3; k++) {
    // into A's axes: columns of R
    const e = rotation[r + k] * basis[3] + rotation[r + 3 + k] * basis[4] + rotation[r + 6 + k] * basis[5];
    const x =
      rotation[r + k] * (patches.centroid[3 * p] - position[3 * a]) +
      rotation[r + 3 + k] * (patches.centroid[3 * p + 1] - position[3 * a + 1]) +
      rotation[r + 6 + k] * (patches.centroid[3 * p + 2] - position[3 * a + 2]);
    slot.edge[k] = e;
    slot.normal[k] = rotation[r + k] * basis[0] + rotation[r + 3 + k] * basis[1] + rotation[r + 6 + k] * basis[2];
    if (h > 0) slot.drift[k] = (x - slot.place[k]) / h;
    slot.place[k] = x;
  }
  if (h > 0) limitDrift(regions, slot);
  for (let k = 0; k < 3; k++) {
    POINT[k] = patches.centroid[3 * p + k];
    DIRECTION[k] = basis[k];
  }
  const mobility = bench.mobility(a, POINT, DIRECTION) + bench.mobility(b, POINT, DIRECTION);
  const turning = bench.turningMobility(a, DIRECTION) + bench.turningMobility(b, DIRECTION);
  for (let k = 0; k < 3; k++) DIRECTION[k] = basis[3 + k];
  slot.effectiveRadius = forces.patch.foundRadius();
  const across = movable(
    bench.mobility(a, POINT, DIRECTION) + bench.mobility(b, POINT, DIRECTION),
    turning * slot.effectiveRadius * slot.effectiveRadius,
  );
  slot.effectiveMass = mobility > 0 ? 1 / mobility : 1;
  slot.twistRadius = turning > 0 ? Math.sqrt(across / turning) : 0;
  slot.stiffness = measures.stiffness;
  slot.load = forces.forces.normal.force;
  slot.carried = regions.carriedBy(slot);
  slot.dampingScale = bristleDamping(1, (across > 0 ? 1 / across : 1) * slot.carried, law.dampingRatio);
  slot.relaxationRate = Math.sqrt(measures.stiffness) / slot.dampingScale;
  noteBristle(slot, law, forces);
  for (let k = 0; k < 3; k++) slot.spread[k] = patches.area[p] > 0 ? forces.patch.moments[k] : 0;
  const { force, bySpeed } = forces.forces.normal;
  // what the user says is pressed like a ball rolls like one, though it is a mesh
  const round = Number.isFinite(law.effectiveRadius) || route.rolls === true || law.pressure === 'hertz';
  const rocks = patches.area[p] > 0 && force > 0 && !round;
  rockingMatrix(
    slot.rocking,
    rocks ? bySpeed / force : 0,
    forces.patch.moments,
    basis,
    bench.poses.rotation,
    route.roller,
  );
  const { volume, area } = measures;
  for (let k = 0; k < 3; k++) slot.patch[k] = patches.area[p] > 0 ? forces.patch.pressedMoments[k] / area : k - 1;
  slot.growth = volume > 0 ? Math.min(2, Math.max(0, (area * patches.extent[p]) / volume - 1)) : 0;
}

/**
 * A centroid is carried along by what slides and rolls. One that goes much faster has jumped, as it does where a face comes to lie flat, and
 * will not go on like that.
 */
function limitDrift({ bench, a, b }: PairRegions, { drift }: Slot): void {
  const { forces, carriers } = bench;
  const { velocity: u, leverA, leverB } = forces;
  const { twist } = carriers;
  const [i, j] = [6 * a, 6 * b];
  let speed = 0;
  let spin = 0;
  let arm = 0;
  let other = 0;
  let fastest = 0;
  for (let k = 0; k < 3; k++) {
    speed += u[k] * u[k];
    spin += (twist[j + k] - twist[i + k]) * (twist[j + k] - twist[i + k]);
    arm += leverA[k] * leverA[k];
    other += leverB[k] * leverB[k];
    fastest += drift[k] * drift[k];
  }
  const most = 2 * (Math.sqrt(speed) + Math.sqrt(spin * Math.max(arm, other)));
  if (fastest > most * most) {
    const share = most / Math.sqrt(fastest);
    for (let k = 0; k < 3; k++) drift[k] *= share;
  }
}

/**
 * For steps of one length h: a bristle that slips relaxes with k/d, one without a region fades with it, and explicit formulas need h k/d ≤ 1, else they
 * overshoot and grow. With d = k h a step of the slipping bristle is the return map, k z = F, of explicit particle codes; the damping it adds where the
 * bristle holds is ω h/2 of critical.
 *
 * @param h        s: steps while the pair touches
 * @param longest  s: steps at any time
 */
export function boundRelaxation(slot: Slot, h: number, longest: number): void {
  slot.dampingScale = Math.max(slot.dampingScale, h * Math.sqrt(slot.stiffness));
  slot.relaxationRate = Math.min(slot.relaxationRate, 1 / longest);
}

/**
 * Where the next region will appear, as far as can be seen: the masses it will feel and a basis for it
 *
 * @param point, direction 3 each, world
 */
export function prepareWaitingSlots(
  { bench, slots, a, b, law, route }: PairRegions,
  point: Float64Array,
  direction: Float64Array,
): void {
  const mobility = bench.mobility(a, point, direction) + bench.mobility(b, point, direction);
  const turning = bench.turningMobility(a, direction) + bench.turningMobility(b, direction);
  const mass = mobility > 0 ? 1 / mobility : 1;
  const { rotation } = bench.carriers;
  const r = 9 * a;
  // any direction across
  const k = Math.abs(direction[0]) < 0.6 ? 0 : Math.abs(direction[1]) < 0.6 ? 1 : 2;
  for (let i = 0; i < 3; i++) DIRECTION[i] = (k === i ? 1 : 0) - direction[k] * direction[i];
  const [ex, ey, ez] = DIRECTION;
  const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
  for (let i = 0; i < 3; i++) DIRECTION[i] /= size;
  // on an axis about which both turn: as if it came as large as a third of the smaller shape
  const third = Math.min(bench.reach[route.a], bench.reach[route.b]) / 3;
  const across = movable(
    bench.mobility(a, point, DIRECTION) + bench.mobility(b, point, DIRECTION),
    third < Number.POSITIVE_INFINITY ? turning * third * third : 0,
  );
  for (const slot of slots) {
    if (slot.region >= 0) continue;
    slot.effectiveMass = mass;
    slot.carried = 1;
    slot.twistRadius = turning > 0 ? Math.sqrt(across / turning) : 0;
    slot.rocking.fill(0);
    slot.patch[0] = -1;
    slot.stiffness = law.stiffness;
    slot.dampingScale = bristleDamping(1, across > 0 ? 1 / across : 1, law.dampingRatio);
    slot.relaxationRate = Math.sqrt(law.stiffness) / slot.dampingScale;
    for (let i = 0; i < 3; i++)
      slot.edge[i] = (rotation[r + i] * ex + rotation[r + 3 + i] * ey + rotation[r + 6 + i] * ez) / size;
  }
}

/** Mobility along the plane, 1/kg; where it is so small beside that of the turning patch that joints must hold it, that of the patch */
const LOCKED = 1e-2;
const movable = (across: number, turned: number): number => (across < LOCKED * turned ? turned : across);

const POINT = new Float64Array(3);
const DIRECTION = new Float64Array(3);
