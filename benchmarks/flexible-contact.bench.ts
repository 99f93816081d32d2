// Two leaves of a leaf spring, clamped side by side, a wheel on the end of the longer one: some 300 points of their sides lie on or close to each other all the time. Under error control and in steps of 4 ms.
import { body, disc, extrude, fixed, model, prismatic, Simulation, type SimulationOptions } from 'tippetop';
import { benchmark } from './harness.js';

const thickness = 0.02;
const height = 0.004;
const steel = { density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };

function leaves(sides: number) {
  const leaf = (length: number, y: number) =>
    body({
      shape: extrude(
        [
          [0, -height / 2],
          [length, -height / 2],
          [length, height / 2],
          [0, height / 2],
        ],
        thickness,
      ),
      material: steel,
      position: [0, y, 0],
      flexible: { grid: [sides, 1], modes: 5, damping: 0.02 },
    });
  return model({
    gravity: [0, -9.81, 0],
    bodies: {
      lower: leaf(0.2, 0),
      upper: leaf(0.25, height + 1e-5),
      wheel: body({
        shape: disc({ radius: 0.03, height: thickness }),
        material: { ...steel, density: 20 * steel.density },
        position: [0.23, 1.5 * height + 0.03 + 1e-5, thickness / 2],
      }),
    },
    joints: {
      one: fixed({ body: 'lower', at: [0, 0, thickness / 2] }),
      two: fixed({ body: 'upper', at: [0, height, thickness / 2] }),
      guide: prismatic({ body: 'wheel', axis: [0, 1, 0] }),
    },
    contacts: { defaults: { friction: 0.2 } },
  });
}

const swing = (options: SimulationOptions) => (spring: ReturnType<typeof leaves>) => {
  const simulation = new Simulation(spring, { interval: options.stopTime!, ...options });
  simulation.advance();
  simulation.finish();
  return simulation;
};

benchmark('flexible-contact', {
  source:
    'leaves of a spring on each other; most of the time goes into which points are near, which press, and how hard',
  unit: 'step',
  sizes: [40, 100], // sides of each leaf
  rounds: 3,
  prepare: leaves,
  run: {
    stepped: swing({ integrator: 'time-stepping', step: 4e-3, stopTime: 0.2 }),
    controlled: swing({ rtol: 1e-4, stopTime: 5e-3 }),
  },
  work: ({ recording }) => recording.trust!.steps!.accepted,
  // of the ledger, what neither heat nor the length of the steps explains
  error: ({ recording }) => recording.trust!.energy!.relativeError,
  note: ({ recording }) => `${recording.trust!.steps!.accepted} steps`,
});
