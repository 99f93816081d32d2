/** How each body is drawn: seen or hidden, alone, transparent, as wires, picked. The stage and all panels follow it. */
import type { Stage } from './stage.js';

export type Look = 'hidden' | 'transparent' | 'wireframe';

/** In which bodies step back for a while */
export type TemporaryLook = 'transparent' | 'wireframe';

export class BodyLooks {
  readonly count: number;
  readonly #stage: Pick<Stage, 'setBody' | 'isolate'>;
  readonly #hidden: Uint8Array;
  readonly #transparent: Uint8Array;
  readonly #wireframe: Uint8Array;
  readonly #listeners = new Set<() => void>();
  #picked: number | undefined;
  #alone: readonly number[] | undefined;
  /** What a panel has put over some bodies, beside what each is told to look like */
  #temporary: { readonly look: TemporaryLook; readonly bodies: ReadonlySet<number> } | undefined;

  constructor(count: number, stage: Pick<Stage, 'setBody' | 'isolate'>) {
    this.count = count;
    this.#stage = stage;
    this.#hidden = new Uint8Array(count);
    this.#transparent = new Uint8Array(count);
    this.#wireframe = new Uint8Array(count);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  get picked(): number | undefined {
    return this.#picked;
  }

  pick(body: number | undefined): void {
    if (body === this.#picked) return;
    if (this.#picked !== undefined) this.#stage.setBody(this.#picked, { selected: false });
    this.#picked = body;
    if (body !== undefined) this.#stage.setBody(body, { selected: true });
    this.#tell();
  }

  has(look: Look, body: number): boolean {
    return this.#marks(look)[body] === 1;
  }

  /** True if all of them look so. */
  all(look: Look, bodies: readonly number[]): boolean {
    return bodies.every((body) => this.has(look, body));
  }

  set(look: Look, bodies: readonly number[], on: boolean): void {
    const marks = this.#marks(look);
    for (const body of bodies) {
      marks[body] = on ? 1 : 0;
      this.#stage.setBody(body, look === 'hidden' ? { visible: !on } : { [look]: on || this.#isTemporary(look, body) });
    }
    this.#tell();
  }

  /** These bodies are drawn so too until the next call, whatever they are told; then each looks again as it was told. */
  setTemporary(look: TemporaryLook | undefined, bodies: Iterable<number> = []): void {
    const before = this.#temporary;
    this.#temporary = look && { look, bodies: new Set(bodies) };
    for (const body of before?.bodies ?? [])
      if (!this.#isTemporary(before!.look, body))
        this.#stage.setBody(body, { [before!.look]: this.has(before!.look, body) });
    for (const body of this.#temporary?.bodies ?? []) this.#stage.setBody(body, { [this.#temporary!.look]: true });
  }

  #isTemporary(look: Look, body: number): boolean {
    return this.#temporary?.look === look && this.#temporary.bodies.has(body);
  }

  toggle(look: Look, bodies: readonly number[]): void {
    this.set(look, bodies, !this.all(look, bodies));
  }

  /** Those that are shown alone, if any. */
  get alone(): readonly number[] | undefined {
    return this.#alone;
  }

  isolate(bodies: readonly number[] | undefined): void {
    this.#alone = bodies;
    this.#stage.isolate(bodies);
    this.#tell();
  }

  isAlone(bodies: readonly number[]): boolean {
    const alone = this.#alone;
    return alone !== undefined && alone.length === bodies.length && bodies.every((body, i) => alone[i] === body);
  }

  /** True if a body is neither hidden nor outside of what is shown alone. */
  isSeen(body: number): boolean {
    return this.#hidden[body] === 0 && (this.#alone === undefined || this.#alone.includes(body));
  }

  reset(): void {
    const changed = (marks: Uint8Array, look: Look): void => {
      const bodies = [...marks.keys()].filter((body) => marks[body] === 1);
      if (bodies.length > 0) this.set(look, bodies, false);
    };
    changed(this.#hidden, 'hidden');
    changed(this.#transparent, 'transparent');
    changed(this.#wireframe, 'wireframe');
    this.isolate(undefined);
  }

  get changed(): boolean {
    const some = (marks: Uint8Array): boolean => marks.includes(1);
    return some(this.#hidden) || some(this.#transparent) || some(this.#wireframe) || this.#alone !== undefined;
  }

  /** Something beside the looks has changed that is shown with them. */
  touch(): void {
    this.#tell();
  }

  #marks(look: Look): Uint8Array {
    return look === 'hidden' ? this.#hidden : look === 'transparent' ? this.#transparent : this.#wireframe;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
