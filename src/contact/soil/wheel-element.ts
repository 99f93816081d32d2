/**
 * A wheel on ground that stays as it is, by a law of its own (contact-laws/soil/): Bekker, Wong–Reece, rheological, TerRA. The ground under the axle
 * counts as a plane with the terrain's height and normal there; the wheel's axle is the body's y axis, its centre the body's origin.
 *
 * Buse et al. (2023), §4.3.
 */
import { bekkerWheel, wongReeceWheel } from '../../contact-laws/soil/closed-form-wheels.js';
import { sinkageModulus } from '../../contact-laws/soil/pressure-sinkage.js';
import { rheologicalWheel } from '../../contact-laws/soil/rheological.js';
import { terraFrom, terraWheel } from '../../contact-laws/soil/terra.js';
import type { WheelLaw } from '../../contact-laws/soil/wheel-law.js';
import { ModelError } from '../../errors.js';
import { asin } from '../../math/elementary.js';
import type { Carrier, ContactElement, ContactElementPlan, ElementTouch } from '../../model/contact-element.js';
import type { Soil } from '../../model/soil.js';
import type { MeetsSoil, SampledGround } from '../../model/soil-bed.js';
import { type OtherGround, refuseSecondGround } from './second-ground.js';
import type { TerrainFrame } from './terrain-frame.js';

export interface WheelElementOptions {
  readonly body: string;
  readonly meets: MeetsSoil;
  readonly soil: Soil;
  readonly path: string;
  readonly soilPath: string;
  readonly gravity: number;
  readonly ground: SampledGround;
  readonly frame: TerrainFrame;
  /** Of the soil, and those that carry the body, too */
  readonly name: string;
  readonly others: () => readonly OtherGround[];
}

/** Part of the tread's area under the tips of grousers */
const TIP_RATIO = 0.1;

function wheelLaw({ meets, soil, gravity, soilPath }: WheelElementOptions): WheelLaw {
  const size = { radius: meets.radius!, width: meets.width! };
  const grouserHeight = meets.grouserHeight ?? 0;
  // Models without grousers of their own see a wheel as large as the tips' circle
  const whole = { radius: size.radius + grouserHeight, width: size.width };
  sinkageModulus(soil, size.width, soilPath); // refuses a soil that is not for it
  switch (meets.model) {
    case 'wong-reece':
      return wongReeceWheel(soil, { ...size, shear: 'soil', grouserHeight, tipRatio: TIP_RATIO }, gravity);
    case 'rheological':
      return rheologicalWheel(soil, whole, gravity);
    case 'terra': {
      const tuned = Object.fromEntries(Object.entries(meets.terra ?? {}).filter(([, value]) => value !== undefined));
      return terraWheel(
        { ...terraFrom(soil, whole, sinkageModulus(soil, size.width, soilPath)), ...tuned },
        soil,
        whole,
        gravity,
      );
    }
    default:
      return bekkerWheel(soil, whole, gravity);
  }
}

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
    states: wheelLaw(options).states,
    signals: {
      sinkage: { unit: 'm', description: 'of the lowest line of the wheel' },
      slip: { unit: '', description: '(ω r − v)/max(ω r, v)' },
    },
    create: ({ b }: { readonly a: Carrier; readonly b: Carrier }): ContactElement => {
      const law = wheelLaw(options);
      return new WheelOnGround(options, law, b);
    },
  };
}

const ORIGIN = [0, 0, 0];
/** Slower than this counts as this slow in the slip that is shown, m/s */
const SLOW = 1e-3;

/** Sine of the largest angle between axle and ground: 60° */
const LEAN = 0.866;

class WheelOnGround implements ContactElement {
  private readonly motion = {
    position: new Float64Array(3),
    rotation: new Float64Array(9),
    velocity: new Float64Array(3),
    spin: new Float64Array(3),
  };
  private readonly wheel = { sinkage: 0, sinking: 0, forward: 0, sideways: 0, rim: 0, uphill: 0 };
  private readonly loads = { load: 0, along: 0, across: 0, drive: 0, roll: 0 };
  /** Terrain axes: heading, left, normal, axle */
  private readonly heading = new Float64Array(3);
  private readonly left = new Float64Array(3);
  private readonly normal = new Float64Array(3);
  private readonly axle = new Float64Array(3);
  private readonly sampled = new Float64Array(3);
  private readonly local = new Float64Array(3);
  private readonly force = new Float64Array(3);
  private readonly torque = new Float64Array(3);
  private readonly point = new Float64Array(3);
  private readonly unused: Float64Array;
  private readonly radius: number;
  private readonly others: readonly OtherGround[];

  constructor(
    private readonly options: WheelElementOptions,
    private readonly law: WheelLaw,
    private readonly body: Carrier,
  ) {
    const { radius = 0, grouserHeight = 0 } = options.meets;
    this.radius = radius + grouserHeight;
    this.others = options.others();
    this.unused = new Float64Array(Object.keys(law.states).length);
  }

