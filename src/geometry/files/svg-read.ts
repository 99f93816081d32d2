/**
 * SVG drawings in: closed shapes as profiles, in m. Paths, rectangles, circles, ellipses, polygons and closed polylines, with the transforms of their groups; circular arcs stay
 * arcs, other curves are fitted by arcs. A viewBox with a width or height in mm, cm, in, pt or px gives the scale; numbers alone are px, 96 to an inch.
 *
 * Everything is drawn as an outline: fills, strokes, clips, text and scripts are not looked at. SVG's y runs down the page and comes out upwards.
 *
 * Scalable Vector Graphics (SVG) 2, §7.6 (viewBox), §9.3 (path data), appendix B.2.4 (centre of an elliptical arc).
 */
import { FileError } from '../../errors.js';
import { acos, cos, sin, tan } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { bulgeOfSweep, corner } from '../arc.js';
import { fitArcs } from '../fit-arcs.js';
import { firstCrossing } from '../outline-crossing.js';
import { nestOutlines } from '../polygon-nesting.js';
import type { Corner, Outline } from '../profile.js';
import { type CadDocument, LENGTH_UNITS, type ReadOptions } from './cad-document.js';
import { XmlScanner } from './threemf-read-xml.js';

/** x' = a x + c y + e, y' = b x + d y + f */
type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const PIXEL = LENGTH_UNITS.in / 96;
const UNITS: Readonly<Record<string, number>> = {
  '': PIXEL,
  px: PIXEL,
  pt: LENGTH_UNITS.in / 72,
  pc: LENGTH_UNITS.in / 6,
  mm: 1e-3,
  cm: 1e-2,
  in: LENGTH_UNITS.in,
};
const DEEPEST = 200;
const MOST_CORNERS = 200_000;
/** Things of which nothing is drawn where they stand */
const UNSEEN = new Set(['defs', 'clipPath', 'mask', 'symbol', 'pattern', 'marker', 'metadata', 'style', 'script']);

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];
const applied = (m: Matrix, [x, y]: Vec2): Vec2 => [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];

/**
 * @throws FileError with the place, if the file is broken or holds nothing closed
 * @example const [plate] = readSvg(bytes, { fileName: 'plate.svg' }).profiles; const solid = extrude(plate.profile, 5e-3);
 */
export function readSvg(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const { fileName } = options;
  const scanner = new XmlScanner(bytes, fileName, '');
  const stack: Matrix[] = [];
  const outlines: { name: string; outline: Outline }[] = [];
  const notes: string[] = [];
  const crossing: string[] = [];
  let hidden = 0; // elements inside one of which nothing is seen
  let isSvg = false;
  let corners = 0;
  while (scanner.next()) {
    if (!scanner.opens) {
      if (hidden > 0) hidden--;
      else stack.pop();
      continue;
    }
    const name = [...UNSEEN, ...SHAPES, 'svg', 'g', 'a'].find((known) => scanner.is(known)) ?? '';
    if (hidden > 0 || UNSEEN.has(name)) {
      hidden++;
      continue;
    }
    if (stack.length >= DEEPEST) throw new FileError(fileName, '', `expected at most ${DEEPEST} groups in each other`);
    const attribute = (key: string): string | undefined =>
      scanner.attribute(key)
        ? new TextDecoder().decode(scanner.bytes.subarray(scanner.valueStart, scanner.valueEnd))
        : undefined;
    if (!isSvg) {
      if (name !== 'svg') throw new FileError(fileName, '', 'expected an <svg> drawing, got another element first');
      isSvg = true;
      const { matrix, pixels, own } = viewBoxOf(attribute, options, fileName);
      if (own !== undefined)
        notes.push(
          `the drawing says that a unit of its numbers is ${Number((1000 * own).toPrecision(4))} mm; they are taken as ${options.unit}, as asked for`,
        );
      if (pixels)
        notes.push(
          'the drawing gives its size without a unit of length: numbers taken as px, 96 to an inch; pass the unit if they are, say, mm',
        );
      stack.push(matrix);
      continue;
    }
    const own = transformOf(attribute('transform') ?? '', fileName);
    const here = multiply(stack[stack.length - 1] ?? IDENTITY, own);
    stack.push(here);
    if (!(SHAPES as readonly string[]).includes(name)) continue;
    const id = attribute('id') ?? 'outline';
    for (const chain of chainsOf(name, attribute, fileName)) {
      if (!chain.closed || chain.pieces.length === 0) {
        notes.push(`an open line of ${name} "${id}" was left out`);
        continue;
      }
      const outline = withoutDouble(chain.pieces.flatMap((piece) => cornersOf(piece, here)));
      corners += outline.length;
      if (corners > MOST_CORNERS) throw new FileError(fileName, '', `expected at most ${MOST_CORNERS} corners`);
      if (outline.length < 2 || (outline.length < 3 && outline.every(([, , bulge = 0]) => bulge === 0))) continue;
      if (firstCrossing(outline)) crossing.push(`${name} "${id}" crosses itself and was left out`);
      else outlines.push({ name: id, outline });
    }
  }
  if (!isSvg) throw new FileError(fileName, '', 'expected an <svg> drawing, got none');
  notes.push(...crossing);
  if (outlines.length === 0)
    throw new FileError(fileName, '', `the drawing has no closed outline${notes.length > 0 ? `: ${notes[0]}` : ''}`);
  const nameOf = ([[x, y]]: Outline): string =>
    outlines.find(({ outline }) => outline.some(([u, v]) => u === x && v === y))?.name ?? 'outline';
  const profiles = nestOutlines(outlines.map(({ outline }) => outline)).map((profile) => ({
    name: nameOf(profile.outer),
    profile,
  }));
  return {
    format: 'svg',
    unit: 'mm',
    unitFrom: 'file',
    parts: [],
    profiles,
    notes,
    ...(crossing.length > 0 && { crossing }),
  };
}

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'polygon', 'polyline'] as const;
type Attribute = (key: string) => string | undefined;

