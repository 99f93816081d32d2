import { describe, expect, test } from 'vitest';
import { ContactScene } from '../../tests/fixtures/contact-scene.js';
import { extrapolated } from '../../tests/fixtures/invented-region.js';
import { PairDerivative } from '../dynamics/elements/pair-element.js';
import { extrude } from '../geometry/extrude.js';
import { halfSpace } from '../geometry/half-space.js';
import { box, sphere } from '../geometry/primitives.js';
import type { Solid } from '../geometry/solid.js';
import { rotate, translate } from '../geometry/transform.js';
import { meshBounds } from '../geometry/triangle-mesh.js';
import { fromQuaternion, type Mat3, multiply } from '../math/mat3.js';
import {
  multiply as compose,
  fromAxisAngle,
  fromRotationVector,
  type Quaternion,
  rotate as turn,
} from '../math/quaternion.js';
import { random } from '../math/random.js';
import { Tape } from '../math/tape.js';
import { norm, sub, type Vec3 } from '../math/vec3.js';
import { body } from '../model/body.js';
import type { PairDefaults } from '../model/contacts.js';
import { model } from '../model/model.js';
import type { ContactPair } from './contact-pair.js';
import { MOST_SLOTS } from './pair-regions.js';

const soft = { name: 'soft', density: 1000, youngsModulus: 1e6, poissonRatio: 0.4 };
const STEP = 1e-3;

/** Legs in a row along x under a beam; the beam's underside is `clearance` above their feet, which stand on z = 0. */
function table(feet: readonly (readonly [from: number, to: number])[], clearance: number, width = 0.1): Solid {
  const [first] = feet[0];
  const [, last] = feet[feet.length - 1];
  const outline: [number, number][] = [];
  feet.forEach(([from, to], i) => {
    if (i > 0) outline.push([from, clearance]);
    outline.push([from, 0], [to, 0]);
    if (i < feet.length - 1) outline.push([to, clearance]);
  });
  outline.push([last, 0.05], [first, 0.05]);
  // extruded along z; z is to be y, and y up
  return translate([0, width / 2, 0], rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, extrude(outline, width)));
}
const CLEARANCE = 1e-3;
const twoLegs = table(
  [
    [-0.1, -0.01],
    [0.01, 0.1],
  ],
  CLEARANCE,
);

/** Within reach of the floor */
const onFloor = (shape: Solid, options: PairDefaults = {}): ContactScene =>
  new ContactScene(
    model({
      bodies: {
        floor: body({ shape: halfSpace(), fixed: true, material: soft }),
        thing: body({ shape, material: soft, position: [0, 0, -meshBounds(shape.mesh).min[2]] }),
      },
      contacts: { defaults: { friction: 0.8, restitution: 0.3, ...options } },
    }),
  ).start();

/** Stands `depth` deep in the floor; the end of a step */
const press = (scene: ContactScene, depth: number, x = 0, orientation?: Quaternion, speed = 0): ContactPair => {
  scene.place('thing', [x, 0, -depth], orientation);
  scene.move('thing', [speed, 0, 0]);
  scene.accept(STEP);
  return scene.pair('floor', 'thing');
};

/** States of the region with a name */
const statesOf = (scene: ContactScene, pair: ContactPair, region: number): Float64Array => {
  const s = pair.slots.findIndex((slot) => slot.region === region);
  const at = pair.stateAt + pair.perRegion * s;
  return scene.y.subarray(at, at + pair.perRegion);
};

/** Across the floor, and about a vertical axis */
const friction = (scene: ContactScene, about: Vec3): readonly [number, number, number] => {
  const { force, torque } = scene.wrench('thing', about);
  return [force[0], force[1], torque[2]];
};

