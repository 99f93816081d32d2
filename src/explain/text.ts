/** An explanation as an engineer reads it. */
import { quantity } from '../math/quantity.js';
import type { Vec3 } from '../math/vec3.js';
import { kebabCase, type Parameter } from '../model/parameters.js';
import { contactText } from './contact-text.js';
import type { Explanation } from './explanation.js';
import { flexibleText } from './flexible.js';
import { flexibleContactText } from './flexible-contacts.js';
import * as format from './format.js';
import { parameterText } from './parameter-text.js';
import type { ModeFacts, SmallMotions } from './small-motions.js';
import type { BodyFacts, JointFacts } from './structure.js';
import type { ElementFacts } from './time-scales.js';

/** Longer lists are cut here; --json has all. */
const MOST_LINES = 16;
const MOST_ISLANDS = 6;

const n = (value: number, digits = 5): string => format.number(Math.abs(value) < 1e-14 ? 0 : value, digits);

export function explanationText(facts: Explanation, parameters: readonly Parameter[]): string[] {
  const { bodies, joints, constraints, states, energy, start, rest, elements, contact, run, signals } = facts;
  const lines: string[] = [facts.title && facts.title !== facts.model ? `${facts.model}: ${facts.title}` : facts.model];
  const section = (label: string, first: string, entries: readonly (readonly [string, string])[] = []): void => {
    lines.push(`${label.padEnd(12)}${first}`);
    const shown = entries.slice(0, MOST_LINES);
    const width = Math.max(0, ...shown.map(([name]) => name.length));
    for (const [name, text] of shown) lines.push(`  ${name.padEnd(width)}  ${text}`.trimEnd());
    if (entries.length > MOST_LINES)
      lines.push(`  … and ${format.count(entries.length - MOST_LINES)} more; --json lists them`);
  };

  if (parameters.length > 0)
    section(
      'parameters',
      format.count(parameters.length),
      parameters.map(({ name, comment }) => [`--${kebabCase(name)}`, parameterText(facts.parameters[name], comment)]),
    );
  section('gravity', gravityText(facts.gravity));
  section(
    'bodies',
    `${format.count(bodies.length)}, ${format.mass(bodies.reduce((sum, { mass }) => sum + (mass ?? 0), 0))} in all`,
    bodies.map((body) => [body.name, bodyText(body)]),
  );
  if (facts.flexible.length > 0)
    section(
      'flexible',
      format.count(facts.flexible.length),
      facts.flexible.map((one) => [one.name, flexibleText(one)]),
    );
  if (facts.flexibleContacts.length > 0)
    section(
      'they touch',
      format.count(facts.flexibleContacts.length),
      facts.flexibleContacts.map((one) => [one.name, flexibleContactText(one)]),
    );
  if (joints.length > 0)
    section(
      'joints',
      format.count(joints.length),
      joints.map((joint) => [joint.name, jointText(joint)]),
    );
  if (constraints.length > 0)
    section(
      'constraints',
      format.count(constraints.length),
      constraints.map(({ name, kind, rows, independent }) => [name, `${kind}: ${rowsText(rows, independent)}`]),
    );
  section('freedom', freedomText(facts));
  section(
    'states',
    `${format.count(states.count)}: ${format.plural(states.positions, 'position')}, ${states.velocities === 1 ? '1 velocity' : `${format.count(states.velocities)} velocities`}` +
      (states.elements > 0 ? `, ${states.elements} of friction` : '') +
      (states.reserved > 0 ? `; and room for ${format.count(states.reserved)} of friction in contacts` : ''),
    states.layout.map(({ at, count, of, what, unit }) => [
      count === 1 ? `y[${at}]` : `y[${at}…${at + count - 1}]`,
      `${of}: ${what}${unit && `, ${unit}`}`,
    ]),
  );
  // Beside the weight of all bodies raised by their size, what is rounding is nothing
  const weight = facts.bodies.reduce((sum, { mass, size }) => sum + 10 * (mass ?? 0) * Math.max(...(size ?? [0])), 0);
  const joules = (value: number): string => quantity(Math.abs(value) < 1e-12 * weight ? 0 : value, 'J');
  section(
    'energy',
    `${joules(energy.kinetic)} kinetic, ${joules(energy.potential)} potential, ${joules(energy.elastic)} elastic at the start`,
  );

  // Small motions
  section('start', startText(facts), start.smallMotions ? motionEntries(start.smallMotions) : []);
  if (rest.found) {
    const places = Object.entries(rest.coordinates).map(
      ([name, value]) => `${name} = ${n(value)} ${/position\d?$/.test(name) ? 'm' : 'rad'}`,
    );
    const where = places.slice(0, 4).join(', ') + (places.length > 4 ? ', …' : '');
    const far = rest.distance
      ? `the furthest body ${quantity(rest.distance, 'm')} from its start`
      : 'the start without its motion';
    const stable = rest.smallMotions?.stable === false ? 'unstable; ' : '';
    section(
      'rest',
      `${stable}${where ? `at ${where}; ` : ''}${far}`,
      rest.smallMotions ? motionEntries(rest.smallMotions) : [],
    );
  } else if (!start.equilibrium) section('rest', rest.reason ?? 'none');

  const [stiffest] = elements;
  section(
    'stiffness',
    stiffest
      ? `the fastest of what pulls and damps is ${stiffest.name}${apartFrom(facts)}`
      : `nothing elastic, nothing that damps${apartFrom(facts)}`,
    elements.map((element) => [element.name, elementText(element)]),
  );
  if (contact) {
    const [first, ...more] = contactText(contact);
    section('contact', first);
    lines.push(...more);
  }
  if (facts.islands)
    section(
      'islands',
      `${format.count(facts.islands.length)} at the start, each with its own steps; what meets is joined, what parts is split`,
      [
        ...facts.islands
          .slice(0, MOST_ISLANDS)
          .map((names): [string, string] => [
            names.length === 1 ? '1 body' : `${format.count(names.length)} bodies`,
            some(names),
          ]),
        ...(facts.islands.length > MOST_ISLANDS
          ? [['…', `${format.count(facts.islands.length - MOST_ISLANDS)} more`] as [string, string]]
          : []),
      ],
    );
  section('run', runText(run), runEntries(run));
  section('signals', `${format.count(signals.length)}; --signals lists them, --signals 'name*' some of them`);
  for (const warning of contact?.warnings.slice(0, MOST_LINES) ?? []) section('warning', warning);
  return lines;
}

