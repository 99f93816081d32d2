/** What a new program begins with. */
export const TEMPLATE = `// A ball that falls onto the floor. Change something, then Ctrl S.
import { body, halfSpace, model, rubber, sphere } from 'tippetop';

export default ({ height = 0.5 /* m, 0.1 to 2 */, radius = 0.05 /* m */ } = {}) =>
  model({
    bodies: {
      floor: body({ shape: halfSpace({}), material: rubber, fixed: true }),
      ball: body({ shape: sphere(radius), material: rubber, position: [0, 0, height + radius] }),
    },
    simulation: { stop: 2 },
    plots: { height: 'ball.position.z' },
  });
`;
