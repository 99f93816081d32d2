/**
 * Soft ground on a grid (SCM): what presses into it feels pressure and shear at every node it stands on, and leaves a rut.
 *
 * Force. The underside of a body is drawn into the grid (footprint.ts). At a node it has sunk by s, along the unit normal n into the body,
 * over the area dA = α δ²/n_z of its surface, α the part of the node's cell that it covers (coverage.ts):
 *
 *   dF = dA (σ_d n − τ ĵ)          laws: soil-law.ts
 *
 * so that pressure acts along the body's surface and its horizontal part is the compaction resistance. The shear displacement j of a node is what the
 * material of the body over it has moved since it came there, along the surface (node-response.ts). A force at rest is a spring (shear-memory.ts):
 * no creep. A node left alone forgets j. Upright faces push walls of soil (upright-faces.ts), grousers have rules of their own (relief.ts).
 *
 * Between accepted steps the force is a function of pose and twist alone, with the soil frozen: `evaluate` writes nothing that lasts,
 * `accept` does. What is pressed aside flows at a clock of its own (soil-flow.ts).
 *
 * Buse et al. (2023), §4.2: contact function and soil update apart, each at its own rate.
 */
import { sinkageModulus } from '../../contact-laws/soil/pressure-sinkage.js';
import { ModelError } from '../../errors.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { exp } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { contactWidth } from './contact-width.js';
import { TooManyNodes } from './footprint.js';
import { FREE, HELD, NodeResponse, PRESSED } from './node-response.js';
import { addDerivative, type SoilDerivative, turnSinceAccepted } from './soil-derivative.js';
import { type FlowOptions, SoilFlow } from './soil-flow.js';
import { type SoilLaw, soilLaw } from './soil-law.js';
import { FLOOR } from './soil-mesh.js';
import { type ObjectSnapshot, type SoilMotion, SoilObject, type SoilObjectOptions } from './soil-object.js';
import { type Ground, megabytes, SoilTiles, TILE, type TileSnapshot } from './soil-tiles.js';
import { UprightFaces } from './upright-faces.js';

export interface SoilGridOptions extends FlowOptions {
  readonly soil: Soil;
  /** Distance of nodes, m */
  readonly spacing: number;
  /** Across the terrain, m/s²; 9.81 unless said */
  readonly gravity?: number;
  /** Largest size of the nodes, B; 1e9 unless said */
  readonly memory?: number;
  /** Of elastic sinkage and of shear, s: what lets a body come to rest; 0 unless said */
  readonly relaxation?: number;
  readonly shearRelaxation?: number;
  /** What errors call it and its soil; 'soil' unless said */
  readonly path?: string;
  readonly soilPath?: string;
}

/** A surface that slides by less than this part of what it sinks drags no soil along */
const STRAIGHT_DOWN = 0.1;
/** Grousers thinner than this many distances of nodes are felt by chance only */
const THINNEST = 1;

/** What a body feels, terrain axes */
export class SoilWrench {
  /** N, and N m about the body's origin */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** Nodes that carry */
  nodes = 0;
  /** m², seen from above */
  area = 0;
  /** m: of the deepest point over a node, below the ground as it was before anything touched it; 0 where nothing carries */
  sinkage = 0;
  /** J that the soil under the body gives back when the pressure on it is let go */
  stored = 0;
  /** Where the pressure has its middle, m */
  readonly centre = new Float64Array(3);
}

/** Tiles that a body may reach over: their nodes would need 74 GB, more than any memory, and merely looking at them takes minutes. */
const MOST_TILES = 2e6;

export class SoilGrid {
  readonly law: SoilLaw;
  readonly tiles: SoilTiles;
  readonly objects: SoilObject[] = [];
  readonly flow: SoilFlow;
  /** Counts changes, for viewers and snapshots */
  version = 0;
  private readonly path: string;
  private readonly soilPath: string;
  private readonly area: number;
  private readonly node: NodeResponse;
  private readonly walls: UprightFaces;
  private pressed = 0;

  constructor(ground: Ground, options: SoilGridOptions) {
    const { soil, spacing, gravity = 9.81, memory = 1e9, relaxation = 0, shearRelaxation = 0 } = options;
    this.path = options.path ?? 'soil';
    this.soilPath = options.soilPath ?? 'soil';
    this.law = soilLaw(soil, gravity, relaxation, shearRelaxation, this.soilPath);
    this.tiles = new SoilTiles(ground, spacing, memory, this.path);
    this.area = spacing * spacing;
    this.node = new NodeResponse(this.law, spacing);
    this.walls = new UprightFaces(this.law, this.tiles);
    this.flow = new SoilFlow(this.tiles, this.law, options);
  }

