/**
 * Testbeds for soft ground, ready made: what a laboratory measures of a soil, and of a wheel on it, as tables over load, way or slip. The grid moves by
 * hand (contact/soil/rigs.ts); closed forms stand beside it.
 */
import { wheel } from '../assets/wheel.js';
import {
  letDownWheel,
  pressedPlate,
  rolledWheel,
  SoilRig,
  shearedRing,
  type TestbedRow,
} from '../contact/soil/rigs.js';
import { bekkerForces, bekkerSinkage } from '../contact-laws/soil/bekker-wheel.js';
import { plateSinkage } from '../contact-laws/soil/pressure-sinkage.js';
import { motionOfSlip, wongReeceForces, wongReeceSinkage } from '../contact-laws/soil/wong-reece.js';
import { ModelError } from '../errors.js';
import { box } from '../geometry/primitives.js';
import { revolve } from '../geometry/revolve.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { atan2, cos, exp, tan } from '../math/elementary.js';
import type { Soil } from '../model/soil.js';

export const WHEEL_MODELS = ['scm', 'wong-reece', 'bekker'] as const;
export type WheelModel = (typeof WHEEL_MODELS)[number];

export interface RiggedWheel {
  readonly soil: Soil;
  /** Of the tread, m */
  readonly radius: number;
  readonly width: number;
  /** How many, how high and how thick, m; none unless said */
  readonly grousers?: { readonly count: number; readonly height: number; readonly thickness: number };
  readonly model?: WheelModel;
  /** Of the grid, m; 5 mm unless said */
  readonly spacing?: number;
  /** Part of the sliding that digs, 0 unless said */
  readonly digging?: number;
  readonly gravity?: number;
}

/** A wheel once its motion is steady: sinkage of its lowest line m, N, N m */
export interface SteadyWheel {
  readonly slip: number;
  readonly load: number;
  readonly sinkage: number;
  readonly drawbarPull: number;
  readonly torque: number;
}

/** Mesh of a wheel for the grid, axle along y */
function meshOf({ radius, width, grousers }: RiggedWheel): TriangleMesh {
  if (!grousers || grousers.count === 0) return wheel({ radius, width, segments: 360 }).solid.mesh;
  const { count, height, thickness } = grousers;
  const grouser = { count, height, root: thickness, tip: 0.95 * thickness }; // a little thinner at the tip, as the generator wants it
  return wheel({ radius, width, segments: Math.max(120, 5 * count), grouser }).solid.mesh;
}

/** A wheel under a load, rolled at a slip until it is steady. Kept: its mesh, for curves of many */
export class WheelTestbed {
  private mesh: TriangleMesh | undefined;

  constructor(readonly rigged: RiggedWheel) {}

  at(slip: number, load: number): SteadyWheel {
    const { soil, radius, width, grousers, model = 'scm', gravity = 9.81 } = this.rigged;
    if (!(slip > -1 && slip < 1)) throw new ModelError('slip', `expected a slip between −1 and 1, got ${slip}`);
    const height = grousers && grousers.count > 0 ? grousers.height : 0;
    switch (model) {
      case 'bekker': {
        const size = { radius: radius + height, width };
        const sinkage = bekkerSinkage(soil, size, load);
        const { drawbarPull, torque } = bekkerForces(soil, size, sinkage, slip, gravity);
        return { slip, load, sinkage, drawbarPull, torque };
      }
      case 'wong-reece': {
        const tip = grousers ? (grousers.count * grousers.thickness) / (2 * Math.PI * (radius + height)) : 0;
        const size = { radius, width, grouserHeight: height, tipRatio: tip, shear: 'soil' as const };
        const motion = motionOfSlip(slip);
        const sinkage = wongReeceSinkage(soil, size, load, motion, gravity);
        const { drawbarPull, torque } = wongReeceForces(soil, size, sinkage, motion, gravity);
        return { slip, load, sinkage, drawbarPull, torque };
      }
      default: {
        const { spacing = 0.005, digging = 0 } = this.rigged;
        this.mesh ??= meshOf(this.rigged);
        const way = 4 * Math.sqrt(2 * radius * 0.15 * radius);
        const steady = rolledWheel(
          this.mesh,
          { radius, slip, load, way, flows: true },
          { soil, spacing, gravity },
          { pressureWidth: width, digging },
        );
        const { drawbarPull, torque } = steady;
        return { slip, load, sinkage: steady.sinkage + height, drawbarPull, torque };
      }
    }
  }
}

