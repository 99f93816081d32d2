/**
 * The deepest contact of a run, told from accepted steps: an impact is over between two recorded rows. What counts is the depth against what the
 * law of the pair describes.
 */
import type { System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { norm } from '../math/vec3.js';
import type { DeepestContact } from '../results/trust-report.js';

/** Depth at rest times this is a blow. */
const BLOW = 3;

export class DepthWatch {
  private pair: ContactPair | undefined;
  private depth = 0;
  private time = 0;
  private share = -1;
  private readonly weightless: boolean;
  /** Of pairs of whose materials something is unknown: who has touched, and who was struck */
  readonly touched = new Set<ContactPair>();
  readonly struck = new Set<ContactPair>();

  constructor({ gravity }: System) {
    this.weightless = gravity.kind !== 'uniform' || norm(gravity.acceleration) === 0;
  }

  watch({ pairs }: ContactSystem, t: number): void {
    for (const pair of pairs) {
      if (!pair.touching) continue;
      const { law, depth } = pair;
      const share = depth / law.depthLimits.doubtful;
      if (share > this.share) {
        this.share = share;
        this.pair = pair;
        this.depth = depth;
        this.time = t;
      }
      if (law.unknown.length === 0) continue;
      this.touched.add(pair);
      // without weight there is no rest: every touch is a blow
      if (this.weightless || depth > BLOW * law.referenceDepth) this.struck.add(pair);
    }
  }

  /** Undefined if nothing touched */
  get deepest(): DeepestContact | undefined {
    const pair = this.pair;
    return pair && { pair: pair.name, depth: this.depth, time: this.time, ...pair.law.depthLimits };
  }
}
