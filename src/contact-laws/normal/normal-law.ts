/**
 * What all normal laws have in common for the stages that use them: measures of one contact region in, the force and its exact
 * partial derivatives out. Both are plain objects that the caller owns and uses again, so nothing is allocated per contact.
 *
 * A law written by the user is a function of the same measures; `ownNormalLaw` differentiates it by central differences.
 */
import { ModelError } from '../../errors.js';
import {
  type ClippedDamper,
  clippedDamperForce,
  clippedDamperForceByDepth,
  clippedDamperForceBySpeed,
} from './clipped-damper.js';
import {
  type ConstantRestitution,
  restitutionFactor,
  restitutionFactorBySpeed,
  restitutionFactorBySquaredSpeed,
} from './constant-restitution.js';
import { depthPower } from './depth-power.js';
import { foundationEnergyFactor, foundationForce } from './elastic-foundation.js';
import {
  type FloresLankarani,
  floresLankaraniForce,
  floresLankaraniForceByDepth,
  floresLankaraniForceBySpeed,
} from './flores-lankarani.js';
import {
  type OverlapVolume,
  overlapEnergyFactor,
  overlapVolumeElastic,
  overlapVolumeForce,
  overlapVolumeForceByDepth,
  overlapVolumeForceBySpeed,
  overlapVolumeForceByVolume,
} from './overlap-volume.js';
import {
  type PowerDamper,
  powerDamperForce,
  powerDamperForceByDepth,
  powerDamperForceBySpeed,
} from './power-damper.js';

/** Of one contact region. */
export interface NormalMeasures {
  /** Penetration depth, m */
  depth: number;
  /** Positive while the bodies close in, m/s */
  approachSpeed: number;
  /** Of the overlap, m³; 0 for routes that know only a depth */
  volume: number;
  /** Length of the patch's vector area, m² */
  area: number;
  /** Mass that this region feels along its normal, kg, in place of the law's own */
  effectiveMass?: number;
  /** How this region's area grows, in place of the law's own; see `VolumeDamping` */
  growth?: number;
}

export interface NormalForce {
  /** N ≥ 0, N */
  force: number;
  /** The part without damping, N */
  elastic: number;
  /** Elastic energy, J; NaN where the law has none to tell */
  energy: number;
  /** ∂N/∂depth, N/m */
  byDepth: number;
  /** ∂N/∂approachSpeed, N s/m */
  bySpeed: number;
  /** ∂N/∂volume, N/m³ */
  byVolume: number;
  /** ∂N/∂area, N/m² */
  byArea: number;
}

export interface NormalLaw {
  readonly name: string;
  /** Writes all of `out`. */
  evaluate(at: NormalMeasures, out: NormalForce): void;
}

export const noNormalForce = (): NormalForce => ({
  force: 0,
  elastic: 0,
  energy: 0,
  byDepth: 0,
  bySpeed: 0,
  byVolume: 0,
  byArea: 0,
});

/** k dⁿ with constant restitution; Hertz with `hertzStiffness` and n = 3/2. See constant-restitution.ts. */
export const powerLaw = (law: ConstantRestitution): NormalLaw => {
  const { stiffness, exponent, dampingFactor: x, floorSpeed } = law;
  return {
    name: 'constant-restitution',
    evaluate(at, out) {
      const { depth, approachSpeed: v } = at;
      out.force = out.elastic = out.energy = out.byDepth = out.bySpeed = out.byVolume = out.byArea = 0;
      if (!(depth > 0)) return;
      const m = at.effectiveMass ?? law.effectiveMass;
      const elastic = stiffness * depthPower(depth, exponent);
      const squared = (2 * elastic * depth) / ((exponent + 1) * m) + floorSpeed * floorSpeed;
      const factor = restitutionFactor(x, v, squared);
      out.elastic = elastic;
      out.energy = (elastic * depth) / (exponent + 1);
      out.force = elastic * factor;
      // dw/dd = 2 F/m
      out.byDepth =
        ((exponent * elastic) / depth) * factor +
        ((2 * elastic * elastic) / m) * restitutionFactorBySquaredSpeed(x, v, squared);
      out.bySpeed = elastic * restitutionFactorBySpeed(x, v, squared);
    },
  };
};

