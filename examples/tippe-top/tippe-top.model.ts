// A top that turns upside down: spun on its round bottom, it ends on its stem, its centre of mass higher than before.
// npx tippetop run examples/tippe-top --spin-friction patch
import {
  body,
  capsule,
  cbrt,
  cos,
  halfSpace,
  ModelError,
  model,
  type Solid,
  sin,
  solidMassProperties,
  sphere,
  subtract,
  translate,
  union,
} from 'tippetop';

/** A sphere with a stem; lengths along its axis are from the centre of mass, towards the stem. */
interface Top {
  mass: number; // kg
  across: number; // kg m², about an axis across that of the top
  along: number; // kg m²
  sphereAt: number; // m, centre of the sphere
  sphereRadius: number; // m
  stemAt: number; // m, centre of the stem's round end
  stemRadius: number; // m
}

interface Run {
  friction: number;
  spin: number; // rad/s
  tilt: number; // rad
  contactRadius: number; // m
  hardening: number;
  spinFriction: string;
  shape: string;
  edge: number; // m
  regularisation: number; // m/s
  gravity: number; // m/s²
}

/** The top of Leine & Glocker, European Journal of Mechanics A 22 (2003) 193, who gave friction of spinning contacts its force law. */
export default ({
  mass = 6e-3 /* kg */,
  across = 8e-7 /* kg m², about an axis across that of the top */,
  along = 7e-7 /* kg m² */,
  sphereAt = 3e-3 /* m from the centre of mass to the centre of the sphere, towards the stem */,
  sphereRadius = 15e-3 /* m */,
  stemAt = 16e-3 /* m from the centre of mass to the centre of the stem's round end */,
  stemRadius = 5e-3 /* m */,
  friction = 0.3,
  spin = 180 /* rad/s about its axis, at the start */,
  tilt = 0.1 /* rad, at the start */,
  contactRadius = 0.5e-3 /* m, of the circle in which the top at rest touches the table: how soft the two are */,
  hardening = 1 /* times as stiff as that; the circle of contensou stays */,
  spinFriction = 'contensou' /* of a spinning contact: contensou (ellipsoid), patch (integrated over the overlap) or none */,
  shape = 'exact' /* exact or mesh */,
  edge = 0.5e-3 /* m, of the mesh */,
  regularisation = 0 /* m/s: friction µ tanh(slip speed/this), which creeps, in place of one that holds */,
  gravity = 9.81 /* m/s² */,
} = {}) =>
  onTable(
    { mass, across, along, sphereAt, sphereRadius, stemAt, stemRadius },
    { friction, spin, tilt, contactRadius, hardening, spinFriction, shape, edge, regularisation, gravity },
    2,
  );

