/**
 * The motion of a film: poses of the bodies that move at all, in reels of some instants each, so that any instant is found by unpacking
 * one reel.
 *
 * What is kept of a number is how far it is from where the two instants before lead, in whole steps (pose-coding.ts): next to nothing for a
 * body that flies or rolls on, nothing for one at rest. Six such numbers for each body and instant, and which part of the orientation is
 * left out. All x of an instant stand side by side, then all y, …, so that what is alike is near.
 */
import { deflate, inflate } from '../../geometry/deflate.js';
import { floatCoded, fromFloatCoded, fromPlanes, planes, unzigzag, zigzag } from './number-coding.js';
import type { Frame } from './playback.js';
import { codeOrientation, codePosition, decodeOrientation, decodePosition, motionBox } from './pose-coding.js';

const REEL_POSES = 40_000;
const FEWEST_INSTANTS = 4;
const MOST_INSTANTS = 64;
/** Bytes of a pose before deflate: 4 for each of 6 differences, and which part of the orientation is the largest */
const POSE_BYTES = 25;
const VELOCITY_BYTES = 18;
const MIDDLE = 32_768;

export interface FilmMotion {
  /** Of positions */
  readonly bits: number;
  /** 7 per body: where each is at the first instant */
  readonly start: Float64Array;
  /** Bodies that move */
  readonly moving: Uint32Array;
  /** 6 per body that moves: pose-coding.ts */
  readonly boxes: Float64Array;
  /** Of all reels but the last */
  readonly instantsPerReel: number;
  /** Whether velocities are in the reels; else they are told from the poses */
  readonly velocities: boolean;
  readonly reels: readonly Uint8Array[];
}

/** The bodies at instant k of the film. */
export type FrameSource = (k: number) => Frame;

export interface MotionOptions {
  /** Of positions */
  readonly bits: number;
  /** Whether they are kept */
  readonly velocities: boolean;
  /** Only some reels, to see how large they get */
  readonly isTrial?: boolean;
}

/** Reels of a trial */
const FEW_REELS = 4;

/** Bytes that all reels take, from those of a trial. */
export const expectedSize = ({ reels, instantsPerReel }: FilmMotion, instants: number): number =>
  reels.length === 0
    ? 0
    : (reels.reduce((sum, { length }) => sum + length, 0) / reels.length) * Math.ceil(instants / instantsPerReel);

export function packMotion(
  times: Float64Array,
  frameAt: FrameSource,
  { bits, velocities, isTrial = false }: MotionOptions,
): FilmMotion {
  const first = frameAt(0);
  const bodies = first.poses.length / 7;
  const { moving, boxes } = survey(times.length, frameAt);
  const start = first.poses.slice();
  // Their first pose is in the first reel
  for (const body of moving) start.fill(0, 7 * body, 7 * body + 7);
  const instantsPerReel = Math.min(
    MOST_INSTANTS,
    Math.max(FEWEST_INSTANTS, Math.floor(REEL_POSES / Math.max(1, moving.length))),
  );
  const reels: Uint8Array[] = [];
  const stride = instantsPerReel * Math.max(1, Math.floor(times.length / (FEW_REELS * instantsPerReel)));
  if (bodies > 0 && moving.length > 0)
    for (let from = 0; from < times.length; from += isTrial ? stride : instantsPerReel) {
      const to = Math.min(times.length, from + instantsPerReel);
      reels.push(packReel(times.subarray(from, to), (k) => frameAt(from + k), moving, boxes, bits, velocities));
    }
  return { bits, start, moving, boxes, instantsPerReel, velocities, reels };
}

