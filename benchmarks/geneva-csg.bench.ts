// A Geneva wheel of 6 slots cut from a disc: one blank and 18 cutters in one operation, at three resolutions.
import { genevaDimensions, profileArea, type Solid, subtract } from 'tippetop';
import { genevaWheelMoments, genevaWheelParts } from 'tippetop/assets';
import { benchmark, rival } from './harness.js';

interface Parts {
  readonly blank: Solid;
  readonly cutters: readonly Solid[];
  /** of the exact wheel, arcs being arcs, m³ */
  readonly volume: number;
}

benchmark('geneva-csg', {
  source: 'Elmqvist et al. (2015), §2.4; the rival is the same library as it comes, with single-precision meshes',
  unit: 'wheel',
  sizes: [32, 128, 512], // corners of a full circle
  prepare(segments): Parts {
    const volume = genevaDimensions().height * genevaWheelMoments().wheelArea;
    return { ...genevaWheelParts({ segments }), volume };
  },
  run: ({ blank, cutters }) => subtract(blank, ...cutters),
  work: () => 1,
  // Polygons instead of circles: 16 times less with 4 times the corners.
  error({ form }, { volume }) {
    if (form.kind !== 'extrusion') throw new Error('the wheel should be an extrusion');
    return Math.abs((form.height * profileArea(form.profile)) / volume - 1);
  },
  ratios: {
    'manifold-3d, single': rival({
      async prepare({ blank, cutters }: Parts) {
        const module = await (await import('manifold-3d')).default();
        module.setup();
        const meshes = [blank, ...cutters].map(({ mesh: { vertices, triangles } }) => ({
          numProp: 3,
          vertProperties: Float32Array.from(vertices),
          triVerts: triangles,
        }));
        return { module, meshes };
      },
      run({ module: { Manifold, Mesh }, meshes }) {
        const solids = meshes.map((mesh) => new Manifold(new Mesh(mesh)));
        const wheel = Manifold.difference(solids);
        const mesh = wheel.getMesh();
        const volume = wheel.volume();
        for (const solid of [...solids, wheel]) solid.delete();
        return { mesh, volume };
      },
      error: (result, { volume }) => Math.abs(result.volume / volume - 1),
    }),
  },
});
