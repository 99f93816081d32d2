/**
 * Letters for pictures that are drawn without a browser: each a few strokes on a grid, drawn with a round pen.
 *
 * A point is two digits of base 36, across and up: base line at 3, small letters to 9, capitals to c (12), below the line to 0. Points joined
 * by straight strokes; after `~` they are the control points of a quadratic B-spline that begins and ends in the first and last of them, after
 * `o` those of a closed one, which touches the sides of their polygon in the middle.
 */

/** 4 per pixel, top row first */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
}

const GLYPHS: Readonly<Record<string, string>> = {
  '0': 'o03 63 6c 0c',
  '1': '1a 3c 33',
  '2': '~0a 0c 6c 69 03;03 63',
  '3': '~0b 1c 6c 68 28;~28 68 63 03 05',
  '4': '53 5c 06 76',
  '5': '5c 1c 08;~08 29 69 63 03 04',
  '6': '~5c 0b 06;o03 63 69 09',
  '7': '0c 6c 23',
  '8': 'o08 68 6c 0c;o03 63 68 08',
  '9': 'o06 66 6c 0c;~13 64 69',
  A: '03 3c 63;16 56',
  B: '23 03 0c 2c;~2c 5c 58 28;28 08;~28 68 63 23',
  C: '~6a 6c 0c 03 63 65',
  D: '23 03 0c 2c;~2c 6c 63 23',
  E: '5c 0c 03 53;08 48',
  F: '5c 0c 03;08 48',
  G: '~6a 6c 0c 03 63 67;67 37',
  H: '03 0c;63 6c;08 68',
  I: '03 0c',
  J: '~04 03 43 46;46 4c',
  K: '03 0c;06 6c;28 63',
  L: '0c 03 53',
  M: '03 0c 46 8c 83',
  N: '03 0c 63 6c',
  O: 'o03 73 7c 0c',
  P: '03 0c 2c;~2c 6c 67 27;27 07',
  Q: 'o03 73 7c 0c;46 72',
  R: '03 0c 2c;~2c 6c 67 27;27 07;37 63',
  S: '~6a 6c 0c 08 68 63 03 05',
  T: '0c 6c;3c 33',
  U: '0c 06;~06 03 63 66;66 6c',
  V: '0c 33 6c',
  W: '0c 23 4c 63 8c',
  X: '03 6c;0c 63',
  Y: '0c 37 6c;37 33',
  Z: '0c 6c 03 63',
  a: 'o03 53 59 09;59 53',
  b: '03 0c;o03 53 59 09',
  c: '~57 59 09 03 53 55',
  d: '53 5c;o03 53 59 09',
  e: '06 56;~56 59 09 03 53 54',
  f: '~4c 2c 29;29 23;09 49',
  g: 'o03 53 59 09;59 52;~52 50 00 01',
  h: '03 0c;~06 09 59 56;56 53',
  i: '03 09;0c 0c',
  j: '29 22;~22 20 00;2c 2c',
  k: '03 0c;05 49;16 43',
  l: '03 0c',
  m: '03 09;~06 09 49 46;46 43;~46 49 89 86;86 83',
  n: '03 09;~06 09 59 56;56 53',
  o: 'o03 53 59 09',
  p: '00 09;o03 53 59 09',
  q: '50 59;o03 53 59 09',
  r: '03 09;~06 09 39',
  s: '~48 49 09 06 46 43 03 04',
  t: '2b 25;~25 23 43;09 49',
  u: '09 06;~06 03 53 56;59 53',
  v: '09 23 49',
  w: '09 23 49 63 89',
  x: '03 49;09 43',
  y: '09 23;49 10',
  z: '09 49 03 43',
  '.': '13 13',
  ',': '13 01',
  ':': '13 13;18 18',
  '-': '07 37',
  '−': '07 57',
  '+': '07 67;3a 34',
  '×': '04 5a;54 0a',
  '=': '05 55;09 59',
  '/': '01 5d',
  '·': '17 17',
  '(': '~2d 0b 05 21',
  ')': '~0d 2b 25 01',
  '[': '2d 0d 01 21',
  ']': '0d 2d 21 01',
  '%': '03 6c;o09 39 3c 0c;o33 63 66 36',
  '°': 'o0a 3a 3d 0d',
  '²': '~0c 0d 3d 3b 08;08 38',
  '³': '~0d 3d 3b 1b;~1b 3b 38 08',
  µ: '00 09;~06 03 53 56;59 53',
  ω: '~19 03 33 39;~39 33 73 69',
  _: '02 52',
  '…': '03 03;33 33;63 63',
  '–': '07 57',
  "'": '0a 0c',
};
/** What there is no letter for */
const BOX = '03 53 5c 0c 03';
const BASE = 3;
const CAPITAL = 9;
const SPACE = 4;
const GAP = 2.4;
/** Thickness of the pen, of the height of a capital */
const PEN = 0.13;
/** Straight strokes to a piece of a curve */
const PIECES = 5;

