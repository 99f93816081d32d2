/** Sketches out as DXF and SVG in true size, and drawings in: arcs stay arcs both ways. */
import { ModelError } from '../../errors.js';
import { readDxf } from '../../geometry/files/dxf-read.js';
import { writeDxf } from '../../geometry/files/dxf-write.js';
import { readSvg } from '../../geometry/files/svg-read.js';
import { writeSvg } from '../../geometry/files/svg-write.js';
import type { Sketch, SketchOutline } from '../document/sketch.js';
import { checkSketch } from './check.js';
import { freeName } from './desk.js';
import { fromOutline } from './outline.js';

function profilesOf(sketch: Sketch, name: string) {
  const { profiles, problem } = checkSketch(sketch);
  if (problem) throw new ModelError('sketch', problem.text);
  if (profiles.length === 0) throw new ModelError('sketch', 'there is nothing drawn yet');
  return profiles.map((profile, i) => ({ name: i === 0 ? name : `${name}-${i + 1}`, profile }));
}

export const toDxf = (sketch: Sketch, name: string): Uint8Array => writeDxf(profilesOf(sketch, name), { unit: 'mm' });
export const toSvg = (sketch: Sketch, name: string): Uint8Array => writeSvg(profilesOf(sketch, name), { unit: 'mm' });

/** The sketch with the outlines of a drawing beside its own. @throws FileError with the place in the file */
export function withDrawing(
  sketch: Sketch,
  bytes: Uint8Array,
  fileName: string,
): { readonly sketch: Sketch; readonly notes: readonly string[] } {
  const { profiles, notes } = /\.svg$/i.test(fileName) ? readSvg(bytes, { fileName }) : readDxf(bytes, { fileName });
  let outlines: Readonly<Record<string, SketchOutline>> = sketch.outlines;
  for (const { name, profile } of profiles)
    for (const outline of [profile.outer, ...profile.holes]) {
      const wanted = name.replace(/[^\p{L}\p{N}_-]/gu, '') || 'outline';
      outlines = { ...outlines, [freeName({ outlines }, wanted)]: fromOutline(outline) };
    }
  return { sketch: { ...sketch, outlines }, notes };
}
