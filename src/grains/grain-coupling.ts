/**
 * Machines among grains. In each step of the machine grains make steps of their own against a prediction of the bodies they touch, with the mobility frozen
 * at the start: V̇ = A + W f, A what the machine does by itself, W = J M⁻¹ Jᵀ with loops closed. The machine then takes its step under the impulse
 * grains gave and its first moment (grain-load.ts), and the prediction is put right. Order 3 in the machine's step; momentum to rounding.
 *
 * Where contact, motors and stops of the machine are solved for in its step (time-stepping/), its accelerations do not tell what it does by itself: the step is tried under the
 * wrench that grains have at its start, f₀, and A = ΔV/H − W f₀. It is then made under the mean wrench of the grains.
 */
import type { System } from '../assembly/system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { fromQuaternion, type Mat3, multiply, toQuaternion } from '../math/mat3.js';
import { fromRotationVector, multiply as multiplyTurns, normalize, type Quaternion } from '../math/quaternion.js';
import { GrainLoad } from './grain-load.js';
import type { WallPose } from './wall-arrays.js';

/** Grains as a machine sees them: bodies they touch, told where these are, telling what they do to them */
export interface TouchedWalls {
  readonly walls: readonly { readonly name: string /** From its origin, m */; readonly farthest: number }[];
  placeWall(wall: number, pose: WallPose): void;
  /** Force and moment about the world's origin, N and N m */
  wrenchOn(wall: number, out: Float64Array): Float64Array;
  /**
   * What an impact on the body feels.
   *
   * @param perMass 1/kg, mean over directions
   * @param mobility 6 × 6, row by row: rates of velocity and angular velocity by a force at its origin and a torque
   */
  giveWay(wall: number, perMass: number, mobility: Float64Array): void;
}

/** A wall body that moves */
interface Mover {
  readonly wall: number;
  readonly carrier: number;
  readonly load: GrainLoad;
  /** Its frame in the carrier's */
  readonly offset: readonly [number, number, number];
  readonly turn: Mat3;
  readonly rotation: Float64Array; // 9, predicted
  orientation: Quaternion;
  readonly position: Float64Array;
  /** velocity of the frame's origin, angular velocity; lag half a grain step */
  readonly twist: Float64Array;
  /** Acceleration by the machine alone: of the origin, angular */
  readonly own: Float64Array;
  readonly impulse: Float64Array;
  readonly moment: Float64Array;
  readonly force: Float64Array;
}

/** Loads of grains on all bodies that move and have a wall; made with the mechanics, before the bed is there. */
export function grainLoads(system: System, carriers: Carriers, wallNames: readonly string[]): GrainLoad[] {
  return wallNames.flatMap((name) => {
    const carrier = carriers.indexOf(system.bodies.find((body) => body.name === name)!.anchor);
    return carrier === carriers.ground ? [] : [new GrainLoad(`grains on ${name}`, carrier, carriers)];
  });
}

export class GrainCoupling {
  private readonly mechanics: MechanicalSystem;
  private readonly bed: TouchedWalls;
  private readonly movers: readonly Mover[];
  /** 6T × 6T, row by row: twist rates (origin's velocity, then angular) by wrenches about the world's origin */
  private readonly mobility: Float64Array;
  private readonly work: Float64Array;
  private readonly rates: Float64Array;
  private readonly plain: Float64Array;
  /** Done so far by grains on bodies that move, J */
  done = 0;
  /** Greatest distance between prediction and what the machine did, of the last step, m */
  jump = 0;

