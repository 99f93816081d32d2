/** Everything by keyboard. One table serves the keys themselves and the page of help. */
import { element, iconButton } from '../controls/element.js';

export interface KeyBinding {
  /** As `KeyboardEvent.key` has them, with `Shift+` in front where it matters */
  readonly keys: readonly string[];
  /** What the page of help shows for them */
  readonly shown: string;
  readonly what: string;
  press(key: string): void;
}

/**
 * Listens to keys in a place. Those that a text field, a list or a button takes are left to it.
 *
 * @param place the whole page, or the part of it that has the focus when keys are meant for the viewer
 */
export function listenToKeys(place: Document | HTMLElement, bindings: readonly KeyBinding[]): void {
  const byKey = new Map(bindings.flatMap((binding) => binding.keys.map((key) => [key, binding] as const)));
  const listen = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest('dialog') || (isTyping(target) && event.key !== 'Escape')) return;
    if (isPressedBy(target, event.key)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const binding = (event.shiftKey ? byKey.get(`Shift+${key}`) : undefined) ?? byKey.get(key);
    if (!binding) return;
    event.preventDefault();
    binding.press(event.shiftKey && byKey.has(`Shift+${key}`) ? `Shift+${key}` : key);
  };
  (place as HTMLElement).addEventListener('keydown', listen);
  // a button is pressed when Space comes up again
  (place as HTMLElement).addEventListener('keyup', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    if (event.key === ' ' && byKey.has(' ') && target?.matches('button, summary') && !target.closest('dialog'))
      event.preventDefault();
  });
}

function isTyping(target: Element | undefined): boolean {
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
  return (
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** Enter presses what has the focus; Space does so with check boxes only, which nothing else switches: everywhere else it plays. */
const isPressedBy = (target: Element | undefined, key: string): boolean =>
  (key === 'Enter' && target?.matches('button, a, summary, input[type=checkbox]') === true) ||
  (key === ' ' && target?.matches('input[type=checkbox]') === true);

export function helpDialog(
  bindings: readonly KeyBinding[],
  mouse: readonly (readonly [string, string])[],
): HTMLDialogElement {
  const row = (keys: string, what: string): HTMLElement =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, ...keys.split(' ').map((key) => element('kbd', {}, key))),
      element('td', {}, what),
    );
  const dialog = element(
    'dialog',
    { class: 'viewer-help', 'aria-label': 'Keys' },
    element(
      'header',
      {},
      element('h2', {}, 'Keys'),
      iconButton('close', 'Close', () => dialog.close(), { key: 'Esc' }),
    ),
    element('table', {}, element('tbody', {}, ...bindings.map(({ shown, what }) => row(shown, what)))),
    element('h3', {}, 'Pointer'),
    element(
      'table',
      {},
      element(
        'tbody',
        {},
        ...mouse.map(([how, what]) => element('tr', {}, element('th', { scope: 'row' }, how), element('td', {}, what))),
      ),
    ),
  );
  // A press beside it closes it too.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}
