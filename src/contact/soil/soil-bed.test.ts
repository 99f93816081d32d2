import { describe, expect, test } from 'vitest';
import { rock } from '../../assets/rock.js';
import { terrain } from '../../assets/terrain.js';
import { wheel } from '../../assets/wheel.js';
import { elasticStiffness, plateSinkage } from '../../contact-laws/soil/pressure-sinkage.js';
import { solidMassProperties } from '../../geometry/mass-properties.js';
import { box, cylinder } from '../../geometry/primitives.js';
import { rotate } from '../../geometry/transform.js';
import { body } from '../../model/body.js';
import { granite } from '../../model/material-library.js';
import { type ModelOptions, model } from '../../model/model.js';
import { SOILS } from '../../model/soil-library.js';
import { simulate } from '../../simulation/simulation.js';

const plate = (more: Partial<ModelOptions['bodies']> = {}, soils: object = {}): ModelOptions => ({
  gravity: [0, 0, -9.81],
  bodies: {
    plate: body({
      shape: box([0.2, 0.1, 0.1]),
      mass: 20,
      inertia: [0.1, 0.1, 0.1],
      position: [0.005, 0.005, 0.05],
      contact: false,
    }),
    ...more,
  } as ModelOptions['bodies'],
  soils: { bed: { soil: 'moon-nominal', spacing: 0.01, bodies: ['plate'], ...soils } },
});
const last = (run: ReturnType<typeof simulate>, name: string): number => {
  const { values } = run.signal(name);
  return values[values.length - 1];
};
const sinkage = 'elements.bed.plate.sinkage';
const { cohesion: _, ...withoutCohesion } = SOILS['moon-nominal'];
const wheelBy = (model: string) => ({ model, radius: 0.1, width: 0.1 });