  /** Something that may touch the soil from now on. @param path what errors call it; its name unless said */
  add(name: string, mesh: TriangleMesh, options: SoilObjectOptions = {}, path = name): SoilObject {
    const object = new SoilObject(name, mesh, options);
    const { thinnest } = object.mesh;
    if (thinnest < THINNEST * this.tiles.spacing)
      throw new ModelError(
        path,
        `its grousers are ${Number(thinnest.toPrecision(3))} m thick and would fall between the soil's nodes, ${this.tiles.spacing} m apart; expected a "spacing" of at most ${Number((thinnest / THINNEST).toPrecision(3))} m, or a wheel without them`,
      );
    object.footprint.mostNodes = object.footprintBefore.mostNodes = this.tiles.mostNodes;
    this.objects.push(object);
    return object;
  }

  private readonly topOver = (x0: number, x1: number, y0: number, y1: number): number => {
    const side = TILE * this.tiles.spacing;
    const tiles =
      (Math.floor(x1 / side) - Math.floor(x0 / side) + 1) * (Math.floor(y1 / side) - Math.floor(y0 / side) + 1);
    if (tiles > MOST_TILES) throw new TooManyNodes(tiles * TILE * TILE);
    let top = -Infinity;
    for (let I = Math.floor(x0 / side); I <= Math.floor(x1 / side); I++)
      for (let J = Math.floor(y0 / side); J <= Math.floor(y1 / side); J++) top = Math.max(top, this.tiles.topOf(I, J));
    return top;
  };

  /** Highest level of the ground within a distance, m; an upper bound where it is untouched */
  topNear(place: ArrayLike<number>, distance: number): number {
    return this.topOver(place[0] - distance, place[0] + distance, place[1] - distance, place[1] + distance);
  }

  /** @throws ModelError if the ground under the body alone is more than memory holds */
  private drawFootprint(object: SoilObject, motion: SoilMotion, wantsRates = false): void {
    const { spacing } = this.tiles;
    const { mesh } = object;
    if (wantsRates) object.wantsRates = true;
    try {
      const top = this.topNear(motion.position, mesh.reach);
      if (object.footprint.isOf(mesh, motion, spacing, top, wantsRates)) return;
      [object.footprint, object.footprintBefore] = [object.footprintBefore, object.footprint];
      if (object.footprint.isOf(mesh, motion, spacing, top, wantsRates)) return;
      object.footprint.draw(mesh, motion, spacing, top, object.wantsRates);
    } catch (error) {
      if (!(error instanceof TooManyNodes)) throw error;
      throw new ModelError(
        `${this.path}.spacing`,
        `the ground under "${object.name}" alone has ${error.nodes} nodes ${spacing} m apart, which need ${megabytes(error.nodes)}; expected a coarser grid, or more "memory"`,
      );
    }
  }

  // ---- force --------------------------------------------------------------------------------------------------------------------------

  /** Force and torque at a pose and twist; the soil stays as it is. */
  evaluate(object: SoilObject, motion: SoilMotion, out: SoilWrench, derivative?: SoilDerivative): void {
    out.force.fill(0);
    out.torque.fill(0);
    out.centre.fill(0);
    out.nodes = out.area = out.sinkage = out.stored = 0;
    this.pressed = 0;
    derivative?.clear();
    const { tiles, node: at, walls, area } = this;
    const { spacing } = tiles;
    this.drawFootprint(object, motion, derivative !== undefined);
    const { footprint } = object;
    if (footprint.columns === 0) return;
    const modulus = this.modulusFor(object);
    const id = this.objects.indexOf(object) + 1;
    if (derivative) turnSinceAccepted(object, motion);
    at.wantsSlope = derivative !== undefined;
    at.begin(object, motion, modulus);
    const { i0, j0, columns, rows } = footprint;
    const { under } = footprint.underside;
    const { offsetX, offsetY } = footprint.coverage;
    const { hasPockets } = object.mesh;
    let deepest = 0;
    for (let b = 0, k = 0; b < rows; b++)
      for (let a = 0; a < columns; a++, k++) {
        const z = under[k];
        if (z === Infinity) continue;
        const node = tiles.node(i0 + a, j0 + b);
        const { fields } = tiles; // others once room was made
        const over = z - fields.slopeX[node] * offsetX[k] - fields.slopeY[node] * offsetY[k];
        const up = fields.up[node];
        const sinkage = (fields.virgin[node] - over) * up;
        if (sinkage > deepest) deepest = sinkage;
        const level0 = fields.level0[node];
        // above the ground, or above its rut, where only grousers may hold soil
        if (over >= level0 || (!hasPockets && (level0 - over) * up <= fields.plastic[node])) continue;
        if (at.respond(fields, node, object, id, motion, k, i0 + a, j0 + b) !== PRESSED) continue;
        if (object.sideFaces) walls.push(object, at, k, a, b);
        this.addNode(object, out);
        if (!derivative) continue;
        const sides = object.sideFaces ? walls : undefined;
        addDerivative(this.law, at, sides, object, motion, k, spacing, fields, node, area, derivative);
      }
    if (out.nodes > 0) out.sinkage = deepest;
    if (this.pressed > 0) for (let i = 0; i < 3; i++) out.centre[i] = out.centre[i] / this.pressed + motion.position[i];
  }

