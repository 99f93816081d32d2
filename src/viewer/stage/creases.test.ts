import { describe, expect, test } from 'vitest';
import { box, cylinder, sphere } from '../../geometry/primitives.js';
import { triangleMesh } from '../../geometry/triangle-mesh.js';
import { creasedMesh } from './creases.js';

describe('creases', () => {
  test('a box has three normals at each corner, and its 12 edges as lines', () => {
    const { mesh } = box([1, 2, 3]);
    const { source, normals, triangles, lines } = creasedMesh(mesh);
    expect(source.length).toBe(24);
    expect(lines.length).toBe(2 * 12);
    expect(triangles.length).toBe(mesh.triangles.length);
    for (let i = 0; i < normals.length; i += 3)
      expect([...normals.slice(i, i + 3)].map(Math.abs).sort()).toEqual([0, 0, 1]);
    // Drawn triangles are those of the mesh
    triangles.forEach((drawn, corner) => {
      expect(source[drawn]).toBe(mesh.triangles[corner]);
    });
  });

  test('a sphere is smooth: one normal at each vertex, along the radius', () => {
    const { mesh } = sphere(2);
    const { source, normals, lines } = creasedMesh(mesh);
    expect(lines.length).toBe(0);
    expect(source.length).toBe(mesh.vertices.length / 3);
    let worst = 0;
    for (let i = 0; i < source.length; i++)
      for (let k = 0; k < 3; k++)
        worst = Math.max(worst, Math.abs(normals[3 * i + k] - mesh.vertices[3 * source[i] + k] / 2));
    // Weighting by angle is exact only in the limit of small facets; these turn by some 5 degrees
    expect(worst).toBeLessThan(0.01);
  });

  test('a cylinder is round outside, with a ring of lines at both ends', () => {
    const { mesh } = cylinder({ radius: 1, height: 2, segments: 48 });
    const { source, normals, lines } = creasedMesh(mesh);
    expect(lines.length).toBe(2 * 2 * 48);
    for (let i = 0; i < source.length; i++) {
      const [x, y, z] = normals.slice(3 * i, 3 * i + 3);
      const p = mesh.vertices.subarray(3 * source[i], 3 * source[i] + 3);
      // either an end, or radial: the 48-gon's vertex normals are, by symmetry
      if (Math.abs(z) > 0.5) expect(Math.abs(z)).toBeCloseTo(1, 6);
      else expect(x * p[0] + y * p[1]).toBeCloseTo(1, 4);
    }
  });

  test('vertices at the same place count as one; an open sheet has its rim as lines', () => {
    // Two triangles of a square, each with vertices of its own, as in an STL file
    const soup = triangleMesh(
      [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0],
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    );
    const { lines, normals } = creasedMesh(soup);
    expect(lines.length).toBe(2 * 4); // not the diagonal
    for (let i = 2; i < normals.length; i += 3) expect(normals[i]).toBe(1);
  });

  test('a fan of very many triangles keeps its faces and stays quick', () => {
    const { mesh } = cylinder({ radius: 1, height: 1, segments: 3000 });
    const start = performance.now();
    expect(creasedMesh(mesh).lines.length).toBe(2 * 2 * 3000);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
