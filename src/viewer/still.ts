/**
 * A still picture of solids without a GPU or a browser: parallel or as an eye sees it, z-buffer, flat shading, soft shadows, and the lines an
 * engineer would draw (sharp edges dark, open edges red). For READMEs, reports, films and `inspect --picture`.
 *
 * Every pixel is sampled `samples` × `samples` times; a sample keeps the nearest triangle. Cost: vertices + covered samples.
 */

import type { Colour } from '../geometry/solid.js';
import { edgeTable, openEdges } from '../geometry/topology.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { cross, dot, normalize, sub, type Vec3 } from '../math/vec3.js';
import { ShadowMap } from './shadow-map.js';
import { DAY_SKY } from './standard-views.js';
import { drawLegends, legendHeight, scalesOf, type ValueScale } from './still-legend.js';
import { Projection } from './still-projection.js';

export interface StillPart {
  readonly mesh: TriangleMesh;
  readonly colour?: Colour;
  /** A colour for each triangle instead, 3 per triangle, 0…255 */
  readonly triangleColours?: Uint8Array;
  /** The lines of the mesh, if they are known already; a body that moves keeps its own. */
  readonly edges?: EdgeLines;
  /** Balls about the vertices of the mesh instead of its triangles: radii in m, colours 3 per ball, 0…255 */
  readonly balls?: { readonly radii: Float64Array; readonly colours: Uint8Array };
  /** By which its colours are */
  readonly scale?: ValueScale;
  /** Seen through everything that is not on top itself, such as an arrow inside a body */
  readonly onTop?: boolean;
}

/** Pairs of vertices between which a line is drawn. */
export interface EdgeLines {
  readonly sharp: readonly number[];
  readonly open: readonly number[];
}

export interface StillOptions {
  /** Samples a pixel has along each side; default 3. Fewer are quicker and coarser. */
  readonly samples?: number;
  readonly width?: number;
  readonly height?: number;
  /** Towards the eye. Default: from the front right above. */
  readonly from?: Vec3;
  /** What points up in the picture; default +z, or +y when looking along z. */
  readonly up?: Vec3;
  /** Degrees from top to bottom of what the eye sees, as in the viewer (`FIELD_OF_VIEW`); 0 unless said: parallel, to scale */
  readonly field?: number;
  /** Light as in the viewer: a sun that stays where it is, a sky above, and its colours behind everything; else light comes over the left shoulder of who looks */
  readonly daylight?: Daylight;
  /** What must fit into the picture, if not the parts themselves: all moments of a film, say. */
  readonly fit?: readonly StillPart[];
  /** Background, each from 0 to 255. */
  readonly background?: readonly [number, number, number];
  /** With the scales of the parts' colours at the foot of the picture */
  readonly legend?: boolean;
  /** Nothing where no part is, so that the picture lies on a light page and on a dark one */
  readonly transparent?: boolean;
}

/** Unit vectors: towards the sun, and up */
export interface Daylight {
  readonly sun: Vec3;
  readonly up: Vec3;
}

export interface Still {
  readonly width: number;
  readonly height: number;
  /** 4 per pixel, top row first */
  readonly rgba: Uint8ClampedArray;
}

const SAMPLES = 3;
/** Edges whose faces turn by more than this are drawn. */
const SHARP = Math.cos((28 * Math.PI) / 180);
/** For parts without a colour of their own, in turn: steel, brass, copper, slate, sage; told apart by lightness as well. */
const PALETTE: readonly Colour[] = [
  [0.62, 0.69, 0.78, 1],
  [0.86, 0.72, 0.38, 1],
  [0.76, 0.5, 0.38, 1],
  [0.42, 0.5, 0.6, 1],
  [0.6, 0.74, 0.58, 1],
];
/** Light from everywhere, from the key light and from the fill; the part of the key light that a shadow takes */
const AMBIENT = 0.34;
const KEY = 0.52;
const FILL = 0.2;
const DARK = 0.8;
/** More of it from above than from below, by daylight */
const SKY = 0.22;
const SHARP_LINE: Rgb = [38, 46, 58];
const OPEN_LINE: Rgb = [220, 30, 30];

