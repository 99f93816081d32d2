/** The kernels of rigid grains as functions of a table of arrays, the same for both ways they run. */

/** One array per slot of polyhedron-overlap, -motion and -contact.kernel.ts, in their order. */
export type PolyhedronTable = readonly (Float64Array | Int32Array)[];

export interface PolyhedronCalls {
  /** Overlap of pieces `a` and `b`; the result lies in the table's WORK. Returns the volume, m³; see polyhedron-overlap.kernel.ts. */
  overlapPolyhedra(
    table: PolyhedronTable,
    a: number,
    b: number,
    dx: number,
    dy: number,
    dz: number,
    nx: number,
    ny: number,
    nz: number,
    size: number,
    room: number,
  ): number;
  overlapHalfSpace(
    table: PolyhedronTable,
    a: number,
    b: number,
    dx: number,
    dy: number,
    dz: number,
    size: number,
    room: number,
  ): number;
  /** Kick, drift and new corners of bodies from … to − 1; see polyhedron-motion.kernel.ts. */
  movePolyhedra(
    table: PolyhedronTable,
    from: number,
    to: number,
    threads: number,
    stride: number,
    kick: number,
    step: number,
    gx: number,
    gy: number,
    gz: number,
    thread: number,
  ): void;
  /** Forces of pairs from … to − 1; see polyhedron-contact.kernel.ts. */
  polyhedronContacts(
    table: PolyhedronTable,
    from: number,
    to: number,
    speciesCount: number,
    step: number,
    offset: number,
    report: number,
    room: number,
  ): void;
}

type WithoutTable<F> = F extends (table: PolyhedronTable, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** What the TypeScript files and the WebAssembly module both export. */
export type PolyhedronEntries = { [Name in keyof PolyhedronCalls]: WithoutTable<PolyhedronCalls[Name]> };

export function polyhedronCalls(
  place: (slot: number, array: Float64Array | Int32Array) => void,
  entries: PolyhedronEntries,
): PolyhedronCalls {
  const placeAll = (table: PolyhedronTable): void => {
    for (let slot = 0; slot < table.length; slot++) place(slot, table[slot]);
  };
  return {
    overlapPolyhedra(table, ...rest) {
      placeAll(table);
      return entries.overlapPolyhedra(...rest);
    },
    overlapHalfSpace(table, ...rest) {
      placeAll(table);
      return entries.overlapHalfSpace(...rest);
    },
    movePolyhedra(table, ...rest) {
      placeAll(table);
      entries.movePolyhedra(...rest);
    },
    polyhedronContacts(table, ...rest) {
      placeAll(table);
      entries.polyhedronContacts(...rest);
    },
  };
}
