/**
 * Forces of grains on grains and on walls, and the step of their motion.
 *
 * **Sums are exact.** Every force and torque is rounded to a multiple of a power of two q before it is added: with C = 1.5·2⁵² q,
 * (F + C) − C does it in two additions. Sums of such numbers are exact while |sum| ≤ 2⁵³ q, hence the same in any order: answers do not depend on the
 * number of threads, on how grains are sorted or numbered, on the skin, or on what the lists hold besides contacts.
 *
 * **A contact is antisymmetric to the last bit** under exchange of its two grains: differences, products and sums of the two only.
 *
 *   n        from i to j;  δ = rᵢ + rⱼ − d, overlap                                    m
 *   R = rᵢrⱼ/(rᵢ+rⱼ);  a = √(Rδ), contact radius;  m* = 1/(1/mᵢ + 1/mⱼ)                 m, kg
 *   lᵢ = rᵢ − δ/2, levers: lᵢ + lⱼ = d, else each contact would make angular momentum  m
 *   u = vᵢ − vⱼ + (lᵢωᵢ + lⱼωⱼ) × n;  vₙ = u·n, approach speed;  u_t = u − vₙ n         m/s
 *
 * Normal force: Hertz with the state-free damping factor of constant-restitution.ts, met at every speed:
 *   S = 2E*a;  F = ⅔ S δ;  w = 0.8 F δ/m*;  N = F max(0, 1 + x vₙ/√(vₙ² + w))
 * or linear, F = k δ, w = k δ²/m*. Cohesion: SJKR, − c π a²; or JKR (Johnson, Kendall & Roberts 1971), where with y = √a
 *   δ = y⁴/R − y √(2πγ/E*),   F = 4E*a³/(3R) − √(8πγE*) a^(3/2),  γ the work of adhesion, J/m²
 * holds beyond touch until δ has no root. There the damping acts on the Hertzian part.
 *
 * Tangential: k_t = 8G*a (Mindlin), Kelvin–Voigt bristle with a Coulomb slider:
 *   s ← s − (s·n)n + u_t h;  W = k_t s + c_t u_t, c_t = 2ζ√(k_t m*);  |W| > µN: W ← µN W/|W|, s ← (W − c_t u_t)/k_t
 * Rolling, the same slider on the rolling angle α, limit µ_r R N, k_r = 2.25 S (µ_r R)²; twisting on ψ, limit (3π/16)µ a N, k_ψ = k_t a².
 *
 * Walls: the same law with R = r, 1/mⱼ the wall's and the lever l = r − δ. Contacts with walls are the local minima of the distance from the centre
 * to the surface, told feature by feature (`wallContacts`); the history lies in the body's frame and follows the nearest point of the last step,
 * whatever feature that was on.
 *
 * Arrays are those of grain-slots.ts.
 */
import { pairsByTwo } from './pairs-by-two.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI, wholeOf } from './prelude.js';

const RANGE: i32 = 16;
const RESULT: i32 = 16;
const TOUCHED: i32 = 1 << 30;
const FEATURE: i32 = 32;
const GROUP: i32 = 64;
const CONTACT: i32 = 16;
const WALL: i32 = 32;
const LAW: i32 = 16;
const RECORD: i32 = 20;
const MOST_CONTACTS: i32 = 4;
/** Ties at edges and vertices, relative to the length of an edge */
const TIE: f64 = 1e-10;
const NEARLY: f64 = 0.999999;

// ---- motion -------------------------------------------------------------------------------------------------------------------

/** v += h (f/m + g); ω += h τ/I; x += h v; forces are cleared. Result 0: greatest squared way since the lists were made. */
export function grainMove(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const reference: FloatArray = ptrF(11);
  const forces: FloatArray = ptrF(39);
  const threads: i32 = counts[1];
  const capacity: i32 = counts[5];
  const periodic: i32 = counts[8];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const kick: f64 = numbers[1];
  const drift: f64 = numbers[2];
  const gx: f64 = numbers[3];
  const gy: f64 = numbers[4];
  const gz: f64 = numbers[5];

  // Forces of other threads on grains of this one; exact, so in any order
  for (let t: i32 = 0; t < threads; t++)
    if (t !== thread) {
      const from: i32 = ranges[RANGE * t + 7] > first ? ranges[RANGE * t + 7] : first;
      const to: i32 = ranges[RANGE * t + 8] < end ? ranges[RANGE * t + 8] : end;
      for (let i: i32 = from; i < to; i++) {
        const own: i32 = 8 * (capacity * thread + i);
        const other: i32 = 8 * (capacity * t + i);
        for (let k: i32 = 0; k < 6; k++) {
          forces[own + k] += forces[other + k];
          forces[other + k] = 0;
        }
      }
    }

  let greatest: f64 = 0;
  const offset: i32 = 8 * capacity * thread;
  for (let i: i32 = first; i < end; i++) {
    const f: i32 = offset + 8 * i;
    const v: i32 = 8 * i;
    const x: i32 = 4 * i;
    const perMass: f64 = motion[v + 3];
    const perInertia: f64 = motion[v + 7];
    // What has no mass to speak of does not fall either
    const fall: f64 = perMass > 0 ? kick : 0;
    motion[v] += kick * (forces[f] * perMass) + fall * gx;
    motion[v + 1] += kick * (forces[f + 1] * perMass) + fall * gy;
    motion[v + 2] += kick * (forces[f + 2] * perMass) + fall * gz;
    motion[v + 4] += kick * (forces[f + 3] * perInertia);
    motion[v + 5] += kick * (forces[f + 4] * perInertia);
    motion[v + 6] += kick * (forces[f + 5] * perInertia);
    for (let k: i32 = 0; k < 6; k++) forces[f + k] = 0;
    grains[x] += drift * motion[v];
    grains[x + 1] += drift * motion[v + 1];
    grains[x + 2] += drift * motion[v + 2];
    if (periodic) wrap(numbers, grains, reference, x);
    const dx: f64 = grains[x] - reference[x];
    const dy: f64 = grains[x + 1] - reference[x + 1];
    const dz: f64 = grains[x + 2] - reference[x + 2];
    const way: f64 = dx * dx + dy * dy + dz * dz;
    if (!(way <= greatest)) greatest = way; // what is no number is told, too
  }
  results[RESULT * thread] = greatest;
}

