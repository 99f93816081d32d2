/** What `explain` tells of contact of bodies that deform: how stiff, how heavy, what a time step makes of it. */
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { TIME_STEPPING } from '../integration/method-name.js';
import { quantity } from '../math/quantity.js';
import type { Model } from '../model/model.js';
import { UNRESOLVED } from '../time-stepping/flexible-impact.js';
import * as format from './format.js';

export interface FlexibleContactFacts {
  readonly name: string;
  /** Of a middle place of the surface, N/m; of the lighter body, kg */
  readonly stiffness: number;
  readonly mass: number;
  readonly friction: number;
  /** Of the pair, where the model gives one */
  readonly restitution: number | null;
  /** What is round there, m, and the force from which on the contact is as wide as the longest side of the mesh, m, N; null: nothing is */
  readonly round: { readonly force: number; readonly radius: number; readonly side: number } | null;
  /** Of 'time-stepping': the model's step, s, and h² k/m; null for other integrators */
  readonly stepping: { readonly step: number; readonly stiffness: number; readonly resolved: boolean } | null;
}

export function flexibleContactFacts(
  { simulation: { integrator, step = 1e-3 } }: Model,
  { pairs }: MechanicalSystem,
): FlexibleContactFacts[] {
  return pairs
    .filter((pair): pair is FlexibleContact => pair instanceof FlexibleContact)
    .map(({ shownName, stiffness, mass, plan, wideFrom }) => {
      const inStep = (step * step * stiffness) / mass;
      return {
        name: shownName,
        stiffness,
        mass,
        friction: plan.friction,
        restitution: plan.restitution ?? null,
        round: wideFrom ?? null,
        stepping: integrator === TIME_STEPPING ? { step, stiffness: inStep, resolved: inStep <= UNRESOLVED } : null,
      };
    });
}

export function flexibleContactText({
  stiffness,
  mass,
  friction,
  restitution,
  round,
  stepping,
}: FlexibleContactFacts): string {
  const wide = round
    ? `; a radius of ${quantity(round.radius, 'm', 2)} presses over more than a side of the mesh (${quantity(round.side, 'm', 2)}) to each side from ${quantity(round.force, 'N', 2)} on, with less it is too stiff`
    : '';
  const law = `${quantity(stiffness, 'N/m', 2)} at a point of its surface, ${format.mass(mass)}, friction ${format.number(friction, 3)}${wide}`;
  if (!stepping) return law;
  const regime = `its own law at ${quantity(stepping.step, 's', 2)}, at the end of the step (h² k/m = ${format.number(stepping.stiffness, 2)})`;
  const e = restitution ?? 1;
  return `${law}; ${regime}; ${
    stepping.resolved
      ? 'impacts are followed'
      : `an impact is over within a step and returns ${format.number(e, 3)} of its speed${restitution === null ? ', what waves leave of it the modes tell' : ''}`
  }`;
}
