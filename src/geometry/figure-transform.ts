/** Plane figures mapped corner by corner. */
import type { Vec2 } from '../math/vec3.js';
import { bulgeOf, corner } from './arc.js';
import { reversed } from './outline.js';
import type { Outline, Profile } from './profile.js';

export type Figure = Outline | Profile;

/** @param point a similar map, which keeps circles: moves, turns, even scaling, mirroring */
export function mapFigure(thing: Figure, point: (p: Vec2) => Vec2): Figure {
  const image = (outline: Outline): Outline => outline.map((p) => corner(...point([p[0], p[1]]), bulgeOf(p)));
  return 'outer' in thing ? { outer: image(thing.outer), holes: thing.holes.map(image) } : image(thing);
}

/** As mapFigure, but reverses the order of corners if the map mirrors, so that winding keeps its meaning. */
export function mapWinding(thing: Figure, mirrors: boolean, point: (p: Vec2) => Vec2): Figure {
  const image = mapFigure(thing, point);
  if (!mirrors) return image;
  // a mirror image turns the other way: the bulge that `reversed` turns round once more keeps its sign
  const turned = (outline: Outline): Outline => reversed(outline.map((p) => corner(p[0], p[1], -bulgeOf(p))));
  return 'outer' in image ? { outer: turned(image.outer), holes: image.holes.map(turned) } : turned(image);
}
