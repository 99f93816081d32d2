/** Runs inside the browser for stage.test.ts: scenes made by hand, and eyes for what the stage draws of them. */
import { Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { halfSpace } from '../../src/geometry/half-space.js';
import { box, sphere } from '../../src/geometry/primitives.js';
import type { Solid } from '../../src/geometry/solid.js';
import { translate as move, rotate as turn } from '../../src/geometry/transform.js';
import { fromAxisAngle, type Quaternion, rotate } from '../../src/math/quaternion.js';
import { add, type Vec3 } from '../../src/math/vec3.js';
import type { Scene, SceneBody, SceneShape } from '../../src/results/scene.js';
import type { Frame } from '../../src/viewer/playback/playback.js';
import { Stage } from '../../src/viewer/stage/stage.js';

const WIDTH = 480;
const HEIGHT = 360;

const shapeOf = ({ mesh, form }: Solid): SceneShape => ({
  ...mesh,
  form: form.kind,
  ...(form.kind === 'sphere' && { radius: form.radius }),
});
const bodyOf = (name: string, shape: number, position: Vec3, more: Partial<SceneBody> = {}): SceneBody => ({
  name,
  mass: 1,
  centreOfMass: [0, 0, 0],
  fixed: false,
  pose: { position, orientation: [1, 0, 0, 0] },
  parts: [{ shape, colour: [0.9, 0.2, 0.1, 1] }],
  frames: [],
  ...more,
});
const sceneOf = (shapes: readonly SceneShape[], bodies: readonly SceneBody[], more: Partial<Scene> = {}): Scene => ({
  title: 'trial',
  up: [0, 0, 1],
  shapes,
  bodies,
  joints: [],
  springs: [],
  surfaces: [],
  plots: {},
  ...more,
});
const still = (scene: Scene, change: (poses: Float64Array, velocities: Float64Array) => void = () => {}): Frame => {
  const poses = Float64Array.from(scene.bodies.flatMap(({ pose }) => [...pose.position, ...pose.orientation]));
  const velocities = new Float64Array(6 * scene.bodies.length);
  change(poses, velocities);
  return { time: 0, poses, velocities };
};

/** A stage on a canvas of its own; the one before goes. */
let open: Stage | undefined;
function stageOf(scene: Scene, { dark = false } = {}): Stage {
  open?.dispose();
  document.querySelector('canvas')?.remove();
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  open = new Stage(canvas, scene, { dark });
  open.resize(WIDTH, HEIGHT, 1);
  open.fit(undefined, false);
  open.setDecor({ grid: false, shadows: false });
  return open;
}

/** Pixels of the next drawing, 4 bytes each, top row first. */
function pixelsOf(stage: Stage): Uint8ClampedArray {
  stage.redraw();
  stage.render();
  const copy = document.createElement('canvas');
  copy.width = WIDTH;
  copy.height = HEIGHT;
  const context = copy.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(stage.renderer.domElement, 0, 0);
  return context.getImageData(0, 0, WIDTH, HEIGHT).data;
}

interface Spot {
  readonly count: number;
  /** CSS px, middle of what differs, weighted by how much */
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where two pictures differ. */
function spotOf(a: Uint8ClampedArray, b: Uint8ClampedArray): Spot {
  let [count, sum, x, y] = [0, 0, 0, 0];
  let [left, right, top, bottom] = [WIDTH, 0, HEIGHT, 0];
  for (let i = 0; i < a.length; i += 4) {
    const apart = Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]);
    if (apart < 12) continue;
    const [px, py] = [(i / 4) % WIDTH, Math.floor(i / 4 / WIDTH)];
    // What the marker covers counts whole, so that its shading does not pull the middle to one side; its rim counts in part
    const weight = Math.min(1, apart / 90);
    count++;
    sum += weight;
    x += weight * (px + 0.5);
    y += weight * (py + 0.5);
    left = Math.min(left, px);
    right = Math.max(right, px + 1);
    top = Math.min(top, py);
    bottom = Math.max(bottom, py + 1);
  }
  return { count, x: x / sum, y: y / sum, left, right, top, bottom };
}
const colourAt = (pixels: Uint8ClampedArray, { x, y }: { x: number; y: number }): [number, number, number] => {
  const i = 4 * (Math.floor(y) * WIDTH + Math.floor(x));
  return [pixels[i], pixels[i + 1], pixels[i + 2]];
};

