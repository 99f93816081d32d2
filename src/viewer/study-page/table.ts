/** The runs as a table: sorted by a click on a column, brushed runs only, as many as a page can bear. */
import { element } from '../controls/element.js';
import { figure } from './canvas.js';
import type { Rows } from './rows.js';

const MOST = 200;

export function runTable(rows: Rows): HTMLElement {
  const { columns, status } = rows.report;
  let [by, down] = [-1, false];
  const body = element('tbody');
  const foot = element('p', { class: 'note' });
  const order = (): number[] => {
    const list = Array.from({ length: rows.count }, (_, i) => i).filter((i) => rows.kept[i]);
    if (by < 0) return list;
    const { values } = columns[by];
    const sign = down ? -1 : 1;
    return list.sort((a, b) => {
      const [x, y] = [values[a], values[b]];
      if (x === null || y === null) return Number(x === null) - Number(y === null); // what is missing last
      return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
    });
  };
  const fill = (): void => {
    const list = order();
    body.replaceChildren(
      ...list.slice(0, MOST).map((row) =>
        element(
          'tr',
          {
            'data-row': row,
            tabindex: 0,
            onclick: () => rows.choose(row),
            onkeydown: (event) => (event as KeyboardEvent).key === 'Enter' && rows.choose(row),
            onpointerenter: () => rows.hover(row),
            onpointerleave: () => rows.hover(-1),
          },
          element('td', {}, String(row + 1)),
          ...columns.map(({ values }) => {
            const value = values[row];
            return element(
              'td',
              {},
              typeof value === 'number' ? figure(value, 6) : value === null ? '–' : String(value),
            );
          }),
          element('td', { class: status[row] === 'ok' ? '' : 'error' }, status[row]),
        ),
      ),
    );
    foot.textContent =
      list.length > MOST ? `${MOST} of ${list.length} runs; all are in results.csv and results.parquet.` : '';
    light();
  };
  const light = (): void => {
    for (const line of body.children) {
      const row = Number((line as HTMLElement).dataset.row);
      line.classList.toggle('chosen', row === rows.chosen);
      line.classList.toggle('hovered', row === rows.hovered);
    }
  };
  const head = element(
    'tr',
    {},
    element('th', {}, 'run'),
    ...columns.map(({ name, unit }, i) =>
      element(
        'th',
        {},
        element(
          'button',
          {
            type: 'button',
            title: 'Sort',
            onclick: () => {
              [by, down] = [i, by === i && !down];
              fill();
            },
          },
          unit ? `${name} [${unit}]` : name,
        ),
      ),
    ),
    element('th', {}, 'status'),
  );
  rows.listen(fill, light);
  fill();
  return element('div', { class: 'runs' }, element('table', {}, element('thead', {}, head), body), foot);
}
