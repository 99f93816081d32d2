/**
 * The contact inspector: what touches at this instant, where, and with which forces (Elmqvist et al. 2015, §7.1). Forces are drawn on
 * the body that is pushed, patches in the colour of stick and slip; on demand the overlap itself is found again and drawn with the
 * pressure of every polygon.
 */

import { quantity } from '../../math/quantity.js';
import type { Vec3 } from '../../math/vec3.js';
import { PairPlaces } from '../../results/scene/contact-side.js';
import { element } from '../controls/element.js';
import type { Player } from '../playback/player.js';
import { isDarkAt, whenThemeChanges } from '../plots/theme-change.js';
import type { BodyLooks } from '../stage/body-looks.js';
import type { Stage } from '../stage/stage.js';
import { automaticScale, largestInstants, pixelsPerMetre, rootLength } from './arrow-scale.js';
import { ArrowScaleControl } from './arrow-scale-control.js';
import { ContactDrawing, type DrawnArrow, type DrawnContact } from './contact-drawing.js';
import { RecordCache, trailInstants, trailPieces } from './contact-history.js';
import { ContactList } from './contact-list.js';
import { contactsOf, identity } from './contact-rows.js';
import { ForceStrip } from './force-strip.js';
import { InspectorChoices } from './inspector-choices.js';
import { describeIntersection, IntersectionSearch } from './intersection-search.js';
import { PairFilter } from './pair-filter.js';
import { patchEllipse } from './patch-ellipse.js';

export interface Inspector {
  visible: boolean;
  /** Every arrow as it is drawn */
  arrows(): readonly DrawnArrow[];
  /** Waits until what is drawn is that of the player's instant. */
  settled(): Promise<void>;
  /** Shows these pairs and no others, by their labels; all without any. */
  show(pairs?: readonly string[]): void;
  /** Goes to the next instant at which something begins to touch. */
  toNextContact(): void;
  /** The recording has grown: more forces, and perhaps pairs. */
  refresh(): void;
  /** The strip's forces, N, and where it has an instant, CSS px from its left */
  readonly strip: {
    readonly forces: Float64Array;
    placeOf(instant: number): number;
    setWindow(window: readonly [number, number] | undefined): void;
    alignWith(axis: { readonly left: number; readonly right: number } | undefined): void;
  };
  dispose(): void;
}

export function createInspector(places: {
  player: Player;
  stage: Stage;
  looks: Pick<BodyLooks, 'setTemporary'>;
  panel: HTMLElement;
  strip: HTMLElement;
}): Inspector {
  return new InspectorPanel(places.player, places.stage, places.looks, places.panel, places.strip);
}

/** Instants with the greatest sums, among which the greatest single force is looked for */
const LOOKED_AT = 5;
const LIST_PAUSE = 120; // ms between two lists while playing
const MOST_TRAIL = 60; // pieces per region