const VIEWS = ['front', 'back', 'left', 'right', 'top', 'bottom', 'isometric'] as const;

/** Markers off their bodies' origins, the bodies turned: seen where `project` says? */
function projections({
  scale = 1,
  offset = [0, 0, 0],
  up = [0, 0, 1],
  travel = 0,
  views = VIEWS,
}: {
  scale?: number;
  offset?: Vec3;
  up?: Vec3;
  travel?: number;
  views?: readonly (typeof VIEWS)[number][];
} = {}) {
  const at: Vec3 = [0.3 * scale, -0.1 * scale, 0.2 * scale];
  const ball = move(at, sphere(0.03 * scale));
  const cube = move(at, turn(fromAxisAngle([1, 2, 3], 1), box(0.05 * scale)));
  const place = (x: number, y: number, z: number): Vec3 => add(offset, [x * scale, y * scale, z * scale]);
  const scene = sceneOf(
    [shapeOf(ball), shapeOf(cube)],
    [
      bodyOf('ball[0]', 0, place(0.5, 0, 0)),
      bodyOf('ball[1]', 0, place(-0.6, 0.4, 0.3)),
      bodyOf('cube[0]', 1, place(0, -0.5, -0.4)),
      bodyOf('cube[1]', 1, place(-0.2, 0.6, -0.3)),
    ],
    { up },
  );
  const stage = stageOf(scene);
  const turns: readonly Quaternion[] = [
    fromAxisAngle([0, 0, 1], 0.7),
    fromAxisAngle([1, 0, 2], -1.9),
    fromAxisAngle([0, 1, 0], 2.5),
    fromAxisAngle([3, -1, 1], 0.4),
  ];
  // The bodies go on a journey, with the eye following the first
  const frame = still(scene, (poses) => {
    turns.forEach((q, body) => {
      poses.set(q, 7 * body + 3);
      poses[7 * body] += travel * scale;
    });
  });
  stage.follow(0);
  stage.show(frame);
  const results: {
    view: string;
    body: number;
    apart: number;
    count: number;
    picked: number | undefined;
    off: number;
  }[] = [];
  for (const parallel of [false, true])
    for (const view of views) {
      stage.isolate(undefined);
      stage.parallel = parallel;
      stage.standardView(view, false);
      stage.fit(undefined, false);
      if (view === 'isometric') stage.view.orbit(0.4, 0.1);
      for (let i = 0; i < 60; i++) stage.view.advance(0.1);
      stage.isolate([]);
      const without = pixelsOf(stage);
      const look = (body: number, centre: Vec3): void => {
        const spot = spotOf(without, pixelsOf(stage));
        const seen = stage.project(centre);
        const picked = stage.pick(seen.x, seen.y);
        results.push({
          view: `${view} ${parallel ? 'parallel' : 'perspective'}`,
          body,
          apart: Math.hypot(seen.x - spot.x, seen.y - spot.y),
          count: spot.count,
          picked: picked?.body,
          off: picked ? Math.hypot(...picked.point.map((x, k) => x - centre[k])) / scale : Number.NaN,
        });
      };
      for (let body = 0; body < 4; body++) {
        stage.isolate([body]);
        look(body, add(frame.poses.slice(7 * body, 7 * body + 3) as unknown as Vec3, rotate(turns[body], at)));
      }
      // A sign of the overlay, given in world coordinates
      stage.isolate([]);
      const place = add(frame.poses.slice(0, 3) as unknown as Vec3, [-0.4 * scale, 0.2 * scale, 0.1 * scale]);
      const sign = new Mesh(new SphereGeometry(0.03 * scale), new MeshBasicMaterial({ color: 0xd02010 }));
      sign.position.set(...place);
      stage.overlay.add(sign);
      look(-1, place);
      stage.overlay.remove(sign);
    }
  return { results, size: stage.size };
}

function picking() {
  const scene = sceneOf(
    [shapeOf(sphere(0.5)), shapeOf(halfSpace({ extent: 4 }))],
    [bodyOf('near', 0, [0, -2, 0.5]), bodyOf('far', 0, [0, 2, 0.5]), bodyOf('ground', 1, [0, 0, 0], { fixed: true })],
  );
  const stage = stageOf(scene);
  stage.standardView('front', false);
  stage.fit(undefined, false);
  stage.render();
  const at = stage.project([0, -2, 0.5]);
  const first = stage.pick(at.x, at.y);
  stage.setBody(0, { visible: false });
  const second = stage.pick(at.x, at.y);
  const sky = stage.pick(1, 1);
  stage.setBody(0, { visible: true });
  stage.standardView('isometric', false);
  stage.render();
  const floor = stage.project([2.3, -1, 0]); // beyond the mesh of the half-space: the level ground has no end
  const ground = stage.pick(floor.x, floor.y);
  return { first, second, ground, sky: sky?.body };
}

