/** The section on contact, as an engineer reads it. */
import { quantity } from '../math/quantity.js';
import type { ContactFacts } from './contact-facts.js';
import * as format from './format.js';
import type { PairFacts, PairKind } from './pair-facts.js';

/** Kinds of pairs and exclusions told in full; --json has all. */
const MOST_KINDS = 8;
const MOST_APART = 6;

const n = (value: number, digits = 4): string => format.number(value, digits);

/** Lines of the section, without its label. */
export function contactText(facts: ContactFacts): string[] {
  const { shapes, bodies, silent, broadPhase, tolerance, pairs, apart, kinds, moreKinds } = facts;
  const quiet = silent.length > 0 ? `; ${names(silent)} ${silent.length === 1 ? 'touches' : 'touch'} nobody` : '';
  const lines = [
    `${format.plural(shapes, 'shape')} on ${format.count(bodies)} ${bodies === 1 ? 'body' : 'bodies'}, ${format.plural(pairs, 'pair')} may touch${quiet}; ` +
      `broad phase ${broadPhase}, tolerance ${n(tolerance)} of the depth`,
  ];
  for (const { between, because } of apart.slice(0, MOST_APART))
    lines.push(
      `  apart       ${between[0] === between[1] ? `${between[0]} among themselves` : between.join(' and ')}: ${because}`,
    );
  if (apart.length > MOST_APART)
    lines.push(`  … and ${format.count(apart.length - MOST_APART)} more kept apart; --json lists them`);
  for (const kind of kinds.slice(0, MOST_KINDS)) lines.push(...kindLines(kind));
  const hidden = kinds.length - Math.min(kinds.length, MOST_KINDS) + moreKinds;
  if (hidden > 0) lines.push(`  … and ${format.plural(hidden, 'kind')} of pairs more; --json lists them`);
  return lines;
}

function kindLines({ between: [first, second], count, example, facts, refused }: PairKind): string[] {
  const same = names(first) === names(second);
  const who =
    count === 1
      ? example.join('–')
      : `${same ? `${names(first)} among themselves` : `${names(first)}–${names(second)}`}, ${format.count(count)} pairs such as ${example.join('–')}`;
  if (!facts) return [`  ${who}: ${refused}`];
  const line = (label: string, text: string): string => `    ${label.padEnd(12)}${text}`;
  return [
    `  ${who}: ${facts.route}, ${facts.materials.join(' on ')}`,
    line('normal', normalText(facts)),
    line(facts.depthAt === 'rest' ? 'at rest' : 'at 1 m/s', depthText(facts)),
    ...(facts.softened ? [line('softened', softenedText(facts))] : []),
    line('impact', impactText(facts)),
    line('friction', frictionText(facts)),
    line('origin', facts.origin),
    facts.stepping
      ? line(
          'time step',
          facts.stepping.regime === 'rigid'
            ? `rigid at ${quantity(facts.stepping.step, 's', 2)} (h² k w = ${n(facts.stepping.stiffness, 2)}): rests ${quantity(facts.stepping.depth, 'm', 2)} deep under its own weight, an impact is over in a step with its restitution`
            : `its own law at ${quantity(facts.stepping.step, 's', 2)} (h² k w = ${n(facts.stepping.stiffness, 2)}): followed implicitly, ${quantity(facts.stepping.depth, 'm', 2)} deep at rest; a blow is rigid and keeps its restitution`,
        )
      : line('fixed step', `${quantity(facts.fixedStep, 's', 2)}, a twentieth of the contact`),
  ];
}

const names = (list: readonly string[]): string =>
  list.length > 4 ? `${list.slice(0, 3).join(', ')} and ${list.length - 3} more` : list.join(', ');

function normalText({ normalLaw, reducedModulus, effectiveRadius, effectiveMass, contactsAre }: PairFacts): string {
  const constants = normalLaw.constants.map(
    ({ symbol, value, unit }) => `${symbol} = ${n(value)}${unit && ` ${unit}`}`,
  );
  const law = [normalLaw.name, normalLaw.formula].filter(Boolean).join(' ');
  const radius = effectiveRadius === null ? `in ${contactsAre}` : `R = ${quantity(effectiveRadius, 'm')}`;
  return `${[law, ...constants].join(', ')}; E* = ${quantity(reducedModulus, 'Pa')}, ${radius}, effective mass ${format.mass(effectiveMass)}`;
}

const depthText = ({ depth, depthShare, stiffness }: PairFacts): string =>
  `${quantity(depth, 'm')} deep, ${n(100 * depthShare, 2)} % of the smaller; ${quantity(stiffness, 'N/m')} there`;

function softenedText({ softened, real, wantedDepth, reducedModulus }: PairFacts): string {
  if (softened === 'given') return `no: the stiffness is given, depth ${n(wantedDepth!)} has no say`;
  if (!real) return `no: real materials rest deeper than ${n(wantedDepth!)} of the smaller`;
  return (
    `${n(real.reducedModulus / reducedModulus, 2)} times, for depth ${n(wantedDepth!)}; real: E* = ${quantity(real.reducedModulus, 'Pa')}, ` +
    `${quantity(real.depth, 'm')} deep at rest, ${quantity(real.stiffness, 'N/m')} there, impact ${quantity(real.contactTime, 's')} at 1 m/s`
  );
}

function impactText({ contactTime, restitution, dampingFactor, floorSpeed, guessed }: PairFacts): string {
  const time = `${quantity(contactTime, 's')} at 1 m/s`;
  if (restitution === null) return `${time}; damping is that of the law`;
  const guess = guessed.includes('restitution') ? ' (a guess)' : '';
  const factor = dampingFactor === null ? '' : `, damping factor ${n(dampingFactor)}`;
  const floor =
    floorSpeed === null ? '' : `, down to about ${n(10 * floorSpeed, 2)} m/s (floor speed ${n(floorSpeed, 2)} m/s)`;
  return `${time}; restitution ${n(restitution)}${guess}${factor}${floor}`;
}

function frictionText({ friction, torsion, guessed }: PairFacts): string {
  const { law, static: still, kinetic, rolling, dampingRatio } = friction;
  if (law === 'none') return 'none';
  const values = still === kinetic ? n(still) : `${n(still)} at rest, ${n(kinetic)} sliding`;
  const guess = guessed.includes('friction') ? ' (a guess)' : '';
  const bristle = dampingRatio === null ? '' : `, damping ratio ${n(dampingRatio, 2)}`;
  return `${values}${guess}, ${law}${bristle}; ${rolling > 0 ? `rolling ${n(rolling)}, ` : ''}torsion ${torsion}`;
}
