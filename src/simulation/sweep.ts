/**
 * Where the shapes of an island were in its last step, and how fast: the step is sampled at five points of its dense output.
 *
 *   box     of the places of the carrier's reference point, grown by the shape's reach, by the gap at which islands meet, and by ¼ δ |Δv|, δ the time between two samples and Δv the
 *           largest change of velocity between them: twice what a parabola strays from its chord
 *   motion  the middle of the velocities, how far they are from it at most (the largest Δv added), and reach times angular velocity, of all points
 *           of the shape; none for a ball about the reference point
 */
import type { Part } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import type { ShapeFacts } from '../contact/shape-facts.js';
import type { Carriers } from '../dynamics/tree/carriers.js';

const SAMPLES = 5;

/** What has made a step */
interface Stepped {
  readonly t: number;
  readonly tPrevious: number;
  placeAt(t: number): void;
}

export class Sweep {
  /** Shapes that move with the island, as numbers in the whole, and their carriers in it */
  readonly shapes: Int32Array;
  readonly carrierOf: Int32Array;
  /** 6 per shape: least and greatest x, y, z, m; and of all together */
  readonly boxes: Float64Array;
  readonly box = new Float64Array(6);
  /** Per shape: 3 the middle of its velocities, m/s; farthest from it; and of its points by turning */
  readonly velocity: Float64Array;
  readonly spread: Float64Array;
  readonly turning: Float64Array;
  /** m: how far points of the shape are that turning moves, and all */
  private readonly arm: Float64Array;
  readonly reach: Float64Array;
  private readonly last = new Float64Array(3);
  /** 3 per shape, scratch */
  private readonly leastV: Float64Array;
  private readonly mostV: Float64Array;
  private readonly lastV: Float64Array;

  constructor(
    whole: System,
    part: Part,
    private readonly carriers: Carriers,
    facts: ShapeFacts | undefined,
  ) {
    const shapes: number[] = [];
    const carrierOf: number[] = [];
    const bodyHere = new Map(Array.from(part.bodies, (body, i) => [body, i]));
    const { shared } = part.system.tree;
    for (const shape of part.shapes) {
      const { anchor } = part.system.bodies[bodyHere.get(whole.contacts!.shapes[shape].body)!];
      const carrier = carriers.indexOf(anchor);
      if (carrier === carriers.ground || (carrier < carriers.nodes && shared && shared[carrier] !== 0)) continue;
      shapes.push(shape);
      carrierOf.push(carrier);
    }
    this.shapes = Int32Array.from(shapes);
    this.carrierOf = Int32Array.from(carrierOf);
    this.boxes = new Float64Array(6 * shapes.length);
    this.velocity = new Float64Array(3 * shapes.length);
    this.leastV = new Float64Array(3 * shapes.length);
    this.mostV = new Float64Array(3 * shapes.length);
    this.lastV = new Float64Array(3 * shapes.length);
    this.spread = new Float64Array(shapes.length);
    this.turning = new Float64Array(shapes.length);
    this.reach = Float64Array.from(shapes, (shape) => facts!.reach[shape]);
    this.arm = Float64Array.from(shapes, (shape, i) => {
      const { solid, surface, anchor } = whole.contacts!.shapes[shape];
      const [x, y, z] = anchor.position;
      const radius = !surface && solid?.form.kind === 'sphere' ? solid.form.radius : 0;
      const centred = radius > 0 && Math.sqrt(x * x + y * y + z * z) <= 1e-9 * radius;
      return centred ? 0 : this.reach[i];
    });
  }

  /** Looks over the last step. */
  over(step: Stepped): void {
    const { shapes, carrierOf, boxes, velocity, spread, turning, reach, arm, last, carriers, box } = this;
    const { leastV, mostV, lastV } = this;
    if (shapes.length === 0) return;
    const { position, twist } = carriers;
    const h = step.t - step.tPrevious;
    const samples = h > 0 ? SAMPLES : 1;
    for (let i = 0; i < shapes.length; i++) spread[i] = turning[i] = 0;
    for (let k = 0; k < samples; k++) {
      step.placeAt(k === samples - 1 ? step.t : step.tPrevious + (k / (samples - 1)) * h);
      for (let i = 0; i < shapes.length; i++) {
        const c = carrierOf[i];
        let change = 0;
        for (let j = 0; j < 3; j++) {
          const x = position[3 * c + j];
          const v = twist[6 * c + 3 + j];
          if (k === 0) {
            boxes[6 * i + j] = boxes[6 * i + 3 + j] = x;
            leastV[3 * i + j] = mostV[3 * i + j] = v;
          } else {
            if (x < boxes[6 * i + j]) boxes[6 * i + j] = x;
            if (x > boxes[6 * i + 3 + j]) boxes[6 * i + 3 + j] = x;
            if (v < leastV[3 * i + j]) leastV[3 * i + j] = v;
            if (v > mostV[3 * i + j]) mostV[3 * i + j] = v;
            const d = v - lastV[3 * i + j];
            change += d * d;
          }
          lastV[3 * i + j] = v;
          last[j] = twist[6 * c + j];
        }
        if (change > spread[i]) spread[i] = change;
        const spin = Math.sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
        if (spin > turning[i]) turning[i] = spin;
      }
    }
    box.fill(Number.POSITIVE_INFINITY, 0, 3);
    box.fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (let i = 0; i < shapes.length; i++) {
      const change = Math.sqrt(spread[i]);
      const margin = 1.001 * reach[i] + (samples > 1 ? (0.25 * h * change) / (samples - 1) : 0);
      let width = 0;
      for (let j = 0; j < 3; j++) {
        boxes[6 * i + j] -= margin;
        boxes[6 * i + 3 + j] += margin;
        box[j] = Math.min(box[j], boxes[6 * i + j]);
        box[3 + j] = Math.max(box[3 + j], boxes[6 * i + 3 + j]);
        velocity[3 * i + j] = 0.5 * (leastV[3 * i + j] + mostV[3 * i + j]);
        const half = 0.5 * (mostV[3 * i + j] - leastV[3 * i + j]);
        width += half * half;
      }
      spread[i] = Math.sqrt(width) + change;
      // angular velocity may peak between samples as well as velocity does
      turning[i] = arm[i] * 1.25 * turning[i];
    }
  }
}
