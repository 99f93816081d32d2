/** Bodies of earlier runs, faint beside those of this one. They belong to whoever made them, and hang in the stage's overlay. */
import { BufferAttribute, BufferGeometry, Group, Mesh, MeshBasicMaterial } from 'three';
import type { Scene } from '../../results/scene.js';
import type { Stage } from './stage.js';

const OPACITY = 0.16;
/** Triangles beyond which ghosts cost more than they show */
const MOST_TRIANGLES = 400_000;

export class Ghost {
  readonly #root = new Group();
  readonly #bodies: Group[] = [];
  readonly #material: MeshBasicMaterial;
  readonly #stage: Stage;

  constructor(stage: Stage, scene: Scene, colour: number) {
    this.#stage = stage;
    this.#material = new MeshBasicMaterial({ color: colour, transparent: true, opacity: OPACITY, depthWrite: false });
    const count = scene.bodies.reduce(
      (sum, { parts }) => sum + parts.reduce((own, { shape }) => own + scene.shapes[shape].triangles.length / 3, 0),
      0,
    );
    const geometries = new Map<number, BufferGeometry>();
    for (const { parts, fixed } of scene.bodies) {
      const body = new Group();
      if (!fixed && count <= MOST_TRIANGLES)
        for (const { shape } of parts) {
          const { vertices, triangles, form } = scene.shapes[shape];
          if (form === 'halfSpace') continue;
          let geometry = geometries.get(shape);
          if (!geometry) {
            geometry = new BufferGeometry();
            geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices), 3));
            geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1));
            geometries.set(shape, geometry);
          }
          body.add(new Mesh(geometry, this.#material));
        }
      this.#bodies.push(body);
      this.#root.add(body);
    }
    stage.overlay.add(this.#root);
  }

  /** @param poses 7 per body */
  show(poses: Float64Array): void {
    this.#bodies.forEach((body, i) => {
      const p = 7 * i;
      body.position.set(poses[p], poses[p + 1], poses[p + 2]);
      body.quaternion.set(poses[p + 4], poses[p + 5], poses[p + 6], poses[p + 3]);
    });
    this.#stage.redraw();
  }

  dispose(): void {
    this.#root.removeFromParent();
    const seen = new Set<BufferGeometry>();
    this.#root.traverse((object) => {
      if (object instanceof Mesh) seen.add(object.geometry as BufferGeometry);
    });
    for (const geometry of seen) geometry.dispose();
    this.#material.dispose();
    this.#stage.redraw();
  }
}