class InspectorPanel implements Inspector {
  readonly strip: ForceStrip;
  readonly #root: HTMLElement;
  readonly #pairs: PairPlaces;
  readonly #drawing: ContactDrawing;
  readonly #records: RecordCache;
  readonly #intersections: IntersectionSearch;
  readonly #filter: PairFilter;
  readonly #list: ContactList;
  readonly #choices: InspectorChoices;
  readonly #scale: ArrowScaleControl;
  readonly #summary = element('p', { class: 'inspector-summary', role: 'status' });
  readonly #next = element(
    'button',
    {
      type: 'button',
      class: 'viewer-button with-text',
      title: 'To the next instant at which something of what is shown begins to touch (m)',
      onclick: () => this.toNextContact(),
    },
    'Next contact',
  );
  readonly #about = element('div', { class: 'inspector-about' });
  readonly #stops: (() => void)[] = [];
  #contacts: readonly DrawnContact[] = [];
  #selected: string | undefined;
  #isVisible = false;
  /** Reading the forces of the run, from which the scale of the arrows follows */
  #starting: Promise<void> | undefined;
  #hasScale = false;
  /** N, largest single force of the run, as far as it is known */
  #largest = 0;
  #isDisposed = false;
  /** What is drawn, and what is being loaded */
  #shownKey = '';
  #loading: Promise<void> | undefined;
  #forcesAsked = 0;
  #listed = 0; // ms
  #lookedThrough: readonly number[] = [];

  constructor(
    private readonly player: Player,
    private readonly stage: Stage,
    private readonly looks: Pick<BodyLooks, 'setTemporary'>,
    panel: HTMLElement,
    strip: HTMLElement,
  ) {
    const { playback } = player;
    this.#pairs = new PairPlaces(playback.scene);
    this.#drawing = new ContactDrawing(stage.overlay);
    this.#records = new RecordCache((instant) => playback.contacts(instant));
    this.#intersections = new IntersectionSearch(playback, this.#pairs);
    this.#filter = new PairFilter(
      () => playback.pairs,
      () => this.#filterChanged(),
    );
    this.#list = new ContactList((contact) => this.#choose(contact));
    this.#choices = new InspectorChoices(() => this.#choiceChanged());
    this.#scale = new ArrowScaleControl(() => this.#redraw());
    this.strip = new ForceStrip(strip, player);
    this.#root = element(
      'div',
      { class: 'inspector' },
      this.#summary,
      this.#next,
      this.#choices.root,
      this.#scale.root,
      this.#about,
      this.#filter.root,
      this.#list.root,
    );
    panel.append(this.#root);
    this.#stops.push(
      player.on('frame', () => this.#follow()),
      player.on('state', () => this.#follow()),
      stage.on('drawn', () => this.#showLegend()),
      whenThemeChanges(panel, () => {
        this.#drawing.setTheme(isDarkAt(panel));
        stage.redraw();
      }),
    );
    this.#drawing.setTheme(isDarkAt(panel));
  }

  get visible(): boolean {
    return this.#isVisible;
  }

  set visible(visible: boolean) {
    if (visible === this.#isVisible) return;
    this.#isVisible = visible;
    if (visible) {
      this.#drawing.setTheme(isDarkAt(this.#root));
      this.#starting ??= this.#start();
      this.#shownKey = '';
      this.#follow();
    } else {
      this.#contacts = [];
      this.#drawing.draw([], [], new Map(), this.#drawingChoice());
      this.stage.redraw();
    }
    this.#updateBodyLooks();
  }

  arrows(): readonly DrawnArrow[] {
    return this.#drawing.arrows;
  }

  async settled(): Promise<void> {
    await this.player.settled();
    await this.#starting;
    while (this.#loading) await this.#loading;
  }

  show(pairs?: readonly string[]): void {
    const { pairs: labels } = this.player.playback;
    this.#filter.set(pairs ? pairs.map((label) => labels.indexOf(label)) : labels.keys());
  }

  toNextContact(): void {
    const { forces } = this.strip;
    const from = this.player.instant;
    const begins = (k: number): boolean => forces[k] > 0 && !(forces[k - 1] > 0);
    // after the last comes the first
    for (let k = 1; k <= forces.length; k++)
      if (begins((from + k) % forces.length)) {
        this.player.goTo((from + k) % forces.length);
        return;
      }
  }

  refresh(): void {
    if (!this.#starting) return;
    // unseen, it is read when it is seen
    if (this.#isVisible) this.#starting = this.#start();
    else this.#starting = undefined;
    this.#updateBodyLooks();
  }

  /** Reads the forces of the run, and from its greatest finds how long arrows are. */
  async #start(): Promise<void> {
    if (this.player.playback.pairs.length === 0) return;
    try {
      const forces = await this.#readForces();
      let largest = 0;
      for (const instant of largestInstants(forces, LOOKED_AT)) {
        const records = await this.#records.get(instant);
        for (const { normalForce } of contactsOf(records, () => true)) largest = Math.max(largest, normalForce);
      }
      this.#hasScale = true;
      this.#largest = largest;
      this.#redraw();
    } catch (error) {
      this.#tell(error);
    }
  }

  async #readForces(): Promise<Float64Array> {
    const asked = ++this.#forcesAsked;
    const { shown, title } = this.#filter;
    const forces = await this.player.playback.contactForces(shown, (part) => {
      if (asked === this.#forcesAsked) this.strip.wait(part);
    });
    if (asked === this.#forcesAsked && !this.#isDisposed) this.strip.show(forces, title);
    return forces;
  }

  #filterChanged(): void {
    this.#shownKey = '';
    this.#follow();
    this.#updateBodyLooks();
    if (this.#starting) void this.#readForces().catch((error) => this.#tell(error));
  }

  #choiceChanged(): void {
    this.#shownKey = '';
    this.#follow();
    this.#updateBodyLooks();
  }

  /** The player is elsewhere: loads and draws what is wanted there. */
  #follow(): void {
    if (!this.#isVisible) return;
    this.strip.follow();
    if (this.#shownKey === this.#wantedKey()) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
      // what was asked for at the last moment
      if (this.#isVisible && !this.#isDisposed && this.#shownKey !== this.#wantedKey()) this.#follow();
    });
  }

  #wantedKey(): string {
    return `${this.player.instant} ${this.player.playing} ${this.#choices.key} ${this.#selected}`;
  }

  async #load(): Promise<void> {
    while (this.#isVisible && !this.#isDisposed) {
      const key = this.#wantedKey();
      if (key === this.#shownKey) return;
      const { instant, playing } = this.player;
      const { trail, intersections } = this.#choices;
      try {
        const reach = Math.round(trail * this.player.playback.times.length);
        const instants = reach > 0 ? trailInstants(instant, Math.max(1, reach), MOST_TRAIL) : [instant];
        const records = await Promise.all(instants.map((k) => this.#records.get(k)));
        this.#lookedThrough = instants;
        this.#contacts = contactsOf(records[records.length - 1], this.#filter.shows).map((contact) => {
          const label = this.player.playback.pairs[contact.pair] ?? `pair ${contact.pair}`;
          const { name: on, sign } = this.#pairs.shownSide(label);
          return { ...contact, label, on, sign };
        });
        const wanted = intersections ? this.#contacts : [];
        let isDone = await this.#intersections.find(wanted, instant, this.#selected);
        // at rest all of them, piece by piece, as long as nobody asks for something else
        while (!isDone && !playing && key === this.#wantedKey() && !this.#isDisposed) {
          this.#redraw();
          await new Promise((resolve) => setTimeout(resolve));
          isDone = await this.#intersections.find(wanted, instant, this.#selected);
        }
      } catch (error) {
        this.#shownKey = key; // no sense in asking again at once
        this.#tell(error);
        return;
      }
      if (this.#isDisposed) return;
      this.#shownKey = key;
      this.#redraw();
    }
  }

  #drawingChoice() {
    const { normal, friction, torque, patches, enlarged } = this.#choices;
    const { newtonsPerMetre } = this.#scale;
    const largest = this.#largest;
    return {
      enlarged,
      lengthOf:
        this.#scale.kind === 'root' && largest > 0
          ? (force: number) => rootLength(force, largest, newtonsPerMetre)
          : undefined,
      normal,
      friction,
      torque,
      patches,
      newtonsPerMetre,
      size: this.stage.size,
      selected: this.#selected,
    };
  }

  #redraw(): void {
    if (!this.#isVisible) return;
    // until the run's greatest force is known, that of the instant serves
    const ofInstant = this.#contacts.reduce((most, { normalForce }) => Math.max(most, normalForce), 0);
    const byInstant = !this.#hasScale || (this.#scale.kind === 'instant' && ofInstant > 0);
    this.#scale.setAutomatic(automaticScale(byInstant ? ofInstant : this.#largest, 2 * this.stage.size));
    const records = this.#lookedThrough.flatMap((instant) => this.#records.peek(instant) ?? []);
    const trails = records.length > 1 ? trailPieces(records, this.#filter.shows) : [];
    const pressed = this.#drawing.draw(this.#contacts, trails, this.#intersections.found, this.#drawingChoice());
    this.stage.redraw();

    // numbers, not at every frame
    const now = performance.now();
    if (this.player.playing && now - this.#listed < LIST_PAUSE) return;
    this.#listed = now;
    this.#list.show(this.#contacts, this.#selected);
    const forces = new Map<number, number>();
    let total = 0;
    for (const { pair, normalForce } of this.#contacts) {
      forces.set(pair, (forces.get(pair) ?? 0) + normalForce);
      total += normalForce;
    }
    this.#filter.update(forces);
    const count = this.#contacts.length;
    this.#showRooms();
    this.#summary.textContent =
      this.player.playback.pairs.length === 0
        ? 'This recording has no contacts.'
        : `${count === 1 ? '1 contact' : `${count} contacts`}, ${quantity(total, 'N', 3)} in all`;
    const about = describeIntersection(this.#contacts, this.#intersections, pressed, this.#selected);
    this.#about.replaceChildren(...about);
    this.#about.hidden = about.length === 0;
  }

  /** Without any contact in the whole recording there is nothing to choose from. */
  #showRooms(): void {
    const isEmpty = this.player.playback.pairs.length === 0;
    for (const part of [this.#choices, this.#scale, this.#filter, this.#list, this.strip]) part.root.hidden = isEmpty;
    this.#next.hidden = isEmpty;
  }

  /** The arrow of the legend follows the camera. */
  #showLegend(): void {
    if (!this.#isVisible) return;
    const at = this.#contacts.find((contact) => identity(contact) === this.#selected) ?? this.#contacts[0];
    if (!at) return;
    const pixels = pixelsPerMetre((point) => this.stage.project(point), at.point, 1e-3 * this.stage.size);
    this.#scale.showLegend(pixels);
  }

  #choose(contact: DrawnContact): void {
    const key = identity(contact);
    this.#selected = this.#selected === key ? undefined : key;
    this.#shownKey = '';
    this.#follow();
    this.#redraw();
    if (this.#selected === undefined) return;
    const ellipse = patchEllipse(contact);
    const radius = Math.max(ellipse ? 2 * Math.hypot(...ellipse.major) : 0, this.stage.size / 400);
    this.#lookAt(contact.point, radius);
  }

  /** Brings a ball around a point into the picture. */
  #lookAt([x, y, z]: Vec3, radius: number): void {
    const { scale, position } = this.stage.overlay;
    const points = new Float64Array(18);
    for (let k = 0; k < 6; k++) {
      const arm = [0, 0, 0];
      arm[k >> 1] = k % 2 === 0 ? radius : -radius;
      points[3 * k] = scale.x * (x + arm[0]) + position.x;
      points[3 * k + 1] = scale.y * (y + arm[1]) + position.y;
      points[3 * k + 2] = scale.z * (z + arm[2]) + position.z;
    }
    this.stage.view.fit(points);
    this.stage.redraw();
  }

  /** Bodies of the shown pairs step back, so that what is between them is seen. */
  #updateBodyLooks(): void {
    const wanted = this.#isVisible ? this.#choices.bodies : 'solid';
    if (wanted === 'solid') {
      this.looks.setTemporary(undefined);
      return;
    }
    const bodies = new Set<number>();
    this.player.playback.pairs.forEach((label, pair) => {
      if (this.#filter.shows(pair)) for (const place of this.#pairs.places(label)) if (place) bodies.add(place.body);
    });
    this.looks.setTemporary(wanted, bodies);
  }

  #tell(error: unknown): void {
    this.#summary.textContent = `Contacts cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }

  dispose(): void {
    this.visible = false;
    this.#isDisposed = true;
    for (const stop of this.#stops) stop();
    this.#drawing.dispose();
    this.strip.dispose();
    this.#root.remove();
  }
}
