/** From what the page was given (an address, a dropped file, the film inside a report, a model) to a playback. */
import { FileError } from '../../errors.js';
import { blobFile } from '../../results/readable-file.js';
import { readScene } from '../../results/scene/scene-bytes.js';
import type { ViewContent } from '../content.js';
import { openFilm } from '../playback/film-playback.js';
import { FollowedPlayback } from '../playback/followed-playback.js';
import { httpFile } from '../playback/http-file.js';
import { modelPlayback } from '../playback/model-playback.js';
import type { Playback } from '../playback/playback.js';
import { openRecordingPlayback } from '../playback/recording-playback.js';

/** Something that can be shown, not opened yet. */
export interface Source {
  readonly name: string;
  open(): Promise<Playback>;
  /** Another one when what is behind it has changed; undefined where that cannot be told. */
  tag?(): Promise<string | undefined>;
}

export const recordingAt = (name: string, address: string): Source => ({
  name,
  open: async () =>
    new FollowedPlayback(await openRecordingPlayback(await httpFile(new URL(address, document.baseURI).href), name)),
  tag: async () => {
    const answer = await fetch(address, { method: 'HEAD' });
    return (answer.ok && answer.headers.get('etag')) || undefined;
  },
});

/** A file that was dropped or chosen. The first bytes tell files apart that have only the ending of a recording. */
export const droppedFile = (file: File): Source => ({
  name: file.name,
  open: async () => {
    if (file.size === 0) throw new FileError(file.name, '', 'the file is empty');
    return openRecordingPlayback(blobFile(file), file.name);
  },
});

export const modelAt = ({ title, scene, parameters }: NonNullable<ViewContent['model']>): Source => ({
  name: title,
  open: async () => {
    const answer = await fetch(scene);
    if (!answer.ok) throw new FileError(title, '', `cannot be loaded: the server says ${answer.status}`);
    return modelPlayback(readScene(new Uint8Array(await answer.arrayBuffer()), title), parameters);
  },
});

/** What the server has to show; undefined if the page does not come from one. */
export async function servedContent(): Promise<ViewContent | undefined> {
  const answer = await fetch('content.json').catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as ViewContent) : undefined;
}

/** The model as it is drawn in front, then the recordings. */
export const sourcesOf = (content: ViewContent | undefined): Source[] => [
  ...(content?.model ? [modelAt(content.model)] : []),
  ...(content?.recordings ?? []).map(({ name, address }) => recordingAt(name, address)),
];

/** The film that a report carries, as base64 in an element of its own. */
export const reportFilm = (place: HTMLElement): Source => ({
  name: place.dataset.film || document.title,
  open: async () => openFilm(base64Bytes(place.textContent ?? ''), place.dataset.film || 'film'),
});

function base64Bytes(text: string): Uint8Array {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
