// Mechanisms with flexible parts beside the same ones of rigid parts, in the same rounds: a chain of links on hinges that swings down, every link flexible with eight
// modes beside the three coordinates of its interface; a slider-crank whose rod is flexible, and an arm of six axes with one flexible link, of that many modes beside the
// three of the interface. Cost of one accepted step; steps of both differ, their cost is what is compared.
import { assemble } from '../src/assembly/assemble.js';
import { constraintDrift, energies, initialise, MechanicalSystem } from '../src/dynamics/index.js';
import { extrude } from '../src/geometry/extrude.js';
import { box } from '../src/geometry/primitives.js';
import { integrate } from '../src/integration/index.js';
import { type BodyOptions, body } from '../src/model/body.js';
import { prismatic, revolute } from '../src/model/joints.js';
import { type ModelOptions, model } from '../src/model/model.js';
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
  return prepared({ gravity: [0, -9.81, 0], contacts: false, bodies, joints });
}

function prepared(options: ModelOptions): Chain {
  const system = assemble(model(options));
  const mechanics = new MechanicalSystem(system, { tolerance: { relative: 1e-4 } });
  const y = system.initial.slice();
  initialise(mechanics, 0, y);
  return { mechanics, y };
}

const material = { density: 2700, youngsModulus: 1e11, poissonRatio: 0.3 };
const bar = (length: number, width = 0.05) =>
  extrude(
    [
      [0, -width / 2],
      [length, -width / 2],
      [length, width / 2],
      [0, width / 2],
    ],
    0.01,
  );
const deforming = (modes: number) =>
  modes > 0 ? { flexible: { grid: [10, 2] as const, modes, damping: 0.02, membrane: false } } : {};

function sliderCrank(modes: number): Chain {
  const axis = [0, 0, 1] as const;
  return prepared({
    gravity: [0, -9.81, 0],
    contacts: false,
    bodies: {
      crank: body({ shape: bar(0.15, 0.02), material }),
      rod: body({
        shape: bar(0.4, 0.02),
        material: { ...material, youngsModulus: 2e9 },
        position: [0.15, 0, 0],
        ...deforming(modes),
      }),
      slider: body({ shape: box([0.05, 0.05, 0.05]), material, position: [0.55, 0, 0] }),
    },
    joints: {
      drive: revolute({ body: 'crank', axis, speed: 30 }),
      big: revolute({ body: 'rod', to: 'crank', axis, at: [0.15, 0, 0] }),
      small: revolute({ body: 'rod', to: 'slider', axis, at: [0.55, 0, 0] }),
      guide: prismatic({ body: 'slider', axis: [1, 0, 0] }),
    },
  });
}

/** Hinges about y, z, z, x, z, x; the second link deforms */
function arm(modes: number): Chain {
  const bodies: Record<string, BodyOptions> = {};
  const joints: Record<string, ReturnType<typeof revolute>> = {};
  const axes = [
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
    [1, 0, 0],
    [0, 0, 1],
    [1, 0, 0],
  ] as const;
  let x = 0;
  for (const [i, length] of [0.1, 0.4, 0.3, 0.1, 0.1, 0.1].entries()) {
    bodies[`link${i}`] = body({ shape: bar(length), material, position: [x, 0, 0], ...(i === 1 && deforming(modes)) });
    joints[`axis${i}`] = revolute({
      body: `link${i}`,
      ...(i > 0 && { to: `link${i - 1}` }),
      axis: axes[i],
      at: [x, 0, 0],
    });
    x += length;
  }
  return prepared({ gravity: [0, -9.81, 0], contacts: false, bodies, joints });
}

const swing = ({ mechanics, y }: Chain) =>
  integrate(mechanics, { t0: 0, y0: y, t1: 0.3, method: 'rodas4', maxSteps: 100_000 });

const compared = (prepare: (size: number) => { flexible: Chain; rigid: Chain }) => ({
  source: 'flexible mechanisms beside rigid ones, per step at eight coordinates or modes',
  unit: 'step',
  prepare,
  run: {
    flexible: ({ flexible }: { flexible: Chain; rigid: Chain }) => ({ of: flexible, result: swing(flexible) }),
    rigid: ({ rigid }: { flexible: Chain; rigid: Chain }) => ({ of: rigid, result: swing(rigid) }),
  },
  work: ({ result }: Swung) => result.statistics.accepted,
  note: ({ result }: Swung) => `${result.statistics.accepted} steps`,
});

interface Swung {
  readonly of: Chain;
  readonly result: ReturnType<typeof swing>;
}

/** Of the energy; the damping of the modes is in it */
function lost({ of, result }: Swung): number {
  const sum = (t: number, y: Float64Array): number => {
    const { kinetic, potential, elastic } = energies(of.mechanics, t, y);
    return kinetic + potential + elastic;
  };
  return Math.abs(sum(0.3, result.y) - sum(0, of.y)) / energies(of.mechanics, 0.3, result.y).kinetic;
}

/** How far the loop is open, m */
const open = ({ of, result }: Swung): number =>
  Math.max(...constraintDrift(of.mechanics, 0.3, result.y).map(({ position }) => position));

benchmark('flexible-chain', {
  ...compared((links) => ({ flexible: chain(links, 8), rigid: chain(links, 0) })),
  sizes: [5, 2, 10, 20],
  error: lost,
});
benchmark('flexible-slider-crank', {
  ...compared((modes) => ({ flexible: sliderCrank(modes), rigid: sliderCrank(0) })),
  sizes: [5, 8],
  error: open,
});
benchmark('flexible-arm', {
  ...compared((modes) => ({ flexible: arm(modes), rigid: arm(0) })),
  sizes: [5, 8],
  error: lost,
});
