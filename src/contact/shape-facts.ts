/**
 * What is known of the shapes of a model for as long as it lasts, found once: how large they are, how far from their body's reference point they
 * reach, how thin they are, which solid bounds them, and what the searches for contact prepare of them. Contact systems of parts of the model
 * share it (`select`).
 */
import type { ContactShape, System } from '../assembly/system.js';
import { ShapeBounds } from '../broad-phase/shape-bounds.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { halfSpace } from '../geometry/half-space.js';
import { solidMassProperties } from '../geometry/mass-properties.js';
import { sphere } from '../geometry/primitives.js';
import type { Pose, Solid } from '../geometry/solid.js';
import { meshBounds } from '../geometry/triangle-mesh.js';
import { cbrt } from '../math/elementary.js';
import { conjugate, multiply, rotate } from '../math/quaternion.js';
import type { Tape } from '../math/tape.js';
import { norm, sub, ZERO } from '../math/vec3.js';
import type { Surface } from '../model/contacts.js';
import { isConvex } from '../narrow-phase/convex-overlap/index.js';
import { type IdealizedSurface, layerThickness } from '../narrow-phase/idealized/index.js';
import type { Routes } from '../narrow-phase/routing/routes.js';
import { Routing } from '../narrow-phase/routing/routing.js';

/** Names of regions: numbered per pair of shapes, so that what one pair is called does not depend on what others do. */
export class RegionNumbers {
  /** All that were given since the start */
  total = 0;
  private readonly given = new Map<number, number>();

  /** A number that no region of the pair has had. @param pair a number for the two shapes */
  next(pair: number): number {
    const number = this.given.get(pair) ?? 0;
    this.given.set(pair, number + 1);
    this.total++;
    return number;
  }

  remember(tape: Tape): void {
    this.total = tape.number(this.total);
    const given = tape.numbers(Float64Array.from([...this.given].flat()));
    if (tape.reading) for (let k = 0; k < given.length; k += 2) this.given.set(given[k], given[k + 1]);
  }
}

export class ShapeFacts {
  readonly shapes: readonly ContactShape[];
  /** A solid that bounds the shape: its own, or one for an idealized surface */
  readonly boundingSolids: readonly Solid[];
  readonly routing: Routing;
  /** m per shape: farthest point from its carrier's reference point, thinnest extent, size */
  readonly reach: Float64Array;
  readonly thin: Float64Array;
  readonly sizes: Float64Array;
  /** m per shape: cube root of the volume */
  readonly lengths: Float64Array;

  /** 1: hollow, 0: not, −1: not looked at */
  private readonly hollow: Int8Array;
  /** Shared by all that have some of the shapes */
  private readonly numbers: RegionNumbers;
  /** Number of each shape in the whole model, and how many there are */
  private readonly inWhole: Int32Array;
  private readonly ofWhole: number;

  private constructor(
    shapes: readonly ContactShape[],
    boundingSolids: readonly Solid[],
    routing: Routing,
    whole?: { readonly numbers: RegionNumbers; readonly inWhole: Int32Array; readonly ofWhole: number },
  ) {
    this.numbers = whole?.numbers ?? new RegionNumbers();
    this.inWhole = whole?.inWhole ?? Int32Array.from(shapes, (_, i) => i);
    this.ofWhole = whole?.ofWhole ?? shapes.length;
    this.shapes = shapes;
    this.boundingSolids = boundingSolids;
    this.routing = routing;
    this.reach = new Float64Array(shapes.length);
    this.thin = new Float64Array(shapes.length);
    this.sizes = new Float64Array(shapes.length);
    this.lengths = new Float64Array(shapes.length);
    this.hollow = new Int8Array(shapes.length).fill(-1);
  }

  /** Facts of all shapes of a model that can touch. @param routes ways to find contact that only some shapes need */
  static of({ bodies, contacts }: System, routes: Routes): ShapeFacts {
    const { shapes } = contacts!;
    const facts = new ShapeFacts(
      shapes,
      shapes.map(boundingSolid),
      new Routing(
        shapes.map(({ surface, ...shape }) => ({ ...shape, surface: surface && idealized(surface) })),
        routes,
      ),
    );
    shapes.forEach((shape, i) => {
      facts.measure(shape, i);
      const { surface, thickness, body } = shape;
      const { thin, sizes, lengths } = facts;
      // corners are as large as the body they are on: one alone has no size
      if (surface?.kind === 'points') {
        const { fixed, size } = bodies[body];
        for (const measure of [thin, sizes, lengths])
          measure[i] = Math.max(measure[i], fixed ? Number.POSITIVE_INFINITY : size);
      }
      // behind its layer a surface is nothing
      if (surface) thin[i] = Math.min(thin[i], thickness ?? layerThickness(idealized(surface)));
    });
    return facts;
  }

  private measure(shape: ContactShape, i: number): void {
    const { reach, thin, sizes, lengths } = this;
    const solid = this.boundingSolids[i];
    if (solid.form.kind === 'halfSpace') {
      reach[i] = thin[i] = sizes[i] = lengths[i] = Number.POSITIVE_INFINITY;
      return;
    }
    const { min, max } = meshBounds(solid.mesh);
    const extent = sub(max, min);
    thin[i] = Math.max(1e-3 * norm(extent), Math.min(extent[0], extent[1], extent[2]));
    sizes[i] = norm(extent);
    lengths[i] = cbrt(solidMassProperties(solid).volume);
    const pose = solidPose(shape, solid);
    const { vertices } = solid.mesh;
    for (let k = 0; k < vertices.length; k += 3) {
      const corner = rotate(pose.orientation, [vertices[k], vertices[k + 1], vertices[k + 2]]);
      const x = corner[0] + pose.position[0];
      const y = corner[1] + pose.position[1];
      const z = corner[2] + pose.position[2];
      reach[i] = Math.max(reach[i], Math.sqrt(x * x + y * y + z * z));
    }
  }