/** At every step, not when lists are made: else bits would depend on the skin. */
function wrap(numbers: FloatArray, grains: FloatArray, reference: FloatArray, x: i32): void {
  for (let k: i32 = 0; k < 3; k++) {
    const period: f64 = numbers[9 + k];
    if (period > 0) {
      const low: f64 = numbers[12 + k];
      if (grains[x + k] < low) {
        grains[x + k] += period;
        reference[x + k] += period;
      } else if (grains[x + k] >= low + period) {
        grains[x + k] -= period;
        reference[x + k] -= period;
      }
    }
  }
}

// ---- the law ------------------------------------------------------------------------------------------------------------------

// What `contact` takes beside its arguments and gives: history in and out, forces out
let sx: f64 = 0;
let sy: f64 = 0;
let sz: f64 = 0;
let twist: f64 = 0;
let rx: f64 = 0;
let ry: f64 = 0;
let rz: f64 = 0;
let normalForce: f64 = 0;
let damper: f64 = 0; // of the damping along the normal: at the last step in, now out, N
let dampingWork: f64 = 0; // done against damping, sliding, rolling and twisting in this step, J
let slidingWork: f64 = 0;
let rollingWork: f64 = 0;
let fx: f64 = 0; // on i
let fy: f64 = 0;
let fz: f64 = 0;
let tx: f64 = 0; // n × force, to be multiplied by levers
let ty: f64 = 0;
let tz: f64 = 0;
let mx: f64 = 0; // couple on i by rolling and twisting
let my: f64 = 0;
let mz: f64 = 0;

/**
 * @param law place of the pair's numbers in slot 40
 * @param perMass 1/m*, 1/kg
 * @param u   relative velocity at the contact; w relative angular velocity
 */
// inline
function contact(
  laws: FloatArray,
  law: i32,
  full: i32,
  h: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  depth: f64,
  radius: f64,
  perMass: f64,
  ux: f64,
  uy: f64,
  uz: f64,
  wx: f64,
  wy: f64,
  wz: f64,
): void {
  const vn: f64 = ux * nx + uy * ny + uz * nz;
  const vx: f64 = ux - vn * nx;
  const vy: f64 = uy - vn * ny;
  const vz: f64 = uz - vn * nz;
  let a: f64 = 0;
  let stiffness: f64 = 0;
  let tangential: f64 = 0;
  let elastic: f64 = 0;
  let w: f64 = 0;
  let pull: f64 = 0; // of cohesion
  const kind: f64 = full ? laws[law + 8] : 0;
  if (kind === 0) {
    a = Math.sqrt(radius * depth);
    stiffness = laws[law] * a;
    tangential = laws[law + 1] * a;
    elastic = 0.6666666666666666 * stiffness * depth;
    w = 0.8 * elastic * depth * perMass;
    pull = laws[law + 7] * a * a;
  } else if (kind === 1) {
    a = Math.sqrt(radius * depth);
    stiffness = laws[law + 9];
    tangential = laws[law + 10];
    elastic = stiffness * depth;
    w = elastic * depth * perMass;
    pull = laws[law + 7] * a * a;
  } else {
    const root: f64 = adhesiveRoot(radius, depth, laws[law + 11]);
    a = root * root;
    stiffness = laws[law] * a;
    tangential = laws[law + 1] * a;
    const flat: f64 = (a * a) / radius; // depth of the Hertzian part
    elastic = 0.6666666666666666 * stiffness * flat;
    w = 0.8 * elastic * flat * perMass;
    pull = laws[law + 12] * a * root;
  }
  const speed: f64 = Math.sqrt(vn * vn + w);
  let factor: f64 = speed > 0 ? 1 + (laws[law + 2] * vn) / speed : 1;
  if (!(factor > 0)) factor = 0;
  const push: f64 = elastic * factor;
  normalForce = push - pull;
  const resisting: f64 = push - elastic;
  const way: f64 = vn * h;
  dampingWork = 0.5 * (damper + resisting) * way;
  // Work is told with the mean of the forces before and after the step. Before it the overlap was ρ δ and the normal force ρ^(3/2) F + damping
  let rho: f64 = 1 - way / depth;
  if (!(rho > 0)) rho = 0;
  const root: f64 = Math.sqrt(rho);
  let before: f64 = elastic * (rho * root) + damper;
  if (!(before > 0)) before = 0;
  slidingWork = 0;

  // Friction: bristle and slider. JKR's limit counts from the pull-off force (Thornton 1991).
  let limit: f64 = laws[law + 4] * (kind === 2 ? normalForce + 2 * laws[law + 13] * radius : push);
  if (limit < 0) limit = 0;
  let bx: f64 = 0;
  let by: f64 = 0;
  let bz: f64 = 0;
  if (laws[law + 4] > 0) {
    const along: f64 = sx * nx + sy * ny + sz * nz;
    const ox: f64 = sx - along * nx;
    const oy: f64 = sy - along * ny;
    const oz: f64 = sz - along * nz;
    sx = ox + vx * h;
    sy = oy + vy * h;
    sz = oz + vz * h;
    const damping: f64 = laws[law + 3] * Math.sqrt(tangential / perMass);
    bx = tangential * sx + damping * vx;
    by = tangential * sy + damping * vy;
    bz = tangential * sz + damping * vz;
    const size: f64 = bx * bx + by * by + bz * bz;
    if (size > limit * limit) {
      const scale: f64 = limit / Math.sqrt(size);
      bx *= scale;
      by *= scale;
      bz *= scale;
      const yielding: f64 = 1 / tangential;
      sx = (bx - damping * vx) * yielding;
      sy = (by - damping * vy) * yielding;
      sz = (bz - damping * vz) * yielding;
    }
    const stiff: f64 = tangential * root;
    let ex: f64 = stiff * ox + damping * vx;
    let ey: f64 = stiff * oy + damping * vy;
    let ez: f64 = stiff * oz + damping * vz;
    const most: f64 = laws[law + 4] * before;
    const force: f64 = ex * ex + ey * ey + ez * ez;
    if (force > most * most) {
      const scale: f64 = most / Math.sqrt(force);
      ex *= scale;
      ey *= scale;
      ez *= scale;
    }
    slidingWork = 0.5 * ((bx + ex) * vx + (by + ey) * vy + (bz + ez) * vz) * h;
  }
  damper = resisting;
  fx = -bx - normalForce * nx;
  fy = -by - normalForce * ny;
  fz = -bz - normalForce * nz;
  tx = by * nz - bz * ny;
  ty = bz * nx - bx * nz;
  tz = bx * ny - by * nx;
  if (full) couples(laws, law, h, nx, ny, nz, a, stiffness, tangential, radius, perMass, push, rho, before, wx, wy, wz);
}

