/** A parameter's value with the comment behind its default: a unit belongs to the number, an explanation stands apart. */

/** A unit at the beginning of a comment: `m`, `kg m²`, `N/m³, of …`, `degrees of the lever` */
const UNIT = /^(?:[kMGmµn]?(?:m|g|s|N|Pa|rad|J|W|Hz|K|V)|deg|degrees?|turns?|°|%|1\/[ms])(?![A-Za-z])/;

export function parameterText(value: unknown, comment: string): string {
  const text = typeof value === 'number' ? short(value) : String(value);
  if (comment === '') return text;
  return typeof value === 'number' && UNIT.test(comment) ? `${text} ${comment}` : `${text}; ${comment}`;
}

/** As written, but for rows of noughts: 1e12, 2e-6 */
function short(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size < 1e6 && size >= 1e-3)) return String(value);
  return value.toExponential().replace('e+', 'e');
}
