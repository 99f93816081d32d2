/** Fields are made anew after each change; who types goes on in the field of the same name. */
export function keepingFocus(place: HTMLElement, fill: () => void): void {
  const focused = document.activeElement;
  const label = focused && place.contains(focused) ? focused.getAttribute('aria-label') : null;
  fill();
  if (label === null || place.contains(document.activeElement)) return;
  const again = [...place.querySelectorAll<HTMLElement>('[aria-label]')].find(
    (one) => one.getAttribute('aria-label') === label,
  );
  again?.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && again.type === 'text') again.select();
}
