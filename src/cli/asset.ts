/** `tippetop asset`: generated wheels, ground, rocks and fields of rocks, kept as OBJ under an id made from their parameters, with a picture. */
import { Command } from 'commander';
import { readHeightMap } from '../assets/height-map-files/index.js';
import { type Asset, flatRules, type Rules } from '../assets/parameters.js';
import { ROCK_RULES, rock } from '../assets/rock.js';
import { ROCK_FIELD_RULES, rockField } from '../assets/rock-field.js';
import { type Layer, type Terrain, terrain } from '../assets/terrain.js';
import { wheel } from '../assets/wheel.js';
import { WHEEL_RULES } from '../assets/wheel-parameters.js';
import { ModelError, suggestion } from '../errors.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import { joinMeshes, type TriangleMesh, triangleCount } from '../geometry/triangle-mesh.js';
import { keepAsset, verifyAsset } from '../node/asset-files.js';
import { readBytes, writeBytes } from '../node/cad-files.js';
import { encodePng } from '../node/png.js';
import { drawStill, type StillPart } from '../viewer/still.js';
import * as format from './text/format.js';

interface AssetOptions {
  readonly folder: string;
  readonly json?: boolean;
  readonly parameters?: boolean;
  readonly picture: boolean;
  readonly density: string;
  readonly size: string;
  readonly resolution: string;
  readonly layers?: string;
  readonly heightMap?: string;
  readonly spacing?: string;
  readonly lowest?: string;
  readonly highest?: string;
  readonly separate?: boolean;
}

const KINDS = ['wheel', 'surface', 'rock', 'field'] as const;
const RULES: Readonly<Record<string, Rules>> = { wheel: WHEEL_RULES, rock: ROCK_RULES, field: ROCK_FIELD_RULES };

export function assetCommand(): Command {
  return new Command('asset')
    .description('make a wheel, a surface, a rock or a field of rocks from parameters and keep it as OBJ')
    .argument('<kind>', KINDS.join(', '))
    .argument('[parameters...]', 'parameters of the asset, such as --radius 0.12 --grouser.count 24')
    .option('--folder <folder>', 'where assets are kept', 'assets')
    .option('--parameters', 'list the parameters of this kind and stop')
    .option('--no-picture', 'draw none')
    .option('--density <kg/m3>', 'of a wheel, for mass and inertia', '2700')
    .option('--size <m>', 'side of the square of ground that is meshed', '10')
    .option('--resolution <m>', 'distance of its vertices', '0.1')
    .option('--layers <json>', 'layers of the ground, such as \'[{"kind":"noise","seed":3}]\'')
    .option('--height-map <file>', 'PNG, TIFF or ASC as the first layer')
    .option('--spacing <m>', 'distance of the pixels of a height map')
    .option('--lowest <m>', 'height of black')
    .option('--highest <m>', 'height of white')
    .option('--separate', 'a file for each rock of a field, and their places')
    .option('--json', 'print one JSON document and nothing else')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExamples:\n  tippetop asset wheel --radius 0.12 --grouser.count 24 --grouser.shape chevron --grouser.angle 0.5' +
        '\n  tippetop asset surface --layers \'[{"kind":"plane","slope":0.1},{"kind":"noise","amplitude":0.1,"seed":3}]\'' +
        '\n  tippetop asset field --coverage 0.1 --length 6 --width 6 --seed 4',
    )
    .action(make);
}