  constructor(mechanics: MechanicalSystem, bed: TouchedWalls, loads: readonly GrainLoad[]) {
    this.mechanics = mechanics;
    this.bed = bed;
    const { system } = mechanics;
    let next = 0;
    const movers: Mover[] = [];
    bed.walls.forEach(({ name }, wall) => {
      const { anchor } = system.bodies.find((body) => body.name === name)!;
      const carrier = mechanics.carriers.indexOf(anchor);
      if (carrier === mechanics.carriers.ground) return;
      movers.push({
        wall,
        carrier,
        load: loads[next++],
        offset: [anchor.position[0], anchor.position[1], anchor.position[2]],
        turn: fromQuaternion(anchor.orientation),
        rotation: new Float64Array(9),
        orientation: [1, 0, 0, 0],
        position: new Float64Array(3),
        twist: new Float64Array(6),
        own: new Float64Array(6),
        impulse: new Float64Array(6),
        moment: new Float64Array(6),
        force: new Float64Array(6),
      });
    });
    this.movers = movers;
    this.mobility = new Float64Array(36 * movers.length * movers.length);
    this.work = new Float64Array(mechanics.size);
    this.rates = new Float64Array(mechanics.size);
    this.plain = new Float64Array(mechanics.size);
  }

  get moving(): boolean {
    return this.movers.length > 0;
  }

  /** Bodies that move, where grains find them now */
  eachPose(see: (wall: number, pose: WallPose) => void): void {
    for (const mover of this.movers) see(mover.wall, this.poseOf(mover));
  }

  /** Puts walls where the machine is at (t, y). */
  place(t: number, y: Float64Array): void {
    if (!this.moving) return;
    this.mechanics.update(t, y);
    for (const mover of this.movers) {
      this.read(mover, mover.position, mover.rotation, mover.twist);
      mover.orientation = toQuaternion([...mover.rotation] as unknown as Mat3);
      this.bed.placeWall(mover.wall, this.poseOf(mover));
      this.bed.wrenchOn(mover.wall, mover.force);
    }
  }

  /**
   * Predicts the machine's step from (t, y): own accelerations and mobility of touched bodies.
   *
   * @param tried the state at the end of that step, tried under the present loads, where accelerations at its start do not tell it
   */
  predict(t: number, y: Float64Array, duration: number, tried?: (end: number) => Float64Array): void {
    if (!this.moving) return;
    const { mechanics, movers, plain, work } = this;
    if (work.length !== mechanics.size) throw new Error('the state has changed its size');
    for (const mover of movers) {
      mover.load.constant(ZEROS);
      mover.impulse.fill(0);
      mover.moment.fill(0);
    }
    mechanics.rates(t, y, plain);
    for (const mover of movers) {
      this.read(mover, mover.position, mover.rotation, mover.twist);
      mover.orientation = toQuaternion([...mover.rotation] as unknown as Mat3);
    }
    if (tried) this.tryStep(t, y, duration, tried);
    else this.accelerations(t, y, duration);
    this.findMobility(t, y);
    if (tried)
      movers.forEach(({ own }, c) => {
        const n = 6 * movers.length;
        for (let r = 0; r < 6; r++)
          for (let b = 0; b < movers.length; b++)
            for (let k = 0; k < 6; k++) own[r] -= this.mobility[n * (6 * c + r) + 6 * b + k] * movers[b].force[k];
      });
    mechanics.update(t, y);
    // Velocities lag behind by half a step of the grains from the first kick on; `move` takes care
  }

  /** Own accelerations and what present loads do: how far twists have changed at the end of the step that is tried */
  private tryStep(t: number, y: Float64Array, duration: number, tried: (end: number) => Float64Array): void {
    const { mechanics, movers } = this;
    for (const mover of movers) mover.load.constant(mover.force);
    mechanics.update(t + duration, tried(t + duration));
    for (const mover of movers) {
      this.read(mover, SCRATCH3, SCRATCH9, mover.own);
      for (let k = 0; k < 6; k++) mover.own[k] = (mover.own[k] - mover.twist[k]) / duration;
      mover.load.constant(ZEROS);
    }
    mechanics.rates(t, y, this.plain);
  }

