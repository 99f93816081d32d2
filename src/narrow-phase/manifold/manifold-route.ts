/**
 * Contact of two convex solids by their deepest points, as BBCC (Buse, Pignède & Barthelmes 2023) and CollisionLib (Hofmann et al. 2014) have it, but with as many points as
 * the facets that face each other need. A point has a depth and no area.
 */
import type { Solid } from '../../geometry/solid.js';
import { type ContactPatches, PATCH } from '../contact-patches.js';
import { ConvexDistance, RelativePose } from '../distance/index.js';
import type { Route, Separation, ShapePoses } from '../route.js';
import { ContactNormal } from './contact-normal.js';
import { ContactPoints } from './contact-points.js';
import { type ConvexShape, convexShape } from './convex-shape.js';
import { writePoint } from './gradient-rows.js';
import { HalfSpacePoints } from './half-space-points.js';
import { PlacedShape } from './placed-shape.js';
import { Tape } from './tape.js';

export class ManifoldRoute implements Route {
  readonly name: string;
  readonly mostRegions = 8;
  readonly costly = true;
  readonly curvature: number;
  readonly patches = false;
  private readonly tape = new Tape();
  private readonly pose = new RelativePose();
  private readonly placedA: PlacedShape;
  private readonly placedB: PlacedShape;
  private readonly contact: ContactNormal;
  private readonly points: ContactPoints;
  private readonly distance: ConvexDistance;

  /** @param a, b the shapes' places in the poses */
  constructor(
    readonly a: number,
    readonly b: number,
    shapeA: ConvexShape,
    shapeB: ConvexShape,
  ) {
    this.name = `${shapeA.kind}–${shapeB.kind} by deepest points`;
    this.placedA = new PlacedShape(shapeA, false);
    this.placedB = new PlacedShape(shapeB, true);
    this.contact = new ContactNormal(this.placedA, this.placedB, this.pose, this.tape);
    this.points = new ContactPoints(this.placedA, this.placedB, this.tape);
    this.distance = new ConvexDistance(shapeA.support, shapeB.support, shapeA.radius, shapeB.radius);
    this.curvature = bendOf(shapeA, shapeB) + bendOf(shapeB, shapeA);
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    const { a, b, tape, contact, points } = this;
    tape.wind(gradients);
    this.pose.set(poses, a, b);
    this.placedA.place(poses, a, a);
    this.placedB.place(poses, b, a);
    if (!contact.find()) return;
    points.find(contact);
    const { position } = poses;
    for (let i = 0; i < points.count; i++) {
      const row = patches.add(pair, i);
      patches.feature[2 * row] = points.features[2 * i];
      patches.feature[2 * row + 1] = points.features[2 * i + 1];
      if (contact.arbitrary) patches.flags[row] = PATCH.contained;
      writePoint(
        tape,
        patches,
        row,
        points.depths[i],
        points.normal,
        points.places[i],
        position[3 * a],
        position[3 * a + 1],
        position[3 * a + 2],
        gradients,
      );
    }
  }

  separate(poses: ShapePoses, out: Separation): void {
    this.distance.evaluate(poses, this.a, this.b, out);
  }
}

/** 1/r of a sphere where the other touches it with a plane face or as a sphere. */
function bendOf(shape: ConvexShape, other: ConvexShape): number {
  const flat = other.kind === 'sphere' || (other.polyhedron?.faceCount ?? 0) > 0;
  return shape.kind === 'sphere' && flat ? 1 / shape.radius : 0;
}

/**
 * The route by deepest points; undefined unless both solids are convex. One of them may be a half-space.
 *
 * @param ia, ib the shapes' places in the poses
 * @example const route = manifoldRoute(box([1, 1, 1]), cylinder({ radius: 0.1, height: 1 }), 0, 1);
 */
export function manifoldRoute(solidA: Solid, solidB: Solid, ia: number, ib: number): Route | undefined {
  if (solidB.form.kind === 'halfSpace')
    return solidA.form.kind === 'halfSpace' ? undefined : manifoldRoute(solidB, solidA, ib, ia);
  const b = convexShape(solidB);
  if (!b) return undefined;
  if (solidA.form.kind === 'halfSpace') return new HalfSpacePoints(ia, ib, b);
  const a = convexShape(solidA);
  return a && new ManifoldRoute(ia, ib, a, b);
}
