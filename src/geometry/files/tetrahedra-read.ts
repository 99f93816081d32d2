/**
 * Meshes of solids from files: Gmsh .msh (ASCII 4.1 and 2.2) and Abaqus/CalculiX .inp. Tetrahedra of ten nodes are taken; physical groups, node sets and sets of faces
 * become named sets of nodes; lines, faces and points are what those sets are made of.
 *
 * Gmsh numbers the last two middles the other way round than Abaqus, whose order is ours. Gmsh reference manual, ch. 10; CalculiX CrunchiX manual, § 6.2.
 */
import { FileError } from '../../errors.js';
import { piecesOf, type SolidMesh, surfaceOf } from '../solid-mesh.js';
import { type CadDocument, chooseUnit, type ReadOptions } from './cad-document.js';

/** Gmsh types of elements: nodes, and what they are called */
const GMSH: Readonly<Record<number, readonly [nodes: number, name: string]>> = {
  1: [2, 'line'],
  2: [3, 'triangle'],
  3: [4, 'quadrangle'],
  4: [4, 'tetrahedron of four nodes'],
  5: [8, 'hexahedron'],
  6: [6, 'prism'],
  7: [5, 'pyramid'],
  8: [3, 'line of three nodes'],
  9: [6, 'triangle of six nodes'],
  10: [9, 'quadrangle of nine nodes'],
  11: [10, 'tetrahedron of ten nodes'],
  12: [27, 'hexahedron of 27 nodes'],
  13: [18, 'prism of eighteen nodes'],
  14: [14, 'pyramid of fourteen nodes'],
  15: [1, 'point'],
  16: [8, 'quadrangle of eight nodes'],
  17: [20, 'hexahedron of twenty nodes'],
  18: [15, 'prism of fifteen nodes'],
  19: [13, 'pyramid of thirteen nodes'],
};
const SOLIDS = new Set([4, 5, 6, 7, 12, 13, 14, 17, 18, 19]);

class Builder {
  readonly place = new Map<number, number>(); // by the number in the file
  readonly points: number[] = [];
  readonly elements: number[] = [];
  readonly sets = new Map<string, Set<number>>();
  readonly otherElements = new Map<string, number>();
  private readonly corners = new Set<string>();
  private readonly file: string;
  private readonly scale: number;

  constructor(file: string, scale: number) {
    this.file = file;
    this.scale = scale;
  }

  node(tag: number, x: number, y: number, z: number, line: number): void {
    if (![tag, x, y, z].every(Number.isFinite))
      throw new FileError(this.file, `line ${line + 1}`, 'expected the number of a node and three coordinates');
    const at = [this.scale * x, this.scale * y, this.scale * z];
    const before = this.place.get(tag);
    if (before !== undefined) {
      if (at.every((value, k) => value === this.points[3 * before + k])) return;
      throw new FileError(
        this.file,
        `line ${line + 1}`,
        `node ${tag} stands at two places; write parts of an assembly as one mesh, in which each node has a number of its own`,
      );
    }
    this.place.set(tag, this.points.length / 3);
    this.points.push(...at);
  }

  at(tag: number, line: number): number {
    const found = this.place.get(tag);
    if (found === undefined)
      throw new FileError(this.file, `line ${line + 1}`, `an element or a set names node ${tag}, which is not there`);
    return found;
  }

  addTo(set: string, nodes: readonly number[]): void {
    const own = this.sets.get(set);
    if (own) for (const node of nodes) own.add(node);
    else this.sets.set(set, new Set(nodes));
  }

  /** Gmsh 2.2 writes an element that is in two physical groups twice, others perhaps from another corner: it counts once. @param own in our order */
  tetrahedron(own: readonly number[]): void {
    const key = own
      .slice(0, 4)
      .sort((a, b) => a - b)
      .join();
    if (this.corners.has(key)) return;
    this.corners.add(key);
    this.elements.push(...own);
  }

