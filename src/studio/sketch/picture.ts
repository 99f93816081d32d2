/**
 * A picture under the sketch: its scale from two points and the length between them, trimmed and turned. Pixels count from its upper left,
 * y down; the drawing's y goes up:
 *
 *   point = at + scale R(turn) (px − w/2, h/2 − py)
 */
import { ModelError } from '../../errors.js';
import type { Vec2 } from '../../math/vec3.js';
import type { SketchPicture } from '../document/sketch.js';

export interface PictureSize {
  /** px */
  readonly width: number;
  readonly height: number;
}

/** Pixels of a picture that a page draws without trouble, and that decode within a second */
export const MOST_PIXELS = 64e6;

export function checkPictureSize({ width, height }: PictureSize): void {
  if (!(width > 0 && height > 0 && width * height <= MOST_PIXELS))
    throw new ModelError(
      'picture',
      `expected a picture of at most ${MOST_PIXELS / 1e6} million pixels, got ${width} × ${height}; make it smaller first`,
    );
}

/** A new picture: in the middle, 10 cm wide until its scale is set. */
export const newPicture = (asset: string, { width }: PictureSize): SketchPicture => ({
  asset,
  scale: 0.1 / width,
  turn: 0,
  at: [0, 0],
  opacity: 0.6,
});

export function pointOf(picture: SketchPicture, { width, height }: PictureSize, pixel: Vec2): Vec2 {
  const { scale, turn, at } = picture;
  const [x, y] = [scale * (pixel[0] - width / 2), scale * (height / 2 - pixel[1])];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [at[0] + c * x - s * y, at[1] + s * x + c * y];
}

export function pixelOf(picture: SketchPicture, { width, height }: PictureSize, point: Vec2): Vec2 {
  const { scale, turn, at } = picture;
  const [x, y] = [point[0] - at[0], point[1] - at[1]];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [width / 2 + (c * x + s * y) / scale, height / 2 - (c * y - s * x) / scale];
}

/**
 * The picture in the scale in which two points of it are so far apart; the first of them stays where it is.
 *
 * @param length m
 */
export function scaleByTwoPoints(picture: SketchPicture, a: Vec2, b: Vec2, length: number): SketchPicture {
  const now = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(now > 0)) throw new ModelError('picture', 'expected two points that are apart; click the second elsewhere');
  if (!(length > 0 && length < 1e6)) throw new ModelError('picture', `expected a length > 0 m, got ${length}`);
  const factor = length / now;
  return {
    ...picture,
    scale: picture.scale * factor,
    at: [a[0] + factor * (picture.at[0] - a[0]), a[1] + factor * (picture.at[1] - a[1])],
  };
}

/** Turned about a point so that the line from there to b is level, or upright if it is nearer to that. */
export function levelByTwoPoints(picture: SketchPicture, a: Vec2, b: Vec2): SketchPicture {
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const quarter = Math.PI / 2;
  return turnPicture(picture, Math.round(angle / quarter) * quarter - angle, a);
}

/** @param by rad, counter-clockwise */
export function turnPicture(picture: SketchPicture, by: number, about: Vec2 = picture.at): SketchPicture {
  const [c, s] = [Math.cos(by), Math.sin(by)];
  const [x, y] = [picture.at[0] - about[0], picture.at[1] - about[1]];
  return { ...picture, turn: picture.turn + by, at: [about[0] + c * x - s * y, about[1] + s * x + c * y] };
}

/** Only what lies between two points is shown; undefined shows all again. */
export function trimPicture(
  picture: SketchPicture,
  size: PictureSize,
  corners: readonly [Vec2, Vec2] | undefined,
): SketchPicture {
  const { trim: _, ...whole } = picture;
  if (!corners) return whole;
  const [a, b] = corners.map((corner) => pixelOf(picture, size, corner));
  const clamp = (x: number, most: number): number => Math.max(0, Math.min(most, Math.round(x)));
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])].map((x) => clamp(x, size.width));
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])].map((y) => clamp(y, size.height));
  if (!(right > left && bottom > top))
    throw new ModelError('picture', 'expected a part of the picture, got none of it');
  return { ...whole, trim: [left, top, right - left, bottom - top] };
}
