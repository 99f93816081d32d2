/**
 * Joints by pointing: a circle or face of one part, then one of another, or the floor. Two circles: the first part moves onto the second, and the hinge has their axis; two
 * holes: it lies against the face that was pointed at, so that links of a chain are in layers. A face and a circle: a hinge about the circle. Faces alone: the part slides along
 * the normal of its own.
 */
import { quantity } from '../../math/quantity.js';
import { element } from '../../viewer/controls/element.js';
import { elementsOf, freeName, isRecord, type Vector } from '../commands/elements.js';
import { move, poseOf, tidy } from '../commands/move.js';
import { place } from '../commands/place.js';
import { sceneModel } from '../document/document.js';
import type { RunDesk } from '../run/desk.js';
import { beside, featuresOfBody, meant, onto, placed, rim } from './aim.js';
import type { Feature } from './features.js';

const SVG = 'http://www.w3.org/2000/svg';
const CLICK = 5; // px

interface Aimed {
  readonly body: string;
  readonly fixed: boolean;
  /** In the body's frame; undefined: none is there */
  readonly feature: Feature | undefined;
  /** All that the body has */
  readonly all: readonly Feature[];
}

export class JointTool {
  #first: Aimed | undefined;
  #down: { readonly x: number; readonly y: number } | undefined;
  readonly #stops = new AbortController();
  readonly #lines = document.createElementNS(SVG, 'svg');
  readonly #path = document.createElementNS(SVG, 'path');
  readonly #label = element('div', { class: 'studio-aim', hidden: true });

  constructor(
    private readonly desk: RunDesk,
    private readonly done: () => void,
  ) {
    const { view } = desk.rooms;
    const { signal } = this.#stops;
    this.#lines.setAttribute('class', 'studio-pull');
    this.#lines.setAttribute('aria-hidden', 'true');
    this.#lines.append(this.#path);
    view.append(this.#lines, this.#label);
    view.addEventListener('pointermove', (event) => this.#move(event), { signal });
    view.addEventListener('pointerdown', (event) => (this.#down = { x: event.clientX, y: event.clientY }), { signal });
    view.addEventListener('pointerup', (event) => this.#up(event), { signal });
    desk.hint('Point at a circle or face of a part and click · then at the other part or the floor · `Esc`');
  }

  dispose(): void {
    this.#stops.abort();
    this.#lines.remove();
    this.#label.remove();
  }

  #aim(event: PointerEvent): Aimed | undefined {
    const { stage, canvas } = this.desk.drawing;
    if (!stage || !canvas || event.target !== canvas) return undefined;
    const box = canvas.getBoundingClientRect();
    const picked = stage.pick(event.clientX - box.left, event.clientY - box.top);
    if (!picked) return undefined;
    const { name, fixed } = stage.scene.bodies[picked.body];
    const pose = this.#pose(name);
    const found = featuresOfBody(stage.scene, picked.body);
    const world = found.map((feature) => (pose ? placed(feature, pose) : feature));
    const aimed = meant(world, picked.point, picked.normal);
    return { body: name, fixed, feature: aimed && found[world.indexOf(aimed)], all: found };
  }

  #pose(body: string): ReturnType<typeof poseOf> | undefined {
    const model = sceneModel(this.desk.history.document.value);
    const own = model && elementsOf(model, 'bodies')[body];
    return isRecord(own) ? poseOf(own) : undefined;
  }

  #move(event: PointerEvent): void {
    const aimed = this.#aim(event);
    const pose = aimed && this.#pose(aimed.body);
    this.#path.setAttribute('d', '');
    this.#label.hidden = !aimed;
    if (!aimed) return;
    const { feature } = aimed;
    const what = feature
      ? feature.kind === 'circle'
        ? `circle, Ø ${quantity(2 * feature.radius, 'm', 3)}`
        : 'flat face'
      : aimed.fixed
        ? `${aimed.body}, which is fixed`
        : `${aimed.body}: no circle or face here`;
    const does = !this.#first
      ? feature && !aimed.fixed
        ? ': click to begin a joint here'
        : ''
      : aimed.fixed
        ? ': click for a joint to the ground'
        : `: click for a joint to ${aimed.body}`;
    this.#label.textContent = what + does;
    const box = this.desk.rooms.view.getBoundingClientRect();
    this.#label.style.left = `${event.clientX - box.left}px`;
    this.#label.style.top = `${event.clientY - box.top}px`;
    const { stage } = this.desk.drawing;
    if (!feature || !pose || !stage || feature.kind !== 'circle') return;
    const points = rim(placed(feature, pose)).map((point) => stage.project(point));
    this.#path.setAttribute('d', `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`);
  }

  #up(event: PointerEvent): void {
    const down = this.#down;
    this.#down = undefined;
    if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK) return;
    const aimed = this.#aim(event);
    if (!aimed) return;
    if (this.#first) this.#join(this.#first, aimed);
    else if (aimed.fixed) this.desk.messages.passing(`${aimed.body} is fixed; begin with the part that is to move.`);
    else if (!aimed.feature) this.desk.messages.passing('There is no circle or flat face at this place.');
    else {
      this.#first = aimed;
      this.desk.hint('Now the circle or face of the other part, or the floor for the ground · `Esc`');
      this.desk.say(`${aimed.feature.kind} of ${aimed.body}; now the other part`);
    }
  }

  #join({ body, feature, all }: Aimed, other: Aimed): void {
    const { desk } = this;
    const model = sceneModel(desk.history.document.value);
    const pose = this.#pose(body);
    const there = this.#pose(other.body);
    if (!model || !pose || !feature || other.body === body) return;
    const round = there && other.feature?.kind === 'circle' ? placed(other.feature, there) : undefined;
    const isHinge = feature.kind === 'circle' || round !== undefined;
    const moves = feature.kind === 'circle' && round && !other.fixed;
    const layered = moves ? beside(pose, all, feature, round) : undefined;
    const now = layered ?? (moves ? onto(pose, feature, round) : pose);
    // A face of one and a circle of the other: the hinge is where the circle is
    const { at, axis } = feature.kind === 'circle' || !round ? placed(feature, now) : round;
    const name = freeName(model, 'joints', `${body}${isHinge ? 'Axis' : 'Slide'}`);
    const value = {
      kind: isHinge ? 'revolute' : 'prismatic',
      body,
      ...(!other.fixed && { to: other.body }),
      at: at.map(tidy) as unknown as Vector,
      axis: axis.map(tidy) as unknown as Vector,
    };
    // Both are taken back as one
    const gesture = `join ${name}`;
    if (moves) desk.do(move, { poses: { [body]: now } }, { gesture });
    desk.do(place, { elements: [{ group: 'joints', name, value }] }, { select: [`joints.${name}`], gesture });
    desk.history.endGesture();
    if (layered) desk.say(`${body} lies against ${other.body}, hole on hole`);
    this.done();
  }
}