/** Damping of a law of volume, depth and area: constant restitution, see constant-restitution.ts. */
export interface VolumeDamping {
  readonly effectiveMass: number;
  readonly dampingFactor: number;
  readonly floorSpeed: number;
  /** How the area grows with the approach: 0 flat, 1 curved, 2 pointed; see overlap-volume.ts */
  readonly growth: number;
}

/** E* k √(V d) with constant restitution. */
export const overlapVolumeLaw = (law: VolumeDamping & { readonly reducedModulus: number }): NormalLaw => {
  return {
    name: 'overlap-volume',
    evaluate(at, out) {
      const { volume, depth } = at;
      const factor = overlapEnergyFactor(at.growth ?? law.growth);
      const elastic = overlapVolumeElastic(law.reducedModulus, volume, depth);
      damped(
        law,
        factor,
        elastic,
        elastic > 0 ? elastic / (2 * volume) : 0,
        elastic > 0 ? elastic / (2 * depth) : 0,
        at,
        out,
      );
    },
  };
};

/** K V with constant restitution. */
export const foundationLaw = (law: VolumeDamping & { readonly modulus: number }): NormalLaw => {
  return {
    name: 'elastic-foundation',
    evaluate(at, out) {
      const factor = foundationEnergyFactor(at.growth ?? law.growth);
      damped(law, factor, foundationForce(law.modulus, at.volume), at.volume > 0 ? law.modulus : 0, 0, at, out);
    },
  };
};

/** N = F max(0, 1 + x v/u) with U = κ F V/A, and its derivatives by the chain rule. */
function damped(
  law: VolumeDamping,
  energyFactor: number,
  elastic: number,
  elasticByVolume: number,
  elasticByDepth: number,
  at: NormalMeasures,
  out: NormalForce,
): void {
  const { volume, area, approachSpeed: v } = at;
  const { dampingFactor: x, floorSpeed } = law;
  const m = at.effectiveMass ?? law.effectiveMass;
  const perArea = area > 0 ? energyFactor / area : 0;
  const energy = perArea * elastic * volume;
  const squared = (2 * energy) / m + floorSpeed * floorSpeed;
  const factor = restitutionFactor(x, v, squared);
  // ∂N/∂U at constant F
  const byEnergy = (elastic * restitutionFactorBySquaredSpeed(x, v, squared) * 2) / m;
  out.elastic = elastic;
  out.energy = energy;
  out.force = elastic * factor;
  out.byVolume = elasticByVolume * factor + byEnergy * perArea * (elastic + elasticByVolume * volume);
  out.byDepth = elasticByDepth * factor + byEnergy * perArea * elasticByDepth * volume;
  out.byArea = area > 0 ? (-byEnergy * energy) / area : 0;
  out.bySpeed = elastic * restitutionFactorBySpeed(x, v, squared);
}

/** E* k √(V d) max(0, 1 + c v), Elmqvist et al. as printed. */
export const linearlyDampedVolumeLaw = (law: OverlapVolume): NormalLaw => ({
  name: 'overlap-volume-linear-damping',
  evaluate({ volume, depth, approachSpeed }, out) {
    out.force = overlapVolumeForce(law, volume, depth, approachSpeed);
    out.elastic = overlapVolumeElastic(law.reducedModulus, volume, depth);
    out.energy = Number.NaN;
    out.byVolume = overlapVolumeForceByVolume(law, volume, depth, approachSpeed);
    out.byDepth = overlapVolumeForceByDepth(law, volume, depth, approachSpeed);
    out.bySpeed = overlapVolumeForceBySpeed(law, volume, depth, approachSpeed);
    out.byArea = 0;
  },
});

