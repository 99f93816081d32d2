/**
 * The tree of nodes, put together body by body. All node frames have the world's axes as drawn, with the origin at the joint.
 */
import type { Quaternion } from '../math/quaternion.js';
import { dot, sub, type Vec3 } from '../math/vec3.js';
import { GROUND } from '../model/model.js';
import type { PlaneMotion } from './contacts.js';
import { type FlexibleDraft, near } from './flexible-bodies.js';
import { type BodyInertia, rotatedInertia } from './inertia.js';
import type { ChainNode } from './joint-chains.js';
import { type FlexibleNode, type Motion, NODE, type System } from './system.js';

const WELD: readonly ChainNode[] = [
  { kind: NODE.fixed, axis: [0, 0, 1], pitch: 0, q: 0, v: 0, qGiven: false, vGiven: false },
];

/** Where an interface of a flexible body is drawn and which node carries it; of planar parts with the normal of their plane */
interface InterfacePlace {
  readonly position: Vec3;
  readonly node: number;
  readonly normal?: Vec3;
}

/** Collects nodes one by one. */
export class TreeBuilder {
  /** Last node of each body: the one that carries it. */
  readonly nodeOf = new Map<string, number>([[GROUND, -1]]);
  /** World position of each node's origin as drawn. */
  readonly origins: Vec3[] = [];
  readonly kind: number[] = [];
  readonly q: number[] = [];
  readonly v: number[] = [];
  readonly motions: Motion[] = [];
  readonly initialQ: number[] = [];
  readonly initialV: number[] = [];
  readonly givenQ: number[] = [];
  readonly givenV: number[] = [];
  nq = 0;
  nv = 0;
  private readonly parent: number[] = [];
  private readonly motion: number[] = [];
  private readonly axis: number[] = [];
  private readonly pitch: number[] = [];
  private readonly position: number[] = [];
  private readonly mass: number[] = [];
  private readonly centre: number[] = [];
  private readonly inertia: number[] = [];

  /** Hangs `child` on `parent` by a chain at one point of the drawing; gives the chain's nodes. */
  chain(parent: string, child: string, at: Vec3, chain: readonly ChainNode[], motion?: Motion): number[] {
    let above = this.carrierAt(parent, at);
    const nodes = chain.map((node) => {
      const index = this.kind.length;
      this.parent.push(above);
      this.position.push(...(above < 0 ? at : sub(at, this.origins[above])));
      this.origins.push(at);
      this.kind.push(node.kind);
      this.axis.push(...node.axis);
      this.pitch.push(node.pitch);
      this.mass.push(0);
      this.centre.push(0, 0, 0);
      this.inertia.push(0, 0, 0, 0, 0, 0);
      this.motion.push(motion ? this.motions.push(motion) - 1 : -1);
      if (motion || node.kind === NODE.fixed) {
        this.q.push(-1);
        this.v.push(-1);
      } else {
        const q = typeof node.q === 'number' ? [node.q] : node.q;
        const v = typeof node.v === 'number' ? [node.v] : node.v;
        this.q.push(this.nq);
        this.v.push(this.nv);
        this.initialQ.push(...q);
        this.initialV.push(...v);
        this.givenQ.push(...q.map(() => Number(node.qGiven)));
        this.givenV.push(...v.map(() => Number(node.vGiven)));
        this.nq += q.length;
        this.nv += v.length;
      }
      above = index;
      return index;
    });
    this.nodeOf.set(child, above);
    return nodes;
  }

  /** Bodies that deform, and by name where their interfaces are carried */
  readonly flexible: FlexibleNode[] = [];
  private readonly interfaces = new Map<string, InterfacePlace[]>();

  isFlexible(name: string): boolean {
    return this.interfaces.has(name);
  }

  /** The node that carries a place of a body: of a flexible one the end of the interface there, if one is. */
  carrierAt(name: string, position: Vec3): number {
    const here = this.interfaces.get(name)?.find((one) => near(one.position, position, one.normal));
    return here ? here.node : this.nodeOf.get(name)!;
  }

  /** Pieces of one body, the next welded to the far end of the one before */
  deformAll(pieces: readonly FlexibleDraft[]): void {
    pieces.forEach((piece, i) => {
      if (i > 0) this.chain(pieces[i - 1].name, piece.name, piece.points[0].position, WELD);
      this.deform(piece);
    });
  }

