/**
 * Numbers out of glTF buffers, interleaved, sparse and quantised ones included. They are checked first: that every range lies inside
 * its buffer, and that a small file does not ask for much memory by naming the same bytes again and again.
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
export function readAccessors(
  container: GltfContainer,
  uses: ReadonlyMap<number, AccessorUse>,
  file: string,
): Accessors {
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

  checkBufferViews(container, file);
  const arrays = new Map<number, ArrayLike<number>>();
  for (const [index, use] of uses)
    arrays.set(index, unpack(container, accessors[index], use === 'POSITION' ? 3 : 1, file));
  return (index) => arrays.get(index)!;
}

/** The numbers of an accessor that has been checked. */
function unpack(container: GltfContainer, accessor: JsonObject, width: number, file: string): ArrayLike<number> {
  const componentType = accessor.componentType as number;
  const values = new Float64Array((accessor.count as number) * width);
  readRange(container, accessor, componentType, width, file, (i, value) => {
    values[i] = value;
  });
  const sparse = objectOf(accessor, 'sparse', 'sparse', file);
  if (sparse) {
    const count = sparse.count as number;
    const places = new Float64Array(count);
    const indices: JsonObject = { ...(sparse.indices as JsonObject), count };
    readRange(container, indices, indices.componentType as number, 1, file, (i, value) => {
      places[i] = value;
    });
    for (const place of places)
      if (!(place < (accessor.count as number)))
        throw new FileError(file, 'accessors', `changes element ${place} of ${accessor.count}`);
    readRange(container, { ...(sparse.values as JsonObject), count }, componentType, width, file, (i, value) => {
      values[width * places[Math.floor(i / width)] + (i % width)] = value;
    });
  }
  const largest = accessor.normalized === true ? NORMALISED.get(componentType) : undefined;
  // §3.6.2.2: the smallest value of a signed type stands for −1, too
  if (largest) for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i] / largest, -1);
  return values;
}

/** Values of a normalised type that stand for 1 */
const NORMALISED: ReadonlyMap<number, number> = new Map([
  [5120, 127],
  [5121, 255],
  [5122, 32767],
  [5123, 65535],
]);

/** Hands over the numbers of a range one by one; those without a view are zeros, and stay out. */
function readRange(
  { json, buffers }: GltfContainer,
  range: JsonObject,
  componentType: number,
  width: number,
  file: string,
  take: (i: number, value: number) => void,
): void {
  if (range.bufferView === undefined) return;
  const { buffer, byteOffset = 0, byteStride } = objectsOf(json, 'bufferViews', file)[range.bufferView as number];
  const bytes = buffers[buffer as number];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = COMPONENT_BYTES.get(componentType)!;
  const stride = (byteStride as number | undefined) ?? size * width;
  const start = (byteOffset as number) + ((range.byteOffset as number | undefined) ?? 0);
  const read = COMPONENTS.get(componentType)!;
  for (let element = 0; element < (range.count as number); element++)
    for (let k = 0; k < width; k++) take(element * width + k, read(view, start + element * stride + k * size));
}

const COMPONENTS: ReadonlyMap<number, (view: DataView, at: number) => number> = new Map([
  [5120, (view, at) => view.getInt8(at)],
  [5121, (view, at) => view.getUint8(at)],
  [5122, (view, at) => view.getInt16(at, true)],
  [5123, (view, at) => view.getUint16(at, true)],
  [5125, (view, at) => view.getUint32(at, true)],
  [5126, (view, at) => view.getFloat32(at, true)],
  [5130, (view, at) => view.getFloat64(at, true)],
]);

/** Refuses a view that leaves its buffer. */
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
