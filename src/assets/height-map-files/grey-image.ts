/** A picture of one number a pixel, as height maps are kept in. */
export interface GreyImage {
  readonly columns: number;
  readonly rows: number;
  /** Row by row, the top row first */
  readonly values: Float64Array;
  /** Whole numbers from 0 to this; undefined for files that hold heights themselves */
  readonly full?: number;
  /** m, where the file says it */
  readonly spacing?: number;
}