describe('a region that appears', () => {
  test('has a slot that waited for it, a name and nothing in its bristle', () => {
    const scene = onFloor(box(0.1));
    scene.place('thing', [0, 0, 0.05 + 1e-4]);
    scene.accept();
    const pair = scene.pair('floor', 'thing');
    expect([pair.touching, pair.found, pair.slots.length]).toEqual([false, 0, 1]);
    expect(pair.slots[0].region).toBe(-1);
    scene.place('thing', [0, 0, 0.05 - 1e-4]);
    expect(scene.regions(pair)).toEqual([-1]); // within a step: not named yet
    scene.accept();
    expect(scene.regions(pair)).toEqual([0]);
    expect(pair.touching).toBe(true);
    expect(pair.depth).toBeGreaterThan(0);
    expect([...statesOf(scene, pair, 0)]).toEqual([0, 0, 0]);
  });

  test('several at once share the slot that waits: the others get theirs, and the next step has one more', () => {
    const feet = Array.from({ length: 6 }, (_, i) => [0.03 * i, 0.03 * i + 0.01] as const);
    const scene = onFloor(table(feet, 5e-3));
    const pair = press(scene, 1e-4);
    expect(scene.regions(pair)).toHaveLength(6);
    expect(new Set(scene.regions(pair)).size).toBe(6);
    expect(Math.min(...scene.regions(pair))).toBeGreaterThanOrEqual(0);
    expect(pair.slots.filter(({ region }) => region < 0)).toHaveLength(1);
  });

  test('while slots are lacking what is in the bristles of the others stays', () => {
    // one leg stands; five come down at once, for which there is one slot: what the step stretched in it is not lost
    const feet = Array.from({ length: 6 }, (_, i) => [0.03 * i, 0.03 * i + 0.01] as const);
    const scene = onFloor(table(feet, 5e-3));
    const tilted = fromAxisAngle([0, 1, 0], 0.02);
    scene.place('thing', [0, 0, 0.15 * 0.02 + 1e-3], tilted);
    scene.accept();
    const pair = press(scene, -0.15 * 0.02 - -1e-4, 0, tilted);
    const standing = scene.regions(pair);
    expect(standing).toHaveLength(1);
    statesOf(scene, pair, standing[0]).set([1e-6, 2e-6, 3e-7]);
    const waiting = pair.slots.findIndex(({ region }) => region < 0);
    scene.place('thing', [0, 0, -3e-4], fromAxisAngle([0, 1, 0], 0.001));
    // as a stage of the step would have left it
    scene.mechanics.update(scene.time + STEP, scene.y);
    scene.y.set([5e-7, -4e-7, 0], pair.stateAt + pair.perRegion * waiting);
    scene.accept(STEP);
    expect(scene.regions(pair)).toHaveLength(6);
    // the twist goes with the radius of the patch, which is another now
    expect([...statesOf(scene, pair, standing[0]).subarray(0, 2)]).toEqual([1e-6, 2e-6]);
    const stretched = scene.regions(pair).filter((region) => statesOf(scene, pair, region)[0] === 5e-7);
    expect(stretched).toHaveLength(1);
  });

  test('more than there may be slots: the rest is without memory, nothing else changes', () => {
    const feet = Array.from({ length: MOST_SLOTS + 6 }, (_, i) => [0.01 * i, 0.01 * i + 0.005] as const);
    const scene = onFloor(table(feet, 5e-3));
    const pair = press(scene, 1e-4);
    const names = scene.regions(pair);
    expect(names).toHaveLength(MOST_SLOTS + 6);
    expect(names.filter((region) => region >= 0)).toHaveLength(MOST_SLOTS);
    expect(pair.slots).toHaveLength(MOST_SLOTS);
    // all carry: a bed of springs under each
    const one = onFloor(table(feet.slice(0, 1), 5e-3), {
      normalLaw: pair.law.normal && { kind: 'foundation', modulus: 1e7 },
    });
    const all = onFloor(table(feet, 5e-3), { normalLaw: { kind: 'foundation', modulus: 1e7 } });
    press(one, 1e-4);
    press(all, 1e-4);
    const share = one.wrench('thing').force[2];
    expect(all.wrench('thing').force[2] / (feet.length * share)).toBeCloseTo(1, 10);
    scene.move('thing', [0.1, 0, 0]);
    expect(() => press(scene, 2e-4, 1e-4)).not.toThrow();
  });
});

