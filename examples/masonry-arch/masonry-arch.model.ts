// A half circle of voussoirs without mortar: how thin may it be? Limit analysis says 0.10153 of the radius for nine of them.
// npx tippetop run examples/masonry-arch --thickness 0.1012
import { body, cos, extrude, granite, halfSpace, model, sin, type Vec2 } from 'tippetop';

export default ({
  thickness = 0.1018 /* m, on a mean radius of 1 m */,
  count = 9,
  friction = 0.6,
  width = 0.3 /* m */,
  step = 2e-3 /* s */,
} = {}) => {
  const voussoir = (i: number) => {
    const [from, to] = [(Math.PI * i) / count, (Math.PI * (i + 1)) / count];
    const middle: Vec2 = [cos((from + to) / 2), sin((from + to) / 2)];
    const corner = (radius: number, angle: number): Vec2 => [
      radius * cos(angle) - middle[0],
      radius * sin(angle) - middle[1],
    ];
    const [inner, outer] = [1 - thickness / 2, 1 + thickness / 2];
    return body({
      shape: extrude([corner(inner, from), corner(outer, from), corner(outer, to), corner(inner, to)], width),
      material: granite,
      position: [middle[0], width / 2, middle[1]],
      orientation: [Math.SQRT1_2, Math.SQRT1_2, 0, 0], // drawn lying, raised about x
      colour: i % 2 === 0 ? [0.86, 0.81, 0.7, 1] : [0.74, 0.69, 0.58, 1],
    });
  };
  return model({
    title: 'A masonry arch',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 4 }), material: granite, fixed: true, colour: [0.5, 0.55, 0.45, 1] }),
      voussoir: Array.from({ length: count }, (_, i) => voussoir(i)),
    },
    contacts: { defaults: { friction, restitution: 0 } },
    simulation: { integrator: 'time-stepping', step, rigidity: 1e4, stop: 2, interval: 0.01 },
    plots: { crown: `voussoir[${Math.floor(count / 2)}].position.z`, energy: 'energy.*' },
  });
};
