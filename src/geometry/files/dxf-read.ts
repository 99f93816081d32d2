/**
 * DXF drawings in: closed outlines as profiles and faces as meshes, layer by layer.
 *
 * Arcs stay arcs and other curves are sampled, all are joined where their ends meet, and sorted into outlines and holes. What cannot be used (open
 * chains, places where three curves meet, crossings) is left out with a note that says where; if nothing usable remains
 * that is an error.
 */
import { FileError, ModelError } from '../../errors.js';
import type { Vec2 } from '../../math/vec3.js';
import { corner } from '../arc.js';
import { firstCrossingAmong } from '../outline-crossing.js';
import { nestOutlines } from '../polygon-nesting.js';
import type { Outline, Profile } from '../profile.js';
import {
  type CadDocument,
  type CadPart,
  type CadProfile,
  chooseUnit,
  LENGTH_UNITS,
  type LengthUnit,
  type ReadOptions,
  unitNotes,
} from './cad-document.js';
import { collectEntities, type DrawnLayer } from './dxf-entities.js';
import { DxfGroups } from './dxf-read-groups.js';
import { readSections } from './dxf-read-sections.js';
import { joinCurves } from './join-curves.js';

export interface DxfReadOptions extends ReadOptions {
  /** Ends of curves this close together count as joined, m; default 1e-6 of the drawing's size. */
  readonly joinTolerance?: number;
  /** Only what is on these layers, taken together as if it were on the first of them; all layers, each by itself, if left out */
  readonly layers?: readonly string[];
}

const DEFAULT_JOIN_TOLERANCE = 1e-6;
/** Defects of one kind that a note names one by one. */
const NAMED = 3;

/**
 * Reads a DXF drawing, text or binary, of any version. Coordinates of the document are m.
 *
 * @throws FileError with line (text) or byte (binary) and entity, if the file is broken or holds nothing closed
 * @example const [plate] = readDxf(bytes, { fileName: 'plate.dxf' }).profiles; const solid = extrude(plate.profile, 5e-3);
 */
export function readDxf(bytes: Uint8Array, options: DxfReadOptions): CadDocument {
  for (const name of ['chordError', 'joinTolerance'] as const) {
    const length = options[name];
    if (length !== undefined && !(length > 0 && length < Infinity))
      throw new ModelError(name, `expected a length > 0 m, got ${length}`);
  }
  const drawing = readSections(new DxfGroups(bytes, options.fileName));
  if (typeof drawing.unit === 'object' && !options.unit)
    throw new FileError(
      options.fileName,
      'HEADER, $INSUNITS',
      `expected a unit among ${Object.keys(LENGTH_UNITS).join(', ')}, got ${drawing.unit.name}; pass the unit yourself or save the drawing in mm`,
    );
  const said = typeof drawing.unit === 'string' && drawing.unit !== 'none' ? drawing.unit : undefined;
  const { unit, unitFrom, scale } = chooseUnit(options, said);

  const chordError = options.chordError === undefined ? undefined : options.chordError / scale;
  const { layers, notes } = collectEntities(drawing, chordError, options.layers);
  notes.push(...unitNotes(options, said));
  if (unitFrom === 'assumed')
    notes.push('the file does not say its unit ($INSUNITS): numbers taken as m; pass the unit if they are, say, mm');

  const tolerance =
    options.joinTolerance === undefined ? DEFAULT_JOIN_TOLERANCE * drawingSize(layers) : options.joinTolerance / scale;
  const toMetres = metresFrom(unit);
  const profiles: CadProfile[] = [];
  const parts: CadPart[] = [];
  const defects: Defect[] = [];
  for (const layer of layers) {
    if (layer.faces.triangleCount > 0) {
      const { mesh, colour } = layer.faces.build(toMetres, layer.colour);
      parts.push(colour ? { name: layer.name, mesh, colour } : { name: layer.name, mesh });
    }
    const outlines = outlinesOf(layer, tolerance, unit, notes, defects);
    for (const profile of nestOutlines(withoutCrossings(outlines, layer.name, unit, defects)))
      profiles.push({ name: layer.name, profile: scaled(profile, toMetres) });
  }

  if (profiles.length === 0 && parts.length === 0) {
    const [first] = defects;
    const where = first?.source === undefined ? '' : drawing.groups.where(first.source);
    const why = defects.length > 0 ? defects.slice(0, NAMED).map(({ text }) => text) : notes;
    throw new FileError(
      options.fileName,
      where,
      `the drawing has no closed outline and no faces${why.length > 0 ? `: ${why.join('; ')}` : ''}`,
    );
  }
  notes.push(...defects.map(({ text }) => text));
  const crossing = defects.filter(({ closed }) => closed).map(({ text }) => text);
  return { format: 'dxf', unit, unitFrom, parts, profiles, notes, ...(crossing.length > 0 && { crossing }) };
}