describe('a region keeps its name', () => {
  test('while it slides, speeds up, and jumps farther than it is wide with every step', () => {
    const scene = onFloor(twoLegs);
    let pair = press(scene, 3e-4);
    const names = scene.regions(pair);
    expect(names).toHaveLength(2);
    let x = 0;
    for (let i = 0; i < 40; i++) {
      x += 0.01 * i;
      pair = press(scene, 3e-4, x, undefined, (0.01 * i) / STEP);
      expect(scene.regions(pair)).toEqual(names);
    }
  });
  test('while the body turns on the spot, half a turn and more', () => {
    const scene = onFloor(twoLegs);
    press(scene, 3e-4);
    const pair = scene.pair('floor', 'thing');
    const first = scene.regions(pair);
    for (let i = 1; i <= 90; i++) press(scene, 3e-4, 0, fromAxisAngle([0, 0, 1], (2 * Math.PI * i) / 90));
    expect(scene.regions(pair)).toEqual(first);
    for (let i = 1; i <= 45; i++) press(scene, 3e-4, 0, fromAxisAngle([0, 0, 1], (2 * Math.PI * i) / 90));
    expect(scene.regions(pair)).toEqual(first.toReversed());
  });
  test('while a ball rolls', () => {
    const scene = onFloor(sphere(0.05));
    for (let i = 0; i < 50; i++) {
      const pair = press(scene, 1e-4 - 0.05, 0.02 * i, fromAxisAngle([0, 1, 0], 0.4 * i));
      expect(scene.regions(pair)).toEqual([0]);
    }
  });
  test('and the direction of its friction while it turns: the displacement goes half with each body', () => {
    const scene = onFloor(box(0.1));
    const pair = press(scene, 1e-4 - 0.05);
    statesOf(scene, pair, 0).set([1e-6, 0, 0]);
    const before = friction(scene, [0, 0, 0]);
    // the states do not change: so far nothing turned them; and the basis is that of the floor
    for (let i = 1; i <= 20; i++) press(scene, 1e-4 - 0.05, 0, fromAxisAngle([0, 0, 1], 0.1 * i));
    const after = friction(scene, [0, 0, 0]);
    expect(after[0] / before[0]).toBeCloseTo(1, 6);
    expect(Math.abs(after[1])).toBeLessThan(1e-9 * Math.abs(before[0]));
  });
});

