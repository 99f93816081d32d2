import { describe, expect, test } from 'vitest';
import { colourTriangles, colourVertices } from './colours.js';
import { readObj } from './files/obj-read.js';
import { readPly } from './files/ply-read.js';
import { box } from './primitives.js';
import { translate } from './transform.js';

describe('colours on a solid', () => {
  test('one for each triangle, by number and centre', () => {
    const cube = colourTriangles(box([2, 2, 2]), (i, [, , z]) => (z > 0.9 ? [1, 0, 0] : [0, 0, i / 12]));
    const { mesh, triangleColours } = cube;
    for (let i = 0; i < 12; i++) {
      const top = [0, 1, 2].every((k) => mesh.vertices[3 * mesh.triangles[3 * i + k] + 2] === 1);
      expect([...triangleColours!.subarray(3 * i, 3 * i + 3)]).toEqual(
        top ? [255, 0, 0] : [0, 0, Math.round((255 * i) / 12)],
      );
    }
    expect(translate([1, 0, 0], cube).triangleColours).toBe(triangleColours);
  });

  test('one for each vertex; the last way of colouring counts', () => {
    const cube = colourVertices(
      colourTriangles(box([2, 2, 2]), () => [0, 0, 0]),
      ([x]) => [x > 0 ? 1 : 0, 0.5, 0],
    );
    expect(cube.triangleColours).toBeUndefined();
    cube.mesh.vertices.forEach((x, i) => {
      if (i % 3 === 0) expect([...cube.vertexColours!.subarray(i, i + 3)]).toEqual([x > 0 ? 255 : 0, 128, 0]);
    });
  });

  test('what is no colour is refused', () => {
    expect(() => colourVertices(box([1, 1, 1]), () => [2, 0, 0])).toThrow(
      'colourVertices.colour(0): expected red, green and blue from 0 to 1, got [2,0,0]',
    );
    expect(() => colourTriangles(box([1, 1, 1]), () => [0, Number.NaN, 0])).toThrow('colourTriangles.colour(0)');
  });
});

const text = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`);

describe('colours from files', () => {
  const rgb = ['property uchar red', 'property uchar green', 'property uchar blue'];
  const head = (vertex: readonly string[], face: readonly string[]) => [
    ...['ply', 'format ascii 1.0', 'element vertex 5', 'property float x', 'property float y', 'property float z'],
    ...[...vertex, 'element face 2', 'property list uchar int vertex_indices', ...face, 'end_header'],
  ];

  test('PLY: of vertices, those that no face uses left out', () => {
    const { parts, notes } = readPly(
      text([
        ...head(rgb, []),
        ...['0 0 0 9 9 9', '0 0 0 255 0 0', '1 0 0 0 255 0', '1 1 0 0 0 255', '0 1 0 10 20 30'],
        ...['3 1 2 3', '3 1 3 4'],
      ]),
      { fileName: 'a.ply' },
    );
    expect([...parts[0].vertexColours!]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30]);
    expect(parts[0].colour).toBeUndefined();
    expect(notes.join()).not.toContain('colour');
  });

  test('PLY: of faces, each triangle of a polygon has that of its face', () => {
    const { parts } = readPly(
      text([
        ...head([], rgb),
        ...['0 0 0', '1 0 0', '1 1 0', '0 1 0', '2 2 0'],
        ...['4 0 1 2 3 255 0 0', '3 1 4 2 0 0 255'],
      ]),
      { fileName: 'a.ply' },
    );
    expect([...parts[0].triangleColours!]).toEqual([255, 0, 0, 255, 0, 0, 0, 0, 255]);
  });

  test('OBJ: of vertices', () => {
    const { parts } = readObj(text(['v 0 0 0 1 0 0', 'v 1 0 0 0 1 0', 'v 0 1 0 0 0 1', 'v 9 9 9 1 1 1', 'f 1 2 3']), {
      fileName: 'a.obj',
    });
    expect([...parts[0].vertexColours!]).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255]);
  });
});