export const floresLankaraniLaw = (law: FloresLankarani): NormalLaw =>
  ofDepth(
    'flores-lankarani',
    (d, v) => floresLankaraniForce(law, d, v),
    (d, v) => floresLankaraniForceByDepth(law, d, v),
    (d, v) => floresLankaraniForceBySpeed(law, d, v),
    (d) => 0.4 * law.stiffness * d * d * Math.sqrt(d),
  );

export const powerDamperLaw = (law: PowerDamper): NormalLaw =>
  ofDepth(
    'power-damper',
    (d, v) => powerDamperForce(law, d, v),
    (d, v) => powerDamperForceByDepth(law, d, v),
    (d, v) => powerDamperForceBySpeed(law, d, v),
    (d) => (law.stiffness * depthPower(d, law.exponent) * d) / (law.exponent + 1),
  );

export const clippedDamperLaw = (law: ClippedDamper): NormalLaw =>
  ofDepth(
    'clipped-damper',
    (d, v) => clippedDamperForce(law, d, v),
    (d, v) => clippedDamperForceByDepth(law, d, v),
    (d, v) => clippedDamperForceBySpeed(law, d, v),
    (d) => (law.stiffness * depthPower(d, law.exponent) * d) / (law.exponent + 1),
  );

type OfDepthAndSpeed = (depth: number, approachSpeed: number) => number;

function ofDepth(
  name: string,
  force: OfDepthAndSpeed,
  byDepth: OfDepthAndSpeed,
  bySpeed: OfDepthAndSpeed,
  energy: (depth: number) => number,
): NormalLaw {
  return {
    name,
    evaluate({ depth, approachSpeed }, out) {
      out.force = force(depth, approachSpeed);
      out.elastic = force(depth, 0);
      out.energy = depth > 0 ? energy(depth) : 0;
      out.byDepth = byDepth(depth, approachSpeed);
      out.bySpeed = bySpeed(depth, approachSpeed);
      out.byVolume = out.byArea = 0;
    },
  };
}

/**
 * A law of the user's own, in N. It is asked only where the solids overlap (depth or volume > 0); a negative force counts as 0.
 *
 * @throws ModelError if it returns something other than a finite number
 * @example ownNormalLaw('tennis', ({ depth, approachSpeed }) => 2e4 * depth + 15 * approachSpeed)
 */
export function ownNormalLaw(name: string, force: (at: Readonly<NormalMeasures>) => number): NormalLaw {
  const probe: NormalMeasures = { depth: 0, approachSpeed: 0, volume: 0, area: 0 };
  const clipped = (): number => {
    const value = force(probe);
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ModelError(
        `law "${name}"`,
        `expected a finite force in N, got ${value} at depth ${probe.depth} m, approach speed ${probe.approachSpeed} m/s, ` +
          `volume ${probe.volume} m³, area ${probe.area} m²`,
      );
    return Math.max(0, value);
  };
  const slope = (key: 'depth' | 'approachSpeed' | 'volume' | 'area', step: number): number => {
    const here = probe[key];
    if (!(step > 0)) return 0;
    probe[key] = here + step;
    const above = clipped();
    probe[key] = here - step;
    const below = clipped();
    probe[key] = here;
    return (above - below) / (2 * step);
  };
  return {
    name,
    evaluate(at, out) {
      out.energy = Number.NaN;
      out.force = out.elastic = out.byDepth = out.bySpeed = out.byVolume = out.byArea = 0;
      if (!(at.depth > 0 || at.volume > 0)) return;
      probe.depth = at.depth;
      probe.volume = at.volume;
      probe.area = at.area;
      probe.approachSpeed = 0;
      out.elastic = clipped();
      probe.approachSpeed = at.approachSpeed;
      out.force = clipped();
      // relative steps of the cube root of the rounding error; the speed has no size of its own, so its step has a floor
      out.byDepth = slope('depth', 6e-6 * at.depth);
      out.byVolume = slope('volume', 6e-6 * at.volume);
      out.byArea = slope('area', 6e-6 * at.area);
      out.bySpeed = slope('approachSpeed', 6e-6 * Math.max(Math.abs(at.approachSpeed), 1e-3));
    },
  };
}
