/** The bodies of a scene where an instant has them, as parts of a still picture. */
import { ModelError, suggestion } from '../errors.js';
import { cylinder, frustum } from '../geometry/primitives.js';
import type { Colour } from '../geometry/solid.js';
import { rotate, translate } from '../geometry/transform.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { fromQuaternion } from '../math/mat3.js';
import { between, type Quaternion } from '../math/quaternion.js';
import { addScaled, cross, distance, dot, normalize, sub, type Vec3 } from '../math/vec3.js';
import { CONTACT } from '../results/contact-records.js';
import { GRAIN_CONTACT, GRAIN_CONTACT_TABLE, GRAIN_TABLE } from '../results/grain-records.js';
import type { RecordInstant } from '../results/record-table.js';
import type { Recording } from '../results/recording.js';
import { scaleColour } from '../results/scene/colour-scale.js';
import { drawnBalls, formOf, turn } from '../results/scene/grain-drawing.js';
import { type GrainFrame, grainsOf } from '../results/scene/grain-frames.js';
import { PoseReader } from '../results/scene/poses.js';
import type { Scene, SceneBody, SceneGrains, SceneShape } from '../results/scene.js';
import { GRAIN_UNITS, type GrainQuantity, scaled, speciesColours, valuesOf } from './grain-colours.js';
import { bodyLooks } from './material-looks.js';
import { mechanismParts, wayPart } from './mechanism-parts.js';
import { type EdgeLines, edgeLines, type StillPart } from './still.js';
import { CLOTH, deformedParts, meanOfCorners, rangeOf, type SurfaceLook, surfaceParts } from './surface-parts.js';

/** A floor without a colour of its own stays in the background. */
const GROUND = [0.84, 0.85, 0.86, 1] as const;

export class SceneParts {
  readonly #scene: Scene;
  readonly #edges: EdgeLines[] = [];
  readonly #colours: (Uint8Array | null | undefined)[] = [];

  readonly #looks: ReturnType<typeof bodyLooks>;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#looks = bodyLooks(scene.bodies);
  }

  /** @param poses 7 per body: position, orientation w, x, y, z */
  at(poses: Float64Array, shown: (body: SceneBody) => boolean = () => true): StillPart[] {
    const parts: StillPart[] = [];
    this.#scene.bodies.forEach((body, b) => {
      if (!shown(body)) return;
      for (const [p, { shape, colour }] of body.parts.entries()) {
        const edges = (this.#edges[shape] ??= edgeLines(this.#scene.shapes[shape]));
        const mesh = moved(this.#scene.shapes[shape], poses.subarray(7 * b, 7 * b + 7));
        const isGround = this.#scene.shapes[shape].form === 'halfSpace';
        const tint = colour ?? (isGround ? GROUND : this.#looks[b][p].colour);
        const triangleColours = (this.#colours[shape] ??= trianglesOf(this.#scene.shapes[shape]));
        parts.push({
          mesh,
          edges,
          colour: tint,
          ...(triangleColours && { triangleColours }),
        });
      }
    });
    return parts;
  }

  /** The corners of the boxes around all shapes: what a picture must fit. Half-spaces that are larger than the rest are left out. */
  bounds(poses: Float64Array, shown: (body: SceneBody) => boolean = () => true): StillPart[] {
    const corners: number[] = [];
    const planes: Float64Array[] = [];
    this.#scene.bodies.forEach((body, b) => {
      if (!shown(body)) return;
      for (const { shape } of body.parts) {
        const { form, vertices } = this.#scene.shapes[shape];
        const box = moved(
          { vertices: boxCorners(vertices), triangles: NONE },
          poses.subarray(7 * b, 7 * b + 7),
        ).vertices;
        if (form === 'halfSpace') planes.push(box);
        else for (const x of box) corners.push(x);
      }
    });
    const size = extent(corners);
    for (const plane of planes) if (extent(plane) < 1.5 * size) for (const x of plane) corners.push(x);
    return corners.length > 0 ? [{ mesh: { vertices: Float64Array.from(corners), triangles: NONE } }] : [];
  }
}