  mesh(): SolidMesh {
    if (this.elements.length === 0)
      throw new FileError(
        this.file,
        '',
        'holds no tetrahedra of ten nodes; mesh the volume with elements of second order (gmsh: Mesh.ElementOrder = 2)',
      );
    // nodes that no element has are left out
    const used = new Int32Array(this.points.length / 3).fill(-1);
    let count = 0;
    for (const node of this.elements) if (used[node] < 0) used[node] = count++;
    const points = new Float64Array(3 * count);
    used.forEach((to, i) => {
      if (to >= 0) for (let k = 0; k < 3; k++) points[3 * to + k] = this.points[3 * i + k];
    });
    return {
      points,
      nodeCount: count,
      leftOut: this.points.length / 3 - count,
      ...(this.otherElements.size > 0 && { otherElements: this.otherElements }),
      elements: Int32Array.from(this.elements, (node) => used[node]),
      elementCount: this.elements.length / 10,
      sets: new Map(
        [...this.sets]
          .map(([name, nodes]): [string, Int32Array] => [
            name,
            Int32Array.from([...nodes].map((node) => used[node]).filter((node) => node >= 0)).sort(),
          ])
          .filter(([, nodes]) => nodes.length > 0),
      ),
    };
  }
}

/** As one part with its tetrahedra; neither format says its unit. */
export function readTetrahedra(bytes: Uint8Array, options: ReadOptions, format: 'msh' | 'inp'): CadDocument {
  const { unit, unitFrom, scale } = chooseUnit(options, undefined);
  const tetrahedra = readSolidMesh(bytes, options.fileName, scale);
  const { vertices, triangles } = surfaceOf(tetrahedra);
  const name = options.fileName.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
  return {
    format,
    unit,
    unitFrom,
    parts: [{ name, mesh: { vertices, triangles }, tetrahedra }],
    profiles: [],
    notes: notesOnMesh(tetrahedra),
  };
}

/** A deck does not say how many elements it has: one that is cut off between two lines shows only by nodes that nothing needs. Parts that were meshed side by side look like one, and are not */
export const notesOnMesh = (mesh: SolidMesh): string[] => {
  const { leftOut = 0, nodeCount, otherElements = new Map() } = mesh;
  const pieces = piecesOf(mesh);
  return [
    ...(leftOut > 0
      ? [`${leftOut} of ${leftOut + nodeCount} nodes belong to no tetrahedron and are left out; is the file whole?`]
      : []),
    ...[...otherElements].map(
      ([type, count]) => `${count} elements of type ${type} are left out: what they carry is not in the figures`,
    ),
    ...(pieces > 1
      ? [
          `the mesh is in ${pieces} pieces that share no face: each is a body of its own, and at most a hinge joins them; two nodes at one place are not one (gmsh: BooleanFragments before, or Coherence Mesh after meshing)`,
        ]
      : []),
  ];
};

/**
 * @param bytes as read
 * @param scale m per unit of the file
 * @throws FileError naming line and defect
 */
export function readSolidMesh(bytes: Uint8Array, file: string, scale = 1): SolidMesh {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split(/\r\n?|\n/);
  if (/^\s*\$MeshFormat/m.test(text.slice(0, 10_000))) return readGmsh(lines, file, scale);
  if (/^\s*\*\s*(node|include)/im.test(text)) return readInp(lines, file, scale);
  throw new FileError(file, '', 'expected a Gmsh mesh ($MeshFormat …) or an Abaqus/CalculiX deck (*NODE …)');
}

