// Compares our CSG with OpenSCAD, which uses CGAL and exact rational arithmetic: the same trees of the same polyhedra,
// vertex by vertex, must give the same volumes to 1e-6.
//
//   npm run build && node scripts/validate-openscad.mjs
//
// OpenSCAD's mesh files have 6 digits, so its result is read from the format .nef3, where every vertex is a quotient of
// whole numbers. It rounds what it reads to multiples of 2⁻²⁰; hence all is drawn 2²⁰ times and more as large, which is
// a change of exponents only. Needs OpenSCAD 2021.01, as Debian and Ubuntu have it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TOLERANCE = 1e-6;
export const HOW_TO_INSTALL =
  'openscad is not installed; on Debian or Ubuntu: apt-get install --no-install-recommends openscad';

/** Version of the OpenSCAD on this machine, undefined if there is none. */
export function openscadVersion() {
  const { error, stderr, stdout } = spawnSync('openscad', ['--version'], { encoding: 'utf8' });
  return error ? undefined : `${stderr}${stdout}`.trim().replace('OpenSCAD version ', '');
}

/**
 * @param geometry our functions: box, cylinder, sphere, rotate, translate, union, subtract, intersect, genevaWheelParts
 * @returns per model its name, both volumes in m³, their relative difference, and whether that is small enough
 */
