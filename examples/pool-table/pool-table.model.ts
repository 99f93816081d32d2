// Pool: the cue ball breaks a rack of fifteen on a cloth between cushions. And the balls alone, as Hofmann et al. (2014) had them: afloat
// without gravity, with obstacles that are part of the ground.
// npx tippetop run examples/pool-table --speed 6 --aim 1
import { body, box, cos, cylinder, type Material, model, phenolic, rubber, sin, sphere, vec3 } from 'tippetop';

const radius = 0.028575; // m: 2 1/4 in
/** Woven wool on slate: a ball at rest sinks in by 0.08 mm. */
/** Gum rubber, about 60 Shore A */
const cushionRubber: Material = { ...rubber, name: 'cushion rubber', youngsModulus: 8e6 };
const cloth: Material = { name: 'cloth', density: 1000, youngsModulus: 1e7, poissonRatio: 0.3 };
const colours = [
  [0.9, 0.75, 0.1, 1],
  [0.1, 0.25, 0.65, 1],
  [0.8, 0.15, 0.1, 1],
  [0.35, 0.15, 0.5, 1],
  [0.9, 0.45, 0.1, 1],
  [0.1, 0.45, 0.2, 1],
  [0.5, 0.1, 0.12, 1],
  [0.1, 0.1, 0.1, 1],
] as const;
const white = [0.95, 0.94, 0.88, 1] as const;
const wood = [0.4, 0.24, 0.12, 1] as const;

/** Fifteen balls in a triangle whose tip is at the origin, the balls `gap` m apart. */
const rack = (height: number, gap: number) =>
  Array.from({ length: 15 }, (_, i) => {
    const line = Math.floor((Math.sqrt(8 * i + 1) - 1) / 2);
    const place = i - (line * (line + 1)) / 2;
    const pitch = 2 * radius + gap;
    return body({
      shape: sphere(radius),
      material: phenolic,
      position: [line * pitch * Math.sqrt(0.75), (place - line / 2) * pitch, height],
      colour: colours[i % 8],
    });
  });

export default ({
  speed = 6 /* m/s, of the cue ball */,
  aim = 0 /* degrees to the left of the rack's tip */,
  follow = 0 /* top spin, as a part of that of rolling; below 0: draw */,
  side = 0 /* spin about the vertical, likewise */,
  gap = 5e-5 /* m between the balls of the rack */,
  restitution = 0.95 /* of two balls */,
  clothFriction = 0.2,
  rollingFriction = 0.01 /* on the cloth */,
  length = 2.54 /* m between the cushions */,
  width = 1.27 /* m */,
} = {}) => {
  const along = (aim * Math.PI) / 180;
  const heading = [cos(along), sin(along), 0] as const;
  const start = -0.5 * length; // the rack's tip is a quarter of the table from the far end, the cue ball from the near end
  const spin = speed / radius;
  const rail = 0.06;
  const cushion = (size: vec3.Vec3, position: vec3.Vec3) =>
    body({ shape: box(size), material: cushionRubber, position, fixed: true, colour: wood });
  const height = 2 * radius;
  const middle = start + 0.25 * length;
  return model({
    title: 'Pool table',
    bodies: {
      cloth: body({
        shape: box([length, width, rail]),
        material: cloth,
        position: [middle, 0, -rail / 2],
        fixed: true,
        colour: [0.1, 0.42, 0.3, 1],
      }),
      cushion: [
        cushion([length + 2 * rail, rail, height], [middle, -(width + rail) / 2, height / 2]),
        cushion([length + 2 * rail, rail, height], [middle, (width + rail) / 2, height / 2]),
        cushion([rail, width, height], [middle - (length + rail) / 2, 0, height / 2]),
        cushion([rail, width, height], [middle + (length + rail) / 2, 0, height / 2]),
      ],
      cue: body({
        shape: sphere(radius),
        material: phenolic,
        position: [start, 0, radius],
        velocity: vec3.scale(speed, heading),
        // rolling to +x turns about +y
        angularVelocity: [-sin(along) * follow * spin, cos(along) * follow * spin, side * spin],
        colour: white,
      }),
      rack: rack(radius, gap),
    },
    contacts: {
      defaults: { restitution, friction: 0.06 },
      pairs: [
        { between: ['cloth', '*'], friction: clothFriction, rollingFriction, restitution: 0.5 },
        { between: ['cushion', '*'], friction: 0.2, restitution: 0.8 },
      ],
    },
    simulation: { stop: 5, interval: 0.01, rtol: 1e-5 },
    plots: {
      'cue ball': ['cue.position.x', 'cue.position.y'],
      'speed of the cue ball': ['cue.velocity.x', 'cue.velocity.y'],
      energy: ['energy.kinetic', 'energy.dissipated', 'energy.total'],
    },
  });
};

/** Without gravity and cloth: collisions and nothing else. */
export const afloat = ({
  speed = 2 /* m/s */,
  aim = 0 /* degrees */,
  restitution = 1,
  friction = 0 /* of two balls */,
  obstacles = true /* parts of the ground that the balls hit */,
  law = 'hertz' /* or hofmann: the paper's spring with a damper clipped to it */,
  stiffness = 4.54e8 /* N/m^1.5, of hofmann; this is what Hertz gives two such balls */,
  damping = 0 /* N s/m, of hofmann */,
  gap = 0 /* m between the balls of the rack */,
} = {}) => {
  const along = (aim * Math.PI) / 180;
  const post = body({ shape: cylinder({ radius: 0.04, height: 0.08 }), material: phenolic, fixed: true, colour: wood });
  const block = body({ shape: box([0.2, 0.06, 0.08]), material: phenolic, fixed: true, colour: wood });
  return model({
    title: 'Pool balls afloat',
    gravity: 'none',
    bodies: {
      cue: body({
        shape: sphere(radius),
        material: phenolic,
        position: [-0.3, 0, 0],
        velocity: [speed * cos(along), speed * sin(along), 0],
        colour: white,
      }),
      rack: rack(0, gap),
      ...(obstacles && {
        post: [
          { ...post, position: [0.35, 0.35, 0] as const },
          { ...post, position: [0.35, -0.35, 0] as const },
        ],
        block: [
          { ...block, position: [0.6, 0.2, 0] as const, orientation: { axis: [0, 0, 1] as const, angle: 1.2 } },
          { ...block, position: [0.6, -0.2, 0] as const, orientation: { axis: [0, 0, 1] as const, angle: -1.2 } },
        ],
      }),
    },
    contacts: {
      defaults: {
        restitution,
        friction,
        ...(law === 'hofmann' && { normalLaw: { kind: 'hofmann' as const, stiffness, exponent: 1.5, damping } }),
      },
    },
    simulation: { stop: 1, interval: 0.005, rtol: 1e-7 },
    plots: {
      'cue ball': ['cue.position.x', 'cue.position.y'],
      momentum: ['momentum.x', 'momentum.y'],
      energy: ['energy.kinetic', 'energy.elastic', 'energy.total'],
    },
  });
};
