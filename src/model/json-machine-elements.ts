/**
 * Machine elements as shapes of a JSON model: gears, Geneva wheel and drive, escape wheel, the parts of a lever escapement, wheels; and rocks. Sizes are those of
 * the functions of the same name; what has an outline there has a `height` here.
 */

import { escapeWheel } from '../assets/machine-elements/escape-wheel.js';
import { involuteGear } from '../assets/machine-elements/gear.js';
import { type LeverEscapement, leverEscapement } from '../assets/machine-elements/lever-escapement.js';
import type { Rules } from '../assets/parameters.js';
import { ROCK_RULES, type RockOptions } from '../assets/rock-parameters.js';
import { WHEEL_RULES, type WheelOptions } from '../assets/wheel-parameters.js';
import { extrude } from '../geometry/extrude.js';
import type { Outline, Profile } from '../geometry/profile.js';
import type { Solid } from '../geometry/solid.js';
import { given, length, lengthOrZero, whole } from './json-sizes.js';
import { positive, real, shown, vector } from './schema.js';
import * as z from './schema-kinds.js';

const optional = <Name extends string, Schema extends z.AnySchema>(schema: Schema, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, schema.optional()])) as {
    [Key in Name]: z.OptionalSchema<Schema>;
  };
const angle = real('an angle', 'rad');
const count = (least: number) => whole('a number', least).unwrap();

const geneva = {
  slots: whole('slots', 3),
  ...optional(length('a length'), 'radius', 'pinDiameter', 'clearance', 'lockClearance', 'height', 'axialGap'),
  ...optional(length('a length'), 'shaftLength'),
  ...optional(lengthOrZero('a length'), 'boreRadius', 'plateThickness', 'shaftRadius'),
  ...optional(angle, 'reliefSetback'),
  reliefCentre: positive('a factor', '').optional(),
  ...optional(count(8), 'segments', 'pinSegments'),
};

/** What of an escapement is a body of its own, or a piece of one. */
const PARTS = {
  wheel: ({ wheel }) => wheel,
  pallet: ({ pallet }) => pallet,
  frame: ({ frame }) => frame,
  entryStone: ({ entry }) => entry.outline,
  exitStone: ({ exit }) => exit.outline,
  guard: ({ guard }) => guard,
  impulsePin: ({ impulsePin }) => impulsePin,
  safetyRoller: ({ safetyRoller }) => safetyRoller,
  leftBanking: ({ bankings }) => bankings[0],
  rightBanking: ({ bankings }) => bankings[1],
} satisfies Record<string, (escapement: LeverEscapement) => Outline | Profile>;

/** What a generator of assets asks for; all of it may be left out. It checks limits itself. */
function sizesOf(rules: Rules): z.AnySchema {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(rules).map(([name, rule]): [string, z.AnySchema] => {
        if (rule.kind === 'number')
          return [
            name,
            (rule.whole ? count(rule.least as number) : real(rule.text as string, rule.unit as string)).optional(),
          ];
        if (rule.kind === 'choice') return [name, z.enum(rule.of as [string, ...string[]]).optional()];
        if (rule.kind === 'pairs')
          return [name, z.array(z.tuple([real('a place', 'm'), real('a height', 'm')])).optional()];
        return [name, sizesOf(rule as Rules).optional()];
      }),
    ),
  );
}
/** The material of the body says what it weighs. */
const { density: _, ...ROCK } = ROCK_RULES;

export const ELEMENT_SIZES = {
  wheel: sizesOf(WHEEL_RULES) as z.Schema<WheelOptions>,
  rock: sizesOf(ROCK) as z.Schema<RockOptions>,
  stone: z.strictObject({
    radius: length('a radius'),
    points: whole('corners', 4),
    stretch: vector('factors along x, y, z', '').optional(),
    seed: whole('a seed', 0),
  }),
  gear: z.strictObject({
    teeth: count(4),
    module: length('a module'),
    height: length('a height'),
    ...optional(angle, 'pressureAngle'),
    ...optional(real('a number of modules', ''), 'profileShift'),
    ...optional(lengthOrZero('a length'), 'backlash', 'bore'),
    ...optional(positive('a number of modules', ''), 'addendum', 'dedendum', 'filletRadius'),
    points: whole('corners on a flank', 2),
    ...optional(length('a distance'), 'tolerance'),
  }),
  genevaWheel: z.strictObject(geneva),
  genevaDrive: z.strictObject(geneva),
  escapeWheel: z.strictObject({
    height: length('a height'),
    teeth: whole('teeth', 6),
    ...optional(length('a length'), 'radius', 'heelRadius', 'rootRadius', 'hubRadius', 'spokeWidth'),
    ...optional(lengthOrZero('a length'), 'rimInnerRadius', 'bore'),
    ...optional(angle, 'impulseAngle', 'undercut'),
    spokes: whole('spokes', 2),
  }),
  leverEscapement: z.strictObject({
    part: z.enum(Object.keys(PARTS) as [keyof typeof PARTS], {
      error: ({ input }) => `expected one of ${Object.keys(PARTS).join(', ')}, got ${shown(input)}`,
    }),
    height: length('a height'),
    teeth: whole('teeth', 12),
    ...optional(length('a length'), 'radius', 'heelRadius', 'stoneLength', 'pinCircle', 'pinRadius', 'pinFlat'),
    ...optional(length('a length'), 'notchClearance', 'hornClearance', 'armHalfWidth', 'bankingDistance'),
    ...optional(length('a length'), 'bankingRadius', 'safetyRadius', 'guardClearance', 'crescentRadius'),
    ...optional(angle, 'toothAngle', 'undercut', 'lock', 'lift', 'run', 'draw', 'drop', 'exitDrop', 'engagement'),
    ...optional(angle, 'hornEnd'),
    ...optional(count(2), 'hornSegments', 'pinSegments', 'segments'),
  }),
};
type ElementName = keyof typeof ELEMENT_SIZES;

/** The Geneva parts are cut by the CSG library, which is loaded when one is wanted. */
export const ELEMENT_SOLIDS: {
  readonly [Name in ElementName]: (size: z.output<(typeof ELEMENT_SIZES)[Name]>) => Solid | Promise<Solid>;
} = {
  wheel: async (size) => (await import('../assets/wheel.js')).wheel(size).solid,
  rock: async (size) => (await import('../assets/rock.js')).rock(size).solid,
  stone: async ({ seed = 0, ...size }) => (await import('../assets/stones.js')).angularRock({ ...given(size), seed }),
  gear: ({ height, ...size }) => extrude(involuteGear(given(size)), height),
  genevaWheel: async (size) => (await import('../assets/machine-elements/geneva-wheel.js')).genevaWheel(given(size)),
  genevaDrive: async (size) => (await import('../assets/machine-elements/geneva-wheel.js')).genevaDrive(given(size)),
  escapeWheel: ({ height, ...size }) => extrude(escapeWheel(given(size)), height),
  leverEscapement: ({ part, height, ...size }) => extrude(PARTS[part](leverEscapement(given(size))), height),
};
