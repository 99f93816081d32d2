/**
 * Who may touch whom. Two shapes a and b may touch unless
 *
 *   - they belong to the same body;
 *   - one is in no group that the other touches: (group_a & mask_b) = 0 or (group_b & mask_a) = 0;
 *   - their bodies are excluded: by the user, or because a joint connects them;
 *   - they themselves are excluded.
 *
 * Joined bodies are excluded by default, since the parts of a bearing overlap by design; `joinedTouch` names the joined
 * bodies that touch nevertheless (a link that has a stop on its neighbour).
 */
import { ModelError } from '../errors.js';
import { PairSet } from './pair-set.js';

export interface PairRules {
  /** One per shape: index of its body, −1 for the ground. */
  readonly body: ArrayLike<number>;
  /** One per shape: the groups it is in, a bit each; default 1 for all. */
  readonly group?: ArrayLike<number>;
  /** One per shape: the groups it touches, a bit each; default −1 for all, every group. */
  readonly mask?: ArrayLike<number>;
  /** 2 per joint: the bodies it connects. */
  readonly joined?: ArrayLike<number>;
  /** Joined bodies that may touch: all of them, or 2 per pair of bodies; default none. */
  readonly joinedTouch?: boolean | ArrayLike<number>;
  /** 2 per pair of bodies that never touch. */
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

  /** @throws ModelError on arrays of different length, indices out of range, a body or a shape paired with itself */
  constructor(rules: PairRules) {
    this.shapes = rules.body.length;
    this.body = Int32Array.from(rules.body);
    this.group = perShape('group', rules.group, 1, this.shapes);
    this.mask = perShape('mask', rules.mask, -1, this.shapes);
    let last = -1;
    for (let i = 0; i < this.shapes; i++) {
      if (!(Number.isInteger(rules.body[i]) && rules.body[i] >= -1))
        throw new ModelError(`pairRules.body[${i}]`, `expected the index of a body or −1, got ${rules.body[i]}`);
      last = Math.max(last, this.body[i]);
    }
    this.bodyNamed = new Uint8Array(last + 2);
    this.shapeNamed = new Uint8Array(this.shapes);

    const touching = new PairSet();
    const { joinedTouch = false } = rules;
    if (typeof joinedTouch !== 'boolean') eachPair('joinedTouch', joinedTouch, (a, b) => void touching.add(a, b));
    if (joinedTouch !== true)
      eachPair('joined', rules.joined ?? [], (a, b) => {
        if (!touching.has(a, b)) this.excludeBodies(a, b);
      });
    eachPair('excludedBodies', rules.excludedBodies ?? [], (a, b) => this.excludeBodies(a, b));
    eachPair('excludedShapes', rules.excludedShapes ?? [], (a, b) => this.excludeShapes(a, b));
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

  /** Bodies without a shape may be named too; they lie beyond the end of the array or are never asked for. */
  private excludeBodies(a: number, b: number): void {
    this.bodyPairs.add(a, b);
    this.bodyNamed[a + 1] = this.bodyNamed[b + 1] = 1;
  }

  private excludeShapes(a: number, b: number): void {
    for (const shape of [a, b])
      if (!(shape >= 0 && shape < this.shapes))
        throw new ModelError(
          'pairRules.excludedShapes',
          `expected indices of shapes from 0 to ${this.shapes - 1}, got ${shape}`,
        );
    this.shapePairs.add(a, b);
    this.shapeNamed[a] = this.shapeNamed[b] = 1;
  }
}

function perShape(key: string, given: ArrayLike<number> | undefined, standard: number, shapes: number): Int32Array {
  if (given === undefined) return new Int32Array(shapes).fill(standard);
  if (given.length !== shapes)
    throw new ModelError(`pairRules.${key}`, `expected one number per shape, ${shapes}, got ${given.length}`);
  return Int32Array.from(given);
}

function eachPair(key: string, pairs: ArrayLike<number>, visit: (a: number, b: number) => void): void {
  if (pairs.length % 2 !== 0)
    throw new ModelError(`pairRules.${key}`, `expected 2 indices per pair, got ${pairs.length} numbers`);
  for (let i = 0; i < pairs.length; i += 2) {
    for (const index of [pairs[i], pairs[i + 1]])
      if (!(Number.isInteger(index) && index >= -1))
        throw new ModelError(`pairRules.${key}[${i / 2}]`, `expected two indices, got ${pairs[i]} and ${pairs[i + 1]}`);
    if (pairs[i] === pairs[i + 1])
      throw new ModelError(`pairRules.${key}[${i / 2}]`, `expected two different indices, got ${pairs[i]} twice`);
    visit(pairs[i], pairs[i + 1]);
  }
}
