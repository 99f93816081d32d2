/**
 * Plane figures out as a DXF drawing of version AC1015 (AutoCAD 2000): closed LWPOLYLINEs, a layer per name.
 *
 * AC1015 is the first version that says its unit ($INSUNITS) and what every CAD program of the last twenty years reads.
 * It wants a handle for every object, the owner of each, all nine tables, the two layouts as blocks and a root
 * dictionary, even in a drawing of one square: AutoCAD DXF Reference (2012); without them AutoCAD refuses the file.
 */
import { ModelError } from '../../errors.js';
import type { Outline } from '../profile.js';
import { type CadProfile, LENGTH_UNITS, type LengthUnit, type WriteOptions } from './cad-document.js';
import { lengthWriter } from './decimal-shift.js';
import { TextWriter } from './text-writer.js';

/** $INSUNITS */
const UNIT_CODES: Readonly<Record<LengthUnit, number>> = { in: 1, ft: 2, mm: 4, cm: 5, m: 6, km: 7, um: 13 };

/**
 * Writes profiles, the outside and each hole as a closed polyline on the layer of the profile's name; arcs are the
 * polyline's bulges (group code 42), digit for digit.
 *
 * Names are kept but for characters a layer must not have (`< > / \ " : ; ? * | = '` and control characters), which
 * become `_`; where that makes two names equal, the later one gets a number.
 *
 * @throws ModelError on an unknown unit or a coordinate that is not finite
 * @example writeDxf([{ name: 'plate', profile }], { unit: 'mm' })
 */