/** Rolling and twisting resistance */
function couples(
  laws: FloatArray,
  law: i32,
  h: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  a: f64,
  stiffness: f64,
  tangential: f64,
  radius: f64,
  perMass: f64,
  push: f64,
  rho: f64,
  before: f64,
  wx: f64,
  wy: f64,
  wz: f64,
): void {
  mx = 0;
  my = 0;
  mz = 0;
  rollingWork = 0;
  const spin: f64 = wx * nx + wy * ny + wz * nz;
  const arm: f64 = laws[law + 5] * radius; // µ_r R
  if (arm > 0) {
    const ox: f64 = wx - spin * nx;
    const oy: f64 = wy - spin * ny;
    const oz: f64 = wz - spin * nz;
    const along: f64 = rx * nx + ry * ny + rz * nz;
    const px: f64 = rx - along * nx;
    const py: f64 = ry - along * ny;
    const pz: f64 = rz - along * nz;
    rx = px + ox * h;
    ry = py + oy * h;
    rz = pz + oz * h;
    const k: f64 = 2.25 * stiffness * arm * arm;
    const damping: f64 = laws[law + 3] * radius * Math.sqrt(k / perMass);
    const limit: f64 = arm * push;
    let bx: f64 = k * rx + damping * ox;
    let by: f64 = k * ry + damping * oy;
    let bz: f64 = k * rz + damping * oz;
    const size: f64 = bx * bx + by * by + bz * bz;
    if (size > limit * limit) {
      const scale: f64 = limit / Math.sqrt(size);
      bx *= scale;
      by *= scale;
      bz *= scale;
      rx = (bx - damping * ox) / k;
      ry = (by - damping * oy) / k;
      rz = (bz - damping * oz) / k;
    }
    mx = -bx;
    my = -by;
    mz = -bz;
    // Before the step: k ∝ a ∝ √ρ
    const stiff: f64 = k * Math.sqrt(rho);
    let ex: f64 = stiff * px + damping * ox;
    let ey: f64 = stiff * py + damping * oy;
    let ez: f64 = stiff * pz + damping * oz;
    const couple: f64 = ex * ex + ey * ey + ez * ez;
    const most: f64 = arm * before;
    if (couple > most * most) {
      const scale: f64 = most / Math.sqrt(couple);
      ex *= scale;
      ey *= scale;
      ez *= scale;
    }
    rollingWork = 0.5 * ((bx + ex) * ox + (by + ey) * oy + (bz + ez) * oz) * h;
  }
  const grip: f64 = laws[law + 6] * a; // 3π/16 µ a, or the user's
  if (grip > 0) {
    const root: f64 = Math.sqrt(rho);
    const past: f64 = tangential * a * a * (rho * root) * twist; // k ∝ a³
    twist += spin * h;
    const k: f64 = tangential * a * a;
    const damping: f64 = laws[law + 3] * radius * Math.sqrt(k / perMass);
    const limit: f64 = grip * push;
    let b: f64 = k * twist + damping * spin;
    if (b > limit) {
      b = limit;
      twist = (b - damping * spin) / k;
    } else if (b < -limit) {
      b = -limit;
      twist = (b - damping * spin) / k;
    }
    let was: f64 = past + damping * spin;
    const most: f64 = grip * root * before;
    if (was > most) was = most;
    else if (was < -most) was = -most;
    rollingWork += 0.5 * (b + was) * spin * h;
    mx -= b * nx;
    my -= b * ny;
    mz -= b * nz;
  }
}

/**
 * Largest y with y⁴/R − c y = δ, y = √a; 0 if there is none. The left side is convex, so Newton from above comes down to it without a slip.
 * Above: y ≤ (Rδ)^¼ + (cR)^⅓, and z ← (cR z)^¼ goes to the cube root by a factor 4 at each turn.
 */
function adhesiveRoot(radius: f64, depth: f64, c: f64): f64 {
  let cube: f64 = c * radius > 1e-300 ? Math.sqrt(Math.sqrt(c * radius)) : 0;
  for (let k: i32 = 0; k < 27; k++) cube = Math.sqrt(Math.sqrt(c * radius * cube));
  // Least value −¾ c y_s at y_s = (cR/4)^⅓
  const turn: f64 = 0.6299605249474366 * cube;
  if (depth < -0.75 * c * turn) return 0;
  let y: f64 = 1.000001 * cube + (depth > 0 ? Math.sqrt(Math.sqrt(radius * depth)) : 0);
  for (let k: i32 = 0; k < 60; k++) {
    const slope: f64 = (4 * y * y * y) / radius - c;
    if (!(slope > 0)) return turn;
    const next: f64 = y - ((y * y * y * y) / radius - c * y - depth) / slope;
    if (!(next < y)) return y;
    y = next;
  }
  return y;
}

