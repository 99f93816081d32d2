/** Words of `tippetop optimise`: regions and mirrors of a design, and its densities as a picture shows them. */
import { ModelError } from '../../errors.js';
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import type { Circle } from '../../flexible-bodies/topology/regions.js';
import * as format from '../text/format.js';

/** As they were typed */
export interface OptimiseOptions {
  readonly material: string;
  readonly thickness: string;
  readonly size?: string;
  readonly fix: readonly string[];
  readonly load: readonly string[];
  readonly gravity?: string;
  readonly spin?: string;
  readonly volume: string;
  readonly radius?: string;
  readonly method: string;
  readonly iterations: string;
  readonly unit?: string;
  readonly join?: string;
  readonly drawnOn?: string;
  readonly out?: string;
  readonly full: readonly string[];
  readonly empty: readonly string[];
  readonly mirror?: string;
  readonly body: readonly string[];
  readonly samples?: string;
  readonly from?: string;
  readonly stop?: string;
  readonly runs?: string;
  readonly strict?: boolean;
  readonly grey?: boolean;
  readonly set: string[];
}

/** `0.1,0.02,5mm`: a circle */
export function parseCircle(text: string, option: string): Circle {
  const parts = text.split(',');
  if (parts.length !== 3)
    throw new ModelError(option, `expected a circle x,y,radius such as "20mm,0mm,5mm", got "${text}"`);
  const [x, y, radius] = parts.map((part) =>
    /^-?0*(\.0*)?$/.test(part.trim())
      ? 0
      : part.trim().startsWith('-')
        ? -format.parseLength(part.trim().slice(1), option)
        : format.parseLength(part.trim(), option),
  );
  if (!(radius > 0)) throw new ModelError(option, `expected a radius > 0, got "${text}"`);
  return { at: [x, y], radius };
}

/** `0.4` or `40%`: a part of the volume */
export function parseVolume(text: string): number {
  const found = /^\s*(\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(%)?\s*$/.exec(text);
  const volume = found ? Number(found[1]) / (found[2] ? 100 : 1) : Number.NaN;
  if (!(volume > 0 && volume <= 1))
    throw new ModelError('--volume', `expected a part of the volume such as 0.4 or 40%, got "${text}"`);
  return volume;
}

/** As the words of the command line have it, what the library calls otherwise */
export async function asTyped(make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const name = /^(?:topology\.)?(volume|radius|method|full|empty|mirror|samples|from|size)$/.exec(error.path)?.[1];
    throw name ? new ModelError(`--${name}`, error.message.slice(error.path.length + 2)) : error;
  }
}

/** `y=0`: a line about which the design is the same */
export function parseMirror(text: string): { axis: 'x' | 'y'; at: number } {
  const found = /^\s*([xy])\s*=\s*(-?[\d.eE+-]+)\s*(mm|m)?\s*$/.exec(text);
  const at = found ? Number(found[2]) * (found[3] === 'mm' ? 1e-3 : 1) : Number.NaN;
  if (!found || !Number.isFinite(at))
    throw new ModelError('--mirror', `expected a line such as "y=0" or "x=20mm", got "${text}"`);
  return { axis: found[1] as 'x' | 'y', at };
}

/** Mean of the elements around each node */
export function nodeDensities(mesh: PlaneMesh, densities: Float64Array): Float64Array {
  const sum = new Float64Array(mesh.nodeCount);
  const count = new Float64Array(mesh.nodeCount);
  const { elements, nodesPerElement: n } = mesh;
  for (let k = 0; k < elements.length; k++) {
    sum[elements[k]] += densities[Math.floor(k / n)];
    count[elements[k]]++;
  }
  return sum.map((total, i) => total / count[i]);
}