export function writeDxf(profiles: readonly CadProfile[], options: WriteOptions = {}): Uint8Array {
  const unit = options.unit ?? 'm';
  if (!Object.hasOwn(LENGTH_UNITS, unit))
    throw new ModelError('writeDxf.unit', `expected one of ${Object.keys(LENGTH_UNITS).join(', ')}, got "${unit}"`);
  const layers = layerNames(profiles);
  const length = lengthWriter(unit);
  const text = new TextWriter();
  let handle = FIRST_FREE_HANDLE;
  const group = (code: number, value: string | number): void => text.write(`${code}\n${value}\n`);
  const groups = (...pairs: (string | number)[]): void => {
    for (let i = 0; i < pairs.length; i += 2) group(pairs[i] as number, pairs[i + 1]);
  };
  const newHandle = (): string => (handle++).toString(16).toUpperCase();
  const real = (metres: number): string => {
    const digits = length(metres);
    return /[.e]/.test(digits) ? digits : `${digits}.0`;
  };

  // Every handle below FIRST_FREE_HANDLE is fixed; entities and layers count up from it. The seed is a bound above all.
  const outlineCount = profiles.reduce((sum, { profile }) => sum + 1 + profile.holes.length, 0);
  const seed = (FIRST_FREE_HANDLE + layers.size + outlineCount + 1).toString(16).toUpperCase();
  groups(0, 'SECTION', 2, 'HEADER', 9, '$ACADVER', 1, 'AC1015', 9, '$DWGCODEPAGE', 3, 'ANSI_1252');
  groups(9, '$HANDSEED', 5, seed, 9, '$INSUNITS', 70, UNIT_CODES[unit]);
  groups(9, '$MEASUREMENT', 70, unit === 'in' || unit === 'ft' ? 0 : 1, 0, 'ENDSEC');
  groups(0, 'SECTION', 2, 'CLASSES', 0, 'ENDSEC');

  // Tables
  const table = (name: string, at: string, entries: number): void =>
    groups(0, 'TABLE', 2, name, 5, at, 330, 0, 100, 'AcDbSymbolTable', 70, entries);
  const entry = (type: string, at: string, owner: string, subclass: string, name: string): void =>
    groups(
      0,
      type,
      type === 'DIMSTYLE' ? 105 : 5,
      at,
      330,
      owner,
      100,
      'AcDbSymbolTableRecord',
      100,
      subclass,
      2,
      name,
    );
  groups(0, 'SECTION', 2, 'TABLES');
  table('VPORT', '8', 0);
  groups(0, 'ENDTAB');
  table('LTYPE', '5', 3);
  for (const [at, name] of [
    ['14', 'ByBlock'],
    ['15', 'ByLayer'],
    ['16', 'Continuous'],
  ]) {
    entry('LTYPE', at, '5', 'AcDbLinetypeTableRecord', name);
    groups(70, 0, 3, '', 72, 65, 73, 0, 40, '0.0');
  }
  groups(0, 'ENDTAB');
  const named = [...layers.values()].filter((name) => name !== '0'); // layer 0 is always there
  table('LAYER', '2', named.length + 1);
  const layer = (at: string, name: string): void => {
    entry('LAYER', at, '2', 'AcDbLayerTableRecord', name);
    groups(70, 0, 62, 7, 6, 'Continuous', 390, 'F');
  };
  layer('10', '0');
  for (const name of named) layer(newHandle(), escaped(name));
  groups(0, 'ENDTAB');
  table('STYLE', '3', 1);
  entry('STYLE', '11', '3', 'AcDbTextStyleTableRecord', 'Standard');
  groups(70, 0, 40, '0.0', 41, '1.0', 50, '0.0', 71, 0, 42, '1.0', 3, 'txt', 4, '', 0, 'ENDTAB');
  table('VIEW', '6', 0);
  groups(0, 'ENDTAB');
  table('UCS', '7', 0);
  groups(0, 'ENDTAB');
  table('APPID', '9', 1);
  entry('APPID', '12', '9', 'AcDbRegAppTableRecord', 'ACAD');
  groups(70, 0, 0, 'ENDTAB');
  table('DIMSTYLE', 'A', 1);
  groups(100, 'AcDbDimStyleTable', 71, 0);
  entry('DIMSTYLE', '27', 'A', 'AcDbDimStyleTableRecord', 'Standard');
  groups(70, 0, 0, 'ENDTAB');
  table('BLOCK_RECORD', '1', 2);
  entry('BLOCK_RECORD', MODEL_SPACE, '1', 'AcDbBlockTableRecord', '*Model_Space');
  entry('BLOCK_RECORD', PAPER_SPACE, '1', 'AcDbBlockTableRecord', '*Paper_Space');
  groups(0, 'ENDTAB', 0, 'ENDSEC');

  // The layouts
  groups(0, 'SECTION', 2, 'BLOCKS');
  for (const [space, name, begin, end] of [
    [MODEL_SPACE, '*Model_Space', '20', '21'],
    [PAPER_SPACE, '*Paper_Space', '1C', '1D'],
  ]) {
    groups(0, 'BLOCK', 5, begin, 330, space, 100, 'AcDbEntity', 8, '0', 100, 'AcDbBlockBegin', 2, name, 70, 0);
    groups(10, '0.0', 20, '0.0', 30, '0.0', 3, name, 1, '');
    groups(0, 'ENDBLK', 5, end, 330, space, 100, 'AcDbEntity', 8, '0', 100, 'AcDbBlockEnd');
  }
  groups(0, 'ENDSEC');

  // The outlines
  const polyline = (outline: Outline, layerName: string, path: string): void => {
    groups(0, 'LWPOLYLINE', 5, newHandle(), 330, MODEL_SPACE, 100, 'AcDbEntity', 8, escaped(layerName));
    groups(100, 'AcDbPolyline', 90, outline.length, 70, 1, 43, '0.0');
    for (let i = 0; i < outline.length; i++) {
      const [x, y, bulge = 0] = outline[i];
      if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(bulge)))
        throw new ModelError(`${path}[${i}]`, `expected finite coordinates in m, got (${outline[i].join(', ')})`);
      groups(10, real(x), 20, real(y));
      if (bulge !== 0) group(42, String(bulge));
    }
  };
  groups(0, 'SECTION', 2, 'ENTITIES');
  profiles.forEach(({ name, profile }, i) => {
    const layerName = layers.get(name) ?? '0';
    polyline(profile.outer, layerName, `profiles[${i}].outer`);
    for (let k = 0; k < profile.holes.length; k++) polyline(profile.holes[k], layerName, `profiles[${i}].holes[${k}]`);
  });
  groups(0, 'ENDSEC');

  // The root dictionary and the plot style that layers refer to
  groups(0, 'SECTION', 2, 'OBJECTS');
  const dictionary = (at: string, owner: string): void =>
    groups(0, 'DICTIONARY', 5, at, 330, owner, 100, 'AcDbDictionary', 281, 1);
  dictionary('C', '0');
  groups(3, 'ACAD_GROUP', 350, 'D', 3, 'ACAD_PLOTSTYLENAME', 350, 'E');
  dictionary('D', 'C');
  groups(0, 'ACDBDICTIONARYWDFLT', 5, 'E', 330, 'C', 100, 'AcDbDictionary', 281, 1, 3, 'Normal', 350, 'F');
  groups(100, 'AcDbDictionaryWithDefault', 340, 'F');
  groups(0, 'ACDBPLACEHOLDER', 5, 'F', 330, 'E', 0, 'ENDSEC', 0, 'EOF');
  return text.toBytes();
}

const MODEL_SPACE = '1F';
const PAPER_SPACE = '1B';
const FIRST_FREE_HANDLE = 0x30;

/** A layer for every name of a profile; names of layers do not differ by case alone. */
function layerNames(profiles: readonly CadProfile[]): Map<string, string> {
  const layers = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name } of profiles) {
    if (layers.has(name)) continue;
    const allowed =
      name
        .replace(/[<>/\\":;?*|=`'\p{Cc}]/gu, '_')
        .trim()
        .slice(0, 200) || '0';
    let unique = allowed;
    for (let n = 2; taken.has(unique.toUpperCase()); n++) unique = `${allowed}_${n}`;
    taken.add(unique.toUpperCase());
    layers.set(name, unique);
  }
  return layers;
}

/** Text of this version is in a code page; other characters are written `\U+XXXX`. */
const escaped = (name: string): string =>
  name.replace(/[^ -~]/g, (c) =>
    Array.from(
      { length: c.length },
      (_, i) => `\\U+${c.charCodeAt(i).toString(16).toUpperCase().padStart(4, '0')}`,
    ).join(''),
  );
