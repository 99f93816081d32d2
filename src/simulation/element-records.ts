/** Where elements of the user's own touch, as rows of the records of contacts, beside those of shapes (contact-signals.ts). */
import type { OwnElement } from '../dynamics/elements/own-element.js';
import type { ElementTouch } from '../model/contact-element.js';
import { CONTACT, CONTACT_STATES, pairLabel } from '../results/contact-records.js';
import type { RecordTable } from '../results/record-table.js';

export class ElementRecords {
  private readonly row = new Float64Array(CONTACT.width);

  constructor(private readonly elements: readonly OwnElement[]) {}

  /** One row per touch at (t, y), where the carriers must be */
  record(t: number, y: Float64Array, table: RecordTable): void {
    for (const element of this.elements) {
      const label = table.label(pairLabel(...element.plan.carrierNames));
      let region = 0;
      element.touches(t, y, (touch) => {
        this.fill(touch);
        this.row[CONTACT.pair] = label;
        this.row[CONTACT.region] = region++;
        table.append(t, this.row);
      });
    }
  }

  private fill({ point, normal, force, depth = 0, area = 0, volume = 0, slip, sticks }: ElementTouch): void {
    const row = this.row.fill(0);
    let along = 0;
    for (let k = 0; k < 3; k++) along += force[k] * normal[k];
    row[CONTACT.normalForce] = along;
    row[CONTACT.depth] = depth;
    row[CONTACT.area] = area;
    row[CONTACT.volume] = volume;
    if (sticks !== undefined) row[CONTACT.state] = CONTACT_STATES.indexOf(sticks ? 'stick' : 'slip');
    for (let k = 0; k < 3; k++) {
      row[CONTACT.point + k] = row[CONTACT.patchCentroid + k] = point[k];
      row[CONTACT.normal + k] = normal[k];
      row[CONTACT.friction + k] = force[k] - along * normal[k];
      if (slip) row[CONTACT.slip + k] = slip[k];
    }
  }
}