/** Which bodies move, and in which boxes. */
function survey(instants: number, frameAt: FrameSource): { moving: Uint32Array; boxes: Float64Array } {
  const { poses: first } = frameAt(0);
  const bodies = first.length / 7;
  const moves = new Uint8Array(bodies);
  const least = new Float64Array(3 * bodies).fill(Number.POSITIVE_INFINITY);
  const greatest = new Float64Array(3 * bodies).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < instants; i++) {
    const { poses } = frameAt(i);
    for (let b = 0; b < bodies; b++) {
      for (let k = 0; k < 7; k++) if (poses[7 * b + k] !== first[7 * b + k]) moves[b] = 1;
      for (let k = 0; k < 3; k++) {
        const x = poses[7 * b + k];
        if (x < least[3 * b + k]) least[3 * b + k] = x;
        if (x > greatest[3 * b + k]) greatest[3 * b + k] = x;
      }
    }
  }
  const moving = Uint32Array.from(moves.keys()).filter((b) => moves[b] === 1);
  const boxes = new Float64Array(6 * moving.length);
  moving.forEach((b, m) => {
    boxes.set(motionBox(least.subarray(3 * b, 3 * b + 3), greatest.subarray(3 * b, 3 * b + 3)), 6 * m);
  });
  return { moving, boxes };
}

/** Where the two before lead; whole, and the same in every engine, for it is only + − × ÷ and rounding. */
const ahead = (before: number, last: number, slope: number): number => last + Math.round((last - before) * slope);

/** Step to this instant against the one before it; 0 where that took no time. */
function slopeAt(times: Float64Array, i: number): number {
  const past = times[i - 1] - times[i - 2];
  const slope = past > 0 ? (times[i] - times[i - 1]) / past : 0;
  return slope < 4 ? slope : 0; // far ahead a line is a bad guess
}

function packReel(
  times: Float64Array,
  frameAt: FrameSource,
  moving: Uint32Array,
  boxes: Float64Array,
  bits: number,
  velocities: boolean,
): Uint8Array {
  const count = moving.length;
  const instants = times.length;
  const differences = new Int32Array(6 * count * instants);
  const largest = new Uint8Array(count * instants);
  const speeds = velocities ? new Float64Array(6 * count * instants) : undefined;
  const codes = new Int32Array(3);
  const last = new Int32Array(6 * count); // of the instant before
  const before = new Int32Array(6 * count);
  for (let i = 0; i < instants; i++) {
    const { poses, velocities: rates } = frameAt(i);
    const slope = i > 1 ? slopeAt(times, i) : 0;
    for (let m = 0; m < count; m++) {
      const pose = 7 * moving[m];
      codePosition(poses, pose, boxes, 6 * m, bits, codes);
      for (let k = 0; k < 3; k++) {
        const at = 6 * m + k;
        const guess = i === 0 ? 0 : ahead(before[at], last[at], slope);
        differences[(6 * i + k) * count + m] = zigzag(codes[k] - guess);
        before[at] = i === 0 ? codes[k] : last[at];
        last[at] = codes[k];
      }
      const own = codeOrientation(poses, pose + 3, codes);
      const was = i === 0 ? 0 : largest[(i - 1) * count + m];
      largest[i * count + m] = own;
      for (let k = 0; k < 3; k++) {
        const at = 6 * m + 3 + k;
        const isNew = i === 0 || own !== was;
        const guess = isNew ? MIDDLE : ahead(before[at], last[at], slope);
        differences[(6 * i + 3 + k) * count + m] = zigzag(codes[k] - guess);
        before[at] = isNew ? codes[k] : last[at];
        last[at] = codes[k];
      }
      if (speeds) for (let k = 0; k < 6; k++) speeds[(6 * i + k) * count + m] = rates[6 * moving[m] + k];
    }
  }
  const parts = [planes(differences, 4), largest, ...(speeds ? [floatCoded(speeds)] : [])];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return deflate(whole);
}

