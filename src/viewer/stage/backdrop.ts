/** What is behind everything: a gradient from top to bottom. */
import { Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';
import type { Theme } from './theme.js';

export class Backdrop {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #top = new Vector3();
  readonly #bottom = new Vector3();

  constructor() {
    const material = new ShaderMaterial({
      uniforms: { top: { value: this.#top }, bottom: { value: this.#bottom } },
      vertexShader: 'varying float vUp; void main() { vUp = uv.y; gl_Position = vec4(position.xy, 1.0, 1.0); }',
      fragmentShader: /* glsl */ `
        uniform vec3 top; uniform vec3 bottom; varying float vUp;
        void main() { gl_FragColor = vec4(mix(bottom, top, vUp), 1.0); }`,
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1000;
  }

  setTheme({ skyTop, skyBottom }: Theme): void {
    this.#top.set(...skyTop);
    this.#bottom.set(...skyBottom);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
