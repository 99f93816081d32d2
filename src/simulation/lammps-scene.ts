/**
 * Grains of a model as a scene for LAMMPS (package GRANULAR), to be run under MPI on more than one machine: the input script and the data file of its atoms.
 * What LAMMPS cannot say is refused: machines, meshes as walls, cohesion, linear laws, inlets and outlets.
 *
 * LAMMPS's normal damping does not give the restitution that is written in it: its 0.5 is 0.616. What is written here is the number that gives the wanted one,
 * found on a bounce of two spheres with LAMMPS's own law, `hertz/material E e ν … damping tsuji`:
 *
 *   F = k a δ + α(e) √(m* k a) v_n,   a = √(R δ),   k = 4/3 E*,   α(e) = 1.2728 − 4.2783e + 11.087e² − 22.348e³ + 27.467e⁴ − 18.022e⁵ + 4.8218e⁶
 *
 * LAMMPS documentation, `pair_style granular`, `fix wall/gran/region`; Tsuji, Tanaka & Ishida (1992).
 */
import { reducedModulus } from '../contact-laws/combination.js';
import { ModelError } from '../errors.js';
import type { Solid } from '../geometry/solid.js';
import type { GrainPairLaw } from '../grains/grain-laws.js';
import { SphereBed } from '../grains/sphere-bed.js';
import { STRIDE } from '../kernels/index.js';
import { PI } from '../math/elementary.js';
import { dot, type Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { GrainRun } from './grain-run.js';

export interface LammpsScene {
  readonly script: string;
  readonly data: string;
}

/** @param dataName how the script names the data file, @param dumpName and what it writes */
export function lammpsScene(
  model: Model,
  run: GrainRun,
  {
    stopTime,
    interval,
    dataName,
    dumpName,
  }: { stopTime: number; interval: number; dataName: string; dumpName: string },
): LammpsScene {
  const { plan } = run;
  const bed = spheresOf(run);
  const { grains, species, kinds, lawOf } = plan;
  for (const door of ['inlets', 'outlets'] as const)
    if (Object.keys(grains[door] ?? {}).length > 0)
      refuse(`grains.${door}`, 'LAMMPS has no inlets and outlets like these; leave them out of the scene');
  const { grains: x, motion: v, ids, kindsOf: ofKind } = bed;
  const places = bed.inOrder();
  if (places.length === 0) refuse('grains', 'there are none at the start');

  // The box: all grains and room for them to fly; walls are regions of their own
  const period = [grains.periodic?.x, grains.periodic?.y, grains.periodic?.z];
  const box = [0, 1, 2].map((k) => {
    const range = period[k];
    if (range) return [...range];
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const i of places) {
      low = Math.min(low, x[4 * i + k] - x[4 * i + 3]);
      high = Math.max(high, x[4 * i + k] + x[4 * i + 3]);
    }
    const room = 0.5 * (high - low) + 10 * x[3];
    return [low - room, high + room];
  });
  const boundary = period.map((range) => (range ? 'p' : 'm')).join(' ');
  const gravity = [...bed.gravity];
  const size = Math.sqrt(dot(gravity as unknown as Vec3, gravity as unknown as Vec3));

  let smallest = Number.POSITIVE_INFINITY;
  for (const i of places) smallest = Math.min(smallest, 1 / v[8 * i + 3]);
  const law = (a: number, b: number): string => {
    const own = lawOf(Math.min(a, b), Math.max(a, b));
    const modulus = reducedModulus(kinds[a], kinds[b]);
    // One E and ν for both partners: E' with E'/(2(1 − ν²)) = E*
    const nu = kinds[a].poissonRatio;
    return lawText(
      own,
      2 * modulus * (1 - nu * nu),
      nu,
      smallest * (size || 9.81),
      `${kinds[a].name} – ${kinds[b].name}`,
    );
  };
  const pairs: string[] = [];
  for (let a = 0; a < species.length; a++)
    for (let b = a; b < species.length; b++) pairs.push(`pair_coeff ${a + 1} ${b + 1} ${law(a, b)}`);
  const walls = plan.wallNames.flatMap((name, b) => {
    if (species.length > 1)
      for (let a = 1; a < species.length; a++)
        if (law(a, species.length + b) !== law(0, species.length + b))
          refuse(
            `grains.pairs`,
            `LAMMPS has one law for a wall, but ${species[0][0]} and ${species[a][0]} have others on ${name}`,
          );
    return wallText(model, run, name, b, law(0, species.length + b));
  });
  const steps = Math.round(stopTime / run.step);
  const every = Math.max(1, Math.round(interval / run.step));
  const long = box.map(([low, high]) => high - low);
  const split =
    gravity[2] !== 0 && Math.max(long[0], long[1]) > 0.3 * long[2] ? 'processors * * 1' : 'processors * * *';
  const script = [
    `# ${model.title ?? 'grains'}: written by tippetop; run with mpirun -np 2 lmp -in <this file>`,
    '# Bristles of sliding are damped as LAMMPS does it, and twisting has its own limit (2/3 instead of 3 pi/16 of mu a N): expect bands, not bits.',
    'units si',
    'atom_style sphere',
    `boundary ${boundary}`,
    'newton off',
    split,
    'comm_modify vel yes',
    `read_data ${dataName}`,
    `neighbor ${bed.lists.skin} bin`,
    'neigh_modify delay 0 every 1 check yes',
    'pair_style granular',
    ...pairs,
    `timestep ${run.step}`,
    'fix motion all nve/sphere',
    ...(size > 0 ? [`fix gravity all gravity ${size} vector ${gravity.map((g) => g / size).join(' ')}`] : []),
    ...walls,
    `dump grains all custom ${every} ${dumpName} id type x y z radius vx vy vz`,
    'dump_modify grains sort id time yes format float %.10g',
    `thermo ${10 * every}`,
    'thermo_style custom step atoms ke',
    'thermo_modify lost warn norm no',
    `run ${steps}`,
    '',
  ].join('\n');
  const data = [
    'grains, written by tippetop',
    '',
    `${places.length} atoms`,
    `${species.length} atom types`,
    ...box.map(([low, high], k) => `${low} ${high} ${'xyz'[k]}lo ${'xyz'[k]}hi`),
    '',
    'Atoms # sphere',
    '',
    ...[...places].map((i) => {
      const r = x[4 * i + 3];
      const density = 1 / v[8 * i + 3] / ((4 / 3) * PI * r * r * r);
      return `${ids[i] + 1} ${ofKind[i] + 1} ${2 * r} ${density} ${x[4 * i]} ${x[4 * i + 1]} ${x[4 * i + 2]}`;
    }),
    '',
    'Velocities',
    '',
    ...[...places].map(
      (i) =>
        `${ids[i] + 1} ${v[8 * i]} ${v[8 * i + 1]} ${v[8 * i + 2]} ${v[8 * i + 4]} ${v[8 * i + 5]} ${v[8 * i + 6]}`,
    ),
    '',
  ].join('\n');
  return { script, data };
}