export function compareWithOpenscad(geometry, onResult = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'openscad-'));
  try {
    return models(geometry).map(({ name, tree, size }) => {
      const start = performance.now();
      const ours = volumeOf(evaluate(tree, geometry).mesh);
      const ourTime = performance.now() - start;
      const theirs = openscadVolume(tree, size, join(folder, name.replaceAll(/\W+/g, '-')));
      const difference = Math.abs(ours - theirs) / theirs;
      const result = {
        name,
        ours,
        theirs,
        difference,
        agrees: difference <= TOLERANCE,
        ourTime,
        theirTime: performance.now() - start - ourTime,
      };
      onResult(result);
      return result;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A tree is a solid, or { operation: 'union' | 'difference' | 'intersection', operands: trees }.

function models(geometry) {
  const wheels = [3, 6, 12].map((slots) => {
    const { blank, cutters } = geometry.genevaWheelParts({ slots, segments: 32 });
    const tree = { operation: 'difference', operands: [blank, ...cutters] };
    return { name: `Geneva wheel, ${slots} slots`, size: 0.02, tree };
  });
  const random = randomNumbers(20150914);
  return [
    ...wheels,
    ...[1, 2, 3, 4].map((i) => ({ name: `random tree ${i}`, size: 1, tree: randomTree(2, random, geometry) })),
  ];
}

/** Operations on two or three things each, `depth` levels of them, on random solids anyhow in space. */
function randomTree(depth, random, geometry) {
  if (depth === 0) return randomSolid(random, geometry);
  const operation = ['union', 'difference', 'intersection'][Math.floor(3 * random())];
  const count = 2 + Math.floor(2 * random());
  // Unions below: what is common to two unions, or left of one, is seldom nothing.
  const below = operation === 'union' ? depth - 1 : 0;
  const operands = Array.from({ length: count }, (_, i) =>
    i === 0 ? randomTree(depth - 1, random, geometry) : randomTree(below, random, geometry),
  );
  return { operation, operands };
}

function randomSolid(random, { box, cylinder, sphere, rotate, translate }) {
  const length = () => 0.6 + 0.6 * random();
  const shapes = [
    () => box([length(), length(), length()]),
    () => cylinder({ radius: length() / 2, height: length(), segments: 5 + Math.floor(12 * random()) }),
    () => sphere(length() / 2, { subdivision: 2 }),
  ];
  const solid = shapes[Math.floor(shapes.length * random())]();
  const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
  const turned = rotate({ axis, angle: 6 * random() }, solid);
  return translate([0.3 * (random() - 0.5), 0.3 * (random() - 0.5), 0.3 * (random() - 0.5)], turned);
}

/** Numbers in [0, 1): linear congruential, Numerical Recipes (1992). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function evaluate(tree, geometry) {
  if (tree.mesh) return tree;
  const operate = { union: geometry.union, difference: geometry.subtract, intersection: geometry.intersect }[
    tree.operation
  ];
  return operate(...tree.operands.map((operand) => evaluate(operand, geometry)));
}

function openscadVolume(tree, size, path) {
  const scale = 2 ** Math.ceil(Math.log2(2 ** 20 / size));
  writeFileSync(`${path}.scad`, `${toScad(tree, scale)}\n`);
  const { status, stderr, error } = spawnSync('openscad', ['-o', `${path}.nef3`, `${path}.scad`], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (error) throw error;
  if (status !== 0 || !existsSync(`${path}.nef3`)) throw new Error(`openscad failed on ${path}.scad:\n${stderr}`);
  return nefVolume(readFileSync(`${path}.nef3`, 'utf8')) / scale ** 3;
}

function toScad(tree, scale) {
  if (!tree.mesh)
    return `${tree.operation}() {\n${tree.operands.map((operand) => toScad(operand, scale)).join('\n')}\n}`;
  const { vertices, triangles } = tree.mesh;
  const points = triples(vertices).map((point) => `[${point.map((x) => x * scale).join(',')}]`);
  const faces = triples(triangles).map(([a, b, c]) => `[${a},${c},${b}]`); // OpenSCAD's are clockwise seen from outside
  return `polyhedron(points=[${points.join(',')}], faces=[${faces.join(',')}]);`;
}

const triples = (flat) =>
  Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);

function volumeOf({ vertices, triangles }) {
  const corners = triples(vertices);
  const six = triples(triangles).reduce((sum, [a, b, c]) => sum + dot(corners[a], cross(corners[b], corners[c])), 0);
  return six / 6;
}
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Volume within a Nef polyhedron of CGAL in text form. One line per item: `index { links | numbers } mark`, of which
 * these are used:
 *
 *   vertex     { …  | x y z w } position (x, y, z) / w, whole numbers
 *   halfedge   { twin, vertex, … }
 *   facet      { twin, one shalfedge per boundary cycle, …, volume | a b c d }, plane a x + b y + c z + d = 0; each
 *              is there twice, and the one that belongs to a volume has its normal pointing into that volume
 *   volume     { … } 1 if it is solid
 *   shalfedge  { twin, previous and next around the vertex, halfedge, sface, previous, next along the facet, … }
 *
 * V = ⅓ Σ p · A over the facets that face empty volumes, A being the vector area, p any point of the facet.
 */
export function nefVolume(text) {
  const lines = text.split('\n');
  const counts = lines.slice(2, 9).map((line) => Number(line.trim().split(/\s+/)[1]));
  let at = 9;
  const section = (count) =>
    lines.slice(at, (at += count)).map((line) => {
      const [, links, numbers = '', mark] = /^\d+ \{ (.*?)(?:\| (.*?))?\} (\d)$/.exec(line) ?? fail(line);
      return { links: links.split(','), numbers: numbers.trim().split(' '), solid: mark === '1' };
    });
  const fail = (line) => {
    throw new Error(`unexpected line in a .nef3 file: ${line}`);
  };
  const [vertices, halfedges, facets, volumes, shalfedges] = counts.slice(0, 5).map(section);

  const positions = vertices.map(({ numbers }) => {
    const [x, y, z, w] = numbers.map(BigInt);
    return [x, y, z].map((n) => Number((n << 64n) / w) / 2 ** 64);
  });
  const vertexOf = (shalfedge) => positions[Number(halfedges[Number(shalfedges[shalfedge].links[3])].links[1])];
  let volume = 0;
  for (const { links, numbers } of facets) {
    if (volumes[Number(links[3])].solid) continue;
    const area = [0, 0, 0];
    let origin;
    for (const first of links[1].trim().split(/\s+/).map(Number)) {
      origin ??= vertexOf(first);
      let edge = first;
      do {
        const next = Number(shalfedges[edge].links[6]);
        const [p, q] = [vertexOf(edge), vertexOf(next)].map((point) => point.map((x, k) => x - origin[k]));
        cross(p, q).forEach((x, k) => {
          area[k] += x / 2;
        });
        edge = next;
      } while (edge !== first);
    }
    const outwards = Math.sign(dot(area, numbers.slice(0, 3).map(Number)));
    volume += (outwards * dot(area, origin)) / 3;
  }
  return volume;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const version = openscadVersion();
  const library = fileURLToPath(new URL('../dist/geometry/index.js', import.meta.url));
  if (version === undefined || !existsSync(library)) {
    console.error(version === undefined ? HOW_TO_INSTALL : 'dist/ is missing; run: npm run build');
    process.exit(1);
  }
  console.log(`OpenSCAD ${version}: volumes must agree to ${TOLERANCE}`);
  console.log(
    [
      'model'.padEnd(24),
      'ours, m³'.padEnd(22),
      'OpenSCAD, m³'.padEnd(22),
      'difference',
      '  ours, ms',
      'OpenSCAD, ms',
    ].join('  '),
  );
  const results = compareWithOpenscad(await import(pathToFileURL(library).href), (r) => {
    const cells = [
      r.name.padEnd(24),
      String(r.ours).padEnd(22),
      String(r.theirs).padEnd(22),
      r.difference.toExponential(1).padStart(10),
    ];
    console.log(
      [
        ...cells,
        r.ourTime.toFixed(0).padStart(10),
        r.theirTime.toFixed(0).padStart(12),
        r.agrees ? '' : 'DIFFERS',
      ].join('  '),
    );
  });
  process.exit(results.every(({ agrees }) => agrees) ? 0 : 1);
}
