/** Which sensors hear of the heat of each element of a mechanical system: of contacts those of their two bodies and of the pair. */
import { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { HeatSensors } from '../dynamics/analysis.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';

/** Sensors of two bodies and of the pair, −1: none */
export type SensorsOf = (a: number, b: number) => readonly [number, number, number];

export abstract class ElementSensors implements HeatSensors {
  /** Where `addHeat` adds up powers, W per sensor */
  heatInto = new Float64Array(0);
  /** 3 per element, of the list of that version */
  private sensors = new Int32Array(0);
  private version = -1;

  constructor(
    protected readonly mechanics: MechanicalSystem,
    protected readonly contacts: ContactSystem,
  ) {}

  /** @param a, b bodies of the mechanical system */
  protected abstract numbersOf(a: number, b: number): readonly [number, number, number];

  /** Sensors that hear of a pair of shapes */
  sensorsOfPair(pair: ContactPair): readonly [number, number, number] {
    const [a, b] = this.contacts.bodiesOf(pair);
    return this.numbersOf(a, b);
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
      if (pair instanceof ContactPair) this.sensors.set(this.sensorsOfPair(pair), 3 * i);
    });
  }
}
