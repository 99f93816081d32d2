/**
 * The model: what the user writes, as plain data. Keys are the names in results, errors and viewer. `model` checks everything once;
 * behind it the code trusts its input.
 */

import { ModelError, suggestion } from '../errors.js';
import { type Body, bodySchema, checkBody, drawnFlat } from './body.js';
import { type AnchorReference, type Constraint, constraintSchema } from './constraints.js';
import { type ContactElementPlan, contactElementSchema } from './contact-element.js';
import { type Contacts, contactsSchema, namesBody } from './contacts.js';
import { type Force, forceSchema } from './forces.js';
import { checkGrains, type Grains, grainsSchema } from './grains.js';
import { type Gravity, gravitySchema, isUniform } from './gravity.js';
import { type Joint, jointSchema } from './joints.js';
import { check, nameOf, notNegative, positive, real, userFunction, vector } from './schema.js';
import * as z from './schema-kinds.js';
import { type SoilBed, soilBedSchema, soilOf } from './soil-bed.js';
import { type DrawnSurface, drawnSurface, drawnSurfaceSchema } from './surfaces.js';

/** Values of signals by name, for conditions of the user's own. */
export type SignalReader = (name: string) => number;

/**
 * The condition that two bodies come to touch each other, for events: located as exactly as the run is.
 *
 * @example events: { landed: { when: touch('ball', 'floor'), stop: true } }
 */
export function touch(a: string, b: string): (signal: SignalReader) => number {
  const names = [`contacts.${a}-${b}.touching`, `contacts.${b}-${a}.touching`];
  return (signal) => {
    try {
      return signal(names[0]) - 0.5;
    } catch {
      names.reverse(); // the fixed body stands first in the name, and otherwise that which was written first
      return signal(names[0]) - 0.5;
    }
  };
}

/** Something that happens at a time, or when an expression of signals crosses zero upwards; with `when` alone its time is noted. */
export const eventSchema = z
  .strictObject({
    at: notNegative('a time', 's').optional(),
    when: userFunction<(signal: SignalReader) => number>('a function of signals whose zero is the event').optional(),
    /** Joints that let go, */
    release: z.union([nameOf('a joint'), z.array(nameOf('a joint')).readonly()]).optional(),
    /** joints that take hold, where the bodies are then, */
    attach: z.union([nameOf('a joint'), z.array(nameOf('a joint')).readonly()]).optional(),
    /** or the end of the run. */
    stop: z.boolean().optional(),
  })
  .readonly();
export type ModelEvent = z.output<typeof eventSchema>;

const handNoteSchema = z
  .strictObject({
    /** Done before the first step from here on. */
    t: notNegative('a time', 's'),
    action: z.enum(['grab', 'move', 'release', 'gravity', 'drive'], {
      error: () => "expected 'grab', 'move', 'release', 'gravity' or 'drive'",
    }),
    /** Number of the grip, counted from 0. */
    grip: notNegative('a number of a grip', '').optional(),
    body: nameOf('a body').optional(),
    /** World: where it takes hold, or where it pulls to; of gravity the acceleration in m/s². */
    point: vector('a point', 'm').optional(),
    /** Joint with a prescribed motion that takes up another speed, rad/s or m/s. */
    joint: nameOf('a joint').optional(),
    speed: real('a speed', 'rad/s or m/s').optional(),
  })
  .readonly();

