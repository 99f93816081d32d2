/**
 * The eye: two cameras (perspective and parallel) moved by camera-controls, standard views, fitting, following. Lengths are the
 * stage's (placement.ts); results are in double precision, and `project` agrees with what the card draws.
 */
import {
  Box3,
  Matrix4,
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
} from 'three';
import { addScaled, cross, dot, normalize, type Vec3 } from '../../math/vec3.js';
import { FIELD_OF_VIEW } from '../still-projection.js';
import { CameraControls } from './camera-controls.js';
import type { Sight } from './part-group.js';

CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
});

export type StandardView = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'isometric';

const TANGENT = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
/** Part of the canvas that a fitted scene fills */
const FILL = 0.86;

export class View {
  readonly perspectiveCamera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly parallelCamera = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  camera: PerspectiveCamera | OrthographicCamera = this.perspectiveCamera;
  readonly controls: CameraControls;
  width = 1;
  height = 1;
  /** Axes of the scene as a person at the front sees it: to the right, up, and towards the person */
  readonly right: Vec3;
  readonly front: Vec3;
  readonly #still: boolean;

  constructor(
    canvas: HTMLCanvasElement,
    readonly up: Vec3,
  ) {
    // With z up the front is −y and right is x; with y up the front is z
    const across: Vec3 = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
    this.right = normalize(addScaled(across, -dot(across, up), up));
    this.front = cross(this.right, up);
    for (const camera of [this.perspectiveCamera, this.parallelCamera]) camera.up.set(...up);
    this.controls = new CameraControls(this.camera, canvas);
    this.controls.updateCameraUp();
    this.controls.setLookAt(5 * this.front[0], 5 * this.front[1], 5 * this.front[2], 0, 0, 0, false);
    this.controls.minZoom = 1e-6;
    this.controls.smoothTime = 0.12;
    this.controls.draggingSmoothTime = 0.04;
    this.controls.dollyToCursor = true;
    this.controls.minDistance = 1e-7;
    this.controls.maxDistance = 1e5;
    this.controls.restThreshold = 1e-4;
    this.#still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;
    if (this.#still) this.controls.smoothTime = this.controls.draggingSmoothTime = 0;
    this.setParallel(false);
  }

  get parallel(): boolean {
    return this.camera === this.parallelCamera;
  }

  /** Changes the projection; what lies at the target keeps its size on the screen. */
  setParallel(parallel: boolean): void {
    const { controls } = this;
    const { ACTION } = CameraControls;
    if (parallel !== this.parallel) {
      const half = this.halfHeight();
      this.camera = parallel ? this.parallelCamera : this.perspectiveCamera;
      controls.camera = this.camera;
      if (parallel) controls.zoomTo(1 / half, false);
      else {
        controls.zoomTo(1, false);
        controls.dollyTo(half / TANGENT, false);
      }
    }
    controls.mouseButtons.left = ACTION.ROTATE;
    controls.mouseButtons.right = ACTION.TRUCK;
    controls.mouseButtons.middle = ACTION.TRUCK;
    controls.mouseButtons.wheel = parallel ? ACTION.ZOOM : ACTION.DOLLY;
    controls.touches.one = ACTION.TOUCH_ROTATE;
    controls.touches.two = parallel ? ACTION.TOUCH_ZOOM_TRUCK : ACTION.TOUCH_DOLLY_TRUCK;
    controls.touches.three = ACTION.TOUCH_TRUCK;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const aspect = width / height;
    this.perspectiveCamera.aspect = aspect;
    this.parallelCamera.left = -aspect;
    this.parallelCamera.right = aspect;
    this.perspectiveCamera.updateProjectionMatrix();
    this.parallelCamera.updateProjectionMatrix();
  }

  /** Half of the height that is seen at the target, stage lengths. */
  halfHeight(): number {
    return this.parallel ? 1 / this.parallelCamera.zoom : this.controls.distance * TANGENT;
  }

  get target(): Vec3 {
    return this.controls.getTarget(scratch, false).toArray() as [number, number, number];
  }

  /** Moves the camera on by so many seconds. @returns whether it moved */
  advance(seconds: number): boolean {
    const moved = this.controls.update(seconds);
    this.camera.updateMatrixWorld();
    return moved;
  }

  /**
   * Near and far planes around a sphere: as tight as it goes, never nearer than 1/200 of the way to the target, which leaves depths
   * of 1/80 000 of that way apart in 24 bits.
   */
  setDepths(centre: Vec3, radius: number): void {
    const { camera } = this;
    const distance = this.controls.distance;
    const forward = this.forward();
    const position: Vec3 = [camera.position.x, camera.position.y, camera.position.z];
    const depth = dot(forward, [centre[0] - position[0], centre[1] - position[1], centre[2] - position[2]]);
    let near = depth - radius;
    const far = depth + radius;
    if (!this.parallel) near = Math.max(near, Math.min(distance / 200, 0.5 * far));
    const nearest = this.parallel ? near : Math.max(near, distance / 2000);
    const farthest = Math.max(far, nearest + distance / 100);
    if (camera.near === nearest && camera.far === farthest) return;
    camera.near = nearest;
    camera.far = farthest;
    camera.updateProjectionMatrix();
  }

  forward(): Vec3 {
    const e = this.camera.matrixWorld.elements;
    return [-e[8], -e[9], -e[10]];
  }

  sight(): Sight {
    const { x, y, z } = this.camera.position;
    const pixels = (this.camera.projectionMatrix.elements[5] * this.height) / 2;
    return { position: [x, y, z], forward: this.forward(), pixels, perspective: !this.parallel };
  }

  /** Stage point to CSS px. */
  project(point: Vec3): { x: number; y: number; inFront: boolean } {
    const v = this.camera.matrixWorldInverse.elements;
    const p = this.camera.projectionMatrix.elements;
    const [a, b, c] = point;
    const x = v[0] * a + v[4] * b + v[8] * c + v[12];
    const y = v[1] * a + v[5] * b + v[9] * c + v[13];
    const z = v[2] * a + v[6] * b + v[10] * c + v[14];
    const w = p[3] * x + p[7] * y + p[11] * z + p[15];
    const clipX = (p[0] * x + p[4] * y + p[8] * z + p[12]) / w;
    const clipY = (p[1] * x + p[5] * y + p[9] * z + p[13]) / w;
    return {
      x: 0.5 * (1 + clipX) * this.width,
      y: 0.5 * (1 - clipY) * this.height,
      inFront: this.parallel ? -z > this.camera.near : w > 0,
    };
  }

  /** The ray of stage points that is seen at a place of the canvas, CSS px. */
  ray(x: number, y: number): { origin: Vec3; direction: Vec3 } {
    const { camera } = this;
    const e = camera.matrixWorld.elements;
    const p = camera.projectionMatrix.elements;
    const across = ((2 * x) / this.width - 1) / p[0];
    const upwards = (1 - (2 * y) / this.height) / p[5];
    const { x: px, y: py, z: pz } = camera.position;
    const plane = (s: number): Vec3 => [
      e[0] * across + e[4] * upwards - e[8] * s,
      e[1] * across + e[5] * upwards - e[9] * s,
      e[2] * across + e[6] * upwards - e[10] * s,
    ];
    if (!this.parallel) return { origin: [px, py, pz], direction: normalize(plane(1)) };
    const from = plane(camera.near);
    return { origin: [px + from[0], py + from[1], pz + from[2]], direction: this.forward() };
  }

  /** Direction from the target to the eye. */
  #towardsEye(): Vec3 {
    const eye = this.controls.getPosition(scratch, true).toArray() as [number, number, number];
    const target = this.controls.getTarget(scratch, true);
    return normalize([eye[0] - target.x, eye[1] - target.y, eye[2] - target.z]);
  }