async function make(kind: string, words: string[], options: AssetOptions): Promise<void> {
  if (!(KINDS as readonly string[]).includes(kind))
    throw new ModelError('asset', `expected one of ${KINDS.join(', ')}, got "${kind}"${suggestion(kind, KINDS)}`);
  if (options.parameters) {
    for (const line of parameterLines(RULES[kind] ?? {})) console.log(line);
    if (kind === 'surface') console.log('layers of a surface are given by --layers and --height-map');
    return;
  }
  const built = await build(kind as (typeof KINDS)[number], words, options);
  const { asset, parts, facts, shown } = built;
  const kept = await keepAsset(
    options.folder,
    asset,
    () => parts,
    () => facts,
  );
  const files = [kept.obj, kept.json];
  for (const extra of built.extra ?? [])
    files.push(
      (
        await keepAsset(
          options.folder,
          extra.asset,
          () => extra.parts,
          () => extra.facts,
        )
      ).obj,
    );
  const picture = kept.obj.replace(/\.obj$/, '.png');
  if (options.picture) {
    await writeBytes(picture, encodePng(drawStill(shown)));
    files.push(picture);
  }
  if (!(await verifyAsset(kept.json)))
    throw new ModelError(kept.obj, 'does not have the bytes that were written; remove it and make it again');
  if (options.json)
    console.log(
      JSON.stringify({ kind, id: asset.id, made: kept.made, files, ...facts, parameters: asset.parameters }, null, 2),
    );
  else {
    console.log(`${asset.name}${kept.made ? '' : ' (was there already)'}`);
    for (const [name, value] of Object.entries(facts))
      if (typeof value === 'number') console.log(`  ${name.padEnd(16)}${format.number(value)}`);
    console.log(`wrote ${files.join(', ')}`);
  }
}

