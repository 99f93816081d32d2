/** The grains of a model's packings. */
import { ModelError } from '../../errors.js';
import { random } from '../../math/random.js';
import type { Packing } from '../../model/grains.js';
import type { NewGrain } from '../bed.js';
import type { Clearance } from '../clearance.js';
import { type GrainPlan, turnSeed } from '../grain-plan.js';
import { sizesOf } from '../grain-sizes.js';
import { Neighbourhood, type Period } from '../neighbourhood.js';
import { layered, rigidContact } from '../polyhedra/foundation.js';
import { formOf, type ToldPose } from '../shapes/grain-forms.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import { type PackingSurroundings, packed } from './packing.js';
import type { ShapeSurroundings } from './shape-scene.js';

/** All grains of the packings, in the order written, and which numbers each packing has */
export interface StartingGrains {
  readonly grains: readonly NewGrain[];
  readonly groups: readonly { readonly name: string; readonly first: number; readonly end: number }[];
}

/** What shapes are packed among. @param tools walls as they touch them */
export function shapeSurroundings(
  plan: GrainPlan,
  tools: readonly GrainShape[] | undefined,
  period?: Period,
): ShapeSurroundings | undefined {
  const { forms, lawOf } = plan;
  if (!forms || !tools) return undefined;
  const kinds = layered(plan);
  return { forms, tools, period, contact: (a, b) => rigidContact(kinds[a], kinds[b], lawOf(a, b)) };
}

export function startingGrains(
  plan: GrainPlan,
  free: Clearance,
  around: Pick<PackingSurroundings, 'walls' | 'gravity' | 'period' | 'shapes' | 'told'>,
): StartingGrains {
  const { grains, species, forms, kinds, lawOf } = plan;
  let greatest = 0;
  for (const [, { radius }] of species) greatest = Math.max(greatest, sizesOf(radius, random(0)).greatest);
  for (const { at = [] } of Object.values(grains.packings ?? {}))
    for (const [, , , r = 0] of at) greatest = Math.max(greatest, r);
  const placed = new Neighbourhood(2 * greatest, around.period);
  const all: NewGrain[] = [];
  const groups: { name: string; first: number; end: number }[] = [];
  for (const [name, packing] of Object.entries(grains.packings ?? {})) {
    const kind = species.findIndex(([own]) => own === packing.species);
    const seed = `${grains.seed ?? 1} ${name}`;
    const path = `grains.packings.${name}`;
    const turned = (i: number, radius: number) =>
      formOf(forms![kind], radius, turnSeed(seed, i), packing.orientation, toldPose(packing, i, path));
    const place = {
      path,
      packing,
      species: species[kind][1],
      kind,
      seed,
      fill: forms?.[kind].fill ?? 1,
      ...(forms && { turned }),
    };
    const first = all.length;
    const told = around.told && ((what: string) => around.told!(`packing "${name}": ${what}`));
    const surroundings = { ...around, told, kinds, lawOf, others: all.slice() };
    packed(place, placed, free, surroundings).forEach((grain, i) => {
      all.push(forms && !grain.orientation ? { ...grain, ...turned(i, grain.radius) } : grain);
    });
    groups.push({ name, first, end: all.length });
  }
  const most = grains.most ?? Number.POSITIVE_INFINITY;
  if (all.length > most)
    throw new ModelError('grains.most', `expected at least ${all.length}, the grains at the start, got ${most}`);
  return { grains: all, groups };
}

/** Pose of grain i of a packing that is given with orientations */
function toldPose({ arrangement, at }: Packing, i: number, path: string): ToldPose | undefined {
  const row = at?.[i];
  if (arrangement !== 'given' || !row || row.length < 8) return undefined;
  return { axes: [row[4], row[5], row[6], row[7]], form: row[8], path: `${path}.at[${i}]` };
}
