/**
 * A frame in which a set of points is near the origin and of size about one, and the way there and back is exact.
 *
 *   local = (x − shift) · scale      x = local / scale + shift
 *
 * The CSG library takes 1e-12 of the largest coordinate for its tolerance: a part of 1 mm a kilometre from the origin
 * would be merged to within 1 nm, a millionth of itself. Scale is a power of two, so multiplying loses nothing. The
 * shift of an axis is zero unless the points are further from zero than 4 times the extent; then it is a multiple of
 * a power of two near the extent, and x − shift is exact too: both are multiples of the last place of the smallest x,
 * and their difference has fewer digits than either. Hence what comes back unmoved has the same bits.
 */

export interface LocalFrame {
  /** one per axis, m */
  readonly shift: readonly number[];
  /** 1/m, a power of two */
  readonly scale: number;
}

/**
 * @param min, max bounds of all points, one number per axis, m
 * @param size     largest local coordinate wanted: results lie within [−5 size, 5 size]; a power of two
 */
export function localFrame(min: readonly number[], max: readonly number[], size = 1): LocalFrame {
  let extent = 0;
  for (let k = 0; k < min.length; k++) extent = Math.max(extent, max[k] - min[k]);
  if (!(extent > 0)) return { shift: min.map(() => 0), scale: 1 };
  const unit = powerOfTwoFrom(extent);
  const shift = min.map((low, k) => {
    const middle = low / 2 + max[k] / 2;
    return Math.abs(middle) <= 4 * extent ? 0 : Math.round(middle / unit) * unit;
  });
  return { shift, scale: size / unit };
}

/** Smallest power of two ≥ x, for normal x > 0. */
export function powerOfTwoFrom(x: number): number {
  let power = 1;
  while (power < x) power *= 2;
  while (power / 2 >= x) power /= 2;
  return power;
}

/** Coordinates of all points, `shift.length` numbers each, in the local frame. */
export function toLocal({ shift, scale }: LocalFrame, points: Float64Array): Float64Array {
  const axes = shift.length;
  const local = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += axes)
    for (let k = 0; k < axes; k++) local[i + k] = (points[i + k] - shift[k]) * scale;
  return local;
}

/** Back from the local frame, in place. */
export function fromLocal({ shift, scale }: LocalFrame, points: Float64Array): Float64Array {
  const axes = shift.length;
  for (let i = 0; i < points.length; i += axes)
    for (let k = 0; k < axes; k++) points[i + k] = points[i + k] / scale + shift[k];
  return points;
}
