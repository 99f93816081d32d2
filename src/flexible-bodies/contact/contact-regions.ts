/**
 * Which points of a contact share a bristle: those that press near each other are one region. Regions are told apart between steps and frozen
 * within one, so that all stages of a step see the same problem. A region that goes on keeps its bristle; a new one begins with none
 * stretched.
 */
import { findRoot, unite } from '../../math/union-find.js';
import type { PlaneContact } from './plane-contact.js';
import { SLOTS } from './plane-friction.js';

/** Points nearer than so many sides are of one region */
const TOGETHER = 2.5;
/** A region that has walked by more sides than this in a step is another one */
const SAME = 6;

export class ContactRegions {
  /** 2 per bristle: centre of its region in A's axes, m; 1 per bristle that has one */
  private readonly centres = new Float64Array(2 * SLOTS);
  private readonly used = new Uint8Array(SLOTS);
  /** J that bristles held which began anew in the last `follow`: heat, for what was sheared has sprung back */
  released = 0;

  snapshot(): unknown {
    return [this.centres.slice(), this.used.slice()];
  }

  restore(plane: PlaneContact, snapshot: unknown): void {
    const [centres, used] = snapshot as [Float64Array, Uint8Array];
    this.centres.set(centres);
    this.used.set(used);
    this.assign(plane);
  }

  /** After the forces of an accepted state; stretches of bristles are y[at …]. True if a point that presses has another bristle than before. */
  follow(plane: PlaneContact, y: Float64Array, at: number): boolean {
    const { count, touches } = plane;
    this.released = 0;
    const { longestSide } = plane.a.surface;
    const leader = Int32Array.from({ length: count }, (_, i) => i);
    for (let i = 0; i < count; i++)
      for (let j = 0; j < i; j++) {
        const [x, z] = [touches[i].ax - touches[j].ax, touches[i].ay - touches[j].ay];
        if (x * x + z * z < TOGETHER * TOGETHER * longestSide * longestSide) unite(leader, i, j);
      }
    const weight = new Float64Array(count);
    const centre = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      const top = findRoot(leader, i);
      const { force, ax, ay } = touches[i];
      weight[top] += force;
      centre[2 * top] += force * ax;
      centre[2 * top + 1] += force * ay;
    }
    const taken = new Uint8Array(SLOTS);
    const fresh: number[] = [];
    for (let i = 0; i < count; i++) {
      if (leader[i] !== i) continue;
      if (weight[i] > 0) {
        centre[2 * i] /= weight[i];
        centre[2 * i + 1] /= weight[i];
      } else {
        centre[2 * i] = touches[i].ax;
        centre[2 * i + 1] = touches[i].ay;
      }
      const slot = this.nearest(centre[2 * i], centre[2 * i + 1], SAME * longestSide, taken);
      if (slot < 0) fresh.push(i);
      else this.take(slot, centre, i, taken);
    }
    for (const i of fresh) {
      const slot = taken.indexOf(0);
      if (slot < 0) break; // more regions than bristles: the nearest one's serves
      this.take(slot, centre, i, taken);
      if (!plane.friction) continue;
      this.released += 0.5 * plane.friction.stiffness[slot] * y[at + slot] * y[at + slot];
      y[at + slot] = 0;
    }
    this.used.set(taken);
    if (!this.used.includes(1)) return false;
    this.assign(plane);
    let changed = fresh.length > 0 && plane.friction !== undefined;
    for (let i = 0; i < count; i++) {
      if (plane.slotAt(touches[i]) !== touches[i].slot) changed = true;
    }
    return changed;
  }

  private take(slot: number, centre: Float64Array, i: number, taken: Uint8Array): void {
    taken[slot] = 1;
    this.centres[2 * slot] = centre[2 * i];
    this.centres[2 * slot + 1] = centre[2 * i + 1];
  }

  /** The bristle in use, and not taken, whose region is nearest and within `reach`; −1: none */
  private nearest(x: number, y: number, reach: number, taken?: Uint8Array): number {
    const { centres, used } = this;
    let best = reach * reach;
    let found = -1;
    for (let slot = 0; slot < SLOTS; slot++) {
      if (used[slot] === 0 || (taken && taken[slot] !== 0)) continue;
      const [dx, dy] = [centres[2 * slot] - x, centres[2 * slot + 1] - y];
      if (dx * dx + dy * dy >= best) continue;
      best = dx * dx + dy * dy;
      found = slot;
    }
    return found;
  }

  /** All points to the nearest region, those that do not press yet as well */
  private assign(plane: PlaneContact): void {
    const { slotOf } = plane;
    const { places, pointCount } = plane.a.surface;
    for (let i = 0; i < pointCount; i++)
      slotOf[i] = Math.max(0, this.nearest(places[2 * i], places[2 * i + 1], Number.POSITIVE_INFINITY));
    for (let i = 0; i < plane.corners; i++) {
      const [x, y] = plane.cornerAt(i);
      slotOf[pointCount + i] = Math.max(0, this.nearest(x, y, Number.POSITIVE_INFINITY));
    }
  }
}
