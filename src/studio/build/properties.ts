/** What is selected, in fields: all that can be dragged can be typed. */
import { quantity } from '../../math/quantity.js';
import { rotate } from '../../math/quaternion.js';
import type { Scene } from '../../results/scene.js';
import { element } from '../../viewer/controls/element.js';
import type { Studio } from '../activity.js';
import { bodiesIn, elementsOf, isRecord, partsOf } from '../commands/elements.js';
import { move, poseOf } from '../commands/move.js';
import { rename } from '../commands/rename.js';
import { sensorIndex } from '../commands/sensors.js';
import { setValue } from '../commands/set-value.js';
import { type Data, type DataRecord, sceneModel } from '../document/document.js';
import {
  type Addition,
  bodyAdditions,
  bodyUnit,
  type Heft,
  jointAdditions,
  jointUnit,
  REMOVABLE,
} from './additions.js';
import { contactFields, sensorFields } from './contact-fields.js';
import { type Feature, featuresOf } from './features.js';
import { type FieldActions, numberField, recordFields } from './fields.js';
import { cornersOf } from './place-on-floor.js';
import { orientationOf, turnsOf } from './turns.js';

export const MATERIALS: readonly string[] =
  'steel stainlessSteel castIron aluminium copper brass bronze titanium lead tungstenCarbide glass ruby alumina granite basalt sandstone concrete asphalt sand ice oak pine cork leather ivory rubber phenolic nylon acetal polyethylene polycarbonate acrylic absPlastic ptfe'.split(
    ' ',
  );

export interface PropertyActions {
  readonly materials: readonly string[];
  joint(body: string, feature: Feature): void;
}

