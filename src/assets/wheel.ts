/**
 * Wheels with grousers, as one closed mesh: the axle along y, rolling along x, the centre at the origin.
 *
 * The outside is a graph r = R(φ, y) over angle and width: crown and shoulders depend on y, a grouser adds a trapezoid whose flanks lean
 * by (root − tip)/2 over its height, so nothing stands upright and one regular grid of rows (y) and columns (φ) covers it. Columns run along the
 * grousers' centre lines φ_c(y): straight 0, slanted y tan α/r, chevron |y| tan α/r, zigzag there and back in quarters of the width.
 * Corners of the trapezoids are columns, so edges are sharp and exact.
 *
 * Buse et al. (2023), §3.2 and Fig. 1.
 */

import { union } from '../geometry/csg/boolean.js';
import { box, cylinder } from '../geometry/primitives.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { rotate, translate } from '../geometry/transform.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { asin, cos, PI, sin, tan } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import { monotoneCubic } from './monotone-cubic.js';
import { type Asset, assetId } from './parameters.js';
import { type WheelOptions, type WheelParameters, wheelParameters } from './wheel-parameters.js';

const VERSION = 1;

export interface WheelAsset extends Asset {
  readonly kind: 'wheel';
  readonly parameters: WheelParameters;
  readonly solid: Solid;
  /** Largest distance of the tread's chords from its circle, m */
  readonly chordError: number;
  /** The wheel of convex pieces: a cylinder, and one or two boxes for each grouser, as deepest-point contact wants them */
  readonly convexParts: () => readonly Solid[];
}

export const wheelId = (options: WheelOptions = {}): string => assetId('wheel', VERSION, wheelParameters(options));

/**
 * A wheel: radius, width, profile of the tread, grousers, spokes.
 *
 * @example const { solid } = wheel({ radius: 0.12, grouser: { count: 24, shape: 'chevron', angle: 0.5 } });
 * @throws ModelError naming the parameter that is out of its limits
 */
export function wheel(options: WheelOptions = {}): WheelAsset {
  const parameters = wheelParameters(options);
  const id = assetId('wheel', VERSION, parameters);
  const rim: Solid = { mesh: rimMesh(parameters), form: { kind: 'mesh' }, pose: ORIGIN };
  const solid = parameters.spokes.count > 0 ? union(rim, ...spokes(parameters)) : rim;
  return {
    kind: 'wheel',
    id,
    name: `wheel_${id}`,
    parameters,
    solid,
    chordError: parameters.radius * (1 - cos(PI / parameters.segments)),
    convexParts: () => convexParts(parameters),
  };
}

/** Radius of the tread at y, without grousers, m */
export function treadRadius({ radius, width, profile }: WheelParameters): (y: number) => number {
  const { type, curvatureRadius: R, edgeFillet: f, points } = profile;
  const spline = type === 'points' ? monotoneCubic(points) : undefined;
  const sag = (y: number): number => R - Math.sqrt(R * R - y * y);
  return (y) => {
    const crown = spline ? spline(y) : type === 'flat' ? 0 : type === 'convex' ? -sag(y) : sag(y) - sag(width / 2);
    const over = f > 0 ? Math.max(0, Math.abs(y) - (width / 2 - f)) : 0;
    return radius + crown - (over > 0 ? f - Math.sqrt(Math.max(0, f * f - over * over)) : 0);
  };
}

/** Angle by which the grouser's centre line is turned at y, rad */
export function grouserLine({ radius, width, grouser: { shape, angle } }: WheelParameters): (y: number) => number {
  const slope = tan(angle) / radius;
  if (shape === 'straight') return () => 0;
  if (shape === 'slanted') return (y) => y * slope;
  if (shape === 'chevron') return (y) => Math.abs(y) * slope;
  const quarter = width / 4; // zigzag: up and down by one quarter of the width
  return (y) => Math.abs(Math.abs(y) - quarter) * slope;
}

