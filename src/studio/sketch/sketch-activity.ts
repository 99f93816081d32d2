/** The activity Sketch: outlines drawn over a picture, checked at every change, made into a solid of the scene. */
import { FileError, ModelError } from '../../errors.js';
import { element, iconButton, setPressed } from '../../viewer/controls/element.js';
import type { KeyBinding } from '../../viewer/page/keys.js';
import type { Activity, Studio } from '../activity.js';
import { addAsset, setSketch } from '../commands/document-commands.js';
import type { Sketch } from '../document/sketch.js';
import { checkSketch, type SketchCheck } from './check.js';
import { SketchDesk, type Tool } from './desk.js';
import { toDxf, toSvg, withDrawing } from './exchange.js';
import type { OffsetAnswer, OffsetRequest } from './offset-worker.js';
import OffsetWorker from './offset-worker.ts?worker';
import { asOutline, fromOutline, millimetres } from './outline.js';
import { checkPictureSize, newPicture, type PictureSize } from './picture.js';
import { bodyNameOf, putIntoScene, sketchOf } from './put-into-scene.js';
import { SketchPanel } from './sketch-panel.js';
import { SketchView } from './sketch-view.js';
import type { SolidChoice } from './solid.js';
import { SolidPanel } from './solid-panel.js';

const TOOLS: readonly (readonly [Tool, Parameters<typeof iconButton>[0], string, string])[] = [
  ['select', 'select', 'Select, move, bend', 'v'],
  ['line', 'sketch', 'Line', 'l'],
  ['arc', 'arc', 'Arc through two clicks', 'a'],
  ['circle', 'circle', 'Circle', 'c'],
  ['measure', 'measure', 'Measure', 'q'],
];
const HINTS: Readonly<Record<Tool, string>> = {
  select: 'Drag a corner, or a square to bend an edge · double click inserts a corner · `Delete` · `l` draws on',
  line: 'Click: corner · the first corner or `Enter` closes · `a` arc · type a length, `Tab` its angle · `Alt` no snap',
  arc: 'Click where the arc goes through, then its end · `l` line · `Enter` closes',
  circle: 'Click the centre, then the rim, or type the radius',
  scale: 'Click two points of the picture whose distance you know, then type it',
  level: 'Click two points of a line that should be level or upright',
  trim: 'Click two opposite corners of what is kept',
  origin: 'Click the point that is to be (0, 0), such as the middle of a bearing',
  measure: 'Click two points: the line says how far they are apart',
};

export class SketchActivity implements Activity {
  readonly name = 'sketch';
  readonly label = 'Sketch';
  readonly icon = 'sketch';
  readonly playbackKeys = false;
  readonly picks = false;
  readonly keys: readonly KeyBinding[];
  #studio: Studio | undefined;
  #view: SketchView | undefined;
  #panel: SketchPanel | undefined;
  #solid: SolidPanel | undefined;
  readonly #desk: SketchDesk;
  #name = 'part';
  #checked: { readonly sketch: Sketch; readonly check: SketchCheck } | undefined;
  #shownPicture: string | undefined;
  #address: string | undefined;
  #stops: (() => void)[] = [];
  #tools = new Map<Tool, HTMLButtonElement>();
  #solidLater: ReturnType<typeof setTimeout> | undefined;
  #isFitted = false;

