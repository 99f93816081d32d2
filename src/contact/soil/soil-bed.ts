/**
 * Soft ground of a model as contact elements: one for each body that may sink into it, all of them on one grid, which they hand each other's ruts.
 *
 * A trial evaluation of an element draws its body into the grid and adds the force at the body's origin, the torque beside it; `accept` lets the
 * grid yield; when all bodies have accepted a step and the soil's own clock says so, what was pressed aside is put down.
 */
import { ModelError } from '../../errors.js';
import { joinMeshes, type TriangleMesh } from '../../geometry/triangle-mesh.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Body } from '../../model/body.js';
import type { Carrier, ContactElement, ContactElementPlan } from '../../model/contact-element.js';
import { namesBody } from '../../model/contacts.js';
import { GRAVITY } from '../../model/gravity.js';
import type { Model } from '../../model/model.js';
import type { MeetsSoil, SampledGround, SoilBed } from '../../model/soil-bed.js';
import { soilOf } from '../../model/soil-bed.js';
import { type DrawnSurface, drawnSurface } from '../../model/surfaces.js';
import { drawnGround } from './drawn-ground.js';
import { SoilClock } from './soil-clock.js';
import { SoilElement } from './soil-element.js';
import { SoilGrid } from './soil-grid.js';
import { TerrainFrame } from './terrain-frame.js';
import { wheelElement } from './wheel-element.js';

const LEVEL: SampledGround = { sample: (_x, _y, out) => void out.fill(0) };
const RATE = 50;
const RELAXATION = 2e-3;
const SHEAR_RELAXATION = 1e-2;

/** The model with its soils as elements and drawn surfaces; itself where it has none. */
export function withSoils(model: Model): Model {
  if (model.soils.size === 0) return model;
  const elements = new Map(model.elements);
  const surfaces = new Map(model.surfaces);
  const underGrains: Bed[] = [];
  const beds = [...model.soils].map(([name, bed]) => new Bed(name, bed, model));
  for (const made of beds) {
    const { name, options: bed } = made;
    made.besides = beds.filter((other) => other !== made);
    for (const [element, plan] of made.elements) elements.set(element, plan);
    if (bed.drawn) surfaces.set(name, made.surface());
    if (made.species.length > 0) underGrains.push(made);
  }
  const whole = { ...model, elements, surfaces };
  bedsUnderGrains.set(whole, underGrains);
  return whole;
}

const bedsUnderGrains = new WeakMap<Model, readonly Bed[]>();

/** Soils that grains of a model lie on. @param model as `withSoils` gave it */
export const soilsUnderGrains = (model: Model): readonly Bed[] => bedsUnderGrains.get(model) ?? [];

/** One soil of a model, for one run. */
export class Bed {
  readonly elements = new Map<string, ContactElementPlan>();
  readonly frame: TerrainFrame;
  readonly ground: SampledGround;
  /** The other soils of the model */
  besides: readonly Bed[] = [];
  /** The grid that accepted a step last; undefined before the first */
  current: SoilGrid | undefined;
  private readonly gravity: number;
  /** Grid whose elements are being made, and whose it has */
  private making: { readonly clock: SoilClock; readonly has: Set<string> } | undefined;
  private readonly bodies: readonly (readonly [string, MeetsSoil])[];
  /** Species of grains that lie on it */
  readonly species: readonly (readonly [string, MeetsSoil])[];

  constructor(
    readonly name: string,
    readonly options: SoilBed,
    model: Model,
  ) {
    this.frame = new TerrainFrame(options.position, options.orientation);
    this.ground = options.terrain ?? LEVEL;
    this.gravity = this.gravityAcross(model);
    this.bodies = bodiesOf(options, model);
    this.species = speciesOf(options, model);
    if (this.species.length > 0 && this.bodies.length > 0)
      throw new ModelError(
        `soils.${name}.bodies`,
        `expected bodies or species of grains, got "${this.bodies[0][0]}" and "${this.species[0][0]}"; give each a soil of its own`,
      );
    for (const [own, { model: law = 'scm' }] of this.species)
      if (law !== 'scm')
        throw new ModelError(
          `soils.${name}.bodies.${own}.model`,
          `grains lie on the grid: expected 'scm', got '${law}'`,
        );
    for (const [body, meets] of this.bodies) {
      const given = model.bodies.get(body)!;
      const element = `${name}.${body}`;
      // The grid feels the surface as drawn, and the wrench acts at the body's origin, which bends nothing
      if (given.flexible)
        throw new ModelError(
          `soils.${name}.bodies`,
          `"${body}" deforms, and soil carries rigid bodies: it would not bend it; make it rigid, or hold a rigid shoe on it with a joint and name that one here`,
        );
      if ((meets.model ?? 'scm') === 'scm') this.elements.set(element, this.gridElement(body, given, meets));
      else {
        const soil = soilOf(options.soil, `soils.${name}.soil`);
        const path = `soils.${name}.bodies.${body}`;
        this.elements.set(
          element,
          wheelElement({
            body,
            meets,
            soil,
            path,
            soilPath: `soils.${name}.soil`,
            gravity: this.gravity,
            ground: this.ground,
            frame: this.frame,
            name,
            others: () => this.othersUnder(body),
          }),
        );
      }
    }
  }

