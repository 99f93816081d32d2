/**
 * A compression spring of round wire as bodies and forces: rigid segments along the helix, joined by springs and dampers in all six
 * directions, so that it has mass, surges, and touches itself and what it stands on.
 *
 * **Calibration.** The wire between the middles of two neighbouring segments, l long, is one bushing where they join, with the stiffness of a
 * beam of that length in the axes of the helix (tangent, normal, binormal):
 *
 *   stretch E A/l,   shear κ G A/l,   twist G J/l,   bending E I/l,     J = π d⁴/32 = 2 I,   A = π d²/4
 *
 * The joints lie on the helix, at the lever D/2 of an axial force F: each twists by (F D/2) l/(G J), and all together give way by
 * δ = F (D/2)² L/(G J) = 8 F D³ n/(G d⁴). So the textbook's rate comes out for any number of segments, and nothing is fitted. What the
 * textbook leaves out is here, and coil-spring-rate.ts has it in closed form: the pitch angle, the shear of the wire, ends that cannot tilt.
 * The curvature of the wire itself, −3/16 (d/D)² of δ (Göhner 1932), is left out.
 *
 * **Ends** are closed and ground: the last coil at either end is a rigid body of its own, for it gives way to nothing; its underside is flat over
 * three quarters of a turn, its tip half a wire thick. So n_t = n + 2 coils, free length p n + 2 d, block length n_t d, as textbooks have it.
 *
 * **Damping** is proportional to stiffness, C = β K with β = 2 ζ/ω₁ of the first surge mode; mode k then has k ζ.
 */
