/** From a program to a scene: what it builds is written as data, what data cannot hold is named, and after a yes the scene takes the program's place. Undo brings the program back. */
import { ModelError } from '../../errors.js';
import { element } from '../../viewer/controls/element.js';
import { elementsOf } from '../commands/elements.js';
import { MOST_BYTES } from '../document/read.js';
import type { WrittenScene } from '../run/messages.js';

/** Of what is lost, as many as can be read; the rest are counted */
const SHOWN = 12;

/** @returns whether the user wants the scene @throws ModelError where it is too large for a document */
export function askAboutScene(place: HTMLElement, { model, lost }: WrittenScene): Promise<boolean> {
  const size = JSON.stringify(model).length;
  if (size > MOST_BYTES / 2)
    throw new ModelError(
      'scene',
      `would have ${(size / 1024 / 1024).toFixed(1)} MB, mostly triangles; expected at most ${MOST_BYTES / 2 / 1024 / 1024} MB. Coarser shapes or fewer of them help`,
    );
  const bodies = Object.keys(elementsOf(model, 'bodies')).length;
  const form = element(
    'form',
    { method: 'dialog' },
    element('header', {}, element('h2', {}, 'Edit in the scene')),
    element(
      'p',
      {},
      `What the program builds with these parameters becomes a scene of ${bodies === 1 ? 'one body' : `${bodies} bodies`}, to be edited by hand. The program and its sliders are left behind; Undo brings them back.`,
    ),
    ...(lost.length === 0
      ? [element('p', {}, 'Nothing is lost: a run of the scene gives the same recording, to the bit.')]
      : [
          element('p', { class: 'viewer-warning' }, 'A scene is data and cannot hold all of it:'),
          element(
            'ul',
            { class: 'studio-lost' },
            ...lost.slice(0, SHOWN).map(({ path, why }) => element('li', {}, element('code', {}, path), ` ${why}`)),
            lost.length > SHOWN && element('li', {}, `and ${lost.length - SHOWN} more`),
          ),
        ]),
    element(
      'div',
      { class: 'viewer-buttons' },
      element('button', { value: 'yes', class: 'viewer-button with-text studio-plain' }, 'Make it a scene'),
      element('button', { value: 'no', class: 'viewer-button with-text studio-plain' }, 'Stay with the program'),
    ),
  );
  const dialog = element('dialog', { class: 'viewer-help studio-cad', 'aria-label': 'Edit in the scene' }, form);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    place.append(dialog);
    dialog.showModal();
  });
}