  /** Own accelerations: how twists change along the motion, by differences about now */
  private accelerations(t: number, y: Float64Array, duration: number): void {
    const { mechanics, movers, plain, work } = this;
    const { nq, nv } = mechanics;
    const e = 0.01 * duration;
    const [ahead, back] = [t + e, Math.max(0, t - e)];
    const later = new Float64Array(6);
    const earlier = new Float64Array(6);
    for (const side of [1, -1] as const) {
      const s = (side > 0 ? ahead : back) - t;
      work.set(y);
      mechanics.displace(work, y, nq, s);
      for (let k = 0; k < nv; k++) work[nq + k] = y[nq + k] + s * plain[nq + k];
      mechanics.update(t + s, work);
      for (const mover of movers) {
        this.read(mover, SCRATCH3, SCRATCH9, side > 0 ? later : earlier);
        if (side > 0) mover.own.set(later);
        else for (let k = 0; k < 6; k++) mover.own[k] = (mover.own[k] - earlier[k]) / (ahead - back);
      }
    }
  }

  /** Mobility: column by column, a unit wrench on one body at a time; twists are linear in velocities */
  private findMobility(t: number, y: Float64Array): void {
    const { mechanics, movers, plain, rates, work, mobility } = this;
    const { nq, nv } = mechanics;
    const later = new Float64Array(6);
    const n = 6 * movers.length;
    mechanics.update(t, y);
    movers.forEach((mover, b) => {
      for (let k = 0; k < 6; k++) {
        UNIT.fill(0);
        UNIT[k] = 1;
        mover.load.constant(UNIT);
        mechanics.rates(t, y, rates);
        work.set(y);
        for (let m = 0; m < nv; m++) work[nq + m] = y[nq + m] + (rates[nq + m] - plain[nq + m]);
        mechanics.update(t, work);
        movers.forEach((other, c) => {
          this.read(other, SCRATCH3, SCRATCH9, later);
          for (let r = 0; r < 6; r++) mobility[n * (6 * c + r) + 6 * b + k] = later[r] - other.twist[r];
        });
      }
      mover.load.constant(ZEROS);
    });
    // What an impact on the body feels. A force at the body's origin: its moment about the world's origin comes with it
    movers.forEach(({ wall, position }, b) => {
      const column = (r: number, k: number): number => mobility[n * (6 * b + r) + 6 * b + k];
      for (let r = 0; r < 6; r++)
        for (let k = 0; k < 3; k++) {
          const [m, q] = [(k + 1) % 3, (k + 2) % 3];
          OWN[6 * r + k] = column(r, k) + column(r, 3 + m) * position[q] - column(r, 3 + q) * position[m];
          OWN[6 * r + 3 + k] = column(r, 3 + k);
        }
      this.bed.giveWay(wall, Math.max(0, (OWN[0] + OWN[7] + OWN[14]) / 3), OWN);
    });
  }

  /** Bodies in a step of the grains: half a kick, drift. To be called with the bed's own `move`. */
  move(h: number): void {
    if (!this.moving) return;
    this.kick(0.5 * h);
    for (const mover of this.movers) {
      const { twist, position } = mover;
      for (let k = 0; k < 3; k++) position[k] += h * twist[k];
      const turn = fromRotationVector([h * twist[3], h * twist[4], h * twist[5]]);
      mover.orientation = normalize(multiplyTurns(turn, mover.orientation));
      mover.rotation.set(fromQuaternion(mover.orientation));
      this.bed.placeWall(mover.wall, this.poseOf(mover));
    }
  }

  /** After the forces of that step: second half kick; impulse and its moment. τ s since the start of the machine's step. */
  take(h: number, before: number, after: number): void {
    if (!this.moving) return;
    for (const mover of this.movers) {
      const { wall, force, impulse, moment } = mover;
      for (let k = 0; k < 6; k++) {
        impulse[k] += 0.5 * h * force[k];
        moment[k] += 0.5 * h * force[k] * before;
      }
      this.done += 0.5 * h * powerOn(mover, h);
      this.bed.wrenchOn(wall, force);
      this.done += 0.5 * h * powerOn(mover, h);
      for (let k = 0; k < 6; k++) {
        impulse[k] += 0.5 * h * force[k];
        moment[k] += 0.5 * h * force[k] * after;
      }
    }
    this.kick(0.5 * h);
  }