export const SLIPS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8] as const;

/** Drawbar pull over slip under a load, N */
export function drawbarCurve(rigged: RiggedWheel, load: number, slips: readonly number[] = SLIPS): SteadyWheel[] {
  const bed = new WheelTestbed(rigged);
  return slips.map((slip) => bed.at(slip, load));
}

/**
 * Steepest slope that a wheel of a weight climbs at a slip, rad: what presses is W cos α, what must be pulled W sin α. Negative where it does not even keep
 * level ground.
 */
export function climbedSlope(bed: WheelTestbed, weight: number, slip: number): number {
  // DP/W cos α hardly changes with α: from the level, a few rounds
  let slope = 0;
  for (let k = 0; k < 6; k++) {
    const load = weight * cos(slope);
    const { drawbarPull } = bed.at(slip, load);
    const next = atan2(drawbarPull, load);
    if (Math.abs(next - slope) < 1e-3) return next;
    slope = next;
  }
  return slope;
}

/** Slope over slip */
export const slopeCurve = (
  rigged: RiggedWheel,
  weight: number,
  slips: readonly number[] = SLIPS,
): { readonly slip: number; readonly slope: number }[] => {
  const bed = new WheelTestbed(rigged);
  return slips.map((slip) => ({ slip, slope: climbedSlope(bed, weight, slip) }));
};

/**
 * A wheel over time as a testbed drives it: let down until it carries the load, left to rest, driven at a slip. On the grid.
 *
 * @param speed of its centre, m/s; @param ramp in which the load comes on, s
 */
export function testbedRun(
  rigged: RiggedWheel,
  {
    load,
    slip,
    way,
    speed = 0.01,
    ramp = 2,
  }: { load: number; slip: number; way: number; speed?: number; ramp?: number },
): TestbedRow[] {
  if (!(slip > -1 && slip < 1)) throw new ModelError('slip', `expected a slip between −1 and 1, got ${slip}`);
  const { soil, radius, width, grousers, spacing = 0.005, digging = 0, gravity = 9.81 } = rigged;
  const height = grousers && grousers.count > 0 ? grousers.height : 0;
  return letDownWheel(
    meshOf(rigged),
    { radius, height, load, slip, way, speed, ramp },
    { soil, spacing, gravity },
    { pressureWidth: width, digging, ...(height > 0 && { diggingDepth: height }) },
  );
}

/** Sinkage of a plate over its load, m, on the grid and by p = (kc/b + kphi) zⁿ */
export function plateCurve(
  soil: Soil,
  {
    length,
    width,
    loads,
    spacing = 0.01,
  }: { length: number; width: number; loads: readonly number[]; spacing?: number },
): { readonly load: number; readonly sinkage: number; readonly closedForm: number }[] {
  const height = 0.2;
  const mesh = box([length, width, height]).mesh;
  const b = Math.min(length, width);
  return loads.map((load) => {
    const rig = new SoilRig(mesh, { soil, spacing }, { sideFaces: false, pressureWidth: b });
    return {
      load,
      sinkage: pressedPlate(rig, height / 2, load, [spacing / 2, spacing / 2]),
      closedForm: plateSinkage(soil, b, load / (length * width)),
    };
  });
}

/** Shear stress over shear displacement under a ring, Pa and m, on the grid and by Janosi & Hanamoto */
export function ringCurve(
  soil: Soil,
  {
    inner,
    outer,
    load,
    turn = 0.6,
    spacing = 0.005,
  }: { inner: number; outer: number; load: number; turn?: number; spacing?: number },
): { readonly displacement: number; readonly stress: number; readonly closedForm: number }[] {
  const height = 0.05;
  const { mesh } = revolve(
    [
      [inner, -height],
      [outer, -height],
      [outer, height],
      [inner, height],
    ],
    { segments: 180 },
  );
  const pressure = load / (Math.PI * (outer * outer - inner * inner));
  const most = soil.cohesion + pressure * tan(soil.frictionAngle);
  return shearedRing(mesh, { inner, outer, height, load, turn, steps: 20 }, { soil, spacing }).map((point) => ({
    ...point,
    closedForm: most * (1 - exp(-point.displacement / soil.shearLength)),
  }));
}
