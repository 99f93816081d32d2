/** jolt-physics: C++ in WASM, single precision, sequential impulses with speculative contacts. */
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

interface Vector {
  GetX(): number;
  GetY(): number;
  GetZ(): number;
}
type Shape = object;
interface Body {
  GetID(): object;
  GetCenterOfMassPosition(): Vector;
  GetLinearVelocity(): Vector;
  GetAngularVelocity(): Vector;
  AddForce(force: Vector): void;
}
interface BodyCreationSettings {
  mLinearVelocity: object;
  mAngularVelocity: object;
  mAllowSleeping: boolean;
  mFriction: number;
  mRestitution: number;
  mLinearDamping: number;
  mAngularDamping: number;
  mMaxAngularVelocity: number;
  mOverrideMassProperties: number;
  readonly mMassPropertiesOverride: { mMass: number; mInertia: object };
}
interface PhysicsSettings {
  mMinVelocityForRestitution: number;
  mPenetrationSlop: number;
  mSpeculativeContactDistance: number;
  mNumVelocitySteps: number;
}
interface PhysicsSystem {
  SetGravity(gravity: object): void;
  GetPhysicsSettings(): PhysicsSettings;
  SetPhysicsSettings(settings: PhysicsSettings): void;
  GetBodyInterface(): {
    CreateBody(settings: BodyCreationSettings): Body;
    AddBody(id: object, activation: number): void;
  };
}
interface JoltInterface {
  Step(h: number, collisionSteps: number): void;
  GetPhysicsSystem(): PhysicsSystem;
}
interface LayerPairs {
  EnableCollision(a: number, b: number): void;
}
interface LayerMap {
  MapObjectToBroadPhaseLayer(layer: number, broadPhaseLayer: object): void;
}
interface Settings {
  mMaxWorkerThreads: number;
  mObjectLayerPairFilter: LayerPairs;
  mBroadPhaseLayerInterface: LayerMap;
  mObjectVsBroadPhaseLayerFilter: object;
}
interface Jolt {
  readonly Vec3: new (x: number, y: number, z: number) => Vector;
  readonly RVec3: new (x: number, y: number, z: number) => Vector;
  readonly Quat: new (x: number, y: number, z: number, w: number) => object;
  readonly Plane: new (normal: Vector, constant: number) => object;
  readonly PlaneShape: new (plane: object, material: null, halfExtent: number) => Shape;
  readonly BoxShape: new (halfExtent: Vector, convexRadius: number) => Shape;
  readonly SphereShape: new (radius: number) => Shape;
  readonly CylinderShape: new (halfHeight: number, radius: number, convexRadius: number) => Shape;
  readonly ConvexHullShapeSettings: new () => {
    readonly mPoints: { push_back(point: Vector): void };
    mMaxConvexRadius: number;
    Create(): { Get(): Shape };
  };
  readonly Mat44: { readonly prototype: { sScale(factor: number): object } };
  readonly BodyCreationSettings: new (
    shape: Shape,
    position: Vector,
    rotation: object,
    motion: number,
    layer: number,
  ) => BodyCreationSettings;
  readonly JoltSettings: new () => Settings;
  readonly JoltInterface: new (settings: Settings) => JoltInterface;
  readonly ObjectLayerPairFilterTable: new (layers: number) => LayerPairs;
  readonly BroadPhaseLayer: new (layer: number) => object;
  readonly BroadPhaseLayerInterfaceTable: new (layers: number, broadPhaseLayers: number) => LayerMap;
  readonly ObjectVsBroadPhaseLayerFilterTable: new (
    map: LayerMap,
    broadPhaseLayers: number,
    pairs: LayerPairs,
    layers: number,
  ) => object;
  readonly EMotionType_Static: number;
  readonly EMotionType_Dynamic: number;
  readonly EActivation_Activate: number;
  readonly EOverrideMassProperties_CalculateInertia: number;
  readonly EOverrideMassProperties_MassAndInertiaProvided: number;
  destroy(object: object): void;
}

const PACKAGE = 'jolt-physics';
const STATIC = 0;
const MOVING = 1;

export const jolt: PeerPackage = {
  name: 'jolt',
  packageName: PACKAGE,
  async load(): Promise<Peer> {
    const { default: start } = await loadFile<{ default: () => Promise<Jolt> }>(
      PACKAGE,
      'dist/jolt-physics.wasm-compat.js',
    );
    const module = await start();
    return { createWorld: (options) => createWorld(module, options) };
  },
};