export function fillProperties(place: HTMLElement, studio: Studio, actions: PropertyActions): void {
  const { document, selection } = studio.history;
  const model = sceneModel(document.value);
  const path = selection.value.at(-1);
  const parts = path === undefined ? undefined : partsOf(path);
  const sensor = path === undefined ? undefined : sensorIndex(path);
  const sensed =
    model && sensor !== undefined
      ? sensorFields(model, sensor, (pair) =>
          studio.do(setValue, { path: ['contacts', 'sensors', sensor], value: pair, label: 'Change a sensor' }),
        )
      : undefined;
  if (sensed) {
    place.replaceChildren(...sensed);
    return;
  }
  const value = model && parts ? elementsOf(model, parts.group)[parts.name] : undefined;
  if (!model || !parts || !isRecord(value)) {
    place.replaceChildren(
      element('p', { class: 'viewer-quiet' }, 'Select a part in the view or in the list, or put one into the scene.'),
    );
    return;
  }
  const { group, name } = parts;
  const set = (below: readonly (string | number)[], typed: Data | undefined): void => {
    studio.do(setValue, { path: [group, name, ...below], value: typed });
  };
  const fields: FieldActions = {
    choices: (key) =>
      key === 'material'
        ? actions.materials
        : ['body', 'to', 'from', 'on', 'reactionOn'].includes(key)
          ? [...(key === 'body' ? [] : ['ground']), ...Object.keys(elementsOf(model, 'bodies'))]
          : undefined,
    set,
    removable: (key) => REMOVABLE.has(key),
    unit: (key: string) =>
      group === 'joints' ? jointUnit(value.kind, key) : group === 'bodies' ? bodyUnit(key) : undefined,
  };
  const scene = studio.session?.playback.scene;
  const title = element('input', {
    type: 'text',
    class: 'studio-part-name',
    'aria-label': 'Name',
    value: name,
    onchange: () => {
      const to = title.value.trim();
      if (!studio.do(rename, { path: path!, to }, { select: [`${group}.${to}`] })) title.value = name;
    },
  });
  if (group !== 'bodies') {
    const { kind, body, ...more } = value;
    // Whom it moves against can always be chosen
    const shown = group === 'joints' ? { body, to: value.to ?? 'ground', ...more } : value;
    place.replaceChildren(
      title,
      group === 'joints'
        ? kindRow(value, (changed) => set([], changed))
        : element('p', { class: 'viewer-quiet' }, String(kind ?? '')),
      ...recordFields(shown, {
        ...fields,
        set: (below, typed) => set(below, below[0] === 'to' && typed === 'ground' ? undefined : typed),
        removable: (key) => key !== 'to' && fields.removable?.(key) === true,
      }),
      ...(group === 'joints' ? additionRow(jointAdditions(value, heftOf(scene, String(body))), set) : []),
    );
    return;
  }
  const { position: _, orientation: __, fixed, shape, frames: ___, contact: ____, ...others } = value;
  const pose = poseOf(value);
  const movePart = (k: number, x: number): void => {
    const position = pose.position.map((old, i) => (i === k ? x : old)) as unknown as typeof pose.position;
    studio.do(move, { poses: { [name]: { ...pose, position } } });
  };
  const turns = turnsOf(pose.orientation);
  const isFixed = element('input', {
    type: 'checkbox',
    'aria-label': 'Fixed',
    onchange: () => set(['fixed'], isFixed.checked || undefined),
  });
  isFixed.checked = fixed === true;
  const row = (label: string, ...content: Node[]): HTMLElement =>
    element(
      'div',
      { class: `studio-row${content.length > 1 ? ' three' : ''}` },
      element('span', { class: 'viewer-quiet' }, label),
      ...content,
    );
  const drawn = scene?.bodies.find((body) => body.name === name);
  const features = drawn && scene ? drawn.parts.flatMap(({ shape: own }) => featuresOf(scene.shapes[own])) : [];
  const joints = Object.entries(elementsOf(model, 'joints')).filter(
    ([, joint]) => isRecord(joint) && (joint.body === name || joint.to === name),
  );
  const mm = { unit: 'mm', factor: 1000 };
  place.replaceChildren(
    title,
    ...(bodiesIn(selection.value).length > 1
      ? [
          element(
            'p',
            { class: 'viewer-quiet' },
            `${bodiesIn(selection.value).length} parts are selected; this is the last.`,
          ),
        ]
      : []),
    ...recordFields({ material: 'steel', ...others }, fields).slice(0),
    row('fixed', isFixed),
    element('h4', {}, 'Place'),
    row(
      'position, mm',
      ...['x', 'y', 'z'].map((axis, k) =>
        numberField(`position ${axis}`, pose.position[k], mm, (x) => movePart(k, x), axis),
      ),
    ),
    row(
      'turned about, °',
      ...['x', 'y', 'z'].map((axis, k) =>
        numberField(
          `turned about ${axis}`,
          turns[k],
          { unit: '°', factor: 180 / Math.PI },
          (angle) => {
            const orientation = orientationOf(
              turns.map((old, i) => (i === k ? angle : old)) as unknown as typeof turns,
            );
            studio.do(move, { poses: { [name]: { ...pose, orientation } } });
          },
          axis,
        ),
      ),
    ),
    ...(shape === undefined
      ? []
      : [
          element('h4', {}, 'Shape'),
          ...(Array.isArray(shape)
            ? shape.flatMap((item: Data, i) => (isRecord(item) ? recordFields(item, fields, ['shape', i]) : []))
            : isRecord(shape)
              ? recordFields(shape, fields, ['shape'])
              : []),
        ]),
    ...additionRow(bodyAdditions(value, heftOf(scene, name)), set),
    ...contactFields(model, value, set),
    element('h4', {}, 'Follows from it'),
    row('mass', element('span', {}, drawn && drawn.mass > 0 ? quantity(drawn.mass, 'kg') : fixed ? 'fixed' : '–')),
    ...(joints.length > 0
      ? [
          element('h4', {}, 'Joints'),
          ...joints.map(([joint, own]) =>
            row(joint, element('span', {}, isRecord(own) ? `${own.kind} to ${own.to ?? 'ground'}` : '')),
          ),
        ]
      : []),
    ...(features.length > 0
      ? [
          element('h4', {}, `Faces and circles of ${name}`),
          ...features.slice(0, 16).map((feature) =>
            element(
              'div',
              { class: 'studio-row' },
              element(
                'span',
                { class: 'viewer-quiet' },
                feature.kind === 'circle' ? `circle Ø ${quantity(2 * feature.radius, 'm', 3)}` : 'flat face',
                ` ${wayOf(rotate(pose.orientation, feature.axis))}`,
              ),
              element(
                'button',
                {
                  type: 'button',
                  class: 'viewer-button with-text studio-plain',
                  onclick: () => actions.joint(name, feature),
                },
                feature.kind === 'circle' ? 'Hinge here' : 'Slide along it',
              ),
            ),
          ),
        ]
      : []),
  );
}

