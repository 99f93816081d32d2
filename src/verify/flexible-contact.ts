/** Claims about contact of flexible bodies (row F5): a steel disc that falls on a rigid plane, against a full finite-element model. */
import type { FlexibleContact } from '../dynamics/flexible-contact.js';
import { circle } from '../geometry/circle-outline.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { body } from '../model/body.js';
import { model } from '../model/model.js';
import { Simulation } from '../simulation/simulation.js';
import { type Check, relative } from './check.js';

const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };

/** Greatest force, N, and rebound of a disc of 10 mm radius and 1 mm thickness at 0.5 m/s, 20 modes, no damping */
function drop(): { force: number; rebound: number } {
  const run = new Simulation(
    model({
      gravity: [0, 0, 0],
      bodies: {
        disc: body({
          shape: extrude(circle(0.01, [0, 0]), 1e-3),
          material: steel,
          flexible: { chords: 600, meshSize: 2e-3, modes: 20, damping: 0 },
          position: [0, 0.010000001, 0],
          velocity: [0, -0.5, 0],
        }),
        floor: body({
          shape: halfSpace(),
          fixed: true,
          orientation: { axis: [1, 0, 0], angle: -Math.PI / 2 },
          material: steel,
        }),
      },
      contacts: { defaults: { friction: 0 } },
    }),
    { stopTime: 30e-6, rtol: 1e-5, interval: 1e-6, integrator: 'rodas4' },
  );
  const contact = run.mechanics.pairs.find(({ name }) => name === 'contacts.disc-floor') as FlexibleContact;
  const signals = new Float64Array(6);
  let force = 0;
  while (run.advance(run.time + 1e-12)) {
    run.mechanics.update(run.time, run.state);
    contact.writeSignals(run.time, run.state, signals, 0);
    force = Math.max(force, Math.abs(signals[1]));
  }
  return { force, rebound: run.finish().signal('disc.velocity.y').at(-1)! / 0.5 };
}

export const flexibleContactChecks: readonly Check[] = [
  {
    id: 'F5-drop-force',
    title: 'greatest force of a flexible disc that falls on a plane, N, relative',
    source: 'full finite-element model, 205.9 ± 0.5 N',
    limit: 3e-3,
    long: true,
    measure: () => relative(drop().force, 205.9),
  },
  {
    id: 'F5-drop-rebound',
    title: 'its rebound: what is left after the waves',
    source: 'full finite-element model, 0.9974 ± 0.0003',
    limit: 4e-4,
    long: true,
    measure: () => ({ value: drop().rebound, reference: 0.9974 }),
  },
];
