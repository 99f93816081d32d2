/**
 * The stage: draws a scene, frame by frame. It draws when `render` is called and something has changed, and owns nothing but its
 * canvas; time, panels and labels belong to the page.
 *
 * @example
 *   const stage = new Stage(canvas, playback.scene);
 *   player.on('frame', () => stage.show(player.frame));
 *   requestAnimationFrame(function draw() { stage.render(); requestAnimationFrame(draw); });
 */
import {
  Group,
  InstancedMesh,
  LineSegments,
  Mesh,
  Scene as ThreeScene,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { distance, type Vec3 } from '../../math/vec3.js';
import type { Rgb } from '../../results/scene/colour-scale.js';
import type { GrainFrame } from '../../results/scene/grain-frames.js';
import type { Scene } from '../../results/scene.js';
import type { Frame, SurfaceFrame } from '../playback/playback.js';
import { Backdrop } from './backdrop.js';
import { Bodies, type BodyLooks } from './bodies.js';
import { type Ball, ballAround, drawnBall, drawnPoints, floorUnder } from './bounds.js';
import { type Colouring, ColourRange, type Legend } from './colour-range.js';
import { openDisplay } from './display.js';
import { Glyphs } from './glyphs.js';
import { Grains } from './grains.js';
import { Ground } from './ground.js';
import { listenToKeys } from './keyboard.js';
import { Lights } from './lights.js';
import { Materials } from './materials.js';
import { Outline } from './outline.js';
import { type Pick, Picker } from './picking.js';
import { Placement } from './placement.js';
import { roundLength } from './round-length.js';
import { Springs } from './springs.js';
import { Surfaces } from './surfaces.js';
import { DARK, LIGHT } from './theme.js';
import { type TrailPoint, Trails } from './trails.js';
import { type StandardView, View } from './view.js';

export interface Decor {
  readonly grid?: boolean;
  /** Off by itself in scenes of more than 2000 parts, unless asked for. */
  readonly shadows?: boolean;
  readonly frames?: boolean;
  readonly jointAxes?: boolean;
  readonly springs?: boolean;
  readonly motors?: boolean;
  /** Balls in two tones, so that their turning is seen */
  readonly tones?: boolean;
  /** Points whose ways are drawn, collected from the frames shown; `setTrail` draws ways that are known already. */
  readonly trails?: readonly TrailPoint[];
}

export type { Colouring, Legend } from './colour-range.js';

type StageEvent = 'drawn' | 'lost' | 'restored';

const MANY_PARTS = 2000;
/** The origin moves along when what is looked at is so many times farther from it than from the eye: 24 bits are then 1/4000 px. */
const FAR_AWAY = 64;

/** A scene whose size is within this factor of the one before keeps its lengths on the stage. */
const ALIKE = 4;
/** Radii of the scene: what leaves it that far is not in the picture of the whole motion */
const LOST = 15;
/** Of the size, 1 m where nothing has one: how far is looked around a place */
const EMPTY = 0.2;
/** Stage lengths that a shadow map may cover */
const WIDE = 6;

export class Stage {
  /** For signs in world coordinates (m). Give objects a position there and keep their geometry near 0, for the sake of digits. */
  readonly overlay = new Group();
  readonly renderer: WebGLRenderer;
  readonly #three = new ThreeScene();
  readonly #backdrop = new Backdrop();
  readonly #outline = new Outline();
  #size!: number;
  #view!: View;
  #placement!: Placement;
  #materials!: Materials;
  #bodies!: Bodies;
  #ground!: Ground;
  #lights!: Lights;
  #picker!: Picker;
  #surfaces!: Surfaces;
  #grains!: Grains;
  #trails!: Trails;
  #springs!: Springs;
  #colours!: ColourRange;
  #scene: Scene;
  #isDark: boolean;
  #isPlain = false;
  #frames: Glyphs | undefined;
  #joints: Glyphs | undefined;
  #motors: Glyphs | undefined;
  #grid = true;
  #shadows: boolean | undefined;
  #followed: { body: number; at: Vec3 } | undefined;
  #lost = false;
  /** Something to draw; poses, looks or colours to write first */
  #changed = true;
  #moved = true;
  #lastRender = 0;
  #canvasSize = '';
  /** Sphere around all that is drawn now, stage lengths */
  #bounds: Ball = { centre: [0, 0, 0], radius: 1 };
  readonly #listeners = new Map<StageEvent, Set<() => void>>();
  readonly #stops: (() => void)[] = [];
  #stopKeys: (() => void) | undefined;

  /** @throws DisplayError where the browser has no WebGL 2 */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    scene: Scene,
    options: { dark?: boolean } = {},
  ) {
    this.renderer = openDisplay(canvas);
    this.#scene = scene;
    this.#isDark = options.dark ?? false;
    this.#three.add(this.#backdrop.mesh, this.overlay);
    this.#build(scene);
    this.resize(canvas.clientWidth || 300, canvas.clientHeight || 150, globalThis.devicePixelRatio || 1);
    this.view.standard('isometric', false);
    this.fit(undefined, false);
    this.#listenToLoss();
  }

  /** m, radius of what is drawn at the start, without half-spaces */
  get size(): number {
    return this.#size;
  }
  /** Another one where a scene has another direction for up */
  get view(): View {
    return this.#view;
  }
  get scene(): Scene {
    return this.#scene;
  }

  /**
   * Shows another scene: what has changed in a model that is being built, or another model. Canvas, materials and the eye stay; looks, colouring and decor are to be set anew.
   * Costs a fraction of a new stage.
   */
  setScene(scene: Scene): void {
    const { width, height } = this.view;
    const { up } = this.view;
    const isTurned = up.some((x, k) => x !== scene.up[k]);
    const { eye } = this.view;
    const had = { origin: this.#placement.origin, scale: this.#placement.scale, parallel: this.view.parallel };
    const springs = this.#springs.root.visible;
    for (const part of [this.#frames, this.#joints, this.#motors]) {
      part?.root.removeFromParent();
      part?.dispose();
    }
    this.#frames = this.#joints = this.#motors = this.#followed = undefined;
    this.#three.remove(...this.#roots());
    for (const part of this.#scenery()) part.dispose();
    this.#scene = scene;
    this.#build(scene, isTurned ? undefined : had);
    this.#springs.root.visible = springs;
    this.#trails.resize(width, height);
    if (isTurned) {
      this.view.resize(width, height);
      this.view.setParallel(had.parallel);
      this.view.standard('isometric', false);
      this.fit(undefined, false);
    } else this.#keepEye(eye, had);
    this.#changed = this.#moved = true;
  }

  /** Everything that belongs to one scene. @param like origin and scale that may stay as they are */
  #build(scene: Scene, like?: { readonly origin: Vec3; readonly scale: number }): void {
    this.#placement = new Placement(scene);
    const parts = scene.bodies.reduce((sum, body) => sum + body.parts.length, 0);
    const isPlain = parts > MANY_PARTS;
    if (this.#materials === undefined || isPlain !== this.#isPlain) {
      this.#materials?.dispose();
      this.#materials = new Materials(isPlain);
    }
    this.#isPlain = isPlain;
    this.#bodies = new Bodies(scene, this.#placement, this.#materials);
    this.#surfaces = new Surfaces(scene, this.#placement, this.#materials);
    this.#grains = new Grains(scene, this.#placement);

    // Origin and size from where everything is at the start
    const points = drawnPoints(scene, this.#placement, this.#bodies, this.#surfaces, this.#grains);
    const ball = ballAround(points);
    this.#size = ball.radius;
    const isAlike = like !== undefined && ball.radius * like.scale < ALIKE && ball.radius * like.scale > 1 / ALIKE;
    this.#placement.scale = isAlike ? like.scale : 1 / ball.radius;
    this.#trails = new Trails(this.#placement);
    this.#setOrigin(isAlike ? like.origin : ball.centre);

    this.#ground = new Ground(scene, this.#placement, floorUnder(ball, points, scene.up));
    this.#colours = new ColourRange(this.#bodies, this.#surfaces, this.#grains, this.#materials);
    if (this.#view === undefined || this.#view.up.some((x, k) => x !== scene.up[k])) {
      this.#stopKeys?.();
      this.#view?.dispose();
      this.#view = new View(this.canvas, scene.up);
      this.#stopKeys = listenToKeys(this.canvas, this.#view, () => this.redraw());
    }
    this.#lights = new Lights(this.view.right, this.view.front, scene.up, this.view.camera);
    this.#lights.isPlain = isPlain;
    this.#materials.room.setAxes(this.view.right, this.view.front, scene.up);
    this.#springs = new Springs(scene, this.#placement, this.size);
    this.#picker = new Picker(scene, this.#placement, this.#bodies, this.#ground.sheets, this.#surfaces);
    this.#three.add(...this.#roots());
    this.setTheme(this.#isDark);
    this.#applyShadows();
  }

  #roots(): Group[] {
    return [
      this.#ground.root,
      this.#bodies.root,
      this.#surfaces.root,
      this.#grains.root,
      this.#springs.root,
      this.#trails.root,
      this.#lights.root,
    ];
  }

  #scenery(): readonly { dispose(): void }[] {
    return [this.#bodies, this.#surfaces, this.#grains, this.#ground, this.#springs, this.#trails, this.#lights];
  }

  /** The eye where it was in the world, though lengths and origin of the stage may be others. */
  #keepEye(eye: string, had: { readonly origin: Vec3; readonly scale: number }): void {
    const { origin, scale } = this.#placement;
    const factor = scale / had.scale;
    if (factor === 1 && origin.every((x, k) => x === had.origin[k])) return;
    const { controls } = this.view;
    this.view.eye = eye;
    const place = (p: { x: number; y: number; z: number }): Vec3 => [
      factor * p.x + scale * (had.origin[0] - origin[0]),
      factor * p.y + scale * (had.origin[1] - origin[1]),
      factor * p.z + scale * (had.origin[2] - origin[2]),
    ];
    const from = place(controls.getPosition(new Vector3(), true));
    const to = place(controls.getTarget(new Vector3(), true));
    void controls.setLookAt(...from, ...to, false);
    if (this.view.parallel) void controls.zoomTo(this.view.parallelCamera.zoom / factor, false);
    this.view.advance(1e-4);
  }

  // —— what is shown ——

  /** Places the bodies; velocities serve the colour of speed. */
  show(frame: Frame): void {
    this.#placement.set(frame.poses, frame.velocities);
    this.#trails.collect(frame.time);
    if (this.#followed) {
      const { body, at } = this.#followed;
      const now = this.#bodyMiddle(body);
      const { scale } = this.#placement;
      this.view.shift([scale * (now[0] - at[0]), scale * (now[1] - at[1]), scale * (now[2] - at[2])]);
      this.#followed = { body, at: now };
    }
    this.#colours.extend();
    this.#moved = true;
  }

  showSurfaces(frames: readonly SurfaceFrame[]): void {
    this.#surfaces.show(frames);
    this.#moved = true;
  }

  /** Values that surfaces have in the whole run, by quantity: their colours then mean the same at every instant. */
  setSurfaceRanges(ranges: Readonly<Record<string, readonly [low: number, high: number]>>): void {
    this.#surfaces.expect(ranges);
    this.#moved = true;
  }

  showGrains(frame: GrainFrame): void {
    this.#grains.show(frame);
    this.#moved = true;
  }

  setBody(body: number, looks: BodyLooks): void {
    this.#bodies.setBody(body, looks);
    this.#surfaces.setLooks((one) => this.#bodies.looksOf(one));
    this.#moved = true;
  }

  /** Shows these bodies and no others; undefined shows all again. */
  isolate(bodies: readonly number[] | undefined): void {
    this.#bodies.isolate(bodies);
    this.#surfaces.setLooks((one) => this.#bodies.looksOf(one));
    this.#moved = true;
  }

  setColouring(colouring: Colouring): void {
    this.#colours.set(colouring);
    this.#moved = true;
  }

  /** What the colours mean; undefined where they mean nothing. */
  legend(): Legend | undefined {
    return this.#colours.legend();
  }

  setDecor(decor: Decor): void {
    if (decor.grid !== undefined) this.#grid = decor.grid;
    if (decor.springs !== undefined) this.#springs.root.visible = decor.springs;
    if (decor.tones !== undefined) this.#materials.tones.value = decor.tones ? 1 : 0;
    if (decor.trails !== undefined) this.#trails.follow(decor.trails);
    if (decor.frames !== undefined) this.#frames = this.#glyphs(this.#frames, decor.frames, Glyphs.frames);
    if (decor.jointAxes !== undefined) this.#joints = this.#glyphs(this.#joints, decor.jointAxes, Glyphs.joints);
    if (decor.motors !== undefined) this.#motors = this.#glyphs(this.#motors, decor.motors, Glyphs.motors);
    if (decor.shadows !== undefined) {
      this.#shadows = decor.shadows;
      this.#applyShadows();
    }
    this.#moved = true;
  }

  /** A line through positions, 3 each, world, m; undefined takes it away. */
  setTrail(name: string, positions: Float64Array | undefined, colour?: Rgb): void {
    this.#trails.set(name, positions, colour);
    this.#changed = true;
  }

  setTheme(dark: boolean): void {
    this.#isDark = dark;
    const theme = dark ? DARK : LIGHT;
    for (const part of [this.#backdrop, this.#ground, this.#lights, this.#outline, this.#materials])
      part.setTheme(theme);
    this.#moved = true;
  }

  /** To be called by whoever changed the overlay. */
  redraw(): void {
    this.#changed = true;
  }

  // —— the eye ——

  /** Brings everything visible, or one body, into the picture. */
  fit(body?: number, moving = true): void {
    const clouds =
      body === undefined
        ? drawnPoints(this.#scene, this.#placement, this.#bodies, this.#surfaces, this.#grains)
        : [this.#bodies.outermost(body), ...this.#surfaces.points(body)];
    const points = new Float64Array(clouds.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const cloud of clouds) {
      points.set(cloud, at);
      at += cloud.length;
    }
    this.fitPoints(this.#isOnePlace(points) ? this.#around(points) : points, moving);
  }

  #isOnePlace(points: Float64Array): boolean {
    return points.length > 0 && points.every((x, i) => x === points[i % 3]);
  }

  /** A floor and nothing on it: room for what is to come, not a place of no size. */
  #around(points: Float64Array): Float64Array {
    const reach = EMPTY * this.#size;
    return Float64Array.from([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0, 0, 0, 1], (x, i) => points[i % 3] + reach * x);
  }

  /**
   * Brings all that bodies do in these frames into the picture; where one of them goes far away, what is there at the start.
   *
   * @param frames some moments of the motion, as they come
   */
  fitMotion(frames: readonly Frame[], moving = true): void {
    const { poses, velocities } = this.#placement;
    const now = [poses.slice(), velocities.slice()] as const;
    const clouds = frames.flatMap((frame) => {
      this.#placement.set(frame.poses, frame.velocities);
      return [this.#bodies.outermost()];
    });
    this.#placement.set(...now);
    const all = new Float64Array(clouds.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const cloud of clouds) {
      all.set(cloud, at);
      at += cloud.length;
    }
    const isNear = all.length > 0 && ballAround([all]).radius < LOST * this.#size && all.every(Number.isFinite);
    if (isNear) this.fitPoints(all, moving);
    else this.fit(undefined, moving);
  }

  /** Brings points into the picture, 3 each, world, m. */
  fitPoints(points: Float64Array, moving = true): void {
    const { origin, scale } = this.#placement;
    this.view.fit(
      points.map((x, i) => scale * (x - origin[i % 3])),
      moving,
    );
    this.#changed = true;
  }

  standardView(view: StandardView, moving = true): void {
    this.view.standard(view, moving);
    this.#changed = true;
  }

  /** The eye moves along with a body; undefined lets it stay where it is. */
  follow(body: number | undefined): void {
    this.#followed = body === undefined ? undefined : { body, at: this.#bodyMiddle(body) };
  }

  get parallel(): boolean {
    return this.view.parallel;
  }
  /** Parallel projection instead of perspective. */
  set parallel(on: boolean) {
    this.view.advance(1e-4);
    this.view.setParallel(on);
    this.#changed = true;
  }

  // —— places ——

  /** World m to CSS px in the canvas. */
  project(point: Vec3): { x: number; y: number; inFront: boolean } {
    this.#updateCamera();
    const { origin, scale } = this.#placement;
    return this.view.project([
      scale * (point[0] - origin[0]),
      scale * (point[1] - origin[1]),
      scale * (point[2] - origin[2]),
    ]);
  }

  /** The world points seen at a place of the canvas, CSS px: from an origin in m along a unit vector */
  ray(x: number, y: number): { origin: Vec3; direction: Vec3 } {
    this.#updateCamera();
    const { origin, direction } = this.view.ray(x, y);
    const { origin: zero, scale } = this.#placement;
    return {
      origin: [origin[0] / scale + zero[0], origin[1] / scale + zero[1], origin[2] / scale + zero[2]],
      direction,
    };
  }

  /** What is seen at a place of the canvas, CSS px. */
  pick(x: number, y: number): Pick | undefined {
    const { origin, direction } = this.ray(x, y);
    return this.#picker.pick(origin, direction);
  }

  /** A round length and the pixels it takes at the depth of what is looked at. */
  scaleBar(longest = 140): { length: number; pixels: number } {
    this.#updateCamera();
    const perPixel = this.#metresPerPixel();
    const length = roundLength(longest * perPixel);
    return { length, pixels: length / perPixel };
  }

  // —— drawing ——

  /** @returns whether the size is another: a canvas that is given its own again would be emptied, at the cost of a new one */
  resize(width: number, height: number, pixelRatio: number): boolean {
    const size = `${width} ${height} ${pixelRatio}`;
    if (size === this.#canvasSize) return false;
    this.#canvasSize = size;
    this.view.resize(Math.max(1, width), Math.max(1, height));
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(Math.max(1, width), Math.max(1, height), false);
    const buffer = this.renderer.getDrawingBufferSize(new Vector2());
    this.#outline.resize(buffer.x, buffer.y, pixelRatio);
    this.#trails.resize(width, height);
    this.#changed = true;
    return true;
  }

  /** Draws if something has changed since. @returns whether it drew */
  render(): boolean {
    const now = performance.now();
    // After a pause in which nobody called, motion goes on where it was
    const seconds = Math.min(0.1, Math.max(1e-4, (now - this.#lastRender) / 1000));
    this.#lastRender = now;
    const turned = this.view.advance(seconds);
    if (this.#lost || !(this.#changed || this.#moved || turned)) return false;
    this.#draw(turned);
    return true;
  }

  /** A picture of the view as it is. */
  toPng(): Promise<Blob> {
    this.#updateCamera();
    this.#draw(true);
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the canvas gave no picture'))),
        'image/png',
      );
    });
  }

  /** `drawn` after each drawing (labels move along), `lost` and `restored` with the graphics card. @returns the way to stop */
  on(event: StageEvent, listener: () => void): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#stopKeys?.();
    for (const part of [this.#frames, this.#joints, this.#motors]) part?.dispose();
    for (const part of [...this.#scenery(), this.#backdrop, this.#outline, this.#materials, this.view, this.renderer])
      part.dispose();
    // A browser has few contexts to give; that of a canvas that is gone is given back at once
    if (!this.canvas.isConnected) this.renderer.forceContextLoss();
  }

  #draw(turned: boolean): void {
    const { view, renderer } = this;
    const placement = this.#placement;
    this.#keepNear();
    if (this.#moved) {
      this.#bounds = drawnBall(placement, this.#bodies, this.#surfaces, this.#grains);
      this.#colours.send(this.#scene.up, placement.origin);
    }

    // Ground around what is looked at
    const spacing = roundLength(80 * this.#metresPerPixel());
    const reach = Math.max(5, 7 * view.halfHeight());
    this.#ground.grid = this.#grid;
    this.#ground.setLooks(
      (body) => this.#bodies.isVisible(body),
      (body) => this.#bodies.looksOf(body).transparent,
    );
    this.#ground.update(view.target, reach, spacing);

    const { centre, radius } = this.#bounds;
    // A parallel view spreads its depths evenly: a body that got lost must not take them all
    const deep = Math.max(distance(centre, view.target) + radius, reach);
    view.setDepths(view.target, view.parallel ? Math.min(deep, 60 * Math.max(1, view.halfHeight())) : deep);
    const sight = view.sight();
    this.#materials.setPixels(sight.pixels);
    if (this.#moved || (turned && this.#bodies.levelled)) this.#bodies.write(sight);
    if (this.#moved) {
      this.#springs.write();
      const isVisible = (body: number): boolean => this.#bodies.isVisible(body);
      this.#frames?.write(isVisible);
      this.#joints?.write(isVisible);
      this.#motors?.write(isVisible);
      // Likewise shadows: if the bodies are all over the place, those near what is looked at have one
      if (radius > WIDE) this.#lights.aim(view.target, WIDE);
      else this.#lights.aim(centre, shadowRadius(radius));
      renderer.shadowMap.needsUpdate = true;
    }
    this.#lights.followCamera(view.camera);
    renderer.render(this.#three, view.camera);
    if (this.#bodies.hasSelection) this.#outline.draw(renderer, this.#three, view.camera);
    this.#changed = this.#moved = false;
    this.#tell('drawn');
  }

  /** Keeps numbers on the card small: the origin follows what is looked at. */
  #keepNear(): void {
    const { view } = this;
    const placement = this.#placement;
    const { target } = view;
    const away = Math.sqrt(target[0] ** 2 + target[1] ** 2 + target[2] ** 2);
    if (away < FAR_AWAY * view.halfHeight() || away < 1e-12) return;
    const { origin, scale } = placement;
    this.#setOrigin([origin[0] + target[0] / scale, origin[1] + target[1] / scale, origin[2] + target[2] / scale]);
    view.shift([-target[0], -target[1], -target[2]]);
    view.advance(1e-4);
  }

  #setOrigin(origin: Vec3): void {
    const { overlay } = this;
    const placement = this.#placement;
    const { scale } = placement;
    placement.origin = origin;
    overlay.scale.setScalar(scale);
    overlay.position.set(-scale * origin[0], -scale * origin[1], -scale * origin[2]);
    this.#surfaces.place();
    this.#grains.place();
    this.#trails.place();
    this.#moved = true;
  }

  /** Camera matrices as the next drawing will have them. */
  #updateCamera(): void {
    if (this.view.advance(1e-4)) this.#changed = true;
  }

  #metresPerPixel(): number {
    return (2 * this.view.halfHeight()) / this.view.height / this.#placement.scale;
  }

  #applyShadows(): void {
    const on = this.#shadows ?? this.#bodies.instanceCount <= MANY_PARTS;
    this.renderer.shadowMap.enabled = on;
    this.#lights.setShadows(on);
    this.#bodies.setShadows(on);
    this.#surfaces.castShadow = on;
    this.#grains.castShadow = on;
    this.#moved = true;
  }

  #glyphs(had: Glyphs | undefined, wanted: boolean, make: typeof Glyphs.frames): Glyphs | undefined {
    if (!wanted || had) {
      if (had) had.root.visible = wanted;
      return had;
    }
    const glyphs = make(this.#scene, this.#placement, (body) => this.#bodyRadius(body), this.size);
    this.#three.add(glyphs.root);
    return glyphs;
  }

  #bodyRadius(body: number): number {
    let radius = 0;
    for (const { shape } of this.#scene.bodies[body].parts)
      if (this.#scene.shapes[shape].form !== 'halfSpace') radius = Math.max(radius, this.#bodies.extents[shape].radius);
    return radius;
  }

  /** World place of a body's centre of mass. */
  #bodyMiddle(body: number): Vec3 {
    return this.#placement.point(body, this.#scene.bodies[body].centreOfMass);
  }

  #listenToLoss(): void {
    const lose = (event: Event): void => {
      event.preventDefault(); // or it would never come back
      this.#lost = true;
      this.#forget();
      this.#tell('lost');
    };
    const restore = (): void => {
      this.#lost = false;
      this.#moved = true;
      this.#tell('restored');
    };
    this.canvas.addEventListener('webglcontextlost', lose);
    this.canvas.addEventListener('webglcontextrestored', restore);
    this.#stops.push(
      () => this.canvas.removeEventListener('webglcontextlost', lose),
      () => this.canvas.removeEventListener('webglcontextrestored', restore),
    );
  }

  /** Lets go of everything on the card; what is still wanted is sent again when it is next drawn. */
  #forget(): void {
    this.#three.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof LineSegments)) return;
      object.geometry.dispose();
      if (object instanceof InstancedMesh) object.dispose();
      for (const material of [object.material].flat()) material.dispose();
    });
    for (const part of [this.#materials, this.#lights, this.#outline]) part.dispose();
  }

  #tell(event: StageEvent): void {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }
}

/** In steps, so that the shadow map does not swim while bodies move. */
const shadowRadius = (radius: number): number => 2 ** (Math.ceil(4 * Math.log2(radius)) / 4);
