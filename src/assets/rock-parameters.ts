/** Parameters of generated rocks. Lengths in m. */
import { choice, type Filled, type Given, number, whole } from './parameters.js';

export const ROCK_RULES = {
  length: number(0.3, 1e-3, 100, 'm', 'mean dimension along x'),
  width: number(0.24, 1e-3, 100, 'm', 'mean dimension along y'),
  height: number(0.18, 1e-3, 100, 'm', 'mean dimension along z'),
  form: number(0.2, 0, 0.5, '', 'roughness of the form'),
  surface: number(0.05, 0, 0.2, '', 'roughness of the surface'),
  facets: whole(0, 0, 12, 'flat faces it is broken along'),
  match: choice(['box', 'volume'], 'what meets the mean dimensions: its box, or the volume of their ellipsoid'),
  density: number(2700, 100, 20000, 'kg/m³', 'of the rock'),
  subdivision: whole(4, 2, 6, 'fineness: 10·4ⁿ + 2 vertices'),
  seed: whole(0, 0, 2147483000, 'another seed, another rock of the same kind'),
} as const;
export type RockOptions = Given<typeof ROCK_RULES>;
export type RockParameters = Filled<typeof ROCK_RULES>;
