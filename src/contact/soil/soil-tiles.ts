/**
 * Nodes of the ground that something has come near, in tiles of 16 × 16: a map from tile to room in flat arrays, so that memory grows with the rut
 * and not with the terrain. Everything else is virgin: its level is the terrain's, all other fields are 0.
 *
 * Node (i, j) lies at (i δ, j δ) of the terrain's frame and stands for the cell of side δ around it.
 */
import { ModelError } from '../../errors.js';

export const TILE_BITS = 4;
export const TILE = 1 << TILE_BITS;
const NODES = TILE * TILE;
const OFFSET = 1 << 20;

/** Height and slopes of the terrain at a place */
export interface Ground {
  sample(x: number, y: number, out: Float64Array): void;
}

/** 1 number per node; the room of tile k begins at 256 k. */
export interface SoilFields {
  /** m: level of the terrain before anything touched it */
  virgin: Float64Array;
  /** m: level of the unloaded soil, virgin or with what was put down or taken away */
  level0: Float64Array;
  /** m: level of the free surface */
  level: Float64Array;
  /** Slopes of the terrain along x and y, and z component of its unit normal */
  slopeX: Float64Array;
  slopeY: Float64Array;
  up: Float64Array;
  /** m along that normal: sinkage that stays */
  plastic: Float64Array;
  /** Pa: largest pressure carried */
  yielded: Float64Array;
  /** The same two for floors of pockets between grousers, whose soil does not keep the grooves of the tips (relief.ts) */
  floorPlastic: Float64Array;
  floorYielded: Float64Array;
  /** m: shear displacement of what touches, along its surface; and the most that shear was of its limit, 0 … 1 (shear-memory.ts) */
  shearX: Float64Array;
  shearY: Float64Array;
  shearZ: Float64Array;
  mobilised: Float64Array;
  /** Largest part of its cell that was pressed, ever; and part under what touches it as of the last accepted step */
  pressed: Float64Array;
  covered: Float64Array;
  /** Who touches it as of the last accepted step: 1 + index of the object, 0 nobody */
  owner: Float64Array;
  /** Pa, of the last accepted step: for pictures */
  pressure: Float64Array;
  shear: Float64Array;
}
const FIELDS: readonly (keyof SoilFields)[] = [
  'virgin',
  'level0',
  'level',
  'slopeX',
  'slopeY',
  'up',
  'plastic',
  'yielded',
  'floorPlastic',
  'floorYielded',
  'shearX',
  'shearY',
  'shearZ',
  'mobilised',
  'pressed',
  'covered',
  'owner',
  'pressure',
  'shear',
];

/** What nodes need */
export const megabytes = (nodes: number): string => `${Math.round((nodes * 8 * FIELDS.length) / 1e6)} MB`;

export class SoilTiles {
  readonly spacing: number;
  /** Tiles in use */
  count = 0;
  fields: SoilFields;
  /** Highest level of each tile, m; kept by whoever raises a level */
  top: Float64Array;
  private readonly ground: Ground;
  /** As many as memory holds */
  readonly mostNodes: number;
  private index = new Map<number, number>();
  /** The tile asked for last: neighbours mostly lie in the same */
  private lastI = Number.NaN;
  private lastJ = Number.NaN;
  private lastTile = -1;
  private capacity = 16;
  private readonly sampled = new Float64Array(3);
  /** Upper bound of the level of tiles that are not made */
  private readonly virginTops = new Map<number, number>();

  /** @param memory largest size of the nodes, B */
  constructor(
    ground: Ground,
    spacing: number,
    memory = 1e9,
    private readonly path = 'soil',
  ) {
    if (!(spacing > 0 && spacing < Infinity))
      throw new ModelError(`${path}.spacing`, `expected a length > 0 m, got ${spacing}`);
    this.ground = ground;
    this.spacing = spacing;
    this.mostNodes = memory / (8 * FIELDS.length);
    this.fields = Object.fromEntries(
      FIELDS.map((name) => [name, new Float64Array(NODES * this.capacity)]),
    ) as unknown as SoilFields;
    this.top = new Float64Array(this.capacity);
  }

  get nodes(): number {
    return NODES * this.count;
  }

  /** Of tile (I, J); its indices are whole numbers within ± 2²⁰ */
  private key(I: number, J: number): number {
    return (I + OFFSET) * (2 * OFFSET) + J + OFFSET;
  }

  /** Room of a tile, or −1 */
  find(I: number, J: number): number {
    if (I === this.lastI && J === this.lastJ) return this.lastTile;
    const tile = this.index.get(this.key(I, J));
    if (tile === undefined) return -1;
    this.lastI = I;
    this.lastJ = J;
    this.lastTile = tile;
    return tile;
  }

  /** Room of a tile, made if need be */
  tile(I: number, J: number): number {
    const found = this.find(I, J);
    if (found >= 0) return found;
    const key = this.key(I, J);
    if (this.count === this.capacity) this.grow();
    const tile = this.count++;
    this.index.set(key, tile);
    const { fields, spacing, sampled, ground } = this;
    let top = -Infinity;
    for (let b = 0, k = NODES * tile; b < TILE; b++)
      for (let a = 0; a < TILE; a++, k++) {
        ground.sample((TILE * I + a) * spacing, (TILE * J + b) * spacing, sampled);
        const [h, hx, hy] = sampled;
        fields.virgin[k] = fields.level0[k] = fields.level[k] = h;
        fields.slopeX[k] = hx;
        fields.slopeY[k] = hy;
        fields.up[k] = 1 / Math.sqrt(1 + hx * hx + hy * hy);
        if (h > top) top = h;
      }
    this.top[tile] = top;
    return tile;
  }

