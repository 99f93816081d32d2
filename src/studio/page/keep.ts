/** Keeps what is made: in the browser a second after each change, in files, in a link. */
import { ModelError } from '../../errors.js';
import type { LengthUnit } from '../../geometry/files/cad-document.js';
import { element, iconButton } from '../../viewer/controls/element.js';
import { placeAbove } from '../build/place-on-floor.js';
import { addAsset } from '../commands/document-commands.js';
import { freeName } from '../commands/elements.js';
import { move } from '../commands/move.js';
import { place } from '../commands/place.js';
import { documentOfZip, zipOf } from '../document/bundle.js';
import { codeDocument, emptyDocument, type StudioDocument, sceneModel } from '../document/document.js';
import { Keeping } from '../document/keeping.js';
import { documentOfLink, LONGEST_LINK, linkText, SAFE_LINK } from '../document/link.js';
import { readDocument } from '../document/read.js';
import { DocumentLock } from './document-lock.js';
import { jsonInHtml, shareHtml } from './share-html.js';
import type { StudioPage } from './studio.js';

const LATER = 1000; // ms
const CAD = /\.(stl|obj|ply|3mf|gltf|glb|wrl|vrml|step|stp|iges|igs)$/i;
const MOST_FILE = 256 * 1024 * 1024;

export function keepDocuments(studio: StudioPage): void {
  const keeping = new Keeping();
  studio.assets = keeping;
  let key = newKey();
  let later: ReturnType<typeof setTimeout> | undefined;
  const { saved } = studio.rooms;
  const lock = new DocumentLock();
  const save = async (): Promise<void> => {
    clearTimeout(later);
    later = undefined;
    if (!lock.isOurs) {
      saved.textContent = 'Open in another tab: not saved here';
      return;
    }
    try {
      await keeping.save(key, studio.history.document.value);
      saved.textContent = `Saved in this browser, ${new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`;
    } catch (error) {
      saved.textContent = `Not saved: ${error instanceof Error ? error.message : error}`;
    }
  };
  studio.opened.onChange(() => {
    if (later !== undefined) void save();
    key = studio.takeKey() ?? newKey();
    saved.textContent = '';
    void lock.take(key).then((isOurs) => {
      if (isOurs) return;
      saved.textContent = 'Open in another tab: not saved here';
      studio.messages.passing(
        'This document is open in another tab, which keeps it. What you change here is not saved; save it as a file, or close the other.',
      );
    });
  });
  studio.history.document.onChange(() => {
    if (studio.history.undoLabel === undefined && studio.history.redoLabel === undefined) return; // just opened
    saved.textContent = 'Saving …';
    clearTimeout(later);
    later = setTimeout(() => void save(), LATER);
  });
  document.addEventListener('visibilitychange', () => document.hidden && later !== undefined && void save());

  studio.recent = async () => (await keeping.all().catch(() => [])).slice(0, 8);
  const file = element('input', {
    type: 'file',
    multiple: true,
    hidden: true,
    'aria-label': 'File',
    onchange: () => {
      void openFiles(studio, [...(file.files ?? [])]);
      file.value = '';
    },
  });
  studio.rooms.root.append(file);
  studio.galleryActions = {
    ...studio.galleryActions,
    openFile: () => file.click(),
    recent: (wanted) =>
      void keeping.load(wanted).then((kept) => {
        if (!kept) return;
        studio.openDocument(kept.document, kept.key);
        studio.open(kept.document.source.kind === 'code' ? 'run' : 'build');
        studio.say(`${kept.title} restored`);
      }),
    forget: (wanted) => void keeping.forget(wanted).then(() => studio.showGallery()),
  };
  const saveFile = async (): Promise<void> => {
    const { value } = studio.history.document;
    const name = `${value.title.replace(/[^\w.-]+/g, '-').toLowerCase() || 'document'}.tippetop`;
    // Where something is beside it, both in one
    if (Object.keys(value.assets).length > 0)
      studio.download(await zipOf(value, keeping), `${name}.zip`, 'application/zip');
    else studio.download(JSON.stringify(value, null, 2), `${name}.json`, 'application/json');
  };
  const download = (): void => void saveFile().catch((error: Error) => studio.messages.passing(error.message));
  studio.rooms.corner.prepend(
    iconButton('save', 'Save as a file', download, { key: 'Ctrl S' }),
    iconButton('share', 'Copy a link that holds the document', () => void shareLink(studio)),
    iconButton('file', 'Share as one HTML file', () => void shareHtml(studio)),
  );
  studio.bindings = [
    ...studio.bindings,
    { keys: ['Ctrl+s'], shown: 'Ctrl S', what: 'save as a file', press: download },
    { keys: ['Ctrl+o'], shown: 'Ctrl O', what: 'open a file', press: () => file.click() },
  ];
  listenToDrops(studio);
  if (location.hash.startsWith('#d=')) void openLink(studio);
  window.addEventListener('hashchange', () => location.hash.startsWith('#d=') && void openLink(studio));
}

