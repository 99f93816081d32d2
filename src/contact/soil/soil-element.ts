/** A body on the soil's grid, as a contact element (model/contact-element.ts). */
import { ModelError } from '../../errors.js';
import type { Carrier, ContactElement, ElementDerivatives, ElementTouch } from '../../model/contact-element.js';
import { type OtherGround, refuseSecondGround } from './second-ground.js';
import type { SoilClock } from './soil-clock.js';
import { SoilDerivative } from './soil-derivative.js';
import { type SoilSnapshot, SoilWrench } from './soil-grid.js';
import type { SoilMotion, SoilObject } from './soil-object.js';
import type { TerrainFrame } from './terrain-frame.js';

const ORIGIN = [0, 0, 0];
/** Slower than this counts as this slow in the slip that is shown, m/s */
const SLOW = 1e-3;

interface Snapshot {
  readonly soil: SoilSnapshot;
  readonly clock: readonly number[];
}

/** The wrench of the soil at a motion, kept for whoever asks for the same again */
class KnownWrench {
  readonly wrench = new SoilWrench();
  /** The same in the world's axes, N and N m about the body's origin */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  private version = -1;
  private readonly known = new Float64Array(18);

  remember(motion: SoilMotion, version: number): void {
    const { known } = this;
    this.version = version;
    known.set(motion.position, 0);
    known.set(motion.rotation, 3);
    known.set(motion.velocity, 12);
    known.set(motion.spin, 15);
  }

  isFor({ position, rotation, velocity, spin }: SoilMotion, version: number): boolean {
    const { known } = this;
    let same = version === this.version;
    for (let i = 0; i < 9 && same; i++) same = known[3 + i] === rotation[i];
    for (let i = 0; i < 3 && same; i++)
      same = known[i] === position[i] && known[12 + i] === velocity[i] && known[15 + i] === spin[i];
    return same;
  }
}

export class SoilElement implements ContactElement {
  private readonly derivative = new SoilDerivative();
  private readonly motion = {
    position: new Float64Array(3),
    rotation: new Float64Array(9),
    velocity: new Float64Array(3),
    spin: new Float64Array(3),
  };
  private readonly point = new Float64Array(3);
  private readonly blocks = [new Float64Array(9), new Float64Array(9)] as const;
  private started = false;

  constructor(
    private readonly path: string,
    private readonly clock: SoilClock,
    private readonly object: SoilObject,
    private readonly body: Carrier,
    private readonly soil: OtherGround,
    /** Soils that carry the body, too */
    private readonly others: readonly OtherGround[],
    /** Of a wheel whose axle is the body's y axis, m: its slip is told; 0 for anything else */
    private readonly radius = 0,
  ) {
    this.frame = soil.frame;
  }
  private readonly frame: TerrainFrame;

  /** Ledger, signals and records ask where the rates were asked for; time stepping asks at the start of a step, in its middle and at its start again. */
  private respond(derivative?: SoilDerivative): void {
    const { frame, body, motion, object } = this;
    const { grid } = this.clock;
    frame.observe(body, motion);
    if (!this.started) this.start();
    if (!derivative) {
      if (this.now.isFor(motion, grid.version)) return;
      [this.now, this.before] = [this.before, this.now];
      if (this.now.isFor(motion, grid.version)) return;
    }
    const { wrench, force, torque } = this.now;
    grid.evaluate(object, motion, wrench, derivative);
    frame.wrenchOut(wrench, force, torque);
    this.now.remember(motion, grid.version);
  }
  /** The last two answers, the last first */
  private now = new KnownWrench();
  private before = new KnownWrench();

  /** Where the body is at the start is where its shear begins. */
  private start(): void {
    const { object, motion, clock, path } = this;
    const { wrench } = this.now;
    this.started = true;
    if (object.accepted) return;
    clock.grid.evaluate(object, motion, wrench);
    if (wrench.sinkage > object.mesh.reach)
      throw new ModelError(
        path,
        `starts buried: its deepest point is ${Number(wrench.sinkage.toPrecision(3))} m below the ground, more than its own size of ${Number(object.mesh.reach.toPrecision(3))} m; expected a body on the ground or above it`,
      );
    object.accepted = true;
    object.position.set(motion.position);
    object.rotation.set(motion.rotation);
    this.refuseTwo();
  }

