/** About the run: how it ended, how far its numbers can be trusted, its parameters, versions, hash and events. */

import { decimal, quantity } from '../../math/quantity.js';
import type { Json } from '../../results/trust-report.js';
import { element } from '../controls/element.js';
import type { Playback } from '../playback/playback.js';

const STATES: Readonly<Record<Playback['state'], string>> = {
  finished: 'The run went to its end.',
  running: 'The run goes on, or was killed: this is what had been recorded when the file was opened.',
  interrupted: 'The run was stopped by its user; what had been computed is here.',
  failed: 'The run failed; what had been computed is here.',
  model: 'A model as it is drawn; it has not been run.',
};
const EVENTS_SHOWN = 200;

export function fillRunPanel(panel: HTMLElement, playback: Playback, jump: (time: number) => void): void {
  const { title, state, times, signals, hash, versions, parameters, events } = playback;
  panel.replaceChildren(
    element('h3', {}, title || 'Run'),
    element('p', { class: state === 'failed' ? 'viewer-warning' : 'viewer-quiet' }, STATES[state]),
    ...section(
      '',
      state === 'model'
        ? []
        : [
            ['recorded', `${count(times.length, 'instant')} of ${count(signals.length, 'signal')}`],
            ['until', quantity(times.at(-1) ?? 0, 's')],
            ['hash', hash || 'not known while the run goes on'],
          ],
    ),
    ...verdict(playback),
    ...section('How far it can be trusted', trustRows(playback)),
    ...notes(playback),
    ...section(
      'Parameters',
      Object.entries(parameters).map(([name, value]) => [name, jsonText(value)]),
    ),
    ...section('Versions', Object.entries(versions)),
    ...eventList(events, jump),
  );
}

type Row = readonly [label: string, text: string];

/** As far as it is there: a stage may add its own entries, and those show as they are. */
function trustRows({ trust }: Playback): Row[] {
  const { verdict: _, energy, momentum, constraints, steps, notes: __, integrator, degreesOfFreedom, ...more } = trust;
  const list: Row[] = [];
  if (energy)
    list.push(
      ['energy ledger', `closes to ${decimal(energy.relativeError, 2)} of the energy that moved`],
      ['kinetic', quantity(energy.kinetic, 'J')],
      ['potential', quantity(energy.potential, 'J')],
      ['elastic', quantity(energy.elastic, 'J')],
      ['turned into heat', quantity(energy.dissipated, 'J')],
      ['put in', quantity(energy.putIn, 'J')],
    );
  if (momentum) list.push(['momentum drift', `${decimal(momentum.relative, 2)} of the largest`]);
  if (constraints) list.push(['loops', `closed to ${decimal(constraints.position, 2)} m or rad`]);
  if (steps) {
    const cause = steps.smallestCausedBy ? `, for ${steps.smallestCausedBy}` : '';
    list.push(
      ['steps', `${grouped(steps.accepted)} accepted, ${grouped(steps.rejected)} tried again`],
      ['smallest step', `${quantity(steps.smallest, 's', 2)} at ${decimal(steps.smallestAt ?? 0)} s${cause}`],
    );
  }
  if (typeof integrator === 'object' && integrator !== null && 'method' in integrator)
    list.push([
      'integrator',
      `${String(integrator.method)}${integrator.rtol === undefined ? '' : `, rtol ${String(integrator.rtol)}`}`,
    ]);
  if (typeof degreesOfFreedom === 'number') list.push(['degrees of freedom', String(degreesOfFreedom)]);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) list.push([words(name), jsonText(value)]);
  return list;
}

/** The one word, and why; what to do below each reason. */
function verdict({ trust }: Playback): HTMLElement[] {
  if (!trust.verdict) return [];
  const { word, reasons } = trust.verdict;
  const className = word === 'trusted' ? 'viewer-quiet' : 'viewer-warning';
  return reasons.flatMap(({ reason, remedy }, i) => [
    element('p', { class: className }, ...(i === 0 ? [element('strong', {}, word), `: ${reason}`] : [reason])),
    ...(remedy === undefined ? [] : [element('p', { class: 'viewer-quiet' }, `→ ${remedy}`)]),
  ]);
}

function notes({ trust }: Playback): HTMLElement[] {
  return (trust.notes ?? []).map((note) => element('p', { class: 'viewer-warning' }, note));
}

function eventList(events: Playback['events'], jump: (time: number) => void): HTMLElement[] {
  if (events.length === 0) return [];
  const items = events
    .slice(0, EVENTS_SHOWN)
    .map(({ time, name }) =>
      element(
        'li',
        {},
        element('button', { type: 'button', class: 'viewer-link', onclick: () => jump(time) }, `${decimal(time, 6)} s`),
        ` ${name}`,
      ),
    );
  if (events.length > EVENTS_SHOWN)
    items.push(element('li', { class: 'viewer-quiet' }, `and ${grouped(events.length - EVENTS_SHOWN)} more`));
  return [element('h4', {}, 'Events'), element('ul', { class: 'viewer-events' }, ...items)];
}

const section = (title: string, list: readonly Row[]): HTMLElement[] =>
  list.length === 0 ? [] : [...(title ? [element('h4', {}, title)] : []), rows(list)];

const rows = (list: readonly Row[]): HTMLElement =>
  element(
    'dl',
    { class: 'viewer-figures' },
    ...list.map(([label, text]) => element('div', {}, element('dt', {}, label), element('dd', {}, text))),
  );

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
const count = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `frictionHeat` → `friction heat` */
const words = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

/** Short; a list or table of the report as JSON. */
function jsonText(value: Json): string {
  if (typeof value === 'number')
    return decimal(value, 6)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  if (typeof value === 'string') return value;
  // One level deep in words, what is deeper as it is
  const text =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
          .map(
            ([name, part]) =>
              `${words(name)} ${typeof part === 'object' ? JSON.stringify(part) : jsonText(part as Json)}`,
          )
          .join(', ')
      : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
