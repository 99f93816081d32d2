/**
 * Joints. Bodies are drawn in place: a joint's `at` and `axis` are in world coordinates of the drawing, and all its coordinates are
 * zero as drawn. Joints may close loops; nothing has to be said about that.
 */

import { motionData, valueData } from './motion-data.js';
import { takesNumbers } from './number-arguments.js';
import { direction, nameOf, notNegative, orientation, positive, real, shown, userFunction, vector } from './schema.js';
import * as z from './schema-kinds.js';

/** Position of a joint or an anchor: a point of the drawing, or `body.frame`. */
export const placeSchema = z.union([vector('a position', 'm'), z.string()], {
  error: () => 'expected a position [x, y, z] in m as drawn, or "body.frame"',
});

const common = {
  /** The body that the joint moves. */
  body: nameOf('a body'),
  /** The body it moves against; the ground if nothing is said. */
  to: nameOf('a body').optional(),
  at: placeSchema.optional(),
};

/** A quantity over time: constant, a function of t in s, or data that gives one. */
const overTime = (what: string, unit: string) =>
  z
    .union([real(what, unit), userFunction<(t: number) => number>('a function of time'), valueData(what, unit)], {
      error: () =>
        `expected ${what} in ${unit}, or over time: a function of it, or data such as { kind: 'ramp', to, duration }`,
    })
    .superRefine(takesNumbers(['t']));

/** Forces along one joint coordinate x (rad or m), v its rate. */
const along = (angle: boolean) => {
  const [coordinate, force, speed] = angle ? ['rad', 'N m', 'rad/s'] : ['m', 'N', 'm/s'];
  return {
    spring: z
      .strictObject({
        stiffness: notNegative('a stiffness', `${force}/${coordinate}`),
        rest: real('a rest position', coordinate).optional(),
      })
      .readonly()
      .optional(),
    damping: notNegative('a damping', `${force} s/${coordinate}`).optional(),
    /** Compliant end stops with restitution. */
    stops: z
      .strictObject({
        lower: real('the lower stop', coordinate).optional(),
        upper: real('the upper stop', coordinate).optional(),
        stiffness: positive('a stiffness', `${force}/${coordinate}`),
        restitution: real('a coefficient of restitution', '')
          .gt(0, { error: 'expected a coefficient of restitution > 0' })
          .max(1, { error: 'expected a coefficient of restitution ≤ 1' })
          .optional(),
      })
      .readonly()
      .optional(),
    /** Dry friction: greatest force or torque. It holds at rest without creep; `stiffness` is that of the stuck joint. */
    friction: z
      .strictObject({
        limit: notNegative('a friction limit', force),
        stiffness: positive('a stiffness', `${force}/${coordinate}`).optional(),
      })
      .readonly()
      .optional(),
    /** PD control: kp (target − x) + kd (targetSpeed − v), within ± limit. */
    motor: z
      .strictObject({
        target: overTime('a target', coordinate).optional(),
        targetSpeed: overTime('a target speed', speed).optional(),
        kp: notNegative('a gain', `${force}/${coordinate}`).optional(),
        kd: notNegative('a gain', `${force} s/${coordinate}`).optional(),
        limit: positive('a limit', force).optional(),
      })
      .refine(({ target, kp }) => (target === undefined) === (kp === undefined), {
        error: `expected a target in ${coordinate} together with its gain kp in ${force}/${coordinate}`,
      })
      .refine(({ kp, kd }) => kp !== undefined || kd !== undefined, {
        error: `expected a gain: kp with a target in ${coordinate}, kd with a targetSpeed in ${speed}, or both`,
      })
      .readonly()
      .optional(),
  };
};

/** A force or torque of the user's own: constant, or of time, coordinate and rate; of time alone also as data. */
const own = (unit: string) =>
  z
    .union(
      [
        real('a value', unit),
        userFunction<(t: number, x: number, v: number) => number>('a function (t, x, v)'),
        valueData('a value', unit),
      ],
      {
        error: () => `expected a value in ${unit}, a function (t, x, v) giving it, or data such as { kind: 'sine', … }`,
      },
    )
    .superRefine(takesNumbers(['t', 'x', 'v']))
    .optional();

/** A motion that a joint is driven along: a function of time, or data that gives one. */
const driven = (what: string, unit: string) =>
  z
    .union([userFunction<MotionOfTime>(`a function of time giving ${what} in ${unit}`), motionData(what, unit)], {
      error: ({ input }) =>
        `expected a function of time giving ${what} in ${unit}, or data of kind constant, ramp, sine or table, got ${shown(input)}`,
    })
    .superRefine(takesNumbers(['t']))
    .optional();

