// A four-axis arm takes a steel block from one place to another: smooth joint paths, PD control with torque limits, no gravity
// compensation, so it sags as a real arm would. The gripper takes hold and lets go at events.
// npx tippetop run examples/robot-arm --yaw-limit 24
import { aluminium, atan2, body, box, cylinder, fixed, hypot, model, revolute, steel, translate } from 'tippetop';

type Posture = readonly [yaw: number, shoulder: number, elbow: number, wrist: number];

export default ({
  stiffness = 4000 /* N m/rad, gain of the shoulder; the other axes in proportion */,
  yawLimit = 30 /* N m, greatest torque of the yaw motor */,
  partMass = 1.7 /* kg */,
  pickX = 0.5 /* m */,
  pickY = -0.35 /* m */,
  placeX = 0.35 /* m */,
  placeY = 0.45 /* m */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const [columnHeight, upperLength, foreLength, handLength] = [0.4, 0.5, 0.45, 0.12]; // m
  const partSize = 0.06;

  // Drawn with the upper arm upright, the forearm along x, the hand pointing down: all joint angles are 0.
  // Angles that put the gripper to a point, hand down: law of cosines in the plane of the arm.
  const posture = (x: number, y: number, z: number): Posture => {
    const r = hypot(x, y);
    const h = z + handLength - columnHeight;
    const reach = hypot(r, h);
    const angle = (opposite: number, a: number, b: number) => {
      const cosine = (a * a + b * b - opposite * opposite) / (2 * a * b);
      return atan2(Math.sqrt(1 - cosine * cosine), cosine);
    };
    const shoulder = atan2(r, h) - angle(foreLength, upperLength, reach);
    const elbow = Math.PI / 2 - angle(reach, upperLength, foreLength);
    return [atan2(y, x), shoulder, elbow, -shoulder - elbow];
  };
  const hover = 0.15; // m above the part
  const home: Posture = [0, 0, 0, 0];
  const above = (x: number, y: number) => posture(x, y, partSize + hover);
  const at = (x: number, y: number) => posture(x, y, partSize);
  // When the arm is to be where, s
  const path: readonly (readonly [time: number, posture: Posture])[] = [
    [0.2, home],
    [0.9, above(pickX, pickY)],
    [1.3, at(pickX, pickY)],
    [1.6, at(pickX, pickY)], // takes hold at 1.5 s
    [2.0, above(pickX, pickY)],
    [2.7, above(placeX, placeY)],
    [3.1, at(placeX, placeY)],
    [3.4, at(placeX, placeY)], // lets go at 3.3 s
    [3.8, above(placeX, placeY)],
    [4.5, home],
  ];
  // Between two of them a polynomial of degree 5 that begins and ends at rest: Flash & Hogan (1985).
  const along = (axis: number) => {
    const leg = (t: number) => {
      const i = path.findIndex(([time]) => t < time);
      if (i === 0) return { from: path[0][1][axis], distance: 0, duration: 1, s: 0 };
      if (i < 0) return { from: path[path.length - 1][1][axis], distance: 0, duration: 1, s: 0 };
      const [[start, a], [end, b]] = [path[i - 1], path[i]];
      return { from: a[axis], distance: b[axis] - a[axis], duration: end - start, s: (t - start) / (end - start) };
    };
    return {
      target: (t: number) => {
        const { from, distance, s } = leg(t);
        return from + distance * s * s * s * (10 + s * (6 * s - 15));
      },
      targetSpeed: (t: number) => {
        const { distance, duration, s } = leg(t);
        return (distance / duration) * 30 * s * s * (1 - s) * (1 - s);
      },
    };
  };
  const motor = (axis: number, share: number, limit: number) => ({
    ...along(axis),
    kp: share * stiffness,
    kd: 0.05 * share * stiffness,
    limit,
  });

  const shoulderAt = [0, 0, columnHeight] as const;
  const elbowAt = [0, 0, columnHeight + upperLength] as const;
  const wristAt = [foreLength, 0, columnHeight + upperLength] as const;
  const pitch = [0, 1, 0] as const;
  return model({
    title: 'Robot arm',
    contacts: false, // drawn to be seen: parts pass beside each other in one plane
    gravity: [0, 0, -gravity],
    bodies: {
      column: body({
        shape: translate([0, 0, columnHeight / 2], cylinder({ radius: 0.08, height: columnHeight })),
        material: aluminium,
        colour: [0.35, 0.35, 0.4, 1],
      }),
      upperArm: body({
        shape: translate([0, 0, upperLength / 2], box([0.06, 0.06, upperLength])),
        material: aluminium,
        position: shoulderAt,
        colour: [0.85, 0.45, 0.15, 1],
      }),
      forearm: body({
        shape: translate([foreLength / 2, 0, 0], box([foreLength, 0.05, 0.05])),
        material: aluminium,
        position: elbowAt,
        colour: [0.85, 0.45, 0.15, 1],
      }),
      hand: body({
        shape: translate([0, 0, -handLength / 2], box([0.04, 0.04, handLength])),
        material: aluminium,
        position: wristAt,
        frames: { gripper: { position: [0, 0, -handLength] } },
        colour: [0.35, 0.35, 0.4, 1],
      }),
      part: body({
        shape: box(partSize),
        material: steel,
        mass: partMass,
        position: [pickX, pickY, partSize / 2],
        colour: [0.2, 0.45, 0.7, 1],
      }),
    },
    joints: {
      yaw: revolute({ body: 'column', axis: [0, 0, 1], at: [0, 0, 0], motor: motor(0, 0.5, yawLimit) }),
      shoulder: revolute({ body: 'upperArm', to: 'column', axis: pitch, at: shoulderAt, motor: motor(1, 1, 120) }),
      elbow: revolute({ body: 'forearm', to: 'upperArm', axis: pitch, at: elbowAt, motor: motor(2, 0.5, 60) }),
      wrist: revolute({ body: 'hand', to: 'forearm', axis: pitch, at: wristAt, motor: motor(3, 0.02, 10) }),
      shelf: fixed({ body: 'part' }),
      grip: fixed({ body: 'part', to: 'hand' }),
      tray: fixed({ body: 'part' }),
    },
    events: {
      pick: { at: 1.5, release: 'shelf', attach: 'grip' },
      place: { at: 3.3, release: 'grip', attach: 'tray' },
    },
    simulation: { stop: 5, interval: 0.01 },
    plots: {
      joints: ['yaw.angle', 'shoulder.angle', 'elbow.angle', 'wrist.angle'],
      torques: ['yaw.drive', 'shoulder.drive', 'elbow.drive', 'wrist.drive'],
      gripper: ['hand.gripper.position.x', 'hand.gripper.position.y', 'hand.gripper.position.z'],
      part: ['part.position.x', 'part.position.y', 'part.position.z'],
    },
  });
};
