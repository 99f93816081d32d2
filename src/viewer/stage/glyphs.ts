/** Small things fixed to bodies, many in one call: the axes of frames and of joints, and motors. */
import {
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  OctahedronGeometry,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import { rotate } from '../../math/quaternion.js';
import { addScaled, cross, perpendicular, type Vec3 } from '../../math/vec3.js';
import { toLinear } from '../../results/scene/colour-scale.js';
import type { Scene } from '../../results/scene.js';
import { MOTOR, motorSeat, motorSize } from '../motor-look.js';
import type { Placement } from './placement.js';

/** A sign on a body: origin and axes in the body's frame, and its length in m. */
interface Sign {
  readonly body: number;
  readonly at: Vec3;
  readonly x: Vec3;
  readonly y: Vec3;
  readonly z: Vec3;
  readonly length: number;
}

export class Glyphs {
  readonly root = new Group();
  readonly #kinds: { readonly mesh: InstancedMesh; readonly signs: readonly Sign[] }[] = [];

  /** @param onTop drawn over everything: what it shows is mostly inside of bodies */
  private constructor(
    private readonly placement: Placement,
    private readonly material: Material,
  ) {}

  /** Axes x red, y green, z blue at bodies, named frames and the world's origin. */
  static frames(scene: Scene, placement: Placement, radiusOf: (body: number) => number, size: number): Glyphs {
    const glyphs = new Glyphs(placement, signMaterial());
    const signs: Sign[] = [{ ...WORLD, length: 0.12 * size }];
    scene.bodies.forEach(({ frames }, body) => {
      const length = Math.min(0.16 * size, 1.3 * radiusOf(body) || 0.16 * size);
      signs.push({ ...WORLD, body, length });
      for (const { pose } of frames) {
        const axis = (k: number): Vec3 => rotate(pose.orientation, UNIT[k]);
        signs.push({ body, at: pose.position, x: axis(0), y: axis(1), z: axis(2), length: 0.7 * length });
      }
    });
    glyphs.#add(triad(), signs);
    return glyphs;
  }

  /** Lines along axes of joints: with a ring where they turn, arrows where they slide; a ball for ball joints. */
  static joints(scene: Scene, placement: Placement, radiusOf: (body: number) => number, size: number): Glyphs {
    const glyphs = new Glyphs(placement, signMaterial());
    const kinds = {
      turn: [] as Sign[],
      slide: [] as Sign[],
      both: [] as Sign[],
      ball: [] as Sign[],
      fixed: [] as Sign[],
    };
    for (const { kind, at, axes, axisOnTo, to } of scene.joints) {
      const length = Math.min(0.3 * size, Math.max(0.06 * size, 0.8 * radiusOf(at.body)));
      const list =
        kind === 'prismatic'
          ? kinds.slide
          : kind === 'cylindrical' || kind === 'screw'
            ? kinds.both
            : axes.length > 0
              ? kinds.turn
              : kind === 'fixed' || kind === 'weld'
                ? kinds.fixed
                : kinds.ball;
      const signs = axes.length > 0 ? axes : [UNIT[2]];
      signs.forEach((axis, i) => {
        // The first axis of a universal joint stays with the other body
        if (i === 0 && axisOnTo) {
          const seat = seatOn(placement, to, at);
          list.push({ body: to, at: seat, ...basis(axisOnTo), length });
        } else list.push({ body: at.body, at: at.position, ...basis(axis), length });
      });
    }
    const colour: Vec3 = [0.84, 0.37, 0];
    const green: Vec3 = [0, 0.62, 0.45];
    const rod = (): BufferGeometry => turned(new CylinderGeometry(0.012, 0.012, 2, 8), colour);
    const ring = (): BufferGeometry => painted(new TorusGeometry(0.16, 0.018, 8, 32), colour);
    const tip = (sign: number): BufferGeometry => {
      const cone = turned(new ConeGeometry(0.05, 0.18, 12), green);
      if (sign < 0) cone.rotateX(Math.PI);
      return cone.translate(0, 0, sign);
    };
    const slide = (): BufferGeometry[] => [turned(new CylinderGeometry(0.012, 0.012, 2, 8), green), tip(1), tip(-1)];
    glyphs.#add(merged([rod(), ring()]), kinds.turn);
    glyphs.#add(merged(slide()), kinds.slide);
    glyphs.#add(merged([...slide(), ring()]), kinds.both);
    glyphs.#add(merged([painted(new SphereGeometry(0.09, 16, 12), colour)]), kinds.ball);
    glyphs.#add(merged([painted(new OctahedronGeometry(0.1), [0.4, 0.4, 0.45])]), kinds.fixed);
    return glyphs;
  }

  /** Motors: a round housing behind a hinge, a longer one behind a slide, on what the joint moves against. */
  static motors(scene: Scene, placement: Placement, _radiusOf: (body: number) => number, size: number): Glyphs {
    const glyphs = new Glyphs(placement, new MeshLambertMaterial({ vertexColors: true }));
    const turning: Sign[] = [];
    const sliding: Sign[] = [];
    for (const joint of scene.joints) {
      const { kind, at, to, axes, driven } = joint;
      if (!driven || axes.length === 0) continue;
      const seat = addScaled(at.position, -motorSeat(scene, joint, size), axes[0]);
      const sign = { body: at.body, at: seat, ...basis(axes[0]), length: motorSize(scene, joint, size) };
      if (kind !== 'prismatic') turning.push(sign);
      // A slide's motor stays where it is
      else
        sliding.push({
          ...sign,
          body: to,
          at: seatOn(placement, to, { body: at.body, position: seat }),
          ...basis(axisOn(placement, to, at.body, axes[0])),
        });
    }
    const housing: Vec3 = [0.2, 0.28, 0.4];
    const metal: Vec3 = [0.72, 0.74, 0.77];
    const tube = (radius: number, from: number, to: number, colour: Vec3): BufferGeometry =>
      turned(new CylinderGeometry(radius, radius, to - from, 28), colour).translate(0, 0, 0.5 * (from + to));
    const { shaft, flange, body } = MOTOR;
    const motor = (long: number): BufferGeometry[] => [
      tube(shaft.radius, -shaft.length, 0, metal),
      tube(flange.radius, -shaft.length - flange.length, -shaft.length, metal),
      tube(body.radius, -shaft.length - flange.length - long * body.length, -shaft.length - flange.length, housing),
    ];
    glyphs.#add(merged(motor(1)), turning);
    glyphs.#add(merged(motor(2)), sliding);
    for (const { mesh } of glyphs.#kinds) {
      mesh.renderOrder = 0;
      mesh.castShadow = true;
    }
    return glyphs;
  }

  #add(geometry: BufferGeometry, signs: readonly Sign[]): void {
    if (signs.length === 0) {
      geometry.dispose();
      return;
    }
    const mesh = new InstancedMesh(geometry, this.material, signs.length);
    mesh.frustumCulled = false;
    mesh.renderOrder = 10;
    this.#kinds.push({ mesh, signs });
    this.root.add(mesh);
  }

  write(isVisible: (body: number) => boolean): void {
    const { placement } = this;
    const { origin, scale, poses, rotations } = placement;
    for (const { mesh, signs } of this.#kinds) {
      const e = mesh.instanceMatrix.array;
      let used = 0;
      for (const { body, at, x, y, z, length } of signs) {
        if (body >= 0 && !isVisible(body)) continue;
        const o = 16 * used++;
        const r = 9 * body;
        for (let k = 0; k < 3; k++) {
          const [a, b, c] =
            body < 0 ? UNIT[k] : [rotations[r + 3 * k], rotations[r + 3 * k + 1], rotations[r + 3 * k + 2]];
          const s = length * scale;
          e[o + k] = s * (a * x[0] + b * x[1] + c * x[2]);
          e[o + 4 + k] = s * (a * y[0] + b * y[1] + c * y[2]);
          e[o + 8 + k] = s * (a * z[0] + b * z[1] + c * z[2]);
          const place = (body < 0 ? 0 : poses[7 * body + k]) - origin[k] + a * at[0] + b * at[1] + c * at[2];
          e[o + 12 + k] = scale * place;
        }
      }
      mesh.count = used;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const { mesh } of this.#kinds) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }
}

const UNIT: readonly [Vec3, Vec3, Vec3] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const WORLD: Sign = { body: -1, at: [0, 0, 0], x: UNIT[0], y: UNIT[1], z: UNIT[2], length: 1 };

const signMaterial = (): MeshBasicMaterial =>
  new MeshBasicMaterial({ vertexColors: true, depthTest: false, depthWrite: false, transparent: true, opacity: 0.9 });

function basis(z: Vec3): { x: Vec3; y: Vec3; z: Vec3 } {
  const x = perpendicular(z);
  return { x, y: cross(z, x), z };
}

/** Where a point of one body lies on another at the start. */
function seatOn(placement: Placement, to: number, at: { body: number; position: Vec3 }): Vec3 {
  const world = placement.point(at.body, at.position);
  if (to < 0) return world;
  const r = placement.rotations;
  const p = placement.poses;
  const d = [world[0] - p[7 * to], world[1] - p[7 * to + 1], world[2] - p[7 * to + 2]];
  return [0, 1, 2].map(
    (k) => r[9 * to + k] * d[0] + r[9 * to + 3 + k] * d[1] + r[9 * to + 6 + k] * d[2],
  ) as unknown as Vec3;
}

/** An axis of one body in the frame of another, at the start. */
function axisOn({ rotations: r }: Placement, to: number, from: number, axis: Vec3): Vec3 {
  const world =
    from < 0 ? axis : [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, j) => sum + r[9 * from + 3 * k + j] * axis[j], 0));
  if (to < 0) return world as unknown as Vec3;
  return [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, j) => sum + r[9 * to + 3 * j + k] * world[j], 0),
  ) as unknown as Vec3;
}

