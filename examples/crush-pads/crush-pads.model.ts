// A lander drops on four honeycomb pads that crush: a contact element of one's own, with a history that only accepted steps write.
// npx tippetop run examples/crush-pads --height 0.5 --tilt 0.1
import { body, box, contactElement, cylinder, model, translate, union } from 'tippetop';

export default ({
  mass = 20 /* kg */,
  height = 0.3 /* m, of the feet above the pads */,
  strength = 400 /* N, at which a pad yields */,
  stiffness = 4e6 /* N/m, of a pad until then */,
  tilt = 0 /* rad, of the lander as it comes down */,
  gravity = 9.81 /* m/s² */,
} = {}) => {
  const [reach, leg, padHeight] = [0.25, 0.2, 0.1]; // m
  const feet = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].map(([x, y]) => [reach * x, reach * y, -leg] as const);

  /**
   * A pad under one foot. d is the depth of the foot below z = 0, p what is crushed for good:
   *   p* = max(p, d − F_y/k),   F = k max(0, d − p*)
   */
  const pad = (foot: readonly number[]) =>
    contactElement({
      between: ['ground', 'lander'],
      signals: { crushed: { unit: 'm', description: 'for good' } },
      create: ({ b: lander }) => {
        const place = new Float64Array(3);
        const velocity = new Float64Array(3);
        const force = new Float64Array(3);
        const up = [0, 0, 1];
        let crushed = 0; // history: `accept` alone writes it
        const depth = () => {
          lander.place(foot, place);
          return -place[2];
        };
        const sinking = () => {
          lander.velocity(foot, velocity);
          return -velocity[2];
        };
        const crushedAt = (d: number) => Math.max(crushed, d - strength / stiffness);
        const load = (d: number) => stiffness * Math.max(0, d - crushedAt(d));
        return {
          evaluate() {
            force[2] = load(depth());
            lander.addForce(foot, force);
          },
          accept() {
            crushed = crushedAt(depth());
          },
          snapshot: () => crushed,
          restore(before) {
            crushed = before as number;
          },
          // A step ends where the foot comes to a stop: what is deepest inside a step would be forgotten.
          stepLimit() {
            const [d, speed] = [depth(), sinking()];
            const perMass = lander.mobility(foot, up);
            if (!(speed > 0)) return Number.POSITIVE_INFINITY;
            if (d < crushed) return (crushed - d) / speed + 1e-3 / Math.sqrt(stiffness * perMass);
            const stop = speed / (strength * perMass);
            return d - strength / stiffness >= crushed && stop > 1e-6 ? stop : Number.POSITIVE_INFINITY;
          },
          energy() {
            const d = depth();
            const squeezed = Math.max(0, d - crushedAt(d));
            return 0.5 * stiffness * squeezed * squeezed;
          },
          power(_t, _states, powers) {
            if (depth() - strength / stiffness > crushed) powers.dissipated += strength * sinking();
          },
          signals(_t, _states, out) {
            out[0] = crushedAt(depth());
          },
          touches(_t, _states, add) {
            const d = depth();
            force[2] = load(d);
            if (force[2] > 0) add({ point: place, normal: up, force, depth: d });
          },
        };
      },
    });

  const legs = feet.map(([x, y]) =>
    translate([x, y, -0.5 * leg + 0.02], cylinder({ radius: 0.02, height: leg + 0.04 })),
  );
  return model({
    title: 'Crush pads',
    contacts: false, // feet and pads meet in the elements below
    gravity: [0, 0, -gravity],
    bodies: {
      lander: body({
        shape: union(translate([0, 0, 0.1], box([0.6, 0.6, 0.2])), ...legs),
        mass,
        position: [0, 0, height + leg],
        orientation: { axis: [1, 0.3, 0], angle: tilt },
        colour: [0.85, 0.7, 0.3, 1],
      }),
      honeycomb: feet.map(([x, y]) =>
        body({
          shape: translate([x, y, -0.5 * padHeight], box([0.14, 0.14, padHeight])),
          fixed: true,
          colour: [0.6, 0.65, 0.7, 0.5],
        }),
      ),
    },
    elements: { pad: feet.map(pad) },
    simulation: { stop: 0.5, interval: 0.002 },
    plots: {
      crushed: 'elements.pad[*].crushed',
      'force of a pad': 'elements.pad[0].force.z',
      height: 'lander.position.z',
    },
  });
};
