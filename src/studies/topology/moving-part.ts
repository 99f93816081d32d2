/** A flexible body of a model as a part to be designed: the model with another outline, thickness or density of it, and what a run loads it with. */
import type { FlexibleNode } from '../../assembly/system.js';
import { ModelError, suggestion } from '../../errors.js';
import { ratioAcross, vonMises } from '../../flexible-bodies/fem/stress.js';
import type { PlaneFlexiblePart } from '../../flexible-bodies/flexible-part.js';
import { type MotionLoads, type MotionSample, motionLoads } from '../../flexible-bodies/topology/motion-loads.js';
import { extrude } from '../../geometry/extrude.js';
import type { Profile } from '../../geometry/profile.js';
import type { Form, Solid } from '../../geometry/solid.js';
import { rotate, translate } from '../../geometry/transform.js';
import type { FlexibleOptions } from '../../model/flexible.js';
import type { Model } from '../../model/model.js';
import type { Recording } from '../../results/recording.js';
import { coordinateNames, inertiaNames } from '../../results/scene/flexible-scene.js';
import { Simulation } from '../../simulation/simulation.js';

export interface PartChange {
  readonly profile?: Profile;
  /** m */
  readonly thickness?: number;
  readonly flexible?: Partial<FlexibleOptions>;
}

/** @throws ModelError unless it is a flexible body in one piece */
export function designedBody(model: Model, name: string): { profile: Profile; thickness: number } {
  const body = model.bodies.get(name);
  if (!body)
    throw new ModelError(
      'body',
      `there is no body "${name}"${suggestion(name, [...model.bodies.keys()])}; there are ${[...model.bodies.keys()].join(', ')}`,
    );
  if (!body.flexible)
    throw new ModelError(
      `bodies.${name}`,
      'is rigid; expected a flexible body: write `flexible: true` and a material with youngsModulus and poissonRatio',
    );
  const { substructures = 1 } = typeof body.flexible === 'object' ? body.flexible : {};
  if (substructures !== 1)
    throw new ModelError(`bodies.${name}.flexible.substructures`, 'a part that is designed is one piece; expected 1');
  if (solidOf(model, name).tetrahedra || (typeof body.flexible === 'object' && body.flexible.layers !== undefined))
    throw new ModelError(`bodies.${name}.flexible`, 'is a solid of tetrahedra; outlines of planar parts are designed');
  const { profile, height } = solidOf(model, name).form as Extract<Form, { kind: 'extrusion' }>;
  return { profile, thickness: height };
}

const solidOf = (model: Model, name: string): Solid => {
  const { shape } = model.bodies.get(name)!;
  return (Array.isArray(shape) ? shape[0] : shape) as Solid;
};