/** The first few names */
const some = (names: readonly string[]): string =>
  names.slice(0, 6).join(', ') + (names.length > 6 ? `, … ${format.count(names.length - 6)} more` : '');

function gravityText(gravity: Explanation['gravity']): string {
  if (gravity.kind === 'field') return 'a field of your own';
  if (gravity.kind === 'point')
    return `of a point mass, µ = ${n(gravity.mu as number)} m³/s², at ${format.position(gravity.centre as Vec3, 1)}`;
  const a = gravity.acceleration as Vec3;
  const size = Math.hypot(...a);
  if (size === 0) return 'none';
  const axis = a.findIndex((x) => Math.abs(x) === size);
  const direction =
    axis >= 0 ? `${a[axis] < 0 ? '−' : '+'}${'xyz'[axis]}` : `(${a.map((x) => n(x / size)).join(', ')})`;
  return `${n(size)} m/s² along ${direction}`;
}

function bodyText({ mass, size, principalMoments, held, joint }: BodyFacts): string {
  if (mass === null)
    return `fixed${size ? `, ${format.size(size.map((x) => Number(x.toPrecision(4))) as unknown as Vec3)}` : ''}`;
  const parts = [
    format.mass(mass),
    size ? format.size(size.map((x) => Number(x.toPrecision(4))) as unknown as Vec3) : 'no shape',
    principalMoments.every((x) => x === 0)
      ? 'a point mass'
      : `principal moments ${principalMoments.map((x) => format.number(x, 4)).join(', ')} kg m²`,
  ];
  const place = held === 'free' ? 'free' : joint ? `hangs on ${joint}` : 'floats, tied by constraints';
  return `${parts.join(', ')}; ${place}`;
}

function jointText({ kind, body, to, place, coordinates, prescribed, rows, independent, active }: JointFacts): string {
  const ends = `${kind} of ${body} on ${to === 'ground' ? 'the ground' : to}`;
  if (!active) return `${ends}: takes hold at an event, ${format.plural(rows, 'row')} then`;
  if (place === 'cut') return `${ends}: closes a loop, ${rowsText(rows, independent)}`;
  if (prescribed) return `${ends}: in the tree, its motion is prescribed`;
  return `${ends}: in the tree, ${coordinates === 0 ? 'no freedom' : `${format.plural(coordinates, 'degree')} of freedom`}`;
}

const rowsText = (rows: number, independent: number): string =>
  `${format.plural(rows, 'constraint row')}${independent < rows ? `, ${rows - independent} of them redundant` : ''}`;