// ---- all forces ---------------------------------------------------------------------------------------------------------------

/**
 * Forces of the pairs and walls of a thread's rows into its own forces. With counts[10] = 1 nothing is advanced or added: instead every contact is
 * written to slot 46 as the last step left it (i, j or −1 − body, n, depth, N, force on i, point, feature or −1, s·k_t², …), for measuring.
 */
export function grainForces(thread: i32): void {
  const counts: IntArray = ptrI(1);
  const results: FloatArray = ptrF(3);
  const base: i32 = RESULT * thread;
  results[base + 1] = 0; // greatest normal force
  results[base + 2] = 0; // greatest depth in a wall by radius
  results[base + 3] = 0; // pairs that touch
  results[base + 4] = 0; // contacts with walls
  results[base + 5] = -1; // grain deepest in a wall
  results[base + 6] = 0; // greatest depth of a pair by radius
  if (counts[10] === 0) {
    results[base + 7] = 0; // work against damping, sliding, rolling and twisting in this step
    results[base + 14] = 0;
    results[base + 15] = 0;
  }
  if (!pairsByTwo(thread)) pairForces(thread);
  if (counts[9] > 0) wallForces(thread);
}

function pairForces(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const kinds: IntArray = ptrI(7);
  const starts: IntArray = ptrI(16);
  const ends: IntArray = ptrI(17);
  const neighbours: IntArray = ptrI(18);
  const history: FloatArray = ptrF(19);
  const forces: FloatArray = ptrF(39);
  const laws: FloatArray = ptrF(40);
  const kindCount: i32 = counts[6];
  const stride: i32 = counts[7];
  const periodic: i32 = counts[8];
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const adhesive: i32 = counts[12];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const h: f64 = measure ? 0 : numbers[0];
  const roundForce: f64 = numbers[6];
  const roundTorque: f64 = numbers[7];
  const px: f64 = numbers[9];
  const py: f64 = numbers[10];
  const pz: f64 = numbers[11];
  const offset: i32 = 8 * counts[5] * thread;
  let strongest: f64 = 0;
  let deepest: f64 = 0;
  let touching: i32 = 0;
  let damped: f64 = 0;
  let slid: f64 = 0;
  let rolled: f64 = 0;

  for (let i: i32 = first; i < end; i++) {
    const xi: f64 = grains[4 * i];
    const yi: f64 = grains[4 * i + 1];
    const zi: f64 = grains[4 * i + 2];
    const ri: f64 = grains[4 * i + 3];
    const rowEnd: i32 = ends[i];
    const lawRow: i32 = kinds[i] * kindCount;
    for (let k: i32 = starts[i]; k < rowEnd; k++) {
      const entry: i32 = neighbours[k];
      const j: i32 = entry & (TOUCHED - 1);
      let dx: f64 = xi - grains[4 * j];
      let dy: f64 = yi - grains[4 * j + 1];
      let dz: f64 = zi - grains[4 * j + 2];
      if (periodic) {
        if (px > 0) {
          if (dx > 0.5 * px) dx -= px;
          else if (dx < -0.5 * px) dx += px;
        }
        if (py > 0) {
          if (dy > 0.5 * py) dy -= py;
          else if (dy < -0.5 * py) dy += py;
        }
        if (pz > 0) {
          if (dz > 0.5 * pz) dz -= pz;
          else if (dz < -0.5 * pz) dz += pz;
        }
      }
      const rj: f64 = grains[4 * j + 3];
      const square: f64 = dx * dx + dy * dy + dz * dz;
      let touch: i32 = square < (ri + rj) * (ri + rj) ? 1 : 0;
      if (adhesive && touch === 0 && (entry & TOUCHED) !== 0) {
        // Adhesion holds until the force law has no contact radius any more
        const c: f64 = laws[LAW * (lawRow + kinds[j]) + 11];
        if (c > 0 && adhesiveRoot((ri * rj) / (ri + rj), ri + rj - Math.sqrt(square), c) > 0) touch = 1;
      }
      if (touch === 0) {
        if ((entry & TOUCHED) !== 0 && measure === 0) {
          // Open: nothing is remembered
          neighbours[k] = j;
          for (let m: i32 = 0; m < stride; m++) history[stride * k + m] = 0;
        }
      } else {
        const distance: f64 = Math.sqrt(square);
        const inverse: f64 = distance > 0 ? 1 / distance : 0;
        const nx: f64 = -dx * inverse;
        const ny: f64 = -dy * inverse;
        const nz: f64 = -dz * inverse;
        const depth: f64 = ri + rj - distance;
        const li: f64 = ri - 0.5 * depth;
        const lj: f64 = rj - 0.5 * depth;
        const vi: i32 = 8 * i;
        const vj: i32 = 8 * j;
        const ax: f64 = li * motion[vi + 4] + lj * motion[vj + 4];
        const ay: f64 = li * motion[vi + 5] + lj * motion[vj + 5];
        const az: f64 = li * motion[vi + 6] + lj * motion[vj + 6];
        const law: i32 = LAW * (lawRow + kinds[j]);
        const at: i32 = stride * k;
        sx = history[at];
        sy = history[at + 1];
        sz = history[at + 2];
        damper = history[at + stride - 1];
        if (full) {
          twist = history[at + 3];
          rx = history[at + 4];
          ry = history[at + 5];
          rz = history[at + 6];
        }
        contact(
          laws,
          law,
          full,
          h,
          nx,
          ny,
          nz,
          depth,
          (ri * rj) / (ri + rj),
          motion[vi + 3] + motion[vj + 3],
          motion[vi] - motion[vj] + (ay * nz - az * ny),
          motion[vi + 1] - motion[vj + 1] + (az * nx - ax * nz),
          motion[vi + 2] - motion[vj + 2] + (ax * ny - ay * nx),
          motion[vi + 4] - motion[vj + 4],
          motion[vi + 5] - motion[vj + 5],
          motion[vi + 6] - motion[vj + 6],
        );
        if (measure) note(thread, touching, i, j, nx, ny, nz, depth, xi + li * nx, yi + li * ny, zi + li * nz, -1);
        else {
          if ((entry & TOUCHED) === 0) neighbours[k] = j | TOUCHED;
          history[at] = sx;
          history[at + 1] = sy;
          history[at + 2] = sz;
          history[at + stride - 1] = damper;
          damped += dampingWork + roundTorque - roundTorque;
          slid += slidingWork + roundTorque - roundTorque;
          const gx: f64 = fx + roundForce - roundForce;
          const gy: f64 = fy + roundForce - roundForce;
          const gz: f64 = fz + roundForce - roundForce;
          let cx: f64 = 0;
          let cy: f64 = 0;
          let cz: f64 = 0;
          if (full) {
            history[at + 3] = twist;
            history[at + 4] = rx;
            history[at + 5] = ry;
            history[at + 6] = rz;
            cx = mx + roundTorque - roundTorque;
            cy = my + roundTorque - roundTorque;
            cz = mz + roundTorque - roundTorque;
            rolled += rollingWork + roundTorque - roundTorque;
          }
          const fi: i32 = offset + 8 * i;
          const fj: i32 = offset + 8 * j;
          forces[fi] += gx;
          forces[fi + 1] += gy;
          forces[fi + 2] += gz;
          forces[fi + 3] += li * tx + roundTorque - roundTorque + cx;
          forces[fi + 4] += li * ty + roundTorque - roundTorque + cy;
          forces[fi + 5] += li * tz + roundTorque - roundTorque + cz;
          forces[fj] -= gx;
          forces[fj + 1] -= gy;
          forces[fj + 2] -= gz;
          forces[fj + 3] += lj * tx + roundTorque - roundTorque - cx;
          forces[fj + 4] += lj * ty + roundTorque - roundTorque - cy;
          forces[fj + 5] += lj * tz + roundTorque - roundTorque - cz;
        }
        touching += 1;
        if (!(normalForce <= strongest)) strongest = normalForce;
        const smaller: f64 = ri < rj ? ri : rj;
        // The quotient is told only where it may be the greatest, and then compared itself: the same in any order
        if (depth > NEARLY * (deepest * smaller)) {
          const share: f64 = depth / smaller;
          if (share > deepest) deepest = share;
        }
      }
    }
  }
  const base: i32 = RESULT * thread;
  results[base + 1] = strongest;
  results[base + 3] = touching;
  results[base + 6] = deepest;
  if (measure === 0) {
    results[base + 7] += damped;
    results[base + 14] += slid;
    results[base + 15] += rolled;
  }
}