// Force and torque of friction are kept where regions merge or split. A body that stands still on springs of stiffness k would be shifted by
// what the force changes, over k: to be below 1e-12 m.
describe('friction is handed on', () => {
  const about: Vec3 = [0.03, -0.02, 0];
  const shift = (
    scene: ContactScene,
    before: readonly number[],
    after: readonly number[],
    stiffness: number,
  ): number => {
    expect(scene.contacts.pairs).toHaveLength(1);
    return Math.max(...before.map((value, i) => Math.abs(after[i] - value) / (stiffness * (i < 2 ? 1 : 0.1))));
  };
  const load = (scene: ContactScene, pair: ContactPair, seed: string): void => {
    const draw = random(seed);
    // stretched to a hundredth of what would slip
    for (const region of scene.regions(pair)) {
      const states = statesOf(scene, pair, region);
      for (let k = 0; k < 3; k++) states[k] = 1e-6 * draw.normal();
    }
  };

  test.each(['foundation', 'overlap-volume'] as const)('from two to one: %s', (kind) => {
    const normalLaw = kind === 'foundation' ? ({ kind, modulus: 1e8 } as const) : kind;
    for (let k = 0; k < 5; k++) {
      const scene = onFloor(twoLegs, { normalLaw });
      const pair = press(scene, 0.9 * CLEARANCE);
      const names = scene.regions(pair);
      load(scene, pair, `merge ${k}`);
      const before = friction(scene, about);
      expect(Math.abs(before[0])).toBeGreaterThan(1e-3);
      press(scene, 1.1 * CLEARANCE);
      const after = friction(scene, about);
      const [left] = scene.regions(pair);
      expect(scene.regions(pair)).toHaveLength(1);
      expect(names).toContain(left);
      expect(shift(scene, before, after, pair.slots[0].stiffness)).toBeLessThan(1e-12);
    }
  });

  test('from two to one whose bases differ, and which slide meanwhile', () => {
    const scene = onFloor(twoLegs);
    const pair = press(scene, 0.9 * CLEARANCE);
    load(scene, pair, 'turned');
    const before = friction(scene, about);
    // the second's displacement seen in a basis that is turned by 1 rad
    const turned = pair.slots.filter(({ region }) => region >= 0)[1];
    const states = statesOf(scene, pair, turned.region);
    const [c, s] = [Math.cos(1), Math.sin(1)];
    turned.edge.set([c * turned.edge[0] - s * turned.edge[1], s * turned.edge[0] + c * turned.edge[1], 0]);
    states.set([c * states[0] + s * states[1], c * states[1] - s * states[0]]);
    const same = friction(scene, about);
    for (let k = 0; k < 3; k++) expect(same[k]).toBeCloseTo(before[k], 12);
    // two steps at 1 m/s, that the regions have a drift, then the third merges them
    for (const x of [STEP, 2 * STEP]) press(scene, 0.9 * CLEARANCE, x, undefined, 1);
    press(scene, 1.1 * CLEARANCE, 3 * STEP, undefined, 1);
    scene.move('thing', [0, 0, 0]);
    const after = friction(scene, [about[0] + 3 * STEP, about[1], 0]);
    expect(shift(scene, before, after, pair.slots[0].stiffness)).toBeLessThan(1e-12);
    // it drifts as its parts did: not by what its centroid jumped when it came to be
    const [left] = scene.regions(pair);
    expect(pair.slots.find(({ region }) => region === left)!.drift[0]).toBeCloseTo(1, 6);
  });

  test('from three to one', () => {
    const scene = onFloor(
      table(
        [
          [-0.1, -0.04],
          [-0.03, 0.03],
          [0.04, 0.1],
        ],
        CLEARANCE,
      ),
    );
    const pair = press(scene, 0.9 * CLEARANCE);
    load(scene, pair, 'three');
    const before = friction(scene, about);
    press(scene, 1.1 * CLEARANCE);
    expect(scene.regions(pair)).toHaveLength(1);
    expect(shift(scene, before, friction(scene, about), pair.slots[0].stiffness)).toBeLessThan(1e-12);
  });

  test('from one to two: shared where both are stiffer than the whole', () => {
    // k ~ √A: 2 √(A/2) > √A
    for (let k = 0; k < 5; k++) {
      const scene = onFloor(twoLegs, { normalLaw: 'overlap-volume' });
      const pair = press(scene, 1.1 * CLEARANCE);
      expect(scene.regions(pair)).toHaveLength(1);
      load(scene, pair, `split ${k}`);
      const before = friction(scene, about);
      press(scene, 0.9 * CLEARANCE);
      expect(scene.regions(pair)).toHaveLength(2);
      expect(shift(scene, before, friction(scene, about), pair.slots[0].stiffness)).toBeLessThan(1e-12);
    }
  });

  test('from one to two: each is displaced as the whole was, where stiffness goes with the area', () => {
    const scene = onFloor(twoLegs);
    const pair = press(scene, 1.1 * CLEARANCE);
    const [whole] = scene.regions(pair);
    statesOf(scene, pair, whole).set([2e-6, -1e-6, 0]);
    press(scene, 0.9 * CLEARANCE);
    const names = scene.regions(pair);
    expect(names).toContain(whole);
    for (const region of names) {
      const [s1, s2, psi] = statesOf(scene, pair, region);
      expect(s1).toBeCloseTo(2e-6, 18);
      expect(s2).toBeCloseTo(-1e-6, 18);
      expect(psi).toBe(0);
    }
  });

  test('from one to three, for which there was one slot', () => {
    const scene = onFloor(
      table(
        [
          [-0.1, -0.04],
          [-0.03, 0.03],
          [0.04, 0.1],
        ],
        CLEARANCE,
      ),
      { normalLaw: 'overlap-volume' },
    );
    const pair = press(scene, 1.1 * CLEARANCE);
    expect(pair.slots).toHaveLength(2);
    load(scene, pair, 'to three');
    const before = friction(scene, about);
    press(scene, 0.9 * CLEARANCE);
    expect(scene.regions(pair)).toHaveLength(3);
    expect(shift(scene, before, friction(scene, about), pair.slots[0].stiffness)).toBeLessThan(1e-12);
  });

  test('rolling resistance, too', () => {
    const scene = onFloor(twoLegs, { rollingFriction: 0.1 });
    const pair = press(scene, 0.9 * CLEARANCE);
    expect(pair.perRegion).toBe(5);
    for (const region of scene.regions(pair)) statesOf(scene, pair, region).set([0, 0, 0, 1e-6, -2e-6]);
    const torque = ({ torque: [x, y] }: { torque: Vec3 }, normal: number): readonly number[] => [
      x / normal,
      y / normal,
    ];
    const level = (): number => scene.wrench('thing').force[2];
    // about the middle the normal forces have no moment
    const before = torque(scene.wrench('thing'), 1);
    press(scene, 1.1 * CLEARANCE);
    const after = torque(scene.wrench('thing'), 1);
    for (let k = 0; k < 2; k++) expect(after[k] / before[k]).toBeCloseTo(1, 9);
    press(scene, 0.9 * CLEARANCE);
    const again = torque(scene.wrench('thing'), 1);
    for (let k = 0; k < 2; k++) expect(again[k] / before[k]).toBeCloseTo(1, 9);
    expect(level()).toBeGreaterThan(0);
  });

  test('within the step in which two become one, what the other holds does not fade', () => {
    const scene = onFloor(twoLegs);
    const pair = press(scene, 0.9 * CLEARANCE);
    load(scene, pair, 'within');
    scene.place('thing', [0, 0, -1.1 * CLEARANCE]);
    const { rates } = scene.loads(pair);
    const s = pair.slots.findIndex((slot, i) => slot.region >= 0 && !pair.slotOf.subarray(0, pair.found).includes(i));
    expect(s).toBeGreaterThanOrEqual(0);
    const at = pair.stateAt + pair.perRegion * s;
    expect([...rates.subarray(at, at + 3)].map((rate) => rate + 0)).toEqual([0, 0, 0]);
  });

  test('a region that comes to be far from others takes nothing from them', () => {
    const scene = onFloor(
      table(
        [
          [-0.2, -0.19],
          [0.19, 0.2],
        ],
        0.02,
      ),
    );
    const tilted = fromAxisAngle([0, 1, 0], 0.01);
    const pair = press(scene, -1.5e-3, 0, tilted);
    expect(scene.regions(pair)).toHaveLength(1);
    const [name] = scene.regions(pair);
    statesOf(scene, pair, name).set([1e-6, 0, 0]);
    press(scene, 1e-4, 0);
    expect(scene.regions(pair)).toHaveLength(2);
    expect([...statesOf(scene, pair, name)]).toEqual([1e-6, 0, 0]);
    const other = scene.regions(pair).find((region) => region !== name)!;
    expect([...statesOf(scene, pair, other)]).toEqual([0, 0, 0]);
  });
});