  /** Makes the body that was last hung on the tree a flexible one: nodes for its coordinates, mass on its frame. */
  deform({ name, body, drawn, axes, plane, points, built, integrals, gauges }: FlexibleDraft): void {
    const frame = this.nodeOf.get(name)!;
    const origin = this.origins[frame];
    const nodes: number[] = [];
    const places: InterfacePlace[] = [];
    const coordinate = (kind: number, axis: Vec3): ChainNode => ({
      kind,
      axis,
      pitch: 0,
      q: 0,
      v: 0,
      qGiven: true,
      vGiven: true,
    });
    // in the plane two slides and the turn about its normal, in space three of each
    const flat = built.part.kind === 'plane';
    const slides = (flat ? axes.slice(0, 2) : axes).map((axis) => coordinate(NODE.prismatic, axis));
    const turns = (flat ? axes.slice(2) : axes).map((axis) => coordinate(NODE.revolute, axis));
    const [, ...outboard] = points;
    for (const { position } of outboard) {
      const own = this.chain(name, name, position, [...slides, ...turns]);
      this.nodeOf.set(name, frame);
      nodes.push(...own);
      places.push({ position, node: own.at(-1)!, ...(flat && { normal: axes[2] }) });
    }
    for (let k = nodes.length; k < integrals.count; k++) {
      nodes.push(...this.chain(name, name, origin, [slides[0]]));
      this.nodeOf.set(name, frame);
    }
    this.interfaces.set(name, places);
    if (name !== body) this.interfaces.get(body)!.push(...places);
    const { mass, s0, c00 } = integrals;
    this.mass[frame] = mass;
    const centre = [s0[0] / mass, s0[1] / mass, s0[2] / mass];
    // J = tr(G) 1 − G about the centre
    const g = Array.from(c00, (entry, k) => entry - mass * centre[Math.floor(k / 3)] * centre[k % 3]);
    const trace = g[0] + g[4] + g[8];
    [trace - g[0], trace - g[4], trace - g[8], -g[1], -g[2], -g[5]].forEach((entry, k) => {
      this.inertia[6 * frame + k] = entry;
    });
    centre.forEach((x, k) => {
      this.centre[3 * frame + k] = x;
    });
    const { reduced, part, spans = [] } = built;
    this.flexible.push({
      name: `bodies.${name}`,
      body,
      anchor: { node: frame, position: sub(drawn.position, origin), orientation: drawn.orientation },
      node: frame,
      plane: { position: sub(plane.position, origin), orientation: plane.orientation },
      nodes: Int32Array.from(nodes),
      carrying: (slides.length + turns.length) * places.length,
      integrals,
      mass: reduced.mass,
      stiffness: reduced.stiffness,
      damping: reduced.damping,
      frequencies: reduced.frequencies,
      gauges,
      spans,
      part,
    });
  }

  /** How a node moves if it can only turn about one direction and slide; the joints from the ground to it decide. */
  planeMotion(node: number): PlaneMotion | undefined {
    let turn: Vec3 | undefined;
    const slides: Vec3[] = [];
    for (let i = node; i >= 0; i = this.parent[i]) {
      const axis: Vec3 = [this.axis[3 * i], this.axis[3 * i + 1], this.axis[3 * i + 2]];
      if (this.kind[i] === NODE.fixed) continue;
      if (this.kind[i] === NODE.prismatic) slides.push(axis);
      else if (this.kind[i] !== NODE.revolute) return undefined;
      else if (turn && Math.abs(dot(turn, axis)) < 1 - 1e-15) return undefined;
      else turn = axis;
    }
    return { turn, slides };
  }

  /** Puts a body's mass on its node; axes of the drawing. */
  load(name: string, centre: Vec3, { mass, inertia }: BodyInertia, orientation: Quaternion): void {
    const node = this.nodeOf.get(name)!;
    const tensor = rotatedInertia(inertia, orientation);
    this.mass[node] = mass;
    sub(centre, this.origins[node]).forEach((x, k) => {
      this.centre[3 * node + k] = x;
    });
    [0, 4, 8, 1, 2, 5].forEach((entry, k) => {
      this.inertia[6 * node + k] = tensor[entry];
    });
  }

  tree(): System['tree'] {
    const count = this.kind.length;
    const rotation = new Float64Array(9 * count);
    for (let i = 0; i < count; i++) rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * i);
    return {
      count,
      parent: Int32Array.from(this.parent),
      kind: Uint8Array.from(this.kind),
      q: Int32Array.from(this.q),
      v: Int32Array.from(this.v),
      motion: Int32Array.from(this.motion),
      axis: Float64Array.from(this.axis),
      pitch: Float64Array.from(this.pitch),
      position: Float64Array.from(this.position),
      rotation,
      mass: Float64Array.from(this.mass),
      centre: Float64Array.from(this.centre),
      inertia: Float64Array.from(this.inertia),
    };
  }
}
