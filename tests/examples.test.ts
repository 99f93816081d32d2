/** Every example builds, and its figures are those of its expected.json, which says where each comes from. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { meshMassProperties } from '../src/geometry/mass-properties.js';
import type { Solid } from '../src/geometry/solid.js';
import { validateMesh } from '../src/geometry/validation.js';

interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly relativeTolerance: number;
  readonly reason: string;
}
interface ExpectedSolid {
  readonly volume?: Figure;
  readonly area?: Figure;
  /** ∫(x² + y²) dV about the centroid, m⁵ */
  readonly inertiaZPerDensity?: Figure;
  readonly closed: boolean;
  readonly shells: number;
}

const examples = fileURLToPath(new URL('../examples/', import.meta.url));
const read = <Content>(path: string): Content => JSON.parse(readFileSync(examples + path, 'utf8')) as Content;

describe.each(readdirSync(examples).filter((name) => existsSync(`${examples}${name}/expected.json`)))('%s', (name) => {
  const { solids } = read<{ solids?: Record<string, ExpectedSolid> }>(`${name}/expected.json`);

  test('has a README that names it, shows it and says how to run it', () => {
    const text = readFileSync(`${examples}${name}/README.md`, 'utf8');
    expect(text).toMatch(new RegExp(`tippetop (build|run) (examples/)?${name}`));
    expect(text).toMatch(/!\[[^\]]+\]\([\w-]+\.png\)/);
  });

  if (solids)
    test('its solids have the expected figures', async () => {
      const { default: build } = (await import(/* @vite-ignore */ `${examples}${name}/${name}.model.ts`)) as {
        default: () => Record<string, Solid>;
      };
      const built = build();
      expect(Object.keys(built)).toEqual(Object.keys(solids));
      for (const [part, expected] of Object.entries(solids)) {
        const { mesh } = built[part];
        const report = validateMesh(mesh);
        expect(report.ok).toBe(expected.closed);
        expect(report.shells.count).toBe(expected.shells);
        const { volume, area, inertia } = meshMassProperties(mesh, 1);
        const measured = { volume, area, inertiaZPerDensity: inertia[8] };
        for (const key of ['volume', 'area', 'inertiaZPerDensity'] as const) {
          const figure = expected[key];
          if (!figure) continue;
          expect(figure.reason.length).toBeGreaterThan(20);
          expect(Math.abs(measured[key] / figure.value - 1), `${part}.${key}: ${figure.reason}`).toBeLessThan(
            figure.relativeTolerance,
          );
        }
      }
    });
});
