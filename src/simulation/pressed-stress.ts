/**
 * Stress of a body that deforms where others press on it: that of the static deformation which its shapes do not have. A recording tells the
 * stress of its shapes by their coordinates; at nodes where that is not the whole, it is told node by node.
 */
import type { FlexibleNode } from '../assembly/system.js';
import type { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import { ratioAcross, type StressExtremes, solidMises, vonMises } from '../flexible-bodies/fem/stress.js';
import { drawnNodes } from '../results/scene/flexible-scene.js';

/** Of the largest stress: what is less cannot be seen in a colour */
const SEEN = 1 / 256;

export class PressedStress {
  /** Node that each vertex of the drawn surface shows */
  readonly vertices: Int32Array;
  /** Per node: von Mises stress of all, Pa, and 1 where it is to be told */
  readonly mises: Float64Array;
  readonly told: Uint8Array;
  private readonly shaped: Float64Array;
  private readonly load: Float64Array;
  private readonly across: number;
  private pressed = false;

  constructor(
    readonly name: string,
    private readonly plan: FlexibleNode,
    private readonly contacts: readonly FlexibleContact[],
  ) {
    const { part } = plan;
    const { nodeCount } = part.mesh;
    this.across = ratioAcross(part.material);
    this.vertices = drawnNodes(plan);
    this.mises = new Float64Array(nodeCount);
    this.told = new Uint8Array(nodeCount);
    this.shaped = new Float64Array(nodeCount);
    this.load = new Float64Array((part.kind === 'plane' ? 2 : 3) * nodeCount);
  }

  /** Adds it at (t, y), where the carriers are, to the stress of the shapes. */
  add(t: number, y: Float64Array, sum: Float64Array): void {
    const { plan, load } = this;
    load.fill(0);
    this.pressed = false;
    for (const contact of this.contacts) if (contact.addNodalForces(t, y, plan.name, load)) this.pressed = true;
    if (!this.pressed) return;
    this.misesOf(sum, this.shaped);
    plan.part.residual(load);
    const local = plan.part.stress(load);
    for (let i = 0; i < sum.length; i++) sum[i] += local[i];
  }

  /** Which nodes are to be told; none of the others is shown above the largest. */
  selectNodes(sum: Float64Array, { mises: largest, node }: StressExtremes): void {
    const { mises, shaped, told } = this;
    told.fill(0);
    if (!this.pressed) return;
    this.misesOf(sum, mises);
    for (let i = 0; i < told.length; i++)
      if (i === node || shaped[i] > largest || Math.abs(mises[i] - shaped[i]) > SEEN * largest) told[i] = 1;
  }

  private misesOf(sum: Float64Array, out: Float64Array): void {
    const planar = this.plan.part.kind === 'plane';
    for (let i = 0; i < out.length; i++)
      out[i] = planar ? vonMises(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2], this.across) : solidMises(sum, 6 * i);
  }
}
