/** What grains are coloured by. */
import type { Colour } from '../geometry/solid.js';
import { type Rgb, scaleColour, toLinear } from '../results/scene/colour-scale.js';
import type { GrainFrame } from '../results/scene/grain-frames.js';
import type { SceneGrains } from '../results/scene.js';

export const GRAIN_QUANTITIES = ['species', 'speed', 'force', 'stress', 'size', 'id'] as const;
export type GrainQuantity = (typeof GRAIN_QUANTITIES)[number];

export const GRAIN_UNITS: Readonly<Record<GrainQuantity, string>> = {
  species: '',
  speed: 'm/s',
  force: 'N',
  stress: 'Pa',
  size: 'm',
  id: '',
};

/** For species without a colour of their own, in turn; told apart by lightness as well */
const PALETTE: readonly Colour[] = [
  [0.86, 0.72, 0.38, 1],
  [0.35, 0.5, 0.68, 1],
  [0.72, 0.38, 0.3, 1],
  [0.55, 0.7, 0.5, 1],
];

export const speciesColours = ({ species }: SceneGrains): Rgb[] =>
  species.map(({ colour }, i) => {
    const [r, g, b] = colour ?? PALETTE[i % PALETTE.length];
    return [r, g, b];
  });

export function valuesOf(frame: GrainFrame, quantity: GrainQuantity): Float64Array | undefined {
  if (quantity === 'speed') return frame.speed;
  if (quantity === 'force') return frame.force;
  if (quantity === 'stress')
    // ⅓ tr σ of a ball under normal forces N: Σ N r/(3V) = Σ N/(4πr²)
    return frame.force.map((force, i) => force / (4 * Math.PI * frame.radii[i] * frame.radii[i]));
  // Neighbours in number get colours far apart: multiples of the golden section
  if (quantity === 'id') return frame.ids.map((id) => (0.6180339887498949 * id) % 1);
  return quantity === 'size' ? frame.radii : undefined;
}

const TABLE = Array.from({ length: 64 }, (_, i) => scaleColour(i / 63));

/** Which of the 64 colours of the scale a value has */
const levelOf = (value: number, low: number, high: number): number =>
  high > low ? Math.max(0, Math.min(63, Math.round((63 * (value - low)) / (high - low)))) : 0;

export const scaled = (value: number, low: number, high: number): Rgb => TABLE[levelOf(value, low, high)];

/** Red, green and blue as light, 3 per colour */
const asLight = (colours: readonly Rgb[]): Float32Array => Float32Array.from(colours.flat(), toLinear);

/** Colours of grains as light, and which of them each grain has */
export interface Tints {
  readonly light: Float32Array;
  of(grain: number): number;
}

const LEVELS = asLight(TABLE);

export const tintsByValue = (values: Float64Array, low: number, high: number): Tints => ({
  light: LEVELS,
  of: (grain) => levelOf(values[grain], low, high),
});

export const tintsBySpecies = (grains: SceneGrains): ((species: Int32Array) => Tints) => {
  const light = asLight(speciesColours(grains));
  return (species) => ({ light, of: (grain) => species[grain] });
};