/** How the model is usually run; the command line overrides. */
export const simulationSchema = z
  .strictObject({
    /**
     * Where everything is at the start: as drawn, or at rest in static equilibrium, joints, springs and deformation, from which given velocities
     * set out. Contacts of rigid bodies do not bear in it.
     */
    start: z.enum(['as drawn', 'equilibrium'], { error: () => "expected 'as drawn' or 'equilibrium'" }).optional(),
    stop: positive('a time', 's').optional(),
    /** Time between recorded points. */
    interval: positive('a time', 's').optional(),
    /** Whether mechanisms that touch nothing in common make steps of their own */
    steps: z.enum(['per island', 'one for all'], { error: () => "expected 'per island' or 'one for all'" }).optional(),
    rtol: positive('a relative tolerance', '').optional(),
    integrator: z.string().optional(),
    /** Step of fixed-step methods. */
    step: positive('a time', 's').optional(),
    /** How far a step of 'time-stepping' may be from two of half its length, in place of `step`. */
    accuracy: positive('a length', 'm').optional(),
    /** κ of 'time-stepping': how rigid contacts are that it does not resolve. */
    rigidity: positive('a number', '').optional(),
    /** What a hand does in a 'time-stepping' run: takes hold of a body, pulls the point to another place, lets go (`simulation.hand.notes`). */
    handling: z.array(handNoteSchema).readonly().optional(),
    /** Longest step of the others. */
    longestStep: positive('a time', 's').optional(),
    /** Most steps that are tried, */
    maxSteps: real('a number of steps', '').min(1, { error: 'expected a number of steps ≥ 1' }).optional(),
    /** and longest time on the clock, before the run is ended with what it has. */
    maxTime: positive('a time', 's').optional(),
  })
  .readonly();

const oneOrMany = <Item extends z.AnySchema>(item: Item) => z.union([item, z.array(item).readonly()]);

export const modelSchema = z.strictObject({
  title: z.string().optional(),
  gravity: gravitySchema.optional(),
  bodies: z.record(z.string(), oneOrMany(bodySchema)).optional(),
  joints: z.record(z.string(), oneOrMany(jointSchema)).optional(),
  constraints: z.record(z.string(), oneOrMany(constraintSchema)).optional(),
  forces: z.record(z.string(), oneOrMany(forceSchema)).optional(),
  contacts: contactsSchema.optional(),
  /** Forces with states and history of the user's own. */
  elements: z.record(z.string(), oneOrMany(contactElementSchema)).optional(),
  /** Soft ground that bodies sink into. */
  soils: z.record(z.string(), soilBedSchema).optional(),
  events: z.record(z.string(), eventSchema).optional(),
  simulation: simulationSchema.optional(),
  /** Groups of signals worth a plot each, by name or glob. */
  plots: z.record(z.string(), z.union([z.string(), z.array(z.string()).readonly()])).optional(),
  /** Surfaces that are only drawn. */
  surfaces: z.record(z.string(), drawnSurfaceSchema).optional(),
  /** Spheres by the thousand, and what they do among the bodies */
  grains: grainsSchema.optional(),
});
export type ModelOptions = z.input<typeof modelSchema>;

/** A checked model: every element with its full name (`rack[17]`), in the order written. */
export interface Model {
  readonly kind: 'model';
  readonly title: string;
  readonly gravity: Gravity;
  readonly bodies: ReadonlyMap<string, Body>;
  readonly joints: ReadonlyMap<string, Joint>;
  readonly constraints: ReadonlyMap<string, Constraint>;
  readonly forces: ReadonlyMap<string, Force>;
  /** False: nothing touches anything. */
  readonly contacts: Contacts | false;
  readonly elements: ReadonlyMap<string, ContactElementPlan>;
  readonly soils: ReadonlyMap<string, SoilBed>;
  readonly events: ReadonlyMap<string, ModelEvent>;
  readonly simulation: z.output<typeof simulationSchema>;
  readonly plots: Readonly<Record<string, readonly string[]>>;
  /** Only drawn, and may move in time. */
  readonly surfaces: ReadonlyMap<string, DrawnSurface>;
  /** Undefined where there are none */
  readonly grains?: Grains | undefined;
}

/** The name of what does not move. */
export const GROUND = 'ground';

/**
 * Checks a model and gives every element its full name.
 *
 * @throws ModelError with the path of what is wrong, e.g. `joints.elbow.body`
 * @example model({ bodies: { ball: body({ shape: sphere(0.1), material: steel, position: [0, 0, 1] }) } })
 */
