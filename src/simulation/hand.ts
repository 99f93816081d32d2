/**
 * A hand in a time-stepping run: takes hold of a point of a body, moves where it pulls to, lets go; turns gravity, and sets the speed of joints that are
 * driven. All that it does is noted with its time, and a run that is given the notes does the same, to the bit.
 */
import type { Motion, System } from '../assembly/system.js';
import { nodeNames } from '../dynamics/tree/dynamics-error.js';
import { ModelError, suggestion } from '../errors.js';
import type { Tape } from '../math/tape.js';
import type { Vec3 } from '../math/vec3.js';
import type { Drag } from '../time-stepping/drags.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';

export interface HandNote {
  /** s: done before the first step from here on */
  readonly t: number;
  readonly action: 'grab' | 'move' | 'release' | 'gravity' | 'drive';
  /** Number of the grip, counted from 0 */
  readonly grip?: number | undefined;
  readonly body?: string | undefined;
  /** World, m: where it takes hold, or where it pulls to; of gravity the acceleration, m/s² */
  readonly point?: Vec3 | undefined;
  /** Joint that is driven, and its speed from now on, rad/s or m/s */
  readonly joint?: string | undefined;
  readonly speed?: number | undefined;
}

export interface Grip {
  /** From now on the point is pulled to this place, world, m. */
  moveTo(target: Vec3): void;
  release(): void;
}

/** s in which a driven joint takes up another speed: a rigid drive that jumped would throw what it carries */
const RAMP = 0.1;

export class Hand {
  readonly notes: HandNote[] = [];
  /** Joints with a prescribed motion, and which it is */
  readonly driven: ReadonlyMap<string, number>;
  private readonly grips: (Drag | undefined)[] = [];
  private next = 0;
  /** Per motion that it has changed: s since when, place and speed then, speed to come */
  private readonly drives = new Map<number, readonly number[]>();

  /** @param replay notes of another run, to be done again */
  constructor(
    private readonly system: System,
    private readonly stepping: TimeStepping,
    private replay: readonly HandNote[] = [],
  ) {
    const names = nodeNames(system);
    this.driven = new Map(
      system.motions.map((_, i) => [names[system.tree.motion.indexOf(i)].replace(/^joints\./, ''), i]),
    );
  }

  /** Gives the number of the grip. */
  grab(name: string, point: Vec3): number {
    const grip = this.grips.length;
    this.act({ t: this.stepping.t, action: 'grab', grip, body: name, point });
    return grip;
  }

  /** From now on the point that a grip holds is pulled to this place, world, m. */
  move(grip: number, target: Vec3): void {
    this.act({ t: this.stepping.t, action: 'move', grip, point: target });
  }

  release(grip: number): void {
    this.act({ t: this.stepping.t, action: 'release', grip });
  }

  /** From now on gravity is this, m/s². */
  setGravity(acceleration: Vec3): void {
    this.act({ t: this.stepping.t, action: 'gravity', point: acceleration });
  }

  /** A joint with a prescribed motion goes on from where it is; after a tenth of a second it has this speed, rad/s or m/s. */
  drive(joint: string, speed: number): void {
    this.act({ t: this.stepping.t, action: 'drive', joint, speed });
  }

  /** rad/s or m/s at the present time */
  speedOf(joint: string): number {
    return this.motionNow(joint)[1];
  }

  private motionNow(joint: string): Float64Array {
    const index = this.driven.get(joint);
    if (index === undefined)
      throw new ModelError(
        'drive.joint',
        `"${joint}" has no prescribed motion${suggestion(joint, [...this.driven.keys()])}`,
      );
    const out = new Float64Array(3);
    this.system.motions[index](this.stepping.t, out);
    return out;
  }

  /** The first grip that holds: N it pulls with and at most, and where; undefined: none holds */
  get pull(): { readonly force: number; readonly most: number; readonly point: Vec3 } | undefined {
    const drag = this.grips.find((grip) => grip !== undefined);
    if (!drag) return undefined;
    const { drags, plannedStep } = this.stepping;
    const at = new Float64Array(3);
    const force = drags.pullOf(drag, plannedStep, at);
    return { force, most: drags.most(drag.mass), point: [at[0], at[1], at[2]] };
  }

