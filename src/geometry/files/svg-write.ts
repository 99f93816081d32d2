/** Plane figures out as SVG, in true size: a path per profile, y upwards as in the drawing. */
import { ModelError } from '../../errors.js';
import { arcCircle, bulgeOf } from '../arc.js';
import { outlineBounds } from '../outline.js';
import type { Corner, Outline } from '../profile.js';
import { type CadProfile, LENGTH_UNITS, type WriteOptions } from './cad-document.js';
import { TextWriter } from './text-writer.js';

export interface SvgOptions extends WriteOptions {
  /** Space around the figures, m; default 2 % of their larger side. */
  readonly margin?: number;
  /** SVG colour inside the outlines, e.g. `#c8d4e0` or `none`. */
  readonly fill?: string;
  /** SVG colour of the outlines. */
  readonly stroke?: string;
  /** Width of the outlines, m; default 1/500 of the larger side. */
  readonly strokeWidth?: number;
}

/** The units in which SVG gives lengths. */
const SVG_UNITS = ['mm', 'cm', 'in'] as const;

/**
 * Writes profiles as an SVG picture whose width and height are true lengths; a number in it is a mm unless
 * `options.unit` says cm or in. Holes are cut out by the even-odd rule. A profile's name is its `<title>` and, as far
 * as an id may, its id.
 *
 * SVG's y runs down the page: y is written as −y, so the picture looks like the drawing.
 *
 * @throws ModelError on a unit that SVG does not have, or a coordinate that is not finite
 * @example writeSvg([{ name: 'plate', profile }])
 */
export function writeSvg(profiles: readonly CadProfile[], options: SvgOptions = {}): Uint8Array {
  const unit = SVG_UNITS.find((known) => known === (options.unit ?? 'mm'));
  if (!unit)
    throw new ModelError('writeSvg.unit', `expected mm, cm or in, which SVG has as lengths, got "${options.unit}"`);
  for (const name of ['margin', 'strokeWidth'] as const) {
    const length = options[name];
    if (length !== undefined && !(length >= 0 && length < Infinity))
      throw new ModelError(`writeSvg.${name}`, `expected a length ≥ 0 m, got ${length}`);
  }

  // Box around all outlines, m
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  profiles.forEach(({ profile }, i) => {
    [profile.outer, ...profile.holes].forEach((outline, k) => {
      outline.forEach((p, corner) => {
        const [x, y] = p;
        if (!(Number.isFinite(x) && Number.isFinite(y)))
          throw new ModelError(
            `profiles[${i}].${k === 0 ? 'outer' : `holes[${k - 1}]`}[${corner}]`,
            `expected finite coordinates in m, got (${x}, ${y})`,
          );
      });
      const { min, max } = outlineBounds(outline);
      left = Math.min(left, min[0]);
      bottom = Math.min(bottom, min[1]);
      right = Math.max(right, max[0]);
      top = Math.max(top, max[1]);
    });
  });
  if (left > right) [left, bottom, right, top] = [0, 0, 0, 0];
  const size = Math.max(right - left, top - bottom);
  const margin = options.margin ?? 0.02 * size;
  const strokeWidth = options.strokeWidth ?? size / 500;

  const perMetre = { mm: 1000, cm: 100, in: 1 / LENGTH_UNITS.in }[unit];
  // 15 digits: 0.0127 m is 12.7 mm, not 12.700000000000001.
  const number = (metres: number): string => String(Number((metres * perMetre).toPrecision(15)) + 0);
  const width = number(right - left + 2 * margin);
  const height = number(top - bottom + 2 * margin);
  const text = new TextWriter();
  text.write('<?xml version="1.0" encoding="UTF-8"?>\n');
  text.write(
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="${width}${unit}" height="${height}${unit}" `,
  );
  text.write(`viewBox="${number(left - margin)} ${number(-top - margin)} ${width} ${height}">\n`);
  text.write(`<g fill="${escaped(options.fill ?? '#d0d7de')}" fill-rule="evenodd" `);
  text.write(`stroke="${escaped(options.stroke ?? '#000000')}" stroke-width="${number(strokeWidth)}" `);
  text.write('stroke-linejoin="round">\n');
  const path = (outline: Outline): void => {
    const [first] = outline;
    const at = ([x, y]: Corner): string => `${number(x)},${number(-y)}`;
    text.write(`M${at(first)}`);
    outline.forEach((p, i) => {
      const bulge = bulgeOf(p);
      const last = i + 1 === outline.length;
      const q = last ? first : outline[i + 1];
      // radii, turn of the axes, whether more than half a circle, whether clockwise as seen with y downwards
      if (bulge !== 0) {
        const radius = number(arcCircle(p, q, bulge).radius);
        text.write(` A${radius},${radius} 0 ${Math.abs(bulge) > 1 ? 1 : 0} ${bulge < 0 ? 1 : 0} ${at(q)}`);
      } else if (!last) text.write(` L${at(q)}`);
    });
    text.write(' Z');
  };
  const ids = new Set<string>();
  for (const { name, profile } of profiles) {
    text.write(`<path id="${uniqueId(name, ids)}" d="`);
    path(profile.outer);
    for (const hole of profile.holes) {
      text.write(' ');
      path(hole);
    }
    text.write(`"><title>${escaped(name)}</title></path>\n`);
  }
  text.write('</g>\n</svg>\n');
  return text.toBytes();
}

/** An XML name made from `name` that no other path has. */
function uniqueId(name: string, taken: Set<string>): string {
  const allowed = name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  const base = /^[\p{L}_]/u.test(allowed) ? allowed : `_${allowed}`;
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
  taken.add(id);
  return id;
}

/** Text for XML: markup characters as entities, characters that XML 1.0 does not allow left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
