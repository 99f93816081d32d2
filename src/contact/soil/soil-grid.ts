/**
 * Soft ground on a grid (SCM): what presses into it feels pressure and shear at every node it stands on, and leaves a rut.
 *
 * Force. The underside of a body is drawn into the grid (footprint.ts). At a node it has sunk by s, along the unit normal n into the body,
 * over the area dA = δ²/n_z of its surface:
 *
 *   dF = dA (σ_d n − τ ĵ)          laws: soil-law.ts
 *
 * so that pressure acts along the body's surface and its horizontal part is the compaction resistance. The shear displacement of a node is what the
 * material of the body over it has moved since it came there, along the surface: j = j_accepted + d_t, d from the body's last accepted pose
 * to its present one, turned with the surface. A force at rest is a spring of stiffness τ_max/K: no creep. A node left alone forgets j.
 *
 * Between accepted steps the force is a function of pose and twist alone, with the soil frozen: `evaluate` writes nothing that lasts,
 * `accept` does. What is pressed aside flows at a clock of its own (soil-flow.ts).
 *
 * Buse et al. (2023), §4.2: contact function and soil update apart, each at its own rate.
 */
import { sinkageModulus } from '../../contact-laws/soil/pressure-sinkage.js';
import { ModelError } from '../../errors.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { exp, pow } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { contactWidth } from './contact-width.js';
import { type FlowOptions, SoilFlow } from './soil-flow.js';
import { type SoilLaw, soilLaw } from './soil-law.js';
import { type ObjectSnapshot, type SoilMotion, SoilObject, type SoilObjectOptions } from './soil-object.js';
import { type Ground, SoilTiles, TILE, type TileSnapshot } from './soil-tiles.js';

export interface SoilGridOptions extends FlowOptions {
  readonly soil: Soil;
  /** Distance of nodes, m */
  readonly spacing: number;
  /** Across the terrain, m/s²; 9.81 unless said */
  readonly gravity?: number;
  /** Largest size of the nodes, B; 1e9 unless said */
  readonly memory?: number;
  /** Of elastic sinkage and of shear, s: what lets a body come to rest; 0 unless said */
  readonly relaxation?: number;
  readonly shearRelaxation?: number;
}

/** Surfaces steeper than this count as this steep: n_z at least */
const STEEPEST = 0.1;
/** Shear beyond this many K is forgotten: nothing more comes of it, and turning round would take as far again. */
const MOST_SHEAR = 8;
/** Damping comes in over this sinkage, m */
const RAMP = 1e-3;
/** A step between neighbouring nodes steeper than this is an upright face */
const UPRIGHT = 1.7;
/** Passive pressure comes into force over this part of the face's height */
const MOBILISED = 0.1;

/** What a body feels, terrain axes */
export class SoilWrench {
  /** N, and N m about the body's origin */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** Nodes that carry */
  nodes = 0;
  /** m², seen from above */
  area = 0;
  /** m: largest */
  sinkage = 0;
  /** Where the pressure has its middle, m */
  readonly centre = new Float64Array(3);
}

/** 6 × 6 each, row by row: force and torque by displacement of the origin and turn, by velocity and angular velocity; terrain axes */
export class SoilDerivative {
  readonly byPose = new Float64Array(36);
  readonly byTwist = new Float64Array(36);
}

export class SoilGrid {
  readonly law: SoilLaw;
  readonly tiles: SoilTiles;
  readonly objects: SoilObject[] = [];
  readonly flow: SoilFlow;
  /** Counts changes, for viewers and snapshots */
  version = 0;
  private readonly area: number;
  /** Of the node at hand: normal into the body, shear, lever, velocity, displacement */
  private readonly node = {
    nx: 0,
    ny: 0,
    nz: 0,
    jx: 0,
    jy: 0,
    jz: 0,
    j: 0,
    sigma: 0,
    slope: 0,
    tauMax: 0,
    tau: 0,
    damping: 0,
    plastic: 0,
    yielded: 0,
    left: 1,
    vx: 0,
    vy: 0,
    vz: 0,
    s: 0,
    dx: 0,
    dy: 0,
    dz: 0,
  };
  private readonly change = new Float64Array(3);
  private pressed = 0;
  /** 2 per side of the node at hand: how the push on an upright face grows with the way pushed and with its height, N/m */
  private readonly walls = new Float64Array(8);

