/** Changes of the document beside its model: title, parameters, text, sketches, files, plays. */
import type { ParameterValue } from '../../model/parameters.js';
import type { Asset, JsonModel, PlayInputs } from '../document/document.js';
import type { Sketch } from '../document/sketch.js';
import type { Command } from './command.js';

export const retitle: Command<{ readonly title: string }> = {
  name: 'retitle',
  label: ({ title }) => `Title ${title}`,
  apply: (document, { title }) => ({ ...document, title }),
};

/** Undefined: as the text has it. */
export const setParameter: Command<{ readonly name: string; readonly value: ParameterValue | undefined }> = {
  name: 'set-parameter',
  label: ({ name, value }) => (value === undefined ? `Reset ${name}` : `${name} = ${value}`),
  apply: (document, { name, value }) => {
    const { source } = document;
    if (source.kind !== 'code' || source.parameters[name] === value) return document;
    const { [name]: _, ...others } = source.parameters;
    return {
      ...document,
      source: { ...source, parameters: value === undefined ? others : { ...others, [name]: value } },
    };
  },
};

export const setText: Command<{ readonly text: string }> = {
  name: 'set-text',
  label: () => 'Edit the program',
  apply: (document, { text }) =>
    document.source.kind === 'code' ? { ...document, source: { ...document.source, text } } : document,
};

/** The scene as a whole: what a program built, or JSON that was typed. */
export const setModel: Command<{ readonly model: JsonModel; readonly label: string }> = {
  name: 'set-model',
  label: ({ label }) => label,
  apply: (document, { model }) => ({ ...document, source: { kind: 'scene', model } }),
};

/** Undefined takes it away. */
export const setSketch: Command<{
  readonly name: string;
  readonly sketch: Sketch | undefined;
  readonly label?: string;
}> = {
  name: 'set-sketch',
  label: ({ name, label }) => label ?? `Draw ${name}`,
  apply: (document, { name, sketch }) => {
    const { [name]: _, ...others } = document.sketches;
    if (sketch === undefined) return { ...document, sketches: others };
    const sketches =
      name in document.sketches ? { ...document.sketches, [name]: sketch } : { ...others, [name]: sketch };
    return { ...document, sketches };
  },
};

export const addAsset: Command<{ readonly name: string; readonly asset: Asset }> = {
  name: 'add-asset',
  label: ({ name }) => `Add ${name}`,
  apply: (document, { name, asset }) => ({ ...document, assets: { ...document.assets, [name]: asset } }),
};

export const keepPlay: Command<{ readonly name: string; readonly play: PlayInputs | undefined }> = {
  name: 'keep-play',
  label: ({ name, play }) => (play ? `Keep ${name}` : `Forget ${name}`),
  apply: (document, { name, play }) => {
    const { [name]: _, ...others } = document.plays;
    return { ...document, plays: play ? { ...others, [name]: play } : others };
  },
};
