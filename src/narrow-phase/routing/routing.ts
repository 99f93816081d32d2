/**
 * Which route a pair of shapes takes, by their kinds; the first that fits:
 *
 *   idealized surfaces           analytic points                          both shapes are surfaces
 *   points                       deepest points with a manifold           where the user asks for it
 *   ball, capsule with a form    closed form                              and a cylinder or ellipsoid with a half-space
 *   half-space with any solid    clipped by the plane; discs, which are extrusions with a circle around, without facets
 *   two extrusions               polygons in the plane                    if neither can tilt
 *   an extrusion with arcs and a box or cylinder    the same, as a rectangle or circle drawn along z
 *   a disc and what a cylinder touches without facets    as the cylinder around it, until something is in a hole
 *   a ball and any other solid   the ball exact, the other as its mesh
 *   a capsule and a convex solid     its cylinder and its end balls
 *   a cylinder and a convex solid with flat faces, or another cylinder    without facets
 *   two convex solids            faces clipped by faces
 *   anything else                signed crossings of the two meshes
 */
import { ModelError, missingStage } from '../../errors.js';
import { hasArcs } from '../../geometry/outline.js';
import type { Solid } from '../../geometry/solid.js';
import type { Vec3 } from '../../math/vec3.js';
import { closedFormRoute } from '../closed-form/index.js';
import { convexRoute } from '../convex-overlap/index.js';
import { discHalfSpaceRoute, discRoute } from '../disc/index.js';
import type { LoopBody } from '../extrusion-overlap/index.js';
import { halfSpaceRoute } from '../half-space-overlap/index.js';
import type { IdealizedSurface } from '../idealized/index.js';
import { manifoldRoute } from '../manifold/index.js';
import type { MeshRoute, OverlapBody } from '../mesh-overlap/index.js';
import type { Route } from '../route.js';
import type { Routes } from './routes.js';

export interface RoutableShape {
  readonly name: string;
  readonly solid: Solid | undefined;
  readonly surface?: IdealizedSurface | undefined;
  readonly perAxis?: boolean | undefined;
  /** Layer behind an idealized surface, m */
  readonly thickness?: number | undefined;
  /** False: balls pass the edges of idealized faces. */
  readonly edges?: boolean | undefined;
  /** Axis of an extrusion, box or cylinder that can only turn about it and move across it, world as drawn */
  readonly planeNormal?: Vec3 | undefined;
}

export interface RoutingOptions {
  readonly search: 'automatic' | 'overlap' | 'points';
  readonly depth: 'volume' | 'extent';
}

/** What a shape needs for its routes, made when it is first asked for */
interface Prepared {
  mesh?: OverlapBody;
  loops?: LoopBody;
}

/** Routes for the pairs of one scene; what a shape needs for them is prepared once. */
export class Routing {
  private readonly prepared: readonly Prepared[];

  /** @param routes those beside closed forms, half-spaces and convex solids that the program has */
  constructor(
    private readonly shapes: readonly RoutableShape[],
    private readonly routes: Routes,
    prepared?: readonly Prepared[],
  ) {
    this.prepared = prepared ?? shapes.map(() => ({}));
  }

  /** Routes for pairs of some of the shapes, by their numbers among these; what is prepared of a shape is shared. */
  select(chosen: ArrayLike<number>): Routing {
    return new Routing(
      Array.from(chosen, (i) => this.shapes[i]),
      this.routes,
      Array.from(chosen, (i) => this.prepared[i]),
    );
  }

  /** True if it knows a way for any two shapes */
  get complete(): boolean {
    const { meshes, extrusions, cylinders, surfaces } = this.routes;
    return [meshes, extrusions, cylinders, surfaces].every((way) => way !== undefined);
  }

