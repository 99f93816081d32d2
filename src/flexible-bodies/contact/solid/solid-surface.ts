/**
 * The surface of a solid as contact sees it: inner points of its faces and nodes at sharp edges, each with the area it stands for, against bodies larger
 * than an element; and its triangles, four to a face of six nodes, against round bodies that may be smaller.
 */

import { shapeFunctions, THREE_POINTS } from '../../fem/plane-elements.js';
import type { SolidFlexiblePart } from '../../flexible-part.js';
import type { LoadedSurface, SurfaceLoad } from '../residual-compliance.js';
import { RimOfFaces } from './rim-of-faces.js';
import { SurfaceSpread } from './surface-spread.js';
import { TriangleSurface } from './triangle-surface.js';

/** Cosine of the angle between faces beyond which their common edge is sharp, 30° */
const SHARP = 0.866;
/** Of the mean length of a face: so far from a sharp edge a place counts less (rim-of-faces.ts) */
export const RIM = 0.25;
/** Area that a node at a sharp edge stands for, of the faces around it */
const AT_EDGE = 1 / 24;

/** Even pressure of 1 N on the faces around a node */
export interface PressureAround {
  readonly nodes: Int32Array;
  /** 3 per node, N */
  readonly forces: Float64Array;
  /** Per node: its part of a force of any direction that is spread as the pressure is */
  readonly shares: Float64Array;
  /** m² */
  readonly area: number;
  /** √ of the mean area of a face, m */
  readonly length: number;
}

/** Faces around a node that no sharp edge parts */
interface Patch {
  readonly node: number;
  readonly index: number;
  /** Normal of the first face, and the sum of all */
  readonly first: readonly number[];
  readonly sum: number[];
  area: number;
  length: number;
  faces: number;
  /** By node of the faces: force of even pressure, and part of the area */
  readonly parts: Map<number, number[]>;
}

export class SolidSurface implements LoadedSurface {
  readonly pointCount: number;
  /** Points at sharp edges are the last */
  readonly firstCorner: number;
  /** 3 per point: undeformed */
  readonly places: Float64Array;
  /** 6 per point: nodes, and how much each counts */
  readonly nodes: Int32Array;
  readonly weights: Float64Array;
  /** 3 per point: outward, undeformed */
  readonly normals: Float64Array;
  /** Per point: m², and √ of its face's area, m */
  readonly areas: Float64Array;
  readonly lengths: Float64Array;
  /** Four to a face, in the order of the faces, whose three points each stand first among the points */
  readonly triangles: TriangleSurface;
  /** What presses evenly on all faces around a node that no sharp edge parts */
  readonly patches: readonly PressureAround[];
  /** 3 per triangle: which of them its corners have */
  readonly patchOf: Int32Array;
  /** Where its faces end; how a force at a place of the triangles is spread over the patches */
  readonly rim: RimOfFaces;
  readonly spread: SurfaceSpread;
  readonly loadCount: number;
  /** m: twice the largest √ of a face's area; its mean */
  readonly longestSide: number;
  readonly meanLength: number;

