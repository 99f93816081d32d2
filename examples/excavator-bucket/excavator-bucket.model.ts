// The bucket of an excavator swings through a bed of 20 000 beads, curls and lifts what it has caught. The drives of arm, bucket and hoist are told where to be; what they
// must give is what the beads resist with.
// npx tippetop run examples/excavator-bucket --view
import { body, box, extrude, model, prismatic, revolute, rotate, translate, type Vec3 } from 'tippetop';

const [width, length, height] = [0.3, 0.22, 0.18]; // m, of the bucket, inside
const plate = 0.02; // m
const reach = 0.6; // m, from the pivot of the arm to the floor of the bucket

/** 0 before t0, 1 after t1, smooth between */
const ramp = (t: number, t0: number, t1: number): number => {
  const s = Math.min(1, Math.max(0, (t - t0) / (t1 - t0)));
  return s * s * s * (10 - 15 * s + 6 * s * s);
};

/** An outline in x and z, from y0 on */
const slab = (outline: readonly (readonly [number, number])[], y0: number, thick: number) =>
  translate([0, y0 + thick, 0], rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, extrude([...outline], thick)));

/** Floor with its cutting edge and back in one, and two sides; the hinge is behind the back, half way up */
const bucket = () => {
  const shell = [
    [-plate, -plate],
    [length, -plate / 2],
    [length, 0],
    [0, 0],
    [0, height],
    [-plate, height],
  ] as const;
  const side = [
    [-plate, -plate],
    [length, -plate / 2],
    [length, plate],
    [length / 2, height],
    [-plate, height],
  ] as const;
  return [slab(shell, -width / 2, width), slab(side, -width / 2 - plate, plate), slab(side, width / 2, plate)];
};

export default ({
  beads = 20000,
  bead = 0.02, // m, diameter
  friction = 0.5,
  depth = 0.11, // m, of the cut
  stop = 2.6, // s
} = {}) => {
  const grit = { density: 2500, youngsModulus: 1.5e7, poissonRatio: 0.3, restitution: 0.4, friction };
  const [long, wide, deep] = [1.1, 0.64, 0.36]; // m, of the trough, inside
  const bed = (beads * (Math.PI / 6) * bead ** 3) / (0.58 * long * wide); // m, height of the beads at rest
  const pivot: Vec3 = [0, 0, bed - depth + reach];
  const [lowered, dug, lifted] = [0.25, 1.85, 2.3]; // s
  const [from, to, curl] = [-1.25, 0.4, 0.28]; // rad; the plane of the opening ends level
  const wall = 0.04; // m
  const side = (x: number, y: number, size: Vec3) => translate([x, y, deep / 2], box(size));
  const hinge: Vec3 = [-length / 2 - plate, 0, pivot[2] - reach + height / 2];
  const yellow = [0.95, 0.7, 0.15, 1] as const;
  const steel = { ...grit, density: 7800 };
  return model({
    title: 'Bucket of an excavator in beads',
    bodies: {
      trough: body({
        shape: [
          translate([0, 0, -wall / 2], box([long + 2 * wall, wide + 2 * wall, wall])),
          side(-(long + wall) / 2, 0, [wall, wide + 2 * wall, deep]),
          side((long + wall) / 2, 0, [wall, wide + 2 * wall, deep]),
          side(0, -(wide + wall) / 2, [long, wall, deep]),
          side(0, (wide + wall) / 2, [long, wall, deep]),
        ],
        material: grit,
        fixed: true,
        colour: [0.7, 0.75, 0.8, 0.25],
      }),
      carriage: body({ mass: 1, inertia: [1, 1, 1], position: pivot }),
      arm: body({
        shape: translate([hinge[0], 0, (hinge[2] - pivot[2]) / 2], box([0.05, 0.08, reach - height / 2])),
        mass: 20,
        contact: false,
        position: pivot,
        colour: [0.3, 0.3, 0.32, 1],
      }),
      bucket: body({
        shape: bucket(),
        material: steel,
        position: [-length / 2, 0, pivot[2] - reach],
        colour: yellow,
      }),
    },
    joints: {
      hoist: prismatic({
        body: 'carriage',
        axis: [0, 0, 1],
        at: pivot,
        position: (t) => 0.25 * (1 - ramp(t, 0, lowered)) + 0.3 * ramp(t, dug - 0.1, lifted),
      }),
      swing: revolute({
        body: 'arm',
        to: 'carriage',
        at: pivot,
        axis: [0, -1, 0],
        angle: (t) => from + (to - from) * ramp(t, lowered, dug),
      }),
      curl: revolute({
        body: 'bucket',
        to: 'arm',
        at: hinge,
        axis: [0, -1, 0],
        angle: (t) => curl * ramp(t, dug - 0.35, lifted - 0.2),
      }),
    },
    contacts: false,
    grains: {
      species: {
        bead: { radius: { uniform: [0.45 * bead, 0.55 * bead] }, material: grit, colour: [0.76, 0.62, 0.42, 1] },
      },
      packings: {
        bed: {
          species: 'bead',
          region: {
            box: [
              [-long / 2, -wide / 2, 0],
              [long / 2, wide / 2, 2 * bed],
            ],
          },
          count: beads,
          spacing: 1.01,
          jitter: 0.005,
        },
      },
      // Only the bucket carries what is here at the end: 0.095 m³ above the bed
      probes: {
        carried: {
          region: {
            box: [
              [-0.13, -0.19, bed + 0.2],
              [0.37, 0.19, bed + 0.7],
            ],
          },
        },
      },
      step: 8e-5, // s
      every: 2,
    },
    simulation: { stop, interval: 0.02 },
    plots: {
      'force on the bucket': ['bucket.grains.meanForce.x', 'bucket.grains.meanForce.z'],
      drives: ['swing.drive', 'curl.drive'],
    },
  });
};
