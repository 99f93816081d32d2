/**
 * What soil at one node does to the surface over it: pressure, shear and the damping of both, by the laws of soil-law.ts.
 *
 * Shear displacement: J = J_accepted (shear-memory.ts), turned into the surface, + the part along the surface of d = x − q − Q Rᵀ (x − p), which is how far the material that is at
 * the node's place x now has come since the last accepted pose (q, Q). Material that came into the soil on the way counts from there. Where more of a cell is covered than was, what is new has not been
 * sheared: J_accepted and the most it was sheared count for the part it had. Shear acts as it would T_s later, J + T_s v_t from where the soil has yielded to: that damps it,
 * is never more than the soil holds, and is the same before and after a step is accepted.
 */
import { log, pow } from '../../math/elementary.js';
import { ShearCurve, UNLOADING } from './shear-memory.js';
import type { SoilLaw } from './soil-law.js';
import { FLOOR } from './soil-mesh.js';
import type { SoilMotion, SoilObject } from './soil-object.js';
import type { SoilFields } from './soil-tiles.js';

/** Surfaces steeper than this count as this steep: n_z at least */
const STEEPEST = 0.1;
/** Damping comes in over this sinkage, m */
export const RAMP = 1e-3;
/** Soil that a body meets deeper than so many nodes below its surface is met from the side */
const HEAP = 2;
/** Nearer to yield than this part of it, the direction of motion decides what comes next */
const AT_YIELD = 1e-9;

/** Shear below this part of its limit is a spring, whichever way it goes: kinks at nothing would keep iterations from what rests */
const LEAST_YIELD = 1e-3;
/** e^(−8): soil is sheared all but this, and walls are pushed no farther */
const LEAST_LEFT = 3.35e-4;

/** What a node is to a body */
export const FREE = 0;
/** Soil under a body with grousers that carries nothing now but goes with them: its shear is not forgotten until the body has left the trough */
export const HELD = 1;
export const PRESSED = 2;

export class NodeResponse {
  /** Normal into the body as it is, and its change with the place along x and y, 1/m */
  readonly normal = new Float64Array(9);
  /** Normal; its part along z not below the limit, and as it is */
  nx = 0;
  ny = 0;
  nz = 1;
  trueNz = 1;
  steep = false;
  /** From the body's origin to the node on its surface, m */
  rx = 0;
  ry = 0;
  rz = 0;
  /** Velocity of the material there, m/s, and its part out of the soil */
  ux = 0;
  uy = 0;
  uz = 0;
  out = 0;
  /** Sinkage, m; pressure, Pa; its change with sinkage, Pa/m, and with the velocity into the soil, Pa s/m */
  s = 0;
  sigma = 0;
  slope = 0;
  damping = 0;
  /** What would be written: sinkage that stays, m, and pressure carried, Pa */
  plastic = 0;
  yielded = 0;
  /** Part of what is covered now that was when j was accepted, and that j laid into the surface, m */
  kept = 1;
  laidX = 0;
  laidY = 0;
  laidZ = 0;
  /** Shear that was accepted, for what is covered now; how far material has come since, before it is laid into the surface; and what part of that counts, m */
  known = false;
  hx = 0;
  hy = 0;
  hz = 0;
  dx = 0;
  dy = 0;
  dz = 0;
  part = 1;
  /** Shear displacement J and its size, m; M, the most that shear was of its limit, for what is covered now */
  jx = 0;
  jy = 0;
  jz = 0;
  j = 0;
  most = 0;
  /** What is kept of J once the soil has yielded to it, as a part, and M then; how its size grows with that of J, and M, 1/m */
  heldPart = 1;
  heldMost = 0;
  heldSlope = 1;
  mostSlope = 0;
  /** How both change with M before */
  heldByMost = 0;
  mostByMost = 1;
  private readonly yields = new ShearCurve();
  /** That + T_s v_t, where shear acts, and its size, m */
  sx = 0;
  sy = 0;
  sz = 0;
  sheared = 0;
  /** Part of its limit that shear there is, its change with the displacement, 1/m, and with M */
  readonly curve = new ShearCurve();
  /** τ by displacement, and how it grows straight on, Pa/m */
  secant = 0;
  tangent = 0;
  /** J/m² of ground seen from above: what comes back of the work of pressure when the node is let go, σ²/2Ke */
  springs = 0;
  /** Pa; and how the most that shear may be changes with the pressure σ_d, and with the sinkage at that pressure, Pa/m */
  tauMax = 0;
  tau = 0;
  tauBySigma = 0;
  tauBySinkage = 0;
  /** m: level of the unloaded soil at the node, without a heap that is pushed on */
  level0 = 0;
  /** Part of the cell under the body, and from the node to the middle of that part, where all of this is seen, m */
  cover = 1;
  offsetX = 0;
  offsetY = 0;

