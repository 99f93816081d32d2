/** One self-contained page about built solids: picture, parameters, figures. Opens from disk, fetches nothing. */
import { base64, escaped, PAGE_STYLE } from './page.js';

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
<style>${PAGE_STYLE}</style>
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