/** Undoes packReel; undefined if the bytes are damaged. */
function unpackReel(packed: Uint8Array, times: Float64Array, motion: FilmMotion): Frame[] | undefined {
  const { moving, boxes, bits, start, velocities } = motion;
  const count = moving.length;
  const instants = times.length;
  const size = (POSE_BYTES + (velocities ? VELOCITY_BYTES : 0)) * count * instants;
  const whole = inflate(packed, size);
  if (!whole) return undefined;
  const differences = fromPlanes(whole.subarray(0, 24 * count * instants), 4);
  const largest = whole.subarray(24 * count * instants, POSE_BYTES * count * instants);
  const speeds = velocities ? fromFloatCoded(whole.subarray(POSE_BYTES * count * instants)) : undefined;
  const codes = new Int32Array(3);
  const last = new Int32Array(6 * count);
  const before = new Int32Array(6 * count);
  const frames: Frame[] = [];
  for (let i = 0; i < instants; i++) {
    const poses = start.slice();
    const rates = new Float64Array((6 * start.length) / 7);
    const slope = i > 1 ? slopeAt(times, i) : 0;
    for (let m = 0; m < count; m++) {
      const pose = 7 * moving[m];
      const own = largest[i * count + m] & 3;
      const isNew = i === 0 || own !== (largest[(i - 1) * count + m] & 3);
      for (let k = 0; k < 6; k++) {
        const at = 6 * m + k;
        const isFirst = k < 3 ? i === 0 : isNew;
        const guess = isFirst ? (k < 3 ? 0 : MIDDLE) : ahead(before[at], last[at], slope);
        const code = guess + unzigzag(differences[(6 * i + k) * count + m]);
        before[at] = isFirst ? code : last[at];
        last[at] = code;
        codes[k % 3] = code;
        if (k === 2) decodePosition(codes, boxes, 6 * m, bits, poses, pose);
      }
      decodeOrientation(codes, own, poses, pose + 3);
      if (speeds) for (let k = 0; k < 6; k++) rates[6 * moving[m] + k] = speeds[(6 * i + k) * count + m];
    }
    frames.push({ time: times[i], poses, velocities: rates });
  }
  if (!velocities) tellVelocities(frames, moving);
  return frames;
}

/**
 * Velocities from the poses around each instant of a reel: v = (p₊ − p₋)/(t₊ − t₋), and ω from the turn q₊ q₋* in the same way, its angle
 * 2 atan2(|u|, w) along u.
 */
function tellVelocities(frames: readonly Frame[], moving: Uint32Array): void {
  const most = frames.length - 1;
  frames.forEach(({ velocities }, i) => {
    const [a, b] = [frames[Math.max(0, i - 1)], frames[Math.min(most, i + 1)]];
    const step = b.time - a.time;
    if (!(step > 0)) return;
    for (const body of moving) {
      const p = 7 * body;
      for (let k = 0; k < 3; k++) velocities[6 * body + k] = (b.poses[p + k] - a.poses[p + k]) / step;
      const [aw, ax, ay, az] = a.poses.subarray(p + 3, p + 7);
      const [bw, bx, by, bz] = b.poses.subarray(p + 3, p + 7);
      const w = bw * aw + bx * ax + by * ay + bz * az;
      const x = bx * aw - bw * ax - by * az + bz * ay;
      const y = by * aw - bw * ay - bz * ax + bx * az;
      const z = bz * aw - bw * az - bx * ay + by * ax;
      const sine = Math.sqrt(x * x + y * y + z * z);
      const rate = sine > 0 ? (2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1)) / (sine * step) : 0;
      velocities.set([rate * x, rate * y, rate * z], 6 * body + 3);
    }
  });
}

const REELS_KEPT = 4;

/** Frames of a film: reels are unpacked as they are asked for, and the last few are kept. */
export class MotionReader {
  readonly #kept = new Map<number, Frame[]>();

  /** @param refuse throws a FileError with what is wrong */
  constructor(
    private readonly motion: FilmMotion,
    private readonly times: Float64Array,
    private readonly refuse: (defect: string) => never,
  ) {}

  frame(instant: number): Frame {
    const { motion, times } = this;
    if (motion.moving.length === 0) {
      const { start } = motion;
      return { time: times[instant], poses: start.slice(), velocities: new Float64Array((6 * start.length) / 7) };
    }
    const reel = Math.floor(instant / motion.instantsPerReel);
    const from = reel * motion.instantsPerReel;
    let frames = this.#kept.get(reel);
    if (!frames) {
      const own = times.subarray(from, from + motion.instantsPerReel);
      frames =
        unpackReel(motion.reels[reel], own, motion) ?? this.refuse(`is damaged: reel ${reel} cannot be unpacked`);
    }
    this.#kept.delete(reel);
    this.#kept.set(reel, frames);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= REELS_KEPT) break;
      this.#kept.delete(oldest);
    }
    return frames[instant - from];
  }
}