function refuse(path: string, why: string): never {
  throw new ModelError(path, `${why}; a scene for LAMMPS has spheres, planes, boxes, balls, drums and silos`);
}

function lawText(law: GrainPairLaw, modulus: number, nu: number, weight: number, pair: string): string {
  if (law.cohesion) refuse(`grains: ${pair}`, 'has cohesion (SJKR), which LAMMPS does not know');
  if (law.adhesion) refuse(`grains: ${pair}`, 'has adhesion (JKR), whose LAMMPS form differs');
  if (law.stiffness) refuse(`grains: ${pair}`, 'has a linear law, whose LAMMPS damping differs');
  if (!(modulus < Number.POSITIVE_INFINITY)) refuse(`grains: ${pair}`, 'has no finite modulus');
  const elastic = law.restitution > 0.9999;
  const normal = elastic
    ? `hertz/material ${modulus} 0.0 ${nu}`
    : `hertz/material ${modulus} ${lammpsRestitution(law.restitution)} ${nu}`;
  const tangential = `tangential mindlin NULL ${elastic ? '0.0' : '1.0'} ${law.friction}`;
  const rolling = law.rollingFriction
    ? // k_r of a contact under the weight of the smallest grain; the limit µ_r R N is the same
      ` rolling sds ${(2.25 * law.rollingFriction * law.rollingFriction * weight * 1e3).toPrecision(6)} 0.0 ${law.rollingFriction} twisting marshall`
    : '';
  return `${normal} ${tangential}${rolling} damping ${elastic ? 'velocity' : 'tsuji'}`;
}