  /** The wheel against the plane under its axle. False if it is off the ground or lies flat. */
  private look(): boolean {
    const { frame, ground, meets } = this.options;
    const { motion, sampled, wheel, heading: f, left: l, normal: n, axle: a } = this;
    frame.observe(this.body, motion);
    const { position: p, velocity: v, spin: w, rotation: R } = motion;
    ground.sample(p[0], p[1], sampled);
    const [h, hx, hy] = sampled;
    const up = 1 / Math.sqrt(1 + hx * hx + hy * hy);
    n.set([-hx * up, -hy * up, up]);
    a.set([R[1], R[4], R[7]]);
    cross(a, n, f);
    const length = Math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    wheel.sinkage = this.radius - (p[2] - h) * up;
    if (!(length > 1e-6 && wheel.sinkage > 0)) {
      wheel.sinkage = wheel.forward = wheel.rim = 0;
      return false;
    }
    for (let k = 0; k < 3; k++) f[k] /= length;
    cross(n, f, l);
    wheel.forward = dot(v, f);
    wheel.sideways = dot(v, l);
    wheel.sinking = -dot(v, n);
    wheel.rim = dot(w, a) * meets.radius!;
    wheel.uphill = f[2];
    return true;
  }

  private respond(states: Float64Array, rates: Float64Array): boolean {
    const { frame } = this.options;
    const { local, loads, heading: f, left: l, normal: n, axle: a, motion } = this;
    if (!this.look()) {
      this.started = true;
      this.law.lift?.(states, rates);
      return false;
    }
    if (!this.started) this.refuseBuried();
    this.law.evaluate(this.wheel, states, rates, loads);
    for (let k = 0; k < 3; k++) local[k] = loads.load * n[k] + loads.along * f[k] + loads.across * l[k];
    frame.outOf(local, this.force);
    // Against the drive, about the axle; of the side force, about the heading
    for (let k = 0; k < 3; k++) local[k] = -loads.drive * a[k] - loads.roll * f[k];
    frame.outOf(local, this.torque);
    for (let k = 0; k < 3; k++) local[k] = motion.position[k] - (this.radius - this.wheel.sinkage) * n[k];
    frame.placeOutOf(local, this.point);
    return true;
  }

  private started = false;

  private refuseBuried(): void {
    this.started = true;
    const { sinkage } = this.wheel;
    if (sinkage > this.radius)
      throw new ModelError(
        this.options.path,
        `starts buried: its lowest line is ${Number(sinkage.toPrecision(3))} m below the ground, more than its own radius of ${Number(this.radius.toPrecision(3))} m; expected a wheel on the ground or above it`,
      );
  }

  evaluate(_t: number, states: Float64Array, rates: Float64Array): void {
    if (!this.respond(states, rates)) return;
    this.body.addForce(ORIGIN, this.force);
    this.body.addTorque(ORIGIN, this.torque);
  }

  /** What lasts of laws that keep something; and what they do not know is refused */
  accept(_t: number, states: Float64Array): boolean {
    if (!this.look()) return false;
    this.refuseLean();
    this.refuseTwo();
    const { body, local, options, law } = this;
    if (!law.accept) return false;
    const masses = [this.heading, this.left].map((direction) => {
      options.frame.outOf(direction, local);
      const mobility = body.mobility(ORIGIN, local);
      return mobility > 0 ? 1 / mobility : 0;
    });
    return law.accept(this.wheel, states, [masses[0], masses[1]]);
  }

  snapshot(): unknown {
    return this.law.snapshot?.();
  }

  restore(snapshot: unknown): void {
    if (snapshot !== undefined) this.law.restore?.(snapshot);
  }

  private refuseLean(): void {
    const { axle: a, normal: n, options } = this;
    const upright = Math.abs(dot(a, n));
    if (upright > LEAN)
      throw new ModelError(
        options.path,
        `its axle stands ${Math.round((asin(Math.min(1, upright)) * 180) / Math.PI)}° out of the ground: the model "${options.meets.model}" sees a wheel on its tread; expected an axle that is held, or the model 'scm'`,
      );
  }

  private refuseTwo(): void {
    const { options, others, local, normal: n, motion, point, wheel } = this;
    if (others.length === 0) return;
    for (let k = 0; k < 3; k++) local[k] = motion.position[k] - (this.radius - wheel.sinkage / 2) * n[k];
    options.frame.placeOutOf(local, point);
    refuseSecondGround(others, point, options.path, options.name);
  }

  stepLimit(): number {
    const { position: p, velocity: v } = this.motion;
    this.look();
    const gap = p[2] - this.sampled[0] - this.radius;
    const speed = Math.abs(v[2]);
    return gap > 0 && speed > 0 ? (gap + 1e-3) / speed : Infinity;
  }

  signals(_t: number, _states: Float64Array, out: Float64Array): void {
    const { sinkage, rim, forward } = this.wheel;
    out[0] = sinkage;
    out[1] = (rim - forward) / Math.max(Math.abs(rim), Math.abs(forward), SLOW);
  }

  touches(_t: number, states: Float64Array, add: (touch: ElementTouch) => void): void {
    if (!this.respond(states, this.unused)) return;
    this.options.frame.outOf(this.normal, this.local);
    add({ point: this.point, normal: this.local, force: this.force, depth: this.wheel.sinkage });
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
