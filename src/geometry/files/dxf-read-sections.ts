/**
 * The parts of a DXF drawing: unit, layers, blocks and the entities of model space, as places in the list of groups.
 *
 * A drawing is sections; HEADER has variables, TABLES the layers, BLOCKS named groups of entities, ENTITIES the rest.
 * An entity starts with a group of code 0 and runs to the next one.
 *
 * AutoCAD DXF Reference (2012), chapters "HEADER Section" to "ENTITIES Section".
 */
import { FileError } from '../../errors.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Colour } from '../solid.js';
import type { LengthUnit } from './cad-document.js';
import { indexedColour, trueColour } from './dxf-read-colours.js';
import type { DxfGroups } from './dxf-read-groups.js';

/** Groups at which entities start, and behind the last one the group that ends them. */
export type EntityList = readonly number[];

export interface DxfLayer {
  readonly hidden: '' | 'off' | 'frozen';
  readonly colour: Colour | undefined;
}

export interface DxfBlock {
  readonly name: string;
  /** The point that an INSERT puts in its place. */
  readonly base: Vec3;
  /** Defined in another file, which is not read. */
  readonly external: boolean;
  readonly entities: EntityList;
}

export interface DxfDrawing {
  readonly groups: DxfGroups;
  /** $INSUNITS: a unit, 'none' if the drawing has none or says none, or what it is called if we have no such unit. */
  readonly unit: LengthUnit | 'none' | { readonly name: string };
  /** Keys in capitals: names do not differ by case. */
  readonly layers: ReadonlyMap<string, DxfLayer>;
  readonly blocks: ReadonlyMap<string, DxfBlock>;
  readonly entities: EntityList;
}

/** First group of [first, end) with this code, or −1. */
export function findGroup(groups: DxfGroups, first: number, end: number, code: number): number {
  const { codes } = groups;
  for (let i = first; i < end; i++) if (codes[i] === code) return i;
  return -1;
}

/** Value of the first group of [first, end) with this code, or `absent`. */
export function numberOf(groups: DxfGroups, first: number, end: number, code: number, absent: number): number {
  const i = findGroup(groups, first, end, code);
  return i < 0 ? absent : groups.number(i);
}

/** @throws FileError where the order of sections, tables and blocks is broken */
export function readSections(groups: DxfGroups): DxfDrawing {
  let unit: DxfDrawing['unit'] = 'none';
  const layers = new Map<string, DxfLayer>();
  const blocks = new Map<string, DxfBlock>();
  let entities: EntityList | undefined;

  const { codes, count } = groups;
  let i = 0;
  for (;;) {
    while (codes[i] === COMMENT) i++;
    if (codes[i] === 0 && groups.is(i, 'EOF')) break;
    if (!(codes[i] === 0 && groups.is(i, 'SECTION') && i + 1 < count && codes[i + 1] === 2))
      throw groups.error(i, 'expected the start of a section (0 SECTION, 2 name) or 0 EOF; is this a DXF file?');
    const name = groups.text(i + 1);
    const first = i + 2;
    let end = first;
    while (end < count && !(codes[end] === 0 && (groups.is(end, 'ENDSEC') || groups.is(end, 'EOF')))) end++;
    if (end >= count || groups.is(end, 'EOF')) throw groups.error(i, `section ${name} is not closed by 0 ENDSEC`);
    if (name === 'HEADER') unit = readHeader(groups, first, end);
    else if (name === 'TABLES') readLayers(groups, first, end, layers);
    else if (name === 'BLOCKS') readBlocks(groups, first, end, blocks);
    else if (name === 'ENTITIES') {
      if (entities) throw groups.error(i, 'the file has two ENTITIES sections; expected one');
      entities = listEntities(groups, first, end);
    }
    i = end + 1;
  }
  if (!entities) throw new FileError(groups.file, '', 'the drawing has no ENTITIES section');
  return { groups, unit, layers, blocks, entities };
}

function readHeader(groups: DxfGroups, first: number, end: number): DxfDrawing['unit'] {
  let unit: DxfDrawing['unit'] = 'none';
  for (let i = first; i + 1 < end; i++) {
    if (groups.codes[i] !== 9) continue;
    if (groups.is(i, '$INSUNITS')) {
      const code = groups.integer(i + 1);
      unit = UNITS.get(code) ?? { name: OTHER_UNITS.get(code) ?? 'unknown' };
      if (typeof unit === 'object') unit = { name: `${code}, ${unit.name}` };
    } else if (groups.is(i, '$DWGCODEPAGE')) {
      const page = groups.text(i + 1).toUpperCase();
      groups.encoding = CODE_PAGES.get(page) ?? 'windows-1252';
    }
  }
  return unit;
}