/** From the numbers of the drawing to m, y up; whether nobody said so: px; and m per number as the drawing says, where the user says otherwise */
function viewBoxOf(
  attribute: Attribute,
  { unit }: ReadOptions,
  file: string,
): { readonly matrix: Matrix; readonly pixels: boolean; readonly own?: number } {
  const box = numbersIn(attribute('viewBox') ?? '', file);
  const metres = (text: string | undefined): number | undefined => {
    const [, number, word] = /^\s*([\d.eE+-]+)\s*(\w*)\s*$/.exec(text ?? '') ?? [];
    return number !== undefined && Object.hasOwn(UNITS, word) ? Number(number) * UNITS[word] : undefined;
  };
  const [width, height] = [metres(attribute('width')), metres(attribute('height'))];
  const said = (text: string | undefined): boolean => /^[\s\d.eE+-]*(mm|cm|in|pt)\s*$/.test(text ?? '');
  const from = box.length === 4 && box[2] > 0 && width !== undefined ? 'width' : 'height';
  const own =
    box.length === 4 && box[2] > 0 && width !== undefined
      ? width / box[2]
      : box.length === 4 && box[3] > 0 && height !== undefined
        ? height / box[3]
        : PIXEL;
  const k = unit !== undefined ? LENGTH_UNITS[unit] : own;
  const sized = box.length === 4 && said(attribute(from));
  if (!(k > 0 && k < 1e6)) throw new FileError(file, 'svg', `expected a width > 0, got ${attribute('width')}`);
  return {
    matrix: [k, 0, 0, -k, 0, 0],
    pixels: unit === undefined && !sized,
    ...(unit !== undefined && sized && Math.abs(k / own - 1) > 1e-3 && { own }),
  };
}

function numbersIn(text: string, file: string): number[] {
  const words = text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? [];
  return words.map((word) => {
    const value = Number(word);
    if (!Number.isFinite(value)) throw new FileError(file, '', `expected a finite number, got ${word}`);
    return value;
  });
}

function transformOf(text: string, file: string): Matrix {
  let whole = IDENTITY;
  const degree = Math.PI / 180;
  for (const [, kind, inside] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const [a = 0, b, c, d, e, f] = numbersIn(inside, file);
    let one: Matrix = IDENTITY;
    if (kind === 'translate') one = [1, 0, 0, 1, a, b ?? 0];
    else if (kind === 'scale') one = [a, 0, 0, b ?? a, 0, 0];
    else if (kind === 'rotate') {
      const [cosine, sine] = [cos(a * degree), sin(a * degree)];
      const about: Matrix = [1, 0, 0, 1, b ?? 0, c ?? 0];
      one = multiply(multiply(about, [cosine, sine, -sine, cosine, 0, 0]), [1, 0, 0, 1, -(b ?? 0), -(c ?? 0)]);
    } else if (kind === 'skewX') one = [1, 0, tan(a * degree), 1, 0, 0];
    else if (kind === 'skewY') one = [1, tan(a * degree), 0, 1, 0, 0];
    else if (kind === 'matrix') one = [a, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0];
    else throw new FileError(file, '', `expected a transform such as translate(x, y), got ${kind}`);
    whole = multiply(whole, one);
  }
  return whole;
}