interface Built {
  readonly asset: Asset;
  readonly parts: readonly { readonly name: string; readonly mesh: TriangleMesh }[];
  readonly shown: readonly StillPart[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly extra?: readonly { readonly asset: Asset; readonly parts: Built['parts']; readonly facts: Built['facts'] }[];
}

async function build(kind: (typeof KINDS)[number], words: readonly string[], options: AssetOptions): Promise<Built> {
  if (kind === 'wheel') {
    const asset = wheel(parametersFrom(words, WHEEL_RULES));
    const { mesh } = asset.solid;
    const { volume, mass, inertia } = meshMassProperties(
      mesh,
      format.parsePositive(options.density, '--density', 'kg/m³'),
    );
    const facts = { triangles: triangleCount(mesh), volume, mass, inertia, chordError: asset.chordError };
    return { asset, parts: [{ name: asset.name, mesh }], shown: [{ mesh }], facts };
  }
  if (kind === 'rock') {
    const asset = rock(parametersFrom(words, ROCK_RULES));
    const { mesh } = asset.solid;
    const { volume, mass, centroid, inertia } = asset.properties;
    const facts = { triangles: triangleCount(mesh), volume, mass, centroid, inertia, hullExcess: asset.hullExcess() };
    return { asset, parts: [{ name: asset.name, mesh }], shown: [{ mesh }], facts };
  }
  const ground = await groundFrom(options);
  const size = format.parsePositive(options.size, '--size', 'm');
  const resolution = format.parsePositive(options.resolution, '--resolution', 'm');
  if (kind === 'surface') {
    if (words.length > 0)
      throw new ModelError('asset surface', `expected layers by --layers or --height-map, got ${words.join(' ')}`);
    const mesh = ground.mesh({ size: [size, size], resolution });
    const facts = { triangles: triangleCount(mesh), size, resolution };
    // What is kept is one piece of the surface: its size and resolution belong to its name
    const asset = {
      kind: 'surface',
      id: ground.id,
      name: `${ground.name}_${size}_${resolution}`,
      parameters: { surface: ground.parameters, size, resolution },
    };
    return { asset, parts: [{ name: ground.name, mesh }], shown: [{ mesh, edges: { sharp: [], open: [] } }], facts };
  }
  const field = rockField(ground, parametersFrom(words, ROCK_FIELD_RULES));
  const meshes = field.rocks.map((one) => field.meshOf(one));
  const { field: p } = field.parameters as { field: { length: number; width: number } };
  const floor = ground.mesh({ size: [p.length, p.width], resolution: Math.max(resolution, p.length / 400) });
  const facts = {
    rocks: field.rocks.length,
    notPlaced: field.notPlaced,
    shapes: field.library.length,
    ...(options.separate && { places: field.rocks }),
  };
  return {
    asset: field,
    parts: options.separate ? [] : meshes.map((mesh, i) => ({ name: `rock_${i}`, mesh })),
    shown: [
      { mesh: floor, colour: [0.78, 0.68, 0.52, 1], edges: { sharp: [], open: [] } },
      { mesh: joinMeshes(meshes), colour: [0.5, 0.47, 0.45, 1], edges: { sharp: [], open: [] } },
    ],
    facts,
    ...(options.separate && {
      extra: field.library.map((asset) => ({
        asset,
        parts: [{ name: asset.name, mesh: asset.solid.mesh }],
        facts: { mass: asset.properties.mass },
      })),
    }),
  };
}

async function groundFrom(options: AssetOptions): Promise<Terrain> {
  const layers: Layer[] = [];
  if (options.heightMap) {
    const number = (text: string | undefined, name: string): number | undefined => {
      if (text === undefined) return undefined;
      const value = Number(text);
      if (!Number.isFinite(value)) throw new ModelError(name, `expected a number in m, got "${text}"`);
      return value;
    };
    const [spacing, lowest, highest] = [
      number(options.spacing, '--spacing'),
      number(options.lowest, '--lowest'),
      number(options.highest, '--highest'),
    ];
    const map = readHeightMap(await readBytes(options.heightMap), {
      fileName: options.heightMap,
      ...(spacing !== undefined && { spacing }),
      ...(lowest !== undefined && { lowest }),
      ...(highest !== undefined && { highest }),
    });
    layers.push({ kind: 'heightMap', map });
  }
  if (options.layers) {
    let given: unknown;
    try {
      given = JSON.parse(options.layers);
    } catch (error) {
      throw new ModelError('--layers', `expected JSON, got ${(error as Error).message}`);
    }
    if (!Array.isArray(given)) throw new ModelError('--layers', 'expected a list of layers [ … ]');
    layers.push(...(given as Layer[]));
  }
  return terrain({ layers: layers.length > 0 ? layers : [{ kind: 'plane' }] });
}

/** `--grouser.count 24` as { grouser: { count: 24 } } */
function parametersFrom(words: readonly string[], rules: Rules): Record<string, unknown> {
  const known = new Map(flatRules(rules));
  const result: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i++) {
    const [, name, given] = /^--([\w.]+)(?:=(.*))?$/.exec(words[i]) ?? [];
    if (name === undefined)
      throw new ModelError('asset', `expected parameters such as --${[...known.keys()][0]} 0.1, got "${words[i]}"`);
    const rule = known.get(name);
    if (!rule)
      throw new ModelError(
        `--${name}`,
        `there is no such parameter${suggestion(name, known.keys()) || `; there are ${[...known.keys()].join(', ')}`}`,
      );
    const text = given ?? words[++i];
    if (text === undefined) throw new ModelError(`--${name}`, 'expected a value after it');
    let value: unknown = text;
    if (rule.kind === 'number') value = text.trim() === '' ? Number.NaN : Number(text);
    if (rule.kind === 'pairs')
      try {
        value = JSON.parse(text);
      } catch {
        value = text;
      }
    const path = name.split('.');
    let place = result;
    for (const step of path.slice(0, -1)) place = (place[step] ??= {}) as Record<string, unknown>;
    place[path[path.length - 1]] = value;
  }
  return result;
}

function* parameterLines(rules: Rules): Generator<string> {
  for (const [name, rule] of flatRules(rules)) {
    const range =
      rule.kind === 'number'
        ? `${format.number(rule.default)}${rule.unit && ` ${rule.unit}`} (${format.number(rule.least)} … ${format.number(rule.most)})`
        : rule.kind === 'choice'
          ? `${rule.default} (${rule.of.join(', ')})`
          : `pairs in ${rule.unit}`;
    yield `--${name.padEnd(26)} ${range.padEnd(40)} ${rule.text}`;
  }
}
