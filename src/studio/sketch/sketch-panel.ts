/** The left panel: picture, outlines, checks, what can be done to an outline, files; and under a second tab the corners as rows of fields. */
import type { Vec2 } from '../../math/vec3.js';
import { element, iconButton } from '../../viewer/controls/element.js';
import type { Sketch, SketchOutline } from '../document/sketch.js';
import type { SketchCheck } from './check.js';
import type { Chosen, SketchDesk } from './desk.js';
import { aroundCircle, fillet, mirrorClosed, mirrorOutline, moveCorner, setBulge } from './edit.js';
import { fact, heading, type NumberRow, numberRow, row, textButton } from './fields.js';
import { areaOf, asCircle, circle, edgeCount, millimetres, outlineText } from './outline.js';
import { parsed } from './sketch-view.js';

/** Corners that have rows; of more, those around the chosen one */
const MOST_ROWS = 200;
const DEGREE = Math.PI / 180;

export interface PanelHost {
  sketch(): Sketch;
  check(): SketchCheck;
  change(sketch: Sketch, what: string, gesture?: string): void;
  dropped(): void;
  choosePicture(): void;
  openDrawing(): void;
  save(format: 'dxf' | 'svg'): void;
  offset(outline: string, distance: number): void;
}

export class SketchPanel {
  readonly root: HTMLElement;
  readonly corners = element('div', { class: 'viewer-room sketch-panel' });
  readonly #desk: SketchDesk;
  readonly #host: PanelHost;
  readonly #picture = element('button', { type: 'button', class: 'viewer-button studio-plain with-text sketch-wide' });
  readonly length: NumberRow;
  readonly #turned: NumberRow;
  readonly #shown: HTMLInputElement;
  readonly #ofPicture: HTMLElement;
  readonly #outlines = element('ul', { class: 'sketch-outlines' });
  readonly #closed = fact('Closed');
  readonly #crosses = fact('Crosses itself');
  readonly #shortest = fact('Shortest edge');
  readonly #area = fact('Area');
  readonly #amounts: Readonly<Record<'radius' | 'distance' | 'count', HTMLInputElement>>;
  readonly #edit: HTMLElement;