type Rgb = readonly [number, number, number];

/** Draws the parts, fitted into the picture with a margin. Nothing to draw gives the background. */
export function drawStill(parts: readonly StillPart[], options: StillOptions = {}): Still {
  const samples = options.samples ?? SAMPLES;
  const width = (options.width ?? 960) * samples;
  const height = (options.height ?? 720) * samples;
  const background = options.background ?? [250, 251, 253];

  const shown = (options.fit ?? parts).map(({ mesh }) => mesh);
  const { from = [0.55, -0.75, 0.5], up, field = 0 } = options;
  const scales = options.legend ? scalesOf(parts) : [];
  const foot = samples * legendHeight(scales, height / samples);
  const projection = new Projection({ from, up, field }, shown, width, height - foot);
  const rgb = new Uint8ClampedArray(3 * width * height);
  const { daylight } = options;
  for (let y = 0; y < height; y++) {
    const row = 3 * y * width;
    const down = (y + 0.5) / height;
    const sky = ([DAY_SKY.top, DAY_SKY.bottom] as const).map((colour) => colour.map((c) => 255 * c));
    rgb.set(
      daylight && !options.background ? [0, 1, 2].map((k) => sky[0][k] + down * (sky[1][k] - sky[0][k])) : background,
      row,
    );
    for (let filled = 3; filled < 3 * width; filled *= 2)
      rgb.copyWithin(row + filled, row, row + Math.min(filled, 3 * width - filled));
  }
  const depth = new Float64Array(width * height).fill(-Infinity);
  const covered = new Uint8Array(width * height);
  if (projection.sees) {
    const drawn = field > 0 ? parts.map((part) => withoutBehind(part, projection)) : parts;
    const seen = drawn.map(({ mesh }) => projection.project(mesh));
    const lift = 2 * (farthest(seen, 2) + 1); // nearer than anything else
    for (const [part, points] of seen.entries())
      if (parts[part].onTop) for (let i = 2; i < points.length; i += 3) points[i] += lift;
    const { key: shoulder, fill } = projection.lights;
    const key = daylight?.sun ?? shoulder;
    const shadows = new ShadowMap(parts, options.fit ?? parts, key);
    const place = new Float64Array(3);
    const lit = (x: number, y: number, z: number): number => {
      projection.place(x, y, z, place);
      const { across, upwards, light } = shadows;
      return shadows.reaches(
        place[0] * across[0] + place[1] * across[1] + place[2] * across[2],
        place[0] * upwards[0] + place[1] * upwards[1] + place[2] * upwards[2],
        place[0] * light[0] + place[1] * light[1] + place[2] * light[2],
      );
    };
    const canvas: Canvas = { width, height, rgb, depth, covered, lit, projection, key, fill, sky: daylight?.up };
    // What can be seen through comes last
    const colourOf = (i: number): Colour => parts[i].colour ?? PALETTE[i % PALETTE.length];
    for (const clear of [false, true])
      for (let i = 0; i < parts.length; i++)
        if (parts[i].balls) {
          if (!clear) fillBalls(canvas, parts[i].balls!, seen[i]);
        } else if (colourOf(i)[3] < 1 === clear) fillTriangles(canvas, drawn[i], colourOf(i), seen[i]);
    for (let i = 0; i < parts.length; i++)
      if (!parts[i].balls) drawEdges(canvas, drawn[i].edges ?? edgeLines(parts[i].mesh), seen[i], samples / SAMPLES);
  }
  const still = downsample({ width, height, rgb, covered: options.transparent ? covered : undefined }, samples);
  drawLegends(still, scales);
  return still;
}

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8ClampedArray;
  /** Towards the eye, in samples. */
  readonly depth: Float64Array;
  /** 1 where something is */
  readonly covered: Uint8Array;
  /** How much of the key light reaches a sample, 0 … 1; z in samples */
  readonly lit: (x: number, y: number, z: number) => number;
  readonly projection: Projection;
  /** Towards the lights, world */
  readonly key: Vec3;
  readonly fill: Vec3;
  /** Up, where there is a sky */
  readonly sky: Vec3 | undefined;
}

