/**
 * Who may touch whom. Two shapes a and b may touch unless
 *
 *   - they belong to the same body;
 *   - one is in no group that the other touches: (group_a & mask_b) = 0 or (group_b & mask_a) = 0;
 *   - their bodies are excluded: by the user, or because a joint connects them (assembly/contact-rules.ts);
 *   - they themselves are excluded.
 */
import { PairSet } from './pair-set.js';

/** As assembly makes them */
export interface PairRules {
  /** One per shape: index of its body, −1 for the ground. */
  readonly body: ArrayLike<number>;
  /** One per shape: the groups it is in, a bit each; default 1 for all. */
  readonly group?: ArrayLike<number>;
  /** One per shape: the groups it touches, a bit each; default −1 for all, every group. */
  readonly mask?: ArrayLike<number>;
  /** 2 per pair of bodies that never touch; they may have no shape. */
  readonly excludedBodies?: ArrayLike<number>;
  /** 2 per pair of shapes that never touch. */
  readonly excludedShapes?: ArrayLike<number>;
}

export class AllowedPairs {
  readonly shapes: number;
  private readonly body: Int32Array;
  private readonly group: Int32Array;
  private readonly mask: Int32Array;
  private readonly bodyPairs = new PairSet();
  private readonly shapePairs = new PairSet();
  // 1: an exclusion names the body (the ground first) or the shape; 0 spares the look into the sets
  private readonly bodyNamed: Uint8Array;
  private readonly shapeNamed: Uint8Array;

  constructor({ body, group, mask, excludedBodies = [], excludedShapes = [] }: PairRules) {
    this.shapes = body.length;
    this.body = Int32Array.from(body);
    this.group = group ? Int32Array.from(group) : new Int32Array(this.shapes).fill(1);
    this.mask = mask ? Int32Array.from(mask) : new Int32Array(this.shapes).fill(-1);
    this.bodyNamed = new Uint8Array(this.body.reduce((most, i) => Math.max(most, i), -1) + 2);
    this.shapeNamed = new Uint8Array(this.shapes);
    for (let i = 0; i < excludedBodies.length; i += 2) {
      this.bodyPairs.add(excludedBodies[i], excludedBodies[i + 1]);
      // those without a shape lie beyond the end, and are never asked for
      this.bodyNamed[excludedBodies[i] + 1] = this.bodyNamed[excludedBodies[i + 1] + 1] = 1;
    }
    for (let i = 0; i < excludedShapes.length; i += 2) {
      this.shapePairs.add(excludedShapes[i], excludedShapes[i + 1]);
      this.shapeNamed[excludedShapes[i]] = this.shapeNamed[excludedShapes[i + 1]] = 1;
    }
  }

  /** Whether shapes a ≠ b may touch. */
  allows(a: number, b: number): boolean {
    const { body, group, mask, bodyNamed, shapeNamed } = this;
    const bodyA = body[a];
    const bodyB = body[b];
    if (bodyA === bodyB || (group[a] & mask[b]) === 0 || (group[b] & mask[a]) === 0) return false;
    if (bodyNamed[bodyA + 1] > 0 && bodyNamed[bodyB + 1] > 0 && this.bodyPairs.has(bodyA, bodyB)) return false;
    return !(shapeNamed[a] > 0 && shapeNamed[b] > 0 && this.shapePairs.has(a, b));
  }
}