  constructor(ground: Ground, options: SoilGridOptions) {
    const { soil, spacing, gravity = 9.81, memory = 1e9, relaxation = 0, shearRelaxation = 0 } = options;
    this.law = soilLaw(soil, gravity, relaxation, shearRelaxation);
    this.tiles = new SoilTiles(ground, spacing, memory);
    this.area = spacing * spacing;
    this.flow = new SoilFlow(this.tiles, this.law, options);
  }

  /** Something that may touch the soil from now on. */
  add(name: string, mesh: TriangleMesh, options: SoilObjectOptions = {}): SoilObject {
    const object = new SoilObject(name, mesh, options);
    this.objects.push(object);
    return object;
  }

  private readonly topOver = (x0: number, x1: number, y0: number, y1: number): number => {
    const side = TILE * this.tiles.spacing;
    let top = -Infinity;
    for (let I = Math.floor(x0 / side); I <= Math.floor(x1 / side); I++)
      for (let J = Math.floor(y0 / side); J <= Math.floor(y1 / side); J++) top = Math.max(top, this.tiles.topOf(I, J));
    return top;
  };

  /** Highest level of the ground within a distance, m; an upper bound where it is untouched */
  topNear(place: ArrayLike<number>, distance: number): number {
    return this.topOver(place[0] - distance, place[0] + distance, place[1] - distance, place[1] + distance);
  }

  // ---- force --------------------------------------------------------------------------------------------------------------------------

  /** Force and torque at a pose and twist; the soil stays as it is. */
  evaluate(object: SoilObject, motion: SoilMotion, out: SoilWrench, derivative?: SoilDerivative): void {
    out.force.fill(0);
    out.torque.fill(0);
    out.centre.fill(0);
    out.nodes = out.area = out.sinkage = 0;
    this.pressed = 0;
    derivative?.byPose.fill(0);
    derivative?.byTwist.fill(0);
    const { footprint, mesh } = object;
    const { tiles } = this;
    footprint.draw(mesh, motion, tiles.spacing, this.topOver);
    if (footprint.columns === 0) return;
    const modulus = this.modulusFor(object);
    const id = this.objects.indexOf(object) + 1;
    const { i0, j0, columns, rows, under } = footprint;
    for (let b = 0, k = 0; b < rows; b++)
      for (let a = 0; a < columns; a++, k++) {
        if (under[k] === Infinity) continue;
        const node = tiles.node(i0 + a, j0 + b);
        if (!this.respond(object, id, motion, modulus, node, k, a, b)) continue;
        this.addNode(object, motion, node, k, a, b, out);
        if (derivative) this.differentiate(object, motion, k, a, b, node, derivative);
      }
    if (this.pressed > 0) for (let i = 0; i < 3; i++) out.centre[i] /= this.pressed;
  }

  private get widthMatters(): boolean {
    const { reece, kc = 0 } = this.law.soil;
    return reece !== undefined || kc !== 0;
  }

  /** k for the width of the contact as it was accepted last; from the first touch where there was none */
  private modulusFor(object: SoilObject): number {
    const { soil } = this.law;
    if (!this.widthMatters) return soil.kphi ?? 0;
    const inverse = object.inverseWidth > 0 ? object.inverseWidth : this.widthOf(object);
    return sinkageModulus(soil, 1 / inverse);
  }

