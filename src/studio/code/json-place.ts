/** Where in a JSON text a path such as `bodies.drive.shape.radius` stands: at the last of its keys that is there, looked for one inside the other. */
export function placeOfPath(text: string, path: string): { readonly from: number; readonly to: number } {
  let at = 0;
  let range = { from: 0, to: Math.min(1, text.length) };
  for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
    if (/^\d+$/.test(key)) continue;
    const quoted = JSON.stringify(key);
    const found = text.indexOf(quoted, at);
    if (found < 0) break;
    at = found + quoted.length;
    range = { from: found, to: at };
  }
  return range;
}
