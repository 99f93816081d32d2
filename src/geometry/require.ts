/** Checks of what a user passes, once, at the border. Written so that NaN is refused. */
import { ModelError, suggestion } from '../errors.js';

/** How a shape is called, for those who wrote it another way: `sphere({ radius: 1 })`, `cylinder(1, 2)`. Lengths in m. */
const ROUND = '{ radius: 0.1, height: 0.2 }';
const CALLS: Readonly<Record<string, string>> = {
  sphere: '0.1',
  box: '[0.3, 0.2, 0.1]',
  wedge: '{ size: [0.3, 0.2, 0.1] }',
  regularPrism: '{ sides: 6, radius: 0.1, height: 0.2 }',
  cylinder: ROUND,
  tube: '{ outerRadius: 0.1, innerRadius: 0.08, height: 0.2 }',
  cone: ROUND,
  frustum: '{ bottomRadius: 0.1, topRadius: 0.05, height: 0.2 }',
  torus: '{ majorRadius: 0.1, minorRadius: 0.02 }',
  capsule: ROUND,
  extrude: '[[0, 0], [0.1, 0], [0, 0.1]], 0.02',
};
const written = (shape: string): string => `; it is written ${shape}(${CALLS[shape]})`;

/**
 * The lengths a shape is called with, named ones in an object or three in a list.
 *
 * @throws ModelError if nothing came: `cylinder()`
 */
export function requireSize<Size>(shape: string, size: Size): Size {
  if (size === undefined || size === null)
    throw new ModelError(shape, `expected its lengths in m, got nothing${written(shape)}`);
  return size;
}

/** @throws ModelError unless `value` is a finite length > 0 */
export function requireLength(path: string, value: number): number {
  if (!(typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY))
    throw new ModelError(path, `expected a length > 0 m, got ${shown(value)}${calledAs(path, value)}`);
  return value;
}

/** @throws ModelError unless `value` is a finite length ≥ 0 */
export function requireLengthOrZero(path: string, value: number): number {
  if (!(typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY))
    throw new ModelError(path, `expected a length ≥ 0 m, got ${shown(value)}${calledAs(path, value)}`);
  return value;
}

/** What came, as its author would recognise it: `"0.1"` and `{"radius":1}`, not 0.1 and [object Object]. */
function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value).slice(0, 60) : String(value);
}

/** A model file is run without its types: who passes something else than a number has mostly another form of the call in mind. */
function calledAs(path: string, value: unknown): string {
  const [shape] = path.split('.');
  return typeof value !== 'number' && shape in CALLS ? written(shape) : '';
}

/** @throws ModelError unless `value` is a finite number; `unit` is named in the message */
export function requireFinite(path: string, value: number, unit: string): number {
  if (!Number.isFinite(value)) throw new ModelError(path, `expected a finite number in ${unit}, got ${value}`);
  return value;
}

/** @throws ModelError unless `value` is a whole number from `least` to `most` */
export function requireCount(path: string, value: number, least: number, most = 1 << 20): number {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new ModelError(path, `expected a whole number from ${least} to ${most}, got ${value}`);
  return value;
}

/** @throws ModelError if there is an option that `shape` does not have: one that is only mistyped would be left out without a word */
export function requireKnown(shape: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options))
    if (!known.includes(key))
      throw new ModelError(
        `${shape}.${key}`,
        key === 'holes' || key === 'outer'
          ? `holes belong to the figure: ${shape}({ outer: [[0, 0], …], holes: [[[…], …]] }, …)`
          : `there is no such option${suggestion(key, known) || `; there are ${known.join(', ')}`}`,
      );
}
