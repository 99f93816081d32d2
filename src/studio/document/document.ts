/**
 * What a person makes in the studio: a model as data, or a program that builds one, with sketches, files and kept plays beside it. Documents are frozen trees that
 * share what has not changed; a command gives a new one.
 */
import type { ParameterValue } from '../../model/parameters.js';
import type { Sketch } from './sketch.js';

/** Data as JSON has it. */
export type Data = null | boolean | number | string | readonly Data[] | { readonly [key: string]: Data };
export type DataRecord = { readonly [key: string]: Data };

/** A JSON model (model/json.ts), as it stands in a file that `tippetop run` takes; it may be wrong, and then is told so where it is shown. */
export interface JsonModel {
  readonly title?: string;
  readonly bodies: { readonly [name: string]: DataRecord };
  readonly joints?: { readonly [name: string]: DataRecord };
  readonly constraints?: { readonly [name: string]: DataRecord };
  readonly forces?: { readonly [name: string]: DataRecord };
  readonly [key: string]: Data | undefined;
}

export type Source =
  | { readonly kind: 'scene'; readonly model: JsonModel }
  | {
      readonly kind: 'code';
      /** TypeScript */
      readonly text: string;
      /** Those that are not as the text has them */
      readonly parameters: Readonly<Record<string, ParameterValue>>;
    };

/** A picture or CAD file. Its bytes are kept once, under their hash (assets.ts). */
export interface Asset {
  /** SHA-256, hexadecimal */
  readonly hash: string;
  readonly name: string;
  /** How many */
  readonly bytes: number;
}

/** What a hand did while time ran, so that it can be done again to the bit: notes as `Simulation` takes them (simulation/hand.ts). */
export interface PlayInputs {
  /** s, length of the steps */
  readonly step: number;
  /** s */
  readonly duration: number;
  readonly notes: readonly DataRecord[];
  /** Of the recording it gave */
  readonly hash: string;
}

/** How the document is looked at; no part of what is undone. */
export interface View {
  readonly eye?: string;
  readonly hidden?: readonly string[];
  readonly plots?: readonly (readonly string[])[];
}

export interface StudioDocument {
  readonly format: 'tippetop-studio';
  readonly version: 1;
  readonly title: string;
  readonly source: Source;
  readonly sketches: Readonly<Record<string, Sketch>>;
  /** By the name under which shapes and sketches speak of them */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly plays: Readonly<Record<string, PlayInputs>>;
  readonly view: View;
}

export const VERSION = 1;

/** A floor and nothing on it. */
export function emptyDocument(title = 'Untitled'): StudioDocument {
  return frozen({
    format: 'tippetop-studio',
    version: VERSION,
    title,
    source: {
      kind: 'scene',
      model: {
        bodies: { floor: { shape: { halfSpace: {} }, material: 'steel', fixed: true } },
        simulation: { stop: 3 },
      },
    },
    sketches: {},
    assets: {},
    plays: {},
    view: {},
  });
}

/** The program as it was opened. */
export const codeDocument = (
  title: string,
  text: string,
  parameters: Readonly<Record<string, ParameterValue>> = {},
): StudioDocument => frozen({ ...emptyDocument(title), source: { kind: 'code', text, parameters } });

/** The tree, with every part frozen; those that are already stay the same. */
export function frozen<Tree>(tree: Tree): Tree {
  if (typeof tree !== 'object' || tree === null || Object.isFrozen(tree)) return tree;
  for (const part of Object.values(tree)) frozen(part);
  return Object.freeze(tree);
}

/** The scene of a document; undefined where a program builds it. */
export const sceneModel = ({ source }: StudioDocument): JsonModel | undefined =>
  source.kind === 'scene' ? source.model : undefined;

/** The document with another model; of a program there is none to change. */
export const withModel = (document: StudioDocument, change: (model: JsonModel) => JsonModel): StudioDocument =>
  document.source.kind === 'scene'
    ? { ...document, source: { kind: 'scene', model: change(document.source.model) } }
    : document;
