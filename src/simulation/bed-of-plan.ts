/** The bed that a plan asks for, with the step its grains allow: of balls, or of rigid grains where one species has a shape. */
import type { Bed } from '../grains/bed.js';
import { impactStep } from '../grains/critical-step.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { sizesOf } from '../grains/grain-sizes.js';
import { type LayeredKind, layered, rigidContact } from '../grains/polyhedra/foundation.js';
import { foundationStep } from '../grains/polyhedra/foundation-step.js';
import { RigidBed } from '../grains/polyhedra/rigid-bed.js';
import type { GrainShape } from '../grains/shapes/grain-shape.js';
import { SphereBed } from '../grains/sphere-bed.js';
import type { Team } from '../grains/team.js';
import type { WallBody } from '../grains/wall-arrays.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { comingGrains, inletCorners } from './coming-grains.js';

export interface BedSetting {
  readonly walls: readonly WallBody[];
  readonly gravity: Vec3;
  /** Of each wall, as rigid grains touch it; where there are shapes */
  readonly tools: readonly GrainShape[] | undefined;
  readonly period: { readonly low: Vec3; readonly length: Vec3 } | undefined;
  /** m/s, expected */
  readonly fastest: number;
  readonly team: Team | undefined;
  /** s */
  readonly stopTime: number;
  /** s between rows, a whole number of steps */
  readonly interval: number;
  /** s, asked for */
  readonly step: number | undefined;
}

export interface PlannedBed {
  readonly bed: Bed;
  /** Steps in a row */
  readonly perRow: number;
  /** s */
  readonly step: number;
  /** Radius of the smallest, m */
  readonly least: number;
}

export function bedOf(plan: GrainPlan, setting: BedSetting): PlannedBed {
  const { grains, species } = plan;
  const sizes = species.map(([, { radius }]) => sizesOf(radius, random(0)));
  const least = Math.min(...sizes.map((own) => own.least));
  const kinds = layered(plan);
  const wanted = setting.step ?? grains.step ?? ownStep(plan, kinds, setting.fastest);
  const perRow = Math.max(1, Math.ceil(setting.interval / wanted - 1e-9));
  const step = setting.interval / perRow;
  const { walls, gravity, period, fastest, team } = setting;
  const { lawOf, forms } = plan;
  const common = { ...(grains.skin !== undefined && { skin: grains.skin }), ...(team && { team }) };
  if (!forms)
    return {
      bed: new SphereBed({ kinds: plan.kinds, lawOf, walls, gravity, fastest, ...(period && { period }), ...common }),
      perRow,
      step,
      least,
    };
  const bed = new RigidBed({
    kinds,
    lawOf,
    forms,
    walls: walls.map(({ name, kind, pose, farthest }, w) => ({
      name,
      kind,
      pose,
      farthest,
      shape: setting.tools![w],
    })),
    gravity,
    period,
    step,
    coming: comingGrains(plan, setting.stopTime),
    around: inletCorners(plan),
    ...common,
  });
  return { bed, perRow, step, least };
}

/** What the fastest impact of each species allows, s */
function ownStep({ species, kinds, lawOf, forms }: GrainPlan, layers: readonly LayeredKind[], fastest: number): number {
  let own = Number.POSITIVE_INFINITY;
  species.forEach(([, { radius, material }], a) => {
    const { least, greatest } = sizesOf(radius, random(0));
    kinds.forEach((partner, b) => {
      const law = lawOf(Math.min(a, b), Math.max(a, b));
      if (!forms) own = Math.min(own, impactStep(kinds[a], partner, law, least, material.density, fastest).step);
      else
        for (const shape of forms[a].shapes) {
          const { modulus } = rigidContact(layers[a], layers[b], law);
          const grain = { shape, least, greatest, density: material.density };
          own = Math.min(own, foundationStep(grain, modulus, partner.wall === true));
          const ball = smallestBall(shape);
          if (ball > 0)
            own = Math.min(own, impactStep(kinds[a], partner, law, ball * least, material.density, fastest).step);
        }
    });
  });
  return own;
}

const smallestBall = ({
  pieces,
}: {
  readonly pieces: readonly { readonly vertices: Float64Array; readonly radius: number }[];
}): number => {
  let least = Number.POSITIVE_INFINITY;
  for (const { vertices, radius } of pieces) if (vertices.length === 0) least = Math.min(least, radius);
  return least < Number.POSITIVE_INFINITY ? least : 0;
};
