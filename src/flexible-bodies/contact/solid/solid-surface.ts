/**
 * The surface of a solid as contact sees it: inner points of its faces and nodes at sharp edges, each with the area it stands for, against bodies larger
 * than an element; and its triangles, four to a face of six nodes, against round bodies that may be smaller.
 */

import { SIX_POINTS, shapeFunctions } from '../../fem/plane-elements.js';
import type { SolidFlexiblePart } from '../../flexible-part.js';

/** Cosine of the angle between faces beyond which their common edge is sharp, 30° */
const SHARP = 0.866;
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
}

export class SolidSurface {
  readonly points: Float64Array;
  readonly pointCount: number;
  /** 6 per point: nodes, and how much each counts */
  readonly nodes: Int32Array;
  readonly weights: Float64Array;
  /** 3 per point: outward, undeformed */
  readonly normals: Float64Array;
  /** Per point: m², and √ of its face's area, m */
  readonly areas: Float64Array;
  readonly lengths: Float64Array;
  /** Nodes of the faces that can be touched */
  readonly boundary: Int32Array;
  /** 3 nodes each */
  readonly triangles: Int32Array;
  /** By node of the boundary: what presses evenly on all faces around it */
  readonly around: ReadonlyMap<number, PressureAround>;
  /** m */
  readonly longestSide: number;

  constructor({ mesh, faces, open }: SolidFlexiblePart) {
    const { points } = mesh;
    this.points = points;
    const nodes: number[] = [];
    const weights: number[] = [];
    const normals: number[] = [];
    const areas: number[] = [];
    const lengths: number[] = [];
    const triangles: number[] = [];
    const n = new Float64Array(18);
    const normalsAt = new Map<number, number[][]>();
    const sizeAt = new Map<number, [area: number, length: number]>();
    // of each node around: three forces, then its part of the area
    const loads = new Map<number, { parts: Map<number, number[]>; area: number }>();
    let longest = 0;
    for (let f = 0; f < open.length; f++) {
      if (open[f] === 0) continue;
      const own = Array.from(faces.subarray(6 * f, 6 * f + 6));
      const [a, b, c, d, e, g] = own;
      triangles.push(a, d, g, d, b, e, g, e, c, d, e, g);
      const first = areas.length;
      const parts = own.map(() => [0, 0, 0, 0]);
      let whole = 0;
      for (let p = 0; p < SIX_POINTS.length; p += 3) {
        shapeFunctions(6, SIX_POINTS[p], SIX_POINTS[p + 1], n);
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
        const area = SIX_POINTS[p + 2] * size;
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
      for (const node of own) {
        const list = normalsAt.get(node) ?? [];
        list.push(normals.slice(3 * first, 3 * first + 3));
        normalsAt.set(node, list);
        const [area, most] = sizeAt.get(node) ?? [0, 0];
        sizeAt.set(node, [area + whole, Math.max(most, length)]);
        const load = loads.get(node) ?? { parts: new Map<number, number[]>(), area: 0 };
        load.area += whole;
        own.forEach((other, l) => {
          const sum = load.parts.get(other) ?? [0, 0, 0, 0];
          for (let i = 0; i < 4; i++) sum[i] += parts[l][i];
          load.parts.set(other, sum);
        });
        loads.set(node, load);
      }
    }
    // Nodes at sharp edges
    for (const [node, list] of normalsAt) {
      const first = list[0];
      if (list.every((other) => first[0] * other[0] + first[1] * other[1] + first[2] * other[2] > SHARP)) continue;
      const sum = [0, 1, 2].map((i) => list.reduce((s, normal) => s + normal[i], 0));
      const size = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
      const [area, length] = sizeAt.get(node)!;
      nodes.push(node, node, node, node, node, node);
      weights.push(1, 0, 0, 0, 0, 0);
      normals.push(...sum.map((x) => x / size));
      areas.push(AT_EDGE * area);
      lengths.push(length);
    }
    this.nodes = Int32Array.from(nodes);
    this.weights = Float64Array.from(weights);
    this.normals = Float64Array.from(normals);
    this.areas = Float64Array.from(areas);
    this.lengths = Float64Array.from(lengths);
    this.pointCount = areas.length;
    this.triangles = Int32Array.from(triangles);
    this.boundary = Int32Array.from(normalsAt.keys()).sort();
    this.longestSide = longest;
    this.around = new Map(
      [...loads].map(([node, { parts, area }]) => [
        node,
        {
          nodes: Int32Array.from(parts.keys()),
          forces: Float64Array.from(
            [...parts.values()].flatMap((part) => part.slice(0, 3)),
            (force) => force / area,
          ),
          shares: Float64Array.from([...parts.values()], (part) => part[3] / area),
          area,
        },
      ]),
    );
  }
}
