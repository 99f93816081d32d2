/**
 * Cylinders, frustums, capsules and ellipsoids as facets that are fine where they touch, as sphere-facets.ts does for spheres: the chords
 * of a drawing mesh are deeper than most overlaps.
 *
 * A cylinder or frustum is its profile turned about z. Generators lie a fraction of the patch's width apart at the contact and farther
 * apart behind it. So do the corners on the arcs of an extrusion's outline.
 */
import { arcCircle, bulgeOf, edgePoint } from '../../geometry/arc.js';
import { extrude } from '../../geometry/extrude.js';
import type { Outline, Polygon, Profile } from '../../geometry/profile.js';
import type { Pose } from '../../geometry/solid.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { conjugate, rotate } from '../../math/quaternion.js';
import { add, dot, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { ExactForm } from '../../results/scene.js';
import { SECTORS, sphereFacets } from './sphere-facets.js';

/** A contact as seen from the body that touches. */
export interface Touch {
  readonly point: Vec3;
  readonly depth: number;
  /** Half axes of the patch, m */
  readonly axes: readonly Vec3[];
}

const STEPS = 14; // from the middle of the patch to its edge
const WIDEST = 0.12; // rad: 52 generators and more around all
const GROWTH = 1.5;
/** A patch of another shape reaches farther than the ellipse of its moments: the corner of a square 1.22 times. */
const MARGIN = 1.3;

/** In the body's frame; undefined for forms that are made elsewhere. @param side 0 or 1: facets of two bodies do not coincide */
export function roundFacets(form: ExactForm, pose: Pose, touch: Touch, side: 0 | 1): TriangleMesh | undefined {
  const back = conjugate(pose.orientation);
  const point = rotate(back, sub(touch.point, pose.position));
  const own = { point, depth: touch.depth, axes: touch.axes.map((axis) => rotate(back, axis)) };
  const mesh = facetsOf(form, own, side);
  if (!mesh) return undefined;
  const { vertices, triangles } = mesh;
  const placed = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3)
    placed.set(
      add(
        rotate(pose.orientation, [vertices[i], vertices[i + 1], vertices[i + 2]]),
        pose.position,
      ) as unknown as number[],
      i,
    );
  return { vertices: placed, triangles };
}

function facetsOf(form: ExactForm, touch: Touch, side: 0 | 1): TriangleMesh | undefined {
  switch (form.kind) {
    case 'cylinder':
      return revolved(straight(form.radius, form.radius, form.height), form.radius, touch, side);
    case 'frustum': {
      const { bottomRadius, topRadius, height } = form;
      return revolved(straight(bottomRadius, topRadius, height), Math.max(bottomRadius, topRadius), touch, side);
    }
    case 'capsule':
      return ballOf(form.radius, form.height, touch, side);
    case 'ellipsoid':
      return stretched(form.radii, touch, side);
    case 'extrusion':
      return extruded(form.profile, form.height, touch, side);
    default:
      return undefined;
  }
}

type Meridian = readonly (readonly [radius: number, z: number])[];

const straight = (bottom: number, top: number, height: number): Meridian =>
  [
    [0, -height / 2] as const,
    [bottom, -height / 2] as const,
    [top, height / 2] as const,
    [0, height / 2] as const,
  ].filter(([radius], i) => i === 0 || i === 3 || radius > 0);

/** Contact laws see the ball of a capsule that is nearest to the contact: its ends on a plane, one on its axis against other round forms. */
function ballOf(radius: number, height: number, touch: Touch, side: 0 | 1): TriangleMesh {
  const centre: Vec3 = [0, 0, Math.min(height / 2, Math.max(-height / 2, touch.point[2]))];
  const reach = Math.max(reachOf(touch), Math.sqrt(2 * radius * touch.depth));
  return sphereFacets(centre, radius, sub(touch.point, centre), reach, (side * Math.PI) / SECTORS);
}

/** The unit sphere stretched along the axes: what is fine there is fine here. */
function stretched(radii: Vec3, touch: Touch, side: 0 | 1): TriangleMesh {
  const shrunk = (v: Vec3): Vec3 => [v[0] / radii[0], v[1] / radii[1], v[2] / radii[2]];
  const pole = shrunk(touch.point);
  const length = norm(pole) || 1;
  // the plane at depth d below the tangent plane of the ellipsoid is at d |p/r| below that of the sphere
  const depth = touch.depth * (norm(shrunk(pole)) / length);
  const reach = Math.max(MARGIN * Math.max(0, ...touch.axes.map((axis) => norm(shrunk(axis)))), Math.sqrt(2 * depth));
  const { vertices, triangles } = sphereFacets([0, 0, 0], 1, pole, reach, (side * Math.PI) / SECTORS);
  return { vertices: vertices.map((x, i) => x * radii[i % 3]), triangles };
}

