/** Places of the drawing: from "body.frame", { body, at } or a position to a point and axes in the world as drawn. */
import {
  fromAxisAngle,
  IDENTITY,
  multiply,
  normalize as normalizeQuaternion,
  type Quaternion,
  rotate,
} from '../math/quaternion.js';
import { add, type Vec3, ZERO } from '../math/vec3.js';
import type { Body } from '../model/body.js';
import type { AnchorReference } from '../model/constraints.js';
import type { Joint } from '../model/joints.js';
import { GROUND, type Model, splitPlace } from '../model/model.js';
import type { Anchor } from './system.js';

/** A quaternion, normalised, from either way of writing an orientation. */
export function quaternionOf(given: NonNullable<Body['orientation']>): Quaternion {
  return 'axis' in given ? fromAxisAngle(given.axis, given.angle) : normalizeQuaternion(given as Quaternion);
}

export interface DrawnFrame {
  /** GROUND or the name of the body that carries it */
  readonly body: string;
  readonly position: Vec3;
  readonly orientation: Quaternion;
}

/** Where a body's own frame is drawn. */
export function drawnBody(model: Model, name: string): DrawnFrame {
  const body = model.bodies.get(name);
  return {
    body: name,
    position: body?.position ?? ZERO,
    orientation: body?.orientation ? quaternionOf(body.orientation) : IDENTITY,
  };
}

/** Where a reference points to. A bare position belongs to the ground, or to `carrier` where one is given. */
export function drawnFrame(model: Model, reference: AnchorReference, carrier = GROUND): DrawnFrame {
  if (typeof reference === 'string') {
    const [name, frame] = splitPlace(reference);
    const own = drawnBody(model, name);
    const local = frame === undefined ? undefined : model.bodies.get(name)?.frames?.[frame];
    if (!local) return own;
    return {
      body: name,
      position: add(own.position, rotate(own.orientation, local.position ?? ZERO)),
      orientation: local.orientation ? multiply(own.orientation, quaternionOf(local.orientation)) : own.orientation,
    };
  }
  if ('body' in reference) return { ...drawnFrame(model, reference.at, reference.body), body: reference.body };
  return { body: carrier, position: reference, orientation: IDENTITY };
}

/** Where a joint is drawn: at its body's origin unless said */
export const jointPoint = (model: Model, joint: Joint): Vec3 =>
  joint.at === undefined ? drawnBody(model, joint.body).position : drawnFrame(model, joint.at).position;

/** Turns a frame of the drawing into an anchor on the node or free body that carries it. */
export type AnchorAt = (frame: DrawnFrame) => Anchor;

/** The one coordinate of a joint in the tree. */
export interface Coordinate {
  readonly q: number;
  readonly v: number;
}
