/** Two carriers in the axes of a contact between them, in the plane of both or in space, and back. */
import type { PairDerivative } from './pair-element.js';

export interface ContactFrames {
  readonly wrench: Float64Array;
  /** False if the bodies do not lie in one plane, where contact needs one */
  update(): boolean;
  wrenches(out: Float64Array): void;
  differentiate(jacobian: Float64Array, out: PairDerivative): void;
  /** Of the contact's axes, into the world */
  pointAt(x: Float64Array, out: Float64Array): void;
  directionOf(e: Float64Array, out: Float64Array): void;
}

/** Of contact in the plane or in space */
interface FramesOf<Local> extends Pick<ContactFrames, 'wrench' | 'wrenches' | 'pointAt' | 'directionOf'> {
  update(local: Local): boolean;
  differentiate(local: Local, jacobian: Float64Array, out: PairDerivative): void;
}

export const framesOf = <Local>(local: Local, frames: FramesOf<Local>): ContactFrames => ({
  wrench: frames.wrench,
  update: () => frames.update(local),
  wrenches: (out) => frames.wrenches(out),
  differentiate: (jacobian, out) => frames.differentiate(local, jacobian, out),
  pointAt: (x, out) => frames.pointAt(x, out),
  directionOf: (e, out) => frames.directionOf(e, out),
});
