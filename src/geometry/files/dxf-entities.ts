/**
 * Walks the entities of a drawing, blocks put in their places, and collects curves and faces layer by layer.
 *
 * A block that inserts others that insert others grows as a power of its depth, so a drawing that would expand to far
 * more than its file holds is refused.
 */
import { FileError } from '../../errors.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Colour } from '../solid.js';
import { CURVE_READERS } from './dxf-entities-curves.js';
import { FaceList, faceCorners, polyface, polygonMesh, position } from './dxf-entities-faces.js';
import { chain, type Frame, frameOfInsert, frameOfNormal, place, WORLD } from './dxf-entities-frames.js';
import { indexedColour, trueColour } from './dxf-read-colours.js';
import { type DxfDrawing, type EntityList, findGroup, numberOf } from './dxf-read-sections.js';
import { CurveList } from './join-curves-list.js';

export interface DrawnLayer {
  readonly name: string;
  readonly colour: Colour | undefined;
  readonly curves: CurveList;
  readonly faces: FaceList;
}

/** Beyond this a coordinate is a defect, and its squares and cubes stay finite. */
const LARGEST_COORDINATE = 1e15;
const DEEPEST_NESTING = 32;
/** What blocks may expand to; a file that itself holds more may have as much as it holds. */
const MOST_INSTANCES = 1_000_000;
const MOST_POINTS = 2_000_000;
/** Of one kind, before they are summed up. */
const MOST_NOTES = 20;

/**
 * @param chordError in the drawing's unit; undefined for 1/1000 of each radius
 * @param only layers that are read, together as if all were on the first of them; all of them, each by itself, if left out
 */
