/**
 * Everything that carries something: nodes of the tree, then free bodies, then the ground, in common arrays. Forces act on carriers
 * and need not know which kind one is.
 */
import type { Anchor, System } from '../../assembly/system.js';

export class Carriers {
  readonly nodes: number;
  readonly free: number;
  /** Index of the ground; also the number of carriers that move. */
  readonly ground: number;
  /** 3 per carrier: reference point in the world (node's origin, free body's centre of mass), m */
  readonly position: Float64Array;
  /** 9 per carrier, row-major: v_world = R v_carrier */
  readonly rotation: Float64Array;
  /** 6 per carrier, world axes: angular velocity rad/s, velocity of the reference point m/s */
  readonly twist: Float64Array;
  /** 6 per carrier, world axes: torque about the reference point N m, force N; all that acts from outside */
  readonly load: Float64Array;

  constructor(system: Pick<System, 'tree' | 'free'>) {
    this.nodes = system.tree.count;
    this.free = system.free.count;
    this.ground = this.nodes + this.free;
    this.position = new Float64Array(3 * (this.ground + 1));
    this.rotation = new Float64Array(9 * (this.ground + 1));
    this.twist = new Float64Array(6 * (this.ground + 1));
    this.load = new Float64Array(6 * (this.ground + 1));
    for (let i = 0; i <= this.ground; i++)
      this.rotation[9 * i] = this.rotation[9 * i + 4] = this.rotation[9 * i + 8] = 1;
  }

  /** Carrier of an anchor. */
  indexOf({ node }: Anchor): number {
    if (node >= 0) return node;
    return node === -1 ? this.ground : this.nodes - 2 - node;
  }
}
