/**
 * What touches what, before it does. Pairs of shapes that are alike (same form, material, mass, rules) are one kind and told once, so that
 * 12 million pairs of 5 000 equal balls are one line; how many there are is counted, not listed.
 */

import type { ContactPlan, ContactShape, System } from '../assembly/system.js';
import { AllowedPairs } from '../broad-phase/allowed-pairs.js';
import { type BroadPhaseMethod, methodForSize } from '../broad-phase/broad-phase.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { ModelError } from '../errors.js';
import { TIME_STEPPING } from '../integration/method-name.js';
import { type Contacts, namesBody } from '../model/contacts.js';
import { GROUND, type Model } from '../model/model.js';
import { contactWarnings } from './contact-warnings.js';
import { type PairKind, pairFacts } from './pair-facts.js';

export interface Apart {
  readonly between: readonly [string, string];
  /** `joint elbow`, `contacts.exclude`, `contacts.pairs[2].touch`, `groups` */
  readonly because: string;
}

export interface ContactFacts {
  readonly shapes: number;
  /** Bodies with a shape that can touch, and those that say `contact: false` */
  readonly bodies: number;
  readonly silent: readonly string[];
  readonly broadPhase: BroadPhaseMethod;
  /** τ, of the reference depth */
  readonly tolerance: number;
  /** Pairs of shapes that may touch */
  readonly pairs: number;
  readonly apart: readonly Apart[];
  readonly kinds: readonly PairKind[];
  /** Kinds beyond those told */
  readonly moreKinds: number;
  readonly warnings: readonly string[];
}

/** More kinds than this are not looked at: each costs the preparation of a route. */
const MOST_KINDS = 200;

/** Shapes that are alike in all that matters to a pair. */
export interface ShapeClass {
  readonly shapes: number[];
  readonly group: number;
  readonly mask: number;
}

export function contactFacts(model: Model, system: System, contacts: ContactSystem, tolerance: number): ContactFacts {
  const plan = system.contacts!;
  const { shapes, rules } = plan;
  const written = model.contacts as Contacts;
  const classes = shapeClasses(written, system, shapes);
  const counts = pairCounts(classes, plan.rules);
  const allowed = new AllowedPairs(rules);
  const bodyNames = (of: ShapeClass): string[] => collapsed(of.shapes.map((i) => system.bodies[shapes[i].body].name));
  const { integrator, step, rigidity } = model.simulation;
  const asked = integrator === TIME_STEPPING ? { step: step ?? 1e-3, rigidity } : {};
  const present = counts.filter(({ count }) => count > 0);
  const kinds = present.slice(0, MOST_KINDS).map(({ a, b, count }): PairKind => {
    const [i, j] = firstAllowed(classes[a], classes[b], allowed);
    const between = [bodyNames(classes[a]), bodyNames(classes[b])] as const;
    const example = [shapes[i].name, shapes[j].name] as const;
    try {
      return { between, count, example, facts: pairFacts(contacts, system, i, j, asked), refused: null };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { between, count, example, facts: null, refused: error.message };
    }
  });
  const groups = counts
    .filter(
      ({ byGroups, a, b }) =>
        byGroups && (a !== b || classes[a].shapes.length > 1) && !allFixed(system, shapes, classes[a], classes[b]),
    )
    .map(({ a, b }): Apart => {
      const [first, second] = [bodyNames(classes[a]), bodyNames(classes[b])];
      return { between: [first.join(', '), second.join(', ')], because: 'groups' };
    });
  return {
    shapes: shapes.length,
    bodies: new Set(shapes.map(({ body }) => body)).size,
    silent: [...model.bodies].filter(([, { shape, contact }]) => shape && contact === false).map(([name]) => name),
    broadPhase: plan.broadPhase === 'automatic' ? methodForSize(shapes.length) : plan.broadPhase,
    tolerance,
    pairs: counts.reduce((sum, { count }) => sum + count, 0),
    apart: [...keptApart(model, written), ...groups],
    kinds,
    moreKinds: present.length - kinds.length,
    warnings: contactWarnings(kinds),
  };
}

function shapeClasses(written: Contacts, system: System, shapes: readonly ContactShape[]): ShapeClass[] {
  const { rules } = system.contacts!;
  const patterns = (written.pairs ?? []).flatMap(({ between }) => between);
  const numbers = new Map<object, number>();
  const numberOf = (mesh: object): number => {
    if (!numbers.has(mesh)) numbers.set(mesh, numbers.size);
    return numbers.get(mesh)!;
  };
  const materials = new Map<object, string>();
  const classes = new Map<string, ShapeClass>();
  shapes.forEach(({ body, solid, surface, perAxis, thickness, edges, material, planeNormal }, i) => {
    const { name, mass } = system.bodies[body];
    const form =
      solid && (solid.form.kind === 'mesh' || solid.form.kind === 'extrusion' ? numberOf(solid.mesh) : solid.form);
    if (material && !materials.has(material)) materials.set(material, JSON.stringify(material));
    const key = [
      JSON.stringify([
        surface ?? form,
        perAxis,
        thickness,
        edges,
        planeNormal,
        String(mass),
        rules.group[i],
        rules.mask[i],
      ]),
      material && materials.get(material),
      patterns.map((pattern) => (namesBody(pattern, name) ? 1 : 0)).join(''),
    ].join('\n');
    const known = classes.get(key);
    if (known) known.shapes.push(i);
    else classes.set(key, { shapes: [i], group: rules.group[i], mask: rules.mask[i] });
  });
  return [...classes.values()];
}

