/** @mujoco/mujoco: C in WASM, double precision, convex optimisation with soft contacts. */
import {
  loadFile,
  type Peer,
  type PeerBody,
  type PeerOptions,
  type PeerPackage,
  prismCorners,
  type Vec3,
  ZERO,
} from './peer.js';

interface MjModel {
  delete(): void;
}
interface MjData {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  /** 6 per body, the world first: force, torque */
  readonly xfrc_applied: Float64Array;
  delete(): void;
}
interface Mujoco {
  readonly MjModel: { from_xml_string(xml: string): MjModel };
  readonly MjData: new (model: MjModel) => MjData;
  mj_step(model: MjModel, data: MjData): void;
}

const PACKAGE = '@mujoco/mujoco';

export const mujoco: PeerPackage = {
  name: 'mujoco',
  packageName: PACKAGE,
  async load(): Promise<Peer> {
    const { default: start } = await loadFile<{ default: () => Promise<Mujoco> }>(PACKAGE, 'mujoco.js');
    const module = await start();
    return { createWorld: (options) => createWorld(module, options) };
  },
};

/** An elastic contact lasts so many steps: fewer are too few for its integrator, more make it soft. */
const STEPS_IN_CONTACT = 20;

function createWorld(module: Mujoco, { gravity, friction, restitution, step }: PeerOptions) {
  const bodies: PeerBody[] = [];
  /** Of those that move, per body: which one it is */
  const place: number[] = [];
  let moving = 0;
  let floor = '';
  let running: { model: MjModel; data: MjData } | undefined;

  // Restitution is no parameter of it. An elastic contact is a spring ω² per unit of mass without a damper; below that, springs damped to a
  // given restitution keep its stacks trembling, so all others settle in four steps without a bounce.
  const omega = Math.PI / (STEPS_IN_CONTACT * step);
  const spring =
    restitution === 1
      ? `solref="${-(omega ** 2)} 0" solimp="0.999 0.9999 0.001"`
      : `solref="${4 * step} 1" solimp="0.99 0.999 0.001"`;
  const contact = `friction="${friction} 0 0" condim="3" ${spring}`;

  const start = () => {
    const model = module.MjModel.from_xml_string(`<mujoco>
      <option timestep="${step}" gravity="${gravity.join(' ')}" integrator="implicitfast" cone="elliptic" impratio="100"
        noslip_iterations="20" tolerance="1e-12"/>
      <asset>${bodies.map(mesh).join('')}</asset>
      <worldbody>${floor}${bodies.map((body, i) => xml(body, i, contact)).join('')}</worldbody>
    </mujoco>`);
    const data = new module.MjData(model);
    const { qvel } = data;
    for (const [i, { velocity = ZERO, angularVelocity = ZERO, fixed }] of bodies.entries()) {
      if (fixed) continue;
      qvel.set(velocity, 6 * place[i]);
      qvel.set(angularVelocity, 6 * place[i] + 3); // in body axes, which are the world's at the start
    }
    running = { model, data };
    return running;
  };
  return {
    addFloor() {
      floor = `<geom type="plane" size="0 0 1" ${contact}/>`;
    },
    addBody(body: PeerBody) {
      place.push(body.fixed ? -1 : moving++);
      return bodies.push(body) - 1;
    },
    push(body: number, force: Vec3) {
      (running ?? start()).data.xfrc_applied.set(force, 6 * (body + 1));
    },
    step(h: number) {
      if (h !== step) throw new Error(`mujoco: the step was said to be ${step} s, got ${h} s`);
      const { model, data } = running ?? start();
      module.mj_step(model, data);
    },
    read(body: number, out: Float64Array, at: number) {
      const { qpos, qvel } = (running ?? start()).data;
      const i = place[body];
      if (i < 0) {
        out.set([...bodies[body].position, ...ZERO, ...ZERO], at);
        return;
      }
      for (let k = 0; k < 3; k++) {
        out[at + k] = qpos[7 * i + k];
        out[at + 3 + k] = qvel[6 * i + k];
      }
      out.set(turned(qpos.subarray(7 * i + 3), qvel.subarray(6 * i + 3)), at + 6);
    },
    free() {
      running?.data.delete();
      running?.model.delete();
    },
  };
}

/** Corners of a prism, of whose hull it makes a geometry */
function mesh({ shape }: PeerBody, i: number): string {
  if (shape.kind !== 'prism') return '';
  return `<mesh name="mesh${i}" vertex="${prismCorners(shape).flat().join(' ')}"/>`;
}

function xml({ shape, mass, inertia, position, fixed }: PeerBody, i: number, contact: string): string {
  const size =
    shape.kind === 'box'
      ? shape.size.map((a) => a / 2).join(' ')
      : shape.kind === 'sphere'
        ? `${shape.radius}`
        : shape.kind === 'cylinder'
          ? `${shape.radius} ${shape.height / 2}`
          : '';
  const geometry = shape.kind === 'prism' ? `type="mesh" mesh="mesh${i}"` : `type="${shape.kind}" size="${size}"`;
  const given =
    inertia === undefined
      ? ''
      : `<inertial pos="0 0 0" mass="${mass}" diaginertia="${inertia} ${inertia} ${inertia}"/>`;
  return `<body pos="${position.join(' ')}">${fixed ? '' : '<freejoint/>'}${given}<geom ${geometry} mass="${mass}" ${contact}/></body>`;
}

/** A vector in body axes, in world axes: v + 2 u × (u × v + w v) for the quaternion (w, u) */
function turned([w, x, y, z]: Float64Array, [a, b, c]: Float64Array): Vec3 {
  const p = y * c - z * b + w * a;
  const q = z * a - x * c + w * b;
  const r = x * b - y * a + w * c;
  return [a + 2 * (y * r - z * q), b + 2 * (z * p - x * r), c + 2 * (x * q - y * p)];
}
