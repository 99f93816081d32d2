// A small four-wheeled rover turns on the spot in the gravity of Phobos, on soil of little and of more cohesion: Buse et al. (2023), §5.1 and Fig. 11.
// npx tippetop run examples/mmx-rover --cohesion 200
// Wheels, legs and masses of the real rover are not public: what is here stands in for them (README).
import { body, box, model, revolute, SOILS, translate, wheel } from 'tippetop';

export default ({
  cohesion = 20 /* Pa */,
  spacing = 0.005 /* m of the soil's grid */,
  rim = 0.004 /* m/s of the wheels' treads */,
  grousers = 20,
  turn = 90 /* degrees, if nothing slipped */,
} = {}) => {
  const [radius, width, height] = [0.107, 0.1, 0.01];
  const [base, track, ground] = [0.45, 0.44, radius + (grousers > 0 ? height : 0)];
  const shape = wheel({
    radius,
    width,
    segments: 120,
    grouser: { count: grousers, height, root: 0.006, tip: 0.0055 },
  }).solid;
  const settle = 6; // s until it stands still
  const way = ((turn * Math.PI) / 180) * (track / 2); // of each tread
  // From rest to speed and back to rest within 2 s each
  const rise = 2;
  const duration = way / rim + rise;
  const s = (u: number): number => u * u * u - (u * u * u * u) / 2;
  const travel = (t: number): [number, number, number] => {
    const x = t - settle;
    if (x <= 0) return [0, 0, 0];
    if (x >= duration) return [way, 0, 0];
    const u = Math.min(1, Math.min(x, duration - x) / rise);
    const done = rim * (u < 1 ? rise * s(u) : Math.min(x, duration - x) - rise / 2);
    const slope = x < duration / 2 ? 1 : -1;
    return [
      x < duration / 2 ? done : way - done,
      rim * u * u * (3 - 2 * u),
      u < 1 ? (slope * rim * 6 * u * (1 - u)) / rise : 0,
    ];
  };
  const corners = [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ];
  return model({
    title: 'Point turn on Phobos',
    gravity: [0, 0, -0.0057],
    bodies: {
      rover: body({
        shape: [
          box([0.41, 0.29, 0.3]),
          ...corners.map(([x, y]) => translate([0.19 * x, 0.155 * y, -0.1], box([0.05, 0.02, 0.16]))),
        ],
        mass: 21.4,
        inertia: [0.4, 0.45, 0.53],
        position: [0, 0, ground + 0.11],
        contact: false,
        colour: [0.85, 0.72, 0.4, 1],
      }),
      wheels: corners.map(([x, y]) =>
        body({
          shape,
          mass: 0.9,
          inertia: [0.004, 0.006, 0.004],
          position: [(x * base) / 2, (y * track) / 2, ground],
          contact: false,
          colour: [0.6, 0.63, 0.68, 1],
        }),
      ),
    },
    joints: {
      axles: corners.map(([, y], i) =>
        revolute({
          body: `wheels[${i}]`,
          to: 'rover',
          at: `wheels[${i}]`,
          axis: [0, 1, 0],
          // left backwards, right forwards
          angle: (t: number): [number, number, number] => {
            const [x, v, a] = travel(t);
            return [(-y * x) / radius, (-y * v) / radius, (-y * a) / radius];
          },
        }),
      ),
    },
    soils: {
      regolith: {
        soil: { ...SOILS['phobos-low'], cohesion, elasticStiffness: 1e6 },
        spacing,
        bodies: { wheels: { pressureWidth: width, radius } },
        relaxation: 0.05,
        shearRelaxation: 0.5,
        rate: 2,
        drawn: { size: [1, 1], resolution: 0.02 },
      },
    },
    simulation: { stop: settle + duration + 4, integrator: 'verlet', step: 0.01, interval: 0.5, rtol: 1e-3 },
    plots: {
      load: 'elements.regolith.wheels[*].force.z',
      sinkage: 'elements.regolith.wheels[*].sinkage',
      slip: 'elements.regolith.wheels[*].slip',
    },
  });
};