/** A line, a Bézier curve, or an arc of an ellipse, in the numbers of its element */
type Piece =
  | { readonly kind: 'line'; readonly from: Vec2; readonly to: Vec2 }
  | { readonly kind: 'cubic'; readonly points: readonly [Vec2, Vec2, Vec2, Vec2] }
  | {
      readonly kind: 'arc';
      readonly centre: Vec2;
      readonly radii: Vec2;
      /** rad, of the first axis */
      readonly axis: number;
      readonly start: number;
      readonly sweep: number;
    };
interface Chain {
  pieces: Piece[];
  closed: boolean;
}

function chainsOf(name: string, attribute: Attribute, file: string): Chain[] {
  const number = (key: string): number => numbersIn(attribute(key) ?? '', file)[0] ?? 0;
  if (name === 'path') return pathChains(attribute('d') ?? '', file);
  if (name === 'circle' || name === 'ellipse') {
    const radii: Vec2 = name === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry')];
    if (!(radii[0] > 0 && radii[1] > 0)) return [];
    const half = (start: number): Piece => ({
      kind: 'arc',
      centre: [number('cx'), number('cy')],
      radii,
      axis: 0,
      start,
      sweep: Math.PI,
    });
    return [{ pieces: [half(0), half(Math.PI)], closed: true }];
  }
  if (name === 'rect') {
    const [x, y, w, h] = ['x', 'y', 'width', 'height'].map(number);
    if (!(w > 0 && h > 0)) return [];
    const given = [attribute('rx'), attribute('ry')].map((text) => numbersIn(text ?? '', file)[0]);
    const rx = Math.min(given[0] ?? given[1] ?? 0, w / 2);
    const ry = Math.min(given[1] ?? given[0] ?? 0, h / 2);
    const round = rx > 0 && ry > 0 ? `a${rx} ${ry} 0 0 1 ` : '';
    const d = round
      ? `M${x + rx} ${y}h${w - 2 * rx}${round}${rx} ${ry}v${h - 2 * ry}${round}${-rx} ${ry}h${2 * rx - w}${round}${-rx} ${-ry}v${2 * ry - h}${round}${rx} ${-ry}z`
      : `M${x} ${y}h${w}v${h}h${-w}z`;
    return pathChains(d, file);
  }
  const points = numbersIn(attribute('points') ?? '', file);
  if (points.length < 6) return [];
  return pathChains(`M${points.join(' ')}${name === 'polygon' ? 'z' : ''}`, file);
}

/** How many numbers each command of a path takes */
const TAKES: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