  private get widthMatters(): boolean {
    const { reece, kc = 0 } = this.law.soil;
    return reece !== undefined || kc !== 0;
  }

  /** k for the width of the contact as it was accepted last; from the first touch where there was none */
  private modulusFor(object: SoilObject): number {
    const { soil } = this.law;
    if (!this.widthMatters) return soil.kphi ?? 0;
    const inverse = object.inverseWidth > 0 ? object.inverseWidth : this.widthOf(object);
    return sinkageModulus(soil, 1 / inverse, this.soilPath);
  }

  /** 1/b of the footprint as it is drawn, 1/m */
  private widthOf(object: SoilObject): number {
    const { pressureWidth, footprint } = object;
    if (typeof pressureWidth === 'number') return 1 / pressureWidth;
    const { i0, j0, columns, rows } = footprint;
    const { under } = footprint.underside;
    const { tiles } = this;
    return (
      1 /
      contactWidth(columns, rows, tiles.spacing, pressureWidth, footprint.coverage, (a, b) => {
        const z = under[b * columns + a];
        if (z === Infinity) return false;
        const node = tiles.node(i0 + a, j0 + b); // may make room, and new arrays with it
        return tiles.fields.level0[node] > z;
      })
    );
  }

  /** Force at the node that has just answered */
  private addNode(object: SoilObject, out: SoilWrench): void {
    const { node: at, walls } = this;
    const area = this.area * at.cover;
    const dA = area / at.nz;
    const { rx, ry, rz, secant } = at;
    let fx = dA * (at.sigma * at.nx - secant * at.sx);
    let fy = dA * (at.sigma * at.ny - secant * at.sy);
    const fz = dA * (at.sigma * at.nz - secant * at.sz);
    if (object.sideFaces) {
      fx += walls.fx;
      fy += walls.fy;
    }
    const { force, torque, centre } = out;
    force[0] += fx;
    force[1] += fy;
    force[2] += fz;
    torque[0] += ry * fz - rz * fy;
    torque[1] += rz * fx - rx * fz;
    torque[2] += rx * fy - ry * fx;
    out.nodes++;
    out.area += area;
    out.stored += area * at.springs;
    const weight = at.cover * at.sigma;
    this.pressed += weight;
    centre[0] += weight * rx;
    centre[1] += weight * ry;
    centre[2] += weight * rz;
  }

  // ---- what lasts -----------------------------------------------------------------------------------------------------------------------

  /**
   * The step that ends at this pose is taken: nodes yield and remember their shear, nodes left alone forget it and spring back.
   * What is pressed aside waits for `settle`. The force at the pose and twist stays what it is.
   */
  accept(object: SoilObject, motion: SoilMotion): void {
    this.version++;
    const { tiles, node: at } = this;
    this.drawFootprint(object, motion);
    const { footprint } = object;
    const id = this.objects.indexOf(object) + 1;
    at.wantsSlope = false;
    const before = object.touched.slice(0, object.touchedCount);
    object.touchedCount = 0;
    for (const node of before) if (tiles.fields.owner[node] === id) tiles.fields.owner[node] = -id; // until it is found touched again
    if (footprint.columns > 0) {
      if (typeof object.pressureWidth !== 'number' && this.widthMatters) object.inverseWidth = this.widthOf(object);
      at.begin(object, motion, this.modulusFor(object));
      const { i0, j0, columns, rows } = footprint;
      const { under } = footprint.underside;
      for (let b = 0, k = 0; b < rows; b++)
        for (let a = 0; a < columns; a++, k++) {
          if (under[k] === Infinity) continue;
          const [i, j] = [i0 + a, j0 + b];
          const node = tiles.node(i, j);
          const state = at.respond(tiles.fields, node, object, id, motion, k, i, j);
          if (state !== FREE) this.commitNode(object, id, node, state, footprint.underside.kindAt(k) === FLOOR, i, j);
        }
    }
    const { fields } = tiles;
    for (const node of before)
      if (fields.owner[node] === -id) {
        fields.owner[node] = 0;
        fields.shearX[node] = fields.shearY[node] = fields.shearZ[node] = fields.mobilised[node] = 0;
        fields.pressure[node] = fields.shear[node] = fields.covered[node] = 0;
      }
    object.accepted = true;
    object.position.set(motion.position);
    object.rotation.set(motion.rotation);
  }