describe('a body on soft ground', () => {
  test('comes to rest a little deeper than the static sinkage: it falls past it', () => {
    const run = simulate(model(plate()), { stopTime: 0.6, integrator: 'symplecticEuler', step: 1e-3 });
    const still = plateSinkage(SOILS['moon-nominal'], 0.1, (20 * 9.81) / 0.02);
    const z = last(run, sinkage);
    // n = 1: a spring let go at once yields to twice its static sinkage, less what is damped; then it springs back
    expect(z).toBeGreaterThan(still);
    expect(z).toBeLessThan(2.05 * still);
    expect(Math.abs(last(run, 'plate.velocity.z'))).toBeLessThan(1e-4);
    expect(Math.abs(last(run, 'elements.bed.plate.force.z') / (20 * 9.81) - 1)).toBeLessThan(1e-3);
  });

  test('error-controlled integrators and steps of one length agree', () => {
    const euler = simulate(model(plate()), { stopTime: 0.2, integrator: 'symplecticEuler', step: 4e-4 });
    const stiff = simulate(model(plate()), { stopTime: 0.2, integrator: 'rodas4', rtol: 1e-4 });
    expect(Math.abs(last(euler, sinkage) / last(stiff, sinkage) - 1)).toBeLessThan(5e-3);
  });

  // Its edges lie on nodes: a footprint of whole nodes is decided there by rounding, and shook it at 0.8 rad/s for good
  test.each(['automatic', 'radau5'] as const)('stays at rest under error control (%s)', (integrator) => {
    const block = body({ shape: box([0.2, 0.2, 0.1]), mass: 10, position: [0.5, 0, 0.051], contact: false });
    const run = simulate(model({ bodies: { plate: block }, soils: plate({}, { soil: 'snow-us' }).soils! }), {
      stopTime: 1,
      rtol: 1e-4,
      integrator,
    });
    const turns = run.signal('plate.angularVelocity.y').values;
    expect(Math.max(...turns.map(Math.abs))).toBeLessThan(1e-6);
    expect(Math.abs(last(run, 'plate.velocity.z'))).toBeLessThan(1e-6);
    // What the soil holds is stored, W²/(2 Ke A) under the weight, not heat
    const Ke = elasticStiffness(SOILS['snow-us'], 0.1);
    expect(Math.abs((last(run, 'energy.elastic') * 2 * Ke * 0.2 * 0.2) / (10 * 9.81) ** 2 - 1)).toBeLessThan(1e-3);
  });

  // 3 and 2 mm off the middle between nodes, as everywhere: half a node of footprint more on one side turned it at 0.45 rad/s
  test('sinks straight wherever it stands on the grid', () => {
    const block = body({ shape: box([0.2, 0.2, 0.1]), mass: 10, position: [0.502, 0.003, 0.051], contact: false });
    const run = simulate(model({ bodies: { plate: block }, soils: plate({}, { soil: 'snow-us' }).soils! }), {
      stopTime: 1,
      rtol: 1e-4,
    });
    for (const axis of ['x', 'y', 'z'])
      expect(Math.max(...run.signal(`plate.angularVelocity.${axis}`).values.map(Math.abs))).toBeLessThan(1e-9);
    expect(run.trust.verdict?.word).toBe('trusted');
  });

  // Its sides stand on nodes and lean by rounding: seen there, they were found at any height, and the ledger was open by 0.16
  test('a wheel that rolls with its sides on nodes gains no energy', () => {
    const roller = body({
      shape: wheel({ radius: 0.12, width: 0.1, segments: 90 }).solid,
      mass: 8,
      inertia: [0.04, 0.06, 0.04],
      position: [0, 0, 0.12],
      velocity: [0.4, 0, 0],
      angularVelocity: [0, 4, 0],
      contact: false,
    });
    const run = simulate(model({ bodies: { plate: roller }, soils: plate({}, { soil: 'dry-sand-lll' }).soils! }), {
      stopTime: 0.2,
      integrator: 'verlet',
      step: 1e-3,
    });
    expect(Math.abs(run.trust.energy?.relativeError ?? 1)).toBeLessThan(2e-3);
  });

  // By symmetry it does not turn. What was pressed aside under its lowest line went off in a direction that rounding chose, and turned it at 1.2, then at 0.05 rad/s
  test('a wheel let down into snow does not begin to roll, and its sides on nodes cost no steps', () => {
    const tries = [0, 0.003].map((y) => {
      const roller = body({
        shape: wheel({ radius: 0.12, width: 0.1 }).solid,
        mass: 8,
        inertia: [0.04, 0.06, 0.04],
        position: [0, y, 0.12],
        contact: false,
      });
      const run = simulate(model({ bodies: { plate: roller }, soils: plate({}, { soil: 'snow-us' }).soils! }), {
        stopTime: 1,
        rtol: 1e-4,
      });
      expect(Math.abs(last(run, 'plate.angularVelocity.y'))).toBeLessThan(1e-5); // rounding, as error control lets it grow; 3e-7 measured
      expect(Math.abs(last(run, 'plate.angularVelocity.x'))).toBeLessThan(0.01);
      expect(run.trust.verdict?.word).toBe('trusted');
      const { accepted, rejected } = run.trust.steps!;
      return accepted + rejected;
    });
    for (const count of tries) expect(count).toBeLessThan(400);
  });

  // Its lowest edge lies over a row of nodes: pressed along the normal of the triangle on the one or the other side of it by rounding, it was held there as by dry friction, in steps of 30 ps
  test('a wheel that starts in the ground with an edge of its tread over nodes', () => {
    const shape = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.1, height: 0.1, segments: 60 }));
    const wheel = body({ shape, mass: 5, position: [0, 0, 0.095], contact: false });
    const run = simulate(
      model({ bodies: { wheel }, soils: { bed: { soil: 'dry-sand-lll', spacing: 0.01, bodies: ['wheel'] } } }),
      { stopTime: 0.05 },
    );
    expect(run.trust.steps!.accepted).toBeLessThan(60); // 17 measured
    expect(Math.abs(last(run, 'wheel.position.x'))).toBeLessThan(1e-7); // the tolerance, 1e-6 of its size
    expect(last(run, 'wheel.position.z')).toBeCloseTo(0.0893, 4);
  });

  // What is told is how deep the body is, wherever it is carried: here a rut below it was opened deeper than it stands now
  test('tells its deepest point, though only its flanks are carried', () => {
    const shape = rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.05, height: 0.2 }));
    const roller = body({ shape, mass: 5, position: [0, 0, 0.2], contact: false });
    const run = simulate(model({ bodies: { plate: roller }, soils: plate({}, { soil: 'dry-sand-lll' }).soils! }), {
      stopTime: 0.6,
      integrator: 'symplecticEuler',
      step: 5e-4,
    });
    expect(last(run, sinkage)).toBeGreaterThan(0.05 - last(run, 'plate.position.z') - 2e-3); // nodes beside the lowest line
  });

  // Both soils would carry all of it: it sank half as deep as it should, in a run called trusted
  test.each([
    ['at one place', {}, 0.0999],
    ['one below the other', { position: [0, 0, -0.01] }, 0.0999],
    ['by a law of wheels', { bodies: { plate: wheelBy('bekker') } }, 0.0999],
  ])('named by two soils %s it is refused', (_where, other, height) => {
    const { soils, ...rest } = plate();
    const two = { ...soils, clay: { soil: 'clayey-38', spacing: 0.01, bodies: ['plate'], ...other } };
    const light = body({ shape: box([0.2, 0.2, 0.2]), mass: 20, position: [0, 0, height], contact: false });
    expect(() =>
      simulate(model({ ...rest, bodies: { plate: light }, soils: two as ModelOptions['soils'] }), {
        stopTime: 1,
        integrator: 'symplecticEuler',
        step: 1e-3,
      }),
    ).toThrow(
      /bodies\.plate: is carried twice: "(bed|clay)" carries it at \(.*\) m, .* m below the ground of "(clay|bed)", too/,
    );
  });

  // Half on either: as on one of them, for they are the same
  test('two soils side by side carry half of it each', () => {
    const side = (way: number) =>
      terrain({
        layers: [
          {
            kind: 'profile',
            points:
              way > 0
                ? [
                    [-1e-6, 0],
                    [1e-6, -1],
                  ]
                : [
                    [-1e-6, -1],
                    [1e-6, 0],
                  ],
          },
        ],
      });
    const { soils, ...rest } = plate();
    const half = (way: number) => ({ ...soils!.bed, terrain: side(way) });
    const run = simulate(model({ ...rest, soils: { left: half(1), right: half(-1) } as ModelOptions['soils'] }), {
      stopTime: 0.6,
      integrator: 'symplecticEuler',
      step: 1e-3,
    });
    const [a, b] = ['left', 'right'].map((name) => last(run, `elements.${name}.plate.force.z`));
    expect((a + b) / (20 * 9.81)).toBeCloseTo(1, 3);
  });

  // Ground, gravity and body turned together about y by 30°
  test('tilted with its ground and its weight, it sinks the same', () => {
    const angle = Math.PI / 6;
    const turn = { axis: [0, 1, 0] as const, angle };
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [x, z] = [0.005, 0.05];
    const tilted = {
      ...plate(
        {
          plate: body({
            shape: box([0.2, 0.1, 0.1]),
            mass: 20,
            inertia: [0.1, 0.1, 0.1],
            position: [c * x + s * z, 0.005, c * z - s * x],
            orientation: turn,
            contact: false,
          }),
        },
        { orientation: turn },
      ),
      gravity: [-9.81 * s, 0, -9.81 * c] as const,
    };
    const options = { stopTime: 0.2, integrator: 'symplecticEuler', step: 1e-3 } as const;
    const [level, leaning] = [plate(), tilted].map((given) => last(simulate(model(given), options), sinkage));
    expect(Math.abs(leaning / level - 1)).toBeLessThan(1e-9);
  });

  test('a second run of the same model begins on fresh soil', () => {
    const made = model(plate());
    const options = { stopTime: 0.1, integrator: 'symplecticEuler', step: 1e-3 } as const;
    expect(last(simulate(made, options), sinkage)).toBe(last(simulate(made, options), sinkage));
  });

  test('two bodies sink into each other’s ruts', () => {
    const shape = rotate(
      { axis: [1, 0, 0], angle: Math.PI / 2 },
      cylinder({ radius: 0.1, height: 0.1, segments: 120 }),
    );
    const roller = (x: number) =>
      body({ shape, mass: 10, inertia: [0.05, 0.05, 0.05], position: [x, 0.005, 0.1], contact: false });
    const options = { stopTime: 0.2, integrator: 'symplecticEuler', step: 1e-3 } as const;
    const pair = model({
      gravity: [0, 0, -9.81],
      bodies: { rear: roller(0), front: roller(0.12) },
      soils: { bed: { soil: 'moon-nominal', spacing: 0.01, bodies: ['rear', 'front'] } },
    });
    const run = simulate(pair, options);
    expect(last(run, 'elements.bed.rear.sinkage')).toBeGreaterThan(0.005);
    expect(Math.abs(last(run, 'elements.bed.rear.sinkage') / last(run, 'elements.bed.front.sinkage') - 1)).toBeLessThan(
      0.05,
    );
  });

  // A rock's surface is bumps: it turns until it lies. Carried is what it weighs, and what it presses away is a hollow, not the ground
  test('rocks that fall on it come to rest in hollows of their own', () => {
    const made = rock({ length: 0.2, width: 0.16, height: 0.12, subdivision: 3, seed: 5 });
    const stone = (x: number) => body({ shape: made.solid, material: granite, position: [x, 0, 0.12], contact: false });
    const pair = model({
      gravity: [0, 0, -9.81],
      bodies: { near: stone(0), far: stone(0.5) },
      soils: { bed: { soil: 'dry-sand-lll', spacing: 0.015, bodies: ['near', 'far'] } },
    });
    const run = simulate(pair, { stopTime: 0.8, integrator: 'verlet', step: 1e-3 });
    const weight = solidMassProperties(made.solid, granite.density).mass * 9.81;
    for (const name of ['near', 'far']) {
      expect(Math.abs(last(run, `elements.bed.${name}.force.z`) / weight - 1)).toBeLessThan(0.01);
      expect(last(run, `elements.bed.${name}.sinkage`)).toBeGreaterThan(1e-3);
      for (const axis of ['x', 'y', 'z']) expect(Math.abs(last(run, `${name}.velocity.${axis}`))).toBeLessThan(2e-3);
    }
  });

  test('stands on a slope that shear can hold, and does not creep', () => {
    const angle = 0.25; // tan φ = 0.70
    const ground = terrain({ layers: [{ kind: 'plane', slope: angle }] });
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const block = body({
      shape: box([0.2, 0.1, 0.1]),
      mass: 20,
      inertia: [0.1, 0.1, 0.1],
      position: [-s * 0.04, 0.005, c * 0.04],
      orientation: { axis: [0, 1, 0], angle: -angle },
      contact: false,
    });
    const run = simulate(model(plate({ plate: block }, { terrain: ground })), {
      stopTime: 3,
      integrator: 'symplecticEuler',
      step: 1e-3,
    });
    const x = run.signal('plate.position.x').values;
    const second = Math.round((2 / 3) * (x.length - 1));
    expect(Math.abs(x[x.length - 1] - x[second])).toBeLessThan(1e-5);
  });

  test.each<[object, RegExp]>([
    [{ soil: 'moon-nominl' }, /soils.bed.soil: there is no soil "moon-nominl"; did you mean "moon-nominal"\?/],
    [{ bodies: ['plat'] }, /soils.bed.bodies: there is no body "plat"; did you mean "plate"\?/],
    [{ spacing: 0 }, /soils.bed.spacing: expected a distance of nodes > 0 m, got 0/],
    [{ position: [0, 0, 0.5] }, /soils.bed.bodies.plate: starts buried/],
    [{ bodies: { plate: { model: 'bekker' } } }, /expected its radius and width in m/],
    [{ soil: withoutCohesion }, /soils.bed.soil.cohesion: expected a cohesion in Pa, got nothing/],
    [{ soil: { ...SOILS['moon-nominal'], frictionAngle: 35 } }, /below 1.4 rad, got 35; is it in degrees\?/],
    [
      { soil: { ...SOILS['moon-nominal'], kc: -1e6 } },
      /soils.bed.soil: kc\/b \+ kphi = -1000000\/0.1 \+ 820000 = -9180000 N\/m\^\(n\+2\) for a contact 0.1 m wide/,
    ],
    [{ soil: { ...SOILS['moon-nominal'], kc: -1e6 }, bodies: { plate: wheelBy('terra') } }, /soils.bed.soil: kc\/b/],
    [
      { spacing: 1e-7 },
      /soils.bed.spacing: the ground under "plate" alone has \d+ nodes 1e-7 m apart, which need \d+ MB/,
    ],
    [{ spacing: 5e-3, memory: 1e5 }, /soils.bed.spacing: the ground .* need.* MB; expected a coarser grid/],
    [
      { position: [0, 0, 0.5], bodies: { plate: wheelBy('terra') } },
      /soils.bed.bodies.plate: starts buried: its lowest/,
    ],
  ])('%j is refused by name', (soils, message) => {
    expect(() =>
      simulate(model(plate({}, soils)), { stopTime: 0.01, integrator: 'symplecticEuler', step: 1e-3 }),
    ).toThrow(message);
  });

  test('grousers thinner than the grid are refused', () => {
    const shape = wheel({ radius: 0.12, grouser: { count: 24, height: 0.01 } }).solid;
    const tyre = body({ shape, mass: 10, position: [0, 0, 0.13], contact: false });
    expect(() =>
      simulate(model(plate({ plate: tyre })), { stopTime: 0.01, integrator: 'symplecticEuler', step: 1e-3 }),
    ).toThrow(
      /soils.bed.bodies.plate: its grousers are 0.002 m thick and would fall between the soil's nodes, 0.01 m apart/,
    );
  });
});