describe('a region that is no more', () => {
  test('fades at the rate k/d, keeps its slot until it has, then waits', () => {
    const scene = onFloor(box(0.1));
    const pair = press(scene, 1e-4 - 0.05);
    statesOf(scene, pair, 0).set([1e-6, -1e-6, 1e-7]);
    const { stiffness, dampingScale } = pair.slots[0];
    scene.place('thing', [0, 0, 0.051]);
    const { rates } = scene.loads(pair);
    for (let k = 0; k < 3; k++)
      expect(
        rates[pair.stateAt + k] / ((-Math.sqrt(stiffness) / dampingScale) * scene.y[pair.stateAt + k]),
      ).toBeCloseTo(1, 14);
    scene.accept();
    expect(pair.touching).toBe(false);
    expect(pair.slots[0].region).toBe(0);
    expect([...statesOf(scene, pair, 0)]).toEqual([1e-6, -1e-6, 1e-7]);
    // back before it has faded: the same
    press(scene, 1e-4 - 0.05);
    expect(scene.regions(pair)).toEqual([0]);
    scene.place('thing', [0, 0, 0.051]);
    scene.accept();
    statesOf(scene, pair, 0).set([1e-7 * pair.referenceDepth, 0, 0]);
    scene.accept();
    expect(pair.slots[0].region).toBe(-1);
    expect(scene.y[pair.stateAt]).toBe(0);
    // a new one
    press(scene, 1e-4 - 0.05);
    expect(scene.regions(pair)).toEqual([1]);
  });
});