export function collectEntities(
  drawing: DxfDrawing,
  chordError: number | undefined,
  only?: readonly string[],
): { layers: readonly DrawnLayer[]; notes: string[] } {
  const { groups } = drawing;
  if (drawing.entities.length < 2)
    throw new FileError(groups.file, '', 'the drawing is empty: its ENTITIES section has no entity');
  const layers = new Map<string, DrawnLayer>();
  const wanted = only && new Set(only.map((name) => name.toUpperCase()));
  const seen = new Map<string, string>(); // layers by their names in capitals
  const notes = new Set<string>();
  const skipped = new Map<string, number>(); // by type
  const hidden = new Map<string, { state: string; count: number }>(); // by layer
  let inPaperSpace = 0;
  let invisible = 0;
  let thick = 0;
  let points = 0;

  const layerOf = (name: string): DrawnLayer => {
    const key = name.toUpperCase();
    let layer = layers.get(key);
    if (!layer) {
      const colour = drawing.layers.get(key)?.colour;
      layer = { name, colour, curves: new CurveList(), faces: new FaceList() };
      layers.set(key, layer);
    }
    return layer;
  };
  const countPoint = (entity: number, x: number, y: number, z: number): void => {
    if (!(Math.abs(x) <= LARGEST_COORDINATE && Math.abs(y) <= LARGEST_COORDINATE && Math.abs(z) <= LARGEST_COORDINATE))
      throw groups.error(entity, `expected coordinates up to ${LARGEST_COORDINATE}, got (${x}, ${y}, ${z})`);
    if (++points > MOST_POINTS && points > groups.count)
      throw groups.error(
        entity,
        `the drawing expands to more than ${MOST_POINTS} points; a larger chord error makes fewer`,
      );
  };

  const walk = (
    list: EntityList,
    frame: Frame,
    inherited: { readonly layer: string; readonly colour: Colour | undefined } | undefined,
  ): void => {
    for (let k = 0; k + 1 < list.length; k++) {
      const first = list[k];
      const end = list[k + 1];
      const type = groups.text(first);
      // Vertices of a polyline are entities of their own up to SEQEND.
      const vertices: [number, number][] = [];
      if (type === 'POLYLINE') {
        while (k + 2 < list.length && groups.is(list[k + 1], 'VERTEX')) {
          k++;
          vertices.push([list[k], list[k + 1]]);
        }
        if (!(k + 2 < list.length && groups.is(list[k + 1], 'SEQEND')))
          throw groups.error(first, 'POLYLINE: its vertices are not closed by 0 SEQEND');
      }
      if (SILENT.has(type)) continue;
      const field = (code: number, absent: number): number => numberOf(groups, first, end, code, absent);
      if (!inherited && field(67, 0) === 1) {
        inPaperSpace++;
        continue;
      }
      if (field(60, 0) === 1) {
        invisible++;
        continue;
      }
      // Layer and colour; layer 0 and colour 0 in a block are those of its INSERT.
      const layerAt = findGroup(groups, first, end, 8);
      const ownLayer = (layerAt < 0 ? '' : groups.text(layerAt)) || '0';
      const layerName = ownLayer === '0' && inherited ? inherited.layer : ownLayer;
      if (type !== 'INSERT') {
        seen.set(layerName.toUpperCase(), layerName);
        if (wanted && !wanted.has(layerName.toUpperCase())) continue;
      }
      const state = drawing.layers.get(layerName.toUpperCase())?.hidden;
      if (state && !(type === 'INSERT' && state === 'off')) {
        const left = hidden.get(layerName) ?? { state, count: 0 };
        left.count++;
        hidden.set(layerName, left);
        continue;
      }
      const colourOf = (): Colour | undefined => {
        const bits = findGroup(groups, first, end, 420);
        if (bits >= 0) return trueColour(groups.integer(bits));
        const index = field(62, 256);
        if (index === 0) return inherited?.colour;
        return index === 256 ? drawing.layers.get(layerName.toUpperCase())?.colour : indexedColour(Math.abs(index));
      };
      const face = (corners: Vec3[]): void => {
        for (const [x, y, z] of corners) countPoint(first, x, y, z);
        layerOf(only?.[0] ?? layerName).faces.face(corners, colourOf());
      };

      const flags = type === 'POLYLINE' ? field(70, 0) : 0;
      const readCurve = CURVE_READERS.get(type);
      if (type === 'INSERT') insert(first, end, frame, { layer: layerName, colour: colourOf() });
      else if (type === '3DFACE') face(faceCorners(groups, first, end, frame));
      else if ((flags & 64) !== 0) polyface(groups, vertices, frame, face);
      else if ((flags & 16) !== 0) {
        const smooth = (flags & 4) !== 0;
        const m = field(smooth ? 73 : 71, 0);
        const n = field(smooth ? 74 : 72, 0);
        // A smoothed mesh keeps its control net beside the vertices that lie on it.
        const net = vertices.filter(([a, b]) => (numberOf(groups, a, b, 70, 0) & 16) === 0);
        if (!(m >= 2 && n >= 2 && m * n === net.length))
          throw groups.error(first, `polygon mesh: expected ${m} × ${n} vertices, got ${net.length}`);
        const places = net.map(([a, b]) => place(frame, position(groups, a, b)));
        polygonMesh(places, [m, n], [(flags & 1) !== 0, (flags & 32) !== 0], face);
      } else if (readCurve) {
        if (field(39, 0) !== 0) thick++;
        const { curves } = layerOf(only?.[0] ?? layerName);
        const note = (text: string) => notes.add(text);
        const sink = (x: number, y: number, z: number, bulge = 0): void => {
          countPoint(first, x, y, z);
          curves.point(x, y, z, bulge);
        };
        const shape = readCurve({ groups, type, first, end, vertices, frame, chordError, note }, sink);
        curves.finish(shape === 'closed', first);
      } else skipped.set(type, (skipped.get(type) ?? 0) + 1);
    }
  };

  const insert = (
    first: number,
    end: number,
    outer: Frame,
    inherited: { readonly layer: string; readonly colour: Colour | undefined },
  ): void => {
    const field = (code: number, absent: number): number => numberOf(groups, first, end, code, absent);
    const nameAt = findGroup(groups, first, end, 2);
    if (nameAt < 0) throw groups.error(first, 'INSERT: the name of its block (group code 2) is missing');
    const key = groups.text(nameAt).toUpperCase();
    const block = drawing.blocks.get(key);
    if (!block) throw groups.error(first, `INSERT: the drawing defines no block "${groups.text(nameAt)}"`);
    if (block.external) {
      notes.add(`block "${block.name}" is in another file and was not read; bind the reference in the CAD program`);
      return;
    }
    const normal: Vec3 = [field(210, 0), field(220, 0), field(230, 1)];
    const flat = frameOfNormal(normal);
    if (!flat) throw groups.error(first, 'INSERT: its extrusion direction is the zero vector');
    const columns = Math.max(1, field(70, 1));
    const rows = Math.max(1, field(71, 1));
    // Rows and columns turn with the block but do not grow with its scale.
    const angle = field(50, 0);
    const turned = frameOfInsert([0, 0, 0], angle, [1, 1, 1], [0, 0, 0]);
    const [x, y, z] = position(groups, first, end);
    const scale: Vec3 = [field(41, 1), field(42, 1), field(43, 1)];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const shift = place(turned, [column * field(44, 0), row * field(45, 0), 0]);
        const inner = frameOfInsert([x + shift[0], y + shift[1], z], angle, scale, block.base);
        walk(block.entities, chain(outer, chain(flat, inner)), inherited);
      }
  };

  refuseExpansion(drawing);
  walk(drawing.entities, WORLD, undefined);
  const missing = only?.find((name) => !seen.has(name.toUpperCase()));
  if (missing !== undefined)
    throw new FileError(
      groups.file,
      '',
      `there is nothing on a layer "${missing}"; the drawing has ${[...seen.values()].map((name) => `"${name}"`).join(', ')}`,
    );

  const list = (all: readonly string[], what: string): void => {
    for (const note of all.slice(0, MOST_NOTES)) notes.add(note);
    if (all.length > MOST_NOTES) notes.add(`${all.length - MOST_NOTES} more ${what} skipped`);
  };
  list(
    [...skipped].map(([type, count]) => `${count} ${type} skipped${ADVICE.get(type) ?? ''}`),
    'types of entities',
  );
  list(
    [...hidden].map(([name, { state, count }]) => `layer "${name}" is ${state}: ${count} entities on it skipped`),
    'hidden layers',
  );
  if (inPaperSpace > 0) notes.add(`${inPaperSpace} entities in paper space skipped`);
  if (invisible > 0) notes.add(`${invisible} invisible entities skipped`);
  if (thick > 0) notes.add(`thickness of ${thick} entities ignored: outlines are read flat`);
  return { layers: [...layers.values()], notes: [...notes] };
}

