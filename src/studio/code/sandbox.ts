/**
 * Runs the user's programs where they can do nothing else: a frame without origin, network and storage (sandbox.html), a worker inside. It looks like a worker to who uses it; ending it takes the
 * frame away, and with it an endless loop.
 */
import { element } from '../../viewer/controls/element.js';
import type { Answer, Request } from '../run/messages.js';
import type { WorkerLike } from '../run/work.js';
import { lineAt, strip } from './strip.js';

/** ms until a frame that says nothing counts as broken */
const PATIENCE = 60_000;

let library: Promise<string> | undefined;
const libraryText = (): Promise<string> =>
  (library ??= fetch('sandbox-library.js').then((answer) => {
    if (!answer.ok) throw new Error(`sandbox-library.js cannot be loaded: the server says ${answer.status}`);
    return answer.text();
  }));

export class SandboxWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<Answer>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #frame = element('iframe', {
    sandbox: 'allow-scripts',
    src: 'sandbox.html',
    hidden: true,
    title: 'Sandbox',
    'aria-hidden': 'true',
  });
  readonly #port: Promise<MessagePort>;
  #last: Promise<void> = Promise.resolve();
  /** Of the last question */
  #number = -1;
  readonly #stops = new AbortController();

  constructor() {
    this.#port = this.#open();
    this.#port.catch((error: Error) => this.#fail(this.#number, 'sandbox', error.message));
    document.body.append(this.#frame);
  }

  async #open(): Promise<MessagePort> {
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error('the sandbox did not start; this browser shows programs and does not run them')),
        PATIENCE,
      );
      window.addEventListener(
        'message',
        ({ source, data }: MessageEvent<{ readonly ready?: boolean; readonly broken?: string }>) => {
          if (source !== this.#frame.contentWindow) return;
          clearTimeout(late);
          if (data.ready) resolve();
          else if (typeof data.broken === 'string') {
            const error = new Error(`the sandbox did not start: ${data.broken}`);
            reject(error);
            this.#fail(this.#number, 'sandbox', error.message);
          }
        },
        { signal: this.#stops.signal },
      );
    });
    const [text] = await Promise.all([libraryText(), ready]);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event: MessageEvent<Answer>) => this.onmessage?.(event);
    this.#frame.contentWindow?.postMessage({ library: text, port: port2 }, '*', [port2]);
    return port1;
  }

  /** In the order given; a program goes without its types. */
  postMessage(request: Request): void {
    if ('number' in request) this.#number = request.number;
    this.#last = this.#last.then(async () => {
      const port = await this.#port;
      if (!('source' in request) || request.source.kind !== 'code') {
        port.postMessage(request);
        return;
      }
      const { text } = request.source;
      const { script, mistakes } = await strip(text);
      if (mistakes.length > 0) this.#fail(request.number, `line ${lineAt(text, mistakes[0].from)}`, mistakes[0].text);
      else port.postMessage({ ...request, source: { ...request.source, text: script } });
    });
    this.#last = this.#last.catch((error: Error) => this.#fail(this.#number, 'sandbox', error.message));
  }

  #fail(number: number, path: string, text: string): void {
    this.onmessage?.({ data: { kind: 'failed', number, path, text } } as MessageEvent<Answer>);
  }

  terminate(): void {
    this.#stops.abort();
    this.#frame.remove();
  }
}