interface PairCount {
  readonly a: number;
  readonly b: number;
  count: number;
  readonly byGroups: boolean;
}

/** All pairs of two classes less those on one body and those that are excluded. */
function pairCounts(
  classes: readonly ShapeClass[],
  { body, excludedBodies, excludedShapes }: ContactPlan['rules'],
): PairCount[] {
  const classOf = new Int32Array(body.length);
  classes.forEach(({ shapes }, c) => {
    for (const i of shapes) classOf[i] = c;
  });
  const n = classes.length;
  const rows: PairCount[] = [];
  const at = new Map<number, PairCount>();
  for (let a = 0; a < n; a++)
    for (let b = a; b < n; b++) {
      const [p, q] = [classes[a], classes[b]];
      const byGroups = (p.group & q.mask) === 0 || (q.group & p.mask) === 0;
      const [k, l] = [p.shapes.length, q.shapes.length];
      const row = { a, b, count: byGroups ? 0 : a === b ? (k * (k - 1)) / 2 : k * l, byGroups };
      rows.push(row);
      at.set(a * n + b, row);
    }
  const take = (a: number, b: number, count: number): void => {
    const row = at.get(Math.min(a, b) * n + Math.max(a, b))!;
    if (!row.byGroups) row.count -= count;
  };
  // Shapes of a body, by class
  const ofBody = new Map<number, Map<number, number>>();
  body.forEach((index, i) => {
    const counts = ofBody.get(index) ?? new Map<number, number>();
    counts.set(classOf[i], (counts.get(classOf[i]) ?? 0) + 1);
    ofBody.set(index, counts);
  });
  for (const counts of ofBody.values()) {
    const list = [...counts];
    for (const [k, [a, count]] of list.entries()) {
      take(a, a, (count * (count - 1)) / 2);
      for (const [b, other] of list.slice(k + 1)) take(a, b, count * other);
    }
  }
  const parted = new Set<string>();
  for (let k = 0; k < excludedBodies.length; k += 2) {
    const [a, b] = [excludedBodies[k], excludedBodies[k + 1]];
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (a === b || parted.has(key)) continue;
    parted.add(key);
    for (const [c, count] of ofBody.get(a) ?? [])
      for (const [d, other] of ofBody.get(b) ?? []) take(c, d, count * other);
  }
  const shapesParted = new Set<string>();
  for (let k = 0; k < excludedShapes.length; k += 2) {
    const [i, j] = [excludedShapes[k], excludedShapes[k + 1]];
    const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
    const bodies = `${Math.min(body[i], body[j])} ${Math.max(body[i], body[j])}`;
    if (body[i] === body[j] || parted.has(bodies) || shapesParted.has(key)) continue;
    shapesParted.add(key);
    take(classOf[i], classOf[j], 1);
  }
  return rows;
}

function firstAllowed(first: ShapeClass, second: ShapeClass, allowed: AllowedPairs): readonly [number, number] {
  for (const i of first.shapes) for (const j of second.shapes) if (i !== j && allowed.allows(i, j)) return [i, j];
  throw new Error('no pair of these classes may touch');
}

/** `rack[0]`, `rack[1]`, `cue` → `rack`, `cue` */
function collapsed(names: readonly string[]): string[] {
  const single = new Set(names);
  if (single.size === 1) return [...single];
  return [...new Set(names.map((name) => name.replace(/\[\d+\]$/, '')))];
}

const allFixed = (system: System, shapes: readonly ContactShape[], ...classes: readonly ShapeClass[]): boolean =>
  classes.every((one) => one.shapes.every((i) => system.bodies[shapes[i].body].fixed));

/** Who is kept apart, and by whom. */
function keptApart(model: Model, { exclude, pairs, joined }: Contacts): Apart[] {
  const apart: Apart[] = [];
  const touches = (name: string) => {
    const body = model.bodies.get(name);
    return body?.shape !== undefined && body.contact !== false;
  };
  if (joined !== true)
    for (const [name, { body, to = GROUND }] of model.joints) {
      const together =
        typeof joined === 'object' &&
        joined.some(([a, b]) => (namesBody(a, body) && namesBody(b, to)) || (namesBody(a, to) && namesBody(b, body)));
      if (to !== GROUND && !together && touches(body) && touches(to))
        apart.push({ between: [body, to], because: `joint ${name}` });
    }
  for (const between of exclude ?? []) apart.push({ between, because: 'contacts.exclude' });
  for (const [i, { between, touch }] of (pairs ?? []).entries())
    if (touch === false) apart.push({ between, because: `contacts.pairs[${i}].touch` });
  return apart;
}
