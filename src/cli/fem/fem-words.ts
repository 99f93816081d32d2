/** Words of `tippetop fem`: its options as typed, the outline of a drawing, and materials by name. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import type { ElasticPart } from '../../flexible-bodies/fem/elastic-part.js';
import { rigidMotions } from '../../flexible-bodies/fem/rigid-motions.js';
import type { Statics } from '../../flexible-bodies/fem/statics.js';
import { parseUnit } from '../../geometry/files/cad-document.js';
import { readSvg } from '../../geometry/files/svg-read.js';
import type { Profile } from '../../geometry/profile.js';
import * as palette from '../../model/materials.js';
import { readBytes, readCadFile } from '../../node/cad-files.js';
import * as format from '../text/format.js';
import type { LoadOptions } from './load-words.js';

export interface FemOptions extends LoadOptions {
  readonly material: string;
  readonly thickness: string;
  readonly size?: string;
  readonly modes: string;
  readonly planeStrain?: boolean;
  readonly unit?: string;
  readonly join?: string;
  readonly drawnOn?: string;
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

/** The one outline of a drawing, and what reading it had to say. @throws FileError where closed outlines of it cannot be used: without them it would be another part */
export async function readOutline(
  file: string,
  { unit, join, drawnOn }: { readonly unit?: string; readonly join?: string; readonly drawnOn?: string },
): Promise<{ readonly profile: Profile; readonly notes: readonly string[] }> {
  const inUnit = unit !== undefined && { unit: parseUnit(unit, '--unit') };
  if (drawnOn !== undefined && !/\.dxf$/i.test(file))
    throw new ModelError('--drawn-on', 'is for layers of a DXF drawing; take it away');
  const { profiles, parts, notes, crossing } = /\.svg$/i.test(file)
    ? readSvg(await readBytes(file), { ...inUnit, fileName: file })
    : await readCadFile(file, {
        ...inUnit,
        ...(drawnOn !== undefined && { layers: drawnOn.split(',').map((name) => name.trim()) }),
        ...(join !== undefined && { joinTolerance: format.parseSize(join, '--join') }),
      });
  if (parts.length > 0 && profiles.length === 0)
    throw new FileError(
      file,
      '',
      'holds surfaces, and no outline; expected a drawing (.dxf, .svg) with one closed outline, or for a solid a mesh of tetrahedra of ten nodes (.msh, .inp), which Gmsh makes of STEP and STL files',
    );
  if (crossing && crossing.length > 0)
    throw new FileError(
      file,
      '',
      `${crossing[0]}; without what is left out it would be another part: draw its outlines apart, or as one`,
    );
  if (profiles.length !== 1) {
    const layers = [...new Set(profiles.map(({ name }) => name))];
    throw new FileError(
      file,
      '',
      `expected one outline, perhaps with holes, got ${profiles.length}; ` +
        (layers.length > 1
          ? `they are on the layers ${layers.map((name) => `"${name}"`).join(', ')}: say which of them are the part, taken together, such as --drawn-on "${layers.slice(0, 2).join(',')}"`
          : 'leave one part in the drawing'),
    );
  }
  return { profile: profiles[0].profile, notes };
}

/** Hears what is computed where that may take seconds */
export interface Told {
  readonly told: (what: string) => void;
  /** Nothing more is: what was shown goes */
  readonly over: () => void;
}

/** What is told beside the figures: on the terminal at once, in JSON as `notes` */
export interface Telling {
  readonly notes: readonly string[];
  readonly tell: (note: string) => void;
}

export function telling({ json }: { readonly json?: boolean }): Telling {
  const notes: string[] = [];
  return {
    notes,
    tell: (note) => {
      if (notes.includes(note)) return;
      notes.push(note);
      if (!json) console.log(`note: ${note}`);
    },
  };
}