/** Writes a contact down. */
function note(
  thread: i32,
  row: i32,
  i: i32,
  j: i32,
  nx: f64,
  ny: f64,
  nz: f64,
  depth: f64,
  x: f64,
  y: f64,
  z: f64,
  feature: i32,
): void {
  const counts: IntArray = ptrI(1);
  const records: FloatArray = ptrF(46);
  const most: i32 = counts[13]; // rows a thread may write
  if (row >= most) return;
  const o: i32 = RECORD * (most * thread + row);
  records[o] = i;
  records[o + 1] = j;
  records[o + 2] = nx;
  records[o + 3] = ny;
  records[o + 4] = nz;
  records[o + 5] = depth;
  records[o + 6] = normalForce;
  records[o + 7] = fx;
  records[o + 8] = fy;
  records[o + 9] = fz;
  records[o + 10] = x;
  records[o + 11] = y;
  records[o + 12] = z;
  records[o + 13] = feature;
  records[o + 14] = sx * sx + sy * sy + sz * sz;
  records[o + 15] = counts[11] ? rx * rx + ry * ry + rz * rz : 0;
  records[o + 16] = counts[11] ? twist * twist : 0;
}

// ---- walls --------------------------------------------------------------------------------------------------------------------

// Where the last feature that was asked is nearest, in the body's frame; n from the grain to it
let hitX: f64 = 0;
let hitY: f64 = 0;
let hitZ: f64 = 0;
let hitDistance: f64 = 0;
let awayX: f64 = 0;
let awayY: f64 = 0;
let awayZ: f64 = 0;

/** New contacts of a group, 4 × (point, n, distance, feature); then places of the old ones they continue */
const SCRATCH: i32 = 64;

