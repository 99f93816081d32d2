/**
 * GLB, the one-file form of glTF 2.0, put together: numbers go into one buffer, everything else into the JSON in front of it.
 *
 * Khronos, glTF 2.0 specification, §3.6 (buffers, views, accessors) and §4 (GLB).
 */
import type { Colour } from '../solid.js';
import { srgbToLinear } from './srgb.js';

export type GlbNumbers = Float32Array | Uint16Array | Uint32Array;

export interface GlbNode {
  readonly name: string;
  mesh?: number;
  children?: number[];
  translation?: readonly number[];
  /** x, y, z, w */
  rotation?: readonly number[];
}

export interface GlbPrimitive {
  readonly attributes: { readonly POSITION: number; readonly COLOR_0?: number };
  readonly indices: number;
  readonly material?: number;
  /** Morph targets (§3.7.2.2): displacements of the vertices, which the weights of the mesh multiply and add */
  readonly targets?: readonly { readonly POSITION: number }[];
}

interface GlbMesh {
  readonly name: string;
  readonly primitives: readonly GlbPrimitive[];
  /** Of its morph targets where no animation says otherwise */
  readonly weights?: readonly number[];
  /** What glTF has no word for */
  readonly extras?: Readonly<Record<string, string | number>>;
}

export interface GlbAnimation {
  readonly name: string;
  readonly samplers: readonly { readonly input: number; readonly output: number; readonly interpolation: 'LINEAR' }[];
  readonly channels: readonly {
    readonly sampler: number;
    readonly target: { readonly node: number; readonly path: 'translation' | 'rotation' | 'weights' };
  }[];
}

/** What numbers are for: a viewer's card wants to know of vertices and indices, and the bounds of vertices and times. */
const USES = {
  vertices: { type: 'VEC3', width: 3, target: 34962, bounds: true },
  indices: { type: 'SCALAR', width: 1, target: 34963, bounds: false },
  times: { type: 'SCALAR', width: 1, target: undefined, bounds: true },
  places: { type: 'VEC3', width: 3, target: undefined, bounds: false },
  turns: { type: 'VEC4', width: 4, target: undefined, bounds: false },
  weights: { type: 'SCALAR', width: 1, target: undefined, bounds: false },
  colours: { type: 'VEC3', width: 3, target: 34962, bounds: false },
} as const;

export class GlbBuilder {
  private readonly scene: { name?: string; nodes: number[] };
  private readonly nodes: GlbNode[] = [];
  private readonly meshes: GlbMesh[] = [];
  private readonly materials: object[] = [];
  private readonly materialOf = new Map<string, number>();
  private readonly animations: GlbAnimation[] = [];
  private readonly accessors: object[] = [];
  private readonly views: object[] = [];
  private readonly arrays: GlbNumbers[] = [];
  private length = 0;

  constructor(title = '') {
    this.scene = { ...(title && { name: title }), nodes: [] };
  }

  /** Index of the accessor that gives these numbers. */
  numbers(array: GlbNumbers, use: keyof typeof USES): number {
    const { type, width, target, bounds } = USES[use];
    this.views.push({
      buffer: 0,
      byteOffset: this.length,
      byteLength: array.byteLength,
      ...(target !== undefined && { target }),
    });
    this.arrays.push(array);
    this.length += padded(array.byteLength);
    const componentType = array instanceof Float32Array ? 5126 : array instanceof Uint16Array ? 5123 : 5125;
    return add(this.accessors, {
      bufferView: this.views.length - 1,
      componentType,
      count: array.length / width,
      type,
      ...(bounds && boundsOf(array, width)),
    });
  }

  /** A matt surface of that colour, the same for the same colour; glTF wants it linear. */
  material(colour: Colour): number {
    const key = colour.join(' ');
    const known = this.materialOf.get(key);
    if (known !== undefined) return known;
    const [r, g, b, opacity] = colour;
    const index = add(this.materials, {
      pbrMetallicRoughness: {
        baseColorFactor: [srgbToLinear(r), srgbToLinear(g), srgbToLinear(b), Math.min(1, Math.max(0, opacity))],
        metallicFactor: 0,
        roughnessFactor: 0.6,
      },
      ...(opacity < 1 && { alphaMode: 'BLEND' }),
    });
    this.materialOf.set(key, index);
    return index;
  }

  mesh(name: string, primitives: readonly GlbPrimitive[], more: Omit<GlbMesh, 'name' | 'primitives'> = {}): number {
    return add(this.meshes, { name, primitives, ...more });
  }

  /** A node of the scene, or of another node. */
  node(node: GlbNode, parent?: number): number {
    const index = add(this.nodes, node);
    if (parent === undefined) this.scene.nodes.push(index);
    else {
      const above = this.nodes[parent];
      above.children ??= [];
      above.children.push(index);
    }
    return index;
  }

  animation(animation: GlbAnimation): void {
    this.animations.push(animation);
  }

  bytes(): Uint8Array {
    const { nodes, meshes, materials, animations, accessors, views, length } = this;
    // glTF has no empty lists
    const lists = { nodes, meshes, materials, animations, accessors, bufferViews: views };
    const scene = this.scene.nodes.length > 0 ? this.scene : { ...(this.scene.name && { name: this.scene.name }) };
    const json = {
      asset: { version: '2.0', generator: 'tippetop' },
      scene: 0,
      scenes: [scene],
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
      ...(length > 0 && { buffers: [{ byteLength: length }] }),
    };
    const text = new TextEncoder().encode(JSON.stringify(json));
    const chunk = padded(text.length);
    const total = 20 + chunk + (length > 0 ? 8 + length : 0);
    const bytes = new Uint8Array(total);
    const view = new DataView(bytes.buffer);
    [0x46546c67, 2, total, chunk, 0x4e4f534a].forEach((word, i) => {
      view.setUint32(4 * i, word, true);
    });
    bytes.fill(0x20, 20, 20 + chunk).set(text, 20);
    if (length === 0) return bytes;
    view.setUint32(20 + chunk, length, true);
    view.setUint32(24 + chunk, 0x004e4942, true);
    let at = 28 + chunk;
    for (const array of this.arrays) {
      copyLittleEndian(array, view, at);
      at += padded(array.byteLength);
    }
    return bytes;
  }
}

const padded = (length: number): number => 4 * Math.ceil(length / 4);

function add<T>(list: T[], item: T): number {
  list.push(item);
  return list.length - 1;
}

function boundsOf(array: GlbNumbers, width: number): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(Infinity);
  const max = new Array<number>(width).fill(-Infinity);
  for (let i = 0; i < array.length; i++) {
    const k = i % width;
    if (array[i] < min[k]) min[k] = array[i];
    if (array[i] > max[k]) max[k] = array[i];
  }
  return { min, max };
}

function copyLittleEndian(array: GlbNumbers, view: DataView, at: number): void {
  if (array instanceof Float32Array) for (let i = 0; i < array.length; i++) view.setFloat32(at + 4 * i, array[i], true);
  else if (array instanceof Uint16Array)
    for (let i = 0; i < array.length; i++) view.setUint16(at + 2 * i, array[i], true);
  else for (let i = 0; i < array.length; i++) view.setUint32(at + 4 * i, array[i], true);
}
