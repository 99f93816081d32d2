// The connecting rod of an engine at 3000 min⁻¹, which bends, and where it needs its material. The optimised outline, rod.dxf beside this file, was found by
//   npx tippetop optimise connecting-rod --body rod --volume 0.6 --mirror y=0 --size 2mm --turns 2 --from 0.02 --grey
// npx tippetop run examples/connecting-rod --design optimised
import {
  body,
  circle,
  cylinder,
  extrude,
  ModelError,
  model,
  type Profile,
  prismatic,
  profileArea,
  revolute,
  translate,
} from 'tippetop';

const crankRadius = 0.05; // m
const length = 0.2; // m between the pins
const pinRadius = 0.009; // m
const halfWidth = 0.024; // m
const thickness = 0.02; // m

/** All the room there is */
const room: Profile = {
  outer: [
    [-0.02, -halfWidth],
    [length + 0.02, -halfWidth],
    [length + 0.02, halfWidth],
    [-0.02, halfWidth],
  ],
  holes: [circle(pinRadius), circle(pinRadius, [length, 0])],
};

export default async ({
  design = 'whole' /* or optimised, or thinned to the same mass */,
  speed = 100 * Math.PI /* rad/s */,
  pistonMass = 0.6 /* kg */,
  turns = 2,
} = {}) => {
  if (!['whole', 'optimised', 'thinned'].includes(design))
    throw new ModelError('design', `expected whole, optimised or thinned, got "${design}"`);
  const profile = design === 'optimised' ? await optimised() : room;
  const height = design === 'thinned' ? (thickness * profileArea(await optimised())) / profileArea(room) : thickness;
  const z = [0, 0, 1] as const;
  const pin = [crankRadius, 0, 0] as const;
  const gudgeon = [crankRadius + length, 0, 0] as const;
  return model({
    title: `connecting rod, ${design}`,
    gravity: 'none',
    contacts: false,
    bodies: {
      crank: body({
        shape: translate([0, 0, -1.2 * thickness], cylinder({ radius: crankRadius + 0.015, height: thickness })),
        mass: 1,
        inertia: [1e-3, 1e-3, 1e-3],
        colour: [0.55, 0.6, 0.65, 1],
      }),
      rod: body({
        shape: translate([0, 0, -height / 2], extrude(profile, height)),
        material: { density: 2770, youngsModulus: 71e9, poissonRatio: 0.33 },
        position: pin,
        flexible: {
          meshSize: 0.004,
          modes: 4,
          damping: 0.05,
          membrane: false,
          stress: 'mode acceleration',
          gauges: { middle: { at: [length / 2, 0.02] } },
        },
      }),
      piston: body({
        shape: translate([0.03, 0, -1.2 * thickness], cylinder({ radius: 0.028, height: thickness })),
        mass: pistonMass,
        inertia: [1e-3, 1e-3, 1e-3],
        position: gudgeon,
        colour: [0.75, 0.62, 0.4, 1],
      }),
    },
    joints: {
      main: revolute({ body: 'crank', axis: z, speed }),
      pin: revolute({ body: 'rod', to: 'crank', axis: z, at: pin }),
      guide: prismatic({ body: 'piston', axis: [1, 0, 0] }),
      gudgeon: revolute({ body: 'piston', to: 'rod', axis: z, at: gudgeon }),
    },
    plots: { 'Largest stress': ['rod.stress.largest'], 'Middle of the rod': ['rod.stress.middle.major'] },
    simulation: { stop: (turns * 2 * Math.PI) / speed, rtol: 1e-5 },
  });
};

/** The outline that was found, from the file beside this one */
async function optimised(): Promise<Profile> {
  const { readCadFile } = await import('tippetop/node');
  const { profiles } = await readCadFile(decodeURIComponent(new URL('rod.dxf', import.meta.url).pathname));
  return profiles[0].profile;
}
