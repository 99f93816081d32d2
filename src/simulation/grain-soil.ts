/**
 * Grains on soft ground: each that reaches down to it presses on the nodes of the soil's grid as a body does (contact/soil/soil-grid.ts), at every step of the grains; the grid yields with
 * the step, and what was pressed aside flows at the soil's own rate. Grains press one after the other in the order of their numbers, so the number of threads changes nothing.
 */
import { refuseSecondGround } from '../contact/soil/second-ground.js';
import type { Bed as Soil } from '../contact/soil/soil-bed.js';
import { type SoilGrid, type SoilSnapshot, SoilWrench } from '../contact/soil/soil-grid.js';
import type { SoilObject } from '../contact/soil/soil-object.js';
import { ModelError } from '../errors.js';
import { sphere } from '../geometry/primitives.js';
import { joinMeshes, type TriangleMesh } from '../geometry/triangle-mesh.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import type { RigidBed } from '../grains/polyhedra/rigid-bed.js';
import { drawnForm } from '../grains/shapes/grain-forms.js';
import { fromQuaternion } from '../math/mat3.js';
import type { Quaternion } from '../math/quaternion.js';
import type { Tape } from '../math/tape.js';
import type { MeetsSoil } from '../model/soil-bed.js';
import type { SignalDescription } from '../results/recording.js';

/** What is known of a grain on the ground */
interface Lying {
  readonly object: SoilObject;
  /** Its species, its form among those of the species, and its radius, m */
  readonly what: readonly [kind: number, form: number, size: number];
  /** Force and torque of the last step, N and N m */
  readonly load: Float64Array;
}

export class GrainSoil {
  readonly descriptions: readonly SignalDescription[];
  /** Work of the ground on grains so far, J */
  done = 0;
  private readonly grid: SoilGrid;
  private readonly rate: number;
  private flowed = 0;
  private readonly lying = new Map<number, Lying>();
  /** Per species: how it meets the soil, and the other soils that carry it */
  private readonly meets = new Map<number, MeetsSoil>();
  private readonly others = new Map<number, readonly Soil[]>();
  private readonly wrench = new SoilWrench();
  private readonly motion = {
    position: new Float64Array(3),
    rotation: new Float64Array(9),
    velocity: new Float64Array(3),
    spin: new Float64Array(3),
  };
  private readonly load = new Float64Array(6);
  private readonly force = new Float64Array(3);
  private carrying = 0;
  private sinkage = 0;

  constructor(
    private readonly soil: Soil,
    private readonly bed: RigidBed,
    private readonly plan: GrainPlan,
  ) {
    const { grid, rate } = soil.gridOfGrains();
    this.grid = grid;
    this.rate = rate;
    for (const [name, meets] of soil.species) {
      const kind = plan.species.findIndex(([other]) => other === name);
      this.meets.set(kind, meets);
      this.others.set(kind, soil.othersUnder(name));
    }
    const axes = ['x', 'y', 'z'];
    this.descriptions = [
      ...axes.map((axis) => ({
        name: `${soil.name}.grains.force.${axis}`,
        unit: 'N',
        description: 'of grains on the ground',
      })),
      { name: `${soil.name}.grains.carried`, description: 'grains that the ground carries' },
      {
        name: `${soil.name}.grains.sinkage`,
        unit: 'm',
        description: 'of the deepest point, below the unloaded ground',
      },
    ];
  }

  /** After the forces of a step of h s that ends at t, s */
  press(t: number, h: number): void {
    const { bed, grid, motion, wrench, load, force } = this;
    const { frame } = this.soil;
    const { grains: x, motion: v, ids, kindsOf } = bed;
    force.fill(0);
    this.carrying = this.sinkage = 0;
    for (const i of bed.inOrder()) {
      const meets = this.meets.get(kindsOf[i]);
      if (!meets) continue;
      frame.placeInto(x.subarray(4 * i, 4 * i + 3), motion.position);
      const known = this.lying.get(ids[i]);
      const reach = x[4 * i + 3];
      if (!known && motion.position[2] - reach > grid.topNear(motion.position, reach)) continue;
      const own = known ?? this.come(ids[i], [kindsOf[i], bed.formOf(i), reach], meets);
      this.observe(i, v);
      if (!own.object.accepted) this.begin(own, i);
      grid.evaluate(own.object, motion, wrench);
      frame.wrenchOut(wrench, WORLD, TURN);
      load.set(WORLD);
      load.set(TURN, 3);
      for (let k = 0; k < 3; k++) {
        this.done += 0.5 * h * (own.load[k] + load[k]) * v[8 * i + k];
        this.done += 0.5 * h * (own.load[3 + k] + load[3 + k]) * v[8 * i + 4 + k];
        force[k] -= load[k];
      }
      own.load.set(load);
      bed.addForce(i, load);
      grid.accept(own.object, motion);
      if (wrench.nodes > 0) {
        this.carrying++;
        this.refuseTwo(kindsOf[i]);
      }
      this.sinkage = Math.max(this.sinkage, wrench.sinkage);
    }
    if (this.rate > 0 && t - this.flowed >= (1 - 1e-9) / this.rate) {
      this.flowed = t;
      grid.settle();
    }
  }