function pathChains(d: string, file: string): Chain[] {
  const chains: Chain[] = [];
  let chain: Chain | undefined;
  let [at, first]: Vec2[] = [
    [0, 0],
    [0, 0],
  ];
  let handle: Vec2 | undefined; // of the curve before, for smooth ones
  let before = '';
  const line = (to: Vec2): void => {
    if (to[0] !== at[0] || to[1] !== at[1]) chain?.pieces.push({ kind: 'line', from: at, to });
    at = to;
  };
  for (const [, letter, inside] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*(?:[eE][-+]?\d[^a-zA-Z]*)*)/g)) {
    let command = letter.toLowerCase();
    const relative = letter === command;
    const takes = TAKES[command];
    if (takes === undefined) throw new FileError(file, 'path', `expected a command such as M, L or A, got ${letter}`);
    // flags of arcs may stand without space between them
    const values = numbersIn(command === 'a' ? spacedFlags(inside) : inside, file);
    if (takes > 0 && (values.length === 0 || values.length % takes !== 0))
      throw new FileError(file, 'path', `expected ${takes} numbers for each ${letter}, got ${values.length}`);
    for (let i = 0; i < Math.max(1, takes === 0 ? 1 : values.length / takes); i++) {
      const v = values.slice(i * takes, (i + 1) * takes);
      const point = (k: number): Vec2 => (relative ? [at[0] + v[k], at[1] + v[k + 1]] : [v[k], v[k + 1]]);
      if (command === 'm') {
        at = first = point(0);
        chain = { pieces: [], closed: false };
        chains.push(chain);
        command = 'l'; // more numbers are lines
        before = 'm';
        continue;
      }
      if (!chain) throw new FileError(file, 'path', `expected M first, got ${letter}`);
      if (command === 'z') {
        line(first);
        chain.closed = true;
        chain = { pieces: [], closed: false };
        chains.push(chain);
      } else if (command === 'l') line(point(0));
      else if (command === 'h') line([relative ? at[0] + v[0] : v[0], at[1]]);
      else if (command === 'v') line([at[0], relative ? at[1] + v[0] : v[0]]);
      else if (command === 'a') {
        const to = point(5);
        chain.pieces.push(
          ...arcPiece(at, to, [Math.abs(v[0]), Math.abs(v[1])], (v[2] * Math.PI) / 180, v[3] !== 0, v[4] !== 0),
        );
        at = to;
      } else {
        const mirrored: Vec2 = handle ? [2 * at[0] - handle[0], 2 * at[1] - handle[1]] : at;
        const isCubic = command === 'c' || command === 's';
        const smooth = (isCubic ? 'cs' : 'qt').includes(before || ' ') ? mirrored : at;
        const to = point(takes - 2);
        if (isCubic) {
          const one = command === 'c' ? point(0) : smooth;
          handle = point(takes - 4);
          chain.pieces.push({ kind: 'cubic', points: [at, one, handle, to] });
        } else {
          // a quadratic as a cubic
          const knot = command === 'q' ? point(0) : smooth;
          const third = (a: Vec2): Vec2 => [a[0] + (2 / 3) * (knot[0] - a[0]), a[1] + (2 / 3) * (knot[1] - a[1])];
          chain.pieces.push({ kind: 'cubic', points: [at, third(at), third(to), to] });
          handle = knot;
        }
        at = to;
        before = command;
        continue;
      }
      handle = undefined;
      before = command;
    }
  }
  // A chain that ends where it began is closed, z or not
  for (const one of chains) one.closed ||= one.pieces.length > 1 && endsMeet(one.pieces);
  return chains.filter(({ pieces }) => pieces.length > 0);
}

const spacedFlags = (text: string): string =>
  text.replace(
    /([-+.\deE]+)([\s,]+)([-+.\deE]+)([\s,]+)([-+.\deE]+)([\s,]+)([01])[\s,]*([01])[\s,]*/g,
    '$1 $3 $5 $7 $8 ',
  );

function endsMeet(pieces: readonly Piece[]): boolean {
  const [a] = endsOf(pieces[0]);
  const [, b] = endsOf(pieces[pieces.length - 1]);
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) <= 1e-9 * (1 + Math.abs(a[0]) + Math.abs(a[1]));
}

function endsOf(piece: Piece): readonly [Vec2, Vec2] {
  if (piece.kind === 'line') return [piece.from, piece.to];
  if (piece.kind === 'cubic') return [piece.points[0], piece.points[3]];
  return [onEllipse(piece, piece.start), onEllipse(piece, piece.start + piece.sweep)];
}

/** Centre and angles of an arc from its ends: appendix B.2.4 and B.2.5 of SVG 2. */
function arcPiece(from: Vec2, to: Vec2, [rx, ry]: Vec2, axis: number, large: boolean, positive: boolean): Piece[] {
  if (from[0] === to[0] && from[1] === to[1]) return [];
  if (rx === 0 || ry === 0) return [{ kind: 'line', from, to }];
  const [c, s] = [cos(axis), sin(axis)];
  const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const [x, y] = [c * dx + s * dy, c * dy - s * dx];
  const spread = (x * x) / (rx * rx) + (y * y) / (ry * ry);
  const grow = spread > 1 ? Math.sqrt(spread) : 1;
  const [a, b] = [rx * grow, ry * grow];
  const rest = Math.max(0, (a * a * b * b - a * a * y * y - b * b * x * x) / (a * a * y * y + b * b * x * x));
  const k = (large === positive ? -1 : 1) * Math.sqrt(rest);
  const [u, v] = [(k * a * y) / b, (-k * b * x) / a];
  const centre: Vec2 = [c * u - s * v + (from[0] + to[0]) / 2, s * u + c * v + (from[1] + to[1]) / 2];
  const angle = (px: number, py: number): number => {
    const length = Math.sqrt(px * px + py * py);
    const value = acos(Math.max(-1, Math.min(1, px / length)));
    return py < 0 ? -value : value;
  };
  const start = angle((x - u) / a, (y - v) / b);
  const end = angle((-x - u) / a, (-y - v) / b);
  let sweep = end - start;
  if (positive && sweep <= 0) sweep += 2 * Math.PI;
  if (!positive && sweep >= 0) sweep -= 2 * Math.PI;
  return [{ kind: 'arc', centre, radii: [a, b], axis, start, sweep }];
}

