import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rock } from '../assets/rock.js';
import { keepAsset, verifyAsset } from './asset-files.js';

const folder = mkdtempSync(join(tmpdir(), 'tippetop-assets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an asset is made once, whole, by however many at a time', async () => {
  const asset = rock({ subdivision: 2, seed: 8 });
  const parts = () => [{ name: asset.name, mesh: asset.solid.mesh }];
  const all = await Promise.all(Array.from({ length: 8 }, () => keepAsset(folder, asset, parts)));
  const [{ obj, json }] = all;
  expect(readdirSync(folder).sort()).toEqual([`${asset.name}.json`, `${asset.name}.obj`]);
  expect(await verifyAsset(json)).toBe(true);
  const before = statSync(obj).mtimeMs;
  const again = await keepAsset(folder, asset, () => {
    throw new Error('not asked for');
  });
  expect(again.made).toBe(false);
  expect(statSync(obj).mtimeMs).toBe(before);
  writeFileSync(obj, readFileSync(obj, 'utf8').replace('v ', 'v 1'));
  expect(await verifyAsset(json)).toBe(false);
});
