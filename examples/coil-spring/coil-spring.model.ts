// A compression spring that is pushed together until its coils touch, rebounds and throws its cap off: Hofmann et al. (2014), §4.3.
// npx tippetop run examples/coil-spring --mass 0.8
import { applied, body, coilSpring, cylinder, halfSpace, model, prismatic, rotate, translate } from 'tippetop';

export default ({
  wireDiameter = 2e-3 /* m */,
  meanDiameter = 20e-3 /* m, of the wire's axis */,
  activeCoils = 6 /* one dead coil at either end comes on top */,
  freeLength = 50e-3 /* m */,
  shearModulus = 81.5e9 /* Pa */,
  density = 7850 /* kg/m³ */,
  mass = 1 /* kg, of the cap */,
  load = 200 /* N on the cap */,
  duration = 0.01 /* s for which it acts */,
  segmentsPerCoil = 16,
  damping = 0.01 /* ratio of the first surge mode */,
  friction = 0.1,
  restitution = 0.3,
  stiffness = 3e8 /* N/m^1.5 of every contact */,
} = {}) => {
  const material = { density, youngsModulus: 2.6 * shearModulus, poissonRatio: 0.3 };
  const spring = coilSpring({
    wireDiameter,
    meanDiameter,
    activeCoils,
    freeLength,
    material,
    segmentsPerCoil,
    dampingRatio: damping,
    colour: [0.8, 0.45, 0.15, 1],
  });
  // Plates touch as planes without end and are drawn as discs.
  const radius = 0.75 * meanDiameter;
  const disc = translate([0, 0, -wireDiameter], cylinder({ radius, height: 2 * wireDiameter }));
  const plate = { ...halfSpace(), mesh: disc.mesh };
  const grey = [0.6, 0.63, 0.68, 1] as const;
  return model({
    title: 'Coil spring',
    gravity: 'none',
    bodies: {
      seat: body({ shape: plate, material, fixed: true, colour: grey }),
      ...spring.bodies,
      cap: body({
        shape: rotate({ axis: [1, 0, 0], angle: Math.PI }, plate),
        material,
        mass,
        inertia: [0.25 * mass * radius ** 2, 0.25 * mass * radius ** 2, 0.5 * mass * radius ** 2],
        position: [0, 0, freeLength],
        colour: grey,
      }),
    },
    joints: { guide: prismatic({ body: 'cap', axis: [0, 0, 1] }) },
    forces: {
      ...spring.forces,
      push: applied({ on: 'cap', force: (t) => [0, 0, t < duration ? -load : 0] }),
    },
    contacts: {
      defaults: { friction, restitution, torsion: 'none', normalLaw: { kind: 'power', stiffness, exponent: 1.5 } },
      exclude: spring.exclude,
      sensors: [
        ['seat', 'springBase'],
        ['springTop', 'cap'],
      ],
      records: false,
    },
    // Surge waves of some hundred Hz and contacts of some µs: what is left out at 1e-4 is far below both.
    simulation: { stop: 0.1, interval: 2e-4, rtol: 1e-4 },
    plots: {
      'way of the cap': 'guide.position',
      'heights of the coils': Array.from(
        { length: Math.floor(activeCoils) },
        (_, coil) => `spring[${coil * segmentsPerCoil}].position.z`,
      ),
      'force on the cap, force on the seat': ['cap.contact.force.z', 'contacts.seat-springBase.force.z'],
      energy: ['energy.kinetic', 'energy.elastic', 'energy.dissipated', 'energy.total'],
    },
  });
};
