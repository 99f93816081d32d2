/**
 * The sketch on the screen: an SVG of the size of the view, in pixels, over the picture. Pointer and keys become clicks of the desk in m; what is snapped to is shown where
 * it is. By keyboard a cross is moved by arrows and Enter clicks there.
 */
import { edgePoint } from '../../geometry/arc.js';
import type { Vec2 } from '../../math/vec3.js';
import { element } from '../../viewer/controls/element.js';
import type { Sketch, SketchOutline } from '../document/sketch.js';
import type { SketchCheck } from './check.js';
import type { SketchDesk } from './desk.js';
import { boundsOf, edgeAt, edgeCount, edgeMiddle, millimetres, pathOf } from './outline.js';
import { type PictureSize, pointOf } from './picture.js';
import { endTangent, gridFor, type Snap, snap } from './snap.js';

const SVG = 'http://www.w3.org/2000/svg';
/** px */
const REACH = 9;
const CORNER = 4.5;
const CLICK = 4;
const GRID_LEAST = 14;

function svg(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: Node[]): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

type Drag =
  | { readonly kind: 'pan'; readonly from: Vec2; readonly centre: Vec2; moved: boolean }
  | { readonly kind: 'corner' | 'bend'; readonly from: Vec2; readonly gesture: string; moved: boolean };

export interface ViewHost {
  sketch(): Sketch;
  check(): SketchCheck;
  /** A drag has ended */
  dropped(): void;
  /** The second end of a length was clicked: the field that wants it takes the focus. */
  wantsLength(): void;
}

export class SketchView {
  readonly root: HTMLElement;
  /** What the next corner is: length and angle, which can be typed */
  readonly entry: HTMLElement;
  readonly #length = numberField('Length in mm');
  readonly #angle = numberField('Angle in degrees');
  readonly #svg: SVGSVGElement;
  readonly #layers: Readonly<Record<'grid' | 'picture' | 'figure' | 'live', SVGElement>>;
  readonly #tip = element('div', { class: 'sketch-tip', hidden: true });
  readonly #desk: SketchDesk;
  readonly #host: ViewHost;
  #width = 800;
  #height = 600;
  /** In the middle of the view, m, and px per m */
  #centre: Vec2 = [0, 0];
  #zoom = 4000;
  #pointer: Snap | undefined;
  #cursor: Vec2 | undefined;
  #drag: Drag | undefined;
  #gestures = 0;
  #image: { readonly href: string; readonly size: PictureSize } | undefined;
  readonly #resize: ResizeObserver;
  snaps = true;

