/**
 * How materials look: a colour, how rough the surface is and whether it shines like metal. Bodies with a colour of their own keep it and take the gloss; bodies without a named material have
 * one of a few colours in turn. The viewer, the studio and stills have all of it from here.
 *
 * Colours are sRGB of samples in daylight, lightened where they would be black on a dark page; roughness and metal as in the model of Burley (2012), 0…1.
 */
import type { Colour } from '../geometry/solid.js';
import type { SceneBody } from '../results/scene.js';

export interface Look {
  readonly colour: Colour;
  readonly roughness: number;
  readonly metal: number;
}

const look = (r: number, g: number, b: number, roughness: number, metal: number): Look => ({
  colour: [r, g, b, 1],
  roughness,
  metal,
});

/** By the last word of a material's name that is found: `stainless steel` looks like steel */
const LOOKS: Readonly<Record<string, Look>> = {
  steel: look(0.66, 0.7, 0.75, 0.34, 0.5),
  iron: look(0.47, 0.49, 0.52, 0.55, 0.42),
  aluminium: look(0.78, 0.8, 0.83, 0.38, 0.48),
  titanium: look(0.64, 0.64, 0.65, 0.42, 0.48),
  copper: look(0.83, 0.52, 0.38, 0.33, 0.5),
  brass: look(0.85, 0.7, 0.36, 0.3, 0.5),
  bronze: look(0.71, 0.54, 0.33, 0.38, 0.48),
  lead: look(0.47, 0.49, 0.54, 0.6, 0.5),
  carbide: look(0.4, 0.42, 0.46, 0.35, 0.42),
  glass: look(0.74, 0.86, 0.87, 0.08, 0),
  ruby: look(0.78, 0.2, 0.32, 0.12, 0),
  alumina: look(0.93, 0.91, 0.87, 0.4, 0),
  granite: look(0.6, 0.58, 0.57, 0.75, 0),
  basalt: look(0.4, 0.41, 0.43, 0.8, 0),
  sandstone: look(0.82, 0.7, 0.53, 0.9, 0),
  concrete: look(0.7, 0.69, 0.67, 0.95, 0),
  asphalt: look(0.36, 0.36, 0.38, 0.95, 0),
  sand: look(0.85, 0.75, 0.55, 0.95, 0),
  ice: look(0.82, 0.92, 0.97, 0.15, 0),
  oak: look(0.74, 0.56, 0.36, 0.7, 0),
  pine: look(0.88, 0.74, 0.52, 0.7, 0),
  cork: look(0.76, 0.6, 0.43, 0.9, 0),
  leather: look(0.56, 0.37, 0.24, 0.7, 0),
  ivory: look(0.95, 0.92, 0.82, 0.3, 0),
  rubber: look(0.3, 0.31, 0.33, 0.85, 0),
  phenolic: look(0.62, 0.28, 0.2, 0.2, 0),
  nylon: look(0.92, 0.91, 0.86, 0.45, 0),
  acetal: look(0.88, 0.89, 0.9, 0.4, 0),
  polyethylene: look(0.86, 0.9, 0.92, 0.5, 0),
};

/** For bodies without a colour or a material that is known: told apart by lightness as well */
const PALETTE: readonly Colour[] = [
  [0.62, 0.69, 0.78, 1],
  [0.86, 0.72, 0.38, 1],
  [0.76, 0.5, 0.38, 1],
  [0.42, 0.5, 0.6, 1],
  [0.6, 0.74, 0.58, 1],
];
const PLAIN = { roughness: 0.55, metal: 0.05 };
/** Bodies of one material that are no family differ in lightness, so that a mechanism all of steel is no grey lump */
const SHADES = [1, 0.84, 1.1, 0.72] as const;

/** Of a material by its name; undefined where it is not known */
export function lookOf(material: string | undefined): Look | undefined {
  const words = material?.toLowerCase().match(/[a-z]+/g) ?? [];
  for (let k = words.length - 1; k >= 0; k--) if (Object.hasOwn(LOOKS, words[k])) return LOOKS[words[k]];
  return undefined;
}

/** Of every body and its parts. `rack[0]` … `rack[99]` are one family and look alike. */
export function bodyLooks(bodies: readonly Pick<SceneBody, 'name' | 'parts'>[]): readonly (readonly Look[])[] {
  const families = new Map<string, number>();
  const perMaterial = new Map<string, string[]>();
  return bodies.map(({ name, parts }) => {
    const family = name.replace(/\[\d+\]/g, '');
    return parts.map(({ colour, material }): Look => {
      const known = lookOf(material);
      if (colour) return { ...(known ?? PLAIN), colour };
      if (!known) {
        if (!families.has(family)) families.set(family, families.size);
        return { ...PLAIN, colour: PALETTE[families.get(family)! % PALETTE.length] };
      }
      const alike = perMaterial.get(material!) ?? [];
      perMaterial.set(material!, alike);
      if (!alike.includes(family)) alike.push(family);
      const shade = SHADES[alike.indexOf(family) % SHADES.length];
      const [r, g, b] = known.colour.map((c) => Math.min(1, shade * c));
      return { ...known, colour: [r, g, b, 1] };
    });
  });
}
