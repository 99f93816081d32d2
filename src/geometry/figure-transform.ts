/** Plane figures mapped corner by corner. */
import type { Vec2 } from '../math/vec3.js';
import type { Outline, Profile } from './profile.js';

export type Figure = Outline | Profile;

export function mapFigure(thing: Figure, point: (p: Vec2) => Vec2): Figure {
  return 'outer' in thing
    ? { outer: thing.outer.map(point), holes: thing.holes.map((hole) => hole.map(point)) }
    : thing.map(point);
}

/** As mapFigure, but reverses the order of corners if the map mirrors, so that winding keeps its meaning. */
export function mapWinding(thing: Figure, mirrors: boolean, point: (p: Vec2) => Vec2): Figure {
  const image = mapFigure(thing, point);
  if (!mirrors) return image;
  if (!('outer' in image)) return image.toReversed();
  return { outer: image.outer.toReversed(), holes: image.holes.map((hole) => hole.toReversed()) };
}
