// A rover on six wheels, with rockers, bogies and a differential bar, drives over rocks on soft and uneven ground in the gravity of Mars.
// npx tippetop run examples/rocker-bogie --coverage 0.25
// Wheels sink into the ground (SCM) and climb rigid rocks. The suspension is that of the Mars rovers, its dimensions are ours (README).
import {
  body,
  box,
  convexHull,
  cylinder,
  model,
  revolute,
  rockField,
  rotate,
  rubber,
  SOILS,
  type Solid,
  spring,
  terrain,
  translate,
  type Vec3,
} from 'tippetop';

export default ({
  speed = 0.15 /* m/s of the treads */,
  coverage = 0.1 /* part of the ground under rocks */,
  largest = 0.25 /* m, diameter of rocks */,
  roughness = 0.08 /* m, of the ground's coarsest waves */,
  seed = 2,
  soil = 'mars-dlr',
  spacing = 0.01 /* m of the soil's grid */,
  step = 2e-3 /* s */,
} = {}) => {
  const [radius, width, half] = [0.125, 0.12, 0.34]; // wheels, and how far from the middle they are
  const ground = terrain({ layers: [{ kind: 'noise', amplitude: roughness, frequency: 0.5, octaves: 5, seed }] });
  const field = rockField(ground, {
    coverage,
    smallest: 0.06,
    largest,
    length: 3,
    width: 1.6,
    burial: 0.4,
    shapes: 8,
    subdivision: 2,
    seed,
  });
  // Contact is with convex hulls, as in the paper; rocks do not move
  const hull = (vertices: Float64Array): Solid => ({
    mesh: convexHull(vertices),
    form: { kind: 'mesh' },
    pose: { position: [0, 0, 0], orientation: [1, 0, 0, 0] },
  });
  // Front wheels hang on rockers, middle and rear ones on bogies at their ends. All places as drawn, over level ground
  const [front, middle, rear, start] = [0.45, 0, -0.42, -2.2];
  const wheels = [front, middle, rear].flatMap((x) => [1, -1].map((side) => ({ x: start + x, y: side * half, side })));
  const level = Math.max(...wheels.map(({ x, y }) => ground.height(x, y))) + 0.002;
  const axle = level + radius;
  const at = (x: number, y: number, z: number): Vec3 => [start + x, y, axle + z];
  const inner = 0.24; // planes of rockers and bogies
  const [pivot, bogie] = [
    [0.08, 0.2],
    [-0.21, 0.1],
  ];
  /** A bar of a suspension from (x, z) to (u, w), about a body at (cx, cz) */
  const bar = (x: number, z: number, u: number, w: number, [cx, cz]: readonly number[]): Solid => {
    const [dx, dz] = [u - x, w - z];
    return translate(
      [(x + u) / 2 - cx, 0, (z + w) / 2 - cz],
      rotate({ axis: [0, 1, 0], angle: Math.atan2(-dz, dx) }, box([Math.hypot(dx, dz), 0.02, 0.02])),
    );
  };
  const silver = [0.72, 0.74, 0.78, 1] as const;
  const sides = [1, -1];
  return model({
    title: 'Rocker-bogie over rocks',
    gravity: 'mars',
    bodies: {
      rock: field.rocks.map((rock) =>
        body({
          shape: hull(field.meshOf(rock).vertices),
          material: rubber,
          fixed: true,
          contact: { group: 'rocks', touches: ['wheels'] },
          colour: [0.5, 0.34, 0.27, 1],
        }),
      ),
      chassis: body({
        shape: box([0.6, 0.36, 0.16]),
        mass: 12,
        inertia: [0.16, 0.39, 0.49],
        position: at(0.05, 0, 0.26),
        contact: false,
        colour: [0.85, 0.8, 0.68, 1],
      }),
      // across the deck, about an upright pin; rods join its ends to the rockers
      differential: body({
        shape: box([0.03, 2 * inner, 0.02]),
        mass: 0.5,
        inertia: [0.01, 0.001, 0.01],
        position: at(pivot[0], 0, 0.38),
        contact: false,
        colour: silver,
      }),
      rocker: sides.map((side) =>
        body({
          shape: [
            bar(pivot[0], pivot[1], front, 0.03, pivot),
            bar(pivot[0], pivot[1], bogie[0], bogie[1], pivot),
            bar(pivot[0], pivot[1], pivot[0], 0.38, pivot),
          ],
          mass: 1.5,
          inertia: [0.02, 0.06, 0.05],
          position: at(pivot[0], side * inner, pivot[1]),
          contact: false,
          colour: silver,
        }),
      ),
      bogie: sides.map((side) =>
        body({
          shape: [bar(bogie[0], bogie[1], middle, 0, bogie), bar(bogie[0], bogie[1], rear, 0, bogie)],
          mass: 1,
          inertia: [0.01, 0.03, 0.03],
          position: at(bogie[0], side * inner, bogie[1]),
          contact: false,
          colour: silver,
        }),
      ),
      wheel: wheels.map(({ x, y }) =>
        body({
          shape: rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius, height: width, segments: 72 })),
          material: rubber,
          mass: 1.2,
          inertia: [0.006, 0.0095, 0.006],
          position: [x, y, axle],
          contact: { group: 'wheels', touches: field.rocks.length > 0 ? ['rocks'] : [] },
          colour: [0.25, 0.27, 0.3, 1],
        }),
      ),
    },
    joints: {
      deck: revolute({ body: 'differential', to: 'chassis', at: 'differential', axis: [0, 0, 1] }),
      pivot: sides.map((_side, s) =>
        revolute({ body: `rocker[${s}]`, to: 'chassis', at: `rocker[${s}]`, axis: [0, 1, 0], damping: 0.5 }),
      ),
      hinge: sides.map((_side, s) =>
        revolute({ body: `bogie[${s}]`, to: `rocker[${s}]`, at: `bogie[${s}]`, axis: [0, 1, 0], damping: 0.5 }),
      ),
      drive: wheels.map(({ side }, w) =>
        revolute({
          body: `wheel[${w}]`,
          to: `${w < 2 ? 'rocker' : 'bogie'}[${side > 0 ? 0 : 1}]`,
          at: `wheel[${w}]`,
          axis: [0, 1, 0],
          motor: { targetSpeed: (t: number) => (speed / radius) * Math.min(1, t), kd: 5, limit: 8 },
        }),
      ),
    },
    forces: {
      // one rocker up, the other down: the deck keeps the mean of the two
      rod: sides.map((side, s) =>
        spring({
          from: { body: 'differential', at: at(pivot[0], side * inner, 0.38) },
          to: { body: `rocker[${s}]`, at: at(pivot[0] + 0.12, side * inner, 0.38) },
          stiffness: 2e4,
          damping: 40,
        }),
      ),
    },
    contacts: { defaults: { friction: 0.7, restitution: 0 } },
    soils: {
      regolith: {
        soil: { ...SOILS[soil as 'mars-dlr'], elasticStiffness: 4e6 },
        spacing,
        terrain: ground,
        bodies: { wheel: { pressureWidth: width } },
        drawn: { size: [5, 2], resolution: 0.025 },
      },
    },
    simulation: { integrator: 'time-stepping', step, stop: 26, interval: 0.1 },
    plots: {
      way: 'chassis.position.x',
      height: ['chassis.position.z', 'wheel[*].position.z'],
      sinkage: 'elements.regolith.wheel[*].sinkage',
      load: 'elements.regolith.wheel[*].force.z',
    },
  });
};
