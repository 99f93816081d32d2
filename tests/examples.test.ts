/** Every example builds, and its figures are those of its expected.json, which says where each comes from. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checksOf, exampleChecks } from '../src/cli/verify/examples.js';
import { runCheck } from '../src/cli/verify/verify.js';
import { meshMassProperties } from '../src/geometry/mass-properties.js';
import type { Solid } from '../src/geometry/solid.js';
import { validateMesh } from '../src/geometry/validation.js';
import type { ModelFunction } from '../src/model/parameters.js';

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
/** Under test the model files are compiled by vite, not by the command line's loader. */
const load = async (file: string, name = 'default'): Promise<ModelFunction> =>
  ((await import(/* @vite-ignore */ file)) as Record<string, ModelFunction>)[name];
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

  // Long runs are left to `tippetop verify --all`.
  const checks = checksOf(name, load).filter(({ long }) => !long);
  if (checks.length > 0)
    test('a run gives the expected figures', async () => {
      const failed: string[] = [];
      for (const check of checks) {
        expect(check.limit).toBeGreaterThan(0);
        expect(check.source).toMatch(/\S/);
        const { pass, value, reference, error, failure } = await runCheck(check);
        if (!pass)
          failed.push(
            `${check.id}, ${check.title}: ${failure ?? `${value}, expected ${reference} within ${check.limit}, off by ${error}`}`,
          );
      }
      expect(failed).toEqual([]);
    });
});

test('every claim has an id of its own, and the published benchmarks those of their sources', () => {
  const ids = exampleChecks(load).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ['A01', 'A02', 'ANDREWS', 'BRICARD', 'GOVERNOR', 'A02-n10', 'A01-energy']) expect(ids).toContain(id);
});
