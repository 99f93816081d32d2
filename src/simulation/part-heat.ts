/** Heat sensors of a part of a model: those of the whole (contact-signals.ts) that its contacts concern, under numbers of their own. */
import { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { SensedHeat } from './energy-book.js';

/** Sensors of two bodies and of the pair, −1: none */
export type SensorsOf = (a: number, b: number) => readonly [number, number, number];

export class PartHeat implements SensedHeat {
  heatInto = new Float64Array(0);
  /** Number in the whole of each sensor */
  readonly inWhole: Int32Array;
  private readonly numberHere: Map<number, number>;
  /** 3 per element of the mechanical system, of the list of that version */
  private sensors = new Int32Array(0);
  private version = -1;

  /** @param bodies numbers in the whole of the part's bodies */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly contacts: ContactSystem,
    private readonly bodies: Int32Array,
    private readonly sensorsOf: SensorsOf,
  ) {
    const concerned = new Set<number>();
    for (const a of bodies)
      for (const b of bodies) if (a < b) for (const sensor of sensorsOf(a, b)) concerned.add(sensor);
    concerned.delete(-1);
    this.inWhole = Int32Array.from(concerned).sort();
    this.numberHere = new Map(Array.from(this.inWhole, (sensor, i) => [sensor, i]));
  }

  get count(): number {
    return this.inWhole.length;
  }

  addHeat(element: number, power: number): void {
    if (this.version !== this.contacts.version) this.connect();
    const { heatInto, sensors } = this;
    for (let k = 3 * element; k < 3 * element + 3; k++) if (sensors[k] >= 0) heatInto[sensors[k]] += power;
  }

  /** Finds the sensors of the present elements. */
  private connect(): void {
    const { pairs } = this.mechanics;
    this.version = this.contacts.version;
    this.sensors = new Int32Array(3 * pairs.length).fill(-1);
    pairs.forEach((pair, i) => {
      if (!(pair instanceof ContactPair)) return;
      const [a, b] = this.contacts.bodiesOf(pair);
      this.sensorsOf(this.bodies[a], this.bodies[b]).forEach((sensor, k) => {
        this.sensors[3 * i + k] = this.numberHere.get(sensor) ?? -1;
      });
    });
  }
}
