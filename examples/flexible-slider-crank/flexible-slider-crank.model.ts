// A slider-crank whose connecting rod bends: crank at constant speed, rod of a soft plastic, heavy slider.
// npx tippetop run examples/flexible-slider-crank --modes 2
import { body, extrude, model, prismatic, revolute, translate } from 'tippetop';

const crankRadius = 0.15; // m
const rodLength = 0.4; // m
const width = 0.02; // m
const thickness = 0.01; // m

export default ({
  speed = 30 /* rad/s */,
  youngsModulus = 2e9 /* Pa */,
  modes = 2,
  damping = 0.02,
  sliderMass = 0.5 /* kg */,
} = {}) => {
  const outline = [
    [0, -width / 2],
    [rodLength, -width / 2],
    [rodLength, width / 2],
    [0, width / 2],
  ] as const;
  const crank = [
    [-0.02, -0.012],
    [crankRadius + 0.012, -0.012],
    [crankRadius + 0.012, 0.012],
    [-0.02, 0.012],
  ] as const;
  const block = [
    [-0.03, -0.025],
    [0.03, -0.025],
    [0.03, 0.025],
    [-0.03, 0.025],
  ] as const;
  const z: [number, number, number] = [0, 0, 1];
  const pin: [number, number, number] = [crankRadius, 0, 0];
  const gudgeon: [number, number, number] = [crankRadius + rodLength, 0, 0];
  return model({
    title: 'flexible slider-crank',
    gravity: [0, 0, 0],
    contacts: false,
    bodies: {
      crank: body({
        shape: translate([0, 0, -1.2 * thickness], extrude(crank, thickness)),
        mass: 0.1,
        inertia: [1e-4, 1e-4, 1e-4],
        colour: [0.55, 0.6, 0.65, 1],
      }),
      rod: body({
        shape: extrude(outline, thickness),
        material: { density: 2700, youngsModulus, poissonRatio: 0.3 },
        position: pin,
        flexible: { grid: [20, 2], modes, damping, membrane: false },
      }),
      slider: body({
        shape: translate([0, 0, -1.2 * thickness], extrude(block, thickness)),
        mass: sliderMass,
        inertia: [1e-3, 1e-3, 1e-3],
        position: gudgeon,
        colour: [0.75, 0.62, 0.4, 1],
      }),
    },
    joints: {
      main: revolute({ body: 'crank', axis: z, speed }),
      pin: revolute({ body: 'rod', to: 'crank', axis: z, at: pin }),
      guide: prismatic({ body: 'slider', axis: [1, 0, 0] }),
      gudgeon: revolute({ body: 'slider', to: 'rod', axis: z, at: gudgeon }),
    },
    plots: {
      'Largest stress': ['rod.stress.largest'],
      'Bending of the rod': ['rod.deformation.3', 'rod.deformation.4'],
      Slider: ['slider.position.x'],
    },
    simulation: { stop: 0.5, rtol: 1e-5 },
  });
};
