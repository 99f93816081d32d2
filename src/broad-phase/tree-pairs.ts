/**
 * Candidate pairs from a tree of fat boxes, kept from one search to the next: only shapes that left their fat boxes move
 * in the tree and ask for their neighbours again. If more than one in eight did, or the tree has become twice as deep as
 * a new one, it is built anew.
 */
import type { AllowedPairs } from './allowed-pairs.js';
import { BoxTree } from './box-tree.js';
import type { PairList } from './candidate-pairs.js';
import type { FatBoxes } from './fat-boxes.js';

const LEAVERS_FOR_A_NEW_TREE = 1 / 8;

export class TreePairs {
  private readonly tree: BoxTree;
  // one per shape: 1 while its neighbours are asked for again
  private readonly left: Uint8Array;
  private readonly deepest: number;

  constructor(readonly shapes: number) {
    this.tree = new BoxTree(shapes);
    this.left = new Uint8Array(shapes);
    this.deepest = 2 * (32 - Math.clz32(shapes)) + 8;
  }

  /** All allowed pairs whose fat boxes meet, sorted. */
  findAll(fat: FatBoxes, allowed: AllowedPairs, pairs: PairList): void {
    this.tree.build(fat.boxes);
    pairs.clear();
    this.tree.selfPairs(allowed, pairs);
    pairs.sort(this.shapes);
  }

  /** Brings `pairs` up to date after `fat.leavers` left their boxes; `boxes` are the present ones. */
  follow(boxes: Float64Array, fat: FatBoxes, allowed: AllowedPairs, pairs: PairList): void {
    const { leavers, leaverCount } = fat;
    if (leaverCount > LEAVERS_FOR_A_NEW_TREE * this.shapes || this.tree.depth > this.deepest) {
      fat.fattenAll(boxes);
      this.findAll(fat, allowed, pairs);
      return;
    }
    for (let n = 0; n < leaverCount; n++) {
      fat.fatten(boxes, leavers[n]);
      this.tree.move(leavers[n], fat.boxes);
      this.left[leavers[n]] = 1;
    }

    // Pairs of shapes that stayed remain; those of a leaver are asked for again
    let kept = 0;
    for (let i = 0; i < pairs.count; i++) {
      if (this.left[pairs.a[i]] === 1 || this.left[pairs.b[i]] === 1) continue;
      pairs.a[kept] = pairs.a[i];
      pairs.b[kept++] = pairs.b[i];
    }
    pairs.count = kept;
    for (let n = 0; n < leaverCount; n++) {
      const asking = leavers[n];
      const many = this.tree.neighbours(asking);
      for (let m = 0; m < many; m++) {
        const other = this.tree.near[m];
        // of two leavers the smaller one adds the pair
        if (this.left[other] === 1 && other < asking) continue;
        if (allowed.allows(asking, other)) pairs.push(asking, other);
      }
    }
    for (let n = 0; n < leaverCount; n++) this.left[leavers[n]] = 0;
    pairs.sort(this.shapes);
  }
}
