/** The picked body: what it is, where it is and how it moves, at the time that is shown. */

import { decimal, quantity, scaledUnit } from '../../math/quantity.js';
import type { Scene, SceneBody } from '../../results/scene.js';
import { element, iconButton, setPressed } from '../controls/element.js';
import type { Frame } from '../playback/playback.js';
import type { BodyLooks } from '../stage/body-looks.js';

export interface BodyCardActions {
  fit(body: number): void;
  /** True if it is followed from now on. */
  follow(body: number): boolean;
  isFollowed(body: number): boolean;
  /** Draws the path of its centre of mass, or of one of its frames; or no longer. */
  path(body: number, frame?: string): void;
  hasPath(body: number, frame?: string): boolean;
  plot?(body: number): void;
}

const MOST_FRAMES = 24;

export class BodyCard {
  readonly #panel: HTMLElement;
  readonly #bodies: readonly SceneBody[];
  /** Their names */
  readonly #deforming: ReadonlySet<string>;
  readonly #looks: BodyLooks;
  readonly #actions: BodyCardActions;
  readonly #cells = new Map<string, HTMLElement>();
  #buttons:
    | Readonly<Record<'follow' | 'trail' | 'hidden' | 'alone' | 'transparent' | 'wireframe', HTMLButtonElement>>
    | undefined;
  #frameButtons: readonly { readonly frame: string; readonly button: HTMLButtonElement }[] = [];
  #shown: number | undefined;
  #frame: Frame | undefined;

  constructor(panel: HTMLElement, { bodies, surfaces }: Scene, looks: BodyLooks, actions: BodyCardActions) {
    this.#panel = panel;
    this.#bodies = bodies;
    this.#deforming = new Set(surfaces.flatMap(({ modes }) => (modes ? [modes.whole ?? modes.frame] : [])));
    this.#looks = looks;
    this.#actions = actions;
    looks.onChange(() => this.#pick());
    this.#build();
  }

  show(frame: Frame): void {
    this.#frame = frame;
    this.#fill();
  }

  #pick(): void {
    if (this.#looks.picked !== this.#shown) {
      this.#shown = this.#looks.picked;
      this.#build();
    }
    this.#press();
  }

