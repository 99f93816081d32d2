/**
 * Numbers out of glTF buffers. gltf-transform unpacks them (interleaved, sparse and quantised ones included); what it
 * trusts is checked here first: that every range lies inside its buffer, and that a small file does not ask for much
 * memory by naming the same bytes again and again.
 *
 * Khronos, glTF 2.0 specification, §3.6.2.
 */
import { FileError } from '../../errors.js';
import type { GltfContainer } from './gltf-read-container.js';
import { countOf, indexOf, type JsonObject, objectOf, objectsOf } from './gltf-read-json.js';

/** Bytes per number by component type; 5130 is the double of KHR_accessor_float64. */
const COMPONENT_BYTES: ReadonlyMap<unknown, number> = new Map([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
  [5130, 8],
]);
const INDEX_TYPES: readonly unknown[] = [5121, 5123, 5125];

/** What an accessor is used for decides what it may hold. */
export type AccessorUse = 'POSITION' | 'indices';

/** Gives the numbers of an accessor: 3 per vertex for positions, one each for indices. */
export type Accessors = (index: number) => ArrayLike<number>;

/** Unpacks the accessors in `uses`, after checking them. */
export async function readAccessors(
  container: GltfContainer,
  uses: ReadonlyMap<number, AccessorUse>,
  file: string,
): Promise<Accessors> {
  const accessors = objectsOf(container.json, 'accessors', file);
  const size = container.buffers.reduce((n, buffer) => n + buffer.length, 0);
  let budget = 8 * size + 1_000_000;
  for (const [index, use] of uses) {
    budget -= checkAccessor(container, accessors[index], `accessors[${index}]`, use, file);
    if (budget < 0)
      throw new FileError(
        file,
        `accessors[${index}]`,
        'asks for far more numbers than the file holds, which is refused',
      );
  }

  // Only what is needed goes to the library: textures, animations and so on stay out.
  const order = [...uses.keys()];
  const names = container.buffers.map((_, i) => `buffer${i}`);
  const json = {
    asset: { version: '2.0' },
    buffers: container.buffers.map((buffer, i) => ({ uri: names[i], byteLength: buffer.length })),
    bufferViews: objectsOf(container.json, 'bufferViews', file).map(
      ({ buffer, byteOffset, byteLength, byteStride }) => ({
        ...{ buffer, byteLength },
        ...(byteOffset === undefined ? {} : { byteOffset }),
        ...(byteStride === undefined ? {} : { byteStride }),
      }),
    ),
    accessors: order.map((index) => accessors[index]),
  };
  checkBufferViews(container, file);
  const { Logger, WebIO } = await import('@gltf-transform/core');
  try {
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const resources = Object.fromEntries(
      container.buffers.map((buffer, i) => [names[i], buffer as Uint8Array<ArrayBuffer>]),
    );
    const document = await io.readJSON({ json: json as never, resources });
    const read = document.getRoot().listAccessors();
    const arrays = new Map<number, ArrayLike<number>>();
    order.forEach((index, i) => {
      const accessor = read[i];
      let array: ArrayLike<number> = accessor.getArray()!;
      if (accessor.getNormalized()) {
        const width = accessor.getElementSize();
        const values = new Float64Array(accessor.getCount() * width);
        const element: number[] = [];
        for (let k = 0; k < accessor.getCount(); k++) values.set(accessor.getElement(k, element), width * k);
        array = values;
      }
      arrays.set(index, array);
    });
    return (index) => arrays.get(index)!;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(file, 'accessors', `cannot be unpacked: ${error instanceof Error ? error.message : error}`);
  }
}

/** Refuses a view that leaves its buffer. All are looked at since the library opens all of them. */
function checkBufferViews({ json, buffers }: GltfContainer, file: string): void {
  objectsOf(json, 'bufferViews', file).forEach((view, i) => {
    const where = `bufferViews[${i}]`;
    const buffer = indexOf(view, 'buffer', buffers.length, where, file);
    const length = countOf(view, 'byteLength', where, file);
    const offset = countOf(view, 'byteOffset', where, file) ?? 0;
    const stride = countOf(view, 'byteStride', where, file, 1);
    if (buffer === undefined || length === undefined)
      throw new FileError(file, where, 'expected buffer and byteLength');
    if (offset + length > buffers[buffer].length)
      throw new FileError(
        file,
        where,
        `ends at byte ${offset + length} of buffer ${buffer}, which has ${buffers[buffer].length}`,
      );
    if (stride !== undefined && stride > 252)
      throw new FileError(file, where, `expected byteStride ≤ 252, got ${stride}`);
  });
}

/** Refuses an accessor of the wrong kind or that leaves its view; gives the bytes it unpacks to. */
function checkAccessor(
  container: GltfContainer,
  accessor: JsonObject,
  where: string,
  use: AccessorUse,
  file: string,
): number {
  const type = use === 'POSITION' ? 'VEC3' : 'SCALAR';
  if (accessor.type !== type)
    throw new FileError(
      file,
      where,
      `expected type ${type} for ${use}, got ${JSON.stringify(accessor.type)?.slice(0, 40)}`,
    );
  const componentBytes = COMPONENT_BYTES.get(accessor.componentType);
  if (componentBytes === undefined || (use === 'indices' && !INDEX_TYPES.includes(accessor.componentType)))
    throw new FileError(file, where, `has componentType ${JSON.stringify(accessor.componentType)}, unfit for ${use}`);
  const width = use === 'POSITION' ? 3 : 1;
  const count = countOf(accessor, 'count', where, file, 1);
  if (count === undefined) throw new FileError(file, where, 'expected count');
  checkRange(container, accessor, where, count, width * componentBytes, file);

  const sparse = objectOf(accessor, 'sparse', where, file);
  if (sparse) {
    const changes = countOf(sparse, 'count', `${where}.sparse`, file, 1) ?? 0;
    const indices = objectOf(sparse, 'indices', `${where}.sparse`, file);
    const values = objectOf(sparse, 'values', `${where}.sparse`, file);
    const indexBytes = INDEX_TYPES.includes(indices?.componentType)
      ? COMPONENT_BYTES.get(indices?.componentType)
      : undefined;
    if (
      !indices ||
      !values ||
      !indexBytes ||
      indices.bufferView === undefined ||
      values.bufferView === undefined ||
      changes > count
    )
      throw new FileError(file, `${where}.sparse`, 'expected count, indices and values, no more than the accessor has');
    checkRange(container, indices, `${where}.sparse.indices`, changes, indexBytes, file);
    checkRange(container, values, `${where}.sparse.values`, changes, width * componentBytes, file);
  }
  return count * width * componentBytes;
}

/** Refuses `count` elements of `size` bytes that leave the view of `range`. */
function checkRange(
  { json }: GltfContainer,
  range: JsonObject,
  where: string,
  count: number,
  size: number,
  file: string,
): void {
  const views = objectsOf(json, 'bufferViews', file);
  const index = indexOf(range, 'bufferView', views.length, where, file);
  const offset = countOf(range, 'byteOffset', where, file) ?? 0;
  if (index === undefined) return; // zeros
  const view = views[index];
  const available = countOf(view, 'byteLength', `bufferViews[${index}]`, file) ?? 0;
  const stride = countOf(view, 'byteStride', `bufferViews[${index}]`, file, 1) ?? size;
  if (stride < size)
    throw new FileError(
      file,
      where,
      `expected a byteStride of at least ${size} in bufferViews[${index}], got ${stride}`,
    );
  const end = offset + stride * (count - 1) + size;
  if (end > available)
    throw new FileError(file, where, `needs ${end} bytes of bufferViews[${index}], which has ${available}`);
}