describe('wrenches', () => {
  const bodies = {
    one: { shape: box([0.1, 0.12, 0.08]), material: soft },
    two: { shape: sphere(0.05), material: soft },
  };
  /** A ball on a box, both moving, all of it turned */
  const pile = (all: Quaternion = [1, 0, 0, 0]): ContactScene => {
    const scene = new ContactScene(
      model({
        gravity: 'none',
        bodies: { one: body(bodies.one), two: body({ ...bodies.two, position: [0, 0, 0.09] }) },
        contacts: { defaults: { friction: 0.5, restitution: 0.5, rollingFriction: 0.01 } },
      }),
    ).start();
    const put = (name: string, position: Vec3, orientation: Quaternion, velocity: Vec3, spin: Vec3): void => {
      scene.place(name, turn(all, position), compose(all, orientation));
      scene.move(name, turn(all, velocity), turn(all, spin));
    };
    put('one', [0, 0, 0], fromRotationVector([0.01, -0.02, 0.3]), [0.1, -0.2, 0.3], [1, 2, -3]);
    put('two', [0.01, -0.02, 0.0895], [1, 0, 0, 0], [-0.1, 0.3, 0.2], [-4, 5, 6]);
    scene.accept();
    return scene;
  };
  test('the force on A is minus that on B, bit for bit, and so are the torques about any point', () => {
    const scene = pile();
    const pair = scene.pair('one', 'two');
    expect(pair.touching).toBe(true);
    const { a, b } = scene.loads(pair);
    const { position } = scene.mechanics.carriers;
    for (let k = 3; k < 6; k++) {
      expect(a[k]).not.toBe(0);
      expect(a[k]).toBe(-b[k]);
    }
    const about = (load: Float64Array, carrier: number, k: number): number => {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      return load[k] + position[3 * carrier + l] * load[3 + m] - position[3 * carrier + m] * load[3 + l];
    };
    for (let k = 0; k < 3; k++) expect(about(a, pair.a, k)).toBeCloseTo(-about(b, pair.b, k), 12);
  });
  test('turn with the bodies', () => {
    const still = pile();
    const expected = still.loads(still.pair('one', 'two'));
    for (let k = 0; k < 4; k++) {
      const all = random(`turned ${k}`).rotation();
      const scene = pile(all);
      const found = scene.loads(scene.pair('one', 'two'));
      for (const side of ['a', 'b'] as const)
        for (const part of [0, 3]) {
          const [x, y, z] = expected[side].subarray(part, part + 3);
          const there = turn(all, [x, y, z]);
          const here = [...found[side].subarray(part, part + 3)] as unknown as Vec3;
          // tangents are others, by which friction is told; rounding errors of an overlap 1/100 of the ball's size
          expect(norm(sub(here, there)) / norm(there)).toBeLessThan(1e-9);
        }
    }
  });
});

