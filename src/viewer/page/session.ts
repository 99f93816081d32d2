/** One playback on the page: its player, stage, inspector and plots, and the panels about it. */

import { decimal, quantity, scaledUnit } from '../../math/quantity.js';
import { element } from '../controls/element.js';
import { createInspector, type Inspector } from '../inspector/inspector.js';
import type { Frame, Playback } from '../playback/playback.js';
import { Player } from '../playback/player.js';
import { createPlots, type Plots } from '../plots/plots.js';
import { BodyLooks } from '../stage/body-looks.js';
import { Stage } from '../stage/stage.js';
import type { StandardView } from '../stage/view.js';
import { AxisTriad } from './axis-triad.js';
import { BodyCard } from './body-card.js';
import { BodyTree } from './body-tree.js';
import { FilmMaker } from './film-maker.js';
import { jointList } from './joint-list.js';
import type { Layout } from './layout.js';
import type { Messages } from './messages.js';
import { MovingSurfaces } from './moving-surfaces.js';
import { PointPaths } from './point-paths.js';
import { fillRunPanel } from './run-panel.js';
import { fillSettingsPanel, keepSettings, type Settings } from './settings-panel.js';
import { suitableSpeed, TimeBar } from './time-bar.js';

const FEW_TIMES = 250; // ms
/** Moments that tell where bodies go, and bodies beyond which it takes too long to ask */
const MOMENTS = 24;
const MANY_BODIES = 500;
/** How a body looks of which nothing has been told */
const PLAIN = { visible: true, transparent: false, wireframe: false, selected: false };
const CLICK_DISTANCE = 5; // px; what moves further is a drag of the camera

export interface Kept {
  readonly bodies: string;
  readonly time: number;
  readonly speed: number;
  readonly loop: boolean;
  readonly picked: number | undefined;
  readonly eye: string | undefined;
  readonly plots: readonly (readonly string[])[];
}

/** The places that a session fills; the layout of the viewer has them, and that of the studio. */
export type SessionRooms = Pick<
  Layout,
  'view' | 'time' | 'bodies' | 'tabs' | 'strip' | 'plots' | 'isNarrow' | 'tab' | 'open' | 'isOpen'
>;

export interface SessionOptions {
  readonly dark: boolean;
  /** A stage that stands already, with its canvas in the view; it stays when the session goes. */
  readonly stage?: { readonly stage: Stage; readonly canvas: HTMLCanvasElement } | undefined;
  /** Whether the eye goes where all that happens is seen; with a stage that stands it stays where it is unless said */
  readonly fits?: boolean;
  /** Picks bodies by a click; true unless said */
  readonly picks?: boolean;
}