const newKey = (): string => crypto.randomUUID();

async function openLink(studio: StudioPage): Promise<void> {
  try {
    const document = await documentOfLink(location.hash);
    studio.openDocument(document);
    studio.open(document.source.kind === 'code' ? 'run' : 'build');
    if (document.source.kind === 'code') studio.showCode(true);
  } catch (error) {
    studio.rooms.isGallery = false;
    studio.messages.failed('This link cannot be opened', error instanceof Error ? error.message : String(error), [
      { label: 'Gallery', press: () => studio.showGallery() },
    ]);
  }
}

async function shareLink(studio: StudioPage): Promise<void> {
  const text = await linkText(studio.history.document.value);
  const address = `${location.href.split('#')[0]}${text}`;
  const files = Object.keys(studio.history.document.value.assets).length;
  if (address.length > LONGEST_LINK) {
    studio.messages.passing(
      `The link would have ${address.length} letters, more than browsers take; save a file instead.`,
    );
    return;
  }
  await navigator.clipboard?.writeText(address).catch(() => undefined);
  history.replaceState(null, '', text);
  const warnings = [
    address.length > SAFE_LINK ? 'mail programs may cut it' : '',
    files > 0 ? 'pictures and CAD files are not in it' : '',
  ].filter(Boolean);
  studio.messages.passing(
    `Link of ${address.length} letters copied${warnings.length > 0 ? `; ${warnings.join('; ')}` : ''}.`,
  );
}

/** A document, a model, or CAD files that become parts of the scene at hand */
export async function openFiles(studio: StudioPage, files: readonly File[]): Promise<void> {
  for (const file of files)
    try {
      if (file.size > MOST_FILE)
        throw new ModelError(
          file.name,
          `has ${(file.size / 1024 / 1024).toFixed(0)} MB; the studio takes files up to ${MOST_FILE / 1024 / 1024} MB`,
        );
      const document = await documentIn(studio, file);
      if (document) {
        studio.openDocument(document);
        studio.open(document.source.kind === 'code' ? 'run' : 'build');
        if (document.source.kind === 'code') studio.showCode(true);
      } else if (CAD.test(file.name)) await addPart(studio, file);
      else
        throw new ModelError(
          file.name,
          'expected a document or model (.json, .zip, .html), a program (.ts) or a CAD file (STL, OBJ, PLY, 3MF, glTF, VRML, STEP, IGES)',
        );
    } catch (error) {
      studio.messages.passing(error instanceof Error ? error.message : String(error));
      studio.say(error instanceof Error ? error.message : String(error));
    }
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
  if (!sceneModel(studio.history.document.value)) studio.openDocument(emptyDocument());
  studio.rooms.isGallery = false;
  const asset = await studio.assets.put(fileName, bytes);
  const name = file.name.replace(/\.\w+$/, '').replace(/[^\p{L}\p{N}_-]/gu, '') || 'part';
  const model = sceneModel(studio.history.document.value)!;
  const free = freeName(model, 'bodies', name);
  const value = { shape: { file: fileName, ...(unit && { unit }) }, material: 'steel' };
  studio.do(addAsset, { name: fileName, asset });
  studio.open('build');
  const before = studio.session?.playback.scene;
  studio.do(
    place,
    { elements: [{ group: 'bodies', name: free, value }] },
    { select: [`bodies.${free}`], gesture: `drop ${free}` },
  );
  // How large it is, and where in its own frame, is known when it has been built: it then stands above the floor, beside the others
  const stop = studio.drawing.session.onChange((session) => {
    const scene = session?.playback.scene;
    if (!scene?.bodies.some((body) => body.name === free)) return;
    stop();
    const position = placeAbove(scene, free, before);
    studio.watch(free);
    studio.do(move, { poses: { [free]: { position, orientation: [1, 0, 0, 0] } } }, { gesture: `drop ${free}` });
    studio.history.endGesture();
    studio.say(`${file.name} is in the scene`);
  });
}

function listenToDrops(studio: StudioPage): void {
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
