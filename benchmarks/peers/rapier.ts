/** @dimforge/rapier3d-compat: Rust in WASM, single precision, projected Gauss–Seidel with soft constraints and substeps. */
import { loadFile, type Peer, type PeerBody, type PeerPackage, prismCorners, type Vec3, ZERO } from './peer.js';

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Quaternion extends Xyz {
  readonly w: number;
}
interface ColliderDesc {
  setMass(mass: number): ColliderDesc;
  setMassProperties(mass: number, centre: Xyz, principalInertia: Xyz, frame: Quaternion): ColliderDesc;
  setFriction(friction: number): ColliderDesc;
  setRestitution(restitution: number): ColliderDesc;
  setRotation(rotation: Quaternion): ColliderDesc;
}
interface RigidBodyDesc {
  setTranslation(x: number, y: number, z: number): RigidBodyDesc;
  setLinvel(x: number, y: number, z: number): RigidBodyDesc;
  setAngvel(velocity: Xyz): RigidBodyDesc;
  setCanSleep(can: boolean): RigidBodyDesc;
}
interface RigidBody {
  translation(): Xyz;
  linvel(): Xyz;
  angvel(): Xyz;
  resetForces(wake: boolean): void;
  addForce(force: Xyz, wake: boolean): void;
}
interface World {
  readonly integrationParameters: {
    dt: number;
    contact_natural_frequency: number;
    normalizedPredictionDistance: number;
  };
  createRigidBody(description: RigidBodyDesc): RigidBody;
  createCollider(description: ColliderDesc, parent?: RigidBody): unknown;
  step(): void;
  free(): void;
}
interface Rapier {
  init(): Promise<void>;
  readonly World: new (gravity: Xyz) => World;
  readonly RigidBodyDesc: { dynamic(): RigidBodyDesc; fixed(): RigidBodyDesc };
  readonly ColliderDesc: {
    cuboid(x: number, y: number, z: number): ColliderDesc;
    ball(radius: number): ColliderDesc;
    cylinder(halfHeight: number, radius: number): ColliderDesc;
    convexHull(points: Float32Array): ColliderDesc;
  } & (new (
    shape: object,
  ) => ColliderDesc);
  readonly HalfSpace: new (normal: Xyz) => object;
}

const PACKAGE = '@dimforge/rapier3d-compat';
const xyz = ([x, y, z]: Vec3): Xyz => ({ x, y, z });
const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
/** Cylinders lie along y there. */
const Y_TO_Z: Quaternion = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

export const rapier: PeerPackage = {
  name: 'rapier',
  packageName: PACKAGE,
  async load(): Promise<Peer> {
    const { default: module } = await loadFile<{ default: Rapier }>(PACKAGE, 'dist/rapier.mjs');
    // It warns of a deprecated call of its own
    const { warn } = console;
    console.warn = () => {};
    await module.init();
    console.warn = warn;
    return { createWorld: (options) => createWorld(module, options) };
  },
};

const createWorld = (module: Rapier, { gravity, friction, restitution, step }: Parameters<Peer['createWorld']>[0]) => {
  const world = new module.World(xyz(gravity));
  world.integrationParameters.dt = step;
  // Stiffer than the 30 Hz meant for 1/60 s, and looking ahead by 2 mm in place of 20: steps are short. More iterations make it creep more.
  world.integrationParameters.contact_natural_frequency = 100;
  world.integrationParameters.normalizedPredictionDistance = 2e-3;
  const bodies: RigidBody[] = [];
  // Coefficients of a pair are the mean of the two: equal ones stay as they are
  const touching = (collider: ColliderDesc) => collider.setFriction(friction).setRestitution(restitution);
  const colliderOf = ({ shape, mass, inertia }: PeerBody): ColliderDesc => {
    const { ColliderDesc } = module;
    const collider =
      shape.kind === 'box'
        ? ColliderDesc.cuboid(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2)
        : shape.kind === 'sphere'
          ? ColliderDesc.ball(shape.radius)
          : shape.kind === 'prism'
            ? ColliderDesc.convexHull(Float32Array.from(prismCorners(shape).flat()))
            : ColliderDesc.cylinder(shape.height / 2, shape.radius).setRotation(Y_TO_Z);
    return inertia === undefined
      ? collider.setMass(mass)
      : collider.setMassProperties(mass, xyz(ZERO), xyz([inertia, inertia, inertia]), NO_TURN);
  };
  return {
    addFloor() {
      world.createCollider(touching(new module.ColliderDesc(new module.HalfSpace({ x: 0, y: 0, z: 1 }))));
    },
    addBody(body: PeerBody) {
      const { position, velocity = ZERO, angularVelocity = ZERO } = body;
      const rigid = world.createRigidBody(
        (body.fixed ? module.RigidBodyDesc.fixed() : module.RigidBodyDesc.dynamic())
          .setTranslation(...position)
          .setLinvel(...velocity)
          .setAngvel(xyz(angularVelocity))
          .setCanSleep(false),
      );
      world.createCollider(touching(colliderOf(body)), rigid);
      return bodies.push(rigid) - 1;
    },
    push(body: number, force: Vec3) {
      bodies[body].resetForces(true);
      bodies[body].addForce(xyz(force), true);
    },
    step: (h: number) => {
      world.integrationParameters.dt = h;
      world.step();
    },
    read(body: number, out: Float64Array, at: number) {
      const parts = [bodies[body].translation(), bodies[body].linvel(), bodies[body].angvel()];
      for (const [k, { x, y, z }] of parts.entries()) {
        out[at + 3 * k] = x;
        out[at + 3 * k + 1] = y;
        out[at + 3 * k + 2] = z;
      }
    },
    free: () => world.free(),
  };
};