  private commitNode(
    object: SoilObject,
    id: number,
    node: number,
    state: number,
    floor: boolean,
    i: number,
    j: number,
  ): void {
    const { tiles, node: at } = this;
    const { fields } = tiles;
    const along = at.dx * at.nx + at.dy * at.ny + at.dz * at.nz;
    const [dx, dy] = [at.part * (at.dx - along * at.nx), at.part * (at.dy - along * at.ny)];
    const dz = at.part * (at.dz - along * at.nz);
    const slid = Math.sqrt(dx * dx + dy * dy + dz * dz);
    fields.shearX[node] = at.heldPart * at.jx;
    fields.shearY[node] = at.heldPart * at.jy;
    fields.shearZ[node] = at.heldPart * at.jz;
    fields.mobilised[node] = at.heldMost;
    fields.owner[node] = id;
    fields.pressure[node] = at.sigma;
    fields.shear[node] = at.tau;
    object.touch(node, i, j);
    const grown = at.cover - (at.known ? fields.covered[node] : 0);
    fields.covered[node] = at.cover;
    if (state === HELD) return;
    // What a body comes down on, its work has pressed together; what it comes over from the side holds energy from nowhere
    const sank = Math.max(0, -along / at.nz);
    if (grown > 0 && (at.known || sank < at.s))
      object.made += this.area * grown * at.springs * (at.known ? 1 : 1 - sank / at.s);
    const pressed = Math.max(fields.pressed[node], at.cover);
    fields.pressed[node] = pressed;
    const before = fields.level[node];
    fields.level0[node] = at.level0;
    (floor ? fields.floorPlastic : fields.plastic)[node] = at.plastic;
    (floor ? fields.floorYielded : fields.yielded)[node] = at.yielded;
    if (object.digging > 0 && at.tauMax > 0) {
      fields.level0[node] -=
        at.cover * object.digging * slid * (at.tau / at.tauMax) * (1 - exp(-at.s / object.diggingDepth));
    }
    const after = fields.level0[node] - (pressed * at.plastic) / fields.up[node];
    fields.level[node] = after;
    const volume = this.area * (before - after);
    object.pending += volume;
    if (!(volume > 0)) return;
    // Where it goes straight down, rounding has no say in where to
    const way = slid + STRAIGHT_DOWN * Math.abs(along);
    object.dragX += volume * (way > 0 ? dx / way : 0);
    object.dragY += volume * (way > 0 ? dy / way : 0);
    object.dragged += volume;
  }

  /** Soil that was pressed aside is put down beside what pressed it, and slopes that are too steep slide. True if a level has changed. */
  settle(): boolean {
    let changed = false;
    for (const object of this.objects) if (this.flow.settle(object)) changed = true;
    if (changed) this.version++;
    return changed;
  }

  /** m³: volume between the present surface and the virgin one, and what waits to be put down; 0 if nothing is lost and soil does not compact */
  volumeChange(): number {
    const { fields, nodes } = this.tiles;
    let sum = 0;
    for (let k = 0; k < nodes; k++) sum += fields.level[k] - fields.virgin[k];
    return this.area * sum + this.objects.reduce((all, { pending }) => all + pending, 0);
  }

  snapshot(): SoilSnapshot {
    return { tiles: this.tiles.snapshot(), objects: this.objects.map((object) => object.snapshot()) };
  }

  restore({ tiles, objects }: SoilSnapshot): void {
    if (objects.length !== this.objects.length)
      throw new ModelError(
        'soil',
        `expected a snapshot of ${this.objects.length} objects, got one of ${objects.length}`,
      );
    this.version++;
    this.tiles.restore(tiles);
    for (const [i, object] of this.objects.entries()) object.restore(objects[i]);
  }
}

export interface SoilSnapshot {
  readonly tiles: TileSnapshot;
  readonly objects: readonly ObjectSnapshot[];
}