/** The model with other parts; stress of all that are named is told with the inertia of the part itself. */
export function withParts(model: Model, changes: ReadonlyMap<string, PartChange>): Model {
  const bodies = new Map(model.bodies);
  for (const [name, { profile, thickness, flexible }] of changes) {
    const body = bodies.get(name)!;
    const own = designedBody(model, name);
    const { pose, colour } = solidOf(model, name);
    const made = extrude(profile ?? own.profile, thickness ?? own.thickness);
    const solid = { ...translate(pose.position, rotate(pose.orientation, made)), ...(colour && { colour }) };
    // gauges are points of the outline as it was
    const {
      grid: _grid,
      gauges: _gauges,
      ...options
    } = typeof body.flexible === 'object' ? body.flexible : ({} as FlexibleOptions);
    bodies.set(name, {
      ...body,
      shape: solid,
      flexible: { ...options, membrane: false, stress: 'mode acceleration', ...flexible },
    });
  }
  // plots of gauges that are gone
  const gauge = new RegExp(`^(${[...changes.keys()].map(escaped).join('|')})\\.stress\\.[^.]+\\.`);
  const plots = Object.fromEntries(
    Object.entries(model.plots)
      .map(([name, signals]) => [name, signals.filter((signal) => !gauge.test(signal))] as const)
      .filter(([, signals]) => signals.length > 0),
  );
  return { ...model, bodies, plots };
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A run of some parts, with what it told of them at `samples` equal intervals after `from` */
export interface PartRun {
  readonly recording: Recording;
  readonly parts: ReadonlyMap<string, RunPart>;
}

interface RunPart {
  readonly node: FlexibleNode & { readonly part: PlaneFlexiblePart };
  /** Rows of the recording */
  readonly rows: readonly number[];
  readonly samples: readonly MotionSample[];
}

/** @throws ModelError if something touches one of the parts: forces of contact are no load of a design yet */
export function runParts(
  model: Model,
  names: readonly string[],
  { samples, from, stop }: { samples: number; from: number; stop?: number | undefined },
): PartRun {
  const end = stop ?? model.simulation.stop ?? 10;
  if (!(from < end)) throw new ModelError('from', `expected a time before the end of the run, ${end} s, got ${from}`);
  if (!(Number.isInteger(samples) && samples >= 1))
    throw new ModelError('samples', `expected a whole number of instants, 1 or more, got ${samples}`);
  const interval = (end - from) / samples;
  const simulation = new Simulation(model, { stopTime: end, interval });
  const { system } = simulation;
  for (const plan of system.flexible ?? [])
    if (names.includes(plan.body) && plan.part.interfaces.length === 0)
      throw new ModelError(
        `bodies.${plan.body}`,
        'nothing holds this body, so that no joint loads it; expected joints',
      );
  const touched = system.elements.find(
    (plan) =>
      plan.kind === 'flexibleContact' &&
      plan.flexible.some((name) => name !== undefined && names.includes(name.replace('bodies.', ''))),
  );
  if (touched?.kind === 'flexibleContact')
    throw new ModelError(
      'contacts',
      `${touched.bodies.map((name) => name.replace('bodies.', '')).join(' and ')} may touch, and forces of contact are no loads of a design yet; expected \`contacts: false\`, or its pairs left out`,
    );
  simulation.advance();
  const recording = simulation.finish();
  const rows = Array.from(recording.times, (_, i) => i).filter((i) => recording.times[i] > from + 0.5 * interval);
  const parts = new Map(
    names.map((name): [string, RunPart] => {
      const node = system.flexible!.find((plan) => plan.body === name)! as RunPart['node'];
      const own = node.name.slice(node.name.indexOf('.') + 1);
      const q = coordinateNames(own, node.nodes.length).map((signal) => recording.signal(signal).values);
      const a = inertiaNames(own, node.part.inertial!.count).map((signal) => recording.signal(signal).values);
      const at = (signals: readonly ArrayLike<number>[], i: number): number[] => signals.map((values) => values[i]);
      return [name, { node, rows, samples: rows.map((i) => ({ coordinates: at(q, i), inertia: at(a, i) })) }];
    }),
  );
  return { recording, parts };
}

export function loadsOf({ node, samples }: RunPart, densities?: ArrayLike<number>): MotionLoads {
  const { mesh, material, shapes, interfaces } = node.part;
  return motionLoads({ mesh, material, shapes, interfaces, stiffness: node.stiffness, densities }, samples);
}

export interface PartHistory {
  /** s */
  readonly times: Float64Array;
  /** Largest von Mises stress farther from joints than material is kept around them, Pa */
  readonly stress: Float64Array;
  /** J */
  readonly strainEnergy: Float64Array;
  /** kg */
  readonly mass: number;
}

/** @param clear m around the nodes of joints whose stress does not count: rigid pins make peaks of their own */
export function historyOf({ recording, parts }: PartRun, name: string, clear: number): PartHistory {
  const { node, rows, samples } = parts.get(name)!;
  const { mesh, stresses, inertial, interfaces, material } = node.part;
  const counted = Array.from({ length: mesh.nodeCount }, (_, i) => i).filter((i) =>
    interfaces.every(({ nodes }) =>
      nodes.every((held) => {
        const [dx, dy] = [
          mesh.points[2 * i] - mesh.points[2 * held],
          mesh.points[2 * i + 1] - mesh.points[2 * held + 1],
        ];
        return dx * dx + dy * dy > clear * clear;
      }),
    ),
  );
  const across = ratioAcross(material);
  const own = node.name.slice(node.name.indexOf('.') + 1);
  const energy = recording.signal(`${own}.strainEnergy`).values;
  const all = [...stresses, ...inertial!.stresses];
  return {
    times: Float64Array.from(rows, (i) => recording.times[i]),
    stress: Float64Array.from(samples, ({ coordinates, inertia }) => {
      let most = 0;
      for (const i of counted) {
        const sum = [0, 0, 0];
        for (let k = 0; k < all.length; k++) {
          const value = k < coordinates.length ? coordinates[k] : inertia[k - coordinates.length];
          for (let j = 0; j < 3; j++) sum[j] += value * all[k][3 * i + j];
        }
        most = Math.max(most, vonMises(sum[0], sum[1], sum[2], across));
      }
      return most;
    }),
    strainEnergy: Float64Array.from(rows, (i) => energy[i]),
    mass: node.integrals.mass,
  };
}