  /** Soils that carry the same body or species, too */
  othersUnder(name: string): readonly Bed[] {
    return this.besides.filter(({ bodies, species }) => [...bodies, ...species].some(([other]) => other === name));
  }

  /** m/s², along the terrain's z */
  private gravityAcross({ gravity }: Model): number {
    if (typeof gravity === 'string') return Math.abs(GRAVITY[gravity] * this.frame.rotation[8]);
    if (!Array.isArray(gravity)) return 9.81;
    const [x, y, z] = gravity as unknown as Vec3;
    const { rotation: R } = this.frame;
    return Math.abs(R[2] * x + R[5] * y + R[8] * z);
  }

  private gridElement(body: string, given: Body, meets: MeetsSoil): ContactElementPlan {
    const path = `soils.${this.name}.bodies.${body}`;
    const mesh = meshOf(given, path);
    const { radius = 0 } = meets;
    return {
      kind: 'contactElement',
      between: ['ground', body],
      shares: `soils.${this.name}`,
      signals: {
        sinkage: { unit: 'm', description: 'deepest point below the unloaded ground' },
        area: { unit: 'm²', description: 'of the ground touched, seen along its normal' },
        ...(radius > 0 && { slip: { unit: '', description: '(ω r − v)/max(ω r, v)' } }),
      },
      create: ({ b }: { readonly a: Carrier; readonly b: Carrier }): ContactElement => {
        const clock = this.clockFor(body);
        const object = clock.grid.add(body, mesh, withoutUndefined({ ...meets }), path);
        return new SoilElement(path, clock, object, b, this, this.othersUnder(body), radius);
      },
    };
  }

  /** All bodies of a run are made one after another and share a grid; a body that comes again begins another run. */
  private clockFor(body: string): SoilClock {
    if (!this.making || this.making.has.has(body)) this.making = { clock: this.newClock(), has: new Set() };
    this.making.has.add(body);
    return this.making.clock;
  }

  /** A grid for grains, which accept their steps all at once */
  gridOfGrains(): { readonly grid: SoilGrid; readonly rate: number } {
    const { grid } = this.newClock();
    return { grid, rate: this.options.rate ?? RATE };
  }

  private newClock(): SoilClock {
    const {
      soil,
      spacing,
      rate = RATE,
      relaxation = RELAXATION,
      shearRelaxation = SHEAR_RELAXATION,
      ...rest
    } = this.options;
    const { flow, spread, drag, slides, reach, memory } = rest;
    const grid = new SoilGrid(this.ground, {
      soil: soilOf(soil, `soils.${this.name}.soil`),
      spacing,
      gravity: this.gravity,
      path: `soils.${this.name}`,
      soilPath: `soils.${this.name}.soil`,
      relaxation,
      shearRelaxation,
      ...withoutUndefined({ flow, spread, drag, slides, reach, memory }),
    });
    this.current ??= grid;
    return new SoilClock(grid, rate, (accepted) => {
      this.current = accepted;
    });
  }

  surface(): DrawnSurface {
    const { options, frame, ground } = this;
    const given = drawnGround(options.drawn!, options.spacing, ground, frame, () => this.current?.tiles);
    return drawnSurface(given, `soils.${this.name}.drawn`);
  }
}

const wantedOf = ({ bodies }: SoilBed): (readonly [string, MeetsSoil])[] =>
  Array.isArray(bodies)
    ? bodies.map((name) => [name, {}] as const)
    : Object.entries(bodies).map(([name, meets]) => [name, meets as MeetsSoil]);

const speciesOf = (bed: SoilBed, { grains }: Model): (readonly [string, MeetsSoil])[] =>
  wantedOf(bed).filter(([name]) => grains?.species[name] !== undefined);

function bodiesOf(bed: SoilBed, model: Model): [string, MeetsSoil][] {
  const wanted = wantedOf(bed);
  const found = new Map<string, MeetsSoil>();
  for (const [pattern, meets] of wanted)
    for (const name of model.bodies.keys()) if (namesBody(pattern, name)) found.set(name, meets);
  return [...found];
}

function meshOf({ shape }: Body, path: string): TriangleMesh {
  const shapes = shape === undefined ? [] : Array.isArray(shape) ? shape : [shape];
  if (shapes.length === 0)
    throw new ModelError(path, 'expected a body with a shape, for the soil feels its surface; got one without');
  for (const { form } of shapes)
    if (form.kind === 'halfSpace')
      throw new ModelError(path, 'a half-space cannot sink into soil; expected a solid of finite size');
  return joinMeshes(shapes.map(({ mesh }) => mesh));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(given: T): Given<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given<T>;