function wallForces(thread: i32): void {
  const numbers: FloatArray = ptrF(0);
  const counts: IntArray = ptrI(1);
  const ranges: IntArray = ptrI(2);
  const results: FloatArray = ptrF(3);
  const grains: FloatArray = ptrF(4);
  const motion: FloatArray = ptrF(5);
  const kinds: IntArray = ptrI(7);
  const walls: FloatArray = ptrF(24);
  const wallInts: IntArray = ptrI(25);
  const wallStarts: IntArray = ptrI(26);
  const wallEnds: IntArray = ptrI(27);
  const groupInts: IntArray = ptrI(28);
  const groups: FloatArray = ptrF(29);
  const candidates: IntArray = ptrI(30);
  const forces: FloatArray = ptrF(39);
  const laws: FloatArray = ptrF(40);
  const wrenches: FloatArray = ptrF(41);
  const scratch: FloatArray = ptrF(42);
  const kindCount: i32 = counts[6];
  const measure: i32 = counts[10];
  const full: i32 = counts[11];
  const adhesive: i32 = counts[12];
  const bodies: i32 = counts[9];
  const h: f64 = measure ? 0 : numbers[0];
  const roundForce: f64 = numbers[6];
  const roundTorque: f64 = numbers[7];
  const roundMoment: f64 = numbers[8];
  const first: i32 = ranges[RANGE * thread];
  const end: i32 = ranges[RANGE * thread + 1];
  const offset: i32 = 8 * counts[5] * thread;
  const fresh: i32 = SCRATCH * 2 * thread;
  const past: i32 = fresh + SCRATCH;
  const base: i32 = RESULT * thread;
  let strongest: f64 = results[base + 1];
  let deepest: f64 = 0;
  let deepGrain: i32 = -1;
  let touching: i32 = 0;
  let damped: f64 = 0;
  let slid: f64 = 0;
  let rolled: f64 = 0;
  let noted: i32 = wholeOf(results[base + 3]);
  if (measure === 0) for (let k: i32 = 0; k < 8 * bodies; k++) wrenches[8 * bodies * thread + k] = 0;

  for (let i: i32 = first; i < end; i++)
    for (let g: i32 = wallStarts[i]; g < wallEnds[i]; g++) {
      const b: i32 = groupInts[4 * g];
      const w: i32 = WALL * b;
      const radius: f64 = grains[4 * i + 3];
      const x: f64 = grains[4 * i];
      const y: f64 = grains[4 * i + 1];
      const z: f64 = grains[4 * i + 2];
      const px: f64 = x - walls[w + 9];
      const py: f64 = y - walls[w + 10];
      const pz: f64 = z - walls[w + 11];
      const cx: f64 = walls[w] * px + walls[w + 3] * py + walls[w + 6] * pz;
      const cy: f64 = walls[w + 1] * px + walls[w + 4] * py + walls[w + 7] * pz;
      const cz: f64 = walls[w + 2] * px + walls[w + 5] * py + walls[w + 8] * pz;
      const law: i32 = LAW * (kinds[i] * kindCount + wallInts[16 * b + 6]);
      const old: i32 = groupInts[4 * g + 3];
      let reach: f64 = radius;
      if (adhesive && old > 0) reach += numbers[22];

      // Local minima of the distance
      let count: i32 = 0;
      for (let k: i32 = groupInts[4 * g + 1]; k < groupInts[4 * g + 2]; k++)
        if (count < MOST_CONTACTS && nearestOn(candidates[k], cx, cy, cz, reach)) {
          let twice: i32 = 0;
          for (let m: i32 = 0; m < count; m++) {
            const o: i32 = fresh + 8 * m;
            const ex: f64 = scratch[o] - hitX;
            const ey: f64 = scratch[o + 1] - hitY;
            const ez: f64 = scratch[o + 2] - hitZ;
            if (ex * ex + ey * ey + ez * ez < 1e-14 * radius * radius) twice = 1;
          }
          if (twice === 0) {
            const o: i32 = fresh + 8 * count;
            scratch[o] = hitX;
            scratch[o + 1] = hitY;
            scratch[o + 2] = hitZ;
            scratch[o + 3] = awayX;
            scratch[o + 4] = awayY;
            scratch[o + 5] = awayZ;
            scratch[o + 6] = hitDistance;
            scratch[o + 7] = candidates[k];
            count += 1;
          }
        }

      // What they continue: the unmatched old contact whose point is nearest, within 0.3 r
      for (let k: i32 = 0; k < CONTACT * old; k++) scratch[past + k] = groups[GROUP * g + k];
      let used: i32 = 0;
      let kept: i32 = 0;
      for (let m: i32 = 0; m < count; m++) {
        const o: i32 = fresh + 8 * m;
        let best: i32 = -1;
        let nearest: f64 = 0.09 * radius * radius;
        for (let p: i32 = 0; p < old; p++)
          if ((used & (1 << p)) === 0) {
            const q: i32 = past + CONTACT * p;
            const ex: f64 = scratch[q + 3] - scratch[o];
            const ey: f64 = scratch[q + 4] - scratch[o + 1];
            const ez: f64 = scratch[q + 5] - scratch[o + 2];
            const way: f64 = ex * ex + ey * ey + ez * ez;
            if (way < nearest) {
              nearest = way;
              best = p;
            }
          }
        const depth: f64 = radius - scratch[o + 6];
        let holds: i32 = depth > 0 ? 1 : 0;
        if (holds === 0 && best >= 0) {
          const c: f64 = laws[law + 11];
          if (c > 0 && adhesiveRoot(radius, depth, c) > 0) holds = 1;
        }
        if (holds === 1) {
          sx = 0;
          sy = 0;
          sz = 0;
          twist = 0;
          rx = 0;
          ry = 0;
          rz = 0;
          damper = 0;
          if (best >= 0) {
            used |= 1 << best;
            const q: i32 = past + CONTACT * best;
            damper = scratch[q + 10];
            // Out of the body's frame
            sx = walls[w] * scratch[q] + walls[w + 1] * scratch[q + 1] + walls[w + 2] * scratch[q + 2];
            sy = walls[w + 3] * scratch[q] + walls[w + 4] * scratch[q + 1] + walls[w + 5] * scratch[q + 2];
            sz = walls[w + 6] * scratch[q] + walls[w + 7] * scratch[q + 1] + walls[w + 8] * scratch[q + 2];
            if (full) {
              twist = scratch[q + 6];
              rx = walls[w] * scratch[q + 7] + walls[w + 1] * scratch[q + 8] + walls[w + 2] * scratch[q + 9];
              ry = walls[w + 3] * scratch[q + 7] + walls[w + 4] * scratch[q + 8] + walls[w + 5] * scratch[q + 9];
              rz = walls[w + 6] * scratch[q + 7] + walls[w + 7] * scratch[q + 8] + walls[w + 8] * scratch[q + 9];
            }
          }
          const nx: f64 = walls[w] * scratch[o + 3] + walls[w + 1] * scratch[o + 4] + walls[w + 2] * scratch[o + 5];
          const ny: f64 = walls[w + 3] * scratch[o + 3] + walls[w + 4] * scratch[o + 4] + walls[w + 5] * scratch[o + 5];
          const nz: f64 = walls[w + 6] * scratch[o + 3] + walls[w + 7] * scratch[o + 4] + walls[w + 8] * scratch[o + 5];
          const lever: f64 = radius - depth;
          const qx: f64 = x + lever * nx;
          const qy: f64 = y + lever * ny;
          const qz: f64 = z + lever * nz;
          // Velocity of the wall there
          const ax: f64 = qx - walls[w + 9];
          const ay: f64 = qy - walls[w + 10];
          const az: f64 = qz - walls[w + 11];
          const wx: f64 = walls[w + 15];
          const wy: f64 = walls[w + 16];
          const wz: f64 = walls[w + 17];
          const v: i32 = 8 * i;
          const lx: f64 = lever * motion[v + 4];
          const ly: f64 = lever * motion[v + 5];
          const lz: f64 = lever * motion[v + 6];
          contact(
            laws,
            law,
            full,
            h,
            nx,
            ny,
            nz,
            depth,
            radius,
            motion[v + 3] + walls[w + 27],
            motion[v] - (walls[w + 12] + (wy * az - wz * ay)) + (ly * nz - lz * ny),
            motion[v + 1] - (walls[w + 13] + (wz * ax - wx * az)) + (lz * nx - lx * nz),
            motion[v + 2] - (walls[w + 14] + (wx * ay - wy * ax)) + (lx * ny - ly * nx),
            motion[v + 4] - wx,
            motion[v + 5] - wy,
            motion[v + 6] - wz,
          );
          if (measure) {
            note(thread, noted, i, -1 - b, nx, ny, nz, depth, qx, qy, qz, wholeOf(scratch[o + 7]));
            noted += 1;
          } else {
            const at: i32 = GROUP * g + CONTACT * kept;
            groups[at] = walls[w] * sx + walls[w + 3] * sy + walls[w + 6] * sz;
            groups[at + 1] = walls[w + 1] * sx + walls[w + 4] * sy + walls[w + 7] * sz;
            groups[at + 2] = walls[w + 2] * sx + walls[w + 5] * sy + walls[w + 8] * sz;
            groups[at + 3] = scratch[o];
            groups[at + 4] = scratch[o + 1];
            groups[at + 5] = scratch[o + 2];
            groups[at + 6] = twist;
            groups[at + 7] = walls[w] * rx + walls[w + 3] * ry + walls[w + 6] * rz;
            groups[at + 8] = walls[w + 1] * rx + walls[w + 4] * ry + walls[w + 7] * rz;
            groups[at + 9] = walls[w + 2] * rx + walls[w + 5] * ry + walls[w + 8] * rz;
            groups[at + 10] = damper;
            damped += dampingWork + roundTorque - roundTorque;
            slid += slidingWork + roundTorque - roundTorque;
            const gx: f64 = fx + roundForce - roundForce;
            const gy: f64 = fy + roundForce - roundForce;
            const gz: f64 = fz + roundForce - roundForce;
            let ox: f64 = 0;
            let oy: f64 = 0;
            let oz: f64 = 0;
            if (full) {
              ox = mx + roundTorque - roundTorque;
              oy = my + roundTorque - roundTorque;
              oz = mz + roundTorque - roundTorque;
              rolled += rollingWork + roundTorque - roundTorque;
            }
            const f: i32 = offset + 8 * i;
            forces[f] += gx;
            forces[f + 1] += gy;
            forces[f + 2] += gz;
            forces[f + 3] += lever * tx + roundTorque - roundTorque + ox;
            forces[f + 4] += lever * ty + roundTorque - roundTorque + oy;
            forces[f + 5] += lever * tz + roundTorque - roundTorque + oz;
            // On the body: the opposite, moment about the origin of the world
            const r: i32 = 8 * (bodies * thread + b);
            wrenches[r] -= gx;
            wrenches[r + 1] -= gy;
            wrenches[r + 2] -= gz;
            wrenches[r + 3] -= qy * gz - qz * gy + ox + roundMoment - roundMoment;
            wrenches[r + 4] -= qz * gx - qx * gz + oy + roundMoment - roundMoment;
            wrenches[r + 5] -= qx * gy - qy * gx + oz + roundMoment - roundMoment;
          }
          kept += 1;
          touching += 1;
          if (!(normalForce <= strongest)) strongest = normalForce;
          if (depth > NEARLY * (deepest * radius)) {
            const share: f64 = depth / radius;
            if (share > deepest) {
              deepest = share;
              deepGrain = i;
            }
          }
        }
      }
      if (measure === 0) groupInts[4 * g + 3] = kept;
    }
  results[base + 1] = strongest;
  results[base + 2] = deepest;
  results[base + 4] = touching;
  results[base + 5] = deepGrain;
  if (measure === 0) {
    results[base + 7] += damped;
    results[base + 14] += slid;
    results[base + 15] += rolled;
  }
}