/** Light on a surface from all around and from the sky. @param upwards cosine between its normal and up */
const around = (upwards: number): number => AMBIENT + SKY * (0.5 + 0.5 * upwards);

/** What of a part is before the eye, with the lines that are */
function withoutBehind(part: StillPart, projection: Projection): StillPart {
  if (part.balls) return part;
  const { mesh, of } = projection.cut(part.mesh);
  if (!of) return part;
  const { triangleColours, edges = edgeLines(part.mesh) } = part;
  const { vertices } = part.mesh;
  const before = (i: number): boolean =>
    dot(projection.back, [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]]) <= projection.limit;
  const seen = (lines: readonly number[]): number[] =>
    lines.flatMap((from, i) => (i % 2 === 0 && before(from) && before(lines[i + 1]) ? [from, lines[i + 1]] : []));
  return {
    ...part,
    mesh,
    edges: { sharp: seen(edges.sharp), open: seen(edges.open) },
    ...(triangleColours && {
      triangleColours: Uint8Array.from(
        { length: 3 * of.length },
        (_, k) => triangleColours[3 * of[Math.floor(k / 3)] + (k % 3)],
      ),
    }),
  };
}

/** The largest coordinate of that number, by its size. */
function farthest(all: readonly Float64Array[], k: number): number {
  let most = 0;
  for (const points of all) for (let i = k; i < points.length; i += 3) most = Math.max(most, Math.abs(points[i]));
  return most;
}

function normalOf({ vertices, triangles }: TriangleMesh, t: number): Vec3 {
  const corner = (k: number): Vec3 => {
    const i = 3 * triangles[3 * t + k];
    return [vertices[i], vertices[i + 1], vertices[i + 2]];
  };
  const a = corner(0);
  return normalize(cross(sub(corner(1), a), sub(corner(2), a)));
}

function fillTriangles(
  { width, height, rgb, depth, covered, lit, key, fill, sky }: Canvas,
  { mesh, triangleColours, onTop }: StillPart,
  colour: Colour,
  points: Float64Array,
): void {
  for (let t = 0; t < mesh.triangles.length / 3; t++) {
    const a = 3 * mesh.triangles[3 * t];
    const b = 3 * mesh.triangles[3 * t + 1];
    const c = 3 * mesh.triangles[3 * t + 2];
    const ax = points[a];
    const ay = points[a + 1];
    const bx = points[b] - ax;
    const by = points[b + 1] - ay;
    const cx = points[c] - ax;
    const cy = points[c + 1] - ay;
    const area = bx * cy - by * cx;
    if (area === 0) continue;

    // Both sides are lit so that an open mesh shows its inside: clockwise in the picture, whose y goes down, is the outside
    let normal = normalOf(mesh, t);
    const inside = area > 0;
    if (inside) normal = [-normal[0], -normal[1], -normal[2]];
    const keyed = KEY * Math.max(0, dot(normal, key));
    const light = (sky ? around(dot(normal, sky)) : AMBIENT) + keyed + FILL * Math.max(0, dot(normal, fill));
    const [red, green, blue] = [0, 1, 2].map(
      (k) => (inside ? 0.55 : 1) * (triangleColours ? triangleColours[3 * t + k] : 255 * colour[k]),
    );
    const shaded = keyed > 0 && !onTop;

    const x0 = Math.max(0, Math.ceil(Math.min(ax, ax + bx, ax + cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, ax + bx, ax + cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, ay + by, ay + cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, ay + by, ay + cy) - 0.5));
    for (let y = y0; y <= y1; y++) {
      const py = y + 0.5 - ay;
      // Where the line of samples is inside all three sides, a sample wider than it must be: the test below decides
      let from = x0;
      let to = x1;
      for (let side = 0; side < 3; side++) {
        // v, w and 1 − v − w, each g px + h ≥ 0
        const g = (side === 0 ? cy : side === 1 ? -by : by - cy) / area;
        const h = (side === 0 ? -py * cx : side === 1 ? bx * py : area + py * cx - bx * py) / area;
        const edge = ax - 0.5 - h / g;
        if (g > 0 && edge > from) from = Math.max(from, Math.floor(edge));
        else if (g < 0 && edge < to) to = Math.min(to, Math.ceil(edge));
      }
      for (let x = from; x <= to; x++) {
        const px = x + 0.5 - ax;
        const v = (px * cy - py * cx) / area;
        const w = (bx * py - by * px) / area;
        if (v < 0 || w < 0 || v + w > 1) continue;
        const z = points[a + 2] + v * (points[b + 2] - points[a + 2]) + w * (points[c + 2] - points[a + 2]);
        const i = y * width + x;
        if (z <= depth[i]) continue;
        covered[i] = 1;
        if (colour[3] < 1) {
          rgb[3 * i] += colour[3] * (light * red - rgb[3 * i]);
          rgb[3 * i + 1] += colour[3] * (light * green - rgb[3 * i + 1]);
          rgb[3 * i + 2] += colour[3] * (light * blue - rgb[3 * i + 2]);
          continue;
        }
        depth[i] = z;
        const shade = shaded ? light - DARK * keyed * (1 - lit(x + 0.5, y + 0.5, z)) : light;
        rgb[3 * i] = shade * red;
        rgb[3 * i + 1] = shade * green;
        rgb[3 * i + 2] = shade * blue;
      }
    }
  }
}

