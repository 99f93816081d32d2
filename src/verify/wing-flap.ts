/** Claims about the wing flap (row F3): its skin at five places of the way out, held to a geometrically exact beam. */
import { fromQuaternion } from '../math/mat3.js';
import { findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { Simulation } from '../simulation/simulation.js';
import { optimiseInMotion } from '../studies/topology/optimise-in-motion.js';
import type { Check } from './check.js';

/** Parts of the crank's way, and the camber there, m: quasi-static, arm and linkage rigid */
const PLACES = [0.2, 0.4, 0.6, 0.8, 1];
const CAMBER = [16.4e-3, 30.15e-3, 38.19e-3, 40.82e-3, 38.91e-3];
/** N when it is out: both struts, shackle */
const FORCES = [1600, 3601, 1869];
/** s to unfold: inertia is small against what bends the skin */
const TIME = 4;

interface Way {
  readonly camber: number[];
  readonly forces: number[];
  /** At the same places on the way back, and when it is in again */
  readonly back: number[];
  readonly stowed: number;
}
let found: Promise<Way> | undefined;

async function unfold(): Promise<Way> {
  const file = findModel('wing-flap');
  const construct = await loadModel(file);
  const run = new Simulation(requireModel(construct({ time: TIME, armModulus: 7.1e11 }), file), {
    stopTime: 2 * TIME,
    rtol: 1e-4,
    interval: 0.05,
  });
  const time = (part: number): number => (part === 1 ? TIME : (TIME * Math.acos(1 - 2 * part)) / Math.PI);
  const camberAt = (t: number): number => {
    run.advance(t);
    return camberOf(run);
  };
  const camber = PLACES.map((part) => camberAt(time(part)));
  const force = (pin: string): number =>
    Math.hypot(...['x', 'y'].map((axis) => run.recording.signal(`${pin}.force.${axis}`).at(-1)!));
  const forces = ['W1', 'W2', 'K1'].map(force);
  const back = PLACES.slice(0, -1)
    .reverse()
    .map((part) => camberAt(2 * TIME - time(part)));
  const stowed = camberAt(2 * TIME);
  run.finish();
  return { camber, forces, back, stowed };
}

/** Largest distance of the skin's middle line from the line between its ends, m */
function camberOf({ mechanics, time, state }: Simulation): number {
  mechanics.update(time, state);
  const { position, rotation } = mechanics.carriers;
  const line: { along: number; x: number; y: number }[] = [];
  for (const { plan, q } of mechanics.kinematics.flexible) {
    if (plan.body !== 'skin' || plan.part.kind !== 'plane') continue;
    const { points, nodeCount } = plan.part.mesh;
    const m = fromQuaternion(plan.plane.orientation);
    for (let i = 0; i < nodeCount; i++) {
      if (Math.abs(points[2 * i + 1]) > 1e-9) continue;
      let u = points[2 * i];
      let v = points[2 * i + 1];
      plan.part.shapes.forEach((shape, k) => {
        u += q[k] * shape[2 * i];
        v += q[k] * shape[2 * i + 1];
      });
      const own = [0, 1, 2].map((d) => plan.plane.position[d] + m[3 * d] * u + m[3 * d + 1] * v);
      const [x, y] = [0, 1].map((d) => {
        const row = 9 * plan.node + 3 * d;
        return (
          position[3 * plan.node + d] + rotation[row] * own[0] + rotation[row + 1] * own[1] + rotation[row + 2] * own[2]
        );
      });
      line.push({ along: points[2 * i], x, y });
    }
  }
  line.sort((a, b) => a.along - b.along);
  const [from, to] = [line[0], line[line.length - 1]];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return Math.max(...line.map(({ x, y }) => Math.abs((x - from.x) * dy - (y - from.y) * dx))) / Math.hypot(dx, dy);
}

const source = 'geometrically exact beam, quasi-static, rigid linkage';

/** The worst of several against theirs */
function worst(values: readonly number[], references: readonly number[]) {
  const errors = values.map((value, i) => Math.abs(value / references[i] - 1));
  const k = errors.indexOf(Math.max(...errors));
  return { value: values[k], reference: references[k], error: errors[k] };
}

export const wingFlapChecks: readonly Check[] = [
  {
    id: 'F3-camber',
    title: 'wing flap: camber of the skin at 0.2, 0.4 … 1 of the way out, the worst (m)',
    source,
    limit: 5e-3,
    long: true,
    measure: async () => {
      found ??= unfold();
      return worst((await found).camber, CAMBER);
    },
  },
  {
    id: 'F3-forces',
    title: 'wing flap: forces of both struts and the shackle when it is out, the worst (N)',
    source,
    limit: 2e-2,
    long: true,
    measure: async () => {
      found ??= unfold();
      return worst((await found).forces, FORCES);
    },
  },
  {
    id: 'F3-folding',
    title: 'wing flap: camber of the skin at 0.8, 0.6, 0.4 and 0.2 of the way on its way back, the worst (m)',
    source: `${source}; folded again it is flat, to 0.1 mm`,
    limit: 5e-3,
    long: true,
    measure: async () => {
      found ??= unfold();
      const { back, stowed } = await found;
      const most = worst(back, CAMBER.slice(0, -1).reverse());
      return stowed < 1e-4 ? most : { value: stowed, reference: 0, error: Infinity };
    },
  },
  {
    id: 'X11-topology',
    title:
      'wing flap: largest stress of its arm, optimised to 60 %, over that of the arm thinned to its mass, the worst instant of the way out',
    source:
      'Elmqvist et al. (2015), §9.2, figure 24: it is smaller at every instant; without figures, for the dimensions of theirs are not public',
    limit: 0,
    long: true,
    measure: async () => {
      const construct = await loadModel(findModel('wing-flap'));
      const { designs } = optimiseInMotion(requireModel(construct({ time: TIME }), 'wing-flap'), {
        bodies: ['arm'],
        volume: 0.6,
        samples: 12,
        stop: TIME,
        runs: 2,
      });
      const [{ optimised, thinned }] = designs;
      const value = optimised.stress.reduce((most, stress, i) => Math.max(most, stress / thinned.stress[i]), 0);
      return { value, reference: 1, error: Math.max(0, value - 1) };
    },
  },
];