function onEllipse({ centre, radii, axis }: Extract<Piece, { kind: 'arc' }>, t: number): Vec2 {
  const [x, y] = [radii[0] * cos(t), radii[1] * sin(t)];
  const [c, s] = [cos(axis), sin(axis)];
  return [centre[0] + c * x - s * y, centre[1] + s * x + c * y];
}

/** Corners of the piece in m, but for its end, which the next one has. */
function cornersOf(piece: Piece, matrix: Matrix): Corner[] {
  const turn = matrix[0] * matrix[3] - matrix[1] * matrix[2];
  if (piece.kind === 'line') return [applied(matrix, piece.from)];
  if (piece.kind === 'arc' && piece.radii[0] === piece.radii[1] && isSimilar(matrix)) {
    const sweep = turn > 0 ? piece.sweep : -piece.sweep;
    const [x, y] = applied(matrix, onEllipse(piece, piece.start));
    return [corner(x, y, bulgeOfSweep(sweep))];
  }
  const [curve, tangent, to] = piece.kind === 'arc' ? arcCurve(piece, matrix) : cubicCurve(piece.points, matrix);
  // Beyond 1e-4 of its size nobody sees a curve
  return fitArcs(curve, tangent, 0, to, { tolerance: 1e-4 * sizeOf(curve, to) }).slice(0, -1);
}

type Curve = readonly [(t: number) => Vec2, (t: number) => Vec2, number];

function arcCurve(piece: Extract<Piece, { kind: 'arc' }>, m: Matrix): Curve {
  const side = piece.sweep > 0 ? 1 : -1;
  const at = (t: number): Vec2 => applied(m, onEllipse(piece, piece.start + side * t));
  const along = (t: number): Vec2 => {
    const angle = piece.start + side * t;
    const [x, y] = [-side * piece.radii[0] * sin(angle), side * piece.radii[1] * cos(angle)];
    const [c, s] = [cos(piece.axis), sin(piece.axis)];
    const [u, v] = [c * x - s * y, s * x + c * y];
    return [m[0] * u + m[2] * v, m[1] * u + m[3] * v];
  };
  return [at, along, Math.abs(piece.sweep)];
}

function cubicCurve(points: readonly [Vec2, Vec2, Vec2, Vec2], m: Matrix): Curve {
  const [a, b, c, d] = points.map((point) => applied(m, point));
  const mix = (k: number, t: number): number => {
    const u = 1 - t;
    return u * u * u * a[k] + 3 * u * u * t * b[k] + 3 * u * t * t * c[k] + t * t * t * d[k];
  };
  const slope = (k: number, t: number): number => {
    const u = 1 - t;
    return u * u * (b[k] - a[k]) + 2 * u * t * (c[k] - b[k]) + t * t * (d[k] - c[k]);
  };
  // Where a handle lies on its end the way is told by the next one
  const along = (t: number): Vec2 => {
    const direction: Vec2 = [slope(0, t), slope(1, t)];
    if (direction[0] !== 0 || direction[1] !== 0) return direction;
    return t < 0.5 ? [slope(0, t + 1e-6), slope(1, t + 1e-6)] : [slope(0, t - 1e-6), slope(1, t - 1e-6)];
  };
  return [(t) => [mix(0, t), mix(1, t)], along, 1];
}

function sizeOf(curve: (t: number) => Vec2, to: number): number {
  const points = Array.from({ length: 9 }, (_, i) => curve((to * i) / 8));
  const extent = (k: 0 | 1): number => Math.max(...points.map((p) => p[k])) - Math.min(...points.map((p) => p[k]));
  return Math.max(extent(0), extent(1), 1e-12);
}

const isSimilar = ([a, b, c, d]: Matrix): boolean => {
  const size = Math.sqrt(a * a + b * b);
  return Math.abs(Math.sqrt(c * c + d * d) - size) <= 1e-9 * size && Math.abs(a * c + b * d) <= 1e-9 * size * size;
};

/** Without corners on the one before */
function withoutDouble(outline: readonly Corner[]): Corner[] {
  const size = Math.max(...outline.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y))));
  return outline.filter((p, i) => {
    const q = outline[(i + 1) % outline.length];
    return Math.abs(p[0] - q[0]) > 1e-9 * size || Math.abs(p[1] - q[1]) > 1e-9 * size;
  });
}
