// PLY: all forms and property orders, round trips bit by bit, refusals that name place and defect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.js';
import { writePly } from '../../src/geometry/files/ply-write.js';
import {
  anyMesh,
  anyName,
  expectBits,
  finiteDouble,
  fixture,
  isClosed,
  moderateDouble,
  part,
  ply,
  tetrahedron,
  textOf,
  utf8,
  volume,
} from '../mesh-file-samples.js';

describe('PLY', () => {
  // A square pyramid with a quadrilateral base, written in every form by the function below.
  const corner = [
    [0, 0, 0],
    [2, 0, 0],
    [2, 2, 0],
    [0, 2, 0],
    [1, 1, 3],
  ];
  const faces = [
    [3, 2, 1, 0],
    [0, 1, 4],
    [1, 2, 4],
    [2, 3, 4],
    [3, 0, 4],
  ];
  const types = {
    char: 1,
    uchar: 1,
    short: 2,
    ushort: 2,
    int: 4,
    uint: 4,
    float: 4,
    double: 8,
    int8: 1,
    uint8: 1,
  } as const;

  /** Header, then values with their types. */
  function file(form: string, header: string[], values: [keyof typeof types, number][]): Uint8Array {
    const head = ['ply', `format ${form} 1.0`, ...header, 'end_header', ''].join('\n');
    if (form === 'ascii') return utf8(head); // rows are in the header then
    const bytes = new Uint8Array(head.length + values.reduce((n, [type]) => n + types[type], 0));
    bytes.set(utf8(head));
    const view = new DataView(bytes.buffer);
    const little = form === 'binary_little_endian';
    let at = head.length;
    for (const [type, value] of values) {
      if (type === 'float') view.setFloat32(at, value, little);
      else if (type === 'double') view.setFloat64(at, value, little);
      else if (types[type] === 4) view.setInt32(at, value, little);
      else if (types[type] === 2) view.setInt16(at, value, little);
      else view.setInt8(at, value);
      at += types[type];
    }
    return bytes;
  }

  const header = [
    'comment a pyramid',
    'element vertex 5',
    'property uchar flags',
    'property double z',
    'property list uchar short neighbours',
    'property short x',
    'property float y',
    'element edge 2',
    'property int vertex1',
    'property list ushort double weights',
    'element face 5',
    'property float quality',
    'property list int8 uint vertex_index',
  ];
  const values: [keyof typeof types, number][] = [
    ...corner.flatMap(([x, y, z]): [keyof typeof types, number][] => [
      ['uchar', 7],
      ['double', z],
      ['uchar', 2],
      ['short', 1],
      ['short', 2],
      ['short', x],
      ['float', y],
    ]),
    ...[0, 3].flatMap((n): [keyof typeof types, number][] => [
      ['int', 5],
      ['ushort', n],
      ...Array.from({ length: n }, (): [keyof typeof types, number] => ['double', 0.5]),
    ]),
    ...faces.flatMap((face): [keyof typeof types, number][] => [
      ['float', Number.NaN],
      ['int8', face.length],
      ...face.map((index): [keyof typeof types, number] => ['uint', index]),
    ]),
  ];
  const asText = [
    ...header,
    'end_header',
    ...corner.map(([x, y, z]) => `7 ${z} 2 1 2 ${x} ${y}`),
    '5 0',
    '',
    '5 3 .5 .5 .5',
    ...faces.map((face) => `nan ${face.length} ${face.join(' ')}`),
  ].join('\n');

  test.each<[string, Uint8Array]>([
    ['ascii', utf8(`ply\nformat ascii 1.0\n${asText}`)],
    ['ascii with CR LF', utf8(`ply\nformat ascii 1.0\n${asText}\n`.replaceAll('\n', '\r\n'))],
    ['little endian', file('binary_little_endian', header, values)],
    ['big endian', file('binary_big_endian', header, values)],
  ])('any properties in any order: %s', (_, bytes) => {
    const { parts, notes } = ply(bytes);
    expect(notes).toEqual(['skipped 2 elements "edge"']);
    const [{ mesh, name }] = parts;
    expect(name).toBe('a');
    expect([...mesh.vertices]).toEqual(corner.flat());
    expect(isClosed(mesh)).toBe(true);
    expect(volume(mesh)).toBe(4);
  });

  test('a header with CR alone before binary values that start with the byte of LF', () => {
    const text =
      'ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty uchar x\rproperty uchar y\rproperty uchar z\relement face 1\rproperty list uchar uchar vertex_indices\rend_header\r';
    const bytes = new Uint8Array([...utf8(text), 10, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2]);
    expect([...ply(bytes).parts[0].mesh.vertices]).toEqual([10, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  test('colours and quality: as MeshLab writes them', () => {
    const { parts, notes } = ply(fixture('meshlab-style.ply'));
    expect(notes).toEqual([]);
    expect(parts[0].colour).toEqual([128 / 255, 64 / 255, 32 / 255, 1]);
    expect(volume(parts[0].mesh)).toBeCloseTo(4 / 3, 12); // octahedron of half-diagonal 1
    const varied = textOf(fixture('meshlab-style.ply')).replace('128 64 32', '129 64 32');
    expect(ply(varied).parts[0].colour).toBeUndefined();
    expect(ply(varied).notes).toEqual([]);
  });

  test('strips of triangles keep their winding; -1 starts anew', () => {
    const text = `ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z
element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0
12 0 1 2 3 4 5 -1 1 3 0 0 2\n`;
    const [{ mesh }] = ply(text).parts;
    const triangles = Array.from({ length: mesh.triangles.length / 3 }, (_, t) => [
      ...mesh.triangles.slice(3 * t, 3 * t + 3),
    ]);
    expect(triangles).toEqual([
      [0, 1, 2],
      [2, 1, 3],
      [2, 3, 4],
      [4, 3, 5],
      [1, 3, 0],
    ]);
  });

  test('points without faces, vertices without use', () => {
    const points =
      'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n';
    expect(ply(points)).toMatchObject({ parts: [], notes: ['holds 1 points and no faces'] });
    const unused = textOf(writePly([part('a')], { ascii: true }))
      .replace('vertex 4', 'vertex 5')
      .replace('\n0 0 0\n', '\n7 7 7\n0 0 0\n');
    expect(
      ply(unused.replaceAll(/^3 (\d) (\d) (\d)$/gm, (_, a, b, c) => `3 ${+a + 1} ${+b + 1} ${+c + 1}`)),
    ).toMatchObject({
      parts: [{ mesh: tetrahedron }],
      notes: ['left out 1 vertices that no face uses'],
    });
  });

  test('round trip: doubles bit by bit, name, colour, unit', () => {
    const colour = [0.2, 0.4, 0.6, 0.8] as const; // multiples of 1/255
    fc.assert(
      fc.property(anyMesh(finiteDouble), anyName, fc.boolean(), (mesh, name, ascii) => {
        const document = ply(writePly([{ name, mesh, colour }], { ascii }));
        expect(document).toMatchObject({ unit: 'm', unitFrom: 'file', notes: [] });
        expectBits(document.parts[0].mesh, mesh);
        expect(document.parts[0].name).toBe(name);
        expect(document.parts[0].colour).toEqual(colour);
      }),
      { seed: 5, numRuns: 200 },
    );
    fc.assert(
      fc.property(anyMesh(moderateDouble), fc.constantFrom('mm', 'um', 'km'), (mesh, unit) =>
        expectBits(ply(writePly([{ name: 'a', mesh }], { ascii: true, unit })).parts[0].mesh, mesh),
      ),
      { seed: 6, numRuns: 100 },
    );
    // In binary the division and the product with the unit round once each.
    const [{ mesh }] = ply(writePly([{ name: 'a', mesh: tetrahedron }], { unit: 'mm' })).parts;
    mesh.vertices.forEach((x, i) => {
      expect(Math.abs(x - tetrahedron.vertices[i])).toBeLessThanOrEqual(2 ** -52);
    });
  });

  const small = textOf(writePly([part('a')], { ascii: true }));
  const binary = writePly([part('a')]);
  const binaryHead = textOf(binary).indexOf('end_header\n') + 11;
  test.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'a.ply: expected a PLY file, got an empty file (0 bytes)'],
    ['text', 'polygon', 'a.ply, byte 0: is not a PLY file: expected "ply" alone in line 1, got "polygon"'],
    ['STL', 'solid a\nfacet normal 0 0 1', 'a.ply, byte 0: is an ASCII STL file, not a PLY file'],
    [
      'form',
      small.replace('ascii', 'binary'),
      'a.ply, line 2: expected ascii, binary_little_endian or binary_big_endian, got "binary"',
    ],
    ['no form', small.replace('format ascii 1.0\n', ''), 'expected a "format" line before the end of the header'],
    ['type', small.replace('double x', 'dubble x'), 'got "dubble"; did you mean "double"?'],
    [
      'count',
      small.replace('vertex 4', 'vertex four'),
      'a.ply, line 5: expected the number of elements "vertex", a whole number, got "four"',
    ],
    [
      'negative count',
      small.replace('vertex 4', 'vertex -4'),
      'expected the number of elements "vertex", 0 or more, got -4',
    ],
    [
      '4e9',
      small.replace('vertex 4', 'vertex 4000000000'),
      'expected 4000000000 elements "vertex" of 6 characters or more, got 57 up to the end of the file',
    ],
    [
      '4e9 lists',
      small.replace('face 4', 'face 4000000000'),
      'expected 4000000000 elements "face" of 2 characters or more',
    ],
    [
      'no x',
      small.replace('double x', 'double u'),
      'a.ply, header: expected one property "x" of element "vertex", got "u", "y", "z"',
    ],
    [
      'no indices',
      small.replace('vertex_indices', 'corners'),
      'a.ply, header: expected a list "vertex_indices" in element "face", got "corners"',
    ],
    [
      'cut header',
      small.slice(0, small.indexOf('element face')),
      'expected "end_header", got the end of the file: it is cut short',
    ],
    ['cut rows', small.slice(0, -16), 'a.ply, line 17: expected 4 elements "face", got 2: the file is cut short'],
    ['NaN', small.replace('\n0 0 1\n', '\n0 0 nan\n'), 'a.ply, line 15: expected z, a finite coordinate, got "nan"'],
    [
      'missing',
      small.replace('\n0 0 1\n', '\n0 0\n'),
      'a.ply, line 15: expected z, a finite coordinate, got the end of the line',
    ],
    ['index', small.replace('3 0 3 2', '3 0 4 2'), 'a.ply, line 19: expected vertex indices from 0 to 3, got 4'],
    ['fraction', small.replace('3 0 3 2', '3 0 0.5 2'), 'expected vertex indices from 0 to 3, got 0.5'],
    [
      'negative list',
      small.replace('3 0 3 2', '-3 0 3 2'),
      'expected the length of list "vertex_indices", a whole number of 0 or more, got -3',
    ],
    [
      'cut vertices',
      binary.slice(0, binaryHead + 90),
      `a.ply, byte ${binaryHead}: expected 4 elements "vertex" of 24 bytes or more, got 90 bytes up to the end of the file`,
    ],
    [
      'cut face',
      binary.slice(0, -2),
      `a.ply, face 3 (byte ${binary.length - 4}): expected 4 bytes of a vertex index, got 2 up to the end of the file: it is cut short`,
    ],
  ])('refuses: %s', (_, content, message) => {
    expect(() => ply(content)).toThrow(FileError);
    expect(() => ply(content)).toThrow(message);
  });

  test('refuses: binary coordinates and lists', () => {
    const bytes = binary.slice();
    const view = new DataView(bytes.buffer);
    view.setFloat64(binaryHead + 24 + 8, Infinity, true);
    expect(() => ply(bytes)).toThrow(
      `a.ply, vertex 1 (byte ${binaryHead + 40}): expected y, a finite coordinate, got Infinity`,
    );
    view.setFloat64(binaryHead + 24 + 8, 1e307, true);
    expect(() => ply(bytes, { unit: 'km' })).toThrow('expected y, a finite coordinate, got 1e+307');
    const list = 'ply\nformat binary_little_endian 1.0\nelement extra 1\nproperty list uint double v\nend_header\n';
    expect(() => ply(new Uint8Array([...utf8(list), 255, 255, 255, 255, 0]))).toThrow(
      'expected 34359738360 bytes of v, got 1',
    );
  });
});