function rimMesh(p: WheelParameters): TriangleMesh {
  const { grouser, innerRadius } = p;
  const rows = rowsAcross(p);
  const columns = columnsAround(p);
  const tread = treadRadius(p);
  const line = grouserLine(p);
  const [ny, nc] = [rows.length, columns.length];
  const hollow = innerRadius > 0;
  const vertices = new Float64Array(3 * (ny * nc * (hollow ? 2 : 1) + (hollow ? 0 : 2)));
  for (let i = 0; i < ny; i++)
    for (let k = 0; k < nc; k++) {
      const { y, cover } = rows[i];
      const angle = columns[k].angle + line(y);
      const r = tread(y) + (grouser.count > 0 ? grouser.height * cover * columns[k].rise : 0);
      const [c, s] = [cos(angle), sin(angle)];
      const at = 3 * (i * nc + k);
      vertices.set([r * s, y, 0 - r * c], at); // φ = 0 points down, φ grows towards +x
      if (hollow) vertices.set([innerRadius * s, y, 0 - innerRadius * c], 3 * ny * nc + at);
    }
  const centre = [ny * nc, ny * nc + 1];
  if (!hollow) {
    vertices.set([0, rows[0].y, 0], 3 * centre[0]);
    vertices.set([0, rows[ny - 1].y, 0], 3 * centre[1]);
  }
  const triangles: number[] = [];
  const quad = (a: number, b: number, c: number, d: number): void => void triangles.push(a, c, b, a, d, c);
  for (let k = 0; k < nc; k++) {
    const l = k + 1 === nc ? 0 : k + 1;
    for (let i = 0; i + 1 < ny; i++) {
      const [a, b, c, d] = [i * nc + k, i * nc + l, (i + 1) * nc + l, (i + 1) * nc + k];
      quad(a, b, c, d);
      if (hollow) quad(ny * nc + a, ny * nc + d, ny * nc + c, ny * nc + b);
    }
    const top = (ny - 1) * nc;
    if (hollow) {
      quad(k, ny * nc + k, ny * nc + l, l);
      quad(top + k, top + l, ny * nc + top + l, ny * nc + top + k);
    } else triangles.push(k, l, centre[0], top + k, centre[1], top + l);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

/** Rows across the width, from −b/2 to b/2, with the part of the grouser's height that stands there. */
function rowsAcross(p: WheelParameters): { y: number; cover: number }[] {
  const { width, profile, grouser, radius, segments } = p;
  const half = width / 2;
  const places = new Set([-half, half, 0]);
  const curved = profile.type !== 'flat';
  // A shifted column runs along a screw line: rows so close that its chords are as good as those of the tread
  const turn = grouser.count > 0 ? Math.abs(tan(grouser.angle)) * (width / radius) : 0;
  const slices = Math.max(
    curved ? 16 : 2,
    grouser.shape === 'straight' ? 2 : 2 * Math.ceil((turn * segments) / (4 * PI)),
  );
  for (let i = 1; i < slices; i++) places.add(((2 * i) / slices - 1) * half);
  if (grouser.count > 0 && grouser.shape === 'zigzag') places.add(-width / 4).add(width / 4);
  if (profile.edgeFillet > 0)
    for (let i = 0; i < 6; i++) {
      const inward = half - profile.edgeFillet * (1 - sin((i * PI) / 2 / 6));
      places.add(inward).add(-inward);
    }
  const covered = (half * grouser.widthRatio) as number;
  const partly = grouser.count > 0 && grouser.widthRatio < 1;
  const lean = Math.min((grouser.root - grouser.tip) / 2, 0.25 * covered, 0.5 * (half - covered) || 1);
  if (partly)
    places
      .add(covered - lean)
      .add(-(covered - lean))
      .add(covered)
      .add(-covered);
  const sorted = [...places].sort((a, b) => a - b);
  const apart = 1e-7; // rows closer than this are one
  return sorted
    .filter((y, i) => i === 0 || i === sorted.length - 1 || (y - sorted[i - 1] > apart && half - Math.abs(y) > apart))
    .map((y) => ({
      y,
      cover: !partly ? 1 : Math.abs(y) >= covered - apart ? 0 : Math.abs(y) <= covered - lean + apart ? 1 : 0,
    }));
}

/** Columns around the axle: the corners of each grouser, and the tread between them. */
function columnsAround({ radius, grouser, segments }: WheelParameters): { angle: number; rise: number }[] {
  const { count, height, root, tip, phase } = grouser;
  if (count === 0) return Array.from({ length: segments }, (_, k) => ({ angle: (2 * PI * k) / segments, rise: 0 }));
  const pitch = (2 * PI) / count;
  const atRoot = asin(Math.min(1, root / 2 / radius));
  const atTip = asin(Math.min(1, tip / 2 / (radius + height)));
  const between = Math.max(1, Math.ceil(((pitch - 2 * atRoot) * segments) / (2 * PI)));
  const across = Math.max(1, Math.ceil((2 * atTip * segments) / (2 * PI)));
  const columns: { angle: number; rise: number }[] = [];
  for (let g = 0; g < count; g++) {
    const middle = pitch * (g + phase);
    columns.push({ angle: middle - atRoot, rise: 0 });
    for (let i = 0; i <= across; i++) columns.push({ angle: middle + atTip * ((2 * i) / across - 1), rise: 1 });
    for (let i = 0; i < between; i++)
      columns.push({ angle: middle + atRoot + ((pitch - 2 * atRoot) * i) / between, rise: 0 });
  }
  return columns;
}

/** Hub and spokes, reaching a little into the rim so that the union is one solid */
function spokes({
  radius,
  width,
  innerRadius,
  spokes: { count, thickness, width: wide, hubRadius },
}: WheelParameters): Solid[] {
  const upright: Vec3 = [1, 0, 0];
  const reach = innerRadius + Math.min(0.5 * (radius - innerRadius), 0.25 * thickness + 0.1 * (radius - innerRadius));
  const hub = rotate(
    { axis: upright, angle: PI / 2 },
    cylinder({ radius: hubRadius, height: Math.min(width, wide * 1.5), segments: 48 }),
  );
  const one = translate([0, 0, reach / 2], box([thickness, wide, reach]));
  return [
    hub,
    ...Array.from({ length: count }, (_, k) => rotate({ axis: [0, 1, 0], angle: (2 * PI * k) / count }, one)),
  ];
}

/** Buse et al. (2023), §4.1: a wheel is a cylinder with a cuboid for each grouser; chevron and zigzag take more, straight ones each. */
function convexParts(p: WheelParameters): Solid[] {
  const { radius, width, grouser, segments } = p;
  const { count, height, root, tip, shape, angle, widthRatio, phase } = grouser;
  const parts = [rotate({ axis: [1, 0, 0], angle: PI / 2 }, cylinder({ radius, height: width, segments }))];
  if (count === 0) return parts;
  const line = grouserLine(p);
  const half = (width * widthRatio) / 2;
  const pieces: [number, number][] =
    shape === 'straight' || shape === 'slanted'
      ? [[-half, half]]
      : shape === 'chevron'
        ? [
            [-half, 0],
            [0, half],
          ]
        : [
            [-half, -width / 4],
            [-width / 4, 0],
            [0, width / 4],
            [width / 4, half],
          ];
  for (let g = 0; g < count; g++)
    for (const [from, to] of pieces.filter(([a, b]) => b > a)) {
      const middle = (from + to) / 2;
      const turned = shape === 'straight' ? 0 : line(to) > line(from) ? Math.abs(angle) : -Math.abs(angle);
      const long = (to - from) / cos(turned);
      const depth = Math.min(height, 0.2 * radius); // how far the box reaches into the cylinder
      const upright = box([(root + tip) / 2, long, height + depth]);
      const slant = rotate({ axis: [0, 0, 1], angle: turned }, upright);
      const placed = translate([0, middle, 0 - (radius + (height - depth) / 2)], slant);
      parts.push(rotate({ axis: [0, 1, 0], angle: 0 - (((2 * PI) / count) * (g + phase) + line(middle)) }, placed));
    }
  return parts;
}
