/** Ways that points have gone, as lines of constant width. Positions are kept about the first one, so that single precision will do. */
import {
  Float32BufferAttribute,
  Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { Rgb } from '../../results/scene/colour-scale.js';
import type { ScenePoint } from '../../results/scene.js';
import type { Placement } from './placement.js';

/** A point on a body that leaves a trail while frames are shown. */
export interface TrailPoint extends ScenePoint {
  readonly colour?: Rgb;
}

/** Told apart by lightness and hue with any colour vision (Okabe & Ito 2008). */
const COLOURS: readonly Rgb[] = [
  [0.84, 0.37, 0],
  [0, 0.45, 0.7],
  [0, 0.62, 0.45],
  [0.8, 0.47, 0.65],
  [0.9, 0.62, 0],
];

export class Trails {
  readonly root = new Group();
  readonly #given = new Map<string, Trail>();
  #own: { readonly point: TrailPoint; readonly trail: Trail; readonly times: number[] }[] = [];
  #width = 1;
  #height = 1;

  constructor(private readonly placement: Placement) {}

  /** Positions 3 each, world, m; none takes the trail away. */
  set(name: string, positions: Float64Array | undefined, colour?: Rgb): void {
    let trail = this.#given.get(name);
    if (!positions || positions.length < 6) {
      if (trail) this.#remove(trail);
      this.#given.delete(name);
      return;
    }
    if (!trail) {
      trail = this.#make(colour ?? COLOURS[this.#given.size % COLOURS.length]);
      this.#given.set(name, trail);
    } else if (colour) trail.setColour(colour);
    trail.setPositions(positions);
    this.place();
  }

  /** Points that collect their trail from the frames shown; those that did before go on. */
  follow(points: readonly TrailPoint[]): void {
    const isSame = (a: TrailPoint, b: TrailPoint): boolean =>
      a.body === b.body && a.position.every((x, k) => x === b.position[k]);
    const had = this.#own;
    this.#own = points.map((point) => {
      const same = had.find((other) => isSame(other.point, point));
      return same ?? { point, trail: this.#make(point.colour ?? COLOURS[point.body % COLOURS.length]), times: [] };
    });
    for (const other of had) if (!this.#own.includes(other)) this.#remove(other.trail);
  }

  /** Called for every frame: adds where the points are; going back in time takes away what came later. */
  collect(time: number): void {
    for (const { point, trail, times } of this.#own) {
      while (times.length > 0 && times[times.length - 1] >= time) {
        times.pop();
        trail.pop();
      }
      times.push(time);
      trail.push(...this.placement.point(point.body, point.position));
    }
    this.place();
  }

  resize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    for (const { material } of this.#all()) material.resolution.set(width, height);
  }

  /** Moves the lines to where the stage's origin is now. */
  place(): void {
    const { origin, scale } = this.placement;
    for (const { mesh, first } of this.#all()) {
      mesh.scale.setScalar(scale);
      mesh.position.set(scale * (first[0] - origin[0]), scale * (first[1] - origin[1]), scale * (first[2] - origin[2]));
    }
  }

  /** How many points each trail has, by name; those of followed points are `#0`, `#1`, … */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([
      ...[...this.#given].map(([name, { count }]) => [name, count] as const),
      ...this.#own.map(({ trail }, i) => [`#${i}`, trail.count] as const),
    ]);
  }

  *#all(): Iterable<Trail> {
    yield* this.#given.values();
    for (const { trail } of this.#own) yield trail;
  }

  #make(colour: Rgb): Trail {
    const trail = new Trail(colour);
    trail.material.resolution.set(this.#width, this.#height);
    this.root.add(trail.mesh);
    return trail;
  }

  #remove(trail: Trail): void {
    this.root.remove(trail.mesh);
    trail.dispose();
  }

  dispose(): void {
    for (const trail of this.#all()) trail.dispose();
  }
}

/** A line through points in a buffer that grows by doubling: segment i goes from point i to point i + 1 of the same numbers. */
class Trail {
  readonly mesh: Mesh<InstancedBufferGeometry, LineMaterial>;
  readonly material: LineMaterial;
  readonly first: [number, number, number] = [0, 0, 0];
  count = 0;
  #room = 0;
  #numbers = new Float32Array(0);
  #buffer: InstancedInterleavedBuffer | undefined;

  constructor(colour: Rgb) {
    this.material = new LineMaterial({ linewidth: 2, transparent: true, opacity: 0.9 });
    this.setColour(colour);
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  setColour([r, g, b]: Rgb): void {
    this.material.color.setRGB(r, g, b, 'srgb');
  }

  setPositions(positions: Float64Array): void {
    this.count = 0;
    const points = positions.length / 3;
    this.#reserve(points);
    for (let i = 0; i < points; i++) this.#write(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    this.#sent();
  }

  push(x: number, y: number, z: number): void {
    this.#reserve(this.count + 1);
    this.#write(x, y, z);
    this.#sent();
  }

  pop(): void {
    this.count--;
    this.#sent();
  }

  #write(x: number, y: number, z: number): void {
    if (this.count === 0) {
      this.first[0] = x;
      this.first[1] = y;
      this.first[2] = z;
    }
    const at = 3 * this.count++;
    this.#numbers[at] = x - this.first[0];
    this.#numbers[at + 1] = y - this.first[1];
    this.#numbers[at + 2] = z - this.first[2];
  }

  #sent(): void {
    this.mesh.visible = this.count > 1;
    this.mesh.geometry.instanceCount = Math.max(0, this.count - 1);
    if (!this.#buffer) return;
    this.#buffer.clearUpdateRanges();
    this.#buffer.addUpdateRange(0, 3 * this.count);
    this.#buffer.needsUpdate = true;
  }

  #reserve(points: number): void {
    if (points <= this.#room) return;
    this.#room = Math.max(256, 2 * this.#room, points);
    const larger = new Float32Array(3 * this.#room);
    larger.set(this.#numbers.subarray(0, 3 * this.count));
    this.#numbers = larger;
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    // The strip that LineMaterial bends: a quad with caps at both ends
    geometry.setIndex([0, 2, 1, 2, 3, 1, 2, 4, 3, 4, 5, 3, 4, 6, 5, 6, 7, 5]);
    geometry.setAttribute('position', new Float32BufferAttribute(STRIP, 3));
    geometry.setAttribute('uv', new Float32BufferAttribute(STRIP_UV, 2));
    this.#buffer = new InstancedInterleavedBuffer(larger, 3, 1);
    geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(this.#buffer, 3, 0));
    geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(this.#buffer, 3, 3));
    this.mesh.geometry = geometry;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

const STRIP = [-1, 2, 0, 1, 2, 0, -1, 1, 0, 1, 1, 0, -1, 0, 0, 1, 0, 0, -1, -1, 0, 1, -1, 0];
const STRIP_UV = [-1, 2, 1, 2, -1, 1, 1, 1, -1, -1, 1, -1, -1, -2, 1, -2];
