// Slider-crank: crank, connecting rod and piston. The default turns the crank at constant speed; `coasting` lets it run free.
// npx tippetop run examples/slider-crank --crank-radius 0.04
// npx tippetop run examples/slider-crank --model coasting
import { body, box, cylinder, model, prismatic, revolute, rotate, steel, translate } from 'tippetop';

/** Drawn with the piston at its far dead centre; layers along y so that one sees all parts. */
const mechanism = (
  crankRadius: number,
  rodLength: number,
  gravity: number,
  crankshaft: { readonly speed: number } | { readonly initialSpeed: number },
  stop: number,
) => {
  const thickness = 0.01;
  const alongY = { axis: [1, 0, 0] as const, angle: Math.PI / 2 };
  return model({
    title: 'Slider-crank',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      crank: body({
        shape: rotate(alongY, cylinder({ radius: 1.2 * crankRadius, height: thickness })), // balanced
        material: steel,
        colour: [0.2, 0.45, 0.7, 1],
      }),
      rod: body({
        shape: translate([0, -1.2 * thickness, 0], box([rodLength, thickness, 0.015])),
        material: steel,
        position: [crankRadius + rodLength / 2, 0, 0],
        colour: [0.85, 0.45, 0.15, 1],
      }),
      piston: body({
        shape: box([0.04, thickness, 0.04]),
        material: steel,
        position: [crankRadius + rodLength, 0, 0],
        colour: [0.45, 0.45, 0.5, 1],
      }),
    },
    joints: {
      // About −y: the crank pin goes from +x to +z.
      crankshaft: revolute({ body: 'crank', axis: [0, -1, 0], at: [0, 0, 0], ...crankshaft }),
      crankPin: revolute({ body: 'rod', to: 'crank', axis: [0, -1, 0], at: [crankRadius, 0, 0] }),
      cylinder: prismatic({ body: 'piston', axis: [1, 0, 0] }),
      wristPin: revolute({ body: 'piston', to: 'rod', axis: [0, -1, 0] }),
    },
    simulation: { stop, interval: stop / 200 },
    plots: {
      piston: ['piston.position.x', 'piston.velocity.x'],
      crankshaft: ['crankshaft.angle', 'crankshaft.speed', ...('speed' in crankshaft ? ['crankshaft.drive'] : [])],
      'side force on the piston': 'cylinder.force.z',
      energy: ['energy.kinetic', 'energy.potential', 'energy.total'],
    },
  });
};

export default ({
  crankRadius = 0.05 /* m */,
  rodLength = 0.15 /* m */,
  revolutions = 10 /* 1/s */,
  gravity = 9.81 /* m/s² */,
} = {}) => mechanism(crankRadius, rodLength, gravity, { speed: 2 * Math.PI * revolutions }, 0.2);

export const coasting = ({
  crankRadius = 0.05 /* m */,
  rodLength = 0.15 /* m */,
  startSpeed = 20 /* rad/s */,
  gravity = 9.81 /* m/s² */,
} = {}) => mechanism(crankRadius, rodLength, gravity, { initialSpeed: startSpeed }, 1);