// Real shapes, by way of their routes: sphere on box, box on floor with an edge, table with two legs. Differences of poses step over no facet.
describe('derivatives of pairs', () => {
  const scenes: Readonly<Record<string, () => ContactScene>> = {
    'ball on floor': () => {
      const scene = onFloor(sphere(0.05));
      press(scene, 1e-3 - 0.05, 0, fromRotationVector([0.1, 0.2, 0.3]));
      return scene;
    },
    'box on an edge': () => {
      const scene = onFloor(box(0.1));
      press(scene, 1e-3 - 0.05 - 0.05 * 0.2, 0, fromRotationVector([0.01, 0.2, 0.3]));
      return scene;
    },
    'table with two legs': () => {
      const scene = onFloor(twoLegs);
      press(scene, 5e-4, 0, fromRotationVector([1e-3, 1e-3, 0.3]));
      return scene;
    },
  };
  test.each(Object.keys(scenes))('%s', (name) => {
    const scene = scenes[name]();
    const pair = scene.pair('floor', 'thing');
    scene.move('thing', [0.01, -0.02, -0.01], [0.1, 0.2, -0.1]);
    for (const region of scene.regions(pair)) statesOf(scene, pair, region).set([1e-6, -2e-6, 1e-7]);
    scene.mechanics.update(scene.time, scene.y);
    const { carriers } = scene.mechanics;
    const out = new PairDerivative(pair.states);
    pair.differentiate(scene.time, scene.y, out);
    const place = carriers.position.slice();
    const axes = carriers.rotation.slice();
    const twist = carriers.twist.slice();
    const rates = new Float64Array(scene.y.length);
    const values = (): number[] => {
      carriers.load.fill(0);
      pair.evaluate(scene.time, scene.y, rates);
      const loads = carriers.load.subarray(6 * pair.b, 6 * pair.b + 6);
      return [...loads, ...rates.subarray(pair.stateAt, pair.stateAt + pair.states)];
    };
    const rows = 6 + pair.states;
    const columns = Array.from({ length: 12 }, (_, c) =>
      extrapolated(
        (h) => {
          carriers.position.set(place);
          carriers.rotation.set(axes);
          carriers.twist.set(twist);
          const { b } = pair;
          if (c >= 6) carriers.twist[6 * b + c - 6] += h;
          else if (c >= 3) carriers.position[3 * b + c - 3] += h;
          else {
            const v: [number, number, number] = [0, 0, 0];
            v[c] = h;
            const r = carriers.rotation.subarray(9 * b, 9 * b + 9);
            r.set(multiply(fromQuaternion(fromRotationVector(v)), [...r] as unknown as Mat3));
          }
          return values();
        },
        c < 6 ? 1e-6 : 1e-5,
      ),
    );
    const told = (r: number, c: number): number => {
      if (r < 6) return c < 6 ? out.byPose[12 * (6 + r) + 6 + c] : out.byTwist[12 * (6 + r) + c];
      return c < 6 ? out.ratesByPose[12 * (r - 6) + 6 + c] : out.ratesByTwist[12 * (r - 6) + c];
    };
    // Blocks of torque, force and rates by rotation, displacement, spin and velocity; what is small beside the rows' largest is rounding
    for (const [from, to] of [
      [0, 3],
      [3, 6],
      [6, rows],
    ])
      for (let first = 0; first < 12; first += 3) {
        const largest = Math.max(...columns.flatMap((column) => column.slice(from, to).map(Math.abs)));
        const block = columns.slice(first, first + 3).flatMap((column) => column.slice(from, to).map(Math.abs));
        const scale = Math.max(...block, 1e-5 * largest);
        for (let c = first; c < first + 3; c++)
          for (let r = from; r < to; r++)
            expect(
              Math.abs(told(r, c) - columns[c][r]) / scale,
              `${r}, ${c}: ${told(r, c)} ${columns[c][r]}`,
            ).toBeLessThan(1e-5);
      }
  });
});

describe('a pair that goes on in another system', () => {
  test('knows all that the one before it would have kept for a restart', () => {
    const after = press(onFloor(twoLegs), 1e-5);
    const scene = onFloor(twoLegs);
    // in touch for a while, sliding, so that loads last and bristles are stretched
    for (let step = 0; step < 20; step++) press(scene, 1e-5 * (1 + 0.1 * step), 1e-6 * step, undefined, 1e-3);
    const before = scene.pair('floor', 'thing');
    const kept = (pair: ContactPair): Float64Array => {
      const tape = new Tape();
      pair.remember(tape);
      return tape.values;
    };
    expect(kept(after)).not.toEqual(kept(before));
    after.takeOver(before);
    expect(kept(after)).toEqual(kept(before));
  });
});