  constructor(desk: SketchDesk, host: ViewHost) {
    this.#desk = desk;
    this.#host = host;
    const layer = (name: string): SVGElement => svg('g', { class: `sketch-${name}` });
    this.#layers = { picture: layer('picture'), grid: layer('grid'), figure: layer('figure'), live: layer('live') };
    this.#svg = svg('svg', { tabindex: 0, role: 'application', 'aria-label': 'Sketch' }) as SVGSVGElement;
    this.#svg.append(this.#layers.picture, this.#layers.grid, this.#layers.figure, this.#layers.live);
    this.entry = element(
      'form',
      { class: 'sketch-entry', hidden: true, onsubmit: (event) => this.#typed(event) },
      element('span', {}, this.#length, ' mm'),
      element('span', {}, this.#angle, ' °'),
      element('button', { type: 'submit', class: 'viewer-button' }, 'Set'),
    );
    this.root = element('div', { class: 'sketch-view' }, this.#svg, this.#tip, this.entry);
    this.#svg.addEventListener('pointerdown', (event) => this.#down(event));
    this.#svg.addEventListener('pointermove', (event) => this.#move(event));
    this.#svg.addEventListener('pointerup', (event) => this.#up(event));
    this.#svg.addEventListener('pointercancel', () => (this.#drag = undefined));
    this.#svg.addEventListener('pointerleave', () => this.#leave());
    this.#svg.addEventListener('dblclick', (event) => this.#double(event));
    this.#svg.addEventListener('contextmenu', (event) => event.preventDefault());
    this.#svg.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#svg.addEventListener('keydown', (event) => this.#key(event));
    for (const field of [this.#length, this.#angle])
      field.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        this.closeEntry();
      });
    this.#resize = new ResizeObserver(() => this.measure());
    this.#resize.observe(this.root);
  }

  close(): void {
    this.#resize.disconnect();
  }
  focus(): void {
    this.#svg.focus();
  }

  // —— what is seen ——

  measure(): void {
    const { clientWidth, clientHeight } = this.root;
    if (clientWidth === 0 || clientHeight === 0) return;
    [this.#width, this.#height] = [clientWidth, clientHeight];
    this.#svg.setAttribute('viewBox', `0 0 ${clientWidth} ${clientHeight}`);
    this.draw();
  }

  setPicture(image: { readonly href: string; readonly size: PictureSize } | undefined): void {
    this.#image = image;
    this.draw();
  }

  /** All of the sketch and its picture into the view. */
  fit(): void {
    const { picture, outlines } = this.#host.sketch();
    const points: Vec2[] = [...(boundsOf(Object.values(outlines)) ?? [])];
    if (picture && this.#image) {
      const { size } = this.#image;
      const [x, y, w, h] = picture.trim ?? [0, 0, size.width, size.height];
      for (const pixel of [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x, y + h],
      ] as Vec2[])
        points.push(pointOf(picture, size, pixel));
    }
    if (points.length === 0) points.push([-0.05, -0.05], [0.05, 0.05]);
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.#centre = [(left + right) / 2, (bottom + top) / 2];
    this.#zoom =
      0.84 * Math.min(this.#width / Math.max(right - left, 1e-9), this.#height / Math.max(top - bottom, 1e-9));
    this.draw();
  }

  sees(points: readonly (readonly number[])[]): boolean {
    return points.every((point) => {
      const [x, y] = this.toScreen(point);
      return x >= 0 && y >= 0 && x <= this.#width && y <= this.#height;
    });
  }

  get grid(): number {
    return gridFor((40 * GRID_LEAST) / this.#zoom);
  }

  toScreen = ([x, y]: readonly number[]): Vec2 => [
    this.#width / 2 + this.#zoom * (x - this.#centre[0]),
    this.#height / 2 - this.#zoom * (y - this.#centre[1]),
  ];
  toSketch([x, y]: Vec2): Vec2 {
    return [
      this.#centre[0] + (x - this.#width / 2) / this.#zoom,
      this.#centre[1] - (y - this.#height / 2) / this.#zoom,
    ];
  }

  /** In pixels; the y axis goes down there, so arcs turn the other way. */
  #onScreen = ({ corners, closed }: SketchOutline): SketchOutline => ({
    corners: corners.map(([x, y, bulge]) => [...this.toScreen([x, y]), -bulge] as const),
    closed,
  });

  draw(): void {
    this.#drawPicture();
    this.#drawGrid();
    this.#drawFigure();
    this.#drawLive();
  }

  #drawPicture(): void {
    const { picture } = this.#host.sketch();
    const image = this.#image;
    if (!picture || !image) {
      this.#layers.picture.replaceChildren();
      return;
    }
    const { size, href } = image;
    const [x, y, w, h] = picture.trim ?? [0, 0, size.width, size.height];
    const k = picture.scale * this.#zoom;
    const [u, v] = this.toScreen(picture.at);
    const turn = (-180 * picture.turn) / Math.PI;
    const place = `translate(${u} ${v}) rotate(${turn}) scale(${k}) translate(${-size.width / 2} ${-size.height / 2})`;
    const had = this.#layers.picture.querySelector('image');
    const shown = had?.getAttribute('href') === href ? had : svg('image', { href, preserveAspectRatio: 'none' });
    shown.setAttribute('width', String(size.width));
    shown.setAttribute('height', String(size.height));
    const cut = svg('svg', { x, y, width: w, height: h, viewBox: `${x} ${y} ${w} ${h}` }, shown);
    const group = svg('g', { transform: place, opacity: picture.opacity }, cut);
    this.#layers.picture.replaceChildren(group);
  }

  #drawGrid(): void {
    const step = this.grid;
    const [[left, top], [right, bottom]] = [this.toSketch([0, 0]), this.toSketch([this.#width, this.#height])];
    let path = '';
    for (let i = Math.ceil(left / step); i * step <= right; i++)
      path += `M${this.toScreen([i * step, 0])[0]} 0V${this.#height}`;
    for (let i = Math.ceil(bottom / step); i * step <= top; i++)
      path += `M0 ${this.toScreen([0, i * step])[1]}H${this.#width}`;
    const [ox, oy] = this.toScreen([0, 0]);
    this.#layers.grid.replaceChildren(
      svg('path', { class: 'sketch-lines', d: path }),
      svg('path', { class: 'sketch-axes', d: `M${ox} 0V${this.#height}M0 ${oy}H${this.#width}` }),
    );
  }

  #drawFigure(): void {
    const { outlines } = this.#host.sketch();
    const { chosen } = this.#desk;
    const { problem } = this.#host.check();
    const closed = Object.values(outlines).filter((outline) => outline.closed);
    const parts: SVGElement[] = [
      svg('path', { class: 'sketch-inside', d: closed.map((outline) => pathOf(this.#onScreen(outline))).join('') }),
    ];
    for (const [name, outline] of Object.entries(outlines)) {
      const isChosen = chosen?.outline === name;
      const isWrong = problem?.at !== undefined && problem.outlines.includes(name);
      const screen = this.#onScreen(outline);
      parts.push(
        svg('path', {
          class: `sketch-outline${isChosen ? ' chosen' : ''}${isWrong ? ' wrong' : ''}`,
          d: pathOf(screen),
          'data-outline': name,
        }),
      );
      if (isChosen && chosen.edge !== undefined && chosen.edge < edgeCount(outline)) {
        const { from, to, bulge } = edgeAt(screen, chosen.edge);
        parts.push(
          svg('path', {
            class: 'sketch-edge',
            d: pathOf({
              corners: [
                [...from, bulge],
                [...to, 0],
              ],
              closed: false,
            }),
          }),
        );
      }
      screen.corners.forEach(([x, y], i) => {
        const own = isChosen && chosen.corner === i ? ' chosen' : '';
        parts.push(svg('circle', { class: `sketch-corner${own}`, cx: x, cy: y, r: own ? 6 : CORNER }));
      });
      // Squares in the middle of edges bend them
      if (isChosen && this.#desk.tool === 'select')
        for (let i = 0; i < edgeCount(screen); i++) {
          const [x, y] = edgeMiddle(edgeAt(screen, i));
          parts.push(svg('rect', { class: 'sketch-bend', x: x - 3.5, y: y - 3.5, width: 7, height: 7 }));
        }
    }
    if (problem?.at) {
      const [x, y] = this.toScreen(problem.at);
      parts.push(svg('circle', { class: 'sketch-wrong', cx: x, cy: y, r: 11 }));
    }
    this.#layers.figure.replaceChildren(...parts);
  }

  #drawLive(): void {
    const parts: SVGElement[] = [];
    const { marks, tool, from } = this.#desk;
    const here = this.#pointer;
    for (const mark of marks) {
      const [x, y] = this.toScreen(mark);
      parts.push(svg('circle', { class: 'sketch-mark', cx: x, cy: y, r: 4 }));
    }
    if (marks.length === 2) {
      const [[x, y], [u, v]] = marks.map(this.toScreen);
      parts.push(svg('path', { class: 'sketch-length', d: `M${x} ${y}L${u} ${v}` }));
    }
    let text = '';
    if (here && (tool !== 'select' || this.#drag)) {
      for (const [a, b] of here.guides) {
        const [[x, y], [u, v]] = [this.toScreen(a), this.toScreen(b)];
        parts.push(svg('path', { class: 'sketch-guide', d: `M${x} ${y}L${u} ${v}` }));
      }
      const rubber = this.#drag ? undefined : this.#desk.rubber(here.at);
      if (rubber) parts.push(svg('path', { class: 'sketch-rubber', d: pathOf(this.#onScreen(rubber)) }));
      const [x, y] = this.toScreen(here.at);
      if (here.kind !== 'free') parts.push(svg('circle', { class: `sketch-snap ${here.kind}`, cx: x, cy: y, r: 7 }));
      const start = tool === 'line' || tool === 'arc' ? from : marks[0];
      text = start ? `${lengthText(start, here.at)} · ${placeText(here)}` : placeText(here);
    }
    if (this.#cursor && document.activeElement === this.#svg) {
      const [x, y] = this.toScreen(this.#cursor);
      parts.push(svg('path', { class: 'sketch-cross', d: `M${x - 12} ${y}h24M${x} ${y - 12}v24` }));
    }
    this.#layers.live.replaceChildren(...parts);
    this.#tip.hidden = text === '';
    this.#tip.textContent = text;
    if (here) {
      const [x, y] = this.toScreen(here.at);
      this.#tip.style.left = `${Math.min(this.#width - 240, x + 16)}px`;
      this.#tip.style.top = `${Math.max(4, y - 38)}px`;
    }
  }

  // —— pointer ——

  #place(event: MouseEvent): Vec2 {
    const { left, top } = this.#svg.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #snapped(screen: Vec2, free: boolean): Snap {
    const at = this.toSketch(screen);
    if (!this.snaps || free) return { at, kind: 'free', guides: [] };
    const { tool, chosen, chain, from, chainName } = this.#desk;
    const isDrawing = tool === 'line' || tool === 'arc';
    const without =
      this.#drag?.kind === 'corner' && chosen?.corner !== undefined
        ? ([chosen.outline, chosen.corner] as const)
        : isDrawing && chain && chainName !== undefined
          ? ([chainName, chain.corners.length - 1] as const)
          : undefined;
    // A picture is measured where it shows something, not on the grid.
    const onPicture =
      tool === 'scale' || tool === 'level' || tool === 'trim' || this.#host.sketch().picture !== undefined;
    return snap(at, this.#host.sketch().outlines, {
      reach: REACH / this.#zoom,
      ...(!onPicture && { grid: this.grid }),
      ...(isDrawing && { from, tangent: chain && endTangent(chain) }),
      without,
    });
  }

  #down(event: PointerEvent): void {
    this.focus();
    const screen = this.#place(event);
    this.#svg.setPointerCapture(event.pointerId);
    const pan: Drag = { kind: 'pan', from: screen, centre: this.#centre, moved: false };
    if (event.button !== 0) {
      this.#drag = pan;
      return;
    }
    if (this.#desk.tool !== 'select') return;
    const found = this.#under(screen);
    const gesture = `sketch-${++this.#gestures}`;
    if (found?.corner !== undefined) this.#drag = { kind: 'corner', from: screen, gesture, moved: false };
    else if (found?.bends) this.#drag = { kind: 'bend', from: screen, gesture, moved: false };
    else this.#drag = pan;
    const { outline, corner, edge } = found ?? {};
    this.#desk.choose(
      outline === undefined
        ? undefined
        : { outline, ...(corner !== undefined && { corner }), ...(edge !== undefined && { edge }) },
    );
  }

  #move(event: PointerEvent): void {
    const screen = this.#place(event);
    const drag = this.#drag;
    if (drag) {
      drag.moved ||= Math.hypot(screen[0] - drag.from[0], screen[1] - drag.from[1]) > CLICK;
      if (!drag.moved) return;
      if (drag.kind === 'pan') {
        const [x, y] = [screen[0] - drag.from[0], screen[1] - drag.from[1]];
        this.#centre = [drag.centre[0] - x / this.#zoom, drag.centre[1] + y / this.#zoom];
        this.draw();
        return;
      }
      this.#pointer = this.#snapped(screen, event.altKey);
      if (drag.kind === 'corner') this.#desk.moveTo(this.#pointer.at, drag.gesture);
      else this.#desk.bendTo(this.toSketch(screen), drag.gesture);
      this.#drawLive();
      return;
    }
    this.#cursor = undefined;
    this.#pointer = this.#snapped(screen, event.altKey);
    this.#drawLive();
  }

  #up(event: PointerEvent): void {
    const screen = this.#place(event);
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag) {
      if (drag.moved) this.#host.dropped();
      this.draw();
      return;
    }
    if (event.button !== 0 || this.#desk.tool === 'select') return;
    this.#pointer = this.#snapped(screen, event.altKey);
    this.#click(this.#pointer);
  }

  #click(at: Snap): void {
    this.#desk.click(at);
    this.draw();
    // Once the pointer is up: on its way down the sketch would take the focus back.
    if (this.#desk.tool === 'scale' && this.#desk.marks.length === 2) this.#host.wantsLength();
  }

  #leave(): void {
    if (this.#drag) return;
    this.#pointer = undefined;
    this.#drawLive();
  }

  /** Inserts a corner where an edge is double-clicked. */
  #double(event: MouseEvent): void {
    if (this.#desk.tool !== 'select') return;
    const screen = this.#place(event);
    const found = this.#under(screen);
    if (found?.edge === undefined || found.corner !== undefined) return;
    const outline = this.#host.sketch().outlines[found.outline];
    const { from, to, bulge } = edgeAt(outline, found.edge);
    const at = this.toSketch(screen);
    let best = 0.5;
    const far = (t: number): number => {
      const [x, y] = edgePoint(from, to, bulge, t);
      return Math.hypot(x - at[0], y - at[1]);
    };
    for (let i = 1; i < 64; i++) if (far(i / 64) < far(best)) best = i / 64;
    this.#desk.insert(found.outline, found.edge, best);
  }

  /** The corner, middle or edge under a point of the screen; corners first. */
  #under(
    screen: Vec2,
  ):
    | { readonly outline: string; readonly corner?: number; readonly edge?: number; readonly bends?: boolean }
    | undefined {
    const { outlines } = this.#host.sketch();
    const { chosen } = this.#desk;
    const near = (point: readonly number[]): boolean => Math.hypot(point[0] - screen[0], point[1] - screen[1]) < REACH;
    const names = Object.keys(outlines).sort((a, b) => Number(b === chosen?.outline) - Number(a === chosen?.outline));
    const figures = names.map((name) => [name, this.#onScreen(outlines[name])] as const);
    for (const [outline, { corners }] of figures) {
      const corner = corners.findIndex(near);
      if (corner >= 0) return { outline, corner };
    }
    for (const [outline, figure] of figures) {
      for (let edge = 0; edge < edgeCount(figure); edge++) {
        const { from, to, bulge } = edgeAt(figure, edge);
        if (outline === chosen?.outline && near(edgeMiddle({ from, to, bulge }))) return { outline, edge, bends: true };
      }
    }
    for (const [outline, figure] of figures)
      for (let edge = 0; edge < edgeCount(figure); edge++) {
        const { from, to, bulge } = edgeAt(figure, edge);
        const pieces = bulge === 0 ? Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 6)) : 48;
        for (let i = 0; i <= pieces; i++) if (near(edgePoint(from, to, bulge, i / pieces))) return { outline, edge };
      }
    return undefined;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#nearer(Math.exp(-event.deltaY / 500), this.#place(event));
  }

  #nearer(factor: number, about: Vec2): void {
    const at = this.toSketch(about);
    this.#zoom = Math.max(1e-3, Math.min(1e9, this.#zoom * factor));
    const now = this.toSketch(about);
    this.#centre = [this.#centre[0] + at[0] - now[0], this.#centre[1] + at[1] - now[1]];
    this.draw();
  }

  // —— keys ——

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    const arrows: Readonly<Record<string, Vec2>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const { tool, chosen } = this.#desk;
    const way = arrows[event.key];
    if (way) {
      const step = this.grid * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);
      const by: Vec2 = [way[0] * step, way[1] * step];
      if (tool === 'select' && chosen?.corner !== undefined) {
        const [x, y] = this.#host.sketch().outlines[chosen.outline].corners[chosen.corner];
        this.#desk.moveTo([x + by[0], y + by[1]], 'sketch-nudge');
      } else {
        const [x, y] = this.#cursor ?? this.#desk.from ?? this.#centre;
        this.#cursor = [short(x + by[0]), short(y + by[1])];
        this.#pointer = { at: this.#cursor, kind: 'free', guides: [] };
        this.#drawLive();
      }
    } else if (event.key === 'Enter' && this.#cursor && tool !== 'select' && !this.#isAtEnd(this.#cursor)) {
      const near = snap(this.#cursor, this.#host.sketch().outlines, { reach: REACH / this.#zoom });
      this.#click(near.kind === 'corner' ? near : { at: this.#cursor, kind: 'free', guides: [] });
    } else if (event.key === 'Enter' && this.#desk.chain) this.#desk.close();
    else if (/^[\d.-]$/.test(event.key) && this.#desk.isDrawing && !event.altKey) this.#openEntry(event.key);
    else if (event.key === '+' || event.key === '=') this.#nearer(1.25, [this.#width / 2, this.#height / 2]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** On the last corner Enter closes the outline. */
  #isAtEnd([x, y]: Vec2): boolean {
    const { from } = this.#desk;
    return from !== undefined && from[0] === x && from[1] === y;
  }

  /** What is typed sets the length of the next edge, Tab its angle; the place of a first corner. */
  #openEntry(text: string): void {
    const { from, tool, marks } = this.#desk;
    const isPlace = tool === 'circle' ? marks.length === 0 : !from;
    const [a, b] = isPlace ? ['x', 'y'] : tool === 'circle' ? ['Radius', ''] : ['Length', 'Angle'];
    this.#length.setAttribute('aria-label', `${a} in mm`);
    this.#length.placeholder = a;
    this.#angle.setAttribute('aria-label', b === 'Angle' ? 'Angle in degrees' : `${b} in mm`);
    this.#angle.placeholder = b;
    (this.#angle.parentElement as HTMLElement).hidden = b === '';
    (this.#angle.nextSibling as Text).textContent = b === 'Angle' ? ' °' : ' mm';
    const here = this.#pointer?.at;
    const angle = from && here ? (180 / Math.PI) * Math.atan2(here[1] - from[1], here[0] - from[0]) : 0;
    this.#angle.value = b === 'Angle' ? String(Number(angle.toFixed(3))) : '';
    this.#length.value = text;
    this.entry.hidden = false;
    const [x, y] = this.toScreen(here ?? from ?? this.#centre);
    this.entry.style.left = `${Math.max(8, Math.min(this.#width - 260, x + 16))}px`;
    this.entry.style.top = `${Math.max(8, Math.min(this.#height - 60, y + 14))}px`;
    this.#length.focus();
  }

  closeEntry(): void {
    this.entry.hidden = true;
    this.focus();
  }

  #typed(event: Event): void {
    event.preventDefault();
    const [a, b] = [parsed(this.#length.value), parsed(this.#angle.value || '0')];
    this.#length.setAttribute('aria-invalid', String(a === undefined));
    this.#angle.setAttribute('aria-invalid', String(b === undefined));
    if (a === undefined || b === undefined) return;
    const isAngle = this.#angle.placeholder === 'Angle';
    this.closeEntry();
    this.#desk.typed(a / 1000, isAngle ? (b * Math.PI) / 180 : b / 1000);
    this.#cursor = this.#desk.from;
    this.draw();
  }
}

const short = (x: number): number => Number(x.toPrecision(12));

const numberField = (label: string): HTMLInputElement =>
  element('input', { type: 'text', inputmode: 'decimal', 'aria-label': label, size: 7, autocomplete: 'off' });

/** A number as people write it, with a comma too; undefined where it is none. */
export function parsed(text: string): number | undefined {
  const value = Number(text.trim().replace(',', '.').replace('−', '-'));
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
}

function lengthText(from: Vec2, to: Vec2): string {
  const angle = (180 / Math.PI) * Math.atan2(to[1] - from[1], to[0] - from[0]);
  return `${millimetres(Math.hypot(to[0] - from[0], to[1] - from[1]))} · ${angle.toFixed(1)}°`;
}

const placeText = ({ at, kind }: Snap): string =>
  `${kind === 'free' ? '' : `${kind} at `}${(1e3 * at[0]).toFixed(3)}, ${(1e3 * at[1]).toFixed(3)}`;
