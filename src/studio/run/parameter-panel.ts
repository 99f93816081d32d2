/** Parameters of a program as sliders and fields; a change counts as one however long the slider is dragged. */
import type { ParameterValue } from '../../model/parameters.js';
import { element } from '../../viewer/controls/element.js';
import type { ParameterText } from './messages.js';
import { partOf, rangeOf, typed, unitOf, valueAt } from './parameters.js';

export interface ParameterActions {
  /** @param isOver the drag has ended; @param value undefined: as the text has it */
  set(name: string, value: ParameterValue | undefined, isOver: boolean): void;
}

/** 2e7 for 20 000 000: a field has room for eight characters beside its unit */
const shown = (value: ParameterValue): string =>
  typeof value === 'number' && Math.abs(value) >= 1e6 ? value.toExponential().replace('e+', 'e') : String(value);

export class ParameterPanel {
  readonly root = element('div', { class: 'viewer-room studio-parameters' });
  readonly #actions: ParameterActions;
  #shown = '';
  readonly #refresh = new Map<string, (value: ParameterValue | undefined) => void>();

  constructor(actions: ParameterActions) {
    this.#actions = actions;
  }

  /** @param values those that are not as the text has them */
  show(parameters: readonly ParameterText[], values: Readonly<Record<string, ParameterValue>>): void {
    const key = JSON.stringify(parameters);
    if (key !== this.#shown) {
      this.#shown = key;
      this.#refresh.clear();
      this.root.replaceChildren(
        ...(parameters.length > 0
          ? parameters.map((parameter) => this.#row(parameter))
          : [element('p', { class: 'viewer-quiet' }, 'This model has no parameters.')]),
      );
    }
    for (const { name, default: usual } of parameters) this.#refresh.get(name)?.(values[name] ?? usual);
  }

  #row(parameter: ParameterText): HTMLElement {
    const { name, default: usual, defaultText } = parameter;
    const { unit, rest } = unitOf(parameter);
    const range = rangeOf(parameter);
    const set = (value: ParameterValue | undefined, isOver: boolean): void =>
      this.#actions.set(name, value === usual ? undefined : value, isOver);
    const id = `parameter-${name}`;
    if (typeof usual === 'boolean') {
      const box = element('input', { type: 'checkbox', id, onchange: () => set(box.checked, true) });
      this.#refresh.set(name, (value) => (box.checked = value === true));
      return element(
        'div',
        { class: 'studio-parameter' },
        element('label', { class: 'viewer-check', for: id }, box, name),
        rest !== '' && element('p', { class: 'viewer-quiet' }, rest),
      );
    }
    const field = element('input', {
      type: 'text',
      id,
      inputmode: typeof usual === 'number' ? 'decimal' : 'text',
      placeholder: defaultText,
      onchange: () => {
        const value = typed(parameter, field.value);
        field.setAttribute('aria-invalid', String(value === undefined));
        if (value !== undefined) set(value, true);
      },
    });
    const slider =
      range &&
      element('input', {
        type: 'range',
        class: 'viewer-slider',
        min: 0,
        max: 1,
        step: range.isWhole ? 1 / Math.max(1, range.high - range.low) : 'any',
        'aria-label': `${name}${unit ? ` in ${unit}` : ''}`,
        oninput: () => set(valueAt(range, Number(slider!.value)), false),
        onchange: () => set(valueAt(range, Number(slider!.value)), true),
      });
    this.#refresh.set(name, (value) => {
      if (document.activeElement !== field) field.value = value === undefined ? '' : shown(value);
      if (slider && range && typeof value === 'number') {
        const part = partOf(range, value);
        if (document.activeElement !== slider) slider.value = String(part);
        slider.style.setProperty('--done', `${100 * part}%`);
        slider.setAttribute('aria-valuetext', `${value} ${unit}`);
      }
    });
    return element(
      'div',
      { class: 'studio-parameter' },
      element('label', { for: id }, name),
      element('div', { class: 'studio-field' }, field, unit !== '' && element('span', { class: 'studio-unit' }, unit)),
      slider,
      rest !== '' && element('p', { class: 'viewer-quiet' }, rest),
    );
  }
}