  /** 1/b of the footprint as it is drawn, 1/m */
  private widthOf(object: SoilObject): number {
    const { pressureWidth, footprint } = object;
    if (typeof pressureWidth === 'number') return 1 / pressureWidth;
    const { i0, j0, columns, rows, under } = footprint;
    const { tiles } = this;
    return (
      1 /
      contactWidth(columns, rows, tiles.spacing, pressureWidth, (a, b) => {
        const z = under[b * columns + a];
        if (z === Infinity) return false;
        const node = tiles.node(i0 + a, j0 + b); // may make room, and new arrays with it
        return tiles.fields.level0[node] > z;
      })
    );
  }

  /** Stresses at window node k into `this.node`. False if the body does not press on it. */
  private respond(
    object: SoilObject,
    id: number,
    motion: SoilMotion,
    modulus: number,
    node: number,
    k: number,
    a: number,
    b: number,
  ): boolean {
    const { law, tiles, node: at } = this;
    const { fields, spacing } = tiles;
    const { under, normal, i0, j0 } = object.footprint;
    const z = under[k];
    const s = (fields.level0[node] - z) * fields.up[node];
    const elastic = law.elastic * (s - fields.plastic[node]);
    if (!(elastic > 0 && s > 0)) return false;

    // Pressure
    let sigma = elastic;
    at.s = s;
    at.plastic = fields.plastic[node];
    at.yielded = fields.yielded[node];
    at.slope = law.elastic;
    let limit = at.yielded; // what it carries before it yields
    if (elastic > at.yielded) {
      const bekker = law.exponent === 1 ? modulus * s : modulus * pow(s, law.exponent);
      if (elastic > bekker) {
        sigma = Math.max(bekker, at.yielded);
        at.slope = bekker >= at.yielded ? (law.exponent * bekker) / s : 0;
        at.plastic = s - sigma / law.elastic;
      }
      limit = Math.max(bekker, at.yielded);
      at.yielded = sigma;
    }

    // Surface of the body, and the velocity of its material here
    const { position: p, velocity: v, spin: w } = motion;
    const nx = normal[3 * k];
    const ny = normal[3 * k + 1];
    const nz = Math.max(STEEPEST, normal[3 * k + 2]);
    const rx = (i0 + a) * spacing - p[0];
    const ry = (j0 + b) * spacing - p[1];
    const rz = z - p[2];
    const ux = v[0] + w[1] * rz - w[2] * ry;
    const uy = v[1] + w[2] * rx - w[0] * rz;
    const uz = v[2] + w[0] * ry - w[1] * rx;
    const out = ux * nx + uy * ny + uz * nz;
    const ramp = Math.min(1, s / RAMP);
    at.damping = law.damping * ramp;
    at.nx = nx;
    at.ny = ny;
    at.nz = nz;
    let damped = sigma - at.damping * out;
    const relaxed = -law.elastic * law.relaxation * ramp * out;
    if (relaxed < limit - sigma) {
      damped += relaxed;
      at.damping += law.elastic * law.relaxation * ramp;
    } else damped += Math.max(0, limit - sigma);
    if (damped < 0) {
      sigma = 0;
      at.slope = at.damping = 0;
    } else sigma = damped;
    // The side of the kink the motion goes to: out of the soil it is elastic
    if (out > 0) at.slope = at.slope === 0 ? 0 : law.elastic;
    if (s < RAMP && damped > 0) at.slope -= (law.damping / RAMP) * out;
    at.sigma = sigma;

    // Shear
    this.shearAt(object, id, motion, node, rx, ry, rz, s);
    at.tauMax = law.cohesion + sigma * law.friction;
    at.left = at.j > 0 ? exp(-at.j / law.shearLength) : 1;
    at.tau = at.tauMax * (1 - at.left);
    const viscous = (at.tauMax * at.left * law.shearRelaxation) / law.shearLength;
    at.vx = viscous * (ux - out * nx);
    at.vy = viscous * (uy - out * ny);
    at.vz = viscous * (uz - out * nz);
    return true;
  }

