// A leading-edge flap with variable camber, as on the wing of a large aircraft: one crank unfolds thirteen rigid parts, a flexible arm and a
// flexible skin, which is bent as it comes out. Elmqvist et al. (2015), §9.1, show such a mechanism; its dimensions are not public, these
// are a stand-in with the same count of parts.
// npx tippetop run examples/wing-flap --pressure 5000
import { body, box, cylinder, extrude, type ModelOptions, model, revolute, translate } from 'tippetop';

type Point = readonly [x: number, y: number];
type Joints = NonNullable<ModelOptions['joints']>;

const degree = Math.PI / 180;
const turned = (angle: number, length: number): Point => [
  length * Math.cos(angle * degree),
  length * Math.sin(angle * degree),
];
const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];

// Pins as stowed, m
const O1: Point = [0.14, 0.05];
const O2: Point = [0, 0];
const O3: Point = [0.0072, 0.0439];
const crankEnd = plus(O1, turned(-8, 0.1));
const P = turned(-8, 0.1);
const A = turned(-8, 0.3);
const C: Point = [0.3215, 0.032];
const Q5: Point = [0.384, -0.0242];
const R5: Point = [0.3728, 0.0163];
const T5: Point = [0.3835, 0.0122];
const U5: Point = [0.3771, 0.0154];
const S: Point = [0.2786, 0.0105];
const Q7: Point = [0.6, -0.045];
const R7: Point = [0.5755, -0.0548];
const Q9: Point = [0.46, -0.02];
const R9: Point = [0.4427, 0.0225];
const V1: Point = [0.496, -0.024];
const V2: Point = [0.474, -0.024];
const K0: Point = [0.09, -0.085];
const K1: Point = [0.59, -0.085];
const N: Point = [0.594, -0.039];
const W1: Point = [0.415, -0.085]; // struts on the skin
const W2: Point = [0.515, -0.085];