interface Glyph {
  readonly width: number;
  /** Points in turn, 2 each; of strokes in turn */
  readonly strokes: readonly (readonly number[])[];
}

const drawn = new Map<string, Glyph>();

function glyphOf(letter: string): Glyph {
  const known = drawn.get(letter);
  if (known) return known;
  const strokes = (GLYPHS[letter] ?? BOX).split(';').map((text) => {
    const bare = text.replace(/^[~o]/, '');
    const points = bare.split(' ').map(([x, y]) => [Number.parseInt(x, 36), Number.parseInt(y, 36) - BASE] as const);
    return (bare === text ? points : curve(points, text.startsWith('o'))).flat();
  });
  const width = Math.max(...strokes.flatMap((stroke) => stroke.filter((_, i) => i % 2 === 0)));
  const glyph = { width, strokes };
  drawn.set(letter, glyph);
  return glyph;
}

/** Quadratic B-spline: parabolas between the middles of the polygon's sides. */
function curve(points: readonly (readonly [number, number])[], closed: boolean): [number, number][] {
  const middle = (i: number, k: number): number => 0.5 * (points[i][k] + points[(i + 1) % points.length][k]);
  const count = points.length;
  const out: [number, number][] = [];
  for (let i = closed ? 0 : 1; i < (closed ? count : count - 1); i++) {
    const before = (i + count - 1) % count;
    const from = [0, 1].map((k) => (!closed && i === 1 ? points[0][k] : middle(before, k)));
    const to = [0, 1].map((k) => (!closed && i === count - 2 ? points[count - 1][k] : middle(i, k)));
    for (let piece = 0; piece <= PIECES; piece++) {
      const s = piece / PIECES;
      const [x, y] = [0, 1].map((k) => (1 - s) ** 2 * from[k] + 2 * s * (1 - s) * points[i][k] + s ** 2 * to[k]);
      out.push([x, y]);
    }
  }
  return out;
}

/** How wide a text is. @param capital height of its capitals, px */
export function textWidth(text: string, capital: number): number {
  let width = 0;
  for (const letter of text) width += letter === ' ' ? SPACE : glyphOf(letter).width + GAP;
  return ((width - GAP) * capital) / CAPITAL;
}

/**
 * Writes a line of text into a picture.
 *
 * @param left, base where it begins, and its base line, px from the upper left corner
 * @param capital height of its capitals, px
 */
export function drawText(
  { width, height, rgba }: Pixels,
  text: string,
  left: number,
  base: number,
  capital: number,
  colour: readonly [number, number, number],
): void {
  const scale = capital / CAPITAL;
  const pen = Math.max(1, PEN * capital) / 2;
  let at = left;
  for (const letter of text) {
    if (letter === ' ') {
      at += SPACE * scale;
      continue;
    }
    const glyph = glyphOf(letter);
    const reach = pen + 1;
    for (let y = Math.floor(base - 11 * scale - reach); y <= base + 4 * scale + reach; y++)
      for (let x = Math.floor(at - reach); x <= at + glyph.width * scale + reach; x++) {
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        const far = farFrom(glyph, (x + 0.5 - at) / scale, (base - y - 0.5) / scale) * scale;
        const cover = Math.min(1, Math.max(0, pen + 0.5 - far));
        if (cover === 0) continue;
        const i = 4 * (y * width + x);
        for (let k = 0; k < 3; k++) rgba[i + k] += cover * (colour[k] - rgba[i + k]);
        rgba[i + 3] += cover * (255 - rgba[i + 3]);
      }
    at += (glyph.width + GAP) * scale;
  }
}

/** Distance of a point from the strokes of a letter, in units of its grid */
function farFrom({ strokes }: Glyph, x: number, y: number): number {
  let least = Infinity;
  for (const stroke of strokes)
    for (let i = 0; i + 3 < stroke.length; i += 2) {
      const [dx, dy] = [stroke[i + 2] - stroke[i], stroke[i + 3] - stroke[i + 1]];
      const [px, py] = [x - stroke[i], y - stroke[i + 1]];
      const square = dx * dx + dy * dy;
      const s = square > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / square)) : 0;
      least = Math.min(least, (px - s * dx) ** 2 + (py - s * dy) ** 2);
    }
  return Math.sqrt(least);
}
