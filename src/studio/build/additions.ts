/**
 * What can be said of an element beyond what it needs, each with a value to begin with that suits the part: how a joint is driven, springs, stops and friction in it, how a body
 * moves at the start. Units of a joint are those of turning or of sliding.
 */
import { isRecord } from '../commands/elements.js';
import type { Data, DataRecord } from '../document/document.js';

export interface Addition {
  readonly key: string;
  readonly label: string;
  readonly value: Data;
}

/** A part's mass and size, kg and m: gains that hold it follow from them. */
export interface Heft {
  readonly mass: number;
  readonly size: number;
}

const rounded = (x: number): number => Number(x.toPrecision(1));

/** Of a controller: frequency 20 1/s, critically damped */
const OMEGA = 20;

const isTurning = (kind: Data | undefined): boolean => kind === 'revolute' || kind === 'screw';

/** What a joint of this kind may have and has not */
export function jointAdditions(joint: DataRecord, { mass, size }: Heft): readonly Addition[] {
  const turns = isTurning(joint.kind);
  if (!turns && joint.kind !== 'prismatic') return [];
  // A rod about its end, or the mass itself
  const inertia = turns ? (mass * size * size) / 3 : mass;
  const [coordinate, target, speed] = turns ? ['angle', Math.PI / 2, 6.28] : ['position', 0.5 * size, 2 * size];
  const [kp, kd] = [rounded(inertia * OMEGA * OMEGA), rounded(2 * inertia * OMEGA)];
  const weight = mass * 9.81 * (turns ? size : 1);
  const all: readonly Addition[] = [
    {
      key: 'speed',
      label: turns ? 'Turn at a steady speed' : 'Slide at a steady speed',
      value: turns ? speed : rounded(speed),
    },
    {
      key: 'motor',
      label: 'Motor that holds a speed',
      value: { targetSpeed: turns ? speed : rounded(speed), kd, limit: rounded(10 * weight) },
    },
    {
      key: 'motor',
      label: `Motor that goes to ${turns ? 'an angle' : 'a place'}`,
      value: { target: turns ? target : rounded(target), kp, kd },
    },
    {
      key: coordinate as string,
      label: `Move to ${turns ? 'an angle' : 'a place'} and stay`,
      value: { kind: 'ramp', to: turns ? target : rounded(target), duration: 1 },
    },
    {
      key: coordinate as string,
      label: 'Swing to and fro',
      value: { kind: 'sine', amplitude: turns ? 0.5 : rounded(0.3 * size), frequency: 1 },
    },
    { key: 'spring', label: 'Spring', value: { stiffness: rounded(10 * kp), rest: 0 } },
    { key: 'damping', label: 'Damping', value: rounded(0.05 * kd) },
    { key: 'friction', label: 'Dry friction', value: { limit: rounded(0.05 * weight) } },
    {
      key: 'stops',
      label: 'End stops',
      value: {
        lower: turns ? -1 : -rounded(0.5 * size),
        upper: turns ? 1 : rounded(0.5 * size),
        stiffness: rounded(1000 * kp),
      },
    },
    { key: turns ? 'torque' : 'force', label: turns ? 'Torque' : 'Force', value: rounded(weight) },
    {
      key: turns ? 'initialAngle' : 'initialPosition',
      label: turns ? 'Angle at the start' : 'Place at the start',
      value: turns ? 0.5 : rounded(0.3 * size),
    },
    { key: 'initialSpeed', label: 'Speed at the start', value: turns ? 1 : rounded(size) },
  ];
  return all.filter(({ key }) => joint[key] === undefined && !excludes(joint, key));
}

/** One drives a joint in one way. */
function excludes(joint: DataRecord, key: string): boolean {
  const driven = ['speed', 'angle', 'position'];
  return driven.includes(key) && [...driven, 'motor'].some((other) => joint[other] !== undefined)
    ? true
    : key === 'motor' && driven.some((other) => joint[other] !== undefined);
}

/** What a body may have and has not */
export function bodyAdditions(body: DataRecord, { size }: Heft): readonly Addition[] {
  if (body.fixed === true) return [];
  const all: readonly Addition[] = [
    { key: 'velocity', label: 'Velocity at the start', value: [rounded(5 * size), 0, 0] },
    { key: 'angularVelocity', label: 'Turning at the start', value: [0, 0, 10] },
    // A part that deforms has the mass of its mesh
    ...(body.flexible ? [] : [{ key: 'mass', label: 'Mass of its own', value: 1 }]),
    { key: 'colour', label: 'Colour', value: [0.2, 0.45, 0.7, 1] },
    ...(mayDeform(body.shape) && body.mass === undefined
      ? [
          { key: 'flexible', label: 'Flexible in its plane', value: { modes: 4, damping: 0.02 } },
          { key: 'flexible', label: 'Flexible every way', value: { layers: 2, modes: 8, damping: 0.02 } },
        ]
      : []),
  ];
  return all.filter(({ key }) => body[key] === undefined);
}

/** One straight extrusion, as boxes and cylinders are */
const mayDeform = (shape: Data | undefined): boolean =>
  isRecord(shape) && ['box', 'cylinder', 'extrude'].some((kind) => shape[kind] !== undefined);

/** Keys that can be taken away again */
export const REMOVABLE: ReadonlySet<string> = new Set([
  ...['speed', 'motor', 'angle', 'position', 'spring', 'damping', 'friction', 'stops', 'torque', 'force'],
  ...[
    'initialAngle',
    'initialPosition',
    'initialSpeed',
    'velocity',
    'angularVelocity',
    'mass',
    'colour',
    'to',
    'flexible',
  ],
]);

const TURNING: Readonly<Record<string, string>> = {
  speed: 'rad/s',
  initialSpeed: 'rad/s',
  targetSpeed: 'rad/s',
  stiffness: 'N m/rad',
  kp: 'N m/rad',
  damping: 'N m s/rad',
  kd: 'N m s/rad',
  limit: 'N m',
  torque: 'N m',
};
const SLIDING: Readonly<Record<string, string>> = {
  speed: 'm/s',
  initialSpeed: 'm/s',
  targetSpeed: 'm/s',
  stiffness: 'N/m',
  kp: 'N/m',
  damping: 'N s/m',
  kd: 'N s/m',
  limit: 'N',
  force: 'N',
};
/** Coordinates of the joint itself, wherever they stand in it */
const COORDINATES = [
  'target',
  'rest',
  'lower',
  'upper',
  'amplitude',
  'offset',
  'from',
  'to',
  'value',
  'initialAngle',
  'initialPosition',
];
const TIMES: Readonly<Record<string, string>> = { duration: 's', start: 's', frequency: 'Hz' };

/** Of a number inside a joint; undefined where it is no matter of the joint's kind */
export function jointUnit(
  kind: Data | undefined,
  key: string,
): { readonly unit: string; readonly factor: number } | undefined {
  const turns = isTurning(kind);
  if (COORDINATES.includes(key)) return turns ? { unit: '°', factor: 180 / Math.PI } : { unit: 'mm', factor: 1000 };
  const unit = (turns ? TURNING : SLIDING)[key] ?? TIMES[key];
  return unit === undefined ? undefined : { unit, factor: 1 };
}

/** Of a number inside a body: what deforms has a ratio of damping, no N s/m */
export const bodyUnit = (key: string): { readonly unit: string; readonly factor: number } | undefined =>
  key === 'damping' ? { unit: '', factor: 1 } : undefined;
