/** Rows of the sketcher's panels: a label, a field with its unit. Lengths are shown in mm and kept in m. */
import { element } from '../../viewer/controls/element.js';
import { parsed } from './sketch-view.js';

export interface NumberRow {
  readonly root: HTMLElement;
  readonly field: HTMLInputElement;
  /** Not while it is being typed in */
  show(value: number | undefined): void;
}

let ids = 0;

/**
 * @param factor of the number shown to the number kept: 1e-3 for mm
 * @param set is told of numbers only; what is none stays in the field and is marked
 */
export function numberRow(
  label: string,
  unit: string,
  factor: number,
  set: (value: number) => void,
  { digits = 6 }: { readonly digits?: number } = {},
): NumberRow {
  const id = `sketch-${++ids}`;
  const field = element('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    id,
    onchange: () => {
      const value = parsed(field.value);
      field.setAttribute('aria-invalid', String(value === undefined));
      if (value !== undefined) set(value * factor);
    },
  });
  return {
    root: row(label, element('div', { class: 'studio-field' }, field, unitOf(unit)), id),
    field,
    show(value) {
      if (document.activeElement === field) return;
      field.removeAttribute('aria-invalid');
      field.value = value === undefined ? '' : String(Number((value / factor).toPrecision(digits)));
    },
  };
}

export const unitOf = (unit: string): HTMLElement | undefined =>
  unit === '' ? undefined : element('span', { class: 'studio-unit' }, unit);

export const row = (label: string, content: HTMLElement, id?: string): HTMLElement =>
  element(
    'div',
    { class: 'sketch-row' },
    id === undefined ? element('span', {}, label) : element('label', { for: id }, label),
    content,
  );

export const fact = (label: string): { readonly root: HTMLElement; readonly value: HTMLElement } => {
  const value = element('span', {});
  return { root: row(label, value), value };
};

export const heading = (text: string): HTMLElement => element('h3', { class: 'sketch-heading' }, text);

export const textButton = (label: string, press: () => void, title = label): HTMLButtonElement =>
  element('button', { type: 'button', class: 'viewer-button studio-plain with-text', title, onclick: press }, label);
