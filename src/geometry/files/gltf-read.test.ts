import { describe, expect, test } from 'vitest';
import { FileError } from '../../errors.js';
import { meshMassProperties } from '../mass-properties.js';
import { type GltfReadOptions, readGltf } from './gltf-read.js';

// A tetrahedron with corners at the origin and 1 along x, y, z of glTF; each triangle has its own vertices.
const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [1, 2, 3],
  [0, 3, 2],
];
const SOUP = new Float32Array(FACES.flat().flatMap((corner) => CORNERS[corner]));

const base64 = (array: ArrayBufferView): string =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

type Json = Record<string, unknown>;

/** A .gltf of one buffer, with `changes` over a sound file of one tetrahedron. */
function gltf(changes: Json = {}, content: ArrayBufferView = SOUP): Uint8Array {
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'corner', mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 12, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: content.byteLength }],
    buffers: [{ byteLength: content.byteLength, uri: `data:application/octet-stream;base64,${base64(content)}` }],
    ...changes,
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

const read = (bytes: Uint8Array, options: Partial<GltfReadOptions> = {}) =>
  readGltf(bytes, { fileName: 'part.gltf', ...options });

const refusal = async (bytes: Uint8Array, options: Partial<GltfReadOptions> = {}): Promise<string> => {
  try {
    await read(bytes, options);
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return 'nothing was refused';
};

describe('glTF scenes', () => {
  test('stand upright with us: y of glTF is our z, and triangles of a soup are joined', async () => {
    const { parts, format, unit, unitFrom } = await read(gltf());
    expect({ format, unit, unitFrom }).toEqual({ format: 'gltf', unit: 'm', unitFrom: 'file' });
    const { mesh, name } = parts[0];
    expect(name).toBe('corner');
    expect(mesh.vertices).toEqual(Float64Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0, 0, -1, 0));
    // closed and outside out, or meshMassProperties refuses it
    expect(meshMassProperties(mesh).volume).toBeCloseTo(1 / 6, 15);
  });

  test('are put together by their nodes: chained, mirrored, repeated', async () => {
    const s = Math.sqrt(0.5);
    const { parts } = await read(
      gltf({
        scenes: [{ nodes: [0] }],
        nodes: [
          { name: 'cart', children: [1, 2], translation: [10, 0, 0] },
          { name: 'left', mesh: 0, rotation: [0, 0, s, s], scale: [2, 2, 2] }, // quarter turn about z: x → y
          { name: 'right', mesh: 0, matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1] },
        ],
      }),
    );
    expect(parts.map((part) => part.name)).toEqual(['cart/left', 'cart/right']);
    const [left, right] = parts.map((part) => meshMassProperties(part.mesh));
    expect(left.volume).toBeCloseTo(8 / 6, 12);
    expect(right.volume).toBeCloseTo(1 / 6, 12);
    // Centroid of the corner at (¼, ¼, ¼): left at 10 − ½, ½, ½ in glTF, so (9.5, −½, ½) with us
    for (const [k, x] of left.centroid.entries()) expect(x).toBeCloseTo([9.5, -0.5, 0.5][k], 12);
    for (const [k, x] of right.centroid.entries()) expect(x).toBeCloseTo([9.75, -0.25, 5.25][k], 12);
  });

  test('may be strips and fans, with indices of any width', async () => {
    // A tetrahedron as one strip: 0 2 1 3 0 2 → (0 2 1) (2 3 1) (1 3 0) (3 2 0)
    const positions = new Float32Array(CORNERS.flat());
    const content = new Uint8Array(48 + 8);
    content.set(new Uint8Array(positions.buffer), 0);
    content.set([0, 2, 1, 3, 0, 2], 48);
    const views = {
      bufferViews: [
        { buffer: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 8 },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
        { bufferView: 1, componentType: 5121, count: 6, type: 'SCALAR' },
      ],
    };
    const strip = { meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 5 }] }] };
    const { parts } = await read(gltf({ ...views, ...strip }, content));
    expect(meshMassProperties(parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);

    content.set([3, 0, 1, 2, 0, 0], 48); // fan around 3, and the base as a second primitive
    const fan = {
      ...views,
      accessors: [
        views.accessors[0],
        { bufferView: 1, componentType: 5121, count: 5, type: 'SCALAR' },
        { bufferView: 1, byteOffset: 5, componentType: 5121, count: 3, type: 'SCALAR' },
      ],
      meshes: [
        {
          primitives: [
            { attributes: { POSITION: 0 }, indices: 1, mode: 6 },
            { attributes: { POSITION: 0 }, indices: 2 },
          ],
        },
      ],
    };
    content.set([3, 0, 1, 2, 0, 0, 2, 1], 48);
    const fanned = await read(gltf(fan, content));
    expect(meshMassProperties(fanned.parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);
  });

  test('may be interleaved, sparse, or quantised', async () => {
    const interleaved = new Float32Array(12 * 6);
    for (let i = 0; i < 12; i++) interleaved.set(SOUP.subarray(3 * i, 3 * i + 3), 6 * i);
    const spread = await read(gltf({ bufferViews: [{ buffer: 0, byteLength: 288, byteStride: 24 }] }, interleaved));
    expect(meshMassProperties(spread.parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);

    // sparse: all 12 vertices as they are, but vertex 0 (a corner at the origin) replaced by itself minus 0
    const content = new Uint8Array(144 + 4 + 12);
    content.set(new Uint8Array(SOUP.buffer), 0);
    content[144] = 1; // vertex 1 is (0, 1, 0) …
    new DataView(content.buffer).setFloat32(148 + 4, 2, true); // … and becomes (0, 2, 0)
    const sparse = await read(
      gltf(
        {
          bufferViews: [
            { buffer: 0, byteLength: 144 },
            { buffer: 0, byteOffset: 144, byteLength: 4 },
            { buffer: 0, byteOffset: 148, byteLength: 12 },
          ],
          accessors: [
            {
              ...{ bufferView: 0, componentType: 5126, count: 12, type: 'VEC3' },
              sparse: { count: 1, indices: { bufferView: 1, componentType: 5121 }, values: { bufferView: 2 } },
            },
          ],
        },
        content,
      ),
    );
    expect([...sparse.parts[0].mesh.vertices.subarray(3, 6)]).toEqual([0, 0, 2]);

    const shorts = Int16Array.from(SOUP, (x) => 32767 * x);
    const padded = new Int16Array(48);
    for (let i = 0; i < 12; i++) padded.set(shorts.subarray(3 * i, 3 * i + 3), 4 * i);
    const quantised = await read(
      gltf(
        {
          extensionsRequired: ['KHR_mesh_quantization'],
          accessors: [{ bufferView: 0, componentType: 5122, normalized: true, count: 12, type: 'VEC3' }],
          bufferViews: [{ buffer: 0, byteLength: 96, byteStride: 8 }],
        },
        padded,
      ),
    );
    expect(meshMassProperties(quantised.parts[0].mesh).volume).toBeCloseTo(1 / 6, 15);
  });

  test('have the colour of their material, in sRGB', async () => {
    const material = { pbrMetallicRoughness: { baseColorFactor: [0.2140411, 1, 0, 0.5] } };
    const painted = (more: Json) =>
      gltf({
        materials: [{ ...material, ...more }],
        meshes: [{ name: 'mesh name', primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        nodes: [{ mesh: 0 }],
      });
    const opaque = await read(painted({}));
    // linear 0.2140411 is sRGB 0.5 by IEC 61966-2-1; an opaque material has no use for its alpha
    expect(opaque.parts[0]).toMatchObject({ name: 'mesh name', colour: [0.5, 1, 0, 1] });
    expect((await read(painted({ alphaMode: 'BLEND' }))).parts[0].colour).toEqual([0.5, 1, 0, 0.5]);
    expect((await read(gltf())).parts[0].colour).toBeUndefined();
  });

  test('find their buffers beside them', async () => {
    const beside = gltf({ buffers: [{ byteLength: 144, uri: 'my%20part.bin' }] });
    const bin = new Uint8Array(SOUP.buffer);
    const { parts } = await read(beside, { companion: (name) => (name === 'my part.bin' ? bin : undefined) });
    expect(parts).toHaveLength(1);
    expect(await refusal(beside)).toMatch(/buffers\[0\]: needs the file "my part.bin" beside it/);
    for (const uri of ['../secret.bin', '/etc/passwd', 'http://example.com/a.bin', 'a/..%2f..%2fb.bin'])
      expect(await refusal(gltf({ buffers: [{ byteLength: 144, uri }] }), { companion: () => bin })).toMatch(/refused/);
  });
});

describe('glTF that is refused', () => {
  const accessor = { bufferView: 0, componentType: 5126, count: 12, type: 'VEC3' };
  const poisoned = SOUP.slice();
  poisoned[4] = Number.NaN;
  test.each<[string, Uint8Array, RegExp]>([
    [
      'an accessor beyond its view',
      gltf({ accessors: [{ ...accessor, count: 13 }] }),
      /accessors\[0\]: needs 156 bytes of bufferViews\[0\], which has 144/,
    ],
    ['a count of 4e9', gltf({ accessors: [{ ...accessor, count: 4e9 }] }), /accessors\[0\]: needs/],
    [
      'zeros without end',
      gltf({ accessors: [{ componentType: 5126, count: 4e9, type: 'VEC3' }] }),
      /far more numbers than the file holds/,
    ],
    [
      'a view beyond its buffer',
      gltf({ bufferViews: [{ buffer: 0, byteOffset: 8, byteLength: 144 }] }),
      /bufferViews\[0\]: ends at byte 152 of buffer 0, which has 144/,
    ],
    [
      'a short buffer',
      gltf({ buffers: [{ byteLength: 144, uri: 'data:;base64,AAAA' }] }),
      /buffers\[0\]: expected 144 bytes, got 3/,
    ],
    ['NaN', gltf({}, poisoned), /accessors\[0\], vertex 1: expected a finite coordinate, got NaN/],
    [
      'a wrong type',
      gltf({ accessors: [{ ...accessor, type: 'VEC2' }] }),
      /expected type VEC3 for POSITION, got "VEC2"/,
    ],
    [
      'a node in a ring',
      gltf({ nodes: [{ mesh: 0, children: [1] }, { children: [0] }] }),
      /nodes\[0\]: is used twice in the scene, or contains itself/,
    ],
    ['an index beyond the list', gltf({ nodes: [{ mesh: 7 }] }), /nodes\[0\].mesh: expected an index below 1, got 7/],
    [
      'Draco',
      gltf({ extensionsRequired: ['KHR_draco_mesh_compression'] }),
      /compressed by KHR_draco_mesh_compression, which is not read; export it uncompressed/,
    ],
    ['meshopt', gltf({ extensionsRequired: ['EXT_meshopt_compression'] }), /compressed by EXT_meshopt_compression/],
    [
      'meshopt with a buffer that is not there, as its fallback need not be',
      gltf({ extensionsRequired: ['EXT_meshopt_compression'], buffers: [{ byteLength: SOUP.byteLength }] }),
      /compressed by EXT_meshopt_compression/,
    ],
    ['what it does not know', gltf({ extensionsRequired: ['ACME_wobble'] }), /needs ACME_wobble/],
    ['glTF 1.0', gltf({ asset: { version: '1.0' } }), /asset.version: expected "2.0", got "1.0"/],
    [
      'a flat node',
      gltf({ nodes: [{ mesh: 0, scale: [1, 0, 1] }] }),
      /nodes\[0\]: expected a transform that keeps the part's volume/,
    ],
    ['JSON of the wrong shape', gltf({ nodes: 'none' }), /nodes: expected a list of objects, got "none"/],
    ['damaged JSON', gltf().subarray(0, 300), /JSON: is damaged/],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), /is a PNG picture, not glTF/],
    [
      'a cut-off GLB',
      Uint8Array.from([...new TextEncoder().encode('glTF'), 2, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      /expected 255 bytes as the header says, got 20/,
    ],
  ])('%s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message);
  });

  test('a small file that names the same bytes again and again', async () => {
    const accessors = Array.from({ length: 10_000 }, () => accessor);
    const primitives = accessors.map((_, i) => ({ attributes: { POSITION: i } }));
    expect(await refusal(gltf({ accessors, meshes: [{ primitives }] }))).toMatch(
      /far more numbers than the file holds/,
    );
  });
});
