/** Words of `tippetop fem`: its options as typed, the outline of a drawing, and materials by name. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import { parseUnit } from '../../geometry/files/cad-document.js';
import type { Profile } from '../../geometry/profile.js';
import * as palette from '../../model/materials.js';
import { readCadFile } from '../../node/cad-files.js';
import * as format from '../text/format.js';

export interface FemOptions {
  readonly material: string;
  readonly thickness: string;
  readonly size?: string;
  readonly fix: readonly string[];
  readonly load: readonly string[];
  readonly modes: string;
  readonly planeStrain?: boolean;
  readonly unit?: string;
  readonly join?: string;
  readonly out?: string;
  readonly layers?: string;
  readonly json?: boolean;
}

/** A material of the library that knows how it deforms. */
export function materialNamed(name: string): { youngsModulus: number; poissonRatio: number; density: number } {
  const material = (palette as unknown as Record<string, palette.Material | undefined>)[name];
  if (!material || typeof material !== 'object' || !('density' in material)) {
    const known = Object.entries(palette).filter(([, one]) => typeof one === 'object' && 'density' in one);
    const near = suggestion(
      name,
      known.map(([one]) => one),
    );
    const names = known.map(([one]) => one).join(', ');
    throw new ModelError('--material', `there is no material "${name}"${near || `; there are ${names}`}`);
  }
  const { youngsModulus, poissonRatio, density } = material;
  if (youngsModulus === undefined || poissonRatio === undefined)
    throw new ModelError('--material', `"${name}" has no Young's modulus here; take another material`);
  return { youngsModulus, poissonRatio, density };
}

/** The one outline of a drawing, and what reading it had to say. */
export async function readOutline(
  file: string,
  { unit, join }: { readonly unit?: string; readonly join?: string },
): Promise<{ readonly profile: Profile; readonly notes: readonly string[] }> {
  const { profiles, notes } = await readCadFile(file, {
    ...(unit !== undefined && { unit: parseUnit(unit, '--unit') }),
    ...(join !== undefined && { joinTolerance: format.parseSize(join, '--join') }),
  });
  if (profiles.length !== 1)
    throw new FileError(
      file,
      '',
      `expected one outline, perhaps with holes, got ${profiles.length}; leave one part in the drawing`,
    );
  return { profile: profiles[0].profile, notes };
}

/** Of angular frequencies, ascending, the k-th in Hz; rounded zeros of a part that nothing holds are told for what they are. */
export function frequencyText(frequencies: ArrayLike<number>, k: number): string {
  const last = frequencies[frequencies.length - 1];
  return frequencies[k] < 1e-7 * last || last < 1e-3
    ? '0 Hz, it moves as a whole'
    : `${format.number(frequencies[k] / (2 * Math.PI), 7)} Hz`;
}
