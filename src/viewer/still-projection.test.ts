/** What a still shows where: as the viewer's camera has it, and back. */
import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { box } from '../geometry/primitives.js';
import { translate } from '../geometry/transform.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Vec3 } from '../math/vec3.js';
import { drawStill } from './still.js';
import { FIELD_OF_VIEW, Projection } from './still-projection.js';

const WIDTH = 800;
const HEIGHT = 600;
const from: Vec3 = [0.55, -0.75, 0.5];
const scene = translate([0.3, -0.2, 1], box([2, 1, 0.5])).mesh;
const of = (field: number, fit: readonly TriangleMesh[] = [scene]): Projection =>
  new Projection({ from, field }, fit, WIDTH, HEIGHT);
const points = (...list: Vec3[]): TriangleMesh => ({
  vertices: Float64Array.from(list.flat()),
  triangles: new Uint32Array(),
});

describe('the eye of a still', () => {
  test('shows points where a camera of three.js does that fits the scene in the same way', () => {
    const projection = of(FIELD_OF_VIEW);
    // the middle of the picture is where the projection has it; the camera stands on the line through it
    const place = new Float64Array(3);
    const seen = projection.project(scene);
    projection.place(WIDTH / 2, HEIGHT / 2, seen[2], place);
    const camera = new PerspectiveCamera(FIELD_OF_VIEW, WIDTH / HEIGHT, 0.01, 100);
    camera.up.set(0, 0, 1);
    const { back } = projection;
    // zoom at the depth of that sample: height/2 = d tan(field/2) samples
    const away = HEIGHT / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / projection.zoomAt(seen[2]);
    camera.position.set(place[0] + away * back[0], place[1] + away * back[1], place[2] + away * back[2]);
    camera.lookAt(place[0], place[1], place[2]);
    camera.updateMatrixWorld();
    let [left, top] = [Infinity, Infinity];
    for (let i = 0; i < seen.length; i += 3) {
      const there = new Vector3(...scene.vertices.subarray(i, i + 3)).project(camera);
      expect(seen[i]).toBeCloseTo((WIDTH / 2) * (1 + there.x), 6);
      expect(seen[i + 1]).toBeCloseTo((HEIGHT / 2) * (1 - there.y), 6);
      left = Math.min(left, seen[i], WIDTH - seen[i]);
      top = Math.min(top, seen[i + 1], HEIGHT - seen[i + 1]);
    }
    // what is widest leaves 6 % on its side
    expect(Math.min(left / WIDTH, top / HEIGHT)).toBeCloseTo(0.06, 12);
  });
  test.each([0, FIELD_OF_VIEW])('a sample leads back to its place, with a field of %s degrees', (field) => {
    const projection = of(field);
    const place = new Float64Array(3);
    const mesh = points([0.1, 0.2, 0.9], [1.2, -0.6, 1.2], [-0.5, 0.1, 0.8]);
    const seen = projection.project(mesh);
    for (let i = 0; i < seen.length; i += 3) {
      projection.place(seen[i], seen[i + 1], seen[i + 2], place);
      for (let k = 0; k < 3; k++) expect(place[k]).toBeCloseTo(mesh.vertices[i + k], 12);
    }
  });
  test('a ball is nearer by its radius', () => {
    for (const field of [0, FIELD_OF_VIEW]) {
      const projection = of(field);
      const { back } = projection;
      const seen = projection.project(points([0, 0, 1], [0.2 * back[0], 0.2 * back[1], 1 + 0.2 * back[2]]));
      expect(projection.nearer(seen[2], 0.2)).toBeCloseTo(seen[5], 9);
    }
  });
  test('a floor that reaches behind the eye is cut there, and fills the foreground', () => {
    const floor = translate([0, 0, -0.05], box([200, 200, 0.1])).mesh;
    const small = translate([0, 0, 0.5], box(1)).mesh;
    const cut = of(FIELD_OF_VIEW, [small]).cut(floor);
    expect(cut.of!.length).toBeGreaterThan(0);
    for (const x of of(FIELD_OF_VIEW, [small]).project(cut.mesh)) expect(Number.isFinite(x)).toBe(true);
    const { rgba } = drawStill(
      [
        { mesh: floor, colour: [1, 0, 0, 1] },
        { mesh: small, colour: [0, 0, 1, 1] },
      ],
      {
        width: 80,
        height: 60,
        samples: 1,
        field: FIELD_OF_VIEW,
        fit: [{ mesh: small }],
      },
    );
    const corner = 4 * (59 * 80 + 40);
    expect(rgba[corner]).toBeGreaterThan(60);
    expect(rgba[corner + 2]).toBe(0);
  });
  test('what lies on a dark page too has nothing behind it, and keeps its colours', () => {
    const options = { width: 80, height: 60, samples: 2, field: FIELD_OF_VIEW };
    const clear = drawStill([{ mesh: scene, colour: [1, 0, 0, 1] }], { ...options, transparent: true });
    const solid = drawStill([{ mesh: scene, colour: [1, 0, 0, 1] }], options);
    const middle = 4 * (30 * 80 + 40);
    expect([...clear.rgba.slice(0, 4)]).toEqual([0, 0, 0, 0]);
    expect([...clear.rgba.slice(middle, middle + 4)]).toEqual([...solid.rgba.slice(middle, middle + 4)]);
    expect(solid.rgba[3]).toBe(255);
  });
});