  /** Of two soils at one place */
  private refuseTwo(): void {
    const { wrench } = this.now;
    if (this.others.length === 0 || wrench.nodes === 0) return;
    this.frame.placeOutOf(wrench.centre, this.point);
    refuseSecondGround(this.others, this.point, this.path, this.soil.name);
  }

  evaluate(): void {
    this.respond();
    if (this.now.wrench.nodes === 0) return;
    this.body.addForce(ORIGIN, this.now.force);
    this.body.addTorque(ORIGIN, this.now.torque);
  }

  differentiate(_t: number, _states: Float64Array, out: ElementDerivatives): void {
    const { derivative, frame } = this;
    this.respond(derivative);
    if (this.now.wrench.nodes === 0) return;
    const [pose, twist] = this.blocks;
    out.force(1, ORIGIN, this.now.force);
    frame.block(derivative.byPose, 0, 0, pose);
    frame.block(derivative.byTwist, 0, 0, twist);
    out.byMotion(1, ORIGIN, 1, ORIGIN, pose, twist);
    frame.block(derivative.byPose, 0, 3, pose);
    frame.block(derivative.byTwist, 0, 3, twist);
    out.byTurn(1, ORIGIN, 1, pose, twist);
    frame.block(derivative.byPose, 3, 0, pose);
    frame.block(derivative.byTwist, 3, 0, twist);
    out.torqueByMotion(1, 1, ORIGIN, pose, twist);
    frame.block(derivative.byPose, 3, 3, pose);
    frame.block(derivative.byTwist, 3, 3, twist);
    out.torqueByTurn(1, 1, pose, twist);
  }

  energy(): number {
    this.respond();
    return this.now.wrench.stored;
  }

  made(): number {
    return this.object.made;
  }

  accept(t: number): boolean {
    const { clock, object, motion, frame, body } = this;
    if (this.others.length > 0) {
      this.respond();
      this.refuseTwo();
    }
    frame.observe(body, motion);
    clock.grid.accept(object, motion);
    return clock.accept(t);
  }

  /** The first body of a grid speaks for all: they come and go together. */
  snapshot(): Snapshot | undefined {
    const { clock, object } = this;
    return clock.grid.objects[0] === object ? { soil: clock.grid.snapshot(), clock: clock.snapshot() } : undefined;
  }

  restore(snapshot: unknown): void {
    if (snapshot === undefined) return;
    const { soil, clock } = snapshot as Snapshot;
    this.clock.grid.restore(soil);
    this.clock.restore(clock);
  }

  /** No farther than a node in the soil at a time, and not through the surface unseen. */
  stepLimit(): number {
    const { object, motion, clock, frame, body } = this;
    frame.observe(body, motion);
    const [vx, vy, vz] = motion.velocity;
    const [wx, wy, wz] = motion.spin;
    const speed = Math.sqrt(vx * vx + vy * vy + vz * vz) + object.mesh.reach * Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (!(speed > 0)) return Infinity;
    const { spacing } = clock.grid.tiles;
    if (object.touchedCount > 0) return spacing / speed;
    const top = clock.grid.topNear(motion.position, object.mesh.reach);
    return (Math.max(0, motion.position[2] - object.mesh.reach - top) + spacing) / speed;
  }

  signals(_t: number, _states: Float64Array, out: Float64Array): void {
    this.respond();
    out[0] = this.now.wrench.sinkage;
    out[1] = this.now.wrench.area;
    if (this.radius > 0) out[2] = this.slip();
  }

  /** (ω r − v)/max(|ω r|, |v|) along the heading, which is across axle and ground */
  private slip(): number {
    const { rotation: R, velocity: v, spin: w } = this.motion;
    const rim = (w[0] * R[1] + w[1] * R[4] + w[2] * R[7]) * this.radius;
    const level = Math.sqrt(R[1] * R[1] + R[4] * R[4]);
    const forward = level > 0 ? (v[0] * R[4] - v[1] * R[1]) / level : 0;
    return (rim - forward) / Math.max(Math.abs(rim), Math.abs(forward), SLOW);
  }

  touches(_t: number, _states: Float64Array, add: (touch: ElementTouch) => void): void {
    this.respond();
    const { frame, point } = this;
    const { wrench, force } = this.now;
    if (wrench.nodes === 0) return;
    frame.placeOutOf(wrench.centre, point);
    const { rotation: R } = frame;
    add({ point, normal: [R[2], R[5], R[8]], force, depth: wrench.sinkage, area: wrench.area });
  }
}
