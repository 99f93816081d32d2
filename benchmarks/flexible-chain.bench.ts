// A chain of links on hinges that swings down, each link flexible with eight coordinates (five modes, three of its interface), beside the same chain of rigid
// links in the same rounds. Cost of one accepted step; steps of both chains differ, their cost is what is compared.
import { assemble } from '../src/assembly/assemble.js';
import { energies, initialise, MechanicalSystem } from '../src/dynamics/index.js';
import { extrude } from '../src/geometry/extrude.js';
import { integrate } from '../src/integration/index.js';
import { type BodyOptions, body } from '../src/model/body.js';
import { revolute } from '../src/model/joints.js';
import { model } from '../src/model/model.js';
import { benchmark } from './harness.js';

interface Chain {
  readonly mechanics: MechanicalSystem;
  readonly y: Float64Array;
}

function chain(links: number, modes: number): Chain {
  const bodies: Record<string, BodyOptions> = {};
  const joints: Record<string, ReturnType<typeof revolute>> = {};
  const outline = [
    [0, -0.025],
    [0.5, -0.025],
    [0.5, 0.025],
    [0, 0.025],
  ] as const;
  for (let i = 0; i < links; i++) {
    bodies[`link${i}`] = body({
      shape: extrude(outline, 0.01),
      material: { density: 2700, youngsModulus: 1e11, poissonRatio: 0.3 },
      position: [0.5 * i, 0, 0],
      ...(modes > 0 && { flexible: { grid: [10, 2], modes, damping: 0.02, membrane: false } }),
    });
    joints[`hinge${i}`] = revolute({
      body: `link${i}`,
      ...(i > 0 && { to: `link${i - 1}` }),
      axis: [0, 0, 1],
      at: [0.5 * i, 0, 0],
    });
  }
  const system = assemble(model({ gravity: [0, -9.81, 0], contacts: false, bodies, joints }));
  const mechanics = new MechanicalSystem(system, { tolerance: { relative: 1e-4 } });
  const y = system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

const swing = ({ mechanics, y }: Chain) =>
  integrate(mechanics, { t0: 0, y0: y, t1: 0.3, method: 'rodas4', maxSteps: 100_000 });

benchmark('flexible-chain', {
  source: 'flexible mechanisms beside rigid ones, per step at eight coordinates a link',
  unit: 'step',
  sizes: [4, 2, 8, 16],
  prepare: (links) => ({ flexible: chain(links, 5), rigid: chain(links, 0) }),
  run: {
    flexible: ({ flexible }: { flexible: Chain; rigid: Chain }) => ({ of: flexible, result: swing(flexible) }),
    rigid: ({ rigid }) => ({ of: rigid, result: swing(rigid) }),
  },
  work: ({ result }) => result.statistics.accepted,
  error: ({ of, result }) => {
    const sum = (t: number, y: Float64Array): number => {
      const { kinetic, potential, elastic } = energies(of.mechanics, t, y);
      return kinetic + potential + elastic;
    };
    const { kinetic } = energies(of.mechanics, 0.3, result.y);
    // the damping of the modes is in it
    return Math.abs(sum(0.3, result.y) - sum(0, of.y)) / kinetic;
  },
  note: ({ result }) => `${result.statistics.accepted} steps`,
});