/**
 * Whether the feature has a local minimum of the distance from c, nearer than `reach`. Faces, edges and vertices ask the same expressions, so
 * outside the bands of ties exactly one of those that meet there says yes.
 */
function nearestOn(feature: i32, cx: f64, cy: f64, cz: f64, reach: f64): boolean {
  const f: FloatArray = ptrF(31);
  const o: i32 = FEATURE * feature;
  const kind: f64 = f[o];
  if (kind === 0) {
    // A half-space, however deep
    const height: f64 = f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4];
    if (height >= reach) return false;
    awayX = -f[o + 1];
    awayY = -f[o + 2];
    awayZ = -f[o + 3];
    hitDistance = height;
    hitX = cx + height * awayX;
    hitY = cy + height * awayY;
    hitZ = cz + height * awayZ;
    return true;
  }
  if (kind === 1) {
    // A face: its plane's outer side, inside its three edges
    const height: f64 = f[o + 1] * cx + f[o + 2] * cy + f[o + 3] * cz - f[o + 4];
    if (!(height > 0) || height >= reach) return false;
    for (let e: i32 = 0; e < 3; e++) {
      const q: i32 = o + 5 + 4 * e;
      const inward: f64 = f[q] * cx + f[q + 1] * cy + f[q + 2] * cz - f[q + 3];
      if (inward < 0) return false;
      if (inward === 0 && f[o + 17 + e] === 0) return false;
    }
    awayX = -f[o + 1];
    awayY = -f[o + 2];
    awayZ = -f[o + 3];
    hitDistance = height;
    hitX = cx + height * awayX;
    hitY = cy + height * awayY;
    hitZ = cz + height * awayZ;
    return true;
  }
  if (kind === 2) {
    // An edge: between its ends, outside both faces
    const length: f64 = f[o + 7];
    const t: f64 = f[o + 4] * cx + f[o + 5] * cy + f[o + 6] * cz - f[o + 8];
    if (!(t > 0) || !(t < length)) return false;
    const tie: f64 = TIE * length;
    if (f[o + 9] * cx + f[o + 10] * cy + f[o + 11] * cz - f[o + 12] > tie) return false;
    if (f[o + 13] * cx + f[o + 14] * cy + f[o + 15] * cz - f[o + 16] > tie) return false;
    return nearestAt(f[o + 1] + t * f[o + 4], f[o + 2] + t * f[o + 5], f[o + 3] + t * f[o + 6], cx, cy, cz, reach);
  }
  if (kind === 3) {
    // A vertex: beyond it along each of its edges
    const spokes: FloatArray = ptrF(43);
    const from: i32 = wholeOf(f[o + 4]);
    const to: i32 = from + wholeOf(f[o + 5]);
    for (let e: i32 = from; e < to; e++) {
      const q: i32 = 6 * e;
      const t: f64 = spokes[q] * cx + spokes[q + 1] * cy + spokes[q + 2] * cz - spokes[q + 3];
      const length: f64 = spokes[q + 4];
      if (spokes[q + 5] > 0) {
        if (t > TIE * length) return false;
      } else if (t < length - TIE * length) return false;
    }
    return nearestAt(f[o + 1], f[o + 2], f[o + 3], cx, cy, cz, reach);
  }
  if (kind === 6) {
    // A ball, grains outside
    const dx: f64 = cx - f[o + 1];
    const dy: f64 = cy - f[o + 2];
    const dz: f64 = cz - f[o + 3];
    const far: f64 = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (far - f[o + 4] >= reach || !(far > 0)) return false;
    hitDistance = far - f[o + 4];
    awayX = -dx / far;
    awayY = -dy / far;
    awayZ = -dz / far;
    hitX = cx + hitDistance * awayX;
    hitY = cy + hitDistance * awayY;
    hitZ = cz + hitDistance * awayZ;
    return true;
  }
  // A profile turned about an axis: seen in the half-plane (ρ, z) through the centre
  const dx: f64 = cx - f[o + 1];
  const dy: f64 = cy - f[o + 2];
  const dz: f64 = cz - f[o + 3];
  const z: f64 = f[o + 4] * dx + f[o + 5] * dy + f[o + 6] * dz;
  let ex: f64 = dx - z * f[o + 4];
  let ey: f64 = dy - z * f[o + 5];
  let ez: f64 = dz - z * f[o + 6];
  const rho: f64 = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (rho > 0) {
    ex /= rho;
    ey /= rho;
    ez /= rho;
  } else {
    ex = f[o + 16];
    ey = f[o + 17];
    ez = f[o + 18];
  }
  let away: f64 = 0; // components of n along ρ and z
  let along: f64 = 0;
  if (kind === 4) {
    // A segment from (ρ₀, z₀), tangent t, normal to the grains' side
    const pr: f64 = rho - f[o + 7];
    const pz: f64 = z - f[o + 8];
    const t: f64 = pr * f[o + 9] + pz * f[o + 10];
    if (t < 0 || t > f[o + 13]) return false;
    const height: f64 = pr * f[o + 11] + pz * f[o + 12];
    if (!(height > 0) || height >= reach) return false;
    hitDistance = height;
    away = -f[o + 11];
    along = -f[o + 12];
  } else {
    // A corner: beyond the end of the segment before it and before the start of the one behind
    const pr: f64 = rho - f[o + 7];
    const pz: f64 = z - f[o + 8];
    if (f[o + 19] > 0 && pr * f[o + 9] + pz * f[o + 10] < 0) return false;
    if (f[o + 20] > 0 && pr * f[o + 11] + pz * f[o + 12] > 0) return false;
    const far: f64 = Math.sqrt(pr * pr + pz * pz);
    if (!(far > 0) || far >= reach) return false;
    hitDistance = far;
    away = -pr / far;
    along = -pz / far;
  }
  awayX = away * ex + along * f[o + 4];
  awayY = away * ey + along * f[o + 5];
  awayZ = away * ez + along * f[o + 6];
  hitX = cx + hitDistance * awayX;
  hitY = cy + hitDistance * awayY;
  hitZ = cz + hitDistance * awayZ;
  return true;
}

function nearestAt(x: f64, y: f64, z: f64, cx: f64, cy: f64, cz: f64, reach: f64): boolean {
  const dx: f64 = x - cx;
  const dy: f64 = y - cy;
  const dz: f64 = z - cz;
  const far: f64 = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (far >= reach || !(far > 0)) return false;
  hitX = x;
  hitY = y;
  hitZ = z;
  hitDistance = far;
  awayX = dx / far;
  awayY = dy / far;
  awayZ = dz / far;
  return true;
}
