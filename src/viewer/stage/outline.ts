/**
 * A line around what is chosen, also where something hides it: the chosen are drawn white on black on the side, and pixels near the
 * border of the white become the line.
 */
import {
  type Camera,
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { CHOSEN_LAYER } from './part-group.js';
import type { Theme } from './theme.js';

export class Outline {
  readonly #mask = new WebGLRenderTarget(1, 1, { depthBuffer: true });
  readonly #step = new Vector2();
  readonly #colour = new Vector3();
  readonly #quad: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #stage = new Scene();
  readonly #eye = new OrthographicCamera(-1, 1, 1, -1, 0, 1);

  constructor() {
    const material = new ShaderMaterial({
      uniforms: { mask: { value: this.#mask.texture }, texel: { value: this.#step }, colour: { value: this.#colour } },
      vertexShader: 'varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.#quad = new Mesh(new PlaneGeometry(2, 2), material);
    this.#quad.frustumCulled = false;
    this.#stage.add(this.#quad);
  }

  setTheme({ accent }: Theme): void {
    this.#colour.set(...accent);
  }

  /** Width and height of the drawing buffer, px; the line is 2 CSS px wide. */
  resize(width: number, height: number, pixelRatio: number): void {
    this.#mask.setSize(Math.max(1, width), Math.max(1, height));
    this.#step.set(pixelRatio / Math.max(1, width), pixelRatio / Math.max(1, height));
  }

  draw(renderer: WebGLRenderer, scene: Scene, camera: Camera): void {
    const { autoClear } = renderer;
    camera.layers.set(CHOSEN_LAYER);
    renderer.setRenderTarget(this.#mask);
    renderer.setClearColor(0x000000, 1);
    renderer.clear();
    renderer.autoClear = false;
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    camera.layers.set(0);
    renderer.render(this.#stage, this.#eye);
    renderer.autoClear = autoClear;
  }

  dispose(): void {
    this.#mask.dispose();
    this.#quad.geometry.dispose();
    this.#quad.material.dispose();
  }
}

const FRAGMENT = /* glsl */ `
uniform sampler2D mask;
uniform vec2 texel;
uniform vec3 colour;
varying vec2 vAt;
void main() {
  float here = texture2D(mask, vAt).r;
  float near = 0.0;
  for (int i = 0; i < 12; i++) {
    float turn = float(i) * 0.5235987756;
    near += texture2D(mask, vAt + 2.0 * texel * vec2(cos(turn), sin(turn))).r;
  }
  float line = (1.0 - here) * smoothstep(0.0, 3.0, near);
  if (line <= 0.0) discard;
  gl_FragColor = vec4(colour, line);
}
`;
