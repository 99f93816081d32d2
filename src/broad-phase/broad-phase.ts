/**
 * Which pairs may touch: from the boxes of all shapes to the pairs whose boxes meet and that are allowed to touch.
 *
 * Three ways lead to the same pairs in the same order, to the last bit:
 *
 *   brute-force  every box against every other, O(n²)
 *   morton       cells in the order of a space-filling curve, O(n log n) (Elmqvist et al. 2015, §5.2)
 *   tree         a tree of boxes that follows the motion; searches only around shapes that moved (as Hofmann et al. 2014
 *                with Bullet)
 *
 * The last two search with fat boxes and keep what they found until a shape leaves its fat box; each update then
 * compares the kept pairs' true boxes. So what comes out depends on the boxes of this call alone, not on those before.
 */
import { ModelError } from '../errors.js';
import { AllowedPairs, type PairRules } from './allowed-pairs.js';
import { boxesMeet, enlargeBoxes } from './boxes.js';
import { everyPair } from './brute-force.js';
import { type CandidatePairs, PairList } from './candidate-pairs.js';
import { FatBoxes } from './fat-boxes.js';
import { MortonCells } from './morton-cells.js';
import { TreePairs } from './tree-pairs.js';

export type BroadPhaseMethod = 'brute-force' | 'morton' | 'tree';

export interface BroadPhaseOptions {
  /** Who may touch whom, one entry per shape; its length is the number of shapes. */
  readonly rules: PairRules | AllowedPairs;
  /** Default `automatic`: by the number of shapes. */
  readonly method?: BroadPhaseMethod | 'automatic';
  /**
   * By how much a box is enlarged on every side, m: one number, or one per shape; default 0. Two shapes are candidates
   * as long as the gap between their boxes is at most the sum of their margins.
   */
  readonly margin?: number | ArrayLike<number>;
  /**
   * Skin of the fat boxes as a fraction of the box; default 0.1. More means fewer searches and more pairs kept in vain. It
   * changes the time an update takes, never its result.
   */
  readonly skin?: number;
}

/** Up to so many shapes brute force is fastest, then the tree, then the cells; measured, see docs/theory/broad-phase.md. */
const FEW = 48;
const MANY = 10_000;

/** What `automatic` chooses. */
export const methodForSize = (shapes: number): BroadPhaseMethod =>
  shapes <= FEW ? 'brute-force' : shapes <= MANY ? 'tree' : 'morton';

/**
 * @example
 * const phase = new BroadPhase({ rules: { body: [0, 1, 2] }, margin: 1e-4 });
 * const { count, a, b } = phase.update(boxes); // 6 numbers per shape, m
 */
export class BroadPhase {
  readonly shapes: number;
  readonly method: BroadPhaseMethod;
  readonly allowed: AllowedPairs;
  /** How often the pairs were searched for anew, in whole or in part. */
  searches = 0;
  private readonly margin: Float64Array;
  private readonly boxes: Float64Array;
  private readonly found = new PairList();
  // not for brute force: fat boxes, the pairs of them that meet, whether these were looked for
  private readonly fat: FatBoxes;
  private readonly kept = new PairList();
  private searched = false;
  private readonly cells: MortonCells | undefined;
  private readonly tree: TreePairs | undefined;

  /** @throws ModelError on rules that do not fit together, a margin or a skin that is not a length or a fraction ≥ 0 */
  constructor({ rules, method = 'automatic', margin = 0, skin = 0.1 }: BroadPhaseOptions) {
    this.allowed = rules instanceof AllowedPairs ? rules : new AllowedPairs(rules);
    this.shapes = this.allowed.shapes;
    this.method = method === 'automatic' ? methodForSize(this.shapes) : method;
    if (!(skin >= 0 && skin < Infinity))
      throw new ModelError('broadPhase.skin', `expected a fraction of the box ≥ 0, got ${skin}`);
    this.margin = margins(margin, this.shapes);
    this.boxes = new Float64Array(6 * this.shapes);
    this.fat = new FatBoxes(this.method === 'brute-force' ? 0 : this.shapes, skin);
    if (this.method === 'morton') this.cells = new MortonCells(this.shapes);
    else if (this.method === 'tree') this.tree = new TreePairs(this.shapes);
    else if (this.method !== 'brute-force')
      throw new ModelError(
        'broadPhase.method',
        `expected 'automatic', 'brute-force', 'morton' or 'tree', got '${this.method}'`,
      );
  }

  /**
   * Pairs whose boxes meet.
   *
   * @param boxes 6 per shape: least x, y, z, greatest x, y, z, m; ±Infinity where a shape has no bound
   * @returns pairs that the next update overwrites
   * @throws ModelError on a box that is none (NaN, least > greatest), or a wrong number of boxes
   */
  update(boxes: Float64Array): CandidatePairs {
    if (boxes.length !== 6 * this.shapes)
      throw new ModelError(
        'broadPhase.boxes',
        `expected 6 numbers for each of ${this.shapes} shapes, got ${boxes.length}`,
      );
    enlargeBoxes(boxes, this.margin, this.boxes);
    if (this.method === 'brute-force') {
      this.searches++;
      everyPair(this.boxes, this.allowed, this.found);
    } else {
      this.bringUpToDate();
      this.compare();
    }
    return this.found;
  }

  /** Makes `kept` contain all allowed pairs that meet now. */
  private bringUpToDate(): void {
    const { allowed, boxes, fat, kept, cells, tree } = this;
    const first = !this.searched;
    if (first || (cells ? fat.anyLeft(boxes) : fat.collectLeavers(boxes) > 0)) {
      this.searches++;
      this.searched = true;
      if (first || cells) fat.fattenAll(boxes);
      if (cells) {
        cells.find(fat.boxes, allowed, kept);
        kept.sort(this.shapes);
      } else if (first) tree?.findAll(fat, allowed, kept);
      else tree?.follow(boxes, fat, allowed, kept);
    }
  }

  /** Takes over those kept pairs whose boxes meet, in their order. */
  private compare(): void {
    const { boxes, found, kept } = this;
    const { a, b, count } = kept;
    found.clear();
    for (let i = 0; i < count; i++) if (boxesMeet(boxes, 6 * a[i], boxes, 6 * b[i])) found.push(a[i], b[i]);
  }
}

function margins(given: number | ArrayLike<number>, shapes: number): Float64Array {
  const margin = typeof given === 'number' ? new Float64Array(shapes).fill(given) : Float64Array.from(given);
  if (margin.length !== shapes)
    throw new ModelError(
      'broadPhase.margin',
      `expected a length, or one for each of ${shapes} shapes, got ${margin.length}`,
    );
  for (let i = 0; i < shapes; i++)
    if (!(margin[i] >= 0 && margin[i] < Infinity))
      throw new ModelError(
        typeof given === 'number' ? 'broadPhase.margin' : `broadPhase.margin[${i}]`,
        `expected a length ≥ 0 m, got ${margin[i]}`,
      );
  return margin;
}
