/**
 * What is recorded: every body's motion, every joint's coordinates and reaction, every spring, energies and momenta, under the names
 * the user gave. One sample is one row, in the order of `descriptions`.
 */
import type { Anchor, JointPlace, System } from '../assembly/system.js';
import { NODE } from '../assembly/system.js';
import { bookedEnergy, energies, momentum, type Reaction, reactions } from '../dynamics/analysis.js';
import { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import { LineForce } from '../dynamics/elements/line-force.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { fromQuaternion, type Mat3, multiply, toQuaternion } from '../math/mat3.js';
import type { JointKind } from '../model/joints.js';
import type { Model } from '../model/model.js';
import type { SignalDescription } from '../results/recording.js';
import type { ContactSampler } from './contact-signals.js';
import { flexiblePointWriter, flexibleSignals } from './flexible-signals.js';
import type { PressedStress } from './pressed-stress.js';

const AXES = ['x', 'y', 'z'] as const;

/** Energy so far, J; kept by the simulation, for it is an integral over time. */
export interface Ledger {
  dissipated: number;
  /** J at the start in contacts whose work is booked whole; see energy-book.ts */
  heldAtStart: number;
  supplied: number;
  /** J, of what is dissipated, per sensor of contacts; what they hold is in it */
  readonly heats: Float64Array;
}

type Writer = (t: number, y: Float64Array, out: Float64Array, at: number) => void;

export class SignalSampler {
  readonly descriptions: readonly SignalDescription[];
  /** Of bodies that deform and can be touched, at the last sample */
  readonly pressed: PressedStress[] = [];
  private readonly mechanics: MechanicalSystem;
  private reactions: readonly Reaction[] = [];
  private contacts: ContactSampler | undefined;
  private readonly writers: readonly { readonly at: number; readonly write: Writer }[];

  constructor(model: Model, mechanics: MechanicalSystem, ledger: Ledger, contacts?: ContactSampler) {
    this.mechanics = mechanics;
    const descriptions: SignalDescription[] = [];
    const writers: { at: number; write: Writer }[] = [];
    const add = (signals: readonly SignalDescription[], write: Writer): void => {
      writers.push({ at: descriptions.length, write });
      descriptions.push(...signals);
    };
    const { system } = mechanics;
    for (const { name, anchor } of system.bodies) {
      add(motionSignals(name), motionWriter(mechanics, anchor));
      for (const [frame, place] of Object.entries(model.bodies.get(name)?.frames ?? {}))
        add(
          vectorSignals(`${name}.${frame}.position`, 'm', 'position'),
          model.bodies.get(name)?.flexible
            ? flexiblePointWriter(mechanics, name, place.position ?? [0, 0, 0])
            : pointWriter(mechanics, within(anchor, place.position ?? [0, 0, 0])),
        );
    }
    for (const flexible of mechanics.kinematics.flexible) {
      const { name: path, body, anchor } = flexible.plan;
      const piece = path.slice(path.indexOf('.') + 1);
      if (piece !== body) add(motionSignals(piece), motionWriter(mechanics, anchor));
      const { signals, write, pressed } = flexibleSignals(flexible, mechanics);
      add(signals, write);
      if (pressed) this.pressed.push(pressed);
    }
    for (const [index, joint] of system.joints.entries()) {
      for (const { signals, write } of coordinateSignals(joint, system)) add(signals, write);
      const moved = model.joints.get(joint.name)!.body;
      add(
        [
          ...vectorSignals(`${joint.name}.force`, 'N', `of the joint on ${moved}`),
          ...vectorSignals(`${joint.name}.torque`, 'N m', `of the joint on ${moved}, about the joint`),
        ],
        (_t, _y, out, at) => {
          const { force, torque } = this.reactions[index];
          for (let k = 0; k < 3; k++) {
            out[at + k] = force[k];
            out[at + 3 + k] = torque[k];
          }
        },
      );
    }
    const applied = new Float64Array(system.nv);
    const rates = new Float64Array(mechanics.size);
    for (const element of mechanics.jointForces)
      add(
        [
          {
            name: `${shortName(element)}.drive`,
            unit: system.tree.kind[system.tree.q.indexOf(element.xAt)] === NODE.prismatic ? 'N' : 'N m',
            description: 'force or torque along the joint by its springs, stops, friction and motors',
          },
        ],
        (t, y, out, at) => {
          if (mechanics.jointsApart) {
            out[at] = element.mean;
            return;
          }
          applied[element.velocity] = 0;
          element.evaluate(t, y, applied, rates);
          out[at] = applied[element.velocity];
        },
      );
    for (const { name, nodes } of system.joints)
      for (const node of nodes.filter((node) => system.tree.motion[node] >= 0))
        add(
          [
            {
              name: `${name}.drive`,
              unit: system.tree.kind[node] === NODE.prismatic ? 'N' : 'N m',
              description: 'force or torque along the joint that its prescribed motion takes',
            },
          ],
          driveWriter(mechanics, node),
        );
    for (const element of mechanics.pairs)
      if (element instanceof LineForce)
        add(
          [
            { name: `${shortName(element)}.length`, unit: 'm' },
            { name: `${shortName(element)}.force`, unit: 'N', description: 'positive pushes apart' },
          ],
          (t, _, out, at) => element.lengthAndForce(t, out, at),
        );
    for (const element of mechanics.pairs) {
      if (!(element instanceof FlexibleContact)) continue;
      const { name, plan } = element;
      add(
        [
          ...vectorSignals(`${name}.force`, 'N', `of contact on ${plan.carrierNames[1]} by ${plan.carrierNames[0]}`),
          { name: `${name}.points`, unit: '', description: 'points of the surfaces that press' },
          { name: `${name}.depth`, unit: 'm', description: 'deepest, before the surfaces give' },
          { name: `${name}.pressure`, unit: 'Pa', description: 'largest' },
        ],
        (t, y, out, at) => element.writeSignals(t, y, out, at),
      );
    }
    for (const [name, elements] of flexiblePairs(mechanics.pairs))
      add(
        [{ name: `contacts.${name}.touching`, unit: '', description: 'pairs of pieces that press' }],
        (t, y, out, at) => {
          out[at] = 0;
          for (const element of elements) if (element.pressing(t, y) > 0) out[at]++;
        },
      );
    for (const element of mechanics.own) {
      const { name, plan } = element;
      const [, b] = plan.carrierNames;
      add(
        [
          ...vectorSignals(`${name}.force`, 'N', `of the element on ${b}`),
          ...vectorSignals(`${name}.torque`, 'N m', `of the element on ${b}, about its origin`),
          ...plan.states.map(({ name: state, unit }) => ({ name: `${name}.${state}`, unit, description: 'state' })),
          ...plan.signals.map(({ name: signal, ...rest }) => ({ name: `${name}.${signal}`, ...rest })),
        ],
        (t, y, out, at) => element.writeSignals(t, y, out, at),
      );
    }
    if (contacts) {
      add(contacts.descriptions, (_t, _y, out, at) => contacts.write(ledger.heats, out, at));
      this.contacts = contacts;
    }
    const energy = (part: string, description: string): SignalDescription => ({
      name: `energy.${part}`,
      unit: 'J',
      description,
    });
    add(
      [
        energy('kinetic', 'of motion'),
        energy('potential', 'in the field of gravity'),
        energy('elastic', 'in springs and contacts'),
        energy('dissipated', 'turned into heat since the start'),
        energy('supplied', 'put in by motors, applied forces and prescribed motion since the start'),
        energy('total', 'kinetic + potential + elastic + dissipated − supplied: constant in an exact solution'),
      ],
      (t, y, out, at) => {
        const { kinetic, potential, elastic } = energies(mechanics, t, y);
        out[at] = kinetic;
        out[at + 1] = potential;
        out[at + 2] = elastic;
        out[at + 3] = ledger.dissipated - bookedEnergy(mechanics, t, y) + ledger.heldAtStart;
        out[at + 4] = ledger.supplied;
        out[at + 5] = out[at] + out[at + 1] + out[at + 2] + out[at + 3] - ledger.supplied;
      },
    );
    add(
      [
        ...vectorSignals('momentum', 'kg m/s', 'of all bodies'),
        ...vectorSignals('angularMomentum', 'kg m²/s', 'about the origin of the world'),
      ],
      (t, y, out, at) => {
        const { linear, angular } = momentum(mechanics, t, y);
        out.set(linear, at);
        out.set(angular, at + 3);
      },
    );
    this.descriptions = descriptions;
    this.writers = writers;
  }

  /** All signals at (t, y); `out` has one number per description. */
  sample(t: number, y: Float64Array, out: Float64Array): void {
    this.reactions = reactions(this.mechanics, t, y); // also sets poses, twists and accelerations to (t, y)
    this.contacts?.gather(t, y);
    for (const { at, write } of this.writers) write(t, y, out, at);
  }
}

/** Contacts of flexible bodies by the names of the two bodies, whatever pieces they are made of */
function flexiblePairs(elements: MechanicalSystem['pairs']): Map<string, FlexibleContact[]> {
  const found = new Map<string, FlexibleContact[]>();
  for (const element of elements) {
    if (!(element instanceof FlexibleContact)) continue;
    const { bodies, turned } = element.plan;
    const name = (turned ? [bodies[1], bodies[0]] : bodies).join('-');
    found.set(name, [...(found.get(name) ?? []), element]);
  }
  return found;
}

const vectorSignals = (name: string, unit: string, description = ''): SignalDescription[] =>
  AXES.map((axis) => ({ name: `${name}.${axis}`, unit, description }));

const motionSignals = (name: string): SignalDescription[] => [
  ...vectorSignals(`${name}.position`, 'm', "of the body's frame, world axes"),
  ...['w', 'x', 'y', 'z'].map((part) => ({
    name: `${name}.orientation.${part}`,
    unit: '',
    description: 'unit quaternion',
  })),
  ...vectorSignals(`${name}.velocity`, 'm/s', "of the body's frame, world axes"),
  ...vectorSignals(`${name}.angularVelocity`, 'rad/s', 'world axes'),
];

/** A point given in a body's frame, as an anchor on the body's carrier. */
function within(anchor: Anchor, point: readonly number[]): Anchor {
  const r = fromQuaternion(anchor.orientation);
  const [x, y, z] = anchor.position;
  return {
    ...anchor,
    position: [
      x + r[0] * point[0] + r[1] * point[1] + r[2] * point[2],
      y + r[3] * point[0] + r[4] * point[1] + r[5] * point[2],
      z + r[6] * point[0] + r[7] * point[1] + r[8] * point[2],
    ],
  };
}

/** Position 3, quaternion 4, velocity 3, angular velocity 3 of a frame. */
function motionWriter({ carriers }: MechanicalSystem, anchor: Anchor): Writer {
  const carrier = carriers.indexOf(anchor);
  const own = fromQuaternion(anchor.orientation);
  const [px, py, pz] = anchor.position;
  const { position, rotation, twist } = carriers;
  return (_t, _y, out, at) => {
    const r = rotation.subarray(9 * carrier, 9 * carrier + 9) as unknown as Mat3;
    const lever = [0, 3, 6].map((row) => r[row] * px + r[row + 1] * py + r[row + 2] * pz);
    const w = twist.subarray(6 * carrier, 6 * carrier + 6);
    // Double cover: the sign of a quaternion is a choice; keep the one with w ≥ 0, as toQuaternion gives it.
    const q = toQuaternion(multiply([r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]], own));
    for (let k = 0; k < 3; k++) {
      const n = (k + 1) % 3;
      const m = (k + 2) % 3;
      out[at + k] = position[3 * carrier + k] + lever[k];
      out[at + 7 + k] = w[3 + k] + w[n] * lever[m] - w[m] * lever[n];
      out[at + 10 + k] = w[k];
    }
    for (let k = 0; k < 4; k++) out[at + 3 + k] = q[k];
  };
}

