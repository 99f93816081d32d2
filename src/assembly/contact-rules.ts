/** Which bodies may touch, of those that have contact: groups, joints and the user's word. */
import { type Contacts, GroupBits, namesBody, pairOptions } from '../model/contacts.js';
import { GROUND, type Model } from '../model/model.js';

export function rulesOf(model: Model, contacts: Contacts): (a: string, b: string) => boolean {
  const bits = new GroupBits();
  const groupOf = (name: string): [group: number, mask: number] => {
    const { contact } = model.bodies.get(name)!;
    if (contact === false || contact === undefined) return [bits.of(undefined, ''), -1];
    return [
      bits.of(contact.group, `bodies.${name}.contact.group`),
      contact.touches === undefined ? -1 : bits.of(contact.touches, `bodies.${name}.contact.touches`),
    ];
  };
  const named = ([first, second]: readonly [string, string], a: string, b: string): boolean =>
    (namesBody(first, a) && namesBody(second, b)) || (namesBody(first, b) && namesBody(second, a));
  return (a, b) => {
    const [groupA, maskA] = groupOf(a);
    const [groupB, maskB] = groupOf(b);
    if ((groupA & maskB) === 0 || (groupB & maskA) === 0) return false;
    const { joined } = contacts;
    const joint = [...model.joints.values()].some(
      ({ body, to = GROUND }) => (body === a && to === b) || (body === b && to === a),
    );
    if (joint && joined !== true && !(Array.isArray(joined) && joined.some((pair) => named(pair, a, b)))) return false;
    if ((contacts.exclude ?? []).some((pair) => named(pair, a, b))) return false;
    return pairOptions(contacts, a, b).touch !== false;
  };
}
