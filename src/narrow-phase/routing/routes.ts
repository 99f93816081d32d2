/**
 * Ways to find contact that only some shapes need. A scene is handed those that it may use (`Routing`), so that a program whose parts are balls, boxes and
 * half-spaces need not carry what finds one mesh in another.
 */
import { circle } from '../../geometry/circle-outline.js';
import type { Outline } from '../../geometry/profile.js';
import type { Solid } from '../../geometry/solid.js';
import { capsuleRoute } from '../capsule-solid/index.js';
import { cylinderCylinderRoute } from '../cylinder-cylinder/index.js';
import { cylinderPolyhedronRoute } from '../cylinder-polyhedron/index.js';
import { ExtrusionRoute, LoopBody, type Loops, prepareLoops } from '../extrusion-overlap/index.js';
import { idealizedRoute } from '../idealized/index.js';
import { formMesh, MeshRoute, OverlapBody, prepareMesh } from '../mesh-overlap/index.js';
import type { Route } from '../route.js';
import { sphereMeshRoute } from '../sphere-mesh/index.js';

export interface Routes {
  /** Anything on anything by its triangles, and a ball on triangles */
  readonly meshes?: {
    prepare(solid: Solid): OverlapBody;
    route(a: OverlapBody, b: OverlapBody, ...rest: PairOfShapes): MeshRoute;
    readonly ball: typeof sphereMeshRoute;
  };
  /** Figures in one plane, also of arcs; where they leave it they need `meshes` */
  readonly extrusions?: {
    prepare(form: Solid['form']): LoopBody;
    route(a: LoopBody, b: LoopBody, tilted: MeshRoute, options: { readonly depth: 'volume' | 'extent' }): Route;
  };
  /** Cylinders and capsules on convex solids and on each other, without facets */
  readonly cylinders?: (first: Solid, second: Solid, ia: number, ib: number) => Route | undefined;
  /** Idealized surfaces: `contact: { surfaces }` */
  readonly surfaces?: typeof idealizedRoute;
}

type PairOfShapes = [ia: number, ib: number, options: { readonly depth: 'volume' | 'extent' }];

// Values of plain names, without spreading: bundlers leave out what nobody asks for only where they see that making it does nothing.
const meshes: Required<Routes>['meshes'] = {
  prepare: (solid) => new OverlapBody(prepareMesh(formMesh(solid))),
  route: (a, b, ...rest) => new MeshRoute(a, b, ...rest),
  ball: sphereMeshRoute,
};
const planeFigures: Required<Routes>['extrusions'] = {
  prepare: (form) => new LoopBody(loopsOfForm(form)),
  route: (a, b, tilted, options) => new ExtrusionRoute(a, b, tilted, options),
};
const rods: Required<Routes>['cylinders'] = (...pair) =>
  capsuleRoute(...pair) ?? cylinderPolyhedronRoute(...pair) ?? cylinderCylinderRoute(...pair);

export const MESHES = { meshes } satisfies Routes;
export const EXTRUSIONS = { meshes, extrusions: planeFigures } satisfies Routes;
export const CYLINDERS = { cylinders: rods } satisfies Routes;
export const SURFACES = { surfaces: idealizedRoute } satisfies Routes;
export const ALL_ROUTES: Required<Routes> = {
  meshes,
  extrusions: planeFigures,
  cylinders: rods,
  surfaces: idealizedRoute,
};

/** @param form an extrusion, a box or a cylinder */
function loopsOfForm(form: Solid['form']): Loops {
  if (form.kind === 'extrusion') return prepareLoops(form.profile, 0, form.height);
  if (form.kind === 'cylinder') {
    const outer = circle(form.radius);
    return prepareLoops({ outer, holes: [] }, -0.5 * form.height, 0.5 * form.height);
  }
  const [x, y, z] = (form as Extract<Solid['form'], { kind: 'box' }>).size.map((length) => 0.5 * length);
  const outer: Outline = [[-x, -y], [x, -y], [x, y], [-x, y]]; // biome-ignore format: one line
  return prepareLoops({ outer, holes: [] }, -z, z);
}
