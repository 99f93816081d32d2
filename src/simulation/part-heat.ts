/** Heat sensors of a part of a model: those of the whole (contact-signals.ts) that its contacts concern, under numbers of their own. */
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ElementSensors, type SensorsOf } from './element-sensors.js';
import type { SensedHeat } from './work-quadrature.js';

export class PartHeat extends ElementSensors implements SensedHeat {
  /** Number in the whole of each sensor */
  readonly inWhole: Int32Array;
  private readonly numberHere: Map<number, number>;

  /** @param bodies numbers in the whole of the part's bodies */
  constructor(
    mechanics: MechanicalSystem,
    contacts: ContactSystem,
    private readonly bodies: Int32Array,
    private readonly sensorsOf: SensorsOf,
  ) {
    super(mechanics, contacts);
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

  protected numbersOf(a: number, b: number): readonly [number, number, number] {
    const [first, second, pair] = this.sensorsOf(this.bodies[a], this.bodies[b]);
    const here = (sensor: number): number => this.numberHere.get(sensor) ?? -1;
    return [here(first), here(second), here(pair)];
  }
}
