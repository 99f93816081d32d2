/** What a mesh file holds that must be known before it becomes a part: whether it says its unit, how large it is, whether it is solid, and what mending makes of it. */
import { FileError } from '../../errors.js';
import type { LengthUnit } from '../../geometry/files/cad-document.js';
import { readCad } from '../../geometry/files/index.js';
import { writePly } from '../../geometry/files/ply-write.js';
import { mendMesh } from '../../geometry/mend.js';
import { joinMeshes, meshBounds } from '../../geometry/triangle-mesh.js';
import { describeReport, validateMesh } from '../../geometry/validation.js';
import type { Vec3 } from '../../math/vec3.js';

export interface CadFound {
  /** Undefined: the file does not say */
  readonly unit: LengthUnit | undefined;
  /** m, or in the numbers of the file where it says no unit */
  readonly size: Vec3;
  /** What is wrong with it as a solid, in words; empty: nothing */
  readonly defects: readonly string[];
  /** Undefined where nothing is wrong */
  readonly mended: MendedFile | undefined;
}

export interface MendedFile {
  /** What was changed, and what is wrong still */
  readonly changes: readonly string[];
  readonly remaining: readonly string[];
  /** PLY in m, or with the numbers of the file, in double precision and one colour */
  readonly bytes: Uint8Array;
}

/** @throws FileError naming the file, the place and the defect */
export async function lookAtCad(bytes: Uint8Array, fileName: string): Promise<CadFound> {
  const { parts, unit, unitFrom } = await readCad(bytes, { fileName });
  if (parts.length === 0) throw new FileError(fileName, '', 'holds no mesh that could be a part');
  const { min, max } = meshBounds(joinMeshes(parts.map(({ mesh }) => mesh)));
  const reports = parts.map(({ mesh }) => validateMesh(mesh));
  const named = (k: number, line: string): string => (parts.length > 1 ? `${parts[k].name}: ${line}` : line);
  const defects = reports.flatMap((report, k) =>
    report.ok ? [] : describeReport(report).map((line) => named(k, withoutPlaces(line))),
  );
  const found = {
    unit: unitFrom === 'assumed' ? undefined : unit,
    size: [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as Vec3,
    defects,
  };
  if (defects.length === 0) return { ...found, mended: undefined };
  const repairs = parts.map(({ mesh }) => mendMesh(mesh));
  const after = repairs.flatMap(({ mesh, remaining }, k) => {
    const report = validateMesh(mesh);
    return report.ok
      ? remaining
      : [...remaining, ...describeReport(report)].map((line) => named(k, withoutPlaces(line)));
  });
  return {
    ...found,
    mended: {
      changes: repairs.flatMap(({ changes }, k) => changes.map((line) => named(k, found.unit ? line : unitless(line)))),
      remaining: [...new Set(after)],
      bytes: writePly(
        repairs.map(({ mesh }, k) => ({ name: parts[k].name, mesh })),
        { unit: 'm' },
      ),
    },
  };
}

/** Places would be told in m, which the numbers may not be; and advice is that to a program. */
const withoutPlaces = (line: string): string => line.split(': (', 1)[0];

const unitless = (line: string): string => line.replace(/([\d)]) m\b/g, '$1');