  constructor(
    private readonly law: SoilLaw,
    private readonly spacing: number,
  ) {}

  /** 1 − Q Rᵀ and p − q: how far material at r from the origin has come since the last accepted pose is p − q + (1 − Q Rᵀ) r */
  private readonly since = new Float64Array(9);
  private readonly moved = new Float64Array(3);

  /** Of the soil under the body: k in σ = k sⁿ */
  private modulus = 0;

  /** Once for all nodes of a body, on soil of a modulus */
  begin({ rotation: Q, position: q }: SoilObject, { rotation: R, position: p }: SoilMotion, modulus: number): void {
    this.modulus = modulus;
    const { since, moved } = this;
    for (let i = 0; i < 3; i++) {
      moved[i] = p[i] - q[i];
      for (let k = 0; k < 3; k++)
        since[3 * i + k] =
          (i === k ? 1 : 0) - (Q[3 * i] * R[3 * k] + Q[3 * i + 1] * R[3 * k + 1] + Q[3 * i + 2] * R[3 * k + 2]);
    }
  }

  /** Node (i, j), `node` of the tiles, k of the window, under a body that is object number `id`. FREE, HELD or PRESSED */
  respond(
    fields: SoilFields,
    node: number,
    object: SoilObject,
    id: number,
    motion: SoilMotion,
    k: number,
    i: number,
    j: number,
  ): number {
    const { law } = this;
    const { underside, coverage } = object.footprint;
    const z = underside.under[k];
    this.cover = coverage.cover[k];
    const offsetX = coverage.offsetX[k];
    const offsetY = coverage.offsetY[k];
    this.offsetX = offsetX;
    this.offsetY = offsetY;
    // as high as the underside would be over the node if it went there as the terrain does
    const over = z - fields.slopeX[node] * offsetX - fields.slopeY[node] * offsetY;
    // Soil heaped up beside a body that moves sideways over it is pushed on, not pressed down
    let level0 = fields.level0[node];
    const known = Math.abs(fields.owner[node]) === id;
    if (!known && level0 - over > HEAP * this.spacing) level0 = Math.min(level0, Math.max(over, fields.virgin[node]));
    const s = (level0 - over) * fields.up[node];
    if (!(s > 0)) return FREE;
    this.level0 = level0;
    this.known = known;
    const floor = underside.kindAt(k) === FLOOR;
    const plastic = floor ? fields.floorPlastic[node] : fields.plastic[node];
    const carried = floor ? fields.floorYielded[node] : fields.yielded[node];
    const elastic = law.elastic * (s - plastic);
    const pressed = elastic > 0;
    if (!pressed && !(object.mesh.hasPockets && known)) return FREE;
    this.s = s;
    const { position: p } = motion;
    const x = i * this.spacing + offsetX;
    const y = j * this.spacing + offsetY;
    const { normal } = this;
    underside.normalAt(k, x, y, normal);
    this.nx = normal[0];
    this.ny = normal[1];
    this.nz = this.trueNz = normal[2];
    this.steep = this.nz < STEEPEST;
    if (this.steep) this.nz = STEEPEST;
    this.rx = x - p[0];
    this.ry = y - p[1];
    this.rz = z - p[2];
    this.plastic = plastic;
    this.yielded = carried;
    if (!pressed) {
      this.sigma = this.slope = this.damping = this.tauMax = this.tau = this.secant = this.tangent = 0;
      this.shear(fields, node, object);
      return HELD;
    }
    this.press(elastic, carried);
    this.springs = (0.5 * this.sigma * this.sigma) / (law.elastic * fields.up[node]);
    this.damp(motion);
    this.shear(fields, node, object);
    this.limitShear();
    this.pull();
    return PRESSED;
  }

