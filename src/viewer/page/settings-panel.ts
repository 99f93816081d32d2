/** How things are drawn: colours, ground, shadows, frames, axes; light or dark. Kept in the browser where it lets us. */

import { element } from '../controls/element.js';
import type { Colouring, Decor } from '../stage/stage.js';

export type Theme = 'system' | 'light' | 'dark';

type Drawn = 'grid' | 'shadows' | 'springs' | 'motors' | 'tones' | 'jointAxes' | 'frames' | 'triad' | 'scaleBar';

export interface Settings {
  theme: Theme;
  colouring: Colouring;
  parallel: boolean;
  /** How often the deformation of flexible bodies is drawn */
  exaggeration: number;
  /** `shadows` is left to the stage until somebody has chosen. */
  decor: { -readonly [Part in Exclude<keyof Decor, 'trails' | 'shadows'>]-?: boolean } & {
    shadows: boolean | undefined;
    triad: boolean;
    scaleBar: boolean;
  };
}

const DEFAULTS: Settings = {
  theme: 'system',
  colouring: { scheme: 'vertex' },
  parallel: false,
  exaggeration: 1,
  decor: {
    grid: true,
    shadows: undefined,
    frames: false,
    jointAxes: false,
    springs: true,
    motors: true,
    tones: true,
    triad: true,
    scaleBar: true,
  },
};

const DECOR: readonly (readonly [Drawn, string])[] = [
  ['grid', 'Ground grid'],
  ['shadows', 'Shadows'],
  ['springs', 'Springs'],
  ['motors', 'Motors'],
  ['tones', 'Balls in two tones'],
  ['jointAxes', 'Joint axes'],
  ['frames', 'Frames of bodies'],
  ['triad', 'Axes of the world and gravity'],
  ['scaleBar', 'Scale bar'],
];

/** What bodies can be coloured by: the schemes of the stage, and the quantities at their vertices. */
const COLOURINGS: Readonly<Record<string, { readonly label: string; readonly colouring: Colouring }>> = {
  own: { label: 'As they are made', colouring: { scheme: 'vertex' } },
  body: { label: 'One per body', colouring: { scheme: 'body' } },
  triangle: { label: 'One per triangle', colouring: { scheme: 'triangle' } },
  speed: { label: 'Speed of each point', colouring: { scheme: 'vertex', quantity: 'speed' } },
  height: { label: 'Height of each point', colouring: { scheme: 'vertex', quantity: 'height' } },
  grainSpeed: { label: 'Speed of grains', colouring: { scheme: 'vertex', grains: 'speed' } },
  grainForce: { label: 'Force on grains', colouring: { scheme: 'vertex', grains: 'force' } },
  grainStress: { label: 'Stress in grains', colouring: { scheme: 'vertex', grains: 'stress' } },
  grainId: { label: 'Each grain its own', colouring: { scheme: 'vertex', grains: 'id' } },
  grainSize: { label: 'Size of grains', colouring: { scheme: 'vertex', grains: 'size' } },
  displacement: { label: 'Way from where it was drawn', colouring: { scheme: 'vertex', quantity: 'displacement' } },
};

const EXAGGERATIONS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const KEY = 'tippetop.viewer';

/** What was chosen last time; the defaults where the browser keeps nothing or something else. */
export function storedSettings(): Settings {
  let stored: Partial<Settings> = {};
  try {
    const text: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof text === 'object' && text !== null) stored = text;
  } catch {
    // no storage on a page from disk, or what is in it is not ours
  }
  const theme = ['system', 'light', 'dark'].includes(stored.theme ?? '') ? (stored.theme as Theme) : DEFAULTS.theme;
  const decor = { ...DEFAULTS.decor };
  for (const [name] of DECOR) if (typeof stored.decor?.[name] === 'boolean') decor[name] = stored.decor[name];
  return { ...DEFAULTS, theme, decor };
}

export function keepSettings({ theme, decor }: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ theme, decor }));
  } catch {
    // then it is asked for again next time
  }
}

/**
 * @param deforms there are bodies whose deformation may be drawn larger
 * @param change called with what was changed, already in `settings`
 */
export function fillSettingsPanel(
  panel: HTMLElement,
  settings: Settings,
  { deforms }: { readonly deforms: boolean },
  change: (what: 'theme' | 'colouring' | 'decor' | 'parallel' | 'exaggeration') => void,
): void {
  const chosen = Object.entries(COLOURINGS).find(([, { colouring }]) => colouring === settings.colouring)?.[0] ?? 'own';
  const colour = select(
    'Colours',
    Object.fromEntries(Object.entries(COLOURINGS).map(([name, { label }]) => [name, label])),
    chosen,
    (name) => {
      settings.colouring = COLOURINGS[name].colouring;
      change('colouring');
    },
  );
  const projection = select(
    'Projection',
    { perspective: 'Perspective', parallel: 'Parallel' },
    settings.parallel ? 'parallel' : 'perspective',
    (value) => {
      settings.parallel = value === 'parallel';
      change('parallel');
    },
  );
  const deformation = select(
    'Deformation',
    Object.fromEntries(EXAGGERATIONS.map((factor) => [`${factor}`, factor === 1 ? 'To scale' : `× ${factor}`])),
    `${settings.exaggeration}`,
    (value) => {
      settings.exaggeration = Number(value);
      change('exaggeration');
    },
  );
  const theme = select(
    'Appearance',
    { system: 'As the system', light: 'Light', dark: 'Dark' },
    settings.theme,
    (value) => {
      settings.theme = value as Theme;
      change('theme');
    },
  );
  const decor = DECOR.map(([name, label]) => {
    const box = element('input', {
      type: 'checkbox',
      checked: settings.decor[name] ?? true,
      onchange: () => {
        settings.decor[name] = box.checked;
        change('decor');
      },
    });
    return element('label', { class: 'viewer-check' }, box, label);
  });
  panel.replaceChildren(
    element('h3', {}, 'Settings'),
    colour,
    ...(deforms ? [deformation] : []),
    projection,
    theme,
    element('h4', {}, 'Drawn'),
    ...decor,
  );
}

function select(
  label: string,
  choices: Readonly<Record<string, string>>,
  chosen: string,
  change: (value: string) => void,
): HTMLElement {
  const list = element(
    'select',
    { onchange: () => change(list.value) },
    ...Object.entries(choices).map(([value, text]) => element('option', { value, selected: value === chosen }, text)),
  );
  return element('label', { class: 'viewer-choice' }, element('span', {}, label), list);
}
