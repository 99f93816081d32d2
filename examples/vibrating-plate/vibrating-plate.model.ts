// A plate on a frame vibrates in one of its modes, drawn as a surface whose vertices move and whose colour is the stress at
// each vertex; a marker rides on its highest point. Nothing is computed here but a closed form: this is how a result of
// another program, or of one's own formula, is looked at in the viewer.
// npx tippetop run examples/vibrating-plate --view
import { body, box, colourTriangles, model, prismatic, sphere, steel, subtract, surface } from 'tippetop';

export default ({
  length = 0.4 /* m, along x */,
  width = 0.3 /* m, along y */,
  thickness = 1e-3 /* m */,
  wavesAlong = 2 /* half waves along x */,
  wavesAcross = 1 /* half waves along y */,
  amplitude = 0.02 /* m, far more than a real plate of this thickness would take */,
  cells = 24 /* along the length */,
} = {}) => {
  // Kirchhoff plate, simply supported: w = A sin(mπx/a) sin(nπy/b) cos ωt, ω = π² (m²/a² + n²/b²) √(D/ρh),
  // D = E h³/12(1 − ν²). Bending stress at the upper face along x: σ = −E z/(1 − ν²) (∂²w/∂x² + ν ∂²w/∂y²), z = h/2.
  // Timoshenko & Woinowsky-Krieger, Theory of Plates and Shells (1959), §§ 21, 90.
  const {
    youngsModulus: E,
    poissonRatio: nu,
    density: rho,
  } = { youngsModulus: 2.1e11, poissonRatio: 0.3, density: 7850 };
  const rigidity = (E * thickness ** 3) / (12 * (1 - nu ** 2));
  const [kx, ky] = [(wavesAlong * Math.PI) / length, (wavesAcross * Math.PI) / width];
  const omega = (kx ** 2 + ky ** 2) * Math.sqrt(rigidity / (rho * thickness));
  const slowed = (2 * Math.PI) / omega; // a period takes 1 s in the run

  const [nx, ny] = [cells, Math.max(2, Math.round((cells * width) / length))];
  const shape = (i: number, j: number): number => Math.sin((kx * length * i) / nx) * Math.sin((ky * width * j) / ny);
  const grid = <Value>(value: (i: number, j: number) => Value): Value[] =>
    Array.from({ length: (nx + 1) * (ny + 1) }, (_, k) => value(k % (nx + 1), Math.floor(k / (nx + 1))));
  const corner = (i: number, j: number): number => i + j * (nx + 1);
  const height = (time: number): number => amplitude * Math.cos(omega * slowed * time);

  return model({
    title: 'Vibrating plate',
    gravity: [0, 0, 0],
    contacts: false,
    bodies: {
      frame: body({
        fixed: true,
        shape: colourTriangles(
          subtract(box([1.1 * length, 1.1 * width, 0.02]), box([length, width, 0.1])),
          (_, [, , z]) => (z > 0.0099 ? [0.35, 0.38, 0.42] : [0.25, 0.27, 0.3]),
        ),
      }),
      marker: body({
        shape: sphere(0.006),
        material: steel,
        position: [length * (0.5 / wavesAlong - 0.5), width * (0.5 / wavesAcross - 0.5), 0],
        colour: [0.84, 0.37, 0, 1],
      }),
    },
    joints: {
      rider: prismatic({
        body: 'marker',
        axis: [0, 0, 1],
        at: [length * (0.5 / wavesAlong - 0.5), width * (0.5 / wavesAcross - 0.5), 0],
        position: height,
      }),
    },
    surfaces: {
      plate: surface({
        triangles: grid((i, j) =>
          i < nx && j < ny
            ? [
                [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)],
                [corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)],
              ]
            : [],
        ).flat(),
        vertices: (time) =>
          grid((i, j) => [(i / nx - 0.5) * length, (j / ny - 0.5) * width, height(time) * shape(i, j)]),
        values: (time) =>
          grid((i, j) => ((E * thickness) / 2 / (1 - nu ** 2)) * (kx ** 2 + nu * ky ** 2) * height(time) * shape(i, j)),
        quantity: 'bending stress along x, upper face',
        unit: 'Pa',
      }),
    },
    simulation: { stop: 2, interval: 0.02 },
  });
};