import { ModelError } from '../errors.js';
import type { Solid } from '../geometry/solid.js';
import { capsule } from '../geometry/sphere.js';
import { translate, rotate as turned } from '../geometry/transform.js';
import { atan, cos, sin } from '../math/elementary.js';
import { fromColumns, type Mat3, toQuaternion } from '../math/mat3.js';
import { conjugate, multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { add, cross, distance, lerp, normalize, scale, sub, type Vec3, ZERO } from '../math/vec3.js';
import { type BodyOptions, body } from './body.js';
import { type CoilSpringFigures, figuresOf, type HelicalWire, shearCoefficient } from './coil-spring-rate.js';
import { bushing } from './forces.js';
import type { Material } from './material.js';
import { shown } from './schema.js';

export interface CoilSpringOptions {
  /** d, m */
  readonly wireDiameter: number;
  /** D, of the wire's axis, m */
  readonly meanDiameter: number;
  /** n: coils that give way; one dead coil at either end comes on top. n times `segmentsPerCoil` is a whole number */
  readonly activeCoils: number;
  /** m, between the seats */
  readonly freeLength: number;
  /** Density, Young's modulus and Poisson's ratio, of which G = E/2(1 + ν) */
  readonly material: Material;
  /** 12 to 24 do; the static rate does not depend on it, contact and high surge modes do. */
  readonly segmentsPerCoil?: number;
  /** ζ of the first surge mode between fixed ends, 0.01 unless given */
  readonly dampingRatio?: number;
  readonly hand?: 'right' | 'left';
  /** Of the bodies: `spring[0]` …, and `springBase`, `springTop` */
  readonly name?: string;
  /** Middle of the lower seat, m; the axis is z */
  readonly position?: Vec3;
  readonly colour?: BodyOptions['colour'];
}

export type { CoilSpringFigures } from './coil-spring-rate.js';

export interface CoilSpring {
  /** To be spread into the model's bodies, forces and contacts.exclude */
  readonly bodies: Record<string, BodyOptions | readonly BodyOptions[]>;
  readonly forces: Record<string, readonly ReturnType<typeof bushing>[]>;
  /** Neighbours along the wire do not touch, and of the next coil only the segment just above does. */
  readonly exclude: readonly (readonly [string, string])[];
  readonly figures: CoilSpringFigures;
}

/** Part of a turn over which an end is ground flat */
const GROUND = 0.75;
/** Segments nearer to each other along the wire than this many diameters are neighbours. */
const NEIGHBOUR = 1.1;

/**
 * @throws ModelError where the coils would overlap, or the segments do not fit the coils
 * @example
 * const spring = coilSpring({ wireDiameter: 2e-3, meanDiameter: 20e-3, activeCoils: 6, freeLength: 50e-3, material: steel });
 * model({ bodies: { ...spring.bodies, floor }, forces: { ...spring.forces }, contacts: { exclude: spring.exclude } });
 */
export function coilSpring(options: CoilSpringOptions): CoilSpring {
  const wire = checked(options);
  const { name, segments, angle, position, material, colour } = wire;
  const figures = figuresOf(wire);

  // Bushings where segments join; half as long at the two ends
  const { stiffness, beta } = beam(wire, figures);
  const joint = (from: string, to: string, share: number) => {
    const k = stiffness.map((value) => value / share) as unknown as Six;
    return bushing({ from, to, stiffness: k, damping: k.map((value) => beta * value) as unknown as Six });
  };
  const base = `${name}Base`;
  const top = `${name}Top`;
  const links = Array.from({ length: segments + 1 }, (_, j) =>
    joint(
      j === 0 ? `${base}.wire` : `${name}[${j - 1}].end`,
      j === segments ? `${top}.wire` : `${name}[${j}].start`,
      j === 0 || j === segments ? 0.5 : 1,
    ),
  );

  const coils = Array.from({ length: segments }, (_, i) => segment(wire, i));
  const end = endCoil(wire);
  // A half turn about a line across the middle maps the helix on itself.
  const half = 0.5 * segments * angle;
  const over: Quaternion = [0, cos(half), wire.hand * sin(half), 0];
  const ends = [
    { at: position, orientation: IDENTITY, joint: 0 },
    { at: add(position, [0, 0, wire.freeLength]), orientation: over, joint: segments },
  ].map(({ at, orientation, joint: j }) =>
    body({
      ...end,
      material,
      position: at,
      orientation,
      frames: { wire: local(at, orientation, jointAt(wire, j)) },
      ...(colour && { colour }),
    }),
  );

  const exclude: [string, string][] = [];
  const chord = distance(helix(wire, 0), helix(wire, 1));
  const near = (apart: number): boolean => apart === 0 || apart * chord < NEIGHBOUR * wire.d;
  for (let i = 0; i < segments; i++) {
    if (near(i)) exclude.push([base, `${name}[${i}]`]);
    if (near(segments - 1 - i)) exclude.push([`${name}[${i}]`, top]);
    for (let j = i + 1; j < segments && near(j - i - 1); j++) exclude.push([`${name}[${i}]`, `${name}[${j}]`]);
    // The segment just above touches; where those beside it do, they do so at the ends they share with it.
    for (const j of [i + wire.perCoil - 1, i + wire.perCoil + 1])
      if (j < segments) exclude.push([`${name}[${i}]`, `${name}[${j}]`]);
  }
  return {
    bodies: { [base]: ends[0], [name]: coils, [top]: ends[1] },
    forces: { [`${name}Wire`]: links },
    exclude,
    figures: { ...figures, mass: 2 * end.mass + segments * wire.segmentMass },
  };
}

type Six = readonly [number, number, number, number, number, number];
const IDENTITY: Quaternion = [1, 0, 0, 0];

/** The wire in numbers */
interface Wire extends HelicalWire {
  readonly name: string;
  readonly freeLength: number;
  readonly perCoil: number;
  readonly segments: number;
  /** Of one segment about the axis, rad, and along the wire, m */
  readonly angle: number;
  readonly length: number;
  readonly segmentMass: number;
  readonly dampingRatio: number;
  readonly hand: 1 | -1;
  readonly position: Vec3;
  readonly material: Material;
  readonly colour: BodyOptions['colour'];
}

function checked(options: CoilSpringOptions): Wire {
  const { wireDiameter: d, meanDiameter, activeCoils, freeLength, material } = options;
  const { segmentsPerCoil = 24, dampingRatio = 0.01, hand = 'right', name = 'spring', position = ZERO } = options;
  const refuse = (key: string, expected: string, got: unknown): never => {
    throw new ModelError(`coilSpring.${key}`, `expected ${expected}, got ${shown(got)}`);
  };
  if (!(d > 0)) refuse('wireDiameter', 'a length > 0 m', d);
  if (!(meanDiameter > 2 * d)) refuse('meanDiameter', `more than twice the wire's diameter, ${2 * d} m`, meanDiameter);
  if (!(activeCoils > 0 && activeCoils < 1e4)) refuse('activeCoils', 'a number of coils > 0', activeCoils);
  if (!Number.isInteger(segmentsPerCoil) || !(segmentsPerCoil >= 8))
    refuse('segmentsPerCoil', 'a whole number from 8 on', segmentsPerCoil);
  const segments = Math.round(activeCoils * segmentsPerCoil);
  if (!(Math.abs(segments - activeCoils * segmentsPerCoil) < 1e-9 * segments))
    refuse('activeCoils', `a whole number of segments, a multiple of 1/${segmentsPerCoil}`, activeCoils);
  const block = (activeCoils + 2) * d;
  if (!(freeLength > block && freeLength < Number.POSITIVE_INFINITY))
    refuse('freeLength', `more than the block length (n + 2) d = ${Number(block.toPrecision(12))} m`, freeLength);
  const { youngsModulus, poissonRatio: nu = 0.3, density } = material ?? {};
  if (youngsModulus === undefined)
    return refuse(
      'material.youngsModulus',
      "Young's modulus in Pa, of which the stiffness of the wire follows",
      youngsModulus,
    );
  if (!(dampingRatio >= 0)) refuse('dampingRatio', 'a ratio ≥ 0', dampingRatio);
  if (hand !== 'right' && hand !== 'left') refuse('hand', "'right' or 'left'", hand);

  const pitch = (freeLength - 2 * d) / activeCoils;
  const pitchAngle = atan(pitch / (Math.PI * meanDiameter));
  const angle = (2 * Math.PI) / segmentsPerCoil;
  const length = (0.5 * meanDiameter * angle) / cos(pitchAngle);
  return {
    name,
    d,
    radius: 0.5 * meanDiameter,
    coils: activeCoils,
    freeLength,
    pitch,
    pitchAngle,
    perCoil: segmentsPerCoil,
    segments,
    angle,
    length,
    segmentMass: density * 0.25 * Math.PI * d * d * length,
    density,
    young: youngsModulus,
    shear: youngsModulus / (2 * (1 + nu)),
    kappa: shearCoefficient(nu),
    dampingRatio,
    hand: hand === 'right' ? 1 : -1,
    position,
    material,
    colour: options.colour,
  };
}

/** Stiffness of one segment's length of wire along and about tangent, normal, binormal; and β of the damping */
function beam({ d, young, shear, kappa, length, dampingRatio }: Wire, { surgeFrequency }: CoilSpringFigures) {
  const area = 0.25 * Math.PI * d * d;
  const bending = (Math.PI * d * d * d * d) / 64;
  const stiffness: Six = [
    (young * area) / length,
    (kappa * shear * area) / length,
    (kappa * shear * area) / length,
    (shear * 2 * bending) / length,
    (young * bending) / length,
    (young * bending) / length,
  ];
  return { stiffness, beta: (2 * dampingRatio) / (2 * Math.PI * surgeFrequency) };
}

/** Point of the wire's axis after j segments */
function helix({ radius, angle, pitch, perCoil, d, hand, position }: Wire, j: number): Vec3 {
  return add(position, [radius * cos(j * angle), hand * radius * sin(j * angle), d + (pitch * j) / perCoil]);
}

interface Frame {
  readonly position: Vec3;
  readonly orientation: Quaternion;
}

/** Tangent, normal and binormal there */
function jointAt(wire: Wire, j: number): Frame {
  const { angle, pitchAngle, hand } = wire;
  const [c, s] = [cos(j * angle), hand * sin(j * angle)];
  const tangent: Vec3 = [-hand * s * cos(pitchAngle), hand * c * cos(pitchAngle), sin(pitchAngle)];
  const normal: Vec3 = [-c, -s, 0];
  return { position: helix(wire, j), orientation: axes(tangent, normal, cross(tangent, normal)) };
}

const axes = (x: Vec3, y: Vec3, z: Vec3): Quaternion => toQuaternion(fromColumns(x, y, z));

/** A frame of the world as one of a body */
function local(origin: Vec3, orientation: Quaternion, frame: Frame): Frame {
  const back = conjugate(orientation);
  return {
    position: rotate(back, sub(frame.position, origin)),
    orientation: multiply(back, frame.orientation),
  };
}

/** A capsule along the chord, with the mass of the arc; z along the chord, x outwards. */
function segment(wire: Wire, i: number): BodyOptions {
  const { d, radius, angle, length, segmentMass: mass, material, position, colour } = wire;
  const [start, end] = [jointAt(wire, i), jointAt(wire, i + 1)];
  const middle = lerp(start.position, end.position, 0.5);
  const along = normalize(sub(end.position, start.position));
  // the middle of the chord lies straight inside that of the arc
  const outwards = normalize([middle[0] - position[0], middle[1] - position[1], 0]);
  const orientation = axes(outwards, cross(along, outwards), along);
  const across = (mass * (0.75 * d * d + length * length)) / 12;
  const about = (mass * d * d) / 8;
  const half = 0.5 * angle;
  return body({
    shape: capsule({ radius: 0.5 * d, height: distance(start.position, end.position), segments: 16 }),
    material,
    mass,
    centreOfMass: [radius * (sin(half) / half - cos(half)), 0, 0],
    inertia: [across, across, about],
    position: middle,
    orientation,
    frames: { start: local(middle, orientation, start), end: local(middle, orientation, end) },
    ...(colour && { colour }),
  });
}

/**
 * The dead coil of the lower end about the middle of its seat: capsules that lie on the seat over GROUND of a turn, from half a wire at the tip to
 * a whole one, and rise from there to the first active coil, which starts just above the tip.
 */
function endCoil({ d, radius, perCoil, angle, hand, density }: Wire) {
  const shape: Solid[] = [];
  let mass = 0;
  let moment: Vec3 = ZERO;
  const pieces: { readonly mass: number; readonly middle: Vec3 }[] = [];
  for (let k = 0; k < perCoil; k++) {
    const upTo = (share: number): number => (share < GROUND ? 0.5 + (0.5 * share) / GROUND : 1);
    const middle = (k + 0.5) / perCoil;
    const flat = middle < GROUND;
    const r = flat ? 0.5 * d * upTo(middle) : 0.5 * d;
    const place = (share: number): Vec3 => {
      const turn = (share - 1) * perCoil * angle;
      const height = flat ? r : 0.5 * d + 0.5 * d * Math.max(0, (share - GROUND) / (1 - GROUND));
      return [radius * cos(turn), hand * radius * sin(turn), height];
    };
    const [from, to] = [place(k / perCoil), place((k + 1) / perCoil)];
    shape.push(placed(r, from, to));
    const piece = density * Math.PI * r * r * distance(from, to);
    pieces.push({ mass: piece, middle: lerp(from, to, 0.5) });
    mass += piece;
    moment = add(moment, scale(piece, lerp(from, to, 0.5)));
  }
  const centreOfMass = scale(1 / mass, moment);
  // Pieces as points, and the cross-section of the wire
  const inertia = Array.from({ length: 9 }, (_, e) => (e % 4 === 0 ? (mass * d * d) / 16 : 0));
  for (const { mass: m, middle } of pieces) {
    const r = sub(middle, centreOfMass);
    const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (let e = 0; e < 9; e++) inertia[e] += m * ((e % 4 === 0 ? square : 0) - r[Math.floor(e / 3)] * r[e % 3]);
  }
  return { shape, mass, centreOfMass, inertia: inertia as unknown as Mat3 };
}

/** A capsule from one point to another */
function placed(radius: number, from: Vec3, to: Vec3): Solid {
  const middle = lerp(from, to, 0.5);
  const along = normalize(sub(to, from));
  const outwards = normalize([middle[0], middle[1], 0]);
  const level = normalize(cross(along, outwards));
  return translate(
    middle,
    turned(axes(cross(level, along), level, along), capsule({ radius, height: distance(from, to), segments: 16 })),
  );
}
