/** The document as one HTML file: its last run as a report with replay, that any browser opens from disk, and the document inside, which the studio opens again. */
import { ModelError } from '../../errors.js';
import { reportOf } from '../run/report.js';
import type { StudioPage } from './studio.js';

const BEGIN = '<script type="application/json" data-tippetop-document>';
const END = '</script>';

export async function shareHtml(studio: StudioPage): Promise<void> {
  const { value } = studio.history.document;
  try {
    const name = value.title.replace(/[^\w.-]+/g, '-').toLowerCase() || 'document';
    const report = await reportOf(studio.runs, name);
    studio.download(htmlWith(report, JSON.stringify(value)), `${name}.html`, 'text/html');
    const files = Object.keys(value.assets).length;
    studio.messages.passing(
      `${name}.html has the run and the document${files > 0 ? '; pictures and CAD files are not in it' : ''}.`,
    );
  } catch (error) {
    studio.messages.passing(error instanceof Error ? error.message : String(error));
  }
}

/** Data in a page ends at no bracket of its own. */
export const htmlWith = (report: string, json: string): string =>
  report.replace(/<\/html>\s*$/, () => `${BEGIN}${json.replaceAll('<', '\\u003c')}${END}\n</html>\n`);

/** @throws ModelError if there is none inside */
export function jsonInHtml(html: string, name: string): string {
  const from = html.lastIndexOf(BEGIN);
  const to = html.indexOf(END, from);
  if (from < 0 || to < 0) throw new ModelError(name, 'holds no document of the studio');
  return html.slice(from + BEGIN.length, to);
}
