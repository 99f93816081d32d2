/**
 * A model as JSON, the way back of json.ts: solids by how they were made (geometry/recipe.ts), so that they are made again to the bit; others by their triangles; materials of
 * ours by name; motions that were data as data. What JSON cannot hold, functions above all, is left out and named.
 */
import { type Move, type Recipe, recipeOf } from '../geometry/recipe.js';
import type { Solid } from '../geometry/solid.js';
import type { Body } from './body.js';
import type { Force } from './forces.js';
import { materialName } from './json.js';
import type { Model } from './model.js';
import { dataOf } from './motion-data.js';
import { tabulated } from './tabulated.js';

/** What was left out, and what is so instead. */
export interface Lost {
  /** As in errors: `joints.crank.angle` */
  readonly path: string;
  readonly why: string;
}

export interface WrittenModel {
  readonly model: Readonly<Record<string, unknown>>;
  readonly lost: readonly Lost[];
}

type Lose = (path: string, why: string) => undefined;

/** @example const { model, lost } = modelToJson(geneva({ slots: 5 })); */
export function modelToJson(given: Model): WrittenModel {
  const lost: Lost[] = [];
  const lose: Lose = (path, why) => void lost.push({ path, why });
  const { title, gravity, contacts, grains } = given;
  const model = plain({
    title: title === '' ? undefined : title,
    gravity: typeof gravity === 'function' ? lose('gravity', 'is a function; that of the Earth acts') : gravity,
    bodies: grouped(given.bodies, 'bodies', (body, path) => bodyToJson(body, path, lose)),
    joints: grouped(given.joints, 'joints', (joint, path) =>
      without(
        inTables(joint as unknown as Record<string, unknown>, path, given.simulation.stop, lose),
        path,
        lose,
        'is a function; nothing drives the joint by it',
      ),
    ),
    constraints: grouped(given.constraints, 'constraints', (constraint) => constraint),
    forces: grouped(given.forces, 'forces', (force, path) => forceToJson(force, path, lose)),
    contacts: without(contacts, 'contacts', lose, 'is a function; the law that suits the shapes acts'),
    soils: grouped(given.soils, 'soils', ({ terrain, ...bed }, path) => {
      if (terrain) lose(`${path}.terrain`, 'is a program; the ground is level');
      return bed;
    }),
    events: grouped(given.events, 'events', (event, path) =>
      event.when ? lose(path, 'happens by a function of signals; it is left out') : event,
    ),
    simulation: given.simulation,
    plots: given.plots,
    grains:
      grains && holdsSolids(grains)
        ? lose('grains', 'have solids as shapes or regions, which JSON has for bodies alone; there are no grains')
        : grains,
  }) as Record<string, unknown>;
  for (const name of given.elements.keys()) lose(`elements.${name}`, 'is a program; the force is left out');
  for (const name of given.surfaces.keys()) lose(`surfaces.${name}`, 'is a program; the surface is not drawn');
  for (const [key, value] of Object.entries(model))
    if (key !== 'bodies' && isRecord(value) && Object.keys(value).length === 0) delete model[key];
  return { model, lost };
}

/** `rack[0]`, `rack[1]` as one list again; elements that were left out leave no gap. */
function grouped<Item>(
  items: ReadonlyMap<string, Item>,
  group: string,
  write: (item: Item, path: string) => unknown,
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, item] of items) {
    const written = write(item, `${group}.${name}`);
    if (written === undefined) continue;
    const bracket = name.indexOf('[');
    if (bracket < 0) found[name] = written;
    else {
      const base = name.slice(0, bracket);
      found[base] ??= [];
      (found[base] as unknown[]).push(written);
    }
  }
  return found;
}

function bodyToJson({ shape, material, flexible, ...body }: Body, path: string, lose: Lose): unknown {
  const solids = [shape ?? []].flat() as Solid[];
  const shapes = solids.map((solid, i) =>
    shapeToJson(solid, solids.length > 1 ? `${path}.shape[${i}]` : `${path}.shape`, lose),
  );
  const stays = flexible && solids.some(({ tetrahedra }) => tetrahedra);
  if (stays)
    lose(
      `${path}.flexible`,
      'bends by the tetrahedra inside its shape, which JSON has in files alone; the body is rigid',
    );
  return {
    ...body,
    ...(shape !== undefined && { shape: Array.isArray(shape) ? shapes : shapes[0] }),
    ...(material && { material: materialName(material) ?? material }),
    ...(flexible !== undefined && !stays && { flexible }),
  };
}