export function model(options: ModelOptions): Model {
  if (typeof options !== 'object' || options === null) check(modelSchema, options, 'model');
  const known = new Set(Object.keys(modelSchema.shape));
  for (const key of Object.keys(options))
    if (!known.has(key))
      throw new ModelError(
        'model',
        `has no "${key}"${suggestion(key, known) || `; it knows ${[...known].join(', ')}`}`,
      );
  refuseTooMany(options.bodies);
  const plots = check(modelSchema.shape.plots, options.plots, 'plots') ?? {};
  const checked: Model = {
    kind: 'model',
    title: check(modelSchema.shape.title, options.title, 'title') ?? '',
    gravity: check(gravitySchema.optional(), options.gravity, 'gravity') ?? 'earth',
    bodies: new Map(
      [...named(options.bodies ?? (options.grains ? {} : options.bodies), 'bodies', bodySchema)].map(
        ([name, given]) => [name, drawnFlat(given)],
      ),
    ),
    joints: named(options.joints, 'joints', jointSchema),
    constraints: named(options.constraints, 'constraints', constraintSchema),
    forces: named(options.forces, 'forces', forceSchema),
    contacts: check(contactsSchema.optional(), options.contacts, 'contacts') ?? {},
    elements: named(options.elements, 'elements', contactElementSchema),
    soils: named(options.soils, 'soils', soilBedSchema),
    events: named(options.events, 'events', eventSchema),
    simulation: check(simulationSchema.optional(), options.simulation, 'simulation') ?? {},
    plots: Object.fromEntries(
      Object.entries(plots).map(([name, signals]) => [name, typeof signals === 'string' ? [signals] : signals]),
    ),
    surfaces: new Map(
      [...named(options.surfaces, 'surfaces', drawnSurfaceSchema)].map(([name, given]) => [
        name,
        drawnSurface(given, `surfaces.${name}`),
      ]),
    ),
    grains: check(modelSchema.shape.grains, options.grains, 'grains'),
  };
  checkContacts(checked);
  if (checked.grains) checkGrains(checked.grains, new Set(checked.bodies.keys()));
  else if (checked.bodies.size === 0) throw new ModelError('bodies', 'expected at least one body, got none');
  checkReferences(checked);
  return checked;
}

/** Each body has a dozen signals, names and a place in every table: more than this is refused before memory is used up. */
const MOST_BODIES = 100_000;

function refuseTooMany(group: unknown): void {
  if (typeof group !== 'object' || group === null) return;
  const bodies = Object.values(group).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
  if (bodies > MOST_BODIES)
    throw new ModelError(
      'bodies',
      `expected at most ${MOST_BODIES} bodies, got ${bodies}; many equal balls or stones are \`grains\`, see docs/guide/grains.md`,
    );
}

/** `rack: [ball, ball]` becomes rack[0] and rack[1]; each is checked under its own path. */
function named<Schema extends z.AnySchema>(
  group: unknown,
  path: string,
  schema: Schema,
): Map<string, z.output<Schema>> {
  const elements = new Map<string, z.output<Schema>>();
  if (group === undefined) return elements;
  if (typeof group !== 'object' || group === null || Array.isArray(group))
    throw new ModelError(
      path,
      `expected named elements { name: … }, got ${Array.isArray(group) ? 'an array' : String(group)}`,
    );
  // `{ __proto__: … }` in a file is no name but changes the object's kind, and the element would be lost without a word.
  const kind: unknown = Object.getPrototypeOf(group);
  if (kind !== null && Object.getPrototypeOf(kind) !== null)
    throw new ModelError(`${path}.__proto__`, 'this name is taken by JavaScript; expected another');
  for (const [name, value] of Object.entries(group)) {
    if (name === GROUND)
      throw new ModelError(`${path}.${name}`, 'this name is taken: it is what does not move; call a floor "floor"');
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name))
      throw new ModelError(
        `${path}["${name}"]`,
        'expected a name of letters, digits, _ and -, beginning with a letter',
      );
    if (Array.isArray(value))
      for (const [i, item] of value.entries())
        elements.set(`${name}[${i}]`, check(schema, item, `${path}.${name}[${i}]`));
    else elements.set(name, check(schema, value, `${path}.${name}`));
  }
  return elements;
}

