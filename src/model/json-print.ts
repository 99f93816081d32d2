/** Data as JSON that one can read: what fits into a line stands in one, so that a point is [0, 0, 0.2] and not five lines. */

const WIDTH = 100; // characters

export function printJson(value: unknown, indent = ''): string {
  const flat = inLine(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => deeper + printJson(item, deeper)).join(',\n')}\n${indent}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const lines = entries.map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${printJson(item, deeper)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`).join(', ')} }`;
}
