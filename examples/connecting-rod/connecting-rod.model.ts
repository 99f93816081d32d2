// The connecting rod of an engine at 3000 min⁻¹ that bends, and where it needs its material: the optimised outline beside this file was found by
//   npx tippetop optimise examples/connecting-rod --body rod --volume 0.6 --mirror y=0
// npx tippetop run examples/connecting-rod --design optimised
import { body, circle, cylinder, extrude, model, prismatic, revolute, translate } from 'tippetop';

const crankRadius = 0.05; // m
const length = 0.2; // m between the pins
const pinRadius = 0.009; // m
const halfWidth = 0.024; // m
const thickness = 0.02; // m

export default ({ speed = 100 * Math.PI /* rad/s */, pistonMass = 0.6 /* kg */, turns = 1 } = {}) => {
  const room = {
    outer: [
      [-0.02, -halfWidth],
      [length + 0.02, -halfWidth],
      [length + 0.02, halfWidth],
      [-0.02, halfWidth],
    ] as [number, number][],
    holes: [circle(pinRadius), circle(pinRadius, [length, 0])],
  };
  const z = [0, 0, 1] as const;
  const pin = [crankRadius, 0, 0] as const;
  const gudgeon = [crankRadius + length, 0, 0] as const;
  return model({
    title: 'connecting rod',
    gravity: 'none',
    contacts: false,
    bodies: {
      crank: body({
        shape: translate([0, 0, -1.5 * thickness], cylinder({ radius: crankRadius + 0.015, height: thickness })),
        mass: 1,
        inertia: [1e-3, 1e-3, 1e-3],
        colour: [0.55, 0.6, 0.65, 1],
      }),
      rod: body({
        shape: translate([0, 0, -thickness / 2], extrude(room, thickness)),
        material: { density: 2770, youngsModulus: 71e9, poissonRatio: 0.33 },
        position: pin,
        flexible: { modes: 4, damping: 0.05, stress: 'mode acceleration' },
      }),
      piston: body({
        shape: translate([0.02, 0, -1.4 * thickness], cylinder({ radius: 0.03, height: 0.03 })),
        mass: pistonMass,
        inertia: [1e-3, 1e-3, 1e-3],
        position: gudgeon,
        colour: [0.75, 0.62, 0.4, 1],
      }),
    },
    joints: {
      main: revolute({ body: 'crank', axis: z, speed }),
      pin: revolute({ body: 'rod', to: 'crank', axis: z, at: pin }),
      guide: prismatic({ body: 'piston', axis: [1, 0, 0] }),
      gudgeon: revolute({ body: 'piston', to: 'rod', axis: z, at: gudgeon }),
    },
    plots: { 'Largest stress': ['rod.stress.largest'] },
    simulation: { stop: (turns * 2 * Math.PI) / speed, rtol: 1e-5 },
  });
};
