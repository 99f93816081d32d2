/**
 * Ground: the planes of half-spaces, and a grid of round lengths on the one that is level, or under the bodies where there is none.
 * The level one goes on without end and fades away; the others end with their mesh. Shadows fall on all of them.
 */
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShadowMaterial, SRGBColorSpace, Vector2, Vector4 } from 'three';
import type { Colour } from '../../geometry/solid.js';
import { cross, dot, normalize, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { halfSpacePlane, type Plane } from './half-space-plane.js';
import type { Placement } from './placement.js';
import { strongLength } from './round-length.js';
import type { Theme } from './theme.js';

export interface GroundPlane {
  /** −1 for the bare grid */
  readonly body: number;
  readonly part: number;
  readonly plane: Plane;
  readonly endless: boolean;
  /** Middle of what is drawn of it (world) and how far that goes from there, m */
  middle: Vec3;
  reach: number;
}

interface Sheet extends GroundPlane {
  readonly mesh: Mesh<PlaneGeometry, ShadowMaterial>;
  readonly colour: Colour | undefined;
  readonly uniforms: {
    readonly base: { value: Vector4 };
    readonly ink: { value: Vector4 };
    /** Grid lengths and where its lines start, in lengths of the sheet; least opacity of shadows */
    readonly cell: { value: Vector2 };
    readonly start: { value: Vector2 };
    readonly shade: { value: number };
    readonly halfSize: { value: number };
  };
}

export class Ground {
  readonly root = new Group();
  readonly sheets: readonly Sheet[];
  grid = true;

  constructor(
    scene: Scene,
    private readonly placement: Placement,
    /** World point under everything that is drawn */
    lowest: Vec3,
  ) {
    const found: Pick<GroundPlane, 'body' | 'part' | 'plane'>[] = [];
    scene.bodies.forEach(({ parts }, body) => {
      parts.forEach(({ shape }, part) => {
        if (scene.shapes[shape].form !== 'halfSpace') return;
        const plane = halfSpacePlane(scene.shapes[shape], scene.up);
        if (plane) found.push({ body, part, plane });
      });
    });
    const level = found.findIndex(({ body, plane }) => dot(placement.direction(body, plane.normal), scene.up) > 0.9);
    if (level < 0)
      found.push({
        body: -1,
        part: 0,
        plane: { point: lowest, normal: scene.up, along: gridAxis(scene.up), extent: 1 },
      });
    this.sheets = found.map((ground, i) =>
      makeSheet(
        { ...ground, endless: i === level || ground.body < 0, middle: ground.plane.point, reach: ground.plane.extent },
        ground.body < 0 ? undefined : scene.bodies[ground.body].parts[ground.part].colour,
      ),
    );
    for (const { mesh } of this.sheets) this.root.add(mesh);
  }

  setTheme(theme: Theme): void {
    for (const { uniforms, colour, body } of this.sheets) {
      const base = (k: number): number =>
        colour ? theme.groundKeeps * colour[k] + (1 - theme.groundKeeps) * theme.ground[k] : theme.ground[k];
      const light = new Color().setRGB(base(0), base(1), base(2), SRGBColorSpace);
      uniforms.base.value.set(light.r, light.g, light.b, body >= 0 ? 1 : 0);
      const ink = new Color().setRGB(theme.grid[0], theme.grid[1], theme.grid[2], SRGBColorSpace);
      uniforms.ink.value.set(ink.r, ink.g, ink.b, theme.grid[3]);
      uniforms.shade.value = theme.shadow;
    }
  }

  setLooks(isVisible: (body: number) => boolean, isClear: (body: number) => boolean): void {
    for (const { mesh, body, uniforms } of this.sheets) {
      mesh.visible = body < 0 ? this.grid : isVisible(body);
      if (body >= 0) uniforms.base.value.w = isClear(body) ? 0.35 : 1;
    }
  }

  /**
   * @param target  what is looked at, stage
   * @param reach   how far the endless ground goes, stage
   * @param spacing of the grid, m
   */
  update(target: Vec3, reach: number, spacing: number): void {
    const { origin, scale } = this.placement;
    for (const sheet of this.sheets) {
      const { body, plane, mesh, uniforms, endless } = sheet;
      const normal = this.placement.direction(body, plane.normal);
      const along = this.placement.direction(body, plane.along);
      const across = cross(normal, along);
      const anchor = this.placement.point(body, plane.point);
      // The middle of the sheet in world m: under what is looked at, or where the mesh is
      let middle = anchor;
      if (endless) {
        const aim: Vec3 = [target[0] / scale + origin[0], target[1] / scale + origin[1], target[2] / scale + origin[2]];
        const above = dot(sub(aim, anchor), normal);
        middle = [aim[0] - above * normal[0], aim[1] - above * normal[1], aim[2] - above * normal[2]];
      }
      const half = endless ? reach : plane.extent * scale;
      const m = mesh.matrix.elements;
      const columns = [along, across, normal, middle];
      for (let c = 0; c < 4; c++)
        for (let k = 0; k < 3; k++)
          m[4 * c + k] = c < 2 ? columns[c][k] * half : c === 2 ? columns[c][k] : (middle[k] - origin[k]) * scale;
      mesh.matrixWorldNeedsUpdate = true;
      // Lines lie at multiples of the spacing from the world's origin, however far the sheet has moved
      const strong = strongLength(spacing);
      const place = endless ? middle : ZERO;
      const [x, y] = [dot(place, along), dot(place, across)];
      uniforms.cell.value.set(this.grid ? spacing * scale : 0, strong * scale);
      uniforms.start.value.set(
        (x - strong * Math.floor(x / strong)) * scale,
        (y - strong * Math.floor(y / strong)) * scale,
      );
      uniforms.halfSize.value = half;
      sheet.middle = middle;
      sheet.reach = half / scale;
    }
  }

  dispose(): void {
    for (const { mesh } of this.sheets) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

const ZERO: Vec3 = [0, 0, 0];
const gridAxis = (up: Vec3): Vec3 => {
  const axis: Vec3 = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
  const along = dot(axis, up);
  return normalize([axis[0] - along * up[0], axis[1] - along * up[1], axis[2] - along * up[2]]);
};

function makeSheet(ground: GroundPlane, colour: Colour | undefined): Sheet {
  const uniforms: Sheet['uniforms'] = {
    base: { value: new Vector4() },
    ink: { value: new Vector4() },
    cell: { value: new Vector2() },
    start: { value: new Vector2() },
    shade: { value: 0.3 },
    halfSize: { value: 1 },
  };
  const material = new ShadowMaterial({ side: DoubleSide, depthWrite: ground.body >= 0 });
  material.polygonOffset = true;
  material.polygonOffsetFactor = 2;
  material.polygonOffsetUnits = 4;
  material.defines = { ENDLESS: ground.endless ? 1 : 0 };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vPlace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlace = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${HEAD}`)
      .replace(/gl_FragColor = .*;/, BODY);
  };
  material.customProgramCacheKey = () => 'ground';
  const mesh = new Mesh(new PlaneGeometry(2, 2), material);
  mesh.matrixAutoUpdate = false;
  mesh.frustumCulled = false;
  mesh.receiveShadow = true;
  // Before all that is transparent: whatever else is, stands on it
  mesh.renderOrder = -1;
  return { ...ground, mesh, colour, uniforms };
}

const HEAD = /* glsl */ `
varying vec2 vPlace;
uniform vec4 base;
uniform vec4 ink;
uniform vec2 cell;
uniform vec2 start;
uniform float shade;
uniform float halfSize;
// Part of a pixel that lines of 1 px at multiples of the spacing cover; none where they would run into each other
float lines(vec2 at, float spacing) {
  vec2 turns = at / spacing;
  vec2 width = max(fwidth(turns), vec2(1e-6));
  vec2 off = abs(fract(turns - 0.5) - 0.5) / width;
  vec2 cover = (1.0 - clamp(off - 0.2, 0.0, 1.0)) * (1.0 - smoothstep(0.12, 0.4, width));
  return max(cover.x, cover.y);
}
`;
const BODY = /* glsl */ `
float shadow = (1.0 - getShadowMask()) * shade;
#if ENDLESS == 1
float fade = 1.0 - smoothstep(0.25, 1.0, length(vPlace));
#else
vec2 rim = smoothstep(vec2(0.0), vec2(0.04), 1.0 - abs(vPlace));
float fade = 0.35 + 0.65 * rim.x * rim.y;
#endif
float line = 0.0;
if (cell.x > 0.0) {
  vec2 at = vPlace * halfSize + start;
  line = ink.a * max(lines(at, cell.x), 2.2 * lines(at, cell.y));
}
// Seen from below the ground is only lines
float body = gl_FrontFacing ? base.a : 0.0;
if (!gl_FrontFacing) shadow = 0.0;
vec3 dark = base.rgb * (1.0 - shadow);
float ground = body > 0.0 ? body : shadow;
vec3 surface = body > 0.0 ? dark : vec3(0.0);
float alpha = line + ground * (1.0 - line);
vec3 colour = alpha > 0.0 ? (ink.rgb * line + surface * ground * (1.0 - line)) / alpha : vec3(0.0);
gl_FragColor = vec4(colour, alpha * fade);
`;
