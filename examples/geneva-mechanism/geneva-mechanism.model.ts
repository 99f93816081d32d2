// A Geneva mechanism that indexes and locks by contact alone: Elmqvist et al. (2015), §8.2. Any number of slots from 3 to 12.
// npx tippetop run examples/geneva-mechanism --slots 4 --stop 4
import {
  body,
  brass,
  cylinder,
  extrude,
  fixed,
  genevaDimensions,
  genevaDrive,
  genevaDriveOutlines,
  genevaWheel,
  genevaWheelOutline,
  model,
  revolute,
  type Solid,
  translate,
  union,
} from 'tippetop';

export default ({
  slots = 6 /* 3 to 12 */,
  radius = 0.02 /* m, of the wheel */,
  play = 0.01 /* slot width less pin diameter, over the radius */,
  lockPlay = 0.01 /* radius of the locking arc less that of the disc in it, over the radius; more than half of play */,
  thickness = 0.2 /* height of the wheel over its radius */,
  chords = false /* outlines of chords in place of arcs */,
  segments = 128 /* chords of a full circle; with arcs only of what is drawn */,
  pinSegments = 48 /* chords of the pin */,
  csg = false /* parts by constructive solid geometry, which keeps their arcs; else extrusions of outlines */,
  mesh = false /* as csg, but touching as triangle meshes in space */,
  speed = 1 /* turns of the drive per s */,
  start = 0 /* deg, of the drive; 0 in mid dwell, 180 in mid index */,
  friction = 0.1,
  restitution = 0.5,
  stiffness = 1e12 /* N/m³, of the bed of springs that the surfaces are */,
  bearingFriction = 2e-6 /* N m, of the wheel's shaft */,
  load = 0 /* N m on the wheel; it turns to the negative side, so a positive load is against its motion */,
  loadInertia = 0 /* kg m² on the wheel's shaft */,
  motorGain = 0 /* N m s, torque per speed that is missing; 0: the speed is given */,
  motorLimit = 0.01 /* N m, most that the motor can give */,
  driveInertia = 0 /* kg m² on the drive's shaft, beside that of the drive itself */,
} = {}) => {
  const d = genevaDimensions({
    slots,
    radius,
    height: thickness * radius,
    clearance: play * radius,
    lockClearance: lockPlay * radius,
    segments,
    pinSegments,
  });
  const { height, axialGap, plateThickness, centreDistance } = d;

  // Disc and pin stand out above and below the wheel, the plate that carries them runs under it.
  const edges = chords ? 'chords' : 'arcs';
  const { disc, pin } = genevaDriveOutlines(d, edges);
  const level = height + 2 * axialGap;
  const plate = cylinder({ radius: d.crankRadius + d.pinDiameter, height: plateThickness, segments });
  const cut = (part: Solid): Solid => (mesh ? union(part.mesh) : part); // of a mesh alone nobody knows its arcs
  const drive =
    csg || mesh
      ? cut(genevaDrive(d))
      : [
          translate([0, 0, -axialGap], extrude(disc, level, { segments })),
          translate([0, 0, -axialGap], extrude(pin, level, { segments })),
          translate([0, 0, -axialGap - 0.5 * plateThickness], plate),
        ];

  const turning = 2 * Math.PI * speed; // rad/s
  const initialAngle = (start / 180) * Math.PI;
  /** An inertia on a shaft, as a disc that touches nothing */
  const flywheel = (inertia: number, x: number) =>
    body({ mass: inertia / radius ** 2, inertia: [0.5 * inertia, 0.5 * inertia, inertia], position: [x, 0, 0] });
  return model({
    title: `Geneva mechanism, ${slots} slots`,
    gravity: 'none',
    bodies: {
      wheel: body({
        shape: csg || mesh ? cut(genevaWheel(d)) : extrude(genevaWheelOutline(d, edges), height, { segments }),
        material: brass,
        colour: [0.85, 0.65, 0.2, 1],
      }),
      drive: body({ shape: drive, material: brass, position: [centreDistance, 0, 0], colour: [0.5, 0.55, 0.6, 1] }),
      ...(loadInertia > 0 && { load: flywheel(loadInertia, 0) }),
      ...(driveInertia > 0 && { flywheel: flywheel(driveInertia, centreDistance) }),
    },
    joints: {
      motor: revolute({
        body: 'drive',
        axis: [0, 0, 1],
        at: [centreDistance, 0, 0],
        initialAngle,
        ...(motorGain > 0
          ? {
              initialSpeed: turning,
              motor: { targetSpeed: turning, kd: motorGain, limit: motorLimit },
            }
          : { speed: turning }),
      }),
      shaft: revolute({
        body: 'wheel',
        axis: [0, 0, 1],
        torque: load,
        // holds the wheel within 1e-5 rad
        ...(bearingFriction > 0 && { friction: { limit: bearingFriction, stiffness: 1e5 * bearingFriction } }),
      }),
      ...(loadInertia > 0 && { loadOnShaft: fixed({ body: 'load', to: 'wheel' }) }),
      ...(driveInertia > 0 && {
        flywheelOnShaft: fixed({ body: 'flywheel', to: 'drive', at: [centreDistance, 0, 0] }),
      }),
    },
    contacts: { defaults: { friction, restitution, normalLaw: { kind: 'foundation', modulus: stiffness } } },
    simulation: { stop: 2 / speed, interval: 1 / (1000 * speed), rtol: 1e-4 },
    plots: {
      'angle of the wheel': 'shaft.angle',
      'speed of the wheel': 'shaft.speed',
      'force on the wheel': ['contacts.wheel-drive.force.x', 'contacts.wheel-drive.force.y'],
      'torque of the drive': 'motor.torque.z',
    },
  });
};
