/** A name that a model imports and the package does not have: where it stands, the nearest name, or the subpath that has it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggestion } from '../../errors.js';
import { PACKAGE_ROOT } from '../../node/package-root.js';

/** What people from other tools look for, and what it is called here. */
const CALLED_HERE: Readonly<Record<string, string>> = {
  force: 'a force on a body is `applied({ on, force })`',
  torque: 'a torque on a body is `applied({ on, torque })`',
  motor: 'a motor is a key of its joint: `revolute({ …, motor: { targetSpeed, kd } })`',
  damper: 'a damper is `spring({ from, to, stiffness: 0, damping })` or `damping` of a joint',
  hinge: 'a hinge is `revolute`',
  slider: 'a slider is `prismatic`',
  ball: 'a ball joint is `spherical`, a round body has `shape: sphere(radius)`',
  plane: 'a floor is `body({ shape: halfSpace(), fixed: true })`',
  ground: 'a floor is `body({ shape: halfSpace(), fixed: true })`',
  floor: 'a floor is `body({ shape: halfSpace(), fixed: true })`',
  difference: 'a solid less another is `subtract(a, b)`',
  cut: 'a solid less another is `subtract(a, b)`',
  intersection: 'what two solids share is `intersect(a, b)`',
  add: 'solids become one by `union(a, b)`',
  polygon: 'an outline is a list of corners: `extrude([[0, 0], [1, 0], [0, 1]], height)`',
  when: 'an event is data: `events: { hit: { when: touch("a", "b"), … } }`',
  cable: 'a cable is a `lineForce` that pulls where it is longer than at rest, a rigid link without mass is `rod`',
  rope: 'a rope is a `lineForce` that pulls where it is longer than at rest, a rigid link without mass is `rod`',
  contact: 'shapes collide by themselves; `contacts` of the model changes their numbers',
};

/** `imports "force" from tippetop, which has no such name: …`, for Node's error about it; undefined for any other error. */
export async function missingExport(error: Error): Promise<{ name: string; text: string } | undefined> {
  const said = /requested module '(tippetop(?:\/[\w-]+)?)' does not provide an export named '(\w+)'/.exec(
    error.message,
  );
  if (!said) return undefined;
  const [, from, name] = said as unknown as [string, string, string];
  const text = `imports "${name}" from ${from}, which has no such name`;
  const entries = entryPoints();
  for (const [entry, file] of entries)
    if (entry !== from && Object.hasOwn(await namesOf(file), name)) return { name, text: `${text}; ${entry} has it` };
  const file = entries.get(from);
  const nearest = suggestion(name, file ? Object.keys(await namesOf(file)) : []);
  const called = Object.hasOwn(CALLED_HERE, name) ? `; ${CALLED_HERE[name]}` : '';
  return { name, text: text + (called || nearest || '; the pages of docs/guide show what there is') };
}

/** Where in a file an imported name stands, counted from 1. */
export function placeOfImport(file: string, name: string): { line: number; column: number } {
  const text = readFileSync(file, 'utf8');
  for (const found of text.matchAll(/import\s*(?:type\s*)?\{([^}]*)\}/g)) {
    const inside = new RegExp(`\\b${name}\\b`).exec(found[1]!);
    if (!inside) continue;
    const before = text.slice(0, found.index + found[0].indexOf('{') + 1 + inside.index).split('\n');
    return { line: before.length, column: before.at(-1)!.length + 1 };
  }
  return { line: 1, column: 1 };
}

/** `tippetop`, `tippetop/geometry`, … and the file behind each */
function entryPoints(): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  const files = Object.entries(exports)
    .filter((entry): entry is [string, { default: string }] => typeof entry[1] === 'object')
    .map(([path, target]) => [`tippetop${path.slice(1)}`, join(PACKAGE_ROOT, target.default)] as const);
  return new Map(files.filter(([, file]) => existsSync(file)));
}

const namesOf = async (file: string): Promise<object> => (await import(pathToFileURL(file).href)) as object;
