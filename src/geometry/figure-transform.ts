/** Plane figures mapped corner by corner. */

import { cos, sin } from '../math/elementary.js';
import type { Vec2 } from '../math/vec3.js';
import { arcCircle, bulgeOf, corner } from './arc.js';
import { fitArcs } from './fit-arcs.js';
import { hasArcs, outlineBounds, reversed } from './outline.js';
import type { Corner, Outline, Profile } from './profile.js';

export type Figure = Outline | Profile;

/** @param point a similar map, which keeps circles: moves, turns, even scaling, mirroring */
export function mapFigure(thing: Figure, point: (p: Vec2) => Vec2): Figure {
  const image = (outline: Outline): Outline => outline.map((p) => corner(...point([p[0], p[1]]), bulgeOf(p)));
  return 'outer' in thing ? { outer: image(thing.outer), holes: thing.holes.map(image) } : image(thing);
}

/**
 * A figure stretched by x and y along the axes, mirrored if one is negative. Uneven stretches make ellipses of arcs, which are
 * fitted by arcs again within 1e-5 of half the figure's size.
 */
export function stretchFigure(thing: Figure, x: number, y: number): Figure {
  const point = ([u, v]: Vec2): Vec2 => [0 + x * u, 0 + y * v];
  const even = Math.abs(Math.abs(x) - Math.abs(y)) <= 1e-12 * Math.abs(x);
  return mapWinding(even || !hasArcs(thing) ? thing : readied(thing, x, y), x * y < 0, point);
}

/** The figure with its arcs cut into such that stay arcs, within the tolerance, when it is stretched. */
function readied(thing: Figure, x: number, y: number): Figure {
  const rings = 'outer' in thing ? [thing.outer, ...thing.holes] : [thing];
  const sizes = rings
    .map(outlineBounds)
    .map(({ min, max }) => Math.max(Math.abs(x) * (max[0] - min[0]), Math.abs(y) * (max[1] - min[1])));
  const tolerance = (1e-5 * Math.max(...sizes)) / 2;
  const ring = (outline: Outline): Outline =>
    outline.flatMap((p, i): Corner[] => {
      const bulge = bulgeOf(p);
      if (bulge === 0) return [p];
      const q = outline[(i + 1) % outline.length];
      const { centre, radius, from, sweep } = arcCircle(p, q, bulge);
      const [sx, sy] = [Math.abs(x), Math.abs(y)];
      const side = sweep > 0 ? 1 : -1;
      const angle = (t: number) => from + side * t;
      const chain = fitArcs(
        (t) => [sx * (centre[0] + radius * cos(angle(t))), sy * (centre[1] + radius * sin(angle(t)))],
        (t) => [-side * sx * sin(angle(t)), side * sy * cos(angle(t))],
        0,
        Math.abs(sweep),
        { tolerance },
      ).slice(0, -1);
      // back to what the stretch starts from; a bulge is that of the image
      return chain.map(([u, v, b = 0], k) => (k === 0 ? corner(p[0], p[1], b) : corner(u / sx, v / sy, b)));
    });
  return 'outer' in thing ? { outer: ring(thing.outer), holes: thing.holes.map(ring) } : ring(thing);
}

/** As mapFigure, but reverses the order of corners if the map mirrors, so that winding keeps its meaning. */
export function mapWinding(thing: Figure, mirrors: boolean, point: (p: Vec2) => Vec2): Figure {
  const image = mapFigure(thing, point);
  if (!mirrors) return image;
  // a mirror image turns the other way: the bulge that `reversed` turns round once more keeps its sign
  const turned = (outline: Outline): Outline => reversed(outline.map((p) => corner(p[0], p[1], -bulgeOf(p))));
  return 'outer' in image ? { outer: turned(image.outer), holes: image.holes.map(turned) } : turned(image);
}