function spheresOf({ bed }: GrainRun): SphereBed {
  return bed instanceof SphereBed ? bed : refuse('grains', 'expected spheres; LAMMPS gets no other shapes');
}

// ---- walls --------------------------------------------------------------------------------------------------------------------

function wallText(model: Model, run: GrainRun, name: string, b: number, law: string): string[] {
  const { features, pose } = spheresOf(run).walls[b];
  const body = model.bodies.get(name)!;
  const path = `bodies.${name}`;
  const motion = motionOf(model, name);
  const r = pose.rotation;
  const world = (v: ArrayLike<number>, at: number): Vec3 =>
    [0, 1, 2].map((k) => r[3 * k] * v[at] + r[3 * k + 1] * v[at + 1] + r[3 * k + 2] * v[at + 2]) as unknown as Vec3;
  const place = (v: ArrayLike<number>, at: number): Vec3 =>
    world(v, at).map((w, k) => w + pose.position[k]) as unknown as Vec3;
  const regions: string[] = [];
  const add = (text: string): void => {
    const region = `${name.replace(/\W/g, '_')}_${regions.length}`;
    regions.push(
      `region ${region} ${text}${motion.region}\nfix wall_${region} all wall/gran/region granular ${law} region ${region}`,
    );
  };
  const { shape } = body;
  const solids = (shape === undefined ? [] : Array.isArray(shape) ? shape : [shape]) as readonly Solid[];
  const meshes = Array.from({ length: features.count }, (_, f) => features.numbers[STRIDE.feature * f]).some(
    (kind) => kind >= 1 && kind <= 3,
  );
  if (meshes) {
    for (const { form, pose: own } of solids) {
      const upright = Math.abs(own.orientation[0]) > 1 - 1e-12 && Math.abs(r[0] + r[4] + r[8] - 3) < 1e-12;
      if (form.kind !== 'box' || !upright)
        refuse(path, 'is a mesh to grains, or a box that is turned, and LAMMPS has no meshes as walls');
      const at = place(own.position, 0);
      add(`block ${at.map((c, k) => `${c - form.size[k] / 2} ${c + form.size[k] / 2}`).join(' ')} side out`);
    }
    return [...motion.variables, ...regions];
  }
  for (let f = 0; f < features.count; f++) {
    const n = features.numbers.subarray(STRIDE.feature * f, STRIDE.feature * (f + 1));
    if (n[0] === 9 || n[21] > 0) continue; // an inner corner, and the far side of what is there already
    if (n[0] === 0) {
      const normal = world(n, 1);
      const offset = n[4] + dot(normal, [pose.position[0], pose.position[1], pose.position[2]]);
      add(`plane ${normal.map((c) => c * offset).join(' ')} ${normal.join(' ')} side in`);
    } else if (n[0] === 6) add(`sphere ${place(n, 1).join(' ')} ${n[4]} side out`);
    else if (n[0] === 4) add(revolved(n, place(n, 1), world(n, 4), path));
    else if (n[0] === 5 && (n[19] === 0 || n[20] === 0))
      continue; // the rim of an open end: LAMMPS's tube ends there, too, with nothing to roll over
    else refuse(path, 'has an outer corner that is turned round, which no region of LAMMPS has');
  }
  return [...motion.variables, ...regions];
}

/** A segment of a profile turned round: a cylinder, a cone or a disc in the middle */
function revolved(n: ArrayLike<number>, origin: Vec3, axis: Vec3, path: string): string {
  const k = axis.findIndex((c) => Math.abs(Math.abs(c) - 1) < 1e-12);
  if (k < 0) refuse(path, 'is turned about an axis that is none of x, y, z');
  const [rho, z, tr, tz, length] = [n[7], n[8], n[9], n[10], n[13]];
  const along = axis[k] > 0 ? 1 : -1;
  const others = k === 0 ? [origin[1], origin[2]] : k === 1 ? [origin[0], origin[2]] : [origin[0], origin[1]];
  const heights = [origin[k] + along * z, origin[k] + along * (z + tz * length)];
  if (Math.abs(tz) < 1e-12) {
    // A disc about the axis is a plane for what is inside the drum that it closes
    if (Math.min(rho, rho + tr * length) > 1e-12) refuse(path, 'has a floor with a hole in it');
    const normal = [0, 0, 0];
    normal[k] = tr > 0 ? along : -along;
    const through = [0, 0, 0];
    through[k] = heights[0];
    return `plane ${through.join(' ')} ${normal.join(' ')} side in`;
  }
  const side = tz > 0 ? 'side in' : 'side out';
  const [low, high] = heights[0] < heights[1] ? heights : [heights[1], heights[0]];
  const radii = heights[0] < heights[1] ? [rho, rho + tr * length] : [rho + tr * length, rho];
  if (Math.abs(tr) < 1e-12)
    return `cylinder ${'xyz'[k]} ${others.join(' ')} ${rho} ${low} ${high} ${side} open 1 open 2`;
  return `cone ${'xyz'[k]} ${others.join(' ')} ${radii.join(' ')} ${low} ${high} ${side} open 1 open 2`;
}

