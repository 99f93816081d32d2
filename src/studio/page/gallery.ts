/** Where the studio begins: what was made last, something new, and the examples with their pictures. */
import { element, type IconName, icon } from '../../viewer/controls/element.js';
import type { ParameterText } from '../run/messages.js';

export interface GalleryEntry {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly parameters: readonly ParameterText[];
  /** SHA-256 of its text */
  readonly hash: string;
  /** Runs slower than a person waits for */
  readonly long: boolean;
}

export interface RecentDocument {
  readonly key: string;
  readonly title: string;
  /** ms since 1970 */
  readonly saved: number;
}

export interface GalleryActions {
  example(entry: GalleryEntry): void;
  newScene(): void;
  newSketch(): void;
  newProgram(): void;
  openFile(): void;
  recent(key: string): void;
  forget(key: string): void;
  lesson(name: string): void;
}

export async function galleryEntries(): Promise<readonly GalleryEntry[]> {
  const answer = await fetch('gallery.json').catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as GalleryEntry[]) : [];
}

export async function exampleText(name: string): Promise<string> {
  const answer = await fetch(`gallery/${encodeURIComponent(name)}.txt`);
  if (!answer.ok) throw new Error(`${name} cannot be loaded: the server says ${answer.status}`);
  return answer.text();
}

/** In front, because they show most in the first ten seconds */
const FIRST = [
  'geneva-mechanism',
  'lever-escapement',
  'dominoes',
  'newtons-cradle',
  'tippe-top',
  'gears',
  'double-pendulum',
  'slider-crank',
  'marble-run',
  'pendulum',
  'gyroscope',
  'pool-table',
];

export function fillGallery(
  place: HTMLElement,
  entries: readonly GalleryEntry[],
  recent: readonly RecentDocument[],
  lessons: readonly { readonly name: string; readonly title: string }[],
  actions: GalleryActions,
): void {
  const start = (name: IconName, label: string, what: string, press: () => void): HTMLElement =>
    element(
      'button',
      { type: 'button', class: 'studio-start', onclick: press },
      icon(name),
      element('strong', {}, label),
      element('span', {}, what),
    );
  const rank = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const sorted = [...entries].sort((a, b) => rank(a.name) - rank(b.name) || a.title.localeCompare(b.title));
  const cards = sorted.map((entry) =>
    element(
      'button',
      { type: 'button', class: 'studio-card', 'data-example': entry.name, onclick: () => actions.example(entry) },
      element('img', { src: `gallery/${entry.name}.png`, alt: '', loading: 'lazy', width: 400, height: 216 }),
      element('strong', {}, entry.title),
      element('span', {}, entry.about),
    ),
  );
  const list = element('div', { class: 'studio-cards' }, ...cards);
  const nothing = element('p', { class: 'viewer-quiet', hidden: true }, 'No example has these words.');
  const search = element('input', {
    type: 'search',
    placeholder: `Search ${entries.length} examples`,
    'aria-label': 'Search the examples',
    oninput: () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      sorted.forEach(({ name, title, about }, i) => {
        const text = `${name} ${title} ${about}`.toLowerCase();
        cards[i].hidden = !words.every((word) => text.includes(word));
      });
      nothing.hidden = cards.some((card) => !card.hidden);
    },
  });
  place.replaceChildren(
    element(
      'div',
      { class: 'studio-gallery-inner' },
      element('h2', {}, 'What will you make?'),
      element(
        'div',
        { class: 'studio-starts' },
        start('build', 'New scene', 'a floor, and what you put on it', actions.newScene),
        start('sketch', 'New sketch', 'draw a part, over a picture if you like', actions.newSketch),
        start('code', 'New program', 'a model as TypeScript, with sliders', actions.newProgram),
        start('open', 'Open a file', 'or drop it anywhere on this page', actions.openFile),
      ),
      ...(recent.length > 0
        ? [
            element('h3', {}, 'Recent'),
            element(
              'ul',
              { class: 'studio-recent' },
              ...recent.map(({ key, title, saved }) =>
                element(
                  'li',
                  {},
                  element(
                    'button',
                    { type: 'button', class: 'viewer-link', onclick: () => actions.recent(key) },
                    title,
                  ),
                  element('span', { class: 'viewer-quiet' }, new Date(saved).toLocaleString()),
                  element(
                    'button',
                    {
                      type: 'button',
                      class: 'viewer-button',
                      'aria-label': `Delete ${title}`,
                      title: 'Delete',
                      onclick: () => actions.forget(key),
                    },
                    icon('delete'),
                  ),
                ),
              ),
            ),
          ]
        : []),
      ...(lessons.length > 0
        ? [
            element('h3', {}, 'Lessons'),
            element(
              'div',
              { class: 'studio-lessons' },
              ...lessons.map(({ name, title }) =>
                element(
                  'button',
                  {
                    type: 'button',
                    class: 'viewer-button with-text',
                    'data-lesson': name,
                    onclick: () => actions.lesson(name),
                  },
                  title,
                ),
              ),
            ),
          ]
        : []),
      element('div', { class: 'studio-gallery-head' }, element('h3', {}, 'Examples'), search),
      list,
      nothing,
    ),
  );
}
