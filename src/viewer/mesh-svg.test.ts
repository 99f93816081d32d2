import { expect, test } from 'vitest';
import { meshProfile } from '../flexible-bodies/mesh/mesh-profile.js';
import { circle } from '../geometry/circle-outline.js';
import { meshSvg } from './mesh-svg.js';

// The picture of a mesh of more than 3000 elements was an even grey
test('a mesh alone has its lines, however fine, and the numbers that options name', () => {
  const outer = [[0, 0], [1, 0], [1, 1], [0, 1]] as const; // biome-ignore format: one line
  const mesh = meshProfile({ outer, holes: [circle(0.1, [0.5, 0.5])] }, { size: 0.025 });
  expect(mesh.elementCount).toBeGreaterThan(3000);
  const svg = meshSvg(mesh, { title: 'plate', numbers: true });
  expect(svg).toContain('fill="none" stroke="#223"');
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle"[^>]*>([^<]+)</g)];
  expect(texts.map((found) => found[3])).toEqual(['1', '2', '3', '4', '5', 'hole 1']);
  const [x, y] = [Number(texts[5][1]), Number(texts[5][2])];
  expect([Math.abs(x - (30 + 350)) < 12, Math.abs(y - (54 + 350)) < 12]).toEqual([true, true]);
  const densities = Float64Array.from({ length: mesh.nodeCount }, (_, i) => (i === 0 ? 4.7e-214 : 1));
  expect(meshSvg(mesh, { title: 'design', values: densities })).toContain('>0</text>');
  expect(meshSvg(mesh, { title: 'stress', values: new Float64Array(mesh.nodeCount) })).not.toContain('fill="none"');
});
