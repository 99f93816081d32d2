// Two spur gears with their teeth in mesh: a pinion of given speed drives a wheel against a load. No ratio is written anywhere.
// npx tippetop run examples/gears --pinion-teeth 17 --wheel-teeth 40
import { body, extrude, involuteGear, model, revolute, steel } from 'tippetop';

export default ({
  pinionTeeth = 20,
  wheelTeeth = 30,
  module = 4e-3 /* m */,
  width = 0.02 /* m, of the face */,
  backlash = 1e-4 /* m along the pitch circle, half of it on each gear */,
  spread = 0 /* m by which the shafts are further apart than the pitch circles say */,
  speed = 1 /* turns of the pinion per s */,
  load = 20 /* N m on the wheel, against its motion */,
  friction = 0,
  tolerance = 1e-6 /* m, how far from the involute the arcs of a flank may be; 0: chords */,
  points = 16 /* corners on each flank of chords */,
} = {}) => {
  const gear = (teeth: number) => {
    const size = { teeth, module, backlash: backlash / 2, bore: 0.15 * module * teeth };
    return extrude(involuteGear(tolerance > 0 ? { ...size, tolerance } : { ...size, points }), width);
  };
  const distance = 0.5 * module * (pinionTeeth + wheelTeeth) + spread;
  const turning = 2 * Math.PI * speed; // rad/s
  const perTooth = 1 / (speed * pinionTeeth); // s
  return model({
    title: 'Gears in mesh',
    gravity: 'none',
    bodies: {
      pinion: body({ shape: gear(pinionTeeth), material: steel, colour: [0.85, 0.45, 0.15, 1] }),
      // A tooth of the pinion points to the wheel, so a gap of the wheel must point to the pinion.
      wheel: body({
        shape: gear(wheelTeeth),
        material: steel,
        position: [distance, 0, 0],
        orientation: { axis: [0, 0, 1], angle: Math.PI + Math.PI / wheelTeeth },
        colour: [0.45, 0.5, 0.6, 1],
      }),
    },
    joints: {
      motor: revolute({ body: 'pinion', axis: [0, 0, 1], speed: turning }),
      shaft: revolute({
        body: 'wheel',
        axis: [0, 0, 1],
        at: [distance, 0, 0],
        initialSpeed: (-turning * pinionTeeth) / wheelTeeth,
        torque: load,
      }),
    },
    contacts: { defaults: { friction } },
    simulation: { stop: 8 * perTooth, interval: perTooth / 100 },
    plots: {
      angles: ['motor.angle', 'shaft.angle'],
      'speed of the wheel': 'shaft.speed',
      'force on the wheel': ['contacts.pinion-wheel.force.x', 'contacts.pinion-wheel.force.y'],
      'pairs of teeth in contact': 'contacts.pinion-wheel.touching',
      'torque of the motor': 'motor.torque.z',
    },
  });
};
