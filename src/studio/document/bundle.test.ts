import { expect, test } from 'vitest';
import { zip } from '../../geometry/zip.js';
import { MemoryAssets } from './assets.js';
import { documentOfZip, zipOf } from './bundle.js';
import { emptyDocument } from './document.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const withFile = async () => {
  const assets = new MemoryAssets();
  const asset = await assets.put('part.stl', bytesOf('solid part\nendsolid part\n'));
  return { assets, document: { ...emptyDocument('With a part'), assets: { 'part.stl': asset } } };
};

test('a document goes through a zip file with its files', async () => {
  const { assets, document } = await withFile();
  const there = new MemoryAssets();
  expect(await documentOfZip(await zipOf(document, assets), 'a.zip', there)).toEqual(document);
  expect(await there.get(document.assets['part.stl'].hash)).toEqual(bytesOf('solid part\nendsolid part\n'));
});

test('a file that was exchanged, one that misses, and what is no zip are refused by name', async () => {
  const { document } = await withFile();
  const text = bytesOf(JSON.stringify(document));
  const read = (files: Record<string, Uint8Array>) => documentOfZip(zip(files), 'a.zip', new MemoryAssets());
  await expect(read({ 'document.json': text, 'part.stl': bytesOf('other') })).rejects.toThrow('another file');
  await expect(read({ 'document.json': text })).rejects.toThrow('a.zip.assets.part.stl: is not in the zip file');
  await expect(read({ 'x.txt': text })).rejects.toThrow('expected a document.json');
  await expect(documentOfZip(bytesOf('no zip'), 'a.zip', new MemoryAssets())).rejects.toThrow('damaged');
});
