/** Tells when the colours around a place may have changed: the system's choice, or a class or theme of an element that holds it. */
export function whenThemeChanges(place: HTMLElement, listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  // once the new style is there
  const later = (): void => void requestAnimationFrame(listener);
  system.addEventListener('change', later);
  const observer = new MutationObserver(later);
  for (let at: HTMLElement | null = place; at; at = at.parentElement)
    observer.observe(at, { attributes: true, attributeFilter: ['class', 'data-theme'] });
  return () => {
    system.removeEventListener('change', later);
    observer.disconnect();
  };
}

/** Whether text there is light, hence what is behind it dark. */
export function isDarkAt(place: HTMLElement): boolean {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(place).color.match(/[\d.]+/g) ?? []).map(Number);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 128;
}
