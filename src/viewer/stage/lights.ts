/** Light: the sky, a sun with a shadow from over the left shoulder of a person at the front, and a weak lamp beside the eye. */
import { DirectionalLight, Group, HemisphereLight, type Object3D, SRGBColorSpace } from 'three';
import type { Vec3 } from '../../math/vec3.js';
import { sunOver } from '../standard-views.js';
import type { Theme } from './theme.js';

export class Lights {
  readonly root = new Group();
  readonly #sky = new HemisphereLight();
  readonly #sun = new DirectionalLight();
  readonly #lamp = new DirectionalLight();
  readonly #towards: Vec3;

  constructor(right: Vec3, front: Vec3, up: Vec3, camera: Object3D) {
    this.#sky.position.set(...up);
    this.#towards = sunOver(right, front, up);
    const { shadow } = this.#sun;
    shadow.mapSize.set(2048, 2048);
    shadow.bias = -0.0004;
    shadow.radius = 2.5;
    this.root.add(this.#sky, this.#sun, this.#sun.target, this.#lamp, this.#lamp.target);
    this.followCamera(camera);
  }

  /** Where no room is mirrored, the sky gives its light as well. */
  isPlain = false;

  setTheme({ sky, bounce, sun, lamp, room }: Theme): void {
    this.#sky.intensity = this.isPlain ? sky + 0.3 * room : sky;
    this.#sky.groundColor.setRGB(bounce[0], bounce[1], bounce[2], SRGBColorSpace);
    this.#sun.intensity = sun;
    this.#lamp.intensity = lamp;
  }

  setShadows(on: boolean): void {
    this.#sun.castShadow = on;
  }

  /** Covers a sphere (stage) with the shadow map. */
  aim(centre: Vec3, radius: number): void {
    const sun = this.#sun;
    const towards = this.#towards;
    sun.target.position.set(...centre);
    sun.position.set(
      centre[0] + 2 * radius * towards[0],
      centre[1] + 2 * radius * towards[1],
      centre[2] + 2 * radius * towards[2],
    );
    const { camera } = sun.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0.5 * radius;
    camera.far = 4.5 * radius;
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = (1.5 * 2 * radius) / sun.shadow.mapSize.x;
  }

  followCamera(camera: Object3D): void {
    this.#lamp.position.copy(camera.position);
    const e = camera.matrixWorld.elements;
    this.#lamp.target.position.set(camera.position.x - e[8], camera.position.y - e[9], camera.position.z - e[10]);
    // a little to the right of the eye, so that faces straight ahead have a shade
    this.#lamp.position.x += 0.25 * e[0] + 0.15 * e[4];
    this.#lamp.position.y += 0.25 * e[1] + 0.15 * e[5];
    this.#lamp.position.z += 0.25 * e[2] + 0.15 * e[6];
  }

  dispose(): void {
    this.#sun.dispose();
    this.#lamp.dispose();
    this.#sky.dispose();
  }
}
