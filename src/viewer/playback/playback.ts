/**
 * What the viewer plays: instants that can be asked for in any order, without the rest. Behind it is a recording that is read piece
 * by piece (from a server, or a file dropped on the page), the film inside a report, or a model that has not been run yet.
 */
import type { RecordInstant } from '../../results/record-table.js';
import type { RecordedEvent, RunState, SignalDescription } from '../../results/recording.js';
import type { GrainFrame } from '../../results/scene/grain-frames.js';
import type { SurfaceFrame } from '../../results/scene/surface-frames.js';
import type { Scene } from '../../results/scene.js';
import type { Signal } from '../../results/signal.js';
import type { Json, TrustReport } from '../../results/trust-report.js';

export type { SurfaceFrame };

export interface Playback {
  readonly title: string;
  readonly scene: Scene;
  /** s, of all instants, never decreasing; one instant at 0 for a model without results */
  readonly times: Float64Array;
  readonly signals: readonly Required<SignalDescription>[];
  readonly events: readonly RecordedEvent[];
  readonly parameters: { readonly [name: string]: Json };
  readonly versions: { readonly [name: string]: string };
  readonly trust: TrustReport;
  readonly state: RunState | 'model';
  readonly hash: string;
  /** Labels of the pairs that touched, by their number in `contacts` (results/contact-records.ts); none without such records. */
  readonly pairs: readonly string[];
  frame(instant: number): Promise<Frame>;
  /** A whole signal; a long recording reports how far it has read, 0…1. */
  signal(name: string, progress?: (part: number) => void): Promise<Signal>;
  /** Rows of the table `contacts` at an instant. */
  contacts(instant: number): Promise<RecordInstant>;
  /** Sum of the normal forces at every instant, N; of all pairs, or of those whose number is asked for. */
  contactForces(pairs?: ReadonlySet<number>, progress?: (part: number) => void): Promise<Float64Array>;
  /** Some of the surfaces are bodies that deform. */
  readonly deforms: boolean;
  /** Vertices (3 each, world, m) and values of the moving surfaces at an instant, one per `scene.surfaces`. @param exaggeration how often deformation is drawn */
  surfaces(instant: number, exaggeration?: number): Promise<readonly SurfaceFrame[]>;
  /** Least and largest value over all instants by quantity, where it is known: then colours mean the same at every instant. */
  surfaceRanges(): Promise<Readonly<Record<string, readonly [low: number, high: number]>>>;
  /** Grains at an instant, or at the last before it at which they were kept; none where there are none. */
  grains(instant: number): Promise<GrainFrame>;
  /** Lets go of files. */
  close(): void;
}

/** Where the bodies are at an instant, in the order of `scene.bodies`. */
export interface Frame {
  /** s */
  readonly time: number;
  /** 7 per body: position x, y, z in m, orientation w, x, y, z */
  readonly poses: Float64Array;
  /** 6 per body: velocity of the frame's origin in m/s and angular velocity in rad/s, world axes; NaN where not recorded */
  readonly velocities: Float64Array;
}
