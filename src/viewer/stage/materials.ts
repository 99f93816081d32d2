/**
 * Materials of the stage. Faces are three's own materials with two things added: a tint for each instance (colour and opacity), and
 * a value at each vertex that is turned into a colour after interpolation, so that the legend holds inside triangles too.
 */
import {
  Color,
  DataTexture,
  DoubleSide,
  LinearFilter,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  RGBAFormat,
  ShaderMaterial,
  SRGBColorSpace,
  UnsignedByteType,
  Vector2,
  Vector4,
} from 'three';
import type { Colour } from '../../geometry/solid.js';
import { scaleTable } from '../../results/scene/colour-scale.js';
import { MirroredRoom, ROOM, ROOM_HEAD } from './mirrored-room.js';
import type { Theme } from './theme.js';

export type FaceState = 'solid' | 'clear' | 'wire';
/**
 * Where the colour of a point comes from: the tint alone, the tint in two tones on a ball, times colours of the geometry, rates
 * (quantity.ts), or values per vertex.
 */
export type FaceColour = 'tint' | 'ball' | 'geometry' | 'rates' | 'values';

/** Opacity of bodies that are made transparent by hand. */
export const CLEAR = 0.3;

export class Materials {
  /** Lowest value and one over the span, for all faces of kind `rates` */
  readonly range = new Vector2(0, 1);
  readonly signed = { value: 0 };
  /** Whether balls have two tones */
  readonly tones = { value: 1 };
  /** What shining things mirror */
  readonly room = new MirroredRoom();
  readonly edge: ShaderMaterial;
  /** For the outline of what is chosen */
  readonly chosen = new MeshBasicMaterial({ color: 0xffffff });
  readonly #scale: DataTexture;
  readonly #faces = new Map<string, Material>();
  readonly #pixels = { value: 1 };
  readonly #edgeColour = new Vector4();