  /** Of two soils at one place */
  private refuseTwo(kind: number): void {
    const others = this.others.get(kind)!;
    if (others.length === 0) return;
    const { soil, plan, wrench } = this;
    const [species] = plan.species[kind];
    soil.frame.placeOutOf(wrench.centre, WORLD);
    refuseSecondGround(others, WORLD, `soils.${soil.name}.bodies.${species}`, soil.name);
  }

  record(row: Float64Array, first: number): void {
    row.set(this.force, first);
    row[first + 3] = this.carrying;
    row[first + 4] = this.sinkage;
  }

  /** All that the next steps depend on; grains that are gone have left their marks. */
  remember(tape: Tape): void {
    const past = tape.plain(
      tape.reading
        ? undefined
        : {
            lying: [...this.lying].map(([id, { what, load }]) => [id, what, load]),
            soil: this.grid.snapshot(),
            rest: [this.done, this.flowed, this.carrying, this.sinkage, ...this.force],
          },
    ) as { lying: [number, Lying['what'], Float64Array][]; soil: SoilSnapshot; rest: number[] };
    if (!tape.reading) return;
    for (const [id, what, load] of past.lying) this.come(id, what, this.meets.get(what[0])!).load.set(load);
    this.grid.restore(past.soil);
    [this.done, this.flowed, this.carrying, this.sinkage] = past.rest;
    this.force.set(past.rest.slice(4));
  }

  private come(id: number, what: Lying['what'], { pressureWidth, sideFaces }: MeetsSoil): Lying {
    const { plan, soil, grid } = this;
    const [kind, form, size] = what;
    const object = grid.add(
      `grain ${id}`,
      meshOf(drawnForm(plan.forms![kind].shapes[form]), size),
      { ...(pressureWidth !== undefined && { pressureWidth }), ...(sideFaces !== undefined && { sideFaces }) },
      `soils.${soil.name}.bodies.${plan.species[kind][0]}`,
    );
    const own = { object, what, load: new Float64Array(6) };
    this.lying.set(id, own);
    return own;
  }

  /** Where it is when it comes is where its shear begins. */
  private begin({ object }: Lying, i: number): void {
    const { grid, motion, wrench, soil, bed } = this;
    grid.evaluate(object, motion, wrench);
    if (wrench.sinkage > object.mesh.reach)
      throw new ModelError(
        `soils.${soil.name}`,
        `grain ${bed.ids[i]} starts buried: its deepest point is ${wrench.sinkage.toPrecision(3)} m below the ground; expected grains on the ground or above it`,
      );
    object.accepted = true;
    object.position.set(motion.position);
    object.rotation.set(motion.rotation);
  }

  private observe(i: number, v: Float64Array): void {
    const { motion, bed } = this;
    const { frame } = this.soil;
    const r = fromQuaternion(Array.from(bed.orientationOf(i)) as unknown as Quaternion);
    for (let k = 0; k < 3; k++) {
      frame.into([r[k], r[3 + k], r[6 + k]], WORLD);
      for (let n = 0; n < 3; n++) motion.rotation[3 * n + k] = WORLD[n];
    }
    frame.into(v.subarray(8 * i, 8 * i + 3), motion.velocity);
    frame.into(v.subarray(8 * i + 4, 8 * i + 7), motion.spin);
  }
}

const WORLD = new Float64Array(3);
const TURN = new Float64Array(3);

/** Surface of a form, so large, in principal axes from the centre of mass */
function meshOf({ mesh, balls }: ReturnType<typeof drawnForm>, size: number): TriangleMesh {
  if (mesh) return { vertices: mesh.vertices.map((x) => size * x), triangles: mesh.triangles };
  const spheres: TriangleMesh[] = [];
  for (let b = 0; b < balls!.length; b += 4) {
    const ball = sphere(size * balls![b + 3]).mesh;
    spheres.push({
      vertices: ball.vertices.map((x, k) => x + size * balls![b + (k % 3)]),
      triangles: ball.triangles,
    });
  }
  return joinMeshes(spheres);
}