function pointWriter({ carriers }: MechanicalSystem, anchor: Anchor): Writer {
  const carrier = carriers.indexOf(anchor);
  const [px, py, pz] = anchor.position;
  const { position, rotation } = carriers;
  return (_t, _y, out, at) => {
    for (let k = 0; k < 3; k++) {
      const r = 9 * carrier + 3 * k;
      out[at + k] = position[3 * carrier + k] + rotation[r] * px + rotation[r + 1] * py + rotation[r + 2] * pz;
    }
  };
}

/**
 * What holds a prescribed coordinate: the joint's wrench along its axis, Sᵀ f. It drives the coordinate, whichever of the two bodies
 * the tree moves: a joint that it runs backwards has its axis turned round too.
 */
function driveWriter({ kinematics, wrench }: MechanicalSystem, node: number): Writer {
  const { axis, turn, slide } = kinematics;
  return (_t, _y, out, at) => {
    let along = 0;
    for (let k = 0; k < 3; k++)
      along += axis[3 * node + k] * (turn[node] * wrench[6 * node + k] + slide[node] * wrench[6 * node + 3 + k]);
    out[at] = along;
  };
}

/** Names of a joint's coordinates, node by node. */
const COORDINATES: Readonly<Record<JointKind, readonly [value: string, rate: string][]>> = {
  fixed: [],
  revolute: [['angle', 'speed']],
  screw: [['angle', 'speed']],
  prismatic: [['position', 'speed']],
  cylindrical: [
    ['position', 'speed'],
    ['angle', 'spin'],
  ],
  universal: [
    ['angle1', 'speed1'],
    ['angle2', 'speed2'],
  ],
  planar: [
    ['position1', 'speed1'],
    ['position2', 'speed2'],
    ['angle', 'spin'],
  ],
  spherical: [],
  free: [],
};

/** Value and rate of every scalar coordinate; balls are told by the bodies' orientations. */
function coordinateSignals(
  { name, kind, nodes }: JointPlace,
  system: System,
): { signals: SignalDescription[]; write: Writer }[] {
  const { tree, motions, nq } = system;
  const scratch = new Float64Array(3);
  return COORDINATES[kind].slice(0, nodes.length).map(([value, rate], i) => {
    const node = nodes[i];
    const unit = tree.kind[node] === NODE.prismatic ? 'm' : 'rad';
    const signals = [
      { name: `${name}.${value}`, unit },
      { name: `${name}.${rate}`, unit: `${unit}/s` },
    ];
    const driven = tree.motion[node];
    if (driven >= 0)
      return {
        signals,
        write: (t, _, out, at) => {
          motions[driven](t, scratch); // a hand may have given it another one
          out[at] = scratch[0];
          out[at + 1] = scratch[1];
        },
      };
    return {
      signals,
      write: (_, y, out, at) => {
        out[at] = y[tree.q[node]];
        out[at + 1] = y[nq + tree.v[node]];
      },
    };
  });
}

/** `joints.hinge` → `hinge` */
const shortName = ({ name }: { readonly name: string }): string => name.slice(name.indexOf('.') + 1);
