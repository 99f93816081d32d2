/** Arrows and rings that move a body: three's TransformControls in the stage's world, in m. */
import { Object3D } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Quaternion } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Stage } from './stage.js';

export interface GizmoPose {
  readonly position: Vec3;
  /** w, x, y, z */
  readonly orientation: Quaternion;
}

/** x, y, z as everywhere here, told apart with any colour vision; what the pointer is over */
const AXES = [0xd55e00, 0x009e73, 0x0072b2] as const;
const ACTIVE = 0xe69f00;

export class Gizmo {
  readonly #stage: Stage;
  readonly #object = new Object3D();
  readonly #controls: TransformControls;
  readonly #helper: Object3D;
  #snap = 0;

  /** @param moved told while it is dragged, and once more when it is let go */
  constructor(stage: Stage, canvas: HTMLCanvasElement, moved: (pose: GizmoPose, isOver: boolean) => void) {
    this.#stage = stage;
    this.#controls = new TransformControls(stage.view.camera, canvas);
    // A finger is wider than a mouse's tip
    this.#controls.setSize(globalThis.matchMedia?.('(pointer: coarse)').matches ? 1.3 : 0.9);
    this.#controls.setColors(AXES[0], AXES[1], AXES[2], ACTIVE);
    this.#helper = this.#controls.getHelper();
    stage.overlay.add(this.#object);
    stage.overlay.parent?.add(this.#helper);
    this.#controls.addEventListener('change', () => stage.redraw());
    this.#controls.addEventListener('objectChange', () => {
      this.#toGrid();
      moved(this.pose, false);
    });
    this.#controls.addEventListener('dragging-changed', ({ value }) => {
      stage.view.controls.enabled = value !== true;
      if (value !== true) moved(this.pose, true);
    });
  }

  get pose(): GizmoPose {
    const { position: p, quaternion: q } = this.#object;
    return { position: [p.x, p.y, p.z], orientation: [q.w, q.x, q.y, q.z] };
  }

  /** The pointer is over it, and a press is not for what lies behind. */
  get isAimed(): boolean {
    return this.#controls.dragging || this.#controls.axis !== null;
  }

  attach({ position, orientation }: GizmoPose): void {
    if (this.#controls.dragging) return;
    this.#object.position.set(...position);
    const [w, x, y, z] = orientation;
    this.#object.quaternion.set(x, y, z, w);
    this.#controls.camera = this.#stage.view.camera;
    this.#controls.attach(this.#object);
    this.#stage.redraw();
  }

  detach(): void {
    this.#controls.detach();
    this.#stage.redraw();
  }

  set mode(mode: 'translate' | 'rotate') {
    this.#controls.setMode(mode);
    this.#controls.setSpace(mode === 'translate' ? 'world' : 'local');
    this.#stage.redraw();
  }

  /** m; 0 for none. Turns go by 15° with it. */
  set snap(step: number) {
    this.#snap = step;
    this.#controls.setRotationSnap(step > 0 ? Math.PI / 12 : null);
  }
  get snap(): number {
    return this.#snap;
  }

  /** Along the axes that are dragged. Three's own snap counts in lengths of the stage, which are not metres. */
  #toGrid(): void {
    const { mode, axis } = this.#controls;
    if (this.#snap === 0 || mode !== 'translate' || axis === null) return;
    const { position } = this.#object;
    const places = Math.max(0, Math.ceil(-Math.log10(this.#snap)) + 1);
    for (const k of ['x', 'y', 'z'] as const)
      if (axis.includes(k.toUpperCase()))
        position[k] = Number((Math.round(position[k] / this.#snap) * this.#snap).toFixed(places));
  }

  dispose(): void {
    this.#controls.detach();
    this.#controls.dispose();
    this.#helper.removeFromParent();
    this.#object.removeFromParent();
    this.#stage.view.controls.enabled = true;
    this.#stage.redraw();
  }
}
