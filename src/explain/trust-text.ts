/** The trust report in a few lines. */

import { quantity } from '../math/quantity.js';
import type { EnergyLedger, TrustReport, Verdict } from '../results/trust-report.js';
import { count, number, plural } from './format.js';

export function describeTrust({
  verdict,
  energy,
  constraints,
  attitude,
  steps,
  notes,
  ...more
}: TrustReport): string[] {
  const lines: string[] = [];
  if (energy)
    lines.push(
      `energy      ${joules(energy, energy.kinetic)} kinetic, ${joules(energy, energy.potential)} potential, ${joules(energy, energy.elastic)} elastic; ` +
        `${joules(energy, energy.dissipated)} turned into heat, ${joules(energy, energy.putIn)} put in`,
      `            the ledger closes to ${number(energy.relativeError, 2)} of the energy that moved`,
    );
  if (constraints) lines.push(`loops       closed to ${number(constraints.position, 2)} m or rad`);
  if (attitude)
    lines.push(
      `attitude    of ${attitude.body} known to about ${number(attitude.largest, 1)} rad, of free bodies the worst`,
    );
  const integrator = more.integrator as
    | { method: string; rtol?: number; switches?: { t: number; to: string; reason: string }[] }
    | undefined;
  const grainsAlone = integrator?.method === 'leapfrog';
  if (steps && !grainsAlone) {
    const cause = steps.smallestCausedBy ? ` for ${steps.smallestCausedBy}` : '';
    const length = steps.smallest < 1e-15 ? 'below 1 fs' : quantity(steps.smallest, 's', 2);
    // where other things end every step, as grains do in time stepping, none is the smallest
    const smallest =
      steps.smallest > 0 ? `; smallest ${length} at t = ${number(steps.smallestAt ?? 0, 4)} s${cause}` : '';
    lines.push(`steps       ${count(steps.accepted)} accepted, ${count(steps.rejected)} tried again${smallest}`);
  }
  const grains = more.grains as
    | {
        count: number;
        steps: number;
        step: number;
        margin: number;
        threads: number;
        deepestPair: number;
        deepestWall: number;
        overlapsOf: string;
        contactsSoFar?: number;
        touches?: number;
        removed: number;
      }
    | undefined;
  // Rigid grains tell of themselves in notes
  if (grains?.count !== undefined)
    lines.push(
      `grains      ${count(grains.count)}${grains.removed > 0 ? ` and ${count(grains.removed)} that have left` : ''}; ${count(grains.steps)} steps of ${quantity(grains.step, 's', 3)}` +
        `${Number.isFinite(grains.margin) ? `, the critical one was ${number(grains.margin, 2)} times that at least` : ''}; on ${plural(grains.threads, 'thread')}`,
      `            overlaps at most ${number(grains.deepestPair, 2)} of a ${grains.overlapsOf} between grains, ${number(grains.deepestWall, 2)} in bodies`,
    );
  if (grains?.touches !== undefined)
    lines.push(
      `            ${count(grains.contactsSoFar!)} contacts evaluated; ${plural(grains.touches, 'time')} two began to touch`,
    );
  const islands = more.islands as { joins: number; splits: number; largest: number } | undefined;
  if (islands)
    lines.push(
      `islands     each with its own steps; ${count(islands.joins)} joined, ${count(islands.splits)} split, at most ${plural(islands.largest, 'mechanism')} in one`,
    );
  if (integrator) {
    lines.push(
      grainsAlone
        ? 'integrator  leapfrog, for grains alone: no body moves freely'
        : integrator.method === 'time-stepping'
          ? `integrator  ${integrator.method}`
          : `integrator  ${integrator.method}, relative tolerance ${number(integrator.rtol!)}`,
    );
    for (const { t, to, reason } of integrator.switches?.slice(0, 5) ?? [])
      lines.push(`            from t = ${number(t, 4)} s ${to}: ${reason}`);
  }
  if (typeof more.degreesOfFreedom === 'number') lines.push(`freedom     ${plural(more.degreesOfFreedom, 'degree')}`);
  for (const note of notes ?? []) lines.push(`note        ${note}`);
  if (verdict) lines.push(...describeVerdict(verdict));
  return lines;
}

/** Beside the largest of a ledger, what is rounding is nothing. */
function joules({ kinetic, potential, elastic, dissipated, putIn }: EnergyLedger, value: number): string {
  const largest = Math.max(...[kinetic, potential, elastic, dissipated, putIn].map(Math.abs));
  return quantity(Math.abs(value) < 1e-12 * largest ? 0 : value, 'J');
}

/** The word and its reasons, what to do below each. */
function describeVerdict({ word, reasons }: Verdict): string[] {
  return reasons.flatMap(({ reason, remedy }, i) => [
    `${i === 0 ? `verdict     ${word}: ` : '            and '}${reason}`,
    ...(remedy === undefined ? [] : [`            → ${remedy}`]),
  ]);
}