  /** Hands the impulse over to the machine's step. @param evenly as a wrench that does not change during it */
  hold(t: number, duration: number, evenly: boolean): void {
    for (const { load, impulse, moment } of this.movers) {
      if (evenly) for (let k = 0; k < 6; k++) moment[k] = 0.5 * duration * impulse[k];
      load.hold(t, duration, impulse, moment);
    }
  }

  /** After the machine's step: bodies are where it says. */
  correct(t: number, y: Float64Array): void {
    if (!this.moving) return;
    this.jump = 0;
    this.mechanics.update(t, y);
    for (const mover of this.movers) {
      this.read(mover, SCRATCH3, SCRATCH9, UNIT);
      let way = 0;
      let turn = 0;
      for (let k = 0; k < 3; k++) way += Math.abs(SCRATCH3[k] - mover.position[k]);
      for (let k = 0; k < 9; k++) turn = Math.max(turn, Math.abs(SCRATCH9[k] - mover.rotation[k]));
      const { farthest } = this.bed.walls[mover.wall];
      this.jump = Math.max(this.jump, way + (farthest < Number.POSITIVE_INFINITY ? turn * farthest : 0));
      mover.position.set(SCRATCH3);
      mover.rotation.set(SCRATCH9);
      mover.twist.set(UNIT);
      mover.orientation = toQuaternion([...mover.rotation] as unknown as Mat3);
      this.bed.placeWall(mover.wall, this.poseOf(mover));
    }
  }

  private kick(h: number): void {
    const { movers, mobility } = this;
    const n = 6 * movers.length;
    movers.forEach(({ twist, own }, c) => {
      for (let r = 0; r < 6; r++) {
        let rate = own[r];
        for (let b = 0; b < movers.length; b++)
          for (let k = 0; k < 6; k++) rate += mobility[n * (6 * c + r) + 6 * b + k] * movers[b].force[k];
        twist[r] += h * rate;
      }
    });
  }

  /** The body's frame where the carriers are: position, rotation, velocity of its origin and angular velocity */
  private read(
    { carrier, offset, turn }: Mover,
    position: Float64Array,
    rotation: Float64Array,
    out: Float64Array,
  ): void {
    const { position: p, rotation: r, twist } = this.mechanics.carriers;
    const own = [...r.subarray(9 * carrier, 9 * carrier + 9)] as unknown as Mat3;
    rotation.set(multiply(own, turn));
    const lever = [0, 1, 2].map(
      (k) => own[3 * k] * offset[0] + own[3 * k + 1] * offset[1] + own[3 * k + 2] * offset[2],
    );
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      position[k] = p[3 * carrier + k] + lever[k];
      out[k] = twist[6 * carrier + 3 + k] + twist[6 * carrier + m] * lever[n] - twist[6 * carrier + n] * lever[m];
      out[3 + k] = twist[6 * carrier + k];
    }
  }

  private poseOf({ rotation, position, twist }: Mover): WallPose {
    return { rotation, position, velocity: twist.subarray(0, 3), angularVelocity: twist.subarray(3) };
  }
}

/** Of the wrench on a body that drifts with its twist, at the middle of the drift, W */
function powerOn({ force, twist, position }: Mover, h: number): number {
  let power = 0;
  for (let k = 0; k < 3; k++) {
    const [m, n] = [(k + 1) % 3, (k + 2) % 3];
    const [pm, pn] = [position[m] - 0.5 * h * twist[m], position[n] - 0.5 * h * twist[n]];
    power += force[k] * twist[k] + (force[3 + k] - (pm * force[n] - pn * force[m])) * twist[3 + k];
  }
  return power;
}

const ZEROS = new Float64Array(6);
const OWN = new Float64Array(36);
const UNIT = new Float64Array(6);
const SCRATCH3 = new Float64Array(3);
const SCRATCH9 = new Float64Array(9);