  /** Node (i, j), made if need be */
  node(i: number, j: number): number {
    const I = i >> TILE_BITS;
    const J = j >> TILE_BITS;
    const tile = I === this.lastI && J === this.lastJ ? this.lastTile : this.tile(I, J);
    return (tile << (2 * TILE_BITS)) + ((j & (TILE - 1)) << TILE_BITS) + (i & (TILE - 1));
  }

  /** A node's level has become this, m: its tile's top goes with it. */
  raise(node: number, level: number): void {
    const tile = Math.floor(node / NODES);
    if (level > this.top[tile]) this.top[tile] = level;
  }

  /** No level of the tile is above this, m: exact where the tile is made, else from a few places and their slopes */
  topOf(I: number, J: number): number {
    const tile = this.find(I, J);
    if (tile >= 0) return this.top[tile];
    const key = this.key(I, J);
    const known = this.virginTops.get(key);
    if (known !== undefined) return known;
    const side = TILE * this.spacing;
    let top = -Infinity;
    for (let b = 0; b <= 4; b++)
      for (let a = 0; a <= 4; a++) {
        this.ground.sample((I + a / 4) * side, (J + b / 4) * side, this.sampled);
        const [h, hx, hy] = this.sampled;
        top = Math.max(top, h + 0.25 * side * (Math.abs(hx) + Math.abs(hy)));
      }
    if (this.virginTops.size > 100_000) this.virginTops.clear();
    this.virginTops.set(key, top);
    return top;
  }

  /** Level of the free surface at a node, m, without making it */
  levelAt(i: number, j: number): number {
    const tile = this.find(i >> TILE_BITS, j >> TILE_BITS);
    if (tile >= 0) return this.fields.level[NODES * tile + ((j & (TILE - 1)) << TILE_BITS) + (i & (TILE - 1))];
    this.ground.sample(i * this.spacing, j * this.spacing, this.sampled);
    return this.sampled[0];
  }

  /** Level of what is left free of a node's cell where a part of it is covered, m, without making it: the mean of the cell is its `level`, and what was pressed besides the part now covered lies deep */
  freeLevelAt(i: number, j: number): number {
    const tile = this.find(i >> TILE_BITS, j >> TILE_BITS);
    if (tile < 0) return this.levelAt(i, j);
    const { level, level0, plastic, pressed, covered, up } = this.fields;
    const node = NODES * tile + ((j & (TILE - 1)) << TILE_BITS) + (i & (TILE - 1));
    if (!(covered[node] > 0 && covered[node] < 1)) return level[node];
    return level0[node] - ((pressed[node] - covered[node]) * plastic[node]) / ((1 - covered[node]) * up[node]);
  }

  /** Every tile with its indices, in the order they were made */
  *all(): Generator<readonly [I: number, J: number, tile: number]> {
    for (const [key, tile] of this.index) {
      const I = Math.floor(key / (2 * OFFSET));
      yield [I - OFFSET, key - I * 2 * OFFSET - OFFSET, tile];
    }
  }

  private grow(): void {
    const capacity = 2 * this.capacity;
    if (NODES * this.count >= this.mostNodes)
      throw new ModelError(
        `${this.path}.spacing`,
        `the ground touched so far has ${NODES * this.count} nodes, ${megabytes(NODES * this.count)}, and twice as many would need ${megabytes(2 * NODES * this.count)}; expected a coarser grid than ${this.spacing} m, or more "memory"`,
      );
    const fields = {} as Record<keyof SoilFields, Float64Array>;
    for (const name of FIELDS) {
      fields[name] = new Float64Array(NODES * capacity);
      fields[name].set(this.fields[name]);
    }
    this.fields = fields;
    const top = new Float64Array(capacity);
    top.set(this.top);
    this.top = top;
    this.capacity = capacity;
  }

  snapshot(): TileSnapshot {
    const fields = Object.fromEntries(
      FIELDS.map((name) => [name, this.fields[name].slice(0, this.nodes)]),
    ) as unknown as SoilFields;
    return { keys: Float64Array.from(this.index.keys()), fields, top: this.top.slice(0, this.count) };
  }

  restore({ keys, fields, top }: TileSnapshot): void {
    const missing = FIELDS.find((name) => fields[name] === undefined);
    if (missing)
      throw new ModelError(
        this.path,
        `this snapshot of the soil has no "${missing}": it is of an earlier version; expected one of this program`,
      );
    const count = keys.length;
    while (this.capacity < count) this.capacity *= 2;
    this.index = new Map();
    for (let tile = 0; tile < count; tile++) this.index.set(keys[tile], tile);
    this.lastI = Number.NaN;
    this.count = count;
    const room = {} as Record<keyof SoilFields, Float64Array>;
    for (const name of FIELDS) {
      room[name] = new Float64Array(NODES * this.capacity);
      room[name].set(fields[name]);
    }
    this.fields = room;
    this.top = new Float64Array(this.capacity);
    this.top.set(top);
  }
}

/** Plain data: it is written into checkpoints. */
export interface TileSnapshot {
  /** Of tiles 0, 1, … */
  readonly keys: Float64Array;
  readonly fields: Readonly<SoilFields>;
  readonly top: Float64Array;
}
