/**
 * A watch that lacks its pallet lever: escape wheel, balance with hairspring, bankings, as a scene. A lever that was traced over a picture, its pivot at (0, 0) and its
 * fork towards +y, makes it tick. Figures are those of examples/lever-escapement at the size of the watch.
 */

import { leverEscapement } from '../../assets/machine-elements/lever-escapement.js';
import { extrude } from '../../geometry/extrude.js';
import { solidMassProperties } from '../../geometry/mass-properties.js';
import { ruby } from '../../model/materials.js';
import type { DataRecord, JsonModel } from '../document/document.js';

const DEGREE = Math.PI / 180;
/** m */
const [PLANE, THICKNESS] = [0.16e-3, 0.15e-3];
/** kg m², of all that turns with the balance; beats in an hour; Q of the free balance; degrees */
const [INERTIA, BEATS, QUALITY, AMPLITUDE] = [1.2e-9, 28800, 200, 280];

/** @param lever its body as the sketcher puts it into a scene: a shape and a material */
export function watchWith(lever: DataRecord, { stop = 0.25 }: { readonly stop?: number } = {}): JsonModel {
  const { leverPivot, balancePivot, lockedOnEntry, impulsePin } = leverEscapement();
  const part = (name: string, bottom: number, height: number): DataRecord => ({
    leverEscapement: { part: name, height },
    translate: [0, 0, bottom],
  });
  const steel = { density: 7800, youngsModulus: 2.1e11, poissonRatio: 0.3 };
  const at = ([x, y]: readonly [number, number]): readonly number[] => [x, y, 0];
  const pin = solidMassProperties(extrude(impulsePin, 0.285e-3), ruby.density);
  const rim = INERTIA - pin.inertia[8] - pin.mass * (pin.centroid[0] ** 2 + pin.centroid[1] ** 2);
  const omega = (2 * Math.PI * BEATS) / 7200;
  return {
    title: 'Lever escapement',
    gravity: 'none',
    bodies: {
      wheel: {
        shape: part('wheel', PLANE, THICKNESS),
        material: steel,
        contact: { group: 'wheel', touches: 'lever' },
        colour: [0.85, 0.68, 0.3, 1],
      },
      lever: {
        ...lever,
        position: [leverPivot[0], leverPivot[1], PLANE],
        contact: { group: 'lever', touches: ['wheel', 'pin', 'bankings'] },
      },
      leftBanking: banking('leftBanking'),
      rightBanking: banking('rightBanking'),
      balance: {
        shape: {
          tube: { outerRadius: 4.5e-3, innerRadius: 4e-3, height: 0.6e-3, segments: 128 },
          translate: [0, 0, 1.2e-3],
        },
        mass: rim / 4.25e-3 ** 2,
        centreOfMass: [0, 0, 1.2e-3],
        inertia: [0.55 * rim, 0.55 * rim, rim],
        position: at(balancePivot),
        contact: false,
        colour: [0.85, 0.68, 0.3, 1],
      },
      impulsePin: {
        shape: part('impulsePin', 0.165e-3, 0.285e-3),
        material: 'ruby',
        position: at(balancePivot),
        contact: { group: 'pin', touches: 'lever' },
      },
    },
    joints: {
      wheelArbor: {
        kind: 'revolute',
        body: 'wheel',
        axis: [0, 0, 1],
        at: [0, 0, 0],
        initialAngle: lockedOnEntry.wheel,
        torque: -1.3e-6,
      },
      leverArbor: {
        kind: 'revolute',
        body: 'lever',
        axis: [0, 0, 1],
        at: at(leverPivot),
        initialAngle: lockedOnEntry.lever,
      },
      balanceStaff: {
        kind: 'revolute',
        body: 'balance',
        axis: [0, 0, 1],
        at: at(balancePivot),
        initialAngle: -AMPLITUDE * DEGREE,
        spring: { stiffness: INERTIA * omega ** 2 },
        damping: (INERTIA * omega) / QUALITY,
      },
      pinSetting: { kind: 'fixed', body: 'impulsePin', to: 'balance' },
    },
    contacts: {
      defaults: { friction: 0.12, restitution: 0.3, normalLaw: { kind: 'power', stiffness: 5e4, exponent: 1 } },
      sensors: [['wheel', 'lever']],
    },
    simulation: { rtol: 1e-4, stop, interval: 2.5e-4 },
    plots: {
      'angle of the balance': 'balanceStaff.angle',
      'angle of the lever': 'leverArbor.angle',
      'angle of the wheel': 'wheelArbor.angle',
    },
  };

  function banking(name: string): DataRecord {
    return {
      shape: part(name, 0.1e-3, 0.3e-3),
      fixed: true,
      material: steel,
      contact: { group: 'bankings', touches: 'lever' },
    };
  }
}

/** Degrees that the escape wheel goes on at each beat: half a pitch of 15 teeth */
export const BEAT_ANGLE = 12;