  constructor(desk: SketchDesk, host: PanelHost) {
    this.#desk = desk;
    this.#host = host;
    this.#picture.addEventListener('click', () => host.choosePicture());
    this.length = numberRow('Length of it', 'mm', 1e-3, (length) => this.#setLength(length));
    this.length.field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.length.field.blur();
    });
    this.#turned = numberRow('Turned', '°', DEGREE, (turn) => this.#change('Turn the picture', { turn }));
    this.#shown = element('input', {
      type: 'range',
      class: 'viewer-slider',
      min: 0,
      max: 1,
      step: 0.05,
      'aria-label': 'How much of the picture shows',
      oninput: () => this.#change('Fade the picture', { opacity: Number(this.#shown.value) }, 'sketch-opacity'),
      onchange: () => host.dropped(),
    });
    this.#ofPicture = element(
      'div',
      {},
      this.length.root,
      this.#turned.root,
      row('Shown', this.#shown),
      element(
        'div',
        { class: 'sketch-buttons' },
        textButton('Set scale', () => (desk.tool = 'scale'), 'Two clicks on the picture, then the length between them'),
        textButton('Level', () => (desk.tool = 'level'), 'Two clicks on a line that should be level or upright'),
        textButton('Origin', () => (desk.tool = 'origin'), 'One click: that point becomes (0, 0)'),
        textButton('Trim', () => (desk.tool = 'trim'), 'Two clicks: opposite corners of what is kept'),
        textButton('Take away', () => this.#withoutPicture()),
      ),
    );
    const amount = (label: string, value: string): HTMLInputElement =>
      element('input', { type: 'text', inputmode: 'decimal', 'aria-label': label, value, size: 6 });
    this.#amounts = {
      radius: amount('Radius in mm', ''),
      distance: amount('Distance in mm', ''),
      count: amount('How many', '6'),
    };
    const act = (label: string, field: HTMLInputElement | undefined, press: () => void, title: string): HTMLElement =>
      element('div', { class: 'sketch-act' }, field, textButton(label, press, title));
    this.#edit = element(
      'div',
      {},
      heading('Edit the outline'),
      act('Round corners', this.#amounts.radius, () => this.#fillet(), 'The chosen corner, or all of the outline; mm'),
      act('Offset', this.#amounts.distance, () => this.#offset(), 'Grow by a distance in mm; negative shrinks'),
      act(
        'Around a circle',
        this.#amounts.count,
        () => this.#around(),
        'Copies about the origin; an open chain becomes one wheel',
      ),
      element(
        'div',
        { class: 'sketch-buttons' },
        textButton('Mirror left–right', () => this.#mirror([0, 1]), 'At the line x = 0'),
        textButton('Mirror up–down', () => this.#mirror([1, 0]), 'At the line y = 0'),
        textButton(
          'Mirror and close',
          () => this.#mirrorClosed(),
          'An open chain with its image at the line through both ends',
        ),
      ),
    );
    this.root = element(
      'div',
      { class: 'viewer-room sketch-panel' },
      row('Picture', this.#picture),
      this.#ofPicture,
      heading('Outlines'),
      this.#outlines,
      heading('Checks'),
      this.#closed.root,
      this.#crosses.root,
      this.#shortest.root,
      this.#area.root,
      this.#edit,
      heading('Files'),
      element(
        'div',
        { class: 'sketch-buttons' },
        textButton('Open DXF or SVG', () => host.openDrawing()),
        textButton('Save DXF', () => host.save('dxf')),
        textButton('Save SVG', () => host.save('svg')),
      ),
    );
  }

  show(): void {
    const sketch = this.#host.sketch();
    const { picture, outlines } = sketch;
    this.#picture.textContent = picture ? picture.asset : 'Choose a picture …';
    this.#ofPicture.hidden = !picture;
    if (picture) {
      this.#turned.show(picture.turn);
      this.#shown.value = String(picture.opacity);
    }
    const [a, b] = this.#desk.marks;
    const measures = this.#desk.tool === 'scale' && a && b;
    this.length.root.hidden = !measures;
    if (measures) this.length.show(Math.hypot(b[0] - a[0], b[1] - a[1]));
    const { chosen } = this.#desk;
    this.#outlines.replaceChildren(
      ...Object.entries(outlines).map(([name, outline]) => this.#item(name, outline, chosen)),
    );
    if (Object.keys(outlines).length === 0)
      this.#outlines.append(
        element('li', { class: 'viewer-quiet' }, 'None yet: click in the sketch, or type x and y.'),
      );
    const { allClosed, problem, shortestEdge, area } = this.#host.check();
    this.#closed.value.textContent = Object.keys(outlines).length === 0 ? '' : allClosed ? 'yes' : 'no';
    this.#crosses.value.textContent = problem?.at ? problem.text : allClosed ? 'no' : '';
    this.#crosses.value.classList.toggle('sketch-problem', problem?.at !== undefined);
    this.#shortest.value.textContent = shortestEdge === undefined ? '' : millimetres(shortestEdge);
    this.#area.value.textContent = area > 0 ? `${Number((1e6 * area).toPrecision(5))} mm²` : '';
    this.#edit.hidden = !chosen;
    this.#fillCorners(chosen);
  }

  #item(name: string, outline: SketchOutline, chosen: Chosen | undefined): HTMLElement {
    const outer = this.#host.check().profiles.length > 0 && this.#isHole(outline) ? 'hole, ' : '';
    return element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          class: 'sketch-item',
          'aria-pressed': String(chosen?.outline === name),
          onclick: () => this.#desk.choose({ outline: name }),
        },
        element('strong', {}, name),
        element('span', {}, `${outer}${outlineText(outline)}${outline.closed ? '' : ', open'}`),
      ),
      iconButton('delete', `Delete ${name}`, () => {
        this.#desk.choose({ outline: name });
        this.#desk.remove();
      }),
    );
  }

  #isHole(outline: SketchOutline): boolean {
    const area = areaOf(outline);
    return this.#host
      .check()
      .profiles.some(({ holes }) =>
        holes.some(
          (hole) =>
            Math.abs(areaOf({ corners: hole.map(([x, y, b = 0]) => [x, y, b]), closed: true }) - area) < 1e-9 * area,
        ),
      );
  }

  // —— corners as rows ——

  #fillCorners(chosen: Chosen | undefined): void {
    if (this.corners.contains(document.activeElement)) return; // not under the fingers
    if (!chosen) {
      this.corners.replaceChildren(element('p', { class: 'viewer-quiet' }, 'Choose an outline to see its corners.'));
      return;
    }
    const name = chosen.outline;
    const outline = this.#host.sketch().outlines[name];
    const round = asCircle(outline);
    if (round) {
      const set = (centre: Vec2, radius: number): void =>
        this.#desk.replace(name, () => circle(centre, radius), 'Change a circle');
      const rows = [
        numberRow('x', 'mm', 1e-3, (x) => set([x, round.centre[1]], round.radius)),
        numberRow('y', 'mm', 1e-3, (y) => set([round.centre[0], y], round.radius)),
        numberRow('Diameter', 'mm', 1e-3, (d) => d > 0 && set(round.centre, d / 2)),
      ];
      [...round.centre, 2 * round.radius].forEach((value, i) => {
        rows[i].show(value);
      });
      this.corners.replaceChildren(heading(name), ...rows.map(({ root }) => root));
      return;
    }
    const edges = edgeCount(outline);
    const cells = outline.corners.slice(0, MOST_ROWS).map(([x, y, bulge], i) => {
      const cell = (label: string, value: number, put: (value: number) => void): HTMLElement => {
        const field = element('input', {
          type: 'text',
          inputmode: 'decimal',
          'aria-label': `${label} of corner ${i + 1}`,
          value: Number(value.toPrecision(7)),
          size: 7,
          onfocus: () => this.#desk.choose({ outline: name, corner: i }),
          onchange: () => {
            const typed = parsed(field.value);
            field.setAttribute('aria-invalid', String(typed === undefined));
            if (typed !== undefined) put(typed);
          },
        });
        return element('td', {}, field);
      };
      const at = (k: 0 | 1) => (value: number) =>
        this.#desk.replace(
          name,
          (own) => {
            const [u, v] = own.corners[i];
            return moveCorner(own, i, k === 0 ? [value / 1e3, v] : [u, value / 1e3]);
          },
          'Move a corner',
        );
      return element(
        'tr',
        { 'aria-selected': String(chosen.corner === i) },
        element('th', { scope: 'row' }, String(i + 1)),
        cell('x', 1e3 * x, at(0)),
        cell('y', 1e3 * y, at(1)),
        i < edges
          ? cell('Arc in degrees after', (4 * Math.atan(bulge)) / DEGREE, (sweep) =>
              this.#desk.replace(name, (own) => setBulge(own, i, Math.tan((sweep * DEGREE) / 4)), 'Bend an edge'),
            )
          : element('td', {}),
      );
    });
    this.corners.replaceChildren(
      heading(name),
      element(
        'table',
        { class: 'sketch-corners' },
        element(
          'thead',
          {},
          element('tr', {}, ...['', 'x mm', 'y mm', 'arc °'].map((text) => element('th', {}, text))),
        ),
        element('tbody', {}, ...cells),
      ),
    );
  }

  // —— what is pressed ——

  #setLength(length: number): void {
    this.#desk.setLength(length);
  }

  #change(what: string, part: Partial<NonNullable<Sketch['picture']>>, gesture?: string): void {
    const sketch = this.#host.sketch();
    if (sketch.picture) this.#host.change({ ...sketch, picture: { ...sketch.picture, ...part } }, what, gesture);
  }

  #withoutPicture(): void {
    const { picture: _, ...rest } = this.#host.sketch();
    this.#host.change(rest, 'Take the picture away');
  }

  #amount(name: 'radius' | 'distance' | 'count', least: number): number | undefined {
    const field = this.#amounts[name];
    const value = parsed(field.value);
    const isWrong = value === undefined || !(Math.abs(value) > least);
    field.setAttribute('aria-invalid', String(isWrong));
    if (isWrong) field.focus();
    return isWrong ? undefined : value;
  }

  #fillet(): void {
    const { chosen } = this.#desk;
    const radius = this.#amount('radius', 0);
    if (!chosen || radius === undefined) return;
    const { corner } = chosen;
    this.#desk.replace(
      chosen.outline,
      (own) => fillet(own, corner === undefined ? own.corners.map((_, i) => i) : [corner], radius / 1e3),
      corner === undefined ? 'Round all corners' : 'Round a corner',
    );
  }

  #offset(): void {
    const { chosen } = this.#desk;
    const distance = this.#amount('distance', 0);
    if (chosen && distance !== undefined) this.#host.offset(chosen.outline, distance / 1e3);
  }

  #around(): void {
    const { chosen } = this.#desk;
    const count = this.#amount('count', 1);
    if (!chosen || count === undefined) return;
    this.#desk.replace(chosen.outline, (own) => aroundCircle(own, count, [0, 0]), `Place ${count} around a circle`);
  }

  #mirror(along: Vec2): void {
    const { chosen } = this.#desk;
    if (chosen) this.#desk.replace(chosen.outline, (own) => mirrorOutline(own, [0, 0], along), 'Mirror');
  }

  #mirrorClosed(): void {
    const { chosen } = this.#desk;
    if (chosen) this.#desk.replace(chosen.outline, mirrorClosed, 'Mirror and close');
  }
}
