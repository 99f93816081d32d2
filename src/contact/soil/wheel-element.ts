/**
 * A wheel on ground that stays as it is, by closed forms: Bekker's or the Wong–Reece integral (contact-laws/soil/). The ground under the axle counts
 * as a plane with the terrain's height and normal there; the wheel's axle is the body's y axis, its centre the body's origin.
 *
 * At rest these models know no stiction: shear fades below 1 mm/s. Buse et al. (2023), §4.3.
 */
import { bekkerForces } from '../../contact-laws/soil/bekker-wheel.js';
import { wongReeceForces } from '../../contact-laws/soil/wong-reece.js';
import { ModelError } from '../../errors.js';
import { tanh } from '../../math/elementary.js';
import type { Carrier, ContactElement, ContactElementPlan, ElementTouch } from '../../model/contact-element.js';
import type { Soil } from '../../model/soil.js';
import type { MeetsSoil, SampledGround } from '../../model/soil-bed.js';
import type { TerrainFrame } from './terrain-frame.js';

export interface WheelElementOptions {
  readonly body: string;
  readonly meets: MeetsSoil;
  readonly soil: Soil;
  readonly path: string;
  readonly gravity: number;
  readonly ground: SampledGround;
  readonly frame: TerrainFrame;
}

/** Below this speed shear fades, m/s */
const SLOW = 1e-3;
/** Damping of the load: N (1 − T ż/z), s */
const RELAXATION = 5e-3;

export function wheelElement(options: WheelElementOptions): ContactElementPlan {
  const { body, meets, path } = options;
  if (meets.radius === undefined || meets.width === undefined)
    throw new ModelError(
      path,
      `the model "${meets.model}" sees a wheel: expected its radius and width in m, got ${meets.radius} and ${meets.width}`,
    );
  return {
    kind: 'contactElement',
    between: ['ground', body],
    signals: {
      sinkage: { unit: 'm', description: 'of the lowest line of the wheel' },
      slip: { unit: '', description: '(ω r − v)/max(ω r, v)' },
    },
    create: ({ b }: { readonly a: Carrier; readonly b: Carrier }): ContactElement => new WheelOnGround(options, b),
  };
}

const ORIGIN = [0, 0, 0];
const AXLE = [0, 1, 0];

class WheelOnGround implements ContactElement {
  private readonly motion = {
    position: new Float64Array(3),
    rotation: new Float64Array(9),
    velocity: new Float64Array(3),
    spin: new Float64Array(3),
  };
  private readonly sampled = new Float64Array(3);
  private readonly local = new Float64Array(3);
  private readonly force = new Float64Array(3);
  private readonly torque = new Float64Array(3);
  private readonly point = new Float64Array(3);
  private readonly normal = new Float64Array(3);
  private sinkage = 0;
  private slip = 0;

  constructor(
    private readonly options: WheelElementOptions,
    private readonly body: Carrier,
  ) {}

