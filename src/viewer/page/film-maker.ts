/**
 * A film of the view, made by the browser while it plays: WebM with whatever it can write (VP9, VP8, H.264). From where the player stands to the end, at its speed; pictures
 * are drawn as on the screen, contact arrows included.
 */
import type { Player } from '../playback/player.js';
import type { Stage } from '../stage/stage.js';

const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
const RATE = 30; // pictures a second
const BITS = 8_000_000; // a second
/** ms that the last picture stands */
const LAST = 600;

export class FilmMaker {
  #recorder: MediaRecorder | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly player: Player,
    private readonly stage: Stage,
  ) {}

  get isMaking(): boolean {
    return this.#recorder !== undefined;
  }

  /** Plays to the end and gives the film; `stop` ends it earlier. @throws Error where the browser makes none */
  async make(): Promise<{ readonly film: Blob; readonly ending: string }> {
    const type = KINDS.find((kind) => globalThis.MediaRecorder?.isTypeSupported(kind));
    if (type === undefined) throw new Error('This browser makes no films; “tippetop render --film” does.');
    const { player, canvas, stage } = this;
    const stream = canvas.captureStream(RATE);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
    this.#recorder = recorder;
    const pieces: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()));
    const { loop } = player;
    player.loop = false;
    const { times } = player.playback;
    const end = times[times.length - 1];
    if (player.time >= end) player.time = times[0];
    await player.settled();
    stage.redraw();
    recorder.start();
    const stop = player.on('state', () => {
      if (!player.playing) setTimeout(() => this.stop(), LAST);
    });
    // a picture is taken when something was drawn: so all the time, also while the last one stands
    const draw = (): void => {
      if (!this.isMaking) return;
      stage.redraw();
      requestAnimationFrame(draw);
    };
    draw();
    player.playing = true;
    await ended;
    stop();
    player.playing = false;
    player.loop = loop;
    for (const track of stream.getTracks()) track.stop();
    this.#recorder = undefined;
    return { film: new Blob(pieces, { type }), ending: type.startsWith('video/mp4') ? 'mp4' : 'webm' };
  }

  stop(): void {
    if (this.#recorder?.state === 'recording') this.#recorder.stop();
  }
}