  /** j = j_accepted, turned into the surface, + displacement along it since the last accepted pose */
  private shearAt(
    object: SoilObject,
    id: number,
    motion: SoilMotion,
    node: number,
    rx: number,
    ry: number,
    rz: number,
    s: number,
  ): void {
    const { node: at } = this;
    const { fields } = this.tiles;
    const { nx, ny, nz } = at;
    let [jx, jy, jz] = [0, 0, 0];
    const known = Math.abs(fields.owner[node]) === id;
    if (known) {
      jx = fields.shearX[node];
      jy = fields.shearY[node];
      jz = fields.shearZ[node];
      const length = Math.sqrt(jx * jx + jy * jy + jz * jz);
      const along = jx * nx + jy * ny + jz * nz;
      [jx, jy, jz] = [jx - along * nx, jy - along * ny, jz - along * nz];
      const flat = Math.sqrt(jx * jx + jy * jy + jz * jz);
      if (flat > 0) {
        const stretch = length / flat;
        [jx, jy, jz] = [jx * stretch, jy * stretch, jz * stretch];
      }
    }
    at.dx = at.dy = at.dz = 0;
    if (object.accepted) {
      // Where the material that is here now was
      const { rotation: R, position: p } = motion;
      const { rotation: Q, position: q } = object;
      const bx = R[0] * rx + R[3] * ry + R[6] * rz;
      const by = R[1] * rx + R[4] * ry + R[7] * rz;
      const bz = R[2] * rx + R[5] * ry + R[8] * rz;
      let dx = p[0] + rx - (q[0] + Q[0] * bx + Q[1] * by + Q[2] * bz);
      let dy = p[1] + ry - (q[1] + Q[3] * bx + Q[4] * by + Q[5] * bz);
      let dz = p[2] + rz - (q[2] + Q[6] * bx + Q[7] * by + Q[8] * bz);
      if (!known) {
        // It came into the soil on the way: only what it has moved since then counts
        const sank = -(dx * nx + dy * ny + dz * nz) / nz;
        const part = sank > s ? s / sank : 1;
        [dx, dy, dz] = [part * dx, part * dy, part * dz];
      }
      const along = dx * nx + dy * ny + dz * nz;
      at.dx = dx - along * nx;
      at.dy = dy - along * ny;
      at.dz = dz - along * nz;
      jx += at.dx;
      jy += at.dy;
      jz += at.dz;
    }
    at.jx = jx;
    at.jy = jy;
    at.jz = jz;
    at.j = Math.sqrt(jx * jx + jy * jy + jz * jz);
  }

  private addNode(
    object: SoilObject,
    motion: SoilMotion,
    node: number,
    k: number,
    a: number,
    b: number,
    out: SoilWrench,
  ): void {
    const { node: at, area } = this;
    const { spacing, fields } = this.tiles;
    const { i0, j0, under } = object.footprint;
    const { position: p } = motion;
    const dA = area / at.nz;
    const shear = at.j > 0 ? at.tau / at.j : 0;
    let fx = dA * (at.sigma * at.nx - shear * at.jx - at.vx);
    let fy = dA * (at.sigma * at.ny - shear * at.jy - at.vy);
    const fz = dA * (at.sigma * at.nz - shear * at.jz - at.vz);
    if (object.sideFaces) {
      this.pushSides(object, a, b, k);
      fx += this.change[0];
      fy += this.change[1];
    }
    const rx = (i0 + a) * spacing - p[0];
    const ry = (j0 + b) * spacing - p[1];
    const rz = under[k] - p[2];
    const { force, torque } = out;
    force[0] += fx;
    force[1] += fy;
    force[2] += fz;
    torque[0] += ry * fz - rz * fy;
    torque[1] += rz * fx - rx * fz;
    torque[2] += rx * fy - ry * fx;
    out.nodes++;
    out.area += area;
    this.pressed += at.sigma;
    out.centre[0] += at.sigma * (p[0] + rx);
    out.centre[1] += at.sigma * (p[1] + ry);
    out.centre[2] += at.sigma * under[k];
    out.sinkage = Math.max(out.sinkage, (fields.level0[node] - under[k]) * fields.up[node]);
  }

