/**
 * Testbeds for soft ground, moved by hand and not by dynamics: a plate pressed in, a ring sheared, a wheel rolled at a given slip, at a given depth
 * or under a given load. Each is what a laboratory does to find a soil's numbers, or to hold a model to them.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { acos, cos, sin } from '../../math/elementary.js';
import { SoilGrid, type SoilGridOptions, SoilWrench } from './soil-grid.js';
import type { SoilObject, SoilObjectOptions } from './soil-object.js';
import type { Ground } from './soil-tiles.js';

const LEVEL: Ground = { sample: (_x, _y, out) => void out.fill(0) };
/** Heights nearer than this are one, m */
const CLOSE = 1e-10;

/** One body over soft ground */
export class SoilRig {
  readonly grid: SoilGrid;
  readonly object: SoilObject;
  readonly wrench = new SoilWrench();
  readonly motion = {
    position: new Float64Array(3),
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    velocity: new Float64Array(3),
    spin: new Float64Array(3),
  };

  constructor(mesh: TriangleMesh, options: SoilGridOptions, object: SoilObjectOptions = {}, ground: Ground = LEVEL) {
    this.grid = new SoilGrid(ground, options);
    this.object = this.grid.add('body', mesh, object);
  }

  /** Turned by `angle` about y, or about z */
  place(x: number, y: number, z: number, angle = 0, about: 'y' | 'z' = 'y'): void {
    this.motion.position.set([x, y, z]);
    const [c, s] = [cos(angle), sin(angle)];
    this.motion.rotation.set(about === 'y' ? [c, 0, s, 0, 1, 0, -s, 0, c] : [c, -s, 0, s, c, 0, 0, 0, 1]);
  }

  evaluate(): SoilWrench {
    this.grid.evaluate(this.object, this.motion, this.wrench);
    return this.wrench;
  }

  accept(): void {
    this.grid.accept(this.object, this.motion);
  }

  /**
   * Moves the body up or down to where it carries a load, N; within ± `range` m of where it is. Its height, m. From where it is outwards until the load
   * lies between two heights, then false position with halved weights (Illinois): some six forces where bisection takes thirty.
   */
  carry(load: number, range: number): number {
    const { position } = this.motion;
    const start = position[2];
    const lacks = (z: number): number => {
      position[2] = z;
      return load - this.evaluate().force[2];
    };
    let here = lacks(start);
    if (here === 0) return start;
    // Too little is carried: down; too much: up
    const down = here > 0 ? -1 : 1;
    let other = start;
    let there = here;
    for (let step = range / 64; ; step *= 4) {
      [other, there] = [position[2], here];
      const z = start + down * Math.min(step, range);
      here = lacks(z);
      if (here * down >= 0 || step >= range) break;
    }
    let [near, far] = [position[2], other];
    for (let k = 0; k < 60 && Math.abs(near - far) > CLOSE && Math.abs(here) > 1e-12 * load && here * there < 0; k++) {
      let z = near - (here * (near - far)) / (here - there);
      if (!(Math.abs(z - near) > CLOSE / 2)) z = near + (far > near ? CLOSE / 2 : -CLOSE / 2);
      const next = lacks(z);
      if (next * here < 0) [far, there] = [near, here];
      else there /= 2;
      [near, here] = [z, next];
    }
    position[2] = near;
    return near;
  }
}

/** Sinkage of a plate of upright sides under a load, pressed in little by little, m. `height` of its underside below its origin, m */
export function pressedPlate(rig: SoilRig, height: number, load: number, at: readonly [number, number]): number {
  rig.place(at[0], at[1], height);
  let z = 0;
  for (let k = 0; k < 12; k++) {
    const before = z;
    z = height - rig.carry(load, 0.1);
    rig.accept();
    if (k > 1 && Math.abs(z - before) < 1e-12) break;
  }
  return z;
}

export interface WheelTrial {
  readonly radius: number;
  readonly slip: number;
  /** m, or N */
  readonly sinkage?: number;
  readonly load?: number;
  /** Driven until steady: 1.6 lengths of the contact unless said, m */
  readonly way?: number;
  /** Soil flows that often on the way, once a node unless 0 */
  readonly flows?: boolean;
}

export interface WheelResult {
  readonly load: number;
  readonly drawbarPull: number;
  readonly torque: number;
  readonly sinkage: number;
  readonly rig: SoilRig;
}

/** A wheel on its way along x, at a depth or under a load, one slip after another */
export class RolledWheel {
  /** m along the ground, rad turned */
  private way = 0;
  private turned = 0;
  private steps = 0;

  /** @param held depth m or load N that is kept on the way */
  constructor(
    readonly rig: SoilRig,
    private readonly radius: number,
    private readonly held: { readonly sinkage: number } | { readonly load: number },
    private readonly flows: boolean,
  ) {
    const lane = rig.grid.tiles.spacing / 2;
    if ('sinkage' in held) {
      rig.place(0, lane, radius - held.sinkage);
      return;
    }
    rig.place(0, lane, radius);
    for (let k = 0; k < 6; k++) {
      rig.carry(held.load, 0.5 * radius);
      rig.accept();
    }
  }

  /** m of ground for each step at a slip: a quarter of a node, or as much along the rim where that slips more */
  stepAt(slip: number): number {
    const [speed, rim] = speedsOf(slip);
    return (this.rig.grid.tiles.spacing / 4) * Math.min(1, speed / Math.max(rim, 1e-9));
  }

  get sinkage(): number {
    return this.radius - this.rig.motion.position[2];
  }

