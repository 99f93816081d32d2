/** Keys that move the eye while the canvas has the focus: w a s d turn, with shift they pan, q and e go nearer and farther. */
import type { View } from './view.js';

const TURN = Math.PI / 24;
const PAN = 0.05;
const NEARER = 1.15;

export function listenToKeys(canvas: HTMLCanvasElement, view: View, changed: () => void): () => void {
  const moves: Readonly<Record<string, (pan: boolean) => void>> = {
    a: (pan) => (pan ? view.pan(-PAN, 0) : view.orbit(-TURN, 0)),
    d: (pan) => (pan ? view.pan(PAN, 0) : view.orbit(TURN, 0)),
    w: (pan) => (pan ? view.pan(0, PAN) : view.orbit(0, -TURN)),
    s: (pan) => (pan ? view.pan(0, -PAN) : view.orbit(0, TURN)),
    e: () => view.zoomBy(NEARER),
    q: () => view.zoomBy(1 / NEARER),
  };
  const listen = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moves[event.key.toLowerCase()];
    if (!move) return;
    move(event.shiftKey);
    event.preventDefault();
    event.stopPropagation();
    changed();
  };
  if (!canvas.hasAttribute('tabindex')) canvas.tabIndex = 0;
  canvas.addEventListener('keydown', listen);
  return () => canvas.removeEventListener('keydown', listen);
}
