// A marble rolls down a straight gutter, round a spiral and into a bowl: a ball on concave meshes, as they are drawn.
// npx tippetop run examples/marble-run --turns 2.5
import {
  absPlastic,
  atan,
  body,
  cos,
  glass,
  model,
  type Outline,
  revolve,
  sin,
  sphere,
  sweep,
  type Vec3,
} from 'tippetop';

export default ({
  radius = 0.008 /* m, of the marble */,
  gutterRadius = 0.012 /* m, of the round gutter */,
  rampLength = 0.3 /* m, in plan */,
  rampSlope = 0.2 /* drop over length */,
  spiralRadius = 0.1 /* m */,
  spiralSlope = 0.05,
  turns = 1.5 /* of the spiral; whole ones and a half end over the bowl */,
  friction = 0.3,
  restitution = 0.5,
  rollingFriction = 0.002,
  modulus = 1e7 /* Pa, reduced, of the contact: a lining of rubber */,
  facet = 0.00125 /* m, length of the facets along bends */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  // The bottom of the gutter: straight down, level out, into the bend as curvature grows, round and round, a short end
  const path: Vec3[] = [[0, 0, 0]];
  let heading = 0;
  const go = (length: number, steps: number, bend: (part: number) => number, slope: (part: number) => number): void => {
    const step = length / steps;
    for (let k = 0; k < steps; k++) {
      const [x, y, z] = path[path.length - 1];
      const turn = step * bend((k + 0.5) / steps);
      const middle = heading + turn / 2;
      path.push([x + step * cos(middle), y + step * sin(middle), z - step * slope((k + 0.5) / steps)]);
      heading += turn;
    }
  };
  const facets = (length: number): number => Math.ceil(length / facet);
  const inward = 1.5 * spiralRadius;
  const around = 2 * Math.PI * spiralRadius * turns - inward / 2;
  go(
    rampLength,
    1,
    () => 0,
    () => rampSlope,
  );
  go(
    inward,
    facets(inward),
    (part) => part / spiralRadius,
    (part) => rampSlope + part * (spiralSlope - rampSlope),
  );
  go(
    around,
    facets(around),
    () => 1 / spiralRadius,
    () => spiralSlope,
  );
  go(
    0.02,
    1,
    () => 0,
    () => spiralSlope,
  );
  const [endX, endY, endZ] = path[path.length - 1];
  const bowlRadius = 1.8 * spiralRadius;

  const start = 0.05 * rampLength;
  const slant = Math.sqrt(1 + rampSlope * rampSlope);
  return model({
    title: 'Marble run',
    gravity: [0, 0, -gravity],
    bodies: {
      track: body({
        shape: sweep(gutter(gutterRadius), path),
        material: absPlastic,
        fixed: true,
        colour: [0.45, 0.6, 0.8, 1],
      }),
      bowl: body({
        shape: bowl(bowlRadius),
        // the marble flies into it along a circle of three quarters of its radius
        position: [endX - 0.4 * bowlRadius, endY - 0.75 * bowlRadius, endZ - 0.4 * gutterRadius],
        material: absPlastic,
        fixed: true,
        colour: [0.8, 0.78, 0.72, 1],
      }),
      marble: body({
        shape: sphere(radius),
        material: glass,
        position: [start + (radius * rampSlope) / slant, 0, radius / slant - start * rampSlope],
        colour: [0.85, 0.3, 0.15, 1],
      }),
    },
    contacts: { defaults: { friction, restitution, rollingFriction, reducedModulus: modulus } },
    simulation: { stop: 4, interval: 0.005 },
    plots: {
      place: ['marble.position.x', 'marble.position.y', 'marble.position.z'],
      energy: ['energy.kinetic', 'energy.potential', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** Section of a gutter: its round inside of 17 facets, the middle one level and at y = 0 */
function gutter(radius: number): Outline {
  const facets = 17;
  const step = (0.95 * Math.PI) / facets;
  const toCorner = radius / cos(step / 2);
  const round = Array.from({ length: facets + 1 }, (_, k): [number, number] => {
    const angle = (k - facets / 2) * step;
    return [toCorner * sin(angle), radius - toCorner * cos(angle)];
  });
  const [side, top] = round[facets];
  const wall = 0.2 * radius;
  return [...round, [side + wall, top], [side + wall, -wall], [-side - wall, -wall], [-side - wall, top]];
}

/** A dish half as deep as wide from its middle, turned from a section; its rim at z = 0 */
function bowl(radius: number) {
  const depth = radius / 2;
  const sphereRadius = (radius * radius + depth * depth) / (2 * depth);
  const widest = 2 * atan(depth / radius); // half the angle seen from the centre
  const facets = 48;
  const arc = (r: number) =>
    Array.from({ length: facets + 1 }, (_, k): [number, number] => {
      const angle = (widest * k) / facets;
      return [r * sin(angle), sphereRadius - depth - r * cos(angle)];
    });
  return revolve([...arc(sphereRadius), ...arc(sphereRadius + 0.03 * radius).reverse()], { segments: 240 });
}
