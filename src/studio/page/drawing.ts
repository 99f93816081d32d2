/** What is on the stage: the model as it is drawn, or a run. One canvas and stage for all; the eye stays where it is while bodies change. */

import type { Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { element } from '../../viewer/controls/element.js';
import type { Messages } from '../../viewer/page/messages.js';
import { Session } from '../../viewer/page/session.js';
import type { Settings } from '../../viewer/page/settings-panel.js';
import { modelPlayback } from '../../viewer/playback/model-playback.js';
import type { Playback } from '../../viewer/playback/playback.js';
import { DisplayError } from '../../viewer/stage/display.js';
import { Stage } from '../../viewer/stage/stage.js';
import { Store } from '../document/store.js';
import type { StudioLayout } from './layout.js';

const CLICK = 5; // px
const LONG_PRESS = 450; // ms

export class Drawing {
  readonly session = new Store<Session | undefined>(undefined);
  #stage: { readonly stage: Stage; readonly canvas: HTMLCanvasElement } | undefined;
  #isRefused = false;
  /** Clicked: a body by its name, or nothing */
  onPick: (body: string | undefined, more: boolean) => void = () => undefined;
  picks = true;
  isAimed: () => boolean = () => false;

  constructor(
    private readonly layout: StudioLayout,
    private readonly messages: Messages,
    private readonly settings: Settings,
    private readonly isDark: () => boolean,
  ) {}

  get stage(): Stage | undefined {
    return this.#stage?.stage;
  }
  get canvas(): HTMLCanvasElement | undefined {
    return this.#stage?.canvas;
  }

  /** @param isFresh another document: the eye goes to it */
  showScene(scene: Scene, isFresh: boolean): void {
    this.show(modelPlayback(scene), isFresh);
  }

  show(playback: Playback, isFresh: boolean): Session | undefined {
    if (this.#isRefused) return undefined;
    const had = this.session.value;
    const kept = isFresh ? undefined : had?.kept();
    try {
      had?.dispose();
      this.#stage ??= this.#open(playback.scene);
      const session = new Session(playback, this.layout, this.messages, this.settings, {
        dark: this.isDark(),
        stage: this.#stage,
        picks: false,
        fits: isFresh && playback.state !== 'model',
      });
      session.onSettings = (what) => what === 'theme' && this.onTheme();
      const { plots } = playback.scene;
      if (kept) session.restore({ ...kept, eye: undefined, picked: undefined, time: 0 });
      else if (playback.state !== 'model')
        for (const [i, lines] of Object.values(plots).slice(0, 2).entries())
          for (const line of [lines].flat()) void session.plots.add(line, i).catch(() => undefined);
      this.session.set(session);
      if (isFresh) this.#stage.stage.fit(undefined, false);
      (window as unknown as { tippetop: object }).tippetop = Object.assign(
        (window as unknown as { tippetop?: object }).tippetop ?? {},
        {
          session,
          player: session.player,
          stage: session.stage,
          plots: session.plots,
        },
      );
      return session;
    } catch (error) {
      this.session.set(undefined);
      if (!(error instanceof DisplayError)) throw error;
      this.#isRefused = true;
      this.messages.failed(
        'This browser draws no 3D',
        'The view needs WebGL 2, which is switched off or missing here. Parameters, code, sketches and files work; another browser, or hardware acceleration switched on, shows the scene.',
      );
      return undefined;
    }
  }

  /** Whether all these points, world, m, are within the picture */
  sees(points: readonly Vec3[]): boolean {
    const { stage, canvas } = this;
    if (!stage || !canvas) return true;
    return points.every((point) => {
      const { x, y, inFront } = stage.project(point);
      return inFront && x >= 0 && y >= 0 && x <= canvas.clientWidth && y <= canvas.clientHeight;
    });
  }

  onTheme: () => void = () => undefined;

  #open(scene: Scene): { readonly stage: Stage; readonly canvas: HTMLCanvasElement } {
    const canvas = element('canvas', { class: 'viewer-canvas', role: 'img', tabindex: 0 });
    this.layout.view.prepend(canvas);
    try {
      const stage = new Stage(canvas, scene, { dark: this.isDark() });
      this.#listen(canvas, stage);
      return { stage, canvas };
    } catch (error) {
      canvas.remove();
      throw error;
    }
  }

  #listen(canvas: HTMLCanvasElement, stage: Stage): void {
    let down: { readonly x: number; readonly y: number; readonly time: number } | undefined;
    canvas.addEventListener('pointerdown', (event) => {
      const { clientX: x, clientY: y, timeStamp: time } = event;
      down = event.isPrimary && event.button === 0 ? { x, y, time } : undefined;
    });
    canvas.addEventListener('pointerup', (event) => {
      const near = event.pointerType === 'touch' ? 2 * CLICK : CLICK;
      if (!this.picks || this.isAimed() || !down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > near)
        return;
      const box = canvas.getBoundingClientRect();
      const picked = stage.pick(event.clientX - box.left, event.clientY - box.top);
      // A finger has no Shift: held for a moment it takes one part more
      const isLong = event.pointerType === 'touch' && event.timeStamp - down.time > LONG_PRESS;
      const more = isLong || event.shiftKey || event.ctrlKey || event.metaKey;
      this.onPick(picked && stage.scene.bodies[picked.body]?.name, more);
    });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', () => this.session.value?.fit());
  }

  /** Bodies of these elements are marked; the last is the one that panels tell of. */
  mark(names: readonly string[]): void {
    const session = this.session.value;
    if (!session) return;
    const wanted = new Set(names);
    const isOf = (body: string): boolean => wanted.has(body) || wanted.has(body.split('[', 1)[0]);
    const { bodies } = session.playback.scene;
    session.looks.pick(undefined);
    const last = names.at(-1);
    const main =
      last === undefined ? -1 : bodies.findIndex(({ name }) => name === last || name.split('[', 1)[0] === last);
    if (main >= 0) session.looks.pick(main);
    bodies.forEach(({ name }, i) => {
      if (i !== main) session.stage.setBody(i, { selected: isOf(name) });
    });
    session.stage.redraw();
  }
}
