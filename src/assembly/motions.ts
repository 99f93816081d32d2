/** Prescribed motion of a joint: constant speed, or a function of the user's. */
import { ModelError } from '../errors.js';
import { AHEAD, rateAhead } from '../math/rate-ahead.js';
import type { Joint } from '../model/joints.js';
import type { Motion } from './system.js';

/**
 * The motion a joint is driven with, or undefined.
 *
 * A user's function may give the value alone, or [value, rate, acceleration]. From the value alone, rates come from central
 * differences of order 4 with a step of 2e-3 s (h⁴ error of the fifth derivative, rounding near 1e-10 of the acceleration), so a
 * function that gives all three is the better choice where it can. The third derivative, which stiff methods ask for once per step, comes
 * from seven such values (order 4 again), or from accelerations ahead (order 2), so that a corner behind does not spoil it.
 */
export function motionOf(joint: Joint): Motion | undefined {
  if (joint.kind !== 'revolute' && joint.kind !== 'prismatic' && joint.kind !== 'screw') return undefined;
  const follow = joint.kind === 'prismatic' ? joint.position : joint.angle;
  const start = (joint.kind === 'prismatic' ? joint.initialPosition : joint.initialAngle) ?? 0;
  if (follow !== undefined && joint.speed !== undefined)
    throw new ModelError('joints', 'expected either a constant speed or a function of time, got both');
  if (joint.speed !== undefined) {
    const { speed } = joint;
    return (t, out) => {
      out[0] = start + speed * t;
      out[1] = speed;
      out[2] = 0;
      if (out.length > 3) out[3] = 0;
    };
  }
  return follow && fromFunction(follow);
}

const STEP = 2e-3;

function fromFunction(follow: (t: number) => number | readonly [number, number, number]): Motion {
  const motion = (t: number, out: Float64Array): void => {
    const here = follow(t);
    if (typeof here !== 'number') {
      out[0] = here[0];
      out[1] = here[1];
      out[2] = here[2];
      if (out.length > 3) {
        const accelerationAt = (time: number): number => (follow(time) as readonly number[])[2];
        out[3] = rateAhead(here[2], accelerationAt(t + AHEAD), accelerationAt(t + 2 * AHEAD));
      }
      return;
    }
    const at = (offset: number): number => follow(t + offset * STEP) as number;
    const near = [at(-1), at(1)];
    const far = [at(-2), at(2)];
    out[0] = here;
    out[1] = (8 * (near[1] - near[0]) - (far[1] - far[0])) / (12 * STEP);
    out[2] = (16 * (near[0] + near[1]) - (far[0] + far[1]) - 30 * here) / (12 * STEP * STEP);
    if (out.length > 3)
      out[3] = (13 * (near[0] - near[1]) - 8 * (far[0] - far[1]) + (at(-3) - at(3))) / (8 * STEP * STEP * STEP);
  };
  const given = (t: number, out: Float64Array): void => {
    const here = follow(t);
    out.fill(0);
    if (typeof here === 'number') out[0] = here;
    else out.set(here);
  };
  return Object.assign(motion, { given });
}
