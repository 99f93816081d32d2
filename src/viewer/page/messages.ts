/** What the page has to say in place of a picture: that it is at work, that there is nothing yet, that something cannot be shown. */
import { element } from '../controls/element.js';

export interface MessageAction {
  readonly label: string;
  press(): void;
}

export class Messages {
  readonly #place: HTMLElement;
  #last: HTMLElement | undefined;
  #offer: HTMLElement | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  clear(): void {
    clearTimeout(this.#later);
    this.#last?.remove();
    this.#last = undefined;
  }

  /** At work; what is done in a moment does not flash. */
  busy(what: string): void {
    this.clear();
    this.#later = setTimeout(() => {
      this.#show(
        element('div', { class: 'viewer-message', role: 'status' }, element('p', {}, what), element('progress', {})),
      );
    }, 150);
  }

  /** Cannot be shown; it stays until something else is. */
  failed(title: string, why: string, actions: readonly MessageAction[] = []): void {
    this.#show(
      element(
        'div',
        { class: 'viewer-message failed', role: 'alert' },
        element('h2', {}, title),
        element('p', {}, why),
        buttons(actions),
      ),
    );
  }

  /** A mistake in the user's file, as the command line tells it: the place and what is wrong, then the line and a mark under it. */
  mistake(text: string): void {
    const [first, ...lines] = text.split('\n');
    this.#show(
      element(
        'div',
        { class: 'viewer-message failed', role: 'alert' },
        element('p', {}, first),
        lines.length > 0 && element('pre', {}, lines.join('\n')),
      ),
    );
  }

  welcome(title: string, text: string, actions: readonly MessageAction[], list: readonly MessageAction[] = []): void {
    this.#show(
      element(
        'div',
        { class: 'viewer-message', role: 'status' },
        element('h2', {}, title),
        element('p', {}, text),
        list.length > 0 &&
          element(
            'ul',
            {},
            ...list.map(({ label, press }) =>
              element('li', {}, element('button', { type: 'button', class: 'viewer-link', onclick: press }, label)),
            ),
          ),
        buttons(actions),
      ),
    );
  }

  /** A line that goes by itself: something small went wrong, and the picture stands. */
  passing(text: string): void {
    const line = element('div', { class: 'viewer-passing', role: 'status' }, text);
    this.#place.append(line);
    setTimeout(() => line.remove(), 6000);
  }

  /** A line that stays until it is answered or sent away; one at a time. */
  offer(text: string, action: MessageAction): void {
    this.#offer?.remove();
    const line = element(
      'div',
      { class: 'viewer-passing', role: 'status' },
      element('span', {}, text),
      ...(buttons([action, { label: 'Not now', press: () => undefined }]).children as Iterable<HTMLElement>),
    );
    line.addEventListener('click', (event) => event.target instanceof HTMLButtonElement && line.remove());
    this.#offer = line;
    this.#place.append(line);
  }

  #show(message: HTMLElement): void {
    this.clear();
    this.#last = message;
    this.#place.append(message);
  }
}

const buttons = (actions: readonly MessageAction[]): HTMLElement =>
  element(
    'div',
    { class: 'viewer-buttons' },
    ...actions.map(({ label, press }) =>
      element('button', { type: 'button', class: 'viewer-button with-text', onclick: press }, label),
    ),
  );