export class Session {
  readonly playback: Playback;
  readonly player: Player;
  readonly stage: Stage;
  readonly looks: BodyLooks;
  readonly tree: BodyTree;
  readonly inspector: Inspector;
  readonly plots: Plots;
  readonly #layout: SessionRooms;
  readonly #options: SessionOptions;
  readonly #stops = new AbortController();
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #canvas: HTMLCanvasElement;
  readonly #scale = element('div', { class: 'viewer-scale', 'aria-hidden': 'true' });
  readonly #legend = element('div', { class: 'viewer-legend' });
  readonly #triad: AxisTriad;
  readonly film: FilmMaker;
  readonly #card: BodyCard;
  readonly #timeBar: TimeBar;
  readonly #surfaces: MovingSurfaces;
  readonly #observer: ResizeObserver;
  readonly paths: PointPaths;
  #followed: number | undefined;
  #loop: number;
  #last = 0; // ms
  /** Moments of the run that the picture is fitted to */
  #motion: readonly Frame[] | undefined;
  #grainInstant = -1;
  #isMoved = false; // the eye, by hand
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    playback: Playback,
    layout: SessionRooms,
    messages: Messages,
    settings: Settings,
    options: SessionOptions,
  ) {
    this.#options = options;
    this.playback = playback;
    this.#layout = layout;
    this.#messages = messages;
    this.#settings = settings;
    const { scene } = playback;

    // The view
    const label = `${playback.title}, in three dimensions`;
    const { stage: had } = options;
    this.#canvas = had?.canvas ?? element('canvas', { class: 'viewer-canvas', role: 'img' });
    this.#canvas.setAttribute('aria-label', label);
    if (had) {
      layout.view.append(this.#scale, this.#legend);
      this.stage = had.stage;
      if (had.stage.scene !== scene) had.stage.setScene(scene);
      else {
        for (const body of scene.bodies.keys()) had.stage.setBody(body, PLAIN);
        had.stage.isolate(undefined);
        had.stage.follow(undefined);
      }
    } else {
      layout.view.replaceChildren(this.#canvas, this.#scale, this.#legend);
      this.stage = new Stage(this.#canvas, scene, { dark: options.dark });
    }
    this.#triad = new AxisTriad(this.stage, scene.up, scene.weightless !== true);
    layout.view.append(this.#triad.root);
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(layout.view);
    if (!had) this.#resize(); // a stage that stands has its size; the observer tells of another one
    this.#pickWithPointer();

    // What moves it
    this.player = new Player(playback);
    this.player.speed = suitableSpeed(this.player.duration);
    this.#timeBar = new TimeBar(layout.time, this.player);
    this.#surfaces = new MovingSurfaces(playback, this.player, this.stage, (error) => messages.passing(error.message));
    this.#surfaces.exaggeration = settings.exaggeration;
    this.film = new FilmMaker(this.#canvas, this.player, this.stage);

    // What is said of bodies and run
    this.looks = new BodyLooks(scene.bodies.length, this.stage);
    this.paths = new PointPaths(playback, this.stage, (error) => messages.passing(error.message));
    this.paths.onChange(() => this.looks.touch());
    layout.bodies.replaceChildren();
    this.tree = new BodyTree(
      layout.bodies,
      scene.bodies.map(({ name }) => name),
      this.looks,
    );
    const held = jointList(scene, {
      pick: (body) => this.looks.pick(body),
      plot: (name) => this.#plotOf(name),
    });
    if (held) layout.bodies.append(held);
    this.#card = new BodyCard(layout.tabs.body, scene, this.looks, {
      fit: () => this.fit(),
      follow: (body) => this.follow(body),
      isFollowed: (body) => this.#followed === body,
      path: (body, frame) => this.paths.toggle(body, frame),
      hasPath: (body, frame) => this.paths.has(body, frame),
      ...(playback.signals.length > 0 && { plot: (body: number) => this.#plotPosition(body) }),
    });
    this.looks.onChange(() => {
      if (this.looks.picked !== undefined && !layout.isNarrow && layout.tab === undefined) layout.open('body');
    });
    this.#fillRun();
    this.fillSettings();
    this.applyDecor();
    this.stage.setColouring(settings.colouring);
    this.stage.parallel = settings.parallel;

    // Contacts and plots
    layout.tabs.contacts.replaceChildren();
    layout.strip.replaceChildren();
    layout.plots.replaceChildren();
    this.inspector = createInspector({
      player: this.player,
      stage: this.stage,
      looks: this.looks,
      panel: layout.tabs.contacts,
      strip: layout.strip,
    });
    this.plots = createPlots({ player: this.player, panel: layout.plots });
    this.plots.onWindow(({ from, to, isWhole }) => {
      const window = isWhole ? undefined : ([from, to] as const);
      this.inspector.strip.setWindow(window);
      this.#timeBar.setWindow(window);
    });
    this.plots.onAxis((axis) => this.inspector.strip.alignWith(axis));
    this.roomsChanged();

    this.player.on('frame', (frame) => {
      this.stage.show(frame);
      this.#timeBar.show();
      this.#card.show(frame);
      this.#surfaces.show();
      this.#showGrains();
    });
    this.player.on('error', (error) => {
      messages.failed('This instant cannot be read', error.message, [
        { label: 'Go on', press: () => messages.clear() },
      ]);
      this.onError?.();
    });
    const stops = [
      this.stage.on('drawn', () => this.#label()),
      this.stage.on('lost', () => messages.passing('The graphics card was lost; waiting for it …')),
    ];
    for (const stop of stops) this.#stops.signal.addEventListener('abort', stop);
    this.#isMoved = options.fits === undefined ? had !== undefined : !options.fits;
    this.#fitFirst();
    this.stage.show(this.player.frame);
    this.#loop = requestAnimationFrame((now) => this.#draw(now));
  }

  /** To the first recorded instant, which need not be as drawn. */
  #fitFirst(): void {
    const stop = this.player.on('frame', () => {
      stop();
      if (this.#isMoved) return;
      this.stage.fit(undefined, false);
      void this.#fitMotion(false);
    });
  }

  /** All that happens, from a few moments of the run, while nobody has moved the eye. */
  async #fitMotion(moving: boolean): Promise<void> {
    const { times, scene } = this.playback;
    if (times.length < 2 || scene.bodies.length > MANY_BODIES || scene.surfaces.length > 0 || scene.grains) return;
    const moments = Math.min(MOMENTS, times.length);
    const frames: Frame[] = [];
    try {
      for (let k = 0; k < moments; k++)
        frames.push(await this.playback.frame(Math.round((k * (times.length - 1)) / (moments - 1))));
    } catch {
      return; // the player says what is wrong with the file
    }
    if (this.#isMoved || this.#stops.signal.aborted) return;
    this.#motion = frames;
    this.stage.fitMotion(frames, moving);
  }

  #draw(now: number): void {
    // A page that was in the background does not catch up.
    const seconds = Math.min(0.25, (now - this.#last) / 1000);
    this.#last = now;
    this.player.tick(seconds);
    this.stage.render();
    this.#loop = requestAnimationFrame((next) => this.#draw(next));
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#layout.view;
    if (!(clientWidth > 0 && clientHeight > 0)) return;
    if (!this.stage.resize(clientWidth, clientHeight, Math.min(2, window.devicePixelRatio || 1))) return;
    // While nobody has moved the eye, all stays in the picture when a panel takes some of it.
    if (!this.#isMoved) this.#fitAll(false);
    this.stage.render(); // a canvas of another size is empty, and the browser paints before the next frame is drawn
  }

  #pickWithPointer(): void {
    let down: { x: number; y: number } | undefined;
    const moves = (): void => {
      this.#isMoved = true;
    };
    const { signal } = this.#stops;
    for (const way of ['wheel', 'keydown']) this.#canvas.addEventListener(way, moves, { passive: true, signal });
    this.#canvas.addEventListener('pointermove', (event) => event.buttons !== 0 && moves(), { signal });
    if (this.#options.picks === false) return;
    const begin = (event: PointerEvent): void => {
      down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined;
    };
    const end = (event: PointerEvent): void => {
      if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_DISTANCE) return;
      const box = this.#canvas.getBoundingClientRect();
      this.looks.pick(this.stage.pick(event.clientX - box.left, event.clientY - box.top)?.body);
    };
    this.#canvas.addEventListener('pointerdown', begin, { signal });
    this.#canvas.addEventListener('pointerup', end, { signal });
    this.#canvas.addEventListener('dblclick', () => this.fit(), { signal });
  }

  /** The picked body, or all. */
  fit(): void {
    this.#isMoved = this.looks.picked !== undefined;
    if (this.looks.picked === undefined) this.#fitAll(true);
    else this.stage.fit(this.looks.picked);
  }

  #fitAll(moving: boolean): void {
    if (this.#motion) this.stage.fitMotion(this.#motion, moving);
    else this.stage.fit(undefined, moving);
  }

  lookFrom(view: StandardView): void {
    this.#isMoved = true;
    this.stage.standardView(view);
  }

  /** The camera goes with a body, or stops to if it did; true if it does now. */
  follow(body: number): boolean {
    this.#isMoved = true;
    this.#followed = this.#followed === body ? undefined : body;
    this.stage.follow(this.#followed);
    return this.#followed === body;
  }

  /** Contacts are opened, for that is where forces are read. */
  toNextContact(): void {
    this.#layout.open('contacts');
    this.inspector.visible = true;
    void this.inspector.settled().then(() => this.inspector.toNextContact());
  }

  #plotPosition(body: number): void {
    this.#layout.open('plots');
    void this.plots
      .add(`${this.playback.scene.bodies[body].name}.position.*`)
      .catch((error: Error) => this.#messages.passing(error.message));
  }

  /** Plots what a joint or a spring does; undefined where nothing of it is recorded. */
  #plotOf(name: string): (() => void) | undefined {
    const start = `${name}.`;
    if (!this.playback.signals.some((signal) => signal.name.startsWith(start))) return undefined;
    return () => {
      this.#layout.open('plots');
      void this.plots.add(`${start}*`).catch((error: Error) => this.#messages.passing(error.message));
    };
  }

  #fillRun(): void {
    fillRunPanel(this.#layout.tabs.run, this.playback, (time) => {
      this.player.time = time;
    });
  }

  /** The recording has become longer. @param had instants that it had */
  grown(had: number): void {
    this.#fillRun();
    this.#messages.clear();
    this.player.grown(had);
    if (!this.#isMoved) void this.#fitMotion(true);
    this.#timeBar.refresh();
    this.paths.refresh();
    this.inspector.refresh();
    this.plots.refresh().catch((error: Error) => this.#messages.passing(error.message));
  }

  /** More rows of a run that goes on, as often as they come: who stands at the end goes along at once, figures and plots follow a few times a second. */
  extended(had: number): void {
    const { player } = this;
    if (!player.playing && player.instant >= had - 1) player.goTo(this.playback.times.length - 1);
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#timeBar.refresh();
      this.paths.refresh();
      if (!this.#isMoved) void this.#fitMotion(true);
      if (this.inspector.visible) this.inspector.refresh();
      if (this.#layout.isOpen('plots'))
        this.plots.refresh().catch((error: Error) => this.#messages.passing(error.message));
    }, FEW_TIMES);
  }

  /** What a person has chosen, for a session with a later recording of the same bodies */
  kept(withEye = this.#isMoved): Kept {
    const { player, looks, stage } = this;
    return {
      bodies: this.#bodyNames(),
      time: player.time,
      speed: player.speed,
      loop: player.loop,
      picked: looks.picked,
      eye: withEye ? stage.view.eye : undefined,
      plots: this.plots.shown().map(({ lines }) => lines.map(({ name }) => name)),
    };
  }

  restore({ bodies, time, speed, loop, picked, eye, plots }: Kept): void {
    Object.assign(this.player, { time, speed, loop });
    if (bodies !== this.#bodyNames()) return;
    this.looks.pick(picked);
    if (eye !== undefined) {
      this.#isMoved = true;
      this.stage.view.eye = eye;
      this.stage.redraw();
    }
    const known = new Set(this.playback.signals.map(({ name }) => name));
    plots.forEach((names, plot) => {
      for (const name of names)
        if (known.has(name)) this.plots.add(name, plot).catch((error: Error) => this.#messages.passing(error.message));
    });
  }

  #bodyNames(): string {
    return this.playback.scene.bodies.map(({ name }) => name).join();
  }

  fillSettings(): void {
    const { deforms } = this.playback;
    fillSettingsPanel(this.#layout.tabs.settings, this.#settings, { deforms }, (what) => {
      if (what === 'decor') this.applyDecor();
      else if (what === 'exaggeration') this.#surfaces.exaggeration = this.#settings.exaggeration;
      else if (what === 'colouring') this.stage.setColouring(this.#settings.colouring);
      else if (what === 'parallel') this.stage.parallel = this.#settings.parallel;
      keepSettings(this.#settings);
      this.onSettings?.(what);
    });
  }

  /** Told when a setting was changed that is more than this session's. */
  onSettings: ((what: string) => void) | undefined;

  /** Told when an instant could not be read: perhaps the file is another by now. */
  onError: (() => void) | undefined;

  applyDecor(): void {
    const { scaleBar: _, triad, shadows, ...decor } = this.#settings.decor;
    this.#triad.root.style.display = triad ? '' : 'none';
    // Without a word of the user the stage decides by the number of parts.
    this.stage.setDecor({ ...decor, ...(shadows !== undefined && { shadows }) });
  }

  /** Rooms were opened or closed. */
  roomsChanged(): void {
    this.inspector.visible = this.#layout.isOpen('contacts');
  }

  #showGrains(): void {
    if (!this.playback.scene.grains || this.player.instant === this.#grainInstant) return;
    const instant = this.player.instant;
    this.#grainInstant = instant;
    this.playback.grains(instant).then(
      (frame) => {
        if (this.#grainInstant === instant) this.stage.showGrains(frame);
      },
      (error: Error) => this.#messages.passing(error.message),
    );
  }

  /** Scale bar and legend over the view. */
  #label(): void {
    this.#triad.update();
    const bar = this.#settings.decor.scaleBar ? this.stage.scaleBar() : undefined;
    const scale =
      bar && bar.pixels > 0 && Number.isFinite(bar.pixels)
        ? `${quantity(bar.length, 'm', 3)}|${bar.pixels.toFixed(1)}`
        : '';
    if (this.#scale.dataset.shown !== scale) {
      this.#scale.dataset.shown = scale;
      this.#scale.hidden = scale === '';
      this.#scale.textContent = scale.split('|')[0].replace(/\.0+(?= )/, '');
      this.#scale.style.width = `${scale.split('|')[1] ?? 0}px`;
    }
    const legend = this.stage.legend();
    const often = this.playback.deforms && this.#surfaces.exaggeration !== 1 ? this.#surfaces.exaggeration : undefined;
    const shown = legend ? `${legend.quantity}|${legend.unit}|${legend.low}|${legend.high}|${often}` : '';
    if (this.#legend.dataset.shown === shown) return;
    this.#legend.dataset.shown = shown;
    this.#legend.hidden = legend === undefined;
    if (!legend) return;
    const { factor, unit } = scaledUnit(Math.max(Math.abs(legend.low), Math.abs(legend.high)), legend.unit);
    const colours = element('div', { class: 'viewer-legend-colours' });
    colours.style.background = `linear-gradient(to right, ${legend.colours.join(', ')})`;
    this.#legend.replaceChildren(
      element('div', {}, `${legend.quantity}${unit ? `, ${unit}` : ''}`),
      colours,
      element(
        'div',
        { class: 'viewer-legend-ends' },
        element('span', {}, endText(legend.low, legend, factor)),
        element('span', {}, endText(legend.high, legend, factor)),
      ),
      ...(often === undefined ? [] : [element('div', {}, `deformation × ${often}`)]),
    );
  }

  dispose(): void {
    cancelAnimationFrame(this.#loop);
    clearTimeout(this.#later);
    this.#observer.disconnect();
    this.player.playing = false;
    this.paths.dispose();
    this.inspector.dispose();
    this.plots.dispose();
    this.#stops.abort();
    this.film.stop();
    this.#triad.root.remove();
    this.#scale.remove();
    this.#legend.remove();
    if (!this.#options.stage) this.stage.dispose();
    this.playback.close();
  }
}

/** Of a scale; beside the other end a thousandth is nothing. */
const endText = (value: number, { low, high }: { low: number; high: number }, factor: number): string =>
  decimal(Math.abs(value) < 1e-3 * (high - low) ? 0 : factor * value, 3);
