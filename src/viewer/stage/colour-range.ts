/** From values to colours: which quantity is shown, from where to where, and what the legend says. */
import { Vector2 } from 'three';
import type { Vec3 } from '../../math/vec3.js';
import { scaleStops } from '../../results/scene/colour-scale.js';
import type { GrainQuantity } from '../grain-colours.js';
import type { Bodies, ColourScheme } from './bodies.js';
import type { Grains } from './grains.js';
import type { Materials } from './materials.js';
import { isSigned, UNITS, type VertexQuantity } from './quantity.js';
import type { Surfaces } from './surfaces.js';

export interface Colouring {
  readonly scheme: ColourScheme;
  /** With scheme `vertex`: colours by it instead of by the shape's own colours. */
  readonly quantity?: VertexQuantity;
  /** Of grains; by species unless said */
  readonly grains?: GrainQuantity;
  /** Ends of the colour scale; by themselves they are the least and greatest value shown so far. */
  readonly low?: number;
  readonly high?: number;
}

export interface Legend {
  readonly quantity: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** CSS colours from low to high, evenly spaced */
  readonly colours: readonly string[];
}

const STOPS = scaleStops(17);

export class ColourRange {
  #colouring: Colouring = { scheme: 'vertex' };
  /** Least and greatest value so far */
  readonly #seen = new Vector2(Infinity, -Infinity);

  constructor(
    private readonly bodies: Bodies,
    private readonly surfaces: Surfaces,
    private readonly grains: Grains,
    private readonly materials: Materials,
  ) {}

  set(colouring: Colouring): void {
    const { scheme, quantity } = colouring;
    this.#colouring = colouring;
    this.#seen.set(Infinity, -Infinity);
    this.bodies.setColouring(scheme, quantity);
    this.surfaces.setColouring(scheme !== 'body', quantity ? {} : colouring);
    this.grains.colourBy(colouring.grains ?? 'species');
    this.extend();
  }

  /** Takes in the values of what is shown now. */
  extend(): void {
    this.bodies.extendRange(this.#seen);
  }

  legend(): Legend | undefined {
    const { scheme, quantity } = this.#colouring;
    if (scheme === 'vertex' && quantity) {
      const [low, high] = this.#limits(quantity);
      return { quantity, unit: UNITS[quantity], low, high, colours: STOPS };
    }
    const surface = this.surfaces.legend() ?? this.grains.legend();
    return surface && { ...surface, colours: STOPS };
  }

  /** Hands the limits to the card, where heights are measured from the stage's origin. */
  send(up: Vec3, origin: Vec3): void {
    const { quantity } = this.#colouring;
    if (!quantity) return;
    const [low, high] = this.#limits(quantity);
    const base = isSigned(quantity) ? up[0] * origin[0] + up[1] * origin[1] + up[2] * origin[2] : 0;
    this.materials.range.set(low - base, high > low ? 1 / (high - low) : 0);
    this.materials.signed.value = isSigned(quantity) ? 1 : 0;
  }

  #limits(quantity: VertexQuantity): readonly [number, number] {
    const known = this.#seen.x <= this.#seen.y;
    const least = known && isSigned(quantity) ? this.#seen.x : 0;
    return [this.#colouring.low ?? least, this.#colouring.high ?? (known ? this.#seen.y : 0)];
  }
}