/** Where a face looks, so that several can be told apart: `up`, `to +x`; `askew` */
function wayOf(axis: readonly number[]): string {
  const k = axis.findIndex((x) => Math.abs(x) > 1 - 1e-6);
  if (k < 0) return 'askew';
  return k === 2 ? (axis[2] > 0 ? 'up' : 'down') : `to ${axis[k] > 0 ? '+' : '−'}${'xy'[k]}`;
}

/** Of joints that need no more than a place and an axis */
const KINDS: readonly (readonly [string, string])[] = [
  ['revolute', 'hinge: it turns'],
  ['prismatic', 'slide: it goes along'],
  ['cylindrical', 'turns and goes along'],
  ['spherical', 'ball: it turns any way'],
  ['fixed', 'fixed: it does not move'],
];

/** Another kind at the same place; what only the kind before could have is gone. */
function kindRow(joint: DataRecord, set: (joint: DataRecord) => void): HTMLElement {
  const kind = String(joint.kind ?? '');
  const known = KINDS.some(([name]) => name === kind);
  const select = element(
    'select',
    {
      'aria-label': 'Kind of joint',
      onchange: () => {
        const { body, to, at, axis = [0, 0, 1] } = joint;
        const hasAxis = select.value !== 'spherical' && select.value !== 'fixed';
        set({
          kind: select.value,
          ...(body !== undefined && { body }),
          ...(to !== undefined && { to }),
          ...(at !== undefined && { at }),
          ...(hasAxis && { axis }),
        });
      },
    },
    ...(known ? [] : [element('option', { value: kind }, kind)]),
    ...KINDS.map(([name, words]) => element('option', { value: name }, words)),
  );
  select.value = kind;
  return element('div', { class: 'studio-row' }, element('span', { class: 'viewer-quiet' }, 'kind'), select);
}

/** Mass and largest extent, as drawn; those of a kilogram of 0.1 m where nothing is drawn */
function heftOf(scene: Scene | undefined, name: string): Heft {
  const mass = scene?.bodies.find((body) => body.name === name)?.mass || 1;
  const corners = scene ? cornersOf(scene, name) : [];
  const extent = (k: 0 | 1 | 2): number =>
    Math.max(...corners.map((p) => p[k])) - Math.min(...corners.map((p) => p[k]));
  return { mass, size: corners.length > 0 ? Math.max(extent(0), extent(1), extent(2)) : 0.1 };
}

/** A list of what could be said beside, which says what is chosen */
function additionRow(
  additions: readonly Addition[],
  set: (below: readonly string[], value: Data) => void,
): readonly HTMLElement[] {
  if (additions.length === 0) return [];
  const select = element(
    'select',
    {
      class: 'studio-add',
      'aria-label': 'Add',
      onchange: () => {
        const chosen = additions[select.selectedIndex - 1];
        if (chosen) set([chosen.key], chosen.value);
      },
    },
    element('option', { value: '' }, 'Add …'),
    ...additions.map(({ label }) => element('option', { value: label }, label)),
  );
  return [element('div', { class: 'studio-row studio-add-row' }, select)];
}