  #build(): void {
    const body = this.#shown;
    this.#cells.clear();
    if (body === undefined) {
      this.#buttons = undefined;
      this.#panel.replaceChildren(
        element(
          'p',
          { class: 'viewer-quiet' },
          'Click a body in the view or in the list to see where it is and how it moves.',
        ),
      );
      return;
    }
    const { name, mass, fixed, parts, frames } = this.#bodies[body];
    const looks = this.#looks;
    const cell = (label: string, text = ''): HTMLElement => {
      const value = element('dd', {}, text);
      this.#cells.set(label, value);
      return element('div', {}, element('dt', {}, label), value);
    };
    this.#buttons = {
      follow: iconButton('follow', 'Follow with the camera', () => this.#followed(body), { toggle: true, key: 'o' }),
      trail: iconButton('trail', 'Draw the path of its centre', () => this.#actions.path(body), {
        toggle: true,
        key: 'y',
      }),
      hidden: iconButton('hidden', 'Hide', () => looks.toggle('hidden', [body]), { toggle: true, key: 'h' }),
      alone: iconButton('isolate', 'Show alone', () => looks.isolate(looks.isAlone([body]) ? undefined : [body]), {
        toggle: true,
        key: 'x',
      }),
      transparent: iconButton('transparent', 'Draw transparent', () => looks.toggle('transparent', [body]), {
        toggle: true,
        key: 't',
      }),
      wireframe: iconButton('wireframe', 'Draw as wires', () => looks.toggle('wireframe', [body]), {
        toggle: true,
        key: 'g',
      }),
    };
    this.#frameButtons = frames.slice(0, MOST_FRAMES).map(({ name: frame }) => ({
      frame,
      button: iconButton('trail', `Draw the path of ${frame}`, () => this.#actions.path(body, frame), {
        text: frame,
        toggle: true,
      }),
    }));
    const { plot } = this.#actions;
    this.#panel.replaceChildren(
      element('h3', { class: 'viewer-body-name' }, name),
      element(
        'div',
        { class: 'viewer-buttons' },
        iconButton('fit', 'Fit the view to it', () => this.#actions.fit(body)),
        ...Object.values(this.#buttons),
        plot && !fixed && iconButton('plots', 'Plot its position', () => plot(body)),
      ),
      element(
        'dl',
        { class: 'viewer-figures' },
        cell('mass', fixed ? 'fixed' : mass > 0 ? quantity(mass, 'kg') : '–'),
        this.#deforming.has(name)
          ? cell('shape', 'a mesh that deforms')
          : parts.length === 0 && cell('shape', 'none: it is not drawn'),
        cell('position'),
        cell('orientation'),
        !fixed && cell('velocity'),
        !fixed && cell('angular velocity'),
      ),
      ...(frames.length > 0 && !fixed
        ? [
            element('h4', {}, 'Paths of its frames'),
            element('div', { class: 'viewer-buttons' }, ...this.#frameButtons.map(({ button }) => button)),
          ]
        : []),
    );
    this.#fill();
    this.#press();
  }

  #followed(body: number): void {
    const followed = this.#actions.follow(body);
    if (this.#buttons) setPressed(this.#buttons.follow, followed);
  }

  #press(): void {
    const body = this.#shown;
    if (body === undefined || this.#buttons === undefined) return;
    const { follow, trail, hidden, alone, transparent, wireframe } = this.#buttons;
    setPressed(follow, this.#actions.isFollowed(body));
    setPressed(trail, this.#actions.hasPath(body));
    for (const { frame, button } of this.#frameButtons) setPressed(button, this.#actions.hasPath(body, frame));
    setPressed(hidden, this.#looks.has('hidden', body));
    setPressed(alone, this.#looks.isAlone([body]));
    setPressed(transparent, this.#looks.has('transparent', body));
    setPressed(wireframe, this.#looks.has('wireframe', body));
  }

  #fill(): void {
    const body = this.#shown;
    const frame = this.#frame;
    if (body === undefined || frame === undefined) return;
    const set = (label: string, text: string): void => {
      const cell = this.#cells.get(label);
      if (cell && cell.textContent !== text) cell.textContent = text;
    };
    const pose = frame.poses.subarray(7 * body, 7 * body + 7);
    const motion = frame.velocities.subarray(6 * body, 6 * body + 6);
    set('position', vectorText(pose.subarray(0, 3), 'm'));
    set('orientation', orientationText(pose.subarray(3, 7)));
    set('velocity', withSize(motion.subarray(0, 3), 'm/s'));
    set('angular velocity', withSize(motion.subarray(3, 6), 'rad/s'));
  }
}

const size = (vector: ArrayLike<number>): number => Math.hypot(vector[0], vector[1], vector[2]);

/** `(1.200, −3.400, 0) mm`: one prefix for all three, and rounding noise is 0. */
export function vectorText(vector: ArrayLike<number>, unit: string): string {
  const largest = Math.max(Math.abs(vector[0]), Math.abs(vector[1]), Math.abs(vector[2]));
  if (Number.isNaN(largest)) return 'not recorded';
  const { factor, unit: scaled } = scaledUnit(largest, unit);
  const texts = [0, 1, 2].map((i) => decimal(Math.abs(vector[i]) < 1e-6 * largest ? 0 : vector[i] * factor));
  return `(${texts.join(', ')}) ${scaled}`;
}

function withSize(vector: ArrayLike<number>, unit: string): string {
  const length = size(vector);
  return Number.isNaN(length) ? 'not recorded' : `${vectorText(vector, unit)}, size ${quantity(length, unit)}`;
}

/** A turn by an angle about an axis, as Euler's theorem has it; the shorter of the two ways. */
export function orientationText([w, x, y, z]: ArrayLike<number> & Iterable<number>): string {
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  const angle = (2 * Math.atan2(sine, Math.abs(w)) * 180) / Math.PI;
  if (Number.isNaN(angle)) return 'not recorded';
  if (angle < 1e-6) return 'as drawn';
  const axis = [x, y, z].map((part) => decimal(Math.abs(part) < 1e-6 * sine ? 0 : (sign * part) / sine, 3));
  return `${decimal(angle)}° about (${axis.join(', ')})`;
}
