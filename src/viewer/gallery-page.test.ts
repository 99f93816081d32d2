import { expect, test } from 'vitest';
import { galleryPage } from './gallery-page.js';

test('a card for each example, with missed figures said and nothing taken for markup', () => {
  const page = galleryPage(
    [
      {
        name: 'cradle',
        title: 'Newton’s <cradle>',
        about: 'Balls & wires.',
        picture: 'cradle.png',
        report: 'cradle.html',
        seconds: 1.234,
        simulated: 5,
        figures: [
          { title: 'speed', value: 1, reference: 1, limit: 0.1, pass: true },
          { title: 'angle', value: 2, reference: 1, limit: 0.1, pass: false },
        ],
      },
      { name: 'broken', title: 'Broken', about: '', figures: [], failure: 'bodies.a: expected "<mass>"' },
    ],
    ['tippetop 1.0.0'],
  );
  expect(page).toContain('2 examples; 1 of 2 figures within their tolerance');
  expect(page).toContain('Newton’s &lt;cradle&gt;');
  expect(page).toContain('1 missed');
  expect(page).toContain('5 s simulated in 1.2 s');
  expect(page).toContain('expected &quot;&lt;mass&gt;&quot;');
  expect(page).not.toMatch(/<(cradle|mass)>/);
});