  private respond(): boolean {
    const { frame, ground, soil, gravity, meets } = this.options;
    const { motion, sampled, local, normal } = this;
    frame.observe(this.body, motion);
    const { position: p, velocity: v, spin: w, rotation: R } = motion;
    // The plane under the axle
    ground.sample(p[0], p[1], sampled);
    const [h, hx, hy] = sampled;
    const up = 1 / Math.sqrt(1 + hx * hx + hy * hy);
    const [nx, ny, nz] = [-hx * up, -hy * up, up];
    // Heading: across axle and normal; straight down in the wheel's plane
    const [ax, ay, az] = [R[1], R[4], R[7]];
    let [fx, fy, fz] = [ay * nz - az * ny, az * nx - ax * nz, ax * ny - ay * nx];
    const length = Math.sqrt(fx * fx + fy * fy + fz * fz);
    if (!(length > 1e-6)) return false; // it lies flat
    [fx, fy, fz] = [fx / length, fy / length, fz / length];
    const [lx, ly, lz] = [ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx];
    const radius = meets.radius! + (meets.grouserHeight ?? 0);
    this.sinkage = radius - (p[2] - h) * up;
    if (!(this.sinkage > 0)) {
      this.sinkage = this.slip = 0;
      return false;
    }
    const forward = v[0] * fx + v[1] * fy + v[2] * fz;
    const sideways = v[0] * lx + v[1] * ly + v[2] * lz;
    const rising = v[0] * nx + v[1] * ny + v[2] * nz;
    const rim = (w[0] * ax + w[1] * ay + w[2] * az) * meets.radius!;
    const fastest = Math.max(Math.abs(rim), Math.abs(forward), SLOW);
    this.slip = (rim - forward) / fastest;
    // Backwards is forwards seen from behind
    const way = rim + forward < 0 ? -1 : 1;
    const felt = tanh((Math.abs(rim) + Math.abs(forward) + Math.abs(sideways)) / SLOW);
    const against = tanh(forward / SLOW);
    const size = { radius: meets.radius!, width: meets.width! };
    let [load, thrust, resistance, side, drive, roll] = [0, 0, 0, 0, 0, 0];
    if (meets.model === 'bekker') {
      const forces = bekkerForces(soil, size, this.sinkage, way * this.slip, gravity);
      load = forces.load;
      thrust = way * forces.thrust;
      resistance = forces.compaction + forces.bulldozing;
      drive = way * forces.torque;
      side = -load * tanh(sideways / SLOW) * 0.5;
    } else {
      const wheel = { ...size, shear: 'soil' as const, grouserHeight: meets.grouserHeight ?? 0, tipRatio: 0.1 };
      const forces = wongReeceForces(
        soil,
        wheel,
        this.sinkage,
        { forward: way * forward, rim: way * rim, sideways },
        gravity,
      );
      load = forces.load;
      thrust = way * forces.thrust;
      resistance = forces.resistance;
      drive = way * forces.torque;
      side = forces.side;
      roll = forces.overturning;
    }
    load *= Math.min(2, Math.max(0, 1 - (RELAXATION * rising) / Math.max(this.sinkage, 1e-4)));
    const along = felt * thrust - Math.abs(against) * resistance * (forward < 0 ? -1 : 1);
    const across = felt * side;
    for (const [k, f, l, n] of [
      [0, fx, lx, nx],
      [1, fy, ly, ny],
      [2, fz, lz, nz],
    ]) {
      local[k] = load * n + along * f + across * l;
      normal[k] = n;
    }
    frame.outOf(local, this.force);
    // Torque on the wheel: against its drive, about the axle; of the side force, about the heading
    for (const [k, f, a] of [
      [0, fx, ax],
      [1, fy, ay],
      [2, fz, az],
    ])
      local[k] = -felt * drive * a - felt * roll * f;
    frame.outOf(local, this.torque);
    for (let k = 0; k < 3; k++) local[k] = p[k] - (radius - this.sinkage) * normal[k];
    frame.placeOutOf(local, this.point);
    return true;
  }

  evaluate(): void {
    if (!this.respond()) return;
    this.body.addForce(ORIGIN, this.force);
    this.body.addTorque(AXLE, this.torque);
  }

  stepLimit(): number {
    const { position: p, velocity: v } = this.motion;
    this.respond();
    const gap = p[2] - this.sampled[0] - this.options.meets.radius!;
    const speed = Math.abs(v[2]);
    return gap > 0 && speed > 0 ? (gap + 1e-3) / speed : Infinity;
  }

  signals(_t: number, _states: Float64Array, out: Float64Array): void {
    out[0] = this.sinkage;
    out[1] = this.slip;
  }

  touches(_t: number, _states: Float64Array, add: (touch: ElementTouch) => void): void {
    if (!this.respond()) return;
    this.options.frame.outOf(this.normal, this.local);
    add({ point: this.point, normal: this.local, force: this.force, depth: this.sinkage });
  }
}