/** Balls, exactly round: the normal of a sample of the disc is known. Lights as for triangles, in the eye's axes. */
function fillBalls(
  { width, height, rgb, depth, covered, lit, projection, key: key_W, fill: fill_W, sky: up_W }: Canvas,
  { radii, colours }: NonNullable<StillPart['balls']>,
  points: Float64Array,
): void {
  const { right, up, back } = projection;
  const seen = (v: Vec3): Vec3 => [dot(v, right), dot(v, up), dot(v, back)];
  const [key, fill, sky] = [seen(key_W), seen(fill_W), up_W && seen(up_W)];
  for (let b = 0; b < radii.length; b++) {
    const [cx, cy, cz] = [points[3 * b], points[3 * b + 1], points[3 * b + 2]];
    const r = radii[b] * projection.zoomAt(cz);
    for (let y = Math.max(0, Math.ceil(cy - r - 0.5)); y <= Math.min(height - 1, Math.floor(cy + r - 0.5)); y++)
      for (let x = Math.max(0, Math.ceil(cx - r - 0.5)); x <= Math.min(width - 1, Math.floor(cx + r - 0.5)); x++) {
        const nx = (x + 0.5 - cx) / r;
        const ny = (cy - y - 0.5) / r;
        const square = 1 - nx * nx - ny * ny;
        if (square < 0) continue;
        const nz = Math.sqrt(square);
        const i = y * width + x;
        const z = projection.nearer(cz, radii[b] * nz);
        if (z <= depth[i]) continue;
        covered[i] = 1;
        depth[i] = z;
        const keyed = KEY * Math.max(0, nx * key[0] + ny * key[1] + nz * key[2]);
        const light =
          (sky ? around(nx * sky[0] + ny * sky[1] + nz * sky[2]) : AMBIENT) +
          (keyed > 0 ? keyed * (1 - DARK * (1 - lit(x + 0.5, y + 0.5, depth[i]))) : 0) +
          FILL * Math.max(0, nx * fill[0] + ny * fill[1] + nz * fill[2]);
        for (let k = 0; k < 3; k++) rgb[3 * i + k] = light * colours[3 * b + k];
      }
  }
}

