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

export function wongReeceWheel(soil: Soil, wheel: WheelInSoil, gravity: number): WheelLaw {
  return {
    states: {},
    evaluate: ({ sinkage, sinking, forward, sideways, rim }, _states, _rates, out) => {
      const way = rim + forward < 0 ? -1 : 1;
      const forces = wongReeceForces(
        soil,
        wheel,
        sinkage,
        { forward: way * forward, rim: way * rim, sideways },
        gravity,
      );
      const mobilised = tanh((Math.abs(rim) + Math.abs(forward) + Math.abs(sideways)) / SLOW);
      out.load = dampedLoad(forces.load, sinkage, sinking);
      out.along = mobilised * way * forces.thrust - tanh(forward / SLOW) * forces.resistance;
      out.across = mobilised * forces.side;
      out.drive = mobilised * way * forces.torque;
      out.roll = mobilised * forces.overturning;
    },
  };
}