/** A law that is a function takes its force with it. */
function forceToJson(force: Force, path: string, lose: Lose): unknown {
  if (force.kind === 'lineForce') return lose(path, 'has a law that is a function; the force is left out');
  if (force.kind !== 'applied') return force;
  const keys = (['force', 'torque'] as const).filter((key) => force[key] !== undefined);
  const lost = keys.filter((key) => typeof force[key] === 'function');
  if (lost.length === keys.length) return lose(path, 'is a function of time or motion; it is left out');
  return without(force, path, lose, 'is a function; it is left out');
}

// ---- shapes -------------------------------------------------------------------------------------------------------------------

function shapeToJson(solid: Solid, path: string, lose: Lose): unknown {
  const { mesh, form, colour, triangleColours, vertexColours } = solid;
  const recipe = recipeOf(solid);
  if (!recipe) lose(path, `was put together by hand; its triangles are kept, its exact form (${form.kind}) is not`);
  if (triangleColours || vertexColours) lose(path, 'has a colour at each triangle or vertex; they are left out');
  return { ...written(recipe ?? { kind: 'mesh', mesh }), ...(colour && { colour }) };
}

function written(recipe: Recipe): Record<string, unknown> {
  switch (recipe.kind) {
    case 'made':
      return { [recipe.by]: recipe.size };
    case 'combined':
      return { [recipe.by]: recipe.of.map(written) };
    case 'mesh': {
      const { vertices, triangles } = recipe.mesh;
      return { mesh: { vertices: byThree(vertices), triangles: byThree(triangles) } };
    }
    case 'moved':
      return moved(written(recipe.what), recipe.by);
  }
}

/** A turn, then a shift have words of their own; all else, in whatever order, goes into `moves`. */
function moved(shape: Record<string, unknown>, move: Move): Record<string, unknown> {
  const isTurn = 'rotate' in move && move.centre === undefined;
  if (isTurn && !('rotate' in shape) && !('translate' in shape) && !('moves' in shape))
    return { ...shape, rotate: move.rotate };
  if ('translate' in move && !('translate' in shape) && !('moves' in shape))
    return { ...shape, translate: move.translate };
  return { ...shape, moves: [...((shape.moves as readonly Move[] | undefined) ?? []), move] };
}

const byThree = (numbers: ArrayLike<number>): number[][] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => [numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]]);

// ---- data ---------------------------------------------------------------------------------------------------------------------

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** What drives a joint over time as a table, where one meets it; that it is one is told. */
function inTables(
  joint: Record<string, unknown>,
  path: string,
  end: number | undefined,
  lose: Lose,
): Record<string, unknown> {
  if (end === undefined) return joint;
  const table = (value: unknown, where: string): unknown => {
    // of more than time it is no table
    if (typeof value !== 'function' || dataOf(value) || value.length > 1) return value;
    const found = tabulated(value as (t: number) => number, end);
    if (!found) return value;
    const { data, error } = found;
    lose(
      where,
      `is a function of time; a table of ${data.times.length} values stands for it, which meets it within ${error.toPrecision(1)} up to the end of the run`,
    );
    return data;
  };
  const made = { ...joint };
  for (const key of ['angle', 'position', 'torque', 'force'])
    if (key in made) made[key] = table(made[key], `${path}.${key}`);
  if (isRecord(made.motor))
    made.motor = Object.fromEntries(
      Object.entries(made.motor).map(([key, value]) => [key, table(value, `${path}.motor.${key}`)]),
    );
  return made;
}

/** The same without functions, each of which is named; a motor goes whole, for half of one is none. */
function without(value: unknown, path: string, lose: Lose, why: string): unknown {
  if (typeof value === 'function') return dataOf(value) ?? lose(path, why);
  if (Array.isArray(value)) return value.map((item, i) => without(item, `${path}[${i}]`, lose, why));
  if (!isRecord(value)) return value;
  const found: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const here = `${path}.${key}`;
    const needs = key === 'motor' && isRecord(item) ? Object.values(item) : [];
    found[key] = needs.some((part) => typeof part === 'function' && !dataOf(part))
      ? lose(here, why)
      : without(item, here, lose, why);
  }
  return found;
}

/** What JSON.parse gives of what JSON.stringify makes of it: no undefined, no lists of a kind of their own. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, plain(item)]])),
  );
}

function holdsSolids(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return 'mesh' in value || Object.values(value).some(holdsSolids);
}
