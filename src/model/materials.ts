/** Materials: what a body is made of. Density gives its mass; the rest is for contact. */
import { z } from 'zod';
import { positive, real } from './schema.js';

export const materialSchema = z
  .strictObject({
    name: z.string().optional(),
    density: positive('a density', 'kg/m³'),
    youngsModulus: positive("Young's modulus", 'Pa').optional(),
    poissonRatio: real("Poisson's ratio", '')
      .gt(-1, { error: "expected Poisson's ratio > −1" })
      .lt(0.5, { error: "expected Poisson's ratio < 0.5; for rubber-like material take 0.49" })
      .optional(),
  })
  .readonly();
export type Material = z.output<typeof materialSchema>;

// Room-temperature handbook values (CRC Handbook of Chemistry and Physics; ASM Metals Handbook; MatWeb for the polymers).
export const steel: Material = { name: 'steel', density: 7850, youngsModulus: 210e9, poissonRatio: 0.3 };
export const aluminium: Material = { name: 'aluminium', density: 2700, youngsModulus: 70e9, poissonRatio: 0.33 };
export const brass: Material = { name: 'brass', density: 8500, youngsModulus: 100e9, poissonRatio: 0.34 };
export const titanium: Material = { name: 'titanium', density: 4500, youngsModulus: 110e9, poissonRatio: 0.34 };
export const glass: Material = { name: 'glass', density: 2500, youngsModulus: 70e9, poissonRatio: 0.22 };
export const ruby: Material = { name: 'ruby', density: 3980, youngsModulus: 400e9, poissonRatio: 0.27 };
export const oak: Material = { name: 'oak', density: 700, youngsModulus: 11e9, poissonRatio: 0.35 };
export const rubber: Material = { name: 'rubber', density: 1100, youngsModulus: 5e6, poissonRatio: 0.49 };
export const phenolic: Material = { name: 'phenolic', density: 1750, youngsModulus: 5e9, poissonRatio: 0.35 };