const NONE = new Uint32Array();

/** The longest side of the box around points, m */
export function extent(points: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    most = Math.max(most, high - low);
  }
  return most;
}

/** The colour of each triangle, that of its corners on average where they have colours; null where the body's own counts. */
function trianglesOf({ triangles, triangleColours, vertexColours }: SceneShape): Uint8Array | null {
  if (triangleColours || !vertexColours) return triangleColours ?? null;
  return meanOfCorners(triangles, (vertex, k) => vertexColours[3 * vertex + k]);
}

/**
 * The bodies of a recording at one of its rows, and what of them must fit into a picture; none if it does not say what they look like.
 *
 * @param opacity below 1 only what moves is drawn, and can be seen through
 */
export function partsAt(
  recording: Recording,
  row: number,
  opacity = 1,
  without: readonly string[] = [],
  look?: SurfaceLook,
): { readonly parts: StillPart[]; readonly fit: StillPart[] } {
  const { scene } = recording;
  if (!scene) return { parts: [], fit: [] };
  const poses = new Float64Array(7 * scene.bodies.length);
  new PoseReader(scene, recording.signals).poses(recording.samples.row(row), poses);
  const bodies = new SceneParts(scene);
  const shown = ({ name }: SceneBody): boolean => !without.includes(name);
  if (opacity < 1) {
    // flexible bodies as they are bent, without the colours of their stress
    const deformed = deformedParts(recording, scene, row).map(({ mesh }): StillPart => ({ mesh, colour: BENT }));
    const parts = [...bodies.at(poses, (body) => !body.fixed && shown(body)), ...deformed];
    return {
      parts: parts.map((part) => ({
        ...part,
        edges: { sharp: [], open: [] },
        colour: pale(part.colour ?? CLOTH, opacity),
      })),
      fit: [...bodies.bounds(poses, shown), ...deformed],
    };
  }
  const grains = grainParts(recording, scene, row);
  const fit = [...bodies.bounds(poses, shown), ...deformedParts(recording, scene, row), ...grains];
  const joints = scene.joints.filter(({ at: { body } }) => body < 0 || shown(scene.bodies[body]));
  const mechanism = mechanismParts({ ...scene, joints }, poses, extent(fit.flatMap(({ mesh }) => [...mesh.vertices])));
  const parts = [...bodies.at(poses, shown), ...mechanism, ...surfaceParts(recording, scene, row, look), ...grains];
  return { parts, fit: fit.length > 0 ? [...fit, ...mechanism] : parts };
}

/** Of flexible bodies at other moments */
const BENT = [0.2, 0.3, 0.55, 1] as const;

const pale = ([red, green, blue]: Colour, opacity: number): Colour => [red, green, blue, opacity];

/** The ways of points on bodies up to a row. */
export function wayParts(
  recording: Recording,
  row: number,
  points: Readonly<Record<string, Vec3>>,
  fit: readonly StillPart[],
): StillPart[] {
  const { scene } = recording;
  if (!scene || row < 1) return [];
  const reader = new PoseReader(scene, recording.signals);
  const poses = new Float64Array(7 * scene.bodies.length);
  const size = extent(fit.flatMap(({ mesh }) => [...mesh.vertices]));
  return Object.entries(points).map(([name, point]) => {
    const b = scene.bodies.findIndex((body) => body.name === name);
    if (b < 0)
      throw new ModelError(
        `ways.${name}`,
        `there is no body "${name}"${suggestion(
          name,
          scene.bodies.map((body) => body.name),
        )}`,
      );
    const way: Vec3[] = [];
    for (let r = 0; r <= row; r++) {
      reader.poses(recording.samples.row(r), poses);
      const place = moved(
        { vertices: Float64Array.from(point), triangles: NONE },
        poses.subarray(7 * b, 7 * b + 7),
      ).vertices;
      const last = way.at(-1);
      const here: Vec3 = [place[0], place[1], place[2]];
      if (!last || distance(last, here) > 1e-3 * size) way.push(here);
    }
    return wayPart(way, size);
  });
}

