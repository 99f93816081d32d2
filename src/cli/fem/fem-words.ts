/** Words of `tippetop fem`: its options as typed, and materials by name. */
import { ModelError, suggestion } from '../../errors.js';
import * as palette from '../../model/materials.js';

export interface FemOptions {
  readonly material: string;
  readonly thickness: string;
  readonly size?: string;
  readonly fix: readonly string[];
  readonly load: readonly string[];
  readonly modes: string;
  readonly planeStrain?: boolean;
  readonly unit?: string;
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
