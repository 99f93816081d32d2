/**
 * From densities as they are designed to those that the analysis sees, and derivatives back: filtered, made black and white, given regions put in.
 *
 *   x̃ = F x,   x̄ = P(x̃),   x̄_e = 0 or 1 where given        ∂c/∂x = Fᵀ (P'(x̃) ∂c/∂x̄), nothing from elements that are given
 */
import type { DesignMesh } from './design-mesh.js';
import { DensityFilter } from './filter.js';
import { project, projectionSlope } from './projection.js';

export interface FieldOptions {
  /** Radius of the filter, m */
  readonly radius: number;
  /** 'density' (default) blurs densities, 'sensitivity' their gradient */
  readonly filter?: 'density' | 'sensitivity';
  /** β of `projection.ts`, with the density filter: how sharply what it leaves is made black and white; default 0, not at all */
  readonly sharpness?: number;
  /** 1 per element that stays full, −1 that stays empty, 0 free */
  readonly given?: Int8Array;
}

export class DesignField {
  private readonly filter: DensityFilter;
  private readonly blurred: boolean;
  private readonly sharpness: number;
  private readonly given: Int8Array | undefined;
  private readonly area: Float64Array;
  private readonly scratch: Float64Array;
  private readonly slope: Float64Array;

  constructor(mesh: DesignMesh, { radius, filter = 'density', sharpness = 0, given }: FieldOptions) {
    this.filter = new DensityFilter(mesh, radius);
    this.blurred = filter === 'density';
    this.sharpness = this.blurred ? sharpness : 0;
    this.given = given;
    this.area = mesh.area;
    this.scratch = new Float64Array(mesh.elementCount);
    this.slope = new Float64Array(mesh.elementCount);
  }

  /** Puts what is given into densities, in place. */
  hold(values: Float64Array): void {
    const { given } = this;
    if (given) for (let e = 0; e < values.length; e++) if (given[e] !== 0) values[e] = given[e] > 0 ? 1 : 0;
  }

  /** x̃ of x with what is given: crosses one half where x̄ does, but without its steps, so that outlines are smooth there */
  smooth(x: Float64Array, out: Float64Array): void {
    if (this.blurred) this.filter.apply(x, out);
    else out.set(x);
    this.hold(out);
  }

  /** x̄ of x */
  seen(x: Float64Array, out: Float64Array): void {
    if (this.blurred) this.filter.apply(x, out);
    else out.set(x);
    project(out, this.sharpness);
    this.hold(out);
  }

  /** ∂c/∂x and ∂V/∂x (m²) at x, of ∂c/∂x̄; blurred instead of exact where the filter is that of sensitivities */
  byDesign(x: Float64Array, gradient: Float64Array, out: Float64Array, volume: Float64Array): void {
    const { filter, given, scratch, slope, area } = this;
    if (!this.blurred) {
      filter.smoothSensitivity(x, gradient, area, out);
      volume.set(area);
      return;
    }
    filter.apply(x, scratch);
    projectionSlope(scratch, this.sharpness, slope);
    if (given) for (let e = 0; e < slope.length; e++) if (given[e] !== 0) slope[e] = 0;
    for (let e = 0; e < slope.length; e++) scratch[e] = gradient[e] * slope[e];
    filter.transpose(scratch, out);
    for (let e = 0; e < slope.length; e++) scratch[e] = area[e] * slope[e];
    filter.transpose(scratch, volume);
  }
}