/** Every name that is used must exist, and every body must have a mass. */
function checkReferences(model: Model): void {
  for (const [name, given] of model.bodies) checkBody(given, `bodies.${name}`);
  const signals = [...model.joints.keys()];
  const requireBody = (name: string, path: string): void => {
    if (name === GROUND || model.bodies.has(name)) return;
    throw new ModelError(path, `there is no body "${name}"${suggestion(name, model.bodies.keys())}`);
  };
  const requireJoint = (name: string, path: string): void => {
    if (!model.joints.has(name)) throw new ModelError(path, `there is no joint "${name}"${suggestion(name, signals)}`);
  };
  const requirePlace = (place: AnchorReference | undefined, path: string): void => {
    if (typeof place === 'string') requireFrame(model, place, path);
    else if (place !== undefined && 'body' in place) {
      requireBody(place.body, `${path}.body`);
      requirePlace(place.at as AnchorReference, `${path}.at`);
    }
  };

  for (const [name, joint] of model.joints) {
    const path = `joints.${name}`;
    requireBody(joint.body, `${path}.body`);
    if (joint.body === GROUND || model.bodies.get(joint.body)?.fixed)
      throw new ModelError(
        `${path}.body`,
        `${joint.body === GROUND ? 'the ground' : `"${joint.body}"`} does not move; name the moving body here and the ${joint.body === GROUND ? 'ground' : 'fixed one'} as "to"`,
      );
    if (joint.to !== undefined) requireBody(joint.to, `${path}.to`);
    if (joint.body === (joint.to ?? GROUND)) throw new ModelError(path, `connects "${joint.body}" to itself`);
    requirePlace(joint.at, `${path}.at`);
  }
  for (const [name, constraint] of model.constraints) {
    const path = `constraints.${name}`;
    if (constraint.kind === 'gear') {
      for (const [i, joint] of constraint.joints.entries()) requireJoint(joint, `${path}.joints[${i}]`);
      if (constraint.joints[0] === constraint.joints[1])
        throw new ModelError(path, `couples joint "${constraint.joints[0]}" to itself; expected two joints`);
    } else if (constraint.kind === 'rollingWheel') {
      requireBody(constraint.body, `${path}.body`);
      requirePlace(constraint.at, `${path}.at`);
      requirePlace(constraint.plane, `${path}.plane`);
    } else if (constraint.kind === 'pointOnPlane') {
      requirePlace(constraint.point, `${path}.point`);
      requirePlace(constraint.plane, `${path}.plane`);
    } else {
      requirePlace(constraint.from, `${path}.from`);
      requirePlace(constraint.to, `${path}.to`);
    }
  }
  for (const [name, force] of model.forces) {
    const path = `forces.${name}`;
    if (force.kind === 'applied') {
      requirePlace(force.on, `${path}.on`);
      requirePlace(force.reactionOn, `${path}.reactionOn`);
      if (force.force === undefined && force.torque === undefined)
        throw new ModelError(path, 'expected a force in N or a torque in N m, got neither');
    } else {
      requirePlace(force.from, `${path}.from`);
      requirePlace(force.to, `${path}.to`);
      if (force.kind === 'spring') requireSpring(force, path);
    }
  }
  for (const [name, { between }] of model.elements) {
    const path = `elements.${name}`;
    for (const [i, body] of between.entries()) requireBody(body, `${path}.between[${i}]`);
    const stands = (body: string): boolean => body === GROUND || (model.bodies.get(body)?.fixed ?? false);
    if (between[0] === between[1] || between.every(stands))
      throw new ModelError(
        `${path}.between`,
        `expected two bodies of which one can move, got "${between[0]}" and "${between[1]}": a force between them would do nothing`,
      );
  }
  for (const [name, bed] of model.soils) {
    const path = `soils.${name}`;
    soilOf(bed.soil, `${path}.soil`);
    const species = Object.keys(model.grains?.species ?? {});
    const known = [
      ...new Set([...model.bodies.keys()].flatMap((body) => [body, body.replace(/\[\d+\]$/, '')])),
      ...species,
    ];
    for (const body of Array.isArray(bed.bodies) ? bed.bodies : Object.keys(bed.bodies))
      if (!known.some((other) => namesBody(body, other)))
        throw new ModelError(`${path}.bodies`, `there is no body "${body}"${suggestion(body, known)}`);
  }
  for (const [name, event] of model.events) {
    const path = `events.${name}`;
    if ((event.at === undefined) === (event.when === undefined))
      throw new ModelError(path, 'expected either a time "at" in s or a condition "when"');
    for (const joint of [event.release ?? [], event.attach ?? []].flat()) requireJoint(joint, path);
    if (event.at !== undefined && event.release === undefined && event.attach === undefined && !event.stop)
      throw new ModelError(path, 'expected something to happen: release, attach or stop');
  }
}

