/** One self-contained page about a study: what was found, linked charts of all runs, the table. Opens from disk, fetches nothing; a click on a point opens its run. */
import { escaped, PAGE_STYLE } from './page.js';

/** What the page is made of, as plain data; numbers that JSON lacks are null */
export interface StudyReport {
  readonly name: string;
  readonly title: string;
  /** In a line: model, design or search, version */
  readonly about: string;
  /** What was found, as printed */
  readonly found: readonly string[];
  readonly columns: readonly ReportColumn[];
  /** By row */
  readonly status: readonly string[];
  readonly errors: readonly (string | null)[];
  readonly verdicts: readonly (string | null)[];
  /** By row: the run's own page, relative to this one; null where none is kept */
  readonly runs: readonly (string | null)[];
  readonly goals: readonly { readonly name: string; readonly maximise: boolean }[];
  /** Rows of the Pareto set */
  readonly pareto: readonly number[];
  /** Row of the best, or of the fit's end */
  readonly best: number | null;
  readonly convergence: readonly (readonly [runs: number, value: number])[];
  /** Bars by output: how much each parameter matters */
  readonly tornado: readonly TornadoChart[];
  readonly fit: FitReport | null;
}

export interface ReportColumn {
  readonly name: string;
  readonly unit: string;
  readonly role: 'parameter' | 'output';
  readonly log: boolean;
  readonly values: readonly (number | string | boolean | null)[];
}

export interface TornadoChart {
  readonly output: string;
  /** What a bar is, in words */
  readonly measure: string;
  readonly bars: readonly {
    readonly name: string;
    readonly value: number;
    readonly bar?: number;
    readonly doubt?: string;
  }[];
}

export interface FitReport {
  readonly names: readonly string[];
  readonly correlation: readonly (readonly (number | null)[])[];
  readonly signals: readonly {
    readonly name: string;
    readonly unit: string;
    readonly times: readonly number[];
    readonly measured: readonly number[];
    readonly fitted: readonly (number | null)[];
  }[];
}

/** Nothing but what is in the page itself; runs are pages beside it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "frame-src 'self' file:",
].join('; ');

export function studyReport(report: StudyReport, { script, style }: { script: string; style: string }): string {
  const { title, name, about, found } = report;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title || name)}</title>
<style>${PAGE_STYLE}${style}</style>
<h1>${escaped(title || name)}</h1>
<p class="about">${escaped(about)}</p>
${found.length > 0 ? `<pre class="found">${escaped(found.join('\n'))}</pre>` : ''}
<main></main>
<noscript><p>The charts need JavaScript; the numbers are in results.csv beside this page.</p></noscript>
<script type="application/json" id="study">${JSON.stringify(report).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</html>
`;
}
