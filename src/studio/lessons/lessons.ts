/** The five lessons. */
import { type DataRecord, emptyDocument, frozen } from '../document/document.js';
import { changedParameter, has, holds, type Lesson, plays, ran, runsAtLeast } from './lesson.js';
import { watchWith } from './watch-scene.js';

const TILE = (name: string): string => `[data-place=${name}]`;
const RUN = '.studio-main';
const PLAY = '[data-activity-tab=play]';

/** That of the library; the sketcher puts one that was traced in its place */
export const LEVER: DataRecord = { shape: { leverEscapement: { part: 'pallet', height: 0.15e-3 } }, material: 'steel' };

export const LESSONS: readonly Lesson[] = [
  {
    name: 'pendulum',
    title: 'A pendulum: build, run, grab',
    begin: { document: () => emptyDocument('My pendulum') },
    steps: [
      { say: 'Put a pendulum into the scene: press its tile.', at: TILE('pendulum'), until: has(/bob/) },
      { say: 'Run it: three seconds are computed, and the picture follows.', at: RUN, until: ran },
      { say: 'Now let time run: choose Play.', at: PLAY, until: plays },
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
      { say: 'Put a pair of gears into the scene.', at: TILE('gears'), until: has(/pinion/) },
      { say: 'Run it: teeth push teeth, there is no constraint between the wheels.', at: RUN, until: ran },
      {
        say: 'Choose the pinion’s axis in the list and give it another speed, then run again.',
        at: '[data-path="joints.pinionAxis"]',
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
        at: '#parameter-slots',
        until: changedParameter,
      },
      { say: 'Wait for its end; the run before stays faint beside it.', until: runsAtLeast(2) },
      { say: 'Choose Play and set the speed of the drive while it turns.', at: PLAY, until: plays },
    ],
  },
  {
    name: 'escapement',
    title: 'A lever escapement: it ticks',
    begin: {
      document: () => frozen({ ...emptyDocument('My watch'), source: { kind: 'scene', model: watchWith(LEVER) } }),
    },
    steps: [
      {
        say: 'A watch with a lever such as you can trace over a picture in Sketch. Choose the lever in the list.',
        at: '[data-path="bodies.lever"]',
        until: ({ selected }) => selected.includes('bodies.lever'),
      },
      {
        say: 'Run the watch: wheel, lever and balance push each other, a beat is an eighth of a second.',
        at: RUN,
        until: ran,
      },
    ],
  },
  {
    name: 'tippe-top',
    title: 'The tippe top: it turns over',
    begin: { example: 'tippe-top' },
    steps: [
      { say: 'A top whose middle of mass lies low turns over while it spins. Wait for the end.', until: ran },
      { say: 'Move a slider: where does it no longer turn over?', at: '.studio-parameters', until: changedParameter },
      { say: 'Compare with the run before.', until: runsAtLeast(2) },
    ],
  },
];
