/** A sketch as the body of a scene: its outlines extruded along z, or turned about the y axis of the sketch, which becomes z. */
import { ModelError } from '../../errors.js';
import { bulgeOf } from '../../geometry/arc.js';
import { reversed } from '../../geometry/outline.js';
import type { Outline, Profile } from '../../geometry/profile.js';
import type { Data, DataRecord } from '../document/document.js';
import type { Sketch } from '../document/sketch.js';
import { checkSketch } from './check.js';

export interface SolidChoice {
  readonly kind: 'extrude' | 'revolve';
  /** m, of an extrusion */
  readonly height: number;
  /** rad, of a turned solid; all round unless given */
  readonly angle?: number;
  /** Name of the material */
  readonly material: string;
}

/** m to 12 digits: nothing that matters, and a file one can read */
const short = (x: number): number => Number(x.toPrecision(12));

const cornersOf = (outline: Outline): Data =>
  outline.map((corner): Data => {
    const [x, y] = [short(corner[0]), short(corner[1])];
    return bulgeOf(corner) === 0 ? [x, y] : [x, y, short(bulgeOf(corner))];
  });

/** The shape that a JSON model has for it. @throws ModelError with the sketch's problem in words */
export function shapeOf(sketch: Sketch, { kind, height, angle }: SolidChoice): Data {
  const { profiles, problem } = checkSketch(sketch);
  if (problem) throw new ModelError('sketch', problem.text);
  if (profiles.length === 0)
    throw new ModelError('sketch', 'there is nothing to make a solid of; draw an outline first');
  if (kind === 'extrude' && !(height > 0))
    throw new ModelError('sketch.height', `expected a height > 0 m, got ${height}`);
  const shapes = profiles.map((profile): Data => {
    const { outer, holes } = kind === 'revolve' ? beside(profile) : profile;
    const figure = {
      outline: cornersOf(outer),
      ...(holes.length > 0 && { holes: holes.map(cornersOf) }),
    };
    return kind === 'extrude'
      ? { extrude: { ...figure, height: short(height) } }
      : { revolve: { ...figure, ...(angle !== undefined && { angle }) } };
  });
  return shapes.length === 1 ? shapes[0] : shapes;
}

/** A figure left of the axis is turned round to its right; one across it makes no solid. */
function beside(profile: Profile): Profile {
  const xs = [profile.outer, ...profile.holes].flat().map(([x]) => x);
  const size = Math.max(...xs.map(Math.abs));
  if (xs.every((x) => x > -1e-9 * size)) return mapped(profile, (x) => Math.max(0, x), false);
  if (xs.every((x) => x < 1e-9 * size)) return mapped(profile, (x) => Math.max(0, -x), true);
  throw new ModelError(
    'sketch',
    'the outline lies on both sides of the axis x = 0 it is turned about; move it to one side',
  );
}

function mapped({ outer, holes }: Profile, x: (x: number) => number, mirrored: boolean): Profile {
  const image = (outline: Outline): Outline => {
    const moved = outline.map((corner): Outline[number] =>
      corner[2] === undefined
        ? [x(corner[0]), corner[1]]
        : [x(corner[0]), corner[1], mirrored ? -corner[2] : corner[2]],
    );
    return mirrored
      ? reversed(moved.map((c): Outline[number] => (c[2] === undefined ? c : [c[0], c[1], c[2]])))
      : moved;
  };
  return { outer: image(outer), holes: holes.map(image) };
}

export const bodyOf = (sketch: Sketch, choice: SolidChoice): DataRecord => ({
  shape: shapeOf(sketch, choice),
  material: choice.material,
});
