/**
 * Reads VRML 2.0 (VRML97), plain `.wrl` or gzipped `.wrz`: every Shape becomes a part, named by the DEF names above it,
 * with the colour of its material. Coordinates stay as the file has them. The standard says metres and y up, but CAD
 * programs mostly write mm and z up, and the file does not say which: pass `unit` if it is not metres.
 *
 * ISO/IEC 14772-1:1997 (VRML97).
 */
import { Gunzip } from 'fflate';
import { FileError, ModelError } from '../../errors.js';
import { cos, sin } from '../../math/elementary.js';
import type { Colour } from '../solid.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type CadDocument, type CadPart, chooseUnit, type ReadOptions } from './cad-document.js';
import { type Affine, chain, IDENTITY_AFFINE, PlacementBudget, pathName, placeMesh } from './placement.js';
import { notOfFormat, openingText } from './recognise.js';
import { growthDefect } from './unpack-limits.js';
import { readVrmlNodes, type VrmlNode } from './vrml-read-nodes.js';
import { VrmlScanner } from './vrml-read-scanner.js';
import { meshOfGeometry, numbers } from './vrml-read-shapes.js';

/** @throws FileError naming the line */
export function readVrml(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const { fileName } = options;
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes, fileName) : bytes;
  const opening = openingText(text);
  if (opening.startsWith('#VRML V1.0'))
    throw new FileError(fileName, 'line 1', 'is VRML 1.0; expected VRML 2.0 (VRML97), please export that');
  if (!opening.startsWith('#VRML V2.0')) throw notOfFormat(text, fileName, 'VRML', '"#VRML V2.0 utf8"');

  const { unit, unitFrom, scale } = chooseUnit(options, undefined);
  const notes = new Set<string>();
  if (unitFrom === 'assumed')
    notes.add('VRML was taken to be in metres, as its standard says; CAD programs often write mm');
  const roots = readVrmlNodes(new VrmlScanner(text, fileName), notes);
  const parts: CadPart[] = [];
  const budget = new PlacementBudget(fileName);
  const shapeOptions = {
    file: fileName,
    chordError: options.chordError === undefined ? undefined : options.chordError / scale,
    notes,
  };
  const meshes = new Map<VrmlNode, TriangleMesh | undefined>();
  const meshOf = (node: VrmlNode): TriangleMesh | undefined => {
    if (!meshes.has(node)) {
      try {
        meshes.set(node, meshOfGeometry(node, shapeOptions));
      } catch (error) {
        if (error instanceof ModelError && !(error instanceof FileError))
          throw new FileError(fileName, `line ${node.line}`, error.message);
        throw error;
      }
    }
    return meshes.get(node);
  };

  const place = (node: VrmlNode, outer: Affine, path: readonly string[]): void => {
    const where = `line ${node.line}`;
    const names = [...path, node.name];
    if (names.length > DEEPEST_USE)
      throw new FileError(fileName, where, `groups are nested deeper than ${DEEPEST_USE} levels through USE`);
    if (node.type === 'Shape') {
      const geometry = node.fields.get('geometry')?.nodes[0];
      const mesh = geometry && meshOf(geometry);
      budget.spend((mesh?.triangles.length ?? 0) / 3, where);
      if (!mesh || mesh.triangles.length === 0) return;
      const name = pathName([...names, geometry.name], `shape ${parts.length + 1}`);
      const colour = colourOf(node, fileName);
      const placed = placeMesh(outer, mesh, fileName, where);
      parts.push(colour ? { name, mesh: placed, colour } : { name, mesh: placed });
      return;
    }
    budget.spend(0, where);
    const children = childrenOf(node, notes);
    if (children.length === 0) return;
    const inner = node.type === 'Transform' ? chain(outer, transformOf(node, fileName)) : outer;
    for (const child of children) place(child, inner, names);
  };
  const outermost: Affine = scale === 1 ? IDENTITY_AFFINE : [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0];
  for (const root of roots) place(root, outermost, []);
  return { format: 'vrml', unit, unitFrom, parts, profiles: [], notes: [...notes] };
}

const DEEPEST_USE = 200;

