/** One self-contained page about built solids: picture, parameters, figures. Opens from disk, fetches nothing. */
export interface SolidReport {
  readonly title: string;
  readonly picture: Uint8Array;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** One row per solid, texts as they are to be shown. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly files: readonly string[];
}

export function solidReport({ title, picture, parameters, columns, rows, files }: SolidReport): string {
  const given = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
  img { width: 100%; height: auto; border-radius: 8px; }
  table { border-collapse: collapse; width: 100%; overflow-x: auto; display: block; }
  th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  td { font-variant-numeric: tabular-nums; white-space: nowrap; }
</style>
<h1>${escaped(title)}</h1>
<p>${given.length > 0 ? escaped(given.join(', ')) : 'All parameters at their defaults.'}</p>
<img alt="The solids of ${escaped(title)}" src="data:image/png;base64,${base64(picture)}">
<table>
<tr>${columns.map((column) => `<th>${escaped(column)}</th>`).join('')}</tr>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('\n')}
</table>
<p>Files: ${files.map((file) => `<a href="${escaped(encodeURI(file))}">${escaped(file)}</a>`).join(', ')}</p>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]);

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
