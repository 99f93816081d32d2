/**
 * Documents of older versions, made into those of today, one version at a time. A document is data that came from anywhere: a step looks at what it needs and leaves the rest to the reader. There has
 * been one version so far; the next one puts its step here, under the number it starts from, with a file of the old kind as test.
 */
import { ModelError } from '../../errors.js';
import type { DataRecord } from './document.js';

export type Migrations = Readonly<Record<number, (data: DataRecord) => DataRecord>>;

const MIGRATIONS: Migrations = {};

/** @param to version of this studio. @throws ModelError where a document is newer, or of no version at all */
export function migrated(data: DataRecord, name: string, to: number, steps: Migrations = MIGRATIONS): DataRecord {
  const { version } = data;
  if (typeof version !== 'number' || !Number.isInteger(version) || version > to || version < 1)
    throw new ModelError(
      `${name}.version`,
      `this studio reads documents up to version ${to}, got ${JSON.stringify(version)}; a newer tippetop opens it`,
    );
  let now = data;
  for (let from = version; from < to; from++) now = { ...steps[from](now), version: from + 1 };
  return now;
}