  /** @throws ModelError where the two cannot touch by any route */
  route(ia: number, ib: number, options: RoutingOptions): Route {
    const a = this.shapes[ia];
    const b = this.shapes[ib];
    if (a.surface || b.surface) {
      if (!a.surface || !b.surface)
        throw new ModelError(
          `bodies.${(a.surface ? b : a).name}.contact.surfaces`,
          `"${(a.surface ? a : b).name}" touches by idealized surfaces; expected surfaces here, too, or the pair in contacts.exclude`,
        );
      // the thicker of two layers; edges unless one of them has none
      const thickness = Math.max(a.thickness ?? 0, b.thickness ?? 0);
      const { surfaces = missing('surfaces', a, b, 'idealized surfaces') } = this.routes;
      return surfaces(a.surface, b.surface, ia, ib, {
        perAxis: (a.perAxis || b.perAxis) ?? false,
        edges: (a.edges ?? true) && (b.edges ?? true),
        ...(thickness > 0 && { thickness }),
      });
    }
    const first = a.solid!;
    const second = b.solid!;
    const { search, depth } = options;
    if (search === 'points') {
      const route = manifoldRoute(first, second, ia, ib);
      if (!route)
        throw new ModelError(
          `contacts.pairs (${a.name}–${b.name}).search`,
          "'points' needs two convex solids; take 'overlap', which takes any",
        );
      return route;
    }
    const closed = search === 'automatic' ? closedFormRoute({ solid: first }, { solid: second }, ia, ib) : undefined;
    if (closed) return closed;
    const exact = search === 'automatic' && depth === 'volume';
    const clipped =
      (exact ? discHalfSpaceRoute(first, second, ia, ib) : undefined) ??
      halfSpaceRoute(first, second, ia, ib, { depth });
    if (clipped) return clipped;
    if (parallel(a.planeNormal, b.planeNormal) && areFigures(first, second)) return this.planeRoute(ia, ib, depth);
    const wheel = exact ? this.discRoute(ia, ib) : undefined;
    if (wheel) return wheel;
    // before convex solids, as which a ball would roll on its facets
    const { meshes, cylinders } = this.routes;
    if (search === 'automatic' && (first.form.kind === 'sphere' || second.form.kind === 'sphere')) {
      const ball = (meshes ?? missing('meshes', a, b, 'a ball on a mesh')).ball(first, second, ia, ib);
      if (ball) return ball;
    }
    if (exact && (isRod(first) || isRod(second))) {
      const round = (cylinders ?? missing('cylinders', a, b, 'cylinders and capsules'))(first, second, ia, ib);
      if (round) return round;
    }
    const convex = convexRoute(first, second, ia, ib, { depth });
    return convex ?? this.meshRoute(ia, ib, depth);
  }

  private discRoute(ia: number, ib: number): Route | undefined {
    const [first, second] = [this.shapes[ia].solid!, this.shapes[ib].solid!];
    const between = (a: Solid, b: Solid, i: number, j: number): Route | undefined =>
      closedFormRoute({ solid: a }, { solid: b }, i, j) ?? this.routes.cylinders?.(a, b, i, j);
    return discRoute(first, second, ia, ib, between, () => this.meshRoute(ia, ib, 'volume'));
  }

  private meshRoute(ia: number, ib: number, depth: RoutingOptions['depth']): MeshRoute {
    const { meshes = missing('meshes', this.shapes[ia], this.shapes[ib], 'a shape that is not convex') } = this.routes;
    const meshOf = (i: number): OverlapBody => {
      this.prepared[i].mesh ??= meshes.prepare(this.shapes[i].solid!);
      return this.prepared[i].mesh;
    };
    return meshes.route(meshOf(ia), meshOf(ib), ia, ib, { depth });
  }

  private planeRoute(ia: number, ib: number, depth: RoutingOptions['depth']): Route {
    const { extrusions = missing('extrusions', this.shapes[ia], this.shapes[ib], 'figures in one plane') } =
      this.routes;
    const loopsOf = (i: number): LoopBody => {
      this.prepared[i].loops ??= extrusions.prepare(this.shapes[i].solid!.form);
      return this.prepared[i].loops;
    };
    return extrusions.route(loopsOf(ia), loopsOf(ib), this.meshRoute(ia, ib, depth), { depth });
  }
}

function missing(stage: keyof Routes, a: RoutableShape, b: RoutableShape, what: string): never {
  throw missingStage(`contact of ${a.name} and ${b.name}`, what, stage);
}

/** One whose round side is found without facets */
const isRod = ({ form }: Solid): boolean => form.kind === 'cylinder' || form.kind === 'capsule';

/** Two extrusions; or one with arcs, which nothing but the plane route knows, and a box or cylinder */
function areFigures({ form: a }: Solid, { form: b }: Solid): boolean {
  if (a.kind === 'extrusion' && b.kind === 'extrusion') return true;
  if (a.kind === 'extrusion') return hasArcs(a.profile) && (b.kind === 'box' || b.kind === 'cylinder');
  return b.kind === 'extrusion' && hasArcs(b.profile) && (a.kind === 'box' || a.kind === 'cylinder');
}

const parallel = (u: Vec3 | undefined, v: Vec3 | undefined): boolean => {
  if (!u || !v) return false;
  const x = u[1] * v[2] - u[2] * v[1];
  const y = u[2] * v[0] - u[0] * v[2];
  const z = u[0] * v[1] - u[1] * v[0];
  return x * x + y * y + z * z < 1e-24;
};
