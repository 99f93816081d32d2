/**
 * What two grains, or a grain and a wall, do to each other where they touch.
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
 */
import type { FloatArray, f64, i32 } from './prelude.js';

// What `contact` takes beside its arguments and gives: history in and out, forces out
export let sx: f64 = 0;
export let sy: f64 = 0;
export let sz: f64 = 0;
export let twist: f64 = 0;
export let rx: f64 = 0;
export let ry: f64 = 0;
export let rz: f64 = 0;
export let normalForce: f64 = 0;
export let damper: f64 = 0; // of the damping along the normal: at the last step in, now out, N
export let dampingWork: f64 = 0; // done against damping, sliding, rolling and twisting in this step, J
export let slidingWork: f64 = 0;
export let rollingWork: f64 = 0;
export let fx: f64 = 0; // on i
export let fy: f64 = 0;
export let fz: f64 = 0;
export let tx: f64 = 0; // n × force, to be multiplied by levers
export let ty: f64 = 0;
export let tz: f64 = 0;
export let mx: f64 = 0; // couple on i by rolling and twisting
export let my: f64 = 0;
export let mz: f64 = 0;

/** What the contact remembers: bristle and damping force */
// inline
export function recall(x: f64, y: f64, z: f64, damping: f64): void {
  sx = x;
  sy = y;
  sz = z;
  damper = damping;
}

/** Angles of twisting and rolling */
// inline
export function recallTurns(turn: f64, x: f64, y: f64, z: f64): void {
  twist = turn;
  rx = x;
  ry = y;
  rz = z;
}

/**
 * @param law place of the pair's numbers in slot 40
 * @param perMass 1/m*, 1/kg
 * @param u   relative velocity at the contact; w relative angular velocity
 */
// inline
export function contact(
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
  const way: f64 = vn * h;
  // Work is told with the mean of the forces before and after the step. Before it the overlap was δ − vₙh
  let past: f64 = depth - way;
  if (!(past > 0)) past = 0;
  let a: f64 = 0;
  let stiffness: f64 = 0;
  let tangential: f64 = 0;
  let elastic: f64 = 0;
  let w: f64 = 0;
  let pull: f64 = 0; // of cohesion
  let pastA: f64 = 0;
  let pastStiffness: f64 = 0;
  let pastTangential: f64 = 0;
  let before: f64 = 0; // normal force
  const kind: f64 = full ? laws[law + 8] : 0;
  if (kind === 0) {
    a = Math.sqrt(radius * depth);
    stiffness = laws[law] * a;
    tangential = laws[law + 1] * a;
    elastic = 0.6666666666666666 * stiffness * depth;
    w = 0.8 * elastic * depth * perMass;
    pull = laws[law + 7] * a * a;
    pastA = Math.sqrt(radius * past);
    pastStiffness = laws[law] * pastA;
    pastTangential = laws[law + 1] * pastA;
    before = 0.6666666666666666 * pastStiffness * past + damper;
  } else if (kind === 1) {
    a = Math.sqrt(radius * depth);
    stiffness = laws[law + 9];
    tangential = laws[law + 10];
    elastic = stiffness * depth;
    w = elastic * depth * perMass;
    pull = laws[law + 7] * a * a;
    pastA = Math.sqrt(radius * past);
    pastStiffness = stiffness;
    pastTangential = tangential;
    before = stiffness * past + damper;
  } else {
    const root: f64 = adhesiveRoot(radius, depth, laws[law + 11]);
    a = root * root;
    stiffness = laws[law] * a;
    tangential = laws[law + 1] * a;
    const flat: f64 = (a * a) / radius; // depth of the Hertzian part
    elastic = 0.6666666666666666 * stiffness * flat;
    w = 0.8 * elastic * flat * perMass;
    pull = laws[law + 12] * a * root;
    // Near enough: this work is not booked
    let rho: f64 = 1 - way / depth;
    if (!(rho > 0)) rho = 0;
    const share: f64 = Math.sqrt(rho);
    pastA = a * share;
    pastStiffness = stiffness * share;
    pastTangential = tangential * share;
    before = elastic * (rho * share) + damper;
  }
  if (!(before > 0)) before = 0;
  const speed: f64 = Math.sqrt(vn * vn + w);
  let factor: f64 = speed > 0 ? 1 + (laws[law + 2] * vn) / speed : 1;
  if (!(factor > 0)) factor = 0;
  const push: f64 = elastic * factor;
  normalForce = push - pull;
  const resisting: f64 = push - elastic;
  dampingWork = 0.5 * (damper + resisting) * way;
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
    let ex: f64 = pastTangential * ox + damping * vx;
    let ey: f64 = pastTangential * oy + damping * vy;
    let ez: f64 = pastTangential * oz + damping * vz;
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
  if (full)
    couples(
      laws,
      law,
      h,
      nx,
      ny,
      nz,
      a,
      stiffness,
      tangential,
      radius,
      perMass,
      push,
      pastA,
      pastStiffness,
      pastTangential,
      before,
      wx,
      wy,
      wz,
    );
}

/** Rolling and twisting resistance; `past…` and `before` are those before the step */
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
  pastA: f64,
  pastStiffness: f64,
  pastTangential: f64,
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
    const stiff: f64 = 2.25 * pastStiffness * arm * arm;
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
    const past: f64 = pastTangential * pastA * pastA * twist;
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
    const most: f64 = laws[law + 6] * pastA * before;
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
export function adhesiveRoot(radius: f64, depth: f64, c: f64): f64 {
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
