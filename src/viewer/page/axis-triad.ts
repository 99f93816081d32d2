/** The axes of the world as the eye sees them, in a corner of the view, and which way gravity pulls. */
import type { Vec3 } from '../../math/vec3.js';
import type { Stage } from '../stage/stage.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = 84; // px
const ARM = 27; // px of an axis across the line of sight
const AXES: readonly (readonly [name: string, direction: Vec3])[] = [
  ['x', [1, 0, 0]],
  ['y', [0, 1, 0]],
  ['z', [0, 0, 1]],
];

export class AxisTriad {
  readonly root = document.createElementNS(SVG, 'svg');
  readonly #arms: { readonly group: SVGGElement; readonly direction: Vec3; readonly reach: number }[];
  #shown = '';

  /** @param up against gravity, which is drawn where there is any */
  constructor(
    private readonly stage: Stage,
    up: Vec3,
    hasGravity: boolean,
  ) {
    this.root.setAttribute('class', 'viewer-triad');
    this.root.setAttribute('viewBox', `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
    this.root.setAttribute('role', 'img');
    this.root.setAttribute('aria-label', `Axes of the world${hasGravity ? ' and gravity' : ''}`);
    const down: Vec3 = [-up[0], -up[1], -up[2]];
    this.#arms = [...AXES, ...(hasGravity ? ([['g', down]] as const) : [])].map(([name, direction]) => {
      const group = document.createElementNS(SVG, 'g');
      group.setAttribute('class', `viewer-axis-${name}`);
      group.append(document.createElementNS(SVG, 'line'), document.createElementNS(SVG, 'text'));
      group.lastElementChild!.textContent = name;
      // gravity lies on an axis most of the time: its arm is shorter, so that both are seen
      return { group, direction, reach: name === 'g' ? 0.8 * ARM : ARM };
    });
    this.root.append(...this.#arms.map(({ group }) => group));
  }

  /** After each drawing; nothing to do where the eye has not turned. */
  update(): void {
    const e = this.stage.view.camera.matrixWorld.elements;
    const key = e
      .slice(0, 11)
      .map((x) => x.toFixed(3))
      .join();
    if (key === this.#shown) return;
    this.#shown = key;
    const seen = this.#arms.map((arm) => {
      const [x, y, z] = arm.direction;
      const along = (column: number): number => e[column] * x + e[column + 1] * y + e[column + 2] * z;
      return { ...arm, right: along(0), up: along(4), near: along(8) };
    });
    for (const { group, right, up, near, reach } of seen) {
      const [line, text] = group.children;
      line.setAttribute('x2', (reach * right).toFixed(1));
      line.setAttribute('y2', (-reach * up).toFixed(1));
      // a label that points at the eye stands beside the middle
      const away = (reach + 8) / reach;
      text.setAttribute('x', (away * reach * right).toFixed(1));
      text.setAttribute('y', (-away * reach * up).toFixed(1));
      group.style.opacity = near < -0.2 ? '0.45' : '1';
    }
    // those that point away first, so that the others are drawn over them
    this.root.append(...seen.sort((a, b) => a.near - b.near).map(({ group }) => group));
  }
}
