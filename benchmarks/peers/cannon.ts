/** cannon-es: JavaScript in double precision, Gauss–Seidel on regularised constraints (SPOOK). */
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
  x: number;
  y: number;
  z: number;
  set(x: number, y: number, z: number): void;
}
interface Shape {
  readonly id: number;
}
interface Body {
  readonly position: Vector;
  readonly velocity: Vector;
  readonly angularVelocity: Vector;
  readonly inertia: Vector;
  readonly invInertia: Vector;
  readonly force: Vector;
  linearDamping: number;
  angularDamping: number;
  addShape(shape: Shape, offset?: Vector, orientation?: object): void;
  updateInertiaWorld(force: boolean): void;
}
interface World {
  readonly gravity: Vector;
  readonly solver: { iterations: number; tolerance: number };
  readonly defaultContactMaterial: { friction: number; restitution: number };
  addBody(body: Body): void;
  step(h: number): void;
}
interface Cannon {
  readonly World: new () => World;
  readonly Body: new (options: { mass: number }) => Body;
  readonly Vec3: new (x: number, y: number, z: number) => Vector;
  readonly Quaternion: new (x: number, y: number, z: number, w: number) => object;
  readonly Plane: new () => Shape;
  readonly Sphere: new (radius: number) => Shape;
  readonly Box: new (halfSize: Vector) => Shape;
  readonly ConvexPolyhedron: new (options: { vertices: Vector[]; faces: number[][] }) => Shape;
  readonly Cylinder: new (top: number, bottom: number, height: number, segments: number) => Shape;
}

const PACKAGE = 'cannon-es';
/** Of a cylinder, which is a prism there */
const SEGMENTS = 32;

export const cannon: PeerPackage = {
  name: 'cannon-es',
  packageName: PACKAGE,
  async load(): Promise<Peer> {
    const module = await loadFile<Cannon>(PACKAGE, 'dist/cannon-es.js');
    return { createWorld: (options) => createWorld(module, options) };
  },
};

const createWorld = (module: Cannon, { gravity, friction, restitution }: PeerOptions) => {
  const world = new module.World();
  world.gravity.set(...gravity);
  world.solver.iterations = 50;
  world.solver.tolerance = 0;
  world.defaultContactMaterial.friction = friction;
  world.defaultContactMaterial.restitution = restitution;
  const bodies: Body[] = [];
  const vector = ([x, y, z]: Vec3) => new module.Vec3(x, y, z);
  const addShape = (body: Body, { shape }: PeerBody) => {
    if (shape.kind === 'box') body.addShape(new module.Box(vector(shape.size.map((a) => a / 2) as unknown as Vec3)));
    else if (shape.kind === 'prism') {
      const n = shape.outline.length;
      // counter-clockwise seen from outside
      const sides = Array.from({ length: n }, (_, i) => [i, n + i, n + ((i + 1) % n), (i + 1) % n]);
      const ends = [Array.from({ length: n }, (_, i) => i), Array.from({ length: n }, (_, i) => 2 * n - 1 - i)];
      const faces = [...sides, ...ends];
      body.addShape(new module.ConvexPolyhedron({ vertices: prismCorners(shape).map(vector), faces }));
    } else if (shape.kind === 'sphere') body.addShape(new module.Sphere(shape.radius));
    else {
      // Cylinders lie along y there
      const turn = new module.Quaternion(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
      body.addShape(
        new module.Cylinder(shape.radius, shape.radius, shape.height, SEGMENTS),
        new module.Vec3(0, 0, 0),
        turn,
      );
    }
  };
  return {
    addFloor() {
      const floor = new module.Body({ mass: 0 });
      floor.addShape(new module.Plane()); // faces +z
      world.addBody(floor);
    },
    addBody(body: PeerBody) {
      const { mass, inertia, position, velocity = ZERO, angularVelocity = ZERO } = body;
      const rigid = new module.Body({ mass: body.fixed ? 0 : mass });
      rigid.linearDamping = 0;
      rigid.angularDamping = 0;
      rigid.position.set(...position);
      rigid.velocity.set(...velocity);
      rigid.angularVelocity.set(...angularVelocity);
      addShape(rigid, body);
      if (inertia !== undefined) {
        rigid.inertia.set(inertia, inertia, inertia);
        rigid.invInertia.set(1 / inertia, 1 / inertia, 1 / inertia);
        rigid.updateInertiaWorld(true);
      }
      world.addBody(rigid);
      return bodies.push(rigid) - 1;
    },
    push: (body: number, force: Vec3) => bodies[body].force.set(...force),
    step: (h: number) => world.step(h),
    read(body: number, out: Float64Array, at: number) {
      const parts = [bodies[body].position, bodies[body].velocity, bodies[body].angularVelocity];
      for (const [k, { x, y, z }] of parts.entries()) {
        out[at + 3 * k] = x;
        out[at + 3 * k + 1] = y;
        out[at + 3 * k + 2] = z;
      }
    },
    free() {},
  };
};