  /** Turns to a standard view; the target stays. */
  /**
   * Where the eye is and what it looks at, stage lengths, as text. The controls' own text is of no use here: it is written in axes whose y is up and read as if it were not.
   */
  get eye(): string {
    const from = this.controls.getPosition(new Vector3(), true);
    const to = this.controls.getTarget(new Vector3(), true);
    return JSON.stringify([...from.toArray(), ...to.toArray(), this.controls.camera.zoom]);
  }
  set eye(text: string) {
    const numbers = numbersIn(text);
    if (numbers.length !== 7) return; // of an address that somebody changed
    const [x, y, z, tx, ty, tz, zoom] = numbers;
    void this.controls.setLookAt(x, y, z, tx, ty, tz, false);
    void this.controls.zoomTo(zoom, false);
  }

  standard(view: StandardView, moving = true): void {
    const direction = this.#directionOf(view);
    const q = new Quaternion().setFromUnitVectors(new Vector3(...this.up), new Vector3(0, 1, 0));
    const flat = (d: Vec3): Vector3 => new Vector3(...d).applyQuaternion(q);
    const pole = view === 'top' || view === 'bottom';
    // Straight from above or below the front stays at the bottom of the picture
    const level = flat(pole ? this.front : direction);
    const polar = Math.acos(Math.min(1, Math.max(-1, dot(direction, this.up))));
    const azimuth = Math.atan2(level.x, level.z);
    const turns = Math.round((this.controls.azimuthAngle - azimuth) / (2 * Math.PI));
    this.controls.rotateTo(azimuth + 2 * Math.PI * turns, polar, moving && !this.#still);
  }

  #directionOf(view: StandardView): Vec3 {
    const { right, front, up } = this;
    const minus = (d: Vec3): Vec3 => [-d[0], -d[1], -d[2]];
    switch (view) {
      case 'front':
        return front;
      case 'back':
        return minus(front);
      case 'right':
        return right;
      case 'left':
        return minus(right);
      case 'top':
        return up;
      case 'bottom':
        return minus(up);
      default:
        return normalize(
          addScaled(addScaled([0.55 * right[0], 0.55 * right[1], 0.55 * right[2]], 0.75, front), 0.5, up),
        );
    }
  }

