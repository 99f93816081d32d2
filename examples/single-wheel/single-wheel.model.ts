// A wheel pressed onto soft soil with 100 N and driven at 60 % slip, as on a testbed: Buse et al. (2023), §4.2.1 and Fig. 10.
// npx tippetop run examples/single-wheel --slip 0.3 --soil sand-azimi
// Wheel and soil of the paper's trial are not public: r 0.12 m, 24 grousers of 10 mm and lunar soil stand in for them.
import { body, model, prismatic, revolute, wheel } from 'tippetop';

export default ({
  slip = 0.6,
  load = 100 /* N */,
  speed = 0.01 /* m/s of the carriage */,
  grousers = 24,
  spacing = 0.005 /* m of the soil's grid */,
  soil = 'moon-nominal',
  fidelity = 'scm' /* scm, wong-reece or bekker */,
  digging = 0.05 /* of the sliding that carries soil off */,
  settle = 1 /* s until it moves; the load comes on within four fifths of it */,
  way = 0.1 /* m driven */,
} = {}) => {
  const [radius, width, height, mass] = [0.12, 0.1, 0.01, 2];
  const shape = wheel({
    radius,
    width,
    segments: 120,
    grouser: { count: grousers, height, root: 0.006, tip: 0.0055 },
  }).solid;
  // From rest to full speed within a tenth of a second, smoothly
  const ramp =
    (rate: number) =>
    (t: number): [number, number, number] => {
      const [s, rise] = [(t - settle) / 0.1, 0.1];
      if (s <= 0) return [0, 0, 0];
      if (s >= 1) return [rate * (t - settle - rise / 2), rate, 0];
      return [
        rate * rise * (s * s * s - (s * s * s * s) / 2),
        rate * s * s * (3 - 2 * s),
        (rate * 6 * s * (1 - s)) / rise,
      ];
    };
  // Let down gently: a rope holds what the load ramp has not yet given to the soil
  const held = (t: number): number => {
    const s = Math.min(1, t / (0.8 * settle));
    return 1 - s * s * (3 - 2 * s);
  };
  return model({
    title: 'Single wheel',
    gravity: [0, 0, -9.81],
    bodies: {
      carriage: body({ mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3] }),
      fork: body({ mass: load / 9.81 - mass, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.2] }),
      wheel: body({
        shape,
        mass,
        inertia: [0.01, 0.015, 0.01],
        position: [0, 0, radius + height + 0.0005],
        contact: false,
        colour: [0.62, 0.69, 0.78, 1],
      }),
    },
    joints: {
      rail: prismatic({ body: 'carriage', axis: [1, 0, 0], position: ramp(speed) }),
      guide: prismatic({
        body: 'fork',
        to: 'carriage',
        axis: [0, 0, 1],
        force: (t: number, _height: number, speed: number): number => held(t) * (load - 500 * speed),
      }),
      drive: revolute({
        body: 'wheel',
        to: 'fork',
        at: 'wheel',
        axis: [0, 1, 0],
        angle: ramp(speed / (1 - slip) / radius),
      }),
    },
    soils: {
      bed: {
        soil,
        spacing,
        bodies: {
          wheel: { model: fidelity as 'scm', radius, width, grouserHeight: height, digging, pressureWidth: width },
        },
        drawn: { size: [0.5, 0.3], centre: [0.08, 0], resolution: 0.01 },
      },
    },
    simulation: { stop: settle + way / speed, rtol: 1e-3, integrator: 'verlet', step: 1e-3 },
    plots: {
      force: 'elements.bed.wheel.force.*',
      torque: 'elements.bed.wheel.torque.y',
      sinkage: 'elements.bed.wheel.sinkage',
      slip: 'elements.bed.wheel.slip',
    },
  });
};
