/** The mesh of a solid in the frame of its form, in which all routes work. */
import { extrude } from '../../geometry/extrude.js';
import { box } from '../../geometry/primitives.js';
import type { Solid } from '../../geometry/solid.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { conjugate, rotate } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';

/**
 * A mesh is its own form. Boxes and extrusions are made anew, so that their faces are exactly as plane as given; the surface of other
 * solids is moved back by the inverse of the form's pose.
 */
export function formMesh({ mesh, form, pose }: Solid): TriangleMesh {
  const { position, orientation } = pose;
  const moved = position.some((x) => x !== 0) || orientation[1] !== 0 || orientation[2] !== 0 || orientation[3] !== 0;
  if (form.kind === 'mesh' || !moved) return mesh;
  if (form.kind === 'box') return box(form.size).mesh;
  if (form.kind === 'extrusion') {
    const { profile, height, segments } = form;
    return extrude(profile, height, segments === undefined ? {} : { segments }).mesh;
  }
  const back = conjugate(orientation);
  const vertices = new Float64Array(mesh.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    const arm: Vec3 = [
      mesh.vertices[i] - position[0],
      mesh.vertices[i + 1] - position[1],
      mesh.vertices[i + 2] - position[2],
    ];
    vertices.set(rotate(back, arm), i);
  }
  return { vertices, triangles: mesh.triangles };
}
