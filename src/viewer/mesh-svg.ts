/** A mesh of a planar part as SVG: bare, or deformed and coloured by a value per node, with a legend. */
import type { PlaneMesh } from '../flexible-bodies/mesh/plane-mesh.js';
import { cssColour, scaleColour } from '../results/scene/colour-scale.js';

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
  /** Lines between elements; default for meshes of fewer than 3000, and where nothing else is shown */
  readonly lines?: boolean;
  /** Edges and holes have their numbers, as options name them */
  readonly numbers?: boolean;
}

const MARGIN = 30;
const LEGEND = 70;

export function meshSvg(mesh: PlaneMesh, picture: MeshPicture): string {
  const { points, elements, elementCount, nodesPerElement: nodes, nodeCount } = mesh;
  const { displacement, exaggeration = 1, values, quantity = '', unit = '', width = 960 } = picture;
  const lines = picture.lines ?? (elementCount < 3000 || !values);
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
    out.push(
      `<path d="${outlines.join('')}" fill="none" stroke="#223" stroke-opacity="0.35" stroke-width="${elementCount < 3000 ? 0.5 : 0.25}"/>`,
    );
  if (picture.numbers)
    out.push(
      ...edgeNumbers(
        mesh,
        (i) => MARGIN + scale * (x[i] - left),
        (i) => MARGIN + 24 + scale * (top - y[i]),
      ),
    );
  if (values) {
    const at = height - LEGEND + 20;
    const bar = Math.min(360, width - 2 * MARGIN);
    for (let k = 0; k < 60; k++)
      out.push(
        `<rect x="${(MARGIN + (bar * k) / 60).toFixed(1)}" y="${at}" width="${(bar / 60 + 0.5).toFixed(1)}" height="14" fill="${cssColour(scaleColour((k + 0.5) / 60))}"/>`,
      );
    out.push(
      `<text x="${MARGIN}" y="${at + 32}">${Math.abs(low) < 1e-9 * high ? 0 : low.toPrecision(4)}</text>`,
      `<text x="${MARGIN + bar}" y="${at + 32}" text-anchor="end">${high.toPrecision(4)} ${escaped(unit)}</text>`,
      `<text x="${MARGIN + bar + 16}" y="${at + 12}">${escaped(quantity)}</text>`,
    );
  }
  out.push('</svg>\n');
  return out.join('\n');
}

/** px between the middles of two numbers; of those that are nearer to one before them only the first is written */
const APART = 22;

/** Numbers of edges at their middles, a little inside; of a hole its own number in its middle */
function edgeNumbers(
  { sides, sideEdge, edgeLoop }: PlaneMesh,
  px: (node: number) => number,
  py: (node: number) => number,
): string[] {
  const written: (readonly [number, number])[] = [];
  const out: string[] = [];
  const write = (text: string, at: readonly [number, number], colour: string): void => {
    if (written.some(([x, y]) => Math.abs(x - at[0]) < APART && Math.abs(y - at[1]) < APART * 0.7)) return;
    written.push(at);
    out.push(
      `<text x="${at[0].toFixed(1)}" y="${(at[1] + 4).toFixed(1)}" text-anchor="middle" fill="${colour}" stroke="#fbfcff" stroke-width="3" paint-order="stroke">${text}</text>`,
    );
  };
  const ofEdge: number[][] = Array.from(edgeLoop, () => []);
  sideEdge.forEach((edge, s) => {
    ofEdge[edge].push(s);
  });
  const holes = new Map<number, number[]>();
  ofEdge.forEach((own, edge) => {
    if (own.length === 0) return;
    if (edgeLoop[edge] > 0) holes.set(edgeLoop[edge], [...(holes.get(edgeLoop[edge]) ?? []), ...own]);
    // sides of an edge come in no order: the one whose middle is nearest to the mean of all of them
    const middle = (s: number): readonly [number, number] => [
      (px(sides[3 * s]) + px(sides[3 * s + 1])) / 2,
      (py(sides[3 * s]) + py(sides[3 * s + 1])) / 2,
    ];
    const mean = own.reduce(([x, y], s) => [x + middle(s)[0] / own.length, y + middle(s)[1] / own.length], [0, 0]);
    const far = (s: number): number => (middle(s)[0] - mean[0]) ** 2 + (middle(s)[1] - mean[1]) ** 2;
    const best = own.reduce((least, s) => (far(s) < far(least) ? s : least));
    const [a, b] = [sides[3 * best], sides[3 * best + 1]];
    const [dx, dy] = [px(b) - px(a), py(b) - py(a)];
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    // on paper y runs down: the inside, to the left of a side, is (dy, −dx)
    const [mx, my] = middle(best);
    write(`${edge + 1}`, [mx + (13 * dy) / length, my - (13 * dx) / length], '#a02020');
  });
  for (const [hole, own] of holes) {
    const mean = (at: (node: number) => number): number =>
      own.reduce((sum, s) => sum + at(sides[3 * s]), 0) / own.length;
    write(`hole ${hole}`, [mean(px), mean(py)], '#204080');
  }
  return out;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