  /** Brings points (3 each, stage) into the picture without turning. */
  fit(points: Float64Array, moving = true): void {
    if (points.length === 0) return;
    const back = this.#towardsEye();
    const pole = Math.abs(dot(back, this.up)) > 0.9999;
    const upright: Vec3 = pole ? (dot(back, this.up) > 0 ? negated(this.front) : this.front) : this.up;
    const across = normalize(cross(upright, back));
    const over = cross(back, across);
    const aspect = this.width / this.height;
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    const axes = [across, over, back];
    for (let i = 0; i < points.length; i += 3)
      for (let k = 0; k < 3; k++) {
        const along = points[i] * axes[k][0] + points[i + 1] * axes[k][1] + points[i + 2] * axes[k][2];
        if (along < min[k]) min[k] = along;
        if (along > max[k]) max[k] = along;
      }
    const middle = [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
    let half = Math.max(0.5 * (max[1] - min[1]), (0.5 * (max[0] - min[0])) / aspect) / FILL;
    if (!this.parallel) {
      // Each point must lie inside the field: the distance at which the widest one does
      let distance = 0;
      for (let i = 0; i < points.length; i += 3) {
        const x = points[i] * across[0] + points[i + 1] * across[1] + points[i + 2] * across[2] - middle[0];
        const y = points[i] * over[0] + points[i + 1] * over[1] + points[i + 2] * over[2] - middle[1];
        const z = points[i] * back[0] + points[i + 1] * back[1] + points[i + 2] * back[2] - middle[2];
        distance = Math.max(distance, z + Math.max(Math.abs(y), Math.abs(x) / aspect) / (TANGENT * FILL));
      }
      half = distance * TANGENT;
    }
    half = Math.max(half, 1e-6);
    const at = [0, 1, 2].map((k) => middle[0] * across[k] + middle[1] * over[k] + middle[2] * back[k]);
    const transition = moving && !this.#still;
    this.controls.setFocalOffset(0, 0, 0, transition);
    this.controls.moveTo(at[0], at[1], at[2], transition);
    // In a parallel view the distance only matters for depths: far enough that nothing is behind the eye
    if (this.parallel) this.controls.zoomTo(1 / half, transition);
    this.controls.dollyTo(half / TANGENT, transition);
  }

  /** Moves eye and target alike, at once. */
  shift(by: Vec3): void {
    const target = this.controls.getTarget(scratch, true);
    this.controls.moveTo(target.x + by[0], target.y + by[1], target.z + by[2], false);
  }

  orbit(azimuth: number, polar: number): void {
    this.controls.rotate(azimuth, polar, !this.#still);
  }
  /** By parts of the canvas' height. */
  pan(right: number, up: number): void {
    const height = 2 * this.halfHeight();
    this.controls.truck(right * height, -up * height, !this.#still);
  }
  /** Nearer by a factor above 1. */
  zoomBy(factor: number): void {
    if (this.parallel) this.controls.zoomTo(this.parallelCamera.zoom * factor, !this.#still);
    else this.controls.dollyTo(this.controls.distance / factor, !this.#still);
  }

  dispose(): void {
    this.controls.dispose();
  }
}

const scratch = new Vector3();
const negated = (d: Vec3): Vec3 => [-d[0], -d[1], -d[2]];

function numbersIn(text: string): number[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every(Number.isFinite) ? found : [];
  } catch {
    return [];
  }
}
