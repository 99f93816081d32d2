// A house of cards: pairs that lean on each other, flat cards on top, storey by storey.
// npx tippetop run examples/card-house --storeys 4 --friction 0.2
import { body, box, cos, halfSpace, type Material, model, PI, sin, type Vec3 } from 'tippetop';

const card: Material = {
  name: 'card',
  density: 900,
  youngsModulus: 3e9,
  poissonRatio: 0.3,
  friction: 0.5,
  restitution: 0.1,
};
const [length, width, thickness] = [0.088, 0.063, 1.5e-3]; // m

export default ({ storeys = 3, lean = 20 /* °, from the vertical */, friction = 0.5, step = 2e-3 /* s */ } = {}) => {
  const angle = (lean * PI) / 180;
  const [s, c] = [sin(angle), cos(angle)];
  const apart = length + 2e-3; // m, from apex to apex: flat cards fit between
  const storey = length * c + thickness * s + thickness;
  // the inner upper edges meet in the apex, the inner lower ones stand
  const leaning = (apex: number, floor: number, side: 1 | -1) =>
    body({
      shape: box([thickness, width, length]),
      material: card,
      position: [
        apex - side * ((length / 2) * s + (thickness / 2) * c),
        0,
        floor + (length / 2) * c + (thickness / 2) * s,
      ],
      orientation: [cos(angle / 2), 0, side * sin(angle / 2), 0],
      colour: side > 0 ? [0.85, 0.25, 0.25, 1] : [0.2, 0.35, 0.7, 1],
    });
  const flat = (position: Vec3) =>
    body({ shape: box([length, width, thickness]), material: card, position, colour: [0.93, 0.9, 0.82, 1] });
  const levels = Array.from({ length: storeys }, (_, level) => ({
    floor: level * storey,
    apexes: Array.from({ length: storeys - level }, (_, i) => (i - (storeys - level - 1) / 2) * apart),
  }));
  return model({
    title: 'A house of cards',
    bodies: {
      table: body({ shape: halfSpace({ extent: 0.5 }), material: card, fixed: true, colour: [0.25, 0.45, 0.35, 1] }),
      leaning: levels.flatMap(({ floor, apexes }) =>
        apexes.flatMap((apex) => [leaning(apex, floor, 1), leaning(apex, floor, -1)]),
      ),
      flat: levels.flatMap(({ floor, apexes }) =>
        apexes.slice(1).map((apex, i) => flat([(apex + apexes[i]) / 2, 0, floor + storey - thickness / 2])),
      ),
    },
    contacts: { defaults: { friction, restitution: 0.1 } },
    simulation: { integrator: 'time-stepping', step, stop: 3, interval: 0.02, rigidity: 1e4 },
    plots: { heights: 'leaning*.position.z', feet: 'leaning[0].contact.force.*' },
  });
};
