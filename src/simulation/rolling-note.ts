/**
 * What still rolls at the end of a run and will for ever. Friction stops what slides and restitution what bounces, but balls and rollers are stopped by rolling friction
 * alone, and there is none unless it is given. So a run that ends with one rolling says so, and how soon its materials would stop it.
 */
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';

/** Of √(g R): what rolls slower than this is at rest for any eye */
const SLOW = 1e-3;
/** Of the speed of rolling: what slips faster than this is slowed by friction */
const SLIPPING = 0.1;

/** One sentence about the fastest; nothing where none rolls or rolling friction was given, if only as 0. The mechanics must be at the end of the run. */
export function rollingNote({ carriers, system }: MechanicalSystem, contacts: ContactSystem): string[] {
  if (system.gravity.kind !== 'uniform') return [];
  const [gx, gy, gz] = system.gravity.acceleration;
  const gravity = Math.sqrt(gx * gx + gy * gy + gz * gz);
  let fastest: ContactPair | undefined;
  let speed = 0;
  for (const pair of contacts.pairs) {
    if (!pair.touching || !(pair.law.unresistedRolling > 0)) continue;
    const rolling = rollingSpeed(pair, carriers);
    if (rolling > speed && rolling > SLOW * Math.sqrt(gravity * radiusOf(pair))) {
      fastest = pair;
      speed = rolling;
    }
  }
  if (!fastest) return [];
  const { unresistedRolling } = fastest.law;
  const time = speed / (unresistedRolling * gravity);
  return [
    `${fastest.name} still rolls, at ${speed.toPrecision(2)} m/s, and nothing will stop it: no rolling friction is given. rollingFriction: 'hysteresis' takes what the materials ` +
      `lose, ${unresistedRolling.toPrecision(2)} here, which stops it in about ${time.toPrecision(2)} s; rough or dirty ground has some 0.01`,
  ];
}

const radiusOf = ({ law }: ContactPair): number =>
  Number.isFinite(law.effectiveRadius) ? law.effectiveRadius : law.rollingRadius;

/** R times the relative angular velocity across the normal, m/s; 0 for what slips */
function rollingSpeed(pair: ContactPair, { twist, position }: Carriers): number {
  const { a, b, normal: n, point } = pair;
  const turning = [0, 0, 0];
  const slipping = [0, 0, 0];
  for (let k = 0; k < 3; k++) turning[k] = twist[6 * b + k] - twist[6 * a + k];
  for (const [carrier, sign] of [
    [a, -1],
    [b, 1],
  ])
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      slipping[k] +=
        sign *
        (twist[6 * carrier + 3 + k] +
          twist[6 * carrier + l] * (point[m] - position[3 * carrier + m]) -
          twist[6 * carrier + m] * (point[l] - position[3 * carrier + l]));
    }
  const rolling = radiusOf(pair) * across(turning, n);
  return across(slipping, n) < SLIPPING * rolling ? rolling : 0;
}

/** Size of the part of a vector across a unit normal */
function across([x, y, z]: readonly number[], n: Float64Array): number {
  const along = x * n[0] + y * n[1] + z * n[2];
  return Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along));
}
