/** A drawing in the plane: outlines of lines and arcs, perhaps over a picture. Lengths in m, angles in rad, x to the right and y up. */

/** `[x, y, bulge]` with bulge = tan(¼ sweep) of the arc to the next corner, as in DXF; 0 is a line. */
export type SketchCorner = readonly [x: number, y: number, bulge: number];

export interface SketchOutline {
  readonly corners: readonly SketchCorner[];
  readonly closed: boolean;
}

export interface SketchPicture {
  /** Name among the document's assets */
  readonly asset: string;
  /** m per pixel */
  readonly scale: number;
  /** rad, counter-clockwise about its middle */
  readonly turn: number;
  /** Of its middle, m */
  readonly at: readonly [x: number, y: number];
  /** 0 … 1 */
  readonly opacity: number;
  /** Part of it that is shown, px from its upper left: x, y, width, height */
  readonly trim?: readonly [number, number, number, number];
}

export interface Sketch {
  readonly picture?: SketchPicture;
  readonly outlines: Readonly<Record<string, SketchOutline>>;
  /** What was made of it last, so that it can be made again */
  readonly solid?: { readonly kind: 'extrude' | 'revolve'; readonly height: number; readonly body?: string };
}

export const EMPTY_SKETCH: Sketch = Object.freeze({ outlines: Object.freeze({}) });