export default ({
  time = 4 /* s to unfold, and as much to fold */,
  pressure = 0 /* Pa on the outside of the skin */,
  pieces = 4 /* of the skin */,
  modes = 1 /* of each piece, besides the motions of its ends: with these alone its bending moment would be linear along it */,
  width = 1 /* m of the skin */,
  damping = 0.05 /* of critical */,
  armModulus = 71e9 /* Pa */,
} = {}) => {
  const light = { density: 2770, youngsModulus: 71e9, poissonRatio: 0.33 };
  const at = ([x, y]: Point) => [x, y, 0] as const;
  const grey = [0.62, 0.65, 0.7, 1] as const;
  const blue = [0.35, 0.5, 0.75, 1] as const;
  /** A flat link from pin to pin, on a level of its own */
  const link = (from: Point, to: Point, level: number, breadth = 0.012) => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    return body({
      shape: [
        translate([length / 2, 0, 0], box([length, breadth, 0.006])),
        translate([0, 0, 0], cylinder({ radius: 0.7 * breadth, height: 0.008 })),
        translate([length, 0, 0], cylinder({ radius: 0.7 * breadth, height: 0.008 })),
      ],
      material: light,
      position: [from[0], from[1], 0.01 * level],
      orientation: { axis: [0, 0, 1], angle: Math.atan2(dy, dx) },
      colour: level % 2 === 0 ? grey : blue,
    });
  };
  /** A plate through some pins, drawn where it is */
  const plate = (outline: readonly Point[], level: number) =>
    body({
      shape: translate([0, 0, 0.01 * level], extrude(outline, 0.006)),
      material: light,
      colour: level % 2 === 0 ? grey : blue,
    });
  const pin = (name: string, to: string | undefined, place: Point) =>
    revolute({ body: name, ...(to !== undefined && { to }), axis: [0, 0, 1], at: at(place) });
  // fraction of the crank's 130°: out and back
  const travel = (t: number): number => (1 - Math.cos((Math.PI * t) / time)) / 2;
  // rises over a tenth of the time: all at once it would make the skin ring, and steps short
  const rise = (t: number): number => (t < time / 10 ? (1 - Math.cos((10 * Math.PI * t) / time)) / 2 : 1);
  const outside = (part: number) => (t: number) => [0, pressure * width * part * rise(t), 0] as const;
  const joints: Joints = {
    O1: revolute({ body: 'B1', axis: [0, 0, 1], at: at(O1), angle: (t: number) => -130 * degree * travel(t) }),
    O2: pin('arm', undefined, O2),
    B2end: pin('B2', 'B1', crankEnd),
    P: pin('B2', 'arm', P),
    A: pin('B3', 'arm', A),
    O3: pin('B4', undefined, O3),
    C: pin('B4', 'B3', C),
    Q5: pin('B5', 'B3', Q5),
    R5: pin('B6', 'B5', R5),
    S: pin('B6', 'arm', S),
    Q7: pin('B7', 'B3', Q7),
    R7: pin('B8', 'B7', R7),
    T5: pin('B8', 'B5', T5),
    Q9: pin('B9', 'B3', Q9),
    R9: pin('B10', 'B9', R9),
    U5: pin('B10', 'B5', U5),
    K0: pin('skin', 'B3', K0),
    K1: pin('B11', 'skin', K1),
    N: pin('B11', 'B7', N),
    V1: pin('B12', 'B9', V1),
    W1: pin('B12', 'skin', W1),
    V2: pin('B13', 'B9', V2),
    W2: pin('B13', 'skin', W2),
  };
  return model({
    title: 'wing flap with variable camber',
    gravity: 'none',
    contacts: false,
    bodies: {
      B1: link(O1, crankEnd, 2, 0.016),
      B2: link(crankEnd, P, 3),
      // the arm and the lug that carries the link B6; its frame turned with it
      arm: body({
        shape: extrude(
          [
            [-0.02, -0.015],
            [0.32, -0.015],
            [0.32, 0.015],
            [0.297, 0.015],
            [0.29, 0.062],
            [0.26, 0.062],
            [0.25, 0.015],
            [-0.02, 0.015],
          ],
          0.01,
        ),
        material: { ...light, youngsModulus: armModulus },
        orientation: { axis: [0, 0, 1], angle: -8 * degree },
        flexible: {
          meshSize: 0.008,
          modes: 2,
          damping,
          interfaces: { O2: { radius: 0.01 }, P: { radius: 0.01 }, A: { radius: 0.01 }, S: { radius: 0.01 } },
        },
      }),
      B3: plate(
        [
          [0.09, -0.093],
          [0.1, -0.093],
          [0.31, -0.06],
          [0.61, -0.055],
          [0.61, -0.035],
          [0.46, -0.01],
          [0.384, -0.012],
          [0.33, 0.04],
          [0.31, 0.04],
          [0.28, -0.035],
          [0.082, -0.077],
        ],
        1,
      ),
      B4: link(O3, C, 3),
      B5: plate(
        [
          [0.376, -0.03],
          [0.392, -0.03],
          [0.392, 0.02],
          [0.366, 0.022],
        ],
        2,
      ),
      B6: link(R5, S, 4),
      B7: plate(
        [
          [0.57, -0.062],
          [0.608, -0.05],
          [0.604, -0.032],
          [0.588, -0.032],
        ],
        3,
      ),
      B8: link(R7, T5, 5, 0.01),
      B9: plate(
        [
          [0.452, -0.03],
          [0.502, -0.032],
          [0.5, -0.018],
          [0.468, -0.01],
          [0.449, 0.028],
          [0.436, 0.028],
        ],
        4,
      ),
      B10: link(R9, U5, 5, 0.01),
      skin: body({
        shape: translate(
          [0, 0, -width / 2],
          extrude(
            [
              [0, -0.0015],
              [0.5, -0.0015],
              [0.5, 0.0015],
              [0, 0.0015],
            ],
            width,
          ),
        ),
        material: { density: 1900, youngsModulus: 20e9, poissonRatio: 0.3 },
        position: at(K0),
        flexible: { substructures: pieces, grid: [100, 1], modes, damping, membrane: true },
      }),
      B11: link(K1, N, 5, 0.008),
      B12: link(V1, W1, 6, 0.008),
      B13: link(V2, W2, 6, 0.008),
    },
    joints,
    ...(pressure !== 0 && {
      forces: Object.fromEntries(
        (
          [
            [W1, 0.2125],
            [W2, 0.0875],
          ] as const
        ).map(([place, part], i) => [
          `pressure${i + 1}`,
          { kind: 'applied', on: { body: 'skin', at: at(place) }, axes: 'body', force: outside(part) },
        ]),
      ) as never,
    }),
    plots: {
      'angles, rad': ['O1.angle', 'A.angle', 'Q7.angle'],
      'largest stress of the skin, Pa': ['skin.stress.largest', 'skin[1].stress.largest', 'skin[2].stress.largest'],
      'force of the struts, N': ['W1.force.*', 'W2.force.*'],
    },
    simulation: { stop: 2 * time, rtol: 1e-5 },
  });
};
