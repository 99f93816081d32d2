/** Grains with a shape that an inlet lets in: the size, form and orientation of each are drawn from a seed of its own, so that they are known before it comes and do not depend on how often a place was taken. */
import { ModelError } from '../errors.js';
import type { NewGrain } from '../grains/bed.js';
import { type GrainPlan, turnSeed } from '../grains/grain-plan.js';
import { sizesOf } from '../grains/grain-sizes.js';
import { regionOf } from '../grains/region.js';
import { formOf } from '../grains/shapes/grain-forms.js';
import { random } from '../math/random.js';
import { ZERO } from '../math/vec3.js';

/** More than so many are refused: each has its room from the start */
const MOST = 200_000;

/** The grain that comes after `turn` others, its place apart. @param inlet number among the inlets */
export function comingGrain({ grains, species, forms }: GrainPlan, inlet: number, turn: number): NewGrain {
  const [name, given] = Object.entries(grains.inlets!)[inlet];
  const kind = species.findIndex(([other]) => other === given.species);
  const [, own] = species[kind];
  const seed = turnSeed(`${grains.seed ?? 1} inlet ${name}`, turn);
  const radius = sizesOf(own.radius, random(`${seed} size`)).draw();
  return {
    position: ZERO,
    radius,
    kind,
    density: own.material.density,
    ...formOf(forms![kind], radius, seed),
    from: { inlet, turn },
    ...(given.velocity && { velocity: given.velocity }),
  };
}

/** All that may come until the end of a run, in the order in which they are due: a longer run has more of them behind these */
export function comingGrains(plan: GrainPlan, stopTime: number): NewGrain[] {
  const due = Object.values(plan.grains.inlets ?? {}).flatMap(({ rate, from = 0, until, count }, inlet) => {
    const time = Math.max(0, Math.min(stopTime, until ?? stopTime) - from);
    const number = Math.floor(Math.min(count ?? Number.POSITIVE_INFINITY, time * rate));
    if (number > MOST)
      throw new ModelError(
        `grains.inlets.${Object.keys(plan.grains.inlets!)[inlet]}`,
        `expected at most ${MOST} grains with a shape in one run, got ${number}; give a smaller rate or count`,
      );
    return Array.from({ length: number }, (_, turn) => ({ at: from + (turn + 1) / rate, inlet, turn }));
  });
  due.sort((a, b) => a.at - b.at || a.inlet - b.inlet);
  return due.map(({ inlet, turn }) => comingGrain(plan, inlet, turn));
}

/** Corners of the regions that grains come in by */
export const inletCorners = ({ grains }: GrainPlan) =>
  Object.values(grains.inlets ?? {}).flatMap(({ region }) => {
    const { low, high } = regionOf(region);
    return [low, high];
  });