function readLayers(groups: DxfGroups, first: number, end: number, layers: Map<string, DxfLayer>): void {
  for (let i = first; i < end; ) {
    const next = nextEntity(groups, i + 1, end);
    if (groups.codes[i] === 0 && groups.is(i, 'LAYER')) {
      const name = findGroup(groups, i, next, 2);
      if (name < 0) throw groups.error(i, 'a LAYER without a name (group code 2)');
      const colour = numberOf(groups, i, next, 62, 7);
      const bits = findGroup(groups, i, next, 420);
      const flags = numberOf(groups, i, next, 70, 0);
      layers.set(groups.text(name).toUpperCase(), {
        hidden: (flags & 1) !== 0 ? 'frozen' : colour < 0 ? 'off' : '',
        colour: bits < 0 ? indexedColour(Math.abs(colour)) : trueColour(groups.integer(bits)),
      });
    }
    i = next;
  }
}

function readBlocks(groups: DxfGroups, first: number, end: number, blocks: Map<string, DxfBlock>): void {
  for (let i = first; i < end; ) {
    const next = nextEntity(groups, i + 1, end);
    if (!(groups.codes[i] === 0 && groups.is(i, 'BLOCK'))) {
      i = next;
      continue;
    }
    const nameAt = findGroup(groups, i, next, 2);
    if (nameAt < 0) throw groups.error(i, 'a BLOCK without a name (group code 2)');
    let close = next;
    while (close < end && !groups.is(close, 'ENDBLK')) {
      if (groups.is(close, 'BLOCK')) throw groups.error(i, `block "${groups.text(nameAt)}" is not closed by 0 ENDBLK`);
      close = nextEntity(groups, close + 1, end);
    }
    if (close >= end) throw groups.error(i, `block "${groups.text(nameAt)}" is not closed by 0 ENDBLK`);
    const flags = numberOf(groups, i, next, 70, 0);
    const name = groups.text(nameAt);
    blocks.set(name.toUpperCase(), {
      name,
      base: [numberOf(groups, i, next, 10, 0), numberOf(groups, i, next, 20, 0), numberOf(groups, i, next, 30, 0)],
      external: (flags & (4 | 8)) !== 0,
      entities: listEntities(groups, next, close),
    });
    i = nextEntity(groups, close + 1, end);
  }
}

function listEntities(groups: DxfGroups, first: number, end: number): EntityList {
  const list: number[] = [];
  for (let i = first; i < end; i++) if (groups.codes[i] === 0) list.push(i);
  list.push(end);
  return list;
}

/** First group of code 0 in [from, end), or end. */
function nextEntity(groups: DxfGroups, from: number, end: number): number {
  const i = findGroup(groups, from, end, 0);
  return i < 0 ? end : i;
}

const COMMENT = 999;

/** $INSUNITS: the codes we have a unit for. */
const UNITS: ReadonlyMap<number, LengthUnit | 'none'> = new Map([
  [0, 'none'],
  [1, 'in'],
  [2, 'ft'],
  [4, 'mm'],
  [5, 'cm'],
  [6, 'm'],
  [7, 'km'],
  [13, 'um'],
]);
/** $INSUNITS: the others, by name for the message. */
const OTHER_UNITS: ReadonlyMap<number, string> = new Map([
  [3, 'miles'],
  [8, 'microinches'],
  [9, 'mils'],
  [10, 'yards'],
  [11, 'ångströms'],
  [12, 'nanometres'],
  [14, 'decimetres'],
  [15, 'decametres'],
  [16, 'hectometres'],
  [17, 'gigametres'],
  [18, 'astronomical units'],
  [19, 'light years'],
  [20, 'parsecs'],
  [21, 'US survey feet'],
  [22, 'US survey inches'],
  [23, 'US survey yards'],
  [24, 'US survey miles'],
]);
/** $DWGCODEPAGE: names that the WHATWG Encoding Standard knows under another name. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ['ANSI_874', 'windows-874'],
  ['ANSI_932', 'shift_jis'],
  ['ANSI_936', 'gbk'],
  ['ANSI_949', 'euc-kr'],
  ['ANSI_950', 'big5'],
  ['ANSI_1250', 'windows-1250'],
  ['ANSI_1251', 'windows-1251'],
  ['ANSI_1253', 'windows-1253'],
  ['ANSI_1254', 'windows-1254'],
  ['ANSI_1255', 'windows-1255'],
  ['ANSI_1256', 'windows-1256'],
  ['ANSI_1257', 'windows-1257'],
  ['ANSI_1258', 'windows-1258'],
]);
