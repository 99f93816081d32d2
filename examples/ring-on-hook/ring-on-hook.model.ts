// A ring falls onto a hook, swings and comes to rest: it hangs by its hole, a concave mesh on a concave mesh.
// npx tippetop run examples/ring-on-hook --friction 0
import { body, circleOutline, cos, model, nylon, rotate, sin, steel, sweep, torus, type Vec3 } from 'tippetop';

export default ({
  ringRadius = 0.045 /* m, to the middle of the bar of the ring */,
  ringBar = 0.005 /* m, radius of that bar */,
  hookRadius = 0.02 /* m, of the bend, to the middle of its bar */,
  hookBar = 0.006 /* m, radius of that bar */,
  drop = 0.002 /* m from the ring down to the hook at the start */,
  angle = 20 /* degrees by which the ring is swung aside, about the hook */,
  offset = 0.004 /* m of the ring along the bar of the hook, from its lowest place */,
  friction = 0.2,
  rollingFriction = 0.01,
  restitution = 0.3,
  modulus = 1e8 /* Pa, reduced, of the contact */,
  facets = 192 /* corners of the ring */,
} = {}) => {
  // The hook in the plane (y, z): down a shank, round below the origin, up to a tip
  const bend = 32;
  const path: Vec3[] = [[0, hookRadius, 4 * hookRadius]];
  for (let k = 0; k <= bend; k++) {
    const turn = (Math.PI * k) / bend;
    path.push([0, hookRadius * cos(turn), -hookRadius * sin(turn)]);
  }
  path.push([0, -hookRadius, hookRadius]);

  // The ring stands in the plane (x, z), its hole around the lowest place of the hook's bar. Rolling there, its middle is on a circle.
  const arm = ringRadius - ringBar - hookBar - drop;
  const swing = (angle * Math.PI) / 180;
  const lying = torus({ majorRadius: ringRadius, minorRadius: ringBar, segments: facets, minorSegments: 32 });
  return model({
    title: 'Ring on a hook',
    bodies: {
      hook: body({
        shape: sweep(circleOutline(32, hookBar), path, { up: [1, 0, 0] }),
        material: steel,
        fixed: true,
        colour: [0.5, 0.52, 0.56, 1],
      }),
      ring: body({
        shape: rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, lying),
        material: nylon,
        position: [arm * sin(swing), offset, -hookRadius - arm * cos(swing)],
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    contacts: { defaults: { friction, restitution, rollingFriction, reducedModulus: modulus } },
    simulation: { stop: 4, interval: 0.005 },
    plots: {
      place: ['ring.position.x', 'ring.position.y', 'ring.position.z'],
      'force on the ring': 'contacts.hook-ring.force.*',
      'regions in contact': 'contacts.hook-ring.touching',
      energy: ['energy.kinetic', 'energy.potential', 'energy.elastic', 'energy.dissipated', 'energy.total'],
    },
  });
};