/** The edges an engineer would draw: those where faces turn sharply, and those that have only one face. */
export function edgeLines(mesh: TriangleMesh): EdgeLines {
  const edges = edgeTable(mesh);
  const sharp: number[] = [];
  for (let e = 0; e < edges.count; e++) {
    const first = edges.start[e];
    if (edges.start[e + 1] - first !== 2) continue;
    const turn = dot(
      normalOf(mesh, Math.floor(edges.halfEdges[first] / 3)),
      normalOf(mesh, Math.floor(edges.halfEdges[first + 1] / 3)),
    );
    if (turn < SHARP) sharp.push(edges.vertices[2 * e], edges.vertices[2 * e + 1]);
  }
  return { sharp, open: openEdges(mesh, Infinity, edges).flatMap(({ from, to }) => [from, to]) };
}

/** Sharp edges in dark, open ones in red and over everything, for they are what one looks for. */
function drawEdges(canvas: Canvas, { sharp, open }: EdgeLines, points: Float64Array, width: number): void {
  for (let i = 0; i < sharp.length; i += 2)
    line(canvas, points, sharp[i], sharp[i + 1], SHARP_LINE, 1.1 * width, 2.5 * width);
  for (let i = 0; i < open.length; i += 2) line(canvas, points, open[i], open[i + 1], OPEN_LINE, 3 * width, Infinity);
}

/** A line `thickness` samples to either side of its middle; hidden where something is nearer by more than `bias` samples. */
function line(
  canvas: Canvas,
  points: Float64Array,
  from: number,
  to: number,
  colour: Rgb,
  thickness: number,
  bias: number,
): void {
  const { width, height, rgb, depth, covered } = canvas;
  const a = 3 * from;
  const b = 3 * to;
  const steps = Math.max(
    1,
    Math.ceil(2 * Math.max(Math.abs(points[b] - points[a]), Math.abs(points[b + 1] - points[a + 1]))),
  );
  const reach = Math.ceil(thickness);
  for (let s = 0; s <= steps; s++) {
    const x = points[a] + ((points[b] - points[a]) * s) / steps;
    const y = points[a + 1] + ((points[b + 1] - points[a + 1]) * s) / steps;
    const z = points[a + 2] + ((points[b + 2] - points[a + 2]) * s) / steps;
    for (let py = Math.floor(y) - reach; py <= Math.floor(y) + reach; py++)
      for (let px = Math.floor(x) - reach; px <= Math.floor(x) + reach; px++) {
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        const dx = px + 0.5 - x;
        const dy = py + 0.5 - y;
        const i = py * width + px;
        if (dx * dx + dy * dy > thickness * thickness || z < depth[i] - bias) continue;
        covered[i] = 1;
        for (let k = 0; k < 3; k++) rgb[3 * i + k] = colour[k];
      }
  }
}

/** Means of samples; of those where something is, and as opaque as these are many, where it is told which are. */
function downsample(
  {
    width,
    height,
    rgb,
    covered,
  }: { width: number; height: number; rgb: Uint8ClampedArray; covered: Uint8Array | undefined },
  samples: number,
): Still {
  const small = { width: width / samples, height: height / samples };
  const rgba = new Uint8ClampedArray(4 * small.width * small.height);
  const all = samples * samples;
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++) {
      const out = 4 * (y * small.width + x);
      let [red, green, blue, count] = [0, 0, 0, 0];
      for (let v = 0; v < samples; v++)
        for (let u = 0; u < samples; u++) {
          const i = (y * samples + v) * width + x * samples + u;
          if (covered && covered[i] === 0) continue;
          count++;
          red += rgb[3 * i];
          green += rgb[3 * i + 1];
          blue += rgb[3 * i + 2];
        }
      if (count === 0) continue;
      rgba[out] = red / count;
      rgba[out + 1] = green / count;
      rgba[out + 2] = blue / count;
      rgba[out + 3] = (255 * count) / all;
    }
  return { ...small, rgba };
}
