/** A page of all examples: picture, what each is about, its figures against their references, and a link to its replay. */
import { escaped, PAGE_STYLE } from './page.js';

export interface GalleryEntry {
  readonly name: string;
  readonly title: string;
  /** First sentence of what it says about itself */
  readonly about: string;
  /** Beside the page; none where the example failed before there was one */
  readonly picture?: string;
  /** Page with the replay, beside this page; none for solids */
  readonly report?: string;
  readonly figures: readonly GalleryFigure[];
  /** s of computing, and what was simulated, s */
  readonly seconds?: number;
  readonly simulated?: number;
  readonly failure?: string;
}

export interface GalleryFigure {
  readonly title: string;
  readonly value: number;
  readonly reference: number;
  readonly limit: number;
  readonly pass: boolean;
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

export function galleryPage(entries: readonly GalleryEntry[], versions: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>tippetop: examples</title>
<style>${PAGE_STYLE}
  body { max-width: 90rem; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.2rem; }
  article { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 10px; padding: 1rem; min-width: 0; }
  h2 { font-size: 1.1rem; margin: .6rem 0 .2rem; } p { margin: .3rem 0; } small { opacity: .75; }
  details { margin-top: .5rem; } .missed { color: light-dark(#a33, #f99); font-weight: 600; }
  a:focus-visible, summary:focus-visible { outline: 3px solid #0072b2; outline-offset: 2px; }
</style>
<h1>Examples</h1>
<p>${entries.length} examples; ${entries.reduce((sum, { figures }) => sum + figures.filter(({ pass }) => pass).length, 0)} of ${entries.reduce((sum, { figures }) => sum + figures.length, 0)} figures within their tolerance. ${escaped(versions.join(', '))}</p>
<main>
${entries.map(card).join('\n')}
</main>
</html>
`;
}

function card({ name, title, about, picture, report, figures, seconds, simulated, failure }: GalleryEntry): string {
  const image = picture ? `<img loading="lazy" alt="${escaped(title)}" src="${escaped(encodeURI(picture))}">` : '';
  const linked = report ? `<a href="${escaped(encodeURI(report))}">${image || 'replay'}</a>` : image;
  const cost =
    simulated !== undefined && seconds !== undefined
      ? `<small>${short(simulated)} s simulated in ${Number(seconds.toPrecision(2))} s</small>`
      : '';
  const missed = figures.filter(({ pass }) => !pass).length;
  const rows = figures.map(
    (figure) =>
      `<tr${figure.pass ? '' : ' class="missed"'}><td>${escaped(figure.title)}</td><td>${short(figure.value)}</td><td>${short(figure.reference)} ± ${short(figure.limit)}</td></tr>`,
  );
  const table =
    rows.length > 0
      ? `<details><summary>${figures.length} figures${missed > 0 ? `, <span class="missed">${missed} missed</span>` : ''}</summary><table><tr><th></th><th>here</th><th>reference</th></tr>${rows.join('')}</table></details>`
      : '';
  return `<article id="${escaped(name)}">
${linked}
<h2>${report ? `<a href="${escaped(encodeURI(report))}">${escaped(title)}</a>` : escaped(title)}</h2>
<p>${escaped(about)}</p>
${failure ? `<p class="missed">${escaped(failure)}</p>` : ''}${cost}${table}
</article>`;
}