  /**
   * Passive earth pressure on upright faces at this node, where the underside steps up to a neighbour's and soil stands in between: per length
   * ½ ρ g Kp H² + 2 c √Kp H, come into force as the body has pushed that way, 1 − e^(−x/(0.1 H)). Into `this.change`.
   */
  private pushSides(object: SoilObject, a: number, b: number, k: number): void {
    const { law, tiles, node: at, change } = this;
    const { spacing } = tiles;
    const { i0, j0, columns, rows, under } = object.footprint;
    change[0] = change[1] = 0;
    this.walls.fill(0);
    for (let side = 0; side < 4; side++) {
      const [mx, my] = [side === 0 ? 1 : side === 1 ? -1 : 0, side === 2 ? 1 : side === 3 ? -1 : 0];
      const pushed = at.jx * mx + at.jy * my;
      if (!(pushed > 0)) continue;
      const [c, d] = [a + mx, b + my];
      const inside = c >= 0 && d >= 0 && c < columns && d < rows;
      const over = inside ? under[d * columns + c] : Infinity;
      const level = Math.min(over, tiles.levelAt(i0 + c, j0 + d));
      const H = level - under[k];
      // Within the body's own underside only what is too steep to be a slope of it; at its edge all that stands above
      if (!(H > (over < Infinity ? UPRIGHT * spacing : 0))) continue;
      const most = spacing * H * (law.wallWeight * H + law.wallCohesion);
      const left = exp(-pushed / (MOBILISED * H));
      const force = most * (1 - left);
      this.walls[2 * side] = (most * left) / (MOBILISED * H);
      // Where the neighbour is the body's own underside, both rise together
      this.walls[2 * side + 1] =
        over < Infinity
          ? 0
          : spacing * (2 * law.wallWeight * H + law.wallCohesion) * (1 - left) - (this.walls[2 * side] * pushed) / H;
      change[0] -= force * mx;
      change[1] -= force * my;
    }
  }

