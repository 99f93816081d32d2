/**
 * Soft ground as the user writes it: which soil, how fine its grid, which ground it covers, and who may sink into it.
 *
 *   soils: { regolith: { soil: 'moon-nominal', spacing: 0.01, bodies: ['wheel'] } }
 */

import { ModelError, suggestion } from '../errors.js';
import { notNegative, orientation, positive, real, shown, vector } from './schema.js';
import * as z from './schema-kinds.js';
import { type Soil, soilSchema } from './soil.js';
import { SOILS, type SoilName } from './soil-library.js';

/** Heights and slopes at any place; `terrain(…)` makes one. */
export interface SampledGround {
  sample(x: number, y: number, out: Float64Array): void;
}

/** How a body meets the soil. */
const meetsSoilSchema = z
  .strictObject({
    /** 'scm': its shape on the grid. The others see a wheel, whose axle is the body's y axis, on ground that stays as it is. 'scm' unless said */
    model: z.enum(['scm', 'terra', 'wong-reece', 'bekker', 'rheological']).optional(),
    /** Of the tread and of the wheel, m, for models of wheels; with a radius the grid tells the slip, too */
    radius: positive('a radius', 'm').optional(),
    width: positive('a width', 'm').optional(),
    grouserHeight: notNegative('a height of grousers', 'm').optional(),
    /** Tuned numbers of 'terra'; from wheel and soil unless given. contact-laws/soil/terra.ts says what they are. */
    terra: z
      .strictObject({
        stiffness: positive('a stiffness', 'N/m^exponent').optional(),
        exponent: positive('an exponent', '').optional(),
        elastic: positive('a stiffness', 'N/m').optional(),
        sinkIn: positive('a rate', '').optional(),
        sinkPower: positive('a power', '').optional(),
        sinkMost: positive('a sinkage', 'm').optional(),
        sinkOut: notNegative('a rate', '').optional(),
        sinkSlope: real('a number', '').optional(),
        sinkDepth: real('a power', '').optional(),
        friction: notNegative('a coefficient', '').optional(),
        adhesion: notNegative('an adhesion', 'Pa').optional(),
        shearLength: positive('a length', 'm').optional(),
        sinkageLoss: real('a part', '').optional(),
        resistance: notNegative('a part', '').optional(),
      })
      .readonly()
      .optional(),
    pressureWidth: z.union([positive('a width', 'm'), z.enum(['minWidth', 'patch'])]).optional(),
    sideFaces: z.boolean().optional(),
    digging: notNegative('a part of sliding that digs', '').optional(),
    diggingDepth: positive('a depth', 'm').optional(),
  })
  .readonly();
export type MeetsSoil = z.output<typeof meetsSoilSchema>;

export const soilBedSchema = z
  .strictObject({
    soil: z.union([z.string(), soilSchema], {
      error: ({ input }) =>
        `expected a soil { kc, kphi, n, cohesion, … } or one of ${Object.keys(SOILS).join(', ')}, got ${shown(input)}`,
    }),
    /** Distance of the grid's nodes, m */
    spacing: positive('a distance of nodes', 'm'),
    /** Names of bodies, or of groups of them, or each with how it meets the soil */
    bodies: z.union([z.array(z.string()).readonly(), z.record(z.string(), meetsSoilSchema)]),
    /** The ground over its frame's x and y; level unless given */
    terrain: z
      .custom<SampledGround>((value) => typeof (value as SampledGround | undefined)?.sample === 'function', {
        error: ({ input }) => `expected a ground such as terrain({ layers: […] }), got ${shown(input)}`,
      })
      .optional(),
    /** Where the terrain's frame is */
    position: vector('a position', 'm').optional(),
    orientation: orientation.optional(),
    /** How often soil that was pressed aside is put down and slopes slide, 1/s; 50 unless given, 0 for never */
    rate: notNegative('a rate', '1/s').optional(),
    /** Part of what is pressed away that is found again beside; the rest is compacted */
    flow: notNegative('a part', '').max(1, { error: 'expected a part from 0 to 1' }).optional(),
    /** Where it is put down: over a field around the contact, or on a ring of nodes; 'field' unless given */
    spread: z.enum(['ring', 'field']).optional(),
    drag: notNegative('a weight', '').optional(),
    slides: notNegative('a number of rounds', '').optional(),
    reach: positive('a number of nodes', '').optional(),
    memory: positive('a size', 'B').optional(),
    /** Times in which elastic sinkage and shear come to rest, s; 2 ms and 10 ms unless given */
    relaxation: notNegative('a time', 's').optional(),
    shearRelaxation: notNegative('a time', 's').optional(),
    /** The piece of ground that is drawn: m along x and y of its frame */
    drawn: z
      .strictObject({
        size: z.tuple([positive('a length', 'm'), positive('a length', 'm')]).readonly(),
        centre: z
          .tuple([real('a place', 'm'), real('a place', 'm')])
          .readonly()
          .optional(),
        /** Distance of its vertices, m; twice the grid's unless given */
        resolution: positive('a distance of vertices', 'm').optional(),
        show: z.enum(['sinkage', 'pressure', 'shear']).optional(),
      })
      .readonly()
      .optional(),
  })
  .readonly();
export type SoilBed = z.output<typeof soilBedSchema>;
export type SoilBedOptions = z.input<typeof soilBedSchema>;

/** The soil meant by name or given */
export function soilOf(given: SoilBed['soil'], path: string): Soil {
  if (typeof given !== 'string') return given;
  if (Object.hasOwn(SOILS, given)) return SOILS[given as SoilName];
  throw new ModelError(
    path,
    `there is no soil "${given}"${suggestion(given, Object.keys(SOILS)) || `; there are ${Object.keys(SOILS).join(', ')}`}`,
  );
}