/** What would do nothing was meant otherwise. */
function requireSpring({ stiffness, damping, restLength }: Extract<Force, { kind: 'spring' }>, path: string): void {
  if (stiffness === undefined && damping === undefined)
    throw new ModelError(path, 'expected a stiffness in N/m or a damping in N s/m, got neither');
  if (stiffness === undefined && restLength !== undefined)
    throw new ModelError(
      path,
      'expected a stiffness in N/m beside restLength, got none; a damper alone has no rest length',
    );
}

/** Names in contact rules must be those of bodies, of groups of bodies (`rack`), or `*`; groups to touch must have someone in them. */
function checkContacts({ contacts, bodies, gravity }: Model): void {
  const groups = new Set(['default']);
  for (const { contact } of bodies.values())
    if (contact) for (const group of [contact.group ?? []].flat()) groups.add(group);
  for (const [name, { contact }] of bodies)
    if (contact)
      for (const group of [contact.touches ?? []].flat())
        if (!groups.has(group))
          throw new ModelError(
            `bodies.${name}.contact.touches`,
            `no body is in the group "${group}"${suggestion(group, groups) || `; there are ${[...groups].join(', ')}`}`,
          );
  if (contacts === false) return;
  const known = [...new Set([...bodies.keys()].flatMap((name) => [name, name.replace(/\[\d+\]$/, '')]))];
  const requireBodies = (pair: readonly string[], path: string): void => {
    for (const [i, name] of pair.entries())
      if (!known.some((body) => namesBody(name, body)))
        throw new ModelError(`${path}[${i}]`, `there is no body "${name}"${suggestion(name, known)}`);
  };
  for (const [i, { between }] of (contacts.pairs ?? []).entries())
    requireBodies(between, `contacts.pairs[${i}].between`);
  for (const [i, pair] of (contacts.exclude ?? []).entries()) requireBodies(pair, `contacts.exclude[${i}]`);
  for (const [i, pair] of (contacts.sensors ?? []).entries()) requireBodies(pair, `contacts.sensors[${i}]`);
  if (typeof contacts.joined === 'object')
    for (const [i, pair] of contacts.joined.entries()) requireBodies(pair, `contacts.joined[${i}]`);
  if (isUniform(gravity)) return;
  const depths: [number | undefined, string][] = [[contacts.depth, 'contacts.depth']];
  for (const [i, { depth }] of (contacts.pairs ?? []).entries()) depths.push([depth, `contacts.pairs[${i}].depth`]);
  for (const [depth, path] of depths)
    if (depth !== undefined)
      throw new ModelError(
        path,
        'a depth at rest needs a weight, and there is no uniform gravity; leave it out, and give a smaller "reducedModulus" where contacts shall be softer',
      );
}

/** `arm` or `arm.tip` */
function requireFrame(model: Model, place: string, path: string): void {
  const [name, frame] = splitPlace(place);
  const carrier = model.bodies.get(name);
  if (name === GROUND && frame === undefined) return;
  if (!carrier) throw new ModelError(path, `there is no body "${name}"${suggestion(name, model.bodies.keys())}`);
  const frames = Object.keys(carrier.frames ?? {});
  if (frame !== undefined && !frames.includes(frame))
    throw new ModelError(
      path,
      `body "${name}" has no frame "${frame}"${suggestion(frame, frames) || `; it has ${frames.join(', ') || 'none'}`}`,
    );
}

/** `arm.tip` → ['arm', 'tip']; `arm` → ['arm', undefined] */
export function splitPlace(place: string): [body: string, frame: string | undefined] {
  const dot = place.indexOf('.');
  return dot < 0 ? [place, undefined] : [place.slice(0, dot), place.slice(dot + 1)];
}