  /** @param plain without highlights, for scenes where every pixel counts */
  constructor(private readonly plain: boolean) {
    this.#scale = new DataTexture(scaleTable(256), 256, 1, RGBAFormat, UnsignedByteType);
    this.#scale.colorSpace = SRGBColorSpace;
    this.#scale.minFilter = this.#scale.magFilter = LinearFilter;
    this.#scale.needsUpdate = true;
    this.edge = new ShaderMaterial({
      uniforms: { ink: { value: this.#edgeColour }, pixels: this.#pixels, reach: { value: 1 } },
      vertexShader: EDGE_VERTEX,
      fragmentShader:
        'uniform vec4 ink; varying float vInk; void main() { gl_FragColor = vec4(ink.rgb, ink.a * vInk); }',
      transparent: true,
      depthWrite: false,
    });
  }

  setTheme({ edge, room }: Theme): void {
    this.room.intensity.value = room;
    this.#edgeColour.set(edge[0], edge[1], edge[2], edge[3]);
  }

  /** Pixels that a length of 1 across the view takes at the depth of 1. */
  setPixels(pixels: number): void {
    this.#pixels.value = pixels;
  }

  /** Lines of a shape of about that half width: fainter where it is only a few pixels wide. */
  edgeOf(reach: number): ShaderMaterial {
    const key = `edge ${reach}`;
    let material = this.#faces.get(key) as ShaderMaterial | undefined;
    if (!material) {
      material = this.edge.clone();
      material.uniforms = { ...this.edge.uniforms, reach: { value: reach } };
      this.#faces.set(key, material);
    }
    return material;
  }

  face(state: FaceState, colour: FaceColour): Material {
    const key = `${state} ${colour}`;
    let material = this.#faces.get(key);
    if (!material) {
      material = this.#make(state, colour, this.range);
      this.#faces.set(key, material);
    }
    return material;
  }

  /** For a surface with values of its own; `name` tells surfaces apart. */
  surface(name: string, colour: FaceColour, range: Vector2, state: FaceState): Material {
    const key = `surface ${state} ${colour} ${name}`;
    let material = this.#faces.get(key);
    if (!material) {
      material = this.#make(state, colour, range);
      this.#faces.set(key, material);
    }
    return material;
  }

  #make(state: FaceState, colour: FaceColour, range: Vector2): Material {
    const common = {
      color: new Color(1, 1, 1),
      vertexColors: colour === 'geometry',
      side: DoubleSide,
      transparent: state === 'clear',
      depthWrite: state !== 'clear',
      wireframe: state === 'wire',
      // Faces step back a little, so that the lines on them are seen
      polygonOffset: state !== 'wire',
      // and those that are seen through a little more: where they touch others they are behind
      polygonOffsetFactor: state === 'clear' ? 2 : 1,
      polygonOffsetUnits: state === 'clear' ? 4 : 1,
    };
    const material = this.plain
      ? new MeshLambertMaterial(common)
      : new MeshStandardMaterial({ ...common, roughness: 0.55, metalness: 0.05 });
    const kind = colour === 'rates' ? 1 : colour === 'values' ? 2 : 0;
    const isBall = colour === 'ball';
    material.defines = { ...material.defines, VALUED: kind, BALL: isBall ? 1 : 0 };
    material.onBeforeCompile = (shader) => {
      shader.uniforms.range = { value: range };
      shader.uniforms.signedValue = this.signed;
      shader.uniforms.tones = this.tones;
      shader.uniforms.roomAxes = this.room.axes;
      shader.uniforms.roomLight = this.room.intensity;
      shader.uniforms.colourScale = { value: this.#scale };
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${FACE_VERTEX_HEAD}`)
        .replace('#include <begin_vertex>', `#include <begin_vertex>\n${FACE_VERTEX}`);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${FACE_FRAGMENT_HEAD}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${FACE_FRAGMENT}`)
        // what has no gloss of its own, as surfaces have not, keeps that of the material
        .replace('#include <metalnessmap_fragment>', `#include <metalnessmap_fragment>\n${GLOSS}`);
      if (!this.plain)
        shader.fragmentShader = shader.fragmentShader
          .replace('#include <common>', `#include <common>\n${ROOM_HEAD}`)
          .replace('#include <lights_fragment_end>', `#include <lights_fragment_end>\n${ROOM}`);
    };
    material.customProgramCacheKey = () => `face ${isBall ? 'ball' : kind}`;
    return material;
  }

  dispose(): void {
    for (const material of this.#faces.values()) material.dispose();
    this.edge.dispose();
    this.chosen.dispose();
    this.#scale.dispose();
  }
}

/** sRGB as written by people to the linear light that three multiplies. */
export function lightOf([r, g, b]: Colour | readonly [number, number, number]): Color {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}

const FACE_VERTEX_HEAD = /* glsl */ `
attribute vec4 tint;
attribute vec2 gloss;
varying vec4 vTint;
varying vec2 vGloss;
#if VALUED == 1
attribute vec4 rateX;
attribute vec4 rateY;
attribute vec4 rateZ;
attribute float known;
uniform float signedValue;
#elif VALUED == 2
attribute float value;
#endif
#if VALUED > 0
varying float vValue;
varying float vKnown;
#endif
#if BALL == 1
varying vec3 vPlace;
#endif
`;
const FACE_VERTEX = /* glsl */ `
vTint = tint;
vGloss = gloss;
#if BALL == 1
vPlace = position;
#endif
#if VALUED == 1
vec4 valueAt = vec4(position, 1.0);
vec3 rate = vec3(dot(rateX, valueAt), dot(rateY, valueAt), dot(rateZ, valueAt));
vValue = signedValue > 0.5 ? rate.x : length(rate);
vKnown = known;
#elif VALUED == 2
vValue = value;
vKnown = 1.0;
#endif
`;
const FACE_FRAGMENT_HEAD = /* glsl */ `
varying vec4 vTint;
varying vec2 vGloss;
#if VALUED > 0
varying float vValue;
varying float vKnown;
uniform vec2 range;
uniform sampler2D colourScale;
#endif
#if BALL == 1
varying vec3 vPlace;
uniform float tones;
#endif
`;
// Octants of a ball in turn a little darker, so that its turning is seen; a pixel across their edge, and a ball of a few pixels, gets both.
const FACE_FRAGMENT = /* glsl */ `
diffuseColor *= vTint;
#if BALL == 1
vec3 octant = clamp(vPlace / max(fwidth(vPlace), 1e-6), -1.0, 1.0);
diffuseColor.rgb *= 1.0 - tones * 0.1 * (1.0 - octant.x * octant.y * octant.z);
#endif
#if VALUED > 0
float scaled = clamp((vValue - range.x) * range.y, 0.0, 1.0);
vec3 valueColour = texture2D(colourScale, vec2((scaled * 255.0 + 0.5) / 256.0, 0.5)).rgb;
diffuseColor.rgb = mix(diffuseColor.rgb, valueColour, step(0.5, vKnown));
#endif
`;

const GLOSS = /* glsl */ `
if (vGloss.x > 0.0) {
  roughnessFactor = vGloss.x;
  metalnessFactor = vGloss.y;
}
`;

const EDGE_VERTEX = /* glsl */ `
attribute mat4 place;
uniform float pixels;
uniform float reach;
varying float vInk;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * place * vec4(position, 1.0);
  vec4 middle = projectionMatrix * modelViewMatrix * place * vec4(0.0, 0.0, 0.0, 1.0);
  float size = reach * length(place[0].xyz) * pixels / max(middle.w, 1e-12);
  vInk = clamp((size - 1.5) / 8.0, 0.0, 1.0);
}
`;