function looks() {
  const scene = sceneOf([shapeOf(box(1))], [bodyOf('cube', 0, [0, 0, 0]), bodyOf('other', 0, [3, 0, 0])]);
  const stage = stageOf(scene);
  stage.isolate([0]);
  const solid = pixelsOf(stage);
  stage.isolate([]);
  const nothing = pixelsOf(stage);
  stage.isolate(undefined);
  const both = pixelsOf(stage);
  stage.setBody(1, { visible: false });
  const hidden = pixelsOf(stage);
  stage.setBody(0, { wireframe: true });
  const wire = pixelsOf(stage);
  stage.setBody(0, { wireframe: false, transparent: true });
  const clear = pixelsOf(stage);
  stage.setBody(0, { transparent: false, selected: true });
  const chosen = pixelsOf(stage);
  const middle = stage.project([0, -0.5, 0]);
  stage.setBody(0, { selected: false });
  stage.setTheme(true);
  const dark = pixelsOf(stage);
  const covered = (a: Uint8ClampedArray): number => spotOf(nothing, a).count;
  const accent = (p: Uint8ClampedArray): number => {
    let count = 0;
    for (let i = 0; i < p.length; i += 4) if (p[i] < 60 && p[i + 1] > 80 && p[i + 1] < 140 && p[i + 2] > 180) count++;
    return count;
  };
  return {
    solid: covered(solid),
    both: covered(both),
    hidden: covered(hidden),
    wire: covered(wire),
    inside: { solid: colourAt(solid, middle), clear: colourAt(clear, middle), dark: colourAt(dark, middle) },
    corner: { light: colourAt(nothing, { x: 2, y: 2 }), dark: colourAt(dark, { x: 2, y: 2 }) },
    outline: { without: accent(solid), with: accent(chosen) },
  };
}

/** A ball of one colour from the front, at places in different octants: in two tones, or in one */
function tones() {
  const scene = sceneOf([shapeOf(sphere(1))], [bodyOf('ball', 0, [0, 0, 0])]);
  const stage = stageOf(scene);
  stage.standardView('front', false);
  stage.fit(undefined, false);
  const sides = (): number[] => {
    const pixels = pixelsOf(stage);
    return [-0.2, 0.2].map((x) => colourAt(pixels, stage.project([x, -0.96, 0.2]))[0]);
  };
  const two = sides();
  // a quarter of a turn about z brings the other tone to the front
  stage.show(still(scene, (poses) => poses.set(fromAxisAngle([0, 0, 1], Math.PI / 2), 3)));
  const turned = sides();
  stage.setDecor({ tones: false });
  return { two, turned, one: sides() };
}

function colouring() {
  // A disc-like bar turning about z at 2 rad/s: speed grows from the middle to the ends, 2 · √(1² + 0.1²) at the corners
  const bar = box([2, 0.2, 0.2]);
  const triangles = bar.mesh.triangles.length / 3;
  const triangleColours = new Uint8Array(3 * triangles);
  for (let t = 0; t < triangles; t++) triangleColours.set([20, 200, 20], 3 * t);
  const scene = sceneOf([{ ...shapeOf(bar), triangleColours }], [bodyOf('bar', 0, [0, 0, 5])]);
  const stage = stageOf(scene);
  stage.standardView('top', false);
  stage.fit(undefined, false);
  stage.setColouring({ scheme: 'body' });
  const middle = (pixels: Uint8ClampedArray, x: number) => colourAt(pixels, stage.project([x, 0, 5.1]));
  const body = middle(pixelsOf(stage), 0);
  stage.setColouring({ scheme: 'triangle' });
  const triangle = middle(pixelsOf(stage), 0);
  const spin = still(scene, (_, velocities) => velocities.set([0, 0, 0, 0, 0, 2]));
  stage.setColouring({ scheme: 'vertex', quantity: 'speed' });
  stage.show(spin);
  const pixels = pixelsOf(stage);
  const speeds = [-0.95, -0.6, 0.6, 0.95].map((x) => middle(pixels, x));
  const speed = stage.legend();
  stage.setColouring({ scheme: 'vertex', quantity: 'height' });
  const height = stage.legend();
  stage.setColouring({ scheme: 'vertex', quantity: 'displacement' });
  stage.show(still(scene, (poses) => poses.set([3, 4, 5])));
  const displacement = stage.legend();
  stage.show({ ...spin, velocities: new Float64Array(6).fill(Number.NaN) });
  stage.setColouring({ scheme: 'vertex', quantity: 'speed', high: 7 });
  const unknown = middle(pixelsOf(stage), 0);
  return { body, triangle, speeds, speed, height, displacement, set: stage.legend(), unknown };
}

