/** The contacts of the instant with their numbers; a press chooses one and brings the camera to it. */

import { decimal, quantity } from '../../math/quantity.js';
import { norm } from '../../math/vec3.js';
import { element } from '../controls/element.js';
import type { DrawnContact } from './contact-drawing.js';
import { frictionUsed, identity, slipSpeed } from './contact-rows.js';

const ROUNDING = 1e-12; // of |T|/N
const LEAST_SLIP = 1e-12; // m/s
const MOST_ROWS = 100;
const SAID = { open: 'open', stick: 'sticks', slip: 'slips' } as const;

const ORDERS = {
  force: ['Normal force', (contact: DrawnContact) => contact.normalForce],
  friction: ['Friction', (contact: DrawnContact) => norm(contact.friction)],
  depth: ['Depth', (contact: DrawnContact) => contact.depth],
  slip: ['Slip speed', slipSpeed],
} as const;

export class ContactList {
  readonly root: HTMLElement;
  readonly #list = element('ul', { class: 'inspector-contacts', 'aria-label': 'Contacts of this instant' });
  readonly #note = element('p', { class: 'inspector-note' });
  readonly #order = element('select', { 'aria-label': 'Order of contacts' });
  #contacts: readonly DrawnContact[] = [];
  #selected: string | undefined;

  constructor(private readonly choose: (contact: DrawnContact) => void) {
    for (const [key, [label]] of Object.entries(ORDERS)) this.#order.append(element('option', { value: key }, label));
    this.#order.addEventListener('change', () => this.show(this.#contacts, this.#selected));
    this.root = element(
      'section',
      { class: 'inspector-list' },
      element('div', { class: 'inspector-order' }, element('h3', {}, 'Contacts'), this.#order),
      this.#list,
      this.#note,
    );
  }

  show(contacts: readonly DrawnContact[], selected: string | undefined): void {
    this.#contacts = contacts;
    this.#selected = selected;
    const [, by] = ORDERS[this.#order.value as keyof typeof ORDERS] ?? ORDERS.force;
    const sorted =
      contacts.length > 1
        ? [...contacts].sort((a, b) => by(b) - by(a) || a.pair - b.pair || a.region - b.region)
        : contacts;
    const focused = this.#list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.contact
      : undefined;
    this.#list.replaceChildren(...sorted.slice(0, MOST_ROWS).map((contact) => this.#row(contact)));
    if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-contact="${focused}"]`)?.focus();
    const more = contacts.length - MOST_ROWS;
    this.#note.textContent =
      contacts.length === 0 ? 'Nothing touches at this instant.' : more > 0 ? `and ${more} more` : '';
  }

  #row(contact: DrawnContact): HTMLElement {
    const { label, state, normalForce, friction, depth, area, volume, torque } = contact;
    // what is a rounding error beside the normal force is none
    const used = frictionUsed(contact) < ROUNDING ? 0 : frictionUsed(contact);
    const slip = slipSpeed(contact) < LEAST_SLIP ? 0 : slipSpeed(contact);
    const figures: [string, string][] = [
      ['friction', quantity(used === 0 ? 0 : norm(friction), 'N', 3)],
      ['|T|/N', decimal(used, 3)],
      ['depth', quantity(depth, 'm', 3)],
      ['area', quantity(area, 'm²', 3)],
      ['volume', quantity(volume, 'm³', 3)],
      ['slip', quantity(slip, 'm/s', 3)],
    ];
    if (torque !== 0) figures.push(['torque', quantity(Math.abs(torque), 'N m', 3)]);
    const key = identity(contact);
    return element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          'data-contact': key,
          'aria-pressed': String(key === this.#selected),
          title: 'Look at this contact',
          onclick: () => this.choose(contact),
        },
        element(
          'span',
          { class: 'inspector-head' },
          element('span', { class: 'inspector-name' }, label),
          element(
            'span',
            { class: `inspector-state ${state}` },
            state === 'open' && normalForce > 0 ? 'no friction' : SAID[state],
          ),
          element('strong', { class: 'inspector-figure' }, quantity(normalForce, 'N', 3)),
        ),
        element(
          'span',
          { class: 'inspector-figures' },
          ...figures.map(([name, value]) => element('span', {}, element('i', {}, name), ` ${value}`)),
        ),
      ),
    );
  }
}