function readGmsh(lines: readonly string[], file: string, scale: number): SolidMesh {
  const builder = new Builder(file, scale);
  const start = (section: string): number => lines.findIndex((line) => line.trim() === `$${section}`);
  const numbers = (line: number): number[] => {
    const text = (lines[line] ?? '').trim();
    if (text === '')
      throw new FileError(
        file,
        `line ${Math.min(line, lines.length) + 1}`,
        'expected numbers, got nothing; the file may be cut off',
      );
    const own = text.split(/\s+/).map(Number);
    if (own.some((value) => Number.isNaN(value)))
      throw new FileError(file, `line ${line + 1}`, `expected numbers, got "${(lines[line] ?? '').slice(0, 40)}"`);
    return own;
  };
  const header = start('MeshFormat');
  const [version, binary] = numbers(header + 1);
  if (binary !== 0)
    throw new FileError(file, `line ${header + 2}`, 'is binary; write it as ASCII (gmsh: Mesh.Binary = 0, no -bin)');
  if (version !== 4.1 && version !== 2.2)
    throw new FileError(file, `line ${header + 2}`, `expected format 4.1 or 2.2, got ${version}`);
  const names = new Map<string, string>();
  const named = start('PhysicalNames');
  if (named >= 0)
    for (let i = 0, n = numbers(named + 1)[0]; i < n; i++) {
      const found = /^\s*(\d+)\s+(-?\d+)\s+"(.*)"/.exec(lines[named + 2 + i] ?? '');
      if (found) names.set(`${found[1]},${found[2]}`, found[3]);
    }
  const dimensionOf = (type: number): number => (type === 15 ? 0 : [1, 8].includes(type) ? 1 : type === 11 ? 3 : 2);
  const element = (type: number, nodes: readonly number[], groups: readonly number[], line: number): void => {
    if (SOLIDS.has(type))
      throw new FileError(
        file,
        `line ${line + 1}`,
        `a ${GMSH[type][1]}: expected tetrahedra of ten nodes${type === 4 ? '; those of four lock in bending (gmsh: Mesh.ElementOrder = 2)' : ''}`,
      );
    const [count, name] = GMSH[type];
    if (nodes.length !== count)
      throw new FileError(
        file,
        `line ${line + 1}`,
        `expected ${count} nodes of a ${name}, got ${nodes.length}; the file may be cut off`,
      );
    const own = nodes.map((tag) => builder.at(tag, line));
    if (type === 11) builder.tetrahedron([...own.slice(0, 8), own[9], own[8]]);
    for (const group of groups)
      if (group !== 0) builder.addTo(names.get(`${dimensionOf(type)},${group}`) ?? `group ${group}`, own);
  };
  const known = (type: number, line: number): number => {
    const found = GMSH[type];
    if (!found) throw new FileError(file, `line ${line + 1}`, `an element of Gmsh's type ${type}, which is not read`);
    return found[0];
  };

  const nodes = start('Nodes');
  const elements = start('Elements');
  if (nodes < 0 || elements < 0) throw new FileError(file, '', 'expected $Nodes and $Elements');
  if (version === 2.2) {
    for (let i = 0, n = numbers(nodes + 1)[0]; i < n; i++) {
      const [tag, x, y, z] = numbers(nodes + 2 + i);
      builder.node(tag, x, y, z, nodes + 2 + i);
    }
    for (let i = 0, n = numbers(elements + 1)[0], line = elements + 2; i < n; i++, line++) {
      const [, type, tags, ...rest] = numbers(line);
      const count = known(type, line);
      element(type, rest.slice(tags, tags + count), tags > 0 ? [rest[0]] : [], line);
    }
    return builder.mesh();
  }
  // Physical groups of the entities: points have 4 numbers before them, others 7
  const groups = new Map<string, number[]>();
  const entities = start('Entities');
  if (entities >= 0) {
    let line = entities + 2;
    numbers(entities + 1).forEach((count, dimension) => {
      for (let i = 0; i < count; i++, line++) {
        const own = numbers(line);
        const at = dimension === 0 ? 4 : 7;
        groups.set(`${dimension},${own[0]}`, own.slice(at + 1, at + 1 + own[at]));
      }
    });
  }
  let line = nodes + 2;
  for (let block = 0, blocks = numbers(nodes + 1)[0]; block < blocks; block++) {
    const count = numbers(line++)[3];
    for (let i = 0; i < count; i++) {
      const [x, y, z] = numbers(line + count + i);
      builder.node(numbers(line + i)[0], x, y, z, line + count + i);
    }
    line += 2 * count;
  }
  line = elements + 2;
  for (let block = 0, blocks = numbers(elements + 1)[0]; block < blocks; block++) {
    const [dimension, entity, type, count] = numbers(line++);
    const width = known(type, line - 1);
    for (let i = 0; i < count; i++, line++)
      element(type, numbers(line).slice(1, 1 + width), groups.get(`${dimension},${entity}`) ?? [], line);
  }
  return builder.mesh();
}

/** Faces that a deck may name to make sets of: nodes of each */
const INP_FACES = /^(CPS|CPE|CAX|S|STRI|M3D|R3D)\d+/;

/** Shells, beams, springs, dashpots, masses and couplings: no tetrahedra, but not there for sets alone, as plane elements and trusses that Gmsh writes are */
const CARRIES = /^(S\d|B\d|SC|SPRING|DASHPOT|MASS|ROTARY|CONN|DCOUP|COH|GAP)/;