/** Grains as they were kept last before a row; greatest and least of the quantity are those of the whole recording's last instant and this one. */
export function grainParts(
  recording: Recording,
  scene: Scene,
  row: number,
  quantity: GrainQuantity = 'species',
): StillPart[] {
  if (!scene.grains || !recording.hasTable(GRAIN_TABLE)) return [];
  const table = recording.table(GRAIN_TABLE);
  let kept = row;
  while (kept > 0 && table.instant(kept).count === 0) kept--;
  const frame = grainsOf(
    table.labels,
    scene.grains.species.map(({ name }) => name),
    table.instant(kept),
  );
  const own = speciesColours(scene.grains);
  const values = valuesOf(frame, quantity);
  const [low, high] = values ? rangeOf([values]) : [0, 0];
  const tint = (i: number): number[] =>
    (values ? scaled(values[i], low, high) : own[frame.species[i]]).map((part) => Math.round(255 * part));
  const { positions, radii, owner } = drawnBalls(scene.grains, frame);
  const colours = new Uint8Array(3 * owner.length);
  owner.forEach((i, ball) => {
    colours.set(tint(i).slice(0, 3), 3 * ball);
  });
  const unit = GRAIN_UNITS[quantity];
  const scale = unit ? { scale: { quantity: `${quantity} of grains`, unit, low, high, largest: high } } : {};
  const balls = { mesh: { vertices: positions, triangles: NONE }, balls: { radii, colours } };
  return [...(owner.length > 0 ? [balls] : []), ...stoneParts(scene.grains, frame, tint)].map((part) => ({
    ...part,
    ...scale,
  }));
}

/** Polyhedra among the grains, all in one mesh */
function stoneParts(grains: SceneGrains, frame: GrainFrame, tint: (i: number) => readonly number[]): StillPart[] {
  if (!frame.orientations) return [];
  const [vertices, triangles, colours]: [number[], number[], number[]] = [[], [], []];
  const point = [0, 0, 0];
  for (let i = 0; i < frame.count; i++) {
    const mesh = formOf(grains, frame, i)?.mesh;
    if (!mesh) continue;
    const first = vertices.length / 3;
    const colour = tint(i);
    for (let v = 0; v < mesh.vertices.length; v += 3) {
      turn(frame.orientations, 4 * i, mesh.vertices, v, point);
      for (let k = 0; k < 3; k++) vertices.push(frame.positions[3 * i + k] + frame.radii[i] * point[k]);
    }
    for (const index of mesh.triangles) triangles.push(first + index);
    for (let t = 0; t < mesh.triangles.length; t += 3) colours.push(colour[0], colour[1], colour[2]);
  }
  if (triangles.length === 0) return [];
  return [
    {
      mesh: { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) },
      triangleColours: Uint8Array.from(colours),
    },
  ];
}

const SIDES = 6;

/**
 * How forces go through grains: a prism along each contact, from centre to centre, its area and colour by the normal force (Radjai et al. 1996 draw them so).
 * The strongest of the instant is as thick as a third of a grain.
 */
