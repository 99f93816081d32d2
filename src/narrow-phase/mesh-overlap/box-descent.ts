/**
 * Which triangles of two bodies may cross: both trees are walked together, the larger box being opened.
 *
 * B's boxes are oriented boxes in A's frame. Two boxes are apart if they are so along one of the six face axes; the nine
 * axes across two edges sort out too little to be worth it here. Boxes that just touch are kept, since the infinitesimal
 * shift may decide that they overlap; a margin of 1e-13 of the bodies' size covers the rounding of the axes.
 */
import { boundsMeet, NearTriangles } from './near-triangles.js';
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';
import { crossTriangles } from './triangle-crossing.js';

export class BoxDescent {
  private readonly stack: Int32Array;
  private readonly near: NearTriangles;
  private curves: OverlapCurves | undefined;

  constructor(
    private readonly a: OverlapBody,
    private readonly b: OverlapBody,
  ) {
    this.stack = new Int32Array(2 * (a.topology.tree.depth + b.topology.tree.depth + 2));
    this.near = new NearTriangles(a, b);
  }

  /**
   * Finds all crossings; among the triangles that were near each other a moment ago, where no others can be.
   *
   * @param r      9, by rows: from B's axes to A's
   * @param t      3: B's origin in A's frame, m
   * @param margin m
   */
  search(r: Float64Array, t: Float64Array, margin: number, curves: OverlapCurves): void {
    const { near } = this;
    if (!near.holds(r, t)) {
      if (near.begin(r, t)) {
        this.curves = undefined;
        this.descend(r, t, margin + near.slack);
      } else {
        this.curves = curves;
        this.descend(r, t, margin);
        curves.crossingCount = curves.nodeCount;
        return;
      }
    }
    near.cross(curves);
    curves.crossingCount = curves.nodeCount;
  }

  private descend(r: Float64Array, t: Float64Array, margin: number): void {
    const { a, b, stack } = this;
    const { boxes: boxesA, links: linksA } = a.topology.tree;
    const { boxes: boxesB, links: linksB } = b.topology.tree;
    const sizesA = a.topology.nodeSize;
    const sizesB = b.topology.nodeSize;
    const r00 = r[0];
    const r01 = r[1];
    const r02 = r[2];
    const r10 = r[3];
    const r11 = r[4];
    const r12 = r[5];
    const r20 = r[6];
    const r21 = r[7];
    const r22 = r[8];
    const t0 = t[0];
    const t1 = t[1];
    const t2 = t[2];
    const s00 = Math.abs(r00);
    const s01 = Math.abs(r01);
    const s02 = Math.abs(r02);
    const s10 = Math.abs(r10);
    const s11 = Math.abs(r11);
    const s12 = Math.abs(r12);
    const s20 = Math.abs(r20);
    const s21 = Math.abs(r21);
    const s22 = Math.abs(r22);

    stack[0] = 0;
    stack[1] = 0;
    for (let top = 2; top > 0; ) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      const i = 6 * nodeA;
      const j = 6 * nodeB;

      // axes of A
      const hb0 = boxesB[j + 3];
      const hb1 = boxesB[j + 4];
      const hb2 = boxesB[j + 5];
      const cb0 = boxesB[j];
      const cb1 = boxesB[j + 1];
      const cb2 = boxesB[j + 2];
      const x = r00 * cb0 + r01 * cb1 + r02 * cb2 + t0 - boxesA[i];
      const ha0 = boxesA[i + 3];
      if (Math.abs(x) > ha0 + margin + s00 * hb0 + s01 * hb1 + s02 * hb2) continue;
      const y = r10 * cb0 + r11 * cb1 + r12 * cb2 + t1 - boxesA[i + 1];
      const ha1 = boxesA[i + 4];
      if (Math.abs(y) > ha1 + margin + s10 * hb0 + s11 * hb1 + s12 * hb2) continue;
      const z = r20 * cb0 + r21 * cb1 + r22 * cb2 + t2 - boxesA[i + 2];
      const ha2 = boxesA[i + 5];
      if (Math.abs(z) > ha2 + margin + s20 * hb0 + s21 * hb1 + s22 * hb2) continue;
      // axes of B
      if (Math.abs(x * r00 + y * r10 + z * r20) > hb0 + margin + s00 * ha0 + s10 * ha1 + s20 * ha2) continue;
      if (Math.abs(x * r01 + y * r11 + z * r21) > hb1 + margin + s01 * ha0 + s11 * ha1 + s21 * ha2) continue;
      if (Math.abs(x * r02 + y * r12 + z * r22) > hb2 + margin + s02 * ha0 + s12 * ha1 + s22 * ha2) continue;

      const countA = 0 - linksA[2 * nodeA];
      const countB = 0 - linksB[2 * nodeB];
      if (countA > 0 && countB > 0) {
        this.leaves(linksA[2 * nodeA + 1], countA, linksB[2 * nodeB + 1], countB);
      } else if (countB > 0 || (countA <= 0 && sizesA[nodeA] >= sizesB[nodeB])) {
        stack[top++] = linksA[2 * nodeA + 1];
        stack[top++] = nodeB;
        stack[top++] = 0 - countA;
        stack[top++] = nodeB;
      } else {
        stack[top++] = nodeA;
        stack[top++] = linksB[2 * nodeB + 1];
        stack[top++] = nodeA;
        stack[top++] = 0 - countB;
      }
    }
  }

  private leaves(firstA: number, countA: number, firstB: number, countB: number): void {
    const { a, b, near, curves } = this;
    const orderA = a.topology.tree.order;
    const orderB = b.topology.tree.order;
    for (let m = firstA; m < firstA + countA; m++) {
      const ta = orderA[m];
      a.placeTriangle(ta);
      for (let n = firstB; n < firstB + countB; n++) {
        const tb = orderB[n];
        b.placeTriangle(tb);
        if (!curves) near.consider(ta, tb);
        else if (boundsMeet(a.bounds, b.bounds, 6 * ta, 6 * tb, 0)) crossTriangles(a, b, curves, ta, tb);
      }
    }
  }
}