  /** After going back (`restore`): the rest of these notes is done again, each at its time. @param notes that begin with those of this run */
  doAgain(notes: readonly HandNote[]): void {
    this.replay = notes;
    this.next = this.notes.length;
  }

  /** Before a step: what is noted for now */
  follow(): void {
    while (this.next < this.replay.length && this.replay[this.next].t <= this.stepping.t)
      this.act(this.replay[this.next++]);
  }

  private act(note: HandNote): void {
    if (note.point && !note.point.every((x) => Number.isFinite(x)))
      throw new ModelError('grab.point', `expected three finite coordinates in m, got ${note.point.join(', ')}`);
    if (note.action === 'gravity') this.weigh(note);
    else if (note.action === 'drive') this.setSpeed(note);
    else if (!this.hold(note)) return;
    this.notes.push(note);
  }

  /** Of a grip; false if it has let go already */
  private hold({ action, grip = 0, body, point }: HandNote): boolean {
    if (action !== 'release' && !point)
      throw new ModelError(
        'handling.point',
        `expected where the hand ${action === 'grab' ? 'takes hold' : 'pulls to'}, in m, got none`,
      );
    if (action === 'grab') {
      this.grips[grip] = this.take(body ?? '', point!);
      return true;
    }
    const drag = this.grips[grip];
    if (!drag) return false;
    if (action === 'move') this.stepping.moveDrag(drag, point!);
    else {
      this.stepping.release(drag);
      this.grips[grip] = undefined;
    }
    return true;
  }

  private weigh({ point }: HandNote): void {
    const { gravity } = this.system;
    if (gravity.kind !== 'uniform')
      throw new ModelError('handling.gravity', `expected a model with uniform gravity, got one with a ${gravity.kind}`);
    if (!point) throw new ModelError('handling.point', 'expected an acceleration in m/s², got none');
    this.stepping.changeGravity(point);
  }

  private setSpeed({ joint = '', speed }: HandNote): void {
    const [x0, v0] = this.motionNow(joint);
    if (speed === undefined || !Number.isFinite(speed))
      throw new ModelError('handling.speed', `expected a speed in rad/s or m/s, got ${speed}`);
    this.goOnAt(this.driven.get(joint)!, [this.stepping.t, x0, v0, speed]);
  }

  /** x₀ + v₀ s + ½ a s² while it changes, then at its speed; s since then */
  private goOnAt(index: number, drive: readonly number[]): void {
    const [from, x0, v0, speed] = drive;
    this.drives.set(index, drive);
    const a = (speed - v0) / RAMP;
    const motion: Motion = (t, out) => {
      const s = t - from;
      const changing = s < RAMP;
      out[0] = changing ? x0 + v0 * s + 0.5 * a * s * s : x0 + 0.5 * (v0 + speed) * RAMP + speed * (s - RAMP);
      out[1] = changing ? v0 + a * s : speed;
      out[2] = changing ? a : 0;
      if (out.length > 3) out[3] = 0;
    };
    (this.system.motions as Motion[])[index] = motion;
  }

  /** What it did, what it holds now, gravity and the drives it has set */
  remember(tape: Tape): void {
    const { stepping, grips, drives, notes } = this;
    const before = tape.plain(notes) as HandNote[];
    this.next = tape.number(this.next);
    const holding = tape.plain(grips) as (Drag | undefined)[];
    const speeds = tape.plain([...drives]) as [number, number[]][];
    if (!tape.reading) return;
    notes.push(...before);
    for (const [grip, drag] of holding.entries()) {
      grips[grip] = drag;
      if (drag) stepping.drags.active.push(drag);
    }
    for (const [index, drive] of speeds) this.goOnAt(index, drive);
    const weighed = notes.findLast(({ action }) => action === 'gravity');
    if (weighed) stepping.takeGravity(weighed.point!);
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
    // a hand pulls at the frame of a body, which of one that deforms would leave it straight
    if (this.system.flexible?.some(({ body }) => body === name))
      throw new ModelError(
        'grab.body',
        `"${name}" deforms; expected a rigid body, for instance one that is joined to it`,
      );
    return this.stepping.grab(place.anchor, point, place.mass);
  }
}
