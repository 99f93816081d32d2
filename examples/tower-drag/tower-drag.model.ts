// A hand pulls a block out of a tower of thirty, slowly, then lets go.
// npx tippetop run examples/tower-drag --pulled 3 --speed 0.5
import { body, box, halfSpace, model, oak, PI, sin } from 'tippetop';

const [length, width, height] = [0.15, 0.05, 0.03]; // m, of a block; three make a storey

export default ({
  storeys = 10,
  pulled = 13 /* number of the block */,
  speed = 0.1 /* m/s */,
  step = 2e-3 /* s */,
} = {}) => {
  const block = (i: number) => {
    const storey = Math.floor(i / 3);
    const along = storey % 2 === 0;
    const aside = ((i % 3) - 1) * width;
    return body({
      shape: box([length, width - 2e-4, height]),
      material: oak,
      position: [along ? 0 : aside, along ? aside : 0, (storey + 0.5) * height],
      orientation: along ? [1, 0, 0, 0] : [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      colour: i === pulled ? [0.8, 0.25, 0.2, 1] : [0.87, 0.72, 0.5, 1],
    });
  };
  const storey = Math.floor(pulled / 3);
  const along = storey % 2 === 0;
  const aside = ((pulled % 3) - 1) * width;
  const z = (storey + 0.5) * height;
  // where the hand holds the end of the block, and how far it has drawn it
  const held = (way: number) =>
    along ? ([length / 2 + way, aside, z] as const) : ([aside, length / 2 + way, z] as const);
  const way = 0.2; // m
  const time = way / speed;
  const handling = [
    { t: 0.2, action: 'grab' as const, grip: 0, body: `block[${pulled}]`, point: held(0) },
    ...Array.from({ length: 100 }, (_, k) => {
      const s = (k + 1) / 100;
      return {
        t: 0.2 + s * time,
        action: 'move' as const,
        grip: 0,
        point: held(way * (s - sin(2 * PI * s) / (2 * PI))),
      };
    }),
    { t: 0.3 + time, action: 'release' as const, grip: 0 },
  ];
  return model({
    title: 'A tower and a hand',
    bodies: {
      floor: body({ shape: halfSpace({ extent: 0.6 }), material: oak, fixed: true, colour: [0.8, 0.78, 0.72, 1] }),
      block: Array.from({ length: 3 * storeys }, (_, i) => block(i)),
    },
    contacts: { defaults: { friction: 0.3, restitution: 0.1 } },
    simulation: { integrator: 'time-stepping', step, stop: 3, interval: 0.02, rigidity: 1e4, handling },
    plots: { pulled: `block[${pulled}].position.*`, top: `block[${3 * storeys - 1}].position.*` },
  });
};
