/**
 * A hand that drags bodies of a time-stepping run: takes hold of a point, moves where it pulls to, lets go. All that it does is noted with its time, and a
 * run that is given the notes does the same, to the bit.
 */
import type { System } from '../assembly/system.js';
import { ModelError, suggestion } from '../errors.js';
import type { Vec3 } from '../math/vec3.js';
import type { Drag } from '../time-stepping/drags.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';

export interface HandNote {
  /** s: done before the first step from here on */
  readonly t: number;
  readonly action: 'grab' | 'move' | 'release';
  /** Number of the grip, counted from 0 */
  readonly grip: number;
  readonly body?: string | undefined;
  /** World, m: where it takes hold, or where it pulls to */
  readonly point?: Vec3 | undefined;
}

export interface Grip {
  /** From now on the point is pulled to this place, world, m. */
  moveTo(target: Vec3): void;
  release(): void;
}

export class Hand {
  readonly notes: HandNote[] = [];
  private readonly grips: (Drag | undefined)[] = [];
  private next = 0;

  /** @param replay notes of another run, to be done again */
  constructor(
    private readonly system: System,
    private readonly stepping: TimeStepping,
    private readonly replay: readonly HandNote[] = [],
  ) {}

  grab(name: string, point: Vec3): Grip {
    const grip = this.grips.length;
    this.act({ t: this.stepping.t, action: 'grab', grip, body: name, point });
    return {
      moveTo: (target) => this.act({ t: this.stepping.t, action: 'move', grip, point: target }),
      release: () => this.act({ t: this.stepping.t, action: 'release', grip }),
    };
  }

  /** Before a step: what is noted for now */
  follow(): void {
    while (this.next < this.replay.length && this.replay[this.next].t <= this.stepping.t)
      this.act(this.replay[this.next++]);
  }

  private act(note: HandNote): void {
    if (note.point && !note.point.every((x) => Number.isFinite(x)))
      throw new ModelError('grab.point', `expected three finite coordinates in m, got ${note.point.join(', ')}`);
    if (note.action !== 'release' && !note.point)
      throw new ModelError(
        'handling.point',
        `expected where the hand ${note.action === 'grab' ? 'takes hold' : 'pulls to'}, in m, got none`,
      );
    if (note.action === 'grab') this.grips[note.grip] = this.take(note.body ?? '', note.point!);
    else {
      const drag = this.grips[note.grip];
      if (!drag) return; // let go already
      if (note.action === 'move') this.stepping.moveDrag(drag, note.point!);
      else {
        this.stepping.release(drag);
        this.grips[note.grip] = undefined;
      }
    }
    this.notes.push(note);
  }

  private take(name: string, point: Vec3): Drag {
    const { bodies } = this.system;
    const place = bodies.find((body) => body.name === name);
    if (!place)
      throw new ModelError(
        'grab.body',
        `there is no body "${name}"${suggestion(
          name,
          bodies.map((body) => body.name),
        )}`,
      );
    if (place.fixed) throw new ModelError('grab.body', `"${name}" is fixed; expected a body that can move`);
    return this.stepping.grab(place.anchor, point, place.mass);
  }
}
