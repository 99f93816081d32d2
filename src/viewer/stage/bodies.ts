/** The bodies on the stage: grouped by shape, each with its looks, coloured by one of three schemes. */
import { Group, type Vector2 } from 'three';
import type { Colour } from '../../geometry/solid.js';
import { toLinear } from '../../results/scene/colour-scale.js';
import type { Scene, SceneShape } from '../../results/scene.js';
import { bodyLooks, type Look } from '../material-looks.js';
import { CLEAR, type FaceColour, type Materials } from './materials.js';
import { CHOSEN, HIDDEN, type Instance, PartGroup, type Sight, SOLID, TRANSPARENT, WIRE } from './part-group.js';
import type { Placement } from './placement.js';
import { isSigned, type VertexQuantity, valueAt, writeRates } from './quantity.js';
import { type ShapeExtent, shapeExtent } from './shape-extent.js';
import { shapeGeometry, sphereLevels } from './shape-geometry.js';

/** One colour per body; one per triangle; or one per vertex, interpolated: the shape's own, or the colour of a quantity. */
export type ColourScheme = 'body' | 'triangle' | 'vertex';

export interface BodyLooks {
  readonly visible?: boolean;
  readonly transparent?: boolean;
  readonly wireframe?: boolean;
  readonly selected?: boolean;
}

/** Beyond so many instances times lines, lines are left out. */
const MANY_LINES = 3e6;

export class Bodies {
  readonly root = new Group();
  readonly extents: readonly ShapeExtent[];
  readonly instanceCount: number;
  readonly #looks: Required<BodyLooks>[];
  #isolated: ReadonlySet<number> | undefined;
  #groups: PartGroup[] = [];
  readonly #looked: readonly (readonly Look[])[];
  #scheme: ColourScheme = 'vertex';
  #quantity: VertexQuantity | undefined;
  #shadows = false;
  /** Whether states and tints are those of the looks */
  #looksApplied = false;
  /** Parts that are drawn elsewhere: half-spaces */
  readonly #isDrawn = (shape: SceneShape): boolean => shape.form !== 'halfSpace' && shape.triangles.length > 0;

  constructor(
    private readonly scene: Scene,
    private readonly placement: Placement,
    private readonly materials: Materials,
  ) {
    this.extents = scene.shapes.map(shapeExtent);
    this.#looks = scene.bodies.map(() => ({ visible: true, transparent: false, wireframe: false, selected: false }));
    this.#looked = bodyLooks(scene.bodies);
    this.instanceCount = scene.bodies.reduce((sum, { parts }) => sum + parts.length, 0);
    this.#build();
  }