  /** τ, T_s later */
  private pull(): void {
    const { law, nx, ny, nz, out, tauMax, curve, heldPart } = this;
    const T = law.shearRelaxation;
    const vx = this.ux - out * nx;
    const vy = this.uy - out * ny;
    const vz = this.uz - out * nz;
    this.sx = heldPart * this.jx + T * vx;
    this.sy = heldPart * this.jy + T * vy;
    this.sz = heldPart * this.jz + T * vz;
    this.sheared = Math.sqrt(this.sx * this.sx + this.sy * this.sy + this.sz * this.sz);
    const goesOn = this.sx * vx + this.sy * vy + this.sz * vz > 0;
    curve.at(this.sheared, this.heldMost, law.shearLength, goesOn);
    this.tau = tauMax * curve.part;
    this.tangent = tauMax * curve.slope;
    this.secant = this.sheared > 1e-9 * law.shearLength ? this.tau / this.sheared : this.tangent;
  }

  /** What soil that J has sheared keeps of it */
  private yieldToShear(): void {
    const { yields, j, most, law } = this;
    const K = law.shearLength;
    yields.at(j, most, K, true);
    const has = yields.part > most && yields.part > LEAST_YIELD;
    this.heldMost = has ? yields.part : most;
    this.heldPart = has ? (K * yields.part) / (UNLOADING * j) : 1;
    this.heldSlope = has ? (K * yields.slope) / UNLOADING : 1;
    this.mostSlope = has ? yields.slope : 0;
    this.heldByMost = has ? (K * yields.byMost) / UNLOADING : 0;
    this.mostByMost = has ? yields.byMost : 1;
  }

  /** Way that walls of soil were pushed, m per m of J, how it grows as J does, and with M, m: as far as fresh soil would have to be sheared straight on, and where nothing more comes of it at most */
  wayByShear = 0;
  waySlope = 0;
  wayByMost = 0;

  findWay(): void {
    const { yields, j, law } = this;
    const K = law.shearLength;
    const left = 1 - yields.part;
    const most = left < LEAST_LEFT;
    const way = -K * log(most ? LEAST_LEFT : left);
    this.waySlope = most ? 0 : (K * yields.slope) / left;
    this.wayByMost = most ? 0 : (K * yields.byMost) / left;
    this.wayByShear = j > 1e-9 * K ? way / j : this.waySlope;
  }

  /** σ without damping; `limit` is what it carries before it yields */
  private press(elastic: number, carried: number): void {
    const { law, s, modulus } = this;
    this.sigma = elastic;
    this.slope = law.elastic;
    this.limit = carried;
    this.limitSlope = 0;
    this.soft = law.elastic; // slope to the side of further sinking
    if (this.wantsSlope ? elastic < carried * (1 - AT_YIELD) : elastic <= carried) return;
    const bekker = law.exponent === 1 ? modulus * s : modulus * pow(s, law.exponent);
    const yields = Math.max(bekker, carried);
    const yieldSlope = bekker >= carried * (1 - AT_YIELD) ? (law.exponent * bekker) / s : 0;
    this.limit = yields;
    this.limitSlope = bekker >= carried ? yieldSlope : 0;
    if (elastic > yields) {
      this.sigma = yields;
      this.plastic = s - yields / law.elastic;
      this.slope = this.limitSlope;
    }
    if (elastic > yields * (1 - AT_YIELD)) this.soft = yieldSlope;
    if (elastic > carried) this.yielded = this.sigma;
    // Just at yield the motion decides: out of the soil it is elastic
    this.atYield = Math.abs(elastic - yields) <= AT_YIELD * yields;
  }
  /** Slopes are asked for: just at yield the next law is looked up, too */
  wantsSlope = false;
  private limit = 0;
  private limitSlope = 0;
  private soft = 0;
  private atYield = false;