const reachOf = ({ axes }: Touch): number => MARGIN * Math.max(0, ...axes.map(norm));

/** Angles inside (from, to): steps of edge/14 about the middle, wider beyond the edge. */
function around(middle: number, edge: number, offset: number, from: number, to: number): number[] {
  const angles: number[] = [];
  for (const sign of [-1, 1]) {
    let step = Math.min(WIDEST, Math.max(1e-6, edge) / STEPS);
    // never the middle twice; a last step shorter than half of one is left to its neighbour
    for (let away = offset * step + (offset > 0 || sign > 0 ? 0 : step); ; away += step) {
      const angle = middle + sign * away;
      if (angle <= from + 0.5 * step || angle >= to - 0.5 * step) break;
      angles.push(angle);
      if (away > 1.25 * edge) step = Math.min(WIDEST, GROWTH * step);
    }
  }
  return angles.sort((a, b) => a - b);
}

function extruded({ outer, holes }: Profile, height: number, touch: Touch, side: 0 | 1): TriangleMesh {
  const [x, y] = touch.point;
  const across = MARGIN * touch.axes.reduce((sum, axis) => sum + Math.hypot(axis[0], axis[1]), 0);
  const cut = (outline: Outline): Polygon =>
    outline.flatMap((p, i) => {
      const bulge = bulgeOf(p);
      const start: readonly [number, number] = [p[0], p[1]];
      if (bulge === 0) return [start];
      const q = outline[(i + 1) % outline.length];
      const { centre, radius, from, sweep } = arcCircle(p, q, bulge);
      const length = Math.abs(sweep);
      // where along the arc the contact is nearest, from 0 to its length; beyond both ends, the nearer end
      const turn = Math.sign(sweep) * (Math.atan2(y - centre[1], x - centre[0]) - from);
      const ahead = turn - 2 * Math.PI * Math.floor(turn / (2 * Math.PI));
      const middle = ahead <= length ? ahead : ahead - length < 2 * Math.PI - ahead ? length : 0;
      const near = edgePoint(p, q, bulge, middle / length);
      const away = Math.hypot(x - near[0], y - near[1]);
      const edge = Math.max(across, Math.sqrt(2 * radius * touch.depth), 0.5 * away) / radius;
      const end = (0.25 * Math.min(edge, WIDEST)) / STEPS;
      const angles = around(middle, edge, side / 2, middle - length, middle + length).filter(
        (angle) => angle > end && angle < length - end,
      );
      return [start, ...angles.map((angle) => edgePoint(p, q, bulge, angle / length))];
    });
  return extrude({ outer: cut(outer), holes: holes.map(cut) }, height).mesh;
}

/** @param profile from the bottom's middle to the top's, counter-clockwise about the solid in the plane of r and z */
function revolved(profile: Meridian, radius: number, touch: Touch, side: 0 | 1): TriangleMesh {
  const [x, y] = touch.point;
  const off = Math.hypot(x, y);
  const middle = Math.atan2(y, x);
  const along: Vec3 = off > 0 ? [-y / off, x / off, 0] : [1, 0, 0];
  const across = touch.axes.reduce((sum, axis) => sum + Math.abs(dot(axis, along)), 0);
  // near the axis, as under a standing cylinder, all directions count the same
  const edge =
    off < 0.3 * radius
      ? Math.PI
      : Math.min(Math.PI, Math.max(MARGIN * across, Math.sqrt(2 * radius * touch.depth)) / off);
  const angles = [middle - Math.PI, ...around(middle, edge, side / 2, middle - Math.PI, middle + Math.PI)];

  const rings = profile.slice(1, -1);
  const sectors = angles.length;
  const vertices = new Float64Array(3 * (rings.length * sectors + 2));
  angles.forEach((angle, sector) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    rings.forEach(([r, z], ring) => {
      vertices.set([r * c, r * s, z], 3 * (ring * sectors + sector));
    });
  });
  const bottom = rings.length * sectors;
  vertices[3 * bottom + 2] = profile[0][1];
  vertices[3 * bottom + 5] = profile[profile.length - 1][1];
  const triangles: number[] = [];
  for (let sector = 0; sector < sectors; sector++) {
    const next = (sector + 1) % sectors;
    triangles.push(bottom, next, sector);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [a, b] = [ring * sectors + sector, ring * sectors + next];
      triangles.push(a, b, b + sectors, a, b + sectors, a + sectors);
    }
    const last = (rings.length - 1) * sectors;
    triangles.push(last + sector, last + next, bottom + 1);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}
