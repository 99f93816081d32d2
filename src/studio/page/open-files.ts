/** Files that are dropped or chosen: documents and programs take the place of the one at hand, CAD files become parts of it. */
import { ModelError } from '../../errors.js';
import type { LengthUnit } from '../../geometry/files/cad-document.js';
import { element } from '../../viewer/controls/element.js';
import { placeAbove } from '../build/place-on-floor.js';
import { addAsset } from '../commands/document-commands.js';
import { elementsOf, freeName } from '../commands/elements.js';
import { move } from '../commands/move.js';
import { place } from '../commands/place.js';
import { documentOfZip } from '../document/bundle.js';
import { codeDocument, emptyDocument, type StudioDocument, sceneModel } from '../document/document.js';
import { readDocument } from '../document/read.js';
import { jsonInHtml } from './share-html.js';
import type { StudioPage } from './studio.js';

const CAD = /\.(stl|obj|ply|3mf|gltf|glb|wrl|vrml|step|stp|iges|igs)$/i;
/** What a glTF file has beside it */
const COMPANION = /\.bin$/i;
const MOST_FILE = 256 * 1024 * 1024;

/** A document, a model, or CAD files that become parts of the scene at hand. @returns the document, where one was opened */
export async function openFiles(studio: StudioPage, files: readonly File[]): Promise<StudioDocument | undefined> {
  let opened: StudioDocument | undefined;
  const hasGltf = files.some(({ name }) => /\.gltf$/i.test(name));
  // Companions first: the part is looked at with them
  const sorted = [...files].sort((a, b) => Number(COMPANION.test(b.name)) - Number(COMPANION.test(a.name)));
  for (const file of sorted)
    try {
      if (file.size > MOST_FILE)
        throw new ModelError(
          file.name,
          `has ${(file.size / 1024 / 1024).toFixed(0)} MB; the studio takes files up to ${MOST_FILE / 1024 / 1024} MB`,
        );
      const document = await documentIn(studio, file);
      if (document) {
        opened = document;
        studio.openDocument(document);
        studio.open(document.source.kind === 'code' ? 'run' : 'build');
        if (document.source.kind === 'code') studio.showCode(true);
      } else if (CAD.test(file.name)) await addPart(studio, file);
      else if (hasGltf && COMPANION.test(file.name)) {
        needScene(studio);
        const asset = await studio.assets.put(file.name, new Uint8Array(await file.arrayBuffer()));
        studio.do(addAsset, { name: file.name, asset });
      } else
        throw new ModelError(
          file.name,
          'expected a document or model (.json, .zip, .html), a program (.ts) or a CAD file (STL, OBJ, PLY, 3MF, glTF, VRML, STEP, IGES)',
        );
    } catch (error) {
      studio.messages.passing(error instanceof Error ? error.message : String(error));
      studio.say(error instanceof Error ? error.message : String(error));
    }
  return opened;
}

/** A document of its own; undefined: something to be put into the one at hand */
async function documentIn(studio: StudioPage, file: File): Promise<StudioDocument | undefined> {
  const { name } = file;
  if (/\.json$/i.test(name)) return readDocument(await file.text(), name);
  if (/\.zip$/i.test(name)) return documentOfZip(new Uint8Array(await file.arrayBuffer()), name, studio.assets);
  if (/\.html?$/i.test(name)) return readDocument(jsonInHtml(await file.text(), name), name);
  if (/\.m?ts$/i.test(name)) return codeDocument(name.replace(/(\.model)?\.m?ts$/i, ''), await file.text());
  return undefined;
}

function needScene(studio: StudioPage): void {
  if (!sceneModel(studio.history.document.value)) studio.openDocument(emptyDocument());
  studio.rooms.isGallery = false;
}

/** Formats that say no unit, as a rule, and are triangles that may be open */
const BARE = /\.(stl|obj|ply)$/i;