  isVisible(body: number): boolean {
    return this.#looks[body].visible && (this.#isolated === undefined || this.#isolated.has(body));
  }
  /** With what is shown alone */
  looksOf(body: number): Readonly<Required<BodyLooks>> {
    return { ...this.#looks[body], visible: this.isVisible(body) };
  }

  setBody(body: number, looks: BodyLooks): void {
    this.#looks[body] = { ...this.#looks[body], ...looks };
    this.#looksApplied = false;
  }
  isolate(bodies: readonly number[] | undefined): void {
    this.#isolated = bodies && new Set(bodies);
    this.#looksApplied = false;
  }
  setColouring(scheme: ColourScheme, quantity: VertexQuantity | undefined): void {
    if (scheme === this.#scheme && quantity === this.#quantity) return;
    this.#scheme = scheme;
    this.#quantity = quantity;
    this.#build();
  }
  setShadows(on: boolean): void {
    this.#shadows = on;
    for (const group of this.#groups) group.castShadow = on;
  }

  /** The colour of a part of its own, or its material's, or its family's. */
  colourOf(body: number, part: number): Colour {
    return this.#looked[body][part].colour;
  }

  get hasSelection(): boolean {
    return this.#looks.some(({ selected }) => selected);
  }
  /** Whether the detail drawn depends on where the eye is. */
  get levelled(): boolean {
    return this.#groups.some(({ levelled }) => levelled);
  }

  write(sight: Sight): void {
    if (!this.#looksApplied) this.#applyLooks();
    const quantity = this.#scheme === 'vertex' ? this.#quantity : undefined;
    for (const group of this.#groups) group.write(this.placement, this.scene.up, sight, quantity);
  }

  /** Calls back with body, part, centre and radius (world, m) of every part that is drawn and visible. */
  forEachPart(visit: (body: number, part: number, shape: number) => void): void {
    const { bodies, shapes } = this.scene;
    for (let body = 0; body < bodies.length; body++) {
      if (!this.isVisible(body)) continue;
      const { parts } = bodies[body];
      for (let part = 0; part < parts.length; part++)
        if (this.#isDrawn(shapes[parts[part].shape])) visit(body, part, parts[part].shape);
    }
  }

  /** Widens a box (least x, y, z, greatest x, y, z, world, m) by the spheres around visible parts. */
  addBounds(box: Float64Array): void {
    const { poses, rotations } = this.placement;
    this.forEachPart((body, _, shape) => {
      const { centre, radius } = this.extents[shape];
      const r = 9 * body;
      for (let k = 0; k < 3; k++) {
        const at =
          poses[7 * body + k] +
          rotations[r + 3 * k] * centre[0] +
          rotations[r + 3 * k + 1] * centre[1] +
          rotations[r + 3 * k + 2] * centre[2];
        if (at - radius < box[k]) box[k] = at - radius;
        if (at + radius > box[3 + k]) box[3 + k] = at + radius;
      }
    });
  }

  /** Outermost points of visible parts, 3 each, world, m; of one body if it is given. */
  outermost(only?: number): Float64Array {
    const { poses, rotations } = this.placement;
    let count = 0;
    const wanted = (body: number): boolean => only === undefined || body === only;
    this.forEachPart((body, _, shape) => {
      if (wanted(body)) count += this.extents[shape].outermost.length;
    });
    const points = new Float64Array(count);
    let at = 0;
    this.forEachPart((body, _, shape) => {
      if (!wanted(body)) return;
      const { outermost } = this.extents[shape];
      const r = 9 * body;
      for (let i = 0; i < outermost.length; i += 3)
        for (let k = 0; k < 3; k++)
          points[at++] =
            poses[7 * body + k] +
            rotations[r + 3 * k] * outermost[i] +
            rotations[r + 3 * k + 1] * outermost[i + 1] +
            rotations[r + 3 * k + 2] * outermost[i + 2];
    });
    return points;
  }

  /** Least and greatest value of the quantity over the outermost points, heights in world m; taken into `range`. */
  extendRange(range: Vector2): void {
    const quantity = this.#quantity;
    if (!quantity || this.#scheme !== 'vertex') return;
    const rows = new Float64Array(12);
    const zero = [0, 0, 0];
    const { up } = this.scene;
    const { origin } = this.placement;
    const base = quantity === 'height' ? up[0] * origin[0] + up[1] * origin[1] + up[2] * origin[2] : 0;
    this.forEachPart((body, _, shape) => {
      if (!writeRates(quantity, this.placement, up, body, zero, 0, 1, rows)) return;
      const { outermost } = this.extents[shape];
      for (let i = 0; i < outermost.length; i += 3) {
        const value = base + valueAt(rows, isSigned(quantity), outermost[i], outermost[i + 1], outermost[i + 2]);
        if (value < range.x) range.x = value;
        if (value > range.y) range.y = value;
      }
    });
  }

  #build(): void {
    for (const group of this.#groups) group.dispose();
    const { shapes, bodies } = this.scene;
    const byShape = new Map<number, Instance[]>();
    const SPHERES = -1;
    bodies.forEach(({ parts }, body) => {
      parts.forEach(({ shape }, part) => {
        const { form, radius: exact, vertexColours, triangleColours } = shapes[shape];
        if (!this.#isDrawn(shapes[shape])) return;
        const { centre, radius } = this.extents[shape];
        // Spheres of all sizes share their geometry, unless each has triangles or vertices of its own to show
        const coloured =
          this.#quantity === undefined && this.#scheme === 'vertex' && (vertexColours ?? triangleColours);
        const smooth = form === 'sphere' && exact !== undefined && this.#scheme !== 'triangle' && !coloured;
        const key = smooth ? SPHERES : shape;
        const instance = { body, part, centre, factor: smooth ? exact : 1, radius };
        const list = byShape.get(key);
        if (list) list.push(instance);
        else byShape.set(key, [instance]);
      });
    });
    this.#groups = [...byShape].map(([key, instances]) => {
      const rated = this.#scheme === 'vertex' && this.#quantity !== undefined;
      if (key === SPHERES)
        return new PartGroup(
          this.root,
          this.materials,
          instances,
          sphereLevels(),
          rated ? 'rates' : 'ball',
          undefined,
          1,
        );
      const shape = shapes[key];
      const colours = rated ? 'none' : this.#coloursOf(shape);
      const { centre, girth } = this.extents[key];
      const { geometry, lines } = shapeGeometry(shape, centre, colours);
      const colour: FaceColour = rated ? 'rates' : colours === 'none' ? 'tint' : 'geometry';
      const drawn = lines && lines.count * instances.length < MANY_LINES ? lines : undefined;
      return new PartGroup(this.root, this.materials, instances, [{ geometry, beyond: 0 }], colour, drawn, girth);
    });
    this.setShadows(this.#shadows);
    this.#looksApplied = false;
  }

  /** Which colours of its own a shape shows under the scheme. */
  #coloursOf({ vertexColours, triangleColours }: SceneShape): 'none' | 'triangle' | 'vertex' {
    if (this.#scheme === 'body') return 'none';
    if (this.#scheme === 'triangle') return 'triangle';
    return vertexColours ? 'vertex' : triangleColours ? 'triangle' : 'none';
  }

  /** States and tints from the bodies' looks. */
  #applyLooks(): void {
    this.#looksApplied = true;
    const { shapes, bodies } = this.scene;
    for (const { instances, states, tints, gloss } of this.#groups)
      instances.forEach(({ body, part }, i) => {
        const { transparent, wireframe, selected } = this.#looks[body];
        const shape = shapes[bodies[body].parts[part].shape];
        const colours = this.#coloursOf(shape);
        const own =
          this.#quantity === undefined &&
          ((colours === 'vertex' && shape.vertexColours) || (colours === 'triangle' && shape.triangleColours));
        const [r, g, b, alpha] = this.colourOf(body, part);
        const opacity = transparent ? Math.min(alpha, CLEAR) : alpha;
        const state = wireframe ? WIRE : opacity < 0.999 ? TRANSPARENT : SOLID;
        states[i] = this.isVisible(body) ? state + (selected ? CHOSEN : 0) : HIDDEN;
        const lift = selected ? 0.12 : 0;
        [r, g, b].forEach((c, k) => {
          tints[4 * i + k] = own ? 1 : (1 - lift) * toLinear(c) + lift;
        });
        tints[4 * i + 3] = opacity;
        gloss[2 * i] = this.#looked[body][part].roughness;
        gloss[2 * i + 1] = this.#looked[body][part].metal;
      });
  }

  dispose(): void {
    for (const group of this.#groups) group.dispose();
    this.#groups = [];
  }
}