/** How the region of a body moves: not, at a constant speed along an axis, or about one */
function motionOf(model: Model, name: string): { readonly variables: readonly string[]; readonly region: string } {
  if (model.bodies.get(name)!.fixed) return { variables: [], region: '' };
  const joints = [...model.joints.values()].filter((joint) => joint.body === name);
  const joint = joints[0] as unknown as
    | { kind: string; to?: string; at?: unknown; axis?: Vec3; speed?: unknown }
    | undefined;
  const simple = joints.length === 1 && joint && joint.to === undefined && typeof joint.speed === 'number';
  if (!simple || !(joint.kind === 'revolute' || joint.kind === 'prismatic'))
    refuse(
      `bodies.${name}`,
      'is part of a machine; LAMMPS moves walls only at a constant speed along or about an axis (revolute or prismatic joint to the ground with a number as its speed)',
    );
  const variable = `motion_${name.replace(/\W/g, '_')}`;
  const { axis = [0, 0, 1], speed, kind } = joint;
  if (kind === 'prismatic')
    return {
      variables: axis.map((c, k) => `variable ${variable}_${'xyz'[k]} equal ${(speed as number) * c}*step*dt`),
      region: ` move ${['x', 'y', 'z'].map((k) => `v_${variable}_${k}`).join(' ')}`,
    };
  const at = Array.isArray(joint.at) ? (joint.at as number[]) : [0, 0, 0];
  return {
    variables: [`variable ${variable} equal ${speed}*step*dt`],
    region: ` rotate v_${variable} ${at.join(' ')} ${axis.join(' ')}`,
  };
}

// ---- restitution --------------------------------------------------------------------------------------------------------------

/** The number that LAMMPS must be given so that two spheres part with `wanted` of their speed */
export function lammpsRestitution(wanted: number): number {
  let [low, high] = [0, 1];
  for (let k = 0; k < 40; k++) {
    const middle = 0.5 * (low + high);
    if (lammpsBounce(middle) < wanted) low = middle;
    else high = middle;
  }
  return Number((0.5 * (low + high)).toPrecision(6));
}

/** Speed after over speed before, m* = k √R = v = 1: ẍ = −δ^1.5 − α δ^¼ δ̇ while δ > 0; it may pull */
export function lammpsBounce(e: number): number {
  const alpha = 1.2728 + e * (-4.2783 + e * (11.087 + e * (-22.348 + e * (27.467 + e * (-18.022 + e * 4.8218)))));
  const h = 2e-3;
  const force = (d: number, v: number): number => {
    const root = Math.sqrt(Math.max(0, d));
    return -root * Math.max(0, d) - alpha * Math.sqrt(root) * v;
  };
  let [d, v] = [0, 1];
  for (let k = 0; k < 20000; k++) {
    const [k1d, k1v] = [v, force(d, v)];
    const [k2d, k2v] = [v + 0.5 * h * k1v, force(d + 0.5 * h * k1d, v + 0.5 * h * k1v)];
    const [k3d, k3v] = [v + 0.5 * h * k2v, force(d + 0.5 * h * k2d, v + 0.5 * h * k2v)];
    const [k4d, k4v] = [v + h * k3v, force(d + h * k3d, v + h * k3v)];
    d += (h / 6) * (k1d + 2 * k2d + 2 * k3d + k4d);
    v += (h / 6) * (k1v + 2 * k2v + 2 * k3v + k4v);
    if (d <= 0) return -v;
  }
  return 0;
}
