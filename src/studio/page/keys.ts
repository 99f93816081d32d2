/** Keys of the whole page; those of the activity at work come first, then the viewer's own where the activity has a player. */
import type { KeyBinding } from '../../viewer/page/keys.js';
import { nextSpeed } from '../../viewer/page/time-bar.js';
import type { StandardView } from '../../viewer/stage/view.js';
import type { StudioPage } from './studio.js';

const VIEWS: readonly StandardView[] = ['isometric', 'front', 'back', 'left', 'right', 'top', 'bottom'];
const JUMP = 1 / 20; // of the recording

export function studioKeys(studio: StudioPage): void {
  const page = pageKeys(studio);
  const playback = playbackKeys(studio);
  studio.bindings = [...page, ...playback];
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.composedPath()[0];
    const place = target instanceof Element ? target : undefined;
    if (place?.closest('dialog')) return;
    const key = keyOf(event);
    const isText = isTyping(place);
    const isChord = event.ctrlKey || event.metaKey || event.altKey || key === 'F6';
    // Text fields keep their own undo; what takes Ctrl anywhere is only ours.
    if (isText && (!isChord || /^Ctrl\+(Shift\+)?[zyacvx]$/.test(key)) && key !== 'Escape') return;
    if (
      (event.key === ' ' || event.key === 'Enter') &&
      !isChord &&
      !event.shiftKey &&
      place?.matches('button, a, summary, input, select')
    )
      return;
    if (place?.matches('input[type=range], select, [role=tab]') && /Arrow|Home|End|Page/.test(event.key)) return;
    const { activity } = studio;
    const own = studio.bindings.filter((binding) => activity?.playbackKeys || !playback.includes(binding));
    const all = [...(activity?.keys ?? []), ...own];
    const binding = all.find(({ keys }) => keys.includes(key));
    if (!binding) return;
    event.preventDefault();
    binding.press(key);
  });
}

/** `Ctrl+Shift+z`, `Alt+1`, `Shift+Enter`, `m`; Meta counts as Ctrl */
export function keyOf(event: KeyboardEvent): string {
  const own = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // With Alt a keyboard may give other letters: digits are told by their place
  const key = event.altKey && /^Digit\d$/.test(event.code) ? event.code.slice(5) : own;
  const needsShift = event.shiftKey && (event.key.length > 1 || /[a-z]/.test(own) || event.ctrlKey);
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${needsShift ? 'Shift+' : ''}${key}`;
}

function isTyping(target: Element | undefined): boolean {
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
  return (
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && (target.isContentEditable || target.closest('.cm-editor') !== null))
  );
}

function pageKeys(studio: StudioPage): KeyBinding[] {
  return [
    {
      keys: ['Alt+1', 'Alt+2', 'Alt+3', 'Alt+4'],
      shown: 'Alt 1 … 4',
      what: studio.activities.map(({ label }) => label).join(', '),
      press: (key) => {
        const activity = studio.activities[Number(key.slice(4)) - 1];
        if (activity) studio.open(activity.name);
      },
    },
    { keys: ['Ctrl+z'], shown: 'Ctrl Z', what: 'undo', press: () => studio.undo() },
    { keys: ['Ctrl+Shift+z', 'Ctrl+y'], shown: 'Ctrl Shift Z', what: 'redo', press: () => studio.redo() },
    {
      keys: ['Ctrl+Enter'],
      shown: 'Ctrl Enter',
      what: 'run',
      press: () => {
        studio.open('run');
        studio.run();
      },
    },
    { keys: ['Shift+Enter'], shown: 'Shift Enter', what: 'play', press: () => studio.open('play') },
    { keys: ['Ctrl+e'], shown: 'Ctrl E', what: 'code beside the view', press: () => studio.showCode() },
    { keys: ['F6'], shown: 'F6', what: 'the next region', press: () => studio.rooms.nextRegion(1) },
    { keys: ['Shift+F6'], shown: 'Shift F6', what: 'the region before', press: () => studio.rooms.nextRegion(-1) },
    { keys: ['n'], shown: 'n', what: 'light or dark', press: () => studio.toggleTheme() },
    { keys: ['p'], shown: 'p', what: 'plots', press: () => studio.rooms.togglePlots() },
    { keys: ['b'], shown: 'b', what: 'panel at the left', press: () => studio.rooms.toggleSide('left') },
    { keys: ['i'], shown: 'i', what: 'panel at the right', press: () => studio.rooms.toggleSide('right') },
    { keys: ['?', 'Shift+?'], shown: '?', what: 'these keys', press: () => studio.help() },
    {
      keys: ['f'],
      shown: 'f',
      what: 'fit the selected part, or all',
      press: () => studio.session?.fit(),
    },
    {
      keys: VIEWS.map((_, i) => String(i + 1)),
      shown: '1 … 7',
      what: VIEWS.join(', '),
      press: (key) => studio.session?.lookFrom(VIEWS[Number(key) - 1]),
    },
    {
      keys: ['Escape'],
      shown: 'Esc',
      what: 'select nothing',
      press: () => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        studio.history.selection.set([]);
      },
    },
  ];
}

function playbackKeys(studio: StudioPage): KeyBinding[] {
  const player = () => studio.session?.player;
  const jump = (part: number): void => {
    const own = player();
    if (own) own.time += part * own.duration;
  };
  return [
    {
      keys: [' ', 'k'],
      shown: 'space',
      what: 'play, pause',
      press: () => {
        const own = player();
        if (own) own.playing = !own.playing;
      },
    },
    {
      keys: ['ArrowLeft', 'ArrowRight'],
      shown: '← →',
      what: 'one instant back, on',
      press: (key) => player()?.step(key === 'ArrowLeft' ? -1 : 1),
    },
    {
      keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
      shown: 'shift ← →',
      what: 'a twentieth of the recording back, on',
      press: (key) => jump(key.endsWith('Left') ? -JUMP : JUMP),
    },
    { keys: ['Home'], shown: 'Home', what: 'to the start', press: () => jump(-1) },
    { keys: ['End'], shown: 'End', what: 'to the end', press: () => jump(1) },
    {
      keys: ['+', '=', '-'],
      shown: '+ −',
      what: 'faster, slower',
      press: (key) => {
        const own = player();
        if (own) own.speed = nextSpeed(own.speed, key === '-' ? -1 : 1);
      },
    },
    {
      keys: ['l'],
      shown: 'l',
      what: 'start again at the end',
      press: () => {
        const own = player();
        if (own) own.loop = !own.loop;
      },
    },
  ];
}