function decor() {
  const scene = sceneOf(
    [shapeOf(box(0.2))],
    [
      bodyOf('left', 0, [-1, 0, 0], {
        frames: [{ name: 'tip', pose: { position: [0, 0, 1], orientation: [1, 0, 0, 0] } }],
      }),
      bodyOf('right', 0, [1, 0, 0]),
    ],
    {
      springs: [
        {
          name: 's',
          kind: 'spring',
          from: { body: 0, position: [0.1, 0, 0] },
          to: { body: 1, position: [-0.1, 0, 0] },
          freeLength: 1.5,
        },
        { name: 'b', kind: 'bushing', from: { body: 0, position: [0, 0, 0] }, to: { body: 0, position: [0, 0, 0] } },
        {
          name: 'd',
          kind: 'lineForce',
          from: { body: -1, position: [-1, 0, 0.5] },
          to: { body: 1, position: [0, 0, 0.5] },
        },
      ],
      joints: [
        { name: 'hinge', kind: 'revolute', at: { body: 0, position: [0, 0, 0] }, to: -1, axes: [[0, 1, 0]] },
        { name: 'slide', kind: 'prismatic', at: { body: 1, position: [0, 0, 0] }, to: -1, axes: [[1, 0, 0]] },
        { name: 'ball', kind: 'spherical', at: { body: 1, position: [0, 0, 0] }, to: 0, axes: [] },
        { name: 'weld', kind: 'fixed', at: { body: 1, position: [0, 0, 0] }, to: 0, axes: [] },
      ],
      surfaces: [
        {
          name: 'sheet',
          vertexCount: 4,
          triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
          vertices: new Float64Array([-1, 0, -1, 1, 0, -1, 1, 0, -0.5, -1, 0, -0.5]),
          quantity: 'stress',
          unit: 'Pa',
        },
      ],
    },
  );
  const stage = stageOf(scene);
  stage.standardView('front', false);
  stage.fit(undefined, false);
  stage.setDecor({ springs: false });
  const bare = pixelsOf(stage);
  const difference = (change: () => void): Spot => {
    change();
    return spotOf(bare, pixelsOf(stage));
  };
  const spring = difference(() => stage.setDecor({ springs: true }));
  const ends = [stage.project([-1, 0, 0]), stage.project([1, 0, 0])];
  stage.setDecor({ springs: false });
  const frames = difference(() => stage.setDecor({ frames: true }));
  stage.setDecor({ frames: false });
  const joints = difference(() => stage.setDecor({ jointAxes: true }));
  stage.setDecor({ jointAxes: false });
  const gone = difference(() => {});
  const grid = difference(() => stage.setDecor({ grid: true }));
  stage.setDecor({ grid: false });

  // A trail given as positions, blue; and one collected from frames
  stage.setTrail('way', new Float64Array([-1, 0, 0.5, 0, 0, 0.8, 1, 0, 0.5]), [0, 0, 1]);
  const trail = colourAt(pixelsOf(stage), stage.project([-0.5, 0, 0.65]));
  stage.setTrail('way', undefined);
  stage.setDecor({ trails: [{ body: 0, position: [0, 0, 0.2], colour: [0, 1, 0] }] });
  for (let i = 0; i <= 10; i++) {
    const raised = still(scene, (poses) => {
      poses[2] = 0.1 * i;
    });
    stage.show({ ...raised, time: i });
  }
  const collected = colourAt(pixelsOf(stage), stage.project([-1, 0, 0.55]));
  stage.show({ ...still(scene), time: 0 });
  const rewound = colourAt(pixelsOf(stage), stage.project([-1, 0, 0.55]));
  stage.setDecor({ trails: [] });

  // The surface moves, and its values have colours
  const values = new Float64Array([0, 10, 10, 0]);
  const sheet = (z: number) => new Float64Array([-1, 0, z, 1, 0, z, 1, 0, z + 0.5, -1, 0, z + 0.5]);
  stage.showSurfaces([{ vertices: sheet(-1), values }]);
  let pixels = pixelsOf(stage);
  const sheetColours = [-0.9, 0, 0.9].map((x) => colourAt(pixels, stage.project([x, 0, -0.75])));
  stage.showSurfaces([{ vertices: sheet(0.3), values }]);
  pixels = pixelsOf(stage);
  const left = colourAt(pixels, stage.project([0.5, 0, -0.75]));
  const legend = stage.legend();
  const bar = stage.scaleBar();
  const target = stage.view.target;
  const metres = (x: number): Vec3 => [target[0] * stage.size + x, 0, 0];
  const apart = stage.project(metres(bar.length)).x - stage.project(metres(0)).x;
  return {
    spring,
    ends,
    frames,
    joints,
    gone,
    grid,
    trail,
    collected,
    rewound,
    sheetColours,
    left,
    legend,
    bar,
    apart,
    back: colourAt(bare, { x: 4, y: 4 }),
  };
}