/** Value alone, or value, rate and acceleration */
type MotionOfTime = (t: number) => number | readonly [number, number, number];

/** A speed that changes is given by what it is the rate of. */
const constantSpeed = (what: string, unit: string, coordinate: string) =>
  z
    .number({
      error: ({ input }) =>
        typeof input === 'function'
          ? `expected ${what} in ${unit} that does not change, got a function; give "${coordinate}" as a function of time, t => [value, rate, acceleration]`
          : `expected ${what} in ${unit}, got ${shown(input)}`,
    })
    .describe(unit);

const turning = {
  initialAngle: real('an angle', 'rad').optional(),
  initialSpeed: real('an angular speed', 'rad/s').optional(),
  /** Prescribed: constant speed, */
  speed: constantSpeed('an angular speed', 'rad/s', 'angle').optional(),
  /** or the angle over time, or [angle, rate, acceleration]; or data, as motion-data.ts has it. */
  angle: driven('the angle', 'rad'),
  ...along(true),
  torque: own('N m'),
};
const sliding = {
  initialPosition: real('a position', 'm').optional(),
  initialSpeed: real('a speed', 'm/s').optional(),
  speed: constantSpeed('a speed', 'm/s', 'position').optional(),
  position: driven('the position', 'm'),
  ...along(false),
  force: own('N'),
};
const axis = { axis: direction('an axis') };

export const jointSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), ...common }),
  z.strictObject({ kind: z.literal('revolute'), ...common, ...axis, ...turning }),
  z.strictObject({ kind: z.literal('prismatic'), ...common, ...axis, ...sliding }),
  /** `pitch`: advance per turn, m */
  z.strictObject({ kind: z.literal('screw'), ...common, ...axis, pitch: real('a pitch', 'm per turn'), ...turning }),
  z.strictObject({
    kind: z.literal('cylindrical'),
    ...common,
    ...axis,
    initialAngle: real('an angle', 'rad').optional(),
    initialSpin: real('an angular speed', 'rad/s').optional(),
    initialPosition: real('a position', 'm').optional(),
    initialSpeed: real('a speed', 'm/s').optional(),
  }),
  /** First `axis` on the side of `to`, then `secondAxis` on the side of `body`. */
  z.strictObject({
    kind: z.literal('universal'),
    ...common,
    ...axis,
    secondAxis: direction('a second axis'),
    initialAngles: z
      .tuple([real('an angle', 'rad'), real('an angle', 'rad')])
      .readonly()
      .optional(),
    initialSpeeds: z
      .tuple([real('a speed', 'rad/s'), real('a speed', 'rad/s')])
      .readonly()
      .optional(),
  }),
  z.strictObject({
    kind: z.literal('spherical'),
    ...common,
    initialOrientation: orientation.optional(),
    /** World axes. */
    initialAngularVelocity: vector('an angular velocity', 'rad/s').optional(),
  }),
  /** Slides in the plane through `at` across `normal`, turns about the normal. */
  z.strictObject({
    kind: z.literal('planar'),
    ...common,
    normal: direction('a normal'),
    initialSpin: real('an angular speed', 'rad/s').optional(),
    /** World axes; the part along the normal must be zero. */
    initialVelocity: vector('a velocity', 'm/s').optional(),
  }),
  /** No constraint at all, but coordinates relative to `to`. */
  z.strictObject({
    kind: z.literal('free'),
    ...common,
    initialVelocity: vector('a velocity', 'm/s').optional(),
    initialAngularVelocity: vector('an angular velocity', 'rad/s').optional(),
  }),
]);
export type Joint = z.output<typeof jointSchema>;
export type JointKind = Joint['kind'];
type JointOptions<Kind extends JointKind> = Omit<Extract<z.input<typeof jointSchema>, { kind: Kind }>, 'kind'>;

const joint =
  <Kind extends JointKind>(kind: Kind) =>
  (options: JointOptions<Kind>): Extract<z.input<typeof jointSchema>, { kind: Kind }> =>
    ({ kind, ...options }) as unknown as Extract<z.input<typeof jointSchema>, { kind: Kind }>;

/** @example revolute({ body: 'arm', to: 'base', at: [0, 0, 1], axis: [0, 1, 0], initialAngle: 0.3 }) */
export const revolute = joint('revolute');
export const prismatic = joint('prismatic');
export const screw = joint('screw');
export const cylindrical = joint('cylindrical');
export const universal = joint('universal');
export const spherical = joint('spherical');
export const planar = joint('planar');
export const free = joint('free');
export const fixed = joint('fixed');