  /**
   * Exact for the nodes that are there, but for what came in since the last accepted step: at a fixed node a displacement δP of the material raises the underside by
   * n·δP/n_z, adds its part along the surface to j, and a turn θ turns n.
   */
  private differentiate(
    object: SoilObject,
    motion: SoilMotion,
    k: number,
    a: number,
    b: number,
    node: number,
    out: SoilDerivative,
  ): void {
    const { node: at, area, law, tiles } = this;
    const { spacing, fields } = tiles;
    const { i0, j0, under } = object.footprint;
    const { position: p, velocity: v, spin: w } = motion;
    const { nx, ny, nz } = at;
    const r = [(i0 + a) * spacing - p[0], (j0 + b) * spacing - p[1], under[k] - p[2]];
    const dA = area / nz;
    const g = 1 - at.left;
    const viscous = (at.tauMax * at.left * law.shearRelaxation) / law.shearLength;
    const [ex, ey, ez] = at.j > 0 ? [at.jx / at.j, at.jy / at.j, at.jz / at.j] : [0, 0, 0];
    const secant = at.tauMax * (at.j > 1e-9 * law.shearLength ? g / at.j : 1 / law.shearLength);
    const tangent = (at.tauMax * at.left) / law.shearLength;
    const sx = at.sigma * nx - at.tau * ex - at.vx;
    const sy = at.sigma * ny - at.tau * ey - at.vy;
    const sz = at.sigma * nz - at.tau * ez - at.vz;
    const ux = v[0] + w[1] * r[2] - w[2] * r[1];
    const uy = v[1] + w[2] * r[0] - w[0] * r[2];
    const uz = v[2] + w[0] * r[1] - w[1] * r[0];
    for (let m = 0; m < 6; m++) {
      // δP: a unit shift, or a unit turn about an axis
      const turn = m >= 3;
      let [px, py, pz, tx, ty, tz] = [m === 0 ? 1 : 0, m === 1 ? 1 : 0, m === 2 ? 1 : 0, 0, 0, 0];
      if (m === 3) [px, py, pz, tx, ty, tz] = [0, -r[2], r[1], 0, -nz, ny];
      if (m === 4) [px, py, pz, tx, ty, tz] = [r[2], 0, -r[0], nz, 0, -nx];
      if (m === 5) [px, py, pz, tx, ty, tz] = [-r[1], r[0], 0, -ny, nx, 0];
      const normal = nx * px + ny * py + nz * pz;
      const rise = normal / nz;
      // by pose
      let dSigma = -at.slope * fields.up[node] * rise;
      if (turn) dSigma -= at.damping * (ux * tx + uy * ty + uz * tz);
      const [qx, qy, qz] = [px - normal * nx, py - normal * ny, pz - normal * nz];
      const along = qx * ex + qy * ey + qz * ez;
      const dTau = law.friction * dSigma * g;
      const extra = (tangent - secant) * along;
      let fx = dA * (dSigma * nx - dTau * ex - secant * qx - extra * ex);
      let fy = dA * (dSigma * ny - dTau * ey - secant * qy - extra * ey);
      let fz = dA * (dSigma * nz - dTau * ez - secant * qz - extra * ez);
      if (turn) {
        fx += dA * (at.sigma * tx - (sx * tz) / nz);
        fy += dA * (at.sigma * ty - (sy * tz) / nz);
        fz += dA * (at.sigma * tz - (sz * tz) / nz);
      }
      if (object.sideFaces)
        for (let side = 0; side < 4; side++) {
          const [mx, my] = [side === 0 ? 1 : side === 1 ? -1 : 0, side === 2 ? 1 : side === 3 ? -1 : 0];
          const more = this.walls[2 * side] * (qx * mx + qy * my) - this.walls[2 * side + 1] * rise;
          fx -= more * mx;
          fy -= more * my;
        }
      // the lever: the node stays, the underside rises, the origin goes
      const lx = m === 0 ? -1 : 0;
      const ly = m === 1 ? -1 : 0;
      const lz = rise - (m === 2 ? 1 : 0);
      const { byPose, byTwist } = out;
      byPose[m] += fx;
      byPose[6 + m] += fy;
      byPose[12 + m] += fz;
      byPose[18 + m] += r[1] * fz - r[2] * fy + dA * (ly * sz - lz * sy);
      byPose[24 + m] += r[2] * fx - r[0] * fz + dA * (lz * sx - lx * sz);
      byPose[30 + m] += r[0] * fy - r[1] * fx + dA * (lx * sy - ly * sx);
      // by twist: only what damps
      const less = -at.damping * normal;
      const slower = law.friction * less * g;
      fx = dA * (less * nx - slower * ex - viscous * qx);
      fy = dA * (less * ny - slower * ey - viscous * qy);
      fz = dA * (less * nz - slower * ez - viscous * qz);
      byTwist[m] += fx;
      byTwist[6 + m] += fy;
      byTwist[12 + m] += fz;
      byTwist[18 + m] += r[1] * fz - r[2] * fy;
      byTwist[24 + m] += r[2] * fx - r[0] * fz;
      byTwist[30 + m] += r[0] * fy - r[1] * fx;
    }
  }

  // ---- what lasts -----------------------------------------------------------------------------------------------------------------------

