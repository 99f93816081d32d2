/** Follows a file that is being edited: what is computed anew takes the place of what is shown, and what went wrong is said over it. */
import type { LiveState, ViewContent } from '../content.js';
import { servedContent, sourcesOf } from './opening.js';
import type { Viewer } from './viewer.js';

export function followLive(viewer: Viewer, { address, version }: NonNullable<ViewContent['live']>): void {
  let shown = version;
  let isFailed = false; // an error of ours stands over the picture
  viewer.followsEdits = true;
  // The browser takes up a lost connection by itself, and is told the state again.
  new EventSource(address).onmessage = async ({ data }) => {
    const state = JSON.parse(String(data)) as LiveState;
    if (state.error !== undefined) {
      isFailed = true;
      viewer.messages.mistake(state.error);
    } else if (isFailed) {
      isFailed = false;
      viewer.messages.clear();
    }
    if (state.running && !viewer.session) viewer.messages.busy('Running …');
    viewer.layout.root.classList.toggle('running', state.running);
    if (state.version === shown) return;
    shown = state.version;
    const kept = viewer.session?.kept();
    await viewer.offer(sourcesOf(await servedContent()), kept);
  };
}
