/** The hand in the view: takes hold of the part under the pointer, pulls it on the plane through that point parallel to the screen, and shows with what force. */
import { quantity } from '../../math/quantity.js';
import { add, dot, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';
import { element } from '../../viewer/controls/element.js';
import type { RunDesk } from '../run/desk.js';
import type { Pull } from '../run/messages.js';

const SVG = 'http://www.w3.org/2000/svg';

interface Held {
  /** Of the pointer that holds it */
  readonly pointer: PointerEvent;
  readonly grip: number;
  readonly body: string;
  /** m from the eye, along what it looks at */
  readonly depth: number;
}

export class HandView {
  #held: Held | undefined;
  #grip = 0;
  #at = { x: 0, y: 0 };
  #last: PointerEvent | undefined;
  readonly #touching = new Set<number>();
  readonly #label = element('div', { class: 'studio-ring', hidden: true });
  readonly #lines = document.createElementNS(SVG, 'svg');
  readonly #line = document.createElementNS(SVG, 'line');
  readonly #stops = new AbortController();

  constructor(private readonly desk: RunDesk) {
    const { view } = desk.rooms;
    const { signal } = this.#stops;
    this.#lines.setAttribute('class', 'studio-pull');
    this.#lines.setAttribute('aria-hidden', 'true');
    this.#lines.append(this.#line);
    view.append(this.#lines, this.#label);
    // Before the camera's own listeners: a part under the pointer is pulled, beside it the view turns
    view.addEventListener('pointerdown', (event) => this.#down(event), { capture: true, signal });
    view.addEventListener('pointermove', (event) => this.#move(event), { capture: true, signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      view.addEventListener(
        end,
        ({ pointerId }) => {
          this.#touching.delete(pointerId);
          if (pointerId === this.#held?.pointer.pointerId) this.release();
        },
        { capture: true, signal },
      );
  }

  dispose(): void {
    this.release();
    this.#stops.abort();
    this.#label.remove();
    this.#lines.remove();
  }

  get holds(): string | undefined {
    return this.#held?.body;
  }

  #place(event: PointerEvent): { readonly x: number; readonly y: number } {
    const box = this.desk.drawing.canvas!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event: PointerEvent): void {
    const { desk } = this;
    const { stage, canvas } = desk.drawing;
    if (!event.isTrusted) return; // the one that hands a finger over to the camera
    if (!stage || !canvas || event.target !== canvas || event.button !== 0 || !desk.runs.isGoing) return;
    if (event.pointerType === 'touch' && this.#fingers(event) > 1) {
      this.#handOver(canvas);
      return;
    }
    const { x, y } = this.#place(event);
    const picked = stage.pick(x, y);
    const body = picked && stage.scene.bodies[picked.body];
    if (!picked || !body) return;
    if (body.fixed) {
      desk.messages.passing(`${body.name} is fixed and cannot be moved.`);
      return;
    }
    if (stage.scene.surfaces.some(({ modes }) => modes && (modes.whole ?? modes.frame) === body.name)) {
      desk.messages.passing(
        `${body.name} deforms, and cannot be pulled by hand; pull a rigid body that is joined to it.`,
      );
      return;
    }
    const { origin } = stage.ray(x, y);
    stage.view.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    this.#held = {
      pointer: event,
      grip: this.#grip++,
      body: body.name,
      depth: dot(sub(picked.point, origin), normalize(stage.view.forward() as Vec3)),
    };
    desk.runs.tell({
      kind: 'hand',
      note: { action: 'grab', grip: this.#held.grip, body: body.name, point: picked.point },
    });
    desk.history.selection.set([`bodies.${body.name}`]);
    this.#show(x, y);
    desk.say(`Holding ${body.name}`);
  }

  #move(event: PointerEvent): void {
    const { stage } = this.desk.drawing;
    if (!this.#held || !stage || event.pointerId !== this.#held.pointer.pointerId) return;
    this.#last = event;
    const { x, y } = this.#place(event);
    const { origin, direction } = stage.ray(x, y);
    const forward = normalize(stage.view.forward() as Vec3);
    const point = add(origin, scale(this.#held.depth / Math.max(0.2, dot(direction, forward)), direction));
    this.desk.runs.tell({ kind: 'hand', note: { action: 'move', grip: this.#held.grip, point } });
    this.#show(x, y);
  }

  /** How many are on the view, this one among them */
  #fingers({ pointerId, isPrimary }: PointerEvent): number {
    if (isPrimary) this.#touching.clear();
    this.#touching.add(pointerId);
    return this.#touching.size;
  }

  /** Two fingers move and zoom, on a part too: it is let go, and the camera is told of the finger that held it. */
  #handOver(canvas: HTMLCanvasElement): void {
    const held = this.#held;
    if (!held) return;
    const { clientX, clientY } = this.#last ?? held.pointer;
    this.release();
    const { pointerId, pointerType, isPrimary } = held.pointer;
    const again = { pointerId, pointerType, isPrimary, clientX, clientY, button: 0, buttons: 1, cancelable: true };
    canvas.dispatchEvent(new PointerEvent('pointerdown', again));
  }

  release(): void {
    if (!this.#held) return;
    this.desk.runs.tell({ kind: 'hand', note: { action: 'release', grip: this.#held.grip } });
    this.#held = this.#last = undefined;
    this.#label.hidden = true;
    this.#line.setAttribute('visibility', 'hidden');
    const { stage } = this.desk.drawing;
    if (stage) stage.view.controls.enabled = true;
  }

  /** The ring is drawn at once, where the pointer is; the body follows. */
  #show(x: number, y: number): void {
    this.#at = { x, y };
    this.#label.hidden = false;
    this.#label.style.left = `${x}px`;
    this.#label.style.top = `${y}px`;
    if (this.#label.textContent === '' || !this.#label.textContent?.includes(' N'))
      this.#label.textContent = `hand on ${this.#held?.body}`;
  }

  /** As the rows tell it */
  pulls(pull: Pull | undefined): void {
    const { stage } = this.desk.drawing;
    if (!this.#held || !pull || !stage) return;
    const { x, y } = stage.project(pull.point);
    const line: Readonly<Record<string, number>> = { x1: x, y1: y, x2: this.#at.x, y2: this.#at.y };
    for (const [name, value] of Object.entries(line)) this.#line.setAttribute(name, value.toFixed(1));
    this.#line.setAttribute('visibility', 'visible');
    this.#label.replaceChildren(
      element('strong', {}, `hand on ${this.#held.body}`),
      ` ${quantity(pull.force, 'N', 2)} of at most ${quantity(pull.most, 'N', 2)}`,
    );
  }
}
