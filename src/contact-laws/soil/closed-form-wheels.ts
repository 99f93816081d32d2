/**
 * Bekker's wheel and the Wong–Reece integral as laws of a wheel that moves: forces follow from the present motion alone. They know no stiction:
 * shear fades below 1 mm/s, and a wheel at rest on a slope creeps. The load is damped by N (1 + T ż/z).
 */
import { tanh } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { bekkerForces } from './bekker-wheel.js';
import type { WheelLaw } from './wheel-law.js';
import { type WheelInSoil, wongReeceForces } from './wong-reece.js';

/** Below this speed shear fades, m/s */
const SLOW = 1e-3;
/** T, s */
const RELAXATION = 0.05;

export const dampedLoad = (load: number, sinkage: number, sinking: number): number =>
  load * Math.min(2, Math.max(0, 1 + (RELAXATION * sinking) / Math.max(sinkage, 1e-4)));

export function bekkerWheel(soil: Soil, size: WheelInSoil, gravity: number): WheelLaw {
  return {
    states: {},
    evaluate: ({ sinkage, sinking, forward, sideways, rim }, _states, _rates, out) => {
      const fastest = Math.max(Math.abs(rim), Math.abs(forward), SLOW);
      // Backwards is forwards seen from behind
      const way = rim + forward < 0 ? -1 : 1;
      const forces = bekkerForces(soil, size, sinkage, (way * (rim - forward)) / fastest, gravity);
      const mobilised = tanh(fastest / SLOW) * way;
      out.load = dampedLoad(forces.load, sinkage, sinking);
      out.along = mobilised * forces.thrust - tanh(forward / SLOW) * (forces.compaction + forces.bulldozing);
      // Bekker has nothing to say of sideways; half the load stands for it
      out.across = -0.5 * out.load * tanh(sideways / SLOW);
      out.drive = mobilised * forces.torque;
      out.roll = 0;
    },
  };
}

/**
 * Which way the wheel goes, where its arc in the soil is, turns about with ω r + v. Forces of both ways are mixed by tanh there, for they differ: the arc ahead or behind. Well above 1 mm/s it is the integral alone.
 */
export function wongReeceWheel(soil: Soil, wheel: WheelInSoil, gravity: number): WheelLaw {
  return {
    states: {},
    evaluate: ({ sinkage, sinking, forward, sideways, rim }, _states, _rates, out) => {
      const mobilised = tanh((Math.abs(rim) + Math.abs(forward) + Math.abs(sideways)) / SLOW);
      const onward = tanh((rim + forward) / SLOW);
      const resists = tanh(forward / SLOW);
      const aside = tanh(Math.abs(sideways) / SLOW);
      out.load = out.along = out.across = out.drive = out.roll = 0;
      for (let way = -1; way <= 1; way += 2) {
        const part = 0.5 * (1 + way * onward);
        if (part === 0) continue;
        const motion = { forward: way * forward, rim: way * rim, sideways };
        const forces = wongReeceForces(soil, wheel, sinkage, motion, gravity);
        const { load, shearLoad, thrust, resistance, side, flank, torque, overturning } = forces;
        out.load += part * (load + (mobilised - 1) * shearLoad);
        out.along += part * (mobilised * way * thrust - resists * resistance);
        out.across += part * (mobilised * (side - flank) + aside * flank);
        out.drive += part * mobilised * way * torque;
        out.roll += part * mobilised * overturning;
      }
      out.load = dampedLoad(out.load, sinkage, sinking);
    },
  };
}