  constructor() {
    this.#desk = new SketchDesk({
      sketch: () => this.#sketch,
      change: (sketch, what, gesture) => this.#change(sketch, what, gesture),
      changed: () => this.#show(),
      refuse: (why) => this.#refuse(why),
      moved: () => {
        this.#show();
        this.#view?.fit();
        this.#view?.focus();
      },
    });
    const press = (tool: Tool) => () => (this.#desk.tool = tool);
    this.keys = [
      ...TOOLS.map(([tool, , what, key]) => ({
        keys: [key],
        shown: key,
        what: what.toLowerCase(),
        press: press(tool),
      })),
      { keys: ['s'], shown: 's', what: 'snap on, off', press: () => this.#toggleSnap() },
      { keys: ['f'], shown: 'f', what: 'fit the sketch', press: () => this.#view?.fit() },
      { keys: ['Enter'], shown: 'Enter', what: 'close the outline', press: () => this.#desk.close() },
      {
        keys: ['Delete', 'Backspace'],
        shown: 'Delete',
        what: 'delete the corner or outline',
        press: () => this.#desk.remove(),
      },
      {
        keys: ['Escape'],
        shown: 'Esc',
        what: 'leave the outline, choose nothing',
        press: () => {
          if (!this.#desk.escape()) this.#desk.tool = 'select';
          this.#view?.focus();
        },
      },
    ];
  }

  mount(studio: Studio): void {
    this.#studio = studio;
    const host = {
      sketch: () => this.#sketch,
      check: () => this.#check,
      change: (sketch: Sketch, what: string, gesture?: string) => this.#change(sketch, what, gesture),
      dropped: () => studio.history.endGesture(),
      wantsLength: () => {
        this.#show();
        this.#panel?.length.field.focus();
        this.#panel?.length.field.select();
      },
      choosePicture: () => this.#chooseFile('image/png,image/jpeg,image/webp', (file) => this.addPicture(file)),
      openDrawing: () => this.#chooseFile('.dxf,.svg', (file) => this.addDrawing(file)),
      save: (format: 'dxf' | 'svg') => this.#save(format),
      offset: (outline: string, distance: number) => this.#offset(outline, distance),
    };
    this.#name = this.#selectedSketch() ?? Object.keys(studio.history.document.value.sketches)[0] ?? 'part';
    this.#view = new SketchView(this.#desk, host);
    this.#panel = new SketchPanel(this.#desk, host);
    this.#solid = new SolidPanel((choice) => this.#put(choice));
    const { rooms } = studio;
    rooms.over.append(this.#view.root);
    rooms.wide = true;
    rooms.setLeft([
      { name: 'sketch', label: 'Sketch', content: this.#panel.root },
      { name: 'corners', label: 'Corners', content: this.#panel.corners },
    ]);
    rooms.setRight([{ name: 'solid', label: 'Solid', content: this.#solid.root }]);
    this.#fillRail(rooms.rail);
    this.#stops = [
      studio.history.document.onChange(() => this.#show()),
      studio.history.selection.onChange(() => {
        const named = this.#selectedSketch();
        if (named !== undefined && named !== this.#name) {
          this.#name = named;
          this.#show();
          this.#view?.fit();
        }
      }),
    ];
    rooms.over.addEventListener('dragover', allowDrop);
    rooms.over.addEventListener('drop', this.#drop);
    this.#stops.push(() => {
      rooms.over.removeEventListener('dragover', allowDrop);
      rooms.over.removeEventListener('drop', this.#drop);
    });
    this.#isFitted = false;
    this.#view.measure();
    this.#show();
    this.#view.fit();
    this.#view.focus();
  }

  unmount(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    clearTimeout(this.#solidLater);
    this.#view?.close();
    if (this.#address !== undefined) URL.revokeObjectURL(this.#address);
    this.#address = this.#shownPicture = undefined;
    this.#view = this.#panel = this.#solid = this.#studio = undefined;
  }

  get desk(): SketchDesk {
    return this.#desk;
  }

  #selectedSketch(): string | undefined {
    const path = this.#studio?.history.selection.value.find((one) => one.startsWith('sketches.'));
    return path?.slice('sketches.'.length);
  }

  get #sketch(): Sketch {
    return sketchOf(this.#studio!.history.document.value, this.#name);
  }

  /** Once for each sketch, for panel, view and solid ask alike. */
  get #check(): SketchCheck {
    const sketch = this.#sketch;
    if (this.#checked?.sketch !== sketch) this.#checked = { sketch, check: checkSketch(sketch) };
    return this.#checked.check;
  }

  #change(sketch: Sketch, what: string, gesture?: string): void {
    const { outlines: before } = this.#sketch;
    this.#studio?.do(
      setSketch,
      { name: this.#name, sketch, label: what },
      { select: [`sketches.${this.#name}`], ...(gesture !== undefined && { gesture }) },
    );
    // A corner that was typed may lie outside of what is seen
    const added = Object.entries(sketch.outlines).flatMap(([name, { corners }]) =>
      corners.slice(Object.hasOwn(before, name) ? before[name].corners.length : 0),
    );
    if (!this.#view?.sees(added)) this.#view?.fit();
  }

  #refuse(why: string): void {
    this.#studio?.messages.passing(why);
    this.#studio?.say(why);
  }

  #show(): void {
    if (!this.#studio) return;
    this.#showPicture();
    this.#view?.draw();
    this.#panel?.show();
    for (const [tool, button] of this.#tools) setPressed(button, tool === this.#desk.tool);
    this.#studio.hint(HINTS[this.#desk.tool]);
    // The solid follows in a moment: a drag must not wait for it.
    clearTimeout(this.#solidLater);
    this.#solidLater = setTimeout(() => this.#solid?.show(this.#sketch), 60);
    const { chosen } = this.#desk;
    if (this.#desk.tool === 'measure' && this.#desk.marks.length === 2) {
      const [a, b] = this.#desk.marks;
      this.#studio.say(`${millimetres(Math.hypot(b[0] - a[0], b[1] - a[1]))} apart`);
    } else if (chosen?.corner !== undefined) this.#studio.say(`${chosen.outline}, corner ${chosen.corner + 1}`);
  }

  #fillRail(rail: HTMLElement): void {
    this.#tools = new Map(
      TOOLS.map(([tool, icon, label, key]) => [
        tool,
        iconButton(icon, label, () => (this.#desk.tool = tool), { toggle: true, key }),
      ]),
    );
    const snap = iconButton('snap', 'Snap', () => this.#toggleSnap(), { toggle: true, key: 's' });
    snap.classList.add('sketch-snaps');
    setPressed(snap, this.#view?.snaps ?? true);
    rail.append(
      ...this.#tools.values(),
      element('hr'),
      snap,
      iconButton('picture', 'Picture', () =>
        this.#chooseFile('image/png,image/jpeg,image/webp', (file) => this.addPicture(file)),
      ),
      iconButton('fit', 'Fit', () => this.#view?.fit(), { key: 'f' }),
    );
  }

  #toggleSnap(): void {
    if (!this.#view) return;
    this.#view.snaps = !this.#view.snaps;
    const button = this.#studio?.rooms.rail.querySelector<HTMLElement>('.sketch-snaps');
    if (button) setPressed(button, this.#view.snaps);
    this.#studio?.say(this.#view.snaps ? 'Snap on' : 'Snap off');
  }

  // —— files ——

  #chooseFile(accept: string, take: (file: File) => void): void {
    const field = element('input', { type: 'file', accept, hidden: true });
    field.addEventListener('change', () => {
      const [file] = field.files ?? [];
      if (file) take(file);
      field.remove();
    });
    this.#studio?.rooms.view.append(field);
    field.click();
  }

  readonly #drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    if (/\.(dxf|svg)$/i.test(file.name)) void this.addDrawing(file);
    else if (/^image\//.test(file.type)) void this.addPicture(file);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** A picture under the sketch; asks for its scale at once. */
  async addPicture(file: File): Promise<void> {
    const studio = this.#studio;
    if (!studio) return;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const size = await pictureSize(bytes, file.type);
      checkPictureSize(size);
      const asset = await studio.assets.put(file.name, bytes);
      studio.do(addAsset, { name: file.name, asset });
      this.#change({ ...this.#sketch, picture: newPicture(file.name, size) }, `Add picture ${file.name}`);
      this.#isFitted = false;
      this.#desk.tool = 'scale';
    } catch (error) {
      this.#refuse(
        error instanceof ModelError
          ? error.message
          : `${file.name} is no picture this browser can read; PNG, JPEG and WebP are`,
      );
    }
  }

  async addDrawing(file: File): Promise<void> {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { sketch, notes } = withDrawing(this.#sketch, bytes, file.name);
      this.#change(sketch, `Open ${file.name}`);
      this.#desk.tool = 'select';
      this.#view?.fit();
      if (notes.length > 0) this.#refuse(notes.slice(0, 3).join('; '));
    } catch (error) {
      if (!(error instanceof FileError || error instanceof ModelError)) throw error;
      this.#refuse(error.message);
    }
  }

  #save(format: 'dxf' | 'svg'): void {
    try {
      const bytes = format === 'dxf' ? toDxf(this.#sketch, this.#name) : toSvg(this.#sketch, this.#name);
      this.#studio?.download(bytes, `${this.#name}.${format}`, format === 'svg' ? 'image/svg+xml' : undefined);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#refuse(error.message.slice(error.path.length + 2));
    }
  }

  #showPicture(): void {
    const studio = this.#studio!;
    const { picture } = this.#sketch;
    const asset = picture && studio.history.document.value.assets[picture.asset];
    if (!asset) {
      this.#shownPicture = undefined;
      this.#view?.setPicture(undefined);
      return;
    }
    if (asset.hash === this.#shownPicture) return;
    this.#shownPicture = asset.hash;
    void studio.assets.get(asset.hash).then(async (bytes) => {
      if (this.#shownPicture !== asset.hash || !this.#view) return;
      if (!bytes) {
        this.#refuse(`The picture ${asset.name} is not kept in this browser`);
        return;
      }
      const blob = new Blob([bytes as BlobPart]);
      const size = await pictureSize(bytes, '');
      checkPictureSize(size);
      if (this.#address !== undefined) URL.revokeObjectURL(this.#address);
      this.#address = URL.createObjectURL(blob);
      this.#desk.pictureSize = size;
      this.#view?.setPicture({ href: this.#address, size });
      if (!this.#isFitted) this.#view?.fit();
      this.#isFitted = true;
    });
  }

  // —— into the scene ——

  #put(choice: SolidChoice): void {
    const studio = this.#studio;
    if (!studio) return;
    try {
      const body = bodyNameOf(studio.history.document.value, { name: this.#name });
      if (studio.do(putIntoScene, { name: this.#name, choice }, { select: [`bodies.${body}`] })) studio.open('build');
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.#refuse(error.message.slice(error.path.length + 2));
    }
  }

  #offset(name: string, distance: number): void {
    const outline = this.#sketch.outlines[name];
    if (!outline.closed) {
      this.#refuse('expected a closed outline to offset; close it first');
      return;
    }
    const worker = new OffsetWorker();
    worker.onmessage = ({ data }: MessageEvent<OffsetAnswer>) => {
      worker.terminate();
      if ('why' in data) this.#refuse(data.why);
      else if (data.profiles.length === 0) this.#refuse('nothing is left of the outline; take a smaller distance');
      else {
        const [{ outer }] = data.profiles;
        this.#desk.replace(name, () => fromOutline(outer), `Offset by ${millimetres(distance)}`);
      }
    };
    worker.postMessage({ profile: { outer: asOutline(outline), holes: [] }, distance } satisfies OffsetRequest);
  }
}

const allowDrop = (event: DragEvent): void => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
};

/** Reads no more than the picture's own head where the browser can. */
async function pictureSize(bytes: Uint8Array, type: string): Promise<PictureSize> {
  const bitmap = await createImageBitmap(new Blob([bytes as BlobPart], type === '' ? {} : { type }));
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}