async function addPart(studio: StudioPage, file: File): Promise<void> {
  let bytes = new Uint8Array(await file.arrayBuffer());
  let fileName = file.name;
  let unit: LengthUnit | undefined;
  if (BARE.test(fileName)) {
    const { askAboutCad, foundIn } = await import('./cad-dialog.js');
    const found = await foundIn(fileName, bytes);
    const isPlain = found.unit !== undefined && !found.mended;
    const choice = isPlain ? { unit, repair: false } : await askAboutCad(studio.rooms.root, fileName, found);
    if (!choice) return;
    unit = choice.unit;
    if (choice.repair && found.mended) {
      bytes = new Uint8Array(found.mended.bytes);
      fileName = fileName.replace(BARE, '-repaired.ply');
    }
  }
  needScene(studio);
  studio.open('build');
  const asset = await studio.assets.put(fileName, bytes);
  const had = assetNamed(studio, fileName);
  if (had && had.hash !== asset.hash) {
    const answer = await askAboutSameName(studio, fileName);
    if (answer === 'leave') return;
    if (answer === 'replace') {
      studio.do(addAsset, { name: fileName, asset });
      studio.say(`${fileName} is exchanged`);
      return;
    }
    fileName = freeFileName(studio, fileName);
  }
  // Of several files each stands beside those before it
  const before = await studio.builtScene();
  const name = file.name.replace(/\.\w+$/, '').replace(/[^\p{L}\p{N}_-]/gu, '') || 'part';
  const model = sceneModel(studio.history.document.value)!;
  const free = freeName(model, 'bodies', name);
  const value = { shape: { file: fileName, ...(unit && { unit }) }, material: 'steel' };
  const gesture = `drop ${free}`;
  studio.do(addAsset, { name: fileName, asset }, { gesture });
  studio.do(place, { elements: [{ group: 'bodies', name: free, value }] }, { select: [`bodies.${free}`], gesture });
  // How large it is, and where in its own frame, is known when it has been built: it then stands above the floor, beside the others
  const scene = await studio.builtScene();
  if (!scene?.bodies.some((body) => body.name === free)) return; // what is wrong with it is told at the part
  const position = placeAbove(scene, free, before);
  studio.watch(free);
  studio.do(move, { poses: { [free]: { position, orientation: [1, 0, 0, 0] } } }, { gesture });
  studio.history.endGesture();
  studio.say(`${file.name} is in the scene`);
}

const assetNamed = (studio: StudioPage, name: string): StudioDocument['assets'][string] | undefined => {
  const { assets } = studio.history.document.value;
  return Object.hasOwn(assets, name) ? assets[name] : undefined;
};

/** `brick-2.stl` */
function freeFileName(studio: StudioPage, name: string): string {
  for (let i = 2; ; i++) {
    const free = name.replace(/(\.\w+)$/, `-${i}$1`);
    if (!assetNamed(studio, free)) return free;
  }
}

/** Another file of a name that parts of the scene speak of already: a newer version of it, or another part? */
function askAboutSameName(studio: StudioPage, name: string): Promise<'replace' | 'add' | 'leave'> {
  const model = sceneModel(studio.history.document.value)!;
  const bodies = Object.entries(elementsOf(model, 'bodies'))
    .filter(([, body]) => JSON.stringify(body).includes(JSON.stringify(name)))
    .map(([body]) => body);
  return new Promise((resolve) => {
    const button = (value: string, label: string): HTMLElement =>
      element('button', { value, class: 'viewer-button with-text studio-plain' }, label);
    const dialog = element(
      'dialog',
      { class: 'viewer-help studio-cad', 'aria-label': `${name} again` },
      element(
        'form',
        { method: 'dialog' },
        element('header', {}, element('h2', {}, name)),
        element(
          'p',
          {},
          `The scene has another file of this name${bodies.length > 0 ? `, the shape of ${bodies.join(', ')}` : ''}.`,
        ),
        element(
          'div',
          { class: 'viewer-buttons' },
          button('replace', 'Replace it'),
          button('add', 'Add another part'),
          button('leave', 'Leave it'),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      const { returnValue } = dialog;
      resolve(returnValue === 'replace' || returnValue === 'add' ? returnValue : 'leave');
    });
    studio.rooms.root.append(dialog);
    dialog.showModal();
  });
}

export function listenToDrops(studio: StudioPage): void {
  const { root } = studio.rooms;
  const over = (event: DragEvent, inside: boolean): void => {
    if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
    event.preventDefault();
    root.classList.toggle('dropping', inside);
  };
  root.addEventListener('dragenter', (event) => over(event, true));
  root.addEventListener('dragover', (event) => over(event, true));
  root.addEventListener('dragleave', (event) => event.relatedTarget === null && over(event, false));
  root.addEventListener('drop', (event) => {
    root.classList.remove('dropping');
    if (event.defaultPrevented) return;
    event.preventDefault();
    void openFiles(studio, [...(event.dataTransfer?.files ?? [])]);
  });
}
