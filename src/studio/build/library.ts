/** What can be put into a scene: shapes, machine elements, and pairs that come with their joints. Sizes in m, for a scene of about `size`. */

import type { IconName } from '../../viewer/controls/element.js';
import type { Placed } from '../commands/place.js';
import type { DataRecord } from '../document/document.js';

export interface LibraryItem {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** @param at where it stands, on the floor; @param size m, what suits the scene */
  make(at: readonly [number, number, number], size: number): readonly Placed[];
}

type Place = readonly [number, number, number];
const rounded = (x: number): number => Number(x.toPrecision(2));

/** A body on the floor: its shape and half its height */
const standing = (
  name: string,
  label: string,
  icon: IconName,
  shape: (size: number) => { readonly shape: DataRecord; readonly lift: number },
): LibraryItem => ({
  name,
  label,
  icon,
  make: ([x, y, z], size) => {
    const { shape: own, lift } = shape(rounded(size));
    return [{ group: 'bodies', name, value: { shape: own, material: 'steel', position: [x, y, z + lift] } }];
  },
});

export const SHAPES: readonly LibraryItem[] = [
  standing('box', 'Box', 'box', (s) => ({ shape: { box: { size: [s, s, s] } }, lift: s / 2 })),
  standing('cylinder', 'Cylinder', 'cylinder', (s) => ({
    shape: { cylinder: { radius: s / 2, height: s } },
    lift: s / 2,
  })),
  standing('ball', 'Ball', 'ball', (s) => ({ shape: { sphere: { radius: s / 2 } }, lift: s / 2 })),
];

const spokes = (s: number): DataRecord => ({ count: 5, thickness: s / 20, width: s / 5, hubRadius: s / 10 });

export const MORE: readonly LibraryItem[] = [
  standing('tube', 'Tube', 'cylinder', (s) => ({
    shape: { tube: { outerRadius: s / 2, innerRadius: 0.35 * s, height: s } },
    lift: s / 2,
  })),
  standing('cone', 'Cone', 'gravity', (s) => ({ shape: { cone: { radius: s / 2, height: s } }, lift: s / 2 })),
  standing('capsule', 'Capsule', 'cylinder', (s) => ({
    shape: { capsule: { radius: s / 2, height: s } },
    lift: s,
  })),
  standing('torus', 'Torus', 'ball', (s) => ({
    shape: { torus: { majorRadius: 0.4 * s, minorRadius: s / 10 } },
    lift: s / 10,
  })),
  standing('prism', 'Prism', 'build', (s) => ({
    shape: { prism: { sides: 6, radius: s / 2, height: s } },
    lift: s / 2,
  })),
  standing('wedge', 'Wedge', 'mirror', (s) => ({ shape: { wedge: { size: [s, s, s / 2] } }, lift: s / 4 })),
  standing('plate', 'Plate', 'box', (s) => ({ shape: { box: { size: [3 * s, s, s / 8] } }, lift: s / 16 })),
  standing('gear', 'Gear', 'gear', (s) => ({
    shape: { gear: { teeth: 20, module: s / 20, height: s / 5, bore: s / 8 } },
    lift: s / 10,
  })),
  standing('genevaWheel', 'Geneva wheel', 'geneva', (s) => ({
    shape: { genevaWheel: { slots: 6, radius: s / 2 } },
    lift: s / 2,
  })),
  standing('escapeWheel', 'Escape wheel', 'gear', (s) => ({
    shape: { escapeWheel: { radius: s / 2, height: s / 10 } },
    lift: s / 20,
  })),
  {
    name: 'link',
    label: 'Link',
    icon: 'joint',
    // A bar with a hole at each end, on its edge and above the floor: hinges through its holes are level, and there is room to turn all the way about each of them. One that lay on
    // the floor would be driven into it.
    make: ([x, y, z], size) => {
      // Three sizes long in all: of such a part the next is as large
      const [apart, half, height] = [rounded(2.6 * size), rounded(size / 5), rounded(size / 8)];
      const hole = (at: number): DataRecord[string] => [
        [at + half / 2, 0, 1],
        [at - half / 2, 0, 1],
      ];
      const end = apart / 2;
      const outline = [
        [-end, -half],
        [end, -half, 1],
        [end, half],
        [-end, half, 1],
      ];
      const shape = { extrude: { outline, holes: [hole(-end), hole(end)], height } };
      const upright = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // its z axis to −y
      const position = [x + end, y + height / 2, z + rounded(1.3 * apart)];
      return [{ group: 'bodies', name: 'link', value: { shape, material: 'steel', position, orientation: upright } }];
    },
  },
  {
    name: 'coilSpring',
    label: 'Coil spring',
    icon: 'spring',
    make: ([x, y, z], size) => {
      const [meanDiameter, freeLength] = [rounded(0.87 * size), rounded(1.75 * size)];
      const wire = { wireDiameter: rounded(size / 8), meanDiameter, activeCoils: 4, freeLength, segmentsPerCoil: 12 };
      return [{ group: 'coilSprings', name: 'spring', value: { ...wire, material: 'steel', position: [x, y, z] } }];
    },
  },
  standing('wheel', 'Wheel', 'gear', (s) => ({
    shape: { wheel: { radius: s / 2, width: s / 3, innerRadius: 0.35 * s, spokes: spokes(s) } },
    lift: s / 2,
  })),
  {
    name: 'rock',
    label: 'Rock',
    icon: 'build',
    // Another place, another rock
    make: ([x, y, z], size) => {
      const shape = { stone: { radius: rounded(size / 2), points: 20, seed: Math.abs(Math.round(1e4 * x)) } };
      return [{ group: 'bodies', name: 'rock', value: { shape, material: 'granite', position: [x, y, z + size / 2] } }];
    },
  },
];

