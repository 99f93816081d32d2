/** Build: parts are put into the scene, moved, turned, copied, joined and taken away. Every change is a command, and can be taken back. */
import { ModelError } from '../../errors.js';
import { rotate } from '../../math/quaternion.js';
import { add, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { element, icon, iconButton, setPressed } from '../../viewer/controls/element.js';
import type { KeyBinding } from '../../viewer/page/keys.js';
import { Gizmo } from '../../viewer/stage/gizmo.js';
import { roundLength } from '../../viewer/stage/round-length.js';
import type { Activity } from '../activity.js';
import { combine } from '../commands/combine.js';
import { array, duplicate, mirror } from '../commands/copy.js';
import { bodiesIn, elementsOf, freeName, isRecord, type Vector } from '../commands/elements.js';
import { move, type Pose, poseOf, tidy } from '../commands/move.js';
import { place } from '../commands/place.js';
import { remove } from '../commands/remove.js';
import { addSensor, sensorPath, sensorsOf } from '../commands/sensors.js';
import { type DataRecord, sceneModel } from '../document/document.js';
import type { RunDesk } from '../run/desk.js';
import { featuresOfBody, placed, snapShift } from './aim.js';
import { askForCopies, askForMirror } from './copy-dialog.js';
import type { Feature } from './features.js';
import { JointTool } from './joint-tool.js';
import { keepingFocus } from './keep-focus.js';
import { type LibraryItem, MACHINES, MORE, SHAPES } from './library.js';
import { freePlace, rounded, suitableSize } from './place-on-floor.js';
import { fillProblem } from './problem-banner.js';
import { fillProperties, MATERIALS } from './properties.js';
import { fillTree } from './tree.js';

type Tool = 'select' | 'move' | 'turn' | 'joint';

const HINT =
  'Click a part · drag an arrow or type a number · `J` joint · `Shift` click more · `Ctrl D` copy · `Del` · `Ctrl Z`';

const BY_FINGER = 'Tap a part, hold for more · drag an arrow · one finger turns the view, two move and zoom';

export class BuildActivity implements Activity {
  readonly name = 'build';
  readonly label = 'Build';
  readonly icon = 'build';
  readonly playbackKeys = false;
  readonly picks = true;
  readonly keys: readonly KeyBinding[] = this.#bindings();
  #desk: RunDesk | undefined;
  #gizmo: Gizmo | undefined;
  #tool: Tool = 'move';
  #joints: JointTool | undefined;
  #snaps = true;
  #stops: (() => void)[] = [];
  #buttons = new Map<string, HTMLElement>();
  readonly #tree = element('div', { class: 'studio-tree', role: 'group', 'aria-label': 'Scene' });
  readonly #nothing = element(
    'p',
    { class: 'studio-nothing' },
    'Press a shape at the left, drop a CAD file here, or draw a sketch.',
  );
  readonly #properties = element('div', { class: 'viewer-room studio-properties' });
  readonly #problem = element('div', { class: 'studio-problem', role: 'alert', hidden: true });

  mount(desk: RunDesk): void {
    this.#desk = desk;
    const { rooms, history } = desk;
    const tile = (item: LibraryItem): HTMLElement =>
      element(
        'button',
        { type: 'button', class: 'studio-tile', 'data-place': item.name, onclick: () => void this.#place(item) },
        icon(item.icon),
        item.label,
      );
    const extra = (name: 'sketch' | 'file', label: string, press: () => void): HTMLElement =>
      element('button', { type: 'button', class: 'studio-tile', onclick: press }, icon(name), label);
    rooms.setLeft([
      {
        name: 'scene',
        label: 'Scene',
        content: element(
          'div',
          { class: 'viewer-room' },
          element(
            'div',
            { class: 'studio-tiles' },
            ...SHAPES.map(tile),
            extra('sketch', 'Sketch', () => desk.open('sketch')),
            ...MACHINES.map(tile),
          ),
          this.#tree,
        ),
      },
      {
        name: 'library',
        label: 'Library',
        content: element('div', { class: 'viewer-room' }, element('div', { class: 'studio-tiles' }, ...MORE.map(tile))),
      },
    ]);
    rooms.setRight([{ name: 'part', label: 'Body', content: this.#properties }], ['settings']);
    rooms.openRight('part');
    // Where there is room for one panel, it is the one that something can be done with
    if (history.selection.value.length === 0) rooms.preferLeft('scene');
    rooms.view.append(this.#problem);
    this.#fillRail(desk);
    this.#stops = [
      history.document.onChange(() => this.#refresh()),
      history.selection.onChange(() => this.#refresh()),
      desk.problem.onChange(() => this.#refresh()),
      desk.drawing.session.onChange(() => this.#refresh()),
    ];
    desk.showDrawn();
    this.#refresh();
  }

  unmount(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#nothing.remove();
    this.#problem.remove();
    this.#gizmo?.dispose();
    this.#gizmo = undefined;
    this.#joints?.dispose();
    this.#joints = undefined;
    this.#desk = undefined;
  }

  #fillRail(desk: RunDesk): void {
    this.#buttons.clear();
    const tool = (name: Tool, label: string, key: string): HTMLElement => {
      const button = iconButton(name, label, () => this.#choose(name), { key, toggle: true });
      this.#buttons.set(name, button);
      return button;
    };
    const snap = iconButton('snap', 'Snap to the grid, to circles and faces', () => this.#toggleSnap(), {
      key: 's',
      toggle: true,
    });
    this.#buttons.set('snap', snap);
    desk.rooms.rail.replaceChildren(
      tool('select', 'Select', 'v'),
      tool('move', 'Move', 'm'),
      tool('turn', 'Turn', 'e'),
      snap,
      element('hr'),
      tool('joint', 'Joint: point at two circles or faces', 'j'),
      iconButton('spring', 'Spring between two selected parts', () => this.#spring()),
      iconButton('force', 'Force on the selected part', () => this.#force()),
      iconButton('sensor', 'Contact sensor between two selected parts', () => this.#sensor()),
      element('hr'),
      iconButton('union', 'Unite the selected parts', () => this.#combine('union')),
      iconButton('subtract', 'Cut the later from the first', () => this.#combine('subtract')),
      iconButton('intersect', 'Keep what they share', () => this.#combine('intersect')),
      element('hr'),
      iconButton('copy', 'Duplicate', () => this.#duplicate(), { key: 'Ctrl D' }),
      iconButton('array', 'Copies in a row or a circle …', () => void this.#array()),
      iconButton('mirror', 'Mirror across a plane …', () => void this.#mirror()),
      iconButton('delete', 'Delete', () => this.#remove(), { key: 'Del' }),
    );
    this.#choose(this.#tool === 'joint' ? 'move' : this.#tool);
    setPressed(snap, this.#snaps);
  }

  #choose(tool: Tool): void {
    this.#tool = tool;
    for (const [name, button] of this.#buttons) if (name !== 'snap') setPressed(button, name === tool);
    this.#joints?.dispose();
    this.#joints = undefined;
    const desk = this.#desk;
    if (desk && tool === 'joint') this.#joints = new JointTool(desk, () => this.#choose('move'));
    else desk?.hint(HINT, BY_FINGER);
    this.#attach();
  }

  #toggleSnap(): void {
    this.#snaps = !this.#snaps;
    setPressed(this.#buttons.get('snap')!, this.#snaps);
    this.#attach();
  }

  get #grid(): number {
    return roundLength((this.#desk?.drawing.stage?.size ?? 1) / 30);
  }

  get #selected(): string[] {
    return this.#desk ? bodiesIn(this.#desk.history.selection.value) : [];
  }

  #refresh(): void {
    const desk = this.#desk;
    if (!desk) return;
    const { document, selection } = desk.history;
    fillTree(
      this.#tree,
      document.value,
      selection.value,
      desk.problem.value,
      (path, more) => selection.set(more ? [...selection.value.filter((other) => other !== path), path] : [path]),
      () => void desk.editInScene(),
    );
    fillProblem(this.#problem, sceneModel(document.value), desk.problem.value, (path) => {
      selection.set([path]);
      desk.rooms.openRight('part');
    });
    const focused = globalThis.document.activeElement;
    if (
      !(
        focused instanceof HTMLInputElement &&
        this.#properties.contains(focused) &&
        focused.matches(':focus') &&
        focused.dataset.typing
      )
    )
      keepingFocus(this.#properties, () =>
        fillProperties(this.#properties, desk, {
          materials: MATERIALS,
          joint: (body, feature) => this.#joint(body, feature),
        }),
      );
    const model = sceneModel(document.value);
    const isEmpty = model && !Object.values(elementsOf(model, 'bodies')).some((body) => !isRecord(body) || !body.fixed);
    if (isEmpty && desk.drawing.stage) desk.rooms.view.append(this.#nothing);
    else this.#nothing.remove();
    this.#attach();
  }

  /** Arrows at the selected part; those of several stand at the last. */
  #attach(): void {
    const desk = this.#desk;
    const { stage, canvas } = desk?.drawing ?? {};
    const name = this.#selected.at(-1);
    const model = desk && sceneModel(desk.history.document.value);
    const body = model && name !== undefined ? elementsOf(model, 'bodies')[name] : undefined;
    if (!desk || !stage || !canvas) return;
    if (!isRecord(body) || this.#tool === 'select' || this.#tool === 'joint') {
      this.#gizmo?.detach();
      return;
    }
    this.#gizmo ??= new Gizmo(stage, canvas, (pose, isOver) => this.#dragged(pose, isOver));
    this.#gizmo.mode = this.#tool === 'turn' ? 'rotate' : 'translate';
    this.#gizmo.snap = this.#snaps ? this.#grid : 0;
    this.#gizmo.attach(poseOf(body));
    desk.drawing.isAimed = () => this.#gizmo?.isAimed === true || this.#joints !== undefined;
  }

  /** Near a circle's axis or a face of another part it goes there. */
  #snapped(pose: Pose, index: number): { readonly pose: Pose; readonly to?: string } {
    const session = this.#desk?.drawing.session.value;
    if (!session || !this.#snaps || this.#tool !== 'move') return { pose };
    const { scene } = session.playback;
    const { poses } = session.player.frame;
    const own = featuresOfBody(scene, index).map((feature) => placed(feature, pose));
    const others = scene.bodies.flatMap(({ parts }, i) => {
      if (i === index || parts.length === 0) return [];
      const [x, y, z, ...q] = poses.subarray(7 * i, 7 * i + 7);
      const at = { position: [x, y, z], orientation: q } as unknown as Pose;
      return featuresOfBody(scene, i).map((feature) => placed(feature, at));
    });
    const found = snapShift(own, others, this.#grid);
    if (!found) return { pose };
    return {
      pose: { ...pose, position: add(pose.position, found.shift) },
      to: found.to.kind === 'circle' ? 'snapped to a circle' : 'snapped to a face',
    };
  }

  #dragged(dragged: Pose, isOver: boolean): void {
    const desk = this.#desk;
    const name = this.#selected.at(-1);
    const session = desk?.drawing.session.value;
    if (!desk || name === undefined || !session) return;
    const index = session.playback.scene.bodies.findIndex((body) => body.name === name);
    const { pose, to } = this.#snapped(dragged, index);
    if (isOver) {
      desk.do(move, { poses: { [name]: pose } });
      desk.rooms.status.textContent = '';
      return;
    }
    const { frame } = session.player;
    const poses = frame.poses.slice();
    poses.set([...pose.position, ...pose.orientation], 7 * index);
    session.stage.show({ ...frame, poses });
    desk.rooms.status.textContent = `${pose.position.map((x, k) => `${'xyz'[k]} ${Number((1000 * x).toPrecision(4))}`).join('  ')} mm${to ? ` · ${to}` : ''}`;
  }

  /** One after the other: where there is room is known when the part before has been built. */
  #place(item: LibraryItem): Promise<void> {
    this.#placed = this.#placed.then(async () => {
      const desk = this.#desk;
      const scene = await desk?.builtScene();
      if (desk && desk === this.#desk) this.#placeIn(desk, scene, item);
    });
    return this.#placed;
  }
  #placed: Promise<void> = Promise.resolve();

  #placeIn(desk: RunDesk, scene: Scene | undefined, item: LibraryItem): void {
    const model = sceneModel(desk.history.document.value);
    if (!model) {
      desk.messages.passing('A program builds this model; a new scene is edited here.');
      return;
    }
    const size = suitableSize(scene);
    const seen = new Set(scene?.bodies.map(({ name }) => name.split('[', 1)[0]));
    const unseen = Object.entries(elementsOf(model, 'bodies'))
      .filter(([name, body]) => !seen.has(name) && isRecord(body))
      .map(([, body]) => poseOf(body as DataRecord).position[0]);
    let elements = item.make(freePlace(scene, size, unseen), size);
    // Names that are taken: joints go along with their bodies
    const names = new Map(
      elements
        .filter(({ group }) => group === 'bodies' || group === 'coilSprings')
        .map(({ name, group }) => [name, freeName(model, group, name)]),
    );
    elements = elements.map(({ group, name, value }) => ({
      group,
      name: names.get(name) ?? name,
      value: typeof value.body === 'string' ? { ...value, body: names.get(value.body) ?? value.body } : value,
    }));
    const last = elements.filter(({ group }) => group === 'bodies' || group === 'coilSprings').at(-1);
    desk.do(place, { elements }, { select: last === undefined ? [] : [`${last.group}.${last.name}`] });
  }

  #joint(body: string, { kind, at, axis }: Feature): void {
    const desk = this.#desk;
    const model = desk && sceneModel(desk.history.document.value);
    const own = model && elementsOf(model, 'bodies')[body];
    if (!desk || !model || !isRecord(own)) return;
    const { position, orientation } = poseOf(own);
    const world = (p: Vec3): Vector => add(position, rotate(orientation, p));
    const others = this.#selected.filter((other) => other !== body);
    const name = freeName(model, 'joints', `${body}${kind === 'circle' ? 'Axis' : 'Slide'}`);
    const value = {
      kind: kind === 'circle' ? 'revolute' : 'prismatic',
      body,
      ...(others.length > 0 && { to: others[0] }),
      at: world(at).map(tidy) as unknown as Vector,
      axis: rotate(orientation, axis).map(tidy) as unknown as Vector,
    };
    desk.do(place, { elements: [{ group: 'joints', name, value }] }, { select: [`joints.${name}`] });
  }

  #spring(): void {
    const [from, to] = this.#selected;
    if (from === undefined) this.#desk?.messages.passing('Select one part, or two, that the spring holds.');
    else
      this.#desk?.do(place, {
        elements: [
          {
            group: 'forces',
            name: 'spring',
            value: { kind: 'spring', from, to: to ?? 'ground', stiffness: 100, damping: 1 },
          },
        ],
      });
  }

  #force(): void {
    const [on] = this.#selected;
    if (on === undefined) this.#desk?.messages.passing('Select the part that the force acts on.');
    else
      this.#desk?.do(place, {
        elements: [{ group: 'forces', name: 'force', value: { kind: 'applied', on, force: [1, 0, 0] } }],
      });
  }

  #sensor(): void {
    const desk = this.#desk;
    const model = desk && sceneModel(desk.history.document.value);
    const [a, b] = this.#selected;
    if (!model || a === undefined || b === undefined)
      desk?.messages.passing('Select two parts, with Shift; what they do to each other is sensed.');
    else desk.do(addSensor, { between: [a, b] }, { select: [sensorPath(sensorsOf(model).length)] });
  }

  #combine(kind: 'union' | 'subtract' | 'intersect'): void {
    const bodies = this.#selected;
    if (bodies.length < 2) this.#desk?.messages.passing('Select two parts or more, with Shift.');
    else this.#desk?.do(combine, { bodies, kind }, { select: [`bodies.${bodies[0]}`] });
  }

  #duplicate(): void {
    const bodies = this.#selected;
    if (bodies.length > 0)
      this.#desk?.do(duplicate, {
        bodies,
        shift: [0, rounded(1.2 * suitableSize(this.#desk.session?.playback.scene)), 0],
      });
  }

  async #array(): Promise<void> {
    const [desk, bodies] = [this.#desk, this.#selected];
    if (!desk || bodies.length === 0) return desk?.messages.passing('Select the parts that are to be copied.');
    const size = suitableSize(desk.session?.playback.scene);
    const copies = await askForCopies(desk.rooms.view, { shift: [0, rounded(1.2 * size), 0], centre: [0, 0, 0] });
    if (copies) desk.do(array, { bodies, ...copies });
  }

  async #mirror(): Promise<void> {
    const [desk, bodies] = [this.#desk, this.#selected];
    if (!desk || bodies.length === 0) return desk?.messages.passing('Select the parts that are to be mirrored.');
    const plane = await askForMirror(desk.rooms.view);
    if (plane) desk.do(mirror, { bodies, ...plane });
  }

  #remove(): void {
    const paths = this.#desk?.history.selection.value ?? [];
    if (paths.length > 0) this.#desk?.do(remove, { paths }, { select: [] });
  }

  #nudge(key: string): void {
    const desk = this.#desk;
    const model = desk && sceneModel(desk.history.document.value);
    if (!desk || !model || this.#selected.length === 0) return;
    const step = this.#grid * (key.startsWith('Shift+') ? 10 : key.startsWith('Alt+') ? 0.1 : 1);
    const ways: Readonly<Record<string, Vec3>> = {
      ArrowLeft: [-step, 0, 0],
      ArrowRight: [step, 0, 0],
      ArrowUp: [0, step, 0],
      ArrowDown: [0, -step, 0],
      PageUp: [0, 0, step],
      PageDown: [0, 0, -step],
    };
    const by = ways[key.replace(/^.*\+/, '')];
    const poses: Record<string, Pose> = {};
    for (const name of this.#selected) {
      const body = elementsOf(model, 'bodies')[name];
      if (!isRecord(body)) throw new ModelError(`bodies.${name}`, 'there is no such body');
      const pose = poseOf(body);
      poses[name] = { ...pose, position: add(pose.position, by) };
    }
    desk.do(move, { poses }, { gesture: `nudge ${this.#selected.join()}` });
  }

  #leave(): void {
    if (this.#joints) this.#choose('move');
    else this.#desk?.history.selection.set([]);
  }

  #bindings(): KeyBinding[] {
    const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];
    return [
      { keys: ['v'], shown: 'v', what: 'select', press: () => this.#choose('select') },
      { keys: ['m'], shown: 'm', what: 'move', press: () => this.#choose('move') },
      { keys: ['e'], shown: 'e', what: 'turn', press: () => this.#choose('turn') },
      { keys: ['j'], shown: 'j', what: 'joint by pointing', press: () => this.#choose('joint') },
      { keys: ['Escape'], shown: 'Esc', what: 'select nothing, end pointing', press: () => this.#leave() },
      { keys: ['s'], shown: 's', what: 'snap to the grid, circles and faces', press: () => this.#toggleSnap() },
      { keys: ['Ctrl+d'], shown: 'Ctrl D', what: 'duplicate', press: () => this.#duplicate() },
      { keys: ['Delete', 'Backspace'], shown: 'Del', what: 'delete', press: () => this.#remove() },
      {
        keys: [...arrows, ...arrows.map((key) => `Shift+${key}`), ...arrows.map((key) => `Alt+${key}`)],
        shown: '← → ↑ ↓',
        what: 'move by the grid; PageUp, PageDown vertical; Shift × 10, Alt ÷ 10',
        press: (key) => this.#nudge(key),
      },
    ];
  }
}
