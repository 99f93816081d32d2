/**
 * A start in equilibrium that is none for long: a column pressed straight beyond its buckling load, a pendulum upside down. The search for rest ends there as well as at a
 * stable position, and the run stays, or goes when rounding pushes it. A small motion about it grows as e^(λ t) with the eigenvalue λ of the linearised system whose real part is
 * largest (dynamics/linearisation.ts).
 */
import type { System } from '../assembly/system.js';
import { startFromRest } from '../dynamics/equilibrium.js';
import { initialise } from '../dynamics/initialise.js';
import { freeDirections, massProjection, stateMatrix } from '../dynamics/linearisation.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { velocityNames } from '../dynamics/velocity-names.js';
import { eigenvalues, eigenvector } from '../math/eigen.js';
import { quantity } from '../math/quantity.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import type { Doubts } from './strain-range.js';

/** Velocities: beyond so many a dense eigenproblem takes longer than many a run */
const MOST = 150;

/** λ T: what grows by e⁵ = 150 and more in a run of length T makes of a speck of dust what can be seen. However short the run, it is told: its start may be all that is asked for */
const DECIDES = 5;

/** Of the fastest eigenvalue: what grows more slowly is rounding of differences (explain/small-motions.ts) */
const ROUNDING = 1e-6;

export function unstableRest(system: System, model: Model, recording: Recording): Doubts {
  const found: Doubts = { doubtful: [], notes: [] };
  // where something presses, the stiffness is another at every depth
  if (model.simulation.start !== 'equilibrium' || touchesAtStart(recording)) return found;
  const stop = recording.times[recording.times.length - 1];
  const mechanics = new MechanicalSystem(system, { tolerance: { relative: 1 } });
  if (mechanics.nv > MOST) {
    found.notes.push(
      `whether the equilibrium of the start is stable was not looked at: ${mechanics.nv} coordinates, up to ${MOST} are`,
    );
    return found;
  }
  const rest = restOf(mechanics);
  const growing = rest && growthAt(mechanics, rest);
  if (!growing) return found;
  const reason =
    `it begins in an equilibrium that is not stable: a small motion of ${growing.mover} grows e-fold in ${quantity(1 / growing.rate, 's', 2)}, ` +
    'so it is rounding that decides whether, when and to which side it goes';
  const remedy = 'push it a little to one side (a small force, a slight bend), or take loads under which it is stable';
  if (growing.rate * stop > DECIDES) found.doubtful.push({ reason, remedy });
  else found.notes.push(`${reason}; ${remedy}`);
  return found;
}

const touchesAtStart = (recording: Recording): boolean =>
  recording.signals.some(
    ({ name }) => name.startsWith('contacts.') && name.endsWith('.touching') && recording.signal(name).values[0] > 0,
  );

/** As the run began (simulation/run-parts.ts); undefined where it is set in motion, which is no small one */
function restOf(mechanics: MechanicalSystem): Float64Array | undefined {
  const { nq, nv } = mechanics;
  const y = Float64Array.from(mechanics.system.initial);
  initialise(mechanics, 0, y);
  startFromRest(mechanics, y);
  return y.subarray(nq, nq + nv).every((v) => v === 0) ? y : undefined;
}

/** What grows fastest from rest at y: 1/s, and the joint or body that moves most, by its share of ½ vᵀ diag(M) v */
function growthAt(mechanics: MechanicalSystem, y: Float64Array): { rate: number; mover: string } | undefined {
  const { nv } = mechanics;
  mechanics.prepare(0, y);
  const basis = freeDirections(mechanics, 0, y);
  const projection = massProjection(mechanics, 0, y, basis);
  const { order, a } = stateMatrix(mechanics, 0, y, basis, projection);
  const { real, imaginary } = eigenvalues(order, a);
  let [fastest, most] = [0, 0];
  for (let k = 0; k < order; k++) {
    fastest = Math.max(fastest, Math.abs(real[k]), Math.abs(imaginary[k]));
    if (real[k] > real[most]) most = k;
  }
  if (!(order > 0 && real[most] > ROUNDING * fastest)) return undefined;
  const vector = eigenvector(order, a, real[most], imaginary[most]);
  const names = velocityNames(mechanics);
  const shares = new Map<string, number>();
  for (let j = 0; j < nv; j++) {
    let [v, momentum] = [0, 0];
    for (let k = 0; k < basis.length; k++) {
      v += basis[k][j] * vector[k];
      momentum += projection[k][j] * vector[k];
    }
    const mover = names[j].replace(/\.deformation\.\d+$/, '');
    shares.set(mover, (shares.get(mover) ?? 0) + v * momentum);
  }
  const [mover] = [...shares].reduce((best, other) => (other[1] > best[1] ? other : best));
  return { rate: real[most], mover };
}
