/** Outlines at a distance from others: computed by a library in WASM, which the page itself may not compile. */
import { offsetOutline } from '../../geometry/csg/offset.js';
import type { Profile } from '../../geometry/profile.js';

export interface OffsetRequest {
  readonly profile: Profile;
  /** m, positive outwards */
  readonly distance: number;
}
export type OffsetAnswer = { readonly profiles: readonly Profile[] } | { readonly why: string };

self.onmessage = ({ data }: MessageEvent<OffsetRequest>) => {
  let answer: OffsetAnswer;
  try {
    answer = { profiles: offsetOutline(data.profile, data.distance) };
  } catch (error) {
    answer = { why: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
};
