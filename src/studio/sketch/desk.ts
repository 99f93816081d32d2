/**
 * What the tools of the sketcher do, click by click, without a word of pointers and pixels: a click is a point in m that has been snapped. Each change is a whole new
 * sketch, told to the host with words for undo.
 */
import { ModelError } from '../../errors.js';
import type { Vec2 } from '../../math/vec3.js';
import type { Sketch, SketchOutline, SketchPicture } from '../document/sketch.js';
import {
  addCorner,
  bendEdge,
  closeOutline,
  deleteCorner,
  insertCorner,
  moveCorner,
  moveOutline,
  polar,
} from './edit.js';
import { bulgeAlong, bulgeThrough, circle, edgeAt } from './outline.js';
import { levelByTwoPoints, type PictureSize, scaleByTwoPoints, trimPicture } from './picture.js';
import { endTangent, type Snap } from './snap.js';

export type Tool = 'select' | 'line' | 'arc' | 'circle' | 'scale' | 'level' | 'trim' | 'origin' | 'measure';

export interface Chosen {
  readonly outline: string;
  readonly corner?: number;
  readonly edge?: number;
}

export interface DeskHost {
  sketch(): Sketch;
  /** @param gesture of a drag: its changes are one */
  change(sketch: Sketch, what: string, gesture?: string): void;
  /** Something is different that no change of the sketch tells: tool, choice, a point that was clicked */
  changed(): void;
  /** What was refused, in words */
  refuse(why: string): void;
  /** Another scale or origin: what was seen is elsewhere now */
  moved(): void;
}

export class SketchDesk {
  readonly #host: DeskHost;
  #tool: Tool = 'line';
  #chosen: Chosen | undefined;
  /** Name of the outline that is being drawn */
  #chain: string | undefined;
  /** Points clicked that are no corners yet: where an arc goes through, a circle's centre, the ends of a length */
  #marks: readonly Vec2[] = [];
  /** Of the picture, told by who has loaded it */
  pictureSize: PictureSize | undefined;

  constructor(host: DeskHost) {
    this.#host = host;
  }

  get tool(): Tool {
    return this.#tool;
  }
  set tool(tool: Tool) {
    // A chain goes on from line to arc and back; other tools leave it open.
    if (tool !== 'line' && tool !== 'arc') this.#chain = undefined;
    this.#tool = tool;
    this.#marks = [];
    this.#host.changed();
  }

  get chosen(): Chosen | undefined {
    const { outlines } = this.#host.sketch();
    const own = this.#chosen;
    if (!own || !Object.hasOwn(outlines, own.outline)) return undefined;
    const { length } = outlines[own.outline].corners;
    return (own.corner ?? own.edge ?? 0) < length ? own : { outline: own.outline };
  }
  choose(chosen: Chosen | undefined): void {
    this.#chosen = chosen;
    this.#host.changed();
  }

  get marks(): readonly Vec2[] {
    return this.#marks;
  }

  /** The outline that is being drawn; undefined where none is, or undo has taken it back */
  get chain(): SketchOutline | undefined {
    const { outlines } = this.#host.sketch();
    const own = this.#chain !== undefined && Object.hasOwn(outlines, this.#chain) ? outlines[this.#chain] : undefined;
    return own && !own.closed ? own : undefined;
  }
  get chainName(): string | undefined {
    return this.chain ? this.#chain : undefined;
  }
  /** Where the next edge begins */
  get from(): Vec2 | undefined {
    const last = this.chain?.corners.at(-1);
    return last && [last[0], last[1]];
  }

  get isDrawing(): boolean {
    return this.#tool === 'line' || this.#tool === 'arc' || this.#tool === 'circle';
  }