const hinge = (body: string, at: Place, more: DataRecord = {}): Placed => ({
  group: 'joints',
  name: `${body}Axis`,
  value: { kind: 'revolute', body, at, axis: [0, 0, 1], ...more },
});

export const MACHINES: readonly LibraryItem[] = [
  {
    name: 'gears',
    label: 'Gears',
    icon: 'gear',
    make: ([x, y, z], size) => {
      const module = rounded(size / 26);
      const [small, large] = [16, 24];
      const apart = (module * (small + large)) / 2;
      const height = 4 * module;
      const at = (dx: number): Place => [x + dx, y, z + size + height];
      const gear = (teeth: number): DataRecord => ({
        gear: { teeth, module, height, backlash: 0.04 * module, bore: 2 * module },
      });
      return [
        { group: 'bodies', name: 'pinion', value: { shape: gear(small), material: 'steel', position: at(0) } },
        // half a tooth further, so that tooth meets gap
        {
          group: 'bodies',
          name: 'wheel',
          value: {
            shape: { ...gear(large), rotate: Math.PI + Math.PI / large },
            material: 'brass',
            position: at(apart),
          },
        },
        hinge('pinion', at(0), { speed: 6.28 }),
        hinge('wheel', at(apart)),
      ];
    },
  },
  {
    name: 'geneva',
    label: 'Geneva',
    icon: 'geneva',
    make: ([x, y, z], size) => {
      const [slots, radius] = [6, rounded(0.54 * size)]; // the drive is a little smaller than the wheel's two radii
      const apart = radius / Math.cos(Math.PI / slots);
      const parts = { slots, radius };
      const lift = z + radius;
      return [
        {
          group: 'bodies',
          name: 'wheel',
          value: { shape: { genevaWheel: parts }, material: 'brass', position: [x, y, lift] },
        },
        {
          group: 'bodies',
          name: 'drive',
          value: { shape: { genevaDrive: parts }, material: 'steel', position: [x + apart, y, lift] },
        },
        hinge('wheel', [x, y, lift]),
        hinge('drive', [x + apart, y, lift], { speed: 6.28 }),
      ];
    },
  },
  {
    name: 'pendulum',
    label: 'Pendulum',
    icon: 'joint',
    make: ([x, y, z], size) => {
      const length = rounded(2.5 * size);
      const at: Place = [x, y, z + 1.5 * length];
      return [
        {
          group: 'bodies',
          name: 'bob',
          value: {
            shape: [
              { sphere: { radius: size / 2 } },
              { cylinder: { radius: size / 12, height: length }, translate: [0, 0, length / 2] },
            ],
            material: 'brass',
            position: [x, y, z + 0.5 * length],
          },
        },
        {
          group: 'joints',
          name: 'pivot',
          value: { kind: 'revolute', body: 'bob', at, axis: [0, 1, 0], initialAngle: 1 },
        },
      ];
    },
  },
];