  /** One step at a slip; `look` sees the forces before soil yields to it. */
  step(slip: number, look?: (wrench: SoilWrench) => void): void {
    const { rig, radius, held } = this;
    const [speed, rim] = speedsOf(slip);
    const { spacing } = rig.grid.tiles;
    rig.place(this.way, spacing / 2, rig.motion.position[2], this.turned);
    rig.motion.velocity.set([speed, 0, 0]);
    rig.motion.spin.set([0, rim / radius, 0]);
    if ('load' in held) rig.carry(held.load, 0.02 * radius);
    if (look) look(rig.evaluate());
    rig.accept();
    const step = this.stepAt(slip);
    if (this.flows && this.steps % Math.max(1, Math.round(spacing / step)) === 0) rig.grid.settle();
    this.steps++;
    this.way += step;
    this.turned += (step / speed) * (rim / radius);
  }
}

/** Of the centre and of the rim, as parts of the faster of the two */
const speedsOf = (slip: number): readonly [number, number] => (slip < 0 ? [1, 1 + slip] : [1 - slip, 1]);

/** Means of forces, torque and sinkage of a wheel rolled at a slip, at a fixed depth or under a load, once the motion is steady */
export function rolledWheel(
  mesh: TriangleMesh,
  trial: WheelTrial,
  options: SoilGridOptions,
  object: SoilObjectOptions = {},
): WheelResult {
  const rig = new SoilRig(mesh, options, object);
  const { radius, sinkage = 0, slip, load, flows = false } = trial;
  const wheel = new RolledWheel(rig, radius, load === undefined ? { sinkage } : { load }, flows);
  const step = wheel.stepAt(slip);
  const depth = load === undefined ? sinkage : 0.1 * radius;
  const contact = radius * acos(1 - Math.max(depth, 1e-4) / radius);
  // Under a load the wheel works its way in and over the grid: the last 40 % of the way count
  const all = Math.ceil((trial.way ?? 1.6 * contact) / step);
  const averaged = load === undefined ? Math.max(16, Math.round((4 * options.spacing) / step)) : Math.ceil(0.4 * all);
  const steps = load === undefined ? all : all - averaged;
  let [up, pull, torque, sunk] = [0, 0, 0, 0];
  const count = ({ force, torque: moment }: SoilWrench): void => {
    up += force[2] / averaged;
    pull += force[0] / averaged;
    torque -= moment[1] / averaged;
    sunk += wheel.sinkage / averaged;
  };
  for (let k = 0; k <= steps + averaged; k++) wheel.step(slip, k > steps ? count : undefined);
  return { load: up, drawbarPull: pull, torque, sinkage: sunk, rig };
}

/** A wheel in its testbed at an instant: s, N, N, N m, m */
export interface TestbedRow {
  readonly time: number;
  readonly load: number;
  readonly traction: number;
  readonly torque: number;
  readonly sinkage: number;
}

/**
 * A wheel that is let down, loaded, and driven at a slip: Buse et al. (2023), §4.2.1. It just touches the ground at first; the load comes on over `ramp` s and rests
 * for half of that; then its centre moves at `speed` m/s.
 */
export function letDownWheel(
  mesh: TriangleMesh,
  trial: {
    readonly radius: number;
    /** Of its grousers, m; sinkage is that of their tips */
    readonly height: number;
    readonly load: number;
    readonly slip: number;
    readonly way: number;
    readonly speed: number;
    readonly ramp: number;
  },
  options: SoilGridOptions,
  object: SoilObjectOptions = {},
): TestbedRow[] {
  const { radius, height, load, slip, way, speed, ramp } = trial;
  const rig = new SoilRig(mesh, options, object);
  const rows: TestbedRow[] = [];
  const note = (time: number, { force, torque }: SoilWrench): void => {
    const sinkage = radius + height - rig.motion.position[2];
    rows.push({ time, load: force[2], traction: force[0], torque: -torque[1], sinkage });
  };
  rig.place(0, options.spacing / 2, radius + height);
  note(0, rig.evaluate());
  for (let k = 1; k <= LOADED; k++) {
    rig.carry(load * (k / LOADED), 0.5 * radius);
    note((ramp * k) / LOADED, rig.evaluate());
    rig.accept();
  }
  const wheel = new RolledWheel(rig, radius, { load }, true);
  const start = 1.5 * ramp;
  note(start, rig.evaluate());
  const step = wheel.stepAt(slip);
  for (let k = 1; k * step <= way; k++)
    wheel.step(slip, (wrench) => {
      note(start + (k * step) / speed, wrench);
    });
  return rows;
}
/** Pieces in which the load comes on */
const LOADED = 20;

/**
 * A ring under a load, turned: shear stress over shear displacement, τ = 3 M/(2π(R³ − r³)) at the mean radius, as a bevameter has it.
 *
 * @param ring its mesh, underside at −height, centred on its axis
 */
export function shearedRing(
  ring: TriangleMesh,
  {
    inner,
    outer,
    height,
    load,
    turn,
    steps = 60,
  }: { inner: number; outer: number; height: number; load: number; turn: number; steps?: number },
  options: SoilGridOptions,
): { displacement: number; stress: number }[] {
  const rig = new SoilRig(ring, options, { sideFaces: false });
  const d = options.spacing;
  pressedPlate(rig, height, load, [d / 2, d / 2]);
  const result: { displacement: number; stress: number }[] = [];
  for (let k = 1; k <= steps; k++) {
    const angle = (turn * k) / steps;
    rig.place(d / 2, d / 2, rig.motion.position[2], angle, 'z');
    rig.carry(load, 0.01);
    const moment = -rig.evaluate().torque[2];
    result.push({
      displacement: (angle * (inner + outer)) / 2,
      stress: (3 * moment) / (2 * Math.PI * (outer * outer * outer - inner * inner * inner)),
    });
    rig.accept();
  }
  return result;
}
