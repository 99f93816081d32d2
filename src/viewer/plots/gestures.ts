/**
 * What pointers do on a plot: a press goes to a time, a drag of a mouse or pen marks a stretch to zoom into, a drag of a finger moves the
 * time, two fingers spread or pinch the time axis, a double press shows everything again.
 */

export interface PlotGestures {
  /** Pointer at x over the plotting area, CSS px from its left; undefined when it has left */
  hover(x: number | undefined): void;
  seek(x: number): void;
  /** While dragging */
  mark(from: number, to: number): void;
  /** At the end of a drag; `undefined` if it came to nothing */
  zoom(span: readonly [number, number] | undefined): void;
  /** Two fingers: what lay at `was` is to lie at `is` */
  stretch(was: readonly [number, number], is: readonly [number, number]): void;
  reset(): void;
}

const CLICK = 4; // px
const DOUBLE = 350; // ms

/** @returns the way to stop listening */
export function listenToPointers(area: HTMLElement, gestures: PlotGestures): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const at = (event: PointerEvent): number => event.clientX - area.getBoundingClientRect().left;
  const fingers = new Map<number, number>();
  let start: number | undefined;
  let dragged = false;
  let lastClick = { time: -Infinity, x: 0 };
  area.style.touchAction = 'pan-y'; // up and down still scrolls the page

  area.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      fingers.set(event.pointerId, at(event));
      area.setPointerCapture(event.pointerId);
      start = fingers.size === 1 ? at(event) : undefined;
      dragged = fingers.size > 1;
    },
    { signal },
  );
  area.addEventListener(
    'pointermove',
    (event) => {
      const x = at(event);
      if (event.pointerType === 'mouse') gestures.hover(x);
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId);
        fingers.set(event.pointerId, x);
        gestures.stretch([before, other[1]], [x, other[1]]);
        return;
      }
      fingers.set(event.pointerId, x);
      if (start === undefined) return;
      if (Math.abs(x - start) > CLICK) dragged = true;
      if (!dragged) return;
      if (event.pointerType === 'touch') gestures.seek(x);
      else gestures.mark(start, x);
    },
    { signal },
  );
  const end = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return;
    const from = start;
    start = undefined;
    if (from === undefined) return;
    const x = at(event);
    if (dragged) {
      if (event.pointerType !== 'touch')
        gestures.zoom(event.type === 'pointerup' ? [Math.min(from, x), Math.max(from, x)] : undefined);
      return;
    }
    if (event.type !== 'pointerup') return;
    const isDouble = event.timeStamp - lastClick.time < DOUBLE && Math.abs(x - lastClick.x) < 3 * CLICK;
    lastClick = { time: isDouble ? -Infinity : event.timeStamp, x };
    if (isDouble) gestures.reset();
    else gestures.seek(x);
  };
  area.addEventListener('pointerup', end, { signal });
  area.addEventListener('pointercancel', end, { signal });
  area.addEventListener('pointerleave', () => gestures.hover(undefined), { signal });
  return () => stop.abort();
}