  constructor({ mesh, faces, open, shapes }: Pick<SolidFlexiblePart, 'mesh' | 'faces' | 'open' | 'shapes'>) {
    const { points } = mesh;
    const nodes: number[] = [];
    const weights: number[] = [];
    const normals: number[] = [];
    const areas: number[] = [];
    const lengths: number[] = [];
    const triangles: number[] = [];
    const n = new Float64Array(18);
    const patches: Patch[] = [];
    const patchesAt = new Map<number, Patch[]>();
    const patchOf: number[] = [];
    let longest = 0;
    for (let f = 0; f < open.length; f++) {
      if (open[f] === 0) continue;
      const own = Array.from(faces.subarray(6 * f, 6 * f + 6));
      const [a, b, c, d, e, g] = own;
      triangles.push(a, d, g, d, b, e, g, e, c, d, e, g);
      const first = areas.length;
      const parts = own.map(() => [0, 0, 0, 0]);
      let whole = 0;
      for (let p = 0; p < THREE_POINTS.length; p += 3) {
        shapeFunctions(6, THREE_POINTS[p], THREE_POINTS[p + 1], n);
        const [u, v] = [
          [0, 0, 0],
          [0, 0, 0],
        ];
        own.forEach((node, k) => {
          for (let i = 0; i < 3; i++) {
            u[i] += n[6 + k] * points[3 * node + i];
            v[i] += n[12 + k] * points[3 * node + i];
          }
        });
        const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const size = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        const area = THREE_POINTS[p + 2] * size;
        nodes.push(...own);
        weights.push(...n.subarray(0, 6));
        normals.push(...normal.map((x) => x / size));
        areas.push(area);
        whole += area;
        own.forEach((_, k) => {
          for (let i = 0; i < 3; i++) parts[k][i] -= (n[k] * area * normal[i]) / size;
          parts[k][3] += n[k] * area;
        });
      }
      const length = Math.sqrt(whole);
      longest = Math.max(longest, 2 * length);
      for (let p = first; p < areas.length; p++) lengths.push(length);
      const normal = normals.slice(3 * first, 3 * first + 3);
      const [pa, pb, pc, pd, pe, pg] = own.map((node) => {
        const around = patchesAt.get(node) ?? [];
        patchesAt.set(node, around);
        let patch = around.find(({ first: n0 }) => n0[0] * normal[0] + n0[1] * normal[1] + n0[2] * normal[2] > SHARP);
        if (!patch) {
          patch = {
            node,
            index: patches.length,
            first: normal,
            sum: [0, 0, 0],
            area: 0,
            length: 0,
            faces: 0,
            parts: new Map(),
          };
          patches.push(patch);
          around.push(patch);
        }
        patch.area += whole;
        patch.faces++;
        patch.length = Math.max(patch.length, length);
        for (let i = 0; i < 3; i++) patch.sum[i] += normal[i];
        for (let l = 0; l < 6; l++) {
          const sum = patch.parts.get(own[l]) ?? [0, 0, 0, 0];
          for (let i = 0; i < 4; i++) sum[i] += parts[l][i];
          patch.parts.set(own[l], sum);
        }
        return patch.index;
      });
      patchOf.push(pa, pd, pg, pd, pb, pe, pg, pe, pc, pd, pe, pg);
    }
    this.firstCorner = areas.length;
    this.meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    // Nodes at sharp edges, once for each of the sides that meet there
    for (const [node, around] of patchesAt) {
      if (around.length === 1) continue;
      for (const { sum, area, length } of around) {
        const size = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        nodes.push(node, node, node, node, node, node);
        weights.push(1, 0, 0, 0, 0, 0);
        normals.push(...sum.map((x) => x / size));
        areas.push(AT_EDGE * area);
        lengths.push(length);
      }
    }
    this.nodes = Int32Array.from(nodes);
    this.weights = Float64Array.from(weights);
    this.normals = Float64Array.from(normals);
    this.areas = Float64Array.from(areas);
    this.lengths = Float64Array.from(lengths);
    this.pointCount = areas.length;
    this.triangles = new TriangleSurface(points, triangles, shapes);
    this.places = new Float64Array(3 * this.pointCount);
    for (let i = 0; i < nodes.length; i++)
      for (let d = 0; d < 3; d++) this.places[3 * Math.floor(i / 6) + d] += weights[i] * points[3 * nodes[i] + d];
    this.longestSide = longest;
    this.patchOf = Int32Array.from(patchOf);
    this.patches = patches.map(({ parts, area, faces: count }) => ({
      nodes: Int32Array.from(parts.keys()),
      forces: Float64Array.from(
        [...parts.values()].flatMap((part) => part.slice(0, 3)),
        (force) => force / area,
      ),
      shares: Float64Array.from([...parts.values()], (part) => part[3] / area),
      area,
      length: Math.sqrt(area / count),
    }));
    this.rim = new RimOfFaces(points, triangles, RIM * this.meanLength);
    this.spread = new SurfaceSpread(
      points,
      triangles,
      this.patchOf,
      Float64Array.from(patches.flatMap(({ sum }) => sum)),
      this.rim,
    );
    this.loadCount = this.pointCount + patches.length;
  }

  /** Of a point along its normal; beyond the points, of a patch around a node */
  load(i: number): SurfaceLoad | undefined {
    if (i >= this.pointCount) return this.patches[i - this.pointCount];
    const { nodes, weights, normals } = this;
    const forces = new Float64Array(18);
    for (let k = 0; k < 6; k++)
      for (let d = 0; d < 3; d++) forces[3 * k + d] = -weights[6 * i + k] * normals[3 * i + d];
    return { nodes: nodes.slice(6 * i, 6 * i + 6), forces };
  }
}