function freedomText({ degreesOfFreedom, redundantRows, states }: Explanation): string {
  const rows = states.velocities - degreesOfFreedom;
  const sum =
    rows > 0 ? `: ${format.count(states.velocities)} velocities less ${format.count(rows)} independent rows` : '';
  const redundant =
    redundantRows > 0
      ? `; ${format.plural(redundantRows, 'row')} redundant: the motion is unique, how joints share the reactions is not`
      : '';
  return `${format.plural(degreesOfFreedom, 'degree')}${sum}${redundant}`;
}

function startText({ start }: Explanation): string {
  const { equilibrium, moving, accelerates, acceleration, accelerationUnit, touching, smallMotions } = start;
  const state = equilibrium
    ? `at rest${smallMotions && !smallMotions.stable ? ', but unstable' : ''}`
    : accelerates
      ? `no equilibrium (${accelerates} accelerates with ${n(acceleration, 4)} ${accelerationUnit}${moving ? ', and things move' : ''})`
      : `in motion, nothing accelerates${smallMotions && !smallMotions.stable ? '; unstable' : ''}`;
  if (touching) return `${state}; bodies touch`;
  if (!smallMotions) return `${state}; too many degrees of freedom to list the small motions`;
  if (smallMotions.modes.length === 0 && smallMotions.drifting === 0) return state;
  return `${state}; small motions ${accelerates ? 'at this moment, no guide to what follows' : 'about it'}:`;
}

function motionEntries({ modes, drifting }: SmallMotions): [string, string][] {
  const entries = modes.map((mode): [string, string] => [modeLabel(mode), modeText(mode)]);
  if (drifting > 0) entries.push(['0 Hz', `${format.plural(drifting, 'direction')} in which nothing pulls back`]);
  return entries;
}

const modeLabel = ({ kind, frequency }: ModeFacts): string => (kind === 'swings' ? `${n(frequency, 4)} Hz` : kind);

function modeText({ kind, frequency, damping, timeConstant, moves }: ModeFacts): string {
  const who = moves.map(({ name, share }) => (share > 0.95 ? name : `${name} ${Math.round(100 * share)} %`)).join(', ');
  const how =
    kind !== 'swings'
      ? `${kind === 'decays' ? 'to 1/e' : 'e-fold'} in ${quantity(timeConstant!, 's')}${kind === 'grows' ? ': unstable' : ''}`
      : timeConstant === null
        ? `period ${quantity(1 / frequency, 's')}, undamped`
        : damping < 0
          ? `period ${quantity(1 / frequency, 's')}, grows e-fold in ${quantity(timeConstant, 's')}: unstable`
          : `period ${quantity(1 / frequency, 's')}, damping ${n(100 * damping, 3)} % of critical, to 1/e in ${quantity(timeConstant, 's')}`;
  return `${how}${who && `; moves ${who}`}`;
}

function apartFrom({ contact, flexible }: Explanation): string {
  const others = [contact && 'contact', flexible.length > 0 && 'what is flexible'].filter(Boolean);
  return others.length > 0 ? ` apart from ${others.join(' and ')}` : '';
}

function elementText({ what, stiffness, unit, rate, timeScale, decay }: ElementFacts): string {
  const given = stiffness === null ? 'a law of your own' : stiffness > 0 ? `${n(stiffness)} ${unit}` : '';
  const scale =
    timeScale === null
      ? ''
      : what === 'end stop'
        ? `${quantity(timeScale, 's', 3)} in touch`
        : `alone ${n(rate / (2 * Math.PI), 4)} Hz, period ${quantity(timeScale, 's', 3)}`;
  const damps = decay > 0 ? `damps to 1/e in ${quantity(1 / decay, 's', 3)}` : '';
  return `${what}: ${[given, scale, damps].filter(Boolean).join('; ')}`;
}

const runText = ({ stopTime, rtol, integrator }: Explanation['run']): string =>
  `${n(stopTime)} s with ${integrator}, relative tolerance ${n(rtol)}`;

function runEntries({
  stopTime,
  recommended,
  reason,
  explicitStepLimit,
  fixedStep,
}: Explanation['run']): [string, string][] {
  const entries: [string, string][] = [['recommended', `${recommended}: ${reason}`]];
  if (explicitStepLimit === null || fixedStep === null) return entries;
  if (recommended !== 'dopri5' && recommended !== 'dop853')
    entries.push([
      'explicit',
      `stable up to steps of ${quantity(explicitStepLimit, 's', 2)} only, ${format.count(Math.ceil(stopTime / explicitStepLimit))} for the run; automatic finds out, and changes to the stiff method that costs least`,
    ]);
  entries.push(['fixed step', `--integrator verlet --step ${n(fixedStep, 2)}: a twentieth of the shortest time scale`]);
  return entries;
}
