/** A run while it is computed: a recording in memory that grows, and is looked at from the first row on. */
import { CONTACT } from '../../results/contact-records.js';
import { GRAIN_TABLE } from '../../results/grain-records.js';
import type { RecordTable } from '../../results/record-table.js';
import type { Recording } from '../../results/recording.js';
import { grainsOf, instantWithGrains, NO_GRAINS } from '../../results/scene/grain-frames.js';
import { SurfaceReader } from '../../results/scene/surface-frames.js';
import type { Scene } from '../../results/scene.js';
import type { TrustReport } from '../../results/trust-report.js';
import { FrameReader } from './frame-reader.js';
import type { Playback } from './playback.js';
import { noContacts } from './recording-playback.js';

export class LivePlayback implements Playback {
  readonly #frames: FrameReader;
  readonly #surfaces: SurfaceReader;
  readonly #species: readonly string[];
  hash = '';
  trust: TrustReport = {};
  state: Playback['state'] = 'running';

  constructor(
    readonly recording: Recording,
    readonly scene: Scene,
  ) {
    this.#frames = new FrameReader(scene, recording.signals);
    this.#surfaces = new SurfaceReader(scene, recording.signals);
    this.#species = scene.grains?.species.map(({ name }) => name) ?? [];
  }

  /** How it ended. */
  end({ state, hash, trust }: Pick<Playback, 'state' | 'hash' | 'trust'>): void {
    this.state = state;
    this.hash = hash;
    this.trust = trust;
  }

  get title(): string {
    return this.recording.title;
  }
  get times(): Float64Array {
    return this.recording.times;
  }
  get signals(): Playback['signals'] {
    return this.recording.signals;
  }
  get events(): Playback['events'] {
    return this.recording.events;
  }
  get parameters(): Playback['parameters'] {
    return this.recording.parameters;
  }
  get versions(): Playback['versions'] {
    return this.recording.versions;
  }
  get pairs(): readonly string[] {
    return this.#table('contacts')?.labels ?? [];
  }

  frame: Playback['frame'] = async (instant) =>
    this.#frames.frame(this.recording.times[instant], this.recording.samples.row(instant));
  signal: Playback['signal'] = async (name) => this.recording.signal(name);
  contacts: Playback['contacts'] = async (instant) => this.#table('contacts')?.instant(instant) ?? noContacts();
  get deforms(): boolean {
    return this.#surfaces.deforms;
  }
  // what is still to come is not known
  surfaceRanges: Playback['surfaceRanges'] = async () => ({});
  surfaces: Playback['surfaces'] = async (instant, exaggeration) => {
    const table = this.#table('surfaces');
    const row = this.#surfaces.deforms ? this.recording.samples.row(instant) : [];
    return this.#surfaces.frames(row, table?.labels, table?.instant(instant), exaggeration);
  };
  grains: Playback['grains'] = async (instant) => {
    const table = this.#table(GRAIN_TABLE);
    const kept = table && this.scene.grains ? instantWithGrains(table.first, instant) : -1;
    return kept < 0 ? NO_GRAINS : grainsOf(table!.labels, this.#species, table!.instant(kept));
  };
  contactForces: Playback['contactForces'] = async (pairs) => {
    const sums = new Float64Array(this.recording.rows);
    const table = this.#table('contacts');
    if (!table) return sums;
    const force = table.column(CONTACT.normalForce);
    const pair = table.column(CONTACT.pair);
    const { first } = table;
    for (let instant = 0; instant < sums.length; instant++)
      for (let row = first[instant]; row < first[instant + 1]; row++)
        if (!pairs || pairs.has(pair[row])) sums[instant] += force[row];
    return sums;
  };
  close(): void {}

  #table(name: string): RecordTable | undefined {
    return this.recording.hasTable(name) ? this.recording.table(name) : undefined;
  }
}
