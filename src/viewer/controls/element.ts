/** Elements of the page in one expression. Styles go through properties only: the page forbids style attributes. */

type Child = Node | string | undefined | false;

interface Attributes {
  readonly class?: string;
  readonly [attribute: string]: string | number | boolean | undefined | ((event: Event) => void);
}

/**
 * @param attributes `onclick: listener` listens, `true` sets an attribute without value, `false` and undefined leave it out
 * @example element('button', { class: 'wide', 'aria-label': 'Play', onclick: play }, icon('play'))
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** Drawn on 16 × 16, with lines of 1.5 in the colour of the text; `!` fills. */
const ICONS = {
  play: '!M4 2.5v11l9-5.5z',
  pause: '!M4 2.5h3v11H4zM9 2.5h3v11H9z',
  next: '!M3 3v10l6-5zM10 3h2.5v10H10z',
  previous: '!M13 3v10L7 8zM3.5 3H6v10H3.5z',
  start: '!M13 3v10L6 8zM3 3h1.8v10H3z',
  loop: 'M3 8a4 4 0 0 1 4-4h5m0 0L9.5 1.5M12 4 9.5 6.5M13 8a4 4 0 0 1-4 4H4m0 0 2.5-2.5M4 12l2.5 2.5',
  open: 'M2 12.5v-9h4l1.5 2H14v7z',
  bodies: 'M2 4h2M2 8h2M2 12h2M6.5 4H14M6.5 8H14M6.5 12H14',
  contacts: 'M1.5 8a3.7 3.7 0 1 0 7.4 0 3.7 3.7 0 1 0-7.4 0M7.1 8a3.7 3.7 0 1 0 7.4 0 3.7 3.7 0 1 0-7.4 0',
  plots: 'M2 2v12h12M4 11l3-5 3 3 4-6',
  run: 'M8 7v5M8 4v.5M1.8 8a6.2 6.2 0 1 0 12.4 0A6.2 6.2 0 1 0 1.8 8',
  settings: 'M2 4h6M12 4h2M2 12h2M8 12h6M10 2v4M6 10v4',
  picture: 'M2 4.5h3l1-2h4l1 2h3v8.5H2zM5.7 8.5a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0',
  film: 'M2 4h8.5v8H2zM10.5 7l3.5-2.2v6.4L10.5 9z',
  theme: 'M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8M8 2v12M8 5l5-1M8 9h6M8 13h3',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M8 12.5v.5',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  visible: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M6 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  hidden: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M2.5 13.5l11-11',
  isolate: 'M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5.5 8a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  transparent: 'M2.5 5.5h8v8h-8zM5.5 2.5h8v8h-3M5.5 2.5v3',
  wireframe: 'M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3.2L14 5M8 8.2v6',
  trail: 'M2 13c3 0 2-5 5-5s2 3 4 1M11 9l1.5-3.5M12.5 2a1.6 1.6 0 1 0 .01 0',
  follow: 'M3 8a5 5 0 1 0 10 0A5 5 0 1 0 3 8M8 1v4M8 11v4M1 8h4M11 8h4',
  // the studio's
  logo: 'M3 9.5a5 5 0 1 0 10 0 5 5 0 1 0-10 0M8 4.5V1.5',
  build: 'M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3.2L14 5M8 8.2v6',
  sketch: 'M3 13 13 3M1.8 13a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0M11.8 3a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0',
  hand: 'M5 8V3.8a1 1 0 0 1 2 0V7m0-.5V2.6a1 1 0 0 1 2 0V7m0-3.6a1 1 0 0 1 2 0V8m0-2.5a1 1 0 0 1 2 0V10a4.5 4.5 0 0 1-4.5 4.5c-2 0-3-.8-4-2.3L2.8 9.4a1 1 0 0 1 1.7-1.1L5 9',
  undo: 'M3 6h7a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  redo: 'M13 6H6a3.5 3.5 0 0 0 0 7h4M13 6l-3-3M13 6l-3 3',
  code: 'M5.5 4 1.5 8l4 4M10.5 4l4 4-4 4',
  share: 'M8 10V2m0 0L5 5m3-3 3 3M3 9v5h10V9',
  select: 'M4 2l8 6-4 .7 2.2 4-1.6.9-2.2-4L4 12.5z',
  move: 'M8 1.5v13M1.5 8h13M8 1.5 6.3 3.2M8 1.5l1.7 1.7M8 14.5l-1.7-1.7M8 14.5l1.7-1.7M1.5 8l1.7-1.7M1.5 8l1.7 1.7M14.5 8l-1.7-1.7M14.5 8l-1.7 1.7',
  turn: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3.2H9.8',
  snap: 'M3 3v5a5 5 0 0 0 10 0V3h-3v5a2 2 0 0 1-4 0V3zM3 5.5h3M10 5.5h3',
  joint: 'M8 1.5v4M8 10.5v4M5.5 8a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  motor: 'M2.5 4.5h9v7h-9zM11.5 7h2.5v2.5h-2.5M4.5 7.5h1.5M4.5 2.5v2M9.5 2.5v2M4.5 11.5v2M9.5 11.5v2',
  spring: 'M1 8h2l1.5-3.5 2 7 2-7 2 7L12 8h3',
  force: 'M3 13 13 3M13 3H8M13 3v5',
  sensor: 'M2 11a6 6 0 1 1 12 0M8 11l3-4M7 11a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  box: 'M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3.2L14 5M8 8.2v6',
  cylinder: 'M3.5 4a4.5 2 0 1 0 9 0 4.5 2 0 1 0-9 0v8a4.5 2 0 0 0 9 0V4',
  ball: 'M2.2 8a5.8 5.8 0 1 0 11.6 0A5.8 5.8 0 1 0 2.2 8M2.2 8a5.8 2.2 0 0 0 11.6 0',
  gear: 'M5.2 8a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0M8 1.5v2.2M8 12.3v2.2M1.5 8h2.2M12.3 8h2.2M3.4 3.4 5 5M11 11l1.6 1.6M12.6 3.4 11 5M5 11l-1.6 1.6',
  geneva:
    'M6.5 3.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M2 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M11 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0',
  file: 'M4 1.5h5L12.5 5v9.5H4zM9 1.5V5h3.5',
  union: 'M2 2h8v4h4v8H6v-4H2z',
  subtract: 'M2 2h8v4H6v4H2zM6 10v4h8V6h-4',
  intersect: 'M2 2h8v8H2zM6 6h8v8H6z',
  array: 'M2 2h4.5v4.5H2zM9.5 2H14v4.5H9.5zM2 9.5h4.5V14H2zM9.5 9.5H14V14H9.5z',
  mirror: 'M8 1.5v13M6 4v8.5H1.5zM10 4v8.5h4.5z',
  measure: 'M1.8 10.5 10.5 1.8l3.7 3.7-8.7 8.7zM4.3 8l1.5 1.5M6.5 5.8 8.7 8M8.7 3.6l1.5 1.5',
  copy: 'M5 5h9v9H5zM2 11V2h9v3',
  delete: 'M2.5 4.5h11M6 4V2.2h4V4M4 4.5l.7 9.3h6.6l.7-9.3',
  stop: '!M3.5 3.5h9v9h-9z',
  rewind: '!M8 3v10L2 8zM14 3v10L8 8z',
  gravity: 'M8 2v11M8 13.5 4 9.5M8 13.5l4-4M3 2h10',
  save: 'M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4M5 13.5v-4h6v4',
  add: 'M8 2.5v11M2.5 8h11',
  arc: 'M2.5 13A10.5 10.5 0 0 1 13 2.5M1.3 13a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0M11.8 2.5a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0',
  circle: 'M2.2 8a5.8 5.8 0 1 0 11.6 0A5.8 5.8 0 1 0 2.2 8',
  more: '!M2.5 7h2v2h-2zM7 7h2v2H7zM11.5 7h2v2h-2z',
} as const;

