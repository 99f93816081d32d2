/** Where a new part stands: in front of the middle of the view, on the floor, beside what is there already. */
import { rotate } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';

/** To three digits, as somebody would type it */
export const rounded = (length: number): number => Number(length.toPrecision(3));

/** m: what a new part should measure beside those that are there; 0.1 in an empty scene. A long part is not a large one: its middle edge counts, at least a third of the longest. */
export function suitableSize(scene: Scene | undefined): number {
  const sizes = movable(scene).map(({ low, high }) => {
    const [, middle, longest] = [0, 1, 2].map((k) => high[k] - low[k]).sort((a, b) => a - b);
    return Math.max(middle, longest / 3);
  });
  if (sizes.length === 0) return 0.1;
  sizes.sort((a, b) => a - b);
  return rounded(sizes[sizes.length >> 1]);
}

/** Beside the others along x, m. @param unseen x of parts that are not in the scene, because it is that of a document before it went wrong */
export function freePlace(
  scene: Scene | undefined,
  size: number,
  unseen: readonly number[] = [],
): readonly [number, number, number] {
  const ends = [...movable(scene).map(({ high }) => high[0]), ...unseen.map((x) => x + size)];
  if (ends.length === 0) return [0, 0, 0];
  const right = Math.max(...ends);
  return [rounded(right + size), 0, 0];
}

/** Position of a part that was drawn at the origin: above the floor by a tenth of its size, beside those that were there before */
export function placeAbove(scene: Scene, name: string, before: Scene | undefined): readonly [number, number, number] {
  const [own] = movable({ ...scene, bodies: scene.bodies.filter((body) => body.name === name) });
  if (!own) return [0, 0, 0];
  const size = Math.max(...[0, 1, 2].map((k) => own.high[k] - own.low[k]));
  const [x, y] = freePlace(before, 0.2 * size);
  const middle = [0, 1].map((k) => (own.low[k] + own.high[k]) / 2);
  const aside = movable(before).length > 0 ? x - own.low[0] : -middle[0];
  return [aside, y - middle[1], 0.1 * size - own.low[2]].map((value) => Number(value.toPrecision(6))) as never;
}

/** Corners of a box about a body, as drawn, m; none for a half-space */
export function cornersOf(scene: Scene, name: string): Vec3[] {
  return movable({ ...scene, bodies: scene.bodies.filter((body) => body.name === name) }).flatMap(({ low, high }) =>
    Array.from(
      { length: 8 },
      (_, i): Vec3 => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]],
    ),
  );
}

interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Boxes about the parts, as drawn; half-spaces have none. The many pieces of a coil spring, which stand on its base, are one part. */
function movable(scene: Scene | undefined): Box[] {
  const boxes = new Map<string, { low: number[]; high: number[] }>();
  const names = new Set(scene?.bodies.map(({ name }) => name));
  for (const { name, parts, pose } of scene?.bodies ?? []) {
    const list = name.replace(/\[\d+\]$/, '');
    const whole = names.has(`${list}Base`) ? list : name;
    const { low, high } = boxes.get(whole) ?? {
      low: [Infinity, Infinity, Infinity],
      high: [-Infinity, -Infinity, -Infinity],
    };
    boxes.set(whole, { low, high });
    for (const { shape } of parts) {
      const { vertices, form } = scene!.shapes[shape];
      if (form === 'halfSpace') continue;
      for (let i = 0; i < vertices.length; i += 3) {
        const at = rotate(pose.orientation, [vertices[i], vertices[i + 1], vertices[i + 2]]);
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], at[k] + pose.position[k]);
          high[k] = Math.max(high[k], at[k] + pose.position[k]);
        }
      }
    }
  }
  return [...boxes.values()].filter(({ low, high }) => low[0] <= high[0]);
}
