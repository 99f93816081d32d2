/** Keeps what is made: in the browser a second after each change, in files, in a link. */
import { iconButton } from '../../viewer/controls/element.js';
import { zipOf } from '../document/bundle.js';
import { Keeping } from '../document/keeping.js';
import { documentOfLink, LONGEST_LINK, linkText, SAFE_LINK } from '../document/link.js';
import { DocumentLock } from './document-lock.js';
import { chooseFiles, FileOnDisk } from './file-on-disk.js';
import { listenToDrops, openFiles } from './open-files.js';
import { shareHtml } from './share-html.js';
import type { StudioPage } from './studio.js';

const LATER = 1000; // ms

export function keepDocuments(studio: StudioPage): void {
  const keeping = new Keeping();
  studio.assets = keeping;
  let key = newKey();
  let later: ReturnType<typeof setTimeout> | undefined;
  const { saved } = studio.rooms;
  const lock = new DocumentLock();
  const keep = async (): Promise<void> => {
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
    if (later !== undefined) void keep();
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
    later = setTimeout(() => void keep(), LATER);
  });
  document.addEventListener('visibilitychange', () => document.hidden && later !== undefined && void keep());

  studio.recent = async () => (await keeping.all().catch(() => [])).slice(0, 8);
  const onDisk = new FileOnDisk();
  studio.opened.onChange(() => onDisk.forget());
  const open = async (): Promise<void> => {
    const { files, handle } = await chooseFiles(studio.rooms.root);
    const document = await openFiles(studio, files);
    // Saving goes into the file it came from
    if (document && files.length === 1) onDisk.handle = handle;
  };
  studio.galleryActions = {
    ...studio.galleryActions,
    openFile: () => void open(),
    recent: (wanted) =>
      void keeping.load(wanted).then((kept) => {
        if (!kept) return;
        studio.openDocument(kept.document, kept.key);
        studio.open(kept.document.source.kind === 'code' ? 'run' : 'build');
        studio.say(`${kept.title} restored`);
      }),
    forget: (wanted) => void keeping.forget(wanted).then(() => studio.showGallery()),
  };
  const saveFile = async (isNew: boolean): Promise<void> => {
    const { value } = studio.history.document;
    const name = `${value.title.replace(/[^\w.-]+/g, '-').toLowerCase() || 'document'}.tippetop`;
    // Where something is beside it, both in one
    const isZip = Object.keys(value.assets).length > 0;
    const content = isZip ? await zipOf(value, keeping) : JSON.stringify(value, null, 2);
    const file = isZip
      ? { name: `${name}.zip`, type: 'application/zip' }
      : { name: `${name}.json`, type: 'application/json' };
    if (isNew) onDisk.forget();
    const written = await onDisk.write(content, file);
    if (written === undefined) studio.download(content, file.name, file.type);
    else if (written !== '') {
      studio.messages.passing(`Saved as ${written}.`);
      studio.say(`Saved as ${written}`);
    }
  };
  const save = (isNew = false): void =>
    void saveFile(isNew).catch((error: Error) => studio.messages.passing(error.message));
  studio.rooms.corner.prepend(
    iconButton('save', 'Save as a file', () => save(), { key: 'Ctrl S' }),
    iconButton('share', 'Copy a link that holds the document', () => void shareLink(studio)),
    iconButton('file', 'Share as one HTML file', () => void shareHtml(studio)),
  );
  studio.bindings = [
    ...studio.bindings,
    { keys: ['Ctrl+s'], shown: 'Ctrl S', what: 'save as a file', press: () => save() },
    { keys: ['Ctrl+Shift+s'], shown: 'Ctrl Shift S', what: 'save as another file', press: () => save(true) },
    { keys: ['Ctrl+o'], shown: 'Ctrl O', what: 'open a file', press: () => void open() },
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
  const isCopied = await (navigator.clipboard?.writeText(address) ?? Promise.reject()).then(
    () => true,
    () => false,
  );
  history.replaceState(null, '', text);
  const warnings = [
    address.length > SAFE_LINK ? 'mail programs may cut it' : '',
    files > 0 ? 'pictures and CAD files are not in it' : '',
  ].filter(Boolean);
  studio.messages.passing(
    `Link of ${address.length} letters ${isCopied ? 'copied' : 'in the address line; copy it from there'}${warnings.length > 0 ? `; ${warnings.join('; ')}` : ''}.`,
  );
}
