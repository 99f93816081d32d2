/**
 * The room that shining things mirror, as a formula: no picture of it is loaded or filtered, so it costs next to nothing, also without a graphics card. Light comes from a sky that is bright
 * above and dim below, from a bright band at the horizon, which is what makes round metal look round, and from two windows, one over the left shoulder of a person at the front and a
 * weaker one behind. The rougher a surface, the wider each of them:
 *
 *   L(r) = mix(ground, sky, smoothstep(h)) + band e^{−h²/(0.03 + α²)} + Σ window max(0, r·w)^{2/(0.02 + α²)},   h = r·up,  α roughness
 *
 * and what is mirrored is L (F₀ + (1 − F₀)(1 − n·v)⁵ (1 − α)), F₀ = 0.04 or the colour of a metal (Schlick 1994).
 */
import { Matrix3 } from 'three';
import type { Vec3 } from '../../math/vec3.js';

export class MirroredRoom {
  /** Columns: right, front, up of the room in the world's axes */
  readonly axes = { value: new Matrix3() };
  readonly intensity = { value: 0 };

  setAxes(right: Vec3, front: Vec3, up: Vec3): void {
    this.axes.value.set(right[0], front[0], up[0], right[1], front[1], up[1], right[2], front[2], up[2]);
  }
}

export const ROOM_HEAD = /* glsl */ `
uniform mat3 roomAxes;
uniform float roomLight;
vec3 mirrored(vec3 away, float rough) {
  vec3 r = away * mat3(viewMatrix) * roomAxes;
  float wide = rough * rough;
  float light = mix(0.42, 0.8, smoothstep(-0.1 - rough, 0.1 + rough, r.z));
  light += 0.3 * exp(-r.z * r.z / (0.03 + wide));
  float sharp = 2.0 / (0.02 + wide);
  light += (1.9 / (1.0 + 6.0 * wide)) * pow(max(0.0, dot(r, vec3(-0.61, 0.49, 0.62))), sharp);
  light += (0.8 / (1.0 + 6.0 * wide)) * pow(max(0.0, dot(r, vec3(0.77, -0.51, 0.38))), sharp);
  return vec3(light);
}
`;
/** After the lamps, where three's own light of an environment would come */
export const ROOM = /* glsl */ `
{
  vec3 towards = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(vViewPosition);
  vec3 own = mix(vec3(0.04), diffuseColor.rgb, metalnessFactor);
  float slant = pow(1.0 - clamp(dot(normal, towards), 0.0, 1.0), 5.0) * (1.0 - roughnessFactor);
  reflectedLight.indirectSpecular += roomLight * mirrored(reflect(-towards, normal), roughnessFactor) * (own + (1.0 - own) * slant);
}
`;
