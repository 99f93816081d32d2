/**
 * What a soil is to the grid: the numbers of its laws, checked and made ready once.
 *
 *   σ = min(Ke (s − z_p), k sⁿ), never less than what was carried before while it is pressed again;  Ke (s − z_p) while that is below it
 *   σ_d = max(0, σ − R min(1, s/1 mm) v_n), and from the relaxation T of what is elastic − Ke T v_n, which never lifts σ above what yields
 *   τ_max = c min(1, σ_d/σ) + σ_d tan φ: where the surface leaves faster than the soil springs back, nothing touches and nothing is held
 *   τ = τ_max (1 − e^(−|j|/K)) at j + T_s v_t, v_t the sliding velocity; on ways that turn: shear-memory.ts
 *
 *   s    sinkage along the terrain's normal, m        z_p  part of it that stays, m
 *   Ke   elastic stiffness, Pa/m                      k, n Bekker's modulus and exponent
 *   v_n  velocity out of the soil, m/s                R    damping, Pa s/m
 *   j    shear displacement, m, a vector along the surface of what touches
 *
 * Buse et al. (2023), §4.2, after Krenn et al. (2008), who leave the laws to their sources; ours are Bekker and Janosi–Hanamoto.
 */
import {
  elasticStiffness,
  passiveCoefficient,
  passivePressure,
  sinkageModulus,
} from '../../contact-laws/soil/pressure-sinkage.js';
import { ModelError } from '../../errors.js';
import { tan } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';

export interface SoilLaw {
  readonly soil: Soil;
  readonly exponent: number;
  readonly cohesion: number;
  readonly friction: number;
  readonly shearLength: number;
  readonly elastic: number;
  readonly damping: number;
  /** s: T and T_s */
  readonly relaxation: number;
  readonly shearRelaxation: number;
  /** Of passive earth pressure on upright faces: ½ ρ g Kp and 2 c √Kp */
  readonly wallWeight: number;
  readonly wallCohesion: number;
  /** Tangent of the angle of repose, and height of a step that stands by cohesion, m */
  readonly repose: number;
  readonly standingHeight: number;
}

/** Width at which a missing elastic stiffness is found from the pressure curve, m */
const WIDTH = 0.1;

/** @param gravity across the terrain, m/s²; @param path of the soil, for errors */
export function soilLaw(soil: Soil, gravity: number, relaxation = 0, shearRelaxation = 0, path = 'soil'): SoilLaw {
  const wall = passivePressure(soil, gravity);
  const least = soil.n * sinkageModulus(soil, WIDTH, path); // slope of the pressure curve at 1 m; for n ≥ 1 nothing on the way is steeper
  const elastic = elasticStiffness(soil, WIDTH);
  if (soil.elasticStiffness !== undefined && soil.n >= 1 && elastic < 0.05 * least)
    throw new ModelError(
      `${path}.elasticStiffness`,
      `expected more than the pressure curve's own slope at 5 cm, ${0.05 * least} Pa/m, got ${elastic}: a soil that unloads softer than it yields stores what it never took`,
    );
  return {
    soil,
    exponent: soil.n,
    cohesion: soil.cohesion,
    friction: tan(soil.frictionAngle),
    shearLength: soil.shearLength,
    elastic,
    damping: soil.damping ?? 0,
    relaxation,
    shearRelaxation,
    wallWeight: wall.weight,
    wallCohesion: wall.cohesion,
    repose: tan(soil.reposeAngle ?? soil.frictionAngle),
    standingHeight:
      gravity > 0
        ? ((4 * soil.cohesion) / (soil.density * gravity)) * Math.sqrt(passiveCoefficient(soil.frictionAngle))
        : Infinity,
  };
}
