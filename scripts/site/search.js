// Search over all pages: every word of the question must begin a word of the page; titles and headings count more than text.
const index = globalThis.SEARCH_INDEX ?? [];
const root = document.body.dataset.root;
const field = document.getElementById('search');
const list = document.getElementById('found');
const MOST = 12;

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const starts = (text, word) =>
  new RegExp(`(?:^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(text);
const pages = index.map((page) => ({
  ...page,
  foldedTitle: fold(page.title),
  foldedText: fold(page.text),
  headings: page.headings.map((heading) => ({ ...heading, folded: fold(heading.text) })),
}));

function find(question) {
  const words = fold(question).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = [];
  for (const page of pages) {
    const heading = page.headings.find(({ folded }) => words.every((word) => starts(folded, word)));
    let score = 0;
    for (const word of words) {
      if (starts(page.foldedTitle, word)) score += 10;
      else if (heading) score += heading.folded === word ? 9 : 5;
      else if (starts(page.foldedText, word)) score += 1;
      else {
        score = 0;
        break;
      }
    }
    if (score > 0) found.push({ page, heading, score });
  }
  return found.sort((a, b) => b.score - a.score || (a.page.path < b.page.path ? -1 : 1)).slice(0, MOST);
}

function show() {
  const found = find(field.value);
  list.hidden = field.value.trim() === '';
  list.replaceChildren(
    ...found.map(({ page, heading }) => {
      const link = document.createElement('a');
      link.href = `${root}/${page.path}${heading ? `#${heading.anchor}` : ''}`;
      link.textContent = `${page.title}${heading ? ` · ${heading.text}` : ''}`;
      const section = document.createElement('small');
      section.textContent = ` ${page.section}`;
      const item = document.createElement('li');
      item.append(link, section);
      return item;
    }),
  );
  if (found.length === 0 && !list.hidden) {
    const item = document.createElement('li');
    item.textContent = 'nothing found';
    list.append(item);
  }
}

field.addEventListener('input', show);
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key === 'Escape') {
    field.value = '';
    show();
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
});