function createWorld(module: Jolt, { gravity, friction, restitution, step }: PeerOptions) {
  const jolt = new module.JoltInterface(layers(module));
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new module.Vec3(...gravity));
  const settings = system.GetPhysicsSettings();
  // Lengths and speeds are meant for a game of people: 2 cm of overlap and no bounce below 1 m/s. These are for parts of 10 cm, and
  // for bounces down to what gravity gives in a few steps.
  settings.mPenetrationSlop = 1e-4;
  settings.mSpeculativeContactDistance = 2e-3;
  settings.mMinVelocityForRestitution = 5 * Math.sqrt(gravity.reduce((sum, g) => sum + g * g, 0)) * step;
  system.SetPhysicsSettings(settings);
  const bodyInterface = system.GetBodyInterface();
  const bodies: Body[] = [];

  const add = (
    shape: Shape,
    at: Vec3,
    turned: boolean,
    layer: number,
    adjust: (made: BodyCreationSettings) => void,
  ) => {
    const rotation = turned ? new module.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2) : new module.Quat(0, 0, 0, 1);
    const motion = layer === STATIC ? module.EMotionType_Static : module.EMotionType_Dynamic;
    const made = new module.BodyCreationSettings(shape, new module.RVec3(...at), rotation, motion, layer);
    // A pair's friction is √(µ₁µ₂), its restitution the larger: equal ones stay as they are
    made.mFriction = friction;
    made.mRestitution = restitution;
    adjust(made);
    const body = bodyInterface.CreateBody(made);
    bodyInterface.AddBody(body.GetID(), module.EActivation_Activate);
    module.destroy(made);
    return body;
  };
  const shapeOf = ({ shape }: PeerBody): Shape => {
    if (shape.kind === 'sphere') return new module.SphereShape(shape.radius);
    if (shape.kind === 'prism') {
      const hull = new module.ConvexHullShapeSettings();
      for (const corner of prismCorners(shape)) hull.mPoints.push_back(new module.Vec3(...corner));
      hull.mMaxConvexRadius = 0;
      return hull.Create().Get();
    }
    if (shape.kind === 'cylinder') return new module.CylinderShape(shape.height / 2, shape.radius, 0);
    return new module.BoxShape(new module.Vec3(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2), 0);
  };
  return {
    addFloor() {
      const plane = new module.Plane(new module.Vec3(0, 0, 1), 0);
      add(new module.PlaneShape(plane, null, 100), ZERO, false, STATIC, () => {});
    },
    addBody(body: PeerBody) {
      const { mass, inertia, position, velocity = ZERO, angularVelocity = ZERO } = body;
      const turned = body.shape.kind === 'cylinder'; // cylinders lie along y there
      const made = add(shapeOf(body), position, turned, body.fixed ? STATIC : MOVING, (settings) => {
        if (body.fixed) return;
        settings.mLinearVelocity = new module.Vec3(...velocity);
        settings.mAngularVelocity = new module.Vec3(...angularVelocity);
        settings.mAllowSleeping = false;
        settings.mLinearDamping = 0;
        settings.mAngularDamping = 0;
        settings.mOverrideMassProperties =
          inertia === undefined
            ? module.EOverrideMassProperties_CalculateInertia
            : module.EOverrideMassProperties_MassAndInertiaProvided;
        settings.mMassPropertiesOverride.mMass = mass;
        if (inertia !== undefined) settings.mMassPropertiesOverride.mInertia = module.Mat44.prototype.sScale(inertia);
      });
      return bodies.push(made) - 1;
    },
    push: (body: number, force: Vec3) => bodies[body].AddForce(new module.Vec3(...force)),
    step: (h: number) => jolt.Step(h, 1),
    read(body: number, out: Float64Array, at: number) {
      const rigid = bodies[body];
      // One by one: what a call returns lives in memory that the next one overwrites
      put(rigid.GetCenterOfMassPosition(), out, at);
      put(rigid.GetLinearVelocity(), out, at + 3);
      put(rigid.GetAngularVelocity(), out, at + 6);
    },
    free: () => module.destroy(jolt),
  };
}

function put(vector: Vector, out: Float64Array, at: number): void {
  out[at] = vector.GetX();
  out[at + 1] = vector.GetY();
  out[at + 2] = vector.GetZ();
}

/** Two layers, of what rests and what moves; everything touches what moves. */
function layers(module: Jolt): Settings {
  const settings = new module.JoltSettings();
  const pairs = new module.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STATIC, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const map = new module.BroadPhaseLayerInterfaceTable(2, 2);
  map.MapObjectToBroadPhaseLayer(STATIC, new module.BroadPhaseLayer(STATIC));
  map.MapObjectToBroadPhaseLayer(MOVING, new module.BroadPhaseLayer(MOVING));
  settings.mMaxWorkerThreads = 1;
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = map;
  settings.mObjectVsBroadPhaseLayerFilter = new module.ObjectVsBroadPhaseLayerFilterTable(map, 2, pairs, 2);
  return settings;
}