/** three's cylinders and cones stand along y; ours along z. */
const turned = (geometry: BufferGeometry, colour: Vec3): BufferGeometry =>
  painted(geometry.rotateX(Math.PI / 2), colour);

function painted(geometry: BufferGeometry, colour: Vec3): BufferGeometry {
  const count = geometry.getAttribute('position').count;
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < colours.length; i++) colours[i] = toLinear(colour[i % 3]);
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  return geometry;
}

function triad(): BufferGeometry {
  const colours: readonly Vec3[] = [
    [0.84, 0.24, 0.18],
    [0.1, 0.62, 0.3],
    [0.1, 0.42, 0.85],
  ];
  return merged(
    UNIT.flatMap((_, k) => {
      const stick = turned(new CylinderGeometry(0.022, 0.022, 0.82, 8), colours[k]).translate(0, 0, 0.41);
      const tip = turned(new ConeGeometry(0.06, 0.2, 12), colours[k]).translate(0, 0, 0.9);
      const parts = [stick, tip];
      for (const part of parts) {
        if (k === 0) part.rotateY(Math.PI / 2);
        if (k === 1) part.rotateX(-Math.PI / 2);
      }
      return parts;
    }),
  );
}

/** One geometry of several. */
function merged(parts: readonly BufferGeometry[]): BufferGeometry {
  const flat = parts.map((part) => (part.index ? part.toNonIndexed() : part));
  const join = (name: string): BufferAttribute => {
    const arrays = flat.map((part) => part.getAttribute(name).array as Float32Array);
    const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const array of arrays) {
      all.set(array, at);
      at += array.length;
    }
    return new BufferAttribute(all, 3);
  };
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', join('position'));
  geometry.setAttribute('color', join('color'));
  geometry.setAttribute('normal', join('normal'));
  return geometry;
}
