import { expect, test } from 'vitest';
import { meshMassProperties } from '../../geometry/mass-properties.js';
import { validateMesh } from '../../geometry/validation.js';
import { normalize } from '../../math/vec3.js';
import { sphereFacets } from './sphere-facets.js';

test('closed, outward, all corners on the sphere, whatever the reach', () => {
  for (const reach of [1e-9, 1e-5, 3e-3, 0.02, 0.5]) {
    const mesh = sphereFacets([1, -2, 3], 0.02, normalize([1, 2, -1]), reach);
    expect(validateMesh(mesh).closed).toBe(true);
    const { volume, centroid } = meshMassProperties(mesh);
    // inscribed: 20° facets at the back are 4 % short
    expect(volume / ((4 / 3) * Math.PI * 0.02 ** 3)).toBeGreaterThan(0.95);
    expect(volume / ((4 / 3) * Math.PI * 0.02 ** 3)).toBeLessThan(1);
    expect(centroid[0]).toBeCloseTo(1, 3);
    for (let i = 0; i < mesh.vertices.length; i += 3)
      expect(Math.hypot(mesh.vertices[i] - 1, mesh.vertices[i + 1] + 2, mesh.vertices[i + 2] - 3)).toBeCloseTo(
        0.02,
        12,
      );
  }
});