/** Nodes below a grouping node (§4.6.5); of a Switch the one chosen, of an LOD the finest. */
function childrenOf(node: VrmlNode, notes: Set<string>): readonly VrmlNode[] {
  switch (node.type) {
    case 'Group':
    case 'Transform':
    case 'Anchor':
    case 'Billboard':
    case 'Collision':
      return node.fields.get('children')?.nodes ?? [];
    case 'Switch': {
      const chosen = node.fields.get('whichChoice')?.numbers[0] ?? -1;
      return node.fields.get('choice')?.nodes.slice(chosen, chosen < 0 ? 0 : chosen + 1) ?? [];
    }
    case 'LOD':
      return node.fields.get('level')?.nodes.slice(0, 1) ?? [];
    default:
      if (!SILENT.has(node.type)) notes.add(`line ${node.line}: ${node.type.slice(0, 60)} was skipped`);
      return [];
  }
}

/** Nodes that have no shape, so that skipping them needs no word. */
const SILENT = new Set([
  ...['WorldInfo', 'NavigationInfo', 'Viewpoint', 'Background', 'Fog', 'DirectionalLight', 'PointLight', 'SpotLight'],
  ...[
    'TimeSensor',
    'TouchSensor',
    'CylinderSensor',
    'PlaneSensor',
    'SphereSensor',
    'ProximitySensor',
    'Sound',
    'Color',
  ],
  ...[
    'PositionInterpolator',
    'OrientationInterpolator',
    'CoordinateInterpolator',
    'Script',
    'Normal',
    'VisibilitySensor',
  ],
]);

/** P′ = T C R SR S SR⁻¹ C⁻¹ P (§6.52). */
function transformOf(node: VrmlNode, file: string): Affine {
  const [tx, ty, tz] = numbers(node, 'translation', [0, 0, 0], file);
  const [cx, cy, cz] = numbers(node, 'center', [0, 0, 0], file);
  const [sx, sy, sz] = numbers(node, 'scale', [1, 1, 1], file);
  const turn = rotationOf([...numbers(node, 'rotation', [0, 0, 1, 0], file)]);
  const axes = [...numbers(node, 'scaleOrientation', [0, 0, 1, 0], file)];
  const stretch: Affine = [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0];
  const stretched =
    axes[3] === 0 || (sx === sy && sy === sz)
      ? stretch
      : chain(rotationOf(axes), chain(stretch, rotationOf([axes[0], axes[1], axes[2], -axes[3]])));
  const moved: Affine = [1, 0, 0, tx + cx, 0, 1, 0, ty + cy, 0, 0, 1, tz + cz];
  return chain(moved, chain(chain(turn, stretched), [1, 0, 0, -cx, 0, 1, 0, -cy, 0, 0, 1, -cz]));
}

/** Rodrigues: cos φ I + sin φ [u]ₓ + (1 − cos φ) u uᵀ, for an axis of any length. */
function rotationOf([x, y, z, angle]: readonly number[]): Affine {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (angle === 0 || !(length > 0)) return IDENTITY_AFFINE;
  const u = [x / length, y / length, z / length];
  const c = cos(angle);
  const s = sin(angle);
  const t = 1 - c;
  return [
    ...[c + t * u[0] * u[0], t * u[0] * u[1] - s * u[2], t * u[0] * u[2] + s * u[1], 0],
    ...[t * u[0] * u[1] + s * u[2], c + t * u[1] * u[1], t * u[1] * u[2] - s * u[0], 0],
    ...[t * u[0] * u[2] - s * u[1], t * u[1] * u[2] + s * u[0], c + t * u[2] * u[2], 0],
  ];
}

/** Colour of the shape's material; a shape without one has none. */
function colourOf(shape: VrmlNode, file: string): Colour | undefined {
  const material = shape.fields.get('appearance')?.nodes[0]?.fields.get('material')?.nodes[0];
  if (material?.type !== 'Material') return undefined;
  const clamp = (x: number) => Math.min(1, Math.max(0, x));
  const [r, g, b] = numbers(material, 'diffuseColor', [0.8, 0.8, 0.8], file);
  const [transparency] = numbers(material, 'transparency', [0], file);
  return [clamp(r), clamp(g), clamp(b), clamp(1 - transparency)];
}

function gunzip(packed: Uint8Array, file: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Gunzip((chunk) => {
    size += chunk.length;
    const defect = growthDefect(packed.length, size);
    if (defect) throw new FileError(file, '', defect);
    chunks.push(chunk);
  });
  try {
    const step = 1 << 16; // at most 64 MiB come of it before the size is looked at
    for (let i = 0; i < packed.length; i += step) stream.push(packed.subarray(i, i + step), i + step >= packed.length);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(file, '', `is damaged gzip: ${error instanceof Error ? error.message : error}`);
  }
  const text = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    text.set(chunk, at);
    at += chunk.length;
  }
  return text;
}
