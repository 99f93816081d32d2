/** What `explain` tells of bodies that deform. */
import type { System } from '../assembly/system.js';
import * as format from './format.js';

export interface FlexibleFacts {
  readonly name: string;
  /** Triangles of a planar part, tetrahedra of a solid */
  readonly elements: number;
  readonly solid: boolean;
  readonly nodes: number;
  readonly coordinates: number;
  /** Hz, natural frequencies with the frame held, ascending */
  readonly frequencies: readonly number[];
  /** Stretching stiffens its bending */
  readonly membrane: boolean;
}

export const flexibleFacts = ({ flexible = [] }: System): FlexibleFacts[] =>
  flexible.map(({ name, nodes, frequencies, part, membrane }) => ({
    name: name.slice(name.indexOf('.') + 1),
    elements: part.mesh.elementCount,
    solid: part.kind === 'solid',
    nodes: part.mesh.nodeCount,
    coordinates: nodes.length,
    frequencies: Array.from(frequencies, (w) => w / (2 * Math.PI)),
    membrane: membrane !== undefined,
  }));

export const flexibleText = ({ elements, solid, nodes, coordinates, frequencies, membrane }: FlexibleFacts): string =>
  `${format.count(elements)} ${solid ? 'tetrahedra' : 'triangles'}, ${format.count(nodes)} nodes, ${coordinates} coordinates; held at its frame ` +
  `${frequencies
    .slice(0, 4)
    .map((f) => format.number(f, 4))
    .join(', ')}${frequencies.length > 4 ? ` … ${format.number(frequencies.at(-1)!, 4)}` : ''} Hz` +
  `${membrane ? '; slender: stretching stiffens it' : '; small strain: good for turns up to 0.1 rad at its interfaces'}`;
