/** A meshed planar part. */
import type { PlaneMesh } from '../mesh/plane-mesh.js';
import { ElasticPart } from './elastic-part.js';
import { applyMass, applyStiffness, type PlaneMaterial, type PlaneMatrices, planeMatrices } from './plane-elements.js';
import { nodalStress } from './stress.js';

export class PlanePart extends ElasticPart {
  readonly dimension = 2;
  readonly mesh: PlaneMesh;
  readonly material: PlaneMaterial;
  readonly matrices: PlaneMatrices;

  constructor(mesh: PlaneMesh, material: PlaneMaterial, matrices = planeMatrices(mesh, material)) {
    super();
    this.mesh = mesh;
    this.material = material;
    this.matrices = matrices;
  }

  applyStiffness(x: Float64Array, out: Float64Array): void {
    applyStiffness(this.matrices, x, out);
  }

  applyMass(x: Float64Array, out: Float64Array): void {
    applyMass(this.matrices, x, out);
  }

  stress(displacements: Float64Array): Float64Array {
    return nodalStress(this.mesh, this.material, displacements);
  }
}