  /** Which numbers regions have had, in the whole model */
  remember(tape: Tape): void {
    this.numbers.remember(tape);
  }

  /**
   * Facts of some of the shapes, for a part of the model; nothing is found anew.
   *
   * @param chosen numbers of the shapes here
   * @param shapes the same as the part has them, where bodies and carriers have other numbers
   */
  select(chosen: ArrayLike<number>, shapes: readonly ContactShape[]): ShapeFacts {
    const solids = Array.from(chosen, (i) => this.boundingSolids[i]);
    const { numbers, ofWhole } = this;
    const inWhole = Int32Array.from(chosen, (i) => this.inWhole[i]);
    const part = new ShapeFacts(shapes, solids, this.routing.select(chosen), { numbers, inWhole, ofWhole });
    for (let i = 0; i < chosen.length; i++) {
      part.reach[i] = this.reach[chosen[i]];
      part.thin[i] = this.thin[chosen[i]];
      part.sizes[i] = this.sizes[chosen[i]];
      part.lengths[i] = this.lengths[chosen[i]];
    }
    return part;
  }

  /**
   * How near two shapes of different islands come before these become one, m: 10⁻³ of the smaller. Less than half the margin within which pairs are
   * candidates (contact-list.ts), so that two within twice of it are a pair.
   */
  meetingGap(a: number, b: number): number {
    const { reach, sizes } = this;
    const smaller = Math.min(reach[a], reach[b], sizes[a], sizes[b]);
    return smaller < Number.POSITIVE_INFINITY ? 1e-3 * smaller : 0;
  }

  /** Not convex: what touches it may lie in a hole, a groove or a corner of it and be led along it. Idealized surfaces and half-spaces are not. */
  isHollow(i: number): boolean {
    if (this.hollow[i] < 0) {
      const { solid, surface } = this.shapes[i];
      const kind = solid?.form.kind;
      // round forms and boxes are not, and need not be prepared for clipping to know it: 140 kB per ball
      this.hollow[i] = !surface && (kind === 'extrusion' || kind === 'mesh') && !isConvex(solid!) ? 1 : 0;
    }
    return this.hollow[i] === 1;
  }

  /** A number for a new region of two shapes */
  nextRegion(a: number, b: number): number {
    const [i, j] = [this.inWhole[a], this.inWhole[b]];
    return this.numbers.next(Math.min(i, j) * this.ofWhole + Math.max(i, j));
  }

  /** Regions named since the start, in the whole model */
  get regions(): number {
    return this.numbers.total;
  }

  /** Boxes about the shapes as their carriers move them */
  bounds(carriers: Carriers): ShapeBounds {
    return new ShapeBounds(
      this.shapes.map((shape, i) => {
        const carrier = carriers.indexOf(shape.anchor);
        return {
          solid: this.boundingSolids[i],
          body: carrier === carriers.ground ? -1 : carrier,
          pose: solidPose(shape, this.boundingSolids[i]),
        };
      }),
    );
  }
}

/** Of a round form or surface, m */
export function rollingRadius({ solid, surface }: ContactShape): number {
  if (surface) return 'radius' in surface ? surface.radius : Number.POSITIVE_INFINITY;
  return solid && 'radius' in solid.form ? solid.form.radius : Number.POSITIVE_INFINITY;
}

/** The surface without its place */
function idealized(surface: Surface): IdealizedSurface {
  if (surface.kind !== 'rectangle') return surface;
  const { width = Number.POSITIVE_INFINITY, length = Number.POSITIVE_INFINITY } = surface;
  return { kind: 'rectangle', width, length };
}

function boundingSolid({ solid, surface, thickness = 0 }: ContactShape): Solid {
  if (!surface) return solid!;
  switch (surface.kind) {
    case 'sphere':
      return sphere(surface.radius);
    case 'cylinder':
      return sphere(Math.sqrt(surface.radius * surface.radius + 0.25 * surface.length * surface.length));
    case 'circle':
      return sphere(Math.sqrt(surface.radius * surface.radius + thickness * thickness));
    case 'rectangle':
      if (surface.width === undefined || surface.length === undefined) return halfSpace();
      return sphere(
        Math.sqrt(0.25 * (surface.width * surface.width + surface.length * surface.length) + thickness * thickness),
      );
    case 'points':
      return sphere(Math.max(1e-9, ...surface.points.map((point) => norm(point))));
  }
}

/** Pose of the solid's frame on its carrier; `anchor` is that of the form's */
function solidPose({ anchor, surface }: ContactShape, solid: Solid): Pose {
  if (surface || solid.form.kind === 'mesh') return { position: anchor.position, orientation: anchor.orientation };
  const orientation = multiply(anchor.orientation, conjugate(solid.pose.orientation));
  return { position: sub(anchor.position, rotate(orientation, solid.pose.position ?? ZERO)), orientation };
}
