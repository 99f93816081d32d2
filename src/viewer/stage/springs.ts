/**
 * Springs as springs: a wire wound between two points, whose coils move apart as it stretches; other forces along a line as a
 * cylinder with a rod, rigid rods as rods, bushings as a ball of rubber. The wire is wound by the card, from length, radius and turns.
 */
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  MeshLambertMaterial,
  SphereGeometry,
  SRGBColorSpace,
} from 'three';
import { cross, normalize, perpendicular, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene, SceneSpring } from '../../results/scene.js';
import { coilRadius, coilTurns, wireRadius } from '../spring-look.js';
import type { Placement } from './placement.js';

const AROUND = 6;

interface Kind {
  readonly mesh: InstancedMesh;
  readonly springs: readonly SceneSpring[];
  /** Places an instance between two points: offset along the line and length from the length now, radius in m */
  readonly span: (spring: SceneSpring, length: number) => { from: number; length: number; radius: number };
  readonly coil?: InstancedBufferAttribute;
}

export class Springs {
  readonly root = new Group();
  readonly #kinds: Kind[] = [];
  readonly #materials: Material[] = [];
  /** m between the two points at the start */
  readonly #startLength = new Map<SceneSpring, number>();

  constructor(
    scene: Scene,
    private readonly placement: Placement,
    private readonly size: number,
  ) {
    const of = (...kinds: string[]): SceneSpring[] => scene.springs.filter(({ kind }) => kinds.includes(kind));
    for (const spring of scene.springs) this.#startLength.set(spring, this.#ends(spring).length);
    const wound = of('spring');
    const perTurn = wound.length > 200 ? 10 : 20;
    const most = Math.max(1, ...wound.slice(0, 1000).map((spring) => this.#turns(spring)));
    const coil = this.#add(wireGeometry(perTurn * most), coilMaterial(), wound, (spring) => ({
      from: 0,
      length: 1,
      radius: this.#radius(spring),
    }));
    if (coil) {
      const attribute = new InstancedBufferAttribute(new Float32Array(4 * wound.length), 4);
      coil.mesh.geometry.setAttribute('coil', attribute);
      Object.assign(coil, { coil: attribute });
    }
    const steel = (): Material => lambert([0.66, 0.69, 0.73]);
    const lines = scene.springs.filter(({ kind }) => !['spring', 'bushing', 'rod'].includes(kind));
    this.#add(rod(), lambert([0.3, 0.36, 0.44]), lines, (spring) => {
      const start = this.#startLength.get(spring)!;
      return { from: 0, length: 0.55 * start, radius: 1.3 * this.#radius(spring) };
    });
    this.#add(rod(), steel(), lines, (spring, length) => ({ from: 0, length, radius: 0.45 * this.#radius(spring) }));
    this.#add(rod(), steel(), of('rod'), (spring, length) => ({ from: 0, length, radius: 0.4 * this.#radius(spring) }));
    this.#add(new SphereGeometry(1, 20, 14), lambert([0.16, 0.17, 0.19]), of('bushing'), () => ({
      from: 0,
      length: 0.02 * this.size,
      radius: 0.02 * this.size,
    }));
  }

  #radius(spring: SceneSpring): number {
    return coilRadius(spring.freeLength ?? this.#startLength.get(spring)!, this.size);
  }

  #turns(spring: SceneSpring): number {
    return coilTurns(Math.max(spring.freeLength ?? 0, this.#startLength.get(spring)!), this.#radius(spring));
  }

  #ends({ from, to }: SceneSpring): { from: Vec3; axis: Vec3; length: number } {
    const a = this.placement.point(from.body, from.position);
    const b = this.placement.point(to.body, to.position);
    const d = sub(b, a);
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return { from: a, axis: length > 0 ? normalize(d) : [0, 0, 1], length };
  }

  #add(
    geometry: BufferGeometry,
    material: Material,
    springs: readonly SceneSpring[],
    span: Kind['span'],
  ): Kind | undefined {
    this.#materials.push(material);
    if (springs.length === 0) {
      geometry.dispose();
      return undefined;
    }
    const mesh = new InstancedMesh(geometry, material, springs.length);
    mesh.frustumCulled = false;
    const kind: Kind = { mesh, springs, span };
    this.#kinds.push(kind);
    this.root.add(mesh);
    return kind;
  }

  write(): void {
    const { origin, scale } = this.placement;
    for (const { mesh, springs, span, coil } of this.#kinds) {
      const e = mesh.instanceMatrix.array;
      springs.forEach((spring, i) => {
        const { from, axis, length } = this.#ends(spring);
        const shape = span(spring, length);
        const x = perpendicular(axis);
        const y = cross(axis, x);
        const across = coil ? 1 : shape.radius * scale;
        const along = coil ? 1 : shape.length * scale;
        for (let k = 0; k < 3; k++) {
          e[16 * i + k] = across * x[k];
          e[16 * i + 4 + k] = across * y[k];
          e[16 * i + 8 + k] = along * axis[k];
          e[16 * i + 12 + k] = scale * (from[k] + shape.from * axis[k] - origin[k]);
        }
        if (!coil) return;
        const radius = shape.radius * scale;
        const turns = this.#turns(spring);
        coil.array.set([length * scale, radius, turns, wireRadius(length * scale, radius, turns)], 4 * i);
      });
      mesh.instanceMatrix.needsUpdate = true;
      if (coil) coil.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const { mesh } of this.#kinds) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    for (const material of this.#materials) material.dispose();
  }
}