  private damp({ velocity: v, spin: w }: SoilMotion): void {
    const { law, nx, ny, nz, rx, ry, rz, s } = this;
    this.ux = v[0] + w[1] * rz - w[2] * ry;
    this.uy = v[1] + w[2] * rx - w[0] * rz;
    this.uz = v[2] + w[0] * ry - w[1] * rx;
    const out = this.ux * nx + this.uy * ny + this.uz * nz;
    this.out = out;
    if (this.atYield) this.slope = out > 0 ? law.elastic : this.soft;
    this.atYield = false;
    this.undamped = this.sigma;
    this.undampedSlope = this.slope;
    const ramp = s < RAMP ? s / RAMP : 1;
    const relaxes = law.elastic * law.relaxation;
    this.damping = law.damping * ramp;
    let damped = this.sigma - this.damping * out;
    const relaxed = -relaxes * ramp * out;
    if (relaxed < this.limit - this.sigma) {
      damped += relaxed;
      this.damping += relaxes * ramp;
      if (s < RAMP) this.slope -= ((law.damping + relaxes) / RAMP) * out;
    } else {
      if (this.limit > this.sigma) {
        damped += this.limit - this.sigma;
        this.slope = this.limitSlope;
      }
      if (s < RAMP) this.slope -= (law.damping / RAMP) * out;
    }
    if (damped < 0) {
      this.sigma = 0;
      this.slope = this.damping = 0;
    } else this.sigma = damped;
  }

  /**
   * τ_max = c min(1, σ_d/σ) + σ_d tan φ, σ the pressure without damping. Soil that springs back more slowly than the surface goes is left behind (σ_d = 0), and what is left behind holds nothing:
   * cohesion lets go as pressure does. At rest, and on the way in, it is c + σ tan φ.
   */
  private limitShear(): void {
    const { cohesion, friction } = this.law;
    const { sigma, undamped } = this;
    if (sigma >= undamped) {
      this.tauMax = cohesion + sigma * friction;
      this.tauBySigma = friction;
      this.tauBySinkage = 0;
      return;
    }
    const held = cohesion / undamped;
    this.tauMax = (held + friction) * sigma;
    this.tauBySigma = held + friction;
    this.tauBySinkage = (-held * sigma * this.undampedSlope) / undamped;
  }
  /** σ without damping, Pa, and its change with sinkage, Pa/m */
  private undamped = 0;
  private undampedSlope = 0;

  private shear(fields: SoilFields, node: number, object: SoilObject): void {
    const { nx, ny, nz, rx, ry, rz } = this;
    let jx = 0;
    let jy = 0;
    let jz = 0;
    this.kept = 1;
    this.most = 0;
    if (this.known) {
      if (fields.covered[node] < this.cover) this.kept = fields.covered[node] / this.cover;
      this.most = this.kept * fields.mobilised[node];
      const hx = this.kept * fields.shearX[node];
      const hy = this.kept * fields.shearY[node];
      const hz = this.kept * fields.shearZ[node];
      this.hx = hx;
      this.hy = hy;
      this.hz = hz;
      const along = hx * nx + hy * ny + hz * nz;
      jx = hx - along * nx;
      jy = hy - along * ny;
      jz = hz - along * nz;
      const flat = jx * jx + jy * jy + jz * jz;
      if (flat > 0) {
        const stretch = Math.sqrt((hx * hx + hy * hy + hz * hz) / flat);
        jx *= stretch;
        jy *= stretch;
        jz *= stretch;
      }
    } else this.hx = this.hy = this.hz = 0;
    this.laidX = jx;
    this.laidY = jy;
    this.laidZ = jz;
    this.dx = this.dy = this.dz = 0;
    this.part = 1;
    if (object.accepted) {
      const { since: N, moved } = this;
      const dx = moved[0] + N[0] * rx + N[1] * ry + N[2] * rz;
      const dy = moved[1] + N[3] * rx + N[4] * ry + N[5] * rz;
      const dz = moved[2] + N[6] * rx + N[7] * ry + N[8] * rz;
      const along = dx * nx + dy * ny + dz * nz;
      if (!this.known) {
        const sank = -along / nz;
        if (sank > this.s) this.part = this.s / sank;
      }
      this.dx = dx;
      this.dy = dy;
      this.dz = dz;
      jx += this.part * (dx - along * nx);
      jy += this.part * (dy - along * ny);
      jz += this.part * (dz - along * nz);
    }
    this.jx = jx;
    this.jy = jy;
    this.jz = jz;
    this.j = Math.sqrt(jx * jx + jy * jy + jz * jz);
    this.yieldToShear();
  }
}