  /**
   * The step that ends at this pose is taken: nodes yield and remember their shear, nodes left alone forget it and spring back.
   * What is pressed aside waits for `settle`.
   */
  accept(object: SoilObject, motion: SoilMotion): void {
    this.version++;
    const { footprint, mesh } = object;
    const { tiles, node: at } = this;
    footprint.draw(mesh, motion, tiles.spacing, this.topOver);
    const id = this.objects.indexOf(object) + 1;
    const before = object.touched.slice(0, object.touchedCount);
    object.touchedCount = 0;
    for (const node of before) if (tiles.fields.owner[node] === id) tiles.fields.owner[node] = -id; // until it is found touched again
    if (footprint.columns > 0) {
      if (typeof object.pressureWidth !== 'number' && this.widthMatters) object.inverseWidth = this.widthOf(object);
      const modulus = this.modulusFor(object);
      const { i0, j0, columns, rows, under } = footprint;
      for (let b = 0, k = 0; b < rows; b++)
        for (let a = 0; a < columns; a++, k++) {
          if (under[k] === Infinity) continue;
          const node = tiles.node(i0 + a, j0 + b);
          if (!this.respond(object, id, motion, modulus, node, k, a, b)) continue;
          this.commitNode(object, id, node, at.plastic, i0 + a, j0 + b);
        }
    }
    const { fields } = tiles;
    for (const node of before)
      if (fields.owner[node] === -id) {
        fields.owner[node] = 0;
        fields.shearX[node] = fields.shearY[node] = fields.shearZ[node] = 0;
        fields.pressure[node] = fields.shear[node] = 0;
      }
    object.accepted = true;
    object.position.set(motion.position);
    object.rotation.set(motion.rotation);
  }

  private commitNode(object: SoilObject, id: number, node: number, plastic: number, i: number, j: number): void {
    const { tiles, node: at, law } = this;
    const { fields } = tiles;
    const slid = Math.sqrt(at.dx * at.dx + at.dy * at.dy + at.dz * at.dz);
    const before = fields.level0[node] - fields.plastic[node] / fields.up[node];
    fields.plastic[node] = plastic;
    fields.yielded[node] = at.yielded;
    const shrink = at.j > MOST_SHEAR * law.shearLength ? (MOST_SHEAR * law.shearLength) / at.j : 1;
    fields.shearX[node] = shrink * at.jx;
    fields.shearY[node] = shrink * at.jy;
    fields.shearZ[node] = shrink * at.jz;
    fields.owner[node] = id;
    fields.pressure[node] = at.sigma;
    fields.shear[node] = at.tau;
    if (object.digging > 0 && at.tauMax > 0) {
      fields.level0[node] -= object.digging * slid * (at.tau / at.tauMax) * (1 - exp(-at.s / object.diggingDepth));
    }
    const after = fields.level0[node] - plastic / fields.up[node];
    fields.level[node] = after;
    const volume = this.area * (before - after);
    object.pending += volume;
    object.dragX += volume * (slid > 0 ? at.dx / slid : 0);
    object.dragY += volume * (slid > 0 ? at.dy / slid : 0);
    object.touch(node, i, j);
  }

  /** Soil that was pressed aside is put down beside what pressed it, and slopes that are too steep slide. True if a level has changed. */
  settle(): boolean {
    let changed = false;
    for (const object of this.objects) if (this.flow.settle(object)) changed = true;
    if (changed) this.version++;
    return changed;
  }

  /** m³: volume between the present surface and the virgin one, and what waits to be put down; 0 if nothing is lost and soil does not compact */
  volumeChange(): number {
    const { tiles } = this;
    const virgin = new Float64Array(3);
    let sum = 0;
    for (const [I, J, tile] of tiles.all())
      for (let b = 0, k = TILE * TILE * tile; b < TILE; b++)
        for (let a = 0; a < TILE; a++, k++) {
          tiles.virgin(TILE * I + a, TILE * J + b, virgin);
          sum += tiles.fields.level[k] - virgin[0];
        }
    return this.area * sum + this.objects.reduce((all, { pending }) => all + pending, 0);
  }

  snapshot(): SoilSnapshot {
    return { tiles: this.tiles.snapshot(), objects: this.objects.map((object) => object.snapshot()) };
  }

  restore({ tiles, objects }: SoilSnapshot): void {
    if (objects.length !== this.objects.length)
      throw new ModelError(
        'soil',
        `expected a snapshot of ${this.objects.length} objects, got one of ${objects.length}`,
      );
    this.version++;
    this.tiles.restore(tiles);
    for (const [i, object] of this.objects.entries()) object.restore(objects[i]);
  }
}

export interface SoilSnapshot {
  readonly tiles: TileSnapshot;
  readonly objects: readonly ObjectSnapshot[];
}