/** Of angular frequencies, ascending, the k-th in Hz; those of a part that nothing holds, and of pieces that can move by themselves, are told for what they are. */
export function frequencyText(part: ElasticPart, frequencies: ArrayLike<number>, k: number): string {
  if (frequencies[k] > 0) return `${format.number(frequencies[k] / (2 * Math.PI), 7)} Hz`;
  return k < rigidMotions(part.dimension) ? '0 Hz, it moves as a whole' : '0 Hz, a piece of it moves by itself';
}

/** `--modes` */
export function modesWanted({ modes }: FemOptions): number {
  const wanted = modes.trim() === '' ? Number.NaN : Number(modes);
  if (!(Number.isInteger(wanted) && wanted >= 0 && wanted <= 200))
    throw new ModelError('--modes', `expected a whole number from 0 to 200, got "${modes}"`);
  return wanted;
}

/** Largest side of the part's box, m */
export function extentOf({ dimension: d, mesh: { points } }: Pick<ElasticPart, 'dimension' | 'mesh'>): number {
  let extent = 0;
  for (let axis = 0; axis < d; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += d) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}

/** σ below all elastic frequencies of anything of this size: a hundredth of a wave across it */
export function shiftOf(part: ElasticPart): number {
  const w = 0.01 * waveAcross(part);
  return -w * w;
}

/** √(E/ρ)/L, rad/s: what frequencies of a part of this size are measured by */
const waveAcross = (part: ElasticPart): number =>
  Math.sqrt(part.material.youngsModulus / part.material.density) / extentOf(part);

export interface Peaks {
  /** m */
  readonly largestDisplacement: number;
  readonly displacementAt: readonly number[];
  /** von Mises, Pa */
  readonly largestStress: number;
  readonly stressAt: readonly number[];
  /** J */
  readonly strainEnergy: number;
}

/** @param mises per node, Pa */
export function peaksOf(
  { dimension: d, mesh: { points, nodeCount } }: ElasticPart,
  { displacements: u, strainEnergy }: Statics,
  mises: Float64Array,
): Peaks {
  const length = (i: number): number => Math.hypot(...u.subarray(d * i, d * i + d));
  const place = (i: number): number[] => Array.from(points.subarray(d * i, d * i + d));
  let [most, where, largest] = [0, 0, 0];
  for (let i = 0; i < nodeCount; i++) {
    if (mises[i] > mises[where]) where = i;
    if (length(i) > largest) [most, largest] = [i, length(i)];
  }
  return {
    largestDisplacement: largest,
    displacementAt: place(most),
    largestStress: mises[where],
    stressAt: place(where),
    strainEnergy,
  };
}

/** What linear statics leaves out, where that may count */
export function notesOnStatics(
  part: ElasticPart,
  peaks: Peaks | undefined,
  jump: number,
  options: FemOptions,
): string[] {
  if (!peaks) return [];
  const notes: string[] = [];
  if (jump > MOST_JUMP * peaks.largestStress)
    notes.push(
      `stress jumps between elements by up to ${format.number((100 * jump) / peaks.largestStress, 2)} % of its largest: the mesh is coarse for it; at corners without a radius and at points that are held or loaded it grows with every finer mesh`,
    );
  const strain = peaks.largestStress / part.material.youngsModulus;
  if (strain > MOST_STRAIN)
    notes.push(
      `the stress is ${format.number(100 * strain, 3)} % of Young's modulus, far beyond the small strain that statics is of; check units and loads`,
    );
  else if (peaks.largestDisplacement > MOST_MOVED * extentOf(part))
    notes.push(
      `the part moves by ${format.number((100 * peaks.largestDisplacement) / extentOf(part), 3)} % of its size, and statics is linear: loads and levers are those of the part as drawn`,
    );
  if (options.spin !== undefined && modesWanted(options) > 0)
    notes.push('modes are those of the part at rest: what the tension of the spin stiffens is not in them');
  return notes;
}

/** Of Young's modulus; steel yields at 0.2 %, plastics at 3 % */
const MOST_STRAIN = 0.05;
/** Of the largest stress: a rim of a hole with sides of a tenth of its radius has a tenth of it */
const MOST_JUMP = 0.3;
/** Of the part's size */
const MOST_MOVED = 0.1;
