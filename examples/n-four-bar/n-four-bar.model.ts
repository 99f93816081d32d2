// N four-bar linkages in a row, 2N + 1 equal rods: problem A02 of the IFToMM multibody benchmarks. The parallelograms have one
// degree of freedom, n closed loops with redundant constraints, and a fork whenever all rods lie flat.
// npx tippetop run examples/n-four-bar --n 40
import { body, box, model, revolute } from 'tippetop';

export default ({
  n = 2 /* loops, 2 to 40 */,
  length = 1 /* m, of each rod */,
  mass = 1 /* kg, of each rod */,
  startSpeed = 1 /* m/s, of the joints at the top */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const width = 0.05 * length;
  const slender = (mass * length * length) / 12;
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  const axis = [0, 1, 0] as const; // positive angles turn +z towards +x
  return model({
    title: `${n} four-bar linkages`,
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      crank: range(n + 1).map((i) =>
        body({
          shape: box([width, width, length]),
          mass,
          inertia: [slender, slender, 0],
          position: [i * length, 0, length / 2],
          frames: { top: { position: [0, 0, length / 2] } },
          colour: [0.2, 0.45, 0.7, 1],
        }),
      ),
      coupler: range(n).map((i) =>
        body({
          shape: box([length, width, width]),
          mass,
          inertia: [0, slender, slender],
          position: [(i + 0.5) * length, 0, length],
          colour: [0.85, 0.45, 0.15, 1],
        }),
      ),
    },
    joints: {
      // One speed is said; that of the other joints follows from the loops.
      base: range(n + 1).map((i) =>
        revolute({
          body: `crank[${i}]`,
          axis,
          at: [i * length, 0, 0],
          ...(i === 0 && { initialSpeed: startSpeed / length }),
        }),
      ),
      left: range(n).map((i) =>
        revolute({ body: `coupler[${i}]`, to: `crank[${i}]`, axis, at: [i * length, 0, length] }),
      ),
      right: range(n).map((i) =>
        revolute({ body: `coupler[${i}]`, to: `crank[${i + 1}]`, axis, at: [(i + 1) * length, 0, length] }),
      ),
    },
    simulation: { stop: 10, interval: 0.01 },
    plots: {
      'first top joint': ['crank[0].top.position.x', 'crank[0].top.position.z'],
      'crank angle': 'base[0].angle',
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};
