/** The page of a study: charts that share what is pointed at, chosen and brushed, the table, and the card of the chosen run. */
import { element } from '../controls/element.js';
import type { StudyReport } from '../study-report.js';
import { type Chart, figure, show } from './canvas.js';
import { convergence, fitChart, tornado } from './lines.js';
import { brushText, parallelCoordinates } from './parallel.js';
import { type Axis, axesOf, Rows } from './rows.js';
import { MOST_IN_MATRIX, scatter, scatterMatrix } from './scatter.js';
import { responseSurface } from './surface.js';
import { runTable } from './table.js';

const report = JSON.parse(document.getElementById('study')!.textContent!) as StudyReport;
const rows = new Rows(report, axesOf(report));
const main = document.querySelector('main')!;
const { axes } = rows;
const outputs = axes.filter(({ role }) => role === 'output');
const parameters = axes.filter(({ role }) => role === 'parameter');
const goal = report.goals[0]?.name ?? outputs[0]?.name;
rows.colourBy = Math.max(
  0,
  axes.findIndex(({ name, role }) => role === 'output' && name === goal),
);

function section(title: string, ...children: (Node | string)[]): HTMLElement {
  const made = element('section', {}, element('h2', {}, title), ...children);
  main.append(made);
  return made;
}
const note = (text: string): HTMLElement => element('p', { class: 'note' }, text);
const host = (chart: Chart): HTMLElement => show(chart, rows).host;

function choice(
  label: string,
  among: readonly Axis[],
  start: number,
  changed: () => void,
): { readonly field: HTMLElement; axis(): Axis } {
  const list = element(
    'select',
    { onchange: changed },
    ...among.map(({ name }, i) => element('option', { value: i, selected: i === start }, name)),
  );
  return { field: element('label', {}, `${label} `, list), axis: () => among[Number(list.value)] };
}

// What varies, in lines
if (axes.length > 1) {
  const colour = element(
    'select',
    { onchange: () => rows.colour(Number(colour.value)) },
    ...axes.map(({ name }, i) => element('option', { value: i, selected: i === rows.colourBy }, name)),
  );
  const kept = note('');
  const tell = (): void => {
    const count = rows.kept.reduce((sum, one) => sum + one, 0);
    kept.textContent =
      count === rows.count
        ? 'Drag along an axis to keep the runs that pass there; click a line or a point to see its run.'
        : `${count} of ${rows.count} runs: ${brushText(rows)}. A click on the axis lets all through again.`;
  };
  rows.listen(tell, () => undefined);
  tell();
  section(
    'All runs',
    element('div', { class: 'choices' }, element('label', {}, 'colour by ', colour)),
    host(parallelCoordinates(rows)),
    kept,
  );
}
if (report.goals.length > 1 || outputs.length > 1 || (parameters.length > 0 && outputs.length > 0)) {
  const of = (name: string | undefined, otherwise: number): number => {
    const i = axes.findIndex((axis) => axis.name === name && axis.role === 'output');
    return i < 0 ? otherwise : i;
  };
  const isPareto = report.goals.length > 1;
  const first = isPareto ? of(report.goals[0].name, 0) : 0;
  const across = choice('across', axes, first, () => chart.redraw());
  const up = choice('up', axes, isPareto ? of(report.goals[1].name, 1) : of(goal, axes.length - 1), () =>
    chart.redraw(),
  );
  const chart = show(
    scatter(rows, () => [across.axis(), up.axis()]),
    rows,
  );
  section(
    isPareto ? 'Pareto set' : 'One over another',
    element('div', { class: 'choices' }, across.field, up.field),
    chart.host,
    ...(isPareto
      ? [
          note(
            `${report.pareto.length} runs that no other beats in all of ${report.goals.map(({ name, maximise }) => `${maximise ? 'large' : 'small'} ${name}`).join(', ')}; joined by a line.`,
          ),
        ]
      : []),
  );
}
if (parameters.length >= 2 && outputs.length > 0) {
  const redraw = (): void => {
    chart.redraw();
    remark.textContent = surface.remark();
  };
  const across = choice('across', parameters, 0, redraw);
  const up = choice('up', parameters, 1, redraw);
  const value = choice(
    'value',
    outputs,
    Math.max(
      0,
      outputs.findIndex(({ name }) => name === goal),
    ),
    redraw,
  );
  const surface = responseSurface(rows, () => [across.axis(), up.axis(), value.axis()]);
  const chart = show(surface.chart, rows);
  const remark = note(surface.remark());
  section(
    'Response surface',
    element('div', { class: 'choices' }, across.field, up.field, value.field),
    chart.host,
    remark,
  );
}
if (report.tornado.length > 0)
  section(
    'What matters',
    ...report.tornado.flatMap((one) => [element('h3', {}, one.output), note(one.measure), host(tornado(one))]),
  );
if (report.fit) {
  const { names, correlation, signals } = report.fit;
  section(
    'Fit',
    ...signals.map((signal) => host(fitChart(signal))),
    ...(names.length > 1
      ? [
          element('h3', {}, 'Correlation'),
          element(
            'table',
            {},
            element('tr', {}, element('th'), ...names.map((name) => element('th', {}, name))),
            ...names.map((name, i) =>
              element(
                'tr',
                {},
                element('th', {}, name),
                ...correlation[i].map((r) => element('td', {}, r === null ? '' : r.toFixed(3))),
              ),
            ),
          ),
        ]
      : []),
  );
}
if (report.convergence.length > 1) section('Convergence', host(convergence(report)));
if (axes.length > 2) {
  const hidden = axes.length > MOST_IN_MATRIX ? [note(`The first ${MOST_IN_MATRIX} columns.`)] : [];
  section('All over all', host(scatterMatrix(rows)), ...hidden);
}
section('Table', runTable(rows));

// The chosen run
const card = element('aside', { class: 'card', hidden: true, 'aria-live': 'polite' });
document.body.append(card);
function tellChosen(): void {
  const row = rows.chosen;
  card.hidden = row < 0;
  if (row < 0) return;
  const link = report.runs[row];
  const facts = report.columns.map(({ name, unit, values }) => {
    const value = values[row];
    const text = typeof value === 'number' ? figure(value, 6) : value === null ? '–' : String(value);
    return element('tr', {}, element('td', {}, name), element('td', {}, unit ? `${text} ${unit}` : text));
  });
  card.replaceChildren(
    element(
      'header',
      {},
      element('strong', {}, `Run ${row + 1}`),
      ` ${report.status[row]}${report.verdicts[row] ? `, ${report.verdicts[row]}` : ''} `,
      element('button', { type: 'button', 'aria-label': 'Close', onclick: () => rows.choose(-1) }, '×'),
    ),
    element('table', {}, ...facts),
    report.errors[row] ? element('p', { class: 'error' }, report.errors[row]!) : '',
    link
      ? element('p', {}, element('a', { class: 'open', href: link, target: '_blank' }, 'Open the run'))
      : element(
          'p',
          { class: 'note' },
          'Its recording is not kept. To see it: ',
          element('code', {}, `npx tippetop study keep ${report.name} ${row + 1}`),
        ),
  );
}
rows.listen(() => undefined, tellChosen);
addEventListener('keydown', (event) => event.key === 'Escape' && rows.choose(-1));
const start = Number(/^#run-(\d+)$/.exec(location.hash)?.[1] ?? 0);
if (start >= 1 && start <= rows.count) rows.choose(start - 1);