/** A hollow sphere of beech with a stem, in the likeness of Elmqvist et al. (2015), Fig. 20, which is upside down after 3.3 s. */
export const hollow = ({
  sphereRadius = 20e-3 /* m */,
  cavityRadius = 14e-3 /* m */,
  cavityAt = 4e-3 /* m from the centre of the sphere, towards the stem */,
  stemRadius = 4e-3 /* m */,
  stemEnd = 22e-3 /* m from the centre of the sphere to that of the stem's round end */,
  density = 700 /* kg/m³ */,
  friction = 0.2,
  spin = 180 /* rad/s about its axis, at the start */,
  tilt = 0.1 /* rad, at the start */,
  contactRadius = 0.3e-3 /* m, of the circle in which the top at rest touches the table: how soft the two are */,
  hardening = 1 /* times as stiff as that; the circle of contensou stays */,
  spinFriction = 'patch' /* of a spinning contact: contensou (ellipsoid), patch (integrated over the overlap) or none */,
  shape = 'exact' /* exact or mesh */,
  edge = 0.5e-3 /* m, of the mesh */,
  regularisation = 0 /* m/s: friction µ tanh(slip speed/this), which creeps, in place of one that holds */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const stem = capsule({ radius: stemRadius, height: stemEnd - cavityAt });
  const { mass, centroid, inertia } = solidMassProperties(
    union(
      subtract(sphere(sphereRadius), translate([0, 0, cavityAt], sphere(cavityRadius))),
      translate([0, 0, (cavityAt + stemEnd) / 2], stem),
    ),
    density,
  );
  const low = -centroid[2];
  return onTable(
    { mass, across: inertia[0], along: inertia[8], sphereAt: low, sphereRadius, stemAt: stemEnd + low, stemRadius },
    { friction, spin, tilt, contactRadius, hardening, spinFriction, shape, edge, regularisation, gravity },
    4,
  );
};

function onTable(top: Top, run: Run, stop: number) {
  const { mass, across, along, sphereAt, sphereRadius, stemAt, stemRadius } = top;
  const { friction, spin, tilt, contactRadius, hardening, spinFriction, shape, edge, regularisation, gravity } = run;
  if (!['contensou', 'patch', 'none'].includes(spinFriction))
    throw new ModelError('spinFriction', `expected contensou, patch or none, got "${spinFriction}"`);
  if (!['exact', 'mesh'].includes(shape)) throw new ModelError('shape', `expected exact or mesh, got "${shape}"`);

  // The body's frame is at the centre of mass, z towards the stem.
  const placed = (ball: Solid): Solid => translate([0, 0, sphereAt], ball);
  const stem = translate([0, 0, (sphereAt + stemAt) / 2], capsule({ radius: stemRadius, height: stemAt - sphereAt }));
  const solids =
    shape === 'mesh'
      ? union(placed(sphere(sphereRadius, { edgeLength: edge })), stem)
      : [
          { ...placed(sphere(sphereRadius, { subdivision: 24 })), colour: [0.75, 0.2, 0.15, 1] as const },
          { ...stem, colour: [0.9, 0.75, 0.5, 1] as const },
        ];

  // Hertz, at rest: a³ = 3 m g R/(4 E*), depth a²/R
  const cube = (contactRadius * contactRadius * contactRadius) / hardening;
  const reducedModulus = (3 * mass * gravity * sphereRadius) / (4 * cube);
  const circle = cbrt(cube);
  const depth = (circle * circle) / sphereRadius;
  return model({
    title: 'Tippe top',
    gravity: [0, 0, -gravity],
    bodies: {
      table: body({ shape: halfSpace({ extent: 0.25 }), fixed: true, colour: [0.62, 0.66, 0.68, 1] }),
      top: body({
        shape: solids,
        mass,
        centreOfMass: [0, 0, 0],
        inertia: [across, across, along],
        position: [0, 0, sphereRadius - sphereAt * cos(tilt) - depth],
        orientation: { axis: [0, 1, 0], angle: tilt },
        angularVelocity: [spin * sin(tilt), 0, spin * cos(tilt)],
        frames: { stem: { position: [0, 0, stemAt] } },
      }),
    },
    contacts: {
      defaults: {
        friction,
        restitution: 0,
        reducedModulus,
        pressure: 'hertz',
        torsion: spinFriction === 'contensou' ? 'ellipsoid' : spinFriction === 'patch' ? 'patch' : 'none',
        ...(spinFriction === 'contensou' && { torsionRadius: contactRadius }),
        ...(shape === 'mesh' && { normalLaw: 'overlap-volume' }),
        ...(regularisation > 0 && { frictionLaw: { kind: 'tanh', deadBand: regularisation } }),
      },
    },
    simulation: { stop, interval: 2e-3, rtol: 1e-7 },
    plots: {
      'height of the centre of mass': 'top.position.z',
      'height of the stem': 'top.stem.position.z',
      'angular velocity': ['top.angularVelocity.x', 'top.angularVelocity.y', 'top.angularVelocity.z'],
      'path of the centre of mass': ['top.position.x', 'top.position.y'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
}
