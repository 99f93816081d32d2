/** A mesh of a planar part as SVG: bare, or deformed and coloured by a value per node, with a legend. */
import type { PlaneMesh } from '../flexible-bodies/mesh/plane-mesh.js';
import { cssColour, scaleColour } from './colour-scale.js';

export interface MeshPicture {
  readonly title: string;
  /** 2 per node, m; exaggerated by `exaggeration` */
  readonly displacement?: Float64Array;
  readonly exaggeration?: number;
  /** One per node, and what it is */
  readonly values?: Float64Array;
  readonly quantity?: string;
  readonly unit?: string;
  /** px */
  readonly width?: number;
  /** Lines between elements; default for meshes of fewer than 3000 */
  readonly lines?: boolean;
}

const MARGIN = 30;
const LEGEND = 70;

export function meshSvg(mesh: PlaneMesh, picture: MeshPicture): string {
  const { points, elements, elementCount, nodesPerElement: nodes, nodeCount } = mesh;
  const { displacement, exaggeration = 1, values, quantity = '', unit = '', width = 960 } = picture;
  const lines = picture.lines ?? elementCount < 3000;
  const x = new Float64Array(nodeCount);
  const y = new Float64Array(nodeCount);
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < nodeCount; i++) {
    x[i] = points[2 * i] + (displacement ? exaggeration * displacement[2 * i] : 0);
    y[i] = points[2 * i + 1] + (displacement ? exaggeration * displacement[2 * i + 1] : 0);
    left = Math.min(left, x[i], points[2 * i]);
    right = Math.max(right, x[i], points[2 * i]);
    bottom = Math.min(bottom, y[i], points[2 * i + 1]);
    top = Math.max(top, y[i], points[2 * i + 1]);
  }
  const scale = Math.min((width - 2 * MARGIN) / (right - left), 700 / (top - bottom));
  const height = scale * (top - bottom) + 2 * MARGIN + 24 + (values ? LEGEND : 0);
  const px = (i: number): string => (MARGIN + scale * (x[i] - left)).toFixed(1);
  const py = (i: number): string => (MARGIN + 24 + scale * (top - y[i])).toFixed(1);
  let [low, high] = [Infinity, -Infinity];
  if (values)
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height.toFixed(0)}" viewBox="0 0 ${width} ${height.toFixed(0)}" font-family="sans-serif" font-size="13">`,
    '<rect width="100%" height="100%" fill="#fbfcff"/>',
    `<text x="${MARGIN}" y="26" font-size="15">${escaped(picture.title)}</text>`,
  ];
  const triangle = (a: number, b: number, c: number): void => {
    const colour = values
      ? cssColour(scaleColour(high > low ? ((values[a] + values[b] + values[c]) / 3 - low) / (high - low) : 0))
      : '#dfe6ef';
    out.push(
      `<path d="M${px(a)} ${py(a)}L${px(b)} ${py(b)}L${px(c)} ${py(c)}Z" fill="${colour}" stroke="${colour}" stroke-width="0.4"/>`,
    );
  };
  const outlines: string[] = [];
  for (let e = 0; e < elementCount; e++) {
    const [a, b, c, d, f, g] = elements.subarray(nodes * e, nodes * e + nodes);
    if (nodes === 3) triangle(a, b, c);
    else {
      triangle(a, d, g);
      triangle(d, b, f);
      triangle(g, f, c);
      triangle(d, f, g);
    }
    const ring = nodes === 3 ? [a, b, c] : [a, d, b, f, c, g];
    if (lines) outlines.push(`M${ring.map((i) => `${px(i)} ${py(i)}`).join('L')}Z`);
  }
  if (lines)
    out.push(`<path d="${outlines.join('')}" fill="none" stroke="#223" stroke-opacity="0.35" stroke-width="0.5"/>`);
  if (values) {
    const at = height - LEGEND + 20;
    const bar = Math.min(360, width - 2 * MARGIN);
    for (let k = 0; k < 60; k++)
      out.push(
        `<rect x="${(MARGIN + (bar * k) / 60).toFixed(1)}" y="${at}" width="${(bar / 60 + 0.5).toFixed(1)}" height="14" fill="${cssColour(scaleColour((k + 0.5) / 60))}"/>`,
      );
    out.push(
      `<text x="${MARGIN}" y="${at + 32}">${low.toPrecision(4)}</text>`,
      `<text x="${MARGIN + bar}" y="${at + 32}" text-anchor="end">${high.toPrecision(4)} ${escaped(unit)}</text>`,
      `<text x="${MARGIN + bar + 16}" y="${at + 12}">${escaped(quantity)}</text>`,
    );
  }
  out.push('</svg>\n');
  return out.join('\n');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