export function chainParts(recording: Recording, row: number): StillPart[] {
  if (!recording.hasTable(GRAIN_CONTACT_TABLE)) return [];
  const table = recording.table(GRAIN_CONTACT_TABLE);
  let kept = row;
  while (kept > 0 && table.instant(kept).count === 0) kept--;
  const { count, values } = table.instant(kept);
  let [greatest, length] = [0, 0];
  const end = (at: number, i: number): Vec3 => [values[at][i], values[at + 1][i], values[at + 2][i]];
  for (let i = 0; i < count; i++) {
    greatest = Math.max(greatest, values[GRAIN_CONTACT.force][i]);
    const way = sub(end(GRAIN_CONTACT.to, i), end(GRAIN_CONTACT.from, i));
    length += Math.sqrt(dot(way, way)) / count;
  }
  const vertices = new Float64Array(6 * SIDES * count);
  const triangles = new Uint32Array(6 * SIDES * count);
  const triangleColours = new Uint8Array(6 * SIDES * count);
  for (let i = 0; i < count; i++) {
    const part = greatest > 0 ? Math.max(0, values[GRAIN_CONTACT.force][i] / greatest) : 0;
    const [from, to] = [end(GRAIN_CONTACT.from, i), end(GRAIN_CONTACT.to, i)];
    const along = normalize(sub(to, from));
    const across = normalize(cross(along, Math.abs(along[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
    const other = cross(along, across);
    const thick = (length / 6) * Math.sqrt(part);
    const [red, green, blue] = scaleColour(part);
    for (let k = 0; k < SIDES; k++) {
      const angle = (2 * Math.PI * k) / SIDES;
      const side = addScaled(addScaled([0, 0, 0], thick * Math.cos(angle), across), thick * Math.sin(angle), other);
      const v = 2 * (SIDES * i + k);
      vertices.set(addScaled(from, 1, side), 3 * v);
      vertices.set(addScaled(to, 1, side), 3 * v + 3);
      const w = 2 * (SIDES * i + ((k + 1) % SIDES));
      triangles.set([v, w, v + 1, v + 1, w, w + 1], 3 * v);
      for (let t = 0; t < 2; t++)
        triangleColours.set([255 * red, 255 * green, 255 * blue].map(Math.round), 3 * (v + t));
    }
  }
  return [{ mesh: { vertices, triangles }, triangleColours, edges: { sharp: [], open: [] } }];
}

function moved({ vertices, triangles }: TriangleMesh, pose: Float64Array): TriangleMesh {
  const r = fromQuaternion(pose.subarray(3) as unknown as Quaternion);
  const out = new Float64Array(vertices.length);
  for (let i = 0; i < vertices.length; i += 3)
    for (let k = 0; k < 3; k++)
      out[i + k] = pose[k] + r[3 * k] * vertices[i] + r[3 * k + 1] * vertices[i + 1] + r[3 * k + 2] * vertices[i + 2];
  return { vertices: out, triangles };
}

function boxCorners(vertices: Float64Array): Float64Array {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3], vertices[i]);
    high[i % 3] = Math.max(high[i % 3], vertices[i]);
  }
  return Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? high : low)[i % 3]);
}

const STICK = [0, 0.447, 0.698, 1] as const;
const SLIP = [0.902, 0.624, 0, 1] as const;

/**
 * Arrows for the forces of all contacts; blue where they stick, orange where they slip.
 *
 * @param sides for each pair 1 or −1, see results/scene/contact-side.ts
 */
export function forceArrows(
  { count, values }: RecordInstant,
  sides: Int8Array,
  perNewton: number,
  size: number,
): StillPart[] {
  const arrows: StillPart[] = [];
  for (let i = 0; i < count; i++) {
    const vector = (at: number): Vec3 => [values[at][i], values[at + 1][i], values[at + 2][i]];
    const force = addScaled(vector(CONTACT.friction), values[CONTACT.normalForce][i], vector(CONTACT.normal));
    const length = Math.sqrt(dot(force, force)) * perNewton;
    if (!(length > 1e-3 * size)) continue;
    const side = sides[values[CONTACT.pair][i]];
    const turn = between([0, 0, 1], [side * force[0], side * force[1], side * force[2]]);
    const thick = 0.006 * size;
    const head = Math.min(5 * thick, 0.5 * length);
    const upright = [
      translate(
        [0, 0, (length - head) / 2],
        cylinder({ radius: thick, height: Math.max(length - head, 1e-6 * size), segments: 12 }),
      ),
      translate(
        [0, 0, length - head / 2],
        frustum({ bottomRadius: 2.2 * thick, topRadius: 0, height: head, segments: 12 }),
      ),
    ];
    const colour = values[CONTACT.state][i] === 2 ? SLIP : STICK;
    for (const { mesh } of upright)
      arrows.push({
        mesh: translate(vector(CONTACT.point), rotate(turn, mesh)),
        colour,
        edges: { sharp: [], open: [] },
        onTop: true,
      });
  }
  return arrows;
}
