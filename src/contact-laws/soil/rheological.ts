/**
 * A wheel on ground that is a spring and a damper, with stiction by control: along and across the heading a PID holds the wheel where it stands
 * until it would need more than stiction gives.
 *
 *   N  = k z^e, e = n + ½, k from Bekker's wheel, damped
 *   stick  F = −(Kp s + Ki q + Kd u),  s' = u, q' = s;  Kp = m w², Kd = 1.8 m w, Ki = 0.1 Kp w, w = 2π 10 Hz; |F| ≤ F_s = tan φ N + c A
 *   slip   F = −(0.9 tan φ N + c A) tanh(u/v_d)
 *
 *   u slip velocity v − ω r, or the velocity sideways, m/s; s, q its integral and double integral; m mass the contact feels, kg; A area b l
 *
 * It slips when |F| reaches F_s at the end of a step and sticks again when |u| stays below 1 mm/s. The integral takes away the droop of a mere spring:
 * on a slope below the limit nothing creeps. Buse et al. (2023), §4.3.2, who name spring, damper and PID and leave the rest open.
 */
import { acos, tan, tanh } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { bekkerForces, type WheelSize } from './bekker-wheel.js';
import { dampedLoad } from './closed-form-wheels.js';
import type { WheelLaw } from './wheel-law.js';

const W = 2 * Math.PI * 10;
const KINETIC = 0.9;
/** v_d and the speed below which it sticks again, m/s */
const DEAD_BAND = 1e-3;
/** Steps it must be slow for */
const PATIENCE = 2;
/** Fading of what was held while it slips, s */
const FADING = 0.02;

export function rheologicalWheel(soil: Soil, size: WheelSize, gravity: number, rolling = 0.05): WheelLaw {
  const friction = tan(soil.frictionAngle);
  /** Along, across: slips (1) or sticks (0), slow steps, mass felt */
  const slips = [0, 0];
  const slow = [0, 0];
  const mass = [0, 0];
  const limits = (sinkage: number, load: number): readonly [number, number] => {
    const length = size.radius * acos(1 - Math.min(sinkage, size.radius) / size.radius);
    const held = soil.cohesion * size.width * length;
    return [friction * load + held, KINETIC * friction * load + held];
  };
  const wanted = (axis: number, load: number, u: number, s: number, q: number): number => {
    const m = mass[axis] > 0 ? mass[axis] : load / Math.max(gravity, 1e-3);
    return -m * W * (W * s + 0.1 * W * W * q + 1.8 * u);
  };
  const load = (sinkage: number, sinking: number): number =>
    dampedLoad(bekkerForces(soil, size, sinkage, 0, gravity).load, sinkage, sinking);
  return {
    states: {
      stretchAlong: { unit: 'm', scale: 1e-4 },
      integralAlong: { unit: 'm s', scale: 1e-5 },
      stretchAcross: { unit: 'm', scale: 1e-4 },
      integralAcross: { unit: 'm s', scale: 1e-5 },
    },
    evaluate: ({ sinkage, sinking, forward, sideways, rim }, states, rates, out) => {
      out.load = load(sinkage, sinking);
      const [most, kinetic] = limits(sinkage, out.load);
      for (let axis = 0; axis < 2; axis++) {
        const u = axis === 0 ? forward - rim : sideways;
        const [s, q] = [states[2 * axis], states[2 * axis + 1]];
        let force: number;
        if (slips[axis]) {
          force = -kinetic * tanh(u / DEAD_BAND);
          rates[2 * axis] = -s / FADING;
          rates[2 * axis + 1] = -q / FADING;
        } else {
          const pull = wanted(axis, out.load, u, s, q);
          force = Math.min(most, Math.max(-most, pull));
          const windsUp = force !== pull && u * s > 0;
          rates[2 * axis] = windsUp ? 0 : u;
          rates[2 * axis + 1] = windsUp ? 0 : s;
        }
        if (axis === 0) {
          const turns = slips[0] ? 1 : tanh(Math.abs(rim) / DEAD_BAND); // what stands is held, not rolled
          out.along = force - rolling * out.load * tanh(forward / DEAD_BAND) * turns;
          out.drive = force * size.radius;
        } else out.across = force;
      }
      out.roll = 0;
    },
    lift: (states, rates) => {
      for (let k = 0; k < 4; k++) rates[k] = -states[k] / FADING;
    },
    accept: ({ sinkage, sinking, forward, sideways, rim }, states, masses) => {
      let changed = false;
      const carried = load(sinkage, sinking);
      const [most] = limits(sinkage, carried);
      for (let axis = 0; axis < 2; axis++) {
        mass[axis] = masses[axis];
        const u = axis === 0 ? forward - rim : sideways;
        if (!slips[axis]) {
          if (Math.abs(wanted(axis, carried, u, states[2 * axis], states[2 * axis + 1])) < most) continue;
          slips[axis] = 1;
          slow[axis] = 0;
          changed = true;
        } else if (Math.abs(u) >= DEAD_BAND) slow[axis] = 0;
        else if (++slow[axis] > PATIENCE) {
          slips[axis] = 0;
          states[2 * axis] = states[2 * axis + 1] = 0;
          changed = true;
        }
      }
      return changed;
    },
    snapshot: () => [...slips, ...slow, ...mass],
    restore: (snapshot) => {
      const all = snapshot as number[];
      for (let axis = 0; axis < 2; axis++)
        [slips[axis], slow[axis], mass[axis]] = [all[axis], all[2 + axis], all[4 + axis]];
    },
  };
}
