// One spacecraft docks at another off its centre, both turn as one, then the latch lets go: two events, and momentum through both.
// npx tippetop run examples/docking-release --offset 0.5 --release-time 15
import { aluminium, body, box, fixed, model } from 'tippetop';

export default ({
  approachSpeed = 0.5 /* m/s */,
  gap = 1 /* m between the faces at the start */,
  offset = 0.3 /* m between the centres, across the approach */,
  targetMass = 400 /* kg */,
  chaserMass = 200 /* kg */,
  releaseTime = 12 /* s */,
} = {}) => {
  const [targetSize, chaserSize] = [1, 0.8];
  const reach = (targetSize + chaserSize) / 2; // distance of the centres along x when the faces meet
  return model({
    title: 'Docking and release',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: 'none',
    bodies: {
      // The inertia is that of a solid cube of this mass.
      target: body({ shape: box(targetSize), material: aluminium, mass: targetMass, colour: [0.45, 0.45, 0.5, 1] }),
      chaser: body({
        shape: box(chaserSize),
        material: aluminium,
        mass: chaserMass,
        position: [-reach - gap, offset, 0],
        velocity: [approachSpeed, 0, 0],
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    joints: {
      latch: fixed({ body: 'chaser', to: 'target' }),
    },
    events: {
      docking: {
        when: (signal) => signal('chaser.position.x') - signal('target.position.x') + reach,
        attach: 'latch',
      },
      release: { at: releaseTime, release: 'latch' },
    },
    simulation: { stop: 20, interval: 0.05 },
    plots: {
      positions: ['target.position.x', 'target.position.y', 'chaser.position.x', 'chaser.position.y'],
      'turning rates': ['target.angularVelocity.z', 'chaser.angularVelocity.z'],
      'force in the latch': ['latch.force.x', 'latch.force.y', 'latch.torque.z'],
      momentum: ['momentum.x', 'momentum.y', 'angularMomentum.z'],
      energy: 'energy.kinetic',
    },
  });
};
