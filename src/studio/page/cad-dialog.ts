/** Asks what a CAD file does not say: the unit of its numbers, with the size that follows, and whether a mesh that is no solid is to be repaired. */
import { LENGTH_UNITS, type LengthUnit } from '../../geometry/files/cad-document.js';
import { scaledUnit } from '../../math/quantity.js';
import type { Vec3 } from '../../math/vec3.js';
import { element } from '../../viewer/controls/element.js';
import type { CadAnswer, CadRequest } from '../run/cad-worker.js';
import CadWorker from '../run/cad-worker.ts?worker';
import type { CadFound } from '../run/look-at-cad.js';

const CHOICES: readonly (readonly [LengthUnit, string])[] = [
  ['mm', 'millimetres'],
  ['cm', 'centimetres'],
  ['m', 'metres'],
  ['in', 'inches'],
];

export interface CadChoice {
  /** Undefined where the file says it */
  readonly unit: LengthUnit | undefined;
  readonly repair: boolean;
}

/** @throws Error with the reader's own words where it cannot be read */
export function foundIn(name: string, bytes: Uint8Array): Promise<CadFound> {
  return new Promise((resolve, reject) => {
    const worker = new CadWorker();
    worker.onmessage = ({ data }: MessageEvent<CadAnswer>) => {
      worker.terminate();
      if ('why' in data) reject(new Error(data.why));
      else resolve(data.found);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(`${name}: cannot be looked at: ${event.message}`));
    };
    worker.postMessage({ name, bytes } satisfies CadRequest);
  });
}

/** `20 × 10 × 5 mm`, whatever the numbers mean */
export function sizeIn(size: Vec3, unit: LengthUnit): string {
  const metres = size.map((x) => x * LENGTH_UNITS[unit]);
  const { unit: shown, factor } = scaledUnit(Math.max(...metres), 'm');
  return `${metres.map((x) => Number((x * factor).toPrecision(3))).join(' × ')} ${shown}`;
}

/** @returns undefined where the user wants none of it */
export function askAboutCad(place: HTMLElement, name: string, found: CadFound): Promise<CadChoice | undefined> {
  const { unit: said, size, defects, mended } = found;
  return new Promise((resolve) => {
    const radios = CHOICES.map(([unit, words], i) => {
      const input = element('input', { type: 'radio', name: 'unit', value: unit });
      input.checked = i === 0;
      return {
        input,
        row: element('label', { class: 'studio-unit-choice' }, input, words, element('output', {}, sizeIn(size, unit))),
      };
    });
    const repair = element('input', { type: 'checkbox' });
    repair.checked = mended !== undefined && mended.remaining.length === 0;
    const list = (lines: readonly string[]): HTMLElement => {
      const shown = lines.slice(0, 6);
      const more = lines.length - shown.length;
      return element(
        'ul',
        {},
        ...shown.map((line) => element('li', {}, line)),
        more > 0 && element('li', {}, `and ${more} more`),
      );
    };
    const form = element(
      'form',
      { method: 'dialog' },
      element('header', {}, element('h2', {}, name)),
      ...(said
        ? [element('p', {}, `Its numbers are in ${said}: ${sizeIn(size, 'm')}.`)]
        : [
            element('p', {}, 'The file does not say what its numbers mean. How large is the part?'),
            element('div', { role: 'radiogroup', 'aria-label': 'Unit' }, ...radios.map(({ row }) => row)),
          ]),
      ...(mended
        ? [
            element('h3', {}, 'It is no solid'),
            list(defects),
            element('label', { class: 'studio-repair' }, repair, 'Repair it'),
            ...(mended.changes.length > 0 ? [list(mended.changes)] : []),
            ...(mended.remaining.length > 0
              ? [element('p', { class: 'viewer-warning' }, 'Repair does not make it a solid:'), list(mended.remaining)]
              : []),
          ]
        : []),
      element(
        'div',
        { class: 'viewer-buttons' },
        element('button', { value: 'yes', class: 'viewer-button with-text studio-plain' }, 'Put it into the scene'),
        element('button', { value: 'no', class: 'viewer-button with-text studio-plain' }, 'Leave it'),
      ),
    );
    const dialog = element('dialog', { class: 'viewer-help studio-cad', 'aria-label': `Unit of ${name}` }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      const unit = said ? undefined : CHOICES.find((_, i) => radios[i].input.checked)![0];
      resolve(dialog.returnValue === 'yes' ? { unit, repair: mended !== undefined && repair.checked } : undefined);
    });
    place.append(dialog);
    dialog.showModal();
  });
}