async function life() {
  const scene = sceneOf([shapeOf(box(1))], [bodyOf('cube', 0, [0, 0, 0])]);
  const stage = stageOf(scene);
  const before = pixelsOf(stage);
  const idle = stage.render();
  const png = new Uint8Array(await (await stage.toPng()).arrayBuffer());
  const events: string[] = [];
  for (const event of ['lost', 'restored', 'drawn'] as const) stage.on(event, () => events.push(event));
  const loss = stage.renderer.getContext().getExtension('WEBGL_lose_context')!;
  const next = (event: string) =>
    new Promise((resolve) =>
      stage.renderer.domElement.addEventListener(event, () => setTimeout(resolve, 0), { once: true }),
    );
  const gone = next('webglcontextlost');
  loss.loseContext();
  await gone;
  stage.redraw();
  const whileLost = stage.render();
  const back = next('webglcontextrestored');
  loss.restoreContext();
  await back;
  const after = pixelsOf(stage);
  stage.dispose();
  open = undefined;

  // A browser without WebGL
  const canvas = document.createElement('canvas');
  canvas.getContext = () => null;
  let refusal = '';
  try {
    new Stage(canvas, scene);
  } catch (error) {
    refusal = `${(error as Error).name}: ${(error as Error).message}`;
  }
  const size = [
    (png[16] << 24) | (png[17] << 16) | (png[18] << 8) | png[19],
    (png[20] << 24) | (png[21] << 16) | (png[22] << 8) | png[23],
  ];
  return {
    idle,
    signature: [...png.slice(0, 4)],
    size,
    events,
    whileLost,
    apart: spotOf(before, after).count,
    refusal,
  };
}

/** 100 layers of balls as in a billiard: how long a drawing takes, and a pick. */
function many(layers: number) {
  const bodies: SceneBody[] = [];
  for (let layer = 0; layer < layers; layer++)
    for (let column = 0; column <= layer; column++)
      bodies.push(bodyOf(`rack[${bodies.length}]`, 0, [(layer * Math.sqrt(3)) / 2, column - layer / 2, 0]));
  const scene = sceneOf([shapeOf(sphere(0.5))], bodies);
  const built = performance.now();
  const stage = stageOf(scene);
  stage.standardView('top', false);
  stage.fit(undefined, false);
  pixelsOf(stage);
  const start = performance.now();
  const frame = still(scene);
  const shows = 5;
  const gl = stage.renderer.getContext();
  const pixel = new Uint8Array(4);
  let writing = 0;
  for (let i = 0; i < shows; i++) {
    frame.poses[2] = 0.1 * i;
    const began = performance.now();
    stage.show(frame);
    stage.render();
    writing += performance.now() - began;
    // Only a pixel read back says that the card has finished
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  const drawn = performance.now();
  const last = bodies.length - 1;
  const at = stage.project(bodies[last].pose.position);
  const began = performance.now();
  const picked = stage.pick(at.x, at.y)?.body;
  return {
    bodies: bodies.length,
    calls: stage.renderer.info.render.calls,
    triangles: stage.renderer.info.render.triangles,
    buildMs: start - built,
    script: writing / shows,
    frameMs: (drawn - start) / shows,
    pickMs: performance.now() - began,
    picked,
  };
}

export const trials = { tones, projections, picking, looks, colouring, decor, life, many };