/**
 * Counts what the blocks expand to before anything is expanded: entities of a block count once for every place the
 * block is in, and each block is counted only once.
 *
 * @throws FileError if that is too much, or a block contains itself
 */
function refuseExpansion({ groups, blocks, entities }: DxfDrawing): void {
  const known = new Map<string, number>();
  const open = new Set<string>();
  const countOf = (list: EntityList): number => {
    let count = list.length;
    for (let k = 0; k + 1 < list.length; k++) {
      const first = list[k];
      if (!groups.is(first, 'INSERT')) continue;
      const nameAt = findGroup(groups, first, list[k + 1], 2);
      const key = nameAt < 0 ? '' : groups.text(nameAt).toUpperCase();
      const block = blocks.get(key);
      if (!block) continue; // the walk says so, if it comes here
      if (open.has(key)) throw groups.error(first, `INSERT: block "${block.name}" contains itself`);
      if (open.size >= DEEPEST_NESTING)
        throw groups.error(first, `INSERT: blocks nested deeper than ${DEEPEST_NESTING}; explode some`);
      let inside = known.get(key);
      if (inside === undefined) {
        open.add(key);
        inside = countOf(block.entities);
        open.delete(key);
        known.set(key, inside);
      }
      const columns = Math.max(1, numberOf(groups, first, list[k + 1], 70, 1));
      const rows = Math.max(1, numberOf(groups, first, list[k + 1], 71, 1));
      count += columns * rows * (1 + inside);
      if (count > MOST_INSTANCES && count > groups.count)
        throw groups.error(
          first,
          `INSERT: the drawing's blocks expand to more than ${MOST_INSTANCES} entities; explode or remove some`,
        );
    }
    return count;
  };
  countOf(entities);
}

/** Parts of other entities, or never geometry of a part. */
const SILENT = new Set(['SEQEND', 'ATTRIB', 'ATTDEF', 'VIEWPORT']);

const TO_STEP = '; export solids as STEP to read them';
const EXPLODE = '; explode it in the CAD program to read its curves';
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['3DSOLID', TO_STEP],
  ['BODY', TO_STEP],
  ['SURFACE', TO_STEP],
  ['REGION', EXPLODE],
  ['MLINE', EXPLODE],
  ['MESH', EXPLODE],
]);