  /** The outline as it would be if `at` were clicked now. */
  rubber(at: Vec2): SketchOutline | undefined {
    const { from } = this;
    if (this.#tool === 'line' && from)
      return {
        corners: [
          [...from, 0],
          [...at, 0],
        ],
        closed: false,
      };
    if (this.#tool === 'arc' && from) {
      const [through] = this.#marks;
      const tangent = this.chain && endTangent(this.chain);
      const bulge = through ? bulgeThrough(from, through, at) : tangent ? bulgeAlong(tangent, from, at) : 0;
      return {
        corners: [
          [...from, bulge],
          [...at, 0],
        ],
        closed: false,
      };
    }
    const [first] = this.#marks;
    if (!first || distance(first, at) === 0) return undefined;
    if (this.#tool === 'circle') return circle(first, distance(first, at));
    if (this.#tool === 'trim') return box(first, at);
    return this.#tool === 'select' || this.#marks.length > 1
      ? undefined
      : {
          corners: [
            [...first, 0],
            [...at, 0],
          ],
          closed: false,
        };
  }

  // —— clicks ——

  click({ at, corner }: Snap): void {
    try {
      if (this.#tool === 'line' || this.#tool === 'arc') this.#draw(at, corner);
      else if (this.#tool === 'circle') this.#round(at);
      else if (this.#tool !== 'select') this.#mark(at);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#host.refuse(error.message.slice(error.path.length + 2));
    }
  }

  #draw(at: Vec2, corner: Snap['corner']): void {
    const { chain, chainName, from } = this;
    if (!chain || chainName === undefined || !from) {
      // The end of an outline that was left open: it goes on from there
      const left = corner && this.#host.sketch().outlines[corner[0]];
      if (left && !left.closed && corner[1] === left.corners.length - 1) {
        this.#chain = corner[0];
        this.#chosen = { outline: corner[0] };
        this.#host.changed();
        return;
      }
      const name = freeName(this.#host.sketch());
      this.#chain = name;
      this.#chosen = { outline: name };
      this.#put(name, { corners: [[...at, 0]], closed: false }, 'Begin an outline');
      return;
    }
    const closes = corner?.[0] === chainName && corner[1] === 0;
    if (!closes && distance(at, from) === 0) return; // the second of a double click
    // An arc: first the point it goes through, then its end.
    if (this.#tool === 'arc' && this.#marks.length === 0) {
      this.#marks = [at];
      this.#host.changed();
      return;
    }
    const bulge = this.#tool === 'arc' ? bulgeThrough(from, this.#marks[0], at) : 0;
    this.#marks = [];
    this.#end(chainName, chain, at, bulge, closes);
  }

  #end(name: string, chain: SketchOutline, at: Vec2, bulge: number, closes: boolean): void {
    if (closes) {
      const closed = closeOutline(chain, bulge);
      this.#chain = undefined;
      this.#put(name, closed, `Close ${name}`);
    } else this.#put(name, addCorner(chain, at, bulge), bulge === 0 ? 'Draw a line' : 'Draw an arc');
  }

  /** Closes the outline that is being drawn by a line to its first corner. */
  close(): void {
    const { chain, chainName } = this;
    if (!chain || chainName === undefined) return;
    try {
      const closed = closeOutline(chain);
      this.#chain = undefined;
      this.#put(chainName, closed, `Close ${chainName}`);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#host.refuse(error.message.slice(error.path.length + 2));
    }
  }

  /** What is typed: the next corner at a length and an angle from the last one, or a place where there is none yet. */
  typed(first: number, second: number): void {
    const { from } = this;
    const round = this.#tool === 'circle' ? this.#marks[0] : undefined;
    const at: Vec2 = round
      ? [round[0] + first, round[1]]
      : from && this.#tool !== 'circle'
        ? polar(from, first, second)
        : [first, second];
    this.click({ at, kind: 'free', guides: [] });
  }

  #round(at: Vec2): void {
    const [centre] = this.#marks;
    if (!centre) {
      this.#marks = [at];
      this.#host.changed();
      return;
    }
    const radius = distance(centre, at);
    if (!(radius > 0)) return;
    this.#marks = [];
    const name = freeName(this.#host.sketch(), 'circle');
    this.#chosen = { outline: name };
    this.#put(name, circle(centre, radius), 'Draw a circle');
  }

  /** The whole drawing, picture and outlines, moves so that this point is (0, 0). */
  #origin([x, y]: Vec2): void {
    const { picture, outlines, ...rest } = this.#host.sketch();
    const moved = Object.entries(outlines).map(([name, outline]) => [name, moveOutline(outline, [-x, -y])] as const);
    this.#host.change(
      {
        ...rest,
        ...(picture && { picture: { ...picture, at: [picture.at[0] - x, picture.at[1] - y] } }),
        outlines: Object.fromEntries(moved),
      },
      'Set the origin',
    );
    this.#tool = 'line';
    this.#host.moved();
  }

  #mark(at: Vec2): void {
    if (this.#tool === 'origin') {
      this.#origin(at);
      return;
    }
    this.#marks = this.#marks.length >= 2 ? [at] : [...this.#marks, at];
    const { picture } = this.#host.sketch();
    if (this.#marks.length === 2 && picture) {
      const [a, b] = this.#marks;
      const size = this.pictureSize;
      if (this.#tool === 'level') this.#picture(levelByTwoPoints(picture, a, b), 'Turn the picture');
      else if (this.#tool === 'trim' && size) this.#picture(trimPicture(picture, size, [a, b]), 'Trim the picture');
    }
    this.#host.changed();
  }

  #picture(picture: SketchPicture, what: string): void {
    this.#marks = [];
    this.#host.change({ ...this.#host.sketch(), picture }, what);
  }

  /** The length between the two points that were clicked, m: gives the picture its scale. */
  setLength(length: number): boolean {
    const { picture } = this.#host.sketch();
    const [a, b] = this.#marks;
    if (!picture || !a || !b) return false;
    try {
      const scaled = scaleByTwoPoints(picture, a, b, length);
      // Where nothing is drawn yet the picture stays in the middle, else on what is drawn.
      const isFirst = Object.keys(this.#host.sketch().outlines).length === 0;
      this.#picture(isFirst ? { ...scaled, at: picture.at } : scaled, 'Set the scale of the picture');
      this.#tool = 'line';
      this.#host.moved();
      return true;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#host.refuse(error.message.slice(error.path.length + 2));
      return false;
    }
  }

  // —— what is there ——

  moveTo(to: Vec2, gesture?: string): void {
    const { chosen } = this;
    if (chosen?.corner === undefined) return;
    this.#put(chosen.outline, moveCorner(this.#outline(chosen.outline), chosen.corner, to), 'Move a corner', gesture);
  }

  bendTo(through: Vec2, gesture?: string): void {
    const { chosen } = this;
    if (chosen?.edge === undefined) return;
    this.#put(chosen.outline, bendEdge(this.#outline(chosen.outline), chosen.edge, through), 'Bend an edge', gesture);
  }

  /** @param t how far along the edge */
  insert(outline: string, edge: number, t = 0.5): void {
    this.#put(outline, insertCorner(this.#outline(outline), edge, t), 'Insert a corner');
    this.choose({ outline, corner: edge + 1 });
  }

  /** The corner that is chosen, or the outline. */
  remove(): void {
    const { chosen } = this;
    if (!chosen) return;
    const sketch = this.#host.sketch();
    const own = this.#outline(chosen.outline);
    const left = chosen.corner === undefined ? undefined : deleteCorner(own, chosen.corner);
    if (left) {
      this.#put(chosen.outline, left, 'Delete a corner');
      return;
    }
    const { [chosen.outline]: _, ...outlines } = sketch.outlines;
    this.#chosen = undefined;
    this.#host.change({ ...sketch, outlines }, `Delete ${chosen.outline}`);
  }

  /** Another outline, or several, in the place of one; refused ones leave it as it is. */
  replace(
    name: string,
    make: (outline: SketchOutline) => SketchOutline | readonly SketchOutline[],
    what: string,
  ): void {
    try {
      const made = [make(this.#outline(name))].flat();
      const sketch = this.#host.sketch();
      let next: Sketch = { ...sketch, outlines: { ...sketch.outlines, [name]: made[0] } };
      for (const outline of made.slice(1))
        next = { ...next, outlines: { ...next.outlines, [freeName(next, name)]: outline } };
      this.#host.change(next, what);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#host.refuse(error.message.replace(/^[\w.[\]]+: /, ''));
    }
  }

  /** Takes back the point that was clicked last, or leaves the chain; false where nothing is under way. */
  escape(): boolean {
    if (this.#marks.length > 0) this.#marks = [];
    else if (this.chain) this.#chain = undefined;
    else if (this.#chosen) this.#chosen = undefined;
    else return false;
    this.#host.changed();
    return true;
  }

  #outline(name: string): SketchOutline {
    return this.#host.sketch().outlines[name];
  }

  #put(name: string, outline: SketchOutline, what: string, gesture?: string): void {
    const sketch = this.#host.sketch();
    this.#host.change({ ...sketch, outlines: { ...sketch.outlines, [name]: outline } }, what, gesture);
  }
}

const distance = (a: Vec2, b: Vec2): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

const box = ([x, y]: Vec2, [u, v]: Vec2): SketchOutline => ({
  corners: [
    [x, y, 0],
    [u, y, 0],
    [u, v, 0],
    [x, v, 0],
  ],
  closed: true,
});

/** `outline`, `outline2`, … */
export function freeName({ outlines }: Sketch, base = 'outline'): string {
  const stem = base.replace(/\d+$/, '');
  for (let i = 1; ; i++) {
    const name = i === 1 ? stem : `${stem}${i}`;
    if (!Object.hasOwn(outlines, name)) return name;
  }
}

/** Length and angle of the edge that ends at a corner, for what is shown beside it. */
export function edgeText(outline: SketchOutline, corner: number): { readonly length: number; readonly angle: number } {
  const { from, to } = edgeAt(outline, (corner + outline.corners.length - 1) % outline.corners.length);
  return { length: distance(from, to), angle: Math.atan2(to[1] - from[1], to[0] - from[0]) };
}
