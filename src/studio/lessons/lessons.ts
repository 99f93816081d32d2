/** The five lessons. */
import { signedArea } from '../../geometry/polygon-measure.js';
import { emptyDocument } from '../document/document.js';
import type { Sketch } from '../document/sketch.js';
import { pointOf } from '../sketch/picture.js';
import { changedParameter, has, holds, type Lesson, type LessonView, plays, ran, runsAtLeast } from './lesson.js';
import { DRAWING, LEVER_AREA, leverToTrace } from './lever-to-trace.js';

const TILE = (name: string): string => `[data-place=${name}]`;
const RUN = '.studio-main';
const BUILD = '[data-activity-tab=build]';
const SKETCH = '[data-activity-tab=sketch]';
const PLAY = '[data-activity-tab=play]';

const DEGREE = Math.PI / 180;

/** The sketch of the lever that is traced */
const leverSketch = ({ document }: LessonView): Sketch | undefined => document.sketches.lever;
/** To 2 %: a click is as good as that */
const isScaled = (view: LessonView): boolean => {
  const scale = leverSketch(view)?.picture?.scale ?? 0;
  return Math.abs(1e3 * DRAWING.perMillimetre * scale - 1) < 0.02;
};
/** m, from the bearing in the drawing to the origin of the sketch */
const pivotOff = (view: LessonView): number => {
  const picture = leverSketch(view)?.picture;
  return picture ? Math.hypot(...pointOf(picture, DRAWING, DRAWING.pivot)) : Number.POSITIVE_INFINITY;
};
const isTraced = (view: LessonView): boolean =>
  Object.values(leverSketch(view)?.outlines ?? {}).some(
    ({ closed, corners }) => closed && Math.abs(Math.abs(signedArea(corners)) / LEVER_AREA - 1) < 0.02,
  );

export const LESSONS: readonly Lesson[] = [
  {
    name: 'pendulum',
    title: 'A pendulum: build, run, grab',
    begin: { document: () => emptyDocument('My pendulum') },
    steps: [
      { say: 'Put a pendulum into the scene: press its tile.', at: [TILE('pendulum')], until: has(/bob/) },
      { say: 'Run it: three seconds are computed, and the picture follows.', at: [RUN], until: ran },
      { say: 'Now let time run: choose Play.', at: [PLAY], until: plays },
      { say: 'Take hold of the bob with the mouse and pull it aside.', until: holds },
      {
        say: 'Let go and watch it swing. Keep it with Enter.',
        until: ({ document }) => Object.keys(document.plays).length > 0,
      },
    ],
  },
  {
    name: 'gears',
    title: 'Gears: two wheels that drive each other',
    begin: { document: () => emptyDocument('My gears') },
    steps: [
      { say: 'Put a pair of gears into the scene.', at: [TILE('gears')], until: has(/pinion/) },
      { say: 'Run it: teeth push teeth, there is no constraint between the wheels.', at: [RUN], until: ran },
      {
        say: 'Go back to Build, choose the pinion’s axis in the list, give it another speed and run again.',
        at: ['[data-path="joints.pinionAxis"]', BUILD],
        until: runsAtLeast(2),
      },
    ],
  },
  {
    name: 'geneva',
    title: 'Geneva: change it by its slider',
    begin: { example: 'geneva-mechanism' },
    steps: [
      {
        say: 'It runs. Move the slider of the slots: it is built and run again.',
        at: ['#parameter-slots'],
        until: changedParameter,
      },
      { say: 'Wait for its end; the run before stays faint beside it.', until: runsAtLeast(2) },
      { say: 'Choose Play and set the speed of the drive while it turns.', at: [PLAY], until: plays },
    ],
  },
  {
    name: 'escapement',
    title: 'An escapement: trace its lever, and it ticks',
    begin: { document: leverToTrace },
    steps: [
      {
        say: 'A watch whose lever is a bare hub. A drawing of the lever is there to be traced: choose Sketch.',
        at: [SKETCH],
        until: ({ activity }) => activity === 'sketch',
      },
      {
        say: 'How large is it? Press Set scale, click both ends of the bar below the lever, type 3 and Enter.',
        at: ['.sketch-panel button[title^="Two clicks on the picture"]'],
        until: isScaled,
      },
      {
        say: 'Where is its bearing? Press Origin and click the cross.',
        at: ['.sketch-panel button[title^="One click"]'],
        until: (view) => isScaled(view) && pivotOff(view) < 0.03e-3,
      },
      {
        say: 'Press L and click corner by corner around the lever, stones included; the first corner closes it. The mouse wheel zooms, Ctrl Z takes a corner back. For the arcs of the fork press A, click half way and the end, then L.',
        until: isTraced,
      },
      {
        say: 'Press Put into the scene: 0.15 mm of steel, on the bearing that waits for it.',
        at: ['.sketch-panel .studio-main'],
        until: ({ document: { source } }) =>
          source.kind === 'scene' && JSON.stringify(source.model.bodies.lever).includes('"extrude"'),
      },
      {
        say: 'Run the watch: wheel, lever and balance push each other. Two beats make the wheel go on by 24°. Does it stand, or run away? Then a corner of a stone is off: mend it in Sketch.',
        at: [RUN],
        // 24°, give or take what the lever still runs to its banking
        until: (view) => ran(view) && Math.abs(Math.abs(view.run?.change('wheelArbor.angle') ?? 0) / DEGREE - 24) < 3,
      },
    ],
  },
  {
    name: 'tippe-top',
    title: 'The tippe top: it turns over',
    begin: { example: 'tippe-top' },
    steps: [
      { say: 'A top whose middle of mass lies low turns over while it spins. Wait for the end.', until: ran },
      { say: 'Move a slider: where does it no longer turn over?', at: ['.studio-parameters'], until: changedParameter },
      { say: 'Compare with the run before.', until: runsAtLeast(2) },
    ],
  },
];
