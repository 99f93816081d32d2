/** Supports of round shapes about z, without facets. */
import type { Support } from './support.js';

/** A cylinder with its centre in the origin */
export class CylinderSupport implements Support {
  constructor(
    private readonly radius: number,
    private readonly half: number,
  ) {}

  support(dx: number, dy: number, dz: number, out: Float64Array, at: number): number {
    const across = Math.sqrt(dx * dx + dy * dy);
    const scale = across > 0 ? this.radius / across : 0;
    out[at] = scale * dx;
    out[at + 1] = scale * dy;
    out[at + 2] = dz < 0 ? -this.half : this.half;
    return -1;
  }
}

/** The axis of a capsule */
export class SegmentSupport implements Support {
  constructor(private readonly half: number) {}

  support(_dx: number, _dy: number, dz: number, out: Float64Array, at: number): number {
    out[at] = out[at + 1] = 0;
    out[at + 2] = dz < 0 ? -this.half : this.half;
    return dz < 0 ? 0 : 1;
  }
}