function readInp(lines: readonly string[], file: string, scale: number): SolidMesh {
  const builder = new Builder(file, scale);
  const ofElement = new Map<number, number[]>(); // nodes, by the element's number
  let instances = 0;
  const option = (card: string, name: string): string | undefined =>
    new RegExp(`${name}\\s*=\\s*"?([^,"]+?)"?\\s*(,|$)`, 'i').exec(card)?.[1];
  for (let i = 0; i < lines.length; i++) {
    const card = lines[i].trim();
    if (!card.startsWith('*') || card.startsWith('**')) continue;
    // all of its words: *NODE PRINT and *ELEMENT OUTPUT are no nodes and no elements
    const keyword = /^\*\s*([^,]*)/
      .exec(card)?.[1]
      .replace(/[\s_-]+/g, ' ')
      .trim()
      .toUpperCase();
    if (keyword === 'INCLUDE')
      throw new FileError(
        file,
        `line ${i + 1}`,
        `takes a part of the deck from another file (${option(card, 'INPUT') ?? ''}), which is not read; name that file, or write the deck as one`,
      );
    if (keyword === 'INSTANCE' && ++instances > 1)
      throw new FileError(
        file,
        `line ${i + 1}`,
        'an assembly of several instances; write its parts as one mesh, in which each node has a number of its own',
      );
    // lines up to the next card; those that end in a comma go on
    const data: { numbers: number[]; words: string[]; line: number }[] = [];
    let open: (typeof data)[number] | undefined;
    for (i++; i < lines.length && !(lines[i].trim().startsWith('*') && !lines[i].trim().startsWith('**')); i++) {
      const own = lines[i].trim();
      if (own === '' || own.startsWith('**')) continue;
      const words = own.split(',').map((word) => word.trim());
      const goesOn = words.at(-1) === '';
      const filled = words.filter((word) => word !== '');
      if (open) {
        open.numbers.push(...filled.map(Number));
        open.words.push(...filled);
      } else data.push({ numbers: filled.map(Number), words: filled, line: i });
      open = goesOn && keyword === 'ELEMENT' ? (open ?? data.at(-1)) : undefined;
    }
    i--;
    if (keyword === 'NODE') {
      for (const { numbers, line } of data) builder.node(numbers[0], numbers[1], numbers[2], numbers[3], line);
      const set = option(card, 'NSET');
      if (set)
        builder.addTo(
          set,
          data.map(({ numbers, line }) => builder.at(numbers[0], line)),
        );
    } else if (keyword === 'ELEMENT') {
      const type = (option(card, 'TYPE') ?? '').toUpperCase();
      const set = option(card, 'ELSET');
      const solid = type.startsWith('C3D');
      if (solid && !/^C3D10[A-Z]*$/.test(type))
        throw new FileError(
          file,
          `line ${i + 1 - data.length}`,
          `elements of type ${type}: expected C3D10, tetrahedra of ten nodes${type === 'C3D4' ? '; those of four lock in bending' : ''}`,
        );
      for (const { numbers, line } of data) {
        const nodes = numbers.slice(1).map((tag) => builder.at(tag, line));
        if (solid && nodes.length !== 10)
          throw new FileError(file, `line ${line + 1}`, `expected ten nodes of a C3D10, got ${nodes.length}`);
        if (solid) builder.tetrahedron(nodes);
        if (CARRIES.test(type)) builder.otherElements.set(type, (builder.otherElements.get(type) ?? 0) + 1);
        if (solid || INP_FACES.test(type)) ofElement.set(numbers[0], nodes);
        if (set) builder.addTo(set, nodes);
      }
    } else if (keyword === 'NSET' || keyword === 'ELSET') {
      const set = option(card, keyword) ?? '';
      const every = /\bGENERATE\b/i.test(card);
      for (const { numbers, words, line } of data) {
        const tags: number[] = [];
        if (every) for (let tag = numbers[0]; tag <= numbers[1]; tag += numbers[2] ?? 1) tags.push(tag);
        else
          numbers.forEach((tag, k) => {
            // names of other sets may stand among the numbers
            if (Number.isNaN(tag)) builder.addTo(set, [...(builder.sets.get(words[k]) ?? [])]);
            else tags.push(tag);
          });
        if (keyword === 'NSET')
          builder.addTo(
            set,
            tags.map((tag) => builder.at(tag, line)),
          );
        else for (const tag of tags) builder.addTo(set, ofElement.get(tag) ?? []);
      }
    }
  }
  return builder.mesh();
}
