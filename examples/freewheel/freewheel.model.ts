// A freewheel: two pawls on a hub are pressed by springs into the saw teeth of a ring. The hub swings to and fro; the ring goes one way only.
// npx tippetop run examples/freewheel --drive 20
import { body, extrude, model, revolute, steel } from 'tippetop';

export default ({
  drive = 10 /* rad/s, largest speed of the hub */,
  teeth = 12,
  spring = 0.02 /* N m/rad, of each pawl */,
  drag = 0.05 /* N m s/rad, on the ring */,
  friction = 0.15,
  restitution = 0.3,
} = {}) => {
  const [tip, root, outer, width] = [0.04, 0.046, 0.055, 0.008]; // m
  const polar = (radius: number, angle: number): [number, number] => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
  ];
  const pitch = (2 * Math.PI) / teeth;
  // a tooth rises from its root, falls back to the tip along a radius, and leaves a corner for the pawl
  const toothed = Array.from({ length: teeth }, (_, i) => [
    polar(tip, i * pitch),
    polar(root, (i + 1) * pitch - 0.01),
  ]).flat();
  const circle = (radius: number): [number, number, number][] => [
    [radius, 0, 1],
    [-radius, 0, 1],
  ]; // two half circles
  const pin = 0.031; // m from the shaft
  const pawl = extrude(
    [
      [pin + 0.002, -0.003],
      [pin + 0.0105, 0.0165],
      [pin + 0.0075, 0.0185],
      [pin - 0.0025, -0.001],
    ],
    width,
  );
  const about = (at: [number, number, number]) => ({ axis: [0, 0, 1] as const, at });
  const sprung = { spring: { stiffness: spring, rest: -0.4 }, damping: 1e-5, initialAngle: 0.35 };
  const swing = 2 * Math.PI; // rad/s: once a second
  return model({
    title: 'Freewheel with two pawls',
    gravity: 'none',
    bodies: {
      ring: body({
        shape: extrude({ outer: circle(outer), holes: [toothed] }, width),
        material: steel,
        orientation: { axis: [0, 0, 1], angle: 0.15 },
        colour: [0.45, 0.5, 0.6, 1],
      }),
      hub: body({ shape: extrude(circle(0.025), width), material: steel, colour: [0.8, 0.7, 0.4, 1] }),
      pawl1: body({ shape: pawl, material: steel, colour: [0.85, 0.45, 0.15, 1] }),
      pawl2: body({
        shape: pawl,
        material: steel,
        orientation: { axis: [0, 0, 1], angle: Math.PI },
        colour: [0.85, 0.45, 0.15, 1],
      }),
    },
    joints: {
      bearing: revolute({ body: 'ring', ...about([0, 0, 0]), damping: drag }),
      shaft: revolute({
        body: 'hub',
        ...about([0, 0, 0]),
        angle: (t) => [
          (-drive / swing) * Math.sin(swing * t),
          -drive * Math.cos(swing * t),
          drive * swing * Math.sin(swing * t),
        ],
      }),
      pin1: revolute({ body: 'pawl1', to: 'hub', ...about([pin, 0, 0]), ...sprung }),
      pin2: revolute({ body: 'pawl2', to: 'hub', ...about([-pin, 0, 0]), ...sprung }),
    },
    contacts: {
      defaults: { friction, restitution },
      exclude: [
        ['hub', 'pawl1'],
        ['hub', 'pawl2'],
        ['hub', 'ring'],
        ['pawl1', 'pawl2'],
      ],
    },
    simulation: { stop: 2, interval: 2e-3 },
    plots: {
      speeds: ['shaft.speed', 'bearing.speed'],
      angles: ['shaft.angle', 'bearing.angle'],
      'force on a pawl': 'pawl1.contact.force.y',
      'angle of a pawl': 'pin1.angle',
    },
  });
};
