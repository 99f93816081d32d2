/**
 * Errors that a user can act on: where, what was expected with its unit, what came, what to do.
 * Everything the product refuses is refused with one of these; any other exception is a defect of ours.
 */

/** Refused input. `path` says where in the user's data, e.g. `bodies.rack[17].shape.radius`. */
export class ModelError extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.name = 'ModelError';
    this.path = path;
  }
}

/** A file that cannot be read or written. `where` is a line, byte or element, empty if the whole file is meant. */
export class FileError extends ModelError {
  readonly file: string;
  readonly where: string;
  /** What is wrong, without file and place. */
  readonly defect: string;
  constructor(file: string, where: string, defect: string) {
    super(where ? `${file}, ${where}` : file, defect);
    this.name = 'FileError';
    this.file = file;
    this.where = where;
    this.defect = defect;
  }
}

/** Where what can be handed in is imported from */
const STAGES = "'tippetop/simulation'";

/** A model needs a part of the program that was not handed in (`simulationWith`). @param what is found by it, in words */
export const missingStage = (path: string, what: string, stage: string): ModelError =>
  new ModelError(
    path,
    `${what}: needs ${stage}, and this program runs models without; hand it in: import { ${stage}, simulationWith } from ${STAGES} and simulationWith(${stage}), ` +
      'or take the simulate of tippetop itself, which has all',
  );

/** ` "upperArm"; did you mean "upperarm"?`: the nearest of `known` for an unknown `name`, or nothing if none is near. */
export function suggestion(name: string, known: Iterable<string>): string {
  let best = '';
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return bestDistance <= Math.max(1, Math.floor(name.length / 3)) ? `; did you mean "${best}"?` : '';
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