const lambert = ([r, g, b]: Vec3): MeshLambertMaterial => {
  const material = new MeshLambertMaterial();
  material.color.setRGB(r, g, b, SRGBColorSpace);
  return material;
};

/** From z = 0 to 1, radius 1. */
const rod = (): BufferGeometry => new CylinderGeometry(1, 1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** A tube whose vertices say how far along the wire (0…1) and at which angle around it they are. */
function wireGeometry(segments: number): BufferGeometry {
  const rings = segments + 1;
  const position = new Float32Array(3 * rings * AROUND);
  for (let i = 0; i < rings; i++)
    for (let j = 0; j < AROUND; j++) position.set([i / segments, (2 * Math.PI * j) / AROUND, 0], 3 * (AROUND * i + j));
  const index = new Uint32Array(6 * segments * AROUND);
  let at = 0;
  for (let i = 0; i < segments; i++)
    for (let j = 0; j < AROUND; j++) {
      const a = AROUND * i + j;
      const b = AROUND * i + ((j + 1) % AROUND);
      index.set([a, b, a + AROUND, b, b + AROUND, a + AROUND], at);
      at += 6;
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(position.length).fill(1), 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

function coilMaterial(): Material {
  const material = lambert([0.5, 0.54, 0.6]);
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${COIL}`)
      .replace('#include <beginnormal_vertex>', COIL_NORMAL)
      .replace('#include <begin_vertex>', 'vec3 transformed = middle + coil.w * objectNormal;');
  };
  material.customProgramCacheKey = () => 'coil';
  return material;
}

// coil: length, radius, turns, radius of the wire. Both ends run straight along the axis for a tenth of the length.
const COIL = /* glsl */ `
attribute vec4 coil;
vec3 wire(float u) {
  float s = clamp((u - 0.06) / 0.88, 0.0, 1.0);
  float wide = coil.y * smoothstep(0.0, 0.05, s) * (1.0 - smoothstep(0.95, 1.0, s));
  float turn = 6.2831853 * coil.z * s;
  return vec3(wide * cos(turn), wide * sin(turn), coil.x * (u < 0.06 ? 1.67 * u : u > 0.94 ? 1.0 - 1.67 * (1.0 - u) : 0.1 + 0.8 * s));
}
`;
const COIL_NORMAL = /* glsl */ `
vec3 middle = wire(position.x);
vec3 tangent = normalize(wire(position.x + 2e-4) - wire(position.x - 2e-4) + vec3(0.0, 0.0, 1e-7));
vec3 side = normalize(cross(tangent, abs(tangent.z) > 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0)));
vec3 objectNormal = cos(position.y) * side + sin(position.y) * cross(tangent, side);
`;