interface Defect {
  readonly text: string;
  /** Group of the entity concerned. */
  readonly source?: number;
  /** Of closed outlines */
  readonly closed?: true;
}

/** Joins the curves of a layer; what does not close goes to `defects`. */
function outlinesOf(
  layer: DrawnLayer,
  tolerance: number,
  unit: LengthUnit,
  notes: string[],
  defects: Defect[],
): readonly Outline[] {
  if (!(tolerance > 0)) return []; // no curves, or all of them in one point
  const { curves, slanting, low, high } = layer.curves.level(tolerance);
  const on = `layer "${layer.name}"`;
  if (slanting > 0) notes.push(`${on}: ${slanting} curves not parallel to the xy plane skipped`);
  if (high - low > tolerance)
    notes.push(`${on}: curves at heights from ${low} to ${high} ${unit} read as seen from above`);
  const joined = joinCurves(curves, tolerance);
  if (joined.duplicates > 0) notes.push(`${on}: ${joined.duplicates} curves drawn twice counted once`);

  for (const { from, to, distance, source } of joined.gaps.slice(0, NAMED))
    defects.push({
      text: to
        ? `the outline on ${on} is open between ${shown(from)} and ${shown(to)} ${unit}, gap ${short(distance)} ${unit}`
        : `a curve on ${on} ends at ${shown(from)} ${unit} without closing`,
      source,
    });
  if (joined.openChains > 0)
    defects.push({
      text: `${on}: ${joined.openChains} open ${joined.openChains === 1 ? 'chain' : 'chains'} of curves left out; ends join within ${short(tolerance)} ${unit}, a larger joinTolerance (--join of fem and optimise) closes wider gaps`,
    });
  for (const { at, ends } of joined.branches.slice(0, NAMED))
    defects.push({ text: `${on}: ${ends} curves meet at ${shown(at)} ${unit}; an outline needs exactly two` });
  if (joined.branches.length > NAMED)
    defects.push({ text: `${on}: curves branch at ${joined.branches.length - NAMED} more places` });
  return joined.outlines;
}

/** Outlines that cross neither themselves nor each other; the others go to `defects`. */
function withoutCrossings(
  outlines: readonly Outline[],
  layer: string,
  unit: LengthUnit,
  defects: Defect[],
): readonly Outline[] {
  let clear = outlines;
  for (let round = 0; round < MOST_CROSSINGS; round++) {
    const crossing = firstCrossingAmong(clear);
    if (!crossing) return clear;
    const { firstOutline, secondOutline, at, kind } = crossing;
    const does = { cross: 'cross', touch: 'touch', overlap: 'run along each other' }[kind];
    const which = firstOutline === secondOutline ? 'two edges of one outline' : 'two outlines';
    defects.push({ text: `layer "${layer}": ${which} ${does} at ${shown(at)} ${unit}; left out`, closed: true });
    clear = clear.filter((_, i) => i !== firstOutline && i !== secondOutline);
  }
  if (!firstCrossingAmong(clear)) return clear;
  defects.push({
    text: `layer "${layer}": outlines cross at more than ${MOST_CROSSINGS} places; all were left out`,
    closed: true,
  });
  return [];
}
const MOST_CROSSINGS = 16;

/** Longer side of the box around all curves. */
function drawingSize(layers: readonly DrawnLayer[]): number {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { curves } of layers) {
    const own = curves.bounds();
    for (let k = 0; k < 4; k++) box[k] = k < 2 ? Math.min(box[k], own[k]) : Math.max(box[k], own[k]);
  }
  return Math.max(0, box[2] - box[0], box[3] - box[1]);
}

/** To m. mm, cm and µm divide by a whole number, which is rounded once; 1e-3 is itself rounded. */
function metresFrom(unit: LengthUnit): (length: number) => number {
  const whole = Math.round(1 / LENGTH_UNITS[unit]);
  return LENGTH_UNITS[unit] < 1 && 1 / whole === LENGTH_UNITS[unit]
    ? (length) => length / whole
    : (length) => length * LENGTH_UNITS[unit];
}

function scaled({ outer, holes }: Profile, toMetres: (length: number) => number): Profile {
  const convert = (outline: Outline): Outline =>
    outline.map(([x, y, bulge = 0]) => corner(toMetres(x), toMetres(y), bulge));
  return { outer: convert(outer), holes: holes.map(convert) };
}

/** Nine digits are enough to find a place. */
const short = (x: number): string => String(Number(x.toPrecision(9)));
const shown = ([x, y]: Vec2): string => `(${short(x)}, ${short(y)})`;
