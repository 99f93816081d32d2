// The Swiss lever escapement of a watch: escape wheel, pallet lever with two ruby stones, balance with hairspring. Nothing ticks by decree:
// wheel, lever and balance turn in their bearings and touch each other.
// npx tippetop run examples/lever-escapement --torque 0.8e-6
import {
  body,
  box,
  cylinder,
  extrude,
  fixed,
  leverEscapement,
  ModelError,
  model,
  type Outline,
  profileArea,
  revolute,
  ruby,
  type Solid,
  scale,
  solidMassProperties,
  steel,
  translate,
  tube,
} from 'tippetop';
import { traced } from '../traced-pallet/traced-pallet.model.js';

const degree = Math.PI / 180;

type Numbers =
  | ('size' | 'lock' | 'draw' | 'drop' | 'lift' | 'run' | 'beats' | 'torque' | 'friction' | 'restitution' | 'inertia')
  | ('quality' | 'amplitude' | 'nudge' | 'stiffness' | 'closeness' | 'segments');
type Choices = Record<Numbers | 'modes', number> & {
  readonly start: string;
  readonly outline: string;
  readonly guard: boolean;
  readonly flexible: string;
};

export default async ({
  size = 1 /* 1: the watch, 2.25 mm wheel; 50: the teaching model, 112.5 mm wheel */,
  lock = 1.5 /* degrees of the lever */,
  draw = 13 /* degrees */,
  drop = 1.5 /* degrees of the wheel */,
  lift = 8.5 /* degrees of the lever */,
  run = 0.5 /* degrees of the lever, to the banking */,
  beats = size > 10 ? 7200 : 28800 /* an hour */,
  torque = size > 10 ? 1.2 : 1.3e-6 /* N m on the escape wheel */,
  friction = 0.12 /* ruby on oiled steel */,
  restitution = size > 10 ? 0.2 : 0.3,
  inertia = size > 10 ? 0.01 : 1.2e-9 /* kg m², balance and all that turns with it */,
  quality = size > 10 ? 100 : 200 /* Q of the free balance */,
  start = 'running' /* or 'rest': stopped, in beat */,
  amplitude = size > 10 ? 240 : 280 /* degrees, of the running start */,
  nudge = 0 /* degrees per s of the balance, of the start at rest */,
  flexible = 'none' /* lever: it deforms; both: the escape wheel, too */,
  modes = 6 /* of each part that deforms */,
  outline = flexible === 'none' ? 'drawn' : 'traced' /* of the pallet: drawn, traced, or a DXF file in mm */,
  stiffness = size > 10 ? 2e5 : 5e4 /* N/m of a contact */,
  closeness = 0 /* m by which the wheel is set nearer to the lever than drawn */,
  guard = false /* with guard pin and safety roller: they touch only if the watch is shaken */,
  segments = 96 /* corners of round parts; 0: arcs, where nothing deforms */,
}: Partial<Choices> = {}) => {
  const radius = 2.25e-3 * size;
  const corners = segments > 0 ? segments : 96;
  const mm = 1e-3 * size;
  const escapement = leverEscapement({
    radius,
    lock: lock * degree,
    draw: draw * degree,
    drop: drop * degree,
    lift: lift * degree,
    run: run * degree,
    segments: corners,
    pinSegments: 2 * Math.ceil(corners / 8),
    hornSegments: Math.ceil(corners / 8),
  });
  const { leverPivot, balancePivot, entry, exit } = escapement;
  if (!['none', 'lever', 'both'].includes(flexible))
    throw new ModelError('flexible', `expected none, lever or both, got "${flexible}"`);
  if (flexible !== 'none' && outline === 'drawn')
    throw new ModelError('outline', 'expected traced or a DXF file: a lever that deforms is one plate with its stones');
  const bends = flexible !== 'none';
  const { impulsePin, safetyRoller, bankings } = segments > 0 || bends ? escapement : escapement.round;

  // Levels, m: the watch is built in storeys; a flat pallet and the teaching model lie in one plane.
  const whole =
    outline === 'drawn' ? undefined : outline === 'traced' ? scale(size * 1e-3, traced) : await fromDxf(outline, size);
  const flat = whole !== undefined || size > 10;
  const thickness = (size > 10 ? 0.12 : 0.15) * mm;
  const storey =
    (bottom: number, top: number) =>
    (figure: Parameters<typeof extrude>[0]): Solid =>
      translate([0, 0, bottom * mm], extrude(figure, (top - bottom) * mm));
  const plane = (figure: Parameters<typeof extrude>[0]): Solid =>
    translate([0, 0, 0.16 * mm], extrude(figure, thickness));
  const wheelLevel = flat ? plane : storey(0, 0.13);
  const stoneLevel = flat ? plane : storey(-0.04, 0.31);
  const frameLevel = flat ? plane : storey(0.16, 0.31);
  const round = (r: number, bottom: number, top: number): Solid =>
    translate(
      [0, 0, 0.5 * (bottom + top) * mm],
      cylinder({ radius: r * mm, height: (top - bottom) * mm, segments: 48 }),
    );

  const plate = { density: size > 10 ? 1180 : 7800 };
  const metal = { ...steel, ...plate };
  const jewel = size > 10 ? { ...ruby, ...plate } : ruby;
  const [grey, red, gold] = [
    [0.62, 0.65, 0.7, 1],
    [0.8, 0.1, 0.25, 1],
    [0.85, 0.68, 0.3, 1],
  ] as const;

  // What turns with the balance has the inertia asked for, the rim what is left of it.
  const pin = storey(0.165, 0.45)(impulsePin);
  const roller = storey(-0.02, 0.148)(safetyRoller);
  const onStaff = (solid: Solid): number => {
    const { mass, centroid, inertia: moments } = solidMassProperties(solid, jewel.density);
    return moments[8] + mass * (centroid[0] ** 2 + centroid[1] ** 2);
  };
  const rim = inertia - onStaff(pin) - (guard ? onStaff(roller) : 0);
  const rimMass = rim / (4.25 * mm) ** 2;
  const omega = (2 * Math.PI * beats) / 7200; // rad/s: two beats are one oscillation

  const at = (place: readonly [number, number]) => [place[0], place[1], 0] as const;
  const centre = [0, closeness, 0] as const;
  const { wheel, lever } = start === 'rest' ? escapement.stopped : escapement.lockedOnEntry;
  return model({
    title: 'Swiss lever escapement',
    gravity: 'none',
    bodies: {
      wheel: body({
        shape:
          flexible === 'both'
            ? wheelLevel(escapement.wheel)
            : [wheelLevel(escapement.wheel), ...(size > 10 ? [] : [round(0.3, -1.6, -0.1)])],
        ...(flexible === 'both' && {
          flexible: { meshSize: 0.12 * mm, modes, interfaces: { wheelArbor: { radius: 0.3 * mm } } },
        }),
        material: metal,
        position: centre,
        contact: { group: 'wheel', touches: whole ? 'lever' : 'stones' },
        colour: gold,
      }),
      lever: body({
        shape: whole
          ? plane(whole)
          : [...escapement.framePieces.map(frameLevel), ...(size > 10 ? [] : [round(0.1, 0.31, 1.3)])],
        ...(bends && {
          flexible: { meshSize: 0.06 * mm, modes, interfaces: { leverArbor: { radius: 0.1 * mm } } },
        }),
        material: metal,
        position: at(leverPivot),
        contact: { group: 'lever', touches: ['pin', 'bankings', ...(whole ? ['wheel'] : [])] },
        colour: grey,
      }),
      ...(!whole && {
        entryStone: body({
          shape: stoneLevel(entry.outline),
          material: jewel,
          position: at(leverPivot),
          contact: { group: 'stones', touches: 'wheel' },
          colour: red,
        }),
        exitStone: body({
          shape: stoneLevel(exit.outline),
          material: jewel,
          position: at(leverPivot),
          contact: { group: 'stones', touches: 'wheel' },
          colour: red,
        }),
      }),
      banking: bankings.map((figure) =>
        body({
          shape: storey(0.1, 0.4)(figure),
          fixed: true,
          material: metal,
          contact: { group: 'bankings', touches: 'lever' },
          colour: grey,
        }),
      ),
      balance: body({
        shape: [
          translate(
            [0, 0, 1.2 * mm],
            tube({ outerRadius: 4.5 * mm, innerRadius: 4 * mm, height: 0.6 * mm, segments: 128 }),
          ),
          translate([0, 0, 1.2 * mm], box([8.2 * mm, 0.5 * mm, 0.3 * mm])),
          round(0.12, -0.4, 1.9),
          round(0.95, 0.45, 0.57),
        ],
        mass: rimMass,
        centreOfMass: [0, 0, 1.2 * mm],
        inertia: [0.55 * rim, 0.55 * rim, rim],
        position: at(balancePivot),
        contact: false,
        colour: gold,
      }),
      impulsePin: body({
        shape: pin,
        material: jewel,
        position: at(balancePivot),
        contact: { group: 'pin', touches: 'lever' },
        colour: red,
      }),
      ...(guard && {
        guardPin: body({
          shape: storey(0.02, 0.15)(escapement.guard),
          material: metal,
          position: at(leverPivot),
          contact: { group: 'guard', touches: 'roller' },
          colour: gold,
        }),
        safetyRoller: body({
          shape: roller,
          material: jewel,
          position: at(balancePivot),
          contact: { group: 'roller', touches: 'guard' },
          colour: grey,
        }),
      }),
    },
    joints: {
      wheelArbor: revolute({
        body: 'wheel',
        axis: [0, 0, 1],
        at: centre,
        initialAngle: wheel + (start === 'rest' ? 0.01 * degree : 0),
        torque: -torque,
      }),
      leverArbor: revolute({ body: 'lever', axis: [0, 0, 1], at: at(leverPivot), initialAngle: lever }),
      balanceStaff: revolute({
        body: 'balance',
        axis: [0, 0, 1],
        at: at(balancePivot),
        initialAngle: start === 'rest' ? 0 : -amplitude * degree,
        initialSpeed: start === 'rest' ? nudge * degree : 0,
        spring: { stiffness: inertia * omega ** 2 },
        damping: (inertia * omega) / quality,
      }),
      ...(!whole && {
        entrySetting: fixed({ body: 'entryStone', to: 'lever' }),
        exitSetting: fixed({ body: 'exitStone', to: 'lever' }),
      }),
      pinSetting: fixed({ body: 'impulsePin', to: 'balance' }),
      ...(guard && {
        guardSetting: fixed({ body: 'guardPin', to: 'lever' }),
        rollerSetting: fixed({ body: 'safetyRoller', to: 'balance' }),
      }),
    },
    contacts: {
      defaults: {
        friction,
        restitution,
        ...(!bends && { normalLaw: { kind: 'power', stiffness, exponent: 1 } }),
      },
      sensors: [
        ...(whole
          ? ([['wheel', 'lever']] as const)
          : ([
              ['wheel', 'entryStone'],
              ['wheel', 'exitStone'],
            ] as const)),
        ['lever', 'impulsePin'],
        ['lever', 'banking'],
        ...(guard ? ([['guardPin', 'safetyRoller']] as const) : []),
      ],
    },
    simulation: { rtol: 1e-4, stop: 4 * (7200 / beats), interval: 7200 / beats / 1000 },
    plots: {
      'angle of the balance': 'balanceStaff.angle',
      'angle of the lever': 'leverArbor.angle',
      'angle of the wheel': 'wheelArbor.angle',
      'force on the stones': whole
        ? 'contacts.wheel-lever.force.*'
        : ['contacts.wheel-entryStone.force.*', 'contacts.wheel-exitStone.force.*'],
      'force on the impulse pin': 'contacts.lever-impulsePin.force.*',
      ...(bends && { 'largest stress in the lever': 'lever.stress.largest' }),
    },
  });
};

/** The pallet's outline from a drawing in mm, the pivot at the origin and the fork towards +y; the file by its path, or beside this one */
async function fromDxf(path: string, size: number): Promise<Outline> {
  const { readCadFile } = await import('tippetop/node');
  const { profiles } = await readCadFile(path, { unit: 'mm' }).catch(() =>
    readCadFile(decodeURIComponent(new URL(path, import.meta.url).pathname), { unit: 'mm' }),
  );
  const byArea = profiles.map(({ profile }) => profile).sort((a, b) => profileArea(b) - profileArea(a));
  if (byArea.length === 0) throw new ModelError('outline', `expected a closed line in ${path}, found none`);
  return scale(size, byArea[0].outer);
}