export type IconName = keyof typeof ICONS;
const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('viewer-icon');
  const path = document.createElementNS(SVG, 'path');
  const shape = ICONS[name];
  path.setAttribute('d', shape.replace('!', ''));
  if (shape.startsWith('!')) path.classList.add('filled');
  svg.append(path);
  return svg;
}

/** A button with an icon; `label` is read out and shown when the pointer rests, `text` stands beside the icon where there is room. */
export function iconButton(
  name: IconName,
  label: string,
  press: () => void,
  { text, key, toggle = false }: { readonly text?: string; readonly key?: string; readonly toggle?: boolean } = {},
): HTMLButtonElement {
  return element(
    'button',
    {
      type: 'button',
      class: text === undefined ? 'viewer-button' : 'viewer-button with-text',
      'aria-label': label,
      title: key === undefined ? label : `${label} (${key})`,
      'aria-pressed': toggle ? 'false' : undefined,
      onclick: press,
    },
    icon(name),
    text !== undefined && element('span', {}, text),
  );
}

export const setPressed = (button: HTMLElement, pressed: boolean): void =>
  button.setAttribute('aria-pressed', String(pressed));

/** Changes the icon of a button and what it says. */
export function setIcon(button: HTMLElement, name: IconName, label: string): void {
  button.querySelector('svg')?.replaceWith(icon(name));
  button.setAttribute('aria-label', label);
  button.title = label;
}
